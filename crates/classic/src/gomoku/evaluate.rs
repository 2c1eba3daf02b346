//! What a position is worth: the document's table 2.
//!
//! The table is written for "Black moved last". Here its Black is whoever moved last and its White is the side
//! to move, so that the mirrored table needs no second text.

use lianzi_core::Stone;

use super::board::Board;
use super::pattern::{Counts, Pattern};

/// A five, the largest weight of the table.
pub(super) const FIVE: i32 = 1_000_000;

/// The value for the side that moved last. If both sides have a five, stones are taken back until one has.
#[inline]
pub(super) fn evaluate(board: &mut Board) -> i32 {
    let last = board.to_move().other();
    if board.has_five(Stone::Black) && board.has_five(Stone::White) {
        return if first_five(board) == last { FIVE } else { -FIVE };
    }
    value(board.counts(), last)
}

/// Who had a five first: the stones are taken back one by one, then put again. The search ends at every five
/// and so never comes here, which changes no value.
fn first_five(board: &mut Board) -> Stone {
    let last = board.to_move().other();
    let mut taken = Vec::new();
    let both = |board: &Board| board.has_five(Stone::Black) && board.has_five(Stone::White);
    while both(board) && board.played() > 0 {
        taken.extend(board.take_back());
    }
    let first = if board.has_five(last) { last } else { last.other() };
    while let Some(cell) = taken.pop() {
        board.put(cell);
    }
    first
}

/// Table 2, the must-win rows from the largest weight down, the first that fits (S1-35 to S1-44).
#[inline]
fn value(counts: &Counts, last: Stone) -> i32 {
    let black = |pattern: Pattern| i32::from(counts[last.index()][pattern as usize]);
    let white = |pattern: Pattern| i32::from(counts[last.other().index()][pattern as usize]);
    use Pattern::*;
    if black(Five) > 0 {
        return FIVE;
    }
    if white(Five) > 0 {
        return -FIVE;
    }
    if white(LiveFour) > 0 {
        return -9050;
    }
    if white(RushFour) > 0 {
        return -9040;
    }
    // Two rush fours are as good as a live one: both cannot be stopped.
    if black(LiveFour) > 0 || black(RushFour) > 1 {
        return 9030;
    }
    if black(RushFour) > 0 && black(LiveThree) > 0 {
        return 9020;
    }
    if black(RushFour) == 0 && white(LiveThree) > 0 {
        return -9010;
    }
    if black(LiveThree) > 1 && white(LiveThree) + white(SleepThree) == 0 {
        return 9000;
    }
    // The printed table gives six numbers, 400 400 100 80 80 40, and calls the second 白眠三. The authors' program
    // has 白活三 400 and 白眠三 100, and a live three of the side to move must weigh more than a sleeping one: so
    // the 100 stands for 黑活三 and 白眠三 both, and each kind is worth one step more to the side to move.
    400 * black(RushFour) - 400 * white(LiveThree)
        + 100 * (black(LiveThree) - white(SleepThree))
        + 80 * (black(SleepThree) - white(LiveTwo))
        + 40 * black(LiveTwo)
}
