//! The referee: a board, whose turn it is, and what has been played. Every verdict in the house comes from here.
//!
//! A ply is one stone. In games with several stones a turn the side to move stays the same between them, so
//! history, hash, undo and records are the same for all games. Written for clarity; engines keep boards of
//! their own and are tested against this one.

use serde::{Deserialize, Serialize};

use crate::board::{Board, Content};
use crate::cell::{Cell, NotACell, column_from_name, column_name};
use crate::random::mix;
use crate::renju::{self, Foul};
use crate::rules::{Forbidden, Placement, Rules};
use crate::{Language, Outcome, Stone};

/// One stone on one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ply {
    /// Whose stone.
    pub stone: Stone,
    /// Where it lies.
    pub cell: Cell,
}

/// Why a stone may not be put on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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

impl IllegalMove {
    /// What is wrong with a stone there, for people, to follow the name of the cell.
    pub fn words(self, language: Language) -> String {
        let plain = match self {
            IllegalMove::GameOver => language.pick("the game is over", "对局已经结束"),
            IllegalMove::OffBoard => language.pick("that is not on the board", "不在棋盘内"),
            IllegalMove::Blocked => language.pick("that cell is blocked", "该格禁止落子"),
            IllegalMove::Occupied => language.pick("there is a stone already", "已有棋子"),
            IllegalMove::Floating => {
                language.pick("a lower cell of the column is still free", "该列下方还有空格")
            }
            IllegalMove::Forbidden(foul) => {
                let name = foul.words(language);
                return match language {
                    Language::English => format!("Black may not make {name}"),
                    Language::Chinese => format!("黑方{name}"),
                };
            }
        };
        plain.to_string()
    }
}

impl std::fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words(Language::English))
    }
}

impl std::error::Error for IllegalMove {}

/// Stones that lie on the board before the first move, and who then begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
pub enum BadSetup {
    /// A stone cannot lie there.
    Stone(Cell, IllegalMove),
    /// Both sides have a winning line.
    TwoWinners,
    /// The first turn would have no stone, or more than a turn has.
    StonesLeft(u8),
}

impl BadSetup {
    /// What is wrong, for people.
    pub fn words(&self, language: Language) -> String {
        match (self, language) {
            (BadSetup::Stone(cell, why), _) => format!("{cell}: {}", why.words(language)),
            (BadSetup::TwoWinners, _) => {
                language.pick("both sides already have a winning line", "双方都已连成").to_string()
            }
            (BadSetup::StonesLeft(n), Language::English) => {
                format!("no turn of this game has {n} stones left")
            }
            (BadSetup::StonesLeft(n), Language::Chinese) => format!("此棋没有剩 {n} 子的一手"),
        }
    }
}

impl std::fmt::Display for BadSetup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words(Language::English))
    }
}

impl std::error::Error for BadSetup {}

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
            return Err(UnreadMove::NoColumn {
                text: text.to_string(),
                last: column_name(self.rules().width - 1),
            });
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

impl UnreadMove {
    /// What is wrong, for people.
    pub fn words(&self, language: Language) -> String {
        match (self, language) {
            (UnreadMove::NotACell(not), _) => not.words(language),
            (UnreadMove::NoColumn { text, last }, Language::English) => {
                format!("there is no column '{text}'; the last one is {last}")
            }
            (UnreadMove::NoColumn { text, last }, Language::Chinese) => {
                format!("没有第“{text}”列；最后一列是 {last}")
            }
            (UnreadMove::FullColumn(name), Language::English) => format!("column {name} is full"),
            (UnreadMove::FullColumn(name), Language::Chinese) => format!("{name} 列已满"),
        }
    }
}

impl std::fmt::Display for UnreadMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words(Language::English))
    }
}

