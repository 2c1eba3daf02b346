//! Our own form: every field of a record, versioned, lossless. One game a line, or one game over many lines.
//!
//! ```json
//! {"format":"lianzi-game","version":1,"game":"gomoku","sides":[{"name":"a"},{"name":"b"}],"moves":[{"cell":"h8"}],"verdict":{"ending":"unfinished"}}
//! ```

use serde::{Deserialize, Serialize};

use super::draft::{Draft, DraftMove, DraftVariation, MAX_PLIES};
use super::format::Take;
use super::{GameRecord, LoadError, Variation};

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

/// Reads any number of games, one after another, and hands each to `take`.
pub(super) fn read(text: &str, take: Take<'_>) -> Result<(), LoadError> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&serde_json::value::RawValue>();
    let (mut lines, mut counted) = (0, 0);
    while let Some(value) = values.next() {
        let value = value.map_err(|e| bad_json(&e, 0))?;
        let start = values.byte_offset() - value.get().len();
        lines += text[counted..start].matches('\n').count();
        counted = start;
        take(read_one(value.get(), lines)?)?;
    }
    Ok(())
}

/// Reads one game that begins after this many lines of the file.
fn read_one(text: &str, lines_before: usize) -> Result<Draft, LoadError> {
    let wrong = |e: serde_json::Error| bad_json(&e, lines_before);
    let line = lines_before + 1;
    let header: Header = serde_json::from_str(text).map_err(wrong)?;
    if header.format != FORMAT || header.version != VERSION {
        let found = format!("{} {}", header.format, header.version);
        let what = ["a lianzi-game of version 1", "版本为 1 的 lianzi-game"];
        return Err(LoadError::expected(line, what, &found));
    }
    let mut record: GameRecord = serde_json::from_str(text).map_err(wrong)?;
    // JSON carries no line for each move; the place of a foul is told by the verdict's words.
    let moves = record.moves.iter().map(|played| DraftMove::of(played, line));
    let surplus = record.surplus.iter().map(|&cell| DraftMove::new(None, cell, line));
    let moves = moves.chain(surplus).take(MAX_PLIES).collect();
    let variations = std::mem::take(&mut record.variations);
    let variations = variations.into_iter().map(|variation| draft_of(variation, line)).collect();
    Ok(Draft { record, moves, variations, setup_line: line })
}

fn draft_of(variation: Variation, line: usize) -> DraftVariation {
    let Variation { from, ply, moves } = variation;
    DraftVariation { from, ply, moves: moves.iter().map(|played| DraftMove::of(played, line)).collect() }
}

fn bad_json(error: &serde_json::Error, lines_before: usize) -> LoadError {
    LoadError::expected(
        lines_before + error.line(),
        ["a complete game in JSON", "一局完整的 JSON 棋谱"],
        &error.to_string(),
    )
}
