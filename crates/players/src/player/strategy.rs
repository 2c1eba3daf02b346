//! Strategies from outside as users name them: `so:FILE`, `py:FILE`, `kaggle:FILE`. Each runs in a cage of its own for
//! one game. What all three share stands here.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lianzi_core::{Fault, Forbidden, Overline, Placement, Position, Rules, Speak, Stone, Text, Verdict, shorten};
use lianzi_engine::{Info, NoEngine};

use super::program::{Unset, cpu, threads};
use super::strategy_library as library;
use super::strategy_python as python;
use lianzi_cage::process::Wait;
use lianzi_cage::room::THREADS;
use lianzi_cage::wire::CageNews;
use lianzi_cage::{Caged, Cages, Escorted, NoCage, Prisoner};
use lianzi_game::clock::Control;
use lianzi_game::duration;
use lianzi_game::judge::Answer;
use lianzi_game::player::{Ask, Player, Reply, Seat, Spending};

/// What a strategy is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// The Connect Four course's library with `getPoint` and `clearPoint`.
    Library,
    /// The Gomoku course's Python module with `ai`.
    Course,
    /// An agent for Kaggle's ConnectX.
    Kaggle,
}

impl Interface {
    /// All interfaces with the names they have before the colon.
    pub const ALL: [(&str, Interface); 3] =
        [("so", Interface::Library), ("py", Interface::Course), ("kaggle", Interface::Kaggle)];

    /// Whether a strategy of this kind can be told this game.
    pub fn plays(self, rules: &Rules) -> bool {
        let single = (rules.first_turn, rules.per_turn) == (1, 1);
        let plain = single && rules.overline == Overline::Wins && rules.forbidden == Forbidden::Nothing;
        let blocked = rules.blocked.iter().count();
        plain
            && match self {
                Interface::Library => rules.placement == Placement::Drop && rules.line == 4 && blocked <= 1,
                Interface::Course => rules.placement == Placement::Anywhere && rules.line == 5,
                Interface::Kaggle => rules.placement == Placement::Drop && blocked == 0,
            }
    }
}

/// Bytes of memory for foreign code of which nobody said more.
pub(super) const MEMORY: u64 = 2 << 30;

/// A strategy and how to treat it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// What it is written for.
    pub interface: Interface,
    /// Its file.
    pub file: PathBuf,
    /// A folder it may read, besides its file.
    pub dir: Option<PathBuf>,
    /// Bytes of memory; without a word, whoever starts it decides.
    pub memory: Option<u64>,
    /// How many threads it may have, if the user says so.
    pub threads: Option<u64>,
    /// How long it may take to load.
    pub start: Duration,
    /// How much CPU time it may use for a turn.
    pub cpu: Option<Duration>,
}

/// Why a strategy cannot play before it was even tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadStrategy {
    /// There is no such file, or it is none.
    File(PathBuf, ErrorKind),
    /// Foreign code cannot be run here.
    Cage(NoCage),
}

impl Speak for BadStrategy {
    fn text(&self) -> Text {
        Text::both(|language| match self {
            BadStrategy::File(file, why) => {
                format!("{}: {}", file.display(), language.system(&(*why).into()))
            }
            BadStrategy::Cage(none) => none.words(language),
        })
    }
}

impl Strategy {
    /// A strategy as a text names it: `so:`, `py:` or `kaggle:` and a file.
    pub fn read(text: &str) -> Option<Strategy> {
        let (head, file) = text.split_once(':')?;
        let (_, interface) = Interface::ALL.iter().find(|(name, _)| *name == head)?;
        Some(Strategy::new(*interface, Path::new(file)))
    }

    /// A strategy with the usual bounds, 10 s to load among them.
    pub fn new(interface: Interface, file: &Path) -> Strategy {
        let start = Duration::from_secs(10);
        Strategy { interface, file: file.into(), dir: None, memory: None, threads: None, start, cpu: None }
    }

