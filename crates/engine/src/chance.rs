//! From an engine's score to a chance to win: the one place that knows what scores mean.
//!
//! Engines have units of their own. Over games of each engine against itself, with the outcome known, a logistic
//! curve was laid through score and result; docs/web.md has the figures. Engines that tell who is ahead have a scale.
//! The others rank cells: their score is high for a cell that must be blocked as well, so it says nothing.

use lianzi_core::Rules;

use crate::Line;
use crate::catalog::stand_in;
use crate::family::Family;

/// What the scores of an engine mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scores {
    /// How far the side to move is ahead: with this score it wins e times as often as it loses.
    Ahead(u32),
    /// The same, but the farther ahead the more of it is taken off, so that no open game looks decided.
    DrawnIn(u32),
    /// Which cell matters most, whoever is ahead.
    Rank,
}

impl Scores {
    /// Those of a player; one that is none of our engines tells nothing.
    pub fn of(player: &str, rules: &Rules) -> Scores {
        match player.split('@').next().unwrap_or_default() {
            "uct" | "classic-uct" => Scores::Ahead(3000),
            "strong" => match Family::of(rules) {
                Family::Gomoku => Scores::Ahead(150),
                Family::Connect6 => Scores::DrawnIn(3500),
                Family::ConnectFour => Scores::Ahead(3000),
                Family::Other => Scores::of(stand_in(rules), rules),
            },
            _ => Scores::Rank,
        }
    }

    /// The chance to win, from 0 to 1, of the side that a score is for; a proven end is sure.
    pub fn chance(self, score: i32, win_in: Option<i32>) -> Option<f64> {
        match (self, win_in) {
            (_, Some(plies)) => Some(f64::from(plies.signum() + 1) / 2.0),
            (Scores::Ahead(scale), _) => Some(logistic(f64::from(score) / f64::from(scale))),
            (Scores::DrawnIn(scale), _) => {
                let sure = logistic(drawn_out(score) / f64::from(scale));
                Some(SURPRISE + (1.0 - 2.0 * SURPRISE) * sure)
            }
            (Scores::Rank, _) => None,
        }
    }

    /// The chance of the side to move, if it plays this line.
    pub fn of_line(self, line: &Line) -> Option<f64> {
        self.chance(line.score, line.win_in)
    }
}

/// How often an open game ends otherwise than every search was sure it would: before a proof nobody is sure.
const SURPRISE: f64 = 0.02;

fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// Up to here a score is what it is; from here on more and more is taken off, and it stays below [`FARTHEST`].
const FAR: i32 = 6_000;

/// What no score that was drawn in reaches.
pub(crate) const FARTHEST: i32 = 8_800;

/// A score made small enough to be told from a proof, in the same order as before.
pub(crate) fn drawn_in(score: i32) -> i32 {
    let (over, room) = (score.abs() - FAR, FARTHEST - FAR);
    if over <= 0 { score } else { score.signum() * (FAR + room * over / (room + over)) }
}

/// What a score was before it was drawn in.
fn drawn_out(score: i32) -> f64 {
    let room = f64::from(FARTHEST - FAR);
    let over = f64::from(score.abs().min(FARTHEST - 1) - FAR);
    let size = if over <= 0.0 { f64::from(score.abs()) } else { f64::from(FAR) + room * over / (room - over) };
    size.copysign(f64::from(score))
}

