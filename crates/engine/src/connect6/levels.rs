//! Connect6's levels. Each beats the one two below it; docs/experiments.md has the matches.

use crate::level::Handicap;

/// What holds the player back at a level from 1 to 10; 10 is its full strength.
pub fn handicap(level: u32) -> Handicap {
    let (nodes, doubt, oversight) = match level {
        0 | 1 => (300, 2000.0, 0.35),
        2 => (600, 1400.0, 0.25),
        3 => (1_200, 900.0, 0.16),
        4 => (2_500, 600.0, 0.10),
        5 => (5_000, 400.0, 0.06),
        6 => (10_000, 200.0, 0.03),
        7 => (20_000, 80.0, 0.01),
        8 => (40_000, 0.0, 0.0),
        9 => (120_000, 0.0, 0.0),
        _ => return Handicap::default(),
    };
    Handicap { nodes: Some(nodes), doubt, oversight }
}
