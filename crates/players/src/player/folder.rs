//! A program that plays Connect6 through files: it is started in a scratch folder, reads the other side's turns from
//! one file there and writes its own to another (seed S0). Rows are flipped by the file format, not here.
//!
//! In its command `{color}` is replaced by `black` or `white` and `{dir}` by the folder. A game that begins with an
//! opening lies in both files before the program starts; one that cannot go on from there needs `--openings none`.

use std::process::Command;
use std::time::{Duration, Instant};

use lianzi_core::record::{Document, Format, GameRecord, csv};
use lianzi_core::{Cell, Ending, Fault, Language, Position, Rules, Speak, StartFault, Stone, Verdict};
use lianzi_engine::Info;
use tempfile::TempDir;

use super::outside::marked;
use super::program::Program;
use super::strategy::cpu_time;
use crate::folder::{FILES, FolderGame, FolderState, Judging, Unread};
use lianzi_cage::disk::write_whole;
use lianzi_cage::process::{Process, Wait};
use lianzi_cage::shortage::{is_shortage, refused};
use lianzi_cage::{Cages, Room};
use lianzi_game::judge::Answer;
use lianzi_game::player::{Ask, Player, Reply, Seat, Spending};

/// How often the program's file is looked at.
const POLL: Duration = Duration::from_millis(2);
/// How long the files may be odd: it may just be writing them.
const PATIENCE: Duration = Duration::from_millis(500);
/// The files' own clock is not how time is judged here; it never shows the other side to be late.
const JUDGING: Judging = Judging { limit: u64::MAX / 1000, strict: false };

/// A player that is such a program.
pub struct FolderPlayer {
    program: Program,
    cages: Option<Cages>,
    stone: Stone,
    /// Seconds of CPU time for a game in a cage.
    cpu: u64,
    spending: Spending,
    running: Option<Running>,
    said: String,
    refused: Vec<String>,
}

struct Running {
    process: Process,
    /// Our side of the game: the other side of the program's.
    game: FolderGame,
    room: Room,
    caged: bool,
}

impl FolderPlayer {
    /// A player that starts this program for every game, with cages if it is to run in one.
    pub fn new(program: Program, cages: Option<Cages>) -> FolderPlayer {
        let spending = Spending { limit: program.cpu, ..Spending::default() };
        let (running, said, refused) = (None, String::new(), Vec::new());
        FolderPlayer { program, cages, stone: Stone::Black, cpu: 60, spending, running, said, refused }
    }

    /// Finds out whether the program starts at all; it is ended at once.
    pub fn try_start(&self, rules: &Rules) -> Result<(), Fault> {
        self.start(&Position::new(*rules)).map(drop)
    }

    /// Lays the game out in a folder of its own and starts the program there.
    fn start(&self, position: &Position) -> Result<Running, Fault> {
        let (program, stone) = (&self.program, position.to_move());
        let scratch = match &self.cages {
            Some(cages) => cages.scratch().folder(),
            None => TempDir::with_prefix("lianzi-csv-"),
        };
        let scratch = scratch.map_err(|error| refused("", &error))?;
        lay_out(&scratch, position)?;
        let game = FolderGame::open(scratch.path(), *position.rules(), stone.other(), JUDGING);
        let game = game.map_err(not_started)?;
        let filled = filled(program, stone, &scratch);
        let caged = program.is_caged();
        let (process, room) = if caged {
            // Both sides write in the folder.
            filled.start_caged(self.cages.as_ref(), scratch, self.cpu, false)?
        } else {
            let process = Process::spawn(command(&filled, &scratch));
            let place = scratch.path().into();
            let process = process.map_err(|error| refused(&program.command[0], &error))?.sparing_wine();
            (process, Room::new(scratch, place, u64::MAX))
        };
        Ok(Running { process, game, room, caged })
    }

    /// Ends the program and keeps what it complained about.
    fn end(&mut self) {
        if let Some(running) = self.running.take() {
            self.said = marked(&running.process.take_stderr());
            self.refused = running.room.attempts();
        }
    }
}

impl Player for FolderPlayer {
    fn sit(&mut self, seat: &Seat<'_>) -> Result<(), Fault> {
        (self.stone, self.cpu) = (seat.stone, cpu_time(seat.rules, seat.control));
        self.spending.margin = seat.control.margin;
        self.end();
        self.said.clear();
        self.refused.clear();
        Ok(())
    }

    fn take_turn(&mut self, ask: &Ask<'_>, _: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        // What it needs to start is not what it thinks.
        let spending = if self.running.is_some() { self.spending } else { Spending::default() };
        match &mut self.running {
            Some(running) => running.hand_over(ask.position)?,
            None => self.running = Some(self.start(ask.position)?),
        }
        let running = self.running.as_mut().expect("it was just started");
        let before = running.process.cpu_time();
        running.process.limit_cpu(spending.end());
        let turn = running.wait_for_turn(self.stone, ask);
        let after = running.process.cpu_time();
        running.freeze(true);
        let reply = spending.settle(before, after, turn.map(|turn| Reply { turn, ..Reply::default() }));
        if reply.is_err() {
            self.end();
        }
        reply
    }

    fn warm_up(&self) -> Duration {
        if self.running.is_none() { self.program.warm_up() } else { Duration::ZERO }
    }

    fn leave(&mut self, _: &Verdict) {
        self.end();
    }

    fn said(&mut self) -> Option<String> {
        Some(std::mem::take(&mut self.said)).filter(|said| !said.is_empty())
    }

    fn refused(&mut self) -> Vec<String> {
        std::mem::take(&mut self.refused)
    }
}

