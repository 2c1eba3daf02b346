//! Five in a row: Gomoku, exactly five, and renju, up to 22×22.
//!
//! [`shape`] says what a stone makes of one line, [`kind`] of all four; [`board`] keeps both for every empty cell;
//! [`weights`] gives them values, which a [`network`] puts right; [`knowledge`] is all of that for one game. [`moves`]
//! chooses cells, [`search`] looks ahead, and [`player`] is `strong`.

pub(crate) mod board;
pub mod fit;
pub(crate) mod guided;
mod history;
pub(crate) mod kind;
pub(crate) mod knowledge;
mod leaves;
pub(crate) mod margins;
pub(crate) mod moves;
pub mod network;
pub(crate) mod player;
pub(crate) mod prover;
pub(crate) mod search;
mod selection;
pub(crate) mod shape;
pub(crate) mod shortest;
pub(crate) mod solver;
pub(crate) mod spot;
pub(crate) mod standing;
pub(crate) mod trace;
pub(crate) mod verify;
pub(crate) mod weights;
mod windows;
pub(crate) mod zones;

#[cfg(test)]
mod tests;
