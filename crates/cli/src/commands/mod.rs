//! One file per subcommand.

pub mod bench;
pub mod completions;
pub mod convert;
pub mod judge;
pub mod perft;
pub mod play;
pub mod replay;
pub mod show;
