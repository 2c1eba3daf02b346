//! What the player remembers between moves, and what can be said of the root without a simulation.

use std::sync::{Mutex, PoisonError};

use lianzi_core::Position;

use super::super::board::{Cells, FourBoard, lines};
use super::super::prover::{Prover, win_in};
use super::super::solver::{self, Choice, ConnectFour};
use super::answer::{self, SURE};
use super::search::{Spread, proof_of};
use super::tree::{Node, Tree};
use crate::crew::Apart;
use crate::proof::{Proof, best};
use crate::time::Budget;
use crate::{Info, Line};

/// So many positions of the prover or of the solver cost what one simulation costs, and count as one.
pub(super) const CHEAPER: u64 = 16;

/// What is remembered of a game.
pub(super) struct Memory {
    /// The position of the tree's root.
    pub position: Position,
    /// Its board.
    pub board: FourBoard,
    /// How many lines lead through each cell.
    pub lines: Cells<u8>,
    /// How much to explore at a node, by its visits.
    pub spread: Spread,
    /// What the simulations found.
    pub tree: Tree,
    /// What searches for forced lines, while other threads simulate.
    prover: Apart<Mutex<Prover>>,
    /// What finds exact scores, where the board is not too large for it.
    solver: Option<ConnectFour>,
}

impl Memory {
    /// Remembers nothing of this position's game yet, in so many MiB, but at least two.
    pub(super) fn new(position: &Position, mebibytes: usize) -> Memory {
        let board = FourBoard::new(position);
        let table = (mebibytes / 32).max(1);
        let solver = ConnectFour::new(position.rules(), mebibytes.div_ceil(4) << 20).ok();
        let taken = table + if solver.is_some() { mebibytes / 4 } else { 0 };
        Memory {
            position: position.clone(),
            lines: lines(&board),
            spread: Spread::new(),
            tree: Tree::new((mebibytes - taken).max(1)),
            prover: Apart(Mutex::new(Prover::new(&board, table))),
            solver,
            board,
        }
    }

