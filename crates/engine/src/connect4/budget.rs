//! When to stop thinking.

use std::time::{Duration, Instant};

use lianzi_core::Position;

use crate::{Clock, Limits, Stop};

/// How many simulations to make when nobody set a limit.
const UNASKED: u64 = 100_000;

/// What ends a search, or a part of it.
#[derive(Clone, Debug)]
pub struct Budget<'a> {
    stop: &'a Stop,
    nodes: u64,
    from: Instant,
    until: Option<Instant>,
}

impl Budget<'_> {
    /// The budget of one turn.
    pub fn new<'a>(position: &Position, limits: &Limits, stop: &'a Stop) -> Budget<'a> {
        let share = limits.clock.map(|clock| share(position, clock));
        let time = limits.move_time.map(on_time).into_iter().chain(share).min();
        let unlimited = if time.is_none() { UNASKED } else { u64::MAX };
        let from = Instant::now();
        Budget {
            stop,
            nodes: limits.nodes.unwrap_or(unlimited),
            from,
            until: time.and_then(|time| from.checked_add(time)),
        }
    }

    /// A part of it, from now on: one of so many parts of the time and of the nodes.
    pub fn part(&self, parts: u32) -> Self {
        let until = self.until.map(|until| until.min(Instant::now() + (until - self.from) / parts));
        Budget { nodes: self.nodes / u64::from(parts), until, ..self.clone() }
    }

    /// All of it but the last of so many parts.
    pub fn but(&self, parts: u32) -> Self {
        let until = self.until.map(|until| until - (until - self.from) / parts);
        Budget { nodes: self.nodes - self.nodes / u64::from(parts), until, ..self.clone() }
    }

    /// What is left of it after so many nodes.
    pub fn after(&self, nodes: u64) -> Self {
        Budget { nodes: self.nodes.saturating_sub(nodes), ..self.clone() }
    }

    /// The same as limits for somebody else, with the flag that ends it.
    pub fn limits(&self) -> (Limits, &Stop) {
        let move_time = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        (Limits { nodes: Some(self.nodes), move_time, ..Limits::default() }, self.stop)
    }

    /// The same in time, with so many times the nodes.
    pub fn times(&self, factor: u64) -> Self {
        Budget { nodes: self.nodes.saturating_mul(factor), ..self.clone() }
    }

    /// How many nodes it allows.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether somebody waits for the answer.
    pub fn is_late(&self) -> bool {
        self.stop.is_set() || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// Nearly four fifths of the time: on a busy machine the rest may pass before the answer is read.
fn on_time(time: Duration) -> Duration {
    time * 78 / 100
}

/// This turn's share of a clock: the turns still to come shrink with the free cells, and most games end early.
fn share(position: &Position, clock: Clock) -> Duration {
    let turns = (position.free() as u32 / 4).clamp(6, 20);
    (clock.left / turns + clock.increment * 3 / 4).min(on_time(clock.left / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_fits_the_clock() {
        let position = Position::new("connect4:10x10".parse().unwrap());
        let seconds = Duration::from_secs;
        let take = |left, increment| share(&position, Clock { left, increment });
        assert_eq!(take(seconds(300), seconds(0)), seconds(15));
        assert!(take(seconds(1), seconds(60)) < seconds(1) / 2);
        assert_eq!(take(seconds(0), seconds(0)), seconds(0));
    }

    #[test]
    fn every_limit_holds() {
        let position = Position::new("connect4".parse().unwrap());
        let stop = Stop::default();
        let limits = Limits { nodes: Some(8), ..Limits::default() };
        let budget = Budget::new(&position, &limits, &stop);
        assert_eq!((budget.nodes(), budget.part(4).nodes()), (8, 2));
        assert_eq!((budget.but(4).nodes(), budget.after(5).nodes(), budget.after(9).nodes()), (6, 3, 0));
        assert!(!budget.is_late());
        let none = Limits { move_time: Some(Duration::ZERO), ..limits };
        assert!(Budget::new(&position, &none, &stop).is_late());
        stop.set();
        assert!(budget.is_late());
    }
}
