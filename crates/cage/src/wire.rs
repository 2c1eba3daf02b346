//! What arena and cage say to each other: one JSON object a line. Nothing the cage says is believed: foreign code
//! shares its process, so every line is bounded, parsed into these types, and judged like any other answer.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The first line to a cage: how to lock itself down, and whom to run then.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sentence {
    /// The arena's process; the cage does not outlive it.
    pub arena: u32,
    /// Whether it locks itself down, or is merely a child that can be killed.
    pub locked: bool,
    /// Whether the arena listens to what it tries.
    pub watched: bool,
    /// The one folder in which it may write, where it also works.
    pub scratch: PathBuf,
    /// Whether nobody else needs to see what it writes, so that the folder may be a disk of its own.
    pub alone: bool,
    /// What it may read, besides the loader's libraries: files, and folders with all in them.
    pub readable: Vec<PathBuf>,
    /// What it may use.
    pub bounds: Bounds,
    /// Whom it runs.
    pub work: Work,
}

/// What a cage may use in its whole life.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Bounds {
    /// Seconds of CPU time.
    pub cpu: u64,
    /// Bytes of address space.
    pub memory: u64,
    /// Bytes of each file it writes.
    pub file: u64,
    /// Files open at once, with a disk of its own and without one.
    pub open_files: [u64; 2],
    /// Threads, or processes of a compiler.
    pub threads: u64,
}

/// Whom a cage runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Nobody: it only finds out whether it can be locked.
    Nothing,
    /// A strategy library.
    Library(PathBuf),
    /// A Python interpreter with this script, which speaks for the strategy.
    Python {
        /// The program.
        interpreter: PathBuf,
        /// The script.
        script: String,
        /// What follows the script.
        arguments: Vec<String>,
    },
    /// A program that speaks for itself, over the streams it has outside too.
    Program {
        /// The program.
        program: PathBuf,
        /// What it is told.
        arguments: Vec<String>,
    },
    /// A compiler, which alone may start other programs: those it is made of.
    Compiler {
        /// The program.
        program: PathBuf,
        /// What it is told.
        arguments: Vec<String>,
        /// The programs it may start, itself among them.
        starts: Vec<PathBuf>,
    },
}

impl Work {
    /// The program that the cage becomes.
    pub fn program(&self) -> Option<&Path> {
        match self {
            Work::Nothing | Work::Library(_) => None,
            Work::Python { interpreter: program, .. }
            | Work::Program { program, .. }
            | Work::Compiler { program, .. } => Some(program),
        }
    }
}

/// A call of a strategy library: `getPoint`'s arguments, under their names in the course's header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the course's names, explained in docs/course.md")]
#[allow(non_snake_case, reason = "the course's names")]
pub struct Call {
    pub M: i32,
    pub N: i32,
    pub top: Vec<i32>,
    pub board: Vec<i32>,
    pub lastX: i32,
    pub lastY: i32,
    pub noX: i32,
    pub noY: i32,
}

/// What a cage says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CageNews {
    /// The system lacks a means of locking it.
    Lacks {
        /// Which one.
        means: String,
        /// What the system said.
        why: String,
    },
    /// It is locked, and waits until the arena has taken the listener of this number.
    Asks(i32),
    /// It is locked; foreign code comes next.
    Locked {
        /// Whether it has a disk of its own.
        own_disk: bool,
    },
    /// The foreign code is loaded.
    Ready,
    /// The foreign code cannot be loaded.
    Unloadable(String),
    /// The foreign code lacks this function.
    Missing(String),
    /// It answered with two numbers; `clearPoint` comes next.
    Point(i64, i64),
    /// It answered with one number.
    Column(i64),
    /// It answered with something that lies beyond every board.
    Beyond(String),
    /// It answered with something else.
    Odd(String),
    /// It raised an exception.
    Raised(String),
    /// The call is over.
    Done,
}

impl CageNews {
    /// The same with every text cut to what a verdict should hold.
    pub fn bounded(self) -> CageNews {
        match self {
            CageNews::Unloadable(why) => CageNews::Unloadable(cut(why)),
            CageNews::Missing(function) => CageNews::Missing(cut(function)),
            CageNews::Beyond(name) => CageNews::Beyond(cut(name)),
            CageNews::Odd(what) => CageNews::Odd(cut(what)),
            CageNews::Raised(what) => CageNews::Raised(cut(what)),
            plain => plain,
        }
    }
}

fn cut(text: String) -> String {
    const KEPT: usize = 400;
    text.chars().take(KEPT).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
