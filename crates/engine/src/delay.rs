//! How long this program waits when others want the processor too.
//!
//! A search looks at the clock every millisecond or so. A look that comes much later than the one before it was kept
//! waiting, and the answer may be kept waiting as long again: time must be left for that.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::time::Instant;

/// Looks that are no further apart than this were not kept waiting.
const USUAL: Duration = Duration::from_millis(5);

/// What is left for waiting is at most one of so many parts of the time.
const PARTS: u32 = 4;

/// What this program has met.
static WAITS: Waits = Waits(AtomicU64::new(0));

thread_local! {
    /// When this thread looked at the clock last.
    static LOOKED: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// A search begins.
pub(crate) fn begin() {
    LOOKED.set(None);
    WAITS.fade();
}

/// Looks at the clock.
pub(crate) fn look() -> Instant {
    let now = Instant::now();
    let before = LOOKED.replace(Some(now)).unwrap_or(now);
    WAITS.note(now.saturating_duration_since(before));
    now
}

/// How much of a time is to be left for waiting.
pub(crate) fn expected(time: Duration) -> Duration {
    WAITS.expected(time)
}

/// The longest wait of the last searches, in microseconds.
struct Waits(AtomicU64);

impl Waits {
    /// What others did during earlier searches is slowly forgotten.
    fn fade(&self) {
        let longest = self.0.load(Relaxed);
        self.0.store(longest - longest.div_ceil(8), Relaxed);
    }

    /// So long after a look at the clock came the next.
    fn note(&self, passed: Duration) {
        if passed > USUAL {
            self.0.fetch_max(passed.as_micros() as u64, Relaxed);
        }
    }

    /// Twice the longest wait.
    fn expected(&self, time: Duration) -> Duration {
        Duration::from_micros(2 * self.0.load(Relaxed)).min(time / PARTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_kept_waiting_leaves_time_for_it_and_forgets_slowly() {
        let (waits, ms) = (Waits(AtomicU64::new(0)), Duration::from_millis);
        waits.note(ms(4));
        assert_eq!(waits.expected(ms(500)), Duration::ZERO, "a look a few milliseconds later was not kept waiting");
        [40, 30].into_iter().for_each(|wait| waits.note(ms(wait)));
        assert_eq!(waits.expected(ms(500)), ms(80));
        assert_eq!(waits.expected(ms(200)), ms(50), "never more than a quarter");
        waits.fade();
        assert_eq!(waits.expected(ms(500)), ms(70));
        (0..200).for_each(|_| waits.fade());
        assert_eq!(waits.expected(ms(500)), Duration::ZERO);
    }

    #[test]
    fn what_lies_between_two_searches_is_no_wait() {
        look();
        assert!(LOOKED.get().is_some());
        begin();
        assert!(LOOKED.get().is_none());
    }
}
