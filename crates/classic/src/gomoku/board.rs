//! A board that knows at any time how many patterns each side has.
//!
//! Rows run from the top and lines from left to right or from top to bottom, as the document's program goes
//! through its array: where a stone belongs to two patterns, the order decides which is counted.

use lianzi_core::{Cell, MAX_SIDE, Position, Rules, Stone, mix};

use super::pattern::{Bits, Book, Counts, LineCounts, Pattern};

/// A cell as the row from the top in the upper bits and the column in the lower five.
pub(super) type Index = u16;

/// Rows beyond the top and bottom edge, so that looking two rows away needs no test.
const MARGIN: usize = 2;

/// A bit per column for every row, with margins.
pub(super) type Rows = [u32; MAX_SIDE as usize + 2 * MARGIN];

/// One row, column or diagonal.
#[derive(Clone, Copy)]
struct Line {
    bits: Bits,
    counts: LineCounts,
}

/// A line without a cell: where the directions lead in which no five has room.
const NO_LINE: Line = Line { bits: [u32::MAX; 2], counts: [[0; 8]; 2] };

/// Where a cell lies on one line; bit 0 on `NO_LINE`.
#[derive(Clone, Copy, Default)]
struct Place {
    line: u16,
    bit: u32,
}

/// What a stone changed, to be taken back.
#[derive(Clone, Copy)]
struct Put {
    cell: Index,
    stone: Stone,
    counts: Counts,
    lines: [LineCounts; 4],
}

/// Stones, lines, patterns and key of one game.
pub(super) struct Board {
    rules: Rules,
    book: Book,
    lines: Vec<Line>,
    places: Vec<[Place; 4]>,
    keys: Vec<[u64; 2]>,
    /// Cells on which a stone may ever lie.
    open: Rows,
    taken: Rows,
    counts: Counts,
    key: u64,
    to_move: Stone,
    puts: Vec<Put>,
    /// How many of the first stones were set up, and so are nobody's move.
    set_up: usize,
}

impl Board {
    /// The empty board.
    pub(super) fn new(rules: Rules) -> Board {
        let mut board = Board {
            rules,
            book: Book::new(),
            lines: vec![NO_LINE],
            places: vec![[Place::default(); 4]; 32 * usize::from(MAX_SIDE)],
            keys: (0..32 * u64::from(MAX_SIDE)).map(|n| [mix(2 * n + 1), mix(2 * n + 2)]).collect(),
            open: open_rows(&rules),
            taken: [0; 35],
            counts: [[0; 8]; 2],
            key: 0,
            to_move: Stone::Black,
            puts: Vec::new(),
            set_up: 0,
        };
        board.draw_lines();
        board
    }

    /// The rules it was made for.
    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Lays out this position, which must have the same rules.
    pub(super) fn arrange(&mut self, position: &Position) {
        while self.take_back().is_some() {}
        let played = |cell: &Cell| position.plies().iter().any(|ply| ply.cell == *cell);
        for cell in self.rules.cells() {
            if let (Some(stone), false) = (position.stone(cell), played(&cell)) {
                self.put_stone(self.index(cell), stone);
            }
        }
        self.set_up = self.puts.len();
        for ply in position.plies() {
            self.put_stone(self.index(ply.cell), ply.stone);
        }
        self.turn_to(position.to_move());
    }

    /// Puts a stone of the side to move.
    #[inline]
    pub(super) fn put(&mut self, cell: Index) {
        self.put_stone(cell, self.to_move);
        self.turn_to(self.to_move.other());
    }

    /// Takes the last stone back; the side it belongs to is to move again.
    #[inline]
    pub(super) fn take_back(&mut self) -> Option<Index> {
        let put = self.puts.pop()?;
        for (place, counts) in self.places[usize::from(put.cell)].iter().zip(put.lines) {
            let line = &mut self.lines[usize::from(place.line)];
            line.bits[put.stone.index()] ^= place.bit;
            line.counts = counts;
        }
        self.counts = put.counts;
        self.key ^= self.keys[usize::from(put.cell)][put.stone.index()];
        self.taken[row(put.cell)] ^= bit(put.cell);
        self.turn_to(put.stone);
        Some(put.cell)
    }

