//! Our own form: every field of a record, versioned, lossless. One game a line, or one game over many lines.
//!
//! `game` has the opening rule behind a plus sign, and `negotiation` then what the players did: cells, `swap`, `more`, and
//! how many fifth moves there are.
//!
//! ```json
//! {"format":"lianzi-game","version":1,"game":"gomoku","sides":[{"name":"a"},{"name":"b"}],"moves":[{"cell":"h8"}],"verdict":{"ending":"unfinished"}}
//! ```

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::draft::{Draft, DraftMove, DraftVariation, MAX_PLIES};
use super::format::Take;
use super::{GameRecord, LoadError, Move, Variation};
use crate::{Act, BadGame, Game, OpeningRule, Rules, Text};

const FORMAT: &str = "lianzi-game";
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Written<'a> {
    format: &'static str,
    version: u32,
    game: String,
    #[serde(flatten)]
    record: &'a GameRecord,
    /// What the players did to find their sides.
    #[serde(skip_serializing_if = "<[Act]>::is_empty")]
    negotiation: &'a [Act],
}

#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
    #[serde(default)]
    game: String,
    #[serde(default)]
    negotiation: Vec<Act>,
}

impl GameRecord {
    /// The record as one line of JSON, without a line end.
    pub fn to_json(&self) -> String {
        let negotiation = self.negotiated.as_ref().map_or(&[][..], |found| &found.acts);
        let game = self.game().to_string();
        let written = Written { format: FORMAT, version: VERSION, game, record: self, negotiation };
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
        let what = Text::fixed("a lianzi-game of version 1", "版本为 1 的 lianzi-game");
        return Err(LoadError::expected(line, what, &found));
    }
    let mut record: GameRecord = serde_json::from_str(text).map_err(wrong)?;
    record.begin_by(header.game.parse::<Game>().map_or(OpeningRule::None, |game| game.opening));
    if let Some(found) = &mut record.negotiated {
        found.acts = header.negotiation;
    }
    // JSON carries no line for each move; the place of a foul is told by the verdict's words.
    let moves = record.moves.iter().map(|played| DraftMove::of(played, line));
    let surplus = record.surplus.iter().map(|&cell| DraftMove::new(None, cell, line));
    let moves = moves.chain(surplus).take(MAX_PLIES).collect();
    let variations = std::mem::take(&mut record.variations);
    let variations = variations.into_iter().map(|variation| draft_of(variation, line)).collect();
    Ok(Draft { record, moves, variations, setup_line: line })
}

/// Reads the board of a game's name; its opening rule is read with the heading.
pub(super) fn board<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
    let game: Game = String::deserialize(deserializer)?.parse().map_err(D::Error::custom)?;
    game.rules().ok_or_else(|| D::Error::custom(BadGame::Random))
}

/// Reads stones, and keeps no more than any game can have: by then the referee has found a foul.
pub(super) fn moves<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Move>, D::Error> {
    struct Stones;
    impl<'de> Visitor<'de> for Stones {
        type Value = Vec<Move>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of moves")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Move>, A::Error> {
            let mut kept = Vec::new();
            while let Some(played) = list.next_element()? {
                if kept.len() < MAX_PLIES {
                    kept.push(played);
                }
            }
            Ok(kept)
        }
    }
    deserializer.deserialize_seq(Stones)
}

fn draft_of(variation: Variation, line: usize) -> DraftVariation {
    let Variation { from, ply, moves } = variation;
    DraftVariation { from, ply, moves: moves.iter().map(|played| DraftMove::of(played, line)).collect() }
}

fn bad_json(error: &serde_json::Error, lines_before: usize) -> LoadError {
    let found = if error.is_eof() { String::new() } else { error.to_string() };
    let what = Text::fixed("a complete game in JSON", "一局完整的 JSON 棋谱");
    LoadError::expected(lines_before + error.line(), what, &found)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{loaded, refused, written};
    use crate::record::{Document, Format::Json};

    const GAME: &str = r#"{"format":"lianzi-game","version":1,"game":"gomoku","sides":[{"name":"a"},{"name":"b"}],"moves":[{"cell":"h8","time_ms":5,"eval":{"score":3}}],"verdict":{"ending":"unfinished"}}"#;

    #[test]
    fn a_game_is_read_and_written() {
        let record = loaded(Json, GAME, None).whole().unwrap();
        assert_eq!(record.sides[1].name, "b");
        assert_eq!(record.moves[0].eval.unwrap().score, 3);
        assert_eq!(written(Json, &record), format!("{GAME}\n"));
        assert_eq!(loaded(Json, &GAME.replace(',', ",\r\n "), None).record, record);
    }

    #[test]
    fn many_games_follow_one_another() {
        let foul = GAME.replace("[{\"cell\"", "[{\"cell\":\"h8\"},{\"cell\"");
        let text = format!("\u{feff}{GAME}\n\n{GAME}{foul}\n");
        let games = Json.read(&Document::Single(text.into()), None).unwrap();
        assert_eq!(games.len(), 3);
        assert_eq!(games[2].problem.unwrap().line, 3);
    }

    #[test]
    fn what_is_broken_is_found_at_its_line() {
        let cut = &GAME[..60];
        let other = GAME.replace("\"version\":1", "\"version\":2");
        for broken in [cut, other.as_str(), "[]", "x", &GAME.replace("h8", "h99"), &GAME.replace("gomoku", "go")] {
            assert_eq!(refused(Json, &format!("{GAME}\n{broken}"), None).line, 2, "{broken}");
        }
    }
}
