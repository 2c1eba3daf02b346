//! `grade`: strategies meet samples, and marks follow by the course's rules.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use lianzi_core::{Speak, Text, text};
use lianzi_course::candidate::{Built, Candidate, candidates};
use lianzi_course::class::Class;
use lianzi_course::files::file_names;
use lianzi_course::outcome::{self, Games};
use lianzi_course::previous::Previous;
use lianzi_course::remark::Remark;
use lianzi_course::sheet::{self, Row};
use lianzi_course::similar::Similar;
use lianzi_course::{COURSES, Half};
use lianzi_engine::Stop;
use lianzi_queue::filing::{ContestJob, Terms};
use tempfile::TempDir;

use super::contest::warn_if_busy;
use super::course::{CourseArgs, said, write_file};
use lianzi_console::{Console, line, stop_on_ctrl_c, warn};

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
    /// The folder of an earlier grading: the sheet shows what has changed since
    #[arg(long, value_name = "DIR")]
    previous: Option<PathBuf>,
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

/// Says what lies in a class's folder and is not graded, a few by their names.
fn tell_others(others: &[String], console: &Console) {
    const NAMED: usize = 10;
    let (count, named) = (others.len(), others.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", "));
    let more = if count > NAMED { ", …" } else { "" };
    if count > 0 {
        warn(console.say(text!(
            "neither submissions nor strategies, and left out: {count} ({named}{more})",
            "既非提交也非策略，未使用：{count} 个（{named}{more}）"
        )));
    }
}

/// A candidate as it will play, and where it was made, if nobody keeps that.
struct Made {
    built: Built,
    _scratch: Option<TempDir>,
}

