//! Alpha-beta that finds forced lines: who wins whatever the other does, and in how many plies.
//!
//! For each column two questions are asked, deeper and deeper: does the other side win after it, and do we? Each is
//! a search with an empty window, in which every position is a yes or a no; a forced reply costs no depth. Once the
//! depth reaches the end of the board, what neither side wins is a draw. The same search with an open window and an
//! evaluation by parity can play (`Prover::value`).

use lianzi_core::Position;

use super::PACE;
use super::board::{Cells, Columns, FourBoard, Outlook, SIDE, each, lines};
use crate::proof::Proof;
use crate::time::Budget;
use crate::{Limits, Stop};

/// What a win is worth that has already happened; one in n plies is worth n less.
pub(crate) const WIN: i32 = 10_000;

/// From here on a value is a proven win.
pub(crate) const PROVEN: i32 = WIN - 1000;

/// How many nodes lie between two looks at the clock.
const BETWEEN: u64 = 1024;

/// What a table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    value: i32,
    depth: i32,
    bound: Bound,
    column: usize,
}

/// What a value in the table says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    AtMost,
    Exact,
    AtLeast,
}

/// Positions that were searched before. A new one takes the place of the old.
///
/// ```text
///     bit 127      64 63  32 31   16 15    8 7   4 3     0
///         [   hash  ][  –  ][ value ][ depth ][bound][column]
/// ```
#[derive(Debug)]
struct ValueTable {
    entries: Vec<u128>,
}

impl ValueTable {
    /// A table in so many MiB.
    fn new(mebibytes: usize) -> ValueTable {
        let entries = ((mebibytes << 20) / size_of::<u128>()).max(1);
        // Memory that is not written to yet costs nothing.
        ValueTable { entries: vec![0; 1 << entries.ilog2()] }
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        hash as usize & (self.entries.len() - 1)
    }

    #[inline]
    fn get(&self, hash: u64) -> Option<Entry> {
        let word = self.entries[self.place(hash)];
        ((word >> 64) as u64 == hash && word as u64 != 0).then(|| Entry {
            value: i32::from((word >> 16) as i16),
            depth: i32::from((word >> 8) as u8),
            bound: match word >> 4 & 15 {
                1 => Bound::AtMost,
                2 => Bound::Exact,
                _ => Bound::AtLeast,
            },
            column: word as usize & 15,
        })
    }

    #[inline]
    fn put(&mut self, hash: u64, entry: Entry) {
        let place = self.place(hash);
        let value = u128::from(entry.value as i16 as u16) << 16;
        let small = (entry.depth.min(255) as u128) << 8 | (entry.bound as u128 + 1) << 4 | entry.column as u128;
        self.entries[place] = u128::from(hash) << 64 | value | small;
    }
}

/// The search, with what it remembers.
#[derive(Debug)]
pub(crate) struct Prover {
    board: FourBoard,
    table: ValueTable,
    /// How often a cell was best, per side: what to look at first.
    history: [Cells<u32>; 2],
    /// How many lines lead through each cell.
    lines: Cells<u8>,
    /// The lines Black's stones lie on less those of White's, as far as the search played them.
    standing: i32,
    nodes: u64,
    most: u64,
    stopped: bool,
}

impl Prover {
    /// A prover for the game of this board, in so many MiB.
    pub(crate) fn new(board: &FourBoard, mebibytes: usize) -> Prover {
        Prover {
            board: board.clone(),
            table: ValueTable::new(mebibytes),
            history: [[0; SIDE * SIDE]; 2],
            lines: lines(board),
            standing: 0,
            nodes: 0,
            most: 0,
            stopped: false,
        }
    }

    /// How many positions the last search looked at.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What is proven of each column of this position, as the side to move sees it, when the budget is spent.
    pub(crate) fn examine(&mut self, board: &FourBoard, budget: &Budget<'_>) -> [Proof; SIDE] {
        self.start(board, budget);
        let mut proofs = [Proof::Open; SIDE];
        for depth in 1.. {
            for column in each(board.open()) {
                if proofs[column].is_open() {
                    proofs[column] = self.prove(column, depth, budget);
                }
            }
            let unclear = each(board.open()).filter(|&column| proofs[column].is_open()).count();
            let won = proofs.iter().any(|proof| matches!(proof, Proof::Win(_)));
            if won || unclear == 0 || self.stopped {
                break;
            }
        }
        proofs
    }

    /// In how many plies a column loses by force, if that is seen before the budget is spent.
    pub(crate) fn refute(&mut self, board: &FourBoard, column: usize, budget: &Budget<'_>) -> Option<Proof> {
        self.start(board, budget);
        let undo = self.board.play(column);
        let mut proof = None;
        for depth in 1..=self.board.left() as i32 {
            let value = self.value(depth, 1, [PROVEN - 1, PROVEN], budget);
            if self.stopped {
                break;
            }
            if value >= PROVEN {
                proof = Some(Proof::Loss((WIN - value) as u16));
                break;
            }
        }
        self.board.undo(&undo);
        proof
    }

