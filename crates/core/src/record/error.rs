//! What can be wrong with a file, in words.

use std::fmt;

use super::Format;
use crate::{BadGame, BadSetup, Language, shorten};

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
pub enum Reason {
    /// Something else should stand here.
    Expected {
        /// What should stand here, in English and in Chinese.
        what: [&'static str; 2],
        /// The beginning of what stands here instead; empty at the end of the file.
        found: String,
    },
    /// The game's name is wrong.
    Game(BadGame),
    /// The stones before the first move cannot be.
    Setup(BadSetup),
    /// A move breaks the rules: the sentence of the verdict, in English and in Chinese.
    Foul([String; 2]),
    /// A variation breaks the rules.
    Variation {
        /// Its number, from 1.
        number: usize,
        /// What is wrong, in English and in Chinese.
        why: [String; 2],
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
    TooMuch([&'static str; 2], usize),
}

impl LoadError {
    /// The general complaint: `what` should stand on this line, and `found` stands there instead.
    pub fn expected(line: usize, what: [&'static str; 2], found: &str) -> LoadError {
        LoadError { line, reason: Reason::Expected { what, found: shorten(found) } }
    }

    /// Where and what is wrong, for people.
    pub fn words(&self, language: Language) -> String {
        let reason = self.reason.words(language);
        match (self.line, language) {
            (0, _) => reason,
            (line, Language::English) => format!("line {line}: {reason}"),
            (line, Language::Chinese) => format!("第 {line} 行：{reason}"),
        }
    }
}

impl Reason {
    fn words(&self, language: Language) -> String {
        let index = language.pick(0, 1);
        match (self, language) {
            (Reason::Expected { what, found }, Language::English) if found.is_empty() => {
                format!("the file ends where {} should stand", what[0])
            }
            (Reason::Expected { what, found }, Language::Chinese) if found.is_empty() => {
                format!("文件在此结束，缺少{}", what[1])
            }
            (Reason::Expected { what, found }, Language::English) => {
                format!("{} should stand here, not '{found}'", what[0])
            }
            (Reason::Expected { what, found }, Language::Chinese) => format!("此处应为{}，而不是“{found}”", what[1]),
            (Reason::Game(bad), _) => bad.words(language),
            (Reason::Setup(bad), _) => bad.words(language),
            (Reason::Foul(words), _) => words[index].clone(),
            (Reason::Variation { number, why }, Language::English) => format!("variation {number}: {}", why[0]),
            (Reason::Variation { number, why }, Language::Chinese) => format!("变化 {number}：{}", why[1]),
            (Reason::UnknownFormat, Language::English) => {
                "no known format fits; name one with --from (json, sgf, psq, chess-save, csv, columns, moves, matrix-s0, matrix-s2, renlib)".into()
            }
            (Reason::UnknownFormat, Language::Chinese) => {
                "无法识别格式；请用 --from 指明（json、sgf、psq、chess-save、csv、columns、moves、matrix-s0、matrix-s2、renlib）".into()
            }
            (Reason::WrongFiles, _) => language
                .pick(
                    "the format csv needs black.csv and white.csv, every other format one file",
                    "csv 格式需要 black.csv 和 white.csv 两个文件，其他格式需要一个文件",
                )
                .into(),
            (Reason::WhichGame, _) => {
                language.pick("the file does not say which game it is; name the game", "文件未说明是哪种棋；请指明").into()
            }
            (Reason::Counts { black, white }, Language::English) => {
                format!("{black} black and {white} white stones cannot come about in this game")
            }
            (Reason::Counts { black, white }, Language::Chinese) => {
                format!("此棋不会出现黑 {black} 子、白 {white} 子的局面")
            }
            (Reason::Empty, _) => language.pick("the file holds no game", "文件中没有棋局").into(),
            (Reason::TooMuch(what, limit), Language::English) => format!("{} (at most {limit})", what[0]),
            (Reason::TooMuch(what, limit), Language::Chinese) => format!("{}（至多 {limit}）", what[1]),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(Language::English))
    }
}

impl std::error::Error for LoadError {}

/// Why a format cannot hold a game, in English and in Chinese.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// The format that was asked for.
    pub format: Format,
    /// What it cannot hold.
    pub why: [&'static str; 2],
}

impl Unwritable {
    /// Which format cannot hold what, for people.
    pub fn words(&self, language: Language) -> String {
        match language {
            Language::English => format!("the format {} cannot hold this game: {}", self.format, self.why[0]),
            Language::Chinese => format!("{} 格式无法保存此局：{}", self.format, self.why[1]),
        }
    }
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(Language::English))
    }
}

impl std::error::Error for Unwritable {}
