//! Contests and self-play on many machines: PostgreSQL holds the work, the files and the results, and any number of
//! workers take games from it.
//!
//! What is played depends only on a contest and a game's name, so a database needs to know little: a *job* is a contest
//! or a run of self-play; its *items* are the pairs of games that workers take; its *games* are what came of them. Whoever looks
//! after a job, the command that filed it or any worker, tells a pure [`Plan`](lianzi_contest::plan::Plan) the outcomes
//! and adds the items that follow. All of that may happen twice and at the same time: names are keys, and what is there stays.
//!
//! A worker that is killed loses what it was playing when it was not heard of for a while, by the database's clock;
//! somebody else plays it again. A game counts when it is stored, and it is stored once.
//!
//! The key decision: the database is the protocol. A server of our own between workers and results was rejected: locks,
//! notifications, transactions, roles and encryption are all there, written and proven by others.
//!
//! The client is tokio-postgres, with rustls on ring. sqlx was rejected: its checked queries need a database at build
//! time, and its pool is of no use to a process that shares one connection.
//! The blocking client was rejected because a thread that waits for notifications would hold the connection.

pub mod bench;
pub mod files;
pub mod filing;
pub mod jobs;
pub mod link;
mod needs;
pub mod private;
pub mod remote;
mod schedule;
pub mod schema;
pub mod selfplay;
mod spool;
mod tls;
pub mod worker;

use lianzi_core::{Speak, Text, spoken_errors, text};

pub use link::{Address, Link};

/// Why the queue cannot do what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueueError {
    /// This is no address of a database.
    NoAddress(String),
    /// The address cannot be used.
    Address(String),
    /// The database cannot be reached, or not any more; it may be later.
    Lost(String),
    /// The database is there and cannot do it now: its disk is full, it only reads, somebody else was in the way.
    Unable(String),
    /// The database says no.
    Refused(String),
    /// There is no queue in the database.
    Bare,
    /// The queue was made by an earlier version of this program.
    Older(usize),
    /// The queue was made by a later version of this program.
    Newer(usize),
    /// What was to be filed cannot be.
    Unfit(Text),
}

impl Speak for QueueError {
    fn text(&self) -> Text {
        match self {
            QueueError::NoAddress(text) => text!(
                "the address '{text}' does not begin with postgres://; write postgres://USER@HOST/DATABASE",
                "地址“{text}”不以 postgres:// 开头；请写 postgres://用户@主机/数据库"
            ),
            QueueError::Address(why) => text!("the address of the queue: {why}", "队列地址：{why}"),
            QueueError::Lost(why) => text!(
                "the database cannot be reached: {why}; check the address and whether it runs",
                "无法连接数据库：{why}；请检查地址，并确认数据库正在运行"
            ),
            QueueError::Unable(why) => text!("the database cannot do it now: {why}", "数据库暂时无法完成：{why}"),
            QueueError::Refused(why) => text!("the database says no: {why}", "数据库拒绝：{why}"),
            QueueError::Bare => Text::fixed(
                "there is no queue in this database yet; lianzi queue init ADDRESS makes one",
                "此数据库中还没有队列；请用 lianzi queue init 地址 建立",
            ),
            QueueError::Older(version) => text!(
                "the queue has version {version}, made by an earlier program; lianzi queue init ADDRESS brings it up to date",
                "队列版本为 {version}，由较早的程序建立；请用 lianzi queue init 地址 升级"
            ),
            QueueError::Newer(version) => text!(
                "the queue has version {version}, which this program does not know; use a newer one",
                "队列版本为 {version}，本程序不识别；请使用较新的程序"
            ),
            QueueError::Unfit(why) => why.clone(),
        }
    }
}

spoken_errors!(QueueError);

impl QueueError {
    /// Whether the same may succeed later.
    pub fn is_passing(&self) -> bool {
        matches!(self, QueueError::Lost(_) | QueueError::Unable(_))
    }
}

impl From<tokio_postgres::Error> for QueueError {
    fn from(error: tokio_postgres::Error) -> QueueError {
        match error.as_db_error() {
            Some(said) => by_code(said.code().code(), said.message()),
            // A value that does not fit will not fit later either.
            None if error.to_string().contains("serializing") => QueueError::Refused(error.to_string()),
            None => {
                let cause = std::error::Error::source(&error).map_or_else(String::new, |cause| format!(": {cause}"));
                QueueError::Lost(format!("{error}{cause}"))
            }
        }
    }
}

/// What the database means by an error: its code begins with a class of PostgreSQL's list.
fn by_code(code: &str, message: &str) -> QueueError {
    let said = message.to_string();
    match code {
        // A server that goes down or comes up, or has too many clients.
        "53300" => QueueError::Lost(said),
        _ if code.starts_with("08") || code.starts_with("57P") => QueueError::Lost(said),
        // Reading only, as a server does that stands in for another.
        "25006" => QueueError::Unable(said),
        _ => match code.get(..2) {
            // Transactions that crossed, no room, somebody broke it off, the system below.
            Some("40" | "53" | "57" | "58") => QueueError::Unable(said),
            // It is this value that cannot be.
            Some("22" | "23" | "54" | "P0") => {
                QueueError::Unfit(text!("the database says no: {said}", "数据库拒绝：{said}"))
            }
            _ => QueueError::Refused(said),
        },
    }
}

/// Bytes as people read them.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_told_from_what_stays() {
        for code in ["08006", "57P01", "53300"] {
            assert!(matches!(by_code(code, "x"), QueueError::Lost(_)), "{code}");
        }
        // A full disk, a deadlock, a statement that took too long, a server that only reads, a broken disk.
        for code in ["53100", "40P01", "57014", "25006", "58030"] {
            let error = by_code(code, "x");
            assert!(matches!(error, QueueError::Unable(_)) && error.is_passing(), "{code}");
        }
        for code in ["28P01", "42501", "42883"] {
            let error = by_code(code, "x");
            assert!(matches!(error, QueueError::Refused(_)) && !error.is_passing(), "{code}");
        }
        for code in ["P0001", "22021", "23505", "54000"] {
            assert!(matches!(by_code(code, "x"), QueueError::Unfit(_)), "{code}");
        }
    }
}
