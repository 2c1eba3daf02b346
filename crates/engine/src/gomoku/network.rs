//! The networks of Gomoku, exactly five and renju: what they are like, and how they are taught.

use std::sync::Arc;

use lianzi_core::{Forbidden, Overline, Position, Rules};

use super::board::GomokuBoard;
use super::fit::{is_urgent, parts};
use super::kind::CODES;
use super::knowledge::Knowledge;
use super::moves::has_double;
use super::weights::{SCALE, Weights};
use crate::network::train::{self, Epoch, Sample, Subject, tally};
use crate::network::{Form, Network};
use crate::training::file::Lessons;
use crate::training::logistic::{Plan, sigmoid};
use crate::training::{Lesson, Note};

/// What the network of free style is like.
pub static FREE: Form = Form {
    magic: *b"LZN1",
    rules: Rules::gomoku(15),
    codes: CODES,
    points: SCALE as f32,
    #[cfg(not(target_family = "wasm"))]
    file: include_bytes!("../../data/gomoku/free.network"),
};

/// That of exactly five.
pub static STANDARD: Form = Form {
    magic: *b"LZNS",
    rules: Rules::standard(15),
    codes: CODES,
    points: SCALE as f32,
    #[cfg(not(target_family = "wasm"))]
    file: include_bytes!("../../data/gomoku/standard.network"),
};

/// That of renju, where Black and White have codes of their own.
pub static RENJU: Form = Form {
    magic: *b"LZNR",
    rules: Rules::renju(15),
    codes: 2 * CODES,
    points: SCALE as f32,
    #[cfg(not(target_family = "wasm"))]
    file: include_bytes!("../../data/gomoku/renju.network"),
};

/// What a network for these rules is like, on a board of any size.
pub fn form(rules: &Rules) -> &'static Form {
    match (rules.forbidden, rules.overline) {
        (Forbidden::Renju, _) => &RENJU,
        (_, Overline::Ignored) => &STANDARD,
        _ => &FREE,
    }
}

/// Positions this near to equal count even if a short search thought otherwise.
const OPEN: i32 = 800;

/// Teaches a network that corrects the built-in weights, from another one or from nothing.
pub fn train(lessons: &Lessons, from: Option<&Network>, plan: &Plan, report: &mut dyn FnMut(usize, &Epoch)) -> Network {
    let knowledge = Arc::new(Knowledge::with(&lessons.rules, &Weights::of(&lessons.rules)));
    let sample = |position: &_, note: &_, lesson: &_| sample(position, note, lesson, plan, &knowledge);
    let subject = Subject { form: form(&lessons.rules), from, parts: parts(&lessons.rules), sample: &sample };
    train::train(&subject, lessons, plan, report)
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
    let codes = |spot| [own, own.other()].map(|stone| board.code(spot, stone));
    Some(Sample {
        cells: tally(board.empty_spots().map(codes)),
        mask: board.mask() as u16,
        free: board.free() as u16,
        fitted: board.evaluate(),
        target: lesson.target(own, opinion, plan.trust),
    })
}
