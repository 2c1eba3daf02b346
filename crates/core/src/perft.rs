//! Counting games: the classic check that a referee knows exactly the legal moves.

use crate::Position;

/// How many sequences of exactly `depth` stones can be played from here. A finished game has no continuation.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal().count() as u64,
        _ => divide(position, depth).iter().map(|(_, count)| count).sum(),
    }
}

/// The same count split by the first stone.
pub fn divide(position: &mut Position, depth: u32) -> Vec<(crate::Cell, u64)> {
    let moves: Vec<_> = if depth == 0 { Vec::new() } else { position.legal().collect() };
    let count = |cell| {
        position.play(cell).expect("a legal cell can be played");
        let count = perft(position, depth - 1);
        position.undo();
        (cell, count)
    };
    moves.into_iter().map(count).collect()
}
