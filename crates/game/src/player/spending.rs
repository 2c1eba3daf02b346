//! A turn's CPU time: measured, and held against the player's own limit.

use std::time::Duration;

use super::Reply;
use lianzi_core::Fault;

/// What a player may use for a turn, and by how much more it is not late yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spending {
    /// The limit the user gave.
    pub limit: Option<Duration>,
    /// The game's margin.
    pub margin: Duration,
}

impl Spending {
    /// What ends a wait for the answer.
    pub fn end(&self) -> Option<Duration> {
        self.limit.map(|limit| limit + self.margin)
    }

    /// Writes down what a turn has used, from what the meter showed before and after it. Too much is a fault.
    pub fn settle(
        &self,
        before: Option<Duration>,
        after: Option<Duration>,
        reply: Result<Reply, Fault>,
    ) -> Result<Reply, Fault> {
        let cpu = before.zip(after).map(|(before, after)| after.saturating_sub(before));
        let reply = reply?;
        match self.end() {
            Some(end) if cpu.is_some_and(|used| used > end) => Err(Fault::Spent),
            _ => Ok(Reply { cpu, ..reply }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_beyond_the_margin_is_too_much() {
        let ms = |n| Some(Duration::from_millis(n));
        let spending = Spending { limit: ms(100), margin: Duration::from_millis(50) };
        let settle = |before, after| spending.settle(before, after, Ok(Reply::default())).map(|reply| reply.cpu);
        assert_eq!(settle(ms(1000), ms(1150)), Ok(ms(150)));
        assert_eq!(settle(ms(1000), ms(1151)), Err(Fault::Spent));
        assert_eq!(settle(ms(1000), None), Ok(None));
        assert_eq!(Spending::default().settle(ms(0), ms(9999), Ok(Reply::default())).map(|r| r.cpu), Ok(ms(9999)));
        assert_eq!(spending.settle(ms(0), ms(9999), Err(Fault::Late)), Err(Fault::Late));
    }
}
