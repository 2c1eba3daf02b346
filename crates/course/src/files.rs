//! The files of a course: what they are called, what is in them, and how they are written.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lianzi_core::{Text, mix};
use lianzi_players::{Kind, PlayerSpec};

/// What the system refused on this path, in words.
pub fn refused(path: &Path) -> impl Fn(io::Error) -> Text {
    move |error| Text::both(|language| format!("{}: {}", path.display(), language.system(&error)))
}

/// How a contest's folder remembers a player: a file by its name and what is in it, so that a strategy that has changed
/// is not taken for the one that played, and a folder that was moved still is.
pub fn remembered(spec: &PlayerSpec) -> Result<String, Text> {
    match &spec.kind {
        Kind::Strategy(strategy) => {
            let print = fingerprint(std::slice::from_ref(&strategy.file))?;
            Ok(format!("{} ({print})", strategy.file.file_name().unwrap_or_default().to_string_lossy()))
        }
        Kind::Program(program) if program.is_caged() => {
            let files = program.command.iter().map(PathBuf::from).filter(|path| path.is_file());
            Ok(format!("{} ({})", spec.name, fingerprint(&files.collect::<Vec<_>>())?))
        }
        _ => Ok(spec.to_string()),
    }
}

/// A short number that changes when one of these files does.
pub fn fingerprint(files: &[PathBuf]) -> Result<String, Text> {
    let mut print = 0;
    for file in files {
        let bytes = fs::read(file).map_err(refused(file))?;
        let name = file.file_name().unwrap_or_default().as_encoded_bytes();
        let lengths = [name.len() as u64, bytes.len() as u64];
        print = lengths.iter().fold(print, |print, &length| mix(print ^ length));
        print =
            name.iter().chain(&bytes).fold(print, |print, &byte| mix(print.rotate_left(5) ^ u64::from(byte)));
    }
    Ok(format!("{print:016x}"))
}

/// Writes a file whole; what is no plain file, such as a pipe, is simply written to.
pub fn write_file(path: &Path, text: &str) -> io::Result<()> {
    let special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    if special {
        fs::OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes())
    } else {
        lianzi_cage::disk::write_whole(path, text.as_bytes())
    }
}

/// Writes a file in a folder.
pub(crate) fn write_into(folder: &Path, name: &str, text: &str) -> Result<(), Text> {
    let path = folder.join(name);
    write_file(&path, text).map_err(refused(&path))
}

/// Names for files, all different, that stand for these names.
pub fn file_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = HashSet::new();
    let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let free = |name: &str| {
        let name: String = name.chars().map(plain).take(80).collect();
        let name = name.trim_start_matches('.');
        let name = if name.is_empty() { "_" } else { name };
        let numbered = (2..).map(|n| format!("{name}_{n}"));
        std::iter::once(name.to_string()).chain(numbered).find(|name| taken.insert(name.clone()))
    };
    names.map(free).map(Option::unwrap_or_default).collect()
}
