//! How long a deepening search may think.

use std::time::{Duration, Instant};

use lianzi_core::Position;

use crate::{Clock, Limits, Stop};

/// How many nodes to look at when nobody set a limit.
const UNASKED: u64 = 500_000;

/// What ends a search that deepens step by step.
#[derive(Clone, Debug)]
pub struct Time<'a> {
    stop: &'a Stop,
    from: Instant,
    /// After this no deeper step begins, unless the last ones disagreed.
    usual: Option<Duration>,
    /// After this the search is broken off.
    longest: Option<Duration>,
    /// So many nodes at most.
    pub nodes: u64,
    /// So deep at most.
    pub depth: u32,
}

impl Time<'_> {
    /// The time of one turn.
    pub fn new<'a>(position: &Position, limits: &Limits, stop: &'a Stop) -> Time<'a> {
        let fixed = limits.move_time.map(on_time);
        let share = limits.clock.map(|clock| share(position, clock));
        let longest = fixed.into_iter().chain(share.map(|(_, longest)| longest)).min();
        let usual = share.map(|(usual, _)| usual).or(fixed).into_iter().chain(longest).min();
        let free = longest.is_none() && limits.depth.is_none();
        Time {
            stop,
            from: Instant::now(),
            usual,
            longest,
            nodes: limits.nodes.unwrap_or(if free { UNASKED } else { u64::MAX }),
            depth: limits.depth.unwrap_or(u32::MAX),
        }
    }

    /// The same with a share of its time and nodes, from its beginning.
    pub fn share(&self, share: f64) -> Self {
        let part = |time: Option<Duration>| time.map(|time| time.mul_f64(share));
        let nodes = if self.nodes == u64::MAX { u64::MAX } else { (self.nodes as f64 * share) as u64 };
        Time { usual: part(self.usual), longest: part(self.longest), nodes, ..self.clone() }
    }

    /// Whether somebody waits for the answer.
    pub fn is_over(&self) -> bool {
        self.stop.is_set() || self.longest.is_some_and(|longest| self.from.elapsed() >= longest)
    }

    /// Whether this share of the longest time has passed: for what comes before the search itself.
    pub fn has_passed(&self, share: f64) -> bool {
        let passed = |longest: Duration| self.from.elapsed() >= longest.mul_f64(share);
        self.stop.is_set() || self.longest.is_some_and(passed)
    }

    /// Whether a deeper step is worth beginning, given how unsure the best turn is: 1 is usual, more is less sure.
    /// A step takes longer than all before it, so one that begins late would only be broken off.
    pub fn allows_another(&self, doubt: f64) -> bool {
        !self.stop.is_set() && self.usual.is_none_or(|usual| self.from.elapsed() < usual.mul_f64(0.6 * doubt))
    }
}

/// A little less than the whole time, so that the answer is there when it is over.
fn on_time(time: Duration) -> Duration {
    time - (time / 10).min(Duration::from_millis(15))
}

/// This turn's usual and longest share of a clock.
fn share(position: &Position, clock: Clock) -> (Duration, Duration) {
    let turns = (position.free() as u32 / (4 * u32::from(position.rules().per_turn))).clamp(8, 25);
    let usual = clock.left / turns + clock.increment * 3 / 4;
    let most = on_time(clock.left / 2);
    (usual.min(most), (usual * 3).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_holds() {
        let position = Position::new("gomoku".parse().unwrap());
        let stop = Stop::default();
        let none = Time::new(&position, &Limits::default(), &stop);
        assert_eq!((none.nodes, none.depth, none.is_over()), (UNASKED, u32::MAX, false));
        let short =
            Limits { move_time: Some(Duration::ZERO), nodes: Some(7), depth: Some(3), ..Limits::default() };
        let short = Time::new(&position, &short, &stop);
        assert_eq!((short.nodes, short.depth, short.is_over()), (7, 3, true));
        assert!(none.allows_another(1.0) && !short.allows_another(1.0));
        assert!(!none.has_passed(0.1) && short.has_passed(0.1));
        stop.set();
        assert!(none.is_over() && !none.allows_another(1.0));
    }

    #[test]
    fn a_share_fits_the_clock() {
        let position = Position::new("gomoku".parse().unwrap());
        let seconds = Duration::from_secs;
        let take = |left, increment| share(&position, Clock { left, increment });
        assert_eq!(take(seconds(300), seconds(0)), (seconds(12), seconds(36)));
        assert!(take(seconds(1), seconds(60)).1 < seconds(1) / 2);
        assert_eq!(take(seconds(0), seconds(0)).1, seconds(0));
    }
}
