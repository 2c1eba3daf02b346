//! Fits the weights to self-played games: what positions are worth to who won, and the order of cells to what the
//! search chose.
//!
//! Both are logistic models over the codes of empty cells (`training/logistic.rs`): a code's parts are its four shapes
//! and its kind.

use std::collections::BTreeMap;
use std::sync::Arc;

use lianzi_core::{Position, Random, Rules, Stone};

use super::board::GomokuBoard;
use super::kind::{CODES, KINDS, Kind, code, kind, unpack};
use super::knowledge::Knowledge;
use super::shape::{Goal, SHAPES, Shape};
use super::spot::{Spot, spot};
use super::weights::{MASKS, PARTS, SCALE, Weights, Worth, sides};
use crate::training::adam::Adam;
use crate::training::file::Lessons;
use crate::training::logistic::{Coded, Counts, Epoch, Plan, each_position, loss, shuffled, sigmoid};
use crate::training::{Lesson, Note};

/// Points of the order of cells for one nat.
const ORDER_SCALE: f32 = 32.0;

/// Positions this near to equal count even if a short search thought otherwise.
const OPEN: i32 = 800;

/// Fits weights to games.
pub fn fit(lessons: &Lessons, plan: &Plan, report: &mut dyn FnMut(usize, &Epoch)) -> Weights {
    let samples = Samples::of(lessons, plan);
    let mut model = Model::new(&lessons.rules);
    model.coded.scale(&mut model.value, samples.values[0].iter().map(|value| &value.codes));
    let mut random = Random::new(1);
    let mut values: Vec<usize> = (0..samples.values[0].len()).collect();
    let mut choices: Vec<usize> = (0..samples.choices[0].len()).collect();
    for epoch in 1..=plan.epochs {
        let rate = plan.step(epoch);
        shuffled(&mut values, &mut random, |batch| {
            batch.iter().for_each(|&n| model.learn_value(&samples.values[0][n]));
            model.value.step(batch.len(), rate, plan.restraint);
        });
        shuffled(&mut choices, &mut random, |batch| {
            batch.iter().for_each(|&n| model.learn_choice(&samples.choices[0][n]));
            model.order.step(batch.len(), rate, plan.restraint / 300.0);
        });
        report(epoch, &model.measure(&samples));
    }
    model.weights()
}

/// A position and how good it turned out to be for the side to move.
struct Value {
    codes: Counts,
    mask: u16,
    target: f32,
}

/// The cells of a position, as slots of both sides' codes, the chosen one first.
struct Choice(Vec<[u16; 2]>);

/// What is learnt from and what is held out.
struct Samples {
    values: [Vec<Value>; 2],
    choices: [Vec<Choice>; 2],
}

impl Samples {
    fn of(lessons: &Lessons, plan: &Plan) -> Samples {
        let knowledge = Arc::new(Knowledge::with(&lessons.rules, &Weights::by_hand(sides(&lessons.rules))));
        let mut samples = Samples { values: [vec![], vec![]], choices: [vec![], vec![]] };
        each_position(lessons, |position, note, lesson, held_out| {
            samples.add(position, note, lesson, held_out, plan, &knowledge);
        });
        samples
    }

    fn add(
        &mut self,
        position: &Position,
        note: &Note,
        lesson: &Lesson,
        held_out: usize,
        plan: &Plan,
        knowledge: &Arc<Knowledge>,
    ) {
        let Some(score) = note.score else { return };
        let board = GomokuBoard::new(position, knowledge);
        if is_urgent(&board) {
            return;
        }
        let own = board.to_move();
        if note.quiet || i32::from(score).abs() < OPEN {
            let opinion = 1.0 / (1.0 + (-f64::from(score) / SCALE).exp());
            let target = lesson.target(own, opinion as f32, plan.trust);
            self.values[held_out].push(value(&board, target));
        }
        self.choices[held_out].extend(choice(&board, spot(note.cell)));
    }
}

/// Whether somebody is about to win, so that the search needs no evaluation.
pub(super) fn is_urgent(board: &GomokuBoard) -> bool {
    let (own, other) = (board.to_move(), board.to_move().other());
    board.count(own, Kind::Five) + board.count(other, Kind::Five) + board.count(own, Kind::OpenFour) > 0
}

fn value(board: &GomokuBoard, target: f32) -> Value {
    let mut counts = BTreeMap::new();
    let lag = (board.sides() * CODES) as u16;
    for spot in board.empty_spots() {
        *counts.entry(board.code(spot, board.to_move())).or_insert(0) += 1;
        *counts.entry(lag + board.code(spot, board.to_move().other())).or_insert(0) -= 1;
    }
    Value { codes: counts.into_iter().collect(), mask: board.mask() as u16, target }
}

fn choice(board: &GomokuBoard, chosen: Spot) -> Option<Choice> {
    let mut cells = Vec::new();
    let codes = |spot| [board.to_move(), board.to_move().other()].map(|stone| board.code(spot, stone));
    board.near(|spot| {
        if spot != chosen {
            cells.push(codes(spot));
        }
    });
    cells.insert(0, codes(chosen));
    (cells.len() > 1).then_some(Choice(cells))
}

