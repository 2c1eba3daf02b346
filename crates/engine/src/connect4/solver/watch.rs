//! When to stop, and how much was looked at.

use crate::time::Instant;
use crate::{Limits, Stop};

/// How many nodes lie between two looks at the clock.
const BETWEEN: u64 = 4096;

/// Counts nodes and ends the work when a limit is reached.
#[derive(Debug, Default)]
pub(super) struct Watch {
    nodes: u64,
    next: u64,
    limit: Option<u64>,
    until: Option<Instant>,
    stop: Stop,
    ended: bool,
}

impl Watch {
    /// New work, with these limits from now on. A depth means nothing here, and a clock is the asker's business.
    pub(super) fn new(limits: &Limits, stop: &Stop) -> Watch {
        let until = limits.move_time.and_then(|time| Instant::now().checked_add(time));
        Watch { nodes: 0, next: 0, limit: limits.nodes, until, stop: stop.clone(), ended: false }
    }

    /// Gives the work so many nodes more at most.
    pub(super) fn allow(&mut self, nodes: u64) {
        let more = self.nodes + nodes;
        self.limit = Some(self.limit.map_or(more, |limit| limit.min(more)));
        self.next = 0;
    }

    /// Counts a node; true from time to time, when there is leisure for housekeeping.
    #[inline(always)]
    pub(super) fn tick(&mut self) -> bool {
        self.nodes += 1;
        let look = self.nodes > self.next;
        if look {
            self.look();
        }
        look
    }

    #[cold]
    fn look(&mut self) {
        let spent = self.limit.is_some_and(|limit| self.nodes > limit);
        let late = self.until.is_some_and(|until| Instant::now() >= until);
        self.ended |= spent || late || self.stop.is_set();
        let next = self.nodes + BETWEEN;
        self.next = self.limit.map_or(next, |limit| limit.max(self.nodes).min(next));
    }

    /// Whether the work has been ended; what a search says then is worth nothing.
    #[inline(always)]
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// How many nodes were looked at.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }
}
