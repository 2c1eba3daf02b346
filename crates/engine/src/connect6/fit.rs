//! Fits the weights to self-played games: what positions are worth to who won.
//!
//! This is a logistic model over the codes of empty cells (`training/logistic.rs`): a code's parts are its four kinds and
//! its two best kinds together. The order of moves is left alone: one fitted to what the search chose played no better.

use std::collections::BTreeMap;
use std::sync::Arc;

use lianzi_core::{Position, Random};

use super::attack::Attack;
use super::board::SixBoard;
use super::defence::Defence;
use super::pattern::{KINDS, Star, kinds};
use super::shape::{Place, Shape};
use super::weights::{CODES, SCALE, Weights, codes};
use crate::chance::Scores;
use crate::training::adam::Adam;
use crate::training::file::Lessons;
use crate::training::logistic::{Coded, Counts, Epoch, Plan, each_position, loss, shuffled, sigmoid};
use crate::training::{Lesson, Note};

/// A position is quiet if an attack of so many turns and stones does not win.
const TURNS: u32 = 12;
const QUIET: u32 = 80;

/// Fits weights to games.
pub fn fit(lessons: &Lessons, plan: &Plan, report: &mut dyn FnMut(usize, &Epoch)) -> Weights {
    let samples = Samples::of(lessons, plan);
    let mut model = Model::new();
    model.coded.scale(&mut model.adam, samples.0[0].iter().map(|value| &value.codes));
    let mut random = Random::new(1);
    let mut order: Vec<usize> = (0..samples.0[0].len()).collect();
    for epoch in 1..=plan.epochs {
        shuffled(&mut order, &mut random, |batch| {
            batch.iter().for_each(|&n| model.learn(&samples.0[0][n]));
            model.adam.step(batch.len(), plan.step(epoch), plan.restraint);
        });
        report(epoch, &model.measure(&samples));
    }
    model.weights()
}

/// A position and how good it turned out to be for the side to move.
struct Value {
    codes: Counts,
    /// How many stones the other side's threats need.
    needed: u8,
    target: f32,
}

/// What is learnt from and what is held out.
#[derive(Default)]
struct Samples([Vec<Value>; 2]);

impl Samples {
    fn of(lessons: &Lessons, plan: &Plan) -> Samples {
        let shape = Arc::new(Shape::new(&lessons.rules));
        let mut samples = Samples::default();
        each_position(lessons, |position, note, lesson, held_out| {
            let taught = Taught::by(&shape, plan, position, note, lesson);
            samples.0[held_out].extend(taught.map(|taught| taught.value()));
        });
        samples
    }
}

/// What a position teaches.
pub(super) struct Taught {
    pub board: SixBoard,
    /// How many stones the other side's threats need.
    pub needed: u8,
    /// How good it turned out to be for the side to move.
    pub target: f32,
}

impl Taught {
    /// What a position teaches at the beginning of a turn, if the search was asked and nothing is about to happen.
    pub(super) fn by(
        shape: &Arc<Shape>,
        plan: &Plan,
        position: &Position,
        note: &Note,
        lesson: &Lesson,
    ) -> Option<Taught> {
        let score = note.score.filter(|_| position.stones_left() == 2)?;
        let mut board = SixBoard::new(Arc::clone(shape), position);
        let needed = Defence::against(&board, board.turn ^ 1).needed;
        let settled = !board.threats(board.turn).is_empty() || needed > 1;
        if settled || Attack::default().win(&mut board, TURNS, QUIET).is_some() {
            return None;
        }
        let opinion = Scores::of("strong", position.rules()).chance(score.into(), None)? as f32;
        let target = lesson.target(position.to_move(), opinion, plan.trust);
        Some(Taught { board, needed, target })
    }

    fn value(&self) -> Value {
        let Taught { board, needed, target } = self;
        let code = |side: usize, place: Place| board.shape.worths.code(board.stars(side)[usize::from(place)]);
        let mut counts = BTreeMap::new();
        for place in board.empty() {
            *counts.entry(code(board.turn, place)).or_insert(0) += 1;
            *counts.entry(CODES as u16 + code(board.turn ^ 1, place)).or_insert(0) -= 1;
        }
        Value { codes: counts.into_iter().collect(), needed: *needed, target: *target }
    }
}

