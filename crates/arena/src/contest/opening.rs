//! What games begin with: files of openings, and random openings that are fair to both sides.
//!
//! A file holds one opening a line in any of the usual notations, and every opening is replayed by the referee
//! when it is read: whoever holds a list may set it up without asking again. An opening ends where a turn ends,
//! since most protocols cannot say that half a turn has been played.

mod balance;
mod read;

use lianzi_core::{Cell, CellSet, Placement, Position, Rules, Stone, mix};

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

/// The same cells for all openings that lead to the same position up to a symmetry of the board: to find doubles
/// with, not to be played, because the stones of each side are sorted.
pub fn canonical(opening: &[Cell], rules: &Rules) -> Vec<Cell> {
    let images = symmetries(rules).into_iter().map(|symmetry| sorted(opening, rules, symmetry));
    images.min().unwrap_or_default()
}

/// The opening seen through a symmetry, the stones of each side in the order of their cells.
fn sorted(opening: &[Cell], rules: &Rules, symmetry: Symmetry) -> Vec<Cell> {
    let side_at = |n| rules.turn_at(n).0;
    let [mut black, mut white] = Stone::BOTH.map(|side| {
        let stones = opening.iter().enumerate().filter(|&(n, _)| side_at(n) == side);
        let mut cells: Vec<Cell> = stones.map(|(_, &cell)| symmetry.image(cell, rules)).collect();
        cells.sort_unstable();
        cells.into_iter()
    });
    let next = |n| if side_at(n) == Stone::Black { black.next() } else { white.next() };
    (0..opening.len()).filter_map(next).collect()
}

/// A way to lay the board onto itself: first swap columns and rows, then mirror either.
#[derive(Clone, Copy)]
struct Symmetry {
    swap: bool,
    mirror_columns: bool,
    mirror_rows: bool,
}

impl Symmetry {
    fn image(self, cell: Cell, rules: &Rules) -> Cell {
        let (column, row) = if self.swap { (cell.row, cell.column) } else { (cell.column, cell.row) };
        let mirror = |n: u8, side: u8, mirrored| if mirrored { (side - 1).saturating_sub(n) } else { n };
        Cell::new(
            mirror(column, rules.width, self.mirror_columns),
            mirror(row, rules.height, self.mirror_rows),
        )
    }

    /// Whether the game is the same seen this way.
    fn keeps(self, rules: &Rules) -> bool {
        let fits = !self.swap || rules.width == rules.height;
        let upright = rules.placement == Placement::Anywhere || !(self.swap || self.mirror_rows);
        let blocked = || rules.blocked.iter().map(|cell| self.image(cell, rules)).collect::<CellSet>();
        fits && upright && blocked() == rules.blocked
    }
}

/// The symmetries of the game: up to eight, two where stones drop, fewer when blocked cells spoil them.
fn symmetries(rules: &Rules) -> Vec<Symmetry> {
    let all =
        (0..8u8).map(|n| Symmetry { swap: n & 1 != 0, mirror_columns: n & 2 != 0, mirror_rows: n & 4 != 0 });
    all.filter(|symmetry| symmetry.keeps(rules)).collect()
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
    fn boards_have_the_symmetries_they_should() {
        let count = |game: &str| symmetries(&rules(game)).len();
        assert_eq!(count("gomoku"), 8);
        assert_eq!(count("connect:15,9,5,1,1"), 4);
        assert_eq!(count("connect4"), 2);
        assert_eq!(count("connect4:9x9"), 2);
        assert_eq!(count("connect4:9x9/a1"), 1);
        assert_eq!(count("connect4:9x9/e3"), 2);
        assert_eq!(count("gomoku/h8"), 8);
        assert_eq!(count("gomoku/a1"), 2);
        assert_eq!(count("gomoku/b1"), 1);
    }

    #[test]
    fn images_and_other_orders_are_the_same_opening() {
        let gomoku = rules("gomoku");
        let known = canonical(&cells("h8 i9 j7 g8"), &gomoku);
        // Quarter turn, mirror, and White's stones the other way round.
        for image in ["h8 g9 i10 h7", "h8 g9 f7 i8", "h8 g8 j7 i9", "j7 i9 h8 g8"] {
            assert_eq!(canonical(&cells(image), &gomoku), known, "{image}");
        }
        for other in ["i9 h8 j7 g8", "h8 i9 j7 g9", "h8 i9 j7", "g8 i9 j7 h8"] {
            assert_ne!(canonical(&cells(other), &gomoku), known, "{other}");
        }
        let connect6 = rules("connect6");
        assert_eq!(canonical(&cells("j10 i9 i11"), &connect6), canonical(&cells("j10 k11 k9"), &connect6),);
        let connect4 = rules("connect4");
        let left = canonical(&cells("a1 a2 c1"), &connect4);
        assert_eq!(left, canonical(&cells("g1 g2 e1"), &connect4));
        assert_ne!(left, canonical(&cells("a1 c1 a2"), &connect4));
    }

    #[test]
    fn cells_outside_the_board_do_no_harm() {
        canonical(&cells("ae31 a1"), &rules("gomoku:5"));
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
        let part =
            |game: &str, opening: &str| Openings::List(vec![cells(opening)]).opening(&rules(game), 0, 0);
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
        let drawn: HashSet<Vec<Cell>> =
            (0..4).flat_map(|seed| (0..4).map(move |index| opening(seed, index))).collect();
        assert_eq!(drawn.len(), 16);
    }
}
