//! What the search learns about cells while it runs.

use lianzi_core::Stone;

use super::spot::{CELLS, Spot};
use super::weights::MASKS;

/// How often quiet cells were best before, and how far off the evaluation was.
pub(crate) struct History {
    cells: [[i16; CELLS]; 2],
    /// How far off the evaluation was.
    pub errors: Errors,
}

impl Default for History {
    fn default() -> History {
        History { cells: [[0; CELLS]; 2], errors: Errors::default() }
    }
}

impl History {
    /// The highest a cell can get.
    const MOST: i32 = 8192;

    /// A cell's number.
    pub(crate) fn get(&self, stone: Stone, spot: Spot) -> i32 {
        i32::from(self.cells[stone.index()][usize::from(spot)])
    }

    /// Moves a cell's number towards the limit that the bonus points to.
    pub(crate) fn add(&mut self, stone: Stone, spot: Spot, bonus: i32) {
        let entry = &mut self.cells[stone.index()][usize::from(spot)];
        let old = i32::from(*entry);
        *entry = (old + bonus - old * bonus.abs() / History::MOST) as i16;
    }

    /// Trusts what was learnt of cells less: another position comes.
    pub(crate) fn fade(&mut self) {
        self.cells.iter_mut().flatten().for_each(|entry| *entry /= 2);
    }
}

/// How much too low positions were evaluated, by what they have in common: the threats of both sides, and where the
/// last stone lies.
pub(crate) struct Errors {
    threats: [[i16; MASKS]; 2],
    last: [[i16; CELLS]; 2],
}

/// What a position has in common with others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trait {
    /// The side to move.
    pub stone: Stone,
    /// The threats of both sides.
    pub threats: usize,
    /// The last stone.
    pub last: Spot,
}

impl Default for Errors {
    fn default() -> Errors {
        Errors { threats: [[0; MASKS]; 2], last: [[0; CELLS]; 2] }
    }
}

impl Errors {
    /// Errors are kept in so many parts of a point.
    const PARTS: i32 = 16;
    /// The largest error that counts, in points.
    const MOST: i32 = 256;

    /// The mean errors of positions with these traits, by threats and by the last stone, each taken so many
    /// sixty-fourths, in points.
    pub(crate) fn get(&self, of: Trait, weights: [i32; 2]) -> i32 {
        let threats = self.threats[of.stone.index()][of.threats];
        let last = self.last[of.stone.index()][usize::from(of.last)];
        (i32::from(threats) * weights[0] + i32::from(last) * weights[1]) / (64 * Errors::PARTS)
    }

    /// Moves the means towards an error that a search of this depth showed.
    pub(crate) fn add(&mut self, of: Trait, error: i32, depth: i32) {
        let error = error.clamp(-Errors::MOST, Errors::MOST) * Errors::PARTS;
        let threats = &mut self.threats[of.stone.index()][of.threats];
        for mean in [threats, &mut self.last[of.stone.index()][usize::from(of.last)]] {
            let old = i32::from(*mean);
            *mean = (old + (error - old) * (depth + 1).min(16) / 128) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_learnt_and_stay_within_bounds() {
        let mut errors = Errors::default();
        let here = Trait { stone: Stone::Black, threats: 5, last: 77 };
        (0..1000).for_each(|_| errors.add(here, 40, 6));
        assert!((19..=20).contains(&errors.get(here, [32, 0])), "{}", errors.get(here, [32, 0]));
        assert_eq!(errors.get(Trait { stone: Stone::White, ..here }, [64, 64]), 0);
        (0..1000).for_each(|_| errors.add(here, -30_000, 60));
        assert!((-257..=-250).contains(&errors.get(here, [64, 0])), "{}", errors.get(here, [64, 0]));
    }
}
