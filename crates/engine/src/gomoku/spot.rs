//! The cells as the fast board numbers them, and the words its lines are kept in.
//!
//! Cells are numbered in rows of 32 with a margin of five on every side, so a step is an addition and nothing leaves
//! the board:
//!
//! ```text
//!     bit  9 8 7 6 5   4 3 2 1 0
//!          [row + 5]   [column + 5]
//! ```

use lianzi_core::{Cell, Stone, mix};

/// Cells before the first and after the last.
pub(super) const MARGIN: usize = 5;

/// How many cells are numbered.
pub(crate) const CELLS: usize = 1024;

/// A cell as the board numbers it.
pub(crate) type Spot = u16;

/// One step along each of the four lines through a cell.
pub(crate) const STEPS: [i16; 4] = [1, 32, 33, -31];

/// The spot of a cell.
pub(crate) fn spot(cell: Cell) -> Spot {
    (u16::from(cell.row) + MARGIN as u16) << 5 | (u16::from(cell.column) + MARGIN as u16)
}

/// The cell of a spot on the board.
pub fn cell(spot: Spot) -> Cell {
    Cell::new((spot & 31) as u8 - MARGIN as u8, (spot >> 5) as u8 - MARGIN as u8)
}

/// A spot some steps away.
#[inline(always)]
pub(crate) fn along(spot: Spot, direction: usize, steps: i16) -> Spot {
    spot.wrapping_add_signed(STEPS[direction] * steps) & 1023
}

/// The word a cell lies in, and its place there.
#[inline(always)]
pub(super) fn line_of(spot: Spot, direction: usize) -> (usize, usize) {
    let (row, column) = (usize::from(spot >> 5), usize::from(spot & 31));
    match direction {
        0 => (row, column),
        1 => (column, row),
        2 => ((column + 32 - row) & 63, column),
        _ => ((column + row) & 63, column),
    }
}

/// The key of the cells around a place, without the place itself.
#[inline(always)]
pub(super) fn key(line: u64, place: usize, reach: usize) -> usize {
    let around = (line >> (2 * (place - reach))) as usize;
    let low = (1 << (2 * reach)) - 1;
    around & low | (around >> 2) & (low << (2 * reach))
}

/// What the side to move adds to the number of a position.
#[inline(always)]
pub(super) fn side_key(to_move: Stone) -> u64 {
    (to_move.index() as u64).wrapping_neg()
}

/// What a stone adds to it.
#[inline(always)]
pub(super) fn stone_key(spot: Spot, stone: Stone) -> u64 {
    mix(u64::from(spot) << 1 | stone.index() as u64 | 1 << 20)
}
