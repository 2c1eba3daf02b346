//! Strength as a number with an error.

use std::f64::consts::LN_10;
use std::fmt;

use lianzi_core::{Speak, Text, text};
use serde::{Deserialize, Serialize};

use super::normal::{Z95, normal_cdf};
use super::sample::Sample;

/// The slope of the logistic Elo scale: so many points for one unit of log-odds.
pub(crate) const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// The expected score, between 0 and 1, of a player who is this many Elo points stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// How many Elo points stronger a player with this expected score is; unbounded, thus none, outside of 0 to 1.
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| ELO_PER_LOGIT * (score / (1.0 - score)).ln())
}

/// An estimated number with its 95 % interval; what is missing is unbounded, and no part is ever NaN or infinite.
///
/// When all units of the sample have the same score there is no variance to take the error from. A win or loss
/// throughout then has no value and is bounded on one side only; without any games everything is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The most likely value.
    pub value: Option<f64>,
    /// The lower end of the 95 % interval; missing when nothing bounds it.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval; missing when nothing bounds it.
    pub high: Option<f64>,
}

impl Estimate {
    /// A value with a symmetric 95 % error.
    pub fn with_error(value: f64, error: f64) -> Estimate {
        Estimate { value: Some(value), low: Some(value - error), high: Some(value + error) }
    }

    /// The symmetric 95 % error: half the length of the interval, unless it is unbounded.
    pub fn error(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }
}

/// `+12.3 ± 4.5`, or `above +139.2`, `below -139.2`, `unknown` when the value is unbounded.
impl Speak for Estimate {
    fn text(&self) -> Text {
        match (self.value, self.error(), self.low, self.high) {
            (Some(value), Some(error), _, _) => text!("{value:+.1} ± {error:.1}", "{value:+.1} ± {error:.1}"),
            (_, _, Some(low), None) => text!("above {low:+.1}", "高于 {low:+.1}"),
            (_, _, None, Some(high)) => text!("below {high:+.1}", "低于 {high:+.1}"),
            _ => Text::fixed("unknown", "未知"),
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text().english)
    }
}

/// Logistic Elo: the error of the mean score, carried over by the slope of the scale at the mean.
pub(super) fn elo(sample: &Sample) -> Estimate {
    if sample.size() == 0 {
        return Estimate::default();
    }
    if let Some(score) = sample.constant() {
        return constant_elo(score, sample.size());
    }
    let mean = sample.mean();
    let standard_error = (sample.moment(mean, 2) / sample.size() as f64).sqrt();
    let slope = ELO_PER_LOGIT / (mean * (1.0 - mean));
    elo_of_score(mean).map_or_else(Estimate::default, |value| Estimate::with_error(value, Z95 * standard_error * slope))
}

/// Logistic Elo when all of `size` units had the same score.
///
/// With 97.5 % confidence a unit has another score with probability at most `other` = 1 − 0.025^(1/size), as
/// otherwise one would have been seen (Clopper and Pearson's bound). If all of those were losses, or all wins,
/// the true score would be at the ends of this interval.
fn constant_elo(score: f64, size: u64) -> Estimate {
    let other = 1.0 - 0.025f64.powf(1.0 / size as f64);
    Estimate {
        value: elo_of_score(score),
        low: elo_of_score(score * (1.0 - other)),
        high: elo_of_score(score + (1.0 - score) * other),
    }
}

/// Normalised Elo: the advantage in standard deviations of one game, on a scale that agrees with logistic Elo
/// between nearly equal players who never draw. Unknown without variance.
pub(super) fn normalised_elo(sample: &Sample) -> Estimate {
    if sample.size() == 0 || sample.constant().is_some() {
        return Estimate::default();
    }
    let mean = sample.mean();
    let deviation = sample.moment(mean, 2).sqrt();
    let advantage = (mean - 0.5) / deviation;
    let skewness = sample.moment(mean, 3) / deviation.powi(3);
    let kurtosis = sample.moment(mean, 4) / deviation.powi(4);
    // The deviation is estimated too, which the last two terms account for. They can cancel the first in odd
    // distributions, so the error is never taken smaller than between equal players.
    let spread = 1.0 - advantage * skewness + advantage * advantage * (kurtosis - 1.0) / 4.0;
    let scale = 2.0 * ELO_PER_LOGIT / sample.games_per_unit().sqrt();
    let error = Z95 * (spread.max(1.0) / sample.size() as f64).sqrt();
    Estimate::with_error(scale * advantage, scale * error)
}

