//! The sequential test: is the player stronger by `elo1`, or only by `elo0`?

use lianzi_core::{Speak, Text, spoken_errors, text};
use serde::{Deserialize, Serialize};

use super::estimate::score_of_elo;
use super::{Model, Results};

/// A score that never occurred counts as this much of a unit, so that no hypothesis is impossible.
const UNSEEN: f64 = 1e-3;

/// The largest Elo difference a hypothesis may name; beyond it the scores cannot be told from 0 and 1.
const LARGEST_ELO: f64 = 3000.0;

/// A sequential probability ratio test between two differences of logistic Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under the null hypothesis H0.
    pub elo0: f64,
    /// The difference under the alternative H1, above `elo0`.
    pub elo1: f64,
    /// How likely H1 may be accepted although H0 is true.
    pub alpha: f64,
    /// How likely H0 may be accepted although H1 is true.
    pub beta: f64,
    /// Which units are counted.
    pub model: Model,
}

/// The hypothesis that a sequential test accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Accepted {
    /// The difference is not as large as hoped.
    H0,
    /// The difference is there.
    H1,
}

/// Why a sequential test cannot be run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BadSprt {
    /// The hypotheses are in the wrong order, equal, or not numbers within reason.
    Hypotheses(f64, f64),
    /// The probabilities of error leave no room for a decision.
    Errors(f64, f64),
}

impl Speak for BadSprt {
    fn text(&self) -> Text {
        match self {
            BadSprt::Hypotheses(elo0, elo1) => text!(
                "the Elo bounds must satisfy -3000 <= elo0 < elo1 <= 3000, and are {elo0} and {elo1}",
                "Elo 界限必须满足 -3000 <= elo0 < elo1 <= 3000，现为 {elo0} 和 {elo1}"
            ),
            BadSprt::Errors(alpha, beta) => text!(
                "alpha and beta must be above 0 and together below 1, and are {alpha} and {beta}",
                "alpha 和 beta 必须大于 0 且两者之和小于 1，现为 {alpha} 和 {beta}"
            ),
        }
    }
}

spoken_errors!(BadSprt);

impl Sprt {
    /// A test between these differences with alpha and beta of 5 %, on pairs.
    pub const fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: Model::Pentanomial }
    }

    /// Whether the test can be run.
    pub fn check(&self) -> Result<(), BadSprt> {
        let ordered = -LARGEST_ELO <= self.elo0 && self.elo0 < self.elo1 && self.elo1 <= LARGEST_ELO;
        if !ordered {
            return Err(BadSprt::Hypotheses(self.elo0, self.elo1));
        }
        let possible = self.alpha > 0.0 && self.beta > 0.0 && self.alpha + self.beta < 1.0;
        if possible { Ok(()) } else { Err(BadSprt::Errors(self.alpha, self.beta)) }
    }

    /// H0 is accepted when the log-likelihood ratio is at or below this.
    pub fn lower_bound(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// H1 is accepted when the log-likelihood ratio is at or above this.
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The generalised log-likelihood ratio of H1 to H0; 0 as long as nothing was counted.
    pub fn llr(&self, results: &Results) -> f64 {
        let games = results.games;
        match self.model {
            Model::Pentanomial => self.llr_of_counts(&results.pairs),
            Model::Trinomial => self.llr_of_counts(&[games.losses, games.draws, games.wins]),
        }
    }

    /// What these results alone decide; a running test must use [`super::SprtRun`], which looks after every pair.
    pub fn verdict(&self, results: &Results) -> Option<Accepted> {
        let llr = self.llr(results);
        if llr >= self.upper_bound() {
            Some(Accepted::H1)
        } else if llr <= self.lower_bound() {
            Some(Accepted::H0)
        } else {
            None
        }
    }

    fn llr_of_counts<const N: usize>(&self, counts: &[u64; N]) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let weights = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        log_likelihood_ratio(&weights, score_of_elo(self.elo0), score_of_elo(self.elo1))
    }
}

/// The largest log-likelihood of positive weights under mean `score1` minus that under mean `score0`.
///
/// The scores of the weights are evenly spaced from 0 to 1. Under the constraint that the mean is s, the
/// likelihood is largest at pᵢ = wᵢ / (W (1 + θ (aᵢ − s))), with the multiplier θ that makes the mean come true.
fn log_likelihood_ratio(weights: &[f64], score0: f64, score1: f64) -> f64 {
    let (theta0, theta1) = (multiplier(weights, score0), multiplier(weights, score1));
    cells(weights)
        .map(|(score, weight)| weight * ((theta0 * (score - score0)).ln_1p() - (theta1 * (score - score1)).ln_1p()))
        .sum()
}

