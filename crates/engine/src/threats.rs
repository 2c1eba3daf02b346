//! What threatens on a board: lines that stand, lines one turn away, and open threes. Pure looking, no search.

use std::collections::BTreeSet;

use lianzi_core::{Cell, Content, DIRECTIONS, Placement, Position, Stone};

/// How near a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ThreatKind {
    /// It stands.
    Five,
    /// One turn completes it: a four of Gomoku, a three of Connect Four, four or five of Connect6.
    Four,
    /// One stone makes a row that can then be completed at either end; only where a turn is one stone anywhere.
    Three,
}

impl ThreatKind {
    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            ThreatKind::Five => "five",
            ThreatKind::Four => "four",
            ThreatKind::Three => "three",
        }
    }
}

/// Stones that threaten, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Threat {
    /// How near the line is.
    pub kind: ThreatKind,
    /// The stones.
    pub cells: Vec<Cell>,
    /// The empty cells that complete the line, or make an open row of a three.
    pub at: Vec<Cell>,
}

impl Threat {
    /// Whether it is a four that the same stones complete at another cell too, so that one stone cannot stop it;
    /// `all` is what threatens from its side.
    pub fn is_open_four(&self, all: &[Threat]) -> bool {
        let same = |other: &Threat| other.kind == self.kind && other.cells == self.cells && other.at != self.at;
        self.kind == ThreatKind::Four && all.iter().any(same)
    }
}

/// Everything that threatens from this side, nearest lines first.
pub fn threats(position: &Position, stone: Stone) -> Vec<Threat> {
    // After the end nothing threatens any more; only the line is shown.
    let over = position.outcome().is_some();
    let shown = |threat: &Threat| !over || threat.kind == ThreatKind::Five;
    let mut found: BTreeSet<Threat> = lines(position, stone).filter(shown).collect();
    let rules = position.rules();
    if !over && rules.per_turn == 1 && rules.placement == Placement::Anywhere && rules.line >= 4 {
        found.extend(open_rows(position, stone));
    }
    found.into_iter().collect()
}

/// The windows that this side alone has stones in, and that are full or one turn from it.
fn lines(position: &Position, stone: Stone) -> impl Iterator<Item = Threat> {
    let rules = position.rules();
    let (line, per_turn) = (usize::from(rules.line), usize::from(rules.per_turn));
    rules.windows().into_iter().filter_map(move |window| {
        let (cells, at) = split(position, &window, stone)?;
        let wins = |cell: &Cell| position.wins_at(*cell, stone);
        match at.len() {
            0 if wins(&cells[0]) => Some(Threat { kind: ThreatKind::Five, cells, at }),
            // Where longer rows do not count, one stone may make too long a row.
            1 if line > 1 && wins(&at[0]) => Some(Threat { kind: ThreatKind::Four, cells, at }),
            n if (2..=per_turn).contains(&n) && n < line => Some(Threat { kind: ThreatKind::Four, cells, at }),
            _ => None,
        }
    })
}

/// The stones and the empty cells of a stretch in which only this side has stones.
fn split(position: &Position, stretch: &[Cell], stone: Stone) -> Option<(Vec<Cell>, Vec<Cell>)> {
    let (mut stones, mut empty) = (Vec::new(), Vec::new());
    for &cell in stretch {
        match position.content(cell)? {
            Content::Stone(other) if other == stone => stones.push(cell),
            Content::Empty => empty.push(cell),
            _ => return None,
        }
    }
    Some((stones, empty))
}

/// Rows that lack two stones and have both ends open:
///
/// ```text
/// . x x . x .    the inner gap makes four with two open ends
/// ```
fn open_rows(position: &Position, stone: Stone) -> impl Iterator<Item = Threat> {
    let line = position.rules().line as i8;
    let starts = position.rules().cells().flat_map(|cell| DIRECTIONS.map(|direction| (cell, direction)));
    starts.filter_map(move |(start, direction)| {
        let stretch: Option<Vec<Cell>> = (0..=line).map(|n| start.step(direction, n)).collect();
        let stretch = stretch?;
        let (cells, empty) = split(position, &stretch, stone)?;
        let (first, last) = (stretch[0], stretch[stretch.len() - 1]);
        let open = empty.len() == 3 && empty.contains(&first) && empty.contains(&last);
        let gap = empty.into_iter().find(|&cell| cell != first && cell != last)?;
        (open && makes_two_fours(position, stone, gap, [first, last])).then_some(Threat {
            kind: ThreatKind::Three,
            cells,
            at: vec![gap],
        })
    })
}

/// Whether a stone in the gap lets the line be completed at both ends. A stone of our own beyond an end could make too
/// long a row of it; the referee knows.
fn makes_two_fours(position: &Position, stone: Stone, gap: Cell, ends: [Cell; 2]) -> bool {
    let mut after = position.clone();
    // The referee wants the sides to alternate; when it is the other's turn, the rules of a row are looked up by hand.
    if after.to_move() == stone && after.play(gap).is_ok() {
        return ends.iter().all(|&end| after.wins_at(end, stone));
    }
    let rules = position.rules();
    let longest = rules.wins(stone, rules.line + 1);
    longest || !ends.iter().any(|&end| beyond(gap, end).is_some_and(|cell| position.stone(cell) == Some(stone)))
}