impl Grade {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        if self.print_course {
            return self.print_course(console);
        }
        let class = self.class(console)?;
        let (candidates, others) = candidates(&self.strategies, &class).map_err(|text| said(text, console))?;
        tell_others(&others, console);
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
        Class::new(course, &self.against, &console.cages, console.language).map_err(|text| said(text, console))
    }

    /// Grades one after another; the sheet is written anew after each, so that nothing finished is lost.
    fn grade_all(&self, class: &Class<'_>, candidates: &[Candidate], console: &Console) -> anyhow::Result<Vec<Row>> {
        let interrupt = stop_on_ctrl_c()?;
        let folders = file_names(candidates.iter().map(|candidate| candidate.name.as_str()));
        let alone = candidates.len() == 1;
        let previous = self.previous.as_deref().map(Previous::read).transpose();
        let previous = previous.map_err(|text| said(text, console))?;
        let similar = self.similar(candidates, console)?;
        let place =
            |folder: &String| self.common.out.as_ref().map(|out| if alone { out.clone() } else { out.join(folder) });
        let places: Vec<Option<PathBuf>> = folders.iter().map(place).collect();
        let mut filed = self.file_all(class, candidates, &places, &interrupt, console)?.into_iter();
        let mut rows: Vec<Row> = Vec::new();
        for (n, (candidate, folder)) in candidates.iter().zip(&folders).enumerate() {
            if interrupt.is_set() {
                break;
            }
            let place = places[n].as_deref();
            let made = filed.next().map_or_else(|| self.make(class, candidate, place, console), Ok)?;
            let page = if alone { "strategy.html".into() } else { format!("{folder}/strategy.html") };
            let graded = self.grade_one(class, candidate, (place, &made), alone, &interrupt, console)?;
            let (row, remembered) = graded;
            let (student, total) = (row.student.as_str(), row.mark.total());
            let previous = previous.as_ref().filter(|_| row.mark.is_begun());
            let change = previous.and_then(|old| old.change(student, total, folder, remembered.as_deref()));
            let page = self.common.out.is_some().then_some(page);
            let row = Row { page, change, similar: similar[n].clone(), ..row };
            self.print(&row, console)?;
            rows.push(row);
            self.keep_sheet(class, &rows)?;
        }
        if let Some(previous) = &previous {
            self.tell_gone(previous, &rows, console);
        }
        Ok(rows)
    }

    /// Who is similar to whom, by name; a class's folder gets a page with the places.
    fn similar(&self, candidates: &[Candidate], console: &Console) -> anyhow::Result<Vec<Vec<String>>> {
        let sources: Vec<_> = candidates.iter().map(Candidate::sources).collect();
        let similar = Similar::of(&sources);
        let names: Vec<String> = candidates.iter().map(|candidate| candidate.student.clone()).collect();
        if let (Some(out), false) = (&self.common.out, similar.pairs.is_empty()) {
            std::fs::create_dir_all(out).with_context(|| out.display().to_string())?;
            write_file(&out.join("similar.html"), &similar.html(&names, console.language))?;
        }
        let to = |(who, share): (usize, f64)| format!("{} ({:.0} %)", names[who], share * 100.0);
        Ok((0..candidates.len()).map(|who| similar.to(who).map(to).collect()).collect())
    }

    /// Says who handed in the last time and not this time.
    fn tell_gone(&self, previous: &Previous, rows: &[Row], console: &Console) {
        let students: Vec<&str> = rows.iter().map(|row| row.student.as_str()).collect();
        let gone = previous.gone(&students).join(", ");
        if !gone.is_empty() {
            warn(console.say(text!("handed in the last time, but not now: {gone}", "上次提交而本次未提交：{gone}")));
        }
    }

    /// Builds everybody and files their games, so that workers never wait for the next one; nothing without a queue.
    fn file_all(
        &self,
        class: &Class<'_>,
        candidates: &[Candidate],
        places: &[Option<PathBuf>],
        interrupt: &Stop,
        console: &Console,
    ) -> anyhow::Result<Vec<Made>> {
        let Some(queue) = &self.common.queue else { return Ok(Vec::new()) };
        let link = lianzi_console::queue::open(queue, console)?;
        let (mut filed, mut told) = (Vec::new(), Instant::now());
        for (candidate, place) in candidates.iter().zip(places).take_while(|_| !interrupt.is_set()) {
            let made = self.make(class, candidate, place.as_deref(), console)?;
            if let Some((spec, remembered)) = &made.built.strategy {
                let (contest, players) = class.contest(&candidate.name, spec, remembered);
                // Whoever cannot be filed is told so when the turn comes.
                let _ = ContestJob::file(&link, &contest, &players, Terms { again: true, ..Terms::default() });
            }
            filed.push(made);
            if told.elapsed() >= Duration::from_secs(10) {
                let (done, all) = (filed.len(), candidates.len());
                warn(console.say(text!("compiled and filed: {done} of {all}", "已编译并提交：{done}/{all}")));
                told = Instant::now();
            }
        }
        Ok(filed)
    }

    /// Makes a player of a candidate.
    fn make(
        &self,
        class: &Class<'_>,
        candidate: &Candidate,
        folder: Option<&Path>,
        console: &Console,
    ) -> anyhow::Result<Made> {
        let scratch = match folder {
            Some(folder) => {
                std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
                None
            }
            None => Some(console.cages.scratch().folder()?),
        };
        let place = folder.or(scratch.as_ref().map(TempDir::path)).expect("a folder or a scratch folder");
        let built = candidate.build(class, place).map_err(|text| said(text, console))?;
        Ok(Made { built, _scratch: scratch })
    }

    /// Plays, and keeps what came of it.
    fn grade_one(
        &self,
        class: &Class<'_>,
        candidate: &Candidate,
        (folder, made): (Option<&Path>, &Made),
        alone: bool,
        interrupt: &Stop,
        console: &Console,
    ) -> anyhow::Result<(Row, Option<String>)> {
        let told = |text| said(text, console);
        let built = &made.built;
        let Some((spec, remembered)) = &built.strategy else {
            return Ok((outcome::of_nothing(class, candidate, built, folder).map_err(told)?, None));
        };
        let (contest, players) = class.contest(&candidate.name, spec, remembered);
        let conditions = self.common.conditions(folder, interrupt);
        let mut finished = match conditions.play(&contest, &players, console) {
            Ok(finished) => finished,
            // One whose games cannot be continued does not stop the others.
            Err(error) if !alone => {
                let why = console.words(&error);
                let why = Remark::Unusable(Text::new(why.clone(), why));
                let row = outcome::of_no_games(class, candidate, built, why);
                return Ok((row, Some(remembered.clone())));
            }
            Err(error) => return Err(error),
        };
        let games = finished.games().map_err(|error| told(error.text()))?;
        let games = Games { contest, plan: finished.plan, games };
        let row = outcome::of_games(class, candidate, built, games, folder).map_err(told)?;
        Ok((row, Some(remembered.clone())))
    }

    fn keep_sheet(&self, class: &Class<'_>, rows: &[Row]) -> anyhow::Result<()> {
        let Some(out) = &self.common.out else { return Ok(()) };
        write_file(&out.join("marks.csv"), &sheet::csv(rows, class.language))?;
        write_file(&out.join("marks.html"), &sheet::html(&class.course, rows, class.language))
    }

    fn print(&self, row: &Row, console: &Console) -> anyhow::Result<()> {
        let mark = &row.mark;
        if self.common.json {
            return line(row.json().to_string());
        }
        let [base, games, total] = [mark.base, mark.games, mark.total()].map(sheet::number);
        let [of_base, of_games, so_far] = console.pick(["base", "games", "so far"], ["基本分", "对局分", "合计"]);
        let mut text = format!("{}: +{} ={} -{}  ", row.student, mark.wins, mark.draws, mark.losses);
        text += &match mark.is_begun() {
            true => format!("{of_base} {base}  {of_games} {games}  {so_far} {total}"),
            false => console.pick("no mark yet", "尚无成绩").into(),
        };
        if mark.faults() > 0 {
            text += &format!("  ({})", sheet::faults(mark, console.language));
        }
        let change = row.change.map(|change| change.words(console.language));
        let similar = row.similar.iter().map(|who| console.say(text!("similar to {who}", "相似于 {who}")));
        let busy = sheet::busy(&row.pace, console.language).filter(|_| row.pace.repeated > 0);
        let tried = (!row.refused.is_empty()).then(|| {
            let tried = sheet::tried(&row.refused, console.language);
            console.say(text!("the cage refused to {tried}", "隔离进程拒绝：{tried}"))
        });
        let notes: Vec<String> = change.into_iter().chain(tried).chain(similar).chain(busy).collect();
        for remark in notes.iter().chain(&row.remarks) {
            text += &format!("\n  {remark}");
        }
        line(text)
    }
}
