//! `uct`: Monte-Carlo tree search with the UCB formula, for every game of the family; and `classic-uct`, the same
//! as its document prints it.
//!
//! A simulation goes down the tree by Score = Q(s)/N(s) + c·sqrt(2·ln N(p)/N(s)), adds one node, plays uniformly
//! random stones from there to the end, of which nothing is recorded, and backs the mark up: 1 for a win, −1 for
//! a loss, 0 for a draw. The tree stays between moves: it follows the game along the stones both sides played.
//!
//! `uct` adds three things that `classic-uct` leaves out: results that are proven are backed up as such, cells near
//! the stones are searched first, and untried children are tried in random order. A node is called lost only when
//! all its legal cells are, near or not, so a proven result is a true one. docs/uct.md has the options, the
//! decisions and the figures.

mod answer;
mod search;
mod tree;

use std::time::Duration;

use lianzi_core::{Placement, Position};

use crate::board::{DropBoard, OpenBoard};
use crate::time::{Budget, Pace};
use crate::{Best, Engine, Limits, NoEngine, Options, Report, Stop};
use search::Search;

/// How it shares out its time.
pub(crate) const PACE: Pace = Pace {
    unasked: 100_000,
    turns: [8, 30],
    stretch: 1,
    deepens: false,
    on_time: |time| time - (time / 20).min(Duration::from_millis(10)),
};

/// What can be set of a UCT player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The constant of the formula: how much to explore.
    pub c: f32,
    /// How far from any stone to look, in king's steps; 0 looks everywhere, `None` does what suits the board.
    pub near: Option<u8>,
    /// Whether proven results are backed up.
    pub proven: bool,
    /// How many MiB the tree may take.
    pub hash: usize,
    /// Whether untried children are tried in random order, not row by row.
    pub shuffled: bool,
}

impl Settings {
    /// The settings of `uct`, changed by its options `c`, `near`, `proven` and `hash`.
    pub fn modern(options: &mut Options) -> Result<Settings, NoEngine> {
        // c was chosen by matches at 2,000 to 20,000 simulations (docs/uct.md).
        let usual = Settings { c: 0.7, near: None, proven: true, hash: 256, shuffled: true };
        Ok(Settings {
            c: constant(options)?.unwrap_or(usual.c),
            near: options.take_in("near", 0..=31)?,
            proven: options.take_switch("proven")?.unwrap_or(usual.proven),
            hash: options.take_hash()?.unwrap_or(usual.hash),
            ..usual
        })
    }

    /// The settings of `classic-uct`: the plain algorithm with c = 1, changed by its options `c` and `hash`.
    pub fn classic(options: &mut Options) -> Result<Settings, NoEngine> {
        let usual = Settings { c: 1.0, near: Some(0), proven: false, hash: 256, shuffled: false };
        Ok(Settings {
            c: constant(options)?.unwrap_or(usual.c),
            hash: options.take_hash()?.unwrap_or(usual.hash),
            ..usual
        })
    }
}

fn constant(options: &mut Options) -> Result<Option<f32>, NoEngine> {
    options.take_in("c", 0.0..=100.0)
}

/// The player.
pub struct Uct {
    settings: Settings,
    seed: u64,
    memory: Option<Memory>,
}

/// What it remembers of the game, on the board the game needs.
enum Memory {
    Open(Box<Search<OpenBoard>>),
    Drop(Box<Search<DropBoard>>),
}

impl Uct {
    /// A player with these settings that draws from this seed.
    pub fn new(settings: Settings, seed: u64) -> Uct {
        Uct { settings, seed, memory: None }
    }

    /// The search for a game, kept where the game is the same.
    fn recall(&mut self, position: &Position) -> Memory {
        let (settings, seed) = (self.settings, self.seed);
        let placement = position.rules().placement;
        match (self.memory.take(), placement) {
            (Some(known @ Memory::Open(_)), Placement::Anywhere) => known,
            (Some(known @ Memory::Drop(_)), Placement::Drop) => known,
            (_, Placement::Anywhere) => Memory::Open(Box::new(Search::new(settings, seed, position))),
            (_, Placement::Drop) => Memory::Drop(Box::new(Search::new(settings, seed, position))),
        }
    }
}

impl Engine for Uct {
    fn begin(&mut self, seed: u64) {
        self.seed = seed;
        self.memory = None;
    }

    fn search(&mut self, position: &Position, limits: &Limits, stop: &Stop, report: Report<'_>) -> Best {
        let budget = Budget::new(&PACE, position, limits, stop);
        let mut memory = self.recall(position);
        let best = match &mut memory {
            Memory::Open(search) => think(search, position, limits.lines, &budget, report),
            Memory::Drop(search) => think(search, position, limits.lines, &budget, report),
        };
        self.memory = Some(memory);
        best
    }
}

/// One turn, in the seed's order: follow the stones played since (record_part1), search, answer. The seed moves
/// its tree along its own turn at once (record_part2); here the next call follows both turns in one go.
fn think<B: crate::board::PlayoutBoard>(
    search: &mut Search<B>,
    position: &Position,
    lines: usize,
    budget: &Budget<'_>,
    report: Report<'_>,
) -> Best {
    search.follow(position);
    let mut next = 1024;
    search.run(budget, |search| {
        if search.simulations == next {
            report(&search.info(position, lines));
            next *= 2;
        }
    });
    let best = search.answer(position, lines);
    report(&best.info);
    best
}

#[cfg(test)]
mod tests;
