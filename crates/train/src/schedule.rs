//! When something is to be repeated: FSRS-6, the free spaced repetition scheduler of J. Ye, after the published
//! description of the algorithm and with its default parameters.
//!
//! The model keeps two numbers of what was learnt: its *stability*, the days after which nine of ten still know it,
//! and its *difficulty* from 1 to 10. A repetition on the same day counts for less than one that comes later.
//!
//! There are crates for it. The one with the optimiser needs threads and random numbers of the system, the light one
//! a clock by way of bindings for browsers that our module does not have; sixty lines of formulas, tested against the
//! published vectors, need neither.

use serde::{Deserialize, Serialize};

use crate::day::Day;

/// The default parameters of FSRS-6.
const W: [f64; 21] = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
    1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
];
/// How surely something is to be known when it is repeated.
const RETENTION: f64 = 0.9;
/// Nothing waits longer than this.
const LONGEST: f64 = 3650.0;
const LEAST_STABILITY: f64 = 0.001;

/// How well something was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recall {
    /// Not at all.
    Again = 1,
    /// With effort: after a hint.
    Hard = 2,
    /// Well.
    Good = 3,
    /// At once.
    Easy = 4,
}

/// What is remembered of something that was learnt.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// The days after which nine of ten still know it.
    pub stability: f64,
    /// From 1 to 10.
    pub difficulty: f64,
}

impl Memory {
    /// After it was met for the first time.
    pub fn first(recall: Recall) -> Memory {
        let stability = W[recall as usize - 1].max(LEAST_STABILITY);
        Memory { stability, difficulty: first_difficulty(recall).clamp(1.0, 10.0) }
    }

    /// After it was repeated so many days later.
    pub fn repeated(self, days: f64, recall: Recall) -> Memory {
        let stability = if days < 1.0 { self.same_day(recall) } else { self.later(days, recall) };
        Memory { stability: stability.max(LEAST_STABILITY), difficulty: self.next_difficulty(recall) }
    }

    /// How surely it is known after so many days.
    pub fn retrievability(&self, days: f64) -> f64 {
        (1.0 + factor() * days.max(0.0) / self.stability).powf(-W[20])
    }

    /// In how many days it is to be repeated.
    pub fn interval(&self) -> u32 {
        let days = self.stability / factor() * (RETENTION.powf(-1.0 / W[20]) - 1.0);
        days.round().clamp(1.0, LONGEST) as u32
    }

    /// The same, kept sensible whatever a file said.
    pub fn bounded(self) -> Memory {
        let sensible = self.stability.is_finite() && self.difficulty.is_finite();
        let Memory { stability, difficulty } = if sensible { self } else { Memory::first(Recall::Again) };
        Memory { stability: stability.clamp(LEAST_STABILITY, LONGEST * 10.0), difficulty: difficulty.clamp(1.0, 10.0) }
    }

    fn same_day(&self, recall: Recall) -> f64 {
        let growth = (W[17] * (grade(recall) - 3.0 + W[18])).exp() * self.stability.powf(-W[19]);
        self.stability * if recall >= Recall::Good { growth.max(1.0) } else { growth }
    }

    fn later(&self, days: f64, recall: Recall) -> f64 {
        let known = self.retrievability(days);
        match recall {
            Recall::Again => self.forgotten(known),
            _ => self.recalled(known, recall),
        }
    }

    fn recalled(&self, known: f64, recall: Recall) -> f64 {
        let bonus = match recall {
            Recall::Hard => W[15],
            Recall::Easy => W[16],
            _ => 1.0,
        };
        let surprise = ((1.0 - known) * W[10]).exp() - 1.0;
        self.stability * (1.0 + W[8].exp() * (11.0 - self.difficulty) * self.stability.powf(-W[9]) * surprise * bonus)
    }

    fn forgotten(&self, known: f64) -> f64 {
        let long = W[11]
            * self.difficulty.powf(-W[12])
            * ((self.stability + 1.0).powf(W[13]) - 1.0)
            * ((1.0 - known) * W[14]).exp();
        long.min(self.stability / (W[17] * W[18]).exp())
    }

