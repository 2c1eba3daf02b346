//! One file per subcommand.

pub mod analyze;
pub mod backup;
pub mod call;
pub mod compete;
pub mod completions;
mod contest;
pub mod convert;
mod course;
pub mod csv;
pub mod engine;
pub mod explore;
pub mod grade;
pub mod judge;
mod log;
#[path = "match.rs"]
pub mod match_;
pub mod new;
pub mod perft;
pub mod play;
pub mod queue;
pub mod rank;
pub mod replay;
pub mod serve;
pub mod show;
pub mod site;
pub mod solve;
pub mod tournament;
pub mod train;
pub mod worker;
