//! How large the games are: the documents' numbers computed, and branching and length measured in games.

use lianzi_contest::Openings;
use lianzi_core::{Rules, Text, text};

use super::hall::{Game, series};
use super::report::{Finding, Report, Table, number};
use super::{Experiment, Lab};

/// S0-57, S0-93, S1-10, S2-48.
pub const EXPERIMENT: Experiment = Experiment {
    name: "complexity",
    document: "S0 survey, S1 §1, S2",
    what: Text::fixed(
        "state counts, pairs of stones, branching factor and length of games",
        "状态数、子对数、分支数与对局长度",
    ),
    time: ["15 s", "40 s"],
    run,
};

/// Whose games are measured; a deterministic player needs openings to play different games.
const SAMPLES: [(&str, &str, bool); 6] = [
    ("gomoku", "uct@nodes=1000", false),
    ("gomoku", "classic-gomoku@nodes=20000", true),
    ("connect6:15", "uct@nodes=1000", false),
    ("connect6:15", "classic-connect6", true),
    ("connect6", "uct@nodes=1000", false),
    ("connect6", "classic-connect6", true),
];

fn run(lab: &Lab<'_>) -> anyhow::Result<Report> {
    let games = lab.size(2, 40, 100);
    let mut measured = Vec::new();
    for (game, player, opened) in SAMPLES.into_iter().take(lab.size(1, 6, 6)) {
        let openings = if opened { Openings::Balanced } else { Openings::None };
        let rules: Rules = game.parse()?;
        let sample = series(lab, &rules, [player, player], games, &openings)?;
        measured.push((game, player, Sizes::of(&sample)));
    }
    let parts = parts(&measured);
    Ok(Report {
        settings: vec![
            ("games", lab.say(text!("{games} of each sample", "每组 {games} 局"))),
            (
                "openings",
                lab.pick(
                    "empty board for uct, balanced random ones for the others",
                    "uct 从空棋盘开始，其余用均衡随机开局",
                )
                .into(),
            ),
            ("seed", lab.seed.to_string()),
        ],
        tables: vec![states(lab), pairs(lab), sampled(lab, &measured)],
        verdict: Finding::of(&parts),
        conclusion: conclusion(lab, &measured),
    })
}

/// log10 of the number of ways to fill a board with stones in the order of turns: for each number of stones,
/// where Black's lie and where White's lie. Boards on which the game had ended before are counted too.
fn placements(rules: &Rules) -> f64 {
    let cells = rules.capacity();
    let mut black = 0_usize;
    let mut logs = vec![0.0];
    for stones in 1..=cells {
        black += usize::from(rules.turn_at(stones - 1).0 == lianzi_core::Stone::Black);
        logs.push(log_choose(cells, stones) + log_choose(stones, black));
    }
    log_sum(&logs)
}

/// log10 of a binomial coefficient.
fn log_choose(n: usize, k: usize) -> f64 {
    (1..=k).map(|i| ((n - k + i) as f64).log10() - (i as f64).log10()).sum()
}

/// log10 of a sum whose terms are given as log10.
fn log_sum(logs: &[f64]) -> f64 {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + logs.iter().map(|log| 10f64.powf(log - most)).sum::<f64>().log10()
}

fn states(lab: &Lab<'_>) -> Table {
    let mut table = Table::new(
        lab.pick("Positions, as powers of ten", "局面数（10 的幂）"),
        &[
            ("game", lab.pick("game", "棋")),
            ("bound", lab.pick("3^cells", "3^格数")),
            ("placements", lab.pick("right number of stones", "子数合规")),
            ("ratio", lab.pick("times gomoku 15×15", "与 15×15 五子棋之比")),
            ("document", lab.pick("document", "文献")),
        ],
    );
    let gomoku = placements(&Rules::gomoku(15));
    for (rules, document) in
        [(Rules::gomoku(15), "–"), (Rules::gomoku(19), "–"), (Rules::connect6(15), "–"), (Rules::connect6(19), "10^72")]
    {
        let ours = placements(&rules);
        let bound = rules.capacity() as f64 * 3f64.log10();
        let power = |log: f64| Cell10(log).into();
        table.row([rules.to_string().into(), power(bound), power(ours), power(ours - gomoku), document.into()]);
    }
    table
}

/// A number given by its log10.
struct Cell10(f64);

impl From<Cell10> for super::report::Cell {
    fn from(log: Cell10) -> Self {
        format!("10^{:.1}", log.0).into()
    }
}

fn pairs(lab: &Lab<'_>) -> Table {
    let mut table = Table::new(
        lab.pick("Pairs of stones among candidates", "候选点的子对数"),
        &[
            ("candidates", lab.pick("candidates", "候选点")),
            ("pairs", lab.pick("pairs", "子对")),
            ("document", lab.pick("document", "文献")),
        ],
    );
    for (candidates, document) in [(10_usize, "45"), (30, "435"), (224, "–"), (360, "–")] {
        table.row([candidates.into(), (candidates * (candidates - 1) / 2).into(), document.into()]);
    }
    table
}

/// What games were like.
struct Sizes {
    turns: f64,
    shortest: usize,
    longest: usize,
    free: f64,
    choices: f64,
    tree: f64,
}

