//! The board: for each window of six both sides' counts, for each empty cell what a stone would make of its lines.
//!
//! Everything is kept up with each stone, so a search may put and take millions. Stones are taken in the reverse order
//! of putting them.

use std::sync::Arc;

use lianzi_core::{Content, Position};

use super::network::Eye;
use super::pattern::Star;
use super::shape::{Place, Shape};

/// One stone of each side in a window's count.
const STEP: [u8; 2] = [1, 8];

/// The side whose threat a window is: at least four of its stones and none of the other's.
const fn threat_of(count: u8) -> Option<usize> {
    match count {
        4..=6 => Some(0),
        32 | 40 | 48 => Some(1),
        _ => None,
    }
}

const THREATS: [Option<usize>; 64] = {
    let mut table = [None; 64];
    let mut count = 0;
    while count < 64 {
        table[count] = threat_of(count as u8);
        count += 1;
    }
    table
};

/// Marks of cells.
pub(super) const EMPTY: u8 = 2;
const BLOCKED: u8 = 3;

/// A key for whose turn it is, and how many stones it has left.
const TURN_KEYS: [[u64; 3]; 2] =
    [[0, 0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03], [0, 0x8cb9_2ba7_2f3d_8dd7, 0xa24b_aed4_963e_e407]];

/// What of a side the board sums up over all empty cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    /// What the cells are worth if it is to move.
    pub moving: i32,
    /// What they are worth if it is not.
    pub waiting: i32,
}

/// A position, with sides 0 for Black and 1 for White.
#[derive(Clone)]
pub(crate) struct SixBoard {
    /// What never changes.
    pub shape: Arc<Shape>,
    /// Who is to move.
    pub turn: usize,
    /// How many stones the turn has left, 1 or 2.
    pub left: u8,
    /// How many cells are empty.
    pub free: usize,
    marks: Vec<u8>,
    counts: Vec<u8>,
    threats: [Vec<u16>; 2],
    /// Where a window stands in the list of threats.
    listed: Vec<u16>,
    codes: [Vec<u16>; 2],
    stars: [Vec<Star>; 2],
    sums: [Sums; 2],
    /// What the sums were before each stone.
    before: Vec<[Sums; 2]>,
    /// What the network has seen with each side's eyes.
    eyes: [Eye; 2],
    /// Whose attack puts stones only to take them back: nothing is kept up but what that side would make of its lines.
    pub attacker: Option<usize>,
    key: u64,
}

impl SixBoard {
    /// The board of a position.
    pub(crate) fn new(shape: Arc<Shape>, position: &Position) -> SixBoard {
        let kind = |code: &u16| Star::from(shape.kinds[usize::from(*code)]);
        let star = |codes: &[u16]| codes.iter().rev().fold(0, |star, code| star << 4 | kind(code));
        let stars: Vec<Star> = shape.codes.chunks(4).map(star).collect();
        let mut board = SixBoard {
            turn: position.to_move().index(),
            left: position.stones_left().clamp(1, 2),
            free: shape.rules.capacity(),
            marks: vec![EMPTY; shape.cells],
            counts: vec![0; shape.windows.len()],
            threats: Default::default(),
            listed: vec![0; shape.windows.len()],
            codes: [shape.codes.clone(), shape.codes.clone()],
            stars: [stars.clone(), stars],
            sums: Default::default(),
            before: Vec::new(),
            eyes: [0, 1].map(|side| Eye::new(side, shape.cells)),
            attacker: None,
            key: 0,
            shape,
        };
        for cell in position.rules().blocked.iter() {
            let place = board.shape.place(cell);
            board.marks[usize::from(place)] = BLOCKED;
        }
        board.sums = board.recounted();
        for cell in position.rules().cells() {
            if let Some(Content::Stone(stone)) = position.content(cell) {
                board.put(board.shape.place(cell), stone.index());
            }
        }
        board
    }

    /// What the sums are when they are counted anew.
    fn recounted(&self) -> [Sums; 2] {
        let side = |side: usize| {
            let empty = (0..self.shape.cells).filter(|&place| self.marks[place] == EMPTY);
            empty.fold(Sums::default(), |sums, place| {
                let worth = self.shape.worths.of(self.stars[side][place]);
                Sums { moving: sums.moving + i32::from(worth.moving), waiting: sums.waiting + i32::from(worth.waiting) }
            })
        };
        [side(0), side(1)]
    }