    #[inline]
    fn put_stone(&mut self, cell: Index, stone: Stone) {
        let mut put = Put { cell, stone, counts: self.counts, lines: [[[0; 8]; 2]; 4] };
        for (n, place) in self.places[usize::from(cell)].iter().enumerate() {
            let line = &mut self.lines[usize::from(place.line)];
            line.bits[stone.index()] ^= place.bit;
            put.lines[n] = line.counts;
            line.counts = self.book.count(line.bits);
            for side in 0..2 {
                for kind in 0..8 {
                    let change = u16::from(line.counts[side][kind]).wrapping_sub(put.lines[n][side][kind].into());
                    self.counts[side][kind] = self.counts[side][kind].wrapping_add(change);
                }
            }
        }
        self.key ^= self.keys[usize::from(cell)][stone.index()];
        self.taken[row(cell)] ^= bit(cell);
        self.puts.push(put);
    }

    #[inline]
    fn turn_to(&mut self, stone: Stone) {
        if stone != self.to_move {
            self.key ^= TURN_KEY;
        }
        self.to_move = stone;
    }

    /// Who puts the next stone.
    pub(super) fn to_move(&self) -> Stone {
        self.to_move
    }

    /// How many patterns of each kind each side has.
    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Whether this side has five in a row.
    pub(super) fn has_five(&self, stone: Stone) -> bool {
        self.counts[stone.index()][Pattern::Five as usize] > 0
    }

    /// The Zobrist key: a random number per cell and stone, and one for the turn.
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// How many stones lie on the board.
    pub(super) fn stones(&self) -> usize {
        self.puts.len()
    }

    /// How many of them were played, not set up.
    pub(super) fn played(&self) -> usize {
        self.puts.len() - self.set_up
    }

    /// The last two moves, the latest first.
    pub(super) fn last_two(&self) -> impl Iterator<Item = Index> {
        self.puts[self.set_up..].iter().rev().take(2).map(|put| put.cell)
    }

    /// The free cells, or those of them with a stone within two king steps.
    pub(super) fn free(&self, near: bool) -> Rows {
        let mut free = [0; 35];
        for (n, band) in self.taken.windows(2 * MARGIN + 1).enumerate().take(usize::from(self.rules.height)) {
            let row = n + MARGIN;
            free[row] = self.open[row] & !self.taken[row];
            if near {
                let taken = band.iter().fold(0, |all, taken| all | taken);
                free[row] &= taken | taken << 1 | taken << 2 | taken >> 1 | taken >> 2;
            }
        }
        free
    }

    /// The cell of this index.
    pub(super) fn cell(&self, index: Index) -> Cell {
        Cell::new((index & 31) as u8, self.rules.height - 1 - (index >> 5) as u8)
    }

    /// The index of this cell.
    pub(super) fn index(&self, cell: Cell) -> Index {
        u16::from(self.rules.height - 1 - cell.row) << 5 | u16::from(cell.column)
    }

    /// Finds the lines of the four directions: to the right, down, down right and down left.
    fn draw_lines(&mut self) {
        let (width, height) = (self.rules.width as i8, self.rules.height as i8);
        let on_board = |(x, y): (i8, i8)| (0..width).contains(&x) && (0..height).contains(&y);
        for (direction, (dx, dy)) in [(1, 0), (0, 1), (1, 1), (-1, 1)].into_iter().enumerate() {
            let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
            for first in cells.filter(|&(x, y)| !on_board((x - dx, y - dy))) {
                let line = (0..).map(|n| (first.0 + n * dx, first.1 + n * dy)).take_while(|&at| on_board(at));
                let line: Vec<Index> = line.map(|(x, y)| (y as u16) << 5 | x as u16).collect();
                if line.len() >= 5 {
                    self.draw_line(direction, &line);
                }
            }
        }
    }

    fn draw_line(&mut self, direction: usize, cells: &[Index]) {
        let mut wall = u32::MAX << cells.len();
        for (n, &cell) in cells.iter().enumerate() {
            let place = Place { line: self.lines.len() as u16, bit: 1 << n };
            self.places[usize::from(cell)][direction] = place;
            if self.open[row(cell)] & bit(cell) == 0 {
                wall |= place.bit;
            }
        }
        self.lines.push(Line { bits: [wall; 2], counts: [[0; 8]; 2] });
    }
}

const TURN_KEY: u64 = mix(u64::MAX);

/// The row of an index within `Rows`.
pub(super) fn row(cell: Index) -> usize {
    usize::from(cell >> 5) + MARGIN
}

/// The column of an index as a bit.
fn bit(cell: Index) -> u32 {
    1 << (cell & 31)
}

/// The cells of the board that are not blocked.
fn open_rows(rules: &Rules) -> Rows {
    let mut open = [0; 35];
    for cell in rules.cells().filter(|cell| !rules.blocked.contains(*cell)) {
        open[usize::from(rules.height - 1 - cell.row) + MARGIN] |= 1 << cell.column;
    }
    open
}
