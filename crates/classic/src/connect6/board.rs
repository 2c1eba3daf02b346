//! The stones as bits along every line, so that a line can be scored without being gathered cell by cell.

use lianzi_core::{Cell, Content, Position, Stone};

/// One line: bit `n` is its cell `n`. What is neither a stone nor empty is a blocked cell or outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    stones: [u32; 2],
    empty: u32,
}

impl Line {
    /// The stones of one side.
    pub fn stones(self, stone: Stone) -> u32 {
        self.stones[stone.index()]
    }

    /// The empty cells.
    pub fn empty(self) -> u32 {
        self.empty
    }

    /// The line with one more stone.
    pub fn with(mut self, bit: u8, stone: Stone) -> Line {
        self.stones[stone.index()] |= 1 << bit;
        self.empty &= !(1 << bit);
        self
    }

    fn without(mut self, bit: u8, stone: Stone) -> Line {
        self.stones[stone.index()] &= !(1 << bit);
        self.empty |= 1 << bit;
        self
    }

    fn has_six(self, stone: Stone) -> bool {
        let stones = self.stones(stone);
        (1..6).fold(stones, |six, n| six & stones >> n) != 0
    }
}

/// Where a cell lies in one of its four lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line's number.
    pub line: usize,
    /// The cell's bit in it.
    pub bit: u8,
}

/// A board that an engine may put stones on and take them off again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    width: u8,
    height: u8,
    /// Rows, columns, then the two kinds of diagonals (S0-52: 横, 竖, 撇, 捺; which diagonal is which depends on
    /// where rows are counted from and changes nothing).
    lines: Vec<Line>,
    free: usize,
}

impl Board {
    /// The stones of a position.
    pub fn new(position: &Position) -> Board {
        let (width, height) = (position.rules().width, position.rules().height);
        let sides = usize::from(width) + usize::from(height);
        let lines = vec![Line::default(); sides + 2 * (sides - 1)];
        let mut board = Board { width, height, lines, free: position.free() };
        for cell in position.rules().cells() {
            match position.content(cell) {
                Some(Content::Empty) => board.change(cell, |line, bit| line.empty |= 1 << bit),
                Some(Content::Stone(stone)) => board.change(cell, |line, bit| *line = line.with(bit, stone)),
                Some(Content::Blocked) | None => {}
            }
        }
        board
    }

    /// Every line of the board.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// How many cells are free.
    pub fn free(&self) -> usize {
        self.free
    }

    /// The four lines through a cell, and where it lies in each.
    pub fn places(&self, cell: Cell) -> [Place; 4] {
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        let (column, row) = (usize::from(cell.column), usize::from(cell.row));
        let diagonals = width + height - 1;
        let place = |line, bit| Place { line, bit: bit as u8 };
        [
            place(row, column),
            place(height + column, row),
            place(height + width + column + height - 1 - row, column.min(row)),
            place(height + width + diagonals + column + row, column.min(height - 1 - row)),
        ]
    }

    /// Puts a stone on an empty cell.
    pub fn place(&mut self, cell: Cell, stone: Stone) {
        self.change(cell, |line, bit| *line = line.with(bit, stone));
        self.free -= 1;
    }

    /// Takes a stone off again.
    pub fn remove(&mut self, cell: Cell, stone: Stone) {
        self.change(cell, |line, bit| *line = line.without(bit, stone));
        self.free += 1;
    }

    /// Whether a stone just put on this cell completed six.
    pub fn has_six(&self, cell: Cell, stone: Stone) -> bool {
        self.places(cell).iter().any(|place| self.lines[place.line].has_six(stone))
    }

    /// The report's space to play in: the empty cells adjacent to any stone, row by row. Off-board cells do
    /// not come up, because a row has no bits for them.
    pub fn adjacent_cells(&self) -> Vec<Cell> {
        let spread = |row: u32| row | row << 1 | row >> 1;
        let stones = |row: u8| self.rows().get(usize::from(row)).map_or(0, |line| line.stones[0] | line.stones[1]);
        let near = |row: u8| spread(stones(row) | stones(row + 1) | if row > 0 { stones(row - 1) } else { 0 });
        self.cells_where(|row, empty| empty & near(row))
    }

    /// Every empty cell, row by row.
    pub fn empty_cells(&self) -> Vec<Cell> {
        self.cells_where(|_, empty| empty)
    }

    /// Whether no stone lies on the board.
    pub fn is_bare(&self) -> bool {
        self.rows().iter().all(|line| line.stones == [0, 0])
    }