/// Shapes and kinds of one side of one role.
const GENERAL: usize = SHAPES + KINDS;

/// Two logistic models over slots. Beside those of codes, values have weights of each bit of the mask and a constant, and,
/// behind all others, of each mask.
struct Model {
    coded: Coded,
    value: Adam,
    order: Adam,
}

/// The bits of a mask and the constant.
const BITS: usize = 13;

impl Model {
    fn new(rules: &Rules) -> Model {
        let coded = Coded::new(parts(rules), sides(rules) * GENERAL, BITS);
        let value = Adam::new(coded.len() + MASKS, coded.own());
        let order = Adam::new(coded.len(), coded.own());
        Model { coded, value, order }
    }

    /// The weights that a mask counts.
    fn mask_places(&self, mask: u16) -> impl Iterator<Item = usize> + use<> {
        let (bits, own) = (self.coded.others(), self.coded.len());
        let set = (0..BITS - 1).filter(move |bit| mask >> bit & 1 == 1);
        set.chain([BITS - 1]).map(move |bit| bits + bit).chain([own + usize::from(mask)])
    }

    fn logit(&self, sample: &Value) -> f32 {
        self.coded.sum(&self.value, &sample.codes) + self.mask_weight(sample.mask)
    }

    fn mask_weight(&self, mask: u16) -> f32 {
        self.mask_places(mask).map(|place| self.value.weights[place]).sum()
    }

    fn learn_value(&mut self, sample: &Value) {
        let error = sigmoid(self.logit(sample)) - sample.target;
        self.coded.learn(&mut self.value, &sample.codes, error);
        self.mask_places(sample.mask).for_each(|place| self.value.gradients[place] += error);
    }

    /// The chances that the search chooses each cell.
    fn chances(&self, Choice(cells): &Choice) -> Vec<f32> {
        let second = self.coded.codes();
        let logit = |&[own, other]: &[u16; 2]| {
            self.coded.weight(&self.order, own.into()) + self.coded.weight(&self.order, second + usize::from(other))
        };
        let logits: Vec<f32> = cells.iter().map(logit).collect();
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        let powers: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let sum: f32 = powers.iter().sum();
        powers.into_iter().map(|power| power / sum).collect()
    }

    fn learn_choice(&mut self, choice: &Choice) {
        let second = self.coded.codes();
        let chances = self.chances(choice);
        for (n, (&[own, other], chance)) in choice.0.iter().zip(chances).enumerate() {
            let error = chance - f32::from(u8::from(n == 0));
            for slot in [usize::from(own), second + usize::from(other)] {
                self.coded.places(slot).into_iter().for_each(|place| self.order.gradients[place] += error);
            }
        }
    }

    fn measure(&self, samples: &Samples) -> Epoch {
        let loss = |sample: &Value| loss(self.logit(sample), sample.target);
        let mean = |sum: f64, count: usize| sum / count.max(1) as f64;
        let (held, choices) = (&samples.values[1], &samples.choices[1]);
        let chances: Vec<Vec<f32>> = choices.iter().map(|choice| self.chances(choice)).collect();
        let first = chances.iter().filter(|chances| chances.iter().all(|&chance| chance <= chances[0])).count();
        Epoch {
            samples: [samples.values[0].len(), samples.choices[0].len()],
            value_loss: mean(held.iter().map(loss).sum(), held.len()),
            order_loss: mean(chances.iter().map(|c| -f64::from(c[0].max(1e-9)).ln()).sum(), choices.len()),
            first: mean(first as f64, choices.len()),
        }
    }

    fn weights(&self) -> Weights {
        let second = self.coded.codes();
        let fixed = |weight: f32, scale: f32| (weight * scale).round().clamp(-16_000.0, 16_000.0) as i16;
        let points = SCALE as f32;
        let worth = |slot: usize| Worth {
            lead: fixed(self.coded.weight(&self.value, slot), points * PARTS as f32),
            lag: fixed(self.coded.weight(&self.value, second + slot), points * PARTS as f32),
            attack: fixed(self.coded.weight(&self.order, slot), ORDER_SCALE),
            defence: fixed(self.coded.weight(&self.order, second + slot), ORDER_SCALE),
        };
        let initiative = |mask: usize| fixed(self.mask_weight(mask as u16), points);
        Weights { worths: (0..second).map(worth).collect(), initiative: (0..MASKS).map(initiative).collect() }
    }
}

/// The parts of each code: for both sides, or for Black and then White where the rules differ for them.
pub(super) fn parts(rules: &Rules) -> Vec<[u16; 5]> {
    let sides = sides(rules);
    let mut parts = vec![[0; 5]; CODES * sides];
    for shapes in (0..=u16::MAX).map(unpack) {
        for side in 0..sides {
            let fouls = Goal::of(rules, Stone::BOTH[side]).fouls;
            parts[code(shapes) + side * CODES] = parts_of(shapes, kind(shapes, fouls), side);
        }
    }
    parts
}

fn parts_of(shapes: [Shape; 4], kind: Kind, side: usize) -> [u16; 5] {
    let from = side * GENERAL;
    let [a, b, c, d] = shapes.map(|shape| (from + shape as usize) as u16);
    [a, b, c, d, (from + SHAPES + kind as usize) as u16]
}
