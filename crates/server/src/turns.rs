//! Work that takes a while, a few pieces at a time. Whoever waits for his turn has a place, and nobody waits without one.

use std::sync::Arc;

use lianzi_talk::Refusal;
use tokio::sync::Semaphore;

use crate::bounds::{AT_ONCE, Most};
use crate::visitor::{Places, Visitor};
use crate::words::broken;

/// The turns of one kind of work.
pub struct Turns {
    places: Arc<Places>,
    seats: Arc<Semaphore>,
}

impl Turns {
    /// So many pieces of work may run or wait.
    pub fn new(most: Most) -> Turns {
        Turns { places: Places::new(most), seats: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Does it where it holds nobody up, when its turn has come. Who asked may be gone by then: the turn is the work's,
    /// or whoever asks and leaves could have any number done at once.
    pub async fn work<T: Send + 'static>(
        &self,
        visitor: Visitor,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let place = self.places.take(visitor).ok_or_else(too_many)?;
        // The semaphore is never closed.
        let seat = Arc::clone(&self.seats).acquire_owned().await;
        let done = tokio::task::spawn_blocking(move || {
            let _held = (place, seat);
            work()
        });
        done.await.map_err(broken)?
    }
}

fn too_many() -> Refusal {
    Refusal::busy(
        "the server has too much to look up just now; ask again in a minute",
        "服务器目前要查阅的内容过多；请过一分钟再试",
    )
}
