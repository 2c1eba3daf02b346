//! Solving: exact results, or forced wins that are proven.

use lianzi_core::{Cell, Language, Outcome, Position, Speak, Stone, Text, spoken_errors, text};

use crate::{Limits, Stop};

/// Something that proves results. What it learns from one position it may use for the next.
pub trait Solver: Send {
    /// The result of this position, unless a limit ended the work before.
    fn solve(&mut self, position: &Position, limits: &Limits, stop: &Stop) -> Solution;

    /// Adds a line to a solution that came without one.
    fn extend(&mut self, _position: &Position, _solution: &mut Solution, _stop: &Stop) {}
}

/// What came of solving a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// How the game ends when nobody errs.
    pub result: Solved,
    /// How soon, where the solver knows that.
    pub score: Option<i32>,
    /// How it goes on, as far as it is known.
    pub line: Vec<Cell>,
    /// Positions looked at.
    pub nodes: u64,
    /// Whether the solver tried all it can try: then more time does not make an unknown result known.
    pub exhausted: bool,
    /// Which wins by threats there are none of, where the solver looks for such.
    pub looked: Option<Looked>,
}

/// How far a search for wins by threats looked in vain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// Whether double threats alone do not win.
    pub doubles: bool,
    /// With up to so many single threats the turns it tries do not win.
    pub singles: u32,
    /// Nor do they with one turn that threatens nothing yet.
    pub quiet: bool,
}

impl Speak for Looked {
    fn text(&self) -> Text {
        let Looked { doubles, singles, quiet } = *self;
        let quiet = if quiet { Text::fixed(" or a quiet turn", "或一手静着") } else { Text::default() };
        match (doubles, singles) {
            (false, _) => Text::fixed("not even all double threats were tried", "双威胁尚未试完"),
            (true, 0) => text!("no win by double threats{quiet}", "双威胁{quiet}均不能取胜"; quiet),
            (true, 1) => {
                text!("no win by double threats and one single threat{quiet}", "双威胁加一次单威胁{quiet}均不能取胜"; quiet)
            }
            _ => text!(
                "no win by double threats and up to {singles} single threats{quiet}",
                "双威胁加至多 {singles} 次单威胁{quiet}均不能取胜";
                quiet
            ),
        }
    }
}

/// A result, seen by the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solved {
    /// The side to move wins.
    Win,
    /// The side to move loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// Nothing was proven.
    #[default]
    Unknown,
}

impl Solved {
    /// What a score says: who wins is its sign.
    pub fn by_score(score: Option<i32>) -> Solved {
        match score {
            None => Solved::Unknown,
            Some(0) => Solved::Draw,
            Some(1..) => Solved::Win,
            Some(_) => Solved::Loss,
        }
    }

    /// The result in words for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Solved::Win => "win",
            Solved::Loss => "loss",
            Solved::Draw => "draw",
            Solved::Unknown => "unknown",
        }
    }

    /// The result in words for people, to follow the name of the side to move.
    pub const fn words(self, language: Language) -> &'static str {
        match self {
            Solved::Win => language.pick("wins", "胜"),
            Solved::Loss => language.pick("loses", "负"),
            Solved::Draw => language.pick("draws", "和"),
            Solved::Unknown => language.pick("unknown", "未知"),
        }
    }
}

impl Solution {
    /// The solution of a game that has ended.
    pub fn over(outcome: Outcome, to_move: Stone) -> Solution {
        let result = match outcome {
            Outcome::Win(winner) if winner == to_move => Solved::Win,
            Outcome::Win(_) => Solved::Loss,
            Outcome::Draw => Solved::Draw,
        };
        Solution { result, score: (result == Solved::Draw).then_some(0), ..Solution::default() }
    }
}

/// Why nobody can solve a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoSolver {
    /// There is no solver for this game yet.
    Game {
        /// The game.
        game: String,
    },
    /// The board is too large.
    Size {
        /// The game.
        game: String,
    },
}

impl Speak for NoSolver {
    fn text(&self) -> Text {
        match self {
            NoSolver::Game { game } => text!(
                "{game} has no solver; there are some for Connect Four, Connect6 and five in a row up to 22x22: try lianzi solve connect4",
                "{game} 没有求解器；四子棋、六子棋和 22x22 以内的五子棋可以求解：lianzi solve connect4"
            ),
            NoSolver::Size { game } => text!(
                "the board of {game} is too large to be solved; it may have 16 columns, and columns times (rows + 1) up to 128",
                "{game} 的棋盘太大，无法求解；最多 16 列，且列数 ×（行数 + 1）不超过 128"
            ),
        }
    }
}

spoken_errors!(NoSolver);
