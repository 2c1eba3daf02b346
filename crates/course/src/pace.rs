//! How long a strategy thought in its games, and whether the machine had time for it.

use std::time::Duration;

use lianzi_contest::circumstances::LOAD;
use lianzi_contest::run::REPEATED;
use lianzi_core::{GameRecord, Stone};

/// The moves of a strategy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pace {
    /// By the clock on the wall.
    pub wall: Spread,
    /// What it used of the CPU, where the system tells.
    pub cpu: Spread,
    /// The highest load of a machine that had more to do than it can.
    pub load: Option<f64>,
    /// How many games were played again because of that.
    pub repeated: usize,
}

/// Some times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    moves: u32,
    sum: Duration,
    /// The longest of them.
    pub most: Duration,
}

impl Spread {
    fn add(&mut self, time: Duration) {
        *self = Spread { moves: self.moves + 1, sum: self.sum + time, most: self.most.max(time) };
    }

    /// Their mean; `None` if there are none.
    pub fn mean(&self) -> Option<Duration> {
        self.sum.checked_div(self.moves)
    }

    /// `0.31 s, at most 2.90 s`, or a dash.
    pub fn words(&self, at_most: &str) -> String {
        let Some(mean) = self.mean() else { return "–".into() };
        format!("{:.2} s, {at_most} {:.2} s", mean.as_secs_f64(), self.most.as_secs_f64())
    }
}

impl Pace {
    /// The pace of a strategy that had these stones in these games.
    pub fn of<'a>(games: impl Iterator<Item = (&'a GameRecord, Stone)>) -> Pace {
        let mut pace = Pace::default();
        for (record, stone) in games {
            let plies = record.position();
            let moves = plies.plies().iter().zip(&record.moves).skip(record.opening);
            for (_, played) in moves.filter(|(ply, _)| ply.stone == stone) {
                played.time_ms.into_iter().for_each(|ms| pace.wall.add(Duration::from_millis(ms)));
                played.cpu_us.into_iter().for_each(|us| pace.cpu.add(Duration::from_micros(us)));
            }
            pace.repeated += usize::from(record.tag(REPEATED).is_some());
            let load = record.tag(LOAD).and_then(|load| load.split('/').next()?.parse::<f64>().ok());
            pace.load = pace.load.into_iter().chain(load).reduce(f64::max);
        }
        pace
    }
}
