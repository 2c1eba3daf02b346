//! Records: read from files, kept in the library, and written to files.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use lianzi_core::record::{Document, Format, GameRecord, LoadError, Loaded, Reason};
use lianzi_core::{Rules, Speak, Text, text};
use lianzi_store::{Keys, StoredGame, hash};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::games::bad_query;
use super::{Answer, Sent, Shared, Upload, created, json_text, shown};
use crate::contests::bounded;
use crate::doors::Guest;
use crate::room::{entry, read_record};
use crate::secret::{new_id, new_token};
use crate::words::Refusal;
use crate::{bounds, zip};

/// What is known of a file besides its bytes.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct FileQuery {
    name: String,
    from: String,
    game: String,
}

/// Reads the games of a file.
pub async fn read(State(hall): Shared, query: Result<Query<FileQuery>, QueryRejection>, upload: Upload) -> Answer {
    let Query(query) = query.map_err(|_| bad_query())?;
    // The semaphore is never closed.
    let _turn = hall.readers.acquire().await;
    let answer = tokio::task::spawn_blocking(move || read_file(&query, upload.bytes())).await;
    Ok(json_text(answer.map_err(Refusal::broken)??))
}

fn read_file(query: &FileQuery, body: &[u8]) -> Result<String, Refusal> {
    let document = document_of(body)?;
    let rules = Some(&query.game).filter(|game| !game.is_empty());
    let rules = rules.map(|game| bounded(game)?.parse::<Rules>().map_err(Refusal::from)).transpose()?;
    let format = match query.from.as_str() {
        "" => Format::detect(&query.name, &document).ok_or_else(unknown_format)?,
        name => format_of(name)?,
    };
    let games = format.read(&document, rules).map_err(|error| load_refusal(&error))?;
    let total = games.len();
    let listed: Vec<String> = games.into_iter().take(bounds::GAMES_READ).map(loaded_json).collect();
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
        let words = text!("a game of more than {most} MiB is not kept", "超过 {most} MiB 的棋谱不予保存");
        return Err(Refusal { status: StatusCode::PAYLOAD_TOO_LARGE, words });
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

/// A game to be kept.
#[derive(Deserialize)]
pub struct Kept {
    record: Box<RawValue>,
}

/// Keeps a finished or imported game.
pub async fn keep(State(hall): Shared, guest: Guest, sent: Sent) -> Answer {
    let kept: Kept = sent.parse()?;
    let record = read_json(kept.record.get())?;
    let visitor = hall.mark(guest.visitor);
    hall.may_keep(visitor).await?;
    let (id, owner) = (new_id()?, new_token()?);
    let keys = Keys { owner: Some(hash(&owner)), seats: [None, None] };
    let entry = entry(&id, &record, crate::now(), false);
    let stored = StoredGame { entry, record: record.to_json(), room: None, keys, visitor: Some(visitor) };
    hall.library(move |library| library.put(&stored, crate::now())).await?;
    tracing::info!(game = %id, "game kept");
    Ok(created(json!({"id": id, "owner": owner})))
}

/// Writes a game as a file.
pub async fn export(State(hall): Shared, Path((id, format)): Path<(String, String)>) -> Answer {
    let stored = hall.game(&id).await?;
    let format = format_of(&format)?;
    let record = read_record(&stored.record)?;
    let document = format.write(&[record]).map_err(|why| Refusal::said(|language| why.words(language)))?;
    let (bytes, ending) = match document {
        Document::Single(bytes) => (bytes, ending_of(format)),
        Document::Pair { black, white } => (zip::write(&[("black.csv", &black), ("white.csv", &white)]), "zip"),
    };
    let about = [
        (header::CONTENT_TYPE, "application/octet-stream".to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"lianzi-{id}.{ending}\"")),
    ];
    Ok((about, bytes).into_response())
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
        assert_eq!(read_json(&long).unwrap_err().status, StatusCode::PAYLOAD_TOO_LARGE);
    }
}
