//! The levels of each family, 1 to 9, evenly spaced: `lianzi bench levels` measures them, docs/players.md has the table.

use crate::family::Family;
use crate::level::Handicap;

/// How many nodes a level may look at, among how many turns it chooses, how far it doubts scores, how surely it sees one
/// stone further, and how often it slips.
type Level = (u64, usize, f64, f64, f64);

const GOMOKU: [Level; 9] = [
    (250, 6, 45.0, 0.92, 0.0),
    (350, 6, 27.0, 0.95, 0.0),
    (480, 6, 21.0, 0.967, 0.0),
    (800, 6, 16.0, 0.978, 0.0),
    (1_800, 6, 10.5, 0.989, 0.0),
    (3_500, 5, 6.0, 0.995, 0.0),
    (4_500, 2, 3.0, 0.998, 0.0),
    (25_000, 1, 0.0, 1.0, 0.0),
    (120_000, 1, 0.0, 1.0, 0.0),
];

const CONNECT6: [Level; 9] = [
    (300, 8, 500.0, 0.88, 0.36),
    (300, 8, 420.0, 0.9, 0.27),
    (400, 8, 300.0, 0.93, 0.19),
    (550, 8, 220.0, 0.955, 0.12),
    (900, 8, 150.0, 0.975, 0.05),
    (1_500, 6, 100.0, 0.985, 0.02),
    (4_000, 4, 60.0, 0.995, 0.005),
    (20_000, 1, 0.0, 1.0, 0.0),
    (100_000, 1, 0.0, 1.0, 0.0),
];

const CONNECT_FOUR: [Level; 9] = [
    (70, 16, 2500.0, 0.76, 0.0),
    (140, 16, 1500.0, 0.85, 0.0),
    (200, 16, 1000.0, 0.9, 0.0),
    (350, 16, 450.0, 0.955, 0.0),
    (800, 16, 240.0, 0.977, 0.0),
    (1_500, 16, 140.0, 0.988, 0.0),
    (4_000, 16, 60.0, 0.996, 0.0),
    (20_000, 1, 0.0, 1.0, 0.0),
    (120_000, 1, 0.0, 1.0, 0.0),
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
    level.map_or_else(Handicap::default, |&(nodes, choice, doubt, sight, slip)| Handicap {
        nodes: Some(nodes),
        choice,
        doubt,
        sight,
        slip,
    })
}