impl Sizes {
    fn of(games: &[Game]) -> Sizes {
        let count = games.len().max(1) as f64;
        let lengths: Vec<usize> = games.iter().map(turns).collect();
        let choices: Vec<f64> = games.iter().flat_map(choices).collect();
        let free: Vec<f64> = games.iter().flat_map(free).collect();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        Sizes {
            turns: lengths.iter().sum::<usize>() as f64 / count,
            shortest: lengths.iter().copied().min().unwrap_or(0),
            longest: lengths.iter().copied().max().unwrap_or(0),
            free: mean(&free),
            choices: mean(&choices),
            tree: choices.iter().map(|choices| choices.log10()).sum::<f64>() / count,
        }
    }
}

/// Where each turn of a game begins, the opening's included.
fn starts(game: &Game) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut ply = 0;
    std::iter::from_fn(move || {
        let (at, stones) = (ply, usize::from(game.rules.turn_at(ply).1));
        ply += stones;
        (at < game.cells.len()).then_some((at, stones))
    })
}

fn turns(game: &Game) -> usize {
    starts(game).count()
}

fn free(game: &Game) -> impl Iterator<Item = f64> + '_ {
    starts(game).map(|(at, _)| (game.rules.capacity() - at) as f64)
}

/// How many different turns there were: one cell, or two of which the order does not matter.
fn choices(game: &Game) -> impl Iterator<Item = f64> + '_ {
    starts(game).map(|(at, stones)| {
        let free = (game.rules.capacity() - at) as f64;
        if stones == 2 && free >= 2.0 { free * (free - 1.0) / 2.0 } else { free }
    })
}

fn sampled(lab: &Lab<'_>, measured: &[(&str, &str, Sizes)]) -> Table {
    let mut table = Table::new(
        lab.pick("Games as they were played", "实际对局"),
        &[
            ("game", lab.pick("game", "棋")),
            ("player", lab.pick("player", "棋手")),
            ("turns", lab.pick("turns", "手数")),
            ("range", lab.pick("from–to", "范围")),
            ("free", lab.pick("free cells", "空格")),
            ("choices", lab.pick("turns to choose from", "每手可选数")),
            ("tree", lab.pick("game tree", "博弈树")),
            ("document", lab.pick("document", "文献")),
        ],
    );
    for (game, player, sizes) in measured {
        let document =
            if *game == "gomoku" { lab.pick("near 200; 30–60 turns", "近 200；30–60 手") } else { "–" };
        table.row([
            (*game).into(),
            (*player).into(),
            number(sizes.turns, 1),
            format!("{}–{}", sizes.shortest, sizes.longest).into(),
            number(sizes.free, 1),
            number(sizes.choices, 0),
            Cell10(sizes.tree).into(),
            document.into(),
        ]);
    }
    table
}

/// The games of the document's own player where there are any: its row is the last of a game.
fn find<'a>(measured: &'a [(&str, &str, Sizes)], game: &str) -> Option<&'a Sizes> {
    measured.iter().rfind(|row| row.0 == game).map(|row| &row.2)
}

/// The claims: 45 and 435, near 200 choices, 30–60 turns, and 10^72 between the games.
fn parts(measured: &[(&str, &str, Sizes)]) -> [bool; 4] {
    let gomoku = find(measured, "gomoku");
    let near = |value: f64, low: f64, high: f64| (low..=high).contains(&value);
    let ratio = placements(&Rules::connect6(19)) - placements(&Rules::gomoku(15));
    [
        true,
        gomoku.is_some_and(|sizes| near(sizes.choices, 185.0, 215.0)),
        gomoku.is_some_and(|sizes| near(sizes.turns, 30.0, 60.0)),
        near(ratio, 71.0, 73.0),
    ]
}

fn conclusion(lab: &Lab<'_>, measured: &[(&str, &str, Sizes)]) -> String {
    let states = placements(&Rules::connect6(19)) - placements(&Rules::gomoku(15));
    let same_board = placements(&Rules::connect6(15)) - placements(&Rules::gomoku(15));
    let gomoku = find(measured, "gomoku");
    let (choices, turns) = gomoku.map_or((0.0, 0.0), |sizes| (sizes.choices, sizes.turns));
    let trees = find(measured, "connect6")
        .zip(gomoku)
        .map_or_else(|| "–".into(), |(a, b)| format!("10^{:.0}", a.tree - b.tree));
    lab.say(text!("45 and 435 pairs are right; Gomoku has {choices:.0} choices and {turns:.0} turns here (the last row of Gomoku). Connect6 on \
             19×19 has 10^{states:.1} times the positions of Gomoku on 15×15, not 10^72, and all of that comes from \
             the larger board: on the same board two stones a turn give 10^{same_board:.2}. The game trees of the \
             games played differ by {trees}.", "45 与 435 对正确；此处五子棋平均 {choices:.0} 个可选点、{turns:.0} 手。19×19 六子棋的局面数是 15×15 五子棋的 \
             10^{states:.1} 倍而非 10^72 倍，且全部来自更大的棋盘：同一棋盘上每手两子只带来 10^{same_board:.2} 倍。\
             实际对局的博弈树相差 {trees} 倍。"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_of_a_tiny_board_are_counted_by_hand() {
        // 2×2, one stone a turn: 1 + 4 + 12 + 12 + 6.
        let rules = Rules::connect(2, 2, 2, 1, 1);
        assert!((placements(&rules) - 35f64.log10()).abs() < 1e-9);
    }

    #[test]
    fn the_upper_bound_is_above() {
        for rules in [Rules::gomoku(15), Rules::connect6(19)] {
            assert!(placements(&rules) < rules.capacity() as f64 * 3f64.log10());
        }
    }
}
