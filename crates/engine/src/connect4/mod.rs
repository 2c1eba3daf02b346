//! Connect Four: what is written for this game alone.

pub mod solver;
