//! A worker: takes games from the queue, plays them, and stores them, until somebody says stop.
//!
//! One thread, the *steward*, tells the database that the worker lives, learns of jobs, sends what had to wait and looks
//! after contests that nobody looks after. Each core is a *slot* that plays. All share one connection.

mod slot;
mod steward;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lianzi_cage::Cages;
use lianzi_core::Text;
use lianzi_engine::Stop;
use lianzi_players::PlayerSpec;

use crate::filing::ContestJob;
use crate::jobs::Keeper;
use crate::link::{Bell, Link};
use crate::needs::version;
use crate::selfplay::SelfPlayJob;
use crate::spool::Spool;
use crate::{QueueError, files, schema};

/// How a worker is to work.
pub struct Config<'a> {
    /// What it calls itself.
    pub name: String,
    /// How many games at once.
    pub cores: usize,
    /// Takes only games whose name begins so.
    pub only: Option<String>,
    /// Starts programs outside a cage, if a contest wants that.
    pub trust: bool,
    /// Where files and games that wait are kept.
    pub cache: PathBuf,
    /// Ends after so long without work.
    pub idle: Option<Duration>,
    /// Where foreign code runs.
    pub cages: &'a Cages,
    /// Ends the worker.
    pub stop: Stop,
    /// Hears what people should know.
    pub tell: &'a (dyn Fn(Text) + Sync),
}

/// What a worker has done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many games it has stored or kept to be stored.
    pub games: u64,
    /// What part of the time its slots played, from the first game on.
    pub busy: f64,
}

/// What is played in a job.
enum Work {
    Contest(Box<ContestJob>, Vec<PlayerSpec>),
    SelfPlay(SelfPlayJob),
}

/// A job that this worker plays.
struct Known {
    job: i64,
    work: Work,
    /// Set when nobody wants its games any more.
    over: Stop,
    /// Looks after it, once this worker has had to.
    keeper: Mutex<Option<Keeper>>,
}

/// What the threads of a worker share.
struct Crew<'a> {
    link: &'a Link,
    config: &'a Config<'a>,
    /// The worker's number.
    me: AtomicI64,
    lease: Duration,
    spool: Spool,
    jobs: Mutex<BTreeMap<i64, Arc<Known>>>,
    /// Why other jobs are not played here.
    refused: Mutex<HashMap<i64, Text>>,
    /// How fast this machine is, once that matters.
    speed: OnceLock<f64>,
    games: AtomicU64,
    /// When the first game began, how long all slots have played since, and when the last game ended.
    times: Mutex<Times>,
}

#[derive(Clone, Copy, Default)]
struct Times {
    /// How many slots play now.
    playing: usize,
    first: Option<Instant>,
    last: Option<Instant>,
    played: Duration,
}

/// Works until somebody says stop, or there was no work for as long as the worker waits.
pub fn work(link: &Link, config: &Config<'_>) -> Result<Tally, QueueError> {
    schema::check(link)?;
    let row = link.row("SELECT id, extract(epoch FROM lease)::float8 FROM lianzi.settings", &[])?;
    let (queue, lease): (String, f64) = (row.get(0), row.get(1));
    let folder = files::safe_join(&config.cache.join("spool"), &queue);
    let folder = folder.ok_or_else(|| QueueError::Refused("the queue has no name".into()))?;
    let spool = Spool::open(folder.clone()).map_err(files::refused(&folder))?;
    let crew = Crew {
        link,
        config,
        me: AtomicI64::new(0),
        lease: Duration::from_secs_f64(lease.max(0.3)),
        spool,
        jobs: Mutex::default(),
        refused: Mutex::default(),
        speed: OnceLock::new(),
        games: AtomicU64::new(0),
        times: Mutex::default(),
    };
    crew.join()?;
    crew.learn()?;
    thread::scope(|scope| {
        for _ in 0..config.cores.max(1) {
            scope.spawn(|| crew.fill_slot());
        }
        crew.steward();
    });
    crew.farewell();
    Ok(crew.tally())
}

impl Crew<'_> {
    fn me(&self) -> i64 {
        self.me.load(Ordering::Relaxed)
    }

    fn stop(&self) -> &Stop {
        &self.config.stop
    }

    fn bell(&self) -> &Bell {
        self.link.bell()
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<i64, Arc<Known>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn times(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gets a number.
    fn join(&self) -> Result<(), QueueError> {
        let cores = self.config.cores as i32;
        let row = self.link.row("SELECT lianzi.join_in($1, $2, $3)", &[&self.config.name, &cores, &version()])?;
        self.me.store(row.get(0), Ordering::Relaxed);
        Ok(())
    }

    /// Sends what waits and gives back what is held. If the database is away, the lease does that later, and the next
    /// worker with this folder sends.
    fn farewell(&self) {
        let _ = self.spool.send(self.link, self.me());
        let _ = self.link.query("SELECT lianzi.leave($1)", &[&self.me()]);
    }

    fn tally(&self) -> Tally {
        let Times { first, last, played, .. } = *self.times();
        let whole = first.zip(last).map_or(Duration::ZERO, |(first, last)| last - first);
        let slots = self.config.cores.max(1) as f64;
        let busy = if whole.is_zero() { 0.0 } else { played.as_secs_f64() / (whole.as_secs_f64() * slots) };
        Tally { games: self.games.load(Ordering::Relaxed), busy }
    }
}
