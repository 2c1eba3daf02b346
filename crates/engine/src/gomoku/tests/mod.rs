//! The board, the search and the proofs against the referee.

mod boards;
mod play;
mod proofs;
