//! Every way for foreign code to be a player.
//!
//! Adapters are ours and keep their word: they answer or give up by the deadline, and whatever they started ends
//! with them. What they adapt may hang, die or lie.

mod connect6;
mod folder;
mod gtp;
mod opening;
mod outside;
mod piskvork;
mod program;
mod spec;
mod strategy;
mod strategy_library;
mod strategy_python;
mod talk;
mod thought;
mod trial;

pub use connect6::Speech;
pub use outside::ProgramPlayer;
pub use program::{BadCommand, Program, Protocol};
pub use spec::{BadPlayer, Kind, PlayerSpec};
pub use strategy::{BadStrategy, Interface, Strategy, StrategyPlayer};
pub use strategy_library::call as library_call;
pub use strategy_python::{course_call, kaggle_call};
pub use trial::NoStart;
