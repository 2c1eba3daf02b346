//! A board packed into a word, and what masks can say about it.
//!
//! A column takes `height + 1` bits, the lowest cell first; the bit above the top cell stays empty, so that no
//! shift carries a line from one column into the next. `stones` below means the stones of one side, `full` every
//! cell on which nothing can be played any more: the stones of both sides and the blocked cells.

use lianzi_core::{Cell, Content, Overline, Placement, Position, Rules};

use super::word::Word;

/// Mirrored positions count as one while so many cells are free; later they are too rare to be looked for.
const MIRRORED: i32 = 26;

/// The masks of one board. `STRIDE` is the number of bits from a column to the next where the compiler is to know it,
/// on boards without blocked cells, and otherwise 0.
#[derive(Clone, Debug)]
pub(super) struct Shape<W, const STRIDE: u32> {
    stride: u32,
    /// How many columns there are.
    pub width: u32,
    /// Every cell that can be played.
    pub cells: W,
    /// The cells nobody may play on.
    pub blocked: W,
    /// How many blocked cells lie one upon another at most.
    run: u32,
    /// The lowest bit of every column.
    floor: W,
    /// Counted from the top of its column without blocked cells, every second cell: the lower ones of pairs.
    pub lower: W,
    /// Whether the board looks the same in a mirror.
    pub symmetric: bool,
}

/// Whether a board fits into a word, and no shift along a line is longer than it.
pub(super) fn fits<W: Word>(rules: &Rules) -> bool {
    let stride = u32::from(rules.height) + 1;
    u32::from(rules.width) * stride <= W::BITS && 3 * (stride + 1) < W::BITS
}

/// Whether these rules are Connect Four, on any board.
pub(super) fn is_connect_four(rules: &Rules) -> bool {
    let one_each = (rules.per_turn, rules.first_turn) == (1, 1);
    rules.placement == Placement::Drop && rules.line == 4 && rules.overline == Overline::Wins && one_each
}

impl<W: Word, const STRIDE: u32> Shape<W, STRIDE> {
    /// The masks of this board, which must fit.
    pub(super) fn new(rules: &Rules) -> Self {
        assert!(fits::<W>(rules), "the board must fit into the word");
        let stride = u32::from(rules.height) + 1;
        assert!(STRIDE == 0 || (STRIDE == stride && rules.blocked.is_empty()), "the wrong shape");
        let mut shape = Shape {
            stride,
            width: rules.width.into(),
            cells: W::ZERO,
            blocked: W::ZERO,
            run: 0,
            floor: W::ZERO,
            lower: W::ZERO,
            symmetric: true,
        };
        for column in 0..rules.width {
            shape.add_column(rules, column);
        }
        shape.symmetric = shape.mirror(shape.blocked) == shape.blocked;
        shape
    }

    fn add_column(&mut self, rules: &Rules, column: u8) {
        self.floor |= self.bit(Cell::new(column, 0));
        let (mut run, mut upper) = (0, true);
        for cell in (0..rules.height).rev().map(|row| Cell::new(column, row)) {
            let bit = self.bit(cell);
            if rules.blocked.contains(cell) {
                self.blocked |= bit;
                run += 1;
                self.run = self.run.max(run);
                continue;
            }
            self.cells |= bit;
            if !upper {
                self.lower |= bit;
            }
            (run, upper) = (0, !upper);
        }
    }

    #[inline(always)]
    fn stride(&self) -> u32 {
        if STRIDE == 0 { self.stride } else { STRIDE }
    }

    /// The bit of a cell.
    pub(super) fn bit(&self, cell: Cell) -> W {
        W::ONE << (u32::from(cell.column) * self.stride() + u32::from(cell.row))
    }

    /// The cell of a bit.
    pub(super) fn cell(&self, bit: W) -> Cell {
        let n = bit.lowest();
        Cell::new((n / self.stride()) as u8, (n % self.stride()) as u8)
    }

