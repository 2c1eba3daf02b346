//! S4 §5: the versions of the Python player, one after another, as first and as second player.

use lianzi_classic::BUILT_IN;
use lianzi_contest::Openings;
use lianzi_contest::statistics::Tally;
use lianzi_core::{Rules, Stone, Text, text};

use anyhow::bail;

use super::hall::{Game, series, tally};
use super::report::{Finding, Report, Table, number};
use super::{Experiment, Lab};

/// S4-09 to S4-22.
pub const EXPERIMENT: Experiment = Experiment {
    name: "versions",
    document: "S4 §5",
    what: Text::fixed(
        "the ladder of classic-python's versions v1 to v7.2 against a preset opponent",
        "classic-python 各版本 v1 至 v7.2 对预置对手的战绩",
    ),
    time: ["30 s", "5 min"],
    run,
};

/// The player whose versions they are.
const PLAYER: &str = "classic-python";

/// What stands for the course's preset player, which was not printed; and one that everybody should beat, to tell
/// the early versions apart. The document's results are compared with those against the first.
const OPPONENTS: [&str; 2] = ["greedy", "random"];

/// A version and what the document says of it as first and as second player.
const VERSIONS: [(&str, &str, &str); 14] = [
    ("1", "–", "–"),
    ("2", "–", "–"),
    ("3", "–", "–"),
    ("4", "–", "–"),
    ("5.0", "–", "–"),
    ("5.1", "–", "–"),
    ("5.2", "–", "–"),
    ("6", "+", "-"),
    ("7.1", "+ <248.01 s", "- <285.92 s"),
    ("7.2a", "+ 126.99 s", "- 291.78 s"),
    ("7.2b", "- timeout", "- 58.03 s"),
    ("7.2c", "+ 142.12 s", "- timeout"),
    ("7.2d", "+ 162.26 s", "- 229.11 s"),
    ("7.2", "+", "+"),
];

/// One version as it played: as Black and as White.
struct Row {
    tallies: [Tally; 2],
    seconds: [f64; 2],
}

impl Row {
    fn wins_more(&self, side: usize) -> bool {
        self.tallies[side].wins > self.tallies[side].losses
    }
}

fn run(lab: &Lab<'_>) -> anyhow::Result<Report> {
    if !BUILT_IN.contains(&PLAYER) {
        bail!(text!(
            "{PLAYER}: this build has no such player yet, so its versions cannot be compared",
            "{PLAYER}: 此版本尚无该棋手，无法比较其各版本"
        ));
    }
    let games = lab.size(1, 4, 10);
    let versions: &[(&str, &str, &str)] = lab.size(&VERSIONS[13..], &VERSIONS, &VERSIONS);
    let ladder = |opponent: &str| -> anyhow::Result<Vec<Row>> {
        versions.iter().map(|(version, ..)| measure(lab, version, opponent, games)).collect()
    };
    let [preset, beatable] = [ladder(OPPONENTS[0])?, ladder(OPPONENTS[1])?];
    let parts: Vec<bool> = versions.iter().zip(&preset).flat_map(|(version, row)| agreed(version, row)).collect();
    Ok(Report {
        settings: vec![
            ("game", "gomoku (15×15)".into()),
            ("players", format!("{PLAYER}@version=…")),
            (
                "opponent",
                lab.say(text!(
                    "{}, in place of the preset player, which is not printed; {}",
                    "{}，代替未公布的预置棋手；{}",
                    OPPONENTS[0],
                    OPPONENTS[1]
                )),
            ),
            ("limits", lab.pick("none; every version looks a fixed depth ahead", "无；各版本搜索深度固定").into()),
            (
                "games",
                lab.say(text!(
                    "{games} as first and {games} as second player, empty board",
                    "先手、后手各 {games} 局，空棋盘"
                )),
            ),
            ("seed", lab.seed.to_string()),
        ],
        tables: vec![table(lab, OPPONENTS[0], versions, &preset), table(lab, OPPONENTS[1], versions, &beatable)],
        verdict: if parts.is_empty() { Finding::Open } else { Finding::of(&parts) },
        conclusion: conclusion(lab, &parts, &preset),
    })
}

fn measure(lab: &Lab<'_>, version: &str, opponent: &str, games: usize) -> anyhow::Result<Row> {
    let rules = Rules::gomoku(15);
    let player = format!("{PLAYER}@version={version}");
    let black = series(lab, &rules, [&player, opponent], games, &Openings::None)?;
    let white = series(lab, &rules, [opponent, &player], games, &Openings::None)?;
    Ok(Row {
        tallies: [tally(&black, Stone::Black), tally(&white, Stone::White)],
        seconds: [seconds(&black, Stone::Black), seconds(&white, Stone::White)],
    })
}

/// CPU seconds a game that one side thought.
fn seconds(games: &[Game], stone: Stone) -> f64 {
    let sum: f64 = games.iter().map(|game| game.spent(stone).cpu.as_secs_f64()).sum();
    sum / games.len().max(1) as f64
}

/// Which of the two printed results come out again.
fn agreed(version: &(&str, &str, &str), row: &Row) -> Vec<bool> {
    let printed = [version.1, version.2];
    let told = printed.iter().enumerate().filter(|(_, text)| **text != "–");
    let same = |side: usize, text: &str| match text.starts_with('+') {
        true => row.wins_more(side),
        false => row.tallies[side].losses > row.tallies[side].wins,
    };
    told.map(|(side, text)| same(side, text)).collect()
}

fn table(lab: &Lab<'_>, opponent: &str, versions: &[(&str, &'static str, &'static str)], rows: &[Row]) -> Table {
    let mut table = Table::new(
        lab.say(text!("The ladder of versions against {opponent}", "版本阶梯，对 {opponent}")),
        &[
            ("version", lab.pick("version", "版本")),
            ("first", lab.pick("first", "先手")),
            ("first_seconds", lab.pick("CPU s/game", "CPU 秒/局")),
            ("document_first", lab.pick("document", "文献")),
            ("second", lab.pick("second", "后手")),
            ("second_seconds", lab.pick("CPU s/game", "CPU 秒/局")),
            ("document_second", lab.pick("document", "文献")),
        ],
    );
    // The document's opponent has one stand-in; the other table has nothing to be compared with.
    let printed = |text: &'static str| if opponent == OPPONENTS[0] { text } else { "–" };
    for (&(version, first, second), row) in versions.iter().zip(rows) {
        table.row([
            format!("v{version}").into(),
            row.tallies[0].to_string().into(),
            number(row.seconds[0], 2),
            printed(first).into(),
            row.tallies[1].to_string().into(),
            number(row.seconds[1], 2),
            printed(second).into(),
        ]);
    }
    table
}

fn conclusion(lab: &Lab<'_>, parts: &[bool], rows: &[Row]) -> String {
    let held = parts.iter().filter(|&&part| part).count();
    let last = rows.last().is_some_and(|row| row.wins_more(0) && row.wins_more(1));
    let both = if last { lab.pick("wins", "胜") } else { lab.pick("does not win", "不能都胜") };
    lab.say(text!("{held} of {} printed results come out again; the final version {both} as first and as second player. The opponent is not the document's.", "{} 项印出的结果中有 {held} 项重现；最终版先手与后手{both}。对手并非文献中的预置棋手。", parts.len()))
}
