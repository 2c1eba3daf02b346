//! `train`: puzzles and lessons in the terminal, and whether they are right.

mod learn;
mod solve;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use lianzi_core::{Random, Rules, Speak, Text, text};
use lianzi_train::lesson::{BYTES, ENDING};
use lianzi_train::verify::Verifier;
use lianzi_train::{Day, Level, Library, Progress, Puzzle, School, Theme, Wanted};

use lianzi_console::{Console, line, warn};

/// Solve puzzles against the strongest defence, repeat what you missed, learn by lessons. Every puzzle was proven, and the
/// proof replayed against every defence
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi train\n  lianzi train gomoku --theme fours --level easy\n  lianzi train --daily\n  lianzi train --lesson four-three\n  lianzi train --list\n  lianzi train --check --sample 50"
)]
pub struct Train {
    /// Only puzzles of this game
    game: Option<Rules>,
    /// Only puzzles of this theme; --list names them
    #[arg(long, value_name = "THEME")]
    theme: Option<String>,
    /// Only puzzles of this level: easy, medium or hard
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// The puzzle of the day
    #[arg(long, conflicts_with_all = ["theme", "level", "due", "id"])]
    daily: bool,
    /// What is to be repeated today
    #[arg(long, conflicts_with_all = ["theme", "level", "id"])]
    due: bool,
    /// The puzzle of this id
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// The lesson of this id
    #[arg(long, value_name = "ID")]
    lesson: Option<String>,
    /// List the sets of puzzles and the lessons, with how far you are
    #[arg(long)]
    list: bool,
    /// Prove all puzzles anew, replay the proofs, and solve the tasks of all lessons
    #[arg(long)]
    check: bool,
    /// Check only so many puzzles, drawn at random
    #[arg(long, value_name = "N", requires = "check")]
    sample: Option<usize>,
    /// Puzzles of this file, as `dev puzzles` writes them, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    puzzles: Option<PathBuf>,
    /// A folder with more lessons, files that end in .lesson (docs/train.md)
    #[arg(long, value_name = "DIR")]
    lessons: Option<PathBuf>,
    /// Where your progress is kept [default: progress.json among this user's data]
    #[arg(long, value_name = "FILE")]
    progress: Option<PathBuf>,
}

impl Train {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let library = self.library(console)?;
        let school = school(self.lessons.as_deref(), console)?;
        if self.check {
            return check(&library, &school, self.sample, console);
        }
        let today = Day::new(days_since_1970());
        let mut notes = Notes::open(self.progress.clone(), today, console)?;
        if self.list {
            return list(&library, &school, &notes, console);
        }
        if let Some(id) = &self.lesson {
            let lesson = school.get(id)?;
            return learn::run(lesson, &mut notes, console);
        }
        let wanted = self.wanted()?;
        let choice = if let Some(id) = &self.id {
            let none = Text::fixed("there is no such puzzle; an id is like gomoku-7", "没有这道题；编号形如 gomoku-7");
            let puzzle = library.get(id).ok_or(none)?;
            solve::Choice::One(puzzle.clone())
        } else if self.daily {
            solve::Choice::One(library.daily(today).context("there are no puzzles")?.clone())
        } else if self.due {
            solve::Choice::Due
        } else {
            solve::Choice::Suited(wanted)
        };
        solve::run(choice, &library, &mut notes, console)
    }

    fn library(&self, console: &Console) -> anyhow::Result<Library> {
        let Some(path) = &self.puzzles else { return Ok(Library::built_in()) };
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let puzzles = lianzi_train::puzzle::read(&text)
            .map_err(|(n, bad)| anyhow::anyhow!("{}:{n}: {}", path.display(), bad.words(console.language)))?;
        Ok(Library::of(puzzles))
    }

    fn wanted(&self) -> Result<Wanted, Text> {
        let theme = self.theme.as_deref().map(|theme| {
            theme.parse::<Theme>().map_err(|()| {
                let names: Vec<&str> = Theme::ALL.iter().map(|theme| theme.name()).collect();
                let names = names.join(", ");
                text!("there is no theme {theme}; there are {names}", "没有主题 {theme}；有 {names}")
            })
        });
        Ok(Wanted { game: self.game, theme: theme.transpose()?, level: self.level })
    }
}

/// The day that the clock of this place shows.
fn days_since_1970() -> i32 {
    let today = jiff::Zoned::now().date();
    let since = today.since(jiff::civil::date(1970, 1, 1));
    since.map_or(0, |since| since.get_days())
}

/// A learner's progress and where it is kept.
struct Notes {
    path: PathBuf,
    today: Day,
    progress: Progress,
}

