//! What games begin with: files of openings, and random openings that are fair to both sides.
//!
//! A file holds one opening a line in any of the usual notations, and every opening is replayed by the referee
//! when it is read: whoever holds a list may set it up without asking again. An opening ends where a turn ends,
//! since most protocols cannot say that half a turn has been played.

mod balance;
mod read;

use lianzi_core::{Cell, Position, Rules, mix};

pub use balance::balanced;
pub use read::{BadOpening, Mistake, read_openings};

use super::Openings;

impl Openings {
    /// The opening with this index on this board: the same for the same seed, and always one that can be played.
    ///
    /// # Panics
    /// If the rules make no game (`Rules::check`).
    pub fn opening(&self, rules: &Rules, seed: u64, index: usize) -> Vec<Cell> {
        match self {
            Openings::None => Vec::new(),
            Openings::Balanced => balanced(rules, mix(seed ^ mix(index as u64 + 1))),
            Openings::List(list) => match index.checked_rem(list.len()) {
                Some(index) => playable_part(&list[index], rules),
                None => Vec::new(),
            },
        }
    }
}

/// As much of the opening as can be played: the course's boards differ, and what one allows another may block.
fn playable_part(opening: &[Cell], rules: &Rules) -> Vec<Cell> {
    let mut position = Position::new(*rules);
    for &cell in opening {
        if position.play(cell).is_err() {
            break;
        }
    }
    while position.outcome().is_some() || position.mid_turn() {
        if position.undo().is_none() {
            break;
        }
    }
    cells_of(&position)
}

fn cells_of(position: &Position) -> Vec<Cell> {
    position.plies().iter().map(|ply| ply.cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn cells(text: &str) -> Vec<Cell> {
        text.split_whitespace().map(|name| name.parse().unwrap()).collect()
    }

    fn rules(game: &str) -> Rules {
        game.parse().unwrap()
    }

    #[test]
    fn no_openings_and_lists_are_what_they_say() {
        let gomoku = rules("gomoku");
        assert!(Openings::None.opening(&gomoku, 7, 3).is_empty());
        assert!(Openings::List(vec![]).opening(&gomoku, 7, 3).is_empty());
        let list = Openings::List(vec![cells("h8 i9 j7"), cells("a1 b2")]);
        assert_eq!(list.opening(&gomoku, 7, 0), cells("h8 i9 j7"));
        assert_eq!(list.opening(&gomoku, 8, 5), cells("a1 b2"));
        assert_eq!(list.opening(&gomoku, 8, usize::MAX), cells("a1 b2"));
    }

    #[test]
    fn a_listed_opening_shrinks_to_what_a_drawn_board_allows() {
        let part = |game: &str, opening: &str| Openings::List(vec![cells(opening)]).opening(&rules(game), 0, 0);
        assert_eq!(part("connect4:9x9/a3", "a1 a2 a3 b1"), cells("a1 a2"));
        assert_eq!(part("connect4:9x9/a3", "a1 a2 a4 b1"), cells("a1 a2 a4 b1"));
        assert_eq!(part("connect4:9x9/a1", "a1 a2"), []);
        // It would be won already, so the winning stone goes.
        assert_eq!(part("connect4", "a1 b1 a2 b2 a3 b3 a4"), cells("a1 b1 a2 b2 a3 b3"));
        // Half a turn goes too, and nothing is left where nothing can be played.
        assert_eq!(part("connect6", "j10 a1 a1"), cells("j10"));
        assert_eq!(part("connect:1,1,1,1,1/a1", "a1"), []);
        assert_eq!(part("connect:1,1,1,1,1", "a1"), []);
    }

    #[test]
    fn balanced_openings_follow_seed_and_index() {
        let gomoku = rules("gomoku");
        let opening = |seed, index| Openings::Balanced.opening(&gomoku, seed, index);
        assert_eq!(opening(7, 3), opening(7, 3));
        let drawn: HashSet<Vec<Cell>> = (0..4).flat_map(|seed| (0..4).map(move |index| opening(seed, index))).collect();
        assert_eq!(drawn.len(), 16);
    }
}
