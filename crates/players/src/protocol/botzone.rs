//! Botzone's JSON for Gomoku (`x`, `y`) and Connect6 (`x0`, `y0`, `x1`, `y1`): numbers from 0, from the top left, and
//! −1 for a stone that is missing. [`from_corner`] flips the rows.

use lianzi_core::{Cell, Rules};
use serde::{Deserialize, Serialize};

use super::cells::{from_corner, to_corner};

/// The whole game as the judge sends it each turn: what the other side did, and what we answered.
#[derive(Clone, Debug, Deserialize)]
pub struct Envelope {
    /// The other side's turns; the last one is to be answered.
    pub requests: Vec<Turn>,
    /// Our turns.
    #[serde(default)]
    pub responses: Vec<Turn>,
}

/// A turn of either game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Turn {
    /// Two stones, of which Black's first turn has one.
    Two {
        /// Column of the first stone.
        x0: i64,
        /// Row of the first stone.
        y0: i64,
        /// Column of the second stone.
        x1: i64,
        /// Row of the second stone.
        y1: i64,
    },
    /// One stone.
    One {
        /// Column.
        x: i64,
        /// Row.
        y: i64,
    },
}

/// Our answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Response {
    /// The turn.
    pub response: Turn,
}

impl Turn {
    /// The stones of the turn, without those that are missing; the numbers of one that is off the board are an error.
    pub fn cells(self, rules: &Rules) -> Result<Vec<Cell>, (i64, i64)> {
        let pairs = match self {
            Turn::One { x, y } => vec![(x, y)],
            Turn::Two { x0, y0, x1, y1 } => vec![(x0, y0), (x1, y1)],
        };
        let there = pairs.into_iter().filter(|&pair| pair != (-1, -1));
        there.map(|(x, y)| from_corner(x, y, rules).ok_or((x, y))).collect()
    }

    /// Writes the stones of a turn as the game wants it.
    pub fn of(cells: &[Cell], rules: &Rules) -> Turn {
        let pair = |n: usize| {
            let pair = cells.get(n).map(|&cell| to_corner(cell, rules));
            pair.map_or((-1, -1), |(x, y)| (i64::from(x), i64::from(y)))
        };
        let ((x0, y0), (x1, y1)) = (pair(0), pair(1));
        if rules.per_turn == 1 { Turn::One { x: x0, y: y0 } } else { Turn::Two { x0, y0, x1, y1 } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_read_and_write() {
        let rules = Rules::connect6(15);
        let read = |text| serde_json::from_str::<Turn>(text).unwrap();
        let write = |turn: Turn| serde_json::to_string(&Response { response: turn }).unwrap();
        let first = read(r#"{"x0":7,"y0":0,"x1":-1,"y1":-1}"#);
        assert_eq!(first.cells(&rules), Ok(vec!["h15".parse().unwrap()]));
        assert_eq!(write(first), r#"{"response":{"x0":7,"y0":0,"x1":-1,"y1":-1}}"#);
        assert_eq!(Turn::of(&first.cells(&rules).unwrap(), &rules), first);
        let gomoku = Rules::gomoku(15);
        assert_eq!(read(r#"{"x":-1,"y":-1}"#).cells(&gomoku), Ok(vec![]));
        assert_eq!(read(r#"{"y":15,"x":3}"#).cells(&gomoku), Err((3, 15)));
        let a1: Cell = "a1".parse().unwrap();
        assert_eq!(write(Turn::of(&[a1], &gomoku)), r#"{"response":{"x":0,"y":14}}"#);
    }
}
