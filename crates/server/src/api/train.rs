//! Training: what pages ask of puzzles and lessons, and a class.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use lianzi_talk::Refusal;
use lianzi_train::Day;
use serde::Deserialize;
use serde_json::Value;

use super::{Answer, Sent, Shared, bearer, created};
use crate::Hall;
use crate::class::Class;
use crate::doors::Guest;
use crate::words::broken;

/// Answers what docs/train.md lists. Proofs take a while, so only a few are made at once.
pub async fn ask(State(hall): Shared, guest: Guest, sent: Sent) -> Answer {
    let asked = Arc::clone(&hall);
    let answer = move || asked.trainer.answer_text(&String::from_utf8_lossy(sent.bytes()));
    Ok(axum::Json(hall.training.work(guest.visitor, answer).await?).into_response())
}

/// Who joins a class.
#[derive(Deserialize)]
struct Name {
    name: String,
}

/// What is kept for a learner.
#[derive(Deserialize)]
struct Kept {
    progress: Value,
    when: When,
}

#[derive(Deserialize)]
struct When {
    day: Day,
}

/// Asks the class, where waiting for the disk holds nobody up.
async fn with_class<T: Send + 'static>(
    hall: Arc<Hall>,
    ask: impl FnOnce(&Class, &Hall) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let asked = tokio::task::spawn_blocking(move || match &hall.class {
        Some(class) => ask(class, &hall),
        None => Err(Refusal::missing(
            "this server keeps no class; whoever runs it can start it with --class",
            "此服务器没有班级；管理者可用 --class 启动",
        )),
    });
    asked.await.map_err(broken)?
}

fn today() -> Day {
    Day::of_seconds(crate::now() / 1000)
}

/// Joins the class.
pub async fn join(State(hall): Shared, guest: Guest, sent: Sent) -> Answer {
    let Name { name } = sent.parse()?;
    let visitor = hall.mark(guest.visitor);
    Ok(created(with_class(hall, move |class, _| class.join(&name, visitor, today())).await?))
}

/// Keeps progress.
pub async fn keep(State(hall): Shared, Path(id): Path<String>, headers: HeaderMap, sent: Sent) -> Answer {
    let Kept { progress, when } = sent.parse()?;
    let secret = bearer(&headers).to_string();
    // East of here it may be tomorrow, and no later.
    let day = when.day.min(today().later(1));
    with_class(hall, move |class, _| class.keep(&id, &secret, progress, day)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// A learner's own progress.
pub async fn get(State(hall): Shared, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let secret = bearer(&headers).to_string();
    Ok(axum::Json(with_class(hall, move |class, _| class.get(&id, &secret)).await?).into_response())
}

/// Leaves the class.
pub async fn leave(State(hall): Shared, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let secret = bearer(&headers).to_string();
    with_class(hall, move |class, hall| class.forget(&id, &secret, hall.is_keeper(&secret))).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Everybody's progress, for the teacher.
pub async fn everybody(State(hall): Shared, headers: HeaderMap) -> Answer {
    if !hall.is_keeper(bearer(&headers)) {
        return Err(Refusal::forbidden(
            "only whoever runs the server sees the class; the secret is in its folder, in keeper.token",
            "只有服务器管理者能查看班级；密钥在其文件夹的 keeper.token 中",
        )
        .into());
    }
    let told = with_class(hall, |class, hall| class.everybody(&hall.trainer, today()));
    Ok(axum::Json(told.await?).into_response())
}
