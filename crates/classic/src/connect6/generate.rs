//! The report's Generator: the most promising turns by immediate gain.

use lianzi_core::{Cell, Stone};

use super::board::Board;
use super::evaluate::Evaluator;

/// One or two stones and what they gain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The stones, in order; one is enough when it wins, or when the turn has no more.
    pub cells: Vec<Cell>,
    /// What they gain together.
    pub gain: i64,
    /// Whether the last of them completes six.
    pub wins: bool,
}

impl Turn {
    /// Whether both consist of the same stones, in whatever order.
    fn same_cells(&self, other: &Turn) -> bool {
        self.cells.len() == other.cells.len() && self.cells.iter().all(|cell| other.cells.contains(cell))
    }

    /// Puts the stones on a board.
    pub fn place(&self, board: &mut Board, stone: Stone) {
        self.cells.iter().for_each(|&cell| board.place(cell, stone));
    }

    /// Takes them off again.
    pub fn remove(&self, board: &mut Board, stone: Stone) {
        self.cells.iter().for_each(|&cell| board.remove(cell, stone));
    }
}

/// Finds turns on a board.
#[derive(Debug)]
pub struct Generator<'a> {
    /// The board; every stone tried is taken off again.
    pub board: &'a mut Board,
    /// What tells a good stone.
    pub evaluator: &'a mut Evaluator,
    /// How many first stones are tried, and how many second stones with each.
    pub width: usize,
}

impl Generator<'_> {
    /// The best turns of different cells, best first, at most as many as the width.
    ///
    /// The report makes nine pairs and lets Branch choose among three; we take the best three by gain. Two
    /// stones found in both orders are one turn: a tree that holds it twice would be narrower than it says.
    pub fn choices(&mut self, stone: Stone, stones: usize) -> Vec<Turn> {
        let mut choices: Vec<Turn> = Vec::new();
        for turn in self.pairs(stone, stones).into_iter().rev() {
            if choices.len() < self.width && !choices.iter().any(|other| other.same_cells(&turn)) {
                choices.push(turn);
            }
        }
        choices
    }

    /// The `width` best first stones, each with its `width` best second stones, by ascending gain: nine pairs.
    /// A first stone that wins, or is the only one of its turn, stays alone.
    pub fn pairs(&mut self, stone: Stone, stones: usize) -> Vec<Turn> {
        let mut pairs = Vec::new();
        for (first, gain) in self.best_cells(stone) {
            self.board.place(first, stone);
            let wins = self.board.has_six(first, stone);
            if wins || stones < 2 || self.board.free() == 0 {
                pairs.push(Turn { cells: vec![first], gain, wins });
            } else {
                pairs.extend(self.second(stone, first, gain));
            }
            self.board.remove(first, stone);
        }
        pairs.sort_by_key(|turn| turn.gain);
        pairs
    }

    /// The pairs with a first stone that lies on the board already, so that its neighbours are candidates too.
    fn second(&mut self, stone: Stone, first: Cell, gain: i64) -> Vec<Turn> {
        let seconds = self.best_cells(stone);
        let pair = |(second, more): (Cell, i64)| {
            self.board.place(second, stone);
            let wins = self.board.has_six(second, stone);
            self.board.remove(second, stone);
            Turn { cells: vec![first, second], gain: gain + more, wins }
        };
        seconds.into_iter().map(pair).collect()
    }

    /// The `width` cells with the highest gains: sorted ascending, the last ones taken.
    fn best_cells(&mut self, stone: Stone) -> Vec<(Cell, i64)> {
        let gain = |cell| (cell, self.evaluator.gain(self.board, cell, stone));
        let mut scored: Vec<(Cell, i64)> = candidates(self.board).into_iter().map(gain).collect();
        scored.sort_by_key(|&(_, gain)| gain);
        scored.split_off(scored.len().saturating_sub(self.width))
    }
}

