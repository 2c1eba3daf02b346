//! What shapes are worth: to the evaluation, and to the order of moves.
//!
//! Two tables of values, one for the side to move and one for the other, count for every empty cell what a stone
//! there would make; a third counts what both sides threaten together. Two tables of scores order the cells. All are
//! fitted to games the engine played against itself: `lianzi dev fit` makes the files that are built in. Before there
//! were any, a table set by hand played the first games; [`Weights::by_hand`] still can.

use lianzi_core::{Forbidden, Overline, Rules};

use super::kind::{CODES, KINDS, Kind, code, kind, unpack};
use super::shape::{SHAPES, Shape};
use crate::family::Family;

/// So many points change the odds of winning by e.
pub(crate) const SCALE: f64 = Family::Gomoku.points() as f64;

/// Values are kept in so many parts of a point.
pub(crate) const PARTS: i32 = 16;

/// How many sets of threats the initiative tells apart.
pub(crate) const MASKS: usize = 1 << 12;

/// What a set of four shapes on an empty cell is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worth {
    /// To the evaluation when its side is to move, in parts of a point.
    pub lead: i16,
    /// When the other side is.
    pub lag: i16,
    /// To the order of moves: for a stone of its side, in points.
    pub attack: i16,
    /// For a stone of the other side.
    pub defence: i16,
}

/// The weights of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// By code: for both sides, or for Black and then White where the rules differ for them.
    pub worths: Vec<Worth>,
    /// What threats add for the side to move, in points, by mask.
    pub initiative: Vec<i16>,
}

const MAGIC: &[u8; 4] = b"LZG1";

impl Weights {
    /// The weights of a game as they are built in.
    pub fn of(rules: &Rules) -> Weights {
        let built_in: &[u8] = match (rules.forbidden, rules.overline) {
            (Forbidden::Renju, _) => RENJU,
            (_, Overline::Ignored) => STANDARD,
            _ => FREE,
        };
        Weights::read(built_in).unwrap_or_else(|| Weights::by_hand(sides(rules)))
    }

    /// Where White's codes begin.
    pub fn white(&self) -> usize {
        self.worths.len() - CODES
    }

    /// Reads a file of weights.
    pub fn read(bytes: &[u8]) -> Option<Weights> {
        let numbers = bytes.strip_prefix(MAGIC)?;
        let numbers: Vec<i16> = numbers.chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]])).collect();
        let (initiative, worths) = numbers.split_at_checked(MASKS)?;
        let worth = |four: &[i16]| Worth { lead: four[0], lag: four[1], attack: four[2], defence: four[3] };
        let whole = [4 * CODES, 8 * CODES].contains(&worths.len());
        whole.then(|| Weights { worths: worths.chunks_exact(4).map(worth).collect(), initiative: initiative.to_vec() })
    }

    /// The file of these weights.
    pub fn bytes(&self) -> Vec<u8> {
        let worths = self.worths.iter().flat_map(|worth| [worth.lead, worth.lag, worth.attack, worth.defence]);
        let numbers = self.initiative.iter().copied().chain(worths);
        MAGIC.iter().copied().chain(numbers.flat_map(i16::to_le_bytes)).collect()
    }

    /// Weights set by hand, for one or two sides.
    pub fn by_hand(sides: usize) -> Weights {
        let mut worths = vec![Worth::default(); CODES * sides];
        for word in 0..=u16::MAX {
            let shapes = unpack(word);
            for side in 0..sides {
                worths[code(shapes) + side * CODES] = worth_by_hand(shapes, sides == 2 && side == 0);
            }
        }
        Weights { worths, initiative: (0..MASKS).map(initiative_by_hand).collect() }
    }
}

/// Whether the rules differ for the sides.
pub(crate) fn sides(rules: &Rules) -> usize {
    if rules.forbidden == Forbidden::Renju { 2 } else { 1 }
}

