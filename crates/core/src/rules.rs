//! What a game is, as data: the family Connect(m,n,k,p,q) with gravity, blocked cells and renju's fouls.
//!
//! A game's name (`connect4:9x10/d4`) and its `Rules` are two forms of the same thing: every valid `Rules`
//! prints a name that reads back as itself. docs/rules.md explains the rules to people.

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::cell::{Cell, CellSet, DIRECTIONS, MAX_SIDE};
use crate::opening::OpeningRule;
use crate::shown::shorten;
use crate::{Speak, Stone, Text, spoken_errors, text};

/// What a line longer than wanted is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overline {
    /// It wins like any line.
    Wins,
    /// It does not count: only exactly the wanted number wins.
    Ignored,
}

/// Where a stone may be put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placement {
    /// On any free cell.
    Anywhere,
    /// On the lowest free cell of a column: the stone drops past stones and blocked cells.
    Drop,
}

/// Which moves Black may not make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forbidden {
    /// Every free cell is allowed.
    Nothing,
    /// Renju: Black may not make an overline, a double four or a double three.
    Renju,
}

/// The rules of one game on one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub struct Rules {
    /// Columns, 1 to 31.
    pub width: u8,
    /// Rows, 1 to 31.
    pub height: u8,
    /// How many in a row win.
    pub line: u8,
    /// What a longer row is worth.
    pub overline: Overline,
    /// Where stones may be put.
    pub placement: Placement,
    /// How many stones Black's first turn has.
    pub first_turn: u8,
    /// How many stones every later turn has.
    pub per_turn: u8,
    /// Cells on which nobody may play.
    pub blocked: CellSet,
    /// What Black may not do.
    pub forbidden: Forbidden,
}

impl Rules {
    /// Connect(m,n,k,p,q): any row of `line` or more wins, stones lie anywhere, no cell is blocked.
    pub const fn connect(width: u8, height: u8, line: u8, per_turn: u8, first_turn: u8) -> Rules {
        Rules {
            width,
            height,
            line,
            overline: Overline::Wins,
            placement: Placement::Anywhere,
            first_turn,
            per_turn,
            blocked: CellSet::EMPTY,
            forbidden: Forbidden::Nothing,
        }
    }

    /// Free-style Gomoku: five or more.
    pub const fn gomoku(side: u8) -> Rules {
        Rules::connect(side, side, 5, 1, 1)
    }

    /// Standard Gomoku: exactly five.
    pub const fn standard(side: u8) -> Rules {
        Rules { overline: Overline::Ignored, ..Rules::gomoku(side) }
    }

    /// Renju: exactly five for Black, who also has forbidden moves; five or more for White.
    pub const fn renju(side: u8) -> Rules {
        Rules { forbidden: Forbidden::Renju, ..Rules::gomoku(side) }
    }

    /// Connect6: one stone first, then two a turn; six or more.
    pub const fn connect6(side: u8) -> Rules {
        Rules::connect(side, side, 6, 2, 1)
    }

    /// Connect Four: stones drop; four or more.
    pub const fn connect4(width: u8, height: u8) -> Rules {
        Rules { placement: Placement::Drop, ..Rules::connect(width, height, 4, 1, 1) }
    }

    /// The same rules with one more blocked cell.
    pub fn with_blocked(mut self, cell: Cell) -> Rules {
        self.blocked.insert(cell);
        self
    }

    /// Who places stone `n` of a game (from 0), and how many stones of that turn are left, this one included.
    pub const fn turn_at(&self, n: usize) -> (Stone, u8) {
        self.turn_after((Stone::Black, self.first_turn), n)
    }

    /// The same for a game that begins with a turn of `first.1` stones of side `first.0`.
    pub const fn turn_after(&self, first: (Stone, u8), n: usize) -> (Stone, u8) {
        let (stone, count) = first;
        if n < count as usize {
            return (stone, count - n as u8);
        }
        let later = n - count as usize;
        let per_turn = self.per_turn as usize;
        let stone = if (later / per_turn).is_multiple_of(2) { stone.other() } else { stone };
        (stone, (per_turn - later % per_turn) as u8)
    }

