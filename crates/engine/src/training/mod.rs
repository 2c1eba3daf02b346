//! Games that engines play against themselves, to learn from: how they are played, and the file they are kept in.
//!
//! [`selfplay`] plays one game from a balanced opening and notes what the search thought of every position; each game
//! depends on its number alone, so a run can be stopped, continued and spread over threads. [`mod@file`] keeps games in a
//! few bytes a stone. What is learnt from them is each game's own business.

pub(crate) mod adam;
pub mod file;
pub mod logistic;
pub mod selfplay;

use lianzi_core::{Cell, Position, Rules, Stone};

/// A game with what was thought of its positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lesson {
    /// How many stones were given.
    pub opening: usize,
    /// All stones.
    pub plies: Vec<Note>,
    /// Who won; nobody in a draw.
    pub winner: Option<Stone>,
    /// Whether it was broken off: then who won says nothing, only what the search thought does.
    pub broken_off: bool,
}

/// A stone and what the search thought before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where the stone was put.
    pub cell: Cell,
    /// What the position before it was worth to the side to move, where that was asked.
    pub score: Option<i16>,
    /// Whether a short and a long search agreed: nothing was about to happen.
    pub quiet: bool,
}

impl Lesson {
    /// Calls `visit` with each position after the opening, and the note of the stone that follows.
    pub fn walk(&self, rules: Rules, mut visit: impl FnMut(&Position, &Note)) {
        let mut position = Position::new(rules);
        for (n, note) in self.plies.iter().enumerate() {
            if n >= self.opening {
                visit(&position, note);
            }
            if position.play(note.cell).is_err() {
                return;
            }
        }
    }

    /// The result for a side: 1, ½ or 0.
    fn result(&self, stone: Stone) -> f32 {
        match self.winner {
            None => 0.5,
            Some(winner) => f32::from(u8::from(winner == stone)),
        }
    }

    /// What a position is to be taken for: partly what came of it, partly the chance that the search gave it.
    pub fn target(&self, stone: Stone, opinion: f32, trust: f32) -> f32 {
        if self.broken_off { opinion } else { trust * self.result(stone) + (1.0 - trust) * opinion }
    }
}
