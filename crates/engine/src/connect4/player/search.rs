//! One simulation after another: selection, expansion, playout, back-up.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lianzi_core::Random;

use super::super::board::{FourBoard, Outlook};
use super::Settings;
use super::memory::Memory;
use super::playout::playout;
use super::tree::{Node, Tree};
use crate::logarithm::ln;
use crate::proof::{Proof, best};
use crate::time::Budget;

/// How many simulations a thread makes between two looks at the clock and at what the others made.
const BETWEEN: u64 = 16;

/// Where several threads search, a node with so many visits is crowded, and a thread makes so many simulations before it
/// passes there again.
const CROWDED: u32 = 1_000;
const TOGETHER: u64 = 8;

/// How many simulations a tree can count: a visit may have two points, and both sums have 32 bits.
const MOST: u32 = 1 << 30;

/// One thread of a search.
pub(super) struct Worker<'a> {
    memory: &'a Memory,
    tree: &'a Tree,
    c: f32,
    alone: bool,
    random: Random,
    /// The nodes that several simulations pass together, the root first.
    way: Vec<usize>,
    /// The nodes of the current simulation after them.
    path: Vec<usize>,
    /// The longest path so far, in plies.
    depth: u32,
}

impl<'a> Worker<'a> {
    /// A thread that searches this tree, alone or with others.
    pub(super) fn new(memory: &'a Memory, settings: &Settings, seed: u64) -> Worker<'a> {
        Worker {
            memory,
            tree: &memory.tree,
            c: settings.c,
            alone: settings.threads == 1,
            random: Random::new(seed),
            way: Vec::new(),
            path: Vec::new(),
            depth: 0,
        }
    }

    /// Simulates until the budget is spent or the root is proven, counting together with the others; after each
    /// simulation `pause` says whether to go on. Returns how deep the deepest went.
    pub(super) fn run(
        &mut self,
        budget: &Budget<'_>,
        counter: &AtomicU64,
        pause: &mut dyn FnMut(u64, u32) -> bool,
    ) -> u32 {
        // Threads that counted every simulation together would spend their time on that.
        while !budget.is_over() {
            let begin = counter.fetch_add(BETWEEN, Relaxed);
            let mine = BETWEEN.min(budget.nodes.saturating_sub(begin));
            let made = self.simulate_some(begin, mine, pause);
            counter.fetch_sub(BETWEEN - made, Relaxed);
            if made < BETWEEN {
                break;
            }
        }
        self.depth
    }

    /// Makes at most so many simulations, fewer if nothing is left to learn or `pause` says so, and says how many.
    fn simulate_some(&mut self, begin: u64, most: u64, pause: &mut dyn FnMut(u64, u32) -> bool) -> u64 {
        let mut made = 0;
        while made < most {
            if !self.memory.proof().is_open() || self.tree.node(self.tree.root()).visits() >= MOST {
                break;
            }
            let (start, board) = self.approach();
            let together = if self.way.is_empty() { 1 } else { TOGETHER.min(most - made) };
            let mut points = [0; 2];
            for _ in 0..together {
                let winner = self.simulate(start, board.clone());
                points.iter_mut().enumerate().for_each(|(side, points)| *points += points_of(winner, side));
            }
            self.pass(together, points);
            made += together;
            if !pause(begin + made, self.depth) {
                break;
            }
        }
        made
    }

    /// Where the next simulations begin. Threads that all went through the same few nodes would wait for each other, so
    /// each makes some simulations from a node behind those that are crowded.
    fn approach(&mut self) -> (usize, FourBoard) {
        let (mut index, mut board) = (self.tree.root(), self.memory.board.clone());
        self.way.clear();
        while !self.alone && self.is_crowded(self.tree.node(index)) {
            self.way.push(index);
            index = self.choose(index);
            board.drop(self.tree.node(index).column());
        }
        (index, board)
    }

    fn is_crowded(&self, node: &Node) -> bool {
        node.visits() >= CROWDED && !node.is_leaf() && node.proof().is_open()
    }

    /// Writes what some simulations brought into the nodes they passed together.
    fn pass(&self, visits: u64, points: [u64; 2]) {
        for n in (0..self.way.len()).rev() {
            let node = self.tree.node(self.way[n]);
            if node.proof().is_open() {
                node.prove(self.summary(self.way[n]));
            }
            node.pass(visits, points[self.mover(n)]);
        }
    }

    /// The side that moved into the node after so many stones. The root was moved into by the side that does not move
    /// there.
    fn mover(&self, stones: usize) -> usize {
        (self.memory.board.turn() + stones + 1) & 1
    }

    /// One round: down the tree, perhaps some new nodes, a playout from there, and the result back up. Who has won.
    fn simulate(&mut self, start: usize, mut board: FourBoard) -> Option<usize> {
        let mut index = start;
        self.path.clear();
        let winner = loop {
            let node = self.tree.node(index);
            self.path.push(index);
            node.enter(self.alone);
            let proof = node.proof();
            if !proof.is_open() {
                break winner(proof, board.turn());
            }
            if node.is_leaf() {
                if let Some(proof) = self.look(index, &board) {
                    break winner(proof, board.turn());
                }
                if self.tree.node(index).is_leaf() {
                    break playout(&mut board, &self.memory.lines, &mut self.random);
                }
            }
            index = self.choose(index);
            board.drop(self.tree.node(index).column());
        };
        self.depth = self.depth.max((self.way.len() + self.path.len()) as u32 - 1);
        self.back_up(winner)
    }

    /// Looks at a leaf: proves it if the next two plies do, gives it children if it was visited often enough.
    fn look(&self, index: usize, board: &FourBoard) -> Option<Proof> {
        let node = self.tree.node(index);
        match board.outlook() {
            Outlook::Open(columns) => {
                let wanted = self.tree.visits_wanted();
                if wanted.is_some_and(|wanted| node.visits() >= wanted) {
                    self.tree.expand(index, columns);
                }
                None
            }
            sure => {
                let proof = proof_of(sure);
                node.prove(proof);
                Some(proof)
            }
        }
    }

    /// The child with the largest mean + c·sqrt(2·ln N(p)/N(s)). Of proven ones nothing is left to learn; were all of
    /// them proven, the node would be.
    fn choose(&self, index: usize) -> usize {
        let node = self.tree.node(index);
        let explore = self.c * self.memory.spread.of(node.visits());
        let children = node.children();
        let (mut place, mut most) = (0, f32::NEG_INFINITY);
        for (n, child) in self.tree.children(index).iter().enumerate() {
            let (visits, points) = child.stats();
            let share = 1.0 / visits as f32;
            let score = match visits {
                0 => UNTRIED - n as f32,
                _ => points as f32 * share - 1.0 + explore * share.sqrt(),
            };
            if score > most && child.proof().is_open() {
                (place, most) = (n, score);
            }
        }
        children.start + place
    }

    /// Writes the result into every node of the path, and carries proofs up it. Who has won after all.
    fn back_up(&mut self, mut winner: Option<usize>) -> Option<usize> {
        let mut carry = true;
        for n in (0..self.path.len()).rev() {
            let node = self.tree.node(self.path[n]);
            let mover = self.mover(self.way.len() + n);
            if carry && node.proof().is_open() {
                let proof = self.summary(self.path[n]);
                carry = !proof.is_open();
                if carry {
                    node.prove(proof);
                    winner = self::winner(proof, mover ^ 1);
                }
            }
            node.leave(points_of(winner, mover), self.alone);
        }
        winner
    }

    /// What a node's children prove about it, as the side that moved into it sees it.
    fn summary(&self, index: usize) -> Proof {
        match self.tree.children(index) {
            [] => Proof::Open,
            children => best(children.iter().map(Node::proof)).flipped().earlier(),
        }
    }
}

/// Before any child is tried twice all are tried once, from the left.
const UNTRIED: f32 = 1000.0;

/// What the outlook of the side to move proves to the side that moved.
pub(super) fn proof_of(outlook: Outlook) -> Proof {
    match outlook {
        Outlook::Won => Proof::Loss(1),
        Outlook::Lost => Proof::Win(2),
        Outlook::Full => Proof::Draw(0),
        Outlook::Open(_) => Proof::Open,
    }
}

/// What a side gets.
fn points_of(winner: Option<usize>, side: usize) -> u64 {
    winner.map_or(1, |winner| if winner == side { 2 } else { 0 })
}

/// Who wins a proven position in which `turn` is to move.
fn winner(proof: Proof, turn: usize) -> Option<usize> {
    match proof {
        Proof::Win(_) => Some(turn ^ 1),
        Proof::Loss(_) => Some(turn),
        Proof::Draw(_) | Proof::Open => None,
    }
}

/// sqrt(2·ln n) for the n that begin with the same four bits: near enough, and much faster than a logarithm.
pub(super) struct Spread(Vec<f32>);

impl Spread {
    /// The table.
    pub(super) fn new() -> Spread {
        // Entry 8·e + k stands for the numbers from (8 + k)/8 · 2^e on.
        let begin = |entry: u32| f64::from(8 + entry % 8) / 8.0 * (1u64 << (entry / 8)) as f64;
        Spread((0..256).map(|entry| (2.0 * ln(begin(entry))).sqrt() as f32).collect())
    }

    #[inline]
    fn of(&self, n: u32) -> f32 {
        let (n, exponent) = (u64::from(n), n.max(1).ilog2());
        self.0[(exponent << 3 | ((n << 3) >> exponent) as u32 & 7) as usize & 255]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_near_the_formula() {
        let spread = Spread::new();
        for n in (1..5000).chain([u32::MAX, 1 << 31, 123_456_789]) {
            let exact = (2.0 * f64::from(n).ln()).sqrt() as f32;
            assert!((spread.of(n) - exact).abs() < 0.06 * exact.max(1.0), "{n}: {} {exact}", spread.of(n));
        }
        assert_eq!(spread.of(1), 0.0);
    }
}