/// The threats of both sides as a mask: six bits for the side to move, six for the other.
#[inline(always)]
pub(crate) fn mask(own: &[u8; KINDS], other: &[u8; KINDS]) -> usize {
    let at = |counts: &[u8; KINDS], kind: Kind| counts[kind as usize];
    let mut mask = 0;
    for (n, kind) in (0..).zip(OWN_THREATS) {
        mask |= usize::from(at(own, kind) > 0) << n;
    }
    mask |= usize::from(at(other, Kind::Three) | at(other, Kind::ThreePlus) > 0) << 6;
    mask |= usize::from(at(other, Kind::Threes) > 0) << 7;
    mask |= usize::from(at(other, Kind::Four) | at(other, Kind::FourPlus) > 0) << 8;
    mask |= usize::from(at(other, Kind::FourThree) > 0) << 9;
    mask |= usize::from(at(other, Kind::OpenFour) > 0) << 10;
    mask |= usize::from(at(other, Kind::OpenFour) > 3) << 11;
    mask
}

const OWN_THREATS: [Kind; 6] =
    [Kind::Three, Kind::ThreePlus, Kind::Threes, Kind::Four, Kind::FourPlus, Kind::FourThree];

fn initiative_by_hand(mask: usize) -> i16 {
    let has = |n: usize| mask >> n & 1 == 1;
    let points = |bits: &[(usize, i16)]| bits.iter().find(|(bit, _)| has(*bit)).map_or(0, |&(_, points)| points);
    let own = points(&[(5, 260), (2, 130), (1, 50), (0, 25)]);
    let other = points(&[(11, 130), (10, 90), (9, 70), (7, 30)]);
    20 + own - other
}

fn worth_by_hand(shapes: [Shape; 4], fouls: bool) -> Worth {
    const VALUE: [i16; SHAPES] = [0, 1, 2, 5, 9, 11, 12, 12, 26, 30, 24, 24, 70, 90, 0];
    const ATTACK: [i16; SHAPES] = [0, 1, 4, 9, 24, 29, 33, 26, 64, 72, 60, 60, 400, 900, 0];
    const DEFENCE: [i16; SHAPES] = [0, 0, 2, 6, 16, 20, 23, 17, 44, 52, 40, 40, 300, 800, 0];
    let kind = kind(shapes, fouls);
    let sum = |weights: &[i16; SHAPES]| shapes.iter().map(|&shape| weights[shape as usize]).sum::<i16>();
    let [value, attack, defence] = match kind {
        Kind::None | Kind::Foul | Kind::Two | Kind::Three | Kind::Four => [0, 0, 0],
        Kind::Twos => [6, 12, 8],
        Kind::ThreePlus => [16, 40, 24],
        Kind::Threes => [40, 110, 70],
        Kind::FourPlus => [14, 40, 24],
        Kind::FourThree => [70, 220, 150],
        Kind::OpenFour => [60, 300, 260],
        Kind::Five => [0, 3000, 2000],
    };
    // Black's fouls are cells that only White can use.
    let share = if kind == Kind::Foul { 4 } else { 1 };
    let value = (sum(&VALUE) + value) / share * PARTS as i16;
    Worth {
        lead: value,
        lag: value,
        attack: (sum(&ATTACK) + attack) / share,
        defence: (sum(&DEFENCE) + defence) / share,
    }
}

static FREE: &[u8] = include_bytes!("../../data/gomoku/free.weights");
static STANDARD: &[u8] = include_bytes!("../../data/gomoku/standard.weights");
static RENJU: &[u8] = include_bytes!("../../data/gomoku/renju.weights");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_survive_their_file() {
        for sides in [1, 2] {
            let weights = Weights::by_hand(sides);
            assert_eq!(Weights::read(&weights.bytes()), Some(weights));
        }
        assert_eq!(Weights::read(b"LZG1"), None);
        assert_eq!(Weights::read(b"something else"), None);
    }
}
