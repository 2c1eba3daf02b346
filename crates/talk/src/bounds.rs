//! How much a page may ask for, and the checks that say so in words.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use lianzi_core::{shorten, text};
use lianzi_engine::HIGHEST;
use lianzi_game::clock::Control;
use lianzi_game::duration;
use lianzi_game::live::LONGEST_TURN;
use serde::{Deserialize, Serialize};

use crate::Refusal;

/// The longest name of a player, in characters.
pub const NAME: usize = 40;
/// How many MiB a solver's table takes where the device does not say.
pub const SOLVER_TABLE: usize = 64;
/// The longest text that names a player with options, or a game with blocked cells.
pub const SPEC: usize = 4096;
/// The largest record that is kept or played on, in bytes; larger ones can be read and shown.
pub const RECORD: usize = 1 << 20;
/// The longest series.
const SERIES: u32 = 99;
/// How many games of an upload are answered.
pub const GAMES_READ: usize = 1000;
/// The most lines of an analysis: one for each column of the widest board.
pub const LINES: usize = 31;
/// The most variations that a game keeps and that pages are shown.
pub const VARIATIONS: usize = 200;
/// The slowest that engines play each other for those who watch.
const SLOWEST_MS: u64 = 10_000;
/// The longest turn, game and increment of a contest, in milliseconds.
const CONTEST_MS: [u64; 3] = [60_000, 3_600_000, 60_000];

/// Whether a value is one that a page may set.
type Fits = fn(&str) -> bool;

/// The options of an engine that a page may set. The others choose files, threads and memory.
const OPTIONS: [(&str, Fits); 8] = [
    ("level", |value| within(value, 1..=HIGHEST)),
    ("nodes", |value| within(value, 1..=100_000_000_u64)),
    ("depth", |value| within(value, 1..=100_u32)),
    ("time", |value| duration::parse(value).is_ok_and(|time| (SHORTEST_TURN..=LONGEST_TURN).contains(&time))),
    ("seed", |value| value.parse::<u64>().is_ok()),
    ("c", |value| within(value, 0.0..=100.0)),
    ("modules", |value| value.len() <= NAME && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+')),
    ("name", |value| name(value).is_ok_and(|name| name == value)),
];
const SHORTEST_TURN: Duration = Duration::from_millis(10);

fn within<T: FromStr + PartialOrd>(value: &str, range: RangeInclusive<T>) -> bool {
    value.parse().is_ok_and(|value| range.contains(&value))
}

/// Whether a page may set this option of an engine to this value.
pub fn option(option: &str) -> Result<(), Refusal> {
    let (key, value) = option.split_once('=').unwrap_or((option, ""));
    if OPTIONS.iter().any(|(known, fits)| *known == key && fits(value)) {
        return Ok(());
    }
    let option = shorten(option);
    Err(Refusal::from(text!(
        "pages cannot set '{option}'; they can set level=1..{HIGHEST}, nodes=1..100000000, depth=1..100, time=10ms..60s, seed, c=0..100, modules and name",
        "网页不能设定“{option}”；可设 level=1..{HIGHEST}、nodes=1..100000000、depth=1..100、time=10ms..60s、seed、c=0..100、modules 与 name"
    )))
}

const SHORTEST_MS: u64 = 100;
const LONGEST_MS: u64 = 24 * 3600 * 1000;

/// The clocks as the page names them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Times {
    /// Time for each turn, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_move_ms: Option<u64>,
    /// Time for the whole game, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_game_ms: Option<u64>,
    /// What each turn adds to the time for the game, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment_ms: Option<u64>,
    /// Nodes for each turn; contests only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl Times {
    /// The control of a game, if every time is within its bounds.
    pub fn control(&self) -> Result<Control, Refusal> {
        let wrong = |ms: &u64| !(SHORTEST_MS..=LONGEST_MS).contains(ms);
        let limits = [self.per_move_ms, self.per_game_ms];
        if limits.iter().flatten().any(wrong) || self.increment_ms.is_some_and(|ms| ms > LONGEST_MS) {
            return Err(Refusal::bad(
                "times must lie between 0.1 seconds and 24 hours",
                "时间应在 0.1 秒到 24 小时之间",
            ));
        }
        let increment = Duration::from_millis(self.increment_ms.unwrap_or(0));
        Ok(Control {
            per_move: self.per_move_ms.map(Duration::from_millis),
            per_game: self.per_game_ms.map(|ms| (Duration::from_millis(ms), increment)),
            nodes: self.nodes,
            ..Control::default()
        })
    }

    /// The control of a contest. Nobody sits there and waits, so its games must end soon, and it never runs without a
    /// clock: one player that hangs would hold it for ever.
    pub fn of_contest(&self) -> Result<Control, Refusal> {
        let control = self.control()?;
        let times = [self.per_move_ms, self.per_game_ms, self.increment_ms];
        if times.into_iter().zip(CONTEST_MS).any(|(ms, most)| ms.is_some_and(|ms| ms > most)) {
            return Err(Refusal::bad(
                "in a contest a turn takes at most 60 seconds and a game at most an hour, with at most 60 seconds more a turn",
                "比赛中每手最多 60 秒，每局最多一小时，每手最多加 60 秒",
            ));
        }
        let usual = Duration::from_secs(if control.nodes.is_some() { 60 } else { 1 });
        let per_move = control.per_move.or(if control.per_game.is_some() { None } else { Some(usual) });
        Ok(Control { per_move, ..control })
    }
}

