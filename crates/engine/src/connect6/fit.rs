//! Fits the weights to self-played games: what positions are worth to who won.
//!
//! This is a logistic model over the codes of empty cells. A code that was seldom seen must not be believed at once, so
//! its weight is the sum of what its four kinds and its two best kinds together are worth in general, and a rest of its
//! own, which is held small. The order of moves is left alone: one fitted to what the search chose played no better.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use lianzi_core::{Position, Random};

use super::attack::Attack;
use super::board::Board;
use super::defence::Defence;
use super::pattern::{KINDS, Star, kinds};
use super::root::POINTS;
use super::shape::{Place, Shape};
use super::weights::{CODES, SCALE, Weights, codes};
use crate::gomoku::fit::{Epoch, Plan};
use crate::training::adam::Adam;
use crate::training::file::Lessons;
use crate::training::{Lesson, Note};

/// Every so many games one is held out.
const HELD_OUT: usize = 10;

/// Samples between two steps.
const BATCH: usize = 256;

/// The first steps, where a weight counts once a sample.
const RATE: f32 = 0.02;

/// A position is quiet if an attack of so many turns and stones does not win.
const TURNS: u32 = 12;
const QUIET: u32 = 80;

/// Fits weights to games.
pub fn fit(lessons: &Lessons, plan: &Plan, report: &mut dyn FnMut(usize, &Epoch)) -> Weights {
    let samples = Samples::of(lessons, plan);
    let mut model = Model::new();
    model.scale(&samples);
    let mut random = Random::new(1);
    let mut order: Vec<usize> = (0..samples.0[0].len()).collect();
    for epoch in 1..=plan.epochs {
        // The last epochs take ever smaller steps.
        let rate = RATE * (1.0 - (epoch - 1) as f32 / plan.epochs as f32).powi(2).max(0.02);
        random.shuffle(&mut order);
        for batch in order.chunks(BATCH) {
            batch.iter().for_each(|&n| model.learn(&samples.0[0][n]));
            model.adam.step(batch.len(), rate, plan.restraint);
        }
        report(epoch, &model.measure(&samples));
    }
    model.weights()
}

/// A position and how good it turned out to be for the side to move.
struct Value {
    /// Codes with how often they occur, the waiting side's behind the moving side's, and negative.
    codes: Vec<(u16, i16)>,
    /// How many stones the other side's threats need.
    needed: u8,
    target: f32,
}

/// What is learnt from and what is held out.
#[derive(Default)]
struct Samples([Vec<Value>; 2]);

/// What turns positions into samples.
struct Reader {
    shape: Arc<Shape>,
    codes: Vec<u16>,
    trust: f32,
}

impl Samples {
    fn of(lessons: &Lessons, plan: &Plan) -> Samples {
        let shape = Arc::new(Shape::new(&lessons.rules));
        let reader = Reader { shape, codes: codes(), trust: plan.trust };
        let mut samples = Samples::default();
        let mut seen = HashSet::new();
        for (n, lesson) in lessons.games.iter().enumerate() {
            let held_out = usize::from(n % HELD_OUT == HELD_OUT - 1);
            lesson.walk(lessons.rules, |position, note| {
                if position.stones_left() == 2 && seen.insert(position.hash()) {
                    samples.0[held_out].extend(reader.value(position, note, lesson));
                }
            });
        }
        samples
    }
}

impl Reader {
    /// What a position teaches, if the search was asked and nothing is about to happen.
    fn value(&self, position: &Position, note: &Note, lesson: &Lesson) -> Option<Value> {
        let score = note.score?;
        let mut board = Board::new(Arc::clone(&self.shape), position);
        let needed = Defence::against(&board, board.turn ^ 1).needed;
        let settled = !board.threats(board.turn).is_empty() || needed > 1;
        if settled || Attack::default().win(&mut board, TURNS, QUIET).is_some() {
            return None;
        }
        let opinion = sigmoid(f32::from(score) / POINTS as f32);
        let target = self.trust * lesson.result(position.to_move()) + (1.0 - self.trust) * opinion;
        Some(Value { codes: self.counts(&board), needed, target })
    }

    fn code(&self, board: &Board, side: usize, place: Place) -> u16 {
        self.codes[usize::from(board.stars(side)[usize::from(place)])]
    }

    fn counts(&self, board: &Board) -> Vec<(u16, i16)> {
        let mut counts = BTreeMap::new();
        for place in board.empty() {
            *counts.entry(self.code(board, board.turn, place)).or_insert(0) += 1;
            *counts.entry(CODES as u16 + self.code(board, board.turn ^ 1, place)).or_insert(0) -= 1;
        }
        counts.into_iter().collect()
    }
}

/// The weights of one role that do not belong to a code: of kinds, and of two best kinds together.
const GENERAL: usize = KINDS + KINDS * KINDS;

/// The general weights of both roles, and the tempo's two.
const COMMON: usize = 2 * GENERAL + 2;

/// The model. Weights lie in this order: general ones of both roles, tempo, the codes' own of both roles.
struct Model {
    /// The four kinds and the best two together of every code, as places in a role's general weights.
    parts: Vec<[u16; 5]>,
    adam: Adam,
}

