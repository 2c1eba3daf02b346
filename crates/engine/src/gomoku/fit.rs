//! Fits the weights to self-played games: what positions are worth to who won, and the order of cells to what the
//! search chose.
//!
//! Both are logistic models over the codes of empty cells. A code that was seldom seen must not be believed at once,
//! so its weight is the sum of what its shapes and its kind are worth in general and a rest of its own, which is held
//! small. Steps are Adam's, over batches, the smaller the more often a weight counts in one sample: codes differ in
//! frequency by a factor of a million.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use lianzi_core::{Position, Random, Rules, Stone};

use super::board::{Board, Knowledge, Spot, spot};
use super::kind::{CODES, KINDS, Kind, code, kind, unpack};
use super::shape::{Goal, SHAPES, Shape};
use super::weights::{MASKS, PARTS, SCALE, Weights, Worth, sides};
use crate::training::{Lesson, Note, adam::Adam, file::Lessons};

/// How weights are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// How often all samples are looked at.
    pub epochs: usize,
    /// How much the result counts beside the search's opinion.
    pub trust: f32,
    /// How strongly a code's own part is held back.
    pub restraint: f32,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { epochs: 20, trust: 0.5, restraint: 3e-3 }
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

/// Points of the order of cells for one nat.
const ORDER_SCALE: f32 = 32.0;

/// Positions this near to equal count even if a short search thought otherwise.
const OPEN: i32 = 800;

/// Every so many games one is held out.
const HELD_OUT: usize = 10;

/// Fits weights to games.
pub fn fit(lessons: &Lessons, plan: &Plan, report: &mut dyn FnMut(usize, &Epoch)) -> Weights {
    let samples = Samples::of(lessons, plan);
    let mut model = Model::new(&lessons.rules);
    model.scale(&samples);
    let mut random = Random::new(1);
    let [values, choices] = [&samples.values[0].len(), &samples.choices[0].len()];
    let mut order: [Vec<usize>; 2] = [(0..*values).collect(), (0..*choices).collect()];
    for epoch in 1..=plan.epochs {
        // The last epochs take ever smaller steps.
        let rate = RATE * (1.0 - (epoch - 1) as f32 / plan.epochs as f32).powi(2).max(0.02);
        order.iter_mut().for_each(|order| random.shuffle(order));
        for batch in order[0].chunks(BATCH) {
            batch.iter().for_each(|&n| model.learn_value(&samples.values[0][n]));
            model.value.step(batch.len(), rate, plan.restraint);
        }
        for batch in order[1].chunks(BATCH) {
            batch.iter().for_each(|&n| model.learn_choice(&samples.choices[0][n]));
            model.order.step(batch.len(), rate, plan.restraint / 300.0);
        }
        report(epoch, &model.measure(&samples));
    }
    model.weights()
}

/// Samples between two steps.
const BATCH: usize = 256;

/// The first steps, where a weight counts once a sample.
const RATE: f32 = 0.02;

/// A position and how good it turned out to be for the side to move.
struct Value {
    /// Slots of codes with how often they occur, the other side's negative.
    codes: Vec<(u16, i8)>,
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
        let mut seen = HashSet::new();
        for (n, lesson) in lessons.games.iter().enumerate() {
            let held_out = usize::from(n % HELD_OUT == HELD_OUT - 1);
            lesson.walk(lessons.rules, |position, note| {
                if seen.insert(position.hash()) {
                    samples.add(position, note, lesson, held_out, plan, &knowledge);
                }
            });
        }
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
        let board = Board::new(position, knowledge);
        let (own, other) = (board.to_move(), board.to_move().other());
        let urgent =
            board.count(own, Kind::Five) + board.count(other, Kind::Five) + board.count(own, Kind::OpenFour);
        if urgent > 0 {
            return;
        }
        if note.quiet || i32::from(score).abs() < OPEN {
            let opinion = 1.0 / (1.0 + (-f64::from(score) / SCALE).exp());
            let target = plan.trust * lesson.result(own) + (1.0 - plan.trust) * opinion as f32;
            self.values[held_out].push(value(&board, target));
        }
        self.choices[held_out].extend(choice(&board, spot(note.cell)));
    }
}

/// Where a code's weights are: White's lie behind Black's in renju.
fn slot(board: &Board, spot: Spot, stone: Stone) -> u16 {
    let side = if board.sides() == 2 { stone.index() } else { 0 };
    (code(board.shapes(spot, stone)) + side * CODES) as u16
}

fn value(board: &Board, target: f32) -> Value {
    let mut counts = std::collections::BTreeMap::new();
    let lag = (board.sides() * CODES) as u16;
    for spot in board.empty_spots() {
        *counts.entry(slot(board, spot, board.to_move())).or_insert(0i8) += 1;
        *counts.entry(lag + slot(board, spot, board.to_move().other())).or_insert(0i8) -= 1;
    }
    Value { codes: counts.into_iter().collect(), mask: board.mask() as u16, target }
}

