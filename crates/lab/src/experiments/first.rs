//! S2: "Connect6 has no first-move advantage": how often the first player wins when a player meets itself.

use lianzi_contest::Openings;
use lianzi_contest::statistics::Tally;
use lianzi_core::{Rules, Stone, Text, text};

use super::hall::{series, share, tally};
use super::report::{Finding, Report, Table, percent_error};
use super::{Experiment, Lab};

/// S2-48.
pub const EXPERIMENT: Experiment = Experiment {
    name: "first",
    document: "S2 introduction",
    what: Text::fixed(
        "win rate of the first player in Connect6 and, for comparison, Gomoku and Connect Four",
        "六子棋先手胜率，并与五子棋、四子棋比较",
    ),
    time: ["25 s", "2 min"],
    run,
};

const GAMES: [&str; 4] = ["connect6:15", "connect6", "gomoku", "connect4"];
const PLAYERS: [&str; 3] = ["greedy", "classic-uct@nodes=500", "uct@nodes=1000"];

fn run(lab: &Lab<'_>) -> anyhow::Result<Report> {
    let games = lab.size(4, 100, 400);
    let mut table = Table::new(
        lab.pick("The first player's results, empty board", "先手战绩，空棋盘"),
        &[
            ("game", lab.pick("game", "棋")),
            ("player", lab.pick("both sides", "双方")),
            ("tally", lab.pick("first player's games", "先手战绩")),
            ("score", lab.pick("score", "得分率")),
            ("document", lab.pick("document", "文献")),
        ],
    );
    let mut rows: Vec<(&str, (f64, f64))> = Vec::new();
    for game in GAMES.into_iter().take(lab.size(1, 4, 4)) {
        for player in PLAYERS {
            let rules: Rules = game.parse()?;
            let tally: Tally = tally(&series(lab, &rules, [player, player], games, &Openings::None)?, Stone::Black);
            let document =
                if game.starts_with("connect6") { lab.pick("no advantage", "无先手优势") } else { "–" };
            let score = share(&tally);
            table.row([game.into(), player.into(), tally.to_string().into(), percent_error(score), document.into()]);
            rows.push((game, score));
        }
    }
    let even = |&(score, error): &(f64, f64)| (score - 0.5).abs() <= error;
    let connect6: Vec<(f64, f64)> = rows.iter().filter(|row| row.0.starts_with("connect6")).map(|row| row.1).collect();
    let parts: Vec<bool> = connect6.iter().map(even).collect();
    Ok(Report {
        settings: vec![
            ("games", lab.say(text!("{games} a row", "每行 {games} 局"))),
            ("players", PLAYERS.join("; ")),
            ("seed", lab.seed.to_string()),
        ],
        tables: vec![table],
        verdict: Finding::of(&parts),
        conclusion: conclusion(lab, &rows, &parts),
    })
}

/// The mean over the players of a game, in percent.
fn mean(rows: &[(&str, (f64, f64))], game: &str) -> String {
    let scores: Vec<f64> = rows.iter().filter(|row| row.0.starts_with(game)).map(|row| row.1.0).collect();
    if scores.is_empty() {
        return "–".into();
    }
    format!("{:.1} %", scores.iter().sum::<f64>() / scores.len() as f64 * 100.0)
}

fn conclusion(lab: &Lab<'_>, rows: &[(&str, (f64, f64))], parts: &[bool]) -> String {
    let even = parts.iter().filter(|&&part| part).count();
    let (connect6, gomoku, connect4) = (mean(rows, "connect6"), mean(rows, "gomoku"), mean(rows, "connect4"));
    lab.say(text!(
        "in {even} of {} Connect6 rows 50 % lies within the error; the first player scores {connect6} in \
             Connect6 on average, {gomoku} in Gomoku, {connect4} in Connect Four. Players of this strength \
             show how even the game is for them, not what perfect play gives.",
        "{} 行六子棋中有 {even} 行的误差范围含 50%；先手平均得分：六子棋 {connect6}，五子棋 {gomoku}，四子棋 \
             {connect4}。此结果只说明这些棋手的水平，不代表完美博弈。",
        parts.len()
    ))
}
