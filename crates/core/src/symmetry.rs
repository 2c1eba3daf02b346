//! Positions that are the same but for how the board lies.

use crate::{Cell, CellSet, Placement, Rules, Stone};

/// The same cells for all openings that lead to the same position up to a symmetry of the board: to find doubles
/// with, not to be played, because the stones of each side are sorted.
pub fn canonical(opening: &[Cell], rules: &Rules) -> Vec<Cell> {
    let images = symmetries(rules).into_iter().map(|symmetry| seen_through(symmetry, opening, rules));
    images.min().unwrap_or_default()
}

/// The opening seen through a symmetry, the stones of each side in the order of their cells.
pub fn seen_through(symmetry: Symmetry, opening: &[Cell], rules: &Rules) -> Vec<Cell> {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    swap: bool,
    mirror_columns: bool,
    mirror_rows: bool,
}

impl Symmetry {
    /// Where a cell comes to lie.
    pub fn image(self, cell: Cell, rules: &Rules) -> Cell {
        let (column, row) = if self.swap { (cell.row, cell.column) } else { (cell.column, cell.row) };
        let mirror = |n: u8, side: u8, mirrored| if mirrored { (side - 1).saturating_sub(n) } else { n };
        Cell::new(mirror(column, rules.width, self.mirror_columns), mirror(row, rules.height, self.mirror_rows))
    }

    /// The way back.
    pub fn inverse(self) -> Symmetry {
        let [mirror_columns, mirror_rows] = match self.swap {
            true => [self.mirror_rows, self.mirror_columns],
            false => [self.mirror_columns, self.mirror_rows],
        };
        Symmetry { mirror_columns, mirror_rows, ..self }
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
pub fn symmetries(rules: &Rules) -> Vec<Symmetry> {
    let all = (0..8u8).map(|n| Symmetry { swap: n & 1 != 0, mirror_columns: n & 2 != 0, mirror_rows: n & 4 != 0 });
    all.filter(|symmetry| symmetry.keeps(rules)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn every_image_finds_its_way_back() {
        for game in ["gomoku", "connect:15,9,5,1,1", "connect4"] {
            let rules = rules(game);
            for symmetry in symmetries(&rules) {
                let back = |cell| symmetry.inverse().image(symmetry.image(cell, &rules), &rules);
                assert!(rules.cells().all(|cell| back(cell) == cell), "{symmetry:?}");
            }
        }
    }
}
