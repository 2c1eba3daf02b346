//! `solve connect6`: forced wins by threats, proven and then replayed against every defence.

use std::sync::Arc;

use arrayvec::ArrayVec;
use lianzi_core::{Cell, Position, Rules};

use super::attack::double_turns;
use super::board::SixBoard;
use super::defence::Defence;
use super::plan::Plan;
use super::prover::{Means, Prover};
use super::shape::{Place, Shape};
use super::verify;
use crate::family::Family;
use crate::solve::{NoSolver, Solution, Solved, Solver};
use crate::time::{Budget, Pace};
use crate::{Limits, Stop};

/// What a win may need.
const MEANS: Means = Means { singles: 6, quiet: true };

/// How many positions are looked at when nobody sets a limit.
const UNASKED: u64 = 2_000_000;

/// How many positions a proof is replayed through at most; one with a quiet turn has very many.
const CHECKS: u64 = 1_000_000;

/// Of so many parts of them one is for the other side's attack.
const OTHER: u64 = 4;

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
            let plan = Prover::new(nodes, &is_over).prove(&mut board, Means { singles, quiet: false });
            plan.is_some_and(|plan| self.replays(position, &plan, &is_over))
        })
    }

    fn replays(&self, position: &Position, plan: &Plan, is_over: &dyn Fn() -> bool) -> bool {
        verify::holds(position, &self.shape, plan, &mut patience(is_over)) == Some(true)
    }
}

/// Wins by double threats, counted in turns of the attacker. Each question looks at no more than `nodes` positions.
impl Threats {
    /// In how many turns the side to move wins, if it does in at most so many.
    pub fn turns(&self, position: &Position, most: u32, nodes: u64) -> Option<u32> {
        let mut board = SixBoard::new(Arc::clone(&self.shape), position);
        shortest(&mut board, most, nodes)
    }

    /// The same for every turn of double threats that it can play, itself counted.
    pub fn first_turns(&self, position: &Position, most: u32, nodes: u64) -> Vec<([Cell; 2], u32)> {
        let mut board = SixBoard::new(Arc::clone(&self.shape), position);
        if board.left != 2 {
            return Vec::new();
        }
        let mut found = Vec::new();
        for turn in double_turns(&mut board) {
            turn.iter().for_each(|&stone| board.play(stone));
            let turns = shortest_answered(&mut board, most.saturating_sub(1), nodes);
            turn.iter().rev().for_each(|&stone| board.undo(stone));
            found.extend(turns.map(|turns| (turn.map(|stone| self.shape.cell(stone)), turns + 1)));
        }
        found
    }

    /// In how many turns the side that is not to move wins after every answer.
    pub fn turns_after(&self, position: &Position, most: u32, nodes: u64) -> Option<u32> {
        let mut board = SixBoard::new(Arc::clone(&self.shape), position);
        shortest_answered(&mut board, most, nodes)
    }

    /// The answers to a double threat with how many turns each leaves the attacker; none where no answer is enough.
    pub fn answers(&self, position: &Position, most: u32, nodes: u64) -> Vec<([Cell; 2], u32)> {
        let mut board = SixBoard::new(Arc::clone(&self.shape), position);
        let pairs = Defence::against(&board, board.turn ^ 1).pairs;
        let turns = |pair: &[Place; 2], board: &mut SixBoard| {
            pair.iter().for_each(|&stone| board.play(stone));
            let turns = shortest(board, most, nodes);
            pair.iter().rev().for_each(|&stone| board.undo(stone));
            turns.unwrap_or(u32::MAX)
        };
        pairs.iter().map(|pair| (pair.map(|stone| self.shape.cell(stone)), turns(pair, &mut board))).collect()
    }
}

/// In how many turns the side to move wins; the longest are asked about first, because mostly there is no win at all.
fn shortest(board: &mut SixBoard, most: u32, nodes: u64) -> Option<u32> {
    let mut wins = |turns| Prover::new(nodes, &|| false).wins_within(board, turns);
    if wins(most) { (1..=most).find(|&turns| wins(turns)) } else { None }
}

/// The same for the side that is not to move, after every answer.
fn shortest_answered(board: &mut SixBoard, most: u32, nodes: u64) -> Option<u32> {
    if answered(board, most, nodes) { (1..=most).find(|&turns| answered(board, turns, nodes)) } else { None }
}

