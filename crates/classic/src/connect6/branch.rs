//! The report's Branch: minimax over the generator's choices, with alpha-beta.
//!
//! A node is worth the score of its board, positive for Black, so Black takes the maximum and White the minimum.
//! Whose dead patterns count at the leaves is decided by the side that is searching, for the whole tree; the
//! generator inside the tree looks with the eyes of the side to move there. Depth counts turns, the candidate at
//! the root being the first. The report's tree goes on after a six; ours ends there, as the game does.

use lianzi_core::{Cell, Stone};

use super::board::Board;
use super::evaluate::Evaluator;
use super::generate::{Generator, Turn};

/// A score, positive for Black, and the stones that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// What the board at the end of the line is worth.
    pub score: i64,
    /// The stones, first to last.
    pub cells: Vec<Cell>,
}

/// One search.
pub struct Branch<'a> {
    /// The board, restored after the search.
    pub board: &'a mut Board,
    /// What scores boards and stones.
    pub evaluator: &'a mut Evaluator,
    /// The side that searches.
    pub us: Stone,
    /// How many choices each node has.
    pub width: usize,
    /// Whether branches that cannot matter are skipped.
    pub prune: bool,
    /// Says when to give up, given the number of boards scored so far.
    pub expired: &'a dyn Fn(u64) -> bool,
    /// How many boards were scored.
    pub nodes: u64,
}

/// What each side is sure of already: Black of the first, White of the second.
type Bounds = (i64, i64);

const UNBOUNDED: Bounds = (i64::MIN, i64::MAX);

impl Branch<'_> {
    /// The report's DG2 at the root: the value of each choice looked at, until time is up. With `exact` every
    /// value is the true one; without it a choice that is no better than an earlier one may have any value that
    /// is no better.
    pub fn values(&mut self, choices: &[Turn], depth: u32, exact: bool) -> Vec<Value> {
        let mut bounds = UNBOUNDED;
        let mut values = Vec::new();
        for turn in choices {
            let Some(value) = self.after(turn, self.us, depth, bounds) else { break };
            if !exact {
                bounds = tightened(bounds, value.score, self.us);
            }
            values.push(value);
        }
        values
    }

    /// The report's calculateScore: the board's score at full depth, otherwise the best of the choices.
    /// `None` when time is up.
    fn value(&mut self, stone: Stone, depth: u32, bounds: Bounds) -> Option<Value> {
        if depth == 0 {
            return self.leaf();
        }
        if (self.expired)(self.nodes) {
            return None;
        }
        let mut generator = Generator { board: self.board, evaluator: self.evaluator, width: self.width };
        let choices = generator.choices(stone, 2);
        if choices.is_empty() { self.leaf() } else { self.best(&choices, stone, depth, bounds) }
    }

    /// The other half of the mutual recursion: tries each choice and keeps the best for its side.
    fn best(&mut self, choices: &[Turn], stone: Stone, depth: u32, mut bounds: Bounds) -> Option<Value> {
        let mut best: Option<Value> = None;
        for turn in choices {
            let value = self.after(turn, stone, depth, bounds)?;
            bounds = tightened(bounds, value.score, stone);
            if best.as_ref().is_none_or(|best| is_better(value.score, best.score, stone)) {
                best = Some(value);
            }
            if self.prune && bounds.0 >= bounds.1 {
                break;
            }
        }
        best
    }

    /// What the board is worth after a turn and everything that follows.
    fn after(&mut self, turn: &Turn, stone: Stone, depth: u32, bounds: Bounds) -> Option<Value> {
        turn.place(self.board, stone);
        let value = if turn.wins { self.leaf() } else { self.value(stone.other(), depth - 1, bounds) };
        turn.remove(self.board, stone);
        let Value { score, cells } = value?;
        Some(Value { score, cells: [turn.cells.clone(), cells].concat() })
    }

    fn leaf(&mut self) -> Option<Value> {
        if (self.expired)(self.nodes) {
            return None;
        }
        self.nodes += 1;
        let ours = self.evaluator.board(self.board, self.us);
        Some(Value { score: for_black(ours, self.us), cells: Vec::new() })
    }
}

/// A score of one side's as Black sees it, and the other way round.
pub fn for_black(score: i64, stone: Stone) -> i64 {
    match stone {
        Stone::Black => score,
        Stone::White => -score,
    }
}

/// Whether a side prefers one score, positive for Black, to another.
fn is_better(score: i64, than: i64, stone: Stone) -> bool {
    match stone {
        Stone::Black => score > than,
        Stone::White => score < than,
    }
}