/// The scores, evenly spaced from 0 to 1, with their weights.
fn cells(weights: &[f64]) -> impl Iterator<Item = (f64, f64)> + '_ {
    let steps = (weights.len() - 1) as f64;
    weights.iter().enumerate().map(move |(index, &weight)| (index as f64 / steps, weight))
}

/// The root of Σ wᵢ (aᵢ − s) / (1 + θ (aᵢ − s)) in θ, by Newton's method kept inside a shrinking bracket.
///
/// The sum falls steadily from +∞ to −∞ between the two values of θ at which the probability of a win or of a
/// loss becomes infinite, so there is exactly one root.
fn multiplier(weights: &[f64], mean: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let mut theta = 0.0;
    for _ in 0..200 {
        let (value, slope) = constraint(weights, mean, theta);
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta - value / slope;
        let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        if (next - theta).abs() <= 1e-14 * (1.0 + theta.abs()) {
            return next;
        }
        theta = next;
    }
    theta
}

/// The value of the sum in [`multiplier`] and its derivative.
fn constraint(weights: &[f64], mean: f64, theta: f64) -> (f64, f64) {
    cells(weights).fold((0.0, 0.0), |(value, slope), (score, weight)| {
        let ratio = (score - mean) / (1.0 + theta * (score - mean));
        (value + weight * ratio, slope - weight * ratio * ratio)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Tally;
    use super::*;

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
    }

    fn pairs(pairs: [u64; 5]) -> Results {
        Results { games: Tally::default(), pairs }
    }

    #[test]
    fn the_bounds_are_walds() {
        let sprt = Sprt::new(0.0, 5.0);
        close(sprt.upper_bound(), 2.944_438_979_166_44, 1e-12); // ln 19
        close(sprt.lower_bound(), -2.944_438_979_166_44, 1e-12);
        let uneven = Sprt { alpha: 0.02, beta: 0.1, ..sprt };
        close(uneven.upper_bound(), 45f64.ln(), 1e-12);
        close(uneven.lower_bound(), -9.8f64.ln(), 1e-12);
    }

    #[test]
    fn without_draws_the_ratio_is_bernoullis() {
        for (wins, losses, score0, score1) in
            [(60.0f64, 40.0f64, 0.5f64, 0.55f64), (3.0, 90.0, 0.2, 0.7), (1.0, 1.0, 0.9, 0.99)]
        {
            let expected = wins * (score1 / score0).ln() + losses * ((1.0 - score1) / (1.0 - score0)).ln();
            close(log_likelihood_ratio(&[losses, wins], score0, score1), expected, 1e-10);
            // A cell that was never seen changes next to nothing.
            close(log_likelihood_ratio(&[losses, UNSEEN, wins], score0, score1), expected, 5e-3);
        }
    }

    /// The largest log-likelihood of single games under this mean. With l losses in every game there are l + m
    /// wins and 1 − m − 2l draws, where m = 2·score − 1; the derivative is a quadratic equation in l.
    fn trinomial(losses: f64, draws: f64, wins: f64, score: f64) -> f64 {
        let (m, total) = (2.0 * score - 1.0, losses + draws + wins);
        let (a, b, c) = (2.0 * total, (wins + losses) * (m - 1.0) + 2.0 * m * (losses + draws), losses * m * (m - 1.0));
        let root = (b * b - 4.0 * a * c).sqrt();
        let likelihood = |l: f64| losses * l.ln() + draws * (1.0 - m - 2.0 * l).ln() + wins * (l + m).ln();
        [(root - b) / (2.0 * a), (-root - b) / (2.0 * a)]
            .map(likelihood)
            .into_iter()
            .filter(|value| !value.is_nan())
            .fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn with_draws_the_ratio_solves_a_quadratic_equation() {
        for [losses, draws, wins] in [[30u64, 50, 20], [1, 900, 4], [200, 1, 180], [7, 7, 70]] {
            let results = Results { games: Tally::new(wins, draws, losses), pairs: [0; 5] };
            for (elo0, elo1) in [(0.0, 5.0), (-3.0, 1.0), (50.0, 200.0)] {
                let sprt = Sprt { model: Model::Trinomial, ..Sprt::new(elo0, elo1) };
                let largest = |elo| trinomial(losses as f64, draws as f64, wins as f64, score_of_elo(elo));
                close(sprt.llr(&results), largest(elo1) - largest(elo0), 1e-8);
            }
        }
    }

    #[test]
    fn pairs_have_the_ratio_found_by_direct_maximisation() {
        // Computed with numpy: damped Newton steps for the multinomial likelihood within the plane of
        // distributions with the given mean, from a binomial start. The last has two unseen scores.
        let known = [
            ([10, 40, 100, 60, 20], 0.0, 5.0, 1.103_914_777_391),
            ([3, 25, 150, 31, 9], -3.0, 1.0, 0.945_462_003_285),
            ([40, 1, 300, 2, 57], 0.0, 20.0, 1.418_795_071_028),
            ([1, 5, 20, 70, 104], 100.0, 150.0, 18.156_357_526_851),
            ([0, 7, 12, 9, 0], 0.0, 10.0, 0.120_512_547_087),
        ];
        for (counts, elo0, elo1, expected) in known {
            close(Sprt::new(elo0, elo1).llr(&pairs(counts)), expected, 1e-9);
        }
    }

    #[test]
    fn no_other_distribution_with_the_same_mean_is_likelier() {
        let weights = [10.0, 40.0, 100.0, 60.0, 20.0];
        let (mean, total) = (score_of_elo(-20.0), 230.0);
        let theta = multiplier(&weights, mean);
        let best: Vec<f64> = cells(&weights).map(|(a, w)| w / total / (1.0 + theta * (a - mean))).collect();
        let likelihood = |chances: &[f64]| -> f64 { weights.iter().zip(chances).map(|(w, p)| w * p.ln()).sum() };
        close(best.iter().sum(), 1.0, 1e-12);
        close(cells(&best).map(|(a, p)| a * p).sum(), mean, 1e-12);
        // All directions that keep both the sum and the mean are combinations of these three.
        for direction in [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -2.0, 1.0, 0.0], [0.0, 0.0, 1.0, -2.0, 1.0]] {
            for step in [-1e-2, -1e-4, 1e-4, 1e-2] {
                let other: Vec<f64> = best.iter().zip(direction).map(|(p, d)| p + step * d).collect();
                assert!(likelihood(&other) < likelihood(&best));
            }
        }
    }

    #[test]
    fn many_pairs_approach_the_normal_ratio() {
        let counts = [1_000u64, 4_000, 10_000, 4_200, 1_050];
        let (total, scores) = (20_250.0, [0.0, 0.25, 0.5, 0.75, 1.0]);
        let mean: f64 = counts.iter().zip(scores).map(|(&n, a)| n as f64 * a).sum::<f64>() / total;
        let variance: f64 = counts.iter().zip(scores).map(|(&n, a)| n as f64 * (a - mean).powi(2)).sum::<f64>() / total;
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(3.0));
        let normal = total * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        close(Sprt::new(0.0, 3.0).llr(&pairs(counts)), normal, 0.01);
    }

    #[test]
    fn nothing_counted_decides_nothing() {
        let sprt = Sprt::new(0.0, 5.0);
        assert_eq!(sprt.llr(&Results::default()), 0.0);
        assert_eq!(sprt.verdict(&Results::default()), None);
        // Single games are no pairs.
        let games = Results { games: Tally::new(500, 0, 0), pairs: [0; 5] };
        assert_eq!(sprt.verdict(&games), None);
        assert_eq!(Sprt { model: Model::Trinomial, ..sprt }.verdict(&games), Some(Accepted::H1));
        assert_eq!(sprt.verdict(&pairs([0, 0, 0, 0, 500])), Some(Accepted::H1));
        assert_eq!(sprt.verdict(&pairs([0, 0, 500, 0, 0])), Some(Accepted::H0));
    }

    proptest! {
        #[test]
        fn the_ratio_is_finite_and_mirrored(
            counts in prop::array::uniform5(prop_oneof![Just(0u64), 0u64..100, 0u64..10_000_000]),
            elo0 in -1500f64..1500.0,
            distance in 0.01f64..500.0,
        ) {
            let sprt = Sprt::new(elo0, (elo0 + distance).min(LARGEST_ELO));
            prop_assume!(sprt.check().is_ok());
            let mirrored = Sprt::new(-sprt.elo1, -sprt.elo0);
            let (llr, other) = (sprt.llr(&pairs(counts)), mirrored.llr(&pairs(counts).reversed()));
            prop_assert!(llr.is_finite());
            prop_assert!((llr + other).abs() <= 1e-5 * (1.0 + llr.abs()), "{} {}", llr, other);
        }
    }
}