/// The engine that gives hints: the strongest there is.
pub const HINTER: &str = "strong";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Options, Stop, catalog};
    use lianzi_core::Position;

    #[test]
    fn a_score_becomes_a_chance() {
        let ahead = Scores::Ahead(3000);
        assert_eq!(ahead.chance(0, None), Some(0.5));
        assert_eq!((ahead.chance(-9, Some(3)), ahead.chance(9, Some(-4))), (Some(1.0), Some(0.0)));
        assert_eq!((ahead.chance(7, Some(0)), Scores::Rank.chance(7, Some(0))), (Some(0.5), Some(0.5)));
        assert!(ahead.chance(3000, None).is_some_and(|chance| (chance - 0.731).abs() < 0.001));
        assert!(ahead.chance(i32::MAX, None) <= Some(1.0) && ahead.chance(i32::MIN, None) >= Some(0.0));
        assert_eq!((Scores::Rank.chance(5, None), Scores::Rank.chance(5, Some(1))), (None, Some(1.0)));
    }

    #[test]
    fn scores_far_out_are_drawn_in_without_losing_their_order() {
        let scores: Vec<i32> = (0..40).map(|n| n * 1_000).map(drawn_in).collect();
        assert!(scores.is_sorted_by(|a, b| a < b), "{scores:?}");
        assert!(scores[6] == 6_000 && scores[39] < FARTHEST);
        for score in [-20_000, -7_000, -300, 0, 5_000, 9_000, 30_000] {
            let back = drawn_out(drawn_in(score));
            assert!((back - f64::from(score)).abs() <= f64::from(score).abs() * 0.06, "{score} became {back}");
        }
        let scores = Scores::DrawnIn(3000);
        assert!(scores.chance(drawn_in(9_000), None).is_some_and(|chance| (chance - 0.9345).abs() < 0.001));
        let chances: Vec<f64> = (0..40).filter_map(|n| scores.chance(drawn_in(n * 1_000), None)).collect();
        assert!(chances.is_sorted_by(|a, b| a < b), "{chances:?}");
        let [sure, hopeless] = [8_900, -8_900].map(|score| scores.chance(score, None));
        assert!(
            sure.is_some_and(|chance| (0.97..=0.98).contains(&chance)) && hopeless.is_some_and(|chance| chance >= 0.02)
        );
        assert_eq!((scores.chance(0, None), scores.chance(0, Some(2))), (Some(0.5), Some(1.0)));
    }

    /// Fails when an engine with another unit takes over: then its scale belongs into this module.
    #[test]
    fn the_strongest_tells_who_is_ahead() {
        for (game, ahead, even) in [
            ("gomoku", "h8 a1 i8 a3 j8 o1", "h8 h9"),
            ("renju", "h8 a1 i8 a3 j8 o1", "h8 h9"),
            ("connect6", "j10 a1 a3 k10 l10 s1 s3 m10 j9 a5 a7", "j10 k11 i9"),
            // The book knows how the usual board ends.
            ("connect4:9x9", "d1 a1 e1 a2", "d1 d2"),
        ] {
            let chance = |cells: &str| {
                let position = Position::after(game.parse().unwrap(), cells).unwrap();
                let (name, rules) = (HINTER, position.rules());
                let mut engine = catalog::engine(name, rules, &Options::default()).unwrap();
                let limits = Limits { nodes: Some(3000), ..Limits::default() };
                let best = engine.search(&position, &limits, &Stop::default(), &mut |_| {});
                Scores::of(name, rules).of_line(&best.info.lines[0]).unwrap()
            };
            let (ahead, even) = (chance(ahead), chance(even));
            assert!(ahead > 0.85, "{game}: {ahead}");
            assert!((0.2..=0.8).contains(&even), "{game}: {even}");
        }
    }

    #[test]
    fn players_are_known_by_name() {
        let rules = Rules::gomoku(15);
        assert_eq!(Scores::of("uct@nodes=1000", &rules), Scores::Ahead(3000));
        assert_eq!(Scores::of("strong@level=3", &rules), Scores::Ahead(150));
        for other in ["greedy", "human", "", "my engine"] {
            assert_eq!(Scores::of(other, &rules), Scores::Rank, "{other}");
        }
        for (game, scores) in
            [("gomoku:25", Scores::Rank), ("connect4:4x31", Scores::Ahead(3000)), ("connect:9,9,4,1,1", Scores::Rank)]
        {
            assert_eq!(Scores::of("strong", &game.parse().unwrap()), scores, "{game}");
        }
    }
}
