//! `worker`: one of the machines that play what is filed in a queue.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use directories::ProjectDirs;
use lianzi_core::{Game, Speak, Text, text};
use lianzi_game::duration;
use lianzi_queue::worker::{Config, work};

use lianzi_console::{Console, cores, line, stop_on_ctrl_c, warn};

/// Play games of a queue, until Ctrl-C: one such process on each machine
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi worker postgres://pc@db.example/lianzi\n  lianzi worker postgres://pc@db.example/lianzi --cores 4 --only gomoku --idle 10m\n\nThe password may stand in PGPASSWORD. A worker may be killed at any time: what it was playing is played by another. docs/cluster.md has recipes."
)]
pub struct Worker {
    /// The address of the database: postgres://USER@HOST/DATABASE
    address: String,
    /// How many games at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    cores: Option<u16>,
    /// Take only this game
    #[arg(long, value_name = "GAME")]
    only: Option<Game>,
    /// End after so long without work
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    idle: Option<Duration>,
    /// Also start programs outside a cage, with all your rights, if a contest says so
    #[arg(long)]
    trust: bool,
    /// What the worker is called in lists [default: the machine's name]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Where programs and games that wait are kept [default: a folder `lianzi` among this user's caches]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

impl Worker {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let link = lianzi_console::queue::open_to_work(&self.address, console)?;
        let config = Config {
            name: self.name.unwrap_or_else(machine),
            cores: self.cores.map_or_else(cores, usize::from),
            only: self.only.map(|game| game.to_string()),
            trust: self.trust,
            cache: self.cache.map_or_else(default_cache, Ok)?,
            idle: self.idle,
            cages: &console.cages,
            stop: stop_on_ctrl_c()?,
            tell: &|text: Text| warn(text.said(console.language)),
        };
        let tally = work(&link, &config).map_err(|error| anyhow!(error.words(console.language)))?;
        let (games, busy) = (tally.games, 100.0 * tally.busy);
        line(
            console.say(text!("{games} games, busy {busy:.1} % of the time", "{games} 局，{busy:.1} % 的时间在对局")),
        )?;
        Ok(ExitCode::SUCCESS)
    }
}

/// What this machine is called, and which of its processes this is.
fn machine() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    format!("{}:{}", name.trim(), std::process::id())
}

fn default_cache() -> Result<PathBuf, Text> {
    let folders = ProjectDirs::from("", "", "lianzi");
    folders
        .map(|folders| folders.cache_dir().into())
        .ok_or(Text::fixed("there is no home folder; name a folder with --cache", "没有主目录；请用 --cache 指定"))
}