impl Running {
    /// Writes what the other side has placed since.
    fn hand_over(&mut self, position: &Position) -> Result<(), Fault> {
        let known = self.game.record().moves.len();
        let cells: Vec<Cell> = position.plies().iter().skip(known).map(|ply| ply.cell).collect();
        self.game.place(&cells, Duration::ZERO).map_err(|why| hindered(why, Fault::Crashed))?;
        self.freeze(false);
        Ok(())
    }

    /// In a cage it stands still while it is not its turn.
    fn freeze(&self, still: bool) {
        if self.caged {
            self.process.freeze(still);
        }
    }

    fn wait_for_turn(&mut self, stone: Stone, ask: &Ask<'_>) -> Result<Vec<Answer>, Fault> {
        loop {
            let ended = self.drain();
            match self.game.look(PATIENCE) {
                Ok(FolderState::Theirs) if ended => return Err(Fault::Crashed(self.process.end_words())),
                Ok(FolderState::Theirs | FolderState::Unsettled) => {}
                Ok(FolderState::Foul(verdict)) => return self.foul(&verdict, stone),
                Ok(FolderState::Ours | FolderState::Over(_)) => return Ok(self.turn_after(ask.position)),
                Err(why) => return Err(hindered(why, Fault::Garbled)),
            }
            if let Some(misuse) = self.room.misuse(&self.process).filter(|_| self.caged) {
                return Err(Fault::Crashed(misuse));
            }
            if self.process.is_spent() {
                return Err(Fault::Spent);
            }
            if ask.interrupt.is_set() || ask.deadline.is_some_and(|deadline| Instant::now() > deadline) {
                return Err(Fault::Late);
            }
        }
    }

    /// Waits a moment, takes what the program prints off its pipe, and says whether it has ended.
    fn drain(&mut self) -> bool {
        let heard = self.process.bytes(Wait::for_time(POLL));
        heard.is_err_and(|silence| silence == lianzi_cage::process::Silence::Gone)
            && self.process.wait_for_end(POLL).is_some()
    }

    /// What its file shows; stones are left to the judge.
    fn foul(&self, verdict: &Verdict, stone: Stone) -> Result<Vec<Answer>, Fault> {
        match &verdict.ending {
            Ending::Tampered => Err(Fault::Tampered),
            Ending::OutOfTurn => Err(Fault::OutOfTurn),
            Ending::AfterEnd => Err(Fault::AfterEnd),
            _ => self.last_turn(stone),
        }
    }

    /// What the program has placed since this position. The files may be gone again already.
    fn turn_after(&self, position: &Position) -> Vec<Answer> {
        let record = self.game.record();
        let placed = record.moves.iter().skip(position.plies().len()).map(|placed| placed.cell);
        placed.chain(record.surplus.iter().copied()).map(Answer::from).collect()
    }

    fn last_turn(&self, stone: Stone) -> Result<Vec<Answer>, Fault> {
        let file = match std::fs::read_to_string(self.room.path().join(FILES[stone.index()])) {
            Err(error) if is_shortage(&error) => return Err(Fault::Shortage(error.to_string())),
            file => file.unwrap_or_default(),
        };
        let stones = csv::last_turn(&file, self.game.record().rules.height);
        Ok(stones.into_iter().map(|stone| stone.map_or_else(Answer::Beyond, Answer::Cell)).collect())
    }
}

/// Writes the game so far, as if both sides had played it through files.
fn lay_out(scratch: &TempDir, position: &Position) -> Result<(), Fault> {
    if position.plies().is_empty() {
        return Ok(());
    }
    let record = GameRecord::from_position(position);
    let failed = |why: &str| Fault::NotStarted(StartFault::Unloadable, why.into());
    let document = Format::Csv.write(&[record]).map_err(|why| failed(&why.words(Language::English)))?;
    let Document::Pair { black, white } = document else { return Err(failed("csv is a pair of files")) };
    for (name, bytes) in FILES.into_iter().zip([black, white]) {
        write_whole(&scratch.path().join(name), &bytes).map_err(|error| refused(name, &error))?;
    }
    Ok(())
}

/// The program with its colour and its folder filled in.
fn filled(program: &Program, stone: Stone, scratch: &TempDir) -> Program {
    let color = if stone == Stone::Black { "black" } else { "white" };
    let dir = scratch.path().display().to_string();
    let fill = |word: &String| word.replace("{color}", color).replace("{dir}", &dir);
    Program { command: program.command.iter().map(fill).collect(), ..program.clone() }
}

fn command(program: &Program, scratch: &TempDir) -> Command {
    let mut command = program.command();
    if program.dir.is_none() {
        command.current_dir(scratch.path());
    }
    command
}

fn not_started(why: Unread) -> Fault {
    match why {
        Unread::Io(path, error) => refused(&path.to_string_lossy(), &error),
        why => Fault::NotStarted(StartFault::Unloadable, words(&why)),
    }
}

/// What it means during a game that its files cannot be read or written: a foul of this kind, unless it is we who lack
/// something.
fn hindered(why: Unread, foul: fn(String) -> Fault) -> Fault {
    match why {
        Unread::Io(_, error) if is_shortage(&error) => Fault::Shortage(error.to_string()),
        why => foul(words(&why)),
    }
}

fn words(why: &Unread) -> String {
    match why {
        Unread::Io(path, error) => format!("{}: {error}", path.display()),
        Unread::Garbled(error) => error.words(Language::English),
    }
}

/// Whether such a program can be told this game.
pub fn plays(rules: &Rules) -> bool {
    *rules == Rules::connect6(rules.width)
}
