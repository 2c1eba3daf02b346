//! The ratings under which the results are most likely.

use serde::{Deserialize, Serialize};

use super::cholesky::Cholesky;
use super::{Crosstable, Rating};
use crate::statistics::ELO_PER_LOGIT;
use crate::statistics::Z95;

/// How ratings are fixed and kept finite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingOptions {
    /// The player whose rating is given, and that rating; without one the mean of all players is 0.
    pub anchor: Option<(String, f64)>,
    /// Every player is taken to have drawn this many games against a virtual player of average strength.
    ///
    /// Without it the rating of a player who won (or lost) everything would be infinite, and groups that never
    /// played each other could not be compared. It pulls a rating towards the average about as much as this many
    /// real draws would.
    pub prior: f64,
}

impl Default for RatingOptions {
    fn default() -> RatingOptions {
        RatingOptions { anchor: None, prior: 0.5 }
    }
}

/// Why ratings cannot be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadRating {
    /// The anchor does not take part.
    #[error("'{0}' is to be the anchor of the ratings but is not among the players")]
    UnknownAnchor(String),
    /// The anchor's rating is not a number.
    #[error("the rating of the anchor must be a number, and is {0}")]
    AnchorRating(f64),
    /// The prior cannot keep ratings finite.
    #[error("the prior must be a positive number of draws, and is {0}")]
    Prior(f64),
}

/// Rates all players of the table, in its order.
pub fn rate(table: &Crosstable, options: &RatingOptions) -> Result<Vec<Rating>, BadRating> {
    if !(options.prior > 0.0 && options.prior.is_finite()) {
        return Err(BadRating::Prior(options.prior));
    }
    let origin = Origin::of(table, options)?;
    let fit = Fit::new(table, options.prior);
    let strengths = fit.solve();
    let shift = origin.shift(&strengths);
    let errors = origin.deviations(&fit.covariance(table, &strengths), fit.size);
    let rating = |player: usize| Rating {
        player: table.players()[player].clone(),
        elo: ELO_PER_LOGIT * (strengths[player] + shift),
        error: ELO_PER_LOGIT * Z95 * errors[player],
        tally: table.total(player),
    };
    Ok((0..fit.size).map(rating).collect())
}

/// What the ratings are measured from.
enum Origin {
    Mean,
    /// This player has this strength.
    Player(usize, f64),
}

impl Origin {
    fn of(table: &Crosstable, options: &RatingOptions) -> Result<Origin, BadRating> {
        let Some((name, elo)) = &options.anchor else { return Ok(Origin::Mean) };
        if !elo.is_finite() {
            return Err(BadRating::AnchorRating(*elo));
        }
        let player = table.find(name).ok_or_else(|| BadRating::UnknownAnchor(name.clone()))?;
        Ok(Origin::Player(player, elo / ELO_PER_LOGIT))
    }

    /// What to add to all strengths.
    fn shift(&self, strengths: &[f64]) -> f64 {
        match *self {
            Origin::Mean => -strengths.iter().sum::<f64>() / strengths.len().max(1) as f64,
            Origin::Player(player, strength) => strength - strengths[player],
        }
    }

    /// The standard deviation of each strength relative to the origin.
    fn deviations(&self, covariance: &[f64], size: usize) -> Vec<f64> {
        let count = size.max(1) as f64;
        let average = |player: usize| covariance[player * size..][..size].iter().sum::<f64>() / count;
        let overall = covariance.iter().sum::<f64>() / (count * count);
        let variance = |player: usize| {
            let own = covariance[player * size + player];
            match *self {
                Origin::Mean => own - 2.0 * average(player) + overall,
                Origin::Player(anchor, _) if anchor == player => 0.0,
                Origin::Player(anchor, _) => {
                    own - 2.0 * covariance[player * size + anchor] + covariance[anchor * size + anchor]
                }
            }
        };
        (0..size).map(|player| variance(player).max(0.0).sqrt()).collect()
    }
}

