//! What a contest leaves on disk. Every finished game is there before its result counts, so a process that is
//! killed at any moment loses nothing that was finished, and `resume` goes on.
//!
//! ```text
//! DIR/contest.json   what is being played; written once
//! DIR/games.jsonl    one finished game a line, in the order in which they ended
//! DIR/summary.json, report.html, games.sgf   made from the two above, whenever wanted
//! ```

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use lianzi_core::record::{Document, Format, GameRecord};
use lianzi_core::{Outcome, Speak, Stone, Text, Verdict, known_reason, spoken_errors, text};

use super::circumstances::Circumstances;
use super::plan::Plan;
use super::standings::Judged;
use super::{Contest, GameId};
use lianzi_cage::disk::write_whole;

const CONTEST: &str = "contest.json";
const GAMES: &str = "games.jsonl";

/// How long to wait for a lock. That of a process that was killed may live on for a moment in a child it was about to
/// start: until then the child has its files.
const PATIENCE: Duration = Duration::from_secs(5);

/// The property of a record that names its game within the contest.
const ID: &str = "contest-game";

/// The folder of a contest, open for writing.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    games: File,
    /// Whether the games are to survive this process.
    lasting: bool,
}

/// A finished game of a contest in brief: all that counting needs. Contests keep their games so, and read the moves
/// from the journal again when they are wanted, so that a long contest needs no more memory than a short one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brief {
    /// Which game it was.
    pub id: GameId,
    /// Who won.
    pub outcome: Option<Outcome>,
    /// Who is at fault.
    pub blame: Option<Stone>,
    /// The sort of ending.
    pub ending: &'static str,
    /// How many stones were played.
    pub plies: usize,
    /// Whether the opening changed the sides; nothing where the players did not find them by a rule.
    pub swapped: Option<bool>,
    /// What the game must be read with.
    pub circumstances: Circumstances,
}

impl From<&Played> for Brief {
    fn from(game: &Played) -> Brief {
        let Played { id, record } = game;
        let Verdict { outcome, blame, ref ending } = record.verdict;
        Brief {
            id: *id,
            outcome,
            blame,
            ending: ending.name(),
            plies: record.moves.len(),
            swapped: Judged::swapped(record),
            circumstances: record.into(),
        }
    }
}

/// A finished game of a contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Which game it was.
    pub id: GameId,
    /// What was played.
    pub record: GameRecord,
}

impl Played {
    /// The outcome as the plan sees it, which knows nothing of sides that were swapped.
    pub fn planned_outcome(&self) -> Option<Outcome> {
        match self.record.verdict.outcome? {
            Outcome::Win(stone) if self.record.is_swapped() => Some(Outcome::Win(stone.other())),
            outcome => Some(outcome),
        }
    }
}

impl Plan {
    /// Counts a finished game; what is to be remembered of it.
    pub fn count(&mut self, game: &Played) -> Brief {
        if let Some(outcome) = game.planned_outcome() {
            self.finish(game.id, outcome);
        }
        Brief::from(game)
    }
}

/// Why a contest's folder cannot be used.
#[derive(Debug)]
pub enum JournalError {
    /// The system refused, on this path.
    Io(PathBuf, io::Error),
    /// The folder holds games already, and nobody said to go on with them.
    Exists(PathBuf),
    /// The folder holds another contest.
    Different(PathBuf),
    /// Another process writes to the folder.
    Locked(PathBuf),
    /// A line of the file cannot be read.
    Damaged(PathBuf, String),
    /// The arena lacks this to go on.
    Shortage(String),
}

