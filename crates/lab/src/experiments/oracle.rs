//! A second opinion on who has won, for measuring the referee.
//!
//! It shares no method with the referee: the board is a plain grid, and after every stone each straight line of
//! the whole board is read from edge to edge for a run that is long enough. Nothing is updated step by step. It
//! knows games in which longer runs win too and nothing is forbidden.

use lianzi_core::{Cell, Outcome, Rules, Stone};

/// A game as the second opinion sees it.
pub struct Oracle {
    /// Black's stones are 1, White's 2, blocked cells 3.
    grid: Vec<u8>,
    /// Every line of the board, as indexes into the grid.
    lines: Vec<Vec<usize>>,
    width: usize,
    wanted: usize,
}

impl Oracle {
    /// The empty board.
    pub fn new(rules: &Rules) -> Oracle {
        let (width, height) = (usize::from(rules.width), usize::from(rules.height));
        let mut grid = vec![0; width * height];
        for cell in rules.blocked.iter() {
            grid[usize::from(cell.row) * width + usize::from(cell.column)] = 3;
        }
        Oracle { grid, lines: lines(width, height), width, wanted: rules.line.into() }
    }

    /// Puts a stone down, unseen whether that is allowed.
    pub fn put(&mut self, cell: Cell, stone: Stone) {
        let at = usize::from(cell.row) * self.width + usize::from(cell.column);
        self.grid[at] = 1 + stone.index() as u8;
    }

    /// Who has won, from nothing but the board.
    pub fn outcome(&self) -> Option<Outcome> {
        for (mark, stone) in [(1, Stone::Black), (2, Stone::White)] {
            if self.lines.iter().any(|line| self.longest(line, mark) >= self.wanted) {
                return Some(Outcome::Win(stone));
            }
        }
        (!self.grid.contains(&0)).then_some(Outcome::Draw)
    }

    fn longest(&self, line: &[usize], mark: u8) -> usize {
        let runs = line.split(|&at| self.grid[at] != mark);
        runs.map(<[usize]>::len).max().unwrap_or(0)
    }
}

/// Rows, columns, and both kinds of diagonals: cells with equal x, y, x + y or x − y.
fn lines(width: usize, height: usize) -> Vec<Vec<usize>> {
    let key: [fn(usize, usize, usize) -> usize; 4] =
        [|_, y, _| y, |x, _, _| x, |x, y, _| x + y, |x, y, height| x + height - y];
    let mut all = Vec::new();
    for key in key {
        let mut lines = vec![Vec::new(); width + height + 1];
        for x in 0..width {
            for y in 0..height {
                lines[key(x, y, height)].push(y * width + x);
            }
        }
        all.extend(lines);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(game: &str, black: &str, white: &str) -> Option<Outcome> {
        let mut oracle = Oracle::new(&game.parse().unwrap());
        for (cells, stone) in [(black, Stone::Black), (white, Stone::White)] {
            cells.split_whitespace().for_each(|cell| oracle.put(cell.parse().unwrap(), stone));
        }
        oracle.outcome()
    }

    #[test]
    fn six_are_seen_in_every_direction() {
        for six in ["a1 b1 c1 d1 e1 f1", "o10 o11 o12 o13 o14 o15", "a1 b2 c3 d4 e5 f6", "a6 b5 c4 d3 e2 f1"] {
            assert_eq!(after("connect6:15", six, ""), Some(Outcome::Win(Stone::Black)));
            assert_eq!(after("connect6:15", "", six), Some(Outcome::Win(Stone::White)));
            let five = six.rsplit_once(' ').unwrap().0;
            assert_eq!(after("connect6:15", five, ""), None);
        }
        assert_eq!(after("connect6:15", "m1 n1 o1 a2 b2 c2", ""), None, "lines do not wrap around");
    }

    #[test]
    fn a_full_board_is_a_draw() {
        assert_eq!(after("connect:3,1,3,1,1/a1", "b1", "c1"), Some(Outcome::Draw));
    }
}
