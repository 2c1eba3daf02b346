//! Doubts about what looks best: whether the other side wins by threats after it.
//!
//! The search gives attacks few stones at each position. The few turns that it would play deserve more.

use super::board::SixBoard;
use super::plan::Plan;
use super::prover::{Means, Prover};
use super::root::Root;
use super::shape::Place;
use crate::time::Budget;

/// A position of the prover costs as much as so many stones of the search.
pub(super) const COST: u64 = 3;

/// Doubts get one of so many parts of the nodes.
const PART: u64 = 16;

/// Fewer positions than this are not worth a look: the search has put as many stones.
const LEAST: u64 = 2_000;

/// What answers may use.
const MEANS: Means = Means { singles: 1, quiet: false };

/// What is known of the turns that looked best.
pub(super) struct Doubts<'a> {
    board: SixBoard,
    time: &'a Budget<'a>,
    /// The turns that were looked at, and how many positions that took.
    held: Vec<(Vec<Place>, u64)>,
    /// What all this cost, in stones.
    pub nodes: u64,
}

impl<'a> Doubts<'a> {
    /// No doubts yet about the turns of this position.
    pub(super) fn new(board: &SixBoard, time: &'a Budget<'a>) -> Doubts<'a> {
        Doubts { board: board.clone(), time, held: Vec::new(), nodes: 0 }
    }

    /// Looks at the first of so many lines, after a search of so many stones; whether one of them was refuted.
    pub(super) fn arise(&mut self, root: &mut Root, lines: usize, nodes: u64) -> bool {
        let allowed = (nodes / PART).saturating_sub(self.nodes) / COST / lines.max(1) as u64;
        (0..lines.max(1)).any(|n| self.refutes(root, n, allowed))
    }

    /// Looks at the choice once more, after a search of so many stones, and at the next best if it loses.
    pub(super) fn decide(&mut self, root: &mut Root, nodes: u64) {
        let before = self.nodes;
        loop {
            let spent = self.nodes - before;
            let left = self.time.nodes.saturating_sub(nodes + spent).min((nodes / PART).saturating_sub(spent));
            if !self.refutes(root, 0, left / COST) {
                return;
            }
        }
    }

    /// Whether the other side wins by threats after the `n`th best turn, as far as so many positions tell.
    pub(super) fn refutes(&mut self, root: &mut Root, n: usize, nodes: u64) -> bool {
        let Some(turn) = root.open(n) else { return false };
        let known = self.held.iter().position(|(held, _)| held == turn);
        if nodes < LEAST || known.is_some_and(|n| self.held[n].1 * 2 > nodes) {
            return false;
        }
        let turn = turn.to_vec();
        let (plan, spent) = self.answer(&turn, nodes);
        self.nodes += spent * COST;
        if let Some(plan) = &plan {
            turn.iter().for_each(|&stone| self.board.play(stone));
            let plies = plan.line(&self.board).len() + turn.len();
            turn.iter().rev().for_each(|&stone| self.board.undo(stone));
            root.refute(n, plies as i32);
        } else {
            known.map(|n| self.held.swap_remove(n));
            self.held.push((turn, nodes));
        }
        plan.is_some()
    }

    /// How the other side wins after a turn, and how many positions that took.
    fn answer(&mut self, turn: &[Place], nodes: u64) -> (Option<Plan>, u64) {
        turn.iter().for_each(|&stone| self.board.play(stone));
        let is_over = || self.time.is_over();
        let mut prover = Prover::new(nodes, &is_over);
        let plan = prover.prove(&mut self.board, MEANS);
        let spent = prover.nodes;
        turn.iter().rev().for_each(|&stone| self.board.undo(stone));
        (plan, spent)
    }
}
