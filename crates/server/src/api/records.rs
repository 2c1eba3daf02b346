//! Records: read from files, kept in the library, and written to files.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::IntoResponse;
use lianzi_store::{Keys, StoredGame, hash};
use lianzi_talk::Spot;
use lianzi_talk::records::{FileQuery, exported, read_file, read_json, read_kept};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::games::bad_query;
use super::{Answer, Sent, Shared, Upload, created, json_text};
use crate::doors::Guest;
use crate::room::entry;
use crate::secret::{new_id, new_token};

/// Reads the games of a file.
pub async fn read(
    State(hall): Shared,
    guest: Guest,
    query: Result<Query<FileQuery>, QueryRejection>,
    upload: Upload,
) -> Answer {
    let Query(query) = query.map_err(|_| bad_query())?;
    let read = move || read_file(&query, upload.bytes());
    Ok(json_text(hall.reading.work(guest.visitor, read).await?))
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
    let entry = entry(&Spot { id: id.clone(), created: crate::now() }, &record, false);
    let stored = StoredGame { entry, record: record.to_json(), room: None, keys, visitor: Some(visitor) };
    hall.library(move |library| library.put(&stored, crate::now())).await?;
    tracing::info!(game = %id, "game kept");
    Ok(created(json!({"id": id, "owner": owner})))
}

/// Writes a game as a file.
pub async fn export(State(hall): Shared, Path((id, format)): Path<(String, String)>) -> Answer {
    let stored = hall.game(&id).await?;
    let (bytes, ending) = exported(read_kept(&stored.record)?, &format)?;
    let about = [
        (header::CONTENT_TYPE, "application/octet-stream".to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"lianzi-{id}.{ending}\"")),
    ];
    Ok((about, bytes).into_response())
}
