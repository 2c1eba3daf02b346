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
mod playing;
mod records;
mod seats;
mod swap2;
mod table;