/// Where a stone may come: beside any stone; in the centre of a bare board; anywhere, when blocked cells leave no
/// free cell beside a stone.
fn candidates(board: &Board) -> Vec<Cell> {
    if board.is_bare() {
        return board.centre().into_iter().collect();
    }
    let adjacent = board.adjacent_cells();
    if adjacent.is_empty() { board.empty_cells() } else { adjacent }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::Position;

    use super::super::scores::{Dead, Scores};
    use super::super::tests::{cells, midgames, position};

    fn with_generator<T>(position: &Position, ask: impl FnOnce(&mut Generator<'_>) -> T) -> T {
        let mut board = Board::new(position);
        let mut evaluator = Evaluator::new(Scores::default(), Dead::Split, true);
        let before = board.clone();
        let answer = ask(&mut Generator { board: &mut board, evaluator: &mut evaluator, width: 3 });
        assert_eq!(board, before);
        answer
    }

    // S0-58: three times three.
    #[test]
    fn there_are_exactly_nine_pairs() {
        for position in midgames("connect6:15", 20) {
            let pairs = with_generator(&position, |generator| generator.pairs(position.to_move(), 2));
            if pairs.iter().all(|pair| pair.cells.len() == 2) {
                assert_eq!(pairs.len(), 9);
            }
            assert!(pairs.is_sorted_by_key(|pair| pair.gain));
        }
        let second = position("connect6:15", "h8");
        assert_eq!(with_generator(&second, |generator| generator.pairs(Stone::White, 2)).len(), 9);
    }

    // S0-55, S0-58: the best pair is the one that gains most, and a pair gains what the board says.
    #[test]
    fn the_first_choice_gains_most() {
        for position in midgames("connect6:15", 20) {
            let us = position.to_move();
            with_generator(&position, |generator| {
                let pairs = generator.pairs(us, 2);
                let choices = generator.choices(us, 2);
                assert_eq!(Some(choices[0].gain), pairs.iter().map(|pair| pair.gain).max());
                for turn in &pairs {
                    let before = generator.evaluator.board(generator.board, us);
                    turn.place(generator.board, us);
                    let after = generator.evaluator.board(generator.board, us);
                    turn.remove(generator.board, us);
                    assert_eq!(turn.gain, after - before);
                }
            });
        }
    }

    // S0-65: three different choices out of nine pairs.
    #[test]
    fn choices_are_different_turns() {
        for position in midgames("connect6:15", 20) {
            let choices = with_generator(&position, |generator| generator.choices(position.to_move(), 2));
            assert!((1..=3).contains(&choices.len()));
            for (n, turn) in choices.iter().enumerate() {
                assert!(!choices[n + 1..].iter().any(|other| other.same_cells(turn)));
            }
        }
    }

    // S0-60: the second stone may lie beside the first, and not on it.
    #[test]
    fn the_second_stone_sees_the_first() {
        let position = position("connect6:15", "h8");
        with_generator(&position, |generator| {
            let first = cells("i9")[0];
            assert!(!candidates(generator.board).contains(&cells("j10")[0]));
            generator.board.place(first, Stone::White);
            assert!(candidates(generator.board).contains(&cells("j10")[0]));
            assert!(!candidates(generator.board).contains(&first));
            generator.board.remove(first, Stone::White);
        });
    }

    // S0-61: ascending, the last three; of equal gains the later cell, which is what a stable sort leaves there.
    #[test]
    fn the_best_cells_are_the_last_of_the_sorted() {
        let position = position("connect6:15", "h8 a1 a2 h9 h10");
        with_generator(&position, |generator| {
            let best = generator.best_cells(Stone::White);
            assert!(best.is_sorted_by_key(|&(_, gain)| gain));
            let others = candidates(generator.board).into_iter().filter(|c| !best.iter().any(|b| b.0 == *c));
            for cell in others {
                assert!(generator.evaluator.gain(generator.board, cell, Stone::White) <= best[0].1);
            }
        });
    }

    // S0-03: nothing is added to a stone that wins.
    #[test]
    fn a_first_stone_that_wins_stays_alone() {
        let position = position("connect6:15", "h8 a1 n8 i8 j8 n2 d13 k8 l8 g8 o7");
        let pairs = with_generator(&position, |generator| generator.pairs(Stone::Black, 2));
        let won: Vec<&Turn> = pairs.iter().filter(|turn| turn.cells[0] == cells("m8")[0]).collect();
        assert!(matches!(won[..], [Turn { wins: true, cells, .. }] if cells.len() == 1), "{won:?}");
    }

    // S0-57: why pairs are not all tried.
    #[test]
    fn all_pairs_would_be_many() {
        let pairs = |cells: u32| cells * (cells - 1) / 2;
        assert_eq!((pairs(10), pairs(30)), (45, 435));
    }

    // S0-56: the bare board has no adjacent cell; S0-59: corners and full boards are no trouble.
    #[test]
    fn short_of_candidates_it_still_plays() {
        let turns = |game: &str, moves: &str, stone, stones| {
            let position = position(game, moves);
            with_generator(&position, |generator| generator.choices(stone, stones))
        };
        assert_eq!(turns("connect6:15", "", Stone::Black, 1)[0].cells, cells("h8"));
        // Walled in: no free cell touches a stone.
        assert_eq!(turns("connect6:15/b1,b2,a2", "a1", Stone::White, 2)[0].cells.len(), 2);
        // Two cells are left, then one.
        let full = "a1 b1 c1 d1 e1 f1 a2 b2 c2 d2 e2 f2 a3 b3 c3 d3 e3 f3";
        let two = turns("connect:6,3,6,2,1", &full.replace(" e3 f3", ""), Stone::Black, 2);
        assert_eq!(two.len(), 1);
        assert_eq!(two[0].cells.len(), 2);
        let one = turns("connect:6,3,6,2,1", &full.replace(" f3", ""), Stone::White, 1);
        assert_eq!(one[0].cells, cells("f3"));
        let capped = turns("connect:6,3,6,2,1", &full.replace(" f3", ""), Stone::White, 2);
        assert_eq!(capped[0].cells, cells("f3"));
    }
}
