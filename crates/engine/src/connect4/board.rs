//! A fast board that always knows which cells complete a line.
//!
//! Each side has one 16-bit word per row, column and diagonal:
//!
//! ```text
//!     word   0 … 15   row r              bit c: the stone in column c
//!     word  16 … 31   column c           bit r: the stone in row r
//!     word  32 … 62   diagonal c − r     bit c      (word 47 + c − r)
//!     word  64 … 94   diagonal c + r     bit c      (word 64 + c + r)
//! ```
//!
//! A stone can only make new winning cells at most three steps away, so the seven places around it are cut out of
//! its four words and laid side by side, and a few shifts find the winning cells of all four lines at once:
//!
//! ```text
//!     bit   63        48 47        32 31        16 15         0
//!          [ diagonal / ][ diagonal \ ][  column   ][   row    ]
//!
//!     each 16 bits:      . . . . . . 3 2 1 * 1 2 3 . . .
//!                        15        9     6     3       0        * the stone
//! ```
//!
//! What they find is kept per column, bit r for row r, next to the cells of the column that are still free:
//!
//! ```text
//!     free     0 1 1 1 1 0 0 0     the lowest bit is where the next stone lands, the next one what it opens
//!     winning  0 0 1 0 1 0 0 0     here the column wins at once, and so does the cell two above it
//! ```

use lianzi_core::{Cell, Position, mix};

use crate::family::Family;

/// The longest side of a board.
pub(crate) const SIDE: usize = Family::LARGEST_FOUR as usize;

/// Something for every cell, in the order of [`FourBoard::cell`].
pub(crate) type Cells<T> = [T; SIDE * SIDE];

/// A set of columns, bit c for column c.
pub(crate) type Columns = u16;

/// What the side to move can do, as far as the next two plies tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outlook {
    /// It completes a line now.
    Won,
    /// Whatever it does, the other side completes a line next.
    Lost,
    /// The board is full.
    Full,
    /// Only these columns do not lose at once; where the other side threatens it is one.
    Open(Columns),
}

/// The position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FourBoard {
    lines: [[u16; 96]; 2],
    /// Per side and column, the free cells that complete a line of that side; bits of taken cells mean nothing.
    winning: [[u16; SIDE]; 2],
    /// Per column the cells that are neither taken nor blocked.
    free: [u16; SIDE],
    /// The columns each side completes a line in at once.
    now: [Columns; 2],
    /// The columns in which the next stone opens a winning cell of each side.
    above: [Columns; 2],
    open: Columns,
    left: u16,
    turn: u8,
    hash: u64,
}

/// What is needed to take a stone back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Undo {
    winning: [u16; SIDE],
    now: [Columns; 2],
    above: [Columns; 2],
    cell: u8,
}

/// What a stone of each side on each cell adds to the hash.
const KEYS: [Cells<u64>; 2] = {
    let mut keys = [[0; SIDE * SIDE]; 2];
    let mut n = 0;
    while n < SIDE * SIDE {
        keys[0][n] = mix(2 * n as u64 + 1);
        keys[1][n] = mix(2 * n as u64 + 2);
        n += 1;
    }
    keys
};

/// What the second side's turn adds to the hash.
const TURN_KEY: u64 = mix(u64::MAX);

/// The seven places around a stone in each of its four lines.
const AROUND: u64 = 0x03f8_03f8_03f8_03f8;

/// The words of a cell's four lines and its place in each of them.
#[inline]
const fn crossing(column: usize, row: usize) -> [(usize, usize); 4] {
    [(row, column), (16 + column, row), (32 + ((column + 15 - row) & 31), column), (64 + column + row, column)]
}

/// How far right and up of a stone each place around it lies.
const AWAY: [(i8, i8); 64] = {
    let steps: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
    let mut away = [(0, 0); 64];
    let mut bit = 0;
    while bit < 64 {
        let (step, far) = (steps[bit / 16], (bit % 16) as i8 - 6);
        away[bit] = (far * step.0, far * step.1);
        bit += 1;
    }
    away
};

/// The free places around a stone that complete a line with it, from the four words cut out as shown above.
#[inline]
const fn completing(own: u64) -> u64 {
    let (up, down) = ((own >> 1), (own << 1));
    let (up_two, down_two) = (up & own >> 2, down & own << 2);
    (up_two & (own >> 3 | down) | down_two & (own << 3 | up)) & AROUND & !own
}

