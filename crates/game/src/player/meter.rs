//! CPU time of an engine's thread, and what it means when there is no thread to be had. A page has no threads to
//! measure: there engines think where they are asked.

#[cfg(not(target_family = "wasm"))]
pub use lianzi_cage::cpu::{MEASURED, ThreadMeter, thread_time};
#[cfg(not(target_family = "wasm"))]
pub use lianzi_cage::shortage::refused;

#[cfg(target_family = "wasm")]
pub use page::{MEASURED, ThreadMeter, refused, thread_time};

#[cfg(target_family = "wasm")]
mod page {
    use std::io;
    use std::time::Duration;

    use lianzi_core::{Fault, StartFault};

    /// Whether CPU time can be measured.
    pub const MEASURED: bool = false;

    /// Measures nothing.
    pub struct ThreadMeter;

    impl ThreadMeter {
        /// A meter for the thread that asks.
        pub fn here() -> ThreadMeter {
            ThreadMeter
        }

        /// Nothing is known.
        pub fn read(&self) -> Option<Duration> {
            None
        }
    }

    /// Nothing is known.
    pub fn thread_time() -> Duration {
        Duration::ZERO
    }

    /// What it means for a player that there is no thread.
    pub fn refused(_: &str, error: &io::Error) -> Fault {
        Fault::NotStarted(StartFault::Unloadable, error.to_string())
    }
}
