//! The referee: a board, whose turn it is, and what has been played. Every verdict in the house comes from here.
//!
//! A ply is one stone. In games with several stones a turn the side to move stays the same between them, so
//! history, hash, undo and records are the same for all games. Written for clarity; engines keep boards of
//! their own and are tested against this one.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::board::{Board, Content};
use crate::cell::{Cell, NotACell, cell_names, column_from_name, column_name};
use crate::random::mix;
use crate::renju::{self, Foul};
use crate::rules::{Forbidden, Placement, Rules};
use crate::{Outcome, Speak, Stone, Text, spoken_errors, text};

/// One stone on one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Ply {
    /// Whose stone.
    pub stone: Stone,
    /// Where it lies.
    pub cell: Cell,
}

/// Why a stone may not be put on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum IllegalMove {
    /// The game has ended.
    GameOver,
    /// The cell is not on the board.
    OffBoard,
    /// Nobody may play on this cell.
    Blocked,
    /// There is a stone already.
    Occupied,
    /// A lower cell of the column is still free.
    Floating,
    /// Renju forbids it to Black.
    Forbidden(Foul),
}

impl Speak for IllegalMove {
    fn text(&self) -> Text {
        match self {
            IllegalMove::GameOver => Text::fixed("the game is over", "对局已经结束"),
            IllegalMove::OffBoard => Text::fixed("that is not on the board", "不在棋盘内"),
            IllegalMove::Blocked => Text::fixed("that cell is blocked", "该格禁止落子"),
            IllegalMove::Occupied => Text::fixed("there is a stone already", "已有棋子"),
            IllegalMove::Floating => Text::fixed("a lower cell of the column is still free", "该列下方还有空格"),
            IllegalMove::Forbidden(foul) => {
                let foul = foul.text();
                text!("Black may not make {foul}", "黑方{foul}"; foul)
            }
        }
    }
}

/// Stones that lie on the board before the first move, and who then begins.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Setup {
    /// The stones, in no particular order except that in games with a drop a lower one comes first.
    pub stones: Vec<Ply>,
    /// Who places the first stone.
    pub to_move: Stone,
    /// How many stones that first turn has.
    pub stones_left: u8,
}

/// Why a set-up cannot be played from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadSetup {
    /// A stone cannot lie there.
    Stone(Cell, IllegalMove),
    /// Both sides have a winning line.
    TwoWinners,
    /// The first turn would have no stone, or more than a turn has.
    StonesLeft(u8),
}

impl Speak for BadSetup {
    fn text(&self) -> Text {
        match self {
            BadSetup::Stone(cell, why) => {
                let why = why.text();
                text!("{cell}: {why}", "{cell}: {why}"; why)
            }
            BadSetup::TwoWinners => Text::fixed("both sides already have a winning line", "双方都已连成"),
            BadSetup::StonesLeft(n) => {
                text!("no turn of this game has {n} stones left", "此棋没有剩 {n} 子的一手")
            }
        }
    }
}

/// A game in progress: the one referee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
    /// Who begins, with how many stones.
    first: (Stone, u8),
    plies: Vec<Ply>,
    free: usize,
    stones_hash: u64,
    outcome: Option<Outcome>,
}

impl Position {
    /// The empty board.
    ///
    /// # Panics
    /// If the rules make no game (`Rules::check`).
    pub fn new(rules: Rules) -> Position {
        rules.check().expect("a position needs rules that make a game");
        let mut position = Position {
            board: Board::new(rules),
            first: (Stone::Black, rules.first_turn),
            plies: Vec::new(),
            free: rules.capacity(),
            stones_hash: rules.blocked.iter().fold(0, |hash, cell| hash ^ key(cell, Content::Blocked)),
            outcome: None,
        };
        position.outcome = position.exhausted();
        position
    }

