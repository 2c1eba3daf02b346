//! `dev selfplay`: games to learn from.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, bail};
use clap::Args;
use indicatif::ProgressBar;
use lianzi_core::{Rules, Speak, text};
use lianzi_engine::workshop::training::selfplay::{Course, fair, play};
use lianzi_engine::workshop::training::{Lesson, file};
use lianzi_engine::{Engine, Stop};
use lianzi_players::PlayerSpec;
use lianzi_queue::QueueError;
use lianzi_queue::selfplay::{SelfPlayJob, follow};

use crate::bar;
use lianzi_console::{Console, line, stop_on_ctrl_c};

/// Let an engine play against itself and note what it thought; a file that exists is continued
#[derive(Args)]
pub struct SelfPlay {
    /// The game
    game: Rules,
    /// How many games the file is to have
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// How many nodes for each turn
    #[arg(long, value_name = "N", default_value_t = 3000)]
    nodes: u64,
    /// How far ahead a side may be after the opening, in the engine's points [default: 120, at Connect6 1800]
    #[arg(long, value_name = "POINTS")]
    balance: Option<i32>,
    /// Who plays
    #[arg(long, value_name = "PLAYER", default_value = "strong@hash=8")]
    player: PlayerSpec,
    /// Where random numbers start
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// How many games at once
    #[arg(long, value_name = "K", default_value_t = 1)]
    concurrency: usize,
    /// The file
    #[arg(long, value_name = "FILE", default_value = "games.lzsp")]
    out: PathBuf,
    /// Strew stones drawn by chance among the engine's, and note what comes right after each
    #[arg(long, conflicts_with = "queue")]
    astray: bool,
    /// Let workers play: the address of a database with a queue, postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS")]
    queue: Option<String>,
}

/// Writes games in the order of their numbers, whichever ends first.
struct Shelf {
    file: BufWriter<File>,
    next: u64,
    waiting: BTreeMap<u64, Lesson>,
}

impl Shelf {
    fn put(&mut self, n: u64, lesson: Lesson) -> std::io::Result<()> {
        self.waiting.insert(n, lesson);
        while let Some(lesson) = self.waiting.remove(&self.next) {
            file::write_lesson(&mut self.file, &lesson)?;
            self.next += 1;
        }
        self.file.flush()
    }
}

impl SelfPlay {
    pub fn run(&self, console: &Console) -> anyhow::Result<ExitCode> {
        let name = || self.out.display().to_string();
        let (file, done) = self.open().with_context(name)?;
        if let Some(queue) = &self.queue {
            return self.follow(queue, file, done, console);
        }
        let shelf = Mutex::new(Shelf { file: BufWriter::new(file), next: done, waiting: BTreeMap::new() });
        let stop = stop_on_ctrl_c()?;
        let bar = bar(self.games)?;
        bar.set_position(done);
        let next = AtomicU64::new(done);
        let results: Vec<anyhow::Result<()>> = std::thread::scope(|scope| {
            let worker = || self.work(&next, &shelf, &stop, &bar);
            let workers: Vec<_> = (0..self.concurrency.max(1)).map(|_| scope.spawn(worker)).collect();
            workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
        });
        bar.finish_and_clear();
        results.into_iter().collect::<anyhow::Result<()>>().with_context(name)?;
        let games = shelf.into_inner().map_or(done, |shelf| shelf.next);
        line(format!("{}: {games} {}", self.out.display(), console.pick("games", "局")))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Files what is missing and writes down what workers play.
    fn follow(&self, queue: &str, mut file: File, done: u64, console: &Console) -> anyhow::Result<ExitCode> {
        let in_words = |error: QueueError| anyhow::anyhow!(error.words(console.language));
        let link = lianzi_console::queue::open(queue, console)?;
        let course = self.course();
        // Only built-in players play against themselves.
        self.engine()?;
        let (game, player) = (self.game.to_string(), self.player.to_string());
        let Course { nodes, balance, seed, .. } = course;
        let job = SelfPlayJob { game, player, nodes, balance, seed };
        let filed = job.file(&link, done, self.games).map_err(in_words)?;
        let (stop, bar) = (stop_on_ctrl_c()?, bar(self.games)?);
        bar.set_position(done);
        let mut games = done;
        let followed = follow(&link, filed.job, (done, self.games), &stop, |_, lesson| {
            games += 1;
            bar.inc(1);
            file.write_all(lesson)
        });
        bar.finish_and_clear();
        followed.map_err(in_words)?;
        line(format!("{}: {games} {}", self.out.display(), console.pick("games", "局")))?;
        Ok(ExitCode::SUCCESS)
    }

    fn course(&self) -> Course {
        let balance = self.balance.unwrap_or_else(|| fair(&self.game));
        Course { rules: self.game, nodes: self.nodes, balance, seed: self.seed, astray: self.astray }
    }

    /// The file at its end, and how many games it has.
    fn open(&self) -> anyhow::Result<(File, u64)> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&self.out)?;
        if file.metadata()?.len() == 0 {
            file::write_head(&mut file, &self.game)?;
            return Ok((file, 0));
        }
        let lessons = file::read(&mut file)?;
        if lessons.rules != self.game {
            bail!(text!("the file holds games of {}", "文件里的对局是 {}", lessons.rules));
        }
        file.set_len(lessons.whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok((file, lessons.games.len() as u64))
    }

    fn engine(&self) -> anyhow::Result<Box<dyn Engine>> {
        self.player.engine(&self.game)?.context("only built-in players play against themselves")
    }

    fn work(&self, next: &AtomicU64, shelf: &Mutex<Shelf>, stop: &Stop, bar: &ProgressBar) -> anyhow::Result<()> {
        let course = self.course();
        let mut engine = self.engine()?;
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= self.games {
                return Ok(());
            }
            let Some(lesson) = play(&course, n, engine.as_mut(), stop) else { return Ok(()) };
            let mut shelf = shelf.lock().map_err(|_| anyhow::anyhow!("another thread failed"))?;
            shelf.put(n, lesson)?;
            bar.inc(1);
        }
    }
}
