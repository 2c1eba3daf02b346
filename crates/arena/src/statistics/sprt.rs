//! The sequential test: is the player stronger by `elo1`, or only by `elo0`?

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
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BadSprt {
    /// The hypotheses are in the wrong order, equal, or not numbers within reason.
    #[error("the Elo bounds must satisfy -3000 <= elo0 < elo1 <= 3000, and are {0} and {1}")]
    Hypotheses(f64, f64),
    /// The probabilities of error leave no room for a decision.
    #[error("alpha and beta must be above 0 and together below 1, and are {0} and {1}")]
    Errors(f64, f64),
}

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
        .map(|(score, weight)| {
            weight * ((theta0 * (score - score0)).ln_1p() - (theta1 * (score - score1)).ln_1p())
        })
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
