//! Wins by double threats alone: every turn of the attacker needs both of the defender's stones as an answer.
//!
//! The defender is given every stone of every possible answer at once. More stones never hurt it, so a win found
//! against them all is a win against each; and the attacker's line is one line, which makes this fast enough for
//! every leaf. Wins that need different continuations against different answers are left to the prover.

use arrayvec::ArrayVec;

use super::board::SixBoard;
use super::defence::Defence;
use super::pattern::{Kind, Star, kinds, openings, threatens, threats};
use super::shape::Place;

/// How many cells are tried for each stone.
const WIDTH: usize = 24;

/// How many of them the quick search tries: a line that holds against all answers begins well or not at all.
const FIRSTS: usize = 6;
const SECONDS: usize = 4;

type Cells = ArrayVec<Place, WIDTH>;

/// A search for a win by double threats.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attack {
    /// Stones put so far.
    pub stones: u32,
    /// How many may be put.
    most: u32,
    /// Positions in which attacks came to nothing, not for want of stones or turns; one that never remembers has none.
    vain: Vec<u64>,
    /// Whether stones or turns ran out since a search began.
    cut: bool,
    /// The turns of the win found last, the last one first.
    pub line: Vec<[Place; 2]>,
}

/// How many positions are remembered.
const MEMORY: usize = 1 << 16;

impl Attack {
    /// A search that remembers what came to nothing: different orders of the same turns lead to the same positions.
    pub(crate) fn remembering() -> Attack {
        Attack { vain: vec![0; MEMORY], ..Attack::default() }
    }

    /// In how many turns, at most so many, the side to move wins by double threats; the search is given up after so
    /// many stones.
    pub(crate) fn win(&mut self, board: &mut SixBoard, turns: u32, stones: u32) -> Option<u32> {
        (self.stones, self.most) = (0, stones);
        self.line.clear();
        board.attacker = Some(board.turn);
        let found = self.search(board, turns);
        board.attacker = None;
        found
    }

    fn search(&mut self, board: &mut SixBoard, turns: u32) -> Option<u32> {
        let me = board.turn;
        if !board.threats(me).is_empty() {
            return self.complete(board);
        }
        if turns <= 1 || self.stones >= self.most {
            self.cut = true;
            return None;
        }
        let key = board.key();
        if self.vain.get(slot(key)) == Some(&key) {
            return None;
        }
        let cut = std::mem::replace(&mut self.cut, false);
        let pressed = !board.threats(me ^ 1).is_empty();
        let firsts = if pressed { pressing(board) } else { promising(board) };
        for (n, &first) in firsts.iter().enumerate().take(FIRSTS) {
            let alone = fours(board.stars(me)[usize::from(first)]);
            board.play(first);
            self.stones += 1;
            let found = self.seconds(board, turns, alone, &firsts[..n]);
            board.undo(first);
            if let Some((second, turns)) = found {
                self.line.push([first, second]);
                return Some(turns);
            }
            if self.stones >= self.most {
                self.cut = true;
                break;
            }
        }
        if !self.cut
            && let Some(vain) = self.vain.get_mut(slot(key))
        {
            *vain = key;
        }
        self.cut |= cut;
        None
    }

    /// The turn that fills the gaps of the fullest window.
    fn complete(&mut self, board: &SixBoard) -> Option<u32> {
        let me = board.turn;
        let &window = board.threats(me).iter().max_by_key(|&&window| board.count(window, me))?;
        let gaps: ArrayVec<Place, 2> = board.gaps(window).collect();
        let (&first, &last) = (gaps.first()?, gaps.last()?);
        self.line.push([first, last]);
        Some(1)
    }

    /// Tries every second stone that, with the first, which makes `alone` threats by itself, makes a double threat.
    fn seconds(&mut self, board: &mut SixBoard, turns: u32, alone: u32, met: &[Place]) -> Option<(Place, u32)> {
        let me = board.turn;
        let hits = Defence::against(board, me ^ 1);
        let mut seconds: Cells = match hits.needed {
            0 => doubling(board, alone),
            _ => hits.singles.iter().copied().collect(),
        };
        if seconds.is_empty() && hits.needed == 0 && alone >= 2 {
            seconds.extend(board.empty().max_by_key(|&place| rank(board, me, place)));
        }
        for second in seconds.into_iter().take(SECONDS) {
            if met.contains(&second) {
                continue;
            }
            board.play(second);
            self.stones += 1;
            let found = self.answer(board, turns);
            board.undo(second);
            if let Some(turns) = found {
                return Some((second, turns));
            }
        }
        None
    }

    /// Whether the threats that stand now win, with all answers given at once.
    fn answer(&mut self, board: &mut SixBoard, turns: u32) -> Option<u32> {
        let (me, other) = (board.turn ^ 1, board.turn);
        if !board.threats(other).is_empty() {
            return None;
        }
        let defence = Defence::against(board, me);
        match defence.needed {
            0 | 1 => None,
            2 => {
                let cells = defence.cells();
                cells.iter().for_each(|&place| board.put(place, other));
                self.stones += cells.len() as u32;
                board.pass();
                let found = self.search(board, turns - 1);
                board.pass();
                cells.iter().rev().for_each(|&place| board.take(place, other));
                found.map(|turns| turns + 1)
            }
            // Whatever is answered, a window stays open.
            _ => Some(2),
        }
    }
}

/// Where a position is remembered.
fn slot(key: u64) -> usize {
    key as usize % MEMORY
}

/// How many threats a stone makes, a threat that needs two to be hit counting twice.
fn fours(star: Star) -> u32 {
    let weight = |kind: u8| match kind {
        kind if kind == Kind::FourOpen as u8 => 2,
        kind if kind >= Kind::FourClosed as u8 => 1,
        _ => 0,
    };
    kinds(star).into_iter().map(weight).sum()
}

