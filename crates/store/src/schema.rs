//! The tables, and the steps that bring an older file up to date.
//!
//! A file says in `PRAGMA user_version` how many steps it has taken. Steps are only ever added; a step that was
//! published is never changed, because files that took it will not take it again.

use rusqlite::{Connection, TransactionBehavior};

use crate::StoreError;

/// Each step brings a file from the version that is its index to the next one.
pub(crate) const STEPS: [&str; 3] = [
    "CREATE TABLE games (
        id TEXT PRIMARY KEY NOT NULL,
        game TEXT NOT NULL,
        black TEXT NOT NULL,
        white TEXT NOT NULL,
        outcome TEXT NOT NULL,
        ending TEXT NOT NULL,
        plies INTEGER NOT NULL,
        record TEXT NOT NULL,
        room TEXT,
        live INTEGER NOT NULL,
        owner BLOB,
        black_key BLOB,
        white_key BLOB,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL
    ) STRICT;",
    "CREATE INDEX games_by_time ON games (created DESC, id);
     CREATE TABLE contests (
        id TEXT PRIMARY KEY NOT NULL,
        title TEXT NOT NULL,
        owner BLOB,
        running INTEGER NOT NULL,
        created INTEGER NOT NULL
     ) STRICT;",
    "ALTER TABLE games ADD COLUMN visitor BLOB;
     ALTER TABLE contests ADD COLUMN visitor BLOB;
     CREATE INDEX games_by_visitor ON games (visitor, created);
     CREATE INDEX live_games ON games (updated) WHERE live;",
];

/// Takes the steps that the file has not taken yet.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: usize = step.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let Some(missing) = STEPS.get(version..) else { return Err(StoreError::Newer { version }) };
    for sql in missing {
        step.execute_batch(sql)?;
    }
    step.pragma_update(None, "user_version", STEPS.len())?;
    step.commit()?;
    Ok(())
}
