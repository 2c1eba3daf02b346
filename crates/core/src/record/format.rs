//! The list of formats: names, and the one way to read and write each.

use std::fmt;
use std::str::FromStr;

use super::draft::Draft;
use super::matrix::Coding;
use super::{
    GameRecord, LoadError, Loaded, Reason, Unwritable, chess_save, columns, csv, json, matrix, moves, psq, renlib, sgf,
    text,
};
use crate::{Rules, Text};

/// The largest document that is read: far above any collection of games, far below what memory holds.
pub const MAX_BYTES: usize = 64 << 20;

/// The most games a document may hold.
pub const MAX_GAMES: usize = 250_000;

/// A form a game can have in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Our own lossless form.
    Json,
    /// The Smart Game Format.
    Sgf,
    /// Piskvork's files.
    Psq,
    /// `ChessSave.txt` of the old Gomoku program.
    ChessSave,
    /// `black.csv` and `white.csv` of Connect6.
    Csv,
    /// Connect Four as the digits of its columns.
    Columns,
    /// Cells one after another.
    Moves,
    /// A board of numbers: 0 empty, 1 black, 2 white.
    MatrixS0,
    /// A board of numbers: 0 black, 1 white, 2 empty.
    MatrixS2,
    /// RenLib's opening libraries; read only.
    Renlib,
}

/// The bytes of a game on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Document {
    /// One file.
    Single(Vec<u8>),
    /// `black.csv` and `white.csv`.
    Pair {
        /// The file with Black's turns.
        black: Vec<u8>,
        /// The file with White's turns.
        white: Vec<u8>,
    },
}

impl Document {
    fn len(&self) -> usize {
        match self {
            Document::Single(bytes) => bytes.len(),
            Document::Pair { black, white } => black.len().saturating_add(white.len()),
        }
    }
}

/// Where a reader hands over the games it finds.
pub(super) type Take<'a> = &'a mut dyn FnMut(Draft) -> Result<(), LoadError>;

