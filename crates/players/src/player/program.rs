//! Programs from outside as the user names them: `piskvork:./engine --fast@pause=10ms,info.max_node=1000`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use lianzi_core::{CellSet, Fault, Forbidden, Placement, Rules, Speak, StartFault, Text, shorten, text};
use lianzi_engine::{Limits, NoEngine};
use tempfile::TempDir;

use super::connect6::{Connect6, Speech};
use super::folder::{self, FolderPlayer};
use super::gtp::Gtp;
use super::outside::{Dialect, ProgramPlayer};
use super::piskvork::Piskvork;
use super::strategy::MEMORY;
use crate::protocol::cells::RowA;
use lianzi_cage::cpu::MEASURED;
use lianzi_game::player::Player;

use lianzi_cage::process::Process;
use lianzi_cage::program::Terms;
use lianzi_cage::room::THREADS;
use lianzi_cage::{Cages, Room};
use lianzi_game::duration;

/// What a program speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The protocol of Gomocup.
    Piskvork,
    /// `move JJKK`, as Cloudict and the contests of CCGC have it.
    Connect6,
    /// The Go Text Protocol, one stone a question.
    Gtp,
    /// Files in a folder, for Connect6.
    Csv,
}

impl Protocol {
    /// All protocols with the names they have before the colon.
    pub const ALL: [(&str, Protocol); 4] = [
        ("piskvork", Protocol::Piskvork),
        ("connect6", Protocol::Connect6),
        ("gtp", Protocol::Gtp),
        ("csv", Protocol::Csv),
    ];

    /// Whether such a program can be told this game.
    pub fn plays(self, rules: &Rules) -> bool {
        let open = Rules { blocked: CellSet::EMPTY, ..*rules };
        let plain = open == *rules;
        match self {
            Protocol::Piskvork => {
                plain
                    && rules.placement == Placement::Anywhere
                    && (rules.first_turn, rules.per_turn, rules.line) == (1, 1, 5)
            }
            Protocol::Connect6 => plain && *rules == Rules::connect6(rules.width) && rules.width <= 26,
            Protocol::Csv => folder::plays(rules),
            Protocol::Gtp => plain && rules.forbidden == Forbidden::Nothing,
        }
    }
}

/// A program and how to treat it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What it speaks.
    pub protocol: Protocol,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Where it runs; without it, where we run.
    pub dir: Option<PathBuf>,
    /// What is sent as INFO beside or instead of what we send ourselves.
    pub info: Vec<(String, String)>,
    /// Lines sent after the start.
    pub send: Vec<String>,
    /// How long to wait after its last word before the next command.
    pub pause: Duration,
    /// How long it may take to start, and longer than its time for its first move, if the user says so.
    pub start: Option<Duration>,
    /// How much CPU time it may use for a turn.
    pub cpu: Option<Duration>,
    /// Which of the Connect6 dialects it speaks, if the user knows.
    pub speech: Option<Speech>,
    /// Where the row called A is.
    pub row_a: RowA,
    /// Bytes of memory in a cage, if not the usual ones.
    pub memory: Option<u64>,
    /// Whether it runs in a cage; without a word, whoever starts it decides.
    pub cage: Option<bool>,
    /// How many threads it may have there, if the user says so.
    pub threads: Option<u64>,
}

/// The options a program has; `info.` is followed by any key.
const OPTIONS: &[&str] = &["cage", "cpu", "dir", "dialect", "pause", "rows", "send", "start", "threads"];
/// The options every player has.
const COMMON: &[&str] = &["depth", "name", "nodes", "seed", "time"];

/// Why an option cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unset {
    /// There is no such option.
    Key,
    /// It has no such value.
    Value,
    /// This system does not tell CPU times.
    Unmeasured,
}

/// Why a command line cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadCommand(String);

impl Speak for BadCommand {
    fn text(&self) -> Text {
        text!(
            "'{}' is no command; write for example piskvork:./engine, with quotes as in a shell",
            "“{}”不是命令；请写作 piskvork:./engine，引号用法与 shell 相同",
            self.0
        )
    }
}

impl Program {
    /// The protocol and the rest of the text, if it names a program.
    pub fn split(text: &str) -> Option<(Protocol, &str)> {
        let (head, rest) = text.split_once(':')?;
        let (_, protocol) = Protocol::ALL.iter().find(|(name, _)| *name == head)?;
        Some((*protocol, rest))
    }

