//! Proofs of long wins, in which the attacker plays quiet stones: the search that sees such a win proposes his stones,
//! and each is proven against every answer that matters, by threes and fours where those suffice.
//!
//! Where a stone of the attacker's threatens no five, an idle answer is refuted first. What that rests on is its zone
//! ([`super::zones`]): only answers within can be better, and the best of them is tried next. Each one that is refuted
//! makes the cells that are left fewer.

use std::sync::atomic::{AtomicBool, AtomicU64};

use lianzi_core::{Position, Stone};

use super::board::GomokuBoard;
use super::history::History;
use super::kind::Kind;
use super::margins::Margins;
use super::player::root_moves;
use super::prover::{Means, Proof, prove};
use super::search::{DEEPEST, Shared, Worker};
use super::spot::Spot;
use super::standing::SURE;
use super::zones::Replay;
use crate::table::SharedTable;
use crate::time::Budget;

/// MiB of the search's table.
const TABLE: usize = 16;
/// How many nodes the prover has for each position: most are won by threes and fours with far fewer.
const SHORT: u64 = 2_000;
/// One of so many parts of the nodes is kept back for the proof of what the search sees.
const KEPT: u64 = 8;
/// One of so many parts of the nodes that are left is what the search may use for a position below the first.
const SHARE: u64 = 3;
/// With fewer nodes left nothing new is begun.
const LEAST: u64 = 500;

/// A search for a proof of a long win.
pub(super) struct Guided<'a> {
    board: GomokuBoard,
    attacker: Stone,
    replay: Replay,
    table: SharedTable,
    history: History,
    time: &'a Budget<'a>,
    nodes: u64,
}

impl<'a> Guided<'a> {
    /// A search for a win of the side to move; none where zones do not hold.
    pub(super) fn new(position: &Position, board: &GomokuBoard, time: &'a Budget<'a>) -> Option<Guided<'a>> {
        let replay = Replay::new(position, Proof::default())?;
        let (table, history) = (SharedTable::new(TABLE), History::default());
        let attacker = position.to_move();
        Some(Guided { board: board.unjudged(), attacker, replay, table, history, time, nodes: 0 })
    }

    /// Positions looked at, those of the replay too.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes + self.replay.steps()
    }

    fn left(&self) -> u64 {
        if self.time.is_over() { 0 } else { self.time.nodes.saturating_sub(self.nodes()) }
    }

    /// A proof, with the line in which the defender holds out longest.
    pub(super) fn solve(&mut self) -> Option<Proof> {
        let mut depth = 1;
        while self.left() >= LEAST {
            let nodes = self.left();
            let (stone, reached) = self.ask(nodes - nodes / KEPT, depth);
            if self.holds(stone?) {
                self.replay.note(stone?);
                return self.replay.gather();
            }
            // Not so, or not to be shown: a deeper look may see another win.
            depth = reached + 1;
        }
        None
    }

    /// Whether the attacker, who is to move, is shown to win.
    fn wins(&mut self) -> bool {
        if self.left() == 0 {
            return false;
        }
        if self.replay.show().is_some() {
            return true;
        }
        let attempt = prove(&self.board, Means::Threes, self.left().min(SHORT), Some(self.time));
        self.nodes += attempt.nodes;
        if let Some(proof) = attempt.proof {
            self.replay.learn(proof);
            if self.replay.show().is_some() {
                return true;
            }
        }
        let other = self.attacker.other();
        let stone = match self.board.count(other, Kind::Five) {
            0 => self.ask(self.left() / SHARE, 1).0,
            1 => self.board.find(other, Kind::Five),
            _ => None,
        };
        stone.is_some_and(|at| {
            let won = self.holds(at);
            if won {
                self.replay.note(at);
            }
            won && self.replay.show().is_some()
        })
    }

    /// Whether the attacker wins by this stone.
    fn holds(&mut self, at: Spot) -> bool {
        self.after(at, Guided::holds_now)
    }

    fn after(&mut self, at: Spot, look: impl FnOnce(&mut Self) -> bool) -> bool {
        if !self.replay.play(at) {
            return false;
        }
        self.board.play(at);
        let seen = look(self);
        self.board.undo();
        self.replay.undo();
        seen
    }

    /// Whether every answer loses.
    fn holds_now(&mut self) -> bool {
        let (own, other) = (self.attacker, self.attacker.other());
        if self.board.count(other, Kind::Five) > 0 {
            return false;
        }
        match self.board.count(own, Kind::Five) {
            0 => self.holds_freely(),
            1 => self.board.find(own, Kind::Five).is_some_and(|only| self.after(only, Guided::wins)),
            _ => true,
        }
    }

    /// The same where the defender may play anywhere.
    fn holds_freely(&mut self) -> bool {
        let mut idle = Vec::new();
        let mut left = self.replay.empty();
        let mut next = self.replay.idlest().first().copied();
        while let Some(at) = next {
            let mut zone = None;
            self.after(at, |guided| {
                if guided.wins() {
                    zone = guided.replay.show().map(|shown| *shown.zone());
                }
                zone.is_some()
            });
            let Some(zone) = zone else { return false };
            idle.push(at);
            left.intersect(&zone);
            idle.iter().for_each(|&at| left.remove(at));
            let promise = |at: &Spot| self.board.look(*at).scores.iter().map(|&score| i32::from(score)).sum::<i32>();
            next = left.iter().max_by_key(promise);
        }
        self.replay.note_idle(idle);
        true
    }

    /// The stone by which the search sees a win, if it does, and how deep it looked.
    fn ask(&mut self, nodes: u64, from: i32) -> (Option<Spot>, i32) {
        let roots = root_moves(self.replay.position(), &self.board);
        if let [only] = roots.as_slice() {
            return (Some(only.spot), from);
        }
        let (done, count) = (AtomicBool::new(false), AtomicU64::new(0));
        let time = self.time.at_most(nodes);
        self.table.grow_older();
        self.history.fade();
        let shared =
            Shared { table: &self.table, time: &time, done: &done, nodes: &count, margins: Margins::default() };
        let mut worker = Worker::new(self.board.clone(), &shared, &mut self.history);
        worker.roots = roots;
        let (mut expected, mut depth) = (None, from);
        let seen = loop {
            expected = Some(worker.deepen(depth, expected)).filter(|score| score.abs() < SURE);
            let won = worker.roots.first().filter(|root| root.score > SURE).map(|root| root.spot);
            if won.is_some() || worker.is_stopped() || depth >= DEEPEST as i32 - 8 {
                break won;
            }
            depth += 1;
        };
        self.nodes += worker.nodes();
        (seen, depth)
    }
}
