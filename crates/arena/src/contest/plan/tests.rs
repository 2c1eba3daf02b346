//! Whole contests, played with made-up outcomes.

use lianzi_core::Game;

use super::super::Entrant;
use super::*;

/// A contest of so many players.
pub(super) fn contest_of(players: usize, format: Format, length: Length) -> Contest {
    let entrant = |n: usize| Entrant { name: format!("p{n}"), spec: "random".into() };
    let two = Contest::of_two(Game::CourseBoard, [entrant(0), entrant(1)], 1);
    Contest { players: (0..players).map(entrant).collect(), format, length, ..two }
}
