//! Connect Four of every size up to 16×16, with any blocked cells.
//!
//! [`board`] knows who can complete a line where, at every ply. [`player`] is `strong`: a Monte-Carlo tree search
//! with informed playouts, warned by the [`prover`], which finds forced lines. [`solver`]
//! gives exact scores on boards of up to 128 cells.

pub mod board;
pub mod budget;
pub mod player;
pub mod proof;
pub mod prover;
pub mod solver;