    /// Whether the cell lies on the board, blocked or not.
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.column < self.width && cell.row < self.height
    }

    /// Every cell of the board, row by row from the bottom, blocked ones too.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |row| (0..width).map(move |column| Cell::new(column, row)))
    }

    /// How many stones the board can hold.
    pub fn capacity(&self) -> usize {
        usize::from(self.width) * usize::from(self.height) - self.blocked.len()
    }

    /// Whether a row of `length` stones of this side wins.
    pub const fn wins(&self, stone: Stone, length: u8) -> bool {
        let exact = matches!(self.overline, Overline::Ignored)
            || matches!((self.forbidden, stone), (Forbidden::Renju, Stone::Black));
        if exact { length == self.line } else { length >= self.line }
    }

    /// What people call a side in this game: discs that fall are red and yellow.
    pub fn side(&self, stone: Stone) -> Text {
        match (self.placement, stone) {
            (Placement::Anywhere, stone) => stone.text(),
            (Placement::Drop, Stone::Black) => Text::fixed("Red", "红方"),
            (Placement::Drop, Stone::White) => Text::fixed("Yellow", "黄方"),
        }
    }

    /// What people call this game: `Gomoku 15x15`. One that has no name is called by its rules.
    pub fn title(&self) -> Text {
        let Rules { width, height, .. } = *self;
        let open = Rules { blocked: CellSet::EMPTY, ..*self };
        let five = |overline, forbidden| Rules { overline, forbidden, ..Rules::connect(width, height, 5, 1, 1) };
        let name = match open {
            open if open == five(Overline::Wins, Forbidden::Nothing) => Text::fixed("Gomoku", "五子棋·无禁手"),
            open if open == five(Overline::Ignored, Forbidden::Nothing) => {
                Text::fixed("Gomoku, exactly five", "五子棋·长连不算赢")
            }
            open if open == five(Overline::Wins, Forbidden::Renju) => Text::fixed("Renju", "五子棋·有禁手（连珠）"),
            open if open == Rules::connect(width, height, 6, 2, 1) => Text::fixed("Connect6", "六子棋"),
            open if open == Rules::connect4(width, height) => Text::fixed("Connect Four", "四子棋"),
            _ => return Text::new(self.to_string(), self.to_string()),
        };
        let blocked: Vec<String> = self.blocked.iter().map(|cell| cell.to_string()).collect();
        match blocked.is_empty() {
            true => text!("{name} {width}x{height}", "{name} {width}x{height}"; name),
            false => {
                let cells = Text::new(blocked.join(", "), blocked.join("、"));
                text!("{name} {width}x{height} without {cells}", "{name} {width}x{height}，{cells} 不可下"; name, cells)
            }
        }
    }

    /// Every stretch of `line` cells that lies on the board and holds no blocked cell: where a game can be won.
    pub fn windows(&self) -> Vec<Vec<Cell>> {
        let open = |cell: &Cell| self.contains(*cell) && !self.blocked.contains(*cell);
        let window = |(cell, direction): (Cell, (i8, i8))| -> Option<Vec<Cell>> {
            (0..self.line as i8).map(|n| cell.step(direction, n).filter(open)).collect()
        };
        self.cells().flat_map(|cell| DIRECTIONS.map(|direction| (cell, direction))).filter_map(window).collect()
    }

    /// Says what is wrong with these rules, if anything is.
    pub fn check(&self) -> Result<(), BadGame> {
        let side = 1..=MAX_SIDE;
        if !side.contains(&self.width) || !side.contains(&self.height) {
            return Err(BadGame::Size(self.width.into(), self.height.into()));
        }
        if self.line == 0 || self.line > self.width.max(self.height) {
            return Err(BadGame::Line { line: self.line, width: self.width, height: self.height });
        }
        if !side.contains(&self.per_turn) || !side.contains(&self.first_turn) {
            return Err(BadGame::Stones);
        }
        if let Some(cell) = self.blocked.iter().find(|&cell| !self.contains(cell)) {
            return Err(BadGame::Blocked(cell));
        }
        let five = (self.line, self.per_turn, self.first_turn) == (5, 1, 1);
        let free = self.placement == Placement::Anywhere && self.overline == Overline::Wins;
        match self.forbidden {
            Forbidden::Renju if !(five && free) => Err(BadGame::Renju),
            _ => Ok(()),
        }
    }
}

