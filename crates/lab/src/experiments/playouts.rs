//! S2: more playouts, more strength; and what the tree is worth in playouts.

use lianzi_classic::catalog;
use lianzi_contest::Openings;
use lianzi_core::{Position, Rules, Text, text};
use lianzi_engine::{Limits, Options, Stop};

use super::hall::{Duel, Pairing, duel};
use super::report::{Finding, Report, Table, percent_error};
use super::{Experiment, Lab};
use lianzi_cage::cpu::thread_time;

/// S2-29, S2-49.
pub const EXPERIMENT: Experiment = Experiment {
    name: "playouts",
    document: "S2 §3.2.2, abstract",
    what: Text::fixed(
        "strength of classic-uct and uct against playouts, and playouts per CPU second",
        "classic-uct 与 uct 的棋力随模拟次数的变化，及每秒模拟次数",
    ),
    time: ["25 s", "2 min"],
    run,
};

const GAMES: [&str; 3] = ["connect4", "gomoku:9", "connect6:15"];

fn run(lab: &Lab<'_>) -> anyhow::Result<Report> {
    let pairs = lab.size(2, 40, 100);
    let steps: &[u64] = lab.size(&[50], &[100, 200, 400], &[100, 200, 400, 800]);
    let games = &GAMES[..lab.size(1, 3, 3)];
    let (doubling, doubled) = doublings(lab, games, steps, pairs)?;
    let (tree, worth) = tree(lab, games, pairs)?;
    let grows = doubled.iter().filter(|duel| duel.score().0 > 0.5).count();
    let against = doubled.iter().any(|duel| duel.score().0 + duel.score().1 < 0.5);
    let sure = doubled.iter().filter(|duel| duel.score().0 - duel.score().1 > 0.5).count();
    // "Greatly" is read as at least twice.
    let parts = [!against && 2 * sure > doubled.len(), worth > 1];
    Ok(Report {
        settings: vec![
            ("players", "classic-uct, uct".into()),
            ("openings", lab.pick("balanced random ones, a pair of games each", "均衡随机开局，每局面一对").into()),
            ("games", lab.say(text!("{} a row", "每行 {} 局", 2 * pairs))),
            ("seed", lab.seed.to_string()),
        ],
        tables: vec![doubling, tree, speeds(lab)?],
        verdict: Finding::of(&parts),
        conclusion: conclusion(lab, [grows, sure, doubled.len()], worth),
    })
}

fn conclusion(lab: &Lab<'_>, [grows, sure, matches]: [usize; 3], worth: u64) -> String {
    let tree = match worth {
        0 => lab.pick("the tree was not better than uniform sampling everywhere", "树搜索并非处处强于均匀采样").into(),
        n => lab.say(text!("uniform sampling with {n} times the playouts scored less than UCT in every game tried, with more it did not everywhere", "均匀采样用 {n} 倍的模拟次数在所试各棋中得分低于 UCT，更多时则不尽然")),
    };
    lab.say(text!(
        "twice the playouts scored more in {grows} of {matches} matches, beyond the error in {sure}; {tree}.",
        "模拟次数加倍在 {matches} 场比赛中的 {grows} 场得分更高，其中 {sure} 场超出误差；{tree}。"
    ))
}

/// N playouts against 2N.
fn doublings(lab: &Lab<'_>, games: &[&str], steps: &[u64], pairs: usize) -> anyhow::Result<(Table, Vec<Duel>)> {
    let mut table = Table::new(
        lab.pick("Twice the playouts against once", "模拟次数加倍"),
        &[
            ("game", lab.pick("game", "棋")),
            ("player", lab.pick("player", "棋手")),
            ("playouts", lab.pick("playouts a turn", "每手模拟")),
            ("tally", lab.pick("games of the larger", "多者战绩")),
            ("score", lab.pick("score", "得分率")),
            ("elo", "Elo"),
        ],
    );
    let mut duels = Vec::new();
    for game in games {
        for player in ["classic-uct", "uct"] {
            for &nodes in steps {
                let larger = format!("{player}@nodes={}", 2 * nodes);
                let smaller = format!("{player}@nodes={nodes}");
                let duel = meet(lab, game, [&larger, &smaller], pairs)?;
                table.row([
                    (*game).into(),
                    player.into(),
                    format!("{} : {nodes}", 2 * nodes).into(),
                    duel.results.games.to_string().into(),
                    percent_error(duel.score()),
                    duel.elo().into(),
                ]);
                duels.push(duel);
            }
        }
    }
    Ok((table, duels))
}

fn meet(lab: &Lab<'_>, game: &str, players: [&str; 2], pairs: usize) -> anyhow::Result<Duel> {
    duel(lab, &Pairing { rules: game.parse()?, players, pairs, openings: Openings::Balanced })
}

/// UCT against the same player with so large a constant that it samples all turns alike; the latter gets more
/// and more playouts. Returns the largest factor with which it still loses everywhere.
fn tree(lab: &Lab<'_>, games: &[&str], pairs: usize) -> anyhow::Result<(Table, u64)> {
    let mut table = Table::new(
        lab.pick(
            "What the formula saves: UCT with 200 playouts against uniform sampling (c = 100)",
            "公式节省多少：UCT 200 次模拟对均匀采样（c = 100）",
        ),
        &[
            ("game", lab.pick("game", "棋")),
            ("playouts", lab.pick("playouts of the sampler", "均匀采样次数")),
            ("tally", lab.pick("UCT's games", "UCT 战绩")),
            ("score", lab.pick("score", "得分率")),
            ("elo", "Elo"),
        ],
    );
    let factors: &[u64] = lab.size(&[1], &[1, 4], &[1, 2, 4, 8]);
    let mut lost = factors.to_vec();
    for game in games {
        for &factor in factors {
            let sampler = format!("classic-uct@c=100,nodes={}", 200 * factor);
            let duel = meet(lab, game, ["classic-uct@nodes=200", &sampler], pairs)?;
            if duel.score().0 <= 0.5 {
                lost.retain(|&other| other < factor);
            }
            table.row([
                (*game).into(),
                (200 * factor).into(),
                duel.results.games.to_string().into(),
                percent_error(duel.score()),
                duel.elo().into(),
            ]);
        }
    }
    Ok((table, lost.last().copied().unwrap_or(0)))
}

/// Playouts in a second of CPU time, from the empty board.
fn speeds(lab: &Lab<'_>) -> anyhow::Result<Table> {
    let mut table = Table::new(
        lab.pick("Playouts per CPU second, empty board", "空棋盘上每 CPU 秒模拟次数"),
        &[("game", lab.pick("game", "棋")), ("classic-uct", "classic-uct"), ("uct", "uct")],
    );
    let nodes = lab.size(500, 10_000, 50_000);
    for game in ["connect4", "connect4:9x9", "connect4:12x12", "gomoku", "standard", "renju", "connect6:15", "connect6"]
    {
        let rules: Rules = game.parse()?;
        let [classic, modern] = [speed("classic-uct", &rules, nodes)?, speed("uct", &rules, nodes)?];
        table.row([game.into(), classic.into(), modern.into()]);
    }
    Ok(table)
}

fn speed(name: &str, rules: &Rules, nodes: u64) -> anyhow::Result<u64> {
    let mut engine = catalog::engine(name, rules, &Options::default())?;
    engine.begin(1);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let start = thread_time();
    let best = engine.search(&Position::new(*rules), &limits, &Stop::default(), &mut |_| {});
    let taken = (thread_time() - start).as_secs_f64().max(1e-6);
    Ok((best.info.nodes as f64 / taken) as u64)
}