impl Format {
    /// Every format.
    pub const ALL: [Format; 10] = [
        Format::Json,
        Format::Sgf,
        Format::Psq,
        Format::ChessSave,
        Format::Csv,
        Format::Columns,
        Format::Moves,
        Format::MatrixS0,
        Format::MatrixS2,
        Format::Renlib,
    ];

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Sgf => "sgf",
            Format::Psq => "psq",
            Format::ChessSave => "chess-save",
            Format::Csv => "csv",
            Format::Columns => "columns",
            Format::Moves => "moves",
            Format::MatrixS0 => "matrix-s0",
            Format::MatrixS2 => "matrix-s2",
            Format::Renlib => "renlib",
        }
    }

    /// Reads all games of a document. `rules` says which game it is where the format does not.
    pub fn read(self, document: &Document, rules: Option<Rules>) -> Result<Vec<Loaded>, LoadError> {
        self.read_watched(document, rules, &mut |_| {})
    }

    /// The same for a document that may be long: after each game somebody is told how many there are so far.
    pub fn read_watched(
        self,
        document: &Document,
        rules: Option<Rules>,
        watch: &mut dyn FnMut(usize),
    ) -> Result<Vec<Loaded>, LoadError> {
        let mut games = Vec::new();
        self.read_each(document, rules, &mut |game| {
            games.push(game);
            watch(games.len());
        })?;
        Ok(games)
    }

    /// Hands over the games of a document one after the other, for whoever does not want to hold them all; how many
    /// there were. An error may come after some of them.
    pub fn read_each(
        self,
        document: &Document,
        rules: Option<Rules>,
        each: &mut dyn FnMut(Loaded),
    ) -> Result<usize, LoadError> {
        let whole = |reason| LoadError { line: 0, reason };
        if document.len() > MAX_BYTES {
            return Err(whole(Reason::TooMuch(
                Text::fixed("too many bytes for a file of games", "棋谱文件的字节数过多"),
                MAX_BYTES,
            )));
        }
        let mut count = 0;
        let mut take = |draft: Draft| {
            if count == MAX_GAMES {
                return Err(whole(Reason::TooMuch(
                    Text::fixed("too many games in one file", "一个文件中的棋局过多"),
                    MAX_GAMES,
                )));
            }
            each(draft.replay()?);
            count += 1;
            Ok(())
        };
        match (self, document) {
            (Format::Csv, Document::Pair { black, white }) => {
                csv::read(&text::decode(black), &text::decode(white), rules, &mut take)?;
            }
            (Format::Csv, _) | (_, Document::Pair { .. }) => return Err(whole(Reason::WrongFiles)),
            (Format::Renlib, Document::Single(bytes)) => renlib::read(bytes, rules, &mut take)?,
            (_, Document::Single(bytes)) => self.read_text(&text::decode(bytes), rules, &mut take)?,
        }
        if count == 0 { Err(whole(Reason::Empty)) } else { Ok(count) }
    }

    fn read_text(self, text: &str, rules: Option<Rules>, take: Take<'_>) -> Result<(), LoadError> {
        match self {
            Format::Json => json::read(text, take),
            Format::Sgf => sgf::read(text, rules, take),
            Format::Psq => psq::read(text, rules, take),
            Format::ChessSave => chess_save::read(text, rules, take),
            Format::Columns => columns::read(text, rules, take),
            Format::Moves => moves::read(text, rules, take),
            Format::MatrixS0 => matrix::read(text, Coding::S0, rules, take),
            Format::MatrixS2 => matrix::read(text, Coding::S2, rules, take),
            Format::Csv | Format::Renlib => Err(LoadError { line: 0, reason: Reason::WrongFiles }),
        }
    }

    /// Writes games.
    pub fn write(self, records: &[GameRecord]) -> Result<Document, Unwritable> {
        let refuse = |why| Unwritable { format: self, why };
        let text = match self {
            Format::Json => Ok(records.iter().map(|record| record.to_json() + "\n").collect()),
            Format::Sgf => Ok(records.iter().map(sgf::write).collect()),
            Format::Columns => records.iter().map(columns::write).collect(),
            Format::Moves => records.iter().map(moves::write).collect(),
            Format::Psq => single(records).and_then(psq::write),
            Format::ChessSave => single(records).and_then(chess_save::write),
            Format::MatrixS0 => single(records).and_then(|record| matrix::write(record, Coding::S0)),
            Format::MatrixS2 => single(records).and_then(|record| matrix::write(record, Coding::S2)),
            Format::Csv => {
                let [black, white] = single(records).and_then(csv::write).map_err(refuse)?;
                return Ok(Document::Pair { black: black.into_bytes(), white: white.into_bytes() });
            }
            Format::Renlib => Err(Text::fixed("this format is only read", "此格式只能读取")),
        };
        Ok(Document::Single(text.map_err(refuse)?.into_bytes()))
    }
}

/// The one game of a format that holds one.
fn single(records: &[GameRecord]) -> Result<&GameRecord, Text> {
    match records {
        [record] => Ok(record),
        _ => Err(Text::fixed("it holds exactly one game", "每个文件只能有一局")),
    }
}

/// Refuses what most simple formats have no words for.
pub(super) fn refuse_setup(record: &GameRecord) -> Result<(), Text> {
    match record.setup {
        Some(_) => {
            Err(Text::fixed("it has no place for stones set up before the first move", "无法记录开局前摆好的棋子"))
        }
        None => Ok(()),
    }
}

/// Refuses blocked cells.
pub(super) fn refuse_blocked(record: &GameRecord) -> Result<(), Text> {
    match record.rules.blocked.is_empty() {
        false => Err(Text::fixed("it has no place for blocked cells", "无法记录障碍格")),
        true => Ok(()),
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = Text;

    fn from_str(text: &str) -> Result<Format, Text> {
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let (names, text) = (Format::ALL.map(Format::name), crate::shorten(text));
            Text::new(
                format!("there is no format '{text}'; the formats are {}", names.join(", ")),
                format!("没有名为“{text}”的格式；可选 {}", names.join("、")),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_file_tells_its_progress() {
        let text = "(;GM[4]SZ[15];B[hh];W[ii])\n".repeat(50);
        let mut told = Vec::new();
        let games = Format::Sgf.read_watched(&Document::Single(text.into()), None, &mut |games| told.push(games));
        assert_eq!((games.unwrap().len(), told), (50, (1..=50).collect()));
    }
}
