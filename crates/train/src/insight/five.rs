//! Five in a row: wins by fours, or by fours and threes.

use std::sync::Arc;

use lianzi_core::{Position, Rules, Stone};
use lianzi_engine::workshop::gomoku::{GomokuBoard, Knowledge, Means, Shortest, loses, prove_for};

use super::waiting;
use crate::puzzle::Turn;
use crate::theme::Theme;

/// How many positions a question about fours, or about threes as well, may look at.
const FOURS: u64 = 40_000;
const THREES: u64 = 20_000;
/// How many a proof by any means may.
const PROOF: u64 = 30_000;

pub struct Five {
    knowledge: Arc<Knowledge>,
    means: Means,
    /// One search a side, made when it is first needed.
    searches: [Option<Shortest>; 2],
}

impl Five {
    pub fn new(rules: &Rules, theme: Theme) -> Five {
        Five::knowing(&Arc::new(Knowledge::new(rules)), theme)
    }

    pub fn knowing(knowledge: &Arc<Knowledge>, theme: Theme) -> Five {
        let means = if theme == Theme::Threes { Means::Threes } else { Means::Fours };
        Five { knowledge: Arc::clone(knowledge), means, searches: [None, None] }
    }

    fn search(&mut self, position: &Position, attacker: Stone) -> &mut Shortest {
        let limit = if self.means == Means::Fours { FOURS } else { THREES };
        let (knowledge, means) = (&self.knowledge, self.means);
        self.searches[attacker.index()]
            .get_or_insert_with(|| Shortest::new(position, knowledge, attacker, means, limit))
    }

    pub fn turns(&mut self, position: &Position, attacker: Stone, most: u8) -> Option<u8> {
        self.search(position, attacker).turns(position, most)
    }

    pub fn first_turns(&mut self, position: &Position, most: u8) -> Vec<(Turn, u8)> {
        let found = self.search(position, position.to_move()).first_stones(position, most);
        found.into_iter().map(|(cell, turns)| (vec![cell], turns)).collect()
    }

    pub fn defences(&mut self, position: &Position, most: u8) -> Vec<(Turn, u8)> {
        let found = self.search(position, waiting(position)).defences(position, most);
        found.into_iter().map(|(cell, turns)| (vec![cell], turns)).collect()
    }

    pub fn proven_after(&mut self, position: &Position) -> Option<u8> {
        let (board, attacker) = (GomokuBoard::new(position, &self.knowledge), waiting(position));
        [Means::Fours, Means::Threes, Means::Quiet].into_iter().find_map(|means| {
            let proof = prove_for(&board, attacker, means, PROOF, None).proof?;
            let turns = u8::try_from(proof.line.len().div_ceil(2)).ok()?;
            loses(position, &board, &proof).then_some(turns.max(1))
        })
    }

    /// Whether the side to move has no win by fours, which is certain if the search came to its end.
    pub fn holds(&mut self, position: &Position) -> bool {
        let search = self.search(position, position.to_move());
        search.turns(position, super::LONGEST).is_none() && search.is_sure()
    }
}
