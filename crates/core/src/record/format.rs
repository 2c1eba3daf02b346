//! The list of formats: names, recognition, and the one way to read and write each.

use std::fmt;
use std::str::FromStr;

use super::{GameRecord, LoadError, Loaded, Reason, Unwritable, json};
use crate::Rules;

/// A form a game can have in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Our own lossless form.
    Json,
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

impl Format {
    /// Every format.
    pub const ALL: [Format; 1] = [Format::Json];

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
        }
    }

    /// Reads all games of a document. `rules` says which game it is where the format does not.
    pub fn read(self, document: &Document, rules: Option<Rules>) -> Result<Vec<Loaded>, LoadError> {
        let _ = rules;
        let Document::Single(bytes) = document else {
            return Err(LoadError { line: 0, reason: Reason::UnknownFormat });
        };
        let games = match self {
            Format::Json => json::read(&String::from_utf8_lossy(bytes))?,
        };
        if games.is_empty() { Err(LoadError { line: 0, reason: Reason::Empty }) } else { Ok(games) }
    }

    /// Writes games.
    pub fn write(self, records: &[GameRecord]) -> Result<Document, Unwritable> {
        let text = match self {
            Format::Json => records.iter().map(|record| record.to_json() + "\n").collect::<String>(),
        };
        Ok(Document::Single(text.into_bytes()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let names = Format::ALL.map(Format::name).join(", ");
            format!("there is no format '{}'; the formats are {names}", crate::shorten(text))
        })
    }
}
