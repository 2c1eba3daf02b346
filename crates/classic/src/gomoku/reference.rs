//! The evaluation again, straight from the document and as slow as it likes: what the fast one must equal.

use std::collections::HashMap;

use lianzi_core::{Cell, Content, Position, Stone};

use super::pattern::Pattern;

/// A cell as one side sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Seen {
    Own,
    Empty,
    Wall,
}

/// Right, down, down right, down left: the document's order.
const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (0, -1), (1, -1), (-1, -1)];

/// A counted pattern: its kind, direction and stones.
pub(super) type Counted = (Pattern, usize, Vec<Cell>);

/// Answers about nine cells, remembered because the tests ask for millions.
#[derive(Default)]
pub(super) struct Definitions {
    known: HashMap<[Seen; 9], Option<Shape>>,
}

/// A pattern and the places of its stones.
type Shape = (Pattern, Vec<usize>);

impl Definitions {
    /// The pattern of the centre stone and the places of the stones in it.
    pub(super) fn classify(&mut self, cells: &[Seen; 9]) -> Option<Shape> {
        if !self.known.contains_key(cells) {
            let shape = self.define(cells);
            self.known.insert(*cells, shape);
        }
        self.known[cells].clone()
    }

    /// The definitions (S1-29).
    fn define(&mut self, cells: &[Seen; 9]) -> Option<Shape> {
        let five = fives(cells);
        if !five.is_empty() {
            return Some((Pattern::Five, five));
        }
        let points: Vec<usize> = empty(cells).filter(|&n| !fives(&with(cells, n)).is_empty()).collect();
        let stones = union(points.iter().map(|&n| without(fives(&with(cells, n)), n)));
        match points.len() {
            0 => {}
            1 => return Some((Pattern::RushFour, stones)),
            _ => return Some((Pattern::LiveFour, stones)),
        }
        let after: Vec<_> = empty(cells).filter_map(|n| Some((n, self.classify(&with(cells, n))?))).collect();
        let becomes = |wanted: Pattern| {
            let reached = after.iter().filter(|(_, (pattern, _))| *pattern == wanted);
            union(reached.map(|(n, (_, stones))| without(stones.clone(), *n)))
        };
        let named = |more, less| Some(becomes(more)).filter(|stones| !stones.is_empty()).map(|s| (less, s));
        named(Pattern::LiveFour, Pattern::LiveThree)
            .or_else(|| named(Pattern::RushFour, Pattern::SleepThree))
            .or_else(|| named(Pattern::LiveThree, Pattern::LiveTwo))
    }

    /// Algorithm 3: every stone in each direction, unless it is recorded there (S1-30, S1-31).
    pub(super) fn patterns(&mut self, position: &Position, stone: Stone) -> Vec<Counted> {
        let rules = position.rules();
        let mut counted: Vec<Counted> = Vec::new();
        for row in (0..rules.height).rev() {
            for column in 0..rules.width {
                let cell = Cell::new(column, row);
                for (direction, &step) in DIRECTIONS.iter().enumerate() {
                    let recorded = counted.iter().any(|(_, d, cells)| *d == direction && cells.contains(&cell));
                    if position.stone(cell) != Some(stone) || recorded {
                        continue;
                    }
                    if let Some((pattern, places)) = self.classify(&nine_cells(position, stone, cell, step)) {
                        let stones = places.iter().filter_map(|&n| cell.step(step, n as i8 - 4)).collect();
                        counted.push((pattern, direction, stones));
                    }
                }
            }
        }
        counted
    }

    /// Table 2 for the side that moved last, for a position without two fives.
    pub(super) fn value(&mut self, position: &Position) -> i32 {
        let last = position.to_move().other();
        let found = Stone::BOTH.map(|stone| self.patterns(position, stone));
        let count = |stone: Stone, p: Pattern| found[stone.index()].iter().filter(|c| c.0 == p).count() as i32;
        let black = |pattern| count(last, pattern);
        let white = |pattern| count(last.other(), pattern);
        use Pattern::*;
        let must_win = [
            (black(Five) > 0, 1_000_000),
            (white(Five) > 0, -1_000_000),
            (white(LiveFour) > 0, -9050),
            (white(RushFour) > 0, -9040),
            (black(LiveFour) > 0 || black(RushFour) >= 2, 9030),
            (black(RushFour) > 0 && black(LiveThree) > 0, 9020),
            (black(RushFour) == 0 && white(LiveThree) > 0, -9010),
            (black(LiveThree) >= 2 && white(LiveThree) == 0 && white(SleepThree) == 0, 9000),
        ];
        let black_weights = [(RushFour, 400), (LiveThree, 100), (SleepThree, 80), (LiveTwo, 40)];
        let white_weights = [(LiveThree, 400), (SleepThree, 100), (LiveTwo, 80)];
        let own: i32 = black_weights.iter().map(|&(pattern, weight)| weight * black(pattern)).sum();
        let others: i32 = white_weights.iter().map(|&(pattern, weight)| weight * white(pattern)).sum();
        must_win.iter().find(|(fits, _)| *fits).map_or(own - others, |&(_, weight)| weight)
    }
}

fn nine_cells(position: &Position, stone: Stone, cell: Cell, step: (i8, i8)) -> [Seen; 9] {
    std::array::from_fn(|n| match cell.step(step, n as i8 - 4).and_then(|cell| position.content(cell)) {
        Some(Content::Empty) => Seen::Empty,
        Some(Content::Stone(there)) if there == stone => Seen::Own,
        _ => Seen::Wall,
    })
}

/// The places of the fives that hold the centre.
fn fives(cells: &[Seen; 9]) -> Vec<usize> {
    union((0..5).filter(|&n| cells[n..n + 5].iter().all(|&c| c == Seen::Own)).map(|n| (n..n + 5).collect()))
}

fn empty(cells: &[Seen; 9]) -> impl Iterator<Item = usize> {
    (0..9).filter(|&n| cells[n] == Seen::Empty)
}

fn with(cells: &[Seen; 9], n: usize) -> [Seen; 9] {
    let mut cells = *cells;
    cells[n] = Seen::Own;
    cells
}

fn without(places: Vec<usize>, n: usize) -> Vec<usize> {
    places.into_iter().filter(|&place| place != n).collect()
}

fn union(parts: impl Iterator<Item = Vec<usize>>) -> Vec<usize> {
    let mut all: Vec<usize> = parts.flatten().collect();
    all.sort_unstable();
    all.dedup();
    all
}
