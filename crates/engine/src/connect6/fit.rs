//! Fits the weights to self-played games: what positions are worth to who won, and the order of cells to what the
//! search chose.
//!
//! Both are logistic models over the codes of empty cells. A code that was seldom seen must not be believed at once,
//! so its weight is the sum of what its four kinds and its two best kinds together are worth in general, and a rest of
//! its own, which is held small.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use lianzi_core::{Position, Random};

use super::attack::Attack;
use super::board::Board;
use super::defence::Defence;
use super::pattern::{KINDS, Star, kinds};
use super::root::{OPEN, POINTS};
use super::shape::{Place, Shape};
use super::weights::{CODES, SCALE, Weights, Worth, codes};
use crate::gomoku::fit::{Epoch, Plan};
use crate::training::adam::Adam;
use crate::training::file::Lessons;
use crate::training::{Lesson, Note};

/// Points of the order of cells for one nat.
const ORDER_SCALE: f32 = 32.0;

/// Every so many games one is held out.
const HELD_OUT: usize = 10;

/// Samples between two steps.
const BATCH: usize = 256;

/// The first steps, where a weight counts once a sample.
const RATE: f32 = 0.02;

/// How many stones an attack may put before a position counts as quiet.
const QUIET: u32 = 80;

/// Fits weights to games.
pub fn fit(lessons: &Lessons, plan: &Plan, report: &mut dyn FnMut(usize, &Epoch)) -> Weights {
    let samples = Samples::of(lessons, plan);
    let mut model = Model::new();
    model.scale(&samples);
    let mut random = Random::new(1);
    let mut values: Vec<usize> = (0..samples.values[0].len()).collect();
    let mut choices: Vec<usize> = (0..samples.choices[0].len()).collect();
    for epoch in 1..=plan.epochs {
        // The last epochs take ever smaller steps.
        let rate = RATE * (1.0 - (epoch - 1) as f32 / plan.epochs as f32).powi(2).max(0.02);
        random.shuffle(&mut values);
        random.shuffle(&mut choices);
        for batch in values.chunks(BATCH) {
            batch.iter().for_each(|&n| model.learn_value(&samples.values[0][n]));
            model.value.step(batch.len(), rate, plan.restraint);
        }
        for batch in choices.chunks(BATCH) {
            batch.iter().for_each(|&n| model.learn_choice(&samples.choices[0][n]));
            model.order.step(batch.len(), rate, plan.restraint / 300.0);
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

/// The cells of a position, as both sides' codes, the chosen one first.
struct Choice(Vec<[u16; 2]>);

/// What is learnt from and what is held out.
#[derive(Default)]
struct Samples {
    values: [Vec<Value>; 2],
    choices: [Vec<Choice>; 2],
}

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
            let mut ply = lesson.opening;
            lesson.walk(lessons.rules, |position, note| {
                ply += 1;
                if position.stones_left() == 2 && seen.insert(position.hash()) {
                    let second = lesson.plies.get(ply);
                    samples.add(&reader, position, [Some(note), second], lesson, held_out);
                }
            });
        }
        samples
    }

    fn add(
        &mut self,
        reader: &Reader,
        position: &Position,
        notes: [Option<&Note>; 2],
        lesson: &Lesson,
        held_out: usize,
    ) {
        let [Some(first), Some(second)] = notes else { return };
        let Some(score) = first.score.map(i32::from) else { return };
        let mut board = Board::new(Arc::clone(&reader.shape), position);
        let needed = Defence::against(&board, board.turn ^ 1).needed;
        let settled = !board.threats(board.turn).is_empty() || needed > 1;
        if settled || Attack::default().win(&mut board, 12, QUIET).is_some() {
            return;
        }
        let opinion = 1.0 / (1.0 + (-score as f32 / POINTS as f32).exp());
        let target = reader.trust * lesson.result(position.to_move()) + (1.0 - reader.trust) * opinion;
        self.values[held_out].push(Value { codes: reader.counts(&board), needed, target });
        // Who is lost plays anything.
        if needed == 0 && score > -OPEN {
            for note in [first, second] {
                let stone = board.shape.place(note.cell);
                self.choices[held_out].push(reader.choice(&board, stone));
                board.play(stone);
            }
        }
    }
}

impl Reader {
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

    fn choice(&self, board: &Board, chosen: Place) -> Choice {
        let others = board.empty().filter(|&place| place != chosen);
        let both = |place| [board.turn, board.turn ^ 1].map(|side| self.code(board, side, place));
        Choice([chosen].into_iter().chain(others).map(both).collect())
    }
}

/// The weights of one role that do not belong to a code: of kinds, and of two best kinds together.
const GENERAL: usize = KINDS + KINDS * KINDS;

