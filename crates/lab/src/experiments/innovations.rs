//! S0 §4.1: what each of the claimed innovations is worth: matches of the program against itself without it.

use lianzi_contest::Openings;
use lianzi_core::{Rules, Text, text};

use super::hall::{Duel, Pairing, duel};
use super::report::{Cell, Finding, Report, Table, number, percent_error};
use super::{Experiment, Lab};

/// S0-100.
pub const EXPERIMENT: Experiment = Experiment {
    name: "innovations",
    document: "S0 §4.1",
    what: Text::fixed(
        "each innovation of classic-connect6 on against off: strength and time",
        "classic-connect6 各项创新的开关对比：胜率与用时",
    ),
    time: ["25 s", "200 s"],
    run,
};

/// The option that takes the innovation away, and what the report claims of the innovation.
const ABLATIONS: [(&str, Text); 6] = [
    ("dead=plain", Text::fixed("split of dead patterns: blocks better", "死型分敌我：防守更好")),
    ("dead=both", Text::fixed("split of dead patterns: no fear of own", "死型分敌我：不惧己方死型")),
    ("shortcut=off", Text::fixed("line shortcut: same play, faster", "行数短路：着法相同，更快")),
    ("ko=off", Text::fixed("koOrBranch: more wins, less time", "koOrBranch：胜率升，省时")),
    ("prune=off", Text::fixed("alpha-beta: same play, faster", "αβ 剪枝：着法相同，更快")),
    ("depth=0", Text::fixed("mutual recursion (search): stronger", "互递归搜索：更强")),
];

fn run(lab: &Lab<'_>) -> anyhow::Result<Report> {
    let pairs = lab.size(1, 50, 400);
    let mut table = Table::new(
        lab.pick("The default against the same without", "默认设置对去掉一项"),
        &[
            ("without", lab.pick("without", "去掉")),
            ("claim", lab.pick("claim", "原文主张")),
            ("tally", lab.pick("default's games", "默认方战绩")),
            ("score", lab.pick("score", "得分率")),
            ("elo", "Elo"),
            ("equal_play", lab.pick("same moves", "着法相同")),
            ("ms_with", lab.pick("ms/turn with", "毫秒/手 有")),
            ("ms_without", lab.pick("ms/turn without", "毫秒/手 无")),
            ("nodes_ratio", lab.pick("nodes with/without", "结点 有/无")),
        ],
    );
    let mut duels = Vec::new();
    for (option, claim) in ABLATIONS {
        let without = format!("classic-connect6@{option}");
        let players = ["classic-connect6", without.as_str()];
        let pairing = Pairing { rules: Rules::connect6(15), players, pairs, openings: Openings::Balanced };
        let duel = duel(lab, &pairing)?;
        let [with, less] = duel.spent;
        table.row([
            option.into(),
            lab.say(claim).into(),
            duel.results.games.to_string().into(),
            percent_error(duel.score()),
            duel.elo().into(),
            if duel.is_equal_play() { lab.pick("yes", "是") } else { lab.pick("no", "否") }.into(),
            number(with.per_turn_ms(), 3),
            number(less.per_turn_ms(), 3),
            nodes_ratio(&duel),
        ]);
        duels.push(duel);
    }
    let findings = findings(&duels);
    Ok(Report {
        settings: vec![
            ("game", "connect6:15".into()),
            ("players", "classic-connect6, depth 4, width 3".into()),
            ("openings", lab.pick("balanced random ones, a pair of games each", "均衡随机开局，每局面一对").into()),
            ("games", format!("{} × {}", ABLATIONS.len(), 2 * pairs)),
            ("seed", lab.seed.to_string()),
            ("note", lab.pick(
                "scores of lines are kept in a table here, with and without the shortcut, which hides most of what it saves",
                "此处行得分有缓存（有无短路皆然），掩盖了短路节省的大部分时间",
            ).into()),
        ],
        tables: vec![table],
        verdict: Finding::of(&findings.map(|found| found == Some(true))),
        conclusion: conclusion(lab, findings),
    })
}

/// Nodes a turn of the default over those of the other, which has none if it does not search.
fn nodes_ratio(duel: &Duel) -> Cell {
    let [with, less] = duel.spent.map(|spent| spent.nodes as f64 / spent.turns.max(1) as f64);
    if less > 0.0 { number(with / less, 2) } else { "–".into() }
}

/// What the report claims, in the order of [`findings`].
const CLAIMS: [Text; 7] = [
    Text::fixed("the split of dead patterns is stronger than counting nobody's", "死型分敌我强于都不计"),
    Text::fixed("the split of dead patterns is stronger than counting everybody's", "死型分敌我强于都计"),
    Text::fixed("the shortcut plays the same in less time", "行短路着法相同且更快"),
    Text::fixed("koOrBranch raises the win rate", "koOrBranch 提高胜率"),
    Text::fixed("koOrBranch saves time", "koOrBranch 省时"),
    Text::fixed("alpha-beta plays the same in less time", "αβ 剪枝着法相同且更快"),
    Text::fixed("the search is stronger than the greedy turn", "搜索强于贪心"),
];

/// Whether each claim holds, or its contrary does, or neither is beyond the error.
fn findings(duels: &[Duel]) -> [Option<bool>; 7] {
    let stronger = |n: usize| {
        let (score, error) = duels[n].score();
        ((score - 0.5).abs() > error).then_some(score > 0.5)
    };
    let quicker = |n: usize| duels[n].spent[0].per_turn_ms() < duels[n].spent[1].per_turn_ms();
    let free = |n: usize| Some(duels[n].is_equal_play() && quicker(n));
    [stronger(0), stronger(1), free(2), stronger(3), Some(quicker(3)), free(4), stronger(5)]
}

fn conclusion(lab: &Lab<'_>, findings: [Option<bool>; 7]) -> String {
    let list = |wanted: Option<bool>| {
        let chosen = CLAIMS.into_iter().zip(findings).filter(|(_, found)| *found == wanted);
        let words: Vec<String> = chosen.map(|(claim, _)| lab.say(claim)).collect();
        if words.is_empty() { "–".into() } else { words.join(lab.pick("; ", "；")) }
    };
    let [shown, contrary, open] = [Some(true), Some(false), None].map(list);
    lab.say(text!(
        "shown: {shown}. The contrary is shown: {contrary}. Within the error: {open}.",
        "成立：{shown}。相反：{contrary}。误差之内：{open}。"
    ))
}
