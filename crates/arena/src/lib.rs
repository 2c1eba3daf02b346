//! Who plays whom, and who won.

pub mod ratings;
pub mod statistics;
