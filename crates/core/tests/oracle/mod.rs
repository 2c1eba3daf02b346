//! A second referee, slow and plain, written only from the rules, to test the first one against.
//!
//! It shares no method with `Position`: the board is a grid of letters, a win is found by reading every line of
//! the whole board, turns are counted off stone by stone, a dropped stone falls cell by cell from the top, and
//! renju's fouls are read off windows of letters (see `renju`). Nothing is updated step by step and nothing can
//! be taken back, so there is little that could go wrong. Other crates use it by `#[path]`.

// Every test file uses its own part of it.
#![allow(dead_code)]

mod renju;

use std::rc::Rc;

use lianzi_core::{Cell, Forbidden, IllegalMove, Outcome, Overline, Placement, Rules, Stone};

pub const BLACK: char = 'X';
pub const WHITE: char = 'O';
pub const EMPTY: char = '.';
pub const BLOCKED: char = '#';

/// What lies where: `grid[row][column]`, both from 0, row 0 at the bottom.
pub type Grid = Vec<Vec<char>>;

/// A game in progress, judged by brute force.
#[derive(Clone)]
pub struct Oracle {
    rules: Rules,
    /// Every straight line of the board from edge to edge; the board never changes its shape, so they are shared.
    lines: Rc<Vec<Vec<Cell>>>,
    grid: Grid,
    side: char,
    /// Stones this turn still has, whether or not the board has room for them.
    left: u8,
    /// Stones this turn has already had.
    placed: u8,
    outcome: Option<Outcome>,
}

impl Oracle {
    /// The empty board.
    pub fn new(rules: Rules) -> Oracle {
        let mut grid = vec![vec![EMPTY; rules.width.into()]; rules.height.into()];
        for cell in rules.blocked.iter() {
            grid[usize::from(cell.row)][usize::from(cell.column)] = BLOCKED;
        }
        Oracle::on(rules, grid, Stone::Black, rules.first_turn)
    }

    /// A board on which stones lie already, with this side to begin.
    pub fn on(rules: Rules, grid: Grid, to_move: Stone, stones_left: u8) -> Oracle {
        let lines = Rc::new(lines(rules.width, rules.height));
        let side = letter(to_move);
        let mut oracle = Oracle { rules, lines, grid, side, left: stones_left, placed: 0, outcome: None };
        oracle.outcome = oracle.judge();
        oracle
    }

    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    pub fn to_move(&self) -> Stone {
        stone(self.side)
    }

    /// A turn ends early when the board is full, and has nothing left when the game is over.
    pub fn stones_left(&self) -> u8 {
        if self.outcome.is_some() { 0 } else { (0..self.left).zip(self.empty()).count() as u8 }
    }

    pub fn mid_turn(&self) -> bool {
        self.placed > 0
    }

    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The letter on a cell; cells outside the board look blocked.
    pub fn letter(&self, cell: Cell) -> char {
        let row = self.grid.get(usize::from(cell.row));
        row.and_then(|row| row.get(usize::from(cell.column))).copied().unwrap_or(BLOCKED)
    }

    /// Plays one stone for the side to move.
    pub fn play(&mut self, cell: Cell) -> Result<(), IllegalMove> {
        self.check(cell)?;
        self.grid[usize::from(cell.row)][usize::from(cell.column)] = self.side;
        self.end_ply();
        self.outcome = self.judge();
        Ok(())
    }

    fn end_ply(&mut self) {
        self.left -= 1;
        self.placed += 1;
        if self.left == 0 {
            self.side = if self.side == BLACK { WHITE } else { BLACK };
            (self.left, self.placed) = (self.rules.per_turn, 0);
        }
    }

    /// Says why the side to move may not play on this cell.
    pub fn check(&self, cell: Cell) -> Result<(), IllegalMove> {
        if self.outcome.is_some() {
            return Err(IllegalMove::GameOver);
        }
        if cell.column >= self.rules.width || cell.row >= self.rules.height {
            return Err(IllegalMove::OffBoard);
        }
        match self.letter(cell) {
            BLOCKED => return Err(IllegalMove::Blocked),
            BLACK | WHITE => return Err(IllegalMove::Occupied),
            _ => {}
        }
        if self.rules.placement == Placement::Drop && self.fall(cell.column) != Some(cell) {
            return Err(IllegalMove::Floating);
        }
        if self.is_bound() {
            let foul = renju::foul(&mut self.grid.clone(), cell);
            return foul.map_or(Ok(()), |foul| Err(IllegalMove::Forbidden(foul)));
        }
        Ok(())
    }