/// A game's name that cannot be read, or rules that make no game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadGame {
    /// No game has this name.
    Unknown(String),
    /// The part after the name cannot be read.
    Arguments(String),
    /// A side is not between 1 and 31.
    Size(u32, u32),
    /// The line is empty or fits nowhere.
    Line {
        /// How many in a row.
        line: u8,
        /// Columns.
        width: u8,
        /// Rows.
        height: u8,
    },
    /// A turn has no stones or more than 31.
    Stones,
    /// A blocked cell lies outside the board.
    Blocked(Cell),
    /// Renju's fouls are defined for five in a row, one stone a turn.
    Renju,
    /// The course's random board was named where one certain board is needed.
    Random,
    /// There is no such opening rule.
    UnknownOpening(String),
    /// The game cannot begin by this opening rule.
    NoOpening(OpeningRule),
    /// An opening rule was named where only a board is meant.
    OpeningHere,
}

impl Speak for BadGame {
    fn text(&self) -> Text {
        match self {
            BadGame::Unknown(name) => text!(
                "there is no game '{name}'; the games are gomoku, standard, renju, connect6, connect4 and connect:W,H,K,P,Q",
                "没有名为“{name}”的棋；可选 gomoku、standard、renju、connect6、connect4 和 connect:W,H,K,P,Q"
            ),
            BadGame::Arguments(part) => text!(
                "'{part}' cannot be read as a size or a cell; write for example gomoku:19, connect4:9x10/d4 or connect:15,15,5,1,1",
                "无法读懂“{part}”；请写成 gomoku:19、connect4:9x10/d4 或 connect:15,15,5,1,1 这样"
            ),
            BadGame::Size(width, height) => text!(
                "a board of {width}x{height} cannot be played; each side must be 1 to {MAX_SIDE}",
                "{width}x{height} 的棋盘不能下；每边应为 1 到 {MAX_SIDE}"
            ),
            BadGame::Line { line, width, height } => text!(
                "a line of {line} does not fit on a board of {width}x{height}; take a larger board or a shorter line",
                "{width}x{height} 的棋盘放不下 {line} 连；请用更大的棋盘或更短的连"
            ),
            BadGame::Stones => {
                text!("a turn must have 1 to {MAX_SIDE} stones", "每手应为 1 到 {MAX_SIDE} 子")
            }
            BadGame::Blocked(cell) => {
                text!("the blocked cell {cell} is not on the board", "障碍格 {cell} 不在棋盘上")
            }
            BadGame::Renju => Text::fixed(
                "renju's forbidden moves need five in a row, one stone a turn, no drop",
                "禁手规则只适用于五连、每手一子、不下落的棋",
            ),
            BadGame::Random => Text::fixed(
                "connect4:random is drawn anew for each game; name one board, such as connect4:9x10/d4",
                "connect4:random 每局重新抽取；请写明一个棋盘，例如 connect4:9x10/d4",
            ),
            BadGame::UnknownOpening(name) => {
                let names = OpeningRule::ALL.map(OpeningRule::name);
                Text::new(
                    format!("there is no opening rule '{name}'; the rules are {}", names.join(", ")),
                    format!("没有名为“{name}”的开局规则；可选 {}", names.join("、")),
                )
            }
            BadGame::NoOpening(rule @ (OpeningRule::Pie | OpeningRule::Swap)) => text!(
                "the board is too small to begin by {rule}: stones of the opening could win",
                "棋盘太小，不能用 {rule} 开局：开局棋子可能已连成"
            ),
            BadGame::NoOpening(rule @ OpeningRule::Swap2) => text!(
                "{rule} is for games with one stone a turn, placed anywhere: gomoku, standard, renju",
                "{rule} 只用于每手一子、可任意落子的棋：gomoku、standard、renju"
            ),
            BadGame::NoOpening(rule) => text!(
                "{rule} is for gomoku, standard and renju on a board of odd sides from 9, without blocked cells",
                "{rule} 只用于边长为奇数且不小于 9、没有障碍格的 gomoku、standard、renju"
            ),
            BadGame::OpeningHere => Text::fixed(
                "an opening rule belongs to a game that is played; name the board alone here, such as renju",
                "开局规则只用于对局；此处请只写棋盘，例如 renju",
            ),
        }
    }
}

