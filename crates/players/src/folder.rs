//! A game of Connect6 through files: two programs in one folder, each of which writes its own `black.csv` or
//! `white.csv` and polls the other's (seed S0). This is our side of it.
//!
//! The other program is not trusted: its whole file is read anew and judged each time it changes, and both files are
//! compared with what was accepted before, so that nobody rewrites history. Files are met with patience: a program may
//! write both anew every turn, by removing and renaming, so what is missing, garbled or foul counts only if it stays so.
//! A silent opponent is not waited for like that: the wait has an end by our own clock.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lianzi_core::record::csv::{last_time, time_foul, turn_row};
use lianzi_core::record::{Document, Format, LoadError, Loaded, MAX_BYTES};
use lianzi_core::{Cell, Ending, GameRecord, Rules, Stone, Verdict};

use lianzi_cage::disk::write_whole;

/// The names of the files, Black's first.
pub const FILES: [&str; 2] = ["black.csv", "white.csv"];

/// Our side of a game through files.
#[derive(Debug)]
pub struct FolderGame {
    folder: PathBuf,
    rules: Rules,
    own: Stone,
    judging: Judging,
    /// What our file holds.
    own_file: String,
    /// Since when the files are not as they should be.
    odd: Option<Instant>,
    /// Our last turn was written a second time, because the other's copy of our file came after it.
    rewritten: bool,
    /// The game as far as it was accepted.
    record: GameRecord,
    /// The time of its last turn by the files' own clock.
    clock: Option<u64>,
}

/// How the other's files are judged.
#[derive(Clone, Copy, Debug)]
pub struct Judging {
    /// Seconds a turn may take by the files' own clock.
    pub limit: u64,
    /// Also judge what only the document calls a foul: a first time of White that is not later than Black's.
    pub strict: bool,
}

/// Where the game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FolderState {
    /// We are to move.
    Ours,
    /// The other is to move.
    Theirs,
    /// Somebody has won, or the board is full.
    Over(Verdict),
    /// The other broke the rules.
    Foul(Verdict),
    /// The files are not as they should be, but have not been so for long: somebody may just be writing them.
    Unsettled,
}

/// Why the files could not be understood.
#[derive(Debug)]
pub enum Unread {
    /// The system refused, on this path.
    Io(PathBuf, io::Error),
    /// A file is not written as it should be; while it is being written this may pass.
    Garbled(LoadError),
}

impl FolderGame {
    /// Opens the folder; a game that has begun there goes on.
    pub fn open(folder: &Path, rules: Rules, own: Stone, judging: Judging) -> Result<FolderGame, Unread> {
        let own_file = read(&folder.join(FILES[own.index()]))?;
        let (folder, record) = (folder.to_path_buf(), GameRecord::new(rules));
        Ok(FolderGame { folder, rules, own, judging, own_file, odd: None, rewritten: false, record, clock: None })
    }

    /// The game as far as it was accepted.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// Reads both files and judges what is new. What is wrong with them counts when it has stayed for so long.
    pub fn look(&mut self, patience: Duration) -> Result<FolderState, Unread> {
        let seen = self.look_once();
        if !matches!(seen, Ok(FolderState::Foul(_)) | Err(_)) {
            self.odd = None;
            return seen;
        }
        let odd = self.odd.get_or_insert_with(Instant::now).elapsed();
        if odd > patience / 4 {
            self.rewrite()?;
        }
        if odd > patience { seen } else { Ok(FolderState::Unsettled) }
    }

    fn look_once(&mut self) -> Result<FolderState, Unread> {
        let [black, white] = [self.file(Stone::Black)?, self.file(Stone::White)?];
        let own = if self.own == Stone::Black { &black } else { &white };
        if !rows(own).eq(rows(&self.own_file)) {
            return Ok(self.foul(Ending::Tampered));
        }
        if black.trim().is_empty() && white.trim().is_empty() {
            return Ok(self.whose_turn());
        }
        let clock = last_time(&black).max(last_time(&white));
        let document = Document::Pair { black: black.into(), white: white.into() };
        let games = Format::Csv.read(&document, Some(self.rules)).map_err(Unread::Garbled)?;
        Ok(match games.into_iter().next() {
            Some(loaded) => self.accept(loaded, clock),
            None => self.whose_turn(),
        })
    }

    fn accept(&mut self, loaded: Loaded, clock: Option<u64>) -> FolderState {
        let old = self.record.moves.iter().map(|played| played.cell);
        let new: Vec<Cell> = loaded.record.moves.iter().map(|played| played.cell).collect();
        if new.len() < old.len() || !old.eq(new.iter().copied().take(self.record.moves.len())) {
            return self.foul(Ending::Tampered);
        }
        let Judging { limit, strict } = self.judging;
        let by_time = time_foul(&loaded.record, limit, strict).filter(|verdict| verdict.blame != Some(self.own));
        let by_stones = loaded.problem.map(|_| loaded.record.verdict.clone());
        match by_time.or(by_stones) {
            Some(verdict) => FolderState::Foul(verdict),
            None => {
                (self.record, self.clock) = (loaded.record, clock);
                self.whose_turn()
            }
        }
    }

