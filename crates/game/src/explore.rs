//! What was played from a position: an opening explorer over any games, whichever way their boards lie.

use std::collections::BTreeMap;

use lianzi_core::opening::{NamedOpening, named_opening};
use lianzi_core::symmetry::{Symmetry, seen_through, symmetries};
use lianzi_core::{Cell, GameRecord, Outcome, Position, Rules, Stone};
use serde::Serialize;

/// How games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// How many games there are, unfinished ones too.
    pub games: usize,
    /// Black's wins.
    pub black: usize,
    /// Draws.
    pub draws: usize,
    /// White's wins.
    pub white: usize,
}

impl Results {
    fn count(&mut self, outcome: Option<Outcome>) {
        self.games += 1;
        match outcome {
            Some(Outcome::Win(Stone::Black)) => self.black += 1,
            Some(Outcome::Win(Stone::White)) => self.white += 1,
            Some(Outcome::Draw) => self.draws += 1,
            None => {}
        }
    }

    /// What Black scored in the games that have an end, from 0 to 1.
    pub fn black_score(&self) -> Option<f64> {
        let decided = (self.black + self.draws + self.white) as f64;
        (decided > 0.0).then(|| (self.black as f64 + self.draws as f64 / 2.0) / decided)
    }
}

/// A stone that was played next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Continuation {
    /// Where, as the board lies in the position that was asked about.
    pub cell: Cell,
    /// What came of it.
    #[serde(flatten)]
    pub results: Results,
}

/// What was played from a position.
pub struct Explorer {
    rules: Rules,
    cells: Vec<Cell>,
    /// The position as each of its images shows it.
    here: Vec<Cell>,
    ways: Vec<Symmetry>,
    total: Results,
    next: BTreeMap<Vec<Cell>, Continuation>,
}

impl Explorer {
    /// Looks from this position, which must have come about from an empty board.
    pub fn new(position: &Position) -> Explorer {
        let rules = *position.rules();
        let cells: Vec<Cell> = position.plies().iter().map(|ply| ply.cell).collect();
        let ways = symmetries(&rules);
        let here = ways.first().map_or_else(Vec::new, |&plain| seen_through(plain, &cells, &rules));
        Explorer { rules, cells, here, ways, total: Results::default(), next: BTreeMap::new() }
    }

    /// The rules of the games that can be taken into account.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Takes a game into account, if it came through the position; false if not.
    pub fn add(&mut self, record: &GameRecord) -> bool {
        let plies = self.cells.len();
        if record.rules != self.rules || record.setup.is_some() || record.moves.len() < plies {
            return false;
        }
        let first: Vec<Cell> = record.moves[..plies].iter().map(|played| played.cell).collect();
        let fits = |way: &&Symmetry| seen_through(**way, &first, &self.rules) == self.here;
        let Some(&way) = self.ways.iter().find(fits) else { return false };
        self.total.count(record.verdict.outcome);
        if let Some(played) = record.moves.get(plies) {
            let cell = way.image(played.cell, &self.rules);
            let key = self.key(cell);
            let found = self.next.entry(key).or_insert(Continuation { cell, results: Results::default() });
            found.results.count(record.verdict.outcome);
        }
        true
    }

    /// What a stone next is known by: in a position that is its own image several cells are the same move.
    fn key(&self, cell: Cell) -> Vec<Cell> {
        let after = [&self.cells[..], &[cell]].concat();
        self.ways.iter().map(|&way| seen_through(way, &after, &self.rules)).min().unwrap_or_default()
    }

    /// All cells at which a stone next is the same move as at this one, itself among them.
    pub fn alike(&self, cell: Cell) -> Vec<Cell> {
        let images = self.ways.iter().map(|way| way.image(cell, &self.rules));
        let mut alike: Vec<Cell> = images.filter(|&image| self.key(image) == self.key(cell)).collect();
        alike.sort_unstable();
        alike.dedup();
        alike
    }

    /// All games that came through the position.
    pub fn total(&self) -> Results {
        self.total
    }

    /// What was played next, most often first.
    pub fn continuations(&self) -> Vec<Continuation> {
        let mut found: Vec<Continuation> = self.next.values().copied().collect();
        found.sort_by_key(|one| (std::cmp::Reverse(one.results.games), one.cell));
        found
    }

    /// The named opening that the position belongs to.
    pub fn named(&self) -> Option<&'static NamedOpening> {
        named_opening(&self.cells, &self.rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::Verdict;

    fn game(moves: &str, winner: Option<Stone>) -> GameRecord {
        let position = Position::after(Rules::renju(15), moves).unwrap();
        let mut record = GameRecord::from_position(&position);
        if let Some(winner) = winner {
            record.verdict = Verdict::resigned(winner.other());
        }
        record
    }

    #[test]
    fn games_are_found_whichever_way_they_lie() {
        let here = Position::after(Rules::renju(15), "h8 h9 i9").unwrap();
        let mut explorer = Explorer::new(&here);
        assert_eq!(explorer.named().unwrap().chinese, "花月");
        assert!(explorer.add(&game("h8 h9 i9 g7", Some(Stone::Black))));
        // The same moves, turned by a quarter and mirrored, and one that goes another way.
        assert!(explorer.add(&game("h8 i8 i7 g9", Some(Stone::White))));
        assert!(explorer.add(&game("h8 h9 g9 i7", None)));
        assert!(explorer.add(&game("h8 g8 g9 a1", Some(Stone::White))));
        assert!(!explorer.add(&game("h8 h9 h10 g7", None)), "another opening");
        assert!(!explorer.add(&game("h8 h9", None)), "too short");
        let gomoku = GameRecord::new(Rules::gomoku(15));
        assert!(!explorer.add(&gomoku), "another game");
        assert_eq!(explorer.total(), Results { games: 4, black: 1, draws: 0, white: 2 });
        let found = explorer.continuations();
        assert_eq!((found.len(), found[0].cell.to_string().as_str(), found[0].results.games), (2, "g7", 3));
        assert_eq!(found[0].results.black_score(), Some(0.5));
    }

    #[test]
    fn alike_moves_of_a_symmetrical_position_are_one() {
        let here = Position::after(Rules::renju(15), "h8 h9 h10").unwrap();
        let mut explorer = Explorer::new(&here);
        for moves in ["h8 h9 h10 g8", "h8 h9 h10 i8", "h8 i8 j8 h7"] {
            assert!(explorer.add(&game(moves, None)));
        }
        let found = explorer.continuations();
        assert_eq!(found.len(), 1);
        assert_eq!(explorer.alike(found[0].cell), ["g8", "i8"].map(|name| name.parse().unwrap()));
        assert_eq!(explorer.alike(Cell::new(7, 2)), [Cell::new(7, 2)]);
        let empty = Explorer::new(&Position::new(Rules::renju(15)));
        assert_eq!((empty.total().games, empty.continuations().len()), (0, 0));
    }
}
