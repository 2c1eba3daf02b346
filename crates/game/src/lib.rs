//! A game being played, and who won it.
//!
//! A [`player::Player`] is anything that can be asked for a turn. [`play::play_game`] asks two of them, keeps the
//! time, and hands what happened to the [`judge`], which knows nothing but the referee. [`live`] is the other way to
//! play: people at a board, who take back and think again. [`review`] says afterwards which turns mattered.
//!
//! The key decision: players may hang, die or lie, and a game must not. So it never waits for a player without a
//! deadline, never believes a clock but its own, and never lets a player's answer reach the board unjudged. Running
//! engines inside the asking thread was rejected for that reason, although it costs less.

pub mod clock;
pub mod duration;
pub mod explore;
pub mod judge;
pub mod live;
pub mod negotiate;
pub mod play;
pub mod player;
pub mod review;
