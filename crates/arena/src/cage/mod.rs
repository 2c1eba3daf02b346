//! The cage.

pub mod child;
#[cfg(target_os = "linux")]
mod filter;
mod library;
#[cfg(target_os = "linux")]
mod lock;
mod system;
pub mod wire;

pub use child::run;

/// The first argument that makes the program a cage.
pub const CAGE: &str = "cage";
