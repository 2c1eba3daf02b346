//! Which moves are tried, in which order (the document's algorithm 1).

use super::board::{Board, Index, Rows, row};

/// The free cells row by row from the top, or those near stones only, or ordered by nearness to the last moves.
pub(super) fn make_moves(board: &Board, by_distance: bool, near_stones: bool, moves: &mut Vec<Index>) {
    let mut free = board.free(near_stones);
    if near_stones && free.iter().all(|&row| row == 0) {
        // Everything left is far away: then distance says nothing, and some move must be made.
        free = board.free(false);
    }
    moves.clear();
    if by_distance {
        let mut latest = board.last_two();
        if let Some(last) = latest.next() {
            return nearest_first(&mut free, last, latest.next().unwrap_or(last), moves);
        }
    }
    for (row, &columns) in free.iter().enumerate() {
        push_row(row, columns, moves);
    }
}

/// Sorts by the least number of king steps to either cell: ring by ring, in each from the top.
fn nearest_first(free: &mut Rows, one: Index, two: Index, moves: &mut Vec<Index>) {
    let mut left: u32 = free.iter().map(|row| row.count_ones()).sum();
    let mut distance = 1;
    while left > 0 {
        let (first, second) = (columns(one, distance), columns(two, distance));
        let (top, bottom) = (row(one).min(row(two)), row(one).max(row(two)));
        let reached = free.iter_mut().enumerate().take(bottom + distance + 1).skip(top.saturating_sub(distance));
        for (y, free) in reached {
            let mut ring = if row(one).abs_diff(y) <= distance { first } else { 0 };
            ring |= if row(two).abs_diff(y) <= distance { second } else { 0 };
            ring &= *free;
            *free ^= ring;
            left -= ring.count_ones();
            push_row(y, ring, moves);
        }
        distance += 1;
    }
}

/// The columns within this distance of a cell's.
fn columns(cell: Index, distance: usize) -> u32 {
    let (column, distance) = (u32::from(cell) & 31, distance.min(31) as u32);
    let above = (2u64 << (column + distance)) - 1;
    let below = (1u64 << column.saturating_sub(distance)) - 1;
    (above & !below) as u32
}

#[inline]
fn push_row(row: usize, mut columns: u32, moves: &mut Vec<Index>) {
    while columns != 0 {
        moves.push(((row - 2) << 5) as Index | columns.trailing_zeros() as Index);
        columns &= columns - 1;
    }
}
