//! Which of our engines a game belongs to: every choice by game in this crate begins here.

use lianzi_core::{CellSet, Placement, Rules};

/// Games that one engine plays, whatever their size and blocked cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Five in a row, one stone a turn, up to 22×22: Gomoku, exactly five, renju.
    Gomoku,
    /// Connect6 on a board of any size.
    Connect6,
    /// Connect Four up to 16×16.
    ConnectFour,
    /// Everything else, which players of every game play.
    Other,
}

impl Family {
    /// The family of a game.
    pub fn of(rules: &Rules) -> Family {
        let Rules { width, height, placement, .. } = *rules;
        let open = Rules { blocked: CellSet::EMPTY, ..*rules };
        let five =
            Rules { overline: rules.overline, forbidden: rules.forbidden, ..Rules::connect(width, height, 5, 1, 1) };
        let side = width.max(height);
        match placement {
            Placement::Anywhere if open == five && side <= Family::LARGEST_GOMOKU => Family::Gomoku,
            Placement::Anywhere if open == Rules::connect(width, height, 6, 2, 1) => Family::Connect6,
            Placement::Drop if open == Rules::connect4(width, height) && side <= Family::LARGEST_FOUR => {
                Family::ConnectFour
            }
            _ => Family::Other,
        }
    }

    /// The longest side of a board of five in a row: with its walls it fills the fast board's rows of 32.
    pub(crate) const LARGEST_GOMOKU: u8 = 22;

    /// The longest side of a Connect Four board: its rows are words of 16 bits.
    pub(crate) const LARGEST_FOUR: u8 = 16;

    /// How many points of the engine's evaluation change the odds of winning by e, as its weights were fitted.
    pub(crate) const fn points(self) -> i32 {
        match self {
            Family::Connect6 | Family::ConnectFour => 3000,
            Family::Gomoku | Family::Other => 200,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_told_apart() {
        for (family, games) in [
            (Family::Gomoku, "gomoku standard renju gomoku:22 gomoku:9/e5,a1 connect:5,7,5,1,1 renju:7"),
            (Family::Connect6, "connect6 connect6:9/e5 connect6:25 connect:12,8,6,2,1"),
            (Family::ConnectFour, "connect4 connect4:9x10/d4 connect4:16x16"),
            (
                Family::Other,
                "gomoku:23 connect4:17x6 connect4:4x31 connect:7,6,5,1,1,drop connect:7,6,4,1,1,drop,exact connect:5,5,4,1,1 connect:6,5,4,1,1,exact connect:5,4,4,2,1,drop connect:9,9,6,2,2",
            ),
        ] {
            for game in games.split(' ') {
                assert_eq!(Family::of(&game.parse().unwrap()), family, "{game}");
            }
        }
    }
}
