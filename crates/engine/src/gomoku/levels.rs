//! The levels of five in a row. Each beats the one two below it; docs/experiments.md has the matches.

use crate::level::Handicap;

/// What holds the player back at a level from 1 to 10; 10 is its full strength.
pub fn handicap(level: u32) -> Handicap {
    let (nodes, doubt, oversight) = match level {
        0 | 1 => (300, 400.0, 0.40),
        2 => (400, 280.0, 0.30),
        3 => (600, 200.0, 0.20),
        4 => (1_000, 140.0, 0.12),
        5 => (2_000, 90.0, 0.07),
        6 => (4_000, 50.0, 0.03),
        7 => (8_000, 20.0, 0.01),
        8 => (10_000, 0.0, 0.0),
        9 => (60_000, 0.0, 0.0),
        _ => return Handicap::default(),
    };
    Handicap { nodes: Some(nodes), doubt, oversight }
}
