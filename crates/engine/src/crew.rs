//! Threads that search together.
//!
//! The standard library starts them, except in a page: there workers come by themselves before anything is asked, and
//! wait here for something to do. A page whose workers share no memory has none, and searches alone.

use std::ops::Deref;

#[cfg(not(target_family = "wasm"))]
pub(crate) use native::reserve;
#[cfg(not(target_family = "wasm"))]
pub use native::together;
#[cfg(target_family = "wasm")]
pub(crate) use page::reserve;
#[cfg(target_family = "wasm")]
pub use page::{fail, help, join, together};

/// What one thread writes while others read what would stand beside it: it has lines of the cache to itself, so that
/// nobody waits for them.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Apart<T>(pub T);

impl<T> Deref for Apart<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

#[cfg(not(target_family = "wasm"))]
mod native {
    use std::thread;

    /// Does `first` here and each of `others` on a thread of its own; over when all are.
    pub fn together<R>(others: impl Iterator<Item: FnOnce() + Send>, first: impl FnOnce() -> R) -> R {
        thread::scope(|scope| {
            for other in others {
                scope.spawn(other);
            }
            first()
        })
    }

    /// Nothing needs to be done for threads of a process: all of them see at once that its memory has grown.
    pub(crate) fn reserve(_bytes: usize) {}
}

#[cfg(target_family = "wasm")]
mod page {
    use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
    use std::{hint, mem};

    type Job = Box<dyn FnOnce() + Send>;

    /// What the workers of this memory share. Like the threads of the standard library there is one of it.
    struct Crew {
        /// How many wait or work.
        helpers: usize,
        jobs: Vec<Job>,
        /// How many jobs are not done yet.
        left: usize,
        /// One of them was broken off, and will never be done.
        failed: bool,
    }

    static CREW: Mutex<Crew> = Mutex::new(Crew { helpers: 0, jobs: Vec::new(), left: 0, failed: false });
    static NEWS: Condvar = Condvar::new();

    fn crew() -> MutexGuard<'static, Crew> {
        CREW.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does `first` here and as many of `others` as there are workers to do them; over when all are.
    pub fn together<'a, R, F>(others: impl Iterator<Item = F>, first: impl FnOnce() -> R) -> R
    where
        F: FnOnce() + Send + 'a,
    {
        let mut crew = crew();
        for other in others.take(crew.helpers) {
            let job: Box<dyn FnOnce() + Send + 'a> = Box::new(other);
            // SAFETY: only the lifetime changes. This function does not return before `left` is 0 again, which is when
            // the job was done and dropped, and a panic ends the whole module: nothing that it borrows goes before it.
            #[allow(unsafe_code)]
            let job: Job = unsafe { mem::transmute(job) };
            crew.jobs.push(job);
            crew.left += 1;
        }
        let alone = crew.left == 0;
        drop(crew);
        if alone {
            return first();
        }
        NEWS.notify_all();
        let found = first();
        let crew = NEWS.wait_while(self::crew(), |crew| crew.left > 0 && !crew.failed);
        let failed = crew.unwrap_or_else(PoisonError::into_inner).failed;
        assert!(!failed, "a thread of the search was broken off");
        found
    }

    /// Has the memory grow by what is lacking for so many more bytes. A browser tells the other workers a moment later
    /// that memory has grown, and an atomic access beyond what they know of ends them: what one worker makes while
    /// others read it must lie in memory that was there before they began.
    pub(crate) fn reserve(bytes: usize) {
        let mut room: Vec<u8> = Vec::new();
        // What was taken and given back is not returned to the browser. Where there is no room for all of it, the
        // search takes what there is.
        let _ = room.try_reserve_exact(bytes);
        hint::black_box(&mut room);
    }

    /// One more is there to help.
    pub fn join() {
        crew().helpers += 1;
    }

    /// Helps whoever searches, for ever.
    pub fn help() -> ! {
        let mut crew = crew();
        loop {
            if let Some(job) = crew.jobs.pop() {
                drop(crew);
                job();
                crew = self::crew();
                crew.left -= 1;
                NEWS.notify_all();
            } else {
                crew = NEWS.wait(crew).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// A worker has panicked or was broken off: nobody waits for it.
    pub fn fail() {
        crew().failed = true;
        NEWS.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use super::*;

    #[test]
    fn all_have_ended_when_it_is_over() {
        let done = AtomicU32::new(0);
        let others = (1..4).map(|n| {
            let done = &done;
            move || {
                done.fetch_add(n, Relaxed);
            }
        });
        assert_eq!(together(others, || 7), 7);
        assert_eq!(done.load(Relaxed), 6);
    }
}