    /// A board on which stones lie already. The set-up cannot be undone.
    pub fn with_setup(rules: Rules, setup: &Setup) -> Result<Position, BadSetup> {
        let mut position = Position::new(rules);
        if !(1..=rules.per_turn.max(rules.first_turn)).contains(&setup.stones_left) {
            return Err(BadSetup::StonesLeft(setup.stones_left));
        }
        position.first = (setup.to_move, setup.stones_left);
        for &Ply { stone, cell } in &setup.stones {
            position.check_cell(cell).map_err(|why| BadSetup::Stone(cell, why))?;
            position.put(cell, stone);
        }
        let won = |side: Stone| {
            let mut stones = setup.stones.iter().filter(|ply| ply.stone == side);
            stones.any(|ply| position.board.winning_direction(ply.cell, side).is_some())
        };
        position.outcome = match Stone::BOTH.map(won) {
            [true, true] => return Err(BadSetup::TwoWinners),
            [true, false] => Some(Outcome::Win(Stone::Black)),
            [false, true] => Some(Outcome::Win(Stone::White)),
            [false, false] => position.exhausted(),
        };
        Ok(position)
    }

    /// The rules this game is played by.
    pub fn rules(&self) -> &Rules {
        &self.board.rules
    }

    /// What was played since the start, in order; stones of a set-up are not in it.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The stones that lead from this earlier position to this one, unless they are of different games.
    pub fn plies_since(&self, earlier: &Position) -> Option<&[Ply]> {
        let more = self.plies.get(earlier.plies.len()..)?;
        let mut before = self.clone();
        for _ in more {
            before.undo();
        }
        (before == *earlier).then_some(more)
    }

    /// The stone played last.
    pub fn last(&self) -> Option<Ply> {
        self.plies.last().copied()
    }

    /// What a cell holds; `None` outside the board.
    pub fn content(&self, cell: Cell) -> Option<Content> {
        self.board.get(cell)
    }

    /// The stone on a cell, if there is one.
    pub fn stone(&self, cell: Cell) -> Option<Stone> {
        match self.board.get(cell) {
            Some(Content::Stone(stone)) => Some(stone),
            _ => None,
        }
    }

    /// How many cells are still free.
    pub fn free(&self) -> usize {
        self.free
    }

    /// Who places the next stone. After the end: who would.
    pub fn to_move(&self) -> Stone {
        self.turn().0
    }

    /// How many stones the side to move still has to place in this turn; 0 after the end.
    pub fn stones_left(&self) -> u8 {
        match self.outcome {
            Some(_) => 0,
            None => self.turn().1.min(u8::try_from(self.free).unwrap_or(u8::MAX)),
        }
    }

    /// Whether the side to move has already placed a stone of this turn.
    pub fn mid_turn(&self) -> bool {
        let n = self.plies.len();
        n > 0 && self.rules().turn_after(self.first, n - 1).1 > 1
    }

    fn turn(&self) -> (Stone, u8) {
        self.rules().turn_after(self.first, self.plies.len())
    }

    /// The result, once there is one.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Plays one stone for the side to move.
    pub fn play(&mut self, cell: Cell) -> Result<(), IllegalMove> {
        self.check(cell)?;
        let stone = self.to_move();
        self.put(cell, stone);
        self.plies.push(Ply { stone, cell });
        self.outcome = match self.board.winning_direction(cell, stone) {
            Some(_) => Some(Outcome::Win(stone)),
            None => self.exhausted(),
        };
        Ok(())
    }

    /// Takes the last stone back and says where it was.
    pub fn undo(&mut self) -> Option<Cell> {
        let Ply { stone, cell } = self.plies.pop()?;
        self.board.set(cell, Content::Empty);
        self.stones_hash ^= key(cell, Content::Stone(stone));
        self.free += 1;
        self.outcome = None;
        Some(cell)
    }

    /// Says why the side to move may not play on this cell.
    pub fn check(&self, cell: Cell) -> Result<(), IllegalMove> {
        if self.outcome.is_some() {
            return Err(IllegalMove::GameOver);
        }
        self.check_cell(cell)?;
        self.foul(cell).map_or(Ok(()), |foul| Err(IllegalMove::Forbidden(foul)))
    }

    /// The foul the side to move would commit on this empty cell.
    pub fn foul(&self, cell: Cell) -> Option<Foul> {
        let bound = self.rules().forbidden == Forbidden::Renju && self.to_move() == Stone::Black;
        (bound && self.board.is_empty(cell)).then(|| renju::foul(&mut self.board.clone(), cell)).flatten()
    }

