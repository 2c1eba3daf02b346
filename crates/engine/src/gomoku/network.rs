//! The network of Gomoku: what it is like, and how it is taught.

use std::sync::Arc;

use lianzi_core::{Position, Rules};

use super::board::GomokuBoard;
use super::fit::{is_urgent, parts};
use super::kind::{CODES, code};
use super::knowledge::Knowledge;
use super::moves::has_double;
use super::weights::{SCALE, Weights};
use crate::network::train::{self, Epoch, Sample, Subject, tally};
use crate::network::{Form, Network};
use crate::training::file::Lessons;
use crate::training::logistic::{Plan, sigmoid};
use crate::training::{Lesson, Note};

/// What the network is like.
pub static FORM: Form = Form {
    magic: *b"LZN1",
    rules: Rules::gomoku(15),
    codes: CODES,
    points: SCALE as f32,
    #[cfg(not(target_family = "wasm"))]
    file: include_bytes!("../../data/gomoku/free.network"),
};

/// Positions this near to equal count even if a short search thought otherwise.
const OPEN: i32 = 800;

/// Teaches a network that corrects the built-in weights.
pub fn train(lessons: &Lessons, plan: &Plan, report: &mut dyn FnMut(usize, &Epoch)) -> Network {
    let knowledge = Arc::new(Knowledge::with(&lessons.rules, &Weights::of(&lessons.rules)));
    let sample = |position: &_, note: &_, lesson: &_| sample(position, note, lesson, plan, &knowledge);
    train::train(&Subject { form: &FORM, parts: parts(&lessons.rules), sample: &sample }, lessons, plan, report)
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
    let codes = |spot| [own, own.other()].map(|stone| code(board.shapes(spot, stone)) as u16);
    Some(Sample {
        cells: tally(board.empty_spots().map(codes)),
        mask: board.mask() as u16,
        free: board.free() as u16,
        fitted: board.evaluate(),
        target: lesson.target(own, opinion, plan.trust),
    })
}
