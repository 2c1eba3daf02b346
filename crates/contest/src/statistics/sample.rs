//! A sample of equally distributed units (games or pairs) and its moments.

use super::Tally;

/// Counts of units with their scores on the scale from 0 to 1, evenly spaced.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    counts: Vec<u64>,
    games_per_unit: f64,
}

impl Sample {
    /// Single games: loss, draw, win.
    pub fn of_games(games: Tally) -> Sample {
        Sample { counts: vec![games.losses, games.draws, games.wins], games_per_unit: 1.0 }
    }

    /// Pairs of games, by their five scores.
    pub fn of_pairs(pairs: [u64; 5]) -> Sample {
        Sample { counts: pairs.to_vec(), games_per_unit: 2.0 }
    }

    /// The number of units.
    pub fn size(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many games a unit has.
    pub fn games_per_unit(&self) -> f64 {
        self.games_per_unit
    }

    /// Each score with how often it occurred.
    pub fn cells(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let steps = (self.counts.len() - 1) as f64;
        self.counts.iter().enumerate().map(move |(index, &count)| (index as f64 / steps, count as f64))
    }

    /// The mean score; the sample must not be empty.
    pub fn mean(&self) -> f64 {
        self.moment(0.0, 1)
    }

    /// The mean of (score − centre) to this power; the sample must not be empty.
    pub fn moment(&self, centre: f64, power: i32) -> f64 {
        let total: f64 = self.cells().map(|(score, count)| count * (score - centre).powi(power)).sum();
        total / self.size() as f64
    }

    /// The score that all units have, if they all have the same.
    pub fn constant(&self) -> Option<f64> {
        let mut seen = self.cells().filter(|&(_, count)| count > 0.0);
        match (seen.next(), seen.next()) {
            (Some((score, _)), None) => Some(score),
            _ => None,
        }
    }
}