/// The likelihood of strengths in units of log-odds, the virtual player having strength 0.
struct Fit {
    size: usize,
    prior: f64,
    /// Row by row, the points each player made against each, draws as halves.
    points: Vec<f64>,
}

impl Fit {
    fn new(table: &Crosstable, prior: f64) -> Fit {
        let size = table.players().len();
        let cell = |index: usize| table.tally(index / size, index % size).half_points() as f64 / 2.0;
        Fit { size, prior, points: (0..size * size).map(cell).collect() }
    }

    fn points(&self, player: usize, opponent: usize) -> f64 {
        self.points[player * self.size + opponent]
    }

    fn games(&self, player: usize, opponent: usize) -> f64 {
        self.points(player, opponent) + self.points(opponent, player)
    }

    /// Newton's method; the likelihood is strictly concave, so shortened steps always lead to its only summit.
    fn solve(&self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.size];
        for _ in 0..1_000 {
            let factor = Cholesky::new(&self.information(&strengths, 1.0), self.size);
            let step = factor.solve(&self.gradient(&strengths));
            strengths = self.climb(&strengths, &step);
            if step.iter().all(|change| change.abs() < 1e-10) {
                break;
            }
        }
        strengths
    }

    /// Goes as much of the step as does not lead downhill, but for rounding.
    fn climb(&self, strengths: &[f64], step: &[f64]) -> Vec<f64> {
        let start = self.likelihood(strengths);
        let mut share = 1.0;
        loop {
            let next: Vec<f64> = strengths.iter().zip(step).map(|(s, d)| s + share * d).collect();
            if self.likelihood(&next) >= start - 1e-12 * (1.0 + start.abs()) || share < 1e-6 {
                return next;
            }
            share /= 2.0;
        }
    }

    fn likelihood(&self, strengths: &[f64]) -> f64 {
        let against = |player: usize, own: f64| -> f64 {
            let terms = strengths.iter().enumerate();
            terms.map(|(opponent, s)| self.points(player, opponent) * log_sigmoid(own - s)).sum()
        };
        let prior = |own: f64| self.prior / 2.0 * (log_sigmoid(own) + log_sigmoid(-own));
        strengths.iter().enumerate().map(|(player, &own)| against(player, own) + prior(own)).sum()
    }

    /// By how much each player scored more than expected.
    fn gradient(&self, strengths: &[f64]) -> Vec<f64> {
        let surplus = |player: usize| {
            let own = strengths[player];
            let real = (0..self.size).map(|opponent| {
                let expected = self.games(player, opponent) * sigmoid(own - strengths[opponent]);
                self.points(player, opponent) - expected
            });
            real.sum::<f64>() + self.prior * (0.5 - sigmoid(own))
        };
        (0..self.size).map(surplus).collect()
    }

    /// The Fisher information: the negative second derivative, with the real games weighted.
    fn information(&self, strengths: &[f64], weight: f64) -> Vec<f64> {
        let size = self.size;
        let mut matrix = vec![0.0; size * size];
        for player in 0..size {
            matrix[player * size + player] += self.prior * spread(strengths[player]);
            for opponent in 0..player {
                let difference = strengths[player] - strengths[opponent];
                let known = weight * self.games(player, opponent) * spread(difference);
                matrix[player * size + player] += known;
                matrix[opponent * size + opponent] += known;
                matrix[player * size + opponent] -= known;
                matrix[opponent * size + player] -= known;
            }
        }
        matrix
    }

    /// The covariance of the strengths.
    fn covariance(&self, table: &Crosstable, strengths: &[f64]) -> Vec<f64> {
        let weight = 1.0 / dispersion(table, strengths);
        Cholesky::new(&self.information(strengths, weight), self.size).inverse()
    }
}