/// The general weights of both roles, and the tempo's two.
const COMMON: usize = 2 * GENERAL + 2;

/// Two logistic models. Weights lie in this order: general ones of both roles, tempo, the codes' own of both roles.
struct Model {
    /// The four kinds and the best two together of every code, as places in a role's general weights.
    parts: Vec<[u16; 5]>,
    value: Adam,
    order: Adam,
}

impl Model {
    fn new() -> Model {
        let mut parts = vec![[0; 5]; CODES];
        for (star, code) in codes().into_iter().enumerate() {
            parts[usize::from(code)] = parts_of(star as Star);
        }
        let adam = || Adam::new(COMMON + 2 * CODES, COMMON);
        Model { parts, value: adam(), order: adam() }
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
        let mut usage = vec![0.0; self.value.weights.len()];
        for sample in &samples.values[0] {
            let mut counts: HashMap<usize, f32> = HashMap::new();
            for &(slot, n) in &sample.codes {
                for place in self.places(slot.into()) {
                    *counts.entry(place).or_default() += f32::from(n);
                }
            }
            counts.into_iter().for_each(|(place, count)| usage[place] += count * count);
        }
        let samples = samples.values[0].len().max(1) as f32;
        self.value.usage = usage.into_iter().map(|sum| sum / samples).collect();
    }

    fn weight(&self, adam: &Adam, slot: usize) -> f32 {
        self.places(slot).map(|place| adam.weights[place]).iter().sum()
    }

    fn logit(&self, sample: &Value) -> f32 {
        let count = |&(slot, n): &(u16, i16)| f32::from(n) * self.weight(&self.value, slot.into());
        sample.codes.iter().map(count).sum::<f32>() + self.value.weights[tempo(sample.needed)]
    }

    fn learn_value(&mut self, sample: &Value) {
        let error = sigmoid(self.logit(sample)) - sample.target;
        for &(slot, n) in &sample.codes {
            let gradient = error * f32::from(n);
            self.places(slot.into()).into_iter().for_each(|place| self.value.gradients[place] += gradient);
        }
        self.value.gradients[tempo(sample.needed)] += error;
    }

    /// The chances that the search chooses each cell.
    fn chances(&self, Choice(cells): &Choice) -> Vec<f32> {
        let logit = |&[own, other]: &[u16; 2]| {
            self.weight(&self.order, own.into()) + self.weight(&self.order, CODES + usize::from(other))
        };
        let logits: Vec<f32> = cells.iter().map(logit).collect();
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        let powers: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let sum: f32 = powers.iter().sum();
        powers.into_iter().map(|power| power / sum).collect()
    }

    fn learn_choice(&mut self, choice: &Choice) {
        let chances = self.chances(choice);
        for (n, (&[own, other], chance)) in choice.0.iter().zip(chances).enumerate() {
            let error = chance - f32::from(u8::from(n == 0));
            for slot in [usize::from(own), CODES + usize::from(other)] {
                self.places(slot).into_iter().for_each(|place| self.order.gradients[place] += error);
            }
        }
    }

    fn measure(&self, samples: &Samples) -> Epoch {
        let loss = |sample: &Value| {
            let chance = f64::from(sigmoid(self.logit(sample))).clamp(1e-6, 1.0 - 1e-6);
            let target = f64::from(sample.target);
            -target * chance.ln() - (1.0 - target) * (1.0 - chance).ln()
        };
        let mean = |sum: f64, count: usize| sum / count.max(1) as f64;
        let (held, choices) = (&samples.values[1], &samples.choices[1]);
        let chances: Vec<Vec<f32>> = choices.iter().map(|choice| self.chances(choice)).collect();
        let first =
            chances.iter().filter(|chances| chances.iter().all(|&chance| chance <= chances[0])).count();
        Epoch {
            samples: [samples.values[0].len(), samples.choices[0].len()],
            value_loss: mean(held.iter().map(loss).sum(), held.len()),
            order_loss: mean(chances.iter().map(|c| -f64::from(c[0].max(1e-9)).ln()).sum(), choices.len()),
            first: mean(first as f64, choices.len()),
        }
    }

    fn weights(&self) -> Weights {
        let fixed = |weight: f32, scale: f32| (weight * scale).round().clamp(-8_000.0, 8_000.0) as i16;
        let worth = |code: usize| Worth {
            moving: fixed(self.weight(&self.value, code), SCALE),
            waiting: fixed(self.weight(&self.value, CODES + code), SCALE),
            own: fixed(self.weight(&self.order, code), ORDER_SCALE),
            foreign: fixed(self.weight(&self.order, CODES + code), ORDER_SCALE),
        };
        Weights {
            worths: (0..CODES).map(worth).collect(),
            tempo: [0, 1].map(|needed| fixed(self.value.weights[tempo(needed)], SCALE)),
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
