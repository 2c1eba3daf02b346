//! What a position is worth before anything is searched: its evaluation, and ends that are plain to see.

use super::history::Trait;
use super::kind::Kind;
use super::moves::has_double;
use super::search::{DEEPEST, Worker};
use super::spot::Spot;
use crate::table::{Bound, Entry};

/// A win at once; each ply until then is worth one point.
pub(crate) const WIN: i32 = 30_000;

/// From here on a score is a proven win.
pub(crate) const SURE: i32 = 29_000;

/// More than any score.
pub(super) const INFINITE: i32 = 31_000;

impl Worker<'_> {
    /// The score if this side wins so many plies from here.
    pub(super) fn win_in(&self, plies: usize) -> i32 {
        WIN - (self.ply + plies) as i32
    }

    /// The plain evaluation, remembered or made.
    pub(super) fn plain(&mut self, known: Option<Entry>) -> i32 {
        let remembered = known.filter(|entry| entry.bound != Bound::None);
        remembered.map_or_else(|| self.board.evaluate(), |entry| entry.eval.into())
    }

    /// What the position has in common with others.
    pub(super) fn alike(&self) -> Trait {
        let last = self.board.before(0).unwrap_or_default();
        Trait { stone: self.board.to_move(), threats: self.board.mask(), last }
    }

    /// A plain evaluation, with what those of alike positions were found to be wrong by.
    pub(super) fn corrected(&self, plain: i32, alike: Trait) -> i32 {
        let weights = [self.margins.correct_threats, self.margins.correct_last];
        (plain + self.history.errors.get(alike, weights)).clamp(1 - SURE, SURE - 1)
    }

    /// The score where nothing is left to search: who wins is plain, the board is full, or the stack is.
    pub(super) fn ended(&mut self) -> Option<i32> {
        self.decided().or_else(|| match () {
            _ if self.board.free() == 0 => Some(0),
            _ if self.ply >= DEEPEST => Some(self.board.evaluate()),
            _ => None,
        })
    }

    /// What follows at once from the fives and open fours there are.
    fn decided(&self) -> Option<i32> {
        let (own, other) = (self.board.to_move(), self.board.to_move().other());
        if self.board.count(own, Kind::Five) > 0 {
            return Some(self.win_in(1));
        }
        match self.board.count(other, Kind::Five) {
            0 if self.board.count(own, Kind::OpenFour) > 0 => Some(self.win_in(3)),
            0 if has_double(&self.board, own) => Some(self.win_in(5)),
            0 | 1 => None,
            _ => Some(-self.win_in(2)),
        }
    }

    /// The only cell that stops a five, when the other side threatens one.
    pub(super) fn forced(&self) -> Option<Spot> {
        let other = self.board.to_move().other();
        (self.board.count(other, Kind::Five) > 0).then(|| self.board.find(other, Kind::Five)).flatten()
    }
}

/// A score as it holds wherever the position stands in a line: wins count from the position.
pub(super) fn to_table(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    (match score {
        SURE.. => score + ply,
        _ if score <= -SURE => score - ply,
        _ => score,
    }) as i16
}

pub(super) fn from_table(score: i16, ply: usize) -> i32 {
    let (score, ply) = (i32::from(score), ply as i32);
    match score {
        SURE.. => score - ply,
        _ if score <= -SURE => score + ply,
        _ => score,
    }
}
