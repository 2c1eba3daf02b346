//! Wins by double threats alone: every turn of the attacker needs both of the defender's stones as an answer.
//!
//! The defender is given every stone of every possible answer at once. More stones never hurt it, so a win found
//! against them all is a win against each; and the attacker's line is one line, which makes this fast enough for
//! every leaf. Wins that need different continuations against different answers are left to the prover.

use arrayvec::ArrayVec;

use super::board::Board;
use super::defence::Defence;
use super::pattern::{Kind, Star, kinds, opens, threatens};
use super::shape::Place;

/// How many cells are tried for each stone.
const WIDTH: usize = 24;

type Cells = ArrayVec<Place, WIDTH>;

/// A search for a win by double threats.
#[derive(Clone, Debug, Default)]
pub struct Attack {
    /// Stones put so far.
    pub stones: u64,
    /// How many more positions may be looked at.
    left: u32,
    /// The winning turn found last.
    pub turn: [Place; 2],
}

impl Attack {
    /// In how many turns, at most so many, the side to move wins by double threats; the search is given up after so
    /// many positions.
    pub fn win(&mut self, board: &mut Board, turns: u32, positions: u32) -> Option<u32> {
        self.left = positions;
        self.search(board, turns)
    }

    fn search(&mut self, board: &mut Board, turns: u32) -> Option<u32> {
        let me = board.turn;
        if let Some(&window) = board.threats(me).first() {
            return self.complete(board, window);
        }
        if turns <= 1 || self.left == 0 {
            return None;
        }
        self.left -= 1;
        let pressed = !board.threats(me ^ 1).is_empty();
        let firsts = if pressed { pressing(board) } else { promising(board) };
        for (n, &first) in firsts.iter().enumerate() {
            let alone = fours(board.stars(me)[usize::from(first)]);
            board.play(first);
            self.stones += 1;
            let found = self.seconds(board, turns, alone, &firsts[..n]);
            board.undo(first);
            if let Some((second, turns)) = found {
                self.turn = [first, second];
                return Some(turns);
            }
            if self.left == 0 {
                break;
            }
        }
        None
    }

    /// The turn that fills the gaps of a window.
    fn complete(&mut self, board: &Board, window: u16) -> Option<u32> {
        let gaps: ArrayVec<Place, 2> = board.gaps(window).collect();
        let (&first, &last) = (gaps.first()?, gaps.last()?);
        self.turn = [first, last];
        Some(1)
    }

    /// Tries every second stone that, with the first, which makes `alone` threats by itself, makes a double threat.
    fn seconds(&mut self, board: &mut Board, turns: u32, alone: u32, met: &[Place]) -> Option<(Place, u32)> {
        let me = board.turn;
        let hits = Defence::against(board, me ^ 1);
        let mut seconds: Cells = match hits.needed {
            0 => doubling(board, alone),
            _ => hits.singles.iter().copied().collect(),
        };
        if seconds.is_empty() && hits.needed == 0 && alone >= 2 {
            seconds.extend(board.empty().max_by_key(|&place| rank(board, me, place)));
        }
        for second in seconds {
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
    fn answer(&mut self, board: &mut Board, turns: u32) -> Option<u32> {
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
                self.stones += cells.len() as u64;
                board.pass();
                let found = self.search(board, turns - 1);
                board.pass();
                cells.iter().rev().for_each(|&place| board.take(place, other));
                found.map(|turns| turns + 1)
            }
            _ => Some(2),
        }
    }
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

fn rank(board: &Board, side: usize, place: Place) -> (i16, i16) {
    let worth = |side: usize| board.shape.worths.of(board.stars(side)[usize::from(place)]);
    (worth(side).own, worth(side ^ 1).foreign)
}

/// The best of these cells, best first.
fn best(board: &Board, cells: impl Iterator<Item = Place>) -> Cells {
    let side = board.turn;
    let mut ranked: ArrayVec<((i16, i16), Place), 64> =
        cells.map(|place| (rank(board, side, place), place)).take(64).collect();
    ranked.sort_unstable_by(|a, b| b.cmp(a));
    ranked.into_iter().map(|(_, place)| place).take(WIDTH).collect()
}

/// The first stones of which a double threat can be made.
fn promising(board: &Board) -> Cells {
    let stars = board.stars(board.turn);
    let good = |place: &Place| {
        let star = stars[usize::from(*place)];
        threatens(star) || opens(star)
    };
    best(board, board.empty().filter(good))
}

/// The first stones that hit the other side's threats.
fn pressing(board: &Board) -> Cells {
    best(board, Defence::against(board, board.turn ^ 1).cells().into_iter())
}

/// The second stones that complete a double threat.
fn doubling(board: &Board, alone: u32) -> Cells {
    let stars = board.stars(board.turn);
    let good = |place: &Place| {
        let star = stars[usize::from(*place)];
        threatens(star) && alone + fours(star) >= 2
    };
    best(board, board.empty().filter(good))
}
