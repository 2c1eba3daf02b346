//! Teaches a network by who won and what the search thought.
//!
//! A row of a table is the sum of what the parts of its code are in general and a rest of its own, which is held small:
//! what was seldom seen is not believed at once.

use std::collections::BTreeMap;

use lianzi_core::{Position, Random};

use super::{
    BITS, CHANNELS, CONSTANT, Form, HEAD, HIDDEN, Head, INPUTS, MASK, Network, PARTS, POOLED, SECOND, Thought, add,
};
use crate::training::adam::Adam;
use crate::training::file::Lessons;
use crate::training::logistic::{Plan, each_position, loss, shuffled, sigmoid};
use crate::training::{Lesson, Note};

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

/// What a game's network is taught.
pub(crate) struct Subject<'a> {
    pub form: &'static Form,
    /// What it begins with; without it, it knows nothing.
    pub from: Option<&'a Network>,
    /// The parts of each code.
    pub parts: Vec<[u16; 5]>,
    /// What a position teaches, unless the search never evaluates such.
    pub sample: &'a dyn Fn(&Position, &Note, &Lesson) -> Option<Sample>,
}

/// A position and how good it turned out to be for the side to move.
pub(crate) struct Sample {
    /// The codes of cells, and how many cells have them.
    pub cells: Vec<([u16; 2], u16)>,
    pub mask: u16,
    pub free: u16,
    pub fitted: i32,
    pub target: f32,
}

/// How often each two codes occur; the first is that of the side to move.
pub(crate) fn tally(codes: impl Iterator<Item = [u16; 2]>) -> Vec<([u16; 2], u16)> {
    let mut cells = BTreeMap::new();
    codes.for_each(|codes| *cells.entry(codes).or_insert(0) += 1);
    cells.into_iter().collect()
}

