//! Who plays whom, and who won.
//!
//! A [`player::Player`] is anything that can be asked for a turn. [`game::play_game`] asks two of them, keeps the
//! time, and hands what happened to the [`judge`], which knows nothing but the referee. A [`contest`] plays many such
//! games from a plan that depends on outcomes alone, and writes each one down before it counts. [`statistics`] and
//! [`ratings`] say what the results prove.
//!
//! The key decision: players may hang, die or lie, and the arena must not. So it never waits for a player without a
//! deadline, never believes a clock but its own, and never lets a player's answer reach the board unjudged. Running
//! engines inside the asking thread was rejected for that reason, although it costs less.
//!
//! [`live`] is the other way to play: people at a board, who take back and think again. [`guest`] lets our engines play
//! in other people's managers, by the texts of [`protocol`].

pub mod cage;
pub mod clock;
pub mod contest;
pub mod course;
mod cpu;
pub mod disk;
pub mod duration;
pub mod folder;
pub mod game;
pub mod guest;
pub mod judge;
pub mod live;
pub mod player;
pub mod process;
pub mod protocol;
pub mod ratings;
pub mod scratch;
pub mod statistics;
pub mod swap2;
