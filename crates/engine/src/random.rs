//! `random`: any legal move is as good as another.

use lianzi_core::{Cell, Position, Random};

use crate::{Best, Engine, Info, Limits, Report, Stop};

/// Plays uniformly random legal stones.
#[derive(Clone, Debug)]
pub struct Uniform {
    random: Random,
}

impl Uniform {
    /// A player that draws from this seed.
    pub fn new(seed: u64) -> Uniform {
        Uniform { random: Random::new(seed) }
    }
}

impl Engine for Uniform {
    fn begin(&mut self, seed: u64) {
        self.random = Random::new(seed);
    }

    fn search(&mut self, position: &Position, _: &Limits, _: &Stop, _: Report<'_>) -> Best {
        let turn = fill_turn(position, |position| {
            let legal: Vec<Cell> = position.legal().collect();
            *self.random.choose(&legal).expect("a game that is not over has a legal cell")
        });
        Best { turn, info: Info { nodes: 1, ..Info::default() } }
    }
}

/// Builds a turn stone by stone until it is complete or the game is over.
pub(crate) fn fill_turn(position: &Position, mut choose: impl FnMut(&Position) -> Cell) -> Vec<Cell> {
    let mut after = position.clone();
    let mut turn = Vec::new();
    for _ in 0..position.stones_left() {
        let cell = choose(&after);
        after.play(cell).expect("engines choose legal cells");
        turn.push(cell);
        if after.outcome().is_some() {
            break;
        }
    }
    turn
}
