//! Time is measured by the arena, never by the player: how much there is, how much is used, and when it is over.

use std::time::Duration;

use lianzi_core::{Limit, Stone};
use lianzi_engine::{Clock, Limits};
use serde::{Deserialize, Serialize};

/// What the players of a game may use. Every limit that is given holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// Time for each turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_move: Option<Duration>,
    /// Time for the whole game, and what is added after each turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_game: Option<(Duration, Duration)>,
    /// Nodes for each turn, for engines that count them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth for each turn, for engines that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How late an answer may come before it loses.
    pub margin: Duration,
}

impl Default for Control {
    fn default() -> Control {
        let margin = Duration::from_millis(50);
        Control { per_move: None, per_game: None, nodes: None, depth: None, margin }
    }
}

/// The clocks of a game.
#[derive(Clone, Debug)]
pub struct Clocks {
    control: Control,
    left: [Option<Duration>; 2],
}

/// What one turn may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// The time, and which clock sets it.
    pub time: Option<(Duration, Limit)>,
    /// How much later an answer still counts.
    pub margin: Duration,
}

impl Allowance {
    /// The clock that an answer after `taken` has overrun.
    pub fn overrun(&self, taken: Duration) -> Option<Limit> {
        self.time.filter(|(time, _)| taken > *time + self.margin).map(|(_, limit)| limit)
    }
}

impl Clocks {
    /// Both clocks at the start of a game.
    pub fn new(control: Control) -> Clocks {
        Clocks { control, left: [control.per_game.map(|(time, _)| time); 2] }
    }

    /// What the next turn of this side may take: the shorter of its two clocks.
    pub fn allowance(&self, stone: Stone) -> Allowance {
        let per_move = self.control.per_move.map(|time| (time, Limit::Move));
        let per_game = self.left[stone.index()].map(|time| (time, Limit::Game));
        let time = [per_move, per_game].into_iter().flatten().min_by_key(|(time, _)| *time);
        Allowance { time, margin: self.control.margin }
    }

    /// What an engine of this side is told.
    pub fn limits(&self, stone: Stone) -> Limits {
        let increment = self.control.per_game.map_or(Duration::ZERO, |(_, increment)| increment);
        Limits {
            depth: self.control.depth,
            nodes: self.control.nodes,
            move_time: self.control.per_move,
            clock: self.left[stone.index()].map(|left| Clock { left, increment }),
            lines: 1,
        }
    }

    /// The players change sides, and each keeps what is left to it.
    pub const fn swap(&mut self) {
        self.left.swap(0, 1);
    }

    /// Takes a turn's time off the clock and adds the increment. What was within the margin is forgiven.
    pub fn spend(&mut self, stone: Stone, taken: Duration) {
        if let (Some(left), Some((_, increment))) = (&mut self.left[stone.index()], self.control.per_game) {
            *left = left.saturating_sub(taken) + increment;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn the_shorter_clock_decides() {
        let control = Control { per_move: Some(ms(300)), per_game: Some((ms(500), ms(20))), ..Control::default() };
        let mut clocks = Clocks::new(control);
        assert_eq!(clocks.allowance(Stone::Black).time, Some((ms(300), Limit::Move)));
        clocks.spend(Stone::Black, ms(250));
        assert_eq!(clocks.allowance(Stone::Black).time, Some((ms(270), Limit::Game)));
        assert_eq!(clocks.allowance(Stone::White).time, Some((ms(300), Limit::Move)), "the other clock stands still");
        let limits = clocks.limits(Stone::Black);
        assert_eq!(limits.clock, Some(Clock { left: ms(270), increment: ms(20) }));
        clocks.spend(Stone::Black, ms(310));
        assert_eq!(clocks.allowance(Stone::Black).time, Some((ms(20), Limit::Game)), "a clock never runs below zero");
    }

    #[test]
    fn late_is_later_than_the_margin() {
        let allowance = Allowance { time: Some((ms(100), Limit::Move)), margin: ms(50) };
        assert_eq!(allowance.overrun(ms(150)), None);
        assert_eq!(allowance.overrun(ms(151)), Some(Limit::Move));
        assert_eq!(Allowance { time: None, margin: ms(50) }.overrun(ms(u64::MAX / 2)), None);
    }
}
