//! What the games are, and what was played.
//!
//! The games form one family, Connect(m,n,k,p,q): an m×n board, k in a row win, p stones a turn, q in the first.
//! [`Rules`] are plain data that cover all of it, with gravity, blocked cells and renju's forbidden moves added.
//! [`Position`] is the one referee: it is written to be read, and every verdict in the house comes from it. The
//! engines have fast boards of their own, which are tested against it; making the referee generic or fast was
//! rejected, because then nothing plain would be left to test against.
//!
//! A *ply* is one stone on one [`Cell`]; a *turn* is what one side places before the other does.
//! Sides can be found by an [`OpeningRule`], which a [`Negotiation`] walks through.
//! [`GameRecord`] is what was played, with readers and writers for every file format we know in [`record`].
//!
//! This crate does no input or output, has no clock and no threads. Without the feature `serde`, which is on by default,
//! it has the games alone: no records, and no dependency.
//!
//! ```
//! use lianzi_core::{Outcome, Position, Stone};
//!
//! let mut position = Position::new("renju".parse()?);
//! position.play("h8".parse()?)?;
//! assert_eq!((position.to_move(), position.outcome()), (Stone::White, None));
//! let won = Position::after("connect4".parse()?, "a b a b a b a")?;
//! assert_eq!(won.outcome(), Some(Outcome::Win(Stone::Black)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Published for others: what is public is meant to be.
#![warn(unreachable_pub)]

mod board;
mod cell;
mod diagram;
mod game;
mod language;
pub mod opening;
mod perft;
mod position;
mod random;
mod reason;
#[cfg(feature = "serde")]
pub mod record;
mod renju;
mod rules;
mod shown;
mod stone;
pub mod symmetry;
mod verdict;

pub use board::Content;
pub use cell::{Cell, CellSet, DIRECTIONS, MAX_CELLS, MAX_SIDE, NotACell, cell_names, column_from_name, column_name};
pub use diagram::Diagram;
pub use game::Game;
pub use language::{Language, Speak, Text};
pub use opening::{Act, BadAct, Demand, Negotiation, OpeningRule, Party};
pub use perft::{divide, perft};
pub use position::{BadMove, BadSetup, IllegalMove, Ply, Position, Setup, UnreadMove};
pub use random::{Random, mix};
pub use reason::known_reason;
#[cfg(feature = "serde")]
pub use record::GameRecord;
pub use renju::Foul;
pub use rules::{BadGame, Forbidden, Overline, Placement, Rules};
pub use shown::{shorten, shown, shown_lines};
pub use stone::Stone;
pub use verdict::{Adjudication, Ending, Fault, Limit, Outcome, StartFault, Verdict};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