/// Teaches a network that corrects what positions are worth by their fitted weights.
pub(crate) fn train(
    subject: &Subject<'_>,
    lessons: &Lessons,
    plan: &Plan,
    report: &mut dyn FnMut(usize, &Epoch),
) -> Network {
    let mut samples = [Vec::new(), Vec::new()];
    each_position(lessons, |position, note, lesson, held_out| {
        samples[held_out].extend((subject.sample)(position, note, lesson));
    });
    let mut pupil = Pupil::new(subject.form, &subject.parts, subject.from);
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

type Row = [f32; CHANNELS];

/// A network that learns. Adam keeps the numbers of the layers, those of parts in general, and those of codes.
struct Pupil {
    form: &'static Form,
    adam: Adam,
    /// Where the numbers of codes begin.
    own: usize,
    /// The parts of each row.
    parts: Vec<[u16; 5]>,
    /// What the rows were before it learnt anything.
    from: Vec<Row>,
    head: Box<Head>,
    rows: Vec<Row>,
    /// What the samples since the last step say of the layers and the rows.
    head_blame: Box<Head>,
    row_blame: Vec<Row>,
}

impl Pupil {
    /// One that adds nothing yet, or what another network does.
    fn new(form: &'static Form, parts: &[[u16; 5]], from: Option<&Network>) -> Pupil {
        let general = 1 + parts.iter().flatten().max().copied().unwrap_or(0);
        let own = HEAD + 2 * usize::from(general) * CHANNELS;
        let second = parts.iter().map(|of| of.map(|part| general + part));
        let parts: Vec<[u16; 5]> = parts.iter().copied().chain(second).collect();
        let mut adam = Adam::new(own + parts.len() * CHANNELS, own);
        let mut random = Random::new(7);
        let mut strew = |numbers: &mut [f32], size: f32| {
            let mut draw = || (0..4).map(|_| random.unit() - 0.5).sum::<f64>() as f32 * size;
            numbers.iter_mut().for_each(|number| *number = draw());
        };
        let empty = vec![[0.0; CHANNELS]; parts.len()];
        let rows = match from {
            Some(network) => {
                adam.weights[..HEAD].copy_from_slice(&network.head.numbers());
                network.rows.iter().map(|row| row.map(|number| f32::from(number) / PARTS)).collect()
            }
            None => {
                strew(&mut adam.weights[..INPUTS * HIDDEN], 0.4);
                strew(&mut adam.weights[INPUTS * HIDDEN..HEAD - SECOND - 1], 0.5);
                strew(&mut adam.weights[HEAD..own], 0.15);
                empty.clone()
            }
        };
        let head = Head::of(&adam.weights[..HEAD]).expect("the layers come first");
        let head_blame = Head::of(&[0.0; HEAD]).expect("the same size");
        let mut pupil =
            Pupil { form, adam, own, parts, from: rows, head, rows: empty.clone(), head_blame, row_blame: empty };
        pupil.settle();
        pupil
    }

    /// The network in the numbers that play.
    fn network(&self) -> Network {
        let whole = |number: &f32| (number * PARTS).round().clamp(-16_000.0, 16_000.0) as i16;
        let rows = self.rows.iter().map(|row| std::array::from_fn(|n| whole(&row[n]))).collect();
        Network::new(self.form, rows, self.head.clone())
    }

    /// Makes layers and rows out of what Adam keeps.
    fn settle(&mut self) {
        let weights = &self.adam.weights;
        self.head = Head::of(&weights[..HEAD]).expect("the layers come first");
        let (general, _) = weights[HEAD..self.own].as_chunks::<CHANNELS>();
        let (own, _) = weights[self.own..].as_chunks::<CHANNELS>();
        for (((row, own), from), parts) in self.rows.iter_mut().zip(own).zip(&self.from).zip(&self.parts) {
            *row = *own;
            add(row, from, 1.0);
            parts.iter().for_each(|&part| add(row, &general[usize::from(part)], 1.0));
        }
    }

    fn step(&mut self, batch: usize, rate: f32, restraint: f32) {
        let (general, own) = self.adam.gradients.split_at_mut(self.own);
        let (head, general) = general.split_at_mut(HEAD);
        head.copy_from_slice(&self.head_blame.numbers());
        self.head_blame = Head::of(&[0.0; HEAD]).expect("the same size");
        let (general, _) = general.as_chunks_mut::<CHANNELS>();
        let (own, _) = own.as_chunks_mut::<CHANNELS>();
        for ((blame, own), parts) in self.row_blame.iter_mut().zip(own).zip(&self.parts) {
            parts.iter().for_each(|&part| add(&mut general[usize::from(part)], blame, 1.0));
            *own = std::mem::take(blame);
        }
        self.adam.step(batch, rate, restraint);
        self.settle();
    }

    /// The rows of two codes.
    fn rows_of(&self, [own, other]: [u16; 2]) -> [usize; 2] {
        [own.into(), self.form.codes + usize::from(other)]
    }

    /// What the network makes of a position, and the sums over its cells.
    fn look_at(&self, sample: &Sample) -> (Row, Thought) {
        let mut pool = [0.0; CHANNELS];
        for &(codes, count) in &sample.cells {
            let [own, other] = self.rows_of(codes).map(|row| &self.rows[row]);
            let times = f32::from(count) / POOLED;
            (0..CHANNELS).for_each(|n| pool[n] += times * (own[n] + other[n]).max(0.0));
        }
        let mut hidden = self.head.first[CONSTANT];
        for bit in (0..BITS).filter(|bit| sample.mask >> bit & 1 == 1) {
            add(&mut hidden, &self.head.first[MASK + bit], 1.0);
        }
        let (base, share) = (self.form.base(sample.fitted), self.form.share(sample.free.into()));
        (pool, self.head.think(hidden, &pool, base, share))
    }

    /// What it thinks of a position, as a logit.
    fn logit(&self, sample: &Sample) -> f32 {
        self.form.base(sample.fitted) + self.look_at(sample).1.correction
    }

    /// Adds what a sample says.
    fn learn(&mut self, sample: &Sample) {
        let (pool, thought) = self.look_at(sample);
        let (base, share) = (self.form.base(sample.fitted), self.form.share(sample.free.into()));
        let error = sigmoid(base + thought.correction) - sample.target;
        let hidden = self.blame_layers(&thought, error);
        let first = &mut self.head_blame.first;
        let bits = (0..BITS).map(|bit| f32::from(u8::from(sample.mask >> bit & 1 == 1)));
        let inputs = pool.into_iter().chain(bits).chain([base, share, 1.0]);
        first
            .iter_mut()
            .zip(inputs)
            .filter(|(_, input)| *input != 0.0)
            .for_each(|(row, input)| add(row, &hidden, input));
        let dot = |row: &[f32; HIDDEN]| row.iter().zip(&hidden).map(|(weight, blame)| weight * blame).sum::<f32>();
        let pool: Row = std::array::from_fn(|n| dot(&self.head.first[n]) / POOLED);
        for &(codes, count) in &sample.cells {
            let rows = self.rows_of(codes);
            let [own, other] = rows.map(|row| &self.rows[row]);
            let whole: Row =
                std::array::from_fn(|n| if own[n] + other[n] > 0.0 { f32::from(count) * pool[n] } else { 0.0 });
            rows.iter().for_each(|&row| add(&mut self.row_blame[row], &whole, 1.0));
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
        let fitted = |sample: &Sample| loss(self.form.base(sample.fitted), sample.target);
        Epoch {
            samples: [samples[0].len(), held.len()],
            fitted: mean(held.iter().map(fitted).sum()),
            corrected: mean(held.iter().map(|sample| loss(self.logit(sample), sample.target)).sum()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::network::FREE as FORM;
    use crate::network::tests::random_network;

    /// Codes of random parts.
    fn pupil(random: &mut Random) -> Pupil {
        let parts: Vec<[u16; 5]> = (0..FORM.codes).map(|_| std::array::from_fn(|_| random.below(20) as u16)).collect();
        Pupil::new(&FORM, &parts, None)
    }

    /// A position whose cells, threats and target are drawn.
    fn drawn(random: &mut Random) -> Sample {
        let mut code = || random.below(FORM.codes) as u16;
        let cells = (1..=20).map(|n| ([code(), code()], n)).collect();
        Sample { cells, mask: random.below(1 << BITS) as u16, free: 200, fitted: 60, target: random.unit() as f32 }
    }

    #[test]
    fn who_was_taught_nothing_adds_nothing() {
        let mut random = Random::new(2);
        let (pupil, sample) = (pupil(&mut random), drawn(&mut random));
        assert_eq!(pupil.logit(&sample), FORM.base(sample.fitted));
        let network = pupil.network();
        let mut pool = [0; CHANNELS];
        sample.cells.iter().for_each(|&(codes, _)| network.include(&mut pool, 0, codes));
        assert_eq!(network.correction(&pool, sample.mask.into(), sample.fitted, sample.free.into()), 0);
    }

    #[test]
    fn who_begins_with_a_network_adds_what_it_does() {
        let network = random_network(&FORM, 5);
        let parts = vec![[0; 5]; FORM.codes];
        assert_eq!(Pupil::new(&FORM, &parts, Some(&network)).network(), network);
    }

    #[test]
    fn blame_is_what_the_loss_changes_by() {
        let mut random = Random::new(3);
        let mut pupil = pupil(&mut random);
        pupil.adam.weights.iter_mut().for_each(|weight| *weight += random.unit() as f32 * 0.2 - 0.1);
        pupil.settle();
        let sample = drawn(&mut random);
        pupil.learn(&sample);
        let (layers, row) = (pupil.head_blame.numbers(), pupil.rows_of(sample.cells[7].0)[1]);
        let rows: Vec<f32> = pupil.row_blame[row].to_vec();
        let own = pupil.own + row * CHANNELS;
        let places = (0..HEAD).step_by(7).map(|n| (n, layers[n])).chain((own..).zip(rows));
        for (place, blame) in places {
            let mut at = |by: f32| {
                let before = pupil.adam.weights[place];
                pupil.adam.weights[place] += by;
                pupil.settle();
                pupil.adam.weights[place] = before;
                loss(pupil.logit(&sample), sample.target)
            };
            let slope = (at(1e-3) - at(-1e-3)) / 2e-3;
            assert!((slope - f64::from(blame)).abs() < 0.01 + 0.05 * slope.abs(), "{place}: {slope} {blame}");
        }
    }
}
