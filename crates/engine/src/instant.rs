//! A clock for pages: there the standard library has none, and whoever loads the module lends the page's.

use std::ops::{Add, Sub};
use std::time::Duration;

#[link(wasm_import_module = "lianzi")]
#[allow(unsafe_code)]
// SAFETY: whoever loads the module gives a function of this type; it takes nothing and has no effect.
unsafe extern "C" {
    /// Milliseconds since some moment, never fewer than before.
    safe fn now() -> f64;
}

/// A moment, with as much of the standard library's type as we use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Duration);

impl Instant {
    /// This moment.
    pub fn now() -> Instant {
        Instant(Duration::from_secs_f64(now().max(0.0) / 1000.0))
    }

    /// How long it has been since then.
    pub fn elapsed(&self) -> Duration {
        Instant::now().saturating_duration_since(*self)
    }

    /// How long after another moment it is; nothing if it is before it.
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The moment so much later.
    pub fn checked_add(&self, time: Duration) -> Option<Instant> {
        self.0.checked_add(time).map(Instant)
    }

    /// The moment so much earlier.
    pub fn checked_sub(&self, time: Duration) -> Option<Instant> {
        self.0.checked_sub(time).map(Instant)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, time: Duration) -> Instant {
        Instant(self.0 + time)
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Instant) -> Duration {
        self.saturating_duration_since(earlier)
    }
}
