//! `grade`: strategies meet samples, and marks follow by the course's rules.

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use lianzi_core::Speak;
use lianzi_course::candidate::{Candidate, candidates};
use lianzi_course::class::Class;
use lianzi_course::files::file_names;
use lianzi_course::outcome::{self, Games};
use lianzi_course::sheet::{self, Row};
use lianzi_course::{COURSES, Half};
use lianzi_engine::Stop;

use super::contest::warn_if_busy;
use super::course::{CourseArgs, said, write_file};
use lianzi_console::{Console, line, stop_on_ctrl_c};

/// Grade strategies by a course's rules: result files, marks, and a report with every lost game
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi grade mine.so --against builtin --half public --out runs/mine\n  lianzi grade submissions --against samples --half held-out --out runs/class --concurrency 2\n  lianzi grade submissions --against samples --half held-out --out runs/class --concurrency 2 --resume\n  lianzi grade ais --course gomoku --out runs/gomoku\n  lianzi grade --print-course > course.toml\n\nA submission is a folder <student number>_<system>: its parts are checked, and its sources compiled in a cage.\nA folder of submissions gives one mark sheet: marks.csv and marks.html."
)]
pub struct Grade {
    /// Strategies (files, or any players), submission folders, or folders of them
    #[arg(required_unless_present = "print_course")]
    strategies: Vec<String>,
    /// Whom they meet: a folder of samples, or the built-in ladder
    #[arg(long, value_name = "DIR|builtin", default_value = "builtin")]
    against: String,
    /// Print the file of a built-in course, to be changed
    #[arg(long)]
    print_course: bool,
    /// Which samples: those with even numbers, odd numbers, or all [default: the course's]
    #[arg(long, value_enum)]
    half: Option<HalfChoice>,
    /// How many samples at most, chosen evenly from weak to strong [default: the course's]
    #[arg(long, value_name = "N")]
    samples: Option<NonZeroUsize>,
    #[command(flatten)]
    common: CourseArgs,
}

/// The halves a user can name.
#[derive(Clone, Copy, ValueEnum)]
enum HalfChoice {
    /// Even numbers
    Public,
    /// Odd numbers
    HeldOut,
    /// All samples
    All,
}

impl From<HalfChoice> for Half {
    fn from(choice: HalfChoice) -> Half {
        match choice {
            HalfChoice::Public => Half::Public,
            HalfChoice::HeldOut => Half::HeldOut,
            HalfChoice::All => Half::All,
        }
    }
}

impl Grade {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        if self.print_course {
            return self.print_course(console);
        }
        let class = self.class(console)?;
        let candidates = candidates(&self.strategies, &class).map_err(|text| said(text, console))?;
        warn_if_busy(console);
        let rows = self.grade_all(&class, &candidates, console)?;
        let broken_off = rows.len() < candidates.len() || rows.iter().any(|row| !row.mark.is_complete());
        Ok(if broken_off { ExitCode::from(130) } else { ExitCode::SUCCESS })
    }

    fn print_course(&self, console: &Console) -> anyhow::Result<ExitCode> {
        match COURSES.iter().find(|(name, _)| *name == self.common.course) {
            Some((_, text)) => line(text.trim_end())?,
            None => bail!(
                "{}: {}",
                self.common.course,
                console.pick(
                    "the built-in courses are connect4, gomoku, connect6",
                    "内置课程有 connect4、gomoku、connect6"
                )
            ),
        }
        Ok(ExitCode::SUCCESS)
    }

    fn class<'a>(&self, console: &'a Console) -> anyhow::Result<Class<'a>> {
        let mut course = self.common.read(console)?;
        course.half = self.half.map_or(course.half, Half::from);
        course.samples = self.samples.map_or(course.samples, NonZeroUsize::get);
        if course.time.is_zero() {
            bail!(console.pick("--time must be more than 0", "--time 必须大于 0"));
        }
        Class::new(course, &self.against, &console.cages, console.language)
            .map_err(|text| said(text, console))
    }

    /// Grades one after another; the sheet is written anew after each, so that nothing finished is lost.
    fn grade_all(
        &self,
        class: &Class<'_>,
        candidates: &[Candidate],
        console: &Console,
    ) -> anyhow::Result<Vec<Row>> {
        let interrupt = stop_on_ctrl_c()?;
        let folders = file_names(candidates.iter().map(|candidate| candidate.name.as_str()));
        let alone = candidates.len() == 1;
        let mut rows: Vec<Row> = Vec::new();
        for (candidate, folder) in candidates.iter().zip(&folders) {
            if interrupt.is_set() {
                break;
            }
            let place =
                self.common.out.as_ref().map(|out| if alone { out.clone() } else { out.join(folder) });
            let page = if alone { "strategy.html".into() } else { format!("{folder}/strategy.html") };
            let row = self.grade_one(class, candidate, place.as_deref(), &interrupt, console)?;
            let row = Row { page: self.common.out.is_some().then_some(page), ..row };
            self.print(&row, console)?;
            rows.push(row);
            self.keep_sheet(class, &rows)?;
        }
        Ok(rows)
    }

    /// Builds, plays, and keeps what came of it.
    fn grade_one(
        &self,
        class: &Class<'_>,
        candidate: &Candidate,
        folder: Option<&Path>,
        interrupt: &Stop,
        console: &Console,
    ) -> anyhow::Result<Row> {
        let told = |text| said(text, console);
        let scratch;
        let place = match folder {
            Some(folder) => {
                std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
                folder
            }
            None => {
                scratch = console.cages.scratch().folder()?;
                scratch.path()
            }
        };
        let built = candidate.build(class, place).map_err(told)?;
        let Some((spec, remembered)) = &built.strategy else {
            return outcome::of_nothing(class, candidate, &built, folder).map_err(told);
        };
        let (contest, players) = class.contest(&candidate.name, spec, remembered);
        let conditions = self.common.conditions(folder, interrupt);
        let mut finished = conditions.play(&contest, &players, console)?;
        let games = finished.games().map_err(|error| told(error.text()))?;
        let games = Games { contest, plan: finished.plan, games };
        outcome::of_games(class, candidate, &built, games, folder).map_err(told)
    }

    fn keep_sheet(&self, class: &Class<'_>, rows: &[Row]) -> anyhow::Result<()> {
        let Some(out) = &self.common.out else { return Ok(()) };
        write_file(&out.join("marks.csv"), &sheet::csv(rows))?;
        write_file(&out.join("marks.html"), &sheet::html(&class.course, rows, class.language))
    }

    fn print(&self, row: &Row, console: &Console) -> anyhow::Result<()> {
        let mark = &row.mark;
        if self.common.json {
            return line(row.json().to_string());
        }
        let [base, games, total] = [mark.base, mark.games, mark.total()].map(sheet::number);
        let [of_base, of_games, so_far] =
            console.pick(["base", "games", "so far"], ["基本分", "对局分", "合计"]);
        let mut text = format!(
            "{}: +{} ={} -{}  {of_base} {base}  {of_games} {games}  {so_far} {total}",
            row.student, mark.wins, mark.draws, mark.losses
        );
        if mark.faults() > 0 {
            text += &format!("  ({})", sheet::faults(mark, console.language));
        }
        for remark in &row.remarks {
            text += &format!("\n  {remark}");
        }
        line(text)
    }
}
