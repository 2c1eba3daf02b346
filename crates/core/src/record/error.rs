//! What can be wrong with a file, in words.

use super::Format;
use crate::{BadGame, BadSetup, Speak, Text, shorten, spoken_errors, text};

/// Why a file cannot be read as a game, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// The line, from 1; 0 when the whole file is meant.
    pub line: usize,
    /// What is wrong there.
    pub reason: Reason,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Something else should stand here.
    Expected {
        /// What should stand here.
        what: Text,
        /// The beginning of what stands here instead; empty at the end of the file.
        found: String,
    },
    /// The game's name is wrong.
    Game(BadGame),
    /// The stones before the first move cannot be.
    Setup(BadSetup),
    /// A move breaks the rules: the sentence of the verdict.
    Foul(Text),
    /// A variation breaks the rules.
    Variation {
        /// Its number, from 1.
        number: usize,
        /// What is wrong.
        why: Text,
    },
    /// No format fits the file.
    UnknownFormat,
    /// The format `csv` needs the two files of a game, every other format one.
    WrongFiles,
    /// Neither the file nor the caller says which game it is.
    WhichGame,
    /// So many stones of each side cannot lie on the board.
    Counts {
        /// Black's.
        black: usize,
        /// White's.
        white: usize,
    },
    /// The file holds no game.
    Empty,
    /// Something is beyond what a game can need: what, and the limit.
    TooMuch(Text, usize),
}

impl LoadError {
    /// The general complaint: `what` should stand on this line, and `found` stands there instead.
    pub fn expected(line: usize, what: Text, found: &str) -> LoadError {
        LoadError { line, reason: Reason::Expected { what, found: shorten(found) } }
    }
}

impl Speak for LoadError {
    fn text(&self) -> Text {
        let (line, reason) = (self.line, self.reason.text());
        if line == 0 { reason } else { text!("line {line}: {reason}", "第 {line} 行：{reason}"; reason) }
    }
}

impl Speak for Reason {
    fn text(&self) -> Text {
        match self {
            Reason::Expected { what, found } if found.is_empty() => {
                text!("the file ends where {what} should stand", "文件在此结束，缺少{what}"; what)
            }
            Reason::Expected { what, found } => {
                text!("{what} should stand here, not '{found}'", "此处应为{what}，而不是“{found}”"; what)
            }
            Reason::Game(bad) => bad.text(),
            Reason::Setup(bad) => bad.text(),
            Reason::Foul(verdict) => verdict.clone(),
            Reason::Variation { number, why } => {
                text!("variation {number}: {why}", "变化 {number}：{why}"; why)
            }
            Reason::UnknownFormat => Text::fixed(
                "no known format fits; name one with --from (json, sgf, psq, chess-save, csv, columns, moves, matrix-s0, matrix-s2, renlib)",
                "无法识别格式；请用 --from 指明（json、sgf、psq、chess-save、csv、columns、moves、matrix-s0、matrix-s2、renlib）",
            ),
            Reason::WrongFiles => Text::fixed(
                "the format csv needs black.csv and white.csv, every other format one file",
                "csv 格式需要 black.csv 和 white.csv 两个文件，其他格式需要一个文件",
            ),
            Reason::WhichGame => {
                Text::fixed("the file does not say which game it is; name the game", "文件未说明是哪种棋；请指明")
            }
            Reason::Counts { black, white } => text!(
                "{black} black and {white} white stones cannot come about in this game",
                "此棋不会出现黑 {black} 子、白 {white} 子的局面"
            ),
            Reason::Empty => Text::fixed("the file holds no game", "文件中没有棋局"),
            Reason::TooMuch(what, limit) => text!("{what} (at most {limit})", "{what}（至多 {limit}）"; what),
        }
    }
}

/// Why a format cannot hold a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// The format that was asked for.
    pub format: Format,
    /// What it cannot hold.
    pub why: Text,
}

impl Speak for Unwritable {
    fn text(&self) -> Text {
        let Unwritable { format, why } = self;
        text!("the format {format} cannot hold this game: {why}", "{format} 格式无法保存此局：{why}"; why)
    }
}

spoken_errors!(LoadError, Unwritable);
