//! Connect6 of every size, with any blocked cells.
//!
//! [`board`] knows at every stone which windows of six threaten and what a stone would make of each line;
//! [`defence`] tells exactly how threats can be met. [`player`] is `strong`: alpha-beta over single stones, warned at
//! every leaf by the [`attack`] of double threats. [`prover`] finds forced wins as [`plan`]s, which [`verify`] replays
//! against every defence; [`solver`] tells them. [`fit`] makes the [`weights`] of the evaluation,
//! which a [`network`] puts right; [`book`] holds the openings.

pub mod attack;
pub mod board;
pub mod book;
pub mod defence;
mod doubt;
pub mod fit;
pub mod network;
pub mod pattern;
pub mod plan;
pub mod player;
pub mod prover;
mod root;
pub mod search;
pub mod shape;
pub mod solver;
pub mod verify;
pub mod weights;
mod zone;
