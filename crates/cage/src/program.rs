//! A whole program in a cage: one that speaks a protocol or plays through files. It is found, with its interpreter if it
//! is a script, before anything is locked; inside it is one process, which writes in its scratch folder only.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use lianzi_core::Fault;
use tempfile::TempDir;

use super::compiler::on_path;
use super::inmate::{Caged, unloadable};
use super::room::{FILE, OPEN_FILES, Room};
use super::wire::{Bounds, Work};
use super::{Cages, NoCage};
use crate::process::Process;

/// A command that was found.
struct Found {
    program: PathBuf,
    arguments: Vec<String>,
    readable: Vec<PathBuf>,
}

/// What a program in a cage is given.
#[derive(Debug)]
pub struct Terms<'a> {
    /// A folder that it may read.
    pub dir: Option<&'a Path>,
    /// Seconds of CPU time.
    pub cpu: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// How many threads it may have.
    pub threads: u64,
    /// Whether nobody else needs to see what lies in its scratch folder.
    pub alone: bool,
}

/// Starts a command in a cage that works in this scratch folder. The process is spoken to as if it had been started by
/// itself.
pub fn start(cages: &Cages, command: &[String], scratch: TempDir, terms: &Terms<'_>) -> Result<(Process, Room), Fault> {
    let &Terms { dir, cpu, memory, threads, alone } = terms;
    let mut found = find(cages, command)?;
    found.readable.extend(dir.and_then(|dir| fs::canonicalize(dir).ok()));
    let bounds = Bounds { cpu, memory, file: FILE, open_files: OPEN_FILES, threads };
    let work = Work::Program { program: found.program, arguments: found.arguments };
    let place = scratch.path().into();
    Caged::new(cages, Room::new(scratch, place, threads), alone, found.readable, bounds, work)?.locked()
}

/// Finds what a command starts. A script becomes its interpreter's argument.
fn find(cages: &Cages, command: &[String]) -> Result<Found, Fault> {
    let (name, rest) = command.split_first().ok_or_else(|| unloadable("an empty command".into()))?;
    let (mut arguments, mut readable): (Vec<String>, Vec<PathBuf>) = rest.iter().map(readable_word).unzip();
    readable.retain(|path| !path.as_os_str().is_empty());
    if ["python3", "python"].contains(&name.as_str()) {
        let python = cages.python().map_err(NoCage::fault)?;
        readable.extend(python.readable.iter().cloned());
        return Ok(Found { program: python.program.clone(), arguments, readable });
    }
    let program = on_path(name).and_then(|path| fs::canonicalize(path).ok());
    let program = program.ok_or_else(|| unloadable(format!("{name}: not found")))?;
    if let Some(mut line) = interpreter(&program) {
        line.push(program.to_string_lossy().into_owned());
        line.append(&mut arguments);
        return find(cages, &line);
    }
    Ok(Found { program, arguments, readable })
}

/// A word that names a file, from where the user is, names it from everywhere, and the file may be read.
fn readable_word(word: &String) -> (String, PathBuf) {
    let path = Path::new(word);
    match fs::canonicalize(path) {
        Ok(whole) if path.is_file() => (whole.to_string_lossy().into_owned(), whole),
        _ => (word.clone(), PathBuf::new()),
    }
}

/// The command that a script's first line names.
fn interpreter(program: &Path) -> Option<Vec<String>> {
    let mut start = Vec::new();
    File::open(program).ok()?.take(256).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let mut words: Vec<String> = String::from_utf8_lossy(line).split_whitespace().map(str::to_string).collect();
    if words.first()?.ends_with("/env") {
        words.remove(0);
    }
    // An interpreter that is a script itself could go round in circles.
    let plain = |name: &String| !name.is_empty() && Path::new(name) != program;
    words.first().is_some_and(plain).then_some(words)
}