    /// A number that tells positions apart, with whose turn it is and how much of it is left.
    #[inline(always)]
    pub(crate) fn key(&self) -> u64 {
        self.key ^ TURN_KEYS[self.turn][usize::from(self.left)]
    }

    /// Whether a stone may be put there.
    #[inline(always)]
    pub(crate) fn is_empty(&self, place: Place) -> bool {
        self.marks[usize::from(place)] == EMPTY
    }

    /// What a side's stone would make of the lines through each cell, empty or not.
    #[inline(always)]
    pub(crate) fn stars(&self, side: usize) -> &[Star] {
        &self.stars[side]
    }

    /// The empty cells.
    pub(crate) fn empty(&self) -> impl Iterator<Item = Place> + '_ {
        let marks = self.marks.iter().enumerate();
        marks.filter(|&(_, &mark)| mark == EMPTY).map(|(place, _)| place as Place)
    }

    /// The empty cells in whose stars, as a side sees them, a function finds any bits.
    #[inline(always)]
    pub(crate) fn empty_with(&self, side: usize, bits: impl Fn(Star) -> Star + Copy) -> impl Iterator<Item = Place> {
        // Few cells have them: a look at many at once spares most of the work.
        const AT_ONCE: usize = 16;
        let stars = &self.stars[side][..];
        let (chunks, rest) = stars.as_chunks::<AT_ONCE>();
        let some = move |chunk: &[Star; AT_ONCE]| chunk.iter().fold(0, |all, &star| all | bits(star)) != 0;
        let within = |(n, _)| n * AT_ONCE..(n + 1) * AT_ONCE;
        let places = chunks.iter().enumerate().filter(move |(_, chunk)| some(chunk)).flat_map(within);
        places
            .chain(stars.len() - rest.len()..stars.len())
            .filter(move |&place| bits(stars[place]) != 0 && self.marks[place] == EMPTY)
            .map(|place| place as Place)
    }

    /// The cells with stones.
    pub(crate) fn stones(&self) -> impl Iterator<Item = Place> + '_ {
        let marks = self.marks.iter().enumerate();
        marks.filter(|&(_, &mark)| mark < EMPTY).map(|(place, _)| place as Place)
    }

    /// What the cells are worth to the side to move at the beginning of its turn.
    pub(crate) fn worth(&self) -> i32 {
        self.sums[self.turn].moving - self.sums[self.turn ^ 1].waiting
    }

    /// What the position is worth to the side to move at the beginning of a turn in which so many stones must hit.
    pub(crate) fn evaluate(&mut self, needed: u8) -> i32 {
        let mask = usize::from(needed.min(1));
        let fitted = self.worth() + self.shape.worths.tempo[mask];
        let Some(network) = &self.shape.network else { return fitted };
        let pool = self.eyes[self.turn].look(network, &self.shape, &self.marks, &self.stars);
        fitted + network.correction(pool, mask, fitted, self.free)
    }

    /// The windows in which a side has at least four stones and the other none.
    #[inline(always)]
    pub(crate) fn threats(&self, side: usize) -> &[u16] {
        &self.threats[side]
    }

    /// The empty cells of a window.
    #[inline]
    pub(crate) fn gaps(&self, window: u16) -> impl Iterator<Item = Place> + '_ {
        self.shape.windows[usize::from(window)].iter().copied().filter(|&place| self.is_empty(place))
    }

    /// How many stones a side has in a window.
    #[inline]
    pub(crate) fn count(&self, window: u16, side: usize) -> u8 {
        (self.counts[usize::from(window)] / STEP[side]) & 7
    }

    /// Whether a side has at least so many stones in a window and the other none.
    pub(crate) fn holds_alone(&self, window: u16, side: usize, least: u8) -> bool {
        self.count(window, side) >= least && self.count(window, side ^ 1) == 0
    }

    /// Plays the next stone of the turn.
    #[inline]
    pub(crate) fn play(&mut self, place: Place) {
        self.put(place, self.turn);
        self.left -= 1;
        if self.left == 0 {
            self.pass();
        }
    }

    /// Takes back the last stone played.
    #[inline]
    pub(crate) fn undo(&mut self, place: Place) {
        if self.left == 2 {
            self.turn ^= 1;
            self.left = 1;
        } else {
            self.left = 2;
        }
        self.take(place, self.turn);
    }

    /// Gives the turn to the other side, with two stones.
    #[inline]
    pub(crate) fn pass(&mut self) {
        self.turn ^= 1;
        self.left = 2;
    }

    /// Puts a side's stone on an empty cell, whosever turn it is.
    pub(crate) fn put(&mut self, place: Place, side: usize) {
        debug_assert!(self.is_empty(place));
        let here = usize::from(place);
        self.before.push(self.sums);
        self.uncount(here);
        self.marks[here] = side as u8;
        self.free -= 1;
        self.key ^= self.shape.keys[here][side];
        let shape = Arc::clone(&self.shape);
        for &window in shape.windows_of(place) {
            self.recount_window(window, STEP[side]);
        }
        match self.attacker {
            None => self.retouch::<true>(&shape, place, side, 1),
            Some(_) => self.retouch::<false>(&shape, place, side, 1),
        }
    }

    /// Takes the stone that was put last, a side's, from its cell.
    pub(crate) fn take(&mut self, place: Place, side: usize) {
        let here = usize::from(place);
        debug_assert_eq!(self.marks[here], side as u8);
        let shape = Arc::clone(&self.shape);
        self.retouch::<false>(&shape, place, side, u16::MAX);
        for &window in shape.windows_of(place) {
            self.recount_window(window, STEP[side].wrapping_neg());
        }
        self.key ^= shape.keys[here][side];
        self.free += 1;
        self.marks[here] = EMPTY;
        self.sums = self.before.pop().unwrap_or_default();
    }

    /// Takes from the sums what an empty cell is worth to both sides.
    #[inline]
    fn uncount(&mut self, place: usize) {
        if self.attacker.is_some() {
            return;
        }
        for side in 0..2 {
            let worth = self.shape.worths.of(self.stars[side][place]);
            self.sums[side].moving -= i32::from(worth.moving);
            self.sums[side].waiting -= i32::from(worth.waiting);
        }
    }

    /// Adds to a window's count.
    #[inline(always)]
    fn recount_window(&mut self, window: u16, step: u8) {
        let count = &mut self.counts[usize::from(window)];
        let before = *count;
        *count = before.wrapping_add(step);
        let after = *count;
        if THREATS[usize::from(before & 63)] != THREATS[usize::from(after & 63)] {
            self.relist(window, before, after);
        }
    }

    /// Takes a window off the list of threats that it belonged to and puts it on that which it belongs to.
    #[cold]
    fn relist(&mut self, window: u16, before: u8, after: u8) {
        if let Some(side) = THREATS[usize::from(before & 63)] {
            self.unlist(window, side);
        }
        if let Some(side) = THREATS[usize::from(after & 63)] {
            self.listed[usize::from(window)] = self.threats[side].len() as u16;
            self.threats[side].push(window);
        }
    }

    fn unlist(&mut self, window: u16, side: usize) {
        let list = &mut self.threats[side];
        let place = usize::from(self.listed[usize::from(window)]);
        list.swap_remove(place);
        if let Some(&moved) = list.get(place) {
            self.listed[usize::from(moved)] = place as u16;
        }
    }

    /// Writes a stone into the codes of the lines that see it, `sign` times, and keeps up the sums if it shall.
    #[inline]
    fn retouch<const SUMMING: bool>(&mut self, shape: &Shape, place: Place, side: usize, sign: u16) {
        // One's own stone is a 1, the other's as good as a wall, a 2.
        for (view, digit) in [(side, sign), (side ^ 1, sign.wrapping_mul(2))] {
            if self.attacker.is_some_and(|attacker| attacker != view) {
                continue;
            }
            let (codes, stars) = (&mut self.codes[view][..], &mut self.stars[view][..]);
            for touch in shape.touches(place) {
                let there = usize::from(touch.place);
                let code = &mut codes[usize::from(touch.code)];
                *code = code.wrapping_add(touch.power.wrapping_mul(digit));
                let kind = Star::from(shape.kinds[usize::from(*code)]);
                let before = stars[there];
                // Writing it always is cheaper than asking whether it changed.
                stars[there] = before & !(15 << touch.shift) | kind << touch.shift;
                if SUMMING && stars[there] != before && self.marks[there] == EMPTY {
                    let (old, new) = (shape.worths.of(before), shape.worths.of(stars[there]));
                    self.sums[view].moving += i32::from(new.moving - old.moving);
                    self.sums[view].waiting += i32::from(new.waiting - old.waiting);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