    /// The cells on which a stone may be put now.
    pub fn legal(&self) -> Vec<Cell> {
        self.cells().filter(|&cell| self.check(cell).is_ok()).collect()
    }

    /// Every maximal row of stones that wins: its side and its cells.
    pub fn winning_rows(&self) -> Vec<(Stone, Vec<Cell>)> {
        let rows = self.lines.iter().flat_map(|line| self.rows_of(line));
        rows.filter(|(side, row)| self.wins(*side, row.len())).map(|(side, row)| (stone(side), row.to_vec())).collect()
    }

    /// How many sequences of exactly `depth` stones can be played from here.
    pub fn perft(&self, depth: usize) -> u64 {
        if depth == 0 {
            return 1;
        }
        let legal = self.legal();
        if depth == 1 {
            return legal.len() as u64;
        }
        let after = |cell| {
            let mut next = self.clone();
            next.play(cell).expect("a legal cell can be played");
            next.perft(depth - 1)
        };
        legal.into_iter().map(after).sum()
    }

    /// The board as text, the top row first.
    pub fn picture(&self) -> String {
        let rows = self.grid.iter().rev().map(|row| row.iter().collect::<String>());
        rows.collect::<Vec<_>>().join("\n")
    }

    /// Splits a line of the board into its maximal rows of stones of one side.
    fn rows_of<'a>(&self, line: &'a [Cell]) -> impl Iterator<Item = (char, &'a [Cell])> {
        let rows = line.chunk_by(|&a, &b| self.letter(a) == self.letter(b));
        rows.map(|row| (self.letter(row[0]), row)).filter(|(side, _)| matches!(*side, BLACK | WHITE))
    }

    fn wins(&self, side: char, length: usize) -> bool {
        let bound = side == BLACK && self.rules.forbidden == Forbidden::Renju;
        let wanted = usize::from(self.rules.line);
        length == wanted || length > wanted && self.rules.overline == Overline::Wins && !bound
    }

    /// Reads the whole board: won, nowhere left to play, or going on.
    fn judge(&self) -> Option<Outcome> {
        if let Some((winner, _)) = self.winning_rows().first() {
            return Some(Outcome::Win(*winner));
        }
        let stuck = self.empty().all(|cell| self.check(cell).is_err());
        let full = self.empty().next().is_none();
        (full || self.is_bound() && stuck).then_some(Outcome::Draw)
    }

    fn is_bound(&self) -> bool {
        self.rules.forbidden == Forbidden::Renju && self.side == BLACK
    }

    /// Lets a stone fall from the top: past blocked cells, down to the floor or onto another stone.
    fn fall(&self, column: u8) -> Option<Cell> {
        let mut rest = None;
        for row in (0..self.rules.height).rev() {
            let cell = Cell::new(column, row);
            match self.letter(cell) {
                EMPTY => rest = Some(cell),
                BLOCKED => {}
                _ => break,
            }
        }
        rest
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.rules.width, self.rules.height);
        (0..height).flat_map(move |row| (0..width).map(move |column| Cell::new(column, row)))
    }

    fn empty(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells().filter(|&cell| self.letter(cell) == EMPTY)
    }
}

/// Every straight line of a board from edge to edge: rows, columns and both kinds of diagonals.
fn lines(width: u8, height: u8) -> Vec<Vec<Cell>> {
    let rows = (0..height).map(|row| (0..width).map(|column| Cell::new(column, row)).collect());
    let columns = (0..width).map(|column| (0..height).map(|row| Cell::new(column, row)).collect());
    // Along one diagonal column − row is constant, along the other column + row.
    let span = i16::from(width) + i16::from(height);
    let cell =
        |column: u8, row: i16| u8::try_from(row).ok().filter(|&row| row < height).map(|row| Cell::new(column, row));
    let rising =
        (-span..=span).map(|d| (0..width).filter_map(move |column| cell(column, i16::from(column) - d)).collect());
    let falling =
        (-span..=span).map(|sum| (0..width).filter_map(move |column| cell(column, sum - i16::from(column))).collect());
    rows.chain(columns).chain(rising).chain(falling).filter(|line: &Vec<Cell>| !line.is_empty()).collect()
}

pub fn letter(stone: Stone) -> char {
    match stone {
        Stone::Black => BLACK,
        Stone::White => WHITE,
    }
}

fn stone(side: char) -> Stone {
    if side == BLACK { Stone::Black } else { Stone::White }
}
