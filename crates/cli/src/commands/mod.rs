//! One file per subcommand.

pub mod analyze;
pub mod bench;
pub mod call;
pub mod compete;
pub mod completions;
mod contest;
pub mod convert;
mod course;
pub mod csv;
pub mod dev;
pub mod engine;
pub mod grade;
pub mod judge;
pub mod lab;
#[path = "match.rs"]
pub mod match_;
pub mod new;
pub mod perft;
pub mod play;
mod position;
pub mod rank;
pub mod replay;
pub mod serve;
pub mod show;
pub mod solve;
pub mod tournament;
