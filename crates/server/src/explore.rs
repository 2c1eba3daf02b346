//! The opening explorer over the library: what was played from a position, and how it ended.

use std::path::Path;

use lianzi_core::{Position, Rules};
use lianzi_game::explore::Explorer;
use lianzi_store::{Library, Search, Sqlite, StoreError};
use lianzi_talk::records::read_kept;
use serde_json::{Value, json};

use crate::{LIBRARY, ServeError};

/// How many games of a library are looked through, the newest ones: a request waits for all of them.
pub(crate) const MOST_GAMES: usize = 1_000;

/// Takes the newest games of the library into account, up to so many.
pub(crate) fn add_games(
    library: &Library,
    rules: &Rules,
    most: usize,
    explorer: &mut Explorer,
) -> Result<usize, StoreError> {
    let (mut page, mut looked) = (0, 0);
    loop {
        let search = Search { game: rules.to_string(), page, ..Search::default() };
        let found = library.search(&search)?;
        for entry in found.games.iter().take(most - looked) {
            let Some(stored) = library.get(&entry.id)? else { continue };
            // A game that cannot be read is no reason not to see the others.
            if let Ok(record) = read_kept(&stored.record) {
                explorer.add(&record);
            }
        }
        looked += found.games.len();
        page += 1;
        if found.games.is_empty() || looked >= most {
            return Ok(looked.min(most));
        }
    }
}

/// Takes the games of a server's folder into account; how many it has of this board.
pub fn explore_folder(data: &Path, position: &Position, explorer: &mut Explorer) -> Result<usize, ServeError> {
    let file = data.join(LIBRARY);
    if !file.is_file() {
        let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
        return Err(ServeError::Io(file.display().to_string(), missing));
    }
    let refused = |error: StoreError| ServeError::library(&file, &error);
    let library = Sqlite::open(&file).map_err(refused)?;
    add_games(&library, position.rules(), usize::MAX, explorer).map_err(refused)
}

/// What was found, as a page reads it.
pub(crate) fn explored_json(explorer: &Explorer, looked: usize) -> Value {
    json!({
        "named": explorer.named().map(|named| named.text()), "looked": looked, "total": explorer.total(),
        "moves": explorer.continuations(),
    })
}
