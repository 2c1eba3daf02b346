//! The strength of many players on one scale, and who comes before whom.
//!
//! The model is that of Bradley and Terry: the expected score between two players depends only on the difference
//! of their ratings, by the logistic curve of Elo. A draw counts as half a win and half a loss. [`rate`] finds the
//! ratings under which the results are most likely; the formulas are in docs/statistics.md.
//!
//! Fitting draws with a parameter of their own (Davidson, Rao and Kupper) was rejected: it makes a draw say
//! something about strength beyond its half point, which no scoring table agrees with.

mod cholesky;
mod fit;
mod ranking;

use serde::{Deserialize, Serialize};

use crate::statistics::{Score, Tally};

pub use fit::{BadRating, RatingOptions, rate};
pub use ranking::{Ranked, Scoring, ranking};

/// All results of a set of players against each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Crosstable {
    players: Vec<String>,
    /// Row by row, what each player did against each; the cell of an opponent is always the mirror image.
    tallies: Vec<Tally>,
}

impl Crosstable {
    /// A table of these players before the first game.
    pub fn new<T: Into<String>>(players: impl IntoIterator<Item = T>) -> Crosstable {
        let players: Vec<String> = players.into_iter().map(Into::into).collect();
        let tallies = vec![Tally::default(); players.len() * players.len()];
        Crosstable { players, tallies }
    }

    /// The players' names; a player is known by the index into them.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// The index of the first player with this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.players.iter().position(|player| player == name)
    }

    /// Counts a game by its score for the player; both must be below the number of players.
    pub fn count(&mut self, player: usize, opponent: usize, score: Score) {
        let mut tally = Tally::default();
        tally.count(score);
        self.add(player, opponent, tally);
    }

    /// Counts games by the player's results; games of a player against itself say nothing and are left out.
    pub fn add(&mut self, player: usize, opponent: usize, tally: Tally) {
        assert!(player < self.players.len() && opponent < self.players.len(), "no such player");
        if player != opponent {
            let width = self.players.len();
            self.tallies[player * width + opponent] += tally;
            self.tallies[opponent * width + player] += tally.reversed();
        }
    }

    /// What the player did against this opponent; both must be below the number of players.
    pub fn tally(&self, player: usize, opponent: usize) -> Tally {
        assert!(player < self.players.len() && opponent < self.players.len(), "no such player");
        self.tallies[player * self.players.len() + opponent]
    }

    /// What the player did against all opponents.
    pub fn total(&self, player: usize) -> Tally {
        let mut total = Tally::default();
        (0..self.players.len()).for_each(|opponent| total += self.tally(player, opponent));
        total
    }
}

/// The strength of one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The player's name.
    pub player: String,
    /// The rating in Elo points.
    pub elo: f64,
    /// The 95 % error of the rating, up or down, against the average of all players or against the anchor.
    pub error: f64,
    /// What the rating rests on.
    pub tally: Tally,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_a_game_are_counted() {
        let mut table = Crosstable::new(["a", "b", "c"]);
        table.count(0, 1, Score::Win);
        table.count(1, 0, Score::Draw);
        table.add(2, 0, Tally::new(3, 0, 1));
        table.count(1, 1, Score::Win);
        assert_eq!(table.tally(0, 1), Tally::new(1, 1, 0));
        assert_eq!(table.tally(1, 0), Tally::new(0, 1, 1));
        assert_eq!(table.total(0), Tally::new(2, 1, 3));
        assert_eq!(table.total(1), Tally::new(0, 1, 1));
        assert_eq!((table.find("c"), table.find("d")), (Some(2), None));
    }
}
