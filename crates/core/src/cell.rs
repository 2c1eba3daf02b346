//! Where a stone can lie: cells, their names, sets of them and the four directions.

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::{Speak, Text, spoken_errors, text};

/// The longest side a board can have.
pub const MAX_SIDE: u8 = 31;

/// How many cells the largest board has; `Cell::index` stays below it.
pub const MAX_CELLS: usize = MAX_SIDE as usize * MAX_SIDE as usize;

/// The four directions of a line: along the row, up the column, and the two diagonals, as (column, row) steps.
pub const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// One place on a board: column from the left, row from the bottom, both from 0. Written `h8`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub struct Cell {
    /// Column from the left, from 0.
    pub column: u8,
    /// Row from the bottom, from 0.
    pub row: u8,
}

impl Cell {
    /// The cell in this column and row, both from 0, from the bottom left.
    pub const fn new(column: u8, row: u8) -> Cell {
        Cell { column, row }
    }

    /// The same number for the same cell on boards of every size, below `MAX_CELLS` for every cell of a board.
    pub const fn index(self) -> usize {
        self.row as usize * MAX_SIDE as usize + self.column as usize
    }

    /// The cell `n` steps along `direction`, unless that leaves the largest board.
    pub fn step(self, direction: (i8, i8), n: i8) -> Option<Cell> {
        let column = u8::try_from(i16::from(self.column) + i16::from(direction.0) * i16::from(n)).ok()?;
        let row = u8::try_from(i16::from(self.row) + i16::from(direction.1) * i16::from(n)).ok()?;
        (column < MAX_SIDE && row < MAX_SIDE).then_some(Cell { column, row })
    }
}

/// The letters of a column: a…z, then aa, ab ….
pub fn column_name(column: u8) -> String {
    let letter = |n: u8| char::from(b'a' + n);
    match column {
        0..26 => letter(column).to_string(),
        _ => [letter(column / 26 - 1), letter(column % 26)].iter().collect(),
    }
}

/// Reads the letters of a column in either case.
pub fn column_from_name(name: &str) -> Option<u8> {
    let digit = |b: u8| b.is_ascii_alphabetic().then(|| u16::from(b.to_ascii_lowercase() - b'a'));
    let column = match *name.as_bytes() {
        [one] => digit(one)?,
        [first, second] => 26 * (digit(first)? + 1) + digit(second)?,
        _ => return None,
    };
    u8::try_from(column).ok().filter(|&c| c < MAX_SIDE)
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_name(self.column), u16::from(self.row) + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The names of cells that a word holds, with nothing between them: `h8i9j7` holds three. A name ends where something
/// else follows its digits; what is no name comes out as it stands, for the complaint.
pub fn cell_names(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let after = rest[digits..].find(|c: char| !c.is_ascii_digit());
        let (name, more) = rest.split_at(after.map_or(rest.len(), |length| digits + length));
        rest = more;
        (!name.is_empty()).then_some(name)
    })
}

/// A text that was to name a cell and does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotACell(
    /// The offending text, shortened.
    pub String,
);

impl NotACell {
    /// Keeps the beginning of `text` for the message.
    pub fn new(text: &str) -> NotACell {
        NotACell(crate::shorten(text))
    }
}

impl Speak for NotACell {
    fn text(&self) -> Text {
        text!(
            "'{}' is not a cell; write a column and a row, such as h8",
            "“{}”不是棋盘上的位置，请写列和行，例如 h8",
            self.0
        )
    }
}

spoken_errors!(NotACell);

impl FromStr for Cell {
    type Err = NotACell;

    fn from_str(text: &str) -> Result<Cell, NotACell> {
        let read = || {
            let digits = text.find(|c: char| c.is_ascii_digit())?;
            let (letters, number) = text.split_at(digits);
            let column = column_from_name(letters)?;
            let plain = number.len() <= 2 && !number.starts_with('0') && number.bytes().all(|b| b.is_ascii_digit());
            let row = number.parse::<u8>().ok().filter(|&row| plain && row <= MAX_SIDE)?;
            Some(Cell { column, row: row - 1 })
        };
        read().ok_or_else(|| NotACell::new(text))
    }
}

