//! Who thinks.
//!
//! An [`Engine`] is asked the whole question each time: a position, limits, a flag that stops it, and a place to
//! report to. It blocks and returns a turn. What it remembers between moves is its own affair and never changes
//! whether its answer is legal. Engines know nothing of clocks that are kept, opponents or results; that is the
//! arena's business, and this crate never sees it.
//!
//! Each player has a file or folder of its own; [`catalog`] finds it by name, and the solver of a game. [`Family`] says
//! which engine a game belongs to, [`chance`] what scores mean, [`threats`](mod@threats) what threatens, [`signature`] what all
//! engines play.
//!
//! ```
//! use lianzi_core::Position;
//! use lianzi_engine::{Limits, Options, Stop, catalog};
//!
//! let position = Position::after("connect4".parse()?, "a b a b a b")?;
//! let mut engine = catalog::engine("strong", position.rules(), &Options::default())?;
//! let limits = Limits { nodes: Some(1000), ..Limits::default() };
//! let best = engine.search(&position, &limits, &Stop::default(), &mut |_| {});
//! assert_eq!(best.turn, ["a4".parse()?]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Published for others: what is public is meant to be.
#![warn(unreachable_pub)]

mod adaptive;
mod board;
pub mod catalog;
pub mod chance;
mod connect4;
mod connect6;
#[doc(hidden)]
pub mod crew;
mod delay;
mod family;
mod gomoku;
mod greedy;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod instant;
mod level;
mod levels;
mod logarithm;
mod memory;
mod network;
mod numbers;
mod options;
mod proof;
mod random;
mod search;
pub mod signature;
pub mod solve;
mod table;
pub mod threats;
mod time;
mod training;
mod uct;
#[doc(hidden)]
pub mod workshop;

pub use adaptive::{Adaptive, Build};
pub use catalog::BUILT_IN;
pub use family::Family;
pub use greedy::Greedy;
pub use level::{HIGHEST, Handicap, LEVELS, LevelName, Leveled};
pub use options::{NoEngine, Options};
pub use random::Uniform;
pub use search::{Best, Clock, Engine, Info, Limits, Line, Report, Stop};
pub use time::Instant;
pub use uct::{Settings as UctSettings, Uct};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
