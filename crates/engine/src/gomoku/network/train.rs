//! Teaches the network by who won and what the search thought.
//!
//! A row of a table is the sum of what the four shapes and the kind of its code are in general and a rest of its own,
//! which is held small: what was seldom seen is not believed at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use lianzi_core::{Position, Random, Rules, Stone};

use super::super::board::GomokuBoard;
use super::super::fit::is_urgent;
use super::super::kind::{CODES, KINDS, code, kind, unpack};
use super::super::knowledge::Knowledge;
use super::super::moves::has_double;
use super::super::shape::{Goal, SHAPES};
use super::super::weights::{SCALE, Weights};
use super::{
    BITS, CHANNELS, CONSTANT, HEAD, HIDDEN, Head, INPUTS, MASK, Network, PARTS, POOLED, ROWS, SECOND, Thought, add,
    base, share,
};
use crate::training::adam::Adam;
use crate::training::file::Lessons;
use crate::training::logistic::{Plan, each_position, loss, shuffled, sigmoid};
use crate::training::{Lesson, Note};

/// Positions this near to equal count even if a short search thought otherwise.
const OPEN: i32 = 800;

/// How a network is trained, where nothing else is asked.
pub const PLAN: Plan = Plan { epochs: 10, trust: 0.5, restraint: 1e-4, rate: 2e-3 };

/// How well an epoch did on games it never learns from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Positions learnt from and positions held out.
    pub samples: [usize; 2],
    /// The mean loss of the fitted value on those held out, in nats.
    pub fitted: f64,
    /// With what the network adds.
    pub corrected: f64,
}

/// Teaches a network that corrects these weights.
pub fn train(lessons: &Lessons, weights: &Weights, plan: &Plan, report: &mut dyn FnMut(usize, &Epoch)) -> Network {
    let samples = samples(lessons, weights, plan);
    let mut pupil = Pupil::new(&lessons.rules);
    let mut random = Random::new(1);
    let mut order: Vec<usize> = (0..samples[0].len()).collect();
    let all = (plan.epochs * order.len()) as f32;
    let mut done = 0;
    for epoch in 1..=plan.epochs {
        shuffled(&mut order, &mut random, |batch| {
            batch.iter().for_each(|&n| pupil.learn(&samples[0][n]));
            done += batch.len();
            pupil.step(batch.len(), plan.rate * (1.0 - done as f32 / all).max(0.01), plan.restraint);
        });
        report(epoch, &pupil.measure(&samples));
    }
    pupil.network()
}

/// A position and how good it turned out to be for the side to move.
struct Sample {
    /// The rows of cells, and how many cells have them.
    cells: Vec<([u16; 2], u8)>,
    mask: u16,
    free: u16,
    base: f32,
    target: f32,
}

/// What is learnt from and what is held out.
fn samples(lessons: &Lessons, weights: &Weights, plan: &Plan) -> [Vec<Sample>; 2] {
    let knowledge = Arc::new(Knowledge::with(&lessons.rules, weights));
    let mut samples = [Vec::new(), Vec::new()];
    each_position(lessons, |position, note, lesson, held_out| {
        samples[held_out].extend(sample(position, note, lesson, plan, &knowledge));
    });
    samples
}

fn sample(
    position: &Position,
    note: &Note,
    lesson: &Lesson,
    plan: &Plan,
    knowledge: &Arc<Knowledge>,
) -> Option<Sample> {
    let score = i32::from(note.score?);
    let mut board = GomokuBoard::new(position, knowledge);
    let own = board.to_move();
    // The search evaluates no position that is as good as won.
    if !note.quiet && score.abs() >= OPEN || is_urgent(&board) || has_double(&board, own) {
        return None;
    }
    let opinion = sigmoid((f64::from(score) / SCALE) as f32);
    let mut cells = BTreeMap::new();
    for spot in board.empty_spots() {
        let [own, other] = [own, own.other()].map(|stone| code(board.shapes(spot, stone)));
        *cells.entry([own as u16, (CODES + other) as u16]).or_insert(0) += 1;
    }
    Some(Sample {
        cells: cells.into_iter().collect(),
        mask: board.mask() as u16,
        free: board.free() as u16,
        base: base(board.evaluate()),
        target: plan.trust * lesson.result(own) + (1.0 - plan.trust) * opinion,
    })
}

type Row = [f32; CHANNELS];

/// Shapes and kinds of one table.
const GENERAL: usize = SHAPES + KINDS;

/// Numbers as Adam keeps them: those of the layers, those of shapes and kinds, those of codes.
const GENERAL_AT: usize = HEAD;
const OWN_AT: usize = GENERAL_AT + 2 * GENERAL * CHANNELS;