impl Speak for JournalError {
    fn text(&self) -> Text {
        match self {
            JournalError::Io(path, error) => {
                Text::both(|language| format!("{}: {}", path.display(), language.system(error)))
            }
            JournalError::Exists(path) => text!(
                "{} holds a contest already; add --resume to go on with it, or name another folder",
                "{} 中已有比赛；加 --resume 继续，或换一个文件夹",
                path.display()
            ),
            JournalError::Different(path) => text!(
                "{} holds another contest; resume it with the same game, players and settings",
                "{} 中是另一场比赛；请用相同的棋、棋手与设置继续",
                path.display()
            ),
            JournalError::Locked(path) => {
                text!("another process is writing to {}", "另一个进程正在写入 {}", path.display())
            }
            JournalError::Shortage(why) => {
                let why = known_reason(why);
                text!(
                    "the arena itself lacks something: {why}; no player is to blame, and the games so far are kept: make room, and go on with --resume",
                    "竞技场自身资源不足：{why}；与棋手无关，已下完的对局均已保存：请腾出资源后用 --resume 继续"; why
                )
            }
            JournalError::Damaged(path, why) => text!(
                "{} is damaged: {why}; repair or remove that line",
                "{} 已损坏：{why}；请修复或删除该行",
                path.display()
            ),
        }
    }
}

spoken_errors!(JournalError);

/// Locks a file for this process, with some patience.
fn lock(file: &File) -> Result<(), TryLockError> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => thread::sleep(PATIENCE / 250),
            done => return done,
        }
    }
}

impl Journal {
    /// Opens a folder for this contest. With `resume` the games already finished stay in it; a folder that does
    /// not exist yet is made in either case.
    pub fn open(folder: &Path, contest: &Contest, resume: bool) -> Result<Journal, JournalError> {
        let at = |path: &Path| {
            let path = path.to_path_buf();
            move |error| JournalError::Io(path.clone(), error)
        };
        fs::create_dir_all(folder).map_err(at(folder))?;
        let path = folder.join(GAMES);
        let open = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let mut games = open.map_err(at(&path))?;
        match lock(&games) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Locked(folder.into())),
            Err(TryLockError::Error(error)) => return Err(JournalError::Io(path, error)),
        }
        if keep_contest(folder, contest, resume)? {
            cut_torn_line(&mut games).map_err(at(&path))?;
        }
        Ok(Journal { folder: folder.into(), games, lasting: true })
    }

    /// A journal that nobody wants to keep: a file without a name, which goes with the process.
    pub fn passing() -> Result<Journal, JournalError> {
        let folder = std::env::temp_dir();
        match tempfile::tempfile_in(&folder) {
            Ok(games) => Ok(Journal { folder, games, lasting: false }),
            Err(error) => Err(JournalError::Io(folder, error)),
        }
    }

    /// All finished games, in the order of their names.
    pub fn games(&mut self) -> Result<Vec<Played>, JournalError> {
        let mut played = Vec::new();
        self.each_game(|game| played.push(game))?;
        played.sort_by_key(|game| game.id);
        Ok(played)
    }

    /// Shows the finished games one after another, in the order in which they ended.
    pub fn each_game(&mut self, mut show: impl FnMut(Played)) -> Result<(), JournalError> {
        let path = self.folder.join(GAMES);
        self.games.seek(SeekFrom::Start(0)).map_err(|error| JournalError::Io(path.clone(), error))?;
        games_in(&self.games, path).try_for_each(|game| game.map(&mut show))
    }

    /// Writes a finished game. When this returns, the game survives whatever happens to the process.
    pub fn append(&mut self, played: &Played) -> Result<(), JournalError> {
        let line = written_game(played) + "\n";
        let sync = |file: &File| if self.lasting { file.sync_data() } else { Ok(()) };
        let write = (&self.games).write_all(line.as_bytes()).and_then(|()| sync(&self.games));
        write.map_err(|error| JournalError::Io(self.folder.join(GAMES), error))
    }

    /// Writes a file made from the games, whole or not at all.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), JournalError> {
        let path = self.folder.join(name);
        write_whole(&path, content).map_err(|error| JournalError::Io(path, error))
    }
}

/// The finished games in a contest's folder, in the order in which they ended. The contest may be played meanwhile: a
/// line that is still being written is no game yet.
pub fn kept_games(folder: &Path) -> Result<impl Iterator<Item = Result<Played, JournalError>> + use<>, JournalError> {
    let path = folder.join(GAMES);
    match File::open(&path) {
        Ok(file) => Ok(games_in(file, path)),
        Err(error) => Err(JournalError::Io(path, error)),
    }
}

