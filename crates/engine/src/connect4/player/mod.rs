//! `strong` at Connect Four: Monte-Carlo tree search that knows what is proven.
//!
//! A simulation goes down the tree by the UCB formula, meets a leaf, and plays it to the end by informed playouts. The
//! board tells at every position whether the next two plies decide it, so wins, losses and draws are proven in the
//! tree, with their distances, and backed up. Before that the prover looks at the root: columns that lose by force are
//! never played, and one that wins by force is played at once. The tree stays between moves.

mod answer;
mod playout;
mod search;
mod tree;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use lianzi_core::{Position, Random};

use super::board::Board;
use super::budget::Budget;
use super::proof::{Proof, best};
use super::prover::Prover;
use crate::catalog::{NoEngine, Options};
use crate::{Best, Engine, Info, Limits, Stop};
use search::{Worker, proof_of};
use tree::Tree;

/// How many simulations a thread makes between two looks at the clock.
const BETWEEN: u64 = 16;

/// From so few free cells on the prover gets a large part of the time.
const LATE: u32 = 45;

/// What can be set of the player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The constant of the formula: how much to explore.
    pub c: f32,
    /// How many MiB tree and table may take together.
    pub hash: usize,
    /// How many threads search.
    pub threads: usize,
    /// The prover gets one of so many parts of the time, early and late in the game.
    pub parts: [u32; 2],
}

impl Settings {
    /// The usual settings, changed by the options `c`, `hash` and `threads`.
    pub fn from_options(options: &mut Options) -> Result<Settings, NoEngine> {
        Ok(Settings {
            c: options.take_in("c", 0.0..=100.0)?.unwrap_or(0.6),
            hash: options.take_in("hash", 1..=65_536)?.unwrap_or(256),
            threads: options.take_in("threads", 1..=256)?.unwrap_or(1),
            parts: [
                options.take_in("early", 1..=1_000_000_000)?.unwrap_or(10),
                options.take_in("late", 1..=1_000_000_000)?.unwrap_or(2),
            ],
        })
    }
}

/// The player.
pub struct Player {
    settings: Settings,
    random: Random,
    memory: Option<Memory>,
}

/// What it remembers of a game.
struct Memory {
    /// The position of the tree's root.
    position: Position,
    board: Board,
    tree: Tree,
    prover: Prover,
}

impl Player {
    /// A player with these settings that draws from this seed.
    pub fn new(settings: Settings, seed: u64) -> Player {
        Player { settings, random: Random::new(seed), memory: None }
    }

    /// What is remembered of the game, brought up to this position.
    fn recall(&mut self, position: &Position) -> Memory {
        let rules = position.rules();
        let known = self.memory.take().filter(|memory| memory.position.rules() == rules);
        let mut memory = known.unwrap_or_else(|| {
            let board = Board::new(position);
            let table = (self.settings.hash / 8).max(1);
            Memory {
                position: position.clone(),
                tree: Tree::new(self.settings.hash - table.min(self.settings.hash / 2)),
                prover: Prover::new(&board, table),
                board,
            }
        });
        memory.follow(position);
        memory
    }
}

impl Memory {
    /// Makes the root the node of this position: the tree follows the stones played since, if it has them.
    fn follow(&mut self, position: &Position) {
        let known = self.columns_since(position);
        let followed = known.is_some_and(|columns| columns.into_iter().all(|column| self.tree.descend(column)));
        if followed {
            self.tree.compact();
        } else {
            self.tree.clear();
        }
        self.position = position.clone();
        self.board = Board::new(position);
        // Elsewhere columns that lose at once are left out; at the root every one has an answer to give.
        self.tree.widen(self.board.open());
        self.look_around();
    }

    /// The columns that lead from the root's position to this one, unless it is of another game.
    fn columns_since(&self, position: &Position) -> Option<Vec<usize>> {
        let more = position.plies().get(self.position.plies().len()..)?;
        let mut before = position.clone();
        for _ in more {
            before.undo();
        }
        (before == self.position).then(|| more.iter().map(|ply| usize::from(ply.cell.column)).collect())
    }

