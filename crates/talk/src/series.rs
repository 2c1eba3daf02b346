//! A series: the best of N games, colours swapped after each.

use lianzi_core::{Outcome, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Where a series stands. The game under way is not in the tally until the next one begins, so a game that is taken
/// back after its end is not counted twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// The best of so many.
    pub length: u32,
    /// Games won by those who now play Black and White.
    pub wins: [u32; 2],
    /// Games nobody won.
    pub draws: u32,
}

impl Series {
    /// A series of which nothing was played.
    pub fn new(length: u32) -> Series {
        Series { length, wins: [0; 2], draws: 0 }
    }

    /// The tally with this game in it.
    pub fn with(mut self, verdict: &Verdict) -> Series {
        match verdict.outcome {
            Some(Outcome::Win(stone)) => self.wins[stone.index()] += 1,
            Some(Outcome::Draw) => self.draws += 1,
            None => {}
        }
        self
    }

    /// The same tally after the players have swapped colours.
    pub fn swapped(self) -> Series {
        let [black, white] = self.wins;
        Series { wins: [white, black], ..self }
    }

    /// How many games are in the tally.
    pub fn played(&self) -> u32 {
        self.wins[0] + self.wins[1] + self.draws
    }

    /// Whether the other games cannot change who wins: one side has more than half of all points.
    pub fn is_over(&self) -> bool {
        let decided = self.wins.iter().any(|wins| 2 * wins + self.draws > self.length);
        decided || self.played() >= self.length
    }

    /// What a page shows while this game is played.
    pub fn shown(&self, verdict: &Verdict) -> Value {
        let tally = self.with(verdict);
        json!({
            "length": self.length, "wins": tally.wins, "draws": tally.draws,
            "game": self.played() + 1, "over": tally.is_over(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::Stone;

    #[test]
    fn a_series_stops_when_it_is_decided() {
        let won = |stone| Verdict::by_stones(Outcome::Win(stone));
        let mut series = Series::new(5);
        for _ in 0..2 {
            series = series.with(&won(Stone::Black)).swapped().with(&won(Stone::White)).swapped();
        }
        assert_eq!((series.wins, series.played()), ([4, 0], 4));
        let three = Series { length: 5, wins: [3, 0], draws: 0 };
        assert!(three.is_over() && !Series { wins: [2, 2], ..three }.is_over());
        assert!(Series { wins: [2, 0], draws: 2, ..three }.is_over(), "three points of five");
        assert!(Series { wins: [0, 0], draws: 5, ..three }.is_over());
        assert_eq!(Series::new(3).shown(&Verdict::UNFINISHED)["game"], 1);
        assert_eq!(Series::new(3).shown(&won(Stone::Black))["wins"][0], 1);
    }
}
