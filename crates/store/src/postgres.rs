//! The library in PostgreSQL, shared by any number of server processes.
//!
//! Who opens a live game *holds* it: by a lock of the connection, which goes with the process however it ends, and by a
//! number that grows with every holder. Whoever lost the lock without noticing writes with an old number, and is refused.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lianzi_queue::link::Value;
use lianzi_queue::{Address, Link, QueueError};
use tokio_postgres::Row;

use crate::{
    ContestCounts, ContestEntry, Entry, Found, Hash, Keys, MAX_NAME, PAGE, Search, Store, StoreError, StoredGame,
    Usage, check_bounds, hash,
};

/// Each step brings a database from the version that is its index to the next one.
pub(crate) const STEPS: [&str; 1] = [
    "CREATE TABLE games (
        id text PRIMARY KEY, game text NOT NULL, black text NOT NULL, white text NOT NULL, outcome text NOT NULL,
        ending text NOT NULL, plies bigint NOT NULL, record text NOT NULL, room text, live boolean NOT NULL,
        owner bytea, black_key bytea, white_key bytea, created bigint NOT NULL, updated bigint NOT NULL, visitor bytea,
        holder bigint NOT NULL DEFAULT 0
     );
     CREATE INDEX games_by_time ON games (created DESC, id);
     CREATE INDEX games_by_visitor ON games (visitor, created);
     CREATE INDEX live_games ON games (updated) WHERE live;
     CREATE TABLE contests (
        id text PRIMARY KEY, title text NOT NULL, owner bytea, running boolean NOT NULL, created bigint NOT NULL, visitor bytea
     );",
];

const COLUMNS: &str = "id, game, black, white, outcome, ending, plies, created, live";

const WANTED: &str = "($1 = '' OR strpos(lower(black), lower($1)) > 0 OR strpos(lower(white), lower($1)) > 0)
    AND starts_with(game, $2) AND ($3 = '' OR outcome = $3) AND ($4::text[] IS NULL OR id = ANY($4))";

/// What a game that is there takes over from a newer state of it.
const CHANGED: &str =
    "game = $2, black = $3, white = $4, outcome = $5, ending = $6, plies = $7, record = $8, room = $9, live = $10,
    owner = $11, black_key = $12, white_key = $13, updated = $14";

const INSERT: &str = "INSERT INTO lianzi_library.games AS g
    (id, game, black, white, outcome, ending, plies, record, room, live, owner, black_key, white_key, updated, created, visitor)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";

/// A change that tells how many rows it changed.
fn counted(change: &str) -> String {
    format!("WITH changed AS ({change} RETURNING 1) SELECT count(*) FROM changed")
}

/// The library in a database.
pub struct Postgres {
    link: Link,
    /// The numbers of the games that this process holds.
    held: Mutex<HashMap<String, i64>>,
}

impl From<QueueError> for StoreError {
    fn from(error: QueueError) -> StoreError {
        StoreError::Postgres(error)
    }
}

