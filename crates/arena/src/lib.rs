//! Who plays whom, and who won.

pub mod statistics;