    /// The empty cell nearest to the centre.
    pub fn centre(&self) -> Option<Cell> {
        let off = |cell: &Cell| {
            let distance = |at: u8, side: u8| u32::from(at.abs_diff(side / 2)).pow(2);
            distance(cell.column, self.width) + distance(cell.row, self.height)
        };
        self.empty_cells().into_iter().min_by_key(off)
    }

    fn rows(&self) -> &[Line] {
        &self.lines[..usize::from(self.height)]
    }

    fn cells_where(&self, wanted: impl Fn(u8, u32) -> u32) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (row, line) in (0..self.height).zip(self.rows()) {
            let mut bits = wanted(row, line.empty);
            while bits != 0 {
                cells.push(Cell::new(bits.trailing_zeros() as u8, row));
                bits &= bits - 1;
            }
        }
        cells
    }

    fn change(&mut self, cell: Cell, mut change: impl FnMut(&mut Line, u8)) {
        for Place { line, bit } in self.places(cell) {
            change(&mut self.lines[line], bit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::{DIRECTIONS, Random};

    use super::super::tests::{cells, position};

    // S0-53: 15 + 15 + 29 + 29 lines; S0-92: the survey's board is larger.
    #[test]
    fn a_board_of_fifteen_has_eighty_eight_lines() {
        assert_eq!(Board::new(&position("connect6:15", "")).lines().len(), 15 + 15 + 29 + 29);
        assert_eq!(Board::new(&position("connect6:19", "")).lines().len(), 19 + 19 + 37 + 37);
    }

    // S0-52: neighbours along each of the four directions are neighbours in a line.
    #[test]
    fn the_four_directions_are_the_referees() {
        for game in ["connect6:15", "connect:7,11,6,2,1", "connect:11,7,6,2,1", "connect6:31"] {
            let position = position(game, "");
            let board = Board::new(&position);
            for cell in position.rules().cells() {
                for (n, direction) in DIRECTIONS.into_iter().enumerate() {
                    let Some(next) = cell.step(direction, 1).filter(|&c| position.rules().contains(c)) else {
                        continue;
                    };
                    let (here, there) = (board.places(cell)[n], board.places(next)[n]);
                    assert_eq!((here.line, here.bit + 1), (there.line, there.bit), "{game} {cell} {next}");
                }
            }
        }
    }

    // S0-04: a stone refreshes the matrix, and taking it off restores it.
    #[test]
    fn random_games_match_the_referee_at_every_ply() {
        let mut random = Random::new(5);
        for game in ["connect6:15", "connect:7,9,6,2,1", "connect6:6/a1,c3"] {
            let mut referee = position(game, "");
            let mut board = Board::new(&referee);
            while referee.outcome().is_none() {
                let legal: Vec<Cell> = referee.legal().collect();
                assert_eq!(board.empty_cells(), legal);
                let (cell, stone) = (*random.choose(&legal).unwrap(), referee.to_move());
                let before = board.clone();
                board.place(cell, stone);
                board.remove(cell, stone);
                assert_eq!(board, before);
                board.place(cell, stone);
                assert_eq!(board.has_six(cell, stone), referee.wins_at(cell, stone));
                referee.play(cell).unwrap();
                assert_eq!(board, Board::new(&referee));
            }
        }
    }

    // S0-56: all eight neighbours of any stone; S0-59: none outside the board.
    #[test]
    fn candidates_touch_a_stone_and_lie_on_the_board() {
        let at = |moves: &str| Board::new(&position("connect6:15", moves)).adjacent_cells();
        assert_eq!(at("h8"), cells("g7 h7 i7 g8 i8 g9 h9 i9"));
        assert_eq!(at("a1"), cells("b1 a2 b2"));
        assert_eq!(at("o15"), cells("n14 o14 n15"));
        assert_eq!(at(""), []);
        let blocked = Board::new(&position("connect6:15/b1,b2", "a1")).adjacent_cells();
        assert_eq!(blocked, cells("a2"));
        assert_eq!(Board::new(&position("connect6:31", "ae31")).adjacent_cells(), cells("ad30 ae30 ad31"));
    }

    #[test]
    fn the_centre_is_the_nearest_free_cell() {
        assert_eq!(Board::new(&position("connect6:15", "")).centre(), cells("h8").pop());
        assert_eq!(Board::new(&position("connect6:19", "")).centre(), cells("j10").pop());
        assert_eq!(Board::new(&position("connect6:15/h8", "")).centre(), cells("h7").pop());
    }
}