    /// Proves what the board itself tells about each column.
    fn look_around(&mut self) {
        for child in self.tree.children(self.tree.root()) {
            let column = child.column();
            let wins = self.board.wins(self.board.turn()) >> column & 1 == 1;
            let undo = self.board.play(column);
            let proof = if wins { Proof::Win(0) } else { proof_of(self.board.outlook()) };
            self.board.undo(&undo);
            if !proof.is_open() {
                child.prove(proof);
            }
        }
    }

    /// Lets the prover examine the root, and writes down what it finds.
    fn examine(&mut self, budget: &Budget<'_>) {
        let proofs = self.prover.examine(&self.board, budget);
        for child in self.tree.children(self.tree.root()) {
            let proof = proofs[child.column()];
            let sooner = proof.rank() > child.proof().rank() && matches!(proof, Proof::Win(_));
            if !proof.is_open() && (child.proof().is_open() || sooner) {
                child.prove(proof.later());
            }
        }
    }

    /// What is proven about the root, to the side to move.
    fn proof(&self) -> Proof {
        best(self.tree.children(self.tree.root()).iter().map(|child| child.proof()))
    }

    /// Whether there is nothing to choose: all but one column lose for sure.
    fn is_forced(&self) -> bool {
        let children = self.tree.children(self.tree.root());
        children.iter().filter(|child| !matches!(child.proof(), Proof::Loss(_))).count() <= 1
    }
}

impl Engine for Player {
    fn begin(&mut self, seed: u64) {
        self.random = Random::new(seed);
        self.memory = None;
    }

    fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Info),
    ) -> Best {
        let budget = Budget::new(position, limits, stop);
        let mut memory = self.recall(position);
        let early = memory.board.left() > LATE;
        let mut seen = 0;
        if memory.proof().is_open() {
            memory.examine(&budget.part(self.settings.parts[usize::from(!early)]));
            seen = memory.prover.nodes();
        }
        let mut info = memory.info(seen, 0, limits.lines);
        if memory.proof().is_open() && (limits.lines > 1 || !memory.is_forced()) {
            info = self.simulate(&memory, &budget, seen, limits.lines, report);
        }
        report(&info);
        self.memory = Some(memory);
        let turn = info.lines[0].cells[..1].to_vec();
        Best { turn, info }
    }
}

impl Memory {
    fn info(&self, nodes: u64, depth: u32, lines: usize) -> Info {
        Info { depth, nodes, lines: answer::lines(&self.tree, &self.board, lines) }
    }
}

impl Player {
    /// Simulates on all threads until the budget is spent or the root is proven.
    fn simulate(
        &mut self,
        memory: &Memory,
        budget: &Budget<'_>,
        seen: u64,
        lines: usize,
        report: &mut dyn FnMut(&Info),
    ) -> Info {
        let (threads, c) = (self.settings.threads, self.settings.c);
        let counter = AtomicU64::new(seen);
        let seeds: Vec<u64> = (0..threads).map(|_| self.random.next()).collect();
        let worker = |seed: u64| Worker::new(&memory.tree, &memory.board, c, threads == 1, Random::new(seed));
        let depth = thread::scope(|scope| {
            for &seed in &seeds[1..] {
                let (worker, counter) = (worker(seed), &counter);
                scope.spawn(move || run(memory, worker, budget, counter, &mut |_, _| {}));
            }
            let mut next = 1024;
            run(memory, worker(seeds[0]), budget, &counter, &mut |nodes, depth| {
                if nodes >= next {
                    report(&memory.info(nodes, depth, lines));
                    next = nodes * 2;
                }
            })
        });
        memory.info(counter.load(Relaxed), depth, lines)
    }
}

/// One thread's simulations; returns how deep the deepest went.
fn run(
    memory: &Memory,
    mut worker: Worker<'_>,
    budget: &Budget<'_>,
    counter: &AtomicU64,
    pause: &mut dyn FnMut(u64, u32),
) -> u32 {
    for n in 0u64.. {
        let nodes = counter.fetch_add(1, Relaxed);
        let late = n.is_multiple_of(BETWEEN) && budget.is_late();
        if nodes >= budget.nodes() || late || !memory.proof().is_open() {
            counter.fetch_sub(1, Relaxed);
            break;
        }
        worker.simulate();
        pause(nodes + 1, worker.depth);
    }
    worker.depth
}

#[cfg(test)]
mod tests;
