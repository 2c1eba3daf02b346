//! `solve connect6`: forced wins by threats, proven and then replayed against every defence.

use std::sync::Arc;

use lianzi_core::{Cell, Position, Rules};

use super::board::SixBoard;
use super::defence::Defence;
use super::plan::Plan;
use super::prover::Prover;
use super::shape::Shape;
use super::verify;
use crate::family::Family;
use crate::solve::{NoSolver, Solution, Solved, Solver};
use crate::time::{Budget, Pace};
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
        match Family::of(rules) {
            Family::Connect6 => Ok(Threats { shape: Arc::new(Shape::new(rules)) }),
            _ => Err(NoSolver::Game { game: rules.to_string() }),
        }
    }
}

impl Threats {
    /// How many single threats a win of the side to move needs, at the beginning of its turn and with no six at once:
    /// none, if double ones are enough, or one. Only what was replayed against every defence counts.
    pub fn needs(&mut self, position: &Position, nodes: u64, stop: &Stop) -> Option<u32> {
        let mut board = SixBoard::new(Arc::clone(&self.shape), position);
        if board.left != 2 || !board.threats(board.turn).is_empty() {
            return None;
        }
        let is_over = || stop.is_set();
        (0..=1).find(|&singles| {
            let plan = Prover::new(nodes, &is_over).prove(&mut board, singles);
            plan.is_some_and(|plan| self.replays(position, &plan, stop))
        })
    }

    fn replays(&self, position: &Position, plan: &Plan, stop: &Stop) -> bool {
        verify::holds(position, &self.shape, plan, &mut || stop.is_set()) == Some(true)
    }
}

impl Solver for Threats {
    fn solve(&mut self, position: &Position, limits: &Limits, stop: &Stop) -> Solution {
        if let Some(outcome) = position.outcome() {
            return Solution::over(outcome, position.to_move());
        }
        let time = Budget::new(&Pace::STEPS, position, limits, stop);
        let mut board = SixBoard::new(Arc::clone(&self.shape), position);
        if is_lost(&board) {
            return Solution { result: Solved::Loss, nodes: 1, ..Solution::default() };
        }
        let is_over = || time.is_over();
        let limit = if limits.nodes.is_some() { time.nodes } else { UNASKED };
        let mut prover = Prover::new(limit, &is_over);
        let plan = prover.prove(&mut board, SINGLES);
        let nodes = prover.nodes;
        let exhausted = plan.is_none() && !prover.stopped;
        match plan.filter(|plan| self.replays(position, plan, stop)) {
            Some(plan) => Solution { result: Solved::Win, line: line(&plan, &board), nodes, ..Solution::default() },
            None => Solution { nodes, exhausted, ..Solution::default() },
        }
    }
}

/// Whether the other side has threats that cannot all be hit, and the side to move cannot make six.
fn is_lost(board: &SixBoard) -> bool {
    let me = board.turn;
    let six = board.threats(me).iter().any(|&window| board.count(window, me) + board.left >= 6);
    !six && Defence::against(board, me ^ 1).needed > board.left
}

/// A plan's line, as cells.
pub fn line(plan: &Plan, board: &SixBoard) -> Vec<Cell> {
    plan.line(board).into_iter().map(|stone| board.shape.cell(stone)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(moves: &str) -> (Position, Solution) {
        let mut position = Position::new(Rules::connect6(19));
        moves.split_whitespace().for_each(|cell| position.play(cell.parse().unwrap()).unwrap());
        let mut solver = Threats::new(position.rules()).unwrap();
        let solution = solver.solve(&position, &Limits::default(), &Stop::default());
        (position, solution)
    }

    #[test]
    fn a_win_comes_with_its_line() {
        for moves in [
            "j10 a1 a3 k10 l10 a5 a7 j9 j8 s1 s3",
            "j10 a1 a3 k10 l10 a5 a7 j9 j8 s1 s3 m10",
            "j10 a1 a3 k10 l10 a5 a7 m10 n10 s1 s3",
        ] {
            let (mut position, solution) = solved(moves);
            let me = position.to_move();
            assert_eq!(solution.result, Solved::Win, "{moves}");
            solution.line.iter().for_each(|&cell| position.play(cell).unwrap());
            assert_eq!(position.outcome(), Some(lianzi_core::Outcome::Win(me)));
        }
    }

    #[test]
    fn what_is_not_forced_is_unknown_and_what_cannot_be_stopped_is_lost() {
        assert_eq!(solved("j10 i9 i11").1.result, Solved::Unknown);
        // There are threats to try; none of them wins, and one node is too little to know that.
        let (position, open) = solved("j10 i9 k11 i10 a1 h9 l9");
        assert_eq!((open.result, open.exhausted), (Solved::Unknown, true));
        let mut solver = Threats::new(position.rules()).unwrap();
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        let cut = solver.solve(&position, &limits, &Stop::default());
        assert_eq!((cut.result, cut.exhausted), (Solved::Unknown, false));
        let open_fours = "j10 a1 a3 k10 l10 a5 a7 j9 j8 s1 s3 m10 j7";
        assert_eq!(solved(open_fours).1.result, Solved::Loss);
        assert!(Threats::new(&Rules::gomoku(15)).is_err());
    }
}
