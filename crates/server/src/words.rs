//! Refusals as HTTP says them, and what the log is told of them.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use lianzi_core::{Text, text};
use lianzi_store::StoreError;
use lianzi_talk::Refusal;

const FULL: Text = Text::fixed(
    "the server's disk is full: nothing more can be kept until whoever runs it makes room",
    "服务器磁盘已满：管理者腾出空间之前，无法再保存任何内容",
);

const BROKEN: Text = Text::fixed("something went wrong on the server; its log says what", "服务器出错；详情见其日志");

/// What is wrong with the library of games, for whoever runs the server.
pub fn library_words(error: &StoreError) -> Text {
    match error {
        StoreError::Full => FULL,
        StoreError::Damaged(what) => text!(
            "the library of games is damaged ({what}) and was left as it is; put a backup in its place (see lianzi backup --help), or save what can be read with: sqlite3 FILE .recover",
            "对局库文件已损坏（{what}），未作改动；请用备份替换（见 lianzi backup --help），或用 sqlite3 文件 .recover 抢救可读内容"
        ),
        StoreError::Newer { version } => text!(
            "the library of games has version {version}, which this program does not know; use a newer one",
            "对局库版本为 {version}，此程序不认识；请用更新的版本"
        ),
        error => text!("the library of games cannot be used: {error}", "对局库无法使用：{error}"),
    }
}

/// Something broke on our side; the log knows what.
pub fn broken(what: impl std::fmt::Display) -> Refusal {
    tracing::error!("{what}");
    Refusal { status: 500, words: BROKEN }
}

/// The library could not do what it was asked.
pub fn library_refusal(error: StoreError) -> Refusal {
    match error {
        StoreError::TooLong(_) => Refusal::bad("that text is too long", "文本过长"),
        StoreError::Full => full(FULL),
        StoreError::Elsewhere => Refusal {
            status: 410,
            words: Text::fixed(
                "this game goes on in another process of the server; load the page again",
                "此局已转到另一个服务进程；请重新载入页面",
            ),
        },
        error => broken(error),
    }
}

/// There is no room for more.
pub fn full(words: Text) -> Refusal {
    Refusal { status: 507, words }
}

/// Tells the log of a refusal before it is sent, over this connection to a game if it is one; what is [`broken`] was
/// told already.
pub fn log(refusal: &Refusal, connection: Option<u64>) {
    let Refusal { status, words } = refusal;
    match status {
        500 if *words == BROKEN => {}
        500 => tracing::error!(connection, "{}", words.english),
        _ => tracing::info!(status, connection, "refused: {}", words.english),
    }
}

/// A refusal as the answer to a request.
pub struct HttpRefusal(pub Refusal);

impl<Why: Into<Refusal>> From<Why> for HttpRefusal {
    fn from(why: Why) -> HttpRefusal {
        HttpRefusal(why.into())
    }
}

impl IntoResponse for HttpRefusal {
    fn into_response(self) -> Response {
        log(&self.0, None);
        let Refusal { status, words } = self.0;
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, Json(words)).into_response()
    }
}