/// The weights of one role that do not belong to a code: of kinds, and of two best kinds together.
const GENERAL: usize = KINDS + KINDS * KINDS;

/// The model. Beside those of codes it has two weights of the tempo.
struct Model {
    coded: Coded,
    adam: Adam,
}

impl Model {
    fn new() -> Model {
        let coded = Coded::new(parts(), GENERAL, 2);
        let adam = Adam::new(coded.len(), coded.own());
        Model { coded, adam }
    }

    /// Where the weight of the tempo stands, given how many stones the other side's threats need.
    fn tempo(&self, needed: u8) -> usize {
        self.coded.others() + usize::from(needed.min(1))
    }

    fn logit(&self, sample: &Value) -> f32 {
        self.coded.sum(&self.adam, &sample.codes) + self.adam.weights[self.tempo(sample.needed)]
    }

    fn learn(&mut self, sample: &Value) {
        let error = sigmoid(self.logit(sample)) - sample.target;
        self.coded.learn(&mut self.adam, &sample.codes, error);
        let tempo = self.tempo(sample.needed);
        self.adam.gradients[tempo] += error;
    }

    fn measure(&self, samples: &Samples) -> Epoch {
        let loss = |sample: &Value| loss(self.logit(sample), sample.target);
        let [learnt, held] = &samples.0;
        let value_loss = held.iter().map(loss).sum::<f64>() / held.len().max(1) as f64;
        Epoch { samples: [learnt.len(), 0], value_loss, order_loss: 0.0, first: 0.0 }
    }

    fn weights(&self) -> Weights {
        let fixed = |weight: f32| (weight * SCALE).round().clamp(-8_000.0, 8_000.0) as i16;
        let value = |code: usize| [code, CODES + code].map(|slot| fixed(self.coded.weight(&self.adam, slot)));
        Weights {
            values: (0..CODES).map(value).collect(),
            tempo: [0, 1].map(|needed| fixed(self.adam.weights[self.tempo(needed)])),
        }
    }
}

/// The parts of each code.
pub(super) fn parts() -> Vec<[u16; 5]> {
    let mut parts = vec![[0; 5]; CODES];
    for (star, code) in codes().into_iter().enumerate() {
        parts[usize::from(code)] = parts_of(star as Star);
    }
    parts
}

fn parts_of(star: Star) -> [u16; 5] {
    let mut kinds = kinds(star).map(u16::from);
    kinds.sort_unstable();
    let [a, b, c, d] = kinds;
    [a, b, c, d, KINDS as u16 * (1 + c) + d]
}

#[cfg(test)]
mod tests {
    use lianzi_core::{Cell, Rules};

    use super::*;
    use crate::training::logistic::PLAN;

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
        let (board, mover) = (SixBoard::new(Arc::clone(shape), &position), position.to_move());
        let winner = if board.worth() > 0 { mover } else { mover.other() };
        Lesson { opening: 11, plies, winner: Some(winner), broken_off: false }
    }

    #[test]
    fn what_decides_games_is_learnt() {
        let rules = Rules::connect6(19);
        let shape = Arc::new(Shape::new(&rules));
        let mut random = Random::new(5);
        let games = (0..1500).map(|_| lesson(&mut random, &shape)).collect();
        let plan = Plan { epochs: 15, trust: 1.0, restraint: 0.03, ..PLAN };
        let mut losses = Vec::new();
        let weights = fit(&Lessons { rules, games, whole: 0 }, &plan, &mut |_, epoch| losses.push(epoch.value_loss));
        // A model that knows nothing loses ln 2 = 0.69 nats.
        assert!(losses.len() == 15 && losses[14] < 0.5, "{losses:?}");
        assert_eq!(Weights::read(&weights.bytes()), Some(weights));
    }
}
