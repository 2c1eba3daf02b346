//! A real server on a real port, with real connections.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

mod analysing;
mod contests;
mod disk;
mod friends;
mod hostile;
mod limits;
mod lines;
mod load;
mod openings;
mod playing;
mod records;
mod seats;
mod shares;
mod table;
mod training;