impl FourBoard {
    /// The board of a position of [`Family::ConnectFour`].
    pub(crate) fn new(position: &Position) -> FourBoard {
        let rules = position.rules();
        debug_assert_eq!(Family::of(rules), Family::ConnectFour);
        let mut board = FourBoard {
            lines: [[0; 96]; 2],
            winning: [[0; SIDE]; 2],
            free: [0; SIDE],
            now: [0; 2],
            above: [0; 2],
            open: 0,
            left: 0,
            turn: 0,
            hash: 0,
        };
        for cell in rules.cells().filter(|&cell| !rules.blocked.contains(cell)) {
            board.free[usize::from(cell.column)] |= 1 << cell.row;
            board.left += 1;
        }
        board.open = columns(|column| board.free[column] != 0);
        for cell in rules.cells() {
            if let Some(stone) = position.stone(cell) {
                board.turn = stone.index() as u8;
                board.play(cell.column.into());
            }
        }
        board.turn = position.to_move().index() as u8;
        board
    }

    /// The side to move, 0 for Black.
    #[inline]
    pub(crate) fn turn(&self) -> usize {
        usize::from(self.turn & 1)
    }

    /// How many cells are free.
    #[inline]
    pub(crate) fn left(&self) -> u32 {
        self.left.into()
    }

    /// The columns that are not full.
    #[inline]
    pub(crate) fn open(&self) -> Columns {
        self.open
    }

    /// The columns in which this side completes a line at once.
    #[inline]
    pub(crate) fn wins(&self, side: usize) -> Columns {
        self.now[side & 1]
    }

    /// The columns in which the next stone opens a cell that completes a line of this side.
    #[inline]
    pub(crate) fn opens(&self, side: usize) -> Columns {
        self.above[side & 1]
    }

    /// The free cells of a column that complete a line of this side, bit r for row r.
    #[inline]
    pub(crate) fn winning(&self, side: usize, column: usize) -> u16 {
        self.winning[side & 1][column & 15] & self.free[column & 15]
    }

    /// The free cells of a column, bit r for row r.
    #[inline]
    pub(crate) fn free(&self, column: usize) -> u16 {
        self.free[column & 15]
    }

    /// The cells of a column that are not blocked, bit r for row r.
    pub(crate) fn cells(&self, column: usize) -> u16 {
        self.free[column & 15] | self.lines[0][16 + (column & 15)] | self.lines[1][16 + (column & 15)]
    }

    /// The number of the cell a stone dropped into this column, which is not full, would take: 16·row + column.
    #[inline]
    pub(crate) fn cell(&self, column: usize) -> usize {
        let row = self.free[column & 15].trailing_zeros() as usize & 15;
        row << 4 | column & 15
    }

    /// Where a stone dropped into this column, which is not full, comes to rest.
    #[inline]
    pub(crate) fn landing(&self, column: usize) -> Cell {
        Cell::new(column as u8, (self.cell(column) >> 4) as u8)
    }

    /// A number that tells positions of one game apart.
    #[inline]
    pub(crate) fn hash(&self) -> u64 {
        self.hash ^ if self.turn == 0 { 0 } else { TURN_KEY }
    }

    /// What the side to move can do.
    #[inline]
    pub(crate) fn outlook(&self) -> Outlook {
        let (me, other) = (self.turn(), self.turn() ^ 1);
        if self.now[me] != 0 {
            return Outlook::Won;
        }
        let threats = self.now[other];
        let wanted = if threats == 0 { self.open } else { threats };
        let safe = wanted & !self.above[other];
        if threats & threats.wrapping_sub(1) != 0 || safe == 0 && self.open != 0 {
            return Outlook::Lost;
        }
        if safe == 0 { Outlook::Full } else { Outlook::Open(safe) }
    }

    /// Cuts the places around a cell out of a side's four lines.
    #[inline(always)]
    fn around(&self, side: usize, column: usize, row: usize) -> u64 {
        let [one, two, three, four] = crossing(column, row);
        let cut = |(word, place): (usize, usize)| (u64::from(self.lines[side][word]) << 6) >> place & 0x3f8;
        cut(one) | cut(two) << 16 | cut(three) << 32 | cut(four) << 48
    }

    /// How many new winning cells a stone of the side to move makes in this column; some may lie off the board.
    #[inline]
    pub(crate) fn promise(&self, column: usize) -> u32 {
        completing(self.around(self.turn(), column & 15, self.cell(column) >> 4) | 0x0040_0040_0040_0040).count_ones()
    }

    /// Drops a stone of the side to move into a column that is not full, for good: the hash is not kept.
    #[inline(always)]
    pub(crate) fn drop(&mut self, column: usize) {
        let (side, column, row) = (self.turn(), column & 15, self.cell(column) >> 4);
        let [one, two, three, four] = crossing(column, row);
        let mut put = |(word, place): (usize, usize)| {
            self.lines[side][word] |= 1 << place;
            (u64::from(self.lines[side][word]) << 6) >> place & 0x3f8
        };
        let found = completing(put(one) | put(two) << 16 | put(three) << 32 | put(four) << 48);
        let free = self.free[column];
        self.free[column] = free & free.wrapping_sub(1);
        self.left -= 1;
        self.open &= !(Columns::from(self.free[column] == 0) << column);
        self.refresh(column);
        if found != 0 {
            self.note(found, side, column, row);
        }
        self.turn ^= 1;
    }

