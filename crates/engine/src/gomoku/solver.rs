//! `solve` for five in a row: wins by force, proven and replayed against every defence, or nothing.

use std::sync::Arc;

use lianzi_core::{Position, Rules};

use super::board::GomokuBoard;
use super::guided::Guided;
use super::knowledge::Knowledge;
use super::prover::{Means, prove};
use super::spot::{Spot, cell};
use super::verify::wins;
use super::zones::holds;
use crate::solve::{Solution, Solved, Solver};
use crate::time::{Budget, Pace};
use crate::{Limits, Stop};

/// The first try at a proof; each further one may look at four times as much.
const FIRST: u64 = 10_000;
/// How many nodes long wins get where nobody sets a limit: a search for those never ends by itself.
const LONG: u64 = 2_000_000;
/// What part of a limit they get while the other means may still do.
const SHARE: f64 = 0.8;
/// With fewer stones on the board nobody has a long win that a search sees.
const STONES: usize = 6;

/// Finds wins by continuous fours, by fours and threes, by these and quiet stones that lead to a double threat, and
/// long ones that the search sees and that can be proven.
pub(crate) struct Forced {
    knowledge: Arc<Knowledge>,
}

impl Forced {
    /// A solver of a game that the board plays.
    pub(crate) fn new(rules: &Rules) -> Forced {
        Forced { knowledge: Arc::new(Knowledge::new(rules)) }
    }
}

impl Solver for Forced {
    fn solve(&mut self, position: &Position, limits: &Limits, stop: &Stop) -> Solution {
        if let Some(outcome) = position.outcome() {
            return Solution::over(outcome, position.to_move());
        }
        // Without a limit it goes on until it is certain.
        let depth = limits.depth.or(Some(u32::MAX));
        let time = Budget::new(&Pace::STEPS, position, &Limits { depth, ..limits.clone() }, stop);
        let free = *limits == Limits { depth: limits.depth, lines: limits.lines, ..Limits::default() };
        let long = if free && stop.cpu().is_none() { LONG } else { u64::MAX };
        let open = vec![Means::Fours, Means::Threes, Means::Quiet];
        let board = GomokuBoard::new(position, &self.knowledge);
        let mut work = Work { position, board, time: &time, nodes: 0, open, looked: false };
        let line = work.round(FIRST).or_else(|| work.long(long)).or_else(|| work.rounds());
        let exhausted = line.is_none() && work.open.is_empty() && !work.looked;
        let result = if line.is_some() { Solved::Win } else { Solved::Unknown };
        let line = line.unwrap_or_default().into_iter().map(cell).collect();
        Solution { result, line, nodes: work.nodes, exhausted, ..Solution::default() }
    }
}

/// The work on one position.
struct Work<'a> {
    position: &'a Position,
    board: GomokuBoard,
    time: &'a Budget<'a>,
    nodes: u64,
    /// Means that may still do.
    open: Vec<Means>,
    /// Whether long wins were looked for, which more time may still show.
    looked: bool,
}

impl Work<'_> {
    fn is_over(&self) -> bool {
        self.nodes >= self.time.nodes || self.time.is_over()
    }

    /// Tries all means that may do, with so many nodes each; gives the line of a win.
    fn round(&mut self, limit: u64) -> Option<Vec<Spot>> {
        for means in self.open.clone() {
            let limit = limit.min(self.time.nodes.saturating_sub(self.nodes));
            let attempt = prove(&self.board, means, limit, Some(self.time));
            self.nodes += attempt.nodes;
            if let Some(proof) = attempt.proof.filter(|proof| wins(self.position, &self.board, proof)) {
                return Some(proof.line);
            }
            if attempt.refuted {
                self.open.retain(|&other| other != means);
            }
        }
        None
    }

    /// The same with more and more nodes.
    fn rounds(&mut self) -> Option<Vec<Spot>> {
        let mut limit = FIRST;
        while !self.open.is_empty() && !self.is_over() {
            limit = limit.saturating_mul(4);
            if let Some(line) = self.round(limit) {
                return Some(line);
            }
        }
        None
    }

    /// Looks for a long win with at most so many nodes.
    fn long(&mut self, most: u64) -> Option<Vec<Spot>> {
        let stones = self.position.rules().capacity() - self.position.free();
        if stones < STONES || self.is_over() {
            return None;
        }
        let rest = self.time.after(self.nodes).at_most(most);
        let time = if self.open.is_empty() { rest } else { rest.share(SHARE) };
        let mut guided = Guided::new(self.position, &self.board, &time)?;
        self.looked = true;
        let proof = guided.solve();
        self.nodes += guided.nodes();
        // What was shown on the way is shown once more, from the beginning.
        proof.filter(|proof| holds(self.position, proof)).map(|proof| proof.line)
    }
}
