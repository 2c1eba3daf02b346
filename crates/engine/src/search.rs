//! The question an engine is asked and the answer it gives.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use lianzi_core::{Cell, Position};

/// Who hears what an engine knows so far.
pub type Report<'a> = &'a mut dyn FnMut(&Info);

/// Something that can choose a turn.
pub trait Engine: Send {
    /// A new game begins: forget the last one, and draw random numbers from this seed.
    fn begin(&mut self, seed: u64);

    /// Chooses the stones that are left of the turn of the side to move. The game must not be over. The rules are those of
    /// the position, whatever game the engine was made for; one that does not play them answers no stones.
    fn search(&mut self, position: &Position, limits: &Limits, stop: &Stop, report: Report<'_>) -> Best;
}

/// How long an engine may think. Every limit that is given holds; without any the engine decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The deepest iteration.
    pub depth: Option<u32>,
    /// How many positions, or playouts, to look at.
    pub nodes: Option<u64>,
    /// Time for this turn.
    pub move_time: Option<Duration>,
    /// Time for the rest of the game.
    pub clock: Option<Clock>,
    /// How many different turns to give a line for; 0 and 1 both mean the best one only.
    pub lines: usize,
}

/// What is left on a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left for the whole game.
    pub left: Duration,
    /// Time added after every turn.
    pub increment: Duration,
}

/// A flag that asks a search to end; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Signal>);

#[derive(Debug, Default)]
struct Signal {
    flag: AtomicBool,
    /// CPU time for the search, if that is limited.
    cpu: Option<Duration>,
    /// Microseconds of it that are used.
    used: AtomicU64,
}

impl Stop {
    /// The flag of a search that has so much CPU time. Engines read no CPU clock: whoever asks tells what is used and sets
    /// the flag in the end; engines share it out.
    pub fn within(cpu: Option<Duration>) -> Stop {
        Stop(Arc::new(Signal { cpu, ..Signal::default() }))
    }

    /// Asks the search to end.
    pub fn set(&self) {
        self.0.flag.store(true, Ordering::Relaxed);
    }

    /// Whether the search was asked to end.
    pub fn is_set(&self) -> bool {
        self.0.flag.load(Ordering::Relaxed)
    }

    /// The bare flag, for those who know no engines.
    pub fn flag(&self) -> &AtomicBool {
        &self.0.flag
    }

    /// Tells how much CPU time the search has used.
    pub fn tell_used(&self, used: Duration) {
        self.0.used.store(used.as_micros() as u64, Ordering::Relaxed);
    }

    /// The CPU time of the search, if it is limited.
    pub fn cpu(&self) -> Option<Duration> {
        self.0.cpu
    }

    /// How much CPU time was used when it was told last.
    pub fn used(&self) -> Duration {
        Duration::from_micros(self.0.used.load(Ordering::Relaxed))
    }
}

/// What an engine knows so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The last completed depth.
    pub depth: u32,
    /// Positions or playouts looked at.
    pub nodes: u64,
    /// The best turns with their lines, best first.
    pub lines: Vec<Line>,
}

/// A turn and what would follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What it is worth to the side to move.
    pub score: i32,
    /// A proven end in this many plies: positive when winning, negative when losing; 0 for a proven draw.
    pub win_in: Option<i32>,
    /// The expected stones, this turn's first.
    pub cells: Vec<Cell>,
}

/// An engine's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Best {
    /// The stones to place, as many as are left of the turn, or fewer when one of them wins.
    pub turn: Vec<Cell>,
    /// What it rests on.
    pub info: Info,
}
