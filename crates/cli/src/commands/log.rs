//! A log that strangers cannot fill the disk with.

use std::io::{self, Stderr, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

/// How many lines may come at once, and how many a second after that: fifteen megabytes a day.
const AT_ONCE: f64 = 200.0;
const A_SECOND: f64 = 1.0;

/// Writes to stderr, so many lines a second; says how many it left out. What went wrong has a share of its own, so that
/// refusals cannot hide it.
#[derive(Default)]
pub struct BoundedLog {
    wrong: Mutex<Share>,
    rest: Mutex<Share>,
}

/// How many lines may still be written.
struct Share {
    left: f64,
    since: Instant,
    /// How many were left out since the last one that was written.
    out: u64,
}

impl Default for Share {
    fn default() -> Share {
        Share { left: AT_ONCE, since: Instant::now(), out: 0 }
    }
}

impl Share {
    /// Whether a line may be written now, and how many were left out before it.
    fn take(&mut self, now: Instant) -> Option<u64> {
        let gained = now.saturating_duration_since(self.since).as_secs_f64() * A_SECOND;
        (self.left, self.since) = ((self.left + gained).min(AT_ONCE), now);
        if self.left < 1.0 {
            self.out += 1;
            return None;
        }
        self.left -= 1.0;
        Some(std::mem::take(&mut self.out))
    }
}

/// One line of the log, or nothing.
pub struct Line(Option<Stderr>);

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.as_mut().map_or(Ok(bytes.len()), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl BoundedLog {
    fn line(&self, share: &Mutex<Share>) -> Line {
        let left_out = share.lock().unwrap_or_else(PoisonError::into_inner).take(Instant::now());
        if let Some(out @ 1..) = left_out {
            // A log that cannot be written has nobody to complain to.
            let _ = writeln!(io::stderr(), "… {out} lines like these were left out");
        }
        Line(left_out.map(|_| io::stderr()))
    }
}

impl<'a> MakeWriter<'a> for BoundedLog {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        self.line(&self.rest)
    }

    fn make_writer_for(&'a self, about: &Metadata<'_>) -> Line {
        self.line(if *about.level() <= Level::WARN { &self.wrong } else { &self.rest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_flood_is_cut_and_counted() {
        let (mut share, now) = (Share::default(), Instant::now());
        let written = (0..100_000).filter(|_| share.take(now).is_some()).count();
        assert_eq!(written, AT_ONCE as usize);
        assert_eq!(share.take(now + Duration::from_secs(3)), Some(100_000 - AT_ONCE as u64));
    }
}
