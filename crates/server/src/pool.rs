//! Where engines think: a few threads, and turns by who asks.
//!
//! Work is handed in under a key, a game's or a connection's. Keys take turns, and a key has at most one piece of
//! work running, so somebody who asks for much waits for himself. As many pieces run as there are cores; one that
//! has run for [`PATIENCE`] no longer counts, so that long thoughts do not keep short ones waiting: from then on the
//! system's scheduler divides the cores. The number of threads bounds how many long thoughts there can be. Our engines
//! think on these threads themselves; only a program from outside is waited for.
//!
//! An engine's table is large, so it exists while its search runs; between two pieces of work only a few keep theirs.
//! Work that waits is small, and work that nobody wants any more does not wait.

use std::collections::{HashMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lianzi_engine::Stop;
use lianzi_game::live::{Kept, Threads};
use tokio::sync::Semaphore;

use crate::visitor::Visitor;

/// How long a piece of work holds a core for itself.
const PATIENCE: Duration = Duration::from_secs(1);

/// How many threads there are for each core: long thoughts share the cores.
const THREADS_PER_CORE: usize = 4;

type Work = Box<dyn FnOnce() + Send>;

/// The threads that engines think on; clones are the same pool. The threads end when the last clone is dropped.
#[derive(Clone)]
pub struct Pool {
    shared: Arc<Shared>,
    /// Told apart from `shared`, which the threads hold as well.
    _last: Arc<Closer>,
}

/// Whose turn it is: a game or a connection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// The engine that is to move in this game.
    Game(String),
    /// What this connection of a visitor wants to know.
    Connection(u64, Visitor),
}

struct Shared {
    cores: usize,
    /// How many more engines may keep their tables while they do not think: one for each core.
    tables: Arc<Semaphore>,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: HashMap<Key, VecDeque<(Stop, Work)>>,
    /// Keys that have work waiting and none running, in the order of their turns.
    turns: VecDeque<Key>,
    running: HashSet<Key>,
    /// When the work that is running began.
    begun: Vec<Instant>,
    closed: bool,
}

struct Closer(Arc<Shared>);

impl Drop for Closer {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_all();
    }
}

impl Pool {
    /// A pool for so many cores.
    pub fn new(cores: usize) -> std::io::Result<Pool> {
        let cores = cores.max(1);
        let tables = Arc::new(Semaphore::new(cores));
        let shared = Arc::new(Shared { cores, tables, queue: Mutex::default(), changed: Condvar::new() });
        for _ in 0..cores * THREADS_PER_CORE {
            let shared = Arc::clone(&shared);
            thread::Builder::new().name("pool".into()).spawn(move || shared.work())?;
        }
        Ok(Pool { _last: Arc::new(Closer(Arc::clone(&shared))), shared })
    }

    /// Hands in work; it runs when its key's turn has come. What the key no longer wants goes.
    pub fn submit(&self, key: Key, stop: &Stop, work: impl FnOnce() + Send + 'static) {
        let mut queue = self.shared.lock();
        let waiting = queue.waiting.entry(key.clone()).or_default();
        let has_turn = !waiting.is_empty();
        let (unwanted, wanted) = waiting.drain(..).partition::<VecDeque<_>, _>(|(stop, _)| stop.is_set());
        *waiting = wanted;
        waiting.push_back((stop.clone(), Box::new(work)));
        if !has_turn && !queue.running.contains(&key) {
            queue.turns.push_back(key);
        }
        drop(queue);
        // What it held, such as a player that leaves, is let go of where nobody waits for it.
        drop(unwanted);
        self.shared.changed.notify_one();
    }

    /// The pool as a place to think in turns under this key.
    pub fn threads(&self, key: Key) -> Threads {
        let (pool, tables) = (self.clone(), Arc::clone(&self.shared.tables));
        let run = move |stop: &Stop, work: Work| {
            pool.submit(key.clone(), stop, work);
            Ok(())
        };
        let keep = move || Some(Box::new(Arc::clone(&tables).try_acquire_owned().ok()?) as Kept);
        Threads::new(run, keep)
    }

    /// How many connections besides this one have a search that runs or waits, and how many of them are the same
    /// visitor's.
    pub fn searches(&self, connection: u64, visitor: Visitor) -> (usize, usize) {
        let queue = self.shared.lock();
        let waiting = queue.waiting.keys().filter(|key| !queue.running.contains(key));
        let whose = queue.running.iter().chain(waiting).filter_map(|key| match key {
            Key::Connection(other, whose) if *other != connection => Some(*whose),
            _ => None,
        });
        whose.fold((0, 0), |(all, own), whose| (all + 1, own + usize::from(whose == visitor)))
    }

    /// How many pieces of work run or wait.
    pub fn load(&self) -> usize {
        let queue = self.shared.lock();
        queue.running.len() + queue.waiting.values().map(VecDeque::len).sum::<usize>()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some((key, begun, work)) = self.take() {
            // Work tells of its own panics where somebody listens; here it must only not end the thread.
            let _ = catch_unwind(AssertUnwindSafe(work));
            self.finish(&key, begun);
        }
    }