    /// The best column by alpha-beta with the evaluation, its value, and the depth that was reached.
    pub(crate) fn best(&mut self, board: &FourBoard, budget: &Budget<'_>) -> (usize, i32, u32) {
        self.start(board, budget);
        let first = |columns: Columns| columns.trailing_zeros() as usize;
        let (mut column, one) = match board.outlook() {
            Outlook::Won => return (first(board.wins(board.turn())), WIN - 1, 1),
            Outlook::Open(columns) => (first(columns), columns & (columns - 1) == 0),
            // All is lost; one of the threats can still be met.
            _ if board.wins(board.turn() ^ 1) != 0 => (first(board.wins(board.turn() ^ 1)), true),
            _ => (first(board.open()), true),
        };
        let (mut value, mut reached) = (0, 0);
        for depth in 1..=board.left() {
            let deeper = self.value(depth as i32, 0, [-WIN, WIN], budget);
            if self.stopped {
                break;
            }
            (value, reached) = (deeper, depth);
            if let Some(entry) = self.table.get(board.hash()).filter(|_| !one) {
                column = entry.column;
            }
            if value.abs() >= PROVEN {
                break;
            }
        }
        (column, value, reached)
    }

    /// Begins a search.
    fn start(&mut self, board: &FourBoard, budget: &Budget<'_>) {
        self.board.clone_from(board);
        self.most = budget.nodes;
        (self.nodes, self.stopped) = (0, false);
        self.history.iter_mut().flatten().for_each(|count| *count /= 8);
    }

    /// What is proven of one column to this depth.
    fn prove(&mut self, column: usize, depth: i32, budget: &Budget<'_>) -> Proof {
        if self.board.wins(self.board.turn()) >> column & 1 == 1 {
            return Proof::Win(1);
        }
        let rest = self.board.left() as i32 - 1;
        let undo = self.board.play(column);
        let lost = self.value(depth, 1, [PROVEN - 1, PROVEN], budget);
        let won = self.value(depth, 1, [-PROVEN, 1 - PROVEN], budget);
        self.board.undo(&undo);
        match () {
            () if self.stopped => Proof::Open,
            () if lost >= PROVEN => Proof::Loss((WIN - lost) as u16),
            () if won <= -PROVEN => Proof::Win((WIN + won) as u16),
            () if depth >= rest => Proof::Draw(rest as u16 + 1),
            () => Proof::Open,
        }
    }

    /// What the position is worth to the side to move, after so many plies since the root, looked at this deep.
    fn value(&mut self, depth: i32, ply: i32, window: [i32; 2], budget: &Budget<'_>) -> i32 {
        self.nodes += 1;
        if self.is_spent(budget) {
            return 0;
        }
        let columns = match self.board.outlook() {
            Outlook::Won => return WIN - ply - 1,
            Outlook::Lost => return ply + 2 - WIN,
            Outlook::Full => return 0,
            Outlook::Open(columns) => columns,
        };
        if columns & (columns - 1) == 0 {
            return self.after(columns.trailing_zeros() as usize, depth, ply, window, budget);
        }
        if depth <= 0 {
            return self.guess(window);
        }
        let hash = self.board.hash();
        let known = self.table.get(hash);
        if let Some(value) = known.and_then(|entry| settled(entry, depth, ply, window)) {
            return value;
        }
        self.branch(columns, known.map(|entry| entry.column), depth, ply, window, budget)
    }

    /// The value of a choice of columns: the best of them.
    fn branch(
        &mut self,
        columns: Columns,
        first: Option<usize>,
        depth: i32,
        ply: i32,
        [mut alpha, beta]: [i32; 2],
        budget: &Budget<'_>,
    ) -> i32 {
        let (low, mut best, mut column) = (alpha, -WIN, 0);
        let (order, count) = self.ordered(columns, first);
        for (n, &next) in order[..count].iter().enumerate() {
            let mut value = self.after(next, depth - 1, ply, [alpha, if n == 0 { beta } else { alpha + 1 }], budget);
            if n > 0 && value > alpha && value < beta {
                value = self.after(next, depth - 1, ply, [alpha, beta], budget);
            }
            if self.stopped {
                return 0;
            }
            if value > best {
                (best, column) = (value, next);
                alpha = alpha.max(value);
            }
            if best >= beta {
                let cell = self.board.cell(next);
                let count = &mut self.history[self.board.turn()][cell];
                *count = count.saturating_add((depth * depth) as u32);
                break;
            }
        }
        let bound = match () {
            () if best >= beta => Bound::AtLeast,
            () if best > low => Bound::Exact,
            () => Bound::AtMost,
        };
        self.table.put(self.board.hash(), Entry { value: relative(best, ply), depth, bound, column });
        best
    }

