//! What the results of a match say about the strength of its players.
//!
//! Everything here is a pure function of counted results. The unit of evidence is the *pair*: two games from the
//! same opening with the colours swapped. The two games of a pair depend on each other (an opening that is won
//! for one side gives one win each), so treating them as independent misjudges the error; the five possible
//! scores of a pair are independent of the other pairs, and counting those is the *pentanomial* model. The
//! *trinomial* model counts single games and is there for matches without pairs. The formulas are explained in
//! docs/statistics.md.

mod estimate;
mod normal;
mod run;
mod sample;
#[cfg(test)]
mod simulation;
mod sprt;

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use lianzi_core::{Outcome, Stone};
use serde::{Deserialize, Serialize};

pub(crate) use estimate::ELO_PER_LOGIT;
pub use estimate::{Estimate, elo_of_score, score_of_elo};
pub use normal::{Z95, normal_cdf};
pub use run::SprtRun;
pub use sprt::{Accepted, BadSprt, Sprt};

use sample::Sample;

/// The result of one game, seen from one player's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Score {
    /// The player lost.
    Loss,
    /// Nobody won.
    Draw,
    /// The player won.
    Win,
}

impl Score {
    /// What this outcome means for the player who had these stones.
    pub fn of(outcome: Outcome, player: Stone) -> Score {
        match outcome.winner() {
            None => Score::Draw,
            Some(winner) if winner == player => Score::Win,
            Some(_) => Score::Loss,
        }
    }

    /// The same game seen by the opponent.
    pub const fn reversed(self) -> Score {
        match self {
            Score::Loss => Score::Win,
            Score::Draw => Score::Draw,
            Score::Win => Score::Loss,
        }
    }

    /// Twice the points of the game: 0, 1 or 2.
    pub const fn half_points(self) -> u64 {
        self as u64
    }
}

/// Which units the evidence is counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Pairs of games, by their five possible scores.
    #[default]
    Pentanomial,
    /// Single games, as if each were independent of all others.
    Trinomial,
}

/// Counts of single games, seen from one player's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// These counts.
    pub const fn new(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses }
    }

    /// Counts one more game.
    pub fn count(&mut self, score: Score) {
        match score {
            Score::Win => self.wins += 1,
            Score::Draw => self.draws += 1,
            Score::Loss => self.losses += 1,
        }
    }

    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Twice the points: two for a win, one for a draw.
    pub const fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// The same games seen by the opponent.
    pub const fn reversed(&self) -> Tally {
        Tally::new(self.losses, self.draws, self.wins)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

/// The results of a match, seen from one player's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Results {
    /// All games, those of the pairs included.
    pub games: Tally,
    /// How many full pairs scored 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
}

impl Results {
    /// Counts a game that has no partner, or whose partner is not a valid game.
    pub fn count_game(&mut self, score: Score) {
        self.games.count(score);
    }

    /// Counts both games of a full pair.
    pub fn count_pair(&mut self, pair: [Score; 2]) {
        for score in pair {
            self.games.count(score);
        }
        self.pairs[(pair[0].half_points() + pair[1].half_points()) as usize] += 1;
    }

    /// The number of full pairs.
    pub fn full_pairs(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// The same games seen by the opponent.
    pub fn reversed(&self) -> Results {
        let [p0, p1, p2, p3, p4] = self.pairs;
        Results { games: self.games.reversed(), pairs: [p4, p3, p2, p1, p0] }
    }

    /// The share of the points of all games, from 0 to 1, unless there are no games.
    pub fn score(&self) -> Option<f64> {
        let games = self.games.games();
        (games > 0).then(|| self.games.half_points() as f64 / (2 * games) as f64)
    }

    /// The difference in logistic Elo with its 95 % error, from the pairs or, without any, from the games.
    pub fn elo(&self, model: Model) -> Estimate {
        estimate::elo(&self.sample(model))
    }

    /// The difference in normalised Elo with its 95 % error, from the pairs or, without any, from the games.
    pub fn normalised_elo(&self, model: Model) -> Estimate {
        estimate::normalised_elo(&self.sample(model))
    }

    /// The likelihood, from 0 to 1, that the player is stronger than the opponent; ½ without any evidence.
    pub fn superiority(&self, model: Model) -> f64 {
        estimate::superiority(&self.sample(model))
    }

    fn sample(&self, model: Model) -> Sample {
        match model {
            Model::Pentanomial if self.full_pairs() > 0 => Sample::of_pairs(self.pairs),
            _ => Sample::of_games(self.games),
        }
    }
}

impl AddAssign for Results {
    fn add_assign(&mut self, other: Results) {
        self.games += other.games;
        for (mine, more) in self.pairs.iter_mut().zip(other.pairs) {
            *mine += more;
        }
    }
}

impl Add for Results {
    type Output = Results;

    fn add(mut self, other: Results) -> Results {
        self += other;
        self
    }
}

impl Sum for Results {
    fn sum<I: Iterator<Item = Results>>(results: I) -> Results {
        results.fold(Results::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_seen_from_the_players_side() {
        assert_eq!(Score::of(Outcome::Win(Stone::Black), Stone::Black), Score::Win);
        assert_eq!(Score::of(Outcome::Win(Stone::Black), Stone::White), Score::Loss);
        assert_eq!(Score::of(Outcome::Draw, Stone::White), Score::Draw);
    }

    #[test]
    fn pairs_are_counted_by_their_points_and_single_games_only_as_games() {
        use Score::{Draw, Loss, Win};
        let mut results = Results::default();
        for pair in [[Loss, Loss], [Draw, Loss], [Win, Loss], [Draw, Draw], [Win, Draw], [Win, Win], [Win, Win]] {
            results.count_pair(pair);
        }
        results.count_game(Win);
        assert_eq!(results.pairs, [1, 1, 2, 1, 2]);
        assert_eq!(results.full_pairs(), 7);
        assert_eq!(results.games, Tally::new(7, 4, 4));
        assert_eq!(results.score(), Some(9.0 / 15.0));
        assert_eq!(results.reversed().pairs, [2, 1, 2, 1, 1]);
        assert_eq!(results.reversed().games, Tally::new(4, 4, 7));
        assert_eq!(Results::default().score(), None);
    }

    #[test]
    fn results_add_up() {
        let one = Results { games: Tally::new(1, 2, 3), pairs: [0, 1, 2, 0, 0] };
        let sum: Results = [one, one.reversed()].into_iter().sum();
        assert_eq!(sum, Results { games: Tally::new(4, 4, 4), pairs: [0, 1, 4, 1, 0] });
    }

    #[test]
    fn results_survive_json() {
        let results = Results { games: Tally::new(3, 1, 2), pairs: [0, 1, 1, 1, 0] };
        let text = serde_json::to_string(&results).unwrap();
        assert_eq!(text, r#"{"games":{"wins":3,"draws":1,"losses":2},"pairs":[0,1,1,1,0]}"#);
        assert_eq!(serde_json::from_str::<Results>(&text).unwrap(), results);
    }
}