    /// Reads a command line, split as a shell does.
    pub fn new(protocol: Protocol, command: &str) -> Result<Program, BadCommand> {
        let words = shlex::split(command).filter(|words| words.first().is_some_and(|word| !word.is_empty()));
        Ok(Program {
            protocol,
            command: words.ok_or_else(|| BadCommand(shorten(command)))?,
            dir: None,
            info: Vec::new(),
            send: Vec::new(),
            pause: Duration::ZERO,
            start: None,
            cpu: None,
            speech: None,
            row_a: RowA::default(),
            memory: None,
            cage: None,
            threads: None,
        })
    }

    /// What it is called when the user gives no name: the program's file.
    pub fn name(&self) -> String {
        let file = self.command.first().map(Path::new).and_then(Path::file_name);
        file.map_or_else(String::new, |file| file.to_string_lossy().into_owned())
    }

    /// Sets an option.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Unset> {
        let fits = match key.split('.').next() {
            Some("info") => self.protocol == Protocol::Piskvork,
            Some("dialect" | "rows") => self.protocol == Protocol::Connect6,
            _ => true,
        };
        match key {
            _ if !fits => return Err(Unset::Key),
            "cage" => self.cage = Some(yes_or_no(value)?),
            "threads" => self.threads = Some(threads(value)?),
            "dir" => self.dir = Some(value.into()),
            "pause" => self.pause = time(value)?,
            "start" => self.start = Some(time(value)?),
            "cpu" => self.cpu = Some(cpu(value)?),
            "send" => self.send.push(line(value)?),
            "dialect" => self.speech = Some(Speech::named(value).ok_or(Unset::Value)?),
            "rows" => self.row_a = row_a(value)?,
            _ => {
                let key = key.strip_prefix("info.").filter(|key| !key.is_empty()).ok_or(Unset::Key)?;
                self.info.push((key.into(), line(value)?));
            }
        }
        Ok(())
    }

    /// Finds out before a game begins whether the program can be asked for it.
    pub fn check(&self, rules: &Rules) -> Result<(), NoEngine> {
        let game = || NoEngine::Game { name: self.name(), game: rules.to_string() };
        self.protocol.plays(rules).then_some(()).ok_or_else(game)
    }

    /// How long it may take to start or to clear its board.
    pub fn patience(&self) -> Duration {
        self.start.unwrap_or(Duration::from_secs(10))
    }

    /// How much longer than its time it may take for its first move: many load what they need only then.
    pub fn warm_up(&self) -> Duration {
        self.start.unwrap_or(Duration::from_secs(5))
    }

    /// Whether it runs in a cage.
    pub fn is_caged(&self) -> bool {
        self.cage == Some(true)
    }

    /// The player, with limits of its own; without cages a program that needs one cannot start.
    pub fn player(&self, limits: Limits, cages: Option<&Cages>) -> Box<dyn Player> {
        let dialect: Box<dyn Dialect> = match self.protocol {
            Protocol::Piskvork => Box::new(Piskvork::default()),
            Protocol::Connect6 => Box::new(Connect6::new(self.speech, self.row_a)),
            Protocol::Gtp => Box::new(Gtp::default()),
            Protocol::Csv => return Box::new(FolderPlayer::new(self.clone(), cages.cloned())),
        };
        Box::new(ProgramPlayer::new(self.clone(), dialect, limits, cages.cloned()))
    }

    /// Starts it in a cage with this scratch folder, alone in it or not, and so many seconds of CPU time.
    pub(super) fn start_caged(
        &self,
        cages: Option<&Cages>,
        scratch: TempDir,
        cpu: u64,
        alone: bool,
    ) -> Result<(Process, Room), Fault> {
        let none = || Fault::NotStarted(StartFault::Unloadable, "foreign code has no cage here".into());
        let threads = self.threads.unwrap_or(THREADS);
        let memory = self.memory.unwrap_or(MEMORY);
        let terms = Terms { dir: self.dir.as_deref(), cpu, memory, threads, alone };
        lianzi_cage::program::start(cages.ok_or_else(none)?, &self.command, scratch, &terms)
    }

    /// The command to start. A path is meant from where the user is, not from where the program will run.
    pub(super) fn command(&self) -> Command {
        let (name, arguments) = self.command.split_first().expect("a command has a first word");
        let path = Path::new(name);
        let seen = (path.components().count() > 1).then(|| std::path::absolute(path).ok()).flatten();
        let mut command = Command::new(seen.as_deref().unwrap_or(path));
        command.args(arguments);
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command
    }
}

