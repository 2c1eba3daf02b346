//! Where a line is lost sight of: what the search does with each of its stones, step by step.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use lianzi_core::{Cell, Position};

use super::board::GomokuBoard;
use super::history::History;
use super::knowledge::Knowledge;
use super::margins::Margins;
use super::player::root_moves;
use super::search::{DEEPEST, PLY, Shared, Worker};
use super::spot::{Spot, spot};
use super::standing::SURE;
use crate::table::SharedTable;
use crate::time::{Budget, Pace};
use crate::{Limits, Stop};

/// What became of the next stone of the line in a position of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The depth was used up: only fours were tried.
    Leaf,
    /// The position was known well enough.
    Known,
    /// It looked hopeless.
    Hopeless,
    /// It looked much too good.
    TooGood,
    /// It was good enough after a pass.
    Pass,
    /// Another cell was good enough before.
    Other(Cell),
    /// Enough cells had been tried.
    TooMany,
    /// The cell looked hopeless.
    LeftOut,
    /// Somebody threatens, and the cell is no answer to it.
    NoAnswer,
    /// It was tried as this one, and looked at so deep, in hundredths of a ply.
    Tried(i32, i32),
}

/// What became of a stone in one step; where it was met more often, the deepest time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which stone of the line.
    pub ply: usize,
    /// How deep its position was looked at, in hundredths of a ply.
    pub depth: i32,
    /// What became of it.
    pub event: Event,
}

/// One step of the deepening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// How deep it was.
    pub depth: i32,
    /// Nodes until its end.
    pub nodes: u64,
    /// Its score.
    pub score: i32,
    /// What became of the line, stone by stone, until it is lost sight of.
    pub notes: Vec<Note>,
}

/// Follows a line through a search.
#[derive(Default)]
pub(super) struct Trace {
    line: Vec<Spot>,
    notes: Vec<Option<Note>>,
}

impl Trace {
    /// The next stone of the line, where the stones since the root are its beginning.
    pub(super) fn next(&self, board: &GomokuBoard, ply: usize) -> Option<Spot> {
        let next = *self.line.get(ply)?;
        (0..ply).all(|n| board.before(ply - 1 - n) == Some(self.line[n])).then_some(next)
    }

    /// Notes what became of it.
    pub(super) fn add(&mut self, note: Note) {
        let old = &mut self.notes[note.ply];
        if old.is_none_or(|old| note.depth >= old.depth) {
            *old = Some(note);
        }
    }
}

/// Searches a position and tells, step by step, what becomes of a line that begins there.
pub fn follow(position: &Position, line: &[Cell], nodes: u64, margins: Margins) -> Vec<Step> {
    let (stop, done, count) = (Stop::default(), AtomicBool::new(false), AtomicU64::new(0));
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let time = Budget::new(&Pace::STEPS, position, &limits, &stop);
    let board = GomokuBoard::new(position, &Arc::new(Knowledge::new(position.rules())));
    let table = SharedTable::new(16);
    let shared = Shared { table: &table, time: &time, done: &done, nodes: &count, margins };
    let mut history = History::default();
    let roots = root_moves(position, &board);
    let mut worker = Worker::new(board, &shared, &mut history);
    worker.roots = roots;
    let line: Vec<Spot> = line.iter().copied().map(spot).collect();
    let mut steps = Vec::new();
    for depth in 1..DEEPEST as i32 - 8 {
        worker.trace = Some(Box::new(Trace { notes: vec![None; line.len()], line: line.clone() }));
        let expected = worker.roots.first().map(|root| root.score).filter(|score| depth > 1 && score.abs() < SURE);
        let score = worker.deepen(depth, expected);
        let notes = worker.trace.take().map_or_else(Vec::new, |trace| trace.notes);
        let notes = notes.into_iter().map_while(|note| note).collect();
        steps.push(Step { depth, nodes: worker.nodes(), score, notes });
        if worker.is_stopped() || score >= SURE {
            break;
        }
    }
    steps
}

impl Worker<'_> {
    /// The next stone of the line that is followed, if one is and the position is on it.
    #[inline(always)]
    pub(super) fn followed(&self) -> Option<Spot> {
        self.trace.as_ref().and_then(|trace| trace.next(&self.board, self.ply))
    }

    /// Notes what becomes of the line in this position.
    #[cold]
    pub(super) fn tell(&mut self, depth: i32, event: Event) {
        if self.followed().is_some()
            && let Some(trace) = &mut self.trace
        {
            trace.add(Note { ply: self.ply, depth: depth.min(PLY * DEEPEST as i32), event });
        }
    }
}
