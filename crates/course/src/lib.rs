//! What a course needs: rules in a file, samples to play against, submissions that are checked and compiled, result
//! files as its own judge writes them, and marks.
//!
//! The key decision: grading is a contest like any other. A submission meets every sample in a gauntlet of pairs, so
//! journal, resuming, reports and replays are the contest's, and all that is added here is what a course adds: what
//! a game is worth, what a folder must hold, and what goes onto the mark sheet. A [`class::Class`] shares course and
//! samples, a [`candidate::Candidate`] is built and plays, and [`outcome`] makes marks and pages of its games.

mod archive;
mod build;
pub mod candidate;
pub mod class;
pub mod code;
pub mod files;
mod kit;
pub mod ladder;
mod lost;
mod mark;
pub mod outcome;
mod pace;
mod page;
pub mod previous;
pub mod ranking;
pub mod remark;
pub mod sheet;
pub mod similar;
mod submission;
mod tree;

use std::collections::BTreeMap;
use std::time::Duration;

use lianzi_core::{Game, Speak, Text};
use serde::Deserialize;

use lianzi_cage::cpu::MEASURED;
use lianzi_contest::ratings::Scoring;
use lianzi_contest::{Contest, Entrant, Format, Length, Openings};
use lianzi_game::clock::Control;
use lianzi_game::duration;
use lianzi_game::judge::Cutoff;
use lianzi_players::{Kind, PlayerSpec, Protocol};

pub use ladder::Half;

/// The courses that are built in, by name, as the files they would be.
pub const COURSES: [(&str, &str); 3] = [
    ("connect4", include_str!("connect4.toml")),
    ("gomoku", include_str!("gomoku.toml")),
    ("connect6", include_str!("connect6.toml")),
];

/// The rules of a course.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Course {
    /// What it is called.
    pub name: String,
    /// The game.
    #[serde(deserialize_with = "read_game")]
    pub game: Game,
    /// Time for each move: what the strategy itself uses of the CPU.
    #[serde(deserialize_with = "read_time")]
    pub time: Duration,
    /// Time for each move by the clock on the wall, however busy the machine is.
    #[serde(default, deserialize_with = "read_some_time")]
    pub wall: Option<Duration>,
    /// MiB of memory for each strategy.
    #[serde(default = "usual_memory")]
    pub memory: u64,
    /// How late an answer may come before it loses.
    #[serde(deserialize_with = "read_time")]
    pub margin: Duration,
    /// How many threads a strategy may have.
    #[serde(default = "usual_threads")]
    pub threads: u64,
    /// Where all random numbers start.
    pub seed: u64,
    /// Which samples are opponents.
    pub half: Half,
    /// How many of them at most; 0 is all.
    pub samples: usize,
    /// What is given for what.
    pub marks: Marks,
    /// What a submission must hold.
    #[serde(default)]
    pub submission: Parts,
    /// How sources are compiled.
    #[serde(default)]
    pub compile: Option<Compile>,
}

/// What is given for what.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Marks {
    /// For running properly.
    pub base: f64,
    /// So many games may be lost by a fault before the base points are.
    pub faults_forgiven: u64,
    /// For winning every game.
    pub games: f64,
    /// Points of a win, before they are scaled.
    pub win: f64,
    /// Points of a draw.
    pub draw: f64,
    /// Points of a loss.
    pub loss: f64,
    /// For the report, which a person reads.
    pub report: f64,
}

/// What a submission must hold.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Parts {
    /// Sources that must be there.
    pub sources: Vec<String>,
    /// The extension of the library on each system.
    pub library: BTreeMap<String, String>,
    /// How many result files.
    pub results: usize,
    /// Extensions of which the report has one.
    pub report: Vec<String>,
    /// MiB of a library, an archive, and all that comes out of one.
    pub largest: u64,
}

impl Default for Parts {
    fn default() -> Parts {
        let (sources, library, report) = (Vec::new(), BTreeMap::new(), Vec::new());
        Parts { sources, library, results: 0, report, largest: 64 }
    }
}

/// How sources are compiled.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Compile {
    /// The compiler.
    pub compiler: String,
    /// Its options.
    pub flags: Vec<String>,
    /// Further options to try, each list after the other, with sources that do not compile.
    #[serde(default)]
    pub lenient: Vec<Vec<String>>,
    /// The compiler for sources in Rust.
    #[serde(default = "usual_rust")]
    pub rust: String,
    /// Its options.
    #[serde(default = "usual_rust_flags")]
    pub rust_flags: Vec<String>,
    /// How long it may take.
    #[serde(deserialize_with = "read_time")]
    pub time: Duration,
    /// MiB for each of its programs.
    pub memory: u64,
}

