//! `strong` at Connect Four: Monte-Carlo tree search that knows what is proven.
//!
//! A simulation goes down the tree by the UCB formula, meets a leaf, and plays it to the end by informed playouts. The
//! board tells at every position whether the next two plies decide it, so wins, losses and draws are proven in the
//! tree, with their distances, and backed up. Before that the solver is asked when few cells are free: what it finishes
//! is played perfectly. Then the prover looks at the root: columns that lose by force are never played, and one that
//! wins by force is played at once. At the end it looks once more, at the chosen column alone and therefore deeper:
//! if that loses, the next best is looked at. The tree stays between moves.

mod answer;
mod memory;
mod playout;
mod search;
mod tree;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use lianzi_core::{Position, Random, shorten};

use super::PACE;
use crate::crew::{Apart, together};
use crate::time::Budget;
use crate::{Best, Engine, Info, Limits, Line, NoEngine, Options, Report, Stop};
use memory::Memory;
use search::Worker;

/// From so few free cells on the prover gets a larger part of the budget.
const LATE: u32 = 45;

/// The prover gets one of so many parts of the budget, early and late in the game.
const PARTS: [u32; 2] = [20, 5];

/// And the last of so many parts, to look for a refutation of the column that would be played.
const CHECK: u32 = 5;

/// A board of so many cells, as the usual one has, can be solved: half of the budget is for that, as always when every
/// column is to have a line.
const SMALL: usize = 42;
const HALF: u32 = 2;

/// On larger boards the solver is asked when so few cells are free, and gets one of so many parts.
const FEW: u32 = 34;
const LITTLE: u32 = 10;

/// What can be set of the player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Settings {
    /// The constant of the formula: how much to explore.
    pub c: f32,
    /// How many MiB tree and table may take together.
    pub hash: usize,
    /// How many threads search.
    pub threads: usize,
    /// Whether the prover looks at the root first, and at the choice at the end.
    pub prover: bool,
    /// Whether the solver is asked when few cells are free.
    pub solver: bool,
    /// Whether alpha-beta with its evaluation plays alone, without tree and playouts.
    pub alpha_beta: bool,
}

impl Settings {
    /// The usual settings, changed by the options `c`, `hash`, `threads`, `prover`, `solver` and `search`.
    pub(crate) fn from_options(options: &mut Options) -> Result<Settings, NoEngine> {
        Ok(Settings {
            c: options.take_in("c", 0.0..=100.0)?.unwrap_or(0.7),
            hash: options.take_hash()?.unwrap_or(256),
            threads: options.take_threads()?,
            prover: options.take_switch("prover")?.unwrap_or(true),
            solver: options.take_switch("solver")?.unwrap_or(true),
            alpha_beta: match options.take::<String>("search")?.as_deref() {
                None | Some("uct") => false,
                Some("alpha-beta") => true,
                Some(other) => {
                    return Err(NoEngine::Value { key: "search".into(), value: shorten(other) });
                }
            },
        })
    }
}

/// The player.
pub(crate) struct Player {
    settings: Settings,
    random: Random,
    memory: Option<Memory>,
}

impl Player {
    /// A player with these settings that draws from this seed.
    pub(crate) fn new(settings: Settings, seed: u64) -> Player {
        Player { settings, random: Random::new(seed), memory: None }
    }

    /// What is remembered of the game, brought up to this position.
    fn recall(&mut self, position: &Position) -> Memory {
        let known = self.memory.take().filter(|memory| memory.position.rules() == position.rules());
        let mut memory = known.unwrap_or_else(|| Memory::new(position, self.settings.hash));
        memory.follow(position);
        memory
    }
}

impl Engine for Player {
    fn begin(&mut self, seed: u64) {
        self.random = Random::new(seed);
        self.memory = None;
    }

    fn search(&mut self, position: &Position, limits: &Limits, stop: &Stop, report: Report<'_>) -> Best {
        let budget = Budget::new(&PACE, position, limits, stop);
        let mut memory = self.recall(position);
        let info = match self.settings.alpha_beta {
            true => memory.alpha_beta(&budget),
            false => self.think(&mut memory, &budget, limits.lines, report),
        };
        report(&info);
        self.memory = Some(memory);
        Best { turn: info.lines[0].cells[..1].to_vec(), info }
    }
}

