//! Ratings of learners and puzzles: Glicko-2, after M. E. Glickman's paper "Example of the Glicko-2 system".
//!
//! An attempt is a game of the learner against the puzzle, and a rating period of its own for both.

use serde::{Deserialize, Serialize};

/// From the scale of ratings to that of the formulas.
const SCALE: f64 = 173.7178;
/// How much volatilities may change; the paper advises 0.3 to 1.2.
const TAU: f64 = 0.5;
/// When the iteration for a volatility ends.
const EPSILON: f64 = 1e-6;
/// How unsure a rating can become, and the least that is kept so that it still moves.
const UNSURE: f64 = 350.0;
const SUREST: f64 = 45.0;

/// A rating, how sure it is, and how much it goes up and down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The rating.
    pub rating: f64,
    /// Its deviation.
    pub deviation: f64,
    /// Its volatility.
    pub volatility: f64,
}

impl Default for Rating {
    fn default() -> Rating {
        Rating { rating: 1500.0, deviation: UNSURE, volatility: 0.06 }
    }
}

impl Rating {
    /// That of a puzzle nobody has tried: what it was rated when it was made.
    pub fn of_puzzle(rating: u16) -> Rating {
        Rating { rating: rating.into(), deviation: 150.0, volatility: 0.06 }
    }

    /// The rating after games against these, with what was scored in each: 1, ½ or 0.
    pub fn after(self, games: &[(Rating, f64)]) -> Rating {
        if games.is_empty() {
            return self.idle();
        }
        let (mu, phi) = (self.mu(), self.phi());
        let (mut information, mut surplus) = (0.0, 0.0);
        for (other, score) in games {
            let g = weight(other.phi());
            let expected = 1.0 / (1.0 + (-g * (mu - other.mu())).exp());
            information += g * g * expected * (1.0 - expected);
            surplus += g * (score - expected);
        }
        let variance = 1.0 / information;
        let volatility = volatility(phi, self.volatility, variance, variance * surplus);
        let before = phi * phi + volatility * volatility;
        let phi = 1.0 / (1.0 / before + information).sqrt();
        let mu = mu + phi * phi * surplus;
        Rating { rating: mu * SCALE + 1500.0, deviation: phi * SCALE, volatility }
    }

    /// The rating after a period without games: the same, but less sure.
    pub fn idle(self) -> Rating {
        let phi = (self.phi().powi(2) + self.volatility.powi(2)).sqrt();
        Rating { deviation: (phi * SCALE).min(UNSURE), ..self }
    }

    /// The same, kept sensible whatever a file said.
    pub fn bounded(self) -> Rating {
        let within = |value: f64, least: f64, most: f64, usual: f64| {
            if value.is_finite() { value.clamp(least, most) } else { usual }
        };
        Rating {
            rating: within(self.rating, 100.0, 4000.0, 1500.0),
            deviation: within(self.deviation, SUREST, UNSURE, UNSURE),
            volatility: within(self.volatility, 0.01, 0.2, 0.06),
        }
    }

    /// Whether it is more than a guess.
    pub fn is_sure(&self) -> bool {
        self.deviation < 110.0
    }

    fn mu(&self) -> f64 {
        (self.rating - 1500.0) / SCALE
    }

    fn phi(&self) -> f64 {
        self.deviation / SCALE
    }
}

/// How much a game against somebody this unsure counts.
fn weight(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * phi * phi / std::f64::consts::PI.powi(2)).sqrt()
}

/// Step 5 of the paper: where f crosses 0, by the Illinois algorithm.
fn volatility(phi: f64, sigma: f64, variance: f64, delta: f64) -> f64 {
    let start = (sigma * sigma).ln();
    let f = |x: f64| {
        let e = x.exp();
        let sum = phi * phi + variance + e;
        e * (delta * delta - sum) / (2.0 * sum * sum) - (x - start) / (TAU * TAU)
    };
    let (mut a, mut b) = (start, start - TAU);
    if delta * delta > phi * phi + variance {
        b = (delta * delta - phi * phi - variance).ln();
    } else {
        // f falls without end to the left, so this ends.
        while f(b) < 0.0 {
            b -= TAU;
        }
    }
    let (mut fa, mut fb) = (f(a), f(b));
    while (b - a).abs() > EPSILON {
        let c = a + (a - b) * fa / (fb - fa);
        let fc = f(c);
        if fc * fb <= 0.0 {
            (a, fa) = (b, fb);
        } else {
            fa /= 2.0;
        }
        (b, fb) = (c, fc);
    }
    (a / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rating(rating: f64, deviation: f64) -> Rating {
        Rating { rating, deviation, volatility: 0.06 }
    }

    #[test]
    fn the_example_of_the_paper() {
        let games = [(rating(1400.0, 30.0), 1.0), (rating(1550.0, 100.0), 0.0), (rating(1700.0, 300.0), 0.0)];
        let after = rating(1500.0, 200.0).after(&games);
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00001, "{after:?}");
    }

    #[test]
    fn winning_raises_losing_lowers_and_waiting_makes_unsure() {
        let me = Rating::default();
        let puzzle = Rating::of_puzzle(1500);
        let (won, lost) = (me.after(&[(puzzle, 1.0)]), me.after(&[(puzzle, 0.0)]));
        assert!(won.rating > 1600.0 && lost.rating < 1400.0 && won.deviation < me.deviation);
        let idle = rating(1600.0, 60.0).after(&[]);
        assert!(idle.deviation > 60.0 && idle.rating == 1600.0);
        let mad = Rating { rating: f64::NAN, deviation: -3.0, volatility: f64::INFINITY }.bounded();
        assert_eq!(mad, Rating { rating: 1500.0, deviation: SUREST, volatility: 0.06 });
    }

    #[test]
    fn somebody_who_solves_what_they_should_gets_there() {
        // One of true strength 1800, who solves each puzzle with the chance that the scale means.
        let (mut me, mut random) = (Rating::default(), lianzi_core::Random::new(3));
        for _ in 0..400 {
            let puzzle = Rating::of_puzzle((me.rating as i32 + random.below(300) as i32 - 150).clamp(500, 2900) as u16);
            let chance = 1.0 / (1.0 + 10f64.powf((puzzle.rating - 1800.0) / 400.0));
            let score = f64::from(u8::from(random.unit() < chance));
            me = me.after(&[(puzzle, score)]).bounded();
        }
        assert!((me.rating - 1800.0).abs() < 150.0 && me.is_sure(), "{me:?}");
    }
}
