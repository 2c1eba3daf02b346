//! How much of everything there may be, and the checks that say so in words.

use std::time::Duration;

use lianzi_core::record::MAX_BYTES;
use lianzi_core::text;
use lianzi_game::clock::Control;
use serde::{Deserialize, Serialize};

use crate::words::Refusal;

/// The longest name of a player, in characters.
pub const NAME: usize = 40;
/// The longest text that names a player with options, or a game with blocked cells.
pub const SPEC: usize = 4096;
/// The largest upload, in bytes. Strangers send it, many at once, and it is held in memory: so it may be much smaller
/// than the largest file ([`MAX_BYTES`]), which a user of the command line may name.
pub const UPLOAD: usize = 8 << 20;
const _: () = assert!(UPLOAD <= MAX_BYTES);
/// The largest record that is kept or played on, in bytes; larger ones can be read and shown.
pub const RECORD: usize = 1 << 20;
/// The largest message of a socket, in bytes.
pub const MESSAGE: usize = 64 << 10;
/// The longest series.
pub const SERIES: u32 = 99;
/// The longest contest, in games.
pub const CONTEST_GAMES: usize = 10_000;
/// The most players of a contest.
pub const CONTEST_PLAYERS: usize = 16;
/// How many contests are listed.
pub const CONTESTS_LISTED: usize = 200;
/// How many games of an upload are answered.
pub const GAMES_READ: usize = 1000;
/// The most lines of an analysis: one for each column of the widest board.
pub const LINES: usize = 31;
/// The most variations that a game keeps and that pages are shown.
pub const VARIATIONS: usize = 200;
/// The slowest that engines play each other for those who watch.
pub const SLOWEST_MS: u64 = 10_000;

/// What a server bounds by itself; tests have other bounds than real servers.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// How many games may go on at once.
    pub live_games: usize,
    /// How long a game goes on without anybody connected: enough to load the page again.
    pub grace: Duration,
    /// How long an empty room stays open.
    pub empty: Duration,
}

impl Default for Bounds {
    fn default() -> Bounds {
        let (grace, empty) = (Duration::from_secs(3), Duration::from_secs(60));
        Bounds { live_games: 10_000, grace, empty }
    }
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
}

/// A name without blanks around it and without control characters, if it is short enough.
pub fn name(text: &str) -> Result<String, Refusal> {
    let name: String = text.trim().chars().filter(|c| !c.is_control()).collect();
    match name.chars().count() {
        0..=NAME => Ok(name),
        _ => Err(Refusal::from(text!("names have at most {NAME} characters", "名字最多 {NAME} 个字符"))),
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
