//! Copies of the library, made while a server writes to it, and the check that a file is whole.

use std::path::Path;
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags};

use crate::StoreError;
use crate::sqlite::connect;

/// All pages are copied at once: a reader holds nobody up, and a copy in steps would begin anew with every change.
const PAGES: i32 = i32::MAX;
/// Copies the library in one file to another, which must not exist yet. Nobody has to stop writing.
pub fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let source = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    source.busy_timeout(Duration::from_secs(10))?;
    check(&source)?;
    let mut target = connect(to)?;
    Backup::new(&source, &mut target)?.run_to_completion(PAGES, Duration::from_millis(1), None)?;
    check(&target)
}

/// Whether the pages of the file hold together.
pub(crate) fn check(connection: &Connection) -> Result<(), StoreError> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(StoreError::Damaged(found)) }
}
