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

use lianzi_core::{Position, Random, shorten};

use super::board::Board;
use super::budget::Budget;
use super::proof::{Proof, best};
use super::prover::{Prover, win_in};
use crate::catalog::{NoEngine, Options};
use crate::{Best, Engine, Info, Limits, Line, Stop};
use search::{Worker, proof_of};
use tree::Tree;

/// How many simulations a thread makes between two looks at the clock.
const BETWEEN: u64 = 16;

/// So many positions of the prover cost what one simulation costs, and count as one.
const CHEAPER: u64 = 16;

/// From so few free cells on the prover gets a larger part of the budget.
const LATE: u32 = 45;

/// The prover gets one of so many parts of the budget, early and late in the game.
const PARTS: [u32; 2] = [20, 5];

/// What can be set of the player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The constant of the formula: how much to explore.
    pub c: f32,
    /// How many MiB tree and table may take together.
    pub hash: usize,
    /// How many threads search.
    pub threads: usize,
    /// Whether the prover looks at the root first.
    pub prover: bool,
    /// Whether alpha-beta with its evaluation plays alone, without tree and playouts.
    pub alpha_beta: bool,
}

impl Settings {
    /// The usual settings, changed by the options `c`, `hash`, `threads`, `prover` and `search`.
    pub fn from_options(options: &mut Options) -> Result<Settings, NoEngine> {
        Ok(Settings {
            c: options.take_in("c", 0.0..=100.0)?.unwrap_or(0.7),
            hash: options.take_in("hash", 1..=65_536)?.unwrap_or(256),
            threads: options.take_in("threads", 1..=256)?.unwrap_or(1),
            prover: options.take_switch("prover")?.unwrap_or(true),
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
        let followed =
            known.is_some_and(|columns| columns.into_iter().all(|column| self.tree.descend(column)));
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
        let proofs = self.prover.examine(&self.board, &budget.times(CHEAPER));
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
        let info = match self.settings.alpha_beta {
            true => memory.alpha_beta(&budget),
            false => self.think(&mut memory, &budget, limits.lines, report),
        };
        report(&info);
        self.memory = Some(memory);
        Best { turn: info.lines[0].cells[..1].to_vec(), info }
    }
}

impl Memory {
    fn info(&self, nodes: u64, depth: u32, lines: usize) -> Info {
        Info { depth, nodes, lines: answer::lines(&self.tree, &self.board, lines) }
    }

    /// What alpha-beta says by itself.
    fn alpha_beta(&mut self, budget: &Budget<'_>) -> Info {
        let (column, score, depth) = self.prover.best(&self.board, &budget.times(CHEAPER));
        let cells = vec![self.board.landing(column)];
        let lines = vec![Line { score, win_in: win_in(score), cells }];
        Info { depth, nodes: self.prover.nodes() / CHEAPER, lines }
    }
}

impl Player {
    /// Proves what can be proven of the root, then simulates, unless there is nothing to choose.
    fn think(
        &mut self,
        memory: &mut Memory,
        budget: &Budget<'_>,
        lines: usize,
        report: &mut dyn FnMut(&Info),
    ) -> Info {
        let mut seen = 0;
        if self.settings.prover && memory.proof().is_open() {
            let late = usize::from(memory.board.left() <= LATE);
            memory.examine(&budget.part(PARTS[late]));
            seen = memory.prover.nodes() / CHEAPER;
        }
        if !memory.proof().is_open() || lines <= 1 && memory.is_forced() {
            return memory.info(seen, 0, lines);
        }
        self.simulate(memory, budget, seen, lines, report)
    }

    /// Simulates on all threads until the budget is spent or the root is proven.
    fn simulate(
        &mut self,
        memory: &Memory,
        budget: &Budget<'_>,
        seen: u64,
        lines: usize,
        report: &mut dyn FnMut(&Info),
    ) -> Info {
        let threads = self.settings.threads;
        let counter = AtomicU64::new(seen);
        let seeds: Vec<u64> = (0..threads).map(|_| self.random.next()).collect();
        let worker = |seed: u64| Worker::new(&memory.tree, &memory.board, &self.settings, Random::new(seed));
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
