//! When to stop thinking.

use std::time::{Duration, Instant};

use lianzi_core::Position;

use crate::{Clock, Limits, Stop};

/// How many simulations to make when nobody set a limit.
const UNASKED: u64 = 100_000;

/// How many simulations lie between two looks at the clock.
const BETWEEN: u64 = 16;

/// What ends a search.
pub(super) struct Budget<'a> {
    stop: &'a Stop,
    nodes: Option<u64>,
    until: Option<Instant>,
}

impl Budget<'_> {
    /// The budget of one turn. A depth means nothing to a search that has no depth.
    pub fn new<'a>(position: &Position, limits: &Limits, stop: &'a Stop) -> Budget<'a> {
        let share = limits.clock.map(|clock| share(position, clock));
        let time = limits.move_time.map(on_time).into_iter().chain(share).min();
        let unlimited = time.is_none() && limits.nodes.is_none();
        Budget {
            stop,
            nodes: limits.nodes.or(unlimited.then_some(UNASKED)),
            until: time.and_then(|time| Instant::now().checked_add(time)),
        }
    }

    /// Whether to end after so many simulations.
    pub fn is_spent(&self, simulations: u64) -> bool {
        self.stop.is_set()
            || self.nodes.is_some_and(|nodes| simulations >= nodes)
            || simulations.is_multiple_of(BETWEEN) && self.is_late()
    }

    /// Whether somebody waits for the answer.
    pub fn is_late(&self) -> bool {
        self.stop.is_set() || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// A little less than the whole time, so that the answer is there when it is over.
fn on_time(time: Duration) -> Duration {
    time - (time / 20).min(Duration::from_millis(10))
}

/// This turn's share of a clock: the turns still to come shrink with the free cells, and never is more than half
/// of what is left spent.
fn share(position: &Position, clock: Clock) -> Duration {
    let stones = position.free() as u32 / (2 * u32::from(position.rules().per_turn));
    let turns = (stones / 2).clamp(8, 30);
    (clock.left / turns + clock.increment * 3 / 4).min(on_time(clock.left / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_fits_the_clock() {
        let position = Position::new("gomoku".parse().unwrap());
        let seconds = Duration::from_secs;
        let take = |left, increment| share(&position, Clock { left, increment });
        assert_eq!(take(seconds(300), seconds(0)), seconds(10));
        assert_eq!(take(seconds(300), seconds(4)), seconds(13));
        assert!(take(seconds(1), seconds(60)) < seconds(1) / 2);
        assert_eq!(take(seconds(0), seconds(0)), seconds(0));
    }

    #[test]
    fn every_limit_holds() {
        let position = Position::new("gomoku".parse().unwrap());
        let stop = Stop::default();
        let limits = Limits { nodes: Some(5), depth: Some(1), ..Limits::default() };
        let budget = Budget::new(&position, &limits, &stop);
        assert!(!budget.is_spent(4) && budget.is_spent(5));
        let none = Limits { move_time: Some(Duration::ZERO), ..limits };
        assert!(Budget::new(&position, &none, &stop).is_spent(0));
        stop.set();
        assert!(budget.is_spent(0));
    }
}