/// Whether the side that is not to move has a double threat and wins after every answer in at most so many turns.
fn answered(board: &mut SixBoard, turns: u32, nodes: u64) -> bool {
    let hits = Defence::against(board, board.turn ^ 1);
    if board.left != 2 || hits.needed < 2 || !board.threats(board.turn).is_empty() {
        return false;
    }
    hits.needed > 2 && turns > 0
        || hits.needed == 2
            && hits.pairs.iter().all(|pair| {
                pair.iter().for_each(|&stone| board.play(stone));
                let wins = Prover::new(nodes, &|| false).wins_within(board, turns);
                pair.iter().rev().for_each(|&stone| board.undo(stone));
                wins
            })
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
        let plan = prover.prove(&mut board, MEANS);
        let (nodes, looked) = (prover.nodes, Some(prover.looked));
        let exhausted = plan.is_none() && !prover.stopped;
        if let Some(plan) = plan.filter(|plan| self.replays(position, plan, &is_over)) {
            return Solution { result: Solved::Win, line: line(&plan, &board), nodes, ..Solution::default() };
        }
        let mut prover = Prover::new(limit / OTHER, &is_over);
        let result = match self.is_beaten(position, &mut board, &mut prover, &is_over) {
            true => Solved::Loss,
            false => Solved::Unknown,
        };
        Solution { result, nodes: nodes + prover.nodes, exhausted, looked, ..Solution::default() }
    }
}

impl Threats {
    /// Whether the other side wins by threats whatever the side to move does.
    fn is_beaten(
        &self,
        position: &Position,
        board: &mut SixBoard,
        prover: &mut Prover<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> bool {
        let then = prover.whatever_is_done(board, 1);
        then.is_some_and(|then| {
            let plan = Plan { turn: ArrayVec::new(), then };
            verify::loses(position, &self.shape, &plan, &mut patience(is_over)) == Some(true)
        })
    }
}

/// What ends a replay: somebody who waits, or so many positions that it would take minutes.
fn patience(is_over: &dyn Fn() -> bool) -> impl FnMut() -> bool {
    let mut checks = 0;
    move || {
        checks += 1;
        checks > CHECKS || is_over()
    }
}

/// Whether the other side has threats that cannot all be hit, and the side to move cannot make six.
fn is_lost(board: &SixBoard) -> bool {
    let me = board.turn;
    let six = board.threats(me).iter().any(|&window| board.count(window, me) + board.left >= 6);
    !six && Defence::against(board, me ^ 1).needed > board.left
}

/// A plan's line, as cells.
pub(crate) fn line(plan: &Plan, board: &SixBoard) -> Vec<Cell> {
    plan.line(board).into_iter().map(|stone| board.shape.cell(stone)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Looked;

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
        let (position, open) = solved("h12 l8 m10 m9 j12");
        assert_eq!((open.result, open.exhausted), (Solved::Unknown, true));
        let mut solver = Threats::new(position.rules()).unwrap();
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        let cut = solver.solve(&position, &limits, &Stop::default());
        assert_eq!((cut.result, cut.exhausted), (Solved::Unknown, false));
        let open_fours = "j10 a1 a3 k10 l10 a5 a7 j9 j8 s1 s3 m10 j7";
        assert_eq!(solved(open_fours).1.result, Solved::Loss);
        assert!(Threats::new(&Rules::gomoku(15)).is_err());
    }

    #[test]
    fn it_says_how_far_it_looked_and_never_gives_up_at_once() {
        // Nothing threatens here, and there are turns to try all the same.
        let (position, solution) = solved("h12 l8 m10 m9 j12");
        assert!(solution.result == Solved::Unknown && solution.exhausted && solution.nodes > 1_000);
        assert_eq!(solution.looked, Some(Looked { doubles: true, singles: MEANS.singles, quiet: true }));
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        let cut = Threats::new(position.rules()).unwrap().solve(&position, &limits, &Stop::default());
        assert!(!cut.exhausted && cut.looked.is_some_and(|looked| looked.doubles && looked.singles < MEANS.singles));
    }

    #[test]
    fn who_is_beaten_by_threats_loses() {
        let moves = "j10 h10 k9 i9 k11 h8 h9 j12 l12 m13 l10 k12 h12 i12 j11 i13 h14 g15 k15 g13 e15 f14 h13";
        let (_, win) = solved(moves);
        assert_eq!(win.result, Solved::Win);
        let turn: String = win.line[..2].iter().map(|cell| format!(" {cell}")).collect();
        let (_, loss) = solved(&format!("{moves}{turn}"));
        assert_eq!(loss.result, Solved::Loss);
        assert!(loss.nodes > 1, "it takes more than a look");
    }

    #[test]
    fn two_stones_anywhere_may_be_too_few() {
        // Black has four open threes. None of them threatens yet, and White can spoil two.
        let threes = "j10 a1 a7 d4 e4 a13 a19 f4 p4 g1 g19 o4 n4 m1 m19 d16 e16 s1 s7 f16 n16 s13 s19 o16 p16";
        assert_eq!(solved(threes).1.result, Solved::Loss);
    }
}
