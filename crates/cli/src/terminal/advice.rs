//! Hints and analyses: an engine looks at a position on a thread of its own until it is stopped.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lianzi_classic::catalog::{self, adviser};
use lianzi_core::{Placement, Position};
use lianzi_engine::chance::{HINTER, Scores};
use lianzi_engine::{Best, Engine, Info, Limits, Options, Stop};

/// How long a hint may take, and how long a person waits for an analysis that is told at once.
pub const SOON: Duration = Duration::from_secs(1);
/// How long one position is thought about in all.
const ANALYSIS: Duration = Duration::from_secs(60);
/// At most ten messages a second.
const APART: Duration = Duration::from_millis(100);

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// One good turn, soon.
    Hint,
    /// Several turns with what they are worth, better and better.
    Analysis,
}

/// What a search has found so far, with its number.
#[derive(Clone, Debug)]
pub struct Advised {
    pub number: u64,
    pub best: Best,
    pub done: bool,
}

/// A search that ends when nobody holds it any more.
pub struct Search {
    pub number: u64,
    stop: Stop,
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop.set();
    }
}

impl Search {
    /// Begins to search; what is found goes to `tell`.
    pub fn start(
        number: u64,
        wanted: Wanted,
        position: Position,
        tell: Arc<dyn Fn(Advised) + Send + Sync>,
    ) -> Search {
        let stop = Stop::default();
        let search = Search { number, stop: stop.clone() };
        std::thread::spawn(move || {
            let mut last: Option<Instant> = None;
            let mut report = |info: &Info| {
                if last.is_none_or(|last| last.elapsed() >= APART) {
                    last = Some(Instant::now());
                    let best = Best { turn: Vec::new(), info: info.clone() };
                    tell(Advised { number, best, done: false });
                }
            };
            let time = if wanted == Wanted::Hint { SOON } else { ANALYSIS };
            // An engine that fails has nothing to say.
            let best = catch_unwind(AssertUnwindSafe(|| look(wanted, time, &position, &stop, &mut report)));
            tell(Advised { number, best: best.unwrap_or_default(), done: true });
        });
        search
    }
}

/// Looks at a position, which must not be over, for so long.
pub fn look(
    wanted: Wanted,
    time: Duration,
    position: &Position,
    stop: &Stop,
    report: &mut dyn FnMut(&Info),
) -> Best {
    let rules = position.rules();
    let lines = if rules.placement == Placement::Drop { usize::from(rules.width.min(9)) } else { 5 };
    let (name, lines) = match wanted {
        Wanted::Hint => (HINTER, 1),
        Wanted::Analysis => (adviser(rules), lines),
    };
    let limits = Limits { move_time: Some(time), lines, ..Limits::default() };
    engine(name, position)
        .map(|mut engine| engine.search(position, &limits, stop, report))
        .unwrap_or_default()
}

/// What the scores of an analysis mean.
pub fn scores(position: &Position) -> Scores {
    catalog::scores(adviser(position.rules()), position.rules())
}

/// The engine of this name; the one for every game if it does not play this one.
fn engine(name: &str, position: &Position) -> Option<Box<dyn Engine>> {
    let make = |name| catalog::engine(name, position.rules(), &Options::default());
    make(name).or_else(|_| make("greedy")).ok()
}
