//! Our own form: every field of a record, versioned, lossless. One game a line, or one game over many lines.
//!
//! ```json
//! {"format":"lianzi-game","version":1,"game":"gomoku","sides":[{"name":"a"},{"name":"b"}],"moves":[{"cell":"h8"}],"verdict":{"ending":"unfinished"}}
//! ```

use serde::{Deserialize, Serialize};

use super::draft::{Draft, DraftMove};
use super::{GameRecord, LoadError, Loaded};

const FORMAT: &str = "lianzi-game";
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Written<'a> {
    format: &'static str,
    version: u32,
    #[serde(flatten)]
    record: &'a GameRecord,
}

#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

impl GameRecord {
    /// The record as one line of JSON, without a line end.
    pub fn to_json(&self) -> String {
        let written = Written { format: FORMAT, version: VERSION, record: self };
        serde_json::to_string(&written).expect("a record has only texts and numbers, which JSON can hold")
    }
}

/// Reads any number of games, one after another.
pub(super) fn read(text: &str) -> Result<Vec<Loaded>, LoadError> {
    let mut games = Vec::new();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&serde_json::value::RawValue>();
    while let Some(value) = values.next() {
        let value = value.map_err(|e| bad_json(&e, 0))?;
        let start = values.byte_offset() - value.get().len();
        let line = text[..start].matches('\n').count();
        games.push(read_one(value.get(), line)?);
    }
    Ok(games)
}

/// Reads one game that begins after this many lines of the file.
fn read_one(text: &str, lines_before: usize) -> Result<Loaded, LoadError> {
    let wrong = |e: serde_json::Error| bad_json(&e, lines_before);
    let header: Header = serde_json::from_str(text).map_err(wrong)?;
    if header.format != FORMAT || header.version != VERSION {
        let found = format!("{} {}", header.format, header.version);
        return Err(LoadError::expected(
            lines_before + 1,
            ["a lianzi-game of version 1", "版本为 1 的 lianzi-game"],
            &found,
        ));
    }
    let record: GameRecord = serde_json::from_str(text).map_err(wrong)?;
    // JSON carries no line for each move; the place of a foul is told by the verdict's words.
    let line = lines_before + 1;
    let moves =
        record.moves.iter().map(|m| DraftMove { rest: m.clone(), ..DraftMove::new(None, m.cell, line) });
    let surplus = record.surplus.iter().map(|&cell| DraftMove::new(None, cell, line));
    let moves = moves.chain(surplus).collect();
    Draft { record, moves, setup_line: line }.replay()
}

fn bad_json(error: &serde_json::Error, lines_before: usize) -> LoadError {
    LoadError::expected(
        lines_before + error.line(),
        ["a complete game in JSON", "一局完整的 JSON 棋谱"],
        &error.to_string(),
    )
}