    /// The cells on which the side to move may play, row by row from the bottom; none after the end.
    pub fn legal(&self) -> impl Iterator<Item = Cell> + '_ {
        let free: Box<dyn Iterator<Item = Cell>> = match (self.outcome, self.rules().placement) {
            (Some(_), _) => Box::new(std::iter::empty()),
            (None, Placement::Anywhere) => Box::new(self.empty_cells()),
            (None, Placement::Drop) => Box::new((0..self.rules().width).filter_map(|c| self.landing(c))),
        };
        free.filter(|&cell| self.foul(cell).is_none())
    }

    /// The cells that hold nothing and are not blocked, row by row from the bottom.
    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.rules().cells().filter(|&cell| self.board.is_empty(cell))
    }

    /// Where a stone dropped into this column comes to rest.
    pub fn landing(&self, column: u8) -> Option<Cell> {
        self.board.landing(column)
    }

    /// Whether a stone of this side on this cell would complete a winning line.
    pub fn wins_at(&self, cell: Cell, stone: Stone) -> bool {
        self.board.winning_direction(cell, stone).is_some()
    }

    /// The cells of the winning line from one end to the other, when a side has won by one.
    pub fn winning_line(&self) -> Option<Vec<Cell>> {
        let Some(Outcome::Win(winner)) = self.outcome else { return None };
        // A game won by a set-up has no last stone: then any stone of the line will do.
        let last = self.last().map(|ply| ply.cell).into_iter();
        let mut cells = last.chain(self.rules().cells()).filter(|&cell| self.board.holds(cell, winner));
        cells.find_map(|cell| {
            let direction = self.board.winning_direction(cell, winner)?;
            let first = -(self.board.reach(cell, winner, direction, -1) as i8);
            let last = self.board.reach(cell, winner, direction, 1) as i8;
            (first..=last).map(|n| cell.step(direction, n)).collect()
        })
    }

    /// A number that tells positions apart: stones, blocked cells, side to move and stones left in the turn.
    /// It is the same in every version.
    pub fn hash(&self) -> u64 {
        self.stones_hash ^ self.turn_key()
    }

    /// The hash counted from nothing: what the incremental one must equal.
    pub fn recomputed_hash(&self) -> u64 {
        let keys = self.rules().cells().filter_map(|cell| Some(key(cell, self.board.get(cell)?)));
        keys.fold(0, |hash, key| hash ^ key) ^ self.turn_key()
    }

    fn turn_key(&self) -> u64 {
        let (stone, left) = self.turn();
        mix(u64::MAX - (stone.index() as u64 * 256 + u64::from(left)))
    }

    /// The position after moves that a person typed: with blanks or commas between them, or run together (`h8i9`, and
    /// where stones drop the digits of columns, `4453`).
    pub fn after(rules: Rules, moves: &str) -> Result<Position, BadMove> {
        let mut position = Position::new(rules);
        for name in typed_names(&rules, moves) {
            let number = position.plies.len() + 1;
            let cell = position.read_cell(name).map_err(|why| BadMove::Unread { number, why })?;
            position.play(cell).map_err(|why| BadMove::Illegal { number, cell, why })?;
        }
        Ok(position)
    }

    /// Reads what a person typed as a move: a cell, or where stones drop a column, by letter or by number from 1.
    pub fn read_cell(&self, text: &str) -> Result<Cell, UnreadMove> {
        let text = text.trim();
        if let Ok(cell) = text.parse() {
            return Ok(cell);
        }
        let not_a_cell = || UnreadMove::NotACell(NotACell::new(text));
        if self.rules().placement == Placement::Anywhere {
            return Err(not_a_cell());
        }
        let numbered = || text.parse::<u8>().ok().and_then(|n| n.checked_sub(1));
        let column = column_from_name(text).or_else(numbered).ok_or_else(not_a_cell)?;
        if column >= self.rules().width {
            return Err(UnreadMove::NoColumn { text: text.to_string(), last: column_name(self.rules().width - 1) });
        }
        self.landing(column).ok_or_else(|| UnreadMove::FullColumn(column_name(column)))
    }

    /// Whether a stone can lie on this cell, whoever's it is.
    fn check_cell(&self, cell: Cell) -> Result<(), IllegalMove> {
        match self.board.get(cell) {
            None => return Err(IllegalMove::OffBoard),
            Some(Content::Blocked) => return Err(IllegalMove::Blocked),
            Some(Content::Stone(_)) => return Err(IllegalMove::Occupied),
            Some(Content::Empty) => {}
        }
        let floating = self.rules().placement == Placement::Drop && self.landing(cell.column) != Some(cell);
        if floating { Err(IllegalMove::Floating) } else { Ok(()) }
    }

    fn put(&mut self, cell: Cell, stone: Stone) {
        self.board.set(cell, Content::Stone(stone));
        self.stones_hash ^= key(cell, Content::Stone(stone));
        self.free -= 1;
    }

    /// A draw, when the side to move has nowhere to play: a full board, or in renju only forbidden cells.
    fn exhausted(&self) -> Option<Outcome> {
        let bound = self.rules().forbidden == Forbidden::Renju && self.to_move() == Stone::Black;
        let stuck = self.free == 0 || bound && self.empty_cells().all(|cell| self.foul(cell).is_some());
        stuck.then_some(Outcome::Draw)
    }
}

