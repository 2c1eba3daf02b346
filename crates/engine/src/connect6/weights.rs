//! Every number the search was given rather than taught by the rules, in one place so that they can be fitted.

use super::pattern::{KINDS, Star, kinds};

/// What an empty cell is worth to a side by what a stone there would make of each of the four lines.
struct Weights {
    /// For each line.
    line: [i32; KINDS],
    /// For the second best line besides.
    crossing: [i32; KINDS],
}

/// To the side to move, and to the other. Fitted on games of the engine against itself: 1200 make a side win e times
/// as often as it loses.
const CELL: [Weights; 2] = [
    Weights {
        line: [0, 0, 0, 0, 7, 0, -10, 3, 8, 24, 228, 278, 146, 297, 622, 0],
        crossing: [0, 0, 0, 0, 0, 0, 95, 114, 213, 497, 2000, 2200, 1500, 1800, 2500, 0],
    },
    Weights {
        line: [0, 0, 0, 0, 7, 5, -10, -10, 28, 51, 38, 47, 121, 83, 199, 0],
        crossing: [0, 0, 0, 0, 0, 0, 50, 30, 0, 0, 0, 0, 0, 0, 0, 0],
    },
];

/// How promising a stone on a cell is by what it makes of each line: of our own, and of the other side's, which it
/// spoils.
const ORDER: [[i32; KINDS]; 2] = [
    [0, 1, 3, 4, 7, 10, 22, 28, 24, 36, 75, 90, 80, 100, 220, 2000],
    [0, 1, 2, 3, 5, 8, 18, 23, 18, 26, 60, 72, 60, 75, 170, 0],
];

/// What the two best lines through a cell promise together beyond their sum, in percent of the lesser.
const CROSSING: i32 = 60;

/// The right to move.
pub const TEMPO: i32 = 393;

/// What an empty cell is worth to a side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worth {
    /// In the evaluation, if the side is to move.
    pub moving: i16,
    /// In the evaluation, if the other is.
    pub waiting: i16,
    /// In the order of moves, as a stone of its own.
    pub own: i16,
    /// In the order of moves, as a stone that the other spoils.
    pub foreign: i16,
}

/// What each star is worth.
pub struct Worths(Vec<Worth>);

impl Worths {
    /// What a cell with this star is worth.
    #[inline(always)]
    pub fn of(&self, star: Star) -> &Worth {
        &self.0[usize::from(star)]
    }
}

/// The worths of all stars.
pub fn worths() -> Worths {
    let worth = |star| Worth {
        moving: sum(&CELL[0], star),
        waiting: sum(&CELL[1], star),
        own: promise(&ORDER[0], star),
        foreign: promise(&ORDER[1], star),
    };
    Worths((0..=Star::MAX).map(worth).collect())
}

fn sum(weights: &Weights, star: Star) -> i16 {
    let mut lines = kinds(star).map(usize::from);
    lines.sort_unstable();
    (lines.iter().map(|&kind| weights.line[kind]).sum::<i32>() + weights.crossing[lines[2]]) as i16
}

fn promise(weights: &[i32; KINDS], star: Star) -> i16 {
    let mut lines = kinds(star).map(|kind| weights[usize::from(kind)]);
    lines.sort_unstable();
    (lines.iter().sum::<i32>() + lines[2] * CROSSING / 100) as i16
}
