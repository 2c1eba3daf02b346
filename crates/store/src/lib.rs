//! The library of games: one trait, in one SQLite file or in PostgreSQL.
//!
//! Every game has one row: what was played (a record in our JSON form), the columns that searches need, and for a
//! game that goes on what its room must know to open again. The library understands none of the JSON; it keeps
//! texts. Secrets are kept as hashes, so who reads the file can move nobody's stones.
//!
//! The key decision: a live game and a finished one are the same row, written whole after every change. A log of
//! changes was rejected, because a row is small and a whole row cannot be half right after a crash.
//!
//! Every statement is prepared and every value is bound; texts have bounds and are refused above them.

mod backup;
mod postgres;
mod schema;
mod sqlite;

use lianzi_queue::QueueError;
use rusqlite::ErrorCode;
use sha2::{Digest, Sha256};

pub use backup::copy;
pub use postgres::Postgres;
pub use sqlite::Sqlite;

/// The longest name of a game, player, outcome or ending that is kept, in bytes.
pub const MAX_NAME: usize = 8 << 10;

/// The longest record or room that is kept, in bytes.
const MAX_TEXT: usize = 64 << 20;

/// How many games a page of search results has.
pub const PAGE: usize = 50;

/// What a secret is kept as.
pub type Hash = [u8; 32];

/// The hash of a secret. Secrets are long and random, so no salt and no slow hash is needed.
pub fn hash(secret: &str) -> Hash {
    Sha256::digest(secret.as_bytes()).into()
}

/// Why the library cannot do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite refused.
    #[error("the library of games: {0}")]
    Sqlite(#[source] rusqlite::Error),
    /// The database cannot be reached, or says no.
    #[error("the library of games: {0}")]
    Postgres(#[source] QueueError),
    /// Another process holds the game, or it was deleted.
    #[error("the game is held by another process of the server")]
    Elsewhere,
    /// There is no room on the disk.
    #[error("the library of games cannot be written: the disk is full")]
    Full,
    /// The file holds something else than was written.
    #[error("the library of games is damaged: {0}")]
    Damaged(String),
    /// The file was written by a later version of this program.
    #[error("the library of games has version {version}, which this program does not know; use a newer one")]
    Newer {
        /// The version of the file.
        version: usize,
    },
    /// A text is longer than the library keeps.
    #[error("a text of {0} bytes is too long for the library of games")]
    TooLong(usize),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Damaged(error.to_string()),
            _ => StoreError::Sqlite(error),
        }
    }
}

/// What a list shows of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its name in addresses.
    pub id: String,
    /// The name of the game that is played.
    pub game: String,
    /// Who plays Black and who White.
    pub names: [String; 2],
    /// `black`, `white`, `draw` or `none`.
    pub outcome: String,
    /// How it ended.
    pub ending: String,
    /// How many stones were placed.
    pub plies: usize,
    /// When it began, in milliseconds since 1970.
    pub created: i64,
    /// Whether it still goes on.
    pub live: bool,
}

/// Hashes of the secrets that open a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Of the one who may delete it.
    pub owner: Option<Hash>,
    /// Of those who may move Black and White.
    pub seats: [Option<Hash>; 2],
}

/// Everything the library has of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredGame {
    /// What lists show.
    pub entry: Entry,
    /// What was played, as JSON.
    pub record: String,
    /// What its room must know, as JSON; `None` for a game that is only kept.
    pub room: Option<String>,
    /// Who may do what.
    pub keys: Keys,
    /// Whose it is, for bounds: the mark of the visitor who set it up or sent it.
    pub visitor: Option<Hash>,
}

/// What to look for; empty texts match everything.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// A part of a player's name.
    pub player: String,
    /// How the game's name begins.
    pub game: String,
    /// `black`, `white`, `draw` or `none`.
    pub result: String,
    /// The page, from 0.
    pub page: usize,
    /// Only these games, if they are named.
    pub ids: Option<Vec<String>>,
}