fn tightened((black, white): Bounds, score: i64, stone: Stone) -> Bounds {
    match stone {
        Stone::Black => (black.max(score), white),
        Stone::White => (black, white.min(score)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::Position;

    use super::super::scores::{Dead, Scores};
    use super::super::tests::{midgames, position};

    fn evaluator() -> Evaluator {
        Evaluator::new(Scores::default(), Dead::Split, true)
    }

    /// The values at the root and the boards scored.
    fn searched(position: &Position, depth: u32, prune: bool, exact: bool) -> (Vec<Value>, u64) {
        let (mut board, mut evaluator) = (Board::new(position), evaluator());
        let (us, stones) = (position.to_move(), position.stones_left().into());
        let choices = Generator { board: &mut board, evaluator: &mut evaluator, width: 3 }.choices(us, stones);
        let mut branch =
            Branch { board: &mut board, evaluator: &mut evaluator, us, width: 3, prune, expired: &|_| false, nodes: 0 };
        let values = branch.values(&choices, depth, exact);
        let nodes = branch.nodes;
        assert_eq!(board, Board::new(position));
        (values, nodes)
    }

    /// Minimax as the pseudo-code has it, on its own.
    fn minimax(board: &mut Board, evaluator: &mut Evaluator, us: Stone, stone: Stone, deep: u32) -> i64 {
        let choices = match deep {
            4 => vec![],
            _ => Generator { board, evaluator, width: 3 }.choices(stone, 2),
        };
        if choices.is_empty() {
            return for_black(evaluator.board(board, us), us);
        }
        let scores = choices.iter().map(|turn| {
            turn.place(board, stone);
            let deeper = if turn.wins { 4 } else { deep + 1 };
            let score = minimax(board, evaluator, us, stone.other(), deeper);
            turn.remove(board, stone);
            score
        });
        let scores: Vec<i64> = scores.collect();
        let best = if stone == Stone::Black { scores.iter().max() } else { scores.iter().min() };
        *best.unwrap()
    }

    /// The report's findIndex: the first of the best.
    fn best_index(values: &[Value], stone: Stone) -> usize {
        (1..values.len())
            .fold(0, |best, n| if is_better(values[n].score, values[best].score, stone) { n } else { best })
    }

    // S0-62, S0-63, S0-65, S0-66, S0-68: depth 4, width 3, Black up, White down, by two functions that call
    // each other.
    #[test]
    fn it_is_minimax_over_three_choices_four_turns_deep() {
        for position in midgames("connect6:15", 16) {
            let us = position.to_move();
            let (mut board, mut evaluator) = (Board::new(&position), evaluator());
            let plain = minimax(&mut board, &mut evaluator, us, us, 0);
            let (values, nodes) = searched(&position, 4, false, true);
            assert_eq!(values[best_index(&values, us)].score, plain);
            assert!(nodes <= 81);
        }
        let quiet = position("connect6:15", "h8");
        let (values, nodes) = searched(&quiet, 4, false, true);
        assert_eq!((values.len(), nodes), (3, 81));
        assert!(values.iter().all(|value| value.cells.len() == 8));
    }

    // S0-64: the same value, the same choice, fewer boards.
    #[test]
    fn alpha_beta_changes_nothing_but_the_work() {
        let (mut with, mut without) = (0, 0);
        for game in ["connect6:15", "connect6:19", "connect:9,8,6,2,1"] {
            for position in midgames(game, 40) {
                let us = position.to_move();
                let (pruned, fewer) = searched(&position, 4, true, false);
                let (plain, all) = searched(&position, 4, false, true);
                let (here, there) = (best_index(&pruned, us), best_index(&plain, us));
                assert_eq!((here, &pruned[here]), (there, &plain[there]));
                let (exact, _) = searched(&position, 4, true, true);
                assert_eq!(exact, plain);
                with += fewer;
                without += all;
            }
        }
        println!("boards scored: {with} with pruning, {without} without");
        assert!(with < without);
    }

    #[test]
    fn it_gives_up_between_choices() {
        let position = position("connect6:15", "h8");
        let (mut board, mut evaluator) = (Board::new(&position), evaluator());
        let choices = Generator { board: &mut board, evaluator: &mut evaluator, width: 3 }.choices(Stone::White, 2);
        let mut branch = Branch {
            board: &mut board,
            evaluator: &mut evaluator,
            us: Stone::White,
            width: 3,
            prune: false,
            expired: &|nodes| nodes >= 40,
            nodes: 0,
        };
        assert_eq!(branch.values(&choices, 4, true).len(), 1);
        assert_eq!(branch.nodes, 40);
        assert_eq!(board, Board::new(&position));
    }
}
