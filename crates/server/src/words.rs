//! Refusals, in words and with a status.

use std::borrow::Cow;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use lianzi_core::{BadGame, Language, Speak, Text, text};
use lianzi_store::StoreError;

const FULL: Text = Text::fixed(
    "the server's disk is full: nothing more can be kept until whoever runs it makes room",
    "服务器磁盘已满：管理者腾出空间之前，无法再保存任何内容",
);

/// What is wrong with the library of games, for whoever runs the server.
pub fn library_words(error: &StoreError) -> Text {
    match error {
        StoreError::Full => FULL,
        StoreError::Damaged(what) => text!(
            "the library of games is damaged ({what}) and was left as it is; put a backup in its place (see lianzi backup --help), or save what can be read with: sqlite3 FILE .recover",
            "棋库文件已损坏（{what}），未作改动；请用备份替换（见 lianzi backup --help），或用 sqlite3 文件 .recover 抢救可读内容"
        ),
        StoreError::Newer { version } => text!(
            "the library of games has version {version}, which this program does not know; use a newer one",
            "棋库版本为 {version}，此程序不认识；请用更新的版本"
        ),
        error => text!("the library of games cannot be used: {error}", "棋库无法使用：{error}"),
    }
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status, for those who asked over HTTP.
    pub status: StatusCode,
    /// The words, for people.
    pub words: Text,
}

impl Refusal {
    /// The request itself is wrong.
    pub fn bad(en: impl Into<Cow<'static, str>>, zh: impl Into<Cow<'static, str>>) -> Refusal {
        Text::new(en, zh).into()
    }

    /// The request is wrong, as `say` says in each language.
    pub fn said(say: impl Fn(Language) -> String) -> Refusal {
        Text::both(say).into()
    }

    /// There is no such thing.
    pub fn missing(en: impl Into<Cow<'static, str>>, zh: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal { status: StatusCode::NOT_FOUND, words: Text::new(en, zh) }
    }

    /// The one who asks may not.
    pub fn forbidden(en: impl Into<Cow<'static, str>>, zh: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal { status: StatusCode::FORBIDDEN, words: Text::new(en, zh) }
    }

    /// It cannot be done now.
    pub fn busy(en: impl Into<Cow<'static, str>>, zh: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal { status: StatusCode::SERVICE_UNAVAILABLE, words: Text::new(en, zh) }
    }

    /// The one who asks has had enough.
    pub fn much(words: Text) -> Refusal {
        Refusal { status: StatusCode::TOO_MANY_REQUESTS, words }
    }

    /// There is no game of this name.
    pub fn no_game() -> Refusal {
        Refusal::missing("there is no such game; it may have been deleted", "没有这局棋；它可能已被删除")
    }

    /// Something broke on our side; the log knows what.
    pub fn broken(what: impl std::fmt::Display) -> Refusal {
        tracing::error!("{what}");
        Refusal {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            words: Text::new("something went wrong on the server; its log says what", "服务器出错；详情见其日志"),
        }
    }
}

/// A request that is wrong, and why.
impl From<Text> for Refusal {
    fn from(words: Text) -> Refusal {
        Refusal { status: StatusCode::BAD_REQUEST, words }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        match error {
            StoreError::TooLong(_) => Refusal::bad("that text is too long", "文本过长"),
            StoreError::Full => {
                let status = StatusCode::INSUFFICIENT_STORAGE;
                Refusal { status, words: FULL }
            }
            StoreError::Elsewhere => Refusal {
                status: StatusCode::GONE,
                words: Text::fixed(
                    "this game goes on in another process of the server; load the page again",
                    "此局已转到另一个服务进程；请重新载入页面",
                ),
            },
            error => Refusal::broken(error),
        }
    }
}

impl From<lianzi_talk::Refusal> for Refusal {
    fn from(refusal: lianzi_talk::Refusal) -> Refusal {
        let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        if status.is_server_error() {
            tracing::error!("{}", refusal.words.english);
        }
        Refusal { status, words: refusal.words }
    }
}

impl From<BadGame> for Refusal {
    fn from(bad: BadGame) -> Refusal {
        Refusal::said(|language| bad.words(language))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        if self.status != StatusCode::INTERNAL_SERVER_ERROR {
            tracing::info!(status = self.status.as_u16(), "refused: {}", self.words.english);
        }
        (self.status, Json(self.words)).into_response()
    }
}
