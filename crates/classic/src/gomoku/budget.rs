//! How long a turn may take.

use std::time::Duration;

use lianzi_engine::Instant;

use lianzi_engine::{Clock, Limits};

/// What the document's program takes for a move when nobody says otherwise (SR-11).
const TIME_GIVEN: Duration = Duration::from_secs(5);

/// Two deadlines: the player may run over the soft one to complete its minimum depth, never over the hard one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    pub(super) soft: Option<Instant>,
    pub(super) hard: Option<Instant>,
}

impl Budget {
    /// The deadlines of a turn that begins now.
    pub(super) fn new(limits: &Limits) -> Budget {
        let start = Instant::now();
        let (soft, hard) = times(limits);
        // A time too long to be added never ends.
        let at = |time: Option<Duration>| time.and_then(|time| start.checked_add(time));
        Budget { soft: at(soft), hard: at(hard) }
    }

    /// The deadlines half as far from now.
    pub(super) fn half(self) -> Budget {
        let now = Instant::now();
        let half = |at: Instant| now + at.saturating_duration_since(now) / 2;
        Budget { soft: self.soft.map(half), hard: self.hard.map(half) }
    }
}

/// The time to use and the time not to exceed.
fn times(limits: &Limits) -> (Option<Duration>, Option<Duration>) {
    let turn = limits.move_time.map(|time| time.saturating_sub(margin(time)));
    let hard = turn.into_iter().chain(limits.clock.map(most)).min();
    let free = limits.nodes.is_none() && limits.depth.is_none() && hard.is_none();
    let wish = limits.clock.map(share).or_else(|| free.then_some(TIME_GIVEN));
    (wish.into_iter().chain(hard).min(), hard)
}

/// What handing the answer over may take.
fn margin(time: Duration) -> Duration {
    (time / 20).clamp(Duration::from_millis(2), Duration::from_millis(30))
}

/// A game lasts 30 to 60 turns, half of them ours.
fn share(clock: Clock) -> Duration {
    clock.left / 30 + clock.increment * 3 / 4
}

fn most(clock: Clock) -> Duration {
    (clock.left / 4).saturating_sub(margin(clock.left))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn five_seconds_unless_told_otherwise() {
        // SR-11
        assert_eq!(times(&Limits::default()), (Some(5 * SECOND), None));
        assert_eq!(times(&Limits { nodes: Some(1), ..Limits::default() }), (None, None));
        assert_eq!(times(&Limits { depth: Some(1), ..Limits::default() }), (None, None));
    }

    #[test]
    fn a_time_for_the_turn_is_hard() {
        let (soft, hard) = times(&Limits { move_time: Some(SECOND), ..Limits::default() });
        assert_eq!(soft, hard);
        assert!(hard.is_some_and(|hard| hard < SECOND && hard > SECOND * 9 / 10));
    }

    #[test]
    fn a_clock_is_shared_out() {
        let clock = Some(Clock { left: 60 * SECOND, increment: Duration::ZERO });
        let (soft, hard) = times(&Limits { clock, ..Limits::default() });
        assert_eq!(soft, Some(2 * SECOND));
        assert!(hard > soft && hard < Some(15 * SECOND));
        let gone = Some(Clock { left: Duration::ZERO, increment: SECOND });
        assert_eq!(times(&Limits { clock: gone, ..Limits::default() }).0, Some(Duration::ZERO));
    }
}
