//! Connect6 of every size, with any blocked cells.
//!
//! [`board`] knows at every stone which windows of six threaten and what a stone would make of each line;
//! [`defence`] tells exactly how threats can be met. [`player`] is `strong`: alpha-beta over single stones, warned at
//! every leaf by the [`attack`] of double threats. [`prover`] finds forced wins as [`plan`]s, which [`verify`] replays
//! against every defence; [`solver`] tells them. [`fit`] makes the [`weights`] of the evaluation,
//! which a [`network`] puts right; [`book`] holds the openings.

pub(crate) mod attack;
pub(crate) mod board;
pub mod book;
pub(crate) mod defence;
mod doubt;
pub mod fit;
pub mod network;
pub(crate) mod pattern;
pub(crate) mod plan;
pub(crate) mod player;
pub(crate) mod prover;
mod root;
pub(crate) mod search;
pub(crate) mod shape;
pub(crate) mod solver;
pub(crate) mod verify;
pub(crate) mod weights;
mod zone;
