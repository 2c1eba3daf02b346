//! How much there is in the library, in all and of one visitor, and what makes room.

use rusqlite::params;

use crate::{Hash, Library, StoreError};

/// How much of something there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// How many.
    pub count: usize,
    /// How many bytes their records have.
    pub bytes: usize,
}

impl Library {
    /// How many games go on.
    pub fn live_games(&self) -> Result<usize, StoreError> {
        self.read(|reader| {
            reader.prepare_cached("SELECT count(*) FROM games WHERE live")?.query_row([], |row| row.get(0))
        })
    }

    /// The games of a visitor since this time.
    pub fn games_of(&self, visitor: &Hash, since: i64) -> Result<Usage, StoreError> {
        let sql =
            "SELECT count(*), coalesce(sum(octet_length(record)), 0) FROM games WHERE visitor = ?1 AND created >= ?2";
        self.read(|reader| {
            let usage = |row: &rusqlite::Row<'_>| Ok(Usage { count: row.get(0)?, bytes: row.get(1)? });
            reader.prepare_cached(sql)?.query_row(params![visitor, since], usage)
        })
    }

    /// How many bytes of the file are used.
    pub fn bytes(&self) -> Result<u64, StoreError> {
        let sql = "SELECT (page_count - freelist_count) * page_size
                   FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
        self.read(|reader| reader.prepare_cached(sql)?.query_row([], |row| row.get(0)))
    }

    /// Removes games that were set up before this time and never begun; says how many.
    pub fn forget_unbegun(&self, before: i64) -> Result<usize, StoreError> {
        let sql = "DELETE FROM games WHERE live AND plies = 0 AND updated < ?1";
        Ok(self.writer().prepare_cached(sql)?.execute([before])?)
    }

    /// Games in which nothing happened since this time no longer count as going on; whoever opens one goes on with
    /// it. Says how many.
    pub fn rest(&self, before: i64) -> Result<usize, StoreError> {
        let sql = "UPDATE games SET live = 0 WHERE live AND updated < ?1";
        Ok(self.writer().prepare_cached(sql)?.execute([before])?)
    }
}
