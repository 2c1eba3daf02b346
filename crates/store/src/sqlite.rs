//! The library in one SQLite file: nothing to install, and enough for one machine.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, named_params, params};

use crate::{
    ContestCounts, ContestEntry, Entry, Found, Hash, Keys, MAX_NAME, PAGE, Search, Store, StoreError, StoredGame,
    Usage, backup, check_bounds, schema,
};

/// The library: one writer, and readers that neither wait for it nor for one another.
#[derive(Debug)]
pub struct Sqlite {
    path: PathBuf,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
}

const COLUMNS: &str = "id, game, black, white, outcome, ending, plies, created, live";

const WANTED: &str =
    "(:player = '' OR instr(lower(black), lower(:player)) > 0 OR instr(lower(white), lower(:player)) > 0)
    AND substr(game, 1, length(:game)) = :game AND (:result = '' OR outcome = :result)
    AND (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))";

impl Sqlite {
    /// Opens the file, makes it if it is not there, and brings it up to date. A damaged one is left as it is.
    pub fn open(path: &Path) -> Result<Sqlite, StoreError> {
        let mut writer = connect(path)?;
        backup::check(&writer)?;
        writer.pragma_update(None, "journal_mode", "WAL")?;
        // With a write-ahead log this loses at most the last change, and only when the whole machine goes down.
        writer.pragma_update(None, "synchronous", "NORMAL")?;
        schema::migrate(&mut writer)?;
        Ok(Sqlite { path: path.into(), writer: Mutex::new(writer), readers: Mutex::default() })
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

impl Store for Sqlite {
    fn put(&self, game: &StoredGame, now: i64) -> Result<(), StoreError> {
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

    fn get(&self, id: &str) -> Result<Option<StoredGame>, StoreError> {
        self.read(|reader| {
            let mut get = reader.prepare_cached(
                "SELECT id, game, black, white, outcome, ending, plies, created, live, record, room, owner, black_key, white_key, visitor FROM games WHERE id = ?1",
            )?;
            get.query_row([id], stored_game).optional()
        })
    }

    fn delete(&self, id: &str) -> Result<bool, StoreError> {
        Ok(self.writer().prepare_cached("DELETE FROM games WHERE id = ?1")?.execute([id])? > 0)
    }

    fn search(&self, search: &Search) -> Result<Found, StoreError> {
        let Search { player, game, result, page, ids } = search;
        let ids = ids.as_ref().map(|ids| serde_json::json!(ids).to_string());
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

    fn settle(&self) -> Result<(), StoreError> {
        Ok(self.writer().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?)
    }

    fn put_contest(&self, contest: &ContestEntry) -> Result<(), StoreError> {
        if contest.title.len() > MAX_NAME {
            return Err(StoreError::TooLong(contest.title.len()));
        }
        self.writer()
            .prepare_cached(
                "INSERT INTO contests (id, title, owner, running, created, visitor) VALUES (:id, :title, :owner, :running, :created, :visitor)
                 ON CONFLICT (id) DO UPDATE SET title = :title, running = :running",
            )?
            .execute(named_params! {
                ":id": contest.id, ":title": contest.title, ":owner": contest.owner,
                ":running": contest.running, ":created": contest.created, ":visitor": contest.visitor,
            })?;
        Ok(())
    }

    fn contest(&self, id: &str) -> Result<Option<ContestEntry>, StoreError> {
        self.read(|reader| {
            let mut get = reader.prepare_cached("SELECT * FROM contests WHERE id = ?1")?;
            get.query_row([id], contest_entry).optional()
        })
    }

    fn delete_contest(&self, id: &str) -> Result<(), StoreError> {
        self.writer().prepare_cached("DELETE FROM contests WHERE id = ?1")?.execute([id])?;
        Ok(())
    }

    fn count_contests(&self, visitor: &Hash, since: i64) -> Result<ContestCounts, StoreError> {
        let sql = "SELECT count(*), count(*) FILTER (WHERE running), count(*) FILTER (WHERE running AND visitor = ?1),
                   count(*) FILTER (WHERE visitor = ?1 AND created >= ?2) FROM contests";
        self.read(|reader| {
            reader.prepare_cached(sql)?.query_row(params![visitor, since], |row| {
                let [all, running, running_own, own] = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?];
                Ok(ContestCounts { all, running, running_own, own })
            })
        })
    }

    fn running_contests(&self) -> Result<Vec<ContestEntry>, StoreError> {
        self.read(|reader| {
            let mut list = reader.prepare_cached("SELECT * FROM contests WHERE running ORDER BY created, id")?;
            list.query_map([], contest_entry)?.collect()
        })
    }

    fn contests(&self, most: usize) -> Result<Vec<ContestEntry>, StoreError> {
        self.read(|reader| {
            let mut list = reader.prepare_cached("SELECT * FROM contests ORDER BY created DESC, id LIMIT ?1")?;
            list.query_map([most], contest_entry)?.collect()
        })
    }

    fn live_games(&self) -> Result<usize, StoreError> {
        self.read(|reader| {
            reader.prepare_cached("SELECT count(*) FROM games WHERE live")?.query_row([], |row| row.get(0))
        })
    }

    fn games_of(&self, visitor: &Hash, since: i64) -> Result<Usage, StoreError> {
        let sql =
            "SELECT count(*), coalesce(sum(octet_length(record)), 0) FROM games WHERE visitor = ?1 AND created >= ?2";
        self.read(|reader| {
            let usage = |row: &rusqlite::Row<'_>| Ok(Usage { count: row.get(0)?, bytes: row.get(1)? });
            reader.prepare_cached(sql)?.query_row(params![visitor, since], usage)
        })
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        let sql = "SELECT (page_count - freelist_count) * page_size
                   FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
        self.read(|reader| reader.prepare_cached(sql)?.query_row([], |row| row.get(0)))
    }

    fn forget_unbegun(&self, before: i64) -> Result<usize, StoreError> {
        let sql = "DELETE FROM games WHERE live AND plies = 0 AND updated < ?1";
        Ok(self.writer().prepare_cached(sql)?.execute([before])?)
    }

    fn rest(&self, before: i64) -> Result<usize, StoreError> {
        let sql = "UPDATE games SET live = 0 WHERE live AND updated < ?1";
        Ok(self.writer().prepare_cached(sql)?.execute([before])?)
    }

    fn hold(&self, _: &str) -> Result<bool, StoreError> {
        // The file has one server; see docs/web.md.
        Ok(true)
    }

    fn release(&self, _: &str) -> Result<(), StoreError> {
        Ok(())
    }
}

pub(crate) fn connect(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    Ok(connection)
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

fn contest_entry(row: &Row<'_>) -> rusqlite::Result<ContestEntry> {
    Ok(ContestEntry {
        id: row.get("id")?,
        title: row.get("title")?,
        owner: row.get("owner")?,
        running: row.get("running")?,
        created: row.get("created")?,
        visitor: row.get("visitor")?,
    })
}
