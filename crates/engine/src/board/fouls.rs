//! Renju's forbidden moves on words instead of cells: the referee's definitions, many times faster.
//!
//! Whatever a stone forms in a direction contains the unbroken row through it, so only the two cells at the ends
//! of that row can extend it. A *four* is one stone short of exactly five; a *straight four* is so at both ends; a
//! *three* becomes a straight four by a stone that is itself allowed.

use lianzi_core::{Cell, Rules, Stone};

use super::Spot;
use super::lines::{Lines, WORDS, crossing, places, row_through, walls};

const BLACK: Stone = Stone::Black;

/// The stones of a renju board, kept to look for fouls.
#[derive(Clone, Debug)]
pub struct Fouls {
    lines: Lines,
    walls: [u32; WORDS],
}

impl Fouls {
    /// An empty board.
    pub fn new(rules: &Rules) -> Fouls {
        Fouls { lines: Lines::new(), walls: walls(rules) }
    }

    /// Puts a stone down.
    pub fn put(&mut self, cell: Cell, stone: Stone) {
        self.lines.put(cell.into(), stone);
    }

    /// Takes a stone off.
    pub fn take(&mut self, cell: Cell, stone: Stone) {
        self.lines.take(cell.into(), stone);
    }

    /// Whether Black may not play on this free cell.
    pub fn is_foul(&mut self, cell: Cell) -> bool {
        is_foul(&mut self.lines, &self.walls, cell.into())
    }
}

/// One direction through a spot: black stones, free cells, and where the spot lies in them.
#[derive(Clone, Copy)]
struct View {
    black: u32,
    free: u32,
    place: u32,
}

/// Whether Black may not play on this free spot.
pub(super) fn is_foul(lines: &mut Lines, walls: &[u32; WORDS], spot: Spot) -> bool {
    if harmless(lines, spot) {
        return false;
    }
    lines.put(spot, BLACK);
    let foul = is_foul_with(lines, walls, spot);
    lines.take(spot, BLACK);
    foul
}

/// A quick look that lets most spots pass. A three has two other stones in its direction within reach, a four
/// three, and two fours in one direction or an overline four.
fn harmless(lines: &Lines, spot: Spot) -> bool {
    let (crossing, places) = (crossing(spot), places(spot));
    let (mut two, mut four) = (0, false);
    for n in 0..4 {
        // Four places on either side of the spot, which is bit 4 after the shift.
        let stones = (u64::from(lines.word(BLACK, crossing[n])) << 4 >> places[n]) as u32 & 0x1ff;
        let drop = |bits: u32| bits & bits.wrapping_sub(1);
        two += u32::from(drop(stones) != 0);
        four |= drop(drop(drop(stones))) != 0;
    }
    two < 2 && !four
}

/// The same with the stone already on the spot.
fn is_foul_with(lines: &mut Lines, walls: &[u32; WORDS], spot: Spot) -> bool {
    let views: [View; 4] = std::array::from_fn(|n| View::new(lines, walls, spot, n));
    let lengths = views.map(|view| view.length(view.place));
    if lengths.contains(&5) {
        return false;
    }
    if lengths.iter().any(|&length| length > 5) || views.iter().map(View::fours).sum::<u32>() >= 2 {
        return true;
    }
    (0..4).filter(|&n| is_three(lines, walls, spot, n)).nth(1).is_some()
}

/// Whether the stone on the spot is part of a three in direction `n`.
fn is_three(lines: &mut Lines, walls: &[u32; WORDS], spot: Spot, n: usize) -> bool {
    let view = View::new(lines, walls, spot, n);
    if view.fours() > 0 {
        return false;
    }
    view.ends().into_iter().flatten().any(|place| {
        let mut straight = view;
        straight.black |= 1 << place;
        straight.free &= !(1 << place);
        straight.place = place;
        straight.is_straight_four() && is_plain(lines, walls, along(spot, n, view.place, place))
    })
}

/// Whether Black may play here without making five.
fn is_plain(lines: &mut Lines, walls: &[u32; WORDS], spot: Spot) -> bool {
    let five = (0..4).any(|n| {
        let view = View::new(lines, walls, spot, n);
        view.length(view.place) == 5
    });
    !five && !is_foul(lines, walls, spot)
}

/// The spot that lies at place `to` of the word in which `spot` lies at place `from`.
fn along(spot: Spot, n: usize, from: u32, to: u32) -> Spot {
    let (column, row, to, from) = (spot.column(), spot.row(), to as usize, from as usize);
    match n {
        0 => Spot::new(to, row),
        1 => Spot::new(column, to),
        2 => Spot::new(to, row + to - from),
        _ => Spot::new(to, row + from - to),
    }
}

impl View {
    fn new(lines: &Lines, walls: &[u32; WORDS], spot: Spot, n: usize) -> View {
        let (word, place) = (crossing(spot)[n], places(spot)[n]);
        let black = lines.word(BLACK, word);
        View { black, free: !(black | lines.word(Stone::White, word) | walls[word]), place }
    }

    /// How long the row through this place is, were there a black stone on it.
    fn length(&self, place: u32) -> u32 {
        let (first, last) = row_through(self.black, place);
        last + 1 - first
    }

    /// The free places, at most two, that would lengthen the row.
    fn ends(&self) -> [Option<u32>; 2] {
        let (first, last) = row_through(self.black, self.place);
        [first.checked_sub(1), Some(last + 1)].map(|end| end.filter(|&end| self.free >> end & 1 == 1))
    }

    /// The ends that make exactly five of the row.
    fn fives(&self) -> [bool; 2] {
        self.ends().map(|end| end.is_some_and(|end| self.length(end) == 5))
    }

    fn is_straight_four(&self) -> bool {
        self.length(self.place) == 4 && self.fives() == [true, true]
    }

    /// A straight four is one four; two ends that make five of a shorter row are two fours in one line.
    fn fours(&self) -> u32 {
        match self.fives() {
            [false, false] => 0,
            [true, true] if self.length(self.place) != 4 => 2,
            _ => 1,
        }
    }
}
