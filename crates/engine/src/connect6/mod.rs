//! Connect6 of every size, with any blocked cells.
//!
//! [`board`] knows at every stone which windows of six threaten and what a stone would make of each line;
//! [`defence`] tells exactly how threats can be met. [`player`] is `strong`: alpha-beta over single stones, warned at
//! every leaf by the [`attack`] of double threats.

pub mod attack;
pub mod board;
pub mod defence;
pub mod levels;
pub mod pattern;
pub mod player;
mod root;
pub mod search;
pub mod shape;
mod weights;