impl Notes {
    fn open(path: Option<PathBuf>, today: Day, console: &Console) -> anyhow::Result<Notes> {
        let path = match path {
            Some(path) => path,
            None => super::serve::default_folder()
                .map_err(|_| {
                    Text::fixed(
                        "there is no home folder; name a file with --progress",
                        "没有主目录；请用 --progress 指定文件",
                    )
                })?
                .join("progress.json"),
        };
        let progress = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Progress::default(),
            text => {
                let text = text.with_context(|| path.display().to_string())?;
                let read = Progress::read(&text);
                read.map_err(|bad| anyhow::anyhow!("{}: {}", path.display(), bad.words(console.language)))?
            }
        };
        Ok(Notes { path, today, progress })
    }

    fn write(&self) -> anyhow::Result<()> {
        let name = || self.path.display().to_string();
        if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).with_context(name)?;
        }
        lianzi_cage::disk::write_whole(&self.path, self.progress.write().as_bytes()).with_context(name)
    }
}

/// The built-in lessons with those of a folder.
pub fn school(folder: Option<&Path>, console: &Console) -> anyhow::Result<School> {
    let mut school = School::built_in();
    let Some(folder) = folder else { return Ok(school) };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(ENDING) {
            files.push(name);
        }
    }
    if files.is_empty() {
        let folder = folder.display();
        bail!(text!(
            "{folder} has no files that end in {ENDING}; docs/train.md says how to write one",
            "{folder} 中没有以 {ENDING} 结尾的文件；写法见 docs/train.md"
        ));
    }
    files.sort();
    for name in files {
        let path = folder.join(&name);
        let shown = || path.display().to_string();
        let size = std::fs::metadata(&path).with_context(shown)?.len();
        let most = BYTES as u64;
        if size > most {
            bail!(text!("{}: a lesson has at most {} KiB", "{}：一课最多 {} KiB", path.display(), BYTES >> 10));
        }
        let text = std::fs::read_to_string(&path).with_context(shown)?;
        let added = school.add(&name, &text);
        added.map_err(|bad| anyhow::anyhow!("{}: {}", path.display(), bad.words(console.language)))?;
    }
    Ok(school)
}

/// Checks puzzles and lessons; 1 if anything is wrong.
fn check(library: &Library, school: &School, sample: Option<usize>, console: &Console) -> anyhow::Result<ExitCode> {
    let mut puzzles: Vec<&Puzzle> = library.puzzles().iter().collect();
    if let Some(count) = sample {
        Random::new(1).shuffle(&mut puzzles);
        puzzles.truncate(count);
    }
    let (mut wrong, mut verifier) = (0, Verifier::default());
    for puzzle in &puzzles {
        if let Err(flaw) = verifier.check(puzzle) {
            wrong += 1;
            warn(format!("{}: {}", puzzle.id, flaw.words(console.language)));
        }
    }
    let mut tasks = 0;
    for lesson in school.lessons() {
        for step in lesson.tasks() {
            tasks += 1;
            if let Err(why) = lianzi_train::task::solve(&lesson.steps[step]) {
                wrong += 1;
                warn(format!("{} {}: {}", lesson.id, step + 1, console.say(why)));
            }
        }
    }
    let (puzzles, lessons) = (puzzles.len(), school.lessons().len());
    line(console.say(text!(
        "{puzzles} puzzles proven and replayed, {tasks} tasks of {lessons} lessons solved, {wrong} wrong",
        "已证明并重放 {puzzles} 题，解出 {lessons} 课的 {tasks} 个任务，{wrong} 处有误"
    )))?;
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn list(library: &Library, school: &School, notes: &Notes, console: &Console) -> anyhow::Result<ExitCode> {
    for (rules, theme) in library.sets() {
        let of_set = || library.puzzles().iter().filter(move |one| (one.rules, one.theme) == (rules, theme));
        let (_, solved) = notes.progress.counted(of_set().map(|puzzle| puzzle.id.as_str()));
        let (count, name) = (of_set().count(), console.say(theme.title_of_set()));
        line(format!("{:<10} {:<15} {solved:>4}/{count:<4}  {name}", rules.to_string(), theme.name()))?;
    }
    for lesson in school.lessons() {
        let done = notes.progress.lessons().get(&lesson.id).map_or(0, |steps| steps.len());
        let (steps, title) = (lesson.steps.len(), lesson.title.words(console.language));
        line(format!("{:<26} {done:>4}/{steps:<4}  {title}", format!("--lesson {}", lesson.id)))?;
    }
    Ok(ExitCode::SUCCESS)
}
