//! Connect Four of every size up to 16×16, with any blocked cells.
//!
//! [`board`] knows who can complete a line where, at every ply. [`player`] is `strong`: a Monte-Carlo tree search
//! with informed playouts, warned by the [`prover`], which finds forced lines. [`solver`]
//! gives exact scores on boards of up to 128 cells.

pub(crate) mod board;
pub(crate) mod player;
pub(crate) mod prover;
pub(crate) mod solver;

use crate::time::Pace;

/// How player and prover share out their time: on a busy machine a fifth of it may pass before the answer is read, and
/// most games end early.
pub(crate) const PACE: Pace =
    Pace { unasked: 100_000, turns: [6, 20], stretch: 1, deepens: false, on_time: |time| time * 78 / 100 };
