//! How long turns took.

use lianzi_core::{GameRecord, Stone};
use serde::Serialize;

use crate::Fixture;

/// The time one player's turns took, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MoveTimes {
    /// How many turns were timed.
    pub turns: usize,
    /// The mean.
    pub mean: f64,
    /// Half of the turns took no longer.
    pub p50: u64,
    /// Nineteen of twenty turns took no longer.
    pub p95: u64,
    /// The longest.
    pub max: u64,
}

impl MoveTimes {
    fn of(mut times: Vec<u64>) -> MoveTimes {
        times.sort_unstable();
        let Some(&max) = times.last() else { return MoveTimes::default() };
        let turns = times.len();
        // The nearest rank: a time that was really taken, also of few turns.
        let percentile = |percent: usize| times[(turns * percent).div_ceil(100).max(1) - 1];
        let mean = times.iter().sum::<u64>() as f64 / turns as f64;
        MoveTimes { turns, mean, p50: percentile(50), p95: percentile(95), max }
    }
}

/// The times of each of `players` players, in their order; the stones of an opening are nobody's.
pub fn move_times(players: usize, games: &[(Fixture, GameRecord)]) -> Vec<MoveTimes> {
    let mut times = vec![Vec::new(); players];
    for (fixture, record) in games {
        for (index, played) in record.moves.iter().enumerate().skip(record.opening) {
            let player = times.get_mut(fixture.seat(mover(record, index)));
            if let (Some(time), Some(player)) = (played.time_ms, player) {
                player.push(time);
            }
        }
    }
    times.into_iter().map(MoveTimes::of).collect()
}

/// Who placed this stone of a record.
pub fn mover(record: &GameRecord, index: usize) -> Stone {
    let first = match &record.setup {
        Some(setup) => (setup.to_move, setup.stones_left),
        None => (Stone::Black, record.rules.first_turn),
    };
    record.rules.turn_after(first, index).0
}