crate::written!(Cell);

/// A set of cells: one word per row, so that rules with blocked cells stay plain copyable data.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CellSet {
    rows: [u32; MAX_SIDE as usize],
}

impl CellSet {
    /// The empty set.
    pub const EMPTY: CellSet = CellSet { rows: [0; MAX_SIDE as usize] };

    /// Adds a cell; false if it was there already.
    ///
    /// # Panics
    /// If the cell is on no board.
    pub fn insert(&mut self, cell: Cell) -> bool {
        assert!(cell.column < MAX_SIDE && cell.row < MAX_SIDE, "{cell} is on no board");
        let added = !self.contains(cell);
        self.rows[usize::from(cell.row)] |= 1 << cell.column;
        added
    }

    /// Whether the cell is in the set.
    pub fn contains(&self, cell: Cell) -> bool {
        let row = self.rows.get(usize::from(cell.row)).copied().unwrap_or_default();
        row.checked_shr(cell.column.into()).is_some_and(|bits| bits & 1 == 1)
    }

    /// Whether no cell is in the set.
    pub fn is_empty(&self) -> bool {
        *self == CellSet::EMPTY
    }

    /// How many cells are in the set.
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// The cells, row by row from the bottom.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        // Every position asks, and nearly always the set is empty: rows without a cell are not looked through.
        let rows = self.rows.iter().zip(0..MAX_SIDE).filter(|(bits, _)| **bits != 0);
        rows.flat_map(|(&bits, row)| {
            let columns = (0..MAX_SIDE).filter(move |column| bits >> column & 1 == 1);
            columns.map(move |column| Cell { column, row })
        })
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> CellSet {
        let mut set = CellSet::EMPTY;
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_on_the_largest_board() {
        for row in 0..MAX_SIDE {
            for column in 0..MAX_SIDE {
                let cell = Cell::new(column, row);
                assert_eq!(cell.to_string().parse(), Ok(cell));
            }
        }
        assert_eq!(Cell::new(7, 7).to_string(), "h8");
        assert_eq!(Cell::new(8, 0).to_string(), "i1");
        assert_eq!(Cell::new(25, 30).to_string(), "z31");
        assert_eq!(Cell::new(26, 0).to_string(), "aa1");
        assert_eq!(Cell::new(30, 0).to_string(), "ae1");
        assert_eq!("AB3".parse(), Ok(Cell::new(27, 2)));
    }

    #[test]
    fn what_is_no_cell_is_refused() {
        for text in ["", "h", "8", "h0", "h08", "h32", "af1", "aaa1", "h8x", "h-1", "中8", "h+1", "h 8", "h٣"] {
            assert!(text.parse::<Cell>().is_err(), "{text}");
        }
    }

    #[test]
    fn steps_stop_at_the_edge_of_the_largest_board() {
        assert_eq!(Cell::new(0, 0).step((1, -1), 1), None);
        assert_eq!(Cell::new(30, 3).step((1, 0), 1), None);
        assert_eq!(Cell::new(3, 3).step((1, -1), -2), Some(Cell::new(1, 5)));
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let cells = [Cell::new(0, 0), Cell::new(30, 30), Cell::new(4, 7)];
        let mut set: CellSet = cells.into_iter().collect();
        assert_eq!(set.len(), 3);
        assert!(!set.insert(cells[1]));
        assert_eq!(set.iter().collect::<Vec<_>>(), vec![cells[0], cells[2], cells[1]]);
        for absent in [Cell::new(1, 0), Cell::new(31, 0), Cell::new(200, 0), Cell::new(0, 200)] {
            assert!(!set.contains(absent));
        }
    }
}
