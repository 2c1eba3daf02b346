//! Connect Four: exact results.

use lianzi_core::{Position, Rules};
use lianzi_engine::workshop::connect4::{ConnectFour, win_in};
use lianzi_engine::{Limits, Stop};

use crate::puzzle::Turn;

/// How many bytes the solver's table may take, and how many positions a question may look at: puzzles have few free
/// cells, but a stranger's line may be of any position.
const TABLE: usize = 16 << 20;
const NODES: u64 = 8_000_000;

pub struct Four(ConnectFour);

impl Four {
    pub fn new(rules: &Rules) -> Option<Four> {
        ConnectFour::new(rules, TABLE).ok().map(Four)
    }

    fn score(&mut self, position: &Position) -> Option<i32> {
        self.0.score(position, &limits(), &Stop::default()).exact()
    }

    fn scores(&mut self, position: &Position) -> Vec<(Turn, Option<i32>)> {
        let choices = self.0.scores(position, &limits(), &Stop::default(), &mut |_, _| {});
        choices.into_iter().map(|choice| (vec![choice.cell], choice.known.exact())).collect()
    }

    pub fn turns(&mut self, position: &Position, most: u8) -> Option<u8> {
        let turns = own_turns(self.score(position)?, position.free())?;
        (turns <= most).then_some(turns)
    }

    pub fn first_turns(&mut self, position: &Position, most: u8) -> Vec<(Turn, u8)> {
        let turns = |score: Option<i32>| own_turns(score?, position.free()).filter(|&turns| turns <= most);
        self.scores(position).into_iter().filter_map(|(turn, score)| Some((turn, turns(score)?))).collect()
    }

    pub fn turns_after(&mut self, position: &Position, most: u8) -> Option<u8> {
        let turns = other_turns(self.score(position)?, position.free())?;
        (turns <= most).then_some(turns)
    }

    pub fn defences(&mut self, position: &Position) -> Vec<(Turn, u8)> {
        let turns = |score: Option<i32>| score.and_then(|score| other_turns(score, position.free()));
        self.scores(position).into_iter().map(|(turn, score)| (turn, turns(score).unwrap_or(u8::MAX))).collect()
    }

    pub fn holds(&mut self, position: &Position) -> bool {
        self.score(position).is_some_and(|score| score <= 0)
    }
}

fn limits() -> Limits {
    Limits { nodes: Some(NODES), ..Limits::default() }
}

/// In how many turns the side to move wins with this score.
fn own_turns(score: i32, free: usize) -> Option<u8> {
    (score > 0).then(|| (win_in(score, free) + 1) as u8 / 2)
}

/// In how many turns the other side does.
fn other_turns(score: i32, free: usize) -> Option<u8> {
    (score < 0).then(|| -win_in(score, free) as u8 / 2)
}
