//! `grade`: strategies meet samples, and marks follow by the course's rules.

mod candidate;
mod outcome;

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use lianzi_core::Rules;
use lianzi_core::Speak;
use lianzi_course::code::Failure;
use lianzi_course::ladder::{self, Sample};
use lianzi_course::sheet::{self, Row};
use lianzi_course::{COURSES, Course, Half};
use lianzi_engine::Stop;
use lianzi_players::{Kind, PlayerSpec};
use serde_json::{Value, json};

use self::candidate::{Candidate, candidates};
use self::outcome::Games;
use super::contest::warn_if_busy;
use super::course::{CourseArgs, file_names, read_player, remembered, write_file};
use lianzi_console::stop_on_ctrl_c;
use lianzi_console::{Console, line};

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

/// What all strategies of a class share.
struct Class<'a> {
    course: Course,
    rules: Rules,
    samples: Vec<Sample>,
    opponents: Vec<PlayerSpec>,
    /// How the contest's folder remembers the samples.
    remembered: Vec<String>,
    console: &'a Console,
}

impl Grade {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        if self.print_course {
            return self.print_course(console);
        }
        let class = self.class(console)?;
        let candidates = candidates(&self.strategies, &class)?;
        warn_if_busy(console);
        let rows = self.grade_all(&class, &candidates)?;
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
        let rules = course.game.draw(course.seed);
        let samples = self.samples(&course, &rules, console)?;
        let read = |sample: &Sample| read_player(&sample.spec, &rules, console);
        let opponents = samples.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
        for opponent in &opponents {
            check(opponent, &rules, console)?;
        }
        let remembered = opponents.iter().map(remembered).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(Class { course, rules, samples, opponents, remembered, console })
    }

    fn samples(&self, course: &Course, rules: &Rules, console: &Console) -> anyhow::Result<Vec<Sample>> {
        let all = if self.against == "builtin" {
            ladder::built_in(rules)
        } else {
            ladder::in_folder(Path::new(&self.against), rules).with_context(|| self.against.clone())?
        };
        let chosen = ladder::choose(all, course.half, course.samples);
        if chosen.is_empty() {
            let words = console.pick(
                "there is no sample of this half here; samples are .so and .py files, even numbers are public, odd ones held out",
                "没有符合条件的样例；样例为 .so 或 .py 文件，偶数编号公开，奇数编号保留",
            );
            bail!("{}: {words}", self.against);
        }
        Ok(chosen)
    }

    /// Grades one after another; the sheet is written anew after each, so that nothing finished is lost.
    fn grade_all(&self, class: &Class<'_>, candidates: &[Candidate]) -> anyhow::Result<Vec<Row>> {
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
            let row = self.grade_one(class, candidate, place.as_deref(), &interrupt)?;
            let row = Row { page: self.common.out.is_some().then_some(page), ..row };
            self.print(&row, class.console)?;
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
    ) -> anyhow::Result<Row> {
        let scratch;
        let place = match folder {
            Some(folder) => {
                std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
                folder
            }
            None => {
                scratch = class.console.cages.scratch().folder()?;
                scratch.path()
            }
        };
        let built = candidate.build(class, place)?;
        let Some((spec, remembered)) = &built.strategy else {
            return outcome::of_nothing(class, candidate, &built, folder);
        };
        let texts =
            class.samples.iter().map(|sample| sample.name.clone()).zip(class.remembered.iter().cloned());
        let samples: Vec<(String, String)> = texts.collect();
        let contest = class.course.contest((candidate.name.clone(), remembered.clone()), &samples);
        let players: Vec<PlayerSpec> = std::iter::once(spec).chain(&class.opponents).cloned().collect();
        let conditions = self.common.conditions(folder, interrupt);
        let mut finished = conditions.play(&contest, &players, class.console)?;
        let games = finished.games().map_err(|error| anyhow!(error.words(class.console.language)))?;
        outcome::of_games(class, candidate, &built, Games { contest, plan: finished.plan, games }, folder)
    }

    fn keep_sheet(&self, class: &Class<'_>, rows: &[Row]) -> anyhow::Result<()> {
        let Some(out) = &self.common.out else { return Ok(()) };
        write_file(&out.join("marks.csv"), &sheet::csv(rows))?;
        write_file(&out.join("marks.html"), &sheet::html(&class.course, rows, class.console.language))
    }

    fn print(&self, row: &Row, console: &Console) -> anyhow::Result<()> {
        let mark = &row.mark;
        if self.common.json {
            return line(row_json(row).to_string());
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

fn row_json(row: &Row) -> Value {
    let mark = &row.mark;
    let names = ["bugs", "illegal", "timeouts", "not_loaded", "functions_missing"];
    debug_assert_eq!(names.len(), Failure::ALL.len());
    let faults: serde_json::Map<String, Value> =
        names.iter().zip(mark.failures).map(|(name, count)| (name.to_string(), json!(count))).collect();
    json!({
        "event": "mark", "student": row.student, "system": row.system, "wins": mark.wins, "draws": mark.draws,
        "losses": mark.losses, "faults": faults, "points": mark.points, "base": mark.base, "games": mark.games,
        "total_so_far": mark.total(), "remarks": row.remarks,
    })
}

/// Finds out before the first game whether somebody can play it.
fn check(player: &PlayerSpec, rules: &Rules, console: &Console) -> anyhow::Result<()> {
    player.check(rules).map_err(|none| anyhow!("{player}: {}", none.words(console.language)))?;
    if player.kind == Kind::Human {
        bail!("{player}: {}", console.pick("people are not graded", "不对人类棋手评分"));
    }
    console.check_cage(player)
}
