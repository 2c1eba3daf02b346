//! The levels of each family, 1 to 9. Each beats the one two below it; docs/experiments.md has the matches.

use crate::family::Family;
use crate::level::Handicap;

/// How many nodes a level may look at, how far it doubts scores, and how often it overlooks what is proven.
type Level = (u64, f64, f64);

const GOMOKU: [Level; 9] = [
    (300, 450.0, 0.42),
    (400, 350.0, 0.34),
    (500, 270.0, 0.26),
    (800, 200.0, 0.18),
    (1_500, 110.0, 0.10),
    (3_000, 60.0, 0.04),
    (8_000, 25.0, 0.01),
    (12_000, 0.0, 0.0),
    (60_000, 0.0, 0.0),
];

const CONNECT6: [Level; 9] = [
    (300, 2000.0, 0.35),
    (600, 1400.0, 0.25),
    (1_200, 900.0, 0.16),
    (2_500, 600.0, 0.10),
    (5_000, 400.0, 0.06),
    (10_000, 200.0, 0.03),
    (20_000, 80.0, 0.01),
    (40_000, 0.0, 0.0),
    (120_000, 0.0, 0.0),
];

const CONNECT_FOUR: [Level; 9] = [
    (20, 3000.0, 0.35),
    (40, 2000.0, 0.25),
    (80, 1400.0, 0.16),
    (200, 900.0, 0.10),
    (500, 600.0, 0.06),
    (1_500, 400.0, 0.03),
    (5_000, 200.0, 0.01),
    (20_000, 80.0, 0.0),
    (100_000, 0.0, 0.0),
];

/// What holds the best engine of a family back at a level from 1 to 10; 10 is its full strength.
pub(crate) fn handicap(family: Family, level: u32) -> Handicap {
    let levels = match family {
        Family::Gomoku => GOMOKU,
        Family::Connect6 => CONNECT6,
        Family::ConnectFour => CONNECT_FOUR,
        Family::Other => return Handicap::by_nodes(level),
    };
    let level = levels.get(level.saturating_sub(1) as usize);
    level.map_or_else(Handicap::default, |&(nodes, doubt, oversight)| Handicap { nodes: Some(nodes), doubt, oversight })
}