    /// The value of one column.
    #[inline]
    fn after(&mut self, column: usize, depth: i32, ply: i32, window: [i32; 2], budget: &Budget<'_>) -> i32 {
        let worth = i32::from(self.lines[self.board.cell(column)]) * if self.board.turn() == 0 { 1 } else { -1 };
        self.standing += worth;
        let undo = self.board.play(column);
        let value = -self.value(depth, ply + 1, [-window[1], -window[0]], budget);
        self.board.undo(&undo);
        self.standing -= worth;
        value
    }

    /// The columns, the most promising first.
    fn ordered(&self, columns: Columns, first: Option<usize>) -> ([usize; SIDE], usize) {
        let (mut order, mut scores, mut count) = ([0; SIDE], [0u32; SIDE], 0);
        for column in each(columns) {
            let cell = self.board.cell(column);
            let known = self.history[self.board.turn()][cell].min((1 << 21) - 1);
            let plain = self.board.promise(column) << 26 | known << 5 | u32::from(self.lines[cell]);
            let score = if first == Some(column) { u32::MAX } else { plain };
            let mut place = count;
            while place > 0 && scores[place - 1] < score {
                (order[place], scores[place]) = (order[place - 1], scores[place - 1]);
                place -= 1;
            }
            (order[place], scores[place]) = (column, score);
            count += 1;
        }
        (order, count)
    }

    /// Looks at the limits now and then.
    fn is_spent(&mut self, budget: &Budget<'_>) -> bool {
        self.stopped = self.stopped || self.nodes > self.most || self.nodes.is_multiple_of(BETWEEN) && budget.is_over();
        self.stopped
    }

    /// What the position looks like where the search ends; when only proofs are asked for, nothing is proven here.
    fn guess(&self, [alpha, beta]: [i32; 2]) -> i32 {
        match () {
            () if alpha >= PROVEN - 1 => alpha,
            () if beta <= 1 - PROVEN => beta,
            () => self.evaluate(),
        }
    }

    /// Threats by parity, and stones by the lines they lie on, to the side to move.
    fn evaluate(&self) -> i32 {
        let me = self.board.turn();
        let threats: i32 = each(self.board.open()).map(|column| self.claim(column)).sum();
        threats + if me == 0 { self.standing } else { -self.standing }
    }

    /// What the threats in one column are worth to the side to move.
    ///
    /// When all other cells are filled, somebody must play below a threat. The side that then gets the cell is told by
    /// parity: the side to move, if the cells outside the column's part at and above the threat are even in number.
    fn claim(&self, column: usize) -> i32 {
        const SURE: i32 = 60;
        const VAIN: i32 = 6;
        let (me, left) = (self.board.turn(), self.board.left());
        let (mine, other) = (self.board.winning(me, column), self.board.winning(me ^ 1, column));
        let (mut worth, mut cells) = (0, mine | other);
        while cells != 0 {
            let cell = cells & cells.wrapping_neg();
            cells &= cells - 1;
            let at_or_above = (self.board.free(column) & cell.wrapping_neg()).count_ones();
            let (ours, sign) = if (left - at_or_above).is_multiple_of(2) { (mine, 1) } else { (other, -1) };
            if ours & cell != 0 {
                return worth + sign * (SURE - cell.trailing_zeros() as i32);
            }
            worth -= sign * VAIN;
        }
        worth
    }
}

/// The plies to the end that a value proves, if it does: positive when winning, negative when losing.
pub(crate) fn win_in(value: i32) -> Option<i32> {
    (value.abs() >= PROVEN).then(|| value.signum() * (WIN - value.abs()))
}

/// What is proven of each column within these limits, by a prover that knows nothing yet; and how many positions it
/// looked at.
pub fn examine(position: &Position, limits: &Limits, stop: &Stop) -> ([Proof; SIDE], u64) {
    let board = FourBoard::new(position);
    let mut prover = Prover::new(&board, 8);
    let proofs = prover.examine(&board, &Budget::new(&PACE, position, limits, stop));
    (proofs, prover.nodes())
}

/// What an entry settles of a question, if it does.
fn settled(entry: Entry, depth: i32, ply: i32, [alpha, beta]: [i32; 2]) -> Option<i32> {
    let value = absolute(entry.value, ply);
    // A proven result holds at every depth.
    let deep = entry.depth >= depth
        || value >= PROVEN && entry.bound != Bound::AtMost
        || value <= -PROVEN && entry.bound != Bound::AtLeast;
    let enough = match entry.bound {
        Bound::Exact => true,
        Bound::AtLeast => value >= beta,
        Bound::AtMost => value <= alpha,
    };
    (deep && enough).then_some(value)
}

/// A value as seen from the position itself: the table meets it at other distances from the root.
fn relative(value: i32, ply: i32) -> i32 {
    if value >= PROVEN {
        value + ply
    } else if value <= -PROVEN {
        value - ply
    } else {
        value
    }
}

fn absolute(value: i32, ply: i32) -> i32 {
    if value >= PROVEN {
        value - ply
    } else if value <= -PROVEN {
        value + ply
    } else {
        value
    }
}

#[cfg(test)]
mod tests;
