//! How long a search may think, and the one place that reads the time.

use std::time::Duration;

use lianzi_core::Position;

use crate::{Clock, Limits, Stop, delay};

/// The clock that engines read: the system's, or a page's.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use crate::instant::Instant;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

/// How an engine shares out what it is given.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How many nodes to look at when nobody sets a limit.
    pub unasked: u64,
    /// How many turns of its own a game still lasts, at least and at most.
    pub turns: [u32; 2],
    /// How many times the usual time a turn may take when it is hard.
    pub stretch: u32,
    /// Whether a depth means something to the search.
    pub deepens: bool,
    /// How much of a time to use, so that the answer is there when it is over.
    pub on_time: fn(Duration) -> Duration,
}

impl Pace {
    /// That of searches which deepen step by step.
    pub const STEPS: Pace = Pace {
        unasked: 500_000,
        turns: [8, 25],
        stretch: 3,
        deepens: true,
        on_time: |time| time - (time / 10).min(Duration::from_millis(15)),
    };

    /// This turn's usual and longest share of a clock: the turns still to come shrink with the free cells, and never is
    /// more than half of what is left spent.
    fn share(&self, position: &Position, clock: Clock) -> (Duration, Duration) {
        let [least, most] = self.turns;
        let turns = (position.free() as u32 / (4 * u32::from(position.rules().per_turn))).clamp(least, most);
        let usual = clock.left / turns + clock.increment * 3 / 4;
        let most = (self.on_time)(clock.left / 2);
        (usual.min(most), usual.saturating_mul(self.stretch).min(most))
    }
}

/// What ends a search, or a part of it.
#[derive(Clone, Debug)]
pub struct Budget<'a> {
    stop: &'a Stop,
    from: Instant,
    /// After this no deeper step begins, unless the last ones disagreed. None where the time is this turn's alone: what
    /// it leaves over is lost.
    usual: Option<Duration>,
    /// After this the search is broken off.
    longest: Option<Duration>,
    /// The same in CPU time.
    cpu: Option<Duration>,
    /// So many nodes at most.
    pub nodes: u64,
    /// So deep at most.
    pub depth: u32,
}

