//! Exact scores of Connect Four positions, with blocked cells too, on every board that fits into 128 bits.
//!
//! A score is positive when the side to move wins: one more than the number of stones it then has not needed. A
//! win with the last stone that the side could place scores 1, one a stone earlier 2; a loss is scored the same
//! way for the other side, negated; 0 is a draw. On the usual board, 22 minus the winner's stones.
//!
//! `shape` packs boards into words, `bounds` proves what needs no search, `search` does the rest, `table` remembers.

pub mod book;
mod bounds;
mod engine;
mod exact;
mod processor;
mod search;
mod shape;
mod table;
#[cfg(test)]
mod tests;
mod watch;
mod word;

use lianzi_core::{Cell, Position, Rules};

use crate::solve::{NoSolver, Solution, Solved, Solver};
use crate::{Limits, Line, Stop};

use book::Book;
pub(crate) use engine::Solving;
use exact::Exact;
pub(crate) use table::Known;
use watch::Watch;

/// How large the table of a solver may grow when nobody says: 256 MiB.
pub(crate) const USUAL_TABLE: usize = 256 << 20;

/// A solver for one board, with a table that it keeps from position to position.
pub struct ConnectFour {
    exact: Box<dyn Exact>,
    rules: Rules,
}

/// A stone that can be played, and what is known of its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Where the stone comes to rest.
    pub cell: Cell,
    /// What it is worth to the side that plays it.
    pub known: Known,
}

impl ConnectFour {
    /// A solver with a table of at most so many bytes, and with the opening book where there is one.
    pub fn new(rules: &Rules, bytes: usize) -> Result<Self, NoSolver> {
        Self::with_book(rules, bytes, Some(Book::at_hand()))
    }

    /// A solver that has to find everything out by itself.
    pub fn without_book(rules: &Rules, bytes: usize) -> Result<Self, NoSolver> {
        Self::with_book(rules, bytes, None)
    }

    /// A solver with this book, which is of use on the usual board.
    pub fn with_book(rules: &Rules, bytes: usize, book: Option<Book>) -> Result<Self, NoSolver> {
        let game = || rules.to_string();
        let book = book.filter(|_| *rules == book::BOARD);
        if !shape::is_connect_four(rules) {
            return Err(NoSolver::Game { game: game() });
        }
        let open = rules.blocked.is_empty();
        let exact: Box<dyn Exact> = if usize::from(rules.width) > search::COLUMNS {
            return Err(NoSolver::Size { game: game() });
        } else if open && rules.height == 6 && shape::fits::<u64>(rules) {
            Box::new(exact::Solving::<u64, 7>::new(rules, bytes, book))
        } else if shape::fits::<u64>(rules) {
            Box::new(exact::Solving::<u64, 0>::new(rules, bytes, book))
        } else if shape::fits::<u128>(rules) {
            Box::new(exact::Solving::<u128, 0>::new(rules, bytes, book))
        } else {
            return Err(NoSolver::Size { game: game() });
        };
        Ok(ConnectFour { exact, rules: *rules })
    }

    /// What is known of the score of the side to move when it is certain or a limit ended the work.
    ///
    /// # Panics
    /// If the position is of another game.
    pub fn score(&mut self, position: &Position, limits: &Limits, stop: &Stop) -> Known {
        self.score_from(position, None, limits, stop)
    }

    /// The same where it is known before that the score is at least this.
    ///
    /// # Panics
    /// If the position is of another game.
    pub fn score_from(&mut self, position: &Position, least: Option<i32>, limits: &Limits, stop: &Stop) -> Known {
        assert_eq!(*position.rules(), self.rules, "a solver knows one board");
        *self.exact.watch() = Watch::new(limits, stop);
        self.exact.score(position, least)
    }

    /// The same for every stone that can be played in an unfinished game, the best first.
    ///
    /// # Panics
    /// If the position is of another game.
    pub fn scores(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&[Choice], u64),
    ) -> Vec<Choice> {
        assert_eq!(*position.rules(), self.rules, "a solver knows one board");
        *self.exact.watch() = Watch::new(limits, stop);
        let scores = self.exact.scores(position, &mut |scores, nodes| report(&sorted(scores), nodes));
        sorted(&scores)
    }

    /// A choice with the line that follows it, as far as it is found quickly.
    pub fn line(&mut self, position: &Position, choice: &Choice) -> Line {
        let free = position.free();
        let exact = choice.known.exact();
        let mut next = position.clone();
        let mut cells = vec![choice.cell];
        if let (Some(score), Ok(()), None) = (exact, next.play(choice.cell), next.outcome()) {
            cells.extend(self.exact.line(&next, -score));
        }
        Line { score: choice.known.lower, win_in: exact.map(|score| win_in(score, free)), cells }
    }

    /// The best stone with the line that follows it, unless a limit ended the work before.
    ///
    /// # Panics
    /// If the position is of another game.
    pub fn best(&mut self, position: &Position, limits: &Limits, stop: &Stop) -> Option<Line> {
        let known = self.score(position, limits, stop);
        let cell = self.exact.step(position, known.exact()?)?;
        Some(self.line(position, &Choice { cell, known }))
    }

    /// Forgets what earlier positions taught.
    pub fn forget(&mut self) {
        self.exact.forget();
    }

    /// How many nodes the last question took.
    pub fn nodes(&mut self) -> u64 {
        self.exact.watch().nodes()
    }
}

impl Solver for ConnectFour {
    fn solve(&mut self, position: &Position, limits: &Limits, stop: &Stop) -> Solution {
        if let Some(outcome) = position.outcome() {
            return Solution::over(outcome, position.to_move());
        }
        let score = self.score(position, limits, stop).exact();
        Solution { result: Solved::by_score(score), score, nodes: self.nodes(), ..Solution::default() }
    }

    fn extend(&mut self, position: &Position, solution: &mut Solution, stop: &Stop) {
        if let (Some(score), None) = (solution.score, position.outcome()) {
            *self.exact.watch() = Watch::new(&Limits::default(), stop);
            solution.line = self.exact.line(position, score);
        }
    }
}

/// In how many plies a game with so many free cells ends when both play for this score: negative for a loss, 0 for a
/// draw.
pub fn win_in(score: i32, free: usize) -> i32 {
    let free = free as i32;
    let last_free = |turn: i32| 2 * score.abs() - 1 + (2 * score.abs() - 1 + turn).rem_euclid(2);
    match score {
        0 => 0,
        1.. => free + 1 - last_free(free),
        _ => last_free(free - 1) - free - 1,
    }
}

fn sorted(scores: &[(Cell, Known)]) -> Vec<Choice> {
    let mut choices: Vec<Choice> = scores.iter().map(|&(cell, known)| Choice { cell, known }).collect();
    choices.sort_by_key(|choice| std::cmp::Reverse((choice.known.lower, choice.known.upper)));
    choices
}
