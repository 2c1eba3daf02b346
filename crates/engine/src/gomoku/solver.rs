//! `solve` for five in a row: wins by force, proven and replayed against every defence, or nothing.

use std::sync::Arc;

use lianzi_core::{Position, Rules};

use super::board::{GomokuBoard, cell};
use super::knowledge::Knowledge;
use super::prover::{Means, prove};
use super::verify::wins;
use crate::solve::{Solution, Solved, Solver};
use crate::time::{Budget, Pace};
use crate::{Limits, Stop};

/// The first try at a proof; each further one may look at four times as much.
const FIRST: u64 = 10_000;

/// Finds wins by continuous fours, by fours and threes, and by these and quiet stones that lead to a double threat.
pub(crate) struct Forced {
    knowledge: Arc<Knowledge>,
}

impl Forced {
    /// A solver of a game that the board plays.
    pub(crate) fn new(rules: &Rules) -> Forced {
        Forced { knowledge: Arc::new(Knowledge::new(rules)) }
    }
}

impl Solver for Forced {
    fn solve(&mut self, position: &Position, limits: &Limits, stop: &Stop) -> Solution {
        if let Some(outcome) = position.outcome() {
            return Solution::over(outcome, position.to_move());
        }
        // Without a limit it goes on until it is certain.
        let depth = limits.depth.or(Some(u32::MAX));
        let time = Budget::new(&Pace::STEPS, position, &Limits { depth, ..limits.clone() }, stop);
        let board = GomokuBoard::new(position, &self.knowledge);
        let (mut nodes, mut limit) = (0, FIRST);
        let mut open = vec![Means::Fours, Means::Threes, Means::Quiet];
        while !open.is_empty() && nodes < time.nodes && !time.is_over() {
            for means in open.clone() {
                let attempt = prove(&board, means, limit.min(time.nodes.saturating_sub(nodes)), Some(&time));
                nodes += attempt.nodes;
                if let Some(proof) = attempt.proof.filter(|proof| wins(position, &board, proof)) {
                    let line = proof.line.iter().map(|&spot| cell(spot)).collect();
                    return Solution { result: Solved::Win, line, nodes, ..Solution::default() };
                }
                if attempt.refuted {
                    open.retain(|&other| other != means);
                }
            }
            limit = limit.saturating_mul(4);
        }
        Solution { nodes, exhausted: open.is_empty(), ..Solution::default() }
    }
}
