//! What never changes during a game: which cells are neighbours, which windows of six they belong to.

use std::sync::Arc;

use lianzi_core::{Cell, DIRECTIONS, Rules, mix};

use super::network::FORM;
use super::pattern::{CODES, POWERS, REACH, kinds_of_codes};
use super::weights::{Weights, Worths, worths};
use crate::network::Network;

/// A cell as the board numbers them: row by row from the bottom.
pub(crate) type Place = u16;

/// A cell's place in the code of a line through another cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// The other cell.
    pub place: Place,
    /// Where the code stands among those of all cells, four to each.
    pub code: u16,
    /// What one in this place of the code counts.
    pub power: u16,
    /// Where the line's kind stands in the other cell's star.
    pub shift: u8,
}

/// The board without stones.
pub(crate) struct Shape {
    /// The rules it is for.
    pub rules: Rules,
    /// How many cells it has, blocked ones too.
    pub cells: usize,
    /// Every window of six that holds no blocked cell.
    pub windows: Vec<[Place; 6]>,
    /// The windows of each cell, one cell after the other.
    of_cell: Ranges<u16>,
    /// The lines each cell is seen in.
    touches: Ranges<Touch>,
    /// The codes of the empty board: each cell's four lines, one cell after the other; the same for both sides.
    pub codes: Vec<u16>,
    /// A random number for each side's stone on each cell.
    pub keys: Vec<[u64; 2]>,
    /// What each code is.
    pub kinds: &'static [u8; CODES],
    /// What each star is worth.
    pub worths: Worths,
    /// What puts that right.
    pub network: Option<Arc<Network>>,
}

/// Lists of different length, one after the other.
struct Ranges<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Ranges<T> {
    fn new(lists: impl Iterator<Item = Vec<T>>) -> Ranges<T> {
        let mut ranges = Ranges { starts: vec![0], items: Vec::new() };
        for list in lists {
            ranges.items.extend(list);
            ranges.starts.push(ranges.items.len() as u32);
        }
        ranges
    }

    #[inline(always)]
    fn of(&self, n: usize) -> &[T] {
        &self.items[self.starts[n] as usize..self.starts[n + 1] as usize]
    }
}

impl Shape {
    /// The board of these rules, with the weights and the network that are built in.
    pub(crate) fn new(rules: &Rules) -> Shape {
        Shape::with(rules, &Weights::built_in()).and(Network::of(&FORM, rules))
    }

    /// The board of these rules with other weights.
    pub(crate) fn with(rules: &Rules, weights: &Weights) -> Shape {
        let cells: Vec<Cell> = rules.cells().collect();
        let place = |cell: Cell| Place::from(cell.row) * Place::from(rules.width) + Place::from(cell.column);
        let window = |cells: Vec<Cell>| -> [Place; 6] { std::array::from_fn(|n| place(cells[n])) };
        let windows: Vec<[Place; 6]> = rules.windows().into_iter().map(window).collect();
        let mut of_cell = vec![Vec::new(); cells.len()];
        for (number, window) in windows.iter().enumerate() {
            window.iter().for_each(|&place| of_cell[usize::from(place)].push(number as u16));
        }
        let touches = |cell: Cell| {
            let seen = |(line, digit)| neighbour(rules, cell, line, digit).map(|other| (other, line, digit));
            // Seen from the other end, this cell is as far on the opposite side.
            let touch = |(other, line, digit): (Cell, usize, usize)| Touch {
                place: place(other),
                code: 4 * place(other) + line as u16,
                power: POWERS[2 * REACH - 1 - digit],
                shift: 4 * line as u8,
            };
            views().filter_map(seen).map(touch).collect()
        };
        Shape {
            rules: *rules,
            cells: cells.len(),
            windows,
            of_cell: Ranges::new(of_cell.into_iter()),
            touches: Ranges::new(cells.iter().map(|&cell| touches(cell))),
            codes: cells.iter().flat_map(|&cell| walls(rules, cell)).collect(),
            keys: (1..=cells.len() as u64).map(|n| [mix(2 * n), mix(2 * n + 1)]).collect(),
            kinds: kinds_of_codes(),
            worths: worths(weights),
            network: None,
        }
    }

    /// The same with a network that corrects the weights, or without.
    pub(crate) fn and(self, network: Option<Network>) -> Shape {
        Shape { network: network.map(Arc::new), ..self }
    }

    /// The windows through a cell.
    #[inline(always)]
    pub(crate) fn windows_of(&self, place: Place) -> &[u16] {
        self.of_cell.of(usize::from(place))
    }

    /// The lines a cell is seen in.
    #[inline(always)]
    pub(crate) fn touches(&self, place: Place) -> &[Touch] {
        self.touches.of(usize::from(place))
    }

    /// The number of a cell.
    pub(crate) fn place(&self, cell: Cell) -> Place {
        Place::from(cell.row) * Place::from(self.rules.width) + Place::from(cell.column)
    }

    /// The cell of a number.
    pub(crate) fn cell(&self, place: Place) -> Cell {
        let width = Place::from(self.rules.width);
        Cell::new((place % width) as u8, (place / width) as u8)
    }
}

/// Every digit of every line.
fn views() -> impl Iterator<Item = (usize, usize)> {
    (0..4).flat_map(|line| (0..2 * REACH).map(move |digit| (line, digit)))
}

/// The cell that a digit of a cell's line stands for, unless it is off the board or blocked.
fn neighbour(rules: &Rules, cell: Cell, line: usize, digit: usize) -> Option<Cell> {
    let steps = digit as i8 - REACH as i8;
    let steps = if steps >= 0 { steps + 1 } else { steps };
    let other = cell.step(DIRECTIONS[line], steps)?;
    (rules.contains(other) && !rules.blocked.contains(other)).then_some(other)
}

/// The codes of a cell's lines on the empty board: its walls.
fn walls(rules: &Rules, cell: Cell) -> [u16; 4] {
    std::array::from_fn(|line| {
        let wall = |digit: &usize| neighbour(rules, cell, line, *digit).is_none();
        (0..2 * REACH).filter(wall).map(|digit| 2 * POWERS[digit]).sum()
    })
}
