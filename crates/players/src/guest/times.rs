//! How long a guest may think: what the manager allows, less what the way there and back may take.

use std::time::{Duration, Instant};

use lianzi_engine::{Clock, Limits};

/// What "as fast as possible" is taken for.
const AT_ONCE: Duration = Duration::from_millis(20);

/// What a manager has said about time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Times {
    /// For one turn; zero asks for an answer at once.
    pub turn: Option<Duration>,
    /// For the whole game.
    pub game: Option<Duration>,
    /// What is left of it by the manager's clock.
    pub left: Option<Duration>,
    /// What was used of it by ours, for managers that do not say what is left.
    pub used: Duration,
    /// How late answers have been of late: on a busy machine more is kept back.
    pub lag: Duration,
}

/// When a turn that was asked for is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TurnTime {
    pub move_time: Option<Duration>,
    pub clock: Option<Clock>,
    /// When the engine should be done by itself.
    pub wanted: Option<Instant>,
    pub due: Option<Instant>,
    pub last: Option<Instant>,
}

impl Times {
    /// What is left for the whole game, if that is limited.
    fn left(&self) -> Option<Duration> {
        self.left.or_else(|| self.game.map(|game| game.saturating_sub(self.used)))
    }

    /// The budget of a turn that was asked for at `since`.
    pub fn budget(&self, since: Instant) -> TurnTime {
        let left = self.left();
        let turn = self.turn.map(|turn| if turn.is_zero() { AT_ONCE } else { turn });
        let Some(allowed) = turn.into_iter().chain(left).min() else { return TurnTime::default() };
        let margin = self.margin(allowed);
        // A time too long to be added never ends.
        let at = |time: Duration| since.checked_add(time);
        let move_time = (allowed - margin).saturating_sub(since.elapsed());
        TurnTime {
            move_time: Some(move_time.max(Duration::from_millis(1))),
            clock: left.map(|left| Clock { left: left.saturating_sub(margin), increment: Duration::ZERO }),
            wanted: at(allowed - margin),
            due: at(allowed - margin * 2 / 3),
            last: at(allowed - margin / 3),
        }
    }
}

impl Times {
    /// Looks back at a turn that was asked for at `since` and is now answered.
    pub fn answered(&mut self, since: Instant, budget: &TurnTime) {
        self.used += since.elapsed();
        let late = budget.wanted.map_or(Duration::ZERO, |wanted| wanted.elapsed());
        self.lag = late.max(self.lag * 7 / 8);
    }

    /// What is kept back. Gomocup kills at once, and a busy machine may not wake us in time.
    fn margin(&self, allowed: Duration) -> Duration {
        let (least, most) = (Duration::from_millis(25), Duration::from_millis(300));
        let usual = (allowed / 8).clamp(least, most).min(allowed / 2);
        (usual + self.lag).min(allowed / 4 * 3)
    }
}

impl TurnTime {
    /// The budget together with other limits: the smaller one holds.
    pub fn limits(&self, own: &Limits, depth: Option<u32>, nodes: Option<u64>, lines: usize) -> Limits {
        Limits {
            depth: own.depth.into_iter().chain(depth).min(),
            nodes: own.nodes.into_iter().chain(nodes).min(),
            move_time: own.move_time.into_iter().chain(self.move_time).min(),
            clock: self.clock,
            lines,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_smaller_limit_holds_with_a_margin() {
        let now = Instant::now();
        let within = |times: Times, limit: Duration| {
            let budget = times.budget(now);
            let time = budget.move_time.unwrap();
            assert!(time < limit && now + time < budget.due.unwrap(), "{times:?}");
            assert!(budget.due < budget.last && budget.last.unwrap() < now + limit, "{times:?}");
        };
        within(Times { turn: Some(SECOND), ..Times::default() }, SECOND);
        within(Times { turn: Some(60 * SECOND), left: Some(SECOND), ..Times::default() }, SECOND);
        within(Times { turn: Some(SECOND / 20), left: Some(SECOND), ..Times::default() }, SECOND / 20);
        within(Times { game: Some(5 * SECOND), used: 4 * SECOND, ..Times::default() }, SECOND);
        within(Times { turn: Some(Duration::ZERO), ..Times::default() }, SECOND / 10);
        assert_eq!(Times::default().budget(now), TurnTime::default());
    }

    #[test]
    fn late_answers_make_careful() {
        let mut times = Times { turn: Some(SECOND), ..Times::default() };
        let ago = |late: Duration| Instant::now().checked_sub(SECOND + late).unwrap();
        let calm = times.margin(SECOND);
        times.answered(ago(SECOND / 10), &times.budget(ago(SECOND / 10)));
        assert!(times.margin(SECOND) > calm + SECOND / 5, "{times:?}");
        for _ in 0..60 {
            times.answered(Instant::now(), &times.budget(Instant::now()));
        }
        assert!(times.margin(SECOND) < calm + SECOND / 100, "{times:?}");
        assert!(times.margin(Duration::from_millis(40)) < Duration::from_millis(40));
    }

    #[test]
    fn time_that_is_gone_still_gives_a_budget() {
        let times = Times { turn: Some(SECOND), left: Some(Duration::ZERO), ..Times::default() };
        let budget = times.budget(Instant::now());
        assert_eq!(budget.move_time, Some(Duration::from_millis(1)));
        assert_eq!(budget.clock.map(|clock| clock.left), Some(Duration::ZERO));
        let endless = Times { turn: Some(Duration::MAX), ..Times::default() }.budget(Instant::now());
        assert_eq!((endless.due, endless.last), (None, None));
    }
}