    fn next_difficulty(&self, recall: Recall) -> f64 {
        let change = -W[6] * (grade(recall) - 3.0);
        let damped = self.difficulty + (10.0 - self.difficulty) * change / 9.0;
        (W[7] * first_difficulty(Recall::Easy) + (1.0 - W[7]) * damped).clamp(1.0, 10.0)
    }
}

fn grade(recall: Recall) -> f64 {
    f64::from(recall as u8)
}

fn first_difficulty(recall: Recall) -> f64 {
    W[4] - (W[5] * (grade(recall) - 1.0)).exp() + 1.0
}

/// So chosen that nine of ten know something after as many days as its stability.
fn factor() -> f64 {
    0.9f64.powf(-1.0 / W[20]) - 1.0
}

/// Something that comes back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// What is remembered of it.
    #[serde(flatten)]
    pub memory: Memory,
    /// When it was met last.
    pub last: Day,
    /// When it comes back.
    pub due: Day,
}

impl Card {
    /// After it was met for the first time, that day.
    pub fn first(recall: Recall, day: Day) -> Card {
        Card::of(Memory::first(recall), day)
    }

    /// Not met yet: it comes at once.
    pub fn waiting(day: Day) -> Card {
        Card { due: day, ..Card::first(Recall::Again, day) }
    }

    /// After it was met again.
    pub fn repeated(self, recall: Recall, day: Day) -> Card {
        Card::of(self.memory.bounded().repeated(day.since(self.last).max(0).into(), recall), day)
    }

    fn of(memory: Memory, day: Day) -> Card {
        Card { memory, last: day, due: day.later(memory.interval()) }
    }
}

#[cfg(test)]
mod tests {
    use super::Recall::*;
    use super::*;

    fn near(found: f64, published: f64) {
        assert!((found - published).abs() < 1e-4 * published.max(1.0), "{found} {published}");
    }

    /// The reference implementation's history of intervals: its learning steps of minutes are repetitions the same day.
    #[test]
    fn the_published_history_of_intervals() {
        let mut memory = Memory::first(Good);
        memory = memory.repeated(0.0, Good);
        let mut intervals = vec![memory.interval()];
        for _ in 0..4 {
            memory = memory.repeated(f64::from(memory.interval()), Good);
            intervals.push(memory.interval());
        }
        memory = memory.repeated(f64::from(memory.interval()), Again);
        memory = memory.repeated(0.0, Again);
        memory = memory.repeated(0.0, Good);
        intervals.push(memory.interval());
        for _ in 0..4 {
            memory = memory.repeated(f64::from(memory.interval()), Good);
            intervals.push(memory.interval());
        }
        assert_eq!(intervals, [2, 11, 46, 163, 498, 2, 4, 7, 12, 21]);
    }

    /// What the reference implementation remembers after one miss and five successes.
    #[test]
    fn the_published_state_of_a_memory() {
        let mut memory = Memory::first(Again);
        for days in [0.0, 1.0, 3.0, 8.0, 21.0] {
            memory = memory.repeated(days, Good);
        }
        near(memory.stability, 53.62691);
        near(memory.difficulty, 6.3574867);
    }

    #[test]
    fn nine_of_ten_know_it_after_its_stability() {
        for stability in [0.5, 3.0, 100.0] {
            let memory = Memory { stability, difficulty: 5.0 };
            near(memory.retrievability(stability), 0.9);
            assert_eq!(memory.interval(), (stability.round() as u32).max(1));
        }
    }

    #[test]
    fn what_is_known_well_comes_back_later() {
        let day: Day = "2026-11-17".parse().unwrap();
        let (missed, known) = (Card::first(Again, day), Card::first(Good, day));
        assert_eq!((missed.due, known.due), (day.later(1), day.later(2)));
        let again = missed.repeated(Good, day.later(1));
        assert!(again.due > day.later(2) && Card::waiting(day).due == day);
        // A clock that goes backwards does no harm.
        assert!(again.repeated(Good, day).due >= day.later(1));
        assert_eq!(Memory { stability: f64::NAN, difficulty: 99.0 }.bounded(), Memory::first(Again));
    }
}
