//! The arena's side of a cage: starts it, asks, listens with a deadline, and ends it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use lianzi_core::{Fault, StartFault, shorten};
use serde::Serialize;
use tempfile::TempDir;

use super::LOADER;
use super::python::HARNESS;
use super::room::{FILE, OPEN_FILES, Room, THREADS};
use super::shortage::{is_shortage, refused};
use super::watch::watch;
use super::wire::{Bounds, CageNews, Sentence, Work};
use super::{CAGE, Cages, NoCage};
use crate::process::Process;
use crate::process::Silence;
use crate::process::Wait;

/// How long a cage may take to lock itself in; it does so in milliseconds.
const LOCKING: Duration = Duration::from_secs(20);
/// How often it is looked at what foreign code uses while it thinks.
pub const LOOK: Duration = Duration::from_millis(20);
/// The folder within a strategy's scratch folder in which it works; its own file lies beside it.
const WORK: &str = "work";

/// Foreign code and what it may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prisoner {
    /// The strategy's file.
    pub file: PathBuf,
    /// Which script function speaks for it in Python; a library needs none.
    pub script: Option<&'static str>,
    /// A folder that it may read, besides its own file.
    pub dir: Option<PathBuf>,
    /// Bytes of memory.
    pub memory: u64,
    /// How many threads it may have.
    pub threads: u64,
    /// How long it may take to load.
    pub start: Duration,
}

impl Prisoner {
    /// What its file is called.
    fn name(&self) -> String {
        self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// What the copy of its file is called.
    fn copy_name(&self) -> &'static str {
        if self.script.is_some() { "strategy.py" } else { "strategy.so" }
    }
}

/// A cage with somebody in it. Dropping it ends the process and removes the scratch folder.
#[derive(Debug)]
pub struct Caged {
    process: Process,
    room: Room,
    /// What it may read, if it is watched.
    places: Vec<PathBuf>,
    /// What is being done with the foreign code, for the words of a crash.
    doing: &'static str,
}

/// A fault at the start, with what came before it.
#[derive(Clone, Debug)]
pub struct Escorted {
    /// The fault.
    pub fault: Fault,
    /// The end of what was printed.
    pub printed: String,
    /// What was tried and is forbidden.
    pub refused: Vec<String>,
}

/// How work that has an end came to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// As it should.
    Well,
    /// It was ended, because it took too long.
    Late,
    /// It never began, because the arena lacks this.
    Short(String),
    /// In another way.
    Badly(String),
}

/// Makes a cage with nobody in it, to learn whether it locks.
pub fn try_out(cages: &Cages) -> Result<(), NoCage> {
    let scratch = cages.scratch().folder().map_err(|error| no_cage(refused("", &error)))?;
    let (cpu, memory, threads, place) = (60, 1 << 30, THREADS, scratch.path().into());
    let bounds = Bounds { cpu, memory, file: FILE, open_files: OPEN_FILES, threads };
    let room = Room::new(scratch, place, threads);
    let mut caged = Caged::new(cages, room, true, Vec::new(), bounds, Work::Nothing).map_err(no_cage)?;
    let watched = match caged.hear(Wait::for_time(LOCKING)) {
        Ok(CageNews::Asks(listener)) => match watch(caged.process.id(), listener, Vec::new()) {
            Err(error) if is_shortage(&error) => return Err(NoCage::Shortage(error.to_string())),
            heard => heard.is_ok(),
        },
        Ok(CageNews::Locked { .. }) => false,
        Ok(CageNews::Lacks { means, why }) => return Err(NoCage::Lacks { means, why }),
        Ok(news) => return Err(no_cage(odd(&news))),
        Err(fault) => return Err(no_cage(fault)),
    };
    // Somebody else may have found it out meanwhile.
    let _ = cages.inner.watched.set(watched);
    Ok(())
}

/// What a fault before any foreign code runs says of the cage.
pub(super) fn no_cage(fault: Fault) -> NoCage {
    match fault {
        Fault::Shortage(why) => NoCage::Shortage(why),
        Fault::Crashed(why) | Fault::NotStarted(_, why) => NoCage::Broken(why),
        fault => NoCage::Broken(format!("{fault:?}")),
    }
}

impl Caged {
    /// Locks a new cage and loads the foreign code in it, with so many seconds of CPU time for its whole life.
    pub fn start(cages: &Cages, prisoner: &Prisoner, cpu: u64) -> Result<Caged, Escorted> {
        let outside = |fault| Escorted { fault, printed: String::new(), refused: Vec::new() };
        let mut caged = Caged::lock_in(cages, prisoner, cpu).map_err(outside)?;
        match caged.load(prisoner) {
            Ok(()) => {
                caged.freeze();
                Ok(caged)
            }
            Err(fault) => {
                let (printed, refused) = caged.end();
                Err(Escorted { fault: not_started(fault, prisoner.start), printed, refused })
            }
        }
    }

