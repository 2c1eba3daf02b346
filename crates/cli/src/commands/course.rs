//! What `compete`, `grade` and `rank` share: courses, and strategies as files.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use lianzi_contest::journal::Played;
use lianzi_core::{Rules, Stone, mix};
use lianzi_course::Course;
use lianzi_course::code::GameLine;
use lianzi_course::ladder::spec_of_file;
use lianzi_engine::Stop;
use lianzi_game::duration;
use lianzi_players::{Kind, PlayerSpec};

use super::contest::Conditions;
use lianzi_console::Console;

/// What `grade` and `rank` are told alike.
#[derive(Args)]
pub struct CourseArgs {
    /// The course: connect4, gomoku, connect6 or a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "connect4")]
    pub course: String,
    /// Time for each move [default: the course's]
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time: Option<Duration>,
    /// Where all random numbers start [default: the course's]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many games at once
    #[arg(long, visible_alias = "jobs", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Keep games, result files, tables and reports in this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with what is in the folder
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print JSON, one object a line: each game, then what came of them
    #[arg(long)]
    pub json: bool,
}

impl CourseArgs {
    /// The course, as far as it was not told otherwise.
    pub fn read(&self, console: &Console) -> anyhow::Result<Course> {
        let mut course = read_course(&self.course, console)?;
        course.time = self.time.unwrap_or(course.time);
        course.seed = self.seed.unwrap_or(course.seed);
        Ok(course)
    }

    /// How its contests are played, with their games in this folder.
    pub fn conditions<'a>(&self, out: Option<&'a Path>, interrupt: &Stop) -> Conditions<'a> {
        Conditions {
            out,
            resume: self.resume,
            concurrency: self.concurrency.into(),
            stop_on_crash: false,
            json: self.json,
            interrupt: interrupt.clone(),
        }
    }
}

/// The course of this name, or from this file.
fn read_course(name: &str, console: &Console) -> anyhow::Result<Course> {
    if let Some(course) = Course::built_in(name) {
        return Ok(course);
    }
    let text = fs::read_to_string(name).with_context(|| name.to_string())?;
    Course::read(&text).map_err(|bad| anyhow!("{name}: {}", bad.words(console.language)))
}

/// A strategy's file, or any other player.
pub fn read_player(text: &str, rules: &Rules, console: &Console) -> anyhow::Result<PlayerSpec> {
    let spec = spec_of_file(Path::new(text), rules).filter(|_| !text.contains(':'));
    let spec: Result<PlayerSpec, _> = spec.as_deref().unwrap_or(text).parse();
    spec.map_err(|bad| {
        let lost = if Path::new(text).exists() {
            ""
        } else {
            console.pick("there is no such file or folder, and ", "没有这个文件或文件夹，也")
        };
        anyhow!("{text}: {lost}{}", bad.words(console.language))
    })
}

/// How a contest's folder remembers a player: a file by its name and what is in it, so that a strategy that has changed
/// is not taken for the one that played, and a folder that was moved still is.
pub fn remembered(spec: &PlayerSpec) -> anyhow::Result<String> {
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
pub fn fingerprint(files: &[PathBuf]) -> anyhow::Result<String> {
    let mut print = 0;
    for file in files {
        let bytes = fs::read(file).with_context(|| file.display().to_string())?;
        let name = file.file_name().unwrap_or_default().as_encoded_bytes();
        let lengths = [name.len() as u64, bytes.len() as u64];
        print = lengths.iter().fold(print, |print, &length| mix(print ^ length));
        print =
            name.iter().chain(&bytes).fold(print, |print, &byte| mix(print.rotate_left(5) ^ u64::from(byte)));
    }
    Ok(format!("{print:016x}"))
}

/// The rounds of two games that A and B played, as the course writes them, and whether one of the games is missing.
pub fn rounds_of(played: &[&Played], limit: std::time::Duration) -> Vec<[GameLine; 2]> {
    let line = |game: &Played| {
        let a = if game.id.game.is_multiple_of(2) { Stone::Black } else { Stone::White };
        GameLine::of(&game.record, a, limit)
    };
    let pair = |pair: &[&Played]| match pair {
        [first, second] if first.id.game / 2 == second.id.game / 2 => Some([line(first)?, line(second)?]),
        _ => None,
    };
    played.chunk_by(|a, b| a.id.game / 2 == b.id.game / 2).filter_map(pair).collect()
}

/// Writes a file whole; what is no plain file, such as a pipe, is simply written to.
pub fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    let special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    let written = if special {
        fs::OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(text.as_bytes()))
    } else {
        lianzi_cage::disk::write_whole(path, text.as_bytes())
    };
    written.with_context(|| path.display().to_string())
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