/// A network that learns.
struct Pupil {
    adam: Adam,
    /// The parts of each row.
    parts: Vec<[u16; 5]>,
    head: Box<Head>,
    rows: Vec<Row>,
    /// What the samples since the last step say of the layers and the rows.
    head_blame: Box<Head>,
    row_blame: Vec<Row>,
}

impl Pupil {
    /// One that adds nothing yet.
    fn new(rules: &Rules) -> Pupil {
        let mut adam = Adam::new(OWN_AT + ROWS * CHANNELS, OWN_AT);
        let mut random = Random::new(7);
        let mut strew = |numbers: &mut [f32], size: f32| {
            let mut draw = || (0..4).map(|_| random.unit() - 0.5).sum::<f64>() as f32 * size;
            numbers.iter_mut().for_each(|number| *number = draw());
        };
        strew(&mut adam.weights[..INPUTS * HIDDEN], 0.4);
        strew(&mut adam.weights[INPUTS * HIDDEN..GENERAL_AT - SECOND - 1], 0.5);
        strew(&mut adam.weights[GENERAL_AT..OWN_AT], 0.15);
        let fouls = Goal::of(rules, Stone::Black).fouls;
        let mut parts = vec![[0; 5]; ROWS];
        for shapes in (0..=u16::MAX).map(unpack) {
            let [a, b, c, d] = shapes.map(|shape| shape as u16);
            let of = [a, b, c, d, (SHAPES + kind(shapes, fouls) as usize) as u16];
            parts[code(shapes)] = of;
            parts[CODES + code(shapes)] = of.map(|part| part + GENERAL as u16);
        }
        let empty = vec![[0.0; CHANNELS]; ROWS];
        let head = Head::of(&adam.weights[..GENERAL_AT]).expect("the layers come first");
        let head_blame = Head::of(&vec![0.0; GENERAL_AT]).expect("the same size");
        let mut pupil = Pupil { adam, parts, head, rows: empty.clone(), head_blame, row_blame: empty };
        pupil.settle();
        pupil
    }

    /// The network in the numbers that play.
    fn network(&self) -> Network {
        let whole = |number: &f32| (number * PARTS).round().clamp(-16_000.0, 16_000.0) as i16;
        Network::new(self.rows.iter().map(|row| std::array::from_fn(|n| whole(&row[n]))).collect(), self.head.clone())
    }

    /// Makes layers and rows out of what Adam keeps.
    fn settle(&mut self) {
        let weights = &self.adam.weights;
        self.head = Head::of(&weights[..GENERAL_AT]).expect("the layers come first");
        let (general, _) = weights[GENERAL_AT..OWN_AT].as_chunks::<CHANNELS>();
        let (own, _) = weights[OWN_AT..].as_chunks::<CHANNELS>();
        for ((row, own), parts) in self.rows.iter_mut().zip(own).zip(&self.parts) {
            *row = *own;
            parts.iter().for_each(|&part| add(row, &general[usize::from(part)], 1.0));
        }
    }

    fn step(&mut self, batch: usize, rate: f32, restraint: f32) {
        let (general, own) = self.adam.gradients.split_at_mut(OWN_AT);
        let (head, general) = general.split_at_mut(GENERAL_AT);
        head.copy_from_slice(&self.head_blame.numbers());
        self.head_blame = Head::of(&vec![0.0; GENERAL_AT]).expect("the same size");
        let (general, _) = general.as_chunks_mut::<CHANNELS>();
        let (own, _) = own.as_chunks_mut::<CHANNELS>();
        for ((blame, own), parts) in self.row_blame.iter_mut().zip(own).zip(&self.parts) {
            parts.iter().for_each(|&part| add(&mut general[usize::from(part)], blame, 1.0));
            *own = std::mem::take(blame);
        }
        self.adam.step(batch, rate, restraint);
        self.settle();
    }

    /// What the network makes of a position, and the sums over its cells.
    fn look_at(&self, sample: &Sample) -> (Row, Thought) {
        let mut pool = [0.0; CHANNELS];
        for &(rows, count) in &sample.cells {
            let [own, other] = rows.map(|row| &self.rows[usize::from(row)]);
            let times = f32::from(count) / POOLED;
            (0..CHANNELS).for_each(|n| pool[n] += times * (own[n] + other[n]).max(0.0));
        }
        let mut hidden = self.head.first[CONSTANT];
        for bit in (0..BITS).filter(|bit| sample.mask >> bit & 1 == 1) {
            add(&mut hidden, &self.head.first[MASK + bit], 1.0);
        }
        (pool, self.head.think(hidden, &pool, sample.base, sample.free.into()))
    }