fn games_in(file: impl Read, path: PathBuf) -> impl Iterator<Item = Result<Played, JournalError>> {
    let mut lines = BufReader::new(file);
    let mut number = 0;
    std::iter::from_fn(move || {
        loop {
            let mut line = Vec::new();
            number += 1;
            match lines.read_until(b'\n', &mut line) {
                Err(error) => return Some(Err(JournalError::Io(path.clone(), error))),
                Ok(_) if !line.ends_with(b"\n") => return None,
                Ok(_) if line.trim_ascii().is_empty() => {}
                Ok(_) => {
                    let damaged = |why| JournalError::Damaged(path.clone(), format!("line {number}: {why}"));
                    return Some(read_game(line).map_err(damaged));
                }
            }
        }
    })
}

/// Writes the contest down, or compares it with what was written; says whether it had begun.
fn keep_contest(folder: &Path, contest: &Contest, resume: bool) -> Result<bool, JournalError> {
    let path = folder.join(CONTEST);
    let mut text = serde_json::to_string_pretty(contest).expect("a contest has only texts and numbers");
    text.push('\n');
    match fs::read_to_string(&path) {
        Ok(_) if !resume => Err(JournalError::Exists(folder.into())),
        Ok(old) if old == text => Ok(true),
        Ok(_) => Err(JournalError::Different(folder.into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            write_whole(&path, text.as_bytes()).map_err(|error| JournalError::Io(path, error))?;
            Ok(false)
        }
        Err(error) => Err(JournalError::Io(path, error)),
    }
}

/// Cuts off a last line that was being written when the process was killed.
fn cut_torn_line(file: &mut File) -> io::Result<()> {
    const STEP: u64 = 64 * 1024;
    let length = file.metadata()?.len();
    let mut start = length;
    while start > 0 {
        let end = start;
        start = start.saturating_sub(STEP);
        let mut piece = vec![0; (end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut piece)?;
        if let Some(at) = piece.iter().rposition(|&byte| byte == b'\n') {
            let whole = start + at as u64 + 1;
            return if whole < length { file.set_len(whole) } else { Ok(()) };
        }
    }
    file.set_len(0)
}

/// A game as a line of the journal has it, without the line's end.
pub fn written_game(played: &Played) -> String {
    let mut record = played.record.clone();
    record.set_tag(ID, &played.id.to_string());
    record.to_json()
}

/// Reads such a line.
pub fn read_game(line: Vec<u8>) -> Result<Played, String> {
    let games = Format::Json.read(&Document::Single(line), None).map_err(|error| error.to_string())?;
    let loaded = games.into_iter().next().ok_or("no game")?;
    let record = loaded.whole().map_err(|error| error.to_string())?;
    let id = record.tag(ID).and_then(parse_id).ok_or("a game without its number")?;
    Ok(Played { id, record })
}

fn parse_id(text: &str) -> Option<GameId> {
    let (encounter, game) = text.split_once('.')?;
    Some(GameId { encounter: encounter.parse().ok()?, game: game.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_being_written_is_no_game_yet() {
        let folder = tempfile::tempdir().unwrap();
        let mut record = GameRecord::new("connect4".parse().unwrap());
        record.set_tag(ID, "0.1");
        let line = record.to_json();
        fs::write(folder.path().join(GAMES), format!("{}\n\n{0}", line.trim())).unwrap();
        let games = kept_games(folder.path()).unwrap().collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!(games.iter().map(|game| game.id.to_string()).collect::<Vec<_>>(), ["0.1"]);
    }

    #[test]
    fn a_lock_that_is_about_to_go_is_waited_for() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let held = File::open(file.path()).unwrap();
        held.lock().unwrap();
        let wanted = File::open(file.path()).unwrap();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| lock(&wanted));
            thread::sleep(Duration::from_millis(200));
            drop(held);
            assert!(waiting.join().unwrap().is_ok());
        });
        let third = File::open(file.path()).unwrap();
        assert!(matches!(lock(&third), Err(TryLockError::WouldBlock)), "one that stays is told");
    }
}