fn choice(board: &Board, chosen: Spot) -> Option<Choice> {
    let mut cells = Vec::new();
    let slots = |spot| [slot(board, spot, board.to_move()), slot(board, spot, board.to_move().other())];
    board.near(|spot| {
        if spot != chosen {
            cells.push(slots(spot));
        }
    });
    cells.insert(0, slots(chosen));
    (cells.len() > 1).then_some(Choice(cells))
}

/// Shapes and kinds of one side of one role.
const GENERAL: usize = SHAPES + KINDS;

/// Two logistic models over slots. Weights lie in this order: for each role and side what shapes and kinds are worth
/// in general, (for values what each bit of the mask adds, and a constant,) for each role the codes' own parts, and
/// (for values) the masks' own parts.
struct Model {
    /// The four shapes and the kind of every slot of a role, as places in a role's general weights.
    parts: Vec<[u8; 5]>,
    /// General weights of one role.
    general: usize,
    value: Adam,
    order: Adam,
}

/// The bits of a mask and the constant.
const BITS: usize = 13;

impl Model {
    fn new(rules: &Rules) -> Model {
        let sides = sides(rules);
        let mut parts = vec![[0; 5]; CODES * sides];
        for word in 0..=u16::MAX {
            let shapes = unpack(word);
            for side in 0..sides {
                let fouls = Goal::of(rules, Stone::BOTH[side]).fouls;
                parts[code(shapes) + side * CODES] = parts_of(shapes, kind(shapes, fouls), side);
            }
        }
        let general = sides * GENERAL;
        let own = 2 * general + BITS;
        Model {
            parts,
            general,
            value: Adam::new(own + 2 * sides * CODES + MASKS, own),
            order: Adam::new(own + 2 * sides * CODES, own),
        }
    }

    /// The weights that make up a slot's; the second role's slots follow the first one's.
    #[inline(always)]
    fn places(&self, slot: usize) -> [usize; 6] {
        let (role, within) = (slot / self.parts.len(), slot % self.parts.len());
        let [a, b, c, d, e] = self.parts[within].map(|part| role * self.general + usize::from(part));
        [a, b, c, d, e, 2 * self.general + BITS + slot]
    }

    /// The weights that a mask counts.
    fn mask_places(&self, mask: u16) -> impl Iterator<Item = usize> + use<> {
        let (bits, own) = (2 * self.general, 2 * self.general + BITS + 2 * self.parts.len());
        let set = (0..BITS - 1).filter(move |bit| mask >> bit & 1 == 1);
        set.chain([BITS - 1]).map(move |bit| bits + bit).chain([own + usize::from(mask)])
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
        let codes =
            sample.codes.iter().map(|&(slot, n)| f32::from(n) * self.weight(&self.value, slot.into()));
        codes.sum::<f32>() + self.mask_weight(sample.mask)
    }

    fn mask_weight(&self, mask: u16) -> f32 {
        self.mask_places(mask).map(|place| self.value.weights[place]).sum()
    }

    fn learn_value(&mut self, sample: &Value) {
        let error = sigmoid(self.logit(sample)) - sample.target;
        for &(slot, n) in &sample.codes {
            let gradient = error * f32::from(n);
            self.places(slot.into()).into_iter().for_each(|place| self.value.gradients[place] += gradient);
        }
        self.mask_places(sample.mask).for_each(|place| self.value.gradients[place] += error);
    }

    /// The chances that the search chooses each cell.
    fn chances(&self, Choice(cells): &Choice) -> Vec<f32> {
        let second = self.parts.len();
        let logit = |&[own, other]: &[u16; 2]| {
            self.weight(&self.order, own.into()) + self.weight(&self.order, second + usize::from(other))
        };
        let logits: Vec<f32> = cells.iter().map(logit).collect();
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        let powers: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let sum: f32 = powers.iter().sum();
        powers.into_iter().map(|power| power / sum).collect()
    }

    fn learn_choice(&mut self, choice: &Choice) {
        let second = self.parts.len();
        let chances = self.chances(choice);
        for (n, (&[own, other], chance)) in choice.0.iter().zip(chances).enumerate() {
            let error = chance - f32::from(u8::from(n == 0));
            for slot in [usize::from(own), second + usize::from(other)] {
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
        let second = self.parts.len();
        let fixed = |weight: f32, scale: f32| (weight * scale).round().clamp(-16_000.0, 16_000.0) as i16;
        let points = SCALE as f32;
        let worth = |slot: usize| Worth {
            lead: fixed(self.weight(&self.value, slot), points * PARTS as f32),
            lag: fixed(self.weight(&self.value, second + slot), points * PARTS as f32),
            attack: fixed(self.weight(&self.order, slot), ORDER_SCALE),
            defence: fixed(self.weight(&self.order, second + slot), ORDER_SCALE),
        };
        let initiative = |mask: usize| fixed(self.mask_weight(mask as u16), points);
        Weights { worths: (0..second).map(worth).collect(), initiative: (0..MASKS).map(initiative).collect() }
    }
}

fn parts_of(shapes: [Shape; 4], kind: Kind, side: usize) -> [u8; 5] {
    let from = side * GENERAL;
    let [a, b, c, d] = shapes.map(|shape| (from + shape as usize) as u8);
    [a, b, c, d, (from + SHAPES + kind as usize) as u8]
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
