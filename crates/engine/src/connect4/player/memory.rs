//! What the player remembers between moves, and what can be said of the root without a simulation.

use lianzi_core::Position;

use super::super::board::{Board, Cells, lines};
use super::super::budget::Budget;
use super::super::proof::{Proof, best};
use super::super::prover::{Prover, win_in};
use super::answer;
use super::search::{Spread, proof_of};
use super::tree::Tree;
use crate::{Info, Line};

/// So many positions of the prover cost what one simulation costs, and count as one.
pub const CHEAPER: u64 = 16;

/// What is remembered of a game.
pub struct Memory {
    /// The position of the tree's root.
    pub position: Position,
    /// Its board.
    pub board: Board,
    /// How many lines lead through each cell.
    pub lines: Cells<u8>,
    /// How much to explore at a node, by its visits.
    pub spread: Spread,
    /// What the simulations found.
    pub tree: Tree,
    /// What searches for forced lines.
    pub prover: Prover,
}

impl Memory {
    /// Remembers nothing of this position's game yet, in so many MiB, but at least two.
    pub fn new(position: &Position, mebibytes: usize) -> Memory {
        let board = Board::new(position);
        let table = (mebibytes / 32).max(1);
        Memory {
            position: position.clone(),
            lines: lines(&board),
            spread: Spread::new(),
            tree: Tree::new((mebibytes - table).max(1)),
            prover: Prover::new(&board, table),
            board,
        }
    }

    /// Makes the root the node of this position: the tree follows the stones played since, if it has them.
    pub fn follow(&mut self, position: &Position) {
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
        self.tree.prepare(self.board.open());
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
    pub fn examine(&mut self, budget: &Budget<'_>) {
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
    pub fn proof(&self) -> Proof {
        best(self.tree.children(self.tree.root()).iter().map(|child| child.proof()))
    }

    /// Whether there is nothing to choose: all but one column lose for sure.
    pub fn is_forced(&self) -> bool {
        let children = self.tree.children(self.tree.root());
        children.iter().filter(|child| !matches!(child.proof(), Proof::Loss(_))).count() <= 1
    }

    /// What is known, after so many nodes.
    pub fn info(&self, nodes: u64, depth: u32, lines: usize) -> Info {
        Info { depth, nodes, lines: answer::lines(&self.tree, &self.board, lines) }
    }

    /// What alpha-beta says by itself.
    pub fn alpha_beta(&mut self, budget: &Budget<'_>) -> Info {
        let (column, score, depth) = self.prover.best(&self.board, &budget.times(CHEAPER));
        let cells = vec![self.board.landing(column)];
        let lines = vec![Line { score, win_in: win_in(score), cells }];
        Info { depth, nodes: self.prover.nodes() / CHEAPER, lines }
    }
}