fn rank(board: &SixBoard, side: usize, place: Place) -> (i16, i16) {
    let worth = |side: usize| board.shape.worths.of(board.stars(side)[usize::from(place)]);
    (worth(side).own, worth(side ^ 1).foreign)
}

/// The best of these cells, best first.
fn best(board: &SixBoard, cells: impl Iterator<Item = Place>) -> Cells {
    let side = board.turn;
    let mut ranked: ArrayVec<((i16, i16), Place), 64> = ArrayVec::new();
    cells.for_each(|place| {
        // More than there is room for make no difference.
        let _ = ranked.try_push((rank(board, side, place), place));
    });
    ranked.sort_unstable_by(|a, b| b.cmp(a));
    ranked.into_iter().map(|(_, place)| place).take(WIDTH).collect()
}

/// The first stones of which a double threat can be made.
fn promising(board: &SixBoard) -> Cells {
    best(board, board.empty_with(board.turn, |star| threats(star) | openings(star)))
}

/// The first stones that hit the other side's threats.
fn pressing(board: &SixBoard) -> Cells {
    best(board, Defence::against(board, board.turn ^ 1).cells().into_iter())
}

/// The second stones that complete a double threat.
fn doubling(board: &SixBoard, alone: u32) -> Cells {
    let stars = board.stars(board.turn);
    let good = |place: &Place| alone + fours(stars[usize::from(*place)]) >= 2;
    best(board, board.empty_with(board.turn, threats).filter(good))
}

/// Every turn that makes a double threat and leaves the other side none. Where the first stone is enough, the second
/// is one that threatens too, or one of the best.
pub(crate) fn double_turns(board: &mut SixBoard) -> Vec<[Place; 2]> {
    const FREE: usize = 3;
    let me = board.turn;
    let pressed = !board.threats(me ^ 1).is_empty();
    let firsts = if pressed { pressing(board) } else { promising(board) };
    let mut turns = Vec::new();
    for (n, &first) in firsts.iter().enumerate() {
        let alone = fours(board.stars(me)[usize::from(first)]);
        board.play(first);
        let hits = Defence::against(board, me ^ 1);
        let mut seconds = match hits.needed {
            0 => doubling(board, alone),
            _ => hits.singles.iter().copied().collect(),
        };
        if alone >= 2 && hits.needed == 0 {
            let more = super::search::ranked(board, FREE, |_| true);
            seconds.extend(more.into_iter().take(WIDTH - seconds.len()));
        }
        board.undo(first);
        let new = seconds.into_iter().filter(|second| !firsts[..n].contains(second));
        turns.extend(new.map(|second| [first, second]));
    }
    turns
}

/// How many first and second stones are tried.
pub(crate) type Widths = [usize; 2];

/// The most promising turns that make a single threat; where the other side threatens, those that hit it too.
pub(crate) fn single_turns(board: &mut SixBoard, widths: Widths) -> Vec<[Place; 2]> {
    let hits = Defence::against(board, board.turn ^ 1);
    let mut turns: Vec<[Place; 2]> = hits.pairs.to_vec();
    let firsts = match hits.needed {
        0 => near(board, Kind::ThreeClosed, widths[0]),
        _ => hits.singles.iter().copied().collect(),
    };
    for first in firsts {
        let alone = threatens(board.stars(board.turn)[usize::from(first)]);
        board.play(first);
        let stars = board.stars(board.turn);
        let threatens = |place: &Place| threatens(stars[usize::from(*place)]);
        let mut seconds = best(board, board.empty().filter(|place| alone != threatens(place)));
        seconds.truncate(widths[1]);
        board.undo(first);
        add_turns(&mut turns, first, seconds);
    }
    turns
}

/// The most promising turns that threaten nothing yet but build on what stands.
pub(crate) fn quiet_turns(board: &mut SixBoard) -> Vec<[Place; 2]> {
    const MOST: Widths = [16, 10];
    let mut turns: Vec<[Place; 2]> = Vec::new();
    if !board.threats(board.turn ^ 1).is_empty() {
        return turns;
    }
    for first in near(board, Kind::TwoOpen, MOST[0]) {
        if threatens(board.stars(board.turn)[usize::from(first)]) {
            continue;
        }
        board.play(first);
        let stars = board.stars(board.turn);
        let mut seconds = near(board, Kind::TwoOpen, WIDTH);
        seconds.retain(|place| !threatens(stars[usize::from(*place)]));
        seconds.truncate(MOST[1]);
        board.undo(first);
        add_turns(&mut turns, first, seconds);
    }
    turns
}

/// The best cells in which a stone makes at least this of a line.
fn near(board: &SixBoard, least: Kind, most: usize) -> Cells {
    let stars = board.stars(board.turn);
    let near = |place: &Place| kinds(stars[usize::from(*place)]).into_iter().any(|kind| kind >= least as u8);
    let mut cells = best(board, board.empty().filter(near));
    cells.truncate(most);
    cells
}

/// Adds the turns of a first stone that are not there the other way round.
fn add_turns(turns: &mut Vec<[Place; 2]>, first: Place, seconds: Cells) {
    let new = seconds.into_iter().filter(|&second| !turns.contains(&[second, first])).collect::<Cells>();
    turns.extend(new.into_iter().map(|second| [first, second]));
}

/// The stones that make a threat as the second of a turn.
pub(crate) fn half_turns(board: &SixBoard) -> Vec<Place> {
    best(board, board.empty_with(board.turn, threats)).to_vec()
}
