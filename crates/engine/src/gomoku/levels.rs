//! The levels of five in a row. Each beats the one two below it; docs/experiments.md has the matches.

use crate::level::Handicap;

/// What holds the player back at a level from 1 to 10; 10 is its full strength.
pub fn handicap(level: u32) -> Handicap {
    let (nodes, doubt, oversight) = match level {
        0 | 1 => (300, 450.0, 0.42),
        2 => (400, 350.0, 0.34),
        3 => (500, 270.0, 0.26),
        4 => (800, 200.0, 0.18),
        5 => (1_500, 110.0, 0.10),
        6 => (3_000, 60.0, 0.04),
        7 => (8_000, 25.0, 0.01),
        8 => (12_000, 0.0, 0.0),
        9 => (60_000, 0.0, 0.0),
        _ => return Handicap::default(),
    };
    Handicap { nodes: Some(nodes), doubt, oversight }
}
