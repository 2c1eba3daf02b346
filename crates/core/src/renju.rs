//! Renju's forbidden moves, by the definitions of the Renju International Federation.
//!
//! A *four* is one stone short of exactly five. A *straight four* is four in an unbroken row that can become five
//! at both ends. A *three* can become a straight four by one more stone, and that stone must itself be a legal
//! move that makes no five: this is where the definition is recursive. Black may not make an overline, two
//! fours or two threes with one stone, unless the same stone makes five.
//!
//! Everything turns on one observation. Whatever a stone forms in a direction contains the unbroken row through
//! it, so the only cells that can extend it are the two at the ends of that row:
//!
//! ```text
//!      p1  X X o X  p2        o  the new stone,  X  its unbroken row,  p1 p2  the two cells that can extend it
//! ```

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::board::{Board, Content};
use crate::cell::{Cell, DIRECTIONS};
use crate::{Speak, Stone, Text};

/// Why a move is forbidden to Black in renju.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Foul {
    /// Six or more in a row.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two threes at once.
    DoubleThree,
}

impl Speak for Foul {
    fn text(&self) -> Text {
        match self {
            Foul::Overline => Text::fixed("an overline", "长连禁手"),
            Foul::DoubleFour => Text::fixed("a double four", "四四禁手"),
            Foul::DoubleThree => Text::fixed("a double three", "三三禁手"),
        }
    }
}

const BLACK: Stone = Stone::Black;

/// How many levels of four cells are looked at. The only boards known to have more have whole columns of black
/// stones, which play cannot make; on the largest of them looking at every level takes minutes.
const DEEPEST: u32 = 5;

/// The foul Black would commit by playing on this empty cell.
///
/// Whether a four cell is allowed can depend on other four cells, and those on others again. One more level is
/// looked at only while the levels above leave the answer open. A foul must be shown: what is still open at the
/// deepest level is allowed.
pub(crate) fn foul(board: &mut Board, cell: Cell) -> Option<Foul> {
    (0..=DEEPEST).find_map(|depth| foul_within(board, cell, depth)).flatten()
}

/// The foul as far as `depth` levels of four cells show it; `None` if they leave it open.
fn foul_within(board: &mut Board, cell: Cell, depth: u32) -> Option<Option<Foul>> {
    with_black(board, cell, |board| {
        if board.winning_direction(cell, BLACK).is_some() {
            return Some(None);
        }
        if DIRECTIONS.iter().any(|&d| board.row_length(cell, BLACK, d) > 5) {
            return Some(Some(Foul::Overline));
        }
        if DIRECTIONS.iter().map(|&d| fours(board, cell, d)).sum::<usize>() >= 2 {
            return Some(Some(Foul::DoubleFour));
        }
        is_double_three(board, cell, depth).map(|double| double.then_some(Foul::DoubleThree))
    })
}

/// Whether the stone on `cell` makes two threes; `None` if `depth` levels leave it open.
fn is_double_three(board: &mut Board, cell: Cell, depth: u32) -> Option<bool> {
    let mut threes = 0;
    let mut open = 0;
    for direction in DIRECTIONS {
        match is_three(board, cell, direction, depth) {
            Some(true) => threes += 1,
            Some(false) => {}
            None => open += 1,
        }
        if threes == 2 {
            return Some(true);
        }
    }
    (threes + open < 2).then_some(false)
}

/// Looks at the board as if Black had a stone on this empty cell.
fn with_black<T>(board: &mut Board, cell: Cell, look: impl FnOnce(&mut Board) -> T) -> T {
    board.set(cell, Content::Stone(BLACK));
    let seen = look(board);
    board.set(cell, Content::Empty);
    seen
}

/// The empty cells, at most two, that would lengthen the row through `cell`.
fn extensions(board: &Board, cell: Cell, direction: (i8, i8)) -> [Option<Cell>; 2] {
    [-1, 1].map(|sign| {
        let reach = board.reach(cell, BLACK, direction, sign) as i8;
        cell.step(direction, sign * (reach + 1)).filter(|&end| board.is_empty(end))
    })
}

/// The extensions that make exactly five of the row through `cell`.
fn five_points(board: &Board, cell: Cell, direction: (i8, i8)) -> [Option<Cell>; 2] {
    extensions(board, cell, direction).map(|end| end.filter(|&end| board.row_length(end, BLACK, direction) == 5))
}

fn is_straight_four(board: &Board, cell: Cell, direction: (i8, i8)) -> bool {
    board.row_length(cell, BLACK, direction) == 4 && five_points(board, cell, direction).iter().all(Option::is_some)
}

/// How many fours the stone on `cell` is part of in this direction: a straight four is one, though it has two
/// points that make five; two points on either side of a shorter row (X·XXX·X) are two fours in one line.
fn fours(board: &Board, cell: Cell, direction: (i8, i8)) -> usize {
    match five_points(board, cell, direction) {
        [None, None] => 0,
        [Some(_), Some(_)] if !is_straight_four(board, cell, direction) => 2,
        _ => 1,
    }
}

/// Whether the stone on `cell` is part of a three in this direction; `None` if `depth` levels leave it open.
fn is_three(board: &mut Board, cell: Cell, direction: (i8, i8), depth: u32) -> Option<bool> {
    if fours(board, cell, direction) > 0 {
        return Some(false);
    }
    let mut answer = Some(false);
    for next in extensions(board, cell, direction).into_iter().flatten() {
        match may_make_straight_four(board, next, direction, depth) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => answer = None,
        }
    }
    answer
}

/// Whether Black may play on `next`, makes a straight four there in this direction, and no five.
fn may_make_straight_four(board: &mut Board, next: Cell, direction: (i8, i8), depth: u32) -> Option<bool> {
    let straight = with_black(board, next, |board| is_straight_four(board, next, direction));
    if !straight || board.winning_direction(next, BLACK).is_some() {
        return Some(false);
    }
    let foul = foul_within(board, next, depth.checked_sub(1)?)?;
    Some(foul.is_none())
}
