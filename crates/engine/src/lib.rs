//! Who thinks.
//!
//! An [`Engine`] is asked the whole question each time: a position, limits, a flag that stops it, and a place to
//! report to. It blocks and returns a turn. What it remembers between moves is its own affair and never changes
//! whether its answer is legal. Engines know nothing of clocks that are kept, opponents or results; that is the
//! arena's business, and this crate never sees it.
//!
//! Each player has a file or folder of its own; [`catalog`] finds it by name.

pub mod board;
pub mod catalog;
pub mod classic;
pub mod connect4;
pub mod connect6;
pub mod gomoku;
mod greedy;
mod level;
mod memory;
mod random;
mod search;
pub mod solve;
pub mod table;
pub mod threats;
pub mod time;
pub mod training;
mod uct;

pub use catalog::{BUILT_IN, NoEngine, Options};
pub use greedy::Greedy;
pub use level::HIGHEST as LEVELS;
pub use random::Uniform;
pub use search::{Best, Clock, Engine, Info, Limits, Line, Stop};
pub use uct::{Settings, Uct};