impl std::error::Error for UnreadMove {}

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
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<Cell> {
        text.split_whitespace().map(|name| name.parse().unwrap()).collect()
    }

    fn played(game: &str, moves: &str) -> Position {
        let mut position = Position::new(game.parse().unwrap());
        for cell in cells(moves) {
            position.play(cell).unwrap_or_else(|why| panic!("{cell}: {why}"));
        }
        position
    }

    #[test]
    fn a_first_stone_that_wins_ends_the_turn() {
        let five = "j10 a1 a2 k10 l10 a3 a4 m10 n10 b1 b2";
        let mut position = played("connect6", five);
        assert_eq!((position.to_move(), position.stones_left()), (Stone::Black, 2));
        position.play("o10".parse().unwrap()).unwrap();
        assert_eq!(position.outcome(), Some(Outcome::Win(Stone::Black)));
        assert_eq!(position.stones_left(), 0);
        assert_eq!(position.winning_line(), Some(cells("j10 k10 l10 m10 n10 o10")));
        assert_eq!(position.check("p10".parse().unwrap()), Err(IllegalMove::GameOver));
        assert_eq!(position.undo(), Some("o10".parse().unwrap()));
        assert_eq!(position.outcome(), None);
    }

    #[test]
    fn a_turn_with_one_free_cell_is_one_stone() {
        // Nine cells: one stone, then two a turn; the ninth stone fills the board in the middle of nobody's turn.
        let even = played("connect:2,3,3,2,1", "a1 b1 a2 b2 b3");
        assert_eq!((even.to_move(), even.stones_left(), even.free()), (Stone::White, 1, 1));
    }

    #[test]
    fn the_last_stone_of_a_full_board_can_win() {
        let position = played("connect:3,1,2,1,1", "a1 c1");
        let mut won = position.clone();
        won.play("b1".parse().unwrap()).unwrap();
        assert_eq!(won.outcome(), Some(Outcome::Win(Stone::Black)));
        let full = played("connect:3,1,3,1,1", "a1 c1 b1");
        assert_eq!(full.outcome(), Some(Outcome::Draw));
    }

    #[test]
    fn stones_drop_past_blocked_cells() {
        let mut position = Position::new("connect4:4x4/a1,b2,c4".parse().unwrap());
        assert_eq!(position.legal().collect::<Vec<_>>(), cells("a2 b1 c1 d1"));
        for cell in cells("b1 b3 c1 c2 c3") {
            position.play(cell).unwrap();
        }
        // c4 is blocked, so column c is full after three stones.
        assert_eq!(position.legal().collect::<Vec<_>>(), cells("a2 b4 d1"));
        assert_eq!(position.check("d2".parse().unwrap()), Err(IllegalMove::Floating));
        assert_eq!(position.check("a1".parse().unwrap()), Err(IllegalMove::Blocked));
        assert_eq!(position.check("c3".parse().unwrap()), Err(IllegalMove::Occupied));
        assert_eq!(position.check("e1".parse().unwrap()), Err(IllegalMove::OffBoard));
    }

    #[test]
    fn overlines_count_as_the_rules_say() {
        let moves = "a1 a15 b1 b15 c1 c15 e1 e15 f1 f15 d1";
        assert_eq!(played("gomoku", moves).outcome(), Some(Outcome::Win(Stone::Black)));
        assert_eq!(played("standard", moves).outcome(), None);
        let (last, before) = ("d1".parse().unwrap(), "a1 a15 b1 b15 c1 c15 e1 e15 f1 f15");
        assert_eq!(played("renju", before).check(last), Err(IllegalMove::Forbidden(Foul::Overline)));
        let white = "a15 a1 b15 b1 c15 c1 e13 e1 f15 f1 h15 d1";
        assert_eq!(played("renju", white).outcome(), Some(Outcome::Win(Stone::White)));
    }

    #[test]
    fn a_blocked_cell_breaks_a_line() {
        let moves = "a1 a9 b1 b9 d1 d9 e1 e9";
        let position = played("gomoku/c1,f1", moves);
        assert_eq!(position.outcome(), None);
        assert_eq!(position.check("c1".parse().unwrap()), Err(IllegalMove::Blocked));
    }

    #[test]
    fn hashes_are_frozen() {
        assert_eq!(played("gomoku", "").hash(), 15719503542151743746);
        assert_eq!(played("connect6", "j10 k11").hash(), 12718728242038390163);
        assert_eq!(played("connect6", "j10 k11 k12").hash(), played("connect6", "j10 k12 k11").hash());
        assert_ne!(played("connect6", "j10 k11").hash(), played("connect6", "j10 k12").hash());
        assert_ne!(played("gomoku/a1", "").hash(), played("gomoku", "").hash());
    }

    #[test]
    fn set_ups_are_checked() {
        let rules: Rules = "connect4".parse().unwrap();
        let ply = |stone, cell: &str| Ply { stone, cell: cell.parse().unwrap() };
        let setup = |stones, stones_left| Setup { stones, to_move: Stone::White, stones_left };
        let floating = setup(vec![ply(Stone::Black, "a2")], 1);
        assert_eq!(
            Position::with_setup(rules, &floating),
            Err(BadSetup::Stone("a2".parse().unwrap(), IllegalMove::Floating))
        );
        assert_eq!(Position::with_setup(rules, &setup(vec![], 2)), Err(BadSetup::StonesLeft(2)));
        let mut fine = Position::with_setup(rules, &setup(vec![ply(Stone::Black, "a1")], 1)).unwrap();
        assert_eq!(fine.to_move(), Stone::White);
        assert_eq!(fine.undo(), None);
        let row = |stone, row: u8| "abcd".chars().map(move |c| ply(stone, &format!("{c}{row}")));
        let won = setup(row(Stone::White, 1).collect(), 1);
        let position = Position::with_setup(rules, &won).unwrap();
        assert_eq!(position.outcome(), Some(Outcome::Win(Stone::White)));
        assert_eq!(position.winning_line(), Some(cells("a1 b1 c1 d1")));
        let both = setup(row(Stone::White, 1).chain(row(Stone::Black, 2)).collect(), 1);
        assert_eq!(Position::with_setup(rules, &both), Err(BadSetup::TwoWinners));
    }

    #[test]
    fn people_may_name_a_column_only() {
        let position = played("connect4", "d1 d2 d3 d4 d5 d6");
        assert_eq!(position.read_cell(" c "), Ok("c1".parse().unwrap()));
        assert_eq!(position.read_cell("3"), Ok("c1".parse().unwrap()));
        assert_eq!(position.read_cell("d"), Err(UnreadMove::FullColumn("d".into())));
        assert!(matches!(position.read_cell("h"), Err(UnreadMove::NoColumn { .. })));
        assert!(matches!(position.read_cell("0"), Err(UnreadMove::NotACell(_))));
        assert!(matches!(played("gomoku", "").read_cell("h"), Err(UnreadMove::NotACell(_))));
    }
}