    /// What it is called when the user gives no name: its file, without the extension.
    pub fn name(&self) -> String {
        self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Sets an option.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Unset> {
        match key {
            "dir" => self.dir = Some(value.into()),
            "memory" => {
                let mib = value.parse().ok().filter(|mib| (64..=1 << 20).contains(mib));
                self.memory = Some(mib.map(|mib: u64| mib << 20).ok_or(Unset::Value)?);
            }
            "threads" => self.threads = Some(threads(value)?),
            "start" => self.start = duration::parse(value).map_err(|_| Unset::Value)?,
            "cpu" => self.cpu = Some(cpu(value)?),
            _ => return Err(Unset::Key),
        }
        Ok(())
    }

    /// Finds out before a game begins whether the strategy can be asked for it.
    pub fn check_game(&self, rules: &Rules) -> Result<(), NoEngine> {
        let none = || NoEngine::Game { name: shorten(&self.file.to_string_lossy()), game: rules.to_string() };
        self.interface.plays(rules).then_some(()).ok_or_else(none)
    }

    /// Finds out before a contest begins whether the strategy is there and can be caged.
    pub fn check(&self, cages: &Cages) -> Result<(), BadStrategy> {
        let bad = |why| BadStrategy::File(self.file.clone(), why);
        let metadata = std::fs::metadata(&self.file).map_err(|error| bad(error.kind()))?;
        if !metadata.is_file() {
            return Err(bad(ErrorKind::IsADirectory));
        }
        cages.check().map_err(BadStrategy::Cage)?;
        if self.interface != Interface::Library {
            cages.python().map_err(BadStrategy::Cage)?;
        }
        Ok(())
    }

    /// The player; without cages it cannot start.
    pub fn player(&self, cages: Option<&Cages>) -> StrategyPlayer {
        StrategyPlayer {
            strategy: self.clone(),
            cages: cages.cloned(),
            caged: None,
            stone: Stone::Black,
            control: Control::default(),
            printed: String::new(),
            refused: Vec::new(),
        }
    }

    fn prisoner(&self) -> Prisoner {
        let script = match self.interface {
            Interface::Library => None,
            Interface::Course => Some("course"),
            Interface::Kaggle => Some("kaggle"),
        };
        let (file, dir) = (self.file.clone(), self.dir.clone());
        let (memory, threads) = (self.memory.unwrap_or(MEMORY), self.threads.unwrap_or(THREADS));
        Prisoner { file, script, dir, memory, threads, start: self.start }
    }

    /// A library whose tables are larger than its memory does not load, and the loader does not say how much it had.
    fn with_bound(&self, fault: Fault) -> Fault {
        const UNMAPPED: [&str; 3] = ["cannot map zero-fill pages", "failed to map segment", "Cannot allocate memory"];
        match fault {
            Fault::NotStarted(start, why) if UNMAPPED.iter().any(|words| why.contains(words)) => {
                let mib = self.memory.unwrap_or(MEMORY) >> 20;
                Fault::NotStarted(start, format!("it needs more than its {mib} MiB of memory: {why}"))
            }
            other => other,
        }
    }
}

/// A player that asks a strategy in a cage.
pub struct StrategyPlayer {
    strategy: Strategy,
    cages: Option<Cages>,
    caged: Option<Caged>,
    stone: Stone,
    control: Control,
    printed: String,
    refused: Vec<String>,
}

impl Player for StrategyPlayer {
    fn sit(&mut self, seat: &Seat<'_>) -> Result<(), Fault> {
        let unloadable = |why: String| Fault::NotStarted(lianzi_core::StartFault::Unloadable, why);
        (self.caged, self.printed, self.refused) = (None, String::new(), Vec::new());
        (self.stone, self.control) = (seat.stone, *seat.control);
        self.strategy.check_game(seat.rules).map_err(|none| unloadable(none.to_string()))?;
        let cages = self.cages.as_ref().ok_or_else(|| unloadable("foreign code has no cage here".into()))?;
        match Caged::start(cages, &self.strategy.prisoner(), cpu_time(seat.rules, seat.control)) {
            Ok(caged) => {
                self.caged = Some(caged);
                Ok(())
            }
            Err(Escorted { fault, printed, refused }) => {
                (self.printed, self.refused) = (printed, refused);
                Err(self.strategy.with_bound(fault))
            }
        }
    }

    fn take_turn(&mut self, ask: &Ask<'_>, _: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        let Some(caged) = &mut self.caged else { return Err(Fault::Crashed("the strategy is gone".into())) };
        let wait = Wait { until: ask.deadline, interrupt: Some(ask.interrupt.flag()) };
        let spending = Spending { limit: self.strategy.cpu, margin: self.control.margin };
        let before = caged.cpu_time();
        caged.limit_cpu(spending.end());
        let news = match self.strategy.interface {
            Interface::Library => caged.call(&library::call(ask.position), library::FUNCTIONS, wait),
            Interface::Course => caged.call(&python::course_call(ask.position), python::FUNCTIONS, wait),
            Interface::Kaggle => {
                // It is told the limit that it would break first.
                let per_move = self.strategy.cpu.into_iter().chain(self.control.per_move).min();
                let control = Control { per_move, ..self.control };
                caged.call(&python::kaggle_call(ask, &control), python::FUNCTIONS, wait)
            }
        };
        let after = caged.cpu_time();
        let answer = news.and_then(|news| self.strategy.interface.answer(news, ask.position));
        let reply = answer.map(|answer| Reply { turn: vec![answer], ..Reply::default() });
        spending.settle(before, after, reply)
    }

    fn leave(&mut self, _: &Verdict) {
        if let Some(caged) = self.caged.take() {
            (self.printed, self.refused) = caged.end();
        }
    }

    fn said(&mut self) -> Option<String> {
        Some(std::mem::take(&mut self.printed)).filter(|printed| !printed.is_empty())
    }

    fn refused(&mut self) -> Vec<String> {
        std::mem::take(&mut self.refused)
    }
}

impl Interface {
    /// The stone that an answer means.
    pub fn answer(self, news: CageNews, position: &Position) -> Result<Answer, Fault> {
        match (news, self) {
            (CageNews::Point(x, y), Interface::Library) => Ok(library::answer(position.rules(), x, y)),
            (CageNews::Point(x, y), Interface::Course) => Ok(python::course_answer(position.rules(), x, y)),
            (CageNews::Column(column), Interface::Kaggle) => Ok(python::kaggle_answer(position, column)),
            (CageNews::Beyond(name), _) => Ok(Answer::Beyond(shorten(&name))),
            (CageNews::Raised(what), _) => Err(Fault::Crashed(format!("exception {what}"))),
            (CageNews::Odd(what), _) => Err(Fault::Garbled(what)),
            (news, _) => Err(Fault::Garbled(shorten(&format!("{news:?}")))),
        }
    }
}

/// A bound on the CPU time of a whole game. The clock is what players lose by; this only ends what escapes it.
pub(super) fn cpu_time(rules: &Rules, control: &Control) -> u64 {
    const SPARE: Duration = Duration::from_secs(60);
    const WITHOUT_CLOCK: Duration = Duration::from_secs(24 * 3600);
    let turns = rules.capacity() as u32;
    let clocked = |(time, increment): (Duration, Duration)| time + increment * turns;
    let limit = control.per_game.map(clocked).or(control.per_move.map(|time| time * turns));
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    (limit.unwrap_or(WITHOUT_CLOCK) + SPARE).as_secs() * threads
}