    /// Adds what a sample says.
    fn learn(&mut self, sample: &Sample) {
        let (pool, thought) = self.look_at(sample);
        let error = sigmoid(sample.base + thought.correction) - sample.target;
        let hidden = self.blame_layers(&thought, error);
        let first = &mut self.head_blame.first;
        let bits = (0..BITS).map(|bit| f32::from(u8::from(sample.mask >> bit & 1 == 1)));
        let inputs = pool.into_iter().chain(bits).chain([sample.base, share(sample.free.into()), 1.0]);
        first
            .iter_mut()
            .zip(inputs)
            .filter(|(_, input)| *input != 0.0)
            .for_each(|(row, input)| add(row, &hidden, input));
        let dot = |row: &[f32; HIDDEN]| row.iter().zip(&hidden).map(|(weight, blame)| weight * blame).sum::<f32>();
        let pool: Row = std::array::from_fn(|n| dot(&self.head.first[n]) / POOLED);
        for &(rows, count) in &sample.cells {
            let [own, other] = rows.map(|row| &self.rows[usize::from(row)]);
            let whole: Row =
                std::array::from_fn(|n| if own[n] + other[n] > 0.0 { f32::from(count) * pool[n] } else { 0.0 });
            rows.iter().for_each(|&row| add(&mut self.row_blame[usize::from(row)], &whole, 1.0));
        }
    }

    /// What an error says of the second layer, and of the numbers of the first.
    fn blame_layers(&mut self, thought: &Thought, error: f32) -> [f32; HIDDEN] {
        let (head, blame) = (&self.head, &mut self.head_blame);
        let second: [f32; SECOND] =
            std::array::from_fn(|n| if thought.second[n] > 0.0 { error * head.out[n] } else { 0.0 });
        (0..SECOND).for_each(|n| blame.out[n] += error * thought.second[n]);
        blame.out[SECOND] += error;
        add(&mut blame.second[HIDDEN], &second, 1.0);
        let mut hidden = [0.0; HIDDEN];
        for n in (0..HIDDEN).filter(|&n| thought.hidden[n] > 0.0) {
            add(&mut blame.second[n], &second, thought.hidden[n]);
            hidden[n] = head.second[n].iter().zip(&second).map(|(weight, blame)| weight * blame).sum();
        }
        hidden
    }

    fn measure(&self, samples: &[Vec<Sample>; 2]) -> Epoch {
        let held = &samples[1];
        let mean = |sum: f64| sum / held.len().max(1) as f64;
        let corrected = |sample: &Sample| loss(sample.base + self.look_at(sample).1.correction, sample.target);
        Epoch {
            samples: [samples[0].len(), held.len()],
            fitted: mean(held.iter().map(|sample| loss(sample.base, sample.target)).sum()),
            corrected: mean(held.iter().map(corrected).sum()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position whose cells, threats and target are drawn.
    fn drawn(random: &mut Random) -> Sample {
        let mut row = |from: usize| (from + random.below(CODES)) as u16;
        let cells = (0..20).map(|n| ([row(0), row(CODES)], 1 + n)).collect();
        Sample { cells, mask: random.below(1 << BITS) as u16, free: 200, base: 0.3, target: random.unit() as f32 }
    }

    #[test]
    fn blame_is_what_the_loss_changes_by() {
        let mut random = Random::new(3);
        let mut pupil = Pupil::new(&"gomoku".parse().unwrap());
        pupil.adam.weights.iter_mut().for_each(|weight| *weight += random.unit() as f32 * 0.2 - 0.1);
        pupil.settle();
        let sample = drawn(&mut random);
        let of = |pupil: &Pupil| loss(sample.base + pupil.look_at(&sample).1.correction, sample.target);
        pupil.learn(&sample);
        let (layers, row) = (pupil.head_blame.numbers(), usize::from(sample.cells[7].0[1]));
        let rows: Vec<f32> = pupil.row_blame[row].to_vec();
        let own = OWN_AT + row * CHANNELS;
        let places = (0..HEAD).step_by(7).map(|n| (n, layers[n])).chain((own..).zip(rows));
        for (place, blame) in places {
            let mut at = |by: f32| {
                let before = pupil.adam.weights[place];
                pupil.adam.weights[place] += by;
                pupil.settle();
                pupil.adam.weights[place] = before;
                of(&pupil)
            };
            let slope = (at(1e-3) - at(-1e-3)) / 2e-3;
            assert!((slope - f64::from(blame)).abs() < 0.01 + 0.05 * slope.abs(), "{place}: {slope} {blame}");
        }
    }
}
