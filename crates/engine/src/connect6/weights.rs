//! Every number the search was given rather than taught by the rules.
//!
//! What an empty cell is worth by what a stone there would make of its four lines is fitted to games the engine played
//! against itself: `lianzi dev fit` makes the file that is built in. The order of moves is set by hand.

use super::pattern::{KINDS, Star, kinds};

/// How many sets of four kinds there are.
pub(crate) const CODES: usize = 3876;

/// So many points change the odds of winning by e.
pub(crate) const SCALE: f32 = 1200.0;

/// What an empty cell is worth to a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Worth {
    /// In the evaluation, if the side is to move.
    pub moving: i16,
    /// In the evaluation, if the other is.
    pub waiting: i16,
    /// In the order of moves, as a stone of its own.
    pub own: i16,
    /// In the order of moves, as a stone that the other spoils.
    pub foreign: i16,
}

/// What is fitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// What a cell of each code is worth to the side to move, and to the other.
    pub values: Vec<[i16; 2]>,
    /// The right to move, when nothing must be hit and when one stone must.
    pub tempo: [i16; 2],
}

const MAGIC: &[u8; 4] = b"LZC1";

static BUILT_IN: &[u8] = include_bytes!("../../data/connect6.weights");

impl Weights {
    /// The weights that are built in.
    pub fn built_in() -> Weights {
        Weights::read(BUILT_IN).unwrap_or_else(Weights::by_hand)
    }

    /// Reads a file of weights.
    pub fn read(bytes: &[u8]) -> Option<Weights> {
        let numbers = bytes.strip_prefix(MAGIC)?.chunks_exact(2);
        let numbers: Vec<i16> = numbers.map(|two| i16::from_le_bytes([two[0], two[1]])).collect();
        let (tempo, values) = numbers.split_at_checked(2)?;
        (values.len() == 2 * CODES).then(|| Weights {
            values: values.chunks_exact(2).map(|two| [two[0], two[1]]).collect(),
            tempo: [tempo[0], tempo[1]],
        })
    }

    /// The file of these weights.
    pub fn bytes(&self) -> Vec<u8> {
        let numbers = self.tempo.iter().chain(self.values.iter().flatten());
        MAGIC.iter().copied().chain(numbers.flat_map(|number| number.to_le_bytes())).collect()
    }

    /// Weights set by hand, with which the first games can be played.
    pub fn by_hand() -> Weights {
        const VALUE: [i16; KINDS] = [0, 0, 0, 0, 7, 5, 15, 20, 30, 50, 150, 180, 140, 200, 400, 0];
        let mut values = vec![[0; 2]; CODES];
        for (star, code) in codes().into_iter().enumerate() {
            let value: i16 = kinds(star as Star).map(|kind| VALUE[usize::from(kind)]).iter().sum();
            values[usize::from(code)] = [value, value / 2];
        }
        Weights { values, tempo: [400, 200] }
    }
}

/// The number of each star's set of kinds: which line has which does not matter.
pub(crate) fn codes() -> Vec<u16> {
    let mut codes = vec![0; 1 << 16];
    let mut next = 0;
    for star in 0..=Star::MAX {
        let mut sorted = kinds(star);
        sorted.sort_unstable();
        let first = sorted.iter().fold(0, |star, &kind| star << 4 | Star::from(kind));
        if first == star {
            codes[usize::from(star)] = next;
            next += 1;
        }
        codes[usize::from(star)] = codes[usize::from(first)];
    }
    codes
}

/// How promising a stone on a cell is by what it makes of each line: of our own, and of the other side's, which it
/// spoils.
const ORDER: [[i32; KINDS]; 2] = [
    [0, 1, 3, 4, 7, 10, 22, 28, 24, 36, 75, 90, 80, 100, 220, 2000],
    [0, 1, 2, 3, 5, 8, 18, 23, 18, 26, 60, 72, 60, 75, 170, 0],
];

/// What the two best lines through a cell promise together beyond their sum, in percent of the lesser.
const CROSSING: i32 = 60;

fn promise(weights: &[i32; KINDS], star: Star) -> i16 {
    let mut lines = kinds(star).map(|kind| weights[usize::from(kind)]);
    lines.sort_unstable();
    (lines.iter().sum::<i32>() + lines[2] * CROSSING / 100) as i16
}

/// What each star is worth.
pub(crate) struct Worths {
    worths: Vec<Worth>,
    codes: Vec<u16>,
    /// The right to move, when nothing must be hit and when one stone must.
    pub tempo: [i32; 2],
}

impl Worths {
    /// What a cell with this star is worth.
    #[inline(always)]
    pub(crate) fn of(&self, star: Star) -> &Worth {
        &self.worths[usize::from(star)]
    }

    /// The number of its set of kinds.
    #[inline(always)]
    pub(crate) fn code(&self, star: Star) -> u16 {
        self.codes[usize::from(star)]
    }
}

/// The worths of all stars.
pub(crate) fn worths(weights: &Weights) -> Worths {
    let codes = codes();
    let worth = |star: Star| {
        let [moving, waiting] = weights.values[usize::from(codes[usize::from(star)])];
        Worth { moving, waiting, own: promise(&ORDER[0], star), foreign: promise(&ORDER[1], star) }
    };
    Worths { worths: (0..=Star::MAX).map(worth).collect(), codes, tempo: weights.tempo.map(i32::from) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_survive_their_file() {
        let weights = Weights::by_hand();
        assert_eq!(Weights::read(&weights.bytes()), Some(weights));
        assert!(Weights::read(BUILT_IN).is_some() && Weights::read(b"LZC1").is_none());
    }

    #[test]
    fn sets_of_kinds_are_numbered_without_gaps() {
        let codes = codes();
        assert_eq!(usize::from(*codes.iter().max().unwrap()) + 1, CODES);
        assert_eq!(codes[0x1234], codes[0x4321]);
    }
}