/// The cell beyond an end, seen from inside.
fn beyond(inside: Cell, end: Cell) -> Option<Cell> {
    let step = |from: u8, to: u8| (i16::from(to) - i16::from(from)).signum() as i8;
    end.step((step(inside.column, end.column), step(inside.row, end.row)), 1)
}

/// The cells on which the side to move must play now, lest the other completes a line: those that belong to a way of
/// stopping everything with the stones left, or all that threaten if there is no such way.
pub fn must_hit(position: &Position) -> Vec<Cell> {
    let other = position.to_move().other();
    let playable =
        |cell: &Cell| position.rules().placement == Placement::Anywhere || position.landing(cell.column) == Some(*cell);
    let fours: Vec<Vec<Cell>> = lines(position, other)
        .filter(|threat| threat.kind == ThreatKind::Four && threat.at.iter().all(playable))
        .map(|threat| threat.at)
        .collect();
    let cells: Vec<Cell> = fours.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let stops = |hit: &[Cell]| fours.iter().all(|four| four.iter().any(|cell| hit.contains(cell)));
    let alone: Vec<Cell> = cells.iter().copied().filter(|&cell| stops(&[cell])).collect();
    if !alone.is_empty() || position.stones_left() < 2 {
        return if alone.is_empty() { cells } else { alone };
    }
    let pairs = cells.iter().enumerate().flat_map(|(n, &a)| cells[n + 1..].iter().map(move |&b| [a, b]));
    let hits: BTreeSet<Cell> = pairs.filter(|pair| stops(pair)).flatten().collect();
    if hits.is_empty() { cells } else { hits.into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(game: &str, moves: &str) -> Position {
        Position::after(game.parse().unwrap(), moves).unwrap()
    }

    fn told(position: &Position, stone: Stone) -> Vec<String> {
        let cells = |cells: &[Cell]| cells.iter().map(Cell::to_string).collect::<Vec<_>>().join("");
        let words = |threat: &Threat| format!("{} {} {}", threat.kind.name(), cells(&threat.cells), cells(&threat.at));
        threats(position, stone).iter().map(words).collect()
    }

    #[test]
    fn fours_and_open_threes_of_gomoku() {
        let three = after("gomoku", "h8 a1 i8 a3 j8 a5");
        assert_eq!(told(&three, Stone::Black), ["three h8i8j8 g8", "three h8i8j8 k8"]);
        assert!(told(&three, Stone::White).is_empty() && must_hit(&three).is_empty());
        let four = after("gomoku", "h8 g8 i8 a3 j8 a5 k8");
        assert_eq!(told(&four, Stone::Black), ["four h8i8j8k8 l8"]);
        assert_eq!(must_hit(&four), ["l8".parse().unwrap()]);
        let open = after("gomoku", "h8 a1 i8 a3 j8 a5 k8");
        assert_eq!(must_hit(&open).len(), 2, "an open four cannot be stopped; both ends threaten");
        let is_open = |position: &Position| {
            let all = threats(position, Stone::Black);
            all.iter().map(|threat| threat.is_open_four(&all)).collect::<Vec<_>>()
        };
        assert_eq!((is_open(&open), is_open(&four)), (vec![true, true], vec![false]));
    }

    #[test]
    fn a_row_too_long_is_no_four_where_it_does_not_count() {
        let moves = "a8 a1 c8 c1 d8 e1 e8 g1 f8 i1";
        assert_eq!(told(&after("gomoku", moves), Stone::Black).len(), 3);
        let exact = told(&after("standard", moves), Stone::Black);
        assert!(!exact.iter().any(|threat| threat.ends_with(" b8")), "{exact:?}");
    }

    #[test]
    fn two_stones_complete_four_of_connect6() {
        let position = after("connect6", "j10 a1 a3 k10 l10 a5 a7 m10 s19");
        assert!(told(&position, Stone::Black).iter().all(|threat| threat.starts_with("four")));
        assert_eq!(told(&position, Stone::Black).len(), 3);
        let hits = must_hit(&position);
        assert!(hits.contains(&"i10".parse().unwrap()) && hits.contains(&"n10".parse().unwrap()));
    }

    #[test]
    fn stones_that_drop_must_hit_only_where_they_land() {
        let flat = after("connect4", "b1 b2 c1 c2 d1");
        assert_eq!(must_hit(&flat), ["a1".parse().unwrap(), "e1".parse().unwrap()]);
        let high = after("connect4", "a1 b1 a2 b2 g1 c1 g2 c2 a3");
        assert!(told(&high, Stone::Black).iter().any(|threat| threat == "four a1a2a3 a4"));
        assert_eq!(must_hit(&high), ["a4".parse().unwrap()]);
    }

    #[test]
    fn a_line_that_stands_is_told() {
        let won = after("connect4", "a1 b1 a2 b2 a3 b3 a4");
        assert_eq!(told(&won, Stone::Black), ["five a1a2a3a4 "]);
    }
}
