//! A real server on a real port, with real connections.

mod analysing;
mod contests;
mod hostile;
mod playing;
mod records;
mod seats;
mod table;
