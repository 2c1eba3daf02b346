//! Who plays whom, and who won.

pub mod clock;
pub mod contest;
pub mod disk;
pub mod duration;
pub mod game;
pub mod judge;
pub mod live;
pub mod player;
pub mod ratings;
pub mod statistics;