    /// Writes our turn once more, if our file is gone or holds only what we wrote earlier: a program that copies both
    /// files may have read ours before our turn and renamed its copy after it.
    fn rewrite(&mut self) -> Result<(), Unread> {
        let there = self.file(self.own)?;
        let earlier = rows(&there).eq(rows(&self.own_file).take(rows(&there).count()));
        if self.rewritten || !earlier || self.own_file.is_empty() {
            return Ok(());
        }
        self.rewritten = true;
        self.write()
    }

    fn write(&self) -> Result<(), Unread> {
        let path = self.folder.join(FILES[self.own.index()]);
        write_whole(&path, self.own_file.as_bytes()).map_err(|error| Unread::Io(path, error))
    }

    fn whose_turn(&self) -> FolderState {
        let position = self.record.position();
        match position.outcome() {
            Some(outcome) => FolderState::Over(Verdict::by_stones(outcome)),
            None if position.to_move() == self.own => FolderState::Ours,
            None => FolderState::Theirs,
        }
    }

    fn foul(&self, ending: Ending) -> FolderState {
        FolderState::Foul(Verdict::fault(self.own.other(), ending))
    }

    /// Writes our turn: the whole file anew, so that nobody ever reads half of it. A turn that wins by its first stone
    /// still has its second, wherever a cell is free, because a judge may count stones before it looks for six. The game clock goes on from the
    /// last turn by whole seconds, at least by one, because a judge may take equal times for a foul.
    pub fn place(&mut self, cells: &[Cell], taken: Duration) -> Result<(), Unread> {
        let clock = self.clock.map_or(0, |clock| clock + taken.as_secs().max(1));
        let number = rows(&self.own_file).count() + 1;
        if !self.own_file.is_empty() && !self.own_file.ends_with(['\n', '\r']) {
            self.own_file.push('\n');
        }
        self.own_file += &turn_row(clock, number, &self.whole_turn(cells), &self.rules);
        self.rewritten = false;
        self.write()
    }

    /// These stones, and as many more as the turn has.
    fn whole_turn(&self, cells: &[Cell]) -> Vec<Cell> {
        let position = self.record.position();
        let wanted = usize::from(position.stones_left());
        let others = position.legal().filter(|cell| !cells.contains(cell));
        cells.iter().copied().chain(others).take(wanted.max(cells.len())).collect()
    }

    fn file(&self, side: Stone) -> Result<String, Unread> {
        read(&self.folder.join(FILES[side.index()]))
    }
}

/// What a file says, however its lines end.
fn rows(file: &str) -> impl Iterator<Item = &str> {
    file.lines().map(str::trim).filter(|row| !row.is_empty())
}

/// A side's file; one that has not moved may have none. What is too long for any game is cut, and then garbled.
fn read(path: &Path) -> Result<String, Unread> {
    let failed = |error| Unread::Io(path.to_path_buf(), error);
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
        Ok(meta) if meta.len() > MAX_BYTES as u64 => {
            return Err(failed(io::Error::new(io::ErrorKind::FileTooLarge, "the file is too large")));
        }
        _ => {}
    }
    match fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(failed(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_that_wins_by_its_first_stone_has_two() {
        let folder = tempfile::tempdir().unwrap();
        let row = |cells: &[&str]| cells.iter().map(|cell| cell.parse().unwrap()).collect::<Vec<Cell>>();
        let judging = Judging { limit: 5, strict: true };
        let side = |stone| FolderGame::open(folder.path(), Rules::connect6(15), stone, judging).unwrap();
        let (mut black, mut white) = (side(Stone::Black), side(Stone::White));
        let turns = [&["a1"][..], &["a15", "c15"], &["b1", "c1"], &["e15", "g15"], &["d1", "e1"], &["i15", "k15"]];
        for (n, turn) in turns.iter().enumerate() {
            let mover = if n % 2 == 0 { &mut black } else { &mut white };
            assert_eq!(mover.look(Duration::ZERO).unwrap(), FolderState::Ours);
            mover.place(&row(turn), Duration::ZERO).unwrap();
        }
        assert_eq!(black.look(Duration::ZERO).unwrap(), FolderState::Ours);
        black.place(&row(&["f1"]), Duration::ZERO).unwrap();
        let file = fs::read_to_string(folder.path().join(FILES[0])).unwrap();
        assert_eq!(file.lines().map(|line| line.matches('(').count()).collect::<Vec<_>>(), [1, 2, 2, 2]);
        assert!(
            matches!(white.look(Duration::ZERO).unwrap(), FolderState::Over(_))
                && matches!(black.look(Duration::ZERO).unwrap(), FolderState::Over(_))
        );
    }
}
