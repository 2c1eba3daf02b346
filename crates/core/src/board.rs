//! The bare board: what lies where, and how long rows are. It knows no turns and no history.

use crate::cell::{Cell, DIRECTIONS, MAX_CELLS};
use crate::{Rules, Stone};

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing: a stone may come here.
    Empty,
    /// Nobody may play here.
    Blocked,
    /// A stone.
    Stone(Stone),
}

/// Stones on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub rules: Rules,
    content: [Content; MAX_CELLS],
}

impl Board {
    pub(crate) fn new(rules: Rules) -> Board {
        let mut board = Board { rules, content: [Content::Empty; MAX_CELLS] };
        for cell in rules.blocked.iter() {
            board.content[cell.index()] = Content::Blocked;
        }
        board
    }

    /// What the cell holds; nothing is known of cells outside the board.
    pub(crate) fn get(&self, cell: Cell) -> Option<Content> {
        self.rules.contains(cell).then(|| self.content[cell.index()])
    }

    /// Puts or removes a stone. Every change of a stone passes here.
    pub(crate) fn set(&mut self, cell: Cell, content: Content) {
        self.content[cell.index()] = content;
    }

    pub(crate) fn is_empty(&self, cell: Cell) -> bool {
        self.get(cell) == Some(Content::Empty)
    }

    pub(crate) fn holds(&self, cell: Cell, stone: Stone) -> bool {
        self.get(cell) == Some(Content::Stone(stone))
    }

    /// The cell on which a stone dropped into this column comes to rest.
    pub(crate) fn landing(&self, column: u8) -> Option<Cell> {
        (0..self.rules.height).map(|row| Cell::new(column, row)).find(|&cell| self.is_empty(cell))
    }

    /// How many stones of this side follow `cell` without a gap, `cell` not included.
    pub(crate) fn reach(&self, cell: Cell, stone: Stone, (columns, rows): (i8, i8), sign: i8) -> u8 {
        let direction = (columns * sign, rows * sign);
        (1..).take_while(|&n| cell.step(direction, n).is_some_and(|next| self.holds(next, stone))).count() as u8
    }

    /// How long the row through `cell` is, taking `cell` itself to hold this stone.
    pub(crate) fn row_length(&self, cell: Cell, stone: Stone, direction: (i8, i8)) -> u8 {
        self.reach(cell, stone, direction, -1) + 1 + self.reach(cell, stone, direction, 1)
    }

    /// The direction in which a stone on `cell` completes a winning line, if it does.
    pub(crate) fn winning_direction(&self, cell: Cell, stone: Stone) -> Option<(i8, i8)> {
        DIRECTIONS.into_iter().find(|&direction| self.rules.wins(stone, self.row_length(cell, stone, direction)))
    }
}
