//! Informed playouts: win, block, never give the other side the cell under its line, and like cells with many lines.

use lianzi_core::Random;

use super::super::board::{Cells, FourBoard, Outlook, pick};

/// Plays a position to its end and says which side wins, if one does.
pub(super) fn playout(board: &mut FourBoard, lines: &Cells<u8>, random: &mut Random) -> Option<usize> {
    loop {
        let columns = match board.outlook() {
            Outlook::Won => return Some(board.turn()),
            Outlook::Lost => return Some(board.turn() ^ 1),
            Outlook::Full => return None,
            Outlook::Open(columns) => columns,
        };
        // A stone under one's own winning cell only lets the other side block it.
        let better = columns & !board.opens(board.turn());
        let columns = if better == 0 { columns } else { better };
        let bits = random.next();
        let (one, two) = (pick(columns, bits as u16), pick(columns, (bits >> 16) as u16));
        let worth = |column: usize| lines[board.cell(column)];
        board.drop(if worth(two) > worth(one) { two } else { one });
    }
}