spoken_errors!(BadGame);

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = Rules { blocked: CellSet::EMPTY, ..*self };
        let (width, height) = (self.width, self.height);
        let sized = |f: &mut fmt::Formatter<'_>, name: &str, usual: u8| {
            if width == usual { f.write_str(name) } else { write!(f, "{name}:{width}") }
        };
        if open == Rules::gomoku(width) {
            sized(f, "gomoku", 15)?;
        } else if open == Rules::standard(width) {
            sized(f, "standard", 15)?;
        } else if open == Rules::renju(width) {
            sized(f, "renju", 15)?;
        } else if open == Rules::connect6(width) {
            sized(f, "connect6", 19)?;
        } else if open == Rules::connect4(7, 6) {
            f.write_str("connect4")?;
        } else if open == Rules::connect4(width, height) {
            write!(f, "connect4:{width}x{height}")?;
        } else {
            write!(f, "connect:{width},{height},{},{},{}", self.line, self.per_turn, self.first_turn)?;
            self.write_flags(f)?;
        }
        for (n, cell) in self.blocked.iter().enumerate() {
            write!(f, "{}{cell}", if n == 0 { '/' } else { ',' })?;
        }
        Ok(())
    }
}

impl Rules {
    fn write_flags(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.placement == Placement::Drop {
            f.write_str(",drop")?;
        }
        if self.overline == Overline::Ignored {
            f.write_str(",exact")?;
        }
        if self.forbidden == Forbidden::Renju {
            f.write_str(",renju")?;
        }
        Ok(())
    }
}

impl FromStr for Rules {
    type Err = BadGame;

    fn from_str(text: &str) -> Result<Rules, BadGame> {
        let lower = text.trim().to_ascii_lowercase();
        if lower.contains('+') {
            return Err(BadGame::OpeningHere);
        }
        let (game, blocked) = match lower.split_once('/') {
            Some((game, blocked)) => (game, Some(blocked)),
            None => (lower.as_str(), None),
        };
        let mut rules = rules_of(game)?;
        // Sizes are checked before blocked cells, so that the message names the real mistake.
        rules.check()?;
        for name in blocked.into_iter().flat_map(|names| names.split(',')) {
            let cell: Cell = name.parse().map_err(|_| BadGame::Arguments(shorten(name)))?;
            if !rules.contains(cell) {
                return Err(BadGame::Blocked(cell));
            }
            rules.blocked.insert(cell);
        }
        Ok(rules)
    }
}

/// Reads a game's name without blocked cells.
fn rules_of(game: &str) -> Result<Rules, BadGame> {
    let (name, arguments) = match game.split_once(':') {
        Some((name, arguments)) => (name, Some(arguments)),
        None => (game, None),
    };
    let side = |usual: u8| arguments.map_or(Ok(usual), read_side);
    match name {
        "gomoku" => Ok(Rules::gomoku(side(15)?)),
        "standard" => Ok(Rules::standard(side(15)?)),
        "renju" => Ok(Rules::renju(side(15)?)),
        "connect6" => Ok(Rules::connect6(side(19)?)),
        "connect4" => match arguments {
            None => Ok(Rules::connect4(7, 6)),
            Some("random") => Err(BadGame::Random),
            Some(text) => {
                let (width, height) = text.split_once('x').ok_or_else(|| BadGame::Arguments(shorten(text)))?;
                Ok(Rules::connect4(read_side(width)?, read_side(height)?))
            }
        },
        "connect" => family_of(arguments.unwrap_or_default()),
        _ => Err(BadGame::Unknown(shorten(name))),
    }
}

fn family_of(arguments: &str) -> Result<Rules, BadGame> {
    let bad = || BadGame::Arguments(shorten(arguments));
    let parts: Vec<&str> = arguments.split(',').map(str::trim).collect();
    let [width, height, line, per_turn, first_turn, flags @ ..] = parts.as_slice() else { return Err(bad()) };
    let number = |text: &str| text.parse::<u8>().map_err(|_| bad());
    let mut rules =
        Rules::connect(read_side(width)?, read_side(height)?, number(line)?, number(per_turn)?, number(first_turn)?);
    for flag in flags {
        match *flag {
            "drop" => rules.placement = Placement::Drop,
            "exact" => rules.overline = Overline::Ignored,
            "renju" => rules.forbidden = Forbidden::Renju,
            _ => return Err(bad()),
        }
    }
    Ok(rules)
}

fn read_side(text: &str) -> Result<u8, BadGame> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let side = if plain {
        text.parse::<u32>().unwrap_or(u32::MAX)
    } else {
        return Err(BadGame::Arguments(shorten(text)));
    };
    u8::try_from(side).map_err(|_| BadGame::Size(side, side))
}

crate::written!(Rules);

#[cfg(test)]
mod tests;