impl<'a> Budget<'a> {
    /// The budget of one turn, from now on.
    pub fn new(pace: &Pace, position: &Position, limits: &Limits, stop: &'a Stop) -> Budget<'a> {
        let fixed = limits.move_time.map(pace.on_time);
        let share = limits.clock.map(|clock| pace.share(position, clock));
        let longest = fixed.into_iter().chain(share.map(|(_, longest)| longest)).min();
        let usual = share.map(|(usual, _)| usual).filter(|&usual| longest.is_none_or(|longest| usual < longest));
        let depth = limits.depth.filter(|_| pace.deepens);
        let cpu = stop.cpu();
        delay::begin();
        let free = longest.is_none() && cpu.is_none() && depth.is_none();
        Budget {
            stop,
            from: Instant::now(),
            usual,
            longest,
            cpu,
            nodes: limits.nodes.unwrap_or(if free { pace.unasked } else { u64::MAX }),
            depth: depth.unwrap_or(u32::MAX),
        }
    }

    /// The same with a share of its time and nodes, from its beginning.
    pub fn share(&self, share: f64) -> Self {
        let part = |time: Option<Duration>| time.map(|time| time.mul_f64(share));
        let nodes = if self.nodes == u64::MAX { u64::MAX } else { (self.nodes as f64 * share) as u64 };
        Budget { usual: part(self.usual), longest: part(self.longest), cpu: part(self.cpu), nodes, ..self.clone() }
    }

    /// A part of it, from now on: one of so many parts of the time and of the nodes.
    pub fn part(&self, parts: u32) -> Self {
        let part = |all: Duration, passed: Duration| all.min(passed.saturating_add(all / parts));
        let longest = self.longest.map(|longest| part(longest, self.from.elapsed()));
        let cpu = self.cpu.map(|cpu| part(cpu, self.stop.used()));
        Budget { nodes: self.nodes / u64::from(parts), longest, cpu, ..self.clone() }
    }

    /// All of it but the last of so many parts.
    pub fn but(&self, parts: u32) -> Self {
        let less = |time: Option<Duration>| time.map(|time| time - time / parts);
        let (longest, cpu) = (less(self.longest), less(self.cpu));
        Budget { nodes: self.nodes - self.nodes / u64::from(parts), longest, cpu, ..self.clone() }
    }

    /// What is left of it after so many nodes.
    pub fn after(&self, nodes: u64) -> Self {
        Budget { nodes: self.nodes.saturating_sub(nodes), ..self.clone() }
    }

    /// The same with so many nodes at most.
    pub fn at_most(&self, nodes: u64) -> Self {
        Budget { nodes: self.nodes.min(nodes), ..self.clone() }
    }

    /// The same in time, with so many times the nodes.
    pub fn times(&self, factor: u64) -> Self {
        Budget { nodes: self.nodes.saturating_mul(factor), ..self.clone() }
    }

    /// The same as limits for somebody else, with the flag that ends it.
    pub fn limits(&self) -> (Limits, &'a Stop) {
        let left = self.longest.map(|longest| longest.saturating_sub(self.from.elapsed()));
        let cpu = self.cpu.map(|cpu| cpu.saturating_sub(self.stop.used()));
        let move_time = left.into_iter().chain(cpu).min();
        (Limits { nodes: Some(self.nodes), move_time, ..Limits::default() }, self.stop)
    }

    /// Whether somebody waits for the answer.
    pub fn is_over(&self) -> bool {
        self.passed(|time| time)
    }

    /// Whether this share of the longest time has passed: for what comes before the search itself.
    pub fn has_passed(&self, share: f64) -> bool {
        self.passed(|time| time.mul_f64(share))
    }

    fn passed(&self, part: impl Fn(Duration) -> Duration) -> bool {
        self.stop.is_set()
            || self.cpu.is_some_and(|cpu| self.stop.used() >= part(cpu))
            || self.longest.is_some_and(|longest| {
                let passed = delay::look().saturating_duration_since(self.from);
                passed >= part(longest.saturating_sub(delay::expected(longest)))
            })
    }

    /// Whether a deeper step is worth beginning, given how unsure the best turn is: 1 is usual, more is less sure.
    /// A step takes longer than all before it, so one that begins late would only be broken off.
    pub fn allows_another(&self, doubt: f64) -> bool {
        !self.is_over() && self.usual.is_none_or(|usual| self.from.elapsed() < usual.mul_f64(0.6 * doubt))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn budget<'a>(limits: &Limits, stop: &'a Stop) -> Budget<'a> {
        Budget::new(&Pace::STEPS, &Position::new("gomoku".parse().unwrap()), limits, stop)
    }

    #[test]
    fn every_limit_holds() {
        let stop = Stop::default();
        let none = budget(&Limits::default(), &stop);
        assert_eq!((none.nodes, none.depth, none.is_over()), (500_000, u32::MAX, false));
        let short = Limits { move_time: Some(Duration::ZERO), nodes: Some(7), depth: Some(3), ..Limits::default() };
        let short = budget(&short, &stop);
        assert_eq!((short.nodes, short.depth, short.is_over()), (7, 3, true));
        assert!(none.allows_another(1.0) && !short.allows_another(1.0));
        assert!(!none.has_passed(0.1) && short.has_passed(0.1));
        let long = 600 * SECOND;
        let own = budget(&Limits { move_time: Some(long), ..Limits::default() }, &stop);
        let clock = Some(Clock { left: long, increment: Duration::ZERO });
        let lent = budget(&Limits { clock, ..Limits::default() }, &stop);
        assert!(own.usual.is_none() && lent.usual < lent.longest, "what a turn has for itself alone is used");
        let both = budget(&Limits { clock, move_time: Some(SECOND), ..Limits::default() }, &stop);
        assert!(both.usual.is_none() && both.longest < Some(SECOND));
        stop.set();
        assert!(none.is_over() && !none.allows_another(1.0));
    }