impl Postgres {
    /// Opens the library in a database, makes it if it is not there, and brings it up to date.
    pub fn open(address: &Address) -> Result<Postgres, StoreError> {
        let link = Link::open(address, &[])?;
        migrate(&link, &STEPS)?;
        Ok(Postgres { link, held: Mutex::default() })
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, i64>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, sql: &str, values: &[Value<'_>]) -> Result<i64, StoreError> {
        Ok(self.link.row(sql, values)?.get(0))
    }
}

impl Store for Postgres {
    fn put(&self, game: &StoredGame, now: i64) -> Result<(), StoreError> {
        check_bounds(game)?;
        let StoredGame { entry, record, room, keys, visitor } = game;
        let texts = [&entry.id, &entry.game, &entry.names[0], &entry.names[1], &entry.outcome, &entry.ending, record]
            .map(|text| without_nul(text));
        let [id, name, black, white, outcome, ending, record] = &texts;
        let (plies, room) = (entry.plies as i64, room.as_deref().map(without_nul));
        let [owner, black_key, white_key, visitor] =
            [&keys.owner, &keys.seats[0], &keys.seats[1], visitor].map(|hash| hash.map(|hash| hash.to_vec()));
        let mut values: Vec<Value<'_>> = vec![
            id,
            name,
            black,
            white,
            outcome,
            ending,
            &plies,
            record,
            &room,
            &entry.live,
            &owner,
            &black_key,
            &white_key,
            &now,
        ];
        // What is held is there; if it is not, it was deleted, or another process holds it.
        let held = self.held().get(id).copied();
        let put = match &held {
            Some(holder) => {
                values.push(holder);
                self.count(
                    &counted(&format!("UPDATE lianzi_library.games SET {CHANGED} WHERE id = $1 AND holder = $15")),
                    &values,
                )?
            }
            None => {
                values.extend([&entry.created as Value<'_>, &visitor]);
                self.count(
                    &counted(&format!("{INSERT} ON CONFLICT (id) DO UPDATE SET {CHANGED} WHERE g.holder = 0")),
                    &values,
                )?
            }
        };
        if put == 1 { Ok(()) } else { Err(StoreError::Elsewhere) }
    }

    fn get(&self, id: &str) -> Result<Option<StoredGame>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS}, record, room, owner, black_key, white_key, visitor FROM lianzi_library.games WHERE id = $1"
        );
        Ok(self.link.query(&sql, &[&without_nul(id)])?.first().map(stored_game))
    }

    fn delete(&self, id: &str) -> Result<bool, StoreError> {
        Ok(self.count(&counted("DELETE FROM lianzi_library.games WHERE id = $1"), &[&without_nul(id)])? > 0)
    }

    fn search(&self, search: &Search) -> Result<Found, StoreError> {
        let [player, game, result] = [&search.player, &search.game, &search.result].map(|text| without_nul(text));
        let total = self.count(
            &format!("SELECT count(*) FROM lianzi_library.games WHERE {WANTED}"),
            &[&player, &game, &result, &search.ids],
        )?;
        let (limit, first) = (PAGE as i64, i64::try_from(search.page.saturating_mul(PAGE)).unwrap_or(i64::MAX));
        let sql = format!(
            "SELECT {COLUMNS} FROM lianzi_library.games WHERE {WANTED} ORDER BY created DESC, id LIMIT $5 OFFSET $6"
        );
        let rows = self.link.query(&sql, &[&player, &game, &result, &search.ids, &limit, &first])?;
        Ok(Found { total: total as usize, games: rows.iter().map(entry).collect() })
    }

    fn settle(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn hold(&self, id: &str) -> Result<bool, StoreError> {
        if self.held().contains_key(id) {
            return Ok(true);
        }
        let sql = "UPDATE lianzi_library.games SET holder = holder + 1 WHERE id = $1 AND pg_try_advisory_lock($2) RETURNING holder";
        let Some(holder) = self.link.query(sql, &[&id, &key(id)])?.first().map(|row| row.get(0)) else {
            return Ok(false);
        };
        self.held().insert(id.into(), holder);
        Ok(true)
    }

    fn release(&self, id: &str) -> Result<(), StoreError> {
        if self.held().remove(id).is_some() {
            self.link.query("SELECT pg_advisory_unlock($1)", &[&key(id)])?;
        }
        Ok(())
    }

    fn put_contest(&self, contest: &ContestEntry) -> Result<(), StoreError> {
        if contest.title.len() > MAX_NAME {
            return Err(StoreError::TooLong(contest.title.len()));
        }
        let [owner, visitor] = [contest.owner, contest.visitor].map(|hash| hash.map(|hash| hash.to_vec()));
        let title = without_nul(&contest.title);
        let sql = "INSERT INTO lianzi_library.contests (id, title, owner, running, created, visitor) VALUES ($1, $2, $3, $4, $5, $6)
                   ON CONFLICT (id) DO UPDATE SET title = $2, running = $4";
        self.link.query(sql, &[&contest.id, &title, &owner, &contest.running, &contest.created, &visitor])?;
        Ok(())
    }

    fn contest(&self, id: &str) -> Result<Option<ContestEntry>, StoreError> {
        Ok(self.link.query("SELECT * FROM lianzi_library.contests WHERE id = $1", &[&id])?.first().map(contest_entry))
    }

    fn delete_contest(&self, id: &str) -> Result<(), StoreError> {
        self.link.query("DELETE FROM lianzi_library.contests WHERE id = $1", &[&id])?;
        Ok(())
    }

    fn count_contests(&self, visitor: &Hash, since: i64) -> Result<ContestCounts, StoreError> {
        let sql = "SELECT count(*), count(*) FILTER (WHERE running), count(*) FILTER (WHERE running AND visitor = $1),
                   count(*) FILTER (WHERE visitor = $1 AND created >= $2) FROM lianzi_library.contests";
        let row = self.link.row(sql, &[&visitor.as_slice(), &since])?;
        let [all, running, running_own, own] = [0, 1, 2, 3].map(|n| row.get::<_, i64>(n) as usize);
        Ok(ContestCounts { all, running, running_own, own })
    }

    fn running_contests(&self) -> Result<Vec<ContestEntry>, StoreError> {
        let sql = "SELECT * FROM lianzi_library.contests WHERE running ORDER BY created, id";
        Ok(self.link.query(sql, &[])?.iter().map(contest_entry).collect())
    }

    fn contests(&self, most: usize) -> Result<Vec<ContestEntry>, StoreError> {
        let sql = "SELECT * FROM lianzi_library.contests ORDER BY created DESC, id LIMIT $1";
        Ok(self.link.query(sql, &[&(most as i64)])?.iter().map(contest_entry).collect())
    }

    fn live_games(&self) -> Result<usize, StoreError> {
        Ok(self.count("SELECT count(*) FROM lianzi_library.games WHERE live", &[])? as usize)
    }

    fn games_of(&self, visitor: &Hash, since: i64) -> Result<Usage, StoreError> {
        let sql = "SELECT count(*), coalesce(sum(octet_length(record)), 0)::bigint FROM lianzi_library.games WHERE visitor = $1 AND created >= $2";
        let row = self.link.row(sql, &[&visitor.as_slice(), &since])?;
        Ok(Usage { count: row.get::<_, i64>(0) as usize, bytes: row.get::<_, i64>(1) as usize })
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        let sql =
            "SELECT pg_total_relation_size('lianzi_library.games') + pg_total_relation_size('lianzi_library.contests')";
        Ok(self.count(sql, &[])? as u64)
    }

    fn forget_unbegun(&self, before: i64) -> Result<usize, StoreError> {
        let sql = counted("DELETE FROM lianzi_library.games WHERE live AND plies = 0 AND updated < $1");
        Ok(self.count(&sql, &[&before])? as usize)
    }

    fn rest(&self, before: i64) -> Result<usize, StoreError> {
        let sql = counted("UPDATE lianzi_library.games SET live = false WHERE live AND updated < $1");
        Ok(self.count(&sql, &[&before])? as usize)
    }
}