/// The names of moves in a text. Digits run together are columns; on a board of ten columns or more a number may be one
/// column, so there only a text of nothing else is taken apart.
fn typed_names<'a>(rules: &Rules, text: &'a str) -> Vec<&'a str> {
    let words: Vec<&str> = text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty()).collect();
    let apart = rules.placement == Placement::Drop && (rules.width < 10 || words.len() == 1);
    let digits = |word: &str| apart && word.bytes().all(|b| b.is_ascii_digit());
    let names = |word: &'a str| -> Vec<&'a str> {
        match digits(word) {
            true => (0..word.len()).map(|n| &word[n..=n]).collect(),
            false => cell_names(word).collect(),
        }
    };
    words.into_iter().flat_map(names).collect()
}

/// A text that was to be a move and cannot be read as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnreadMove {
    /// It names no cell.
    NotACell(NotACell),
    /// The board has no such column.
    NoColumn {
        /// What was written.
        text: String,
        /// The name of the last column.
        last: String,
    },
    /// The column is full.
    FullColumn(String),
}

impl Speak for UnreadMove {
    fn text(&self) -> Text {
        match self {
            UnreadMove::NotACell(not) => not.text(),
            UnreadMove::NoColumn { text, last } => {
                text!("there is no column '{text}'; the last one is {last}", "没有第“{text}”列；最后一列是 {last}")
            }
            UnreadMove::FullColumn(name) => text!("column {name} is full", "{name} 列已满"),
        }
    }
}

/// A move of several that cannot be played; moves are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadMove {
    /// It cannot be read.
    Unread {
        /// Which it is.
        number: usize,
        /// Why.
        why: UnreadMove,
    },
    /// It is against the rules.
    Illegal {
        /// Which it is.
        number: usize,
        /// Where it was to be played.
        cell: Cell,
        /// Why.
        why: IllegalMove,
    },
}

impl Speak for BadMove {
    fn text(&self) -> Text {
        let (number, at, why) = match self {
            BadMove::Unread { number, why } => (number, String::new(), why.text()),
            BadMove::Illegal { number, cell, why } => (number, format!("{cell}: "), why.text()),
        };
        text!("stone {number}: {at}{why}", "第 {number} 子：{at}{why}"; why)
    }
}

spoken_errors!(IllegalMove, BadSetup, UnreadMove, BadMove);

/// The hash key of a cell's content (Zobrist): computed, not stored, so it is the same everywhere and for ever.
const fn key(cell: Cell, content: Content) -> u64 {
    let kind = match content {
        Content::Empty => return 0,
        Content::Stone(stone) => stone.index() as u64,
        Content::Blocked => 2,
    };
    mix(mix(cell.index() as u64 + 1) ^ (kind + 1))
}

#[cfg(test)]
mod tests;
