//! `queue`: what is filed in a database, who plays it, and an end to it.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{anyhow, bail};
use clap::{Args, Subcommand};
use lianzi_core::{Speak, text};
use lianzi_game::duration;
use lianzi_queue::jobs::{self, Listed, ListedWorker};
use lianzi_queue::schema::{self, Role, address_for};
use lianzi_queue::{Link, QueueError};
use serde_json::json;

use lianzi_console::{Console, line};

/// Make, list and stop what many machines play by way of a PostgreSQL database
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi queue init postgres://postgres@db.example/lianzi --worker pc --filer teacher\n  lianzi queue list postgres://teacher@db.example/lianzi\n  lianzi queue cancel postgres://teacher@db.example/lianzi 7\n\nThe password may stand in PGPASSWORD. Addresses are those of PostgreSQL; sslmode=verify-full checks the server's certificate, sslrootcert=FILE against one of your own. docs/cluster.md has recipes."
)]
pub struct Queue {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Make the tables and roles of a queue in a database, or bring them up to date
    Init {
        /// The address of the database, for a user who may make tables and roles
        address: String,
        /// Make a login for workers, who take games and write results, and print its address
        #[arg(long, value_name = "NAME")]
        worker: Option<String>,
        /// Make a login for those who file contests, and print its address
        #[arg(long, value_name = "NAME")]
        filer: Option<String>,
        /// How long a worker may be silent before others play its games [default: 30s]
        #[arg(long, value_name = "TIME", value_parser = duration::parse)]
        lease: Option<Duration>,
    },
    /// List the jobs: contests and self-play
    List(Asked),
    /// List the workers
    Workers(Asked),
    /// Tell of one job
    Show(Job),
    /// Let nobody begin games of a job
    Pause(Job),
    /// Let a job go on that was paused or cancelled
    Resume(Job),
    /// End a job; games that run are given up, those that ended stay
    Cancel(Job),
    /// Forget a job with its games
    Remove(Job),
}

#[derive(Args)]
struct Asked {
    /// The address of the database
    address: String,
    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Job {
    /// The address of the database
    address: String,
    /// The job's number
    job: i64,
}

impl Queue {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let words = |error: QueueError| anyhow!(error.words(console.language));
        let open = |address: &str| lianzi_console::queue::open(address, console);
        match self.what {
            What::Init { address, worker, filer, lease } => {
                let link = lianzi_console::queue::connect(&address, console)?;
                schema::init(&link, lease).map_err(words)?;
                line(console.say(text!("{}: the queue is ready", "{}：队列已就绪", link.address())))?;
                let logins = [(worker, Role::Worker), (filer, Role::Filer)];
                for (name, role) in logins.into_iter().filter_map(|(name, role)| Some((name?, role))) {
                    let password = schema::add_login(&link, &name, role).map_err(words)?;
                    line(address_for(&address, &name, &password))?;
                }
            }
            What::List(asked) => {
                for job in jobs::list(&open(&asked.address)?, None).map_err(words)? {
                    line(if asked.json { job_json(&job) } else { job_line(&job, console) })?;
                }
            }
            What::Workers(asked) => {
                for worker in jobs::workers(&open(&asked.address)?).map_err(words)? {
                    line(if asked.json { worker_json(&worker) } else { worker_line(&worker, console) })?;
                }
            }
            What::Show(asked) => show(&asked.found(console)?.1, console)?,
            What::Pause(asked) => asked.change(console, |link| jobs::set_open(link, asked.job, false).map(drop))?,
            What::Resume(asked) => asked.change(console, |link| jobs::set_open(link, asked.job, true).map(drop))?,
            What::Cancel(asked) => asked.change(console, |link| jobs::cancel(link, asked.job, ""))?,
            What::Remove(asked) => {
                let (link, _) = asked.found(console)?;
                jobs::remove(&link, asked.job).map_err(words)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Job {
    /// The queue and the job in it.
    fn found(&self, console: &Console) -> anyhow::Result<(Link, Listed)> {
        let link = lianzi_console::queue::open(&self.address, console)?;
        let found = jobs::list(&link, Some(self.job)).map_err(|error| anyhow!(error.words(console.language)))?;
        match found.into_iter().next() {
            Some(listed) => Ok((link, listed)),
            None => bail!(text!(
                "there is no job {}; lianzi queue list ADDRESS names all",
                "没有作业 {}；lianzi queue list 地址 可列出全部",
                self.job
            )),
        }
    }

    /// Changes the job and tells how it stands then.
    fn change(&self, console: &Console, change: impl Fn(&Link) -> Result<(), QueueError>) -> anyhow::Result<()> {
        let (link, _) = self.found(console)?;
        change(&link).map_err(|error| anyhow!(error.words(console.language)))?;
        line(job_line(&self.found(console)?.1, console))
    }
}

fn show(job: &Listed, console: &Console) -> anyhow::Result<()> {
    line(job_line(job, console))?;
    let Listed { filer, version, age, .. } = job;
    let hours = age / 3600.0;
    line(console.say(text!(
        "filed by {filer} {hours:.1} h ago, version {version}",
        "由 {filer} 于 {hours:.1} 小时前提交，版本 {version}"
    )))?;
    if !job.note.is_empty() {
        line(&job.note)?;
    }
    Ok(())
}

fn state(job: &Listed, console: &Console) -> &'static str {
    match job.state.as_str() {
        "open" => console.pick("open", "进行中"),
        "paused" => console.pick("paused", "已暂停"),
        "cancelled" => console.pick("cancelled", "已取消"),
        _ => console.pick("done", "已完成"),
    }
}

fn job_line(job: &Listed, console: &Console) -> String {
    let (id, title, state, [stored, held, free]) = (job.id, &job.title, state(job, console), job.games);
    let note = if job.note.is_empty() { String::new() } else { format!("  ({})", job.note) };
    console.say(text!(
        "{id:>4} {state:<9} {stored} games, {held} being played, {free} waiting  {title}{note}",
        "{id:>4} {state} {stored} 局，{held} 局进行中，{free} 局等待  {title}{note}"
    ))
}

fn job_json(job: &Listed) -> String {
    let [stored, held, free] = job.games;
    json!({
        "job": job.id, "kind": job.kind, "game": job.game, "title": job.title, "state": job.state, "note": job.note,
        "version": job.version, "filer": job.filer, "age": job.age, "stored": stored, "playing": held, "waiting": free,
    })
    .to_string()
}

fn worker_line(worker: &ListedWorker, console: &Console) -> String {
    let ListedWorker { id, name, cores, version, note, left, games: [stored, held] } = worker;
    let gone = if *left > 0.0 { "" } else { console.pick(", gone", "，已离开") };
    let note = if note.is_empty() { String::new() } else { format!("  ({note})") };
    console.say(text!(
        "{id:>4} {name}  {cores} cores, {stored} games, {held} being played{gone}, version {version}{note}",
        "{id:>4} {name}  {cores} 核，{stored} 局，{held} 局进行中{gone}，版本 {version}{note}"
    ))
}

fn worker_json(worker: &ListedWorker) -> String {
    let [stored, held] = worker.games;
    json!({
        "worker": worker.id, "name": worker.name, "cores": worker.cores, "version": worker.version, "note": worker.note,
        "alive": worker.left > 0.0, "stored": stored, "playing": held,
    })
    .to_string()
}
