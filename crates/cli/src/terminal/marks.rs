//! What is drawn on the cells besides the stones.

use std::collections::{BTreeMap, BTreeSet};

use lianzi_core::{Cell, Forbidden, Position, Stone};
use lianzi_engine::Line;
use lianzi_engine::threats::{ThreatKind, must_hit, threats};

/// A mark on an empty cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The n-th best turn of an analysis, from 1.
    Candidate(usize),
    /// The n-th of the fifth moves that are offered, from 1.
    Offered(usize),
    /// A hint.
    Hint,
    /// Renju forbids it to Black.
    Forbidden,
    /// A side completes a line here, or makes an open four; perhaps the side to move must play here.
    Threat { four: bool, must: bool },
}

/// All marks of a board.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// The stones of the last turn, or of the line that won.
    pub framed: Vec<Cell>,
    /// Whether they won.
    pub won: bool,
    /// On empty cells.
    pub on: BTreeMap<Cell, Mark>,
    /// Stones that threaten.
    pub threatening: BTreeSet<Cell>,
}

impl Marks {
    /// The last turn, or the winning line.
    pub fn of(position: &Position) -> Marks {
        let line = position.winning_line();
        let won = line.is_some();
        let last = || position.last_turn().iter().map(|ply| ply.cell).collect();
        Marks { framed: line.unwrap_or_else(last), won, ..Marks::default() }
    }

    /// The cells renju forbids to Black, who is to move.
    pub fn with_forbidden(mut self, position: &Position) -> Marks {
        let bound = position.rules().forbidden != Forbidden::Nothing && position.outcome().is_none();
        if bound && position.to_move() == Stone::Black {
            let fouls = position.empty_cells().filter(|&cell| position.foul(cell).is_some());
            self.on.extend(fouls.map(|cell| (cell, Mark::Forbidden)));
        }
        self
    }

    /// What threatens, of both sides; a line that stands needs no mark.
    pub fn with_threats(mut self, position: &Position) -> Marks {
        let must = if position.outcome().is_none() { must_hit(position) } else { Vec::new() };
        for threat in Stone::BOTH.into_iter().flat_map(|stone| threats(position, stone)) {
            if threat.kind == ThreatKind::Five {
                continue;
            }
            self.threatening.extend(&threat.cells);
            let four = threat.kind == ThreatKind::Four;
            for cell in threat.at {
                let mark = Mark::Threat { four, must: must.contains(&cell) };
                let known = self.on.get(&cell);
                if four || !matches!(known, Some(Mark::Threat { four: true, .. })) {
                    self.on.insert(cell, mark);
                }
            }
        }
        self
    }

    /// The first stones of the best turns; of a turn with several stones all of the best one.
    pub fn with_candidates(mut self, lines: &[Line], stones: usize) -> Marks {
        for (n, line) in lines.iter().take(9).enumerate().rev() {
            let shown = if n == 0 { stones.max(1) } else { 1 };
            self.on.extend(line.cells.iter().take(shown).map(|&cell| (cell, Mark::Candidate(n + 1))));
        }
        self
    }

    /// The fifth moves that are offered.
    pub fn with_offered(mut self, cells: &[Cell]) -> Marks {
        self.on.extend(cells.iter().zip(1..).map(|(&cell, n)| (cell, Mark::Offered(n))));
        self
    }

    /// A hint.
    pub fn with_hint(mut self, cells: &[Cell]) -> Marks {
        self.on.extend(cells.iter().map(|&cell| (cell, Mark::Hint)));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(game: &str, moves: &str) -> Position {
        Position::after(game.parse().unwrap(), moves).unwrap()
    }

    #[test]
    fn fours_hide_threes_and_forced_cells_are_known() {
        let position = after("gomoku", "h8 g8 i8 a3 j8 a5 k8");
        let marks = Marks::of(&position).with_threats(&position);
        assert_eq!(marks.on.get(&"l8".parse().unwrap()), Some(&Mark::Threat { four: true, must: true }));
        assert_eq!((marks.framed.len(), marks.won, marks.threatening.len()), (1, false, 4));
    }

    #[test]
    fn the_best_candidate_is_on_top() {
        let cell = |name: &str| name.parse::<Cell>().unwrap();
        let line = |names: &str| Line { cells: names.split(' ').map(cell).collect(), ..Line::default() };
        let position = after("connect6", "j10");
        let marks = Marks::of(&position).with_candidates(&[line("k10 k11 a1"), line("k11 l12")], 2);
        assert_eq!(marks.on.get(&cell("k11")), Some(&Mark::Candidate(1)));
        assert_eq!(marks.on.len(), 2, "the second stone of the second turn is not marked");
    }

    #[test]
    fn renju_marks_what_black_may_not_play() {
        let position = after("renju", "h8 a1 i8 a3 h9 a5 h10 a7 f8 a9 g5 a11");
        let marks = Marks::of(&position).with_forbidden(&position);
        let told = position.empty_cells().filter(|&cell| position.foul(cell).is_some()).count();
        assert_eq!(marks.on.len(), told);
    }
}
