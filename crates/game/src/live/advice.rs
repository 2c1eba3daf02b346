//! What one person wants to know of a position: hints and analyses, one at a time.
//!
//! A long search is cut into slices, each a piece of work of its own, so that others get their turns on the threads in
//! between. Slices grow, because not every engine keeps what it knows from one to the next. A search ends when its
//! person asks for something else, has seen enough, or leaves.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use lianzi_classic::catalog::{self, adviser};
use lianzi_core::{Cell, Placement, Position, Rules};
use lianzi_engine::chance::{HINTER, Scores};
use lianzi_engine::{Best, Engine, Info, Instant, Limits, Line, Options, Report, Stop};

use super::Threads;
use super::question::{APART, Kept};
use crate::player::{Device, engine_with};

/// How long a hint may take.
pub const HINT: Duration = Duration::from_secs(1);
/// The first and the longest slice of an analysis.
const SLICES: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(4)];
/// How long one position is thought about in all.
const ANALYSIS: Duration = Duration::from_secs(60);
/// The score of a stone that wins at once.
const SURE: i32 = 10_000;

/// What a search has found.
#[derive(Clone, Debug)]
pub enum Advice {
    /// A good turn.
    Hint {
        /// The position.
        position: Arc<Position>,
        /// The turn.
        best: Best,
    },
    /// What is known so far of a position.
    Analysis {
        /// The position.
        position: Arc<Position>,
        /// The best turns with their lines.
        info: Info,
        /// Whether nothing more will be found.
        done: bool,
    },
    /// The engine failed.
    Failed,
}

/// Who hears what a search has found, on any thread.
pub type Tell = Arc<dyn Fn(Advice) + Send + Sync>;

/// An engine that looks at positions, and what its scores mean. It is made when it first looks: while it waits for
/// that it takes no memory.
pub struct Adviser {
    name: &'static str,
    engine: Option<Box<dyn Engine>>,
    device: Device,
    /// Leave to remember while it does not look.
    kept: Option<Kept>,
    /// What its scores mean.
    pub scores: Scores,
}

impl Adviser {
    /// The engine that gives hints.
    pub fn for_hints(rules: &Rules) -> Adviser {
        Adviser::named(HINTER, rules)
    }

    /// The engine that analyses.
    pub fn for_analysis(rules: &Rules) -> Adviser {
        Adviser::named(adviser(rules), rules)
    }

    fn named(name: &'static str, rules: &Rules) -> Adviser {
        Adviser { name, engine: None, device: Device::default(), kept: None, scores: catalog::scores(name, rules) }
    }

    /// The same on such a device.
    pub fn on(self, device: Device) -> Adviser {
        Adviser { device, ..self }
    }

    /// The engine; the one for every game if there is none of this name for this one.
    fn engine(&mut self, rules: &Rules) -> Option<&mut dyn Engine> {
        let device = self.device;
        let make = |name| engine_with(name, rules, &Options::default(), device).ok();
        if self.engine.is_none() {
            self.engine = make(self.name).or_else(|| make("greedy"));
        }
        Some(self.engine.as_mut()?.as_mut())
    }

    /// Looks at a position, which must not be over, for so long; nothing if the engine panics.
    pub fn look(
        &mut self,
        position: &Position,
        (time, lines): (Duration, usize),
        stop: &Stop,
        report: Report<'_>,
    ) -> Option<Best> {
        let limits = Limits { move_time: Some(time), lines, ..Limits::default() };
        let look = || Some(self.engine(position.rules())?.search(position, &limits, stop, report));
        catch_unwind(AssertUnwindSafe(look)).ok()?
    }
}

/// What the scores of an analysis of this game mean.
pub fn analysis_scores(rules: &Rules) -> Scores {
    catalog::scores(adviser(rules), rules)
}

/// The searches of one person.
pub struct Desk {
    search: Search,
    device: Device,
}

/// One search: where it thinks, whom it tells, and who stops it.
#[derive(Clone)]
pub struct Search {
    threads: Threads,
    tell: Tell,
    stop: Stop,
}

impl Desk {
    /// Nothing is thought about yet.
    pub fn new(threads: Threads, tell: Tell) -> Desk {
        Desk::on(Device::default(), threads, tell)
    }

    /// The same, whose engines think on such a device.
    pub fn on(device: Device, threads: Threads, tell: Tell) -> Desk {
        Desk { search: Search { threads, tell, stop: Stop::default() }, device }
    }

    /// Ends whatever is thought about; nothing more is told of it.
    pub fn stop(&mut self) {
        self.search.stop.set();
        self.search.stop = Stop::default();
    }

    /// Ends whatever is thought about and begins something else.
    pub fn begin(&mut self) -> Search {
        self.stop();
        self.search.clone()
    }

    /// Finds a turn for the side to move of a game that is not over.
    pub fn hint(&mut self, position: Position) {
        let search = self.begin();
        let (mut adviser, position) = (Adviser::for_hints(position.rules()).on(self.device), Arc::new(position));
        search.clone().run(move || {
            if let Some(best) = search.look(&mut adviser, &position, (HINT, 1), &mut |_| {}) {
                search.tell(Advice::Hint { position, best });
            }
        });
    }

    /// Thinks about a position, better and better.
    pub fn analyse(&mut self, position: Position, lines: usize) {
        let search = self.begin();
        let adviser = Adviser::for_analysis(position.rules()).on(self.device);
        let (over, position, best) = (position.outcome().is_some(), Arc::new(position), Info::default());
        let analysis = Analysis { search, adviser, position, lines, best, beside: Vec::new() };
        analysis.tell(over);
        if !over {
            analysis.go_on(SLICES[0], Instant::now());
        }
    }
}

