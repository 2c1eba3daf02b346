//! The cage: a process of our own that runs foreign code and can do nothing with it but think and answer.
//!
//! The program starts itself again, with `cage` as its first argument. That child locks itself in before it touches
//! foreign code, so a library's constructor is caged as well as its answers are. One cage serves one player for one
//! game; with it go its memory, its scratch folder and its process, so nothing leaks from game to game.
//!
//! A caged process
//! * has a session of its own, and dies with the arena;
//! * may use so much CPU time, memory, disk, open files and threads as its [`wire::Bounds`] and its [`room`] say;
//! * holds no capability, root's neither, and gains none;
//! * reads the loader's libraries, its own strategy and what the user named; writes in its scratch folder (Landlock);
//! * makes only harmless system calls: threads, but no processes; no network; no signals but to itself (seccomp);
//! * stands still while it is not its turn.
//!
//! What it prints goes to a pipe of which the end is kept. It answers over two private pipes. Foreign code that finds
//! them can only answer for itself: what comes is bounded, parsed and judged like any other answer.
//!
//! A Python strategy needs an interpreter, so its cage must start a program after it is locked. It keeps `execve`,
//! and nothing is lost by that: all locks outlive it, Landlock lets it start only the interpreter and the loader,
//! and without new processes there is still only one, which the arena knows by its number. A strategy that starts the
//! interpreter anew has merely ended itself.
//!
//! A student's sources are compiled in a cage too. A compiler is several programs, so this cage may start them, and no
//! others; the sources can only make them work, and time, memory and disk are bounded for that.
//!
//! A program that speaks a protocol or plays through files can be caged as a whole, as a course does with what students
//! hand in. It is started as an interpreter is, and no other program can be.
//!
//! The arena hears what a cage tries and may not do ([`watch`]), for a teacher who wants to know.
//!
//! No lock needs a namespace: an ordinary user may often not make one, and a container inside a container neither. Where
//! one can be made, it bounds threads and the disk by the kernel; elsewhere the arena watches both and ends who takes
//! too much. Control groups are not used: an ordinary user has one to divide only where somebody delegated it, and what
//! they would bound is bounded without.

pub mod child;
mod compiler;
pub mod cpu;
pub mod disk;
#[cfg(target_os = "linux")]
mod filter;
mod inmate;
mod library;
#[cfg(target_os = "linux")]
mod lock;
pub mod process;
pub mod program;
mod python;
pub mod room;
pub mod scratch;
pub mod shortage;
mod system;
pub mod watch;
pub mod wire;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use lianzi_core::{Fault, Speak, Text, known_reason, spoken_errors, text};

use crate::scratch::Scratch;

pub use child::run;
pub use compiler::{Compiler, Job, NotBuilt, on_path};
pub use inmate::{Caged, Escorted, LOOK, Prisoner};
pub use library::call_here;
pub use python::{HARNESS, Python};
pub use room::Room;

/// The first argument that makes the program a cage.
pub const CAGE: &str = "cage";

/// Folders from which the loader takes libraries, and what else every program reads.
const LOADER: [&str; 8] =
    ["/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/dev/urandom"];

/// How cages are made. Copies share what they have found out.
#[derive(Clone, Debug)]
pub struct Cages {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    program: PathBuf,
    scratch: Scratch,
    locked: bool,
    tried: OnceLock<Result<(), NoCage>>,
    /// Whether the arena can listen to what is tried in them.
    watched: OnceLock<bool>,
    python: OnceLock<Result<Python, NoCage>>,
}

/// Why foreign code cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCage {
    /// The system lacks a means of locking it in.
    Lacks {
        /// Which one.
        means: String,
        /// What the system said.
        why: String,
    },
    /// The cage did not start at all.
    Broken(String),
    /// There is no Python.
    Python(String),
    /// There would be one, but the arena itself lacks something now.
    Shortage(String),
}

impl NoCage {
    /// What it means for a player.
    pub(crate) fn fault(self) -> Fault {
        match self {
            NoCage::Shortage(why) => Fault::Shortage(why),
            none => inmate::unloadable(none.to_string()),
        }
    }
}

impl Speak for NoCage {
    fn text(&self) -> Text {
        match self {
            // These two end games as well, so they stand among the reasons that records keep.
            NoCage::Lacks { means, why } => known_reason(&format!(
                "this system cannot lock foreign code in: it lacks {means} ({why}); --no-cage runs it unlocked, with all your rights"
            )),
            NoCage::Python(why) => {
                known_reason(&format!("no Python 3 was found ({why}); install it so that python3 starts it"))
            }
            NoCage::Shortage(why) => {
                let why = known_reason(why);
                text!("the arena itself lacks something: {why}", "竞技场自身资源不足：{why}"; why)
            }
            NoCage::Broken(why) => {
                let why = known_reason(why);
                text!("the cage for foreign code did not start: {why}", "外来程序的隔离进程无法启动：{why}"; why)
            }
        }
    }
}

spoken_errors!(NoCage, NotBuilt);

impl Cages {
    /// Cages made by starting this program, which must be ours, with scratch folders in that folder. Unlocked ones
    /// can only be killed.
    pub fn new(program: &Path, scratch: &Path, locked: bool) -> Cages {
        let (program, scratch) = (program.into(), Scratch::new(scratch));
        let (tried, watched, python) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Cages { inner: Arc::new(Inner { program, scratch, locked, tried, watched, python }) }
    }

    /// Finds out, once, whether a cage can be locked here.
    pub fn check(&self) -> Result<(), NoCage> {
        found_once(&self.inner.tried, || inmate::try_out(self)).map(|_| ())
    }

    /// Whether the arena can listen to what is tried in cages here.
    pub(crate) fn watches(&self) -> bool {
        self.check().is_ok() && self.inner.watched.get().copied().unwrap_or_default()
    }

    /// The interpreter, looked for once, before anything is locked.
    pub fn python(&self) -> Result<&Python, NoCage> {
        found_once(&self.inner.python, Python::find)
    }

    /// Where scratch folders are made.
    pub fn scratch(&self) -> &Scratch {
        &self.inner.scratch
    }
}

/// What was found, or is found now. A shortage passes, so it is not remembered.
fn found_once<T>(known: &OnceLock<Result<T, NoCage>>, find: impl FnOnce() -> Result<T, NoCage>) -> Result<&T, NoCage> {
    if known.get().is_none() {
        match find() {
            Err(NoCage::Shortage(why)) => return Err(NoCage::Shortage(why)),
            // Somebody else may have found it meanwhile, and the same.
            found => drop(known.set(found)),
        }
    }
    known.get().expect("it was just set").as_ref().map_err(Clone::clone)
}
