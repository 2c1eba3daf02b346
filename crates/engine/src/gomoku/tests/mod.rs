//! The board, the search and the proofs against the referee.

mod boards;
mod long;
mod play;
mod proofs;
