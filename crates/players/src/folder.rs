//! A game of Connect6 through files: two programs in one folder, each of which writes its own `black.csv` or
//! `white.csv` and polls the other's (seed S0). This is our side of it.
//!
//! The other program is not trusted: its whole file is read anew and judged each time it changes, and both files are
//! compared with what was accepted before, so that nobody rewrites history. Half-written files are met with patience;
//! a silent opponent is not: the wait has an end by our own clock.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
    /// The game as far as it was accepted.
    record: GameRecord,
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
        Ok(FolderGame { folder, rules, own, judging, own_file, record })
    }

    /// The game as far as it was accepted.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// Reads both files and judges what is new.
    pub fn look(&mut self) -> Result<FolderState, Unread> {
        let [black, white] = [self.file(Stone::Black)?, self.file(Stone::White)?];
        let own = if self.own == Stone::Black { &black } else { &white };
        if *own != self.own_file {
            return Ok(self.foul(Ending::Tampered));
        }
        if black.trim().is_empty() && white.trim().is_empty() {
            return Ok(self.whose_turn());
        }
        let document = Document::Pair { black: black.into(), white: white.into() };
        let games = Format::Csv.read(&document, Some(self.rules)).map_err(Unread::Garbled)?;
        Ok(match games.into_iter().next() {
            Some(loaded) => self.accept(loaded),
            None => self.whose_turn(),
        })
    }

    fn accept(&mut self, loaded: Loaded) -> FolderState {
        let old = self.record.moves.iter().map(|played| played.cell);
        let new: Vec<Cell> = loaded.record.moves.iter().map(|played| played.cell).collect();
        if new.len() < old.len() || !old.eq(new.iter().copied().take(self.record.moves.len())) {
            return self.foul(Ending::Tampered);
        }
        let Judging { limit, strict } = self.judging;
        let by_time =
            time_foul(&loaded.record, limit, strict).filter(|verdict| verdict.blame != Some(self.own));
        let by_stones = loaded.problem.map(|_| loaded.record.verdict.clone());
        self.record = loaded.record;
        match by_time.or(by_stones) {
            Some(verdict) => FolderState::Foul(verdict),
            None => self.whose_turn(),
        }
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
        let other = self.file(self.own.other())?;
        let clock = last_time(&other).into_iter().chain(last_time(&self.own_file)).max();
        let clock = clock.map_or(0, |clock| clock + taken.as_secs().max(1));
        let number = self.own_file.lines().filter(|line| !line.trim().is_empty()).count() + 1;
        let mut file = self.own_file.clone();
        if !file.is_empty() && !file.ends_with(['\n', '\r']) {
            file.push('\n');
        }
        file += &turn_row(clock, number, &self.whole_turn(cells), &self.rules);
        let path = self.folder.join(FILES[self.own.index()]);
        write_whole(&path, file.as_bytes()).map_err(|error| Unread::Io(path, error))?;
        self.own_file = file;
        Ok(())
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
        let turns =
            [&["a1"][..], &["a15", "c15"], &["b1", "c1"], &["e15", "g15"], &["d1", "e1"], &["i15", "k15"]];
        for (n, turn) in turns.iter().enumerate() {
            let mover = if n % 2 == 0 { &mut black } else { &mut white };
            assert_eq!(mover.look().unwrap(), FolderState::Ours);
            mover.place(&row(turn), Duration::ZERO).unwrap();
        }
        assert_eq!(black.look().unwrap(), FolderState::Ours);
        black.place(&row(&["f1"]), Duration::ZERO).unwrap();
        let file = fs::read_to_string(folder.path().join(FILES[0])).unwrap();
        assert_eq!(file.lines().map(|line| line.matches('(').count()).collect::<Vec<_>>(), [1, 2, 2, 2]);
        assert!(
            matches!(white.look().unwrap(), FolderState::Over(_))
                && matches!(black.look().unwrap(), FolderState::Over(_))
        );
    }
}