/// The likelihood that the expected score is above ½, with the variance about ½, so that it needs no games of
/// different scores: for single games it is the well-known Φ((wins − losses) / √(wins + losses)).
pub(super) fn superiority(sample: &Sample) -> f64 {
    if sample.size() == 0 {
        return 0.5;
    }
    let advantage = sample.moment(0.5, 1);
    let spread = sample.moment(0.5, 2);
    if spread == 0.0 {
        return 0.5;
    }
    normal_cdf(advantage * (sample.size() as f64 / spread).sqrt())
}

#[cfg(test)]
mod tests {
    use lianzi_core::Random;
    use proptest::prelude::*;

    use super::super::simulation::{draw, expected};
    use super::super::{Model, Results, Tally};
    use super::*;

    const BOTH: [Model; 2] = [Model::Pentanomial, Model::Trinomial];

    fn games(wins: u64, draws: u64, losses: u64) -> Results {
        Results { games: Tally::new(wins, draws, losses), pairs: [0; 5] }
    }

    fn close(found: Option<f64>, expected: f64, tolerance: f64) {
        let found = found.unwrap();
        assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
    }

    #[test]
    fn the_logistic_scale_has_its_known_values() {
        close(elo_of_score(0.75), 190.848_501_887_865, 1e-9); // 400 log10 3
        close(elo_of_score(10.0 / 11.0), 400.0, 1e-9);
        close(elo_of_score(0.5), 0.0, 1e-12);
        close(Some(score_of_elo(-400.0)), 1.0 / 11.0, 1e-15);
        assert_eq!(elo_of_score(0.0), None);
        assert_eq!(elo_of_score(1.0), None);
        assert_eq!(elo_of_score(f64::NAN), None);
    }

    #[test]
    fn error_bars_follow_the_hand_formula() {
        // +100 =50 -50: mean 0.625, variance 0.5·0.375² + 0.25·0.125² + 0.25·0.625² = 0.171875, standard error
        // of 200 games 0.0293151, slope 173.7178/(0.625·0.375) = 741.196, times 1.959964.
        let elo = games(100, 50, 50).elo(Model::Trinomial);
        close(elo.value, 88.739_4, 1e-3);
        close(elo.error(), 42.587, 1e-2);
        // 60 pairs: 5 10 20 15 10, mean (0 + 2.5 + 10 + 11.25 + 10)/60 = 0.5625, variance
        // (5·0.5625² + 10·0.3125² + 20·0.0625² + 15·0.1875² + 10·0.4375²)/60 = 0.0846354.
        let pairs = Results { games: Tally::new(50, 35, 35), pairs: [5, 10, 20, 15, 10] };
        let elo = pairs.elo(Model::Pentanomial);
        close(elo.value, 43.657_8, 1e-3);
        close(elo.error(), 51.96, 1e-2);
    }

    #[test]
    fn error_bars_agree_with_the_converted_interval_of_the_score() {
        let elo = games(100, 50, 50).elo(Model::Trinomial);
        let half = Z95 * (0.171_875f64 / 200.0).sqrt();
        let length = elo_of_score(0.625 + half).unwrap() - elo_of_score(0.625 - half).unwrap();
        close(elo.error(), length / 2.0, 0.02 * length);
    }

    #[test]
    fn pairs_tell_when_openings_decide() {
        // Every opening is won by the first player but for a few: little variance in pairs, much in games.
        let results = Results { games: Tally::new(104, 0, 96), pairs: [2, 0, 92, 0, 6] };
        let pairs = results.elo(Model::Pentanomial).error().unwrap();
        assert!(pairs < 0.5 * results.elo(Model::Trinomial).error().unwrap());
        assert!(results.superiority(Model::Pentanomial) > results.superiority(Model::Trinomial));
    }

    #[test]
    fn pairs_are_not_needed() {
        let results = games(30, 20, 10);
        assert_eq!(results.elo(Model::Pentanomial), results.elo(Model::Trinomial));
    }

    #[test]
    fn no_games_say_nothing() {
        for model in BOTH {
            assert_eq!(games(0, 0, 0).elo(model), Estimate::default());
            assert_eq!(games(0, 0, 0).normalised_elo(model), Estimate::default());
            assert_eq!(games(0, 0, 0).superiority(model), 0.5);
        }
        assert_eq!(Estimate::default().to_string(), "unknown");
    }

    #[test]
    fn a_clean_sweep_is_bounded_on_one_side() {
        // Ten of ten: scipy.stats.beta.ppf(0.025, 10, 1) = 0.691503, which is 140.217 Elo.
        let won = games(10, 0, 0).elo(Model::Trinomial);
        assert_eq!((won.value, won.high, won.error()), (None, None, None));
        close(won.low, 140.217, 1e-3);
        assert_eq!(won.to_string(), "above +140.2");
        let lost = games(0, 0, 10).elo(Model::Trinomial);
        assert_eq!((lost.value, lost.low), (None, None));
        assert_eq!(lost.to_string(), "below -140.2");
        close(Some(games(1, 0, 0).superiority(Model::Trinomial)), 0.841_344_746, 1e-9);
    }