    /// The next piece of work, once there is one and a core for it.
    fn take(&self) -> Option<(Key, Instant, Work)> {
        let mut queue = self.lock();
        loop {
            if queue.closed {
                return None;
            }
            let now = Instant::now();
            let fresh = |begun: &&Instant| now.duration_since(**begun) < PATIENCE;
            let held = queue.begun.iter().filter(fresh).count();
            if held < self.cores
                && let Some((key, work)) = queue.next()
            {
                queue.begun.push(now);
                return Some((key, now, work));
            }
            // With work waiting, look again when the oldest thought has had its time.
            let patience = queue.begun.iter().filter(fresh).min().map(|begun| *begun + PATIENCE - now);
            let wait = patience.filter(|_| !queue.turns.is_empty()).unwrap_or(Duration::from_secs(3600));
            queue = self.changed.wait_timeout(queue, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn finish(&self, key: &Key, begun: Instant) {
        let mut queue = self.lock();
        queue.running.remove(key);
        if let Some(at) = queue.begun.iter().position(|&other| other == begun) {
            queue.begun.swap_remove(at);
        }
        if queue.waiting.contains_key(key) {
            queue.turns.push_back(key.clone());
        }
        drop(queue);
        self.changed.notify_one();
    }
}

impl Queue {
    fn next(&mut self) -> Option<(Key, Work)> {
        let key = self.turns.pop_front()?;
        let waiting = self.waiting.get_mut(&key)?;
        let (_, work) = waiting.pop_front()?;
        if waiting.is_empty() {
            self.waiting.remove(&key);
        }
        self.running.insert(key.clone());
        Some((key, work))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::{Position, Rules};
    use lianzi_engine::{Best, Engine, Info, Limits};
    use lianzi_game::clock::Control;
    use lianzi_game::live::{Leaving, LiveGame, LiveTable, Machine, Reach, Setting, Side};
    use lianzi_game::player::{EnginePlayer, Player};
    use std::net::IpAddr;
    use std::sync::mpsc::{Sender, channel};

    fn key(connection: u64) -> Key {
        Key::Connection(connection, Visitor::from(IpAddr::from([10, 0, 0, 1])))
    }

    /// Tells on which thread it thinks.
    struct Where(Sender<Option<String>>);

    impl Engine for Where {
        fn begin(&mut self, _: u64) {}

        fn search(&mut self, _: &Position, _: &Limits, _: &Stop, _: &mut dyn FnMut(&Info)) -> Best {
            self.0.send(thread::current().name().map(str::to_string)).unwrap();
            Best::default()
        }
    }

    #[test]
    fn an_engine_thinks_on_a_thread_of_the_pool_and_no_thread_waits_for_it() {
        let (tell, told) = channel();
        let make = move || {
            let tell = tell.clone();
            let player =
                EnginePlayer::new(Box::new(move |_| Ok(Box::new(Where(tell.clone())))), Limits::default(), None);
            Some(Box::new(player.here()) as Box<dyn Player>)
        };
        let machine = Machine::new(Arc::new(make));
        let sides = [Some(machine), None].map(|machine| Side::new("x".into(), "x".into(), machine));
        let game = LiveGame::new(Rules::gomoku(15), Control::default());
        let (pace, turn_used) = (Duration::ZERO, Duration::ZERO);
        let threads = Pool::new(1).unwrap().threads(key(1));
        let reach = Reach { threads, tell: Arc::new(|_| {}), leaving: Leaving::default() };
        let mut table = LiveTable::new(Setting { game, sides, pace, instant: true, turn_used }, reach);
        table.wake(true);
        let name = told.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!(name.as_deref(), Some("pool"));
    }

    #[test]
    fn keys_take_turns() {
        let pool = Pool::new(1).unwrap();
        let (done, order) = channel();
        let (go, gate) = channel::<()>();
        pool.submit(key(0), &Stop::default(), move || gate.recv().unwrap());
        for (whose, n) in [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)] {
            let done = done.clone();
            pool.submit(key(whose), &Stop::default(), move || done.send((whose, n)).unwrap());
        }
        go.send(()).unwrap();
        let order: Vec<(u64, i32)> = (0..5).map(|_| order.recv().unwrap()).collect();
        assert_eq!(order, [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)]);
    }

    #[test]
    fn a_long_thought_does_not_keep_others_waiting_and_a_panic_does_no_harm() {
        let pool = Pool::new(1).unwrap();
        let (go, gate) = channel::<()>();
        pool.submit(key(0), &Stop::default(), move || {
            let _ = gate.recv();
        });
        pool.submit(key(1), &Stop::default(), || panic!("on purpose"));
        let (done, news) = channel();
        pool.submit(key(2), &Stop::default(), move || done.send(()).unwrap());
        news.recv_timeout(Duration::from_secs(20)).expect("the second piece of work runs beside the first");
        drop(go);
    }

    #[test]
    fn what_is_no_longer_wanted_does_not_wait_and_few_tables_are_kept() {
        let pool = Pool::new(1).unwrap();
        let (go, gate) = channel::<()>();
        pool.submit(key(0), &Stop::default(), move || {
            let _ = gate.recv();
        });
        for _ in 0..1000 {
            let stop = Stop::default();
            pool.submit(key(0), &stop, || unreachable!("it was stopped"));
            stop.set();
        }
        pool.submit(key(1), &Stop::default(), || {});
        assert!(pool.load() <= 3, "{}", pool.load());
        assert_eq!(pool.searches(9, Visitor::from(IpAddr::from([10, 0, 0, 1]))), (2, 2));
        assert_eq!(pool.searches(0, Visitor::from(IpAddr::from([10, 0, 0, 2]))), (1, 0));
        drop(go);
        let kept = pool.shared.tables.clone().try_acquire_owned();
        assert!(kept.is_ok() && pool.shared.tables.clone().try_acquire_owned().is_err());
    }
}
