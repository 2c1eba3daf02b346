//! S1 table 3: how deep and how many nodes each set of modules gets in 5 s, and how often it wins.

use std::thread;
use std::time::Duration;

use lianzi_classic::catalog;
use lianzi_contest::Openings;
use lianzi_core::{Position, Rules, Stone, Text, text};
use lianzi_engine::{Engine, Info, Limits, Options, Stop};

use super::hall::{series, share, tally};
use super::report::{Finding, Report, Table, number, percent_error};
use super::{Experiment, Lab};
use lianzi_cage::cpu::cpu_time;

/// S1-08, S1-52 to S1-62, S1-65.
pub const EXPERIMENT: Experiment = Experiment {
    name: "modules",
    document: "S1 table 3",
    what: Text::fixed(
        "plies and nodes of classic-gomoku's module sets in 5 s of CPU, and win rates",
        "classic-gomoku 各模块组合在 5 秒 CPU 内的层数、结点数与胜率",
    ),
    time: ["25 s", "4 min"],
    run,
};

/// A row as the document prints it: modules, plies, nodes, win rate in percent.
const PRINTED: [(&str, &str, u64, u32); 6] = [
    ("0", "2", 4_800_000, 20),
    ("0+1", "3", 3_900_000, 70),
    ("0+1+2", "3–4", 2_600_000, 80),
    ("0+1+3", "4", 3_200_000, 100),
    ("0+1+2+3", "4", 2_100_000, 100),
    ("0+1+2+3+4", "5–6", 1_500_000, 100),
];

/// Openings of 4 to 16 stones, some quiet and some with a fight.
const OPENINGS: [&str; 5] = [
    "h8 i9 h10 g9",
    "h8 h9 i7 g9 j9 g7",
    "h8 i8 i9 g7 j10 k11 h10 h9 g9",
    "h8 g8 g9 i7 f10 e11 h10 f8 h11 h9 f9 e9",
    "h8 i9 i8 g8 h7 h9 g9 f10 f7 i10 j7 k6 j9 g6 k8 h10",
];

/// What plays Black in every game: the author's part.
const OPPONENT: &str = "greedy";

/// One set of modules as measured.
struct Row {
    plies: Vec<u32>,
    nodes: u64,
    /// Openings in which a five was seen before the time was over, which ends the search.
    decided: usize,
    /// From the empty board, as the document's games, and from balanced openings, which vary more.
    wins: [(f64, f64); 2],
}

impl Row {
    fn mean_plies(&self) -> f64 {
        f64::from(self.plies.iter().sum::<u32>()) / self.plies.len().max(1) as f64
    }

    fn range(&self) -> String {
        let (low, high) = (self.plies.iter().min(), self.plies.iter().max());
        format!("{}–{}", low.unwrap_or(&0), high.unwrap_or(&0))
    }
}

fn run(lab: &Lab<'_>) -> anyhow::Result<Report> {
    let time = Duration::from_millis(lab.size(20, 500, 5000));
    let share_of_nodes = lab.size(1000, 100, 20);
    let games = lab.size(1, 20, 40);
    let openings = &OPENINGS[..lab.size(1, 5, 5)];
    let mut rows = Vec::new();
    for (modules, _, nodes, _) in PRINTED {
        rows.push(measure(lab, modules, openings, time, (nodes / share_of_nodes, games))?);
    }
    let parts = parts(&rows);
    Ok(Report {
        settings: vec![
            ("game", "gomoku (15×15)".into()),
            ("players", "classic-gomoku@lab=on,modules=…".into()),
            ("limits", lab.say(text!("depth and nodes: {time:?} of CPU time a position; games: the document's nodes / {share_of_nodes} a move", "层数与结点：每局面 {time:?} CPU；对局：每手为文献结点数 / {share_of_nodes}"))),
            ("openings", openings.join("; ")),
            ("opponent", lab.say(text!("{OPPONENT}, always Black; {games} games from the empty board and {games} from balanced random openings", "{OPPONENT}，始终执黑先行；空棋盘与均衡随机开局各 {games} 局"))),
            ("seed", lab.seed.to_string()),
        ],
        tables: vec![table(lab, &rows)],
        verdict: Finding::of(&parts),
        conclusion: conclusion(lab, &rows, parts),
    })
}

fn measure(
    lab: &Lab<'_>,
    modules: &str,
    openings: &[&str],
    time: Duration,
    (nodes, games): (u64, usize),
) -> anyhow::Result<Row> {
    let mut row = Row { plies: Vec::new(), nodes: 0, decided: 0, wins: [(0.0, 0.0); 2] };
    for opening in openings {
        let (info, taken) = search(modules, &position(opening)?, time)?;
        row.plies.push(info.depth);
        row.nodes += info.nodes / openings.len() as u64;
        row.decided += usize::from(taken < time);
    }
    let player = format!("classic-gomoku@lab=on,modules={modules},nodes={nodes}");
    for (wins, openings) in row.wins.iter_mut().zip([Openings::None, Openings::Balanced]) {
        let played = series(lab, &Rules::gomoku(15), [OPPONENT, &player], games, &openings)?;
        *wins = share(&tally(&played, Stone::White));
    }
    Ok(row)
}

fn position(moves: &str) -> anyhow::Result<Position> {
    Ok(Position::after(Rules::gomoku(15), moves)?)
}