/// A course file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadCourse {
    /// It is no such file.
    Toml(Text),
    /// No time for a move, or less by the clock than of the CPU.
    Time,
    /// Too little or too much memory.
    Memory,
    /// A strategy has at least one thread.
    Threads,
    /// A win must be worth more than nothing, and no number may be odd.
    Marks,
}

/// What is wrong with a file of settings, and in which line.
pub fn bad_toml(error: &toml::de::Error, text: &str) -> Text {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let (line, why) = (before.matches('\n').count() + 1, error.message());
    Text::new(format!("line {line}: {why}"), format!("第 {line} 行：{}", toml_in_chinese(why)))
}

/// The commonest mistakes; what is rarer stays as the reader of the file says it.
fn toml_in_chinese(why: &str) -> String {
    let unknown = why.strip_prefix("unknown field ").and_then(|rest| rest.split_once(", expected one of "));
    let kind = why.strip_prefix("invalid type: ").and_then(|rest| rest.split_once(", expected "));
    if let Some((name, names)) = unknown {
        format!("没有名为 {name} 的项；可选 {}", names.replace(", ", "、"))
    } else if let Some((found, wanted)) = kind {
        format!("此处的值类型不对：不应为 {found}，应为 {wanted}")
    } else if let Some(name) = why.strip_prefix("missing field ") {
        format!("缺少 {name} 一项")
    } else {
        format!("无法读取：{why}")
    }
}

impl Speak for BadCourse {
    fn text(&self) -> Text {
        match self {
            BadCourse::Toml(why) => why.clone(),
            BadCourse::Time => Text::fixed(
                "the time for a move must be more than 0, and wall not less than time",
                "每手时限必须大于 0，且 wall 不得小于 time",
            ),
            BadCourse::Memory => Text::fixed(
                "memory is given in MiB, from 64 to 1048576; largest from 1 to 1048576",
                "memory 以 MiB 计，从 64 到 1048576；largest 从 1 到 1048576",
            ),
            BadCourse::Threads => Text::fixed("a strategy needs at least one thread", "策略至少需要一个线程"),
            BadCourse::Marks => Text::fixed(
                "marks must be numbers from 0, and a win worth more than a draw and a loss",
                "分数不得为负，胜局的积分须高于和局与负局",
            ),
        }
    }
}

impl Course {
    /// Reads a course file.
    pub fn read(text: &str) -> Result<Course, BadCourse> {
        let course: Course = toml::from_str(text).map_err(|error| BadCourse::Toml(bad_toml(&error, text)))?;
        let Marks { base, games, win, draw, loss, report, .. } = course.marks;
        let numbers = [base, games, draw, loss, report];
        let sound = numbers.iter().all(|number| number.is_finite() && *number >= 0.0);
        if !(sound && win.is_finite() && win > draw && win > loss) {
            return Err(BadCourse::Marks);
        }
        if !(64..=1 << 20).contains(&course.memory) || !(1..=1 << 20).contains(&course.submission.largest) {
            return Err(BadCourse::Memory);
        }
        if course.threads == 0 {
            return Err(BadCourse::Threads);
        }
        let short = course.time.is_zero() || course.wall.is_some_and(|wall| wall < course.time);
        if short { Err(BadCourse::Time) } else { Ok(course) }
    }

    /// How long a move may take by the clock on the wall. It is there for those who wait instead of thinking, and generous
    /// because a busy machine makes everybody wait; where CPU time is not measured it is the only limit.
    pub fn wall(&self) -> Duration {
        const GENEROUS: u32 = 10;
        if MEASURED { self.wall.unwrap_or(self.time * GENEROUS).max(self.time) } else { self.time }
    }

    /// The player in a cage and within the course's bounds, as far as whoever named it gave it none of its own.
    pub fn bounded(&self, spec: PlayerSpec) -> PlayerSpec {
        let cpu = MEASURED.then_some(self.time);
        let mut spec = spec.confined(self.threads);
        match &mut spec.kind {
            Kind::Strategy(strategy) => {
                strategy.cpu = strategy.cpu.or(cpu);
                strategy.memory.get_or_insert(self.memory << 20);
            }
            Kind::Program(program) => {
                program.cpu = program.cpu.or(cpu);
                program.memory.get_or_insert(self.memory << 20);
            }
            Kind::BuiltIn(..) | Kind::Human => {}
        }
        // Who is told a time must not be told the clock's.
        spec.limits.move_time.get_or_insert(self.time);
        spec
    }