/// Nobody wants to know any more.
impl Drop for Desk {
    fn drop(&mut self) {
        self.search.stop.set();
    }
}

impl Search {
    /// Does a piece of the search when its turn comes.
    pub fn run(&self, work: impl FnOnce() + Send + 'static) {
        if self.threads.run(&self.stop, work).is_err() {
            self.tell(Advice::Failed);
        }
    }

    /// Between two pieces of work an engine remembers only if it may; else it begins anew.
    pub fn rest(&self, adviser: &mut Adviser) {
        if adviser.engine.is_some() {
            adviser.kept = adviser.kept.take().or_else(|| self.threads.keep());
            adviser.engine.take_if(|_| adviser.kept.is_none());
        }
    }

    /// Whether nobody wants to know any more.
    pub fn is_over(&self) -> bool {
        self.stop.is_set()
    }

    fn tell(&self, advice: Advice) {
        if !self.is_over() {
            (self.tell)(advice);
        }
    }

    /// Asks an engine; nothing if the search was stopped or the engine failed, which is told.
    pub fn look(
        &self,
        adviser: &mut Adviser,
        position: &Position,
        effort: (Duration, usize),
        report: Report<'_>,
    ) -> Option<Best> {
        if self.is_over() {
            return None;
        }
        let best = adviser.look(position, effort, &self.stop, report);
        if best.is_none() {
            self.tell(Advice::Failed);
        }
        best.filter(|_| !self.is_over())
    }
}

/// A position that is thought about.
struct Analysis {
    search: Search,
    adviser: Adviser,
    position: Arc<Position>,
    lines: usize,
    /// The best that is known so far.
    best: Info,
    /// Columns that the engine did not tell of, each looked at by itself.
    beside: Vec<Line>,
}

impl Analysis {
    fn go_on(mut self, slice: Duration, began: Instant) {
        self.search.rest(&mut self.adviser);
        self.search.clone().run(move || self.step(slice, began));
    }

    /// One slice; the next one waits for its turn.
    fn step(mut self, slice: Duration, began: Instant) {
        let Analysis { search, adviser, position, lines, best, beside } = &mut self;
        let (start, mut told) = (Instant::now(), Instant::now());
        let report = &mut |info: &Info| {
            // A slice that began anew has news only when it got further than the last one.
            if info.nodes > best.nodes && told.elapsed() >= APART {
                told = Instant::now();
                best.clone_from(info);
                search.tell(found(position, with(best, beside), false));
            }
        };
        let Some(found) = search.look(adviser, position, (slice, *lines), report) else { return };
        // An engine that did not use its time has nothing more to find.
        let sure = start.elapsed() < slice / 2;
        if sure || found.info.nodes >= self.best.nodes {
            self.best = found.info;
        }
        let done = sure || began.elapsed() >= ANALYSIS;
        if !self.look_beside(slice) {
            return;
        }
        self.tell(done);
        if !done {
            self.go_on((slice * 2).min(SLICES[1]), began);
        }
    }

    /// Where stones fall, every column has its score: those that the engine left out, because it was sure without
    /// them, are looked at one by one. False when the search was stopped.
    fn look_beside(&mut self, slice: Duration) -> bool {
        self.beside.clear();
        let rules = self.position.rules();
        if rules.placement != Placement::Drop || self.lines < usize::from(rules.width) {
            return true;
        }
        let told = |cell: &Cell| self.best.lines.iter().any(|line| line.cells.first() == Some(cell));
        let missing: Vec<Cell> = self.position.legal().filter(|cell| !told(cell)).collect();
        let time = slice / u32::from(rules.width);
        let beside: Option<Vec<Line>> = missing.into_iter().map(|cell| self.line_from(cell, time)).collect();
        let stopped = beside.is_none();
        self.beside = beside.unwrap_or_default();
        self.beside.sort_by_key(|line| -line.score);
        !stopped
    }

    /// What a stone here leads to; `None` when the search was stopped.
    fn line_from(&mut self, cell: Cell, time: Duration) -> Option<Line> {
        let mut after = Position::clone(&self.position);
        // It was a legal one.
        let _ = after.play(cell);
        if let Some(outcome) = after.outcome() {
            let won = i32::from(outcome.winner().is_some());
            return Some(Line { score: won * SURE, win_in: Some(won), cells: vec![cell] });
        }
        let found = self.search.look(&mut self.adviser, &after, (time, 1), &mut |_| {})?;
        let reply = found.info.lines.into_iter().next().unwrap_or_default();
        let win_in = reply.win_in.map(|plies| -(plies + plies.signum()));
        Some(Line { score: -reply.score, win_in, cells: [vec![cell], reply.cells].concat() })
    }

    fn tell(&self, done: bool) {
        self.search.tell(found(&self.position, with(&self.best, &self.beside), done));
    }
}

fn found(position: &Arc<Position>, info: Info, done: bool) -> Advice {
    Advice::Analysis { position: Arc::clone(position), info, done }
}

/// What is known, with the columns that were looked at by themselves.
fn with(info: &Info, beside: &[Line]) -> Info {
    let told = |line: &&Line| !info.lines.iter().any(|other| other.cells.first() == line.cells.first());
    let lines = info.lines.iter().chain(beside.iter().filter(told)).cloned().collect();
    Info { lines, ..*info }
}