    /// Starts a cage for the strategy, with a copy of its file in the scratch folder.
    fn lock_in(cages: &Cages, prisoner: &Prisoner, cpu: u64) -> Result<Caged, Fault> {
        let scratch = cages.scratch().folder().map_err(|error| refused("", &error))?;
        // A copy of its own: nobody changes it during the game, and root without its powers can read it too.
        let copy = scratch.path().join(prisoner.copy_name());
        fs::copy(&prisoner.file, &copy).map_err(|error| refused(&prisoner.name(), &error))?;
        let place = scratch.path().join(WORK);
        fs::create_dir(&place).map_err(|error| refused("", &error))?;
        let mut readable: Vec<PathBuf> = prisoner.dir.iter().filter_map(|dir| fs::canonicalize(dir).ok()).collect();
        let work = match prisoner.script {
            None => Work::Library(copy.clone()),
            Some(script) => {
                let python = cages.python().map_err(NoCage::fault)?;
                let mut arguments = vec![script.into(), text(&copy), text(&prisoner.file)];
                arguments.extend(readable.iter().map(|dir| text(dir)));
                readable.extend(python.readable.iter().cloned());
                Work::Python { interpreter: python.program.clone(), script: HARNESS.into(), arguments }
            }
        };
        readable.push(copy);
        let &Prisoner { memory, threads, .. } = prisoner;
        let bounds = Bounds { cpu, memory, file: FILE, open_files: OPEN_FILES, threads };
        Caged::new(cages, Room::new(scratch, place, threads), true, readable, bounds, work)
    }