impl Player {
    /// Solves the root if that is quick, proves what can be proven of it, then simulates, unless there is nothing to
    /// choose.
    fn think(&mut self, memory: &mut Memory, budget: &Budget<'_>, lines: usize, report: Report<'_>) -> Info {
        let several = lines > 1;
        let mut seen = 0;
        if let Some(parts) = self.parts_for_solver(memory, several) {
            let (found, nodes) = memory.solve(&budget.part(parts), lines);
            if let Some(lines) = found {
                return Info { depth: longest(&lines), nodes, lines };
            }
            seen = nodes;
        }
        if self.settings.prover && memory.proof().is_open() {
            let late = usize::from(memory.board.left() <= LATE);
            seen += self.beside(memory, &budget.part(PARTS[late]), Memory::examine);
        }
        if !memory.proof().is_open() {
            return memory.info(seen, 0, lines);
        }
        if !several && memory.is_forced() {
            return memory.forced(seen);
        }
        if !self.settings.prover {
            return self.simulate(memory, budget, seen, lines, report);
        }
        let info = self.simulate(memory, &budget.but(CHECK), seen, lines, report);
        let more = self.beside(memory, &budget.after(info.nodes), Memory::check);
        memory.info(info.nodes + more, info.depth, lines)
    }

    /// Of how many parts of the budget the solver gets one, if it is to be asked.
    fn parts_for_solver(&self, memory: &Memory, several: bool) -> Option<u32> {
        let unclear = several || memory.proof().is_open();
        let small = memory.position.rules().capacity() <= SMALL;
        let asked = self.settings.solver && unclear && (small || memory.board.left() <= FEW);
        asked.then_some(if small || several { HALF } else { LITTLE })
    }

    /// Simulates on all threads until the budget is spent or the root is proven.
    fn simulate(&mut self, memory: &Memory, budget: &Budget<'_>, seen: u64, lines: usize, report: Report<'_>) -> Info {
        let counter = Apart(AtomicU64::new(seen));
        let mut first = self.worker(memory);
        let others = self.others(memory, budget, &counter, &|| true);
        let depth = together(others.into_iter(), || {
            let mut next = 1024;
            first.run(budget, &counter, &mut |nodes, depth| {
                if nodes >= next {
                    report(&memory.info(nodes, depth, lines));
                    next = nodes * 2;
                }
                true
            })
        });
        memory.info(counter.load(Relaxed), depth, lines)
    }

    /// Has the prover look at the root; the other threads simulate meanwhile, with half of the nodes. Returns the nodes
    /// of both.
    fn beside(&mut self, memory: &Memory, budget: &Budget<'_>, look: fn(&Memory, &Budget<'_>) -> u64) -> u64 {
        if self.settings.threads == 1 {
            return look(memory, budget);
        }
        let (counter, looked) = (Apart(AtomicU64::new(0)), AtomicBool::new(false));
        let half = budget.after(budget.nodes / 2);
        let go_on = || !looked.load(Relaxed);
        let others = self.others(memory, &half, &counter, &go_on);
        let nodes = together(others.into_iter(), || {
            let nodes = look(memory, &half);
            looked.store(true, Relaxed);
            nodes
        });
        nodes + counter.load(Relaxed)
    }

    fn worker<'a>(&mut self, memory: &'a Memory) -> Worker<'a> {
        Worker::new(memory, &self.settings, self.random.next())
    }

    /// What all threads but the first have to do: simulate while the budget and `go_on` let them.
    fn others<'a>(
        &mut self,
        memory: &'a Memory,
        budget: &'a Budget<'_>,
        counter: &'a AtomicU64,
        go_on: &'a (dyn Fn() -> bool + Sync),
    ) -> Vec<impl FnOnce() + Send + use<'a>> {
        if self.settings.threads > 1 {
            memory.tree.reserve();
        }
        let workers = (1..self.settings.threads).map(|_| self.worker(memory));
        let job = |mut worker: Worker<'a>| {
            move || {
                worker.run(budget, counter, &mut |_, _| go_on());
            }
        };
        workers.map(job).collect()
    }
}

/// How many plies the longest line has.
fn longest(lines: &[Line]) -> u32 {
    lines.iter().map(|line| line.cells.len() as u32).max().unwrap_or_default()
}

#[cfg(test)]
mod tests;