/// A name without blanks around it and without control characters, if it is short enough.
pub fn name(text: &str) -> Result<String, Refusal> {
    let name: String = text.trim().chars().filter(|c| !c.is_control()).collect();
    match name.chars().count() {
        0..=NAME => Ok(name),
        _ => Err(Refusal::from(text!("names have at most {NAME} characters", "名字最多 {NAME} 个字符"))),
    }
}

/// The name of a game, if it is short enough to be read.
pub fn game(text: &str) -> Result<&str, Refusal> {
    match text.len() {
        0..=SPEC => Ok(text),
        _ => Err(Refusal::bad("the game's name is too long", "棋名过长")),
    }
}

/// The least time that a turn of engines that play each other takes, if it is not too long.
pub fn pace(ms: u64) -> Result<u64, Refusal> {
    match ms {
        0..=SLOWEST_MS => Ok(ms),
        _ => {
            let seconds = SLOWEST_MS / 1000;
            Err(Refusal::from(text!(
                "engines can be slowed down to at most {seconds} seconds a turn",
                "引擎对弈最慢为每手 {seconds} 秒"
            )))
        }
    }
}

/// The length of a series, if it is one.
pub fn series(length: u32) -> Result<u32, Refusal> {
    match length {
        1..=SERIES => Ok(length),
        _ => Err(Refusal::from(text!("a series has 1 to {SERIES} games", "系列赛为 1 到 {SERIES} 局"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_bounds() {
        let ok = Times { per_move_ms: Some(100), per_game_ms: Some(LONGEST_MS), ..Times::default() };
        assert!(ok.control().is_ok());
        for ms in [0, 99, LONGEST_MS + 1, u64::MAX] {
            assert!(Times { per_move_ms: Some(ms), ..Times::default() }.control().is_err(), "{ms}");
            assert!(Times { per_game_ms: Some(ms), ..Times::default() }.control().is_err(), "{ms}");
        }
        let endless = Times { increment_ms: Some(u64::MAX), ..Times::default() };
        assert!(endless.control().is_err());
        let day = Times { per_move_ms: Some(LONGEST_MS), ..Times::default() };
        assert!(day.control().is_ok() && day.of_contest().is_err());
        assert_eq!(Times::default().of_contest().unwrap().per_move, Some(Duration::from_secs(1)));
    }

    #[test]
    fn pages_set_what_they_may() {
        for good in ["level=10", "nodes=1", "time=1s", "time=60s", "seed=7", "c=0.7", "modules=0+1", "name=王"] {
            assert!(option(good).is_ok(), "{good}");
        }
        for bad in [
            "threads=256",
            "threads=1",
            "weights=a.bin",
            "net=a.bin",
            "hash=1",
            "entries=9",
            "tune=x",
            "level=0",
            "level=11",
            "nodes=0",
            "nodes=100000001",
            "nodes=-1",
            "time=61s",
            "time=1ms",
            "time=",
            "depth=101",
            "c=nan",
            "c=-1",
            "seed=x",
            "modules=../x",
            "name=a\u{7}",
            "level",
            "",
            "=",
            "cpu=9s",
        ] {
            assert!(option(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_have_bounds() {
        assert_eq!(name(" 王\u{7}小明 ").unwrap(), "王小明");
        assert!(name(&"王".repeat(40)).is_ok());
        assert!(name(&"x".repeat(41)).is_err());
        assert!(pace(0).is_ok() && pace(10_000).is_ok() && pace(10_001).is_err());
        assert!(series(0).is_err() && series(99).is_ok() && series(100).is_err());
    }
}