/// Takes those of these steps that the database has not taken yet, all or none.
pub(crate) fn migrate(link: &Link, steps: &[&str]) -> Result<(), StoreError> {
    let version = link.within(async |transaction| {
        // Two who start at once do so one after the other.
        transaction
            .batch_execute("SELECT pg_advisory_xact_lock(7161113); CREATE SCHEMA IF NOT EXISTS lianzi_library")
            .await?;
        transaction
            .batch_execute(
                "SET LOCAL search_path = lianzi_library, pg_temp;
                 CREATE TABLE IF NOT EXISTS steps (taken integer NOT NULL)",
            )
            .await?;
        let taken: i32 = transaction.query_one("SELECT coalesce(max(taken), 0) FROM steps", &[]).await?.get(0);
        let missing = steps.get(taken.max(0) as usize..).unwrap_or_default();
        for step in missing {
            transaction.batch_execute(step).await?;
        }
        if !missing.is_empty() {
            transaction.execute("INSERT INTO steps VALUES ($1)", &[&(steps.len() as i32)]).await?;
        }
        Ok((taken.max(0) as usize).max(steps.len()))
    })?;
    if version > steps.len() { Err(StoreError::Newer { version }) } else { Ok(()) }
}

/// PostgreSQL keeps no NUL in a text: a character that is none stands for it.
fn without_nul(text: &str) -> String {
    text.replace('\0', "\u{fdd0}")
}

fn text_at(row: &Row, name: &str) -> String {
    row.get::<_, &str>(name).replace('\u{fdd0}', "\0")
}

/// The number of a game's lock.
fn key(id: &str) -> i64 {
    let [a, b, c, d, e, f, g, h, ..] = hash(&format!("game {id}"));
    i64::from_le_bytes([a, b, c, d, e, f, g, h])
}

fn entry(row: &Row) -> Entry {
    Entry {
        id: text_at(row, "id"),
        game: text_at(row, "game"),
        names: [text_at(row, "black"), text_at(row, "white")],
        outcome: text_at(row, "outcome"),
        ending: text_at(row, "ending"),
        plies: row.get::<_, i64>("plies") as usize,
        created: row.get("created"),
        live: row.get("live"),
    }
}

fn hash_at(row: &Row, name: &str) -> Option<Hash> {
    row.get::<_, Option<&[u8]>>(name).and_then(|bytes| bytes.try_into().ok())
}

fn stored_game(row: &Row) -> StoredGame {
    let seats = ["black_key", "white_key"].map(|name| hash_at(row, name));
    let (keys, visitor) = (Keys { owner: hash_at(row, "owner"), seats }, hash_at(row, "visitor"));
    StoredGame { entry: entry(row), record: text_at(row, "record"), room: row.get("room"), keys, visitor }
}

fn contest_entry(row: &Row) -> ContestEntry {
    ContestEntry {
        id: row.get("id"),
        title: text_at(row, "title"),
        owner: hash_at(row, "owner"),
        running: row.get("running"),
        created: row.get("created"),
        visitor: hash_at(row, "visitor"),
    }
}
