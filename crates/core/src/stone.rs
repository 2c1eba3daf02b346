//! The two sides.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::{Language, Speak, Text};

/// A side, and a stone of that side. Black places the first stone of every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Stone {
    /// The side that begins.
    Black,
    /// The side that answers.
    White,
}

impl Stone {
    /// Both sides, Black first.
    pub const BOTH: [Stone; 2] = [Stone::Black, Stone::White];

    /// The opponent.
    pub const fn other(self) -> Stone {
        match self {
            Stone::Black => Stone::White,
            Stone::White => Stone::Black,
        }
    }

    /// 0 for Black, 1 for White: for tables with an entry per side.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What people call this side.
    pub const fn words(self, language: Language) -> &'static str {
        match self {
            Stone::Black => language.pick("Black", "黑方"),
            Stone::White => language.pick("White", "白方"),
        }
    }
}

impl Speak for Stone {
    fn text(&self) -> Text {
        Text::fixed((*self).words(Language::English), (*self).words(Language::Chinese))
    }
}

impl std::fmt::Display for Stone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stone::Black => "black",
            Stone::White => "white",
        })
    }
}