    #[test]
    fn draws_only_are_equality_with_an_error() {
        let drawn = games(0, 100, 0);
        let elo = drawn.elo(Model::Trinomial);
        // 1 − 0.025^(1/100) = 0.036217: between 0.48189 and 0.51811.
        assert_eq!(elo.value, Some(0.0));
        close(elo.error(), 12.59, 0.01);
        assert_eq!(elo.to_string(), "+0.0 ± 12.6");
        assert_eq!(drawn.superiority(Model::Trinomial), 0.5);
        assert_eq!(drawn.normalised_elo(Model::Trinomial), Estimate::default());
    }

    #[test]
    fn normalised_elo_is_the_advantage_in_deviations() {
        // Without draws it is 347.4356 · (p − ½)/√(pq), whose derivative in p is 347.4356 / (4 (pq)^1.5); times
        // the standard error √(pq/n) that is 347.4356 / (4pq √n). Here p = 0.6 and n = 100.
        let decisive = games(60, 0, 40).normalised_elo(Model::Trinomial);
        close(decisive.value, 70.920, 1e-3);
        close(decisive.error(), 70.9335, 1e-3);
        // Pairs of independent games give nearly the same as the games: the variance of a mean of two is half.
        let pairs = Results { games: Tally::new(1200, 0, 800), pairs: [160, 0, 480, 0, 360] };
        let (by_pairs, by_games) = (pairs.normalised_elo(Model::Pentanomial), pairs.normalised_elo(Model::Trinomial));
        close(by_pairs.value, by_games.value.unwrap(), 1e-9);
        close(by_pairs.error(), by_games.error().unwrap(), 0.2);
    }

    #[test]
    fn superiority_has_its_closed_form() {
        // Φ(20/√100) = Φ(2), whatever the number of draws.
        close(Some(games(60, 0, 40).superiority(Model::Trinomial)), 0.977_249_868_05, 1e-10);
        close(Some(games(60, 500, 40).superiority(Model::Trinomial)), 0.977_249_868_05, 1e-10);
    }

    #[test]
    fn intervals_cover_the_truth_95_times_in_100() {
        let mut random = Random::new(7);
        for chances in [[0.1, 0.2, 0.4, 0.2, 0.1], [0.05, 0.1, 0.3, 0.3, 0.25], [0.02, 0.0, 0.7, 0.0, 0.28]] {
            let mean = expected(chances);
            let square: f64 = chances.iter().enumerate().map(|(i, p)| p * (i as f64 / 4.0 - mean).powi(2)).sum();
            let truth = elo_of_score(mean).unwrap();
            let normalised = 2.0 * ELO_PER_LOGIT * (mean - 0.5) / (2.0 * square).sqrt();
            let mut covered = [0; 2];
            for _ in 0..5_000 {
                let mut results = Results::default();
                (0..200).for_each(|_| results.pairs[draw(&chances, &mut random)] += 1);
                let elo = results.elo(Model::Pentanomial);
                covered[0] += u32::from((elo.value.unwrap() - truth).abs() < elo.error().unwrap());
                let elo = results.normalised_elo(Model::Pentanomial);
                covered[1] += u32::from((elo.value.unwrap() - normalised).abs() < elo.error().unwrap());
            }
            assert!(covered.iter().all(|n| (4_650..=4_850).contains(n)), "{chances:?}: {covered:?}");
        }
    }

    proptest! {
        #[test]
        fn every_number_is_finite_and_mirrored(pairs in prop::array::uniform5(0u64..4), games in prop::array::uniform3(0u64..4)) {
            let results = Results { games: Tally::new(games[0], games[1], games[2]), pairs };
            for model in BOTH {
                let (elo, mirrored) = (results.elo(model), results.reversed().elo(model));
                let (normalised, likely) = (results.normalised_elo(model), results.superiority(model));
                for part in [elo.value, elo.low, elo.high, normalised.value, normalised.low, normalised.high] {
                    prop_assert!(part.is_none_or(f64::is_finite));
                }
                prop_assert!((0.0..=1.0).contains(&likely));
                prop_assert!((likely + results.reversed().superiority(model) - 1.0).abs() < 1e-12);
                prop_assert_eq!(elo.value.is_some(), mirrored.value.is_some());
                prop_assert!((elo.value.unwrap_or(0.0) + mirrored.value.unwrap_or(0.0)).abs() < 1e-9);
                prop_assert!((elo.high.unwrap_or(0.0) + mirrored.low.unwrap_or(0.0)).abs() < 1e-9);
            }
        }
    }
}
