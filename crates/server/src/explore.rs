//! The opening explorer over the library and the contests: what was played from a position, and how it ended.

use std::path::Path;

use lianzi_contest::Contest;
use lianzi_contest::journal::kept_games;
use lianzi_game::explore::Explorer;
use lianzi_store::{Library, Search, Sqlite, StoreError};
use lianzi_talk::records::read_kept;

use crate::{CONTESTS, LIBRARY, ServeError};

/// How many games of a library, and how many of contests, are looked through, the newest ones: a request waits for all
/// of them.
pub(crate) const MOST_GAMES: usize = 1_000;

/// Takes the newest games of the library into account, up to so many.
pub(crate) fn add_games(library: &Library, most: usize, explorer: &mut Explorer) -> Result<usize, StoreError> {
    let (rules, mut page, mut looked) = (*explorer.rules(), 0, 0);
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

/// Takes the games of a contest into account, up to so many; how many it has of this board. One that cannot be read is
/// no reason not to see the others.
pub(crate) fn add_contest(folder: &Path, most: usize, explorer: &mut Explorer) -> usize {
    let rules = *explorer.rules();
    let contest = std::fs::read(folder.join("contest.json")).ok();
    let contest: Option<Contest> = contest.and_then(|text| serde_json::from_slice(&text).ok());
    // Where boards are drawn anew, each game has its own.
    let fits = contest.is_some_and(|contest| contest.game.rules().is_none_or(|played| played == rules));
    let Some(games) = kept_games(folder).ok().filter(|_| fits) else { return 0 };
    let games = games.map_while(Result::ok).filter(|played| played.record.rules == rules).take(most);
    games.map(|played| explorer.add(&played.record)).count()
}

/// Takes the games of a server's folder into account, those of its contests too; how many it has of this board.
pub fn explore_folder(data: &Path, explorer: &mut Explorer) -> Result<usize, ServeError> {
    let file = data.join(LIBRARY);
    if !file.is_file() {
        let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
        return Err(ServeError::Io(file.display().to_string(), missing));
    }
    let refused = |error: StoreError| ServeError::library(&file, &error);
    let library = Sqlite::open(&file).map_err(refused)?;
    let mut looked = add_games(&library, usize::MAX, explorer).map_err(refused)?;
    // A server that has played no contest has no folder of them.
    for contest in std::fs::read_dir(data.join(CONTESTS)).into_iter().flatten().flatten() {
        looked += add_contest(&contest.path(), usize::MAX, explorer);
    }
    Ok(looked)
}