/// Searches for so much CPU time. Nothing else runs meanwhile, so the process's clock is the search's.
fn search(modules: &str, position: &Position, time: Duration) -> anyhow::Result<(Info, Duration)> {
    let given = [("modules", modules), ("lab", "on")].map(|(key, value)| (key.into(), value.into())).into();
    let mut engine = catalog::engine("classic-gomoku", position.rules(), &Options { seed: 0, given })?;
    let stop = Stop::default();
    let (start, flag) = (cpu_time(), stop.clone());
    Ok(thread::scope(|scope| {
        scope.spawn(move || {
            while cpu_time() - start < time && !flag.is_set() {
                thread::sleep(Duration::from_millis(2));
            }
            flag.set();
        });
        let info = think(engine.as_mut(), position, &stop);
        let taken = cpu_time() - start;
        stop.set();
        (info, taken)
    }))
}

fn think(engine: &mut dyn Engine, position: &Position, stop: &Stop) -> Info {
    // A limit that is never reached: the player would otherwise set itself a time.
    let limits = Limits { nodes: Some(u64::MAX), ..Limits::default() };
    engine.search(position, &limits, stop, &mut |_| {}).info
}

fn table(lab: &Lab<'_>, rows: &[Row]) -> Table {
    let mut table = Table::new(
        lab.pick("Table 3, the document's figures and ours", "表 3：文献数据与本次数据"),
        &[
            ("modules", lab.pick("modules", "模块")),
            ("document_plies", lab.pick("plies, doc.", "层数 文献")),
            ("plies", lab.pick("ours, mean", "本次均值")),
            ("range", lab.pick("range", "范围")),
            ("begun", lab.pick("begun", "含未完")),
            ("document_nodes", lab.pick("nodes, doc.", "结点 文献")),
            ("nodes", lab.pick("ours, mean", "本次均值")),
            ("decided", lab.pick("win seen", "已见胜")),
            ("document_wins", lab.pick("wins, doc.", "胜率 文献")),
            ("wins", lab.pick("ours, empty board", "本次 空棋盘")),
            ("wins_openings", lab.pick("ours, openings", "本次 随机开局")),
        ],
    );
    for ((modules, plies, nodes, wins), row) in PRINTED.iter().zip(rows) {
        // A search that was stopped had begun one more iteration than it completed.
        let aborted = (row.plies.len() - row.decided) as f64 / row.plies.len().max(1) as f64;
        table.row([
            (*modules).into(),
            (*plies).into(),
            number(row.mean_plies(), 1),
            row.range().into(),
            number(row.mean_plies() + aborted, 1),
            (*nodes).into(),
            row.nodes.into(),
            row.decided.into(),
            format!("{wins} %").into(),
            percent_error(row.wins[0]),
            percent_error(row.wins[1]),
        ]);
    }
    table
}

/// The chains of sets in which each has one module more than the one before.
const CHAINS: [&[usize]; 2] = [&[0, 1, 2, 4, 5], &[0, 1, 3, 4, 5]];

/// The claims: more modules, fewer nodes; more modules, deeper; 4 gains most; wins grow with depth.
fn parts(rows: &[Row]) -> [bool; 4] {
    let along = |holds: &dyn Fn(&Row, &Row) -> bool| {
        CHAINS.iter().all(|chain| chain.windows(2).all(|step| holds(&rows[step[0]], &rows[step[1]])))
    };
    [
        along(&|less, more| more.nodes < less.nodes),
        along(&|less, more| more.mean_plies() >= less.mean_plies()),
        largest_step(rows) == [4, 5],
        wins_more(&rows[5], &rows[0]),
    ]
}

/// Whether one set wins more than another, beyond the error of both.
fn wins_more(one: &Row, other: &Row) -> bool {
    let [(one, wide), (other, error)] = [one.wins[0], other.wins[0]];
    one - other > wide.hypot(error)
}

/// The step that gains most plies; of equal ones the first, so that the last module must gain more than all others.
fn largest_step(rows: &[Row]) -> [usize; 2] {
    let steps = CHAINS.iter().flat_map(|chain| chain.windows(2)).map(|step| [step[0], step[1]]);
    let gain = |step: &[usize; 2]| rows[step[1]].mean_plies() - rows[step[0]].mean_plies();
    steps.reduce(|best, step| if gain(&step) > gain(&best) { step } else { best }).unwrap_or([0, 1])
}

fn conclusion(lab: &Lab<'_>, rows: &[Row], parts: [bool; 4]) -> String {
    let [from, to] = largest_step(rows).map(|n| PRINTED[n].0);
    let holds = |part: bool| if part { lab.pick("holds", "成立") } else { lab.pick("does not hold", "不成立") };
    let [fewer, deeper, most, wins] = parts.map(holds);
    let average = rows.iter().map(|row| row.nodes).sum::<u64>() / rows.len().max(1) as u64;
    let (final_plies, low) = (rows[5].mean_plies(), rows[0].mean_plies());
    lab.say(text!("\"more modules, fewer nodes\" {fewer}; \"more modules, deeper\" {deeper}; \"distance pruning gains most\" \
             {most} (largest step: {from} → {to}); \"deeper wins more\" {wins}. {average} nodes on average \
             (abstract: 2,500,000); from {low:.1} plies with minimax to {final_plies:.1} with everything (abstract: 4–6).", "“模块越多结点越少”{fewer}；“模块越多层数越深”{deeper}；“距离剪枝增益最大”{most}（最大一步：{from} → {to}）；\
             “越深胜率越高”{wins}。平均 {average} 结点（摘要：250 万）；层数从 {low:.1} 到 {final_plies:.1}（摘要：4–6）。"))
}
