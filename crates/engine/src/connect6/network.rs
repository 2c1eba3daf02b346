//! The network of Connect6: what it is like, what it has seen of a board, and how it is taught.

use std::sync::Arc;

use lianzi_core::Rules;

use super::board::EMPTY;
use super::fit::{Taught, parts};
use super::pattern::Star;
use super::shape::Shape;
use super::weights::{CODES, SCALE, Weights};
use crate::network::train::{self, Epoch, Sample, Subject, tally};
use crate::network::{CHANNELS, Form, Network, Pool};
use crate::training::file::Lessons;
use crate::training::logistic::Plan;

/// What the network is like.
pub static FORM: Form = Form {
    magic: *b"LZN6",
    rules: Rules::connect6(19),
    codes: CODES,
    points: SCALE,
    #[cfg(not(target_family = "wasm"))]
    file: include_bytes!("../../data/connect6.network"),
};

/// What a network has seen of a board with the eyes of a side. Most positions are left before anybody asks what they are
/// worth, so it looks only when asked, and then only at what is not as it was the last time.
#[derive(Clone)]
pub(super) struct Eye {
    side: usize,
    marks: Vec<u8>,
    stars: [Vec<Star>; 2],
    pool: Pool,
}

impl Eye {
    /// One that has seen no empty cell of so many.
    pub(super) fn new(side: usize, cells: usize) -> Eye {
        Eye { side, marks: vec![!EMPTY; cells], stars: [vec![0; cells], vec![0; cells]], pool: [0; CHANNELS] }
    }

    /// Looks at the board as it is now; the sums over its empty cells.
    pub(super) fn look(&mut self, network: &Network, shape: &Shape, marks: &[u8], stars: &[Vec<Star>; 2]) -> &Pool {
        let whole = shape.cells / AT_ONCE;
        for part in 0..whole {
            let [seen, now] = [several(part, &self.marks, &self.stars), several(part, marks, stars)];
            if seen == now {
                continue;
            }
            for n in 0..AT_ONCE {
                if seen.0[n] != now.0[n] || seen.1[n] != now.1[n] || seen.2[n] != now.2[n] {
                    self.look_at(part * AT_ONCE + n, network, shape, marks, stars);
                }
            }
        }
        (whole * AT_ONCE..shape.cells).for_each(|place| self.look_at(place, network, shape, marks, stars));
        &self.pool
    }

    #[inline(always)]
    fn look_at(&mut self, place: usize, network: &Network, shape: &Shape, marks: &[u8], stars: &[Vec<Star>; 2]) {
        let before = [self.stars[0][place], self.stars[1][place]];
        let now = [stars[0][place], stars[1][place]];
        let codes = |stars: [Star; 2]| stars.map(|star| shape.worths.code(star));
        match [self.marks[place], marks[place]].map(|mark| mark == EMPTY) {
            [true, true] if before == now => {}
            [true, true] => network.exchange(&mut self.pool, self.side, codes(before), codes(now)),
            [true, false] => network.remove(&mut self.pool, self.side, codes(before)),
            [false, true] => network.include(&mut self.pool, self.side, codes(now)),
            [false, false] => {}
        }
        (self.marks[place], [self.stars[0][place], self.stars[1][place]]) = (marks[place], now);
    }
}

/// Few cells change: a look at so many at once spares most of the work.
const AT_ONCE: usize = 16;

type Several = ([u8; AT_ONCE], [Star; AT_ONCE], [Star; AT_ONCE]);

/// The marks and both sides' stars of a part of the cells.
#[inline(always)]
fn several(part: usize, marks: &[u8], [black, white]: &[Vec<Star>; 2]) -> Several {
    (marks.as_chunks().0[part], black.as_chunks().0[part], white.as_chunks().0[part])
}

/// Teaches a network that corrects the built-in weights, from another one or from nothing.
pub fn train(lessons: &Lessons, from: Option<&Network>, plan: &Plan, report: &mut dyn FnMut(usize, &Epoch)) -> Network {
    let shape = Arc::new(Shape::with(&lessons.rules, &Weights::built_in()));
    let sample = |position: &_, note: &_, lesson: &_| {
        let Taught { mut board, needed, target } = Taught::by(&shape, plan, position, note, lesson)?;
        let sides = [board.turn, board.turn ^ 1];
        let codes = |place| sides.map(|side| shape.worths.code(board.stars(side)[usize::from(place)]));
        let cells = tally(board.empty().map(codes));
        let (mask, free) = (needed.min(1).into(), board.free as u16);
        Some(Sample { cells, mask, free, fitted: board.evaluate(needed), target })
    };
    train::train(&Subject { form: &FORM, from, parts: parts(), sample: &sample }, lessons, plan, report)
}