    /// Drops a stone that may be taken back.
    #[inline]
    pub(crate) fn play(&mut self, column: usize) -> Undo {
        let side = self.turn();
        let cell = self.cell(column);
        let undo = Undo { winning: self.winning[side], now: self.now, above: self.above, cell: cell as u8 };
        self.hash ^= KEYS[side][cell];
        self.drop(column);
        undo
    }

    /// Takes back the stone played last.
    #[inline]
    pub(crate) fn undo(&mut self, undo: &Undo) {
        self.turn ^= 1;
        let side = self.turn();
        let (column, row) = (usize::from(undo.cell) & 15, usize::from(undo.cell) >> 4);
        for (word, place) in crossing(column, row) {
            self.lines[side][word] &= !(1 << place);
        }
        self.free[column] |= 1 << row;
        self.open |= 1 << column;
        self.left += 1;
        self.hash ^= KEYS[side][usize::from(undo.cell)];
        self.winning[side] = undo.winning;
        (self.now, self.above) = (undo.now, undo.above);
    }

    /// Enters the winning cells that were found around a stone.
    fn note(&mut self, mut found: u64, side: usize, column: usize, row: usize) {
        while found != 0 {
            let (right, up) = AWAY[found.trailing_zeros() as usize];
            found &= found - 1;
            let (column, row) = (column.wrapping_add_signed(right.into()), row.wrapping_add_signed(up.into()));
            if (column | row) >= SIDE {
                continue;
            }
            let (cell, free) = (1 << row, self.free[column]);
            if free & cell & !self.winning[side][column] != 0 {
                self.winning[side][column] |= cell;
                let rest = free & free.wrapping_sub(1);
                self.now[side] |= Columns::from(free & free.wrapping_neg() == cell) << column;
                self.above[side] |= Columns::from(rest & rest.wrapping_neg() == cell) << column;
            }
        }
    }

    /// Looks again at what the next two stones in a column would meet.
    #[inline(always)]
    fn refresh(&mut self, column: usize) {
        let free = self.free[column];
        let rest = free & free.wrapping_sub(1);
        let (next, second) = (free & free.wrapping_neg(), rest & rest.wrapping_neg());
        for side in 0..2 {
            let winning = self.winning[side][column];
            let bit = |cell: u16| Columns::from(winning & cell != 0) << column;
            self.now[side] = self.now[side] & !(1 << column) | bit(next);
            self.above[side] = self.above[side] & !(1 << column) | bit(second);
        }
    }
}

/// The set of the columns of which something is true.
fn columns(is: impl Fn(usize) -> bool) -> Columns {
    (0..SIDE).filter(|&column| is(column)).fold(0, |set, column| set | 1 << column)
}

/// How many lines of four lead through each cell of a board.
pub(crate) fn lines(board: &FourBoard) -> Cells<u8> {
    let is_cell = |column: i32, row: i32| {
        let side = 0..SIDE as i32;
        side.contains(&column) && side.contains(&row) && board.cells(column as usize) >> row & 1 == 1
    };
    let mut lines = [0; SIDE * SIDE];
    for (column, row) in (0..SIDE as i32).flat_map(|column| (0..SIDE as i32).map(move |row| (column, row))) {
        for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let line = (0..4).map(|n| (column + n * right, row + n * up));
            if line.clone().all(|(column, row)| is_cell(column, row)) {
                line.for_each(|(column, row)| lines[row as usize * SIDE + column as usize] += 1);
            }
        }
    }
    lines
}

/// For every half of a set, how many columns it has and which.
const HALVES: [(u8, [u8; 8]); 256] = {
    let mut halves = [(0, [0; 8]); 256];
    let mut set = 0;
    while set < 256 {
        let mut column = 0;
        while column < 8 {
            if set >> column & 1 == 1 {
                halves[set].1[halves[set].0 as usize] = column;
                halves[set].0 += 1;
            }
            column += 1;
        }
        set += 1;
    }
    halves
};

/// One of the columns of a set that is not empty, each about as likely, by random bits; from a table, because branches
/// cannot be foreseen here.
#[inline]
pub(crate) fn pick(set: Columns, bits: u16) -> usize {
    let (low, high) = (&HALVES[usize::from(set & 255)], &HALVES[usize::from(set >> 8)]);
    let n = ((u32::from(bits) * u32::from(low.0 + high.0)) >> 16) as usize;
    let (half, n, first) = if n < usize::from(low.0) { (low, n, 0) } else { (high, n - usize::from(low.0), 8) };
    first + usize::from(half.1[n & 7])
}

/// The columns of a set, from the left.
pub(crate) fn each(mut set: Columns) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let column = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        column
    })
}

#[cfg(test)]
mod tests;