impl Model {
    fn new() -> Model {
        let mut parts = vec![[0; 5]; CODES];
        for (star, code) in codes().into_iter().enumerate() {
            parts[usize::from(code)] = parts_of(star as Star);
        }
        Model { parts, adam: Adam::new(COMMON + 2 * CODES, COMMON) }
    }

    /// The weights that make up that of a code; the second role's codes follow the first one's.
    #[inline(always)]
    fn places(&self, slot: usize) -> [usize; 6] {
        let (role, code) = (slot / CODES, slot % CODES);
        let [a, b, c, d, e] = self.parts[code].map(|part| role * GENERAL + usize::from(part));
        [a, b, c, d, e, COMMON + slot]
    }

    /// Learns how much each weight counts in a sample, so that steps have the right size.
    fn scale(&mut self, samples: &Samples) {
        let mut usage = vec![0.0; self.adam.weights.len()];
        for sample in &samples.0[0] {
            let mut counts: HashMap<usize, f32> = HashMap::new();
            for &(slot, n) in &sample.codes {
                for place in self.places(slot.into()) {
                    *counts.entry(place).or_default() += f32::from(n);
                }
            }
            counts.into_iter().for_each(|(place, count)| usage[place] += count * count);
        }
        let samples = samples.0[0].len().max(1) as f32;
        self.adam.usage = usage.into_iter().map(|sum| sum / samples).collect();
    }

    fn weight(&self, slot: usize) -> f32 {
        self.places(slot).map(|place| self.adam.weights[place]).iter().sum()
    }

    fn logit(&self, sample: &Value) -> f32 {
        let count = |&(slot, n): &(u16, i16)| f32::from(n) * self.weight(slot.into());
        sample.codes.iter().map(count).sum::<f32>() + self.adam.weights[tempo(sample.needed)]
    }

    fn learn(&mut self, sample: &Value) {
        let error = sigmoid(self.logit(sample)) - sample.target;
        for &(slot, n) in &sample.codes {
            let gradient = error * f32::from(n);
            self.places(slot.into()).into_iter().for_each(|place| self.adam.gradients[place] += gradient);
        }
        self.adam.gradients[tempo(sample.needed)] += error;
    }

    fn measure(&self, samples: &Samples) -> Epoch {
        let loss = |sample: &Value| {
            let chance = f64::from(sigmoid(self.logit(sample))).clamp(1e-6, 1.0 - 1e-6);
            let target = f64::from(sample.target);
            -target * chance.ln() - (1.0 - target) * (1.0 - chance).ln()
        };
        let [learnt, held] = &samples.0;
        let value_loss = held.iter().map(loss).sum::<f64>() / held.len().max(1) as f64;
        Epoch { samples: [learnt.len(), 0], value_loss, order_loss: 0.0, first: 0.0 }
    }

    fn weights(&self) -> Weights {
        let fixed = |weight: f32| (weight * SCALE).round().clamp(-8_000.0, 8_000.0) as i16;
        let value = |code: usize| [fixed(self.weight(code)), fixed(self.weight(CODES + code))];
        Weights {
            values: (0..CODES).map(value).collect(),
            tempo: [0, 1].map(|needed| fixed(self.adam.weights[tempo(needed)])),
        }
    }
}

fn tempo(needed: u8) -> usize {
    2 * GENERAL + usize::from(needed.min(1))
}

fn parts_of(star: Star) -> [u16; 5] {
    let mut kinds = kinds(star).map(u16::from);
    kinds.sort_unstable();
    let [a, b, c, d] = kinds;
    [a, b, c, d, KINDS as u16 * (1 + c) + d]
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use lianzi_core::{Cell, Rules};

    use super::*;

    /// A game of eleven random stones near the middle and a turn, won by whom the built-in weights prefer.
    fn lesson(random: &mut Random, shape: &Arc<Shape>) -> Lesson {
        let mut position = Position::new(shape.rules);
        while position.plies().len() < 13 {
            let _ = position.play(Cell::new(6 + random.below(7) as u8, 6 + random.below(7) as u8));
        }
        let note = |n: usize, cell| Note { cell, score: (n == 11).then_some(0), quiet: false };
        let cells = position.plies().iter().map(|ply| ply.cell).enumerate();
        let plies = cells.map(|(n, cell)| note(n, cell)).collect();
        position.undo();
        position.undo();
        let (board, mover) = (Board::new(Arc::clone(shape), &position), position.to_move());
        let winner = if board.worth() > 0 { mover } else { mover.other() };
        Lesson { opening: 11, plies, winner: Some(winner) }
    }

    #[test]
    fn what_decides_games_is_learnt() {
        let rules = Rules::connect6(19);
        let shape = Arc::new(Shape::new(&rules));
        let mut random = Random::new(5);
        let games = (0..1500).map(|_| lesson(&mut random, &shape)).collect();
        let plan = Plan { epochs: 15, trust: 1.0, restraint: 0.03 };
        let mut losses = Vec::new();
        let weights =
            fit(&Lessons { rules, games, whole: 0 }, &plan, &mut |_, epoch| losses.push(epoch.value_loss));
        // A model that knows nothing loses ln 2 = 0.69 nats.
        assert!(losses.len() == 15 && losses[14] < 0.5, "{losses:?}");
        assert_eq!(Weights::read(&weights.bytes()), Some(weights));
    }
}
