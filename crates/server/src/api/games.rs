//! Games: set up, searched, shown and deleted.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use lianzi_core::{Game, Rules};
use lianzi_store::{Entry, Keys, Search, StoredGame, hash};
use lianzi_talk::records::{read_kept, shown};
use lianzi_talk::{NewGame, Refusal, Spot, board_json};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, Sent, Shared, bearer, created, json_text};
use crate::Hall;
use crate::bounds;
use crate::doors::Guest;
use crate::room::entry;
use crate::secret::{Credentials, is_id, new_id, new_token};

/// Sets up a game.
pub async fn create(State(hall): Shared, guest: Guest, sent: Sent) -> Answer {
    let new: NewGame = sent.parse()?;
    let who = [hall.players.find(&new.sides[0].player)?, hall.players.find(&new.sides[1].player)?];
    let usual = |player: &str, rules: &Rules| {
        // It was found already.
        let who = hall.players.find(player).map_err(|refusal| refusal.words)?;
        who.check(rules).map_err(|refusal| refusal.words)?;
        Ok(who.name().to_string())
    };
    let beginning = new.begin(random_seed(), usual)?;
    let visitor = hall.mark(guest.visitor);
    hall.may_keep(visitor).await?;
    hall.make_room().await?;
    let (id, owner) = (new_id()?, new_token()?);
    let token = |human: bool| human.then(new_token).transpose();
    let tokens = [token(who[0].is_human())?, token(who[1].is_human())?];
    let keys =
        Keys { owner: Some(hash(&owner)), seats: [tokens[0].as_deref().map(hash), tokens[1].as_deref().map(hash)] };
    let [black, white] = beginning.sides();
    tracing::info!(game = %id, rules = %beginning.record.rules, black = %black.player, white = %white.player, "game created");
    let (spot, live) = (Spot { id: id.clone(), created: crate::now() }, beginning.record.verdict.outcome.is_none());
    let stored = StoredGame {
        entry: entry(&spot, &beginning.record, live),
        record: beginning.record.to_json(),
        room: Some(beginning.saved()?),
        keys,
        visitor: Some(visitor),
    };
    hall.library(move |library| library.put(&stored, crate::now())).await?;
    Ok(created(json!({"id": id, "owner": owner, "tokens": tokens})))
}

fn random_seed() -> u64 {
    let mut seed = [0; 8];
    // Without random numbers every board drawn is the same one; that is no reason to refuse a game.
    let _ = getrandom::fill(&mut seed);
    u64::from_le_bytes(seed)
}

/// The board of a game.
pub async fn rules(query: Result<Query<GameQuery>, QueryRejection>) -> Answer {
    let Query(query) = query.map_err(|_| bad_query())?;
    let game: Game = bounds::game(&query.game)?.parse()?;
    Ok(axum::Json(board_json(&game.draw(random_seed()))).into_response())
}

/// What was played from a position, in the games of the library and of contests.
pub async fn explore(State(hall): Shared, guest: Guest, query: Result<Query<ExploreQuery>, QueryRejection>) -> Answer {
    let Query(ExploreQuery { game, moves }) = query.map_err(|_| bad_query())?;
    let explorer = lianzi_talk::explore::explorer(&game, &moves)?;
    let (explorer, looked) = hall.explore(guest.visitor, explorer).await?;
    Ok(axum::Json(lianzi_talk::explore::explored(&explorer, looked)).into_response())
}

/// From which position.
#[derive(Deserialize)]
pub struct ExploreQuery {
    game: String,
    #[serde(default)]
    moves: String,
}

/// Which game.
#[derive(Deserialize)]
pub struct GameQuery {
    game: String,
}

/// What to look for.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct SearchQuery {
    q: String,
    game: String,
    result: String,
    page: usize,
}

/// Looks for games of everybody, where whoever runs the server lets everybody see them.
pub async fn search(
    State(hall): Shared,
    headers: HeaderMap,
    query: Result<Query<SearchQuery>, QueryRejection>,
) -> Answer {
    let Query(SearchQuery { q, game, result, page }) = query.map_err(|_| bad_query())?;
    if !hall.public_library && !hall.is_keeper(bearer(&headers)) {
        return Err(Refusal::forbidden(
            "this server does not show everybody's games; it would with --public-library",
            "此服务器不公开所有人的对局；以 --public-library 启动才会公开",
        )
        .into());
    }
    list(&hall, Search { player: q, game, result, page, ids: None }).await
}

/// The games whose ids a browser knows.
#[derive(Deserialize)]
pub struct Known {
    ids: Vec<String>,
    #[serde(flatten)]
    query: SearchQuery,
}

/// Looks for games among those that a browser knows: who knows a game's id may see it.
pub async fn mine(State(hall): Shared, sent: Sent) -> Answer {
    let Known { ids, query: SearchQuery { q, game, result, page } } = sent.parse()?;
    let ids = ids.into_iter().filter(|id| is_id(id)).take(bounds::KNOWN_GAMES).collect();
    list(&hall, Search { player: q, game, result, page, ids: Some(ids) }).await
}

async fn list(hall: &Hall, search: Search) -> Answer {
    if !["", "black", "white", "draw", "none"].contains(&search.result.as_str()) {
        return Err(Refusal::bad("results are black, white, draw and none", "结果有 black、white、draw 与 none").into());
    }
    let page = search.page;
    let found = hall.library(move |library| library.search(&search)).await?;
    let games: Vec<Value> = found.games.iter().map(entry_json).collect();
    Ok(axum::Json(json!({"total": found.total, "page": page, "games": games})).into_response())
}

fn entry_json(entry: &Entry) -> Value {
    let [black, white] = &entry.names;
    json!({
        "id": entry.id, "game": entry.game, "black": black, "white": white, "outcome": entry.outcome,
        "ending": entry.ending, "plies": entry.plies, "created": entry.created, "live": entry.live,
    })
}

/// Shows a game.
pub async fn show(State(hall): Shared, Path(id): Path<String>) -> Answer {
    let stored = hall.game(&id).await?;
    let (live, created) = (stored.entry.live, stored.entry.created);
    let record = shown(&read_kept(&stored.record)?);
    Ok(json_text(format!("{{\"id\":\"{id}\",{record},\"live\":{live},\"created\":{created}}}")))
}

/// Deletes a game.
pub async fn remove(State(hall): Shared, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let stored = hall.game(&id).await?;
    let token = bearer(&headers);
    if !Credentials::new("", token).own(&stored.keys) && !hall.is_keeper(token) {
        return Err(Refusal::forbidden(
            "only the one who set up this game can delete it",
            "只有开设此局的人可以删除它",
        )
        .into());
    }
    hall.delete(&id).await?;
    tracing::info!(game = %id, "game deleted");
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// An address whose questions cannot be read.
pub fn bad_query() -> Refusal {
    Refusal::bad("the address cannot be understood", "无法理解此地址")
}
