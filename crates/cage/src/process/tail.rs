//! The end of a stream that nobody has to read: a thread takes what comes, so that the child never waits.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How much is kept.
const KEPT: usize = 16 * 1024;

/// The last bytes of a stream.
#[derive(Debug, Default)]
pub struct Tail {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    bytes: VecDeque<u8>,
    closed: bool,
}

impl Tail {
    /// Follows the stream until it ends.
    pub fn follow(mut stream: impl Read + Send + 'static) -> std::io::Result<Arc<Tail>> {
        let tail = Arc::new(Tail::default());
        let kept = Arc::clone(&tail);
        thread::Builder::new().name("stderr".into()).spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(n @ 1..) = stream.read(&mut chunk) {
                kept.keep(&chunk[..n]);
            }
            kept.lock().closed = true;
            kept.changed.notify_all();
        })?;
        Ok(tail)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, bytes: &[u8]) {
        let mut state = self.lock();
        state.bytes.extend(bytes);
        let surplus = state.bytes.len().saturating_sub(KEPT);
        state.bytes.drain(..surplus);
    }

    /// Takes what has come so far.
    pub fn take(&self) -> String {
        let bytes: Vec<u8> = std::mem::take(&mut self.lock().bytes).into();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The last line that has come so far, once the stream has ended or this long has passed.
    pub fn last_line(&self, patience: Duration) -> Option<String> {
        let (until, mut state) = (Instant::now() + patience, self.lock());
        while !state.closed && Instant::now() < until {
            let left = until.saturating_duration_since(Instant::now());
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        let text = String::from_utf8_lossy(state.bytes.make_contiguous()).into_owned();
        text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_string)
    }
}
