//! Programs from outside as players, and our engines as guests elsewhere.
//!
//! A [`PlayerSpec`] is a player as a user names it: one of our engines, a program that speaks a [`protocol`], a
//! strategy in a cage, or a person. It makes the [`Player`](lianzi_game::player::Player) that a game asks. [`guest`] is
//! the other direction: our engines in other people's managers. [`folder`] is Connect6 through the files of a folder,
//! for both.
//!
//! The key decision: a protocol is pure text in [`protocol`], without pipes or clocks, so that host and guest share
//! one reading of it and tests need no process. A trait for all protocols was rejected: what they have in common is
//! lines, and the rest of such a trait would be exceptions.

pub mod folder;
pub mod guest;
mod player;
pub mod protocol;

pub use player::*;
