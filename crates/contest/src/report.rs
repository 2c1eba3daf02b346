//! The page a match or tournament leaves in its folder: one file that needs no network and no other file.
//!
//! A [`Report`] is plain data. [`Report::new`] counts everything that follows from the games (who scored how much
//! with which colour and opening, how long moves took, who failed); the page only draws it. Texts in it come from
//! strangers (names, crash messages), so the page is safe in two layers: the JSON cannot close the element it
//! stands in, and the script writes texts as text, never as markup.

mod games;
mod scores;
mod settings;
#[cfg(test)]
mod tests;
mod times;

use lianzi_core::{GameRecord, Language, Text};
use serde::Serialize;

use super::circumstances::{Caveats, CpuRow, cpu_rows};
use super::{Contest, Fixture};
use crate::statistics::{Estimate, Tally};
use crate::upshot::OpeningTally;

pub use games::{DrawnRules, FaultRow, GameRow};
pub use scores::{Colours, Duel, OpeningRow, SprtLine, colours, cross_table, duel, openings};
pub use settings::{PlayerRow, Settings};
pub use times::{MoveTimes, move_times, mover};

const PAGE: &str = include_str!("report/page.html");
const STYLE: &str = concat!(
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/board.css")),
    include_str!("report/style.css"),
);
/// How the page of the server makes elements, replays games and draws boards: the report does it with the same hand.
const SHARED: [&str; 3] = [
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/js/dom.js")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/js/game.js")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/js/board.js")),
];
/// The report's own script: the files share one scope, and the last one starts everything.
const SCRIPT: &str = concat!(
    include_str!("report/words.js"),
    include_str!("report/elements.js"),
    include_str!("report/board.js"),
    include_str!("report/replay.js"),
    include_str!("report/lists.js"),
    include_str!("report/page.js"),
);

/// One line of the standings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The place, from 1; equal players share one.
    pub rank: usize,
    /// Which entrant of the contest.
    pub player: usize,
    /// The points, in the unit of the contest.
    pub points: f64,
    /// Games won, drawn and lost.
    pub tally: Tally,
    /// The strength with its error.
    pub elo: Estimate,
    /// How many games the player lost by its own fault.
    pub faults: u64,
}

/// Everything the page shows.
#[derive(Clone, Debug, Serialize)]
pub struct Report<'a> {
    /// The headline.
    pub title: &'a str,
    /// The language the page opens in, `en` or `zh`.
    pub language: &'static str,
    /// Whether no more games will follow.
    pub finished: bool,
    /// How many games there will be, when that is known.
    pub planned: Option<usize>,
    /// What was agreed before the first game.
    pub settings: Settings,
    /// Who takes part; everything below names players by their index here.
    pub players: Vec<PlayerRow<'a>>,
    /// The ranking, best first.
    pub standings: &'a [Standing],
    /// What each player scored against each other one: row against column.
    pub cross: Vec<Vec<Tally>>,
    /// The evidence of a match of two.
    pub duel: Option<Duel>,
    /// What each player scored with each colour.
    pub colours: Colours,
    /// What each opening led to.
    pub openings: Vec<OpeningRow>,
    /// How long each player's turns took.
    pub times: Vec<MoveTimes>,
    /// What each player used of the CPU.
    pub cpu: Vec<CpuRow>,
    /// What it all must be read with.
    pub caveats: Vec<Text>,
    /// Who lost by a fault of its own, and where.
    pub faults: Vec<FaultRow>,
    /// The boards that games were played on; games name them by their index here.
    pub boards: Vec<DrawnRules>,
    /// The verdicts in words; games name them by their index here.
    pub words: Vec<Text>,
    /// All games.
    pub games: Vec<GameRow<'a>>,
}

impl<'a> Report<'a> {
    /// The report of a finished contest, with everything counted that follows from the games.
    pub fn new(
        title: &'a str,
        contest: &'a Contest,
        standings: &'a [Standing],
        games: &'a [(Fixture, GameRecord)],
    ) -> Report<'a> {
        let listed = games::list(games);
        let count = contest.players.len();
        let mut settings = Settings::of(contest);
        if let Some(tally) = OpeningTally::of(contest.game.opening, games) {
            settings.openings = tally.text();
        }
        Report {
            title,
            language: "en",
            finished: true,
            planned: None,
            settings,
            players: settings::players(contest),
            standings,
            cross: cross_table(count, games),
            duel: duel(contest, games),
            colours: colours(count, games),
            openings: openings(games, &listed.rows),
            times: move_times(count, games),
            cpu: cpu_rows(count, games),
            caveats: Caveats::of(games).words(),
            faults: listed.faults,
            boards: listed.boards,
            words: listed.words,
            games: listed.rows,
        }
    }

    /// The same report, opening in this language.
    pub fn in_language(self, language: Language) -> Report<'a> {
        Report { language: language.pick("en", "zh"), ..self }
    }

    /// The same report of a contest that still goes on.
    pub fn running(self, planned: Option<usize>) -> Report<'a> {
        Report { finished: false, planned, ..self }
    }
}

/// The page as one HTML file.
pub fn html(report: &Report<'_>) -> String {
    let data = serde_json::to_string(report).expect("a report has only texts and numbers, which JSON can hold");
    // The data comes last: nothing in it can then be mistaken for one of the other two places.
    PAGE.replacen("/*style*/", STYLE, 1).replacen("/*script*/", &script(), 1).replacen("/*data*/", &inert(&data), 1)
}

/// Everything the page runs, in one scope.
fn script() -> String {
    SHARED.map(without_module).concat() + SCRIPT
}

/// A module's source as a part of one script: what it imports stands before it, and everything can be seen anyway. Its
/// remarks stay at home.
fn without_module(source: &str) -> String {
    let mut script = String::with_capacity(source.len());
    let mut until = None;
    for line in source.lines() {
        match until.take().or_else(|| skipped(line.trim_start())) {
            Some(end) => until = (!line.ends_with(end)).then_some(end),
            None => {
                script.push_str(line.strip_prefix("export ").unwrap_or(line));
                script.push('\n');
            }
        }
    }
    script
}

/// How what begins with this line ends, if the script does without it.
fn skipped(line: &str) -> Option<&'static str> {
    let remark = line == "/**" || line.starts_with("/**") && line.ends_with("*/");
    if line.starts_with("import ") { Some(";") } else { remark.then_some("*/") }
}

/// JSON without the one character that could end the element it stands in.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c")
}
