//! Every weight of the evaluation and of the order of moves, in one place.
//!
//! Values are in hundredths of what a tempo is worth, roughly; [`SCALE`] of them change the odds of winning by e.

use super::kind::{Kind, kind};
use super::shape::{SHAPES, Shape};

/// So many points change the odds of winning by e.
pub const SCALE: f64 = 200.0;

/// What an empty cell is worth to the side that would make these shapes there: one line.
const VALUE: [i32; SHAPES] = [0, 1, 2, 5, 9, 11, 12, 12, 26, 30, 24, 24, 70, 90, 0];

/// The same for the order of moves: what a stone gains by making the shape.
const ATTACK: [i32; SHAPES] = [0, 1, 4, 9, 24, 29, 33, 26, 64, 72, 60, 60, 400, 900, 0];

/// And what it gains by taking it from the other side.
const DEFENCE: [i32; SHAPES] = [0, 0, 2, 6, 16, 20, 23, 17, 44, 52, 40, 40, 300, 800, 0];

/// What a cell's kind adds to its lines: value, attack, defence.
const fn together(kind: Kind) -> [i32; 3] {
    match kind {
        Kind::None | Kind::Foul | Kind::Two | Kind::Three | Kind::Four => [0, 0, 0],
        Kind::Twos => [6, 12, 8],
        Kind::ThreePlus => [16, 40, 24],
        Kind::Threes => [40, 110, 70],
        Kind::FourPlus => [14, 40, 24],
        Kind::FourThree => [70, 220, 150],
        Kind::OpenFour => [60, 300, 260],
        Kind::Five => [0, 3000, 2000],
    }
}

/// What a set of four shapes means on an empty cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meaning {
    /// What a stone would threaten.
    pub kind: Kind,
    /// What the cell is worth to the evaluation.
    pub value: i16,
    /// What a stone of the own side gains here.
    pub attack: i16,
    /// What a stone of the other side gains by taking the cell.
    pub defence: i16,
}

impl Meaning {
    /// The meaning of these shapes for a side that has to mind fouls, or not.
    pub fn of(shapes: [Shape; 4], fouls: bool) -> Meaning {
        let kind = kind(shapes, fouls);
        let sum = |weights: &[i32; SHAPES]| shapes.iter().map(|&shape| weights[shape as usize]).sum::<i32>();
        let [value, attack, defence] = together(kind);
        // Black's fouls are cells that only White can use.
        let share = if kind == Kind::Foul { 4 } else { 1 };
        Meaning {
            kind,
            value: ((sum(&VALUE) + value) / share) as i16,
            attack: ((sum(&ATTACK) + attack) / share) as i16,
            defence: ((sum(&DEFENCE) + defence) / share) as i16,
        }
    }
}

/// What the right to move is worth, given what both sides threaten.
pub fn initiative(own: &[u8], other: &[u8]) -> i32 {
    let has = |counts: &[u8], kind: Kind| counts[kind as usize] > 0;
    let mut points = 20;
    // Threats that the side to move can carry out at once.
    points += match () {
        _ if has(own, Kind::FourThree) => 260,
        _ if has(own, Kind::Threes) => 130,
        _ if has(own, Kind::FourPlus) && has(own, Kind::ThreePlus) => 70,
        _ if has(own, Kind::ThreePlus) => 50,
        _ if has(own, Kind::Three) => 25,
        _ => 0,
    };
    // Threats that it has to stop first.
    points -= match () {
        _ if has(other, Kind::OpenFour) && has(other, Kind::FourThree) => 160,
        _ if has(other, Kind::OpenFour) => 90,
        _ if has(other, Kind::FourThree) => 70,
        _ if has(other, Kind::Threes) => 30,
        _ => 0,
    };
    points
}
