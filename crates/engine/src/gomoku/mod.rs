//! Five in a row: Gomoku, exactly five, and renju, up to 22×22.
//!
//! [`shape`] says what a stone makes of one line, [`kind`] of all four; [`board`] keeps both for every empty cell;
//! [`weights`] gives them values, which a [`network`] puts right; [`knowledge`] is all of that for one game. [`moves`]
//! chooses cells, [`search`] looks ahead, and [`player`] is `strong`.

pub mod board;
pub mod fit;
mod history;
pub mod kind;
pub mod knowledge;
mod leaves;
pub mod margins;
pub mod moves;
pub mod network;
pub mod player;
pub mod prover;
pub mod search;
mod selection;
pub mod shape;
pub mod shortest;
pub mod solver;
pub mod trace;
pub mod verify;
pub mod weights;

#[cfg(test)]
mod tests;
