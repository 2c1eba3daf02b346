//! Stones as bits, one word per row, column and diagonal, so that a line is found without looking at cells.

use lianzi_core::{Rules, Stone};

use super::Spot;

/// How many words one side has.
pub(super) const WORDS: usize = 192;

/// The stones of both sides.
///
/// ```text
///     word    0 …  30   row r              bit c: the stone in column c
///     word   32 …  62   column c           bit r: the stone in row r
///     word   64 … 126   diagonal c − r     bit c      (word 95 + c − r)
///     word  128 … 188   diagonal c + r     bit c      (word 128 + c + r)
/// ```
///
/// Bit 31 is never set: no side is longer than 31. Blocks of 32 and 64 words let the compiler see that no index
/// can be out of bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    words: [[u32; WORDS]; 2],
}

/// The four words that cross a spot, in the order of `DIRECTIONS`.
pub(super) const fn crossing(spot: Spot) -> [usize; 4] {
    let (column, row) = (spot.column(), spot.row());
    [row, 32 + column, 64 + ((column + 31 - row) & 63), 128 + ((column + row) & 63)]
}

/// Where the spot lies in each of those words.
pub(super) const fn places(spot: Spot) -> [u32; 4] {
    let (column, row) = (spot.column() as u32, spot.row() as u32);
    [column, row, column, column]
}

/// What no stone can take, in the same words: blocked cells and everything off the board.
pub(super) fn walls(rules: &Rules) -> [u32; WORDS] {
    let mut walls = [u32::MAX; WORDS];
    for cell in rules.cells().filter(|&cell| !rules.blocked.contains(cell)) {
        let (crossing, places) = (crossing(cell.into()), places(cell.into()));
        for n in 0..4 {
            walls[crossing[n]] &= !(1 << places[n]);
        }
    }
    walls
}

impl Lines {
    /// No stones.
    pub(crate) const fn new() -> Lines {
        Lines { words: [[0; WORDS]; 2] }
    }

    /// Puts a stone down and returns the four words that cross it.
    #[inline]
    pub(crate) fn put(&mut self, spot: Spot, stone: Stone) -> [u32; 4] {
        let words = &mut self.words[stone.index()];
        let (crossing, places) = (crossing(spot), places(spot));
        std::array::from_fn(|n| {
            words[crossing[n]] |= 1 << places[n];
            words[crossing[n]]
        })
    }

    /// Takes a stone off.
    pub(crate) fn take(&mut self, spot: Spot, stone: Stone) {
        let (crossing, places) = (crossing(spot), places(spot));
        for n in 0..4 {
            self.words[stone.index()][crossing[n]] &= !(1 << places[n]);
        }
    }

    /// The four words that would cross a stone put down here.
    #[inline]
    pub(crate) fn with(&self, spot: Spot, stone: Stone) -> [u32; 4] {
        let (crossing, places) = (crossing(spot), places(spot));
        std::array::from_fn(|n| self.words[stone.index()][crossing[n]] | 1 << places[n])
    }

    /// One word of one side.
    #[inline]
    pub(super) const fn word(&self, stone: Stone, word: usize) -> u32 {
        self.words[stone.index()][word]
    }

    /// The stones of a row, of both sides.
    pub(crate) const fn row(&self, row: usize) -> u32 {
        self.words[0][row] | self.words[1][row]
    }

    /// The stones of a column, of both sides.
    pub(crate) const fn column(&self, column: usize) -> u32 {
        self.words[0][32 + column] | self.words[1][32 + column]
    }
}

impl Default for Lines {
    fn default() -> Lines {
        Lines::new()
    }
}

/// What each side must complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Goal {
    /// Shifting a word onto itself by these leaves a bit at the start of each row that is long enough.
    shifts: [u32; 5],
    steps: usize,
    /// Whether a longer row is worth nothing to this side.
    exact: [bool; 2],
}

impl Goal {
    /// The goal of a game.
    pub(crate) fn new(rules: &Rules) -> Goal {
        let (line, mut have) = (u32::from(rules.line), 1);
        let mut goal = Goal { shifts: [0; 5], steps: 0, exact: [false; 2] };
        while have < line {
            // Rows of `have` that begin `shift` apart make rows of `have + shift`.
            let shift = have.min(line - have);
            goal.shifts[goal.steps] = shift;
            goal.steps += 1;
            have += shift;
        }
        goal.exact = Stone::BOTH.map(|stone| !rules.wins(stone, rules.line + 1));
        goal
    }

    /// Whether the stone just put into these four words completed a line. It may rely on there being none before.
    ///
    /// Two words go into one of 64 bits: bit 31 is never set, so nothing that is shifted from the upper half into
    /// the lower one meets a set bit there.
    #[inline]
    pub(crate) fn met(&self, words: [u32; 4], stone: Stone) -> bool {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let (mut straight, mut slanted) = (pair(words[0], words[1]), pair(words[2], words[3]));
        for shift in &self.shifts[..self.steps] {
            straight &= straight >> shift;
            slanted &= slanted >> shift;
        }
        if self.exact[stone.index()] {
            // A row one too long leaves two starts side by side.
            straight &= !(straight << 1 | straight >> 1);
            slanted &= !(slanted << 1 | slanted >> 1);
        }
        straight | slanted != 0
    }
}

/// The first and last place of the unbroken row through `place`, which counts as set.
#[inline]
pub(super) const fn row_through(word: u32, place: u32) -> (u32, u32) {
    let word = word | 1 << place;
    let above = (word >> place).trailing_ones();
    let below = (word << (31 - place)).leading_ones();
    (place + 1 - below, place + above - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_met_by_rows_of_the_right_length() {
        for line in 1..=31u8 {
            let open = Goal::new(&Rules::connect(31, 31, line, 1, 1));
            let exact = Goal { exact: [true; 2], ..open.clone() };
            for length in 1..=31 {
                for low in 0..=31 - length {
                    let row = ((1u64 << length) - 1) as u32;
                    for n in 0..4 {
                        let mut words = [0; 4];
                        words[n] = row << low;
                        assert_eq!(open.met(words, Stone::Black), length >= u32::from(line));
                        assert_eq!(exact.met(words, Stone::White), length == u32::from(line));
                    }
                }
            }
        }
    }

    #[test]
    fn neighbouring_words_never_join() {
        let goal = Goal::new(&Rules::connect(31, 31, 6, 2, 1));
        // Three at the top of one word and three at the bottom of the next.
        assert!(!goal.met([7 << 28, 7, 7 << 28, 7], Stone::Black));
    }

    #[test]
    fn a_row_ends_where_its_stones_do() {
        assert_eq!(row_through(0b0110_1100, 3), (2, 3));
        assert_eq!(row_through(0b0110_1100, 4), (2, 6));
        assert_eq!(row_through(0, 0), (0, 0));
        assert_eq!(row_through(u32::MAX >> 1, 30), (0, 30));
    }
}
