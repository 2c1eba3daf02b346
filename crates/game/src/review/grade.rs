//! How good a turn was.

use lianzi_core::Stone;
use serde::Serialize;

use super::{Review, Worth};

/// A turn that gives away more points than this is an inaccuracy, a mistake, a blunder.
pub(super) const INACCURACY: f64 = 5.0;
const MISTAKE: f64 = 12.0;
const BLUNDER: f64 = 25.0;
/// Turns that differ by less are equally good.
const EQUAL: f64 = 1.0;
/// How many points halve what a turn counts for accuracy.
const HALF: f64 = 15.0;

/// How good a turn was, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Nothing is better.
    Best,
    /// It gives away nothing that matters.
    Good,
    /// It gives away more than 5 points.
    Inaccuracy,
    /// It gives away more than 12 points, or the game.
    Mistake,
    /// It gives away more than 25 points.
    Blunder,
    /// It lets a proven win go.
    MissedWin,
}

impl Grade {
    /// Whether the turn belongs to the mistakes of a game.
    pub fn is_mistake(self) -> bool {
        self >= Grade::Mistake
    }

    fn by_points(points: f64) -> Grade {
        match points {
            points if points > BLUNDER => Grade::Blunder,
            points if points > MISTAKE => Grade::Mistake,
            points if points > INACCURACY => Grade::Inaccuracy,
            _ => Grade::Good,
        }
    }
}

/// What a side gave away, in points of a hundred.
pub(super) fn points(before: Worth, after: Worth, mover: Stone) -> f64 {
    (100.0 * (before.chance(mover) - after.chance(mover))).max(0.0)
}

/// What a turn that loses so many points counts for accuracy, of 100.
pub(super) fn accuracy(points: f64) -> f64 {
    100.0 * (-points / HALF).exp2()
}

impl Review {
    /// The grade of a turn; `careless` if it ignored a plain threat and loses at once for that.
    pub(super) fn grade(&self, n: usize, careless: bool) -> Option<Grade> {
        let (before, after) = self.compared(n)?;
        let (moment, points) = (&self.moments[n], self.loss(n));
        let mover = moment.mover();
        let matters = points > INACCURACY;
        if before.is_won(mover) && !after.is_won(mover) && matters {
            return Some(Grade::MissedWin);
        }
        let threw = after.is_lost(mover) && !before.is_lost(mover) && matters;
        let least = if threw || careless { Grade::Mistake } else { Grade::Best };
        let grade = Grade::by_points(points).max(least);
        let as_quick = before.win_in(mover).zip(after.win_in(mover)).is_some_and(|(before, after)| after < before);
        let open = before.proof.is_none() && after.proof.is_none();
        let best = moment.is_best() || as_quick || (open && points < EQUAL);
        Some(if grade == Grade::Good && best { Grade::Best } else { grade })
    }
}