fn time(value: &str) -> Result<Duration, Unset> {
    let hour = Duration::from_secs(3600);
    duration::parse(value).ok().filter(|time| *time <= hour).ok_or(Unset::Value)
}

/// A limit of CPU time, where it can be measured.
pub(super) fn cpu(value: &str) -> Result<Duration, Unset> {
    let cpu = time(value)?;
    match MEASURED {
        _ if cpu.is_zero() => Err(Unset::Value),
        true => Ok(cpu),
        false => Err(Unset::Unmeasured),
    }
}

/// How many threads somebody may have.
pub(super) fn threads(value: &str) -> Result<u64, Unset> {
    value.parse().ok().filter(|threads| (1..=1024).contains(threads)).ok_or(Unset::Value)
}

/// What is sent must not be two lines.
fn line(value: &str) -> Result<String, Unset> {
    if value.contains(['\r', '\n']) { Err(Unset::Value) } else { Ok(value.into()) }
}

fn yes_or_no(value: &str) -> Result<bool, Unset> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(Unset::Value),
    }
}

fn row_a(value: &str) -> Result<RowA, Unset> {
    match value {
        "bottom" => Ok(RowA::Bottom),
        "top" => Ok(RowA::Top),
        _ => Err(Unset::Value),
    }
}

/// Splits a command from its options: they follow an @ and begin with a key, so a path may contain one.
pub fn split_options(text: &str) -> (&str, &str) {
    let signs = text.rmatch_indices('@').map(|(at, _)| at);
    let at = signs.into_iter().find(|at| looks_like_option(&text[at + 1..]));
    at.map_or((text, ""), |at| (&text[..at], &text[at + 1..]))
}

fn looks_like_option(text: &str) -> bool {
    let key = text.split_once('=').map_or("", |(key, _)| key);
    key.starts_with(|c: char| c.is_ascii_lowercase())
        && key.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b))
}

/// Splits options at the commas that are followed by a known key, so that a line to send may contain some.
pub fn options(text: &str) -> Vec<&str> {
    let known = |rest: &str| {
        let key = rest.split_once('=').map_or("", |(key, _)| key);
        key.starts_with("info.") || OPTIONS.contains(&key) || COMMON.contains(&key)
    };
    let in_line = |part: &str| part.starts_with("send=");
    let (mut parts, mut start) = (Vec::new(), 0);
    for (comma, _) in text.match_indices(',') {
        if known(&text[comma + 1..]) || !in_line(&text[start..]) {
            parts.push(&text[start..comma]);
            start = comma + 1;
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_contain_an_at_sign() {
        assert_eq!(split_options("./a@b/engine"), ("./a@b/engine", ""));
        assert_eq!(split_options("./a@b/engine@pause=10ms"), ("./a@b/engine", "pause=10ms"));
        assert_eq!(split_options("x@send=user@host"), ("x", "send=user@host"));
        assert_eq!(split_options("x --mail=a@b.c"), ("x --mail=a@b.c", ""));
    }

    #[test]
    fn a_line_may_contain_commas() {
        assert_eq!(options("send=INFO evaluate 7,7,name=x"), ["send=INFO evaluate 7,7", "name=x"]);
        assert_eq!(options("info.max_node=5,pause=1ms,"), ["info.max_node=5", "pause=1ms"]);
        assert_eq!(options("pause=1ms,odd=2"), ["pause=1ms", "odd=2"]);
    }

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let program = Program::new(Protocol::Piskvork, "'/a b/engine' --name \"x y\"").unwrap();
        assert_eq!(program.command, ["/a b/engine", "--name", "x y"]);
        assert_eq!(program.name(), "engine");
        for bad in ["", "  ", "'", "''"] {
            assert!(Program::new(Protocol::Gtp, bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn protocols_know_their_games() {
        let plays = |protocol: Protocol, game: &str| protocol.plays(&game.parse().unwrap());
        for game in ["gomoku", "gomoku:20", "standard", "renju"] {
            assert!(plays(Protocol::Piskvork, game) && !plays(Protocol::Connect6, game), "{game}");
        }
        assert!(plays(Protocol::Connect6, "connect6") && plays(Protocol::Gtp, "connect6"));
        assert!(plays(Protocol::Gtp, "connect4") && plays(Protocol::Gtp, "gomoku"));
        for (protocol, game) in
            [(Protocol::Piskvork, "connect6"), (Protocol::Piskvork, "gomoku/h8"), (Protocol::Gtp, "renju")]
        {
            assert!(!plays(protocol, game), "{game}");
        }
    }
}
