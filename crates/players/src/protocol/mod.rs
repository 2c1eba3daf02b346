//! The pure text of the protocols: what goes over the pipes, without pipes, clocks or processes. Those who drive
//! engines and those who are engines both read and write by these files.

pub mod botzone;
pub mod cells;
pub mod connect6;
pub mod gtp;
pub mod piskvork;
