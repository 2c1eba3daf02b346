//! `serve`: the board for people, in a browser.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;

use anyhow::Context;
use clap::Args;
use directories::ProjectDirs;
use lianzi_core::{Speak, Text, text};
use lianzi_players::{BadPlayer, PlayerSpec};
use lianzi_server::{Bounds, Config, NamedPlayer, Server};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

use super::log::BoundedLog;
use lianzi_console::position::use_book_of;
use lianzi_console::{Console, line};

/// How many threads may wait for the disk; each may open the library once more.
const BLOCKING: usize = 64;

/// Offer the board to browsers: play, analyse, watch, keep games. Prints its address when it is ready and opens nothing
/// itself
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi serve\n  lianzi serve --addr 0.0.0.0:8710 --host board.example --data /srv/lianzi\n  lianzi serve --player sparring=greedy@seed=7\n\nWhoever can reach the address can play and let engines think; it listens on this machine only unless told otherwise. docs/web.md says what a public server needs."
)]
pub struct Serve {
    /// Where to listen; port 0 takes any free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8710")]
    addr: SocketAddr,
    /// Where games are kept, and a larger book of Connect Four if there is one, connect4.book [default: a folder `lianzi` among this user's data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Keep games in this database instead, postgres://USER@HOST/DATABASE; several servers may share it
    #[arg(long, value_name = "ADDRESS")]
    store: Option<String>,
    /// One more player that pages can choose, by this name
    #[arg(long = "player", value_name = "NAME=SPEC", value_parser = parse_named)]
    players: Vec<(String, PlayerSpec)>,
    /// A name under which pages ask for the board, besides localhost and numbers
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// A proxy on this machine says in X-Forwarded-For whom it asks for
    #[arg(long)]
    proxy: bool,
    /// Let everybody search the games of everybody; otherwise a browser lists only games that it knows
    #[arg(long)]
    public_library: bool,
    /// Teach the lessons of this folder as well, files that end in .lesson (docs/train.md)
    #[arg(long, value_name = "DIR")]
    lessons: Option<PathBuf>,
    /// Let learners keep their progress here under a name; whoever has the server's secret sees everybody's
    #[arg(long)]
    class: bool,
    /// Read the page's files from this folder instead of the program, for people who work on the page
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
}

fn parse_named(text: &str) -> Result<(String, PlayerSpec), Text> {
    let (name, spec) = text.split_once('=').ok_or_else(|| {
        Text::new("write NAME=SPEC, such as sparring=greedy@seed=7", "请写 NAME=SPEC，例如 sparring=greedy@seed=7")
    })?;
    let plain = (1..=40).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if !plain {
        return Err(Text::new("a name has 1 to 40 characters", "名称须为 1 到 40 个字符"));
    }
    let spec = spec.parse().map_err(|bad: BadPlayer| bad.text())?;
    Ok((name.into(), spec))
}

impl Serve {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        log();
        let data = self.data.map_or_else(default_folder, Ok)?;
        if let Err(unfit) = use_book_of(&data) {
            let instead = console.pick("; the built-in book is used", "；改用内置的开局库");
            eprintln!("lianzi: {}{instead}", console.words(&unfit));
        }
        let config = Config {
            addr: self.addr,
            data,
            store: self.store.map(|store| lianzi_console::queue::address(&store, console)).transpose()?,
            players: named(self.players, console)?,
            cores: lianzi_console::cores(),
            hosts: self.hosts,
            proxied: self.proxy,
            public_library: self.public_library,
            page: self.page,
            school: super::train::school(self.lessons.as_deref(), console)?,
            class: self.class,
            bounds: Bounds::default(),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(BLOCKING)
            .build()
            .context("threads")?;
        runtime.block_on(serve(config, console))?;
        // A search that was given up must not keep the process.
        runtime.shutdown_background();
        Ok(ExitCode::SUCCESS)
    }
}

async fn serve(config: Config, console: &Console) -> anyhow::Result<()> {
    let stop = ctrl_c()?;
    let hosts = config.hosts.join(", ");
    let server = Server::open(config).await?;
    line(format!("{} http://{}", console.pick("the board is at", "棋盘地址"), server.addr()))?;
    if !server.addr().ip().is_loopback() {
        eprintln!("lianzi: {}", open_to(&server, &hosts).said(console.language));
    }
    server.run(async { stop.await.unwrap_or_default() }).await?;
    Ok(())
}

/// What a server that others can reach offers, and to whom.
fn open_to(server: &Server, hosts: &str) -> Text {
    let (addr, keeper) = (server.addr(), server.keeper().display());
    let (by, used) = if hosts.is_empty() { ("", "") } else { (" or as ", "或名称 ") };
    text!(
        "whoever reaches {addr} may play, watch every game, keep games, let engines think and start contests, asking by number{by}{hosts}; nothing is encrypted without a proxy that does it; the secret in {keeper} stops any contest and deletes any game",
        "凡能访问 {addr} 者（用地址数字{used}{hosts}）均可对弈、观看全部对局、保存棋谱、让引擎思考并发起比赛；没有加密代理时内容不加密；{keeper} 中的密钥可停止任何比赛、删除任何对局"
    )
}

/// The players that were given a name. Foreign code that could not be caged is refused before anybody can ask it.
fn named(players: Vec<(String, PlayerSpec)>, console: &Console) -> anyhow::Result<Vec<NamedPlayer>> {
    let name = |(name, spec): (String, PlayerSpec)| {
        console.check_cage(&spec)?;
        Ok((name, spec, console.cages.clone()).into())
    };
    players.into_iter().map(name).collect()
}

/// Done at the first Ctrl-C; the second one ends the process at once.
fn ctrl_c() -> anyhow::Result<tokio::sync::oneshot::Receiver<()>> {
    let (tell, told) = tokio::sync::oneshot::channel();
    let tell = Mutex::new(Some(tell));
    ctrlc::set_handler(move || {
        let first = tell.lock().ok().and_then(|mut tell| tell.take());
        match first {
            Some(tell) => drop(tell.send(())),
            None => std::process::exit(130),
        }
    })?;
    Ok(told)
}

/// Where games are kept if no folder is named.
pub fn default_folder() -> Result<PathBuf, Text> {
    let folders = ProjectDirs::from("", "", "lianzi");
    folders
        .map(|folders| folders.data_dir().into())
        .ok_or(Text::fixed("there is no home folder; name a folder with --data", "没有主目录；请用 --data 指定"))
}

/// The log goes to stderr, at a bounded rate; `RUST_LOG` says how much of it.
fn log() {
    let wanted = std::env::var("RUST_LOG").ok().and_then(|text| text.parse().ok());
    let filter = wanted.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    let lines = tracing_subscriber::fmt::layer().with_writer(BoundedLog::default());
    let lines = lines.with_ansi(std::io::stderr().is_terminal()).with_filter(filter);
    // A log that was set up already stays.
    let _ = tracing_subscriber::registry().with(lines).try_init();
}
