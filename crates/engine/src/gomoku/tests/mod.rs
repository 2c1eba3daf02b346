//! The board against the definitions and the referee.

mod boards;
