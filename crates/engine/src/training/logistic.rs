//! What the fits of all games share: logistic models over the codes of empty cells, and how they are learnt.
//!
//! A code that was seldom seen must not be believed at once, so its weight is the sum of what its parts are worth in
//! general and a rest of its own, which is held small. Steps are Adam's, over batches, the smaller the more often a
//! weight counts in one sample: codes differ in frequency by a factor of a million.

use std::collections::{HashMap, HashSet};

use lianzi_core::{Position, Random};

use super::adam::Adam;
use super::file::Lessons;
use super::{Lesson, Note};

/// How weights are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// How often all samples are looked at.
    pub epochs: usize,
    /// How much the result counts beside the search's opinion.
    pub trust: f32,
    /// How strongly a code's own part is held back.
    pub restraint: f32,
    /// How large the first steps are.
    pub rate: f32,
}

/// How weights are fitted, where nothing else is asked.
pub const PLAN: Plan = Plan { epochs: 20, trust: 0.5, restraint: 3e-3, rate: 0.02 };

impl Plan {
    /// How large the steps of an epoch are, counted from 1: the last ones take ever smaller ones.
    pub(crate) fn step(&self, epoch: usize) -> f32 {
        self.rate * (1.0 - (epoch - 1) as f32 / self.epochs as f32).powi(2).max(0.02)
    }
}

/// How well an epoch did on games it never learns from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Samples learnt from: positions and choices.
    pub samples: [usize; 2],
    /// The mean loss on the held-out positions, in nats.
    pub value_loss: f64,
    /// The mean loss on the held-out choices.
    pub order_loss: f64,
    /// How often the cell ranked first was the one chosen.
    pub first: f64,
}

/// Shows every position of the games once, with its note, its game, and 1 if the game is held out or else 0.
pub(crate) fn each_position(lessons: &Lessons, mut visit: impl FnMut(&Position, &Note, &Lesson, usize)) {
    /// Every so many games one is held out.
    const HELD_OUT: usize = 10;
    let mut seen = HashSet::new();
    for (n, lesson) in lessons.games.iter().enumerate() {
        let held_out = usize::from(n % HELD_OUT == HELD_OUT - 1);
        lesson.walk(lessons.rules, |position, note| {
            if seen.insert(position.hash()) {
                visit(position, note, lesson, held_out);
            }
        });
    }
}

/// Hands all samples out in a new order, a batch at a time.
pub(crate) fn shuffled(order: &mut [usize], random: &mut Random, learn: impl FnMut(&[usize])) {
    /// Samples between two steps.
    const BATCH: usize = 256;
    random.shuffle(order);
    order.chunks(BATCH).for_each(learn);
}

/// The chance that a logit stands for.
pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// What is lost by believing in a logit where the truth is the target, in nats.
pub(crate) fn loss(logit: f32, target: f32) -> f64 {
    let chance = f64::from(sigmoid(logit)).clamp(1e-6, 1.0 - 1e-6);
    let target = f64::from(target);
    -target * chance.ln() - (1.0 - target) * (1.0 - chance).ln()
}

/// How often codes occur in a position; those of the side that waits follow the other's, and count negative.
pub(crate) type Counts = Vec<(u16, i16)>;

/// Where the weights of codes stand: what parts are worth in general, for either role, then what else a model has, then
/// the codes' own parts for either role. A slot is a code in the first role, or in the second behind all of those.
pub(crate) struct Coded {
    parts: Vec<[u16; 5]>,
    general: usize,
    own: usize,
}

impl Coded {
    /// Codes of these five parts each, with so many general weights of one role and so many of another kind.
    pub(crate) fn new(parts: Vec<[u16; 5]>, general: usize, others: usize) -> Coded {
        Coded { parts, general, own: 2 * general + others }
    }

    /// How many codes there are.
    pub(crate) fn codes(&self) -> usize {
        self.parts.len()
    }

    /// Where the weights of another kind begin.
    pub(crate) fn others(&self) -> usize {
        2 * self.general
    }

    /// Where the codes' own parts begin.
    pub(crate) fn own(&self) -> usize {
        self.own
    }

    /// How many weights there are.
    pub(crate) fn len(&self) -> usize {
        self.own + 2 * self.codes()
    }

    /// The weights that make up a slot's.
    #[inline(always)]
    pub(crate) fn places(&self, slot: usize) -> [usize; 6] {
        let (role, code) = (slot / self.codes(), slot % self.codes());
        let [a, b, c, d, e] = self.parts[code].map(|part| role * self.general + usize::from(part));
        [a, b, c, d, e, self.own + slot]
    }

    /// What a slot is worth.
    pub(crate) fn weight(&self, adam: &Adam, slot: usize) -> f32 {
        self.places(slot).map(|place| adam.weights[place]).iter().sum()
    }

    /// What all codes of a position are worth.
    pub(crate) fn sum(&self, adam: &Adam, counts: &Counts) -> f32 {
        counts.iter().map(|&(slot, n)| f32::from(n) * self.weight(adam, slot.into())).sum()
    }

    /// Adds what a position's error says of its codes to the gradients.
    pub(crate) fn learn(&self, adam: &mut Adam, counts: &Counts, error: f32) {
        for &(slot, n) in counts {
            let gradient = error * f32::from(n);
            self.places(slot.into()).into_iter().for_each(|place| adam.gradients[place] += gradient);
        }
    }

    /// Learns how much each weight counts in a sample, so that steps have the right size.
    pub(crate) fn scale<'a>(&self, adam: &mut Adam, samples: impl ExactSizeIterator<Item = &'a Counts>) {
        let number = samples.len().max(1) as f32;
        let mut usage = vec![0.0; adam.weights.len()];
        for sample in samples {
            let mut counts: HashMap<usize, f32> = HashMap::new();
            for &(slot, n) in sample {
                for place in self.places(slot.into()) {
                    *counts.entry(place).or_default() += f32::from(n);
                }
            }
            counts.into_iter().for_each(|(place, count)| usage[place] += count * count);
        }
        adam.usage = usage.into_iter().map(|sum| sum / number).collect();
    }
}
