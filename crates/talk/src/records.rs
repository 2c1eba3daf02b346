//! Records: read from files and written to files.

use lianzi_core::record::{Document, Format, GameRecord, LoadError, Loaded, Reason};
use lianzi_core::{Rules, Speak, Text, text};
use lianzi_game::live::chance::chances;
use serde::Deserialize;
use serde_json::json;

use crate::{Refusal, bounds, zip};

/// What is known of a file besides its bytes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct FileQuery {
    name: String,
    from: String,
    game: String,
}

/// The games of a file, as a page is told them.
pub fn read_file(query: &FileQuery, body: &[u8]) -> Result<String, Refusal> {
    let document = document_of(body)?;
    let rules = Some(&query.game).filter(|game| !game.is_empty());
    let rules = rules.map(|game| bounds::game(game)?.parse::<Rules>().map_err(Refusal::from)).transpose()?;
    let format = match query.from.as_str() {
        "" => Format::detect(&query.name, &document).ok_or_else(unknown_format)?,
        name => format_of(name)?,
    };
    // A file of a stranger may hold very many games: only those that are listed are kept.
    let mut listed = Vec::new();
    let total = format.read_each(&document, rules, &mut |game| {
        if listed.len() < bounds::GAMES_READ {
            listed.push(loaded_json(game));
        }
    });
    let total = total.map_err(|error| load_refusal(&error))?;
    Ok(format!("{{\"games\":[{}],\"total\":{total}}}", listed.join(",")))
}

/// One file, or the two of a game in CSV, which come in an archive.
fn document_of(body: &[u8]) -> Result<Document, Refusal> {
    if !zip::is_archive(body) {
        return Ok(Document::Single(body.to_vec()));
    }
    let files = zip::read(body).ok_or_else(|| {
        Refusal::bad(
            "this archive cannot be read; upload black.csv and white.csv in an uncompressed zip, as it was exported",
            "无法读取此压缩包；请按导出时的样子上传含 black.csv 与 white.csv 的未压缩 zip",
        )
    })?;
    let half = |name: &str| {
        files.iter().find(|(file, _)| file.rsplit('/').next() == Some(name)).map(|(_, bytes)| bytes.clone())
    };
    Ok(Document::Pair { black: half("black.csv").unwrap_or_default(), white: half("white.csv").unwrap_or_default() })
}

fn loaded_json(loaded: Loaded) -> String {
    let record = shown(&loaded.record);
    let problem = loaded.whole().err().map(|error| load_refusal(&error).words);
    format!("{{{record},\"problem\":{}}}", json!(problem))
}

/// A game and the chances that its players saw, as members of an object.
pub fn shown(record: &GameRecord) -> String {
    let players = [&record.sides[0].name, &record.sides[1].name].map(String::as_str);
    format!("\"record\":{},\"chances\":{}", record.to_json().trim(), json!(chances(record, players)))
}

fn unknown_format() -> Refusal {
    load_refusal(&LoadError { line: 0, reason: Reason::UnknownFormat })
}

fn load_refusal(error: &LoadError) -> Refusal {
    Refusal::said(|language| error.words(language))
}

fn format_of(name: &str) -> Result<Format, Refusal> {
    name.parse().map_err(|bad: Text| bad.into())
}

/// A whole game in our JSON form, from a stranger.
pub fn read_json(text: &str) -> Result<GameRecord, Refusal> {
    if text.len() > bounds::RECORD {
        let most = bounds::RECORD >> 20;
        return Err(Refusal::too_large(text!(
            "a game of more than {most} MiB is not kept",
            "超过 {most} MiB 的棋谱不予保存"
        )));
    }
    let games = Format::Json.read(&Document::Single(text.into()), None).map_err(|error| load_refusal(&error))?;
    let loaded = games.into_iter().next().ok_or_else(unknown_format)?;
    let mut record = loaded.whole().map_err(|error| load_refusal(&error))?;
    for side in &mut record.sides {
        // A file may hold longer names than a page may give.
        side.name = side.name.chars().filter(|c| !c.is_control()).take(bounds::NAME).collect();
    }
    Ok(record)
}

/// A game in our JSON form that was kept by ourselves.
pub fn read_kept(json: &str) -> Result<GameRecord, Refusal> {
    let games = Format::Json.read(&Document::Single(json.into()), None);
    let loaded = games.ok().and_then(|games| games.into_iter().next());
    Ok(loaded.ok_or_else(|| Refusal::broken("a game of the library cannot be read"))?.record)
}

/// A game as a file of this format, and how the file's name ends.
pub fn exported(record: GameRecord, format: &str) -> Result<(Vec<u8>, &'static str), Refusal> {
    let format = format_of(format)?;
    let document = format.write(&[record]).map_err(|why| Refusal::said(|language| why.words(language)))?;
    Ok(match document {
        Document::Single(bytes) => (bytes, ending_of(format)),
        Document::Pair { black, white } => (zip::write(&[("black.csv", &black), ("white.csv", &white)]), "zip"),
    })
}

fn ending_of(format: Format) -> &'static str {
    match format {
        Format::Json => "json",
        Format::Sgf => "sgf",
        Format::Psq => "psq",
        _ => "txt",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_a_file_does_not_reach_the_answer() {
        let hostile = json!({"format": "lianzi-game", "version": 1, "game": "gomoku",
            "sides": [{"name": "<script>alert(1)</script>".repeat(9)}, {"name": "\u{0}b"}], "moves": []});
        let record = read_json(&hostile.to_string()).unwrap();
        assert_eq!(record.sides[0].name.chars().count(), bounds::NAME);
        assert_eq!(record.sides[1].name, "b");
        assert!(read_json("{}").is_err() && read_json("[").is_err());
        let long = format!("{}{hostile}", " ".repeat(bounds::RECORD));
        assert_eq!(read_json(&long).unwrap_err().status, 413);
    }
}
