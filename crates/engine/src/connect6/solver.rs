//! `solve connect6`: forced wins by threats, proven and then replayed against every defence.

use std::sync::Arc;

use lianzi_core::{Cell, Position, Rules};

use super::board::Board;
use super::defence::Defence;
use super::plan::Plan;
use super::prover::Prover;
use super::shape::Shape;
use super::verify;
use crate::solve::{NoSolver, Solution, Solved, Solver};
use crate::time::Time;
use crate::{Limits, Stop};

/// How many single threats a win may need.
const SINGLES: u32 = 2;

/// How many positions are looked at when nobody sets a limit.
const UNASKED: u64 = 2_000_000;

/// Finds forced wins of Connect6.
pub struct Threats {
    shape: Arc<Shape>,
}

impl Threats {
    /// The solver of this game.
    pub fn new(rules: &Rules) -> Result<Threats, NoSolver> {
        match Shape::fits(rules) {
            true => Ok(Threats { shape: Arc::new(Shape::new(rules)) }),
            false => Err(NoSolver::Game { game: rules.to_string() }),
        }
    }
}

impl Solver for Threats {
    fn solve(&mut self, position: &Position, limits: &Limits, stop: &Stop) -> Solution {
        if let Some(outcome) = position.outcome() {
            return Solution::over(outcome, position.to_move());
        }
        let time = Time::new(position, limits, stop);
        let mut board = Board::new(Arc::clone(&self.shape), position);
        if is_lost(&board) {
            return Solution { result: Solved::Loss, nodes: 1, ..Solution::default() };
        }
        let is_over = || time.is_over();
        let limit = if limits.nodes.is_some() { time.nodes } else { UNASKED };
        let mut prover = Prover::new(limit, &is_over);
        let plan = prover.prove(&mut board, SINGLES);
        let nodes = prover.nodes;
        match plan
            .filter(|plan| verify::holds(position, &self.shape, plan, &mut || stop.is_set()) == Some(true))
        {
            Some(plan) => {
                Solution { result: Solved::Win, line: line(&plan, &board), nodes, ..Solution::default() }
            }
            None => Solution { nodes, ..Solution::default() },
        }
    }
}

/// Whether the other side has threats that cannot all be hit, and the side to move cannot make six.
fn is_lost(board: &Board) -> bool {
    let me = board.turn;
    let six = board.threats(me).iter().any(|&window| board.count(window, me) + board.left >= 6);
    !six && Defence::against(board, me ^ 1).needed > board.left
}

/// A plan's line, as cells.
pub fn line(plan: &Plan, board: &Board) -> Vec<Cell> {
    plan.line(board).into_iter().map(|stone| board.shape.cell(stone)).collect()
}
