//! Which contests there are and who may stop them. Their games stand in folders of their own.

use rusqlite::{OptionalExtension, Row, named_params, params};

use crate::{Hash, Library, MAX_NAME, StoreError};

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

impl Library {
    /// Keeps a contest.
    pub fn put_contest(&self, contest: &ContestEntry) -> Result<(), StoreError> {
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

    /// The contest of this name.
    pub fn contest(&self, id: &str) -> Result<Option<ContestEntry>, StoreError> {
        self.read(|reader| {
            let mut get = reader.prepare_cached("SELECT * FROM contests WHERE id = ?1")?;
            get.query_row([id], contest_entry).optional()
        })
    }

    /// Removes a contest.
    pub fn delete_contest(&self, id: &str) -> Result<(), StoreError> {
        self.writer().prepare_cached("DELETE FROM contests WHERE id = ?1")?.execute([id])?;
        Ok(())
    }

    /// How many contests there are, in all and of a visitor since this time.
    pub fn count_contests(&self, visitor: &Hash, since: i64) -> Result<ContestCounts, StoreError> {
        let sql = "SELECT count(*), count(*) FILTER (WHERE running), count(*) FILTER (WHERE running AND visitor = ?1),
                   count(*) FILTER (WHERE visitor = ?1 AND created >= ?2) FROM contests";
        self.read(|reader| {
            reader.prepare_cached(sql)?.query_row(params![visitor, since], |row| {
                let [all, running, running_own, own] = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?];
                Ok(ContestCounts { all, running, running_own, own })
            })
        })
    }

    /// The contests that are not over, the oldest first.
    pub fn running_contests(&self) -> Result<Vec<ContestEntry>, StoreError> {
        self.read(|reader| {
            let mut list = reader.prepare_cached("SELECT * FROM contests WHERE running ORDER BY created, id")?;
            list.query_map([], contest_entry)?.collect()
        })
    }

    /// The newest contests, at most this many.
    pub fn contests(&self, most: usize) -> Result<Vec<ContestEntry>, StoreError> {
        self.read(|reader| {
            let mut list = reader.prepare_cached("SELECT * FROM contests ORDER BY created DESC, id LIMIT ?1")?;
            list.query_map([most], contest_entry)?.collect()
        })
    }
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
