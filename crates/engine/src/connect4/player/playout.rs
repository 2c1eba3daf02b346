//! Informed playouts: win, block, and never give the other side the cell under its line.

use lianzi_core::Random;

use super::super::board::{Board, Columns, Outlook};

/// Plays a position to its end and says which side wins, if one does.
pub fn playout(mut board: Board, random: &mut Random) -> Option<usize> {
    loop {
        let columns = match board.outlook() {
            Outlook::Won => return Some(board.turn()),
            Outlook::Lost => return Some(board.turn() ^ 1),
            Outlook::Full => return None,
            Outlook::Open(columns) => columns,
        };
        // A stone under one's own winning cell only lets the other side block it.
        let better = columns & !board.opens(board.turn());
        board.play(pick(if better == 0 { columns } else { better }, random));
    }
}

/// One of these columns, each as likely.
#[inline]
fn pick(mut columns: Columns, random: &mut Random) -> usize {
    for _ in 0..random.below(columns.count_ones() as usize) {
        columns &= columns - 1;
    }
    columns.trailing_zeros() as usize
}
