//! The library of games, in one SQLite file.
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
mod contests;
mod schema;
mod usage;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, named_params};
use sha2::{Digest, Sha256};

pub use backup::copy;
pub use contests::{ContestCounts, ContestEntry};
pub use usage::Usage;

/// The longest name of a game, player, outcome or ending that is kept, in bytes.
pub const MAX_NAME: usize = 8 << 10;

/// The longest record or room that is kept, in bytes.
pub const MAX_TEXT: usize = 64 << 20;

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

/// The library: one writer, and readers that neither wait for it nor for one another.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
}

const COLUMNS: &str = "id, game, black, white, outcome, ending, plies, created, live";

const WANTED: &str =
    "(:player = '' OR instr(lower(black), lower(:player)) > 0 OR instr(lower(white), lower(:player)) > 0)
    AND substr(game, 1, length(:game)) = :game AND (:result = '' OR outcome = :result)
    AND (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))";

impl Library {
    /// Opens the file, makes it if it is not there, and brings it up to date. A damaged one is left as it is.
    pub fn open(path: &Path) -> Result<Library, StoreError> {
        let mut writer = connect(path)?;
        backup::check(&writer)?;
        writer.pragma_update(None, "journal_mode", "WAL")?;
        // With a write-ahead log this loses at most the last change, and only when the whole machine goes down.
        writer.pragma_update(None, "synchronous", "NORMAL")?;
        schema::migrate(&mut writer)?;
        Ok(Library { path: path.into(), writer: Mutex::new(writer), readers: Mutex::default() })
    }

    /// Keeps a game, in the place of an older state of it.
    pub fn put(&self, game: &StoredGame, now: i64) -> Result<(), StoreError> {
        check_bounds(game)?;
        let writer = self.writer();
        let mut put = writer.prepare_cached(
            "INSERT INTO games (id, game, black, white, outcome, ending, plies, record, room, live, owner, black_key, white_key, created, updated, visitor)
             VALUES (:id, :game, :black, :white, :outcome, :ending, :plies, :record, :room, :live, :owner, :black_key, :white_key, :created, :updated, :visitor)
             ON CONFLICT (id) DO UPDATE SET game = :game, black = :black, white = :white, outcome = :outcome, ending = :ending, plies = :plies,
                record = :record, room = :room, live = :live, owner = :owner, black_key = :black_key, white_key = :white_key, updated = :updated",
        )?;
        let StoredGame { entry, record, room, keys, visitor } = game;
        put.execute(named_params! {
            ":id": entry.id, ":game": entry.game, ":black": entry.names[0], ":white": entry.names[1],
            ":outcome": entry.outcome, ":ending": entry.ending, ":plies": entry.plies, ":record": record,
            ":room": room, ":live": entry.live, ":owner": keys.owner, ":black_key": keys.seats[0],
            ":white_key": keys.seats[1], ":created": entry.created, ":updated": now, ":visitor": visitor,
        })?;
        Ok(())
    }

    /// The game of this name.
    pub fn get(&self, id: &str) -> Result<Option<StoredGame>, StoreError> {
        self.read(|reader| {
            let mut get = reader.prepare_cached(
                "SELECT id, game, black, white, outcome, ending, plies, created, live, record, room, owner, black_key, white_key, visitor FROM games WHERE id = ?1",
            )?;
            get.query_row([id], stored_game).optional()
        })
    }

    /// Removes a game; false if there was none.
    pub fn delete(&self, id: &str) -> Result<bool, StoreError> {
        Ok(self.writer().prepare_cached("DELETE FROM games WHERE id = ?1")?.execute([id])? > 0)
    }

    /// Looks for games, newest first.
    pub fn search(&self, search: &Search) -> Result<Found, StoreError> {
        let Search { player, game, result, page, ids } = search;
        let ids = ids
            .as_ref()
            .map(|ids| format!("[{}]", ids.iter().map(|id| format!("{id:?}")).collect::<Vec<_>>().join(",")));
        let wanted = named_params! { ":player": player, ":game": game, ":result": result, ":ids": ids };
        self.read(|reader| {
            let mut count = reader.prepare_cached(&format!("SELECT count(*) FROM games WHERE {WANTED}"))?;
            let total = count.query_row(wanted, |row| row.get(0))?;
            let mut list = reader.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM games WHERE {WANTED} ORDER BY created DESC, id LIMIT :limit OFFSET :offset"
            ))?;
            let first = i64::try_from(page.saturating_mul(PAGE)).unwrap_or(i64::MAX);
            let page = named_params! {
                ":player": player, ":game": game, ":result": result, ":ids": ids, ":limit": PAGE, ":offset": first,
            };
            let games = list.query_map(page, entry)?.collect::<Result<_, _>>()?;
            Ok(Found { total, games })
        })
    }

    /// Brings everything into the one file, so that it is whole without its log.
    pub fn settle(&self) -> Result<(), StoreError> {
        Ok(self.writer().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?)
    }

    fn writer(&self) -> MutexGuard<'_, Connection> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads with a connection of its own; one that was used before, if one is free.
    fn read<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let readers = || self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        let free = readers().pop();
        let reader = free.map_or_else(|| connect(&self.path), Ok)?;
        let answer = read(&reader);
        readers().push(reader);
        Ok(answer?)
    }
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    Ok(connection)
}

fn check_bounds(game: &StoredGame) -> Result<(), StoreError> {
    let StoredGame { entry, record, room, .. } = game;
    let [black, white] = &entry.names;
    let names = [&entry.id, &entry.game, black, white, &entry.outcome, &entry.ending];
    let long_name = names.into_iter().find(|name| name.len() > MAX_NAME);
    let long_text = [Some(record), room.as_ref()].into_iter().flatten().find(|text| text.len() > MAX_TEXT);
    long_name.or(long_text).map_or(Ok(()), |text| Err(StoreError::TooLong(text.len())))
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        id: row.get("id")?,
        game: row.get("game")?,
        names: [row.get("black")?, row.get("white")?],
        outcome: row.get("outcome")?,
        ending: row.get("ending")?,
        plies: row.get("plies")?,
        created: row.get("created")?,
        live: row.get("live")?,
    })
}

fn stored_game(row: &Row<'_>) -> rusqlite::Result<StoredGame> {
    let seats = [row.get("black_key")?, row.get("white_key")?];
    Ok(StoredGame {
        entry: entry(row)?,
        record: row.get("record")?,
        room: row.get("room")?,
        keys: Keys { owner: row.get("owner")?, seats },
        visitor: row.get("visitor")?,
    })
}

#[cfg(test)]
mod tests;
