//! The files of a course: what they are called, what is in them, and how they are written.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use lianzi_cage::shortage::is_shortage;
use lianzi_core::{Text, mix};
use lianzi_players::{Kind, PlayerSpec};

/// Why something that was handed in cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// It is not as it should be.
    Wrong(Text),
    /// This machine lacks something now, which is nobody's fault.
    Shortage(Text),
}

impl From<Text> for Unusable {
    fn from(why: Text) -> Unusable {
        Unusable::Wrong(why)
    }
}

impl From<Unusable> for Text {
    fn from(why: Unusable) -> Text {
        let (Unusable::Wrong(why) | Unusable::Shortage(why)) = why;
        why
    }
}

/// What the system refused when this path was to be used, and whose affair that is.
pub fn hindered(path: &Path) -> impl Fn(io::Error) -> Unusable {
    move |error| {
        let short = is_shortage(&error);
        let why = refused(path)(error);
        if short { Unusable::Shortage(why) } else { Unusable::Wrong(why) }
    }
}

/// What the system refused on this path, in words.
pub fn refused(path: &Path) -> impl Fn(io::Error) -> Text {
    move |error| Text::both(|language| format!("{}: {}", path.display(), language.system(&error)))
}

/// How a contest's folder remembers a player: a file by its name and what is in it, so that a strategy that has changed
/// is not taken for the one that played, and a folder that was moved still is.
pub fn remembered(spec: &PlayerSpec) -> Result<String, Unusable> {
    let named = |file: &Path| (PathBuf::from(file.file_name().unwrap_or_default()), file.to_path_buf());
    match &spec.kind {
        Kind::Strategy(strategy) => {
            let (name, file) = named(&strategy.file);
            Ok(format!("{} ({})", name.display(), fingerprint(&[(name.clone(), file)])?))
        }
        Kind::Program(program) if program.is_caged() => {
            let files = program.command.iter().map(Path::new).filter(|path| path.is_file()).map(named);
            Ok(format!("{} ({})", spec.name, fingerprint(&files.collect::<Vec<_>>())?))
        }
        _ => Ok(spec.to_string()),
    }
}

/// A short number that changes when one of these files, each after its name, does. They are read piece by piece.
pub fn fingerprint(files: &[(PathBuf, PathBuf)]) -> Result<String, Unusable> {
    let mut print = 0;
    for (name, path) in files {
        let name = name.as_os_str().as_encoded_bytes();
        print = mix(print ^ name.len() as u64);
        print = mixed(print, name);
        print = print_of(print, path).map_err(hindered(path))?;
    }
    Ok(format!("{print:016x}"))
}

fn print_of(mut print: u64, path: &Path) -> io::Result<u64> {
    const PIECE: u64 = 64 << 10;
    let (mut file, mut length) = (File::open(path)?, 0);
    let mut piece = Vec::new();
    loop {
        piece.clear();
        let read = (&mut file).take(PIECE).read_to_end(&mut piece)?;
        if read == 0 {
            return Ok(mix(print ^ length));
        }
        (print, length) = (mixed(print, &piece), length + read as u64);
    }
}

/// Eight bytes at a time: a large file takes no longer than reading it.
fn mixed(print: u64, bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(print, |print, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(print.rotate_left(5) ^ u64::from_le_bytes(word))
    })
}

/// Whether it is a file and no link, and at most so large.
pub fn is_plain(path: &Path, largest: u64) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= largest)
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