    /// Starts a cage in this room; `alone` if nobody else needs to see what is written there.
    pub(super) fn new(
        cages: &Cages,
        room: Room,
        alone: bool,
        readable: Vec<PathBuf>,
        bounds: Bounds,
        work: Work,
    ) -> Result<Caged, Fault> {
        let mut command = Command::new(&cages.inner.program);
        command.arg(CAGE).env_clear();
        // Libraries for linear algebra start as many threads as there are cores unless they are told.
        for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"] {
            command.env(variable, bounds.threads.to_string());
        }
        let process = Process::spawn_apart(command).map_err(|error| refused("", &error))?;
        let watched = match work {
            Work::Nothing => true,
            // A family of programs tries much by itself, and what it says of its sources is kept.
            Work::Compiler { .. } => false,
            _ => cages.inner.locked && cages.watches(),
        };
        let mut places = readable.clone();
        places.extend(work.program().map(Path::to_path_buf));
        let sentence = Sentence {
            arena: std::process::id(),
            locked: cages.inner.locked,
            watched,
            scratch: room.path().into(),
            alone,
            readable,
            bounds,
            work,
        };
        let mut caged = Caged { process, room, places, doing: "at the start" };
        caged.say(&sentence, Wait::for_time(LOCKING))?;
        Ok(caged)
    }

    /// Waits until it is locked. Until then no foreign code runs in it, so whatever goes wrong is nobody's foul.
    fn wait_for_lock(&mut self) -> Result<(), Fault> {
        match self.hear(Wait::for_time(LOCKING)) {
            Ok(CageNews::Asks(listener)) => {
                let mut places = std::mem::take(&mut self.places);
                places.extend(fs::canonicalize(self.room.path()));
                places.extend([self.room.path().into(), PathBuf::from("/dev/null")]);
                places.extend(LOADER.map(PathBuf::from));
                let heard = watch(self.process.id(), listener, places);
                self.room.hears(heard.map_err(|error| Fault::Shortage(error.to_string()))?);
                self.say(&"heard", Wait::for_time(LOCKING))?;
                self.wait_for_lock()
            }
            Ok(CageNews::Locked { own_disk }) => {
                self.room.has_own_disk(own_disk);
                Ok(())
            }
            Ok(CageNews::Lacks { means, why }) => Err(unloadable(NoCage::Lacks { means, why }.to_string())),
            Ok(news) => Err(odd(&news)),
            Err(Fault::Crashed(why)) => Err(Fault::Shortage(why)),
            Err(Fault::Late) => Err(Fault::Shortage(format!("no answer within {LOCKING:?}"))),
            Err(fault) => Err(fault),
        }
    }

    /// Waits until it is locked and the foreign code is loaded.
    fn load(&mut self, prisoner: &Prisoner) -> Result<(), Fault> {
        self.wait_for_lock()?;
        self.doing = "while it was loaded";
        match self.hear(Wait::for_time(prisoner.start))? {
            CageNews::Ready => Ok(()),
            CageNews::Unloadable(why) => {
                // The loader names the copy, which nobody outside has ever heard of.
                let copy = self.room.path().with_file_name(prisoner.copy_name());
                Err(unloadable(why.replace(&text(&copy), &prisoner.name())))
            }
            CageNews::Missing(function) => Err(Fault::NotStarted(StartFault::MissingFunction, function)),
            news => Err(odd(&news)),
        }
    }

    /// Waits until it is locked, and hands over the process with its folder.
    pub(super) fn locked(mut self) -> Result<(Process, Room), Fault> {
        self.wait_for_lock()?;
        Ok((self.process, self.room))
    }

    /// Lets it do its work; how that ended, what was printed, and the scratch folder with what it left there.
    pub(super) fn work(mut self, time: Duration) -> (Ended, String, TempDir) {
        let ended = match self.wait_for_lock() {
            Ok(()) => self.outlast(time),
            Err(Fault::Shortage(why)) => Ended::Short(why),
            Err(fault) => Ended::Badly(format!("{fault:?}")),
        };
        self.process.kill();
        (ended, self.process.last_stderr(), self.room.into_folder())
    }

    /// Waits until it is gone.
    fn outlast(&mut self, time: Duration) -> Ended {
        const PATIENCE: Duration = Duration::from_secs(1);
        self.doing = "at work";
        match self.hear(Wait::for_time(time)) {
            Err(Fault::Late) => Ended::Late,
            Err(Fault::Crashed(how)) => match self.process.wait_for_end(PATIENCE) {
                Some(status) if status.success() => Ended::Well,
                _ => Ended::Badly(how),
            },
            other => Ended::Badly(format!("{other:?}")),
        }
    }

    /// Calls the foreign code once; what it answered. `first` and `then` name the functions that run before and
    /// after the answer comes.
    pub fn call(
        &mut self,
        order: &impl Serialize,
        [first, then]: [&'static str; 2],
        wait: Wait<'_>,
    ) -> Result<CageNews, Fault> {
        if let Some(line) = self.process.line_there() {
            return Err(Fault::Garbled(shorten(&line)));
        }
        self.doing = first;
        self.thaw();
        self.say(order, wait)?;
        let answer = self.hear(wait)?;
        self.doing = then;
        let done = self.hear(wait)?;
        self.freeze();
        self.check_room()?;
        if done == CageNews::Done { Ok(answer) } else { Err(odd(&done)) }
    }

    /// Gives it this much more CPU time.
    pub fn limit_cpu(&mut self, limit: Option<Duration>) {
        self.process.limit_cpu(limit);
    }

    /// The CPU time it has used so far, where the system tells.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.process.cpu_time()
    }

    /// Ends the process at once, and gives back the end of what it printed, and what it tried and may not do.
    pub fn end(mut self) -> (String, Vec<String>) {
        self.process.kill();
        (self.process.last_stderr(), self.room.attempts())
    }

    fn say(&mut self, order: &impl Serialize, wait: Wait<'_>) -> Result<(), Fault> {
        let mut line = serde_json::to_vec(order).map_err(|error| Fault::Crashed(error.to_string()))?;
        line.push(b'\n');
        self.process.write(&line, wait).map_err(|silence| self.fault(silence))
    }

    /// The next news. While it waits, it watches what is used.
    fn hear(&mut self, wait: Wait<'_>) -> Result<CageNews, Fault> {
        loop {
            let look = Instant::now() + LOOK;
            let until = wait.until.map_or(look, |until| until.min(look));
            match self.process.line(Wait { until: Some(until), ..wait }) {
                Ok(line) => {
                    let news = serde_json::from_str(&line).map(CageNews::bounded);
                    return news.map_err(|_| Fault::Garbled(shorten(&line)));
                }
                Err(Silence::Late) if wait.until.is_none_or(|until| Instant::now() < until) => {
                    self.check_room()?;
                }
                Err(silence) => return Err(self.fault(silence)),
            }
        }
    }

    fn fault(&mut self, silence: Silence) -> Fault {
        match silence {
            Silence::Late | Silence::Interrupted => {
                self.process.kill();
                Fault::Late
            }
            Silence::Spent => {
                self.process.kill();
                Fault::Spent
            }
            Silence::Gone => Fault::Crashed(format!("{}: {}", self.doing, self.process.end_words())),
        }
    }

    /// Ends it when it uses more than it may.
    fn check_room(&mut self) -> Result<(), Fault> {
        let Some(misuse) = self.room.misuse(&self.process) else { return Ok(()) };
        self.process.kill();
        Err(Fault::Crashed(format!("{}: {misuse}", self.doing)))
    }

    /// It stands still while others think.
    fn freeze(&self) {
        self.process.freeze(true);
    }

    fn thaw(&self) {
        self.process.freeze(false);
    }
}

/// Whatever goes wrong before the first turn is a player that could not start.
fn not_started(fault: Fault, time: Duration) -> Fault {
    let why = match fault {
        Fault::Late => format!("it was not loaded within {} s", time.as_secs_f64()),
        Fault::Crashed(how) => how,
        Fault::Garbled(said) => said,
        fault => return fault,
    };
    unloadable(why)
}

/// It could not start, for this reason.
pub(super) fn unloadable(why: String) -> Fault {
    Fault::NotStarted(StartFault::Unloadable, why)
}

fn odd(news: &CageNews) -> Fault {
    Fault::Garbled(shorten(&format!("{news:?}")))
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
