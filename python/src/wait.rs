//! Waiting for our engines as Python wants it: other threads run meanwhile, and Ctrl-C ends the wait.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use lianzi_engine::Stop;
use lianzi_game::player::panic_words;
use pyo3::prelude::*;

use crate::error::broken;

/// How soon Ctrl-C is noticed.
pub const LOOK_UP: Duration = Duration::from_millis(30);

/// Works on a thread of its own while other threads of Python run. Ctrl-C sets the flag, waits for the work to end and
/// becomes the exception that it is.
pub fn interruptible<T: Send>(py: Python<'_>, stop: &Stop, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| {
        let mut raised = Ok(());
        let (tell, done) = channel();
        let worked = thread::scope(|scope| {
            let work = move || {
                // Nobody listens only if the wait below has come to grief, which it tells itself.
                let _ = tell.send(catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_words(panic.as_ref())));
            };
            thread::Builder::new().spawn_scoped(scope, work).map_err(|error| error.to_string())?;
            loop {
                match done.recv_timeout(LOOK_UP) {
                    Ok(worked) => return worked,
                    Err(RecvTimeoutError::Disconnected) => return Err("the thread is gone".into()),
                    Err(RecvTimeoutError::Timeout) if raised.is_err() => {}
                    Err(RecvTimeoutError::Timeout) => {
                        raised = Python::attach(|py| py.check_signals());
                        if raised.is_err() {
                            stop.set();
                        }
                    }
                }
            }
        });
        raised.and_then(|()| worked.map_err(broken))
    })
}

/// The lock; a thread that panicked with it has left nothing that the next user would mind.
pub fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
