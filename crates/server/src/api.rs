//! HTTP: every request is read into types here, bounded, and answered in words when it cannot be done.

mod games;
mod records;
mod sent;
mod share;
mod train;
mod weighed;

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use lianzi_talk::records::shown;
use lianzi_talk::{Refusal, players};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::doors::Guest;
use crate::guard::{Names, guard};
use crate::secret::Credentials;
use crate::socket::talk;
use crate::words::{HttpRefusal, broken};
use crate::{Hall, bounds};

use sent::{Sent, Upload};

/// What all parts share, as requests get it.
type Shared = State<Arc<Hall>>;

/// What a request is answered.
type Answer = Result<Response, HttpRefusal>;

/// How many bytes of a connection to a game are read at a time: orders are short.
const READING: usize = 4 << 10;

/// What the report may do: run its own script, and touch nothing of ours.
const REPORT_POLICY: &str = "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; \
    script-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

/// Everything that can be asked, under these names.
pub fn routes(hall: Arc<Hall>, names: Names) -> Router {
    Router::new()
        .route("/api/info", get(info))
        .route("/api/rules", get(games::rules))
        .route("/api/explore", get(games::explore))
        .route("/api/games", post(games::create).get(games::search))
        .route("/api/games/mine", post(games::mine))
        .route("/api/qr", get(share::qr))
        .route("/api/games/{id}", get(games::show).delete(games::remove))
        .route("/api/games/{id}/export/{format}", get(records::export))
        .route("/api/read", post(records::read))
        .route("/api/library", post(records::keep))
        .route("/api/contests", post(start_contest).get(contests))
        .route("/api/contests/{id}", get(contest).delete(stop_contest))
        .route("/api/contests/{id}/games/{game}", get(contest_game))
        .route("/api/contests/{id}/report.html", get(report))
        .route("/api/train", post(train::ask))
        .route("/api/class", post(train::join).get(train::everybody))
        .route("/api/class/{id}", get(train::get).put(train::keep).delete(train::leave))
        .route("/ws/games/{id}", get(socket))
        .route_layer(from_fn_with_state(Arc::clone(&hall), weighed::weigh))
        // The page's files are there once for all.
        .route("/", get(page))
        .route("/assets/{*name}", get(asset))
        .fallback(nothing)
        .layer(from_fn_with_state(names, guard))
        .with_state(hall)
}

async fn page(State(hall): Shared, headers: HeaderMap) -> Response {
    hall.assets.answer("index.html", &headers)
}

async fn asset(State(hall): Shared, Path(name): Path<String>, headers: HeaderMap) -> Response {
    hall.assets.answer(&name, &headers)
}

async fn nothing() -> HttpRefusal {
    Refusal::missing("there is nothing at this address", "此地址没有内容").into()
}

async fn info(State(hall): Shared) -> Answer {
    let asked = Arc::clone(&hall);
    let listed = tokio::task::spawn_blocking(move || asked.players.listed().to_vec());
    let mut info = players::info(&listed.await.map_err(broken)?);
    info["addresses"] = json!(share::addresses(hall.addr));
    info["library"] = hall.public_library.into();
    info["class"] = hall.class.is_some().into();
    info["module"] = hall.assets.has_module().into();
    Ok(axum::Json(info).into_response())
}

async fn start_contest(State(hall): Shared, guest: Guest, sent: Sent) -> Answer {
    let started = hall.start_contest(sent.parse()?, hall.mark(guest.visitor)).await?;
    Ok((StatusCode::CREATED, axum::Json(started)).into_response())
}

async fn contests(State(hall): Shared, guest: Guest) -> Answer {
    Ok(axum::Json(hall.contest_list(guest.visitor).await?).into_response())
}

async fn contest(State(hall): Shared, guest: Guest, Path(id): Path<String>) -> Answer {
    Ok(axum::Json(hall.contest_summary(guest.visitor, id).await?).into_response())
}

async fn contest_game(State(hall): Shared, guest: Guest, Path((id, game)): Path<(String, String)>) -> Answer {
    let record = hall.contest_game(guest.visitor, id, game).await?;
    Ok(json_text(format!("{{{}}}", shown(&record))))
}

async fn report(State(hall): Shared, guest: Guest, Path(id): Path<String>) -> Answer {
    let page = hall.contest_report(guest.visitor, id).await?;
    let about = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, REPORT_POLICY)];
    Ok((about, page).into_response())
}

async fn stop_contest(State(hall): Shared, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    hall.stop_contest(&id, bearer(&headers)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// The secrets in the address of a socket.
#[derive(Deserialize)]
struct Secrets {
    #[serde(default)]
    token: String,
    #[serde(default)]
    owner: String,
}

async fn socket(
    State(hall): Shared,
    guest: Guest,
    Path(id): Path<String>,
    secrets: Result<Query<Secrets>, QueryRejection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answer {
    let upgrade = upgrade
        .map_err(|_| Refusal::bad("this address is for WebSocket connections", "此地址仅用于 WebSocket 连接"))?;
    // Said before the upgrade, where it has a status.
    hall.game(&id).await?;
    let Query(secrets) = secrets.map_err(|_| games::bad_query())?;
    let credentials = Credentials::new(&secrets.token, &secrets.owner);
    let upgrade = upgrade.max_message_size(bounds::MESSAGE).max_frame_size(bounds::MESSAGE);
    let upgrade = upgrade.read_buffer_size(READING);
    Ok(upgrade.on_upgrade(move |socket| talk(hall, guest, id, credentials, socket)))
}

/// The secret of a request.
fn bearer(headers: &HeaderMap) -> &str {
    let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    value.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default()
}

/// JSON that is text already.
fn json_text(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// A thing that was made.
fn created(thing: impl Serialize) -> Response {
    (StatusCode::CREATED, axum::Json(thing)).into_response()
}
