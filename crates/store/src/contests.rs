//! Which contests there are and who may stop them. Their games stand in folders of their own.

use rusqlite::{OptionalExtension, Row, named_params};

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
}

impl Library {
    /// Keeps a contest.
    pub fn put_contest(&self, contest: &ContestEntry) -> Result<(), StoreError> {
        if contest.title.len() > MAX_NAME {
            return Err(StoreError::TooLong(contest.title.len()));
        }
        self.writer()
            .prepare_cached(
                "INSERT INTO contests (id, title, owner, running, created) VALUES (:id, :title, :owner, :running, :created)
                 ON CONFLICT (id) DO UPDATE SET title = :title, running = :running",
            )?
            .execute(named_params! {
                ":id": contest.id, ":title": contest.title, ":owner": contest.owner,
                ":running": contest.running, ":created": contest.created,
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

    /// The newest contests, at most this many.
    pub fn contests(&self, most: usize) -> Result<Vec<ContestEntry>, StoreError> {
        self.read(|reader| {
            let mut list =
                reader.prepare_cached("SELECT * FROM contests ORDER BY created DESC, id LIMIT ?1")?;
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
    })
}