    /// Makes the root the node of this position: the tree follows the stones played since, if it has them.
    pub(super) fn follow(&mut self, position: &Position) {
        let known = position.plies_since(&self.position);
        let followed = known.is_some_and(|plies| plies.iter().all(|ply| self.tree.descend(ply.cell.column.into())));
        if followed {
            self.tree.compact();
        } else {
            self.tree.clear();
        }
        self.position = position.clone();
        self.board = FourBoard::new(position);
        // Elsewhere columns that lose at once are left out; at the root every one has an answer to give.
        self.tree.prepare(self.board.open());
        self.look_around();
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

    /// Lets the prover examine the root, writes down what it finds and returns the nodes that took.
    pub(super) fn examine(&self, budget: &Budget<'_>) -> u64 {
        let mut prover = self.prover.lock().unwrap_or_else(PoisonError::into_inner);
        let proofs = prover.examine(&self.board, &budget.times(CHEAPER));
        let nodes = prover.nodes() / CHEAPER;
        for child in self.tree.children(self.tree.root()) {
            let proof = proofs[child.column()];
            let sooner = proof.rank() > child.proof().rank() && matches!(proof, Proof::Win(_));
            if !proof.is_open() && (child.proof().is_open() || sooner) {
                child.prove(proof.later());
            }
        }
        nodes
    }

    /// Looks for refutations of the column that would be played, and then of the next best; returns the nodes that took.
    pub(super) fn check(&self, budget: &Budget<'_>) -> u64 {
        let mut prover = self.prover.lock().unwrap_or_else(PoisonError::into_inner);
        let mut nodes = 0;
        while self.proof().is_open() && !self.is_forced() {
            let best = answer::best(&self.tree);
            let (column, open) = (self.tree.node(best).column(), self.tree.node(best).proof().is_open());
            if !open {
                break;
            }
            let budget = budget.after(nodes).part(2).times(CHEAPER);
            let proof = prover.refute(&self.board, column, &budget);
            nodes += prover.nodes() / CHEAPER;
            match proof {
                Some(proof) => self.tree.node(best).prove(proof.later()),
                // Who simulates beside this may have come to prefer another column.
                None if answer::best(&self.tree) != best && budget.nodes > 0 && !budget.is_over() => {}
                None => break,
            }
        }
        nodes
    }

    /// Asks the solver: the lines that were asked for, if it is sure of them within the budget, and the nodes that it
    /// took. Of several lines those that it is sure of are written down in any case.
    pub(super) fn solve(&mut self, budget: &Budget<'_>, lines: usize) -> (Option<Vec<Line>>, u64) {
        let Some(solver) = &mut self.solver else { return (None, 0) };
        let budget = budget.times(CHEAPER);
        let (limits, stop) = budget.limits();
        let found = if lines <= 1 {
            solver.best(&self.position, &limits, stop).map(|best| vec![best])
        } else {
            let choices = solver.scores(&self.position, &limits, stop, &mut |_, _| {});
            self.tree.children(self.tree.root()).iter().for_each(|child| note(child, &choices, &self.position));
            let sure = choices.iter().all(|choice| choice.known.exact().is_some());
            let line = |choice| solver.line(&self.position, choice);
            sure.then(|| choices.iter().take(lines).map(line).collect())
        };
        (found.map(|lines| lines.into_iter().map(scaled).collect()), solver.nodes() / CHEAPER)
    }

    /// What is proven about the root, to the side to move.
    pub(super) fn proof(&self) -> Proof {
        best(self.tree.children(self.tree.root()).iter().map(|child| child.proof()))
    }

    /// Whether there is nothing to choose: all but one column lose for sure.
    pub(super) fn is_forced(&self) -> bool {
        let children = self.tree.children(self.tree.root());
        children.iter().filter(|child| !matches!(child.proof(), Proof::Loss(_))).count() <= 1
    }

    /// What is known of the only column that does not lose. Nobody searches it now: its score is what simulations for
    /// earlier moves say of it, nothing if they were few, and never as sure as a proof.
    pub(super) fn forced(&self, nodes: u64) -> Info {
        const ENOUGH: u32 = 100;
        let mut info = self.info(nodes, 0, 1);
        let trusted = self.tree.node(answer::best(&self.tree)).visits() >= ENOUGH;
        if let Some(line) = info.lines.first_mut().filter(|line| line.win_in.is_none()) {
            let most = if trusted { SURE as i32 - 1 } else { 0 };
            line.score = line.score.clamp(-most, most);
        }
        info
    }

    /// What is known, after so many nodes.
    pub(super) fn info(&self, nodes: u64, depth: u32, lines: usize) -> Info {
        Info { depth, nodes, lines: answer::lines(&self.tree, &self.board, lines) }
    }

    /// What alpha-beta says by itself.
    pub(super) fn alpha_beta(&mut self, budget: &Budget<'_>) -> Info {
        let prover = self.prover.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (column, score, depth) = prover.best(&self.board, &budget.times(CHEAPER));
        let cells = vec![self.board.landing(column)];
        let lines = vec![Line { score, win_in: win_in(score), cells }];
        Info { depth, nodes: prover.nodes() / CHEAPER, lines }
    }
}

/// A solved line with a score of the player's own kind; how soon it ends is told anyway.
fn scaled(line: Line) -> Line {
    Line { score: line.score.signum() * SURE as i32, ..line }
}

/// Writes down what the solver is sure of about a child of the root.
fn note(child: &Node, choices: &[Choice], position: &Position) {
    let choice = choices.iter().find(|choice| usize::from(choice.cell.column) == child.column());
    let Some(score) = choice.and_then(|choice| choice.known.exact()) else { return };
    let plies = solver::win_in(score, position.free());
    let rest = plies.unsigned_abs().saturating_sub(1) as u16;
    child.prove(match plies {
        0 => Proof::Draw(position.free() as u16 - 1),
        1.. => Proof::Win(rest),
        _ => Proof::Loss(rest),
    });
}