    /// Whether those who play are programs and not libraries or modules.
    pub fn starts_programs(&self) -> bool {
        Protocol::Csv.plays(&self.game.draw(self.seed))
    }

    /// The built-in course of this name.
    pub fn built_in(name: &str) -> Option<Course> {
        let (_, text) = COURSES.iter().find(|(known, _)| *known == name)?;
        Some(Course::read(text).expect("the built-in courses can be read"))
    }

    /// The contest of one strategy with all samples: two games against each, on a board of their own.
    pub fn contest(&self, strategy: (String, String), samples: &[(String, String)]) -> Contest {
        let players = std::iter::once(strategy).chain(samples.iter().cloned());
        Contest { format: Format::Gauntlet, ..self.meeting(players, 1) }
    }

    /// The contest in which all of these meet all others, so many pairs of games each.
    pub fn meeting(&self, players: impl IntoIterator<Item = (String, String)>, pairs: usize) -> Contest {
        Contest {
            game: self.game,
            players: Entrant::all(players),
            format: Format::RoundRobin,
            length: Length::Pairs(pairs),
            control: Control { per_move: Some(self.wall()), margin: self.margin, ..Control::default() },
            cutoff: Cutoff::default(),
            openings: Openings::None,
            own_openings: true,
            seed: self.seed,
            sprt: None,
            scoring: Scoring::TwoOneZero,
        }
    }
}

fn usual_threads() -> u64 {
    lianzi_cage::room::THREADS
}

fn read_game<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
    let name = String::deserialize(deserializer)?;
    name.parse().map_err(serde::de::Error::custom)
}

fn read_some_time<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    read_time(deserializer).map(Some)
}

const fn usual_memory() -> u64 {
    2048
}

fn usual_rust() -> String {
    "rustc".into()
}

fn usual_rust_flags() -> Vec<String> {
    ["-O", "--cap-lints=allow"].map(String::from).to_vec()
}

fn read_time<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(deserializer)?;
    duration::parse(&text).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_courses_can_be_read() {
        for (name, _) in COURSES {
            assert!(Course::built_in(name).is_some());
        }
        let course = Course::built_in("connect4").unwrap();
        assert_eq!((course.time, course.marks.base, course.marks.games), (Duration::from_secs(3), 40.0, 40.0));
        assert_eq!(Course::built_in("gomoku").unwrap().time, Duration::from_secs(360));
        assert_eq!(Course::built_in("chess"), None);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let text = COURSES[0].1;
        let with = |from: &str, to: &str| {
            assert!(text.contains(from));
            Course::read(&text.replacen(from, to, 1))
        };
        assert_eq!(with("time = \"3s\"", "time = \"0s\""), Err(BadCourse::Time));
        assert_eq!(with("wall = \"30s\"", "wall = \"1s\""), Err(BadCourse::Time));
        assert_eq!(with("memory = 2048", "memory = 1"), Err(BadCourse::Memory));
        assert_eq!(with("threads = 16", "threads = 0"), Err(BadCourse::Threads));
        assert_eq!(with("win = 2", "win = 0"), Err(BadCourse::Marks));
        assert_eq!(with("base = 40", "base = -1"), Err(BadCourse::Marks));
        for (from, to, word) in [
            ("seed = 1", "sed = 1", "sed"),
            ("connect4:random", "chess", "chess"),
            ("time = \"3s\"", "time = \"soon\"", "soon"),
            ("half = \"all\"", "half = \"best\"", "best"),
        ] {
            let Err(BadCourse::Toml(why)) = with(from, to) else { panic!("{to}") };
            assert!(why.english.contains(word) && why.chinese.contains("行"), "{why}");
        }
    }

    #[test]
    fn every_sample_has_a_board_of_its_own() {
        use lianzi_contest::plan::{Next, Plan};
        use lianzi_contest::run::game_setup;
        let course = Course::built_in("connect4").unwrap();
        let named = |name: &str| (name.to_string(), "random".to_string());
        let contest = course.contest(named("me"), &["a", "b", "c", "d"].map(named));
        let mut plan = Plan::new(&contest).unwrap();
        let mut boards = BTreeMap::new();
        while let Next::Play(fixture) = plan.next() {
            let board = game_setup(&contest, &fixture).rules.to_string();
            boards.entry(board).or_insert_with(Vec::new).push(fixture.seats);
        }
        assert_eq!(boards.len(), 4);
        for seats in boards.values() {
            let [first, second] = seats[..] else { panic!("two games on each board") };
            assert_eq!([first[0], first[1]], [second[1], second[0]]);
            assert!(first.contains(&0));
        }
    }
}
