//! What `compete`, `grade` and `rank` share: courses, and strategies as files.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use lianzi_core::{Speak, Text};
use lianzi_course::{Course, files};
use lianzi_engine::Stop;
use lianzi_game::duration;

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
    /// Let workers play: the address of a database with a queue, postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS")]
    pub queue: Option<String>,
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
    pub fn conditions<'a>(&'a self, out: Option<&'a Path>, interrupt: &Stop) -> Conditions<'a> {
        Conditions {
            out,
            resume: self.resume,
            concurrency: self.concurrency.into(),
            stop_on_crash: false,
            json: self.json,
            interrupt: interrupt.clone(),
            again: true,
            queue: self.queue.as_deref(),
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

/// What the course says, as an error of the command.
pub fn said(text: Text, console: &Console) -> anyhow::Error {
    anyhow!(text.said(console.language))
}

/// Writes a file whole; what is no plain file, such as a pipe, is simply written to.
pub fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    files::write_file(path, text).with_context(|| path.display().to_string())
}