/// The variance of real games compared with games without draws: 1 without draws, less with.
///
/// The model knows only wins and losses, whose variance p(1 − p) is more than that of games with draws. Both sums
/// start with one undrawn game between equals, so that a table of nothing but draws keeps an error.
fn dispersion(table: &Crosstable, strengths: &[f64]) -> f64 {
    let (mut seen, mut expected) = (0.25, 0.25);
    for player in 0..strengths.len() {
        for opponent in 0..player {
            let tally = table.tally(player, opponent);
            let difference = strengths[player] - strengths[opponent];
            let score = sigmoid(difference);
            seen += tally.wins as f64 * (1.0 - score).powi(2)
                + tally.draws as f64 * (0.5 - score).powi(2)
                + tally.losses as f64 * score.powi(2);
            expected += tally.games() as f64 * spread(difference);
        }
    }
    seen / expected
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The derivative of the sigmoid: the variance of an undrawn game.
fn spread(x: f64) -> f64 {
    sigmoid(x) * sigmoid(-x)
}

fn log_sigmoid(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use lianzi_core::Random;
    use proptest::prelude::*;

    use super::*;
    use crate::statistics::Model;
    use crate::statistics::Results;
    use crate::statistics::Tally;
    use crate::statistics::elo_of_score;

    const NEARLY_NO_PRIOR: f64 = 1e-7;

    fn options(prior: f64) -> RatingOptions {
        RatingOptions { anchor: None, prior }
    }

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
    }

    fn numbered(count: usize) -> Crosstable {
        Crosstable::new((0..count).map(|index| format!("p{index}")))
    }

    #[test]
    fn two_players_differ_by_the_elo_of_the_score() {
        let mut table = numbered(2);
        let tally = Tally::new(1_300, 400, 300);
        table.add(0, 1, tally);
        let ratings = rate(&table, &options(NEARLY_NO_PRIOR)).unwrap();
        close(ratings[0].elo - ratings[1].elo, elo_of_score(0.75).unwrap(), 1e-3);
        close(ratings[0].elo, 190.848_5 / 2.0, 1e-3);
        // Against the other player the error is that of the match; against their average it is half of it.
        let elo = Results { games: tally, pairs: [0; 5] }.elo(Model::Trinomial);
        let anchored = RatingOptions { anchor: Some(("p1".into(), 1500.0)), prior: NEARLY_NO_PRIOR };
        let anchored = rate(&table, &anchored).unwrap();
        close(anchored[0].elo, 1500.0 + elo.value.unwrap(), 1e-3);
        close(anchored[0].error, elo.error().unwrap(), 0.01);
        close(ratings[0].error, elo.error().unwrap() / 2.0, 0.01);
        assert_eq!((anchored[1].elo, anchored[1].error), (1500.0, 0.0));
    }

    #[test]
    fn consistent_odds_are_found_exactly() {
        // Odds of 3 twice make odds of 9: 75 %, 75 % and 90 %.
        let mut table = numbered(3);
        table.add(0, 1, Tally::new(750, 0, 250));
        table.add(1, 2, Tally::new(700, 100, 200));
        table.add(0, 2, Tally::new(90, 0, 10));
        let ratings = rate(&table, &options(NEARLY_NO_PRIOR)).unwrap();
        for (rating, expected) in ratings.iter().zip([190.848_501_9, 0.0, -190.848_501_9]) {
            close(rating.elo, expected, 1e-3);
        }
    }

    #[test]
    fn errors_among_equals_have_a_closed_form() {
        // n undrawn games in each pairing of N equals: the information is n/4 (N·1 − J), whose pseudo-inverse
        // has the diagonal 4/(nN) · (1 − 1/N).
        let mut table = numbered(6);
        for player in 0..6 {
            (0..player).for_each(|opponent| table.add(player, opponent, Tally::new(20, 0, 20)));
        }
        let expected = ELO_PER_LOGIT * Z95 * (4.0f64 / (40.0 * 6.0) * (5.0 / 6.0)).sqrt();
        for rating in rate(&table, &options(NEARLY_NO_PRIOR)).unwrap() {
            close(rating.elo, 0.0, 1e-9);
            close(rating.error, expected, 1e-3);
        }
    }

    /// Ratings by the minorisation of Hunter (2004), in which the virtual player of strength 1 stays fixed.
    fn minorise(table: &Crosstable, prior: f64) -> Vec<f64> {
        let size = table.players().len();
        let mut gamma = vec![1.0; size];
        for _ in 0..20_000 {
            for player in 0..size {
                let won = table.total(player).half_points() as f64 / 2.0 + prior / 2.0;
                let real: f64 = (0..size)
                    .map(|other| table.tally(player, other).games() as f64 / (gamma[player] + gamma[other]))
                    .sum();
                gamma[player] = won / (real + prior / (gamma[player] + 1.0));
            }
        }
        let elo: Vec<f64> = gamma.iter().map(|g: &f64| 400.0 * g.log10()).collect();
        let mean = elo.iter().sum::<f64>() / size as f64;
        elo.iter().map(|e| e - mean).collect()
    }

    #[test]
    fn another_method_finds_the_same_summit() {
        let mut random = Random::new(5);
        for size in [2, 3, 7] {
            let mut table = numbered(size);
            for player in 0..size {
                for opponent in 0..player {
                    let mut few = || random.below(6) as u64;
                    table.add(player, opponent, Tally::new(few(), few(), few()));
                }
            }
            table.add(0, 1, Tally::new(40, 0, 0));
            let ratings = rate(&table, &RatingOptions::default()).unwrap();
            for (rating, expected) in ratings.iter().zip(minorise(&table, 0.5)) {
                close(rating.elo, expected, 1e-4);
            }
        }
    }

    /// Plays random games between players of these ratings, of which this share of the possible is drawn.
    fn tournament(truth: &[f64], games: u64, drawn: f64, random: &mut Random) -> Crosstable {
        let mut table = numbered(truth.len());
        for player in 0..truth.len() {
            for opponent in 0..player {
                let score = crate::statistics::score_of_elo(truth[player] - truth[opponent]);
                let draw = drawn * 2.0 * score.min(1.0 - score);
                let mut tally = Tally::default();
                for _ in 0..games {
                    let lot = random.unit();
                    let won = score - draw / 2.0;
                    if lot < won {
                        tally.wins += 1;
                    } else if lot < won + draw {
                        tally.draws += 1;
                    } else {
                        tally.losses += 1;
                    }
                }
                table.add(player, opponent, tally);
            }
        }
        table
    }

    #[test]
    fn errors_cover_the_truth_95_times_in_100() {
        let truth = [180.0, 110.0, 60.0, 10.0, -20.0, -70.0, -120.0, -150.0];
        let mut random = Random::new(9);
        for drawn in [0.0, 0.5] {
            for anchor in [None, Some(("p3".to_string(), 10.0))] {
                let options = RatingOptions { anchor, ..RatingOptions::default() };
                let (mut covered, mut all) = (0, 0);
                for _ in 0..600 {
                    let ratings = rate(&tournament(&truth, 40, drawn, &mut random), &options).unwrap();
                    let free = ratings.iter().zip(truth).filter(|(rating, _)| rating.error > 0.0);
                    for (rating, truth) in free {
                        all += 1;
                        covered += u32::from((rating.elo - truth).abs() < rating.error);
                    }
                }
                let share = f64::from(covered) / f64::from(all);
                assert!((0.93..=0.97).contains(&share), "{share} with {drawn} drawn");
            }
        }
    }

    #[test]
    fn a_hundred_players_are_quick() {
        let truth: Vec<f64> = (0..100).map(|index| 8.0 * (f64::from(index) - 49.5)).collect();
        let table = tournament(&truth, 4, 0.3, &mut Random::new(1));
        let start = Instant::now();
        let ratings = rate(&table, &RatingOptions::default()).unwrap();
        assert!(start.elapsed().as_secs_f64() < 0.5, "{:?}", start.elapsed());
        let covered = ratings.iter().zip(truth).filter(|(rating, truth)| (rating.elo - truth).abs() < rating.error);
        assert!(covered.count() >= 88);
    }

    #[test]
    fn a_ladder_of_undefeated_players_stays_finite_and_ordered() {
        let mut table = numbered(100);
        (1..100).for_each(|player| table.add(player, player - 1, Tally::new(1_000, 0, 0)));
        let start = Instant::now();
        let ratings = rate(&table, &RatingOptions::default()).unwrap();
        assert!(start.elapsed().as_secs_f64() < 1.0, "{:?}", start.elapsed());
        assert!(ratings.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()));
        assert!(ratings.windows(2).all(|two| two[0].elo < two[1].elo));
    }

    #[test]
    fn unusual_tables_have_ratings() {
        assert!(rate(&numbered(0), &RatingOptions::default()).unwrap().is_empty());
        let alone = rate(&numbered(1), &RatingOptions::default()).unwrap();
        assert_eq!((alone[0].elo, alone[0].error), (0.0, 0.0));
        // Nobody played: all equal, and the error is that of half a draw.
        for rating in rate(&numbered(3), &RatingOptions::default()).unwrap() {
            assert_eq!(rating.elo, 0.0);
            close(rating.error, ELO_PER_LOGIT * Z95 * (8.0f64 * 2.0 / 3.0).sqrt(), 1e-6);
        }
        // Nothing but draws: equal, with an error that shrinks like one over the games.
        let mut drawn = numbered(2);
        drawn.add(0, 1, Tally::new(0, 99, 0));
        let anchored = RatingOptions { anchor: Some(("p0".into(), 0.0)), prior: NEARLY_NO_PRIOR };
        let ratings = rate(&drawn, &anchored).unwrap();
        close(ratings[1].elo, 0.0, 1e-9);
        close(ratings[1].error, ELO_PER_LOGIT * Z95 * (4.0f64 / 99.0 / 100.0).sqrt(), 1e-3);
    }

    #[test]
    fn an_undefeated_player_is_far_ahead_but_finite() {
        let mut table = numbered(2);
        table.add(0, 1, Tally::new(10, 0, 0));
        let ratings = rate(&table, &RatingOptions::default()).unwrap();
        // The difference d solves 10 (1 − σ(d)) = ½ (σ(d/2) − ½), found here by halving.
        let (mut low, mut high) = (0.0, 20.0);
        for _ in 0..100 {
            let middle: f64 = (low + high) / 2.0;
            let pull = 10.0 / (1.0 + middle.exp()) - 0.5 * (1.0 / (1.0 + (-middle / 2.0).exp()) - 0.5);
            if pull > 0.0 { low = middle } else { high = middle }
        }
        close(ratings[0].elo - ratings[1].elo, 400.0 / std::f64::consts::LN_10 * low, 1e-6);
    }

    #[test]
    fn bad_options_are_explained() {
        let anchor = |name: &str, elo| RatingOptions { anchor: Some((name.into(), elo)), prior: 0.5 };
        let table = numbered(2);
        assert_eq!(rate(&table, &anchor("x", 0.0)), Err(BadRating::UnknownAnchor("x".into())));
        assert!(matches!(rate(&table, &anchor("p0", f64::NAN)), Err(BadRating::AnchorRating(_))));
        assert_eq!(rate(&table, &options(0.0)), Err(BadRating::Prior(0.0)));
        assert!(matches!(rate(&table, &options(f64::NAN)), Err(BadRating::Prior(_))));
    }

    proptest! {
        #[test]
        fn all_tables_have_finite_ratings_around_0(size in 1usize..9, seed: u64, most in 1usize..2_000) {
            let mut random = Random::new(seed);
            let mut table = numbered(size);
            for player in 0..size {
                for opponent in 0..player {
                    let mut some = || if random.below(2) == 0 { 0 } else { random.below(most) as u64 };
                    table.add(player, opponent, Tally::new(some(), some(), some()));
                }
            }
            let ratings = rate(&table, &RatingOptions::default()).unwrap();
            prop_assert!(ratings.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()));
            prop_assert!(ratings.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
        }
    }
}
