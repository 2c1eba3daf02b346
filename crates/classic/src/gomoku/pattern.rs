//! The six patterns and how they are counted along one line.
//!
//! The definitions build on each other, so they are written as one recursion over the nine cells centred on a
//! stone. Its 3^8 answers are kept in a table, and the counts of whole lines in a cache by the line's content:
//! the search meets the same few thousand lines over and over.

use lianzi_core::Stone;

/// What stones along one line can form, the strongest first. 眠二 is left out, as in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pattern {
    /// 连五: five or more in a row.
    Five,
    /// 活四: two cells that each complete a five.
    LiveFour,
    /// 冲四: one cell that completes a five.
    RushFour,
    /// 活三: one stone short of a live four.
    LiveThree,
    /// 眠三: one stone short of a rush four. The document's first chapter calls it 冲三; it is the same thing.
    SleepThree,
    /// 活二: one stone short of a live three.
    LiveTwo,
}

/// How many patterns of each kind each side has; eight numbers where six are used, because that is a register.
pub(super) type Counts = [[u16; 8]; 2];

/// The same along one line.
pub(super) type LineCounts = [[u8; 8]; 2];

/// A line's content: a bit per cell and side. A cell that nobody can use has both bits set:
///
/// ```text
///   bit          0 1 2 3 4 … 14 15 … 31
///   [Black]      0 1 0 1 0 …  0  1 …  1    Black on the second cell, the fourth is blocked,
///   [White]      1 0 0 1 0 …  0  1 …  1    White on the first; beyond the line all is wall.
/// ```
pub(super) type Bits = [u32; 2];

/// A pattern and the stones that form it, as bits of the nine cells; bit 4 is the centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) pattern: Option<Pattern>,
    pub(super) stones: u16,
}

const NOTHING: Found = Found { pattern: None, stones: 0 };

/// The centre of the nine cells.
const CENTRE: u16 = 1 << 4;

/// The counts of a line that was met before. The content 0 belongs to no line: a line ends in wall.
#[derive(Clone, Copy)]
struct Remembered {
    content: u64,
    counts: LineCounts,
}

/// How many lines are remembered: about the second-level cache of a processor.
const REMEMBERED_BITS: u32 = 15;

/// The answers for nine cells, and the lines met before.
pub(super) struct Book {
    found: Vec<Found>,
    /// A byte's bits read as digits of base three.
    base_three: [u16; 256],
    lines: Vec<Remembered>,
}

impl Book {
    pub(super) fn new() -> Book {
        let base_three = std::array::from_fn(read_in_base_three);
        let lines = vec![Remembered { content: 0, counts: [[0; 8]; 2] }; 1 << REMEMBERED_BITS];
        let mut book = Book { found: vec![NOTHING; 6561], base_three, lines };
        // A window's answer rests on those with one stone more.
        for stones in (0..=8).rev() {
            for own in (0..256u16).filter(|own| own.count_ones() == stones) {
                for wall in (0..256u16).filter(|wall| own & wall == 0) {
                    let index = book.index(own, wall);
                    book.found[index] = book.classify(widen(own) | CENTRE, widen(wall));
                }
            }
        }
        book
    }

    /// What the centre stone is part of, by the stones and walls among the nine cells.
    pub(super) fn at(&self, own: u16, wall: u16) -> Found {
        self.found[self.index(narrow(own), narrow(wall))]
    }

    fn index(&self, own: u16, wall: u16) -> usize {
        usize::from(self.base_three[usize::from(own)] + 2 * self.base_three[usize::from(wall)])
    }

    /// The definitions of the document (S1-29), the strongest first.
    fn classify(&self, own: u16, wall: u16) -> Found {
        let fives = stretches().filter(|stretch| own & stretch == *stretch);
        let five = fives.fold(0, |stones, stretch| stones | stretch);
        if five != 0 {
            return Found { pattern: Some(Pattern::Five), stones: five };
        }
        let fours = stretches().filter(|s| wall & s == 0 && (own & s).count_ones() == 4);
        let (points, stones) = fours.fold((0u16, 0), |(points, stones), s| (points | s & !own, stones | s & own));
        match points.count_ones() {
            0 => self.lesser(own, wall),
            1 => Found { pattern: Some(Pattern::RushFour), stones },
            _ => Found { pattern: Some(Pattern::LiveFour), stones },
        }
    }

    /// The patterns that are one stone short of another.
    fn lesser(&self, own: u16, wall: u16) -> Found {
        let next = [
            (Pattern::LiveFour, Pattern::LiveThree),
            (Pattern::RushFour, Pattern::SleepThree),
            (Pattern::LiveThree, Pattern::LiveTwo),
        ];
        let becomes = |pattern: Pattern| {
            let added = (0..9).map(|n| 1 << n).filter(|cell| (own | wall) & cell == 0);
            let after = added.map(|cell| (cell, self.at(own | cell, wall)));
            let reached = after.filter(|(_, found)| found.pattern == Some(pattern));
            reached.fold(0, |stones, (cell, found)| stones | found.stones & !cell)
        };
        let found = next.map(|(more, less)| Found { pattern: Some(less), stones: becomes(more) });
        found.into_iter().find(|found| found.stones != 0).unwrap_or(NOTHING)
    }

    /// The counts of a line, from memory when it was met before.
    #[inline]
    pub(super) fn count(&mut self, line: Bits) -> LineCounts {
        let content = u64::from(line[0]) | u64::from(line[1]) << 32;
        let slot = (content.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - REMEMBERED_BITS)) as usize;
        if self.lines[slot].content != content {
            let counts = Stone::BOTH.map(|stone| self.count_side(line, stone));
            self.lines[slot] = Remembered { content, counts };
        }
        self.lines[slot].counts
    }

    /// One side's patterns along a line: every stone in order, except those that are part of one already (S1-31).
    fn count_side(&self, line: Bits, stone: Stone) -> [u8; 8] {
        let own = line[stone.index()] & !line[stone.other().index()];
        // Four walls at each end, so that every stone has nine cells around it.
        let wall = u64::from(line[stone.other().index()]) << 4 | 0xf | 0xf << 36;
        let stones = u64::from(own) << 4;
        let (mut counts, mut recorded, mut left) = ([0; 8], 0u64, u64::from(own));
        while left != 0 {
            let at = left.trailing_zeros();
            let found = self.at((stones >> at) as u16 & 0x1ff, (wall >> at) as u16 & 0x1ff);
            if let Some(pattern) = found.pattern {
                counts[pattern as usize] += 1;
                recorded |= u64::from(found.stones) << at >> 4;
            }
            left &= left - 1;
            left &= !recorded;
        }
        counts
    }
}

fn read_in_base_three(byte: usize) -> u16 {
    (0..8).rev().fold(0, |sum, bit| sum * 3 + (byte >> bit & 1) as u16)
}

/// The five stretches of five among nine cells: all of them hold the centre.
fn stretches() -> impl Iterator<Item = u16> {
    (0..5).map(|n| 0b11111 << n)
}

/// Leaves the centre out of nine bits.
fn narrow(nine: u16) -> u16 {
    nine & 0xf | nine >> 1 & 0xf0
}

/// Makes room for the centre among eight bits.
fn widen(eight: u16) -> u16 {
    eight & 0xf | (eight & 0xf0) << 1
}