/// The games that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// How many there are on all pages.
    pub total: usize,
    /// Those of the page, newest first.
    pub games: Vec<Entry>,
}

/// A contest, as the library knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContestEntry {
    /// Its name in addresses, and that of its folder.
    pub id: String,
    /// Its headline.
    pub title: String,
    /// The hash of the secret of the one who may stop it.
    pub owner: Option<Hash>,
    /// Whether it is to go on when the server starts again.
    pub running: bool,
    /// When it began, in milliseconds since 1970.
    pub created: i64,
    /// Whose it is, for bounds.
    pub visitor: Option<Hash>,
}

/// How many contests there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContestCounts {
    /// In all.
    pub all: usize,
    /// Those that are not over.
    pub running: usize,
    /// A visitor's that are not over.
    pub running_own: usize,
    /// A visitor's since a time.
    pub own: usize,
}

/// How much of something there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// How many.
    pub count: usize,
    /// How many bytes their records have.
    pub bytes: usize,
}

/// The library as those see it who do not care where it is.
pub type Library = dyn Store;

/// What a library does. All may wait, for a disk or a network.
pub trait Store: Send + Sync {
    /// Keeps a game, in the place of an older state of it.
    fn put(&self, game: &StoredGame, now: i64) -> Result<(), StoreError>;

    /// The game of this name.
    fn get(&self, id: &str) -> Result<Option<StoredGame>, StoreError>;

    /// Removes a game; false if there was none.
    fn delete(&self, id: &str) -> Result<bool, StoreError>;

    /// Looks for games, newest first.
    fn search(&self, search: &Search) -> Result<Found, StoreError>;

    /// Brings everything into the one file, so that it is whole without its log.
    fn settle(&self) -> Result<(), StoreError>;

    /// Keeps a contest.
    fn put_contest(&self, contest: &ContestEntry) -> Result<(), StoreError>;

    /// The contest of this name.
    fn contest(&self, id: &str) -> Result<Option<ContestEntry>, StoreError>;

    /// Removes a contest.
    fn delete_contest(&self, id: &str) -> Result<(), StoreError>;

    /// How many contests there are, in all and of a visitor since this time.
    fn count_contests(&self, visitor: &Hash, since: i64) -> Result<ContestCounts, StoreError>;

    /// The contests that are not over, the oldest first.
    fn running_contests(&self) -> Result<Vec<ContestEntry>, StoreError>;

    /// The newest contests, at most this many.
    fn contests(&self, most: usize) -> Result<Vec<ContestEntry>, StoreError>;

    /// How many games go on.
    fn live_games(&self) -> Result<usize, StoreError>;

    /// The games of a visitor since this time.
    fn games_of(&self, visitor: &Hash, since: i64) -> Result<Usage, StoreError>;

    /// How many bytes of the file are used.
    fn bytes(&self) -> Result<u64, StoreError>;

    /// Removes games that were set up before this time and never begun; says how many.
    fn forget_unbegun(&self, before: i64) -> Result<usize, StoreError>;

    /// Games in which nothing happened since this time no longer count as going on; whoever opens one goes on with
    /// it. Says how many.
    fn rest(&self, before: i64) -> Result<usize, StoreError>;

    /// Takes a live game for this process alone; false if another process has it.
    fn hold(&self, id: &str) -> Result<bool, StoreError>;

    /// Gives a game back, so that another process may take it.
    fn release(&self, id: &str) -> Result<(), StoreError>;
}

fn check_bounds(game: &StoredGame) -> Result<(), StoreError> {
    let StoredGame { entry, record, room, .. } = game;
    let [black, white] = &entry.names;
    let names = [&entry.id, &entry.game, black, white, &entry.outcome, &entry.ending];
    let long_name = names.into_iter().find(|name| name.len() > MAX_NAME);
    let long_text = [Some(record), room.as_ref()].into_iter().flatten().find(|text| text.len() > MAX_TEXT);
    long_name.or(long_text).map_or(Ok(()), |text| Err(StoreError::TooLong(text.len())))
}

#[cfg(test)]
mod tests;