    #[test]
    fn a_depth_means_nothing_to_a_search_without() {
        let (stop, limits) = (Stop::default(), Limits { depth: Some(3), ..Limits::default() });
        assert_eq!(budget(&limits, &stop).nodes, u64::MAX);
        let flat = Pace { deepens: false, ..Pace::STEPS };
        let flat = Budget::new(&flat, &Position::new("gomoku".parse().unwrap()), &limits, &stop);
        assert_eq!((flat.nodes, flat.depth), (500_000, u32::MAX));
    }

    #[test]
    fn a_budget_has_parts() {
        let stop = Stop::default();
        let limits = Limits { nodes: Some(8), move_time: Some(600 * SECOND), ..Limits::default() };
        let budget = budget(&limits, &stop);
        assert_eq!((budget.part(4).nodes, budget.but(4).nodes, budget.times(3).nodes), (2, 6, 24));
        assert_eq!((budget.after(5).nodes, budget.after(9).nodes), (3, 0));
        let time = |budget: Budget<'_>| budget.limits().0.move_time.unwrap();
        let near = |time: Duration, seconds: u32| time <= seconds * SECOND && time > (seconds - 60) * SECOND;
        assert!(near(time(budget.clone()), 600) && near(time(budget.part(2)), 300));
        assert!(near(time(budget.but(3)), 400) && near(time(budget.share(0.5)), 300));
    }

    #[test]
    fn cpu_time_is_shared_out_like_time() {
        let stop = Stop::within(Some(SECOND));
        let limits = Limits { move_time: Some(600 * SECOND), ..Limits::default() };
        let budget = budget(&limits, &stop);
        assert_eq!(budget.nodes, u64::MAX);
        let (tenth, most) = (budget.share(0.1), budget.but(5));
        stop.tell_used(SECOND / 2);
        assert!(tenth.is_over() && !most.is_over() && !budget.is_over(), "a proof takes a tenth, not a minute");
        assert!(budget.has_passed(0.5) && !budget.has_passed(0.6));
        let (half, rest) = (budget.part(4), budget.limits().0.move_time);
        assert_eq!(rest, Some(SECOND / 2));
        stop.tell_used(SECOND * 4 / 5);
        assert!(half.is_over() && most.is_over() && !budget.is_over());
        stop.tell_used(SECOND);
        assert!(budget.is_over());
        let alone = Budget::new(&Pace::STEPS, &Position::new("gomoku".parse().unwrap()), &Limits::default(), &stop);
        assert_eq!(alone.nodes, u64::MAX, "CPU time is a limit");
    }

    #[test]
    fn a_share_fits_the_clock() {
        let take = |game: &str, pace: Pace, left: u32, increment: u32| {
            let clock = Clock { left: left * SECOND, increment: increment * SECOND };
            pace.share(&Position::new(game.parse().unwrap()), clock)
        };
        assert_eq!(take("gomoku", Pace::STEPS, 300, 0), (12 * SECOND, 36 * SECOND));
        assert!(take("gomoku", Pace::STEPS, 1, 60).1 < SECOND / 2);
        assert_eq!(take("gomoku", Pace::STEPS, 0, 0).1, Duration::ZERO);
        assert_eq!(take("gomoku", crate::uct::PACE, 300, 4), (13 * SECOND, 13 * SECOND));
        assert_eq!(take("connect4:10x10", crate::connect4::PACE, 300, 0), (15 * SECOND, 15 * SECOND));
        assert!(take("connect4", crate::connect4::PACE, 1, 60).1 < SECOND / 2);
    }
}
