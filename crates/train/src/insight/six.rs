//! Connect6: wins by double threats.

use lianzi_core::{Position, Rules};
use lianzi_engine::solve::{Solved, Solver};
use lianzi_engine::workshop::connect6::Threats;
use lianzi_engine::{Limits, Stop};

use crate::puzzle::Turn;

/// How many positions a question may look at.
const NODES: u64 = 3_000;
/// How long a win is taken for that is proven by any means.
const LONG: u8 = 6;

pub struct Six(Threats);

impl Six {
    pub fn new(rules: &Rules) -> Option<Six> {
        Threats::new(rules).ok().map(Six)
    }

    pub fn turns(&self, position: &Position, most: u8) -> Option<u8> {
        self.0.turns(position, most.into(), NODES).map(|turns| turns as u8)
    }

    pub fn first_turns(&self, position: &Position, most: u8) -> Vec<(Turn, u8)> {
        let found = self.0.first_turns(position, most.into(), NODES);
        found.into_iter().map(|(turn, turns)| (turn.to_vec(), turns as u8)).collect()
    }

    pub fn turns_after(&self, position: &Position, most: u8) -> Option<u8> {
        self.0.turns_after(position, most.into(), NODES).map(|turns| turns as u8)
    }

    pub fn defences(&self, position: &Position, most: u8) -> Vec<(Turn, u8)> {
        let found = self.0.answers(position, most.into(), NODES);
        found.into_iter().map(|(turn, turns)| (turn.to_vec(), turns.min(u8::MAX.into()) as u8)).collect()
    }

    /// A win by whatever threats; its length is not known.
    pub fn proven_after(&mut self, position: &Position) -> Option<u8> {
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let found = self.0.solve(position, &limits, &Stop::default());
        (found.result == Solved::Loss).then_some(LONG)
    }
}