    /// The column of a bit.
    #[inline(always)]
    pub(super) fn column(&self, bit: W) -> u32 {
        bit.lowest() / self.stride()
    }

    /// All bits of a column, the one above its top too.
    #[inline(always)]
    pub(super) fn column_mask(&self, column: u32) -> W {
        let one = (W::ONE << self.stride()).minus(W::ONE);
        one << (column * self.stride())
    }

    /// Where a stone dropped into each column comes to rest.
    #[inline(always)]
    pub(super) fn landing(&self, full: W) -> W {
        // The sum runs through the full cells from the floor and stops at the first free one.
        (full + self.floor) & !full & self.cells
    }

    /// The cells on which a stone must lie before these can be played.
    #[inline(always)]
    pub(super) fn below(&self, cells: W) -> W {
        let mut below = cells >> 1;
        for _ in 0..if STRIDE == 0 { self.run } else { 0 } {
            below |= (below & self.blocked) >> 1;
        }
        below
    }

    /// The cells that complete a line with these stones, whatever lies there.
    #[inline(always)]
    pub(super) fn completing(&self, stones: W) -> W {
        let s = self.stride();
        let column = (stones << 1) & (stones << 2) & (stones << 3);
        column | along(stones, s) | along(stones, s - 1) | along(stones, s + 1)
    }

    /// The free cells on which a stone of this side wins, now or later.
    #[inline(always)]
    pub(super) fn winning(&self, stones: W, full: W) -> W {
        self.completing(stones) & self.cells & !full
    }

    /// Whether these cells hold a line.
    #[inline(always)]
    pub(super) fn has_line(&self, cells: W) -> bool {
        let s = self.stride();
        !(line(cells, 1) | line(cells, s) | line(cells, s - 1) | line(cells, s + 1)).is_zero()
    }

    /// A number that tells positions of this board apart: the mover's stones and how high the columns are.
    #[inline(always)]
    pub(super) fn key(&self, stones: W, full: W) -> W {
        stones + full
    }

    /// The same, but one number for a position and its mirror image while many cells are free.
    #[inline(always)]
    pub(super) fn shared_key(&self, stones: W, full: W, free: i32) -> W {
        let key = self.key(stones, full);
        if free < MIRRORED || !self.symmetric {
            return key;
        }
        key.min(self.key(self.mirror(stones), self.mirror(full)))
    }

    /// The stones of the side to move, and all full cells.
    pub(super) fn read(&self, position: &Position) -> (W, W) {
        let mut stones = [W::ZERO; 2];
        for cell in position.rules().cells() {
            if let Some(Content::Stone(stone)) = position.content(cell) {
                stones[stone.index()] |= self.bit(cell);
            }
        }
        (stones[position.to_move().index()], stones[0] | stones[1] | self.blocked)
    }

    /// The same board, left and right exchanged.
    pub(super) fn mirror(&self, cells: W) -> W {
        let column = (W::ONE << self.stride()).minus(W::ONE);
        let mut mirrored = W::ZERO;
        for n in 0..self.width {
            let bits = (cells >> (n * self.stride())) & column;
            mirrored |= bits << ((self.width - 1 - n) * self.stride());
        }
        mirrored
    }
}

/// The cells that complete a line in one direction: at either end, or in one of the two gaps.
#[inline(always)]
fn along<W: Word>(stones: W, step: u32) -> W {
    let up = (stones << step) & (stones << (2 * step));
    let down = (stones >> step) & (stones >> (2 * step));
    (up & ((stones << (3 * step)) | (stones >> step))) | (down & ((stones << step) | (stones >> (3 * step))))
}

/// The first cell of every line of four in one direction.
#[inline(always)]
fn line<W: Word>(cells: W, step: u32) -> W {
    let pairs = cells & (cells >> step);
    pairs & (pairs >> (2 * step))
}
