//! S1 §3: the final version unbeaten in about 30 games with friends, and winning plans seen rounds ahead.

use lianzi_contest::Openings;
use lianzi_core::{Rules, Stone, Text, text};

use super::hall::{Duel, Game, Pairing, duel};
use super::report::{Finding, Report, Table, number, percent_error};
use super::{Experiment, Lab};

/// S1-09, S1-63.
pub const EXPERIMENT: Experiment = Experiment {
    name: "friends",
    document: "S1 abstract, §3",
    what: Text::fixed(
        "30 games of the final classic-gomoku against stated references; how early it sees its win",
        "classic-gomoku 最终版对指定对手 30 局；提前几回合看到胜局",
    ),
    time: ["10 s", "90 s"],
    run,
};

/// What stands for the friends.
const REFERENCES: [&str; 3] = ["greedy", "uct@nodes=2000", "uct@nodes=20000"];

/// From this score on the player believes the game won (the document's value of a decided position).
const DECIDED: i32 = 8500;

fn run(lab: &Lab<'_>) -> anyhow::Result<Report> {
    let nodes = lab.size(1_000, 100_000, 500_000);
    let pairs = lab.size(1, 15, 15);
    let player = format!("classic-gomoku@nodes={nodes}");
    let references = &REFERENCES[..lab.size(1, 2, 3)];
    let mut duels = Vec::new();
    for reference in references {
        let players = [player.as_str(), reference];
        let pairing = Pairing { rules: Rules::gomoku(15), players, pairs, openings: Openings::Balanced };
        duels.push(duel(lab, &pairing)?);
    }
    let foresight: Vec<Foresight> =
        duels.iter().flat_map(won).filter_map(|(game, stone)| foresight(game, stone)).collect();
    let unbeaten: Vec<bool> = duels.iter().map(|duel| duel.results.games.losses == 0).collect();
    let ahead = foresight.iter().map(|seen| seen.believed).max().unwrap_or(0);
    let parts: Vec<bool> = unbeaten.into_iter().chain([ahead >= 5]).collect();
    Ok(Report {
        settings: vec![
            ("game", "gomoku (15×15)".into()),
            ("players", player),
            ("opponent", references.join("; ")),
            ("openings", lab.pick("balanced random ones, a pair of games each", "均衡随机开局，每局面一对").into()),
            ("seed", lab.seed.to_string()),
        ],
        tables: vec![scores(lab, references, &duels), rounds(lab, &foresight)],
        verdict: Finding::of(&parts),
        conclusion: conclusion(lab, references, &duels, ahead),
    })
}

fn scores(lab: &Lab<'_>, references: &[&str], duels: &[Duel]) -> Table {
    let mut table = Table::new(
        lab.pick("The final version", "最终版战绩"),
        &[
            ("opponent", lab.pick("opponent", "对手")),
            ("tally", lab.pick("games", "战绩")),
            ("score", lab.pick("score", "得分率")),
            ("elo", "Elo"),
            ("ms_per_turn", lab.pick("CPU ms/move", "CPU 毫秒/手")),
            ("document", lab.pick("document", "文献")),
        ],
    );
    for (reference, duel) in references.iter().zip(duels) {
        table.row([
            (*reference).into(),
            duel.results.games.to_string().into(),
            percent_error(duel.score()),
            duel.elo().into(),
            number(duel.spent[0].per_turn_ms(), 1),
            lab.pick("about 30 games, none lost", "约 30 局，无一败绩").into(),
        ]);
    }
    table
}

/// How many rounds before its end the player knew, or believed, that it had won.
struct Foresight {
    proven: usize,
    believed: usize,
}

/// The games that the first player of a match won, and with which stones.
fn won(duel: &Duel) -> impl Iterator<Item = (&Game, Stone)> {
    let sides = [Stone::Black, Stone::White].into_iter().cycle();
    duel.games.iter().zip(sides).filter(|(game, stone)| game.outcome.winner() == Some(*stone))
}

/// Both are counted back from the end without a break: an opinion that was given up again was no plan.
fn foresight(game: &Game, stone: Stone) -> Option<Foresight> {
    let own = || game.thoughts.iter().rev().filter(|thought| thought.stone == stone);
    own().next()?;
    Some(Foresight {
        proven: own().take_while(|thought| thought.win_in.is_some_and(|plies| plies > 0)).count(),
        believed: own().take_while(|thought| thought.score.is_some_and(|score| score >= DECIDED)).count(),
    })
}

fn rounds(lab: &Lab<'_>, foresight: &[Foresight]) -> Table {
    let mut table = Table::new(
        lab.pick("Games won, by rounds before the end in which the win was seen", "胜局：提前几回合看到胜局"),
        &[
            ("rounds", lab.pick("rounds ahead", "提前回合")),
            ("proven", lab.pick("five proven", "已证五连")),
            ("believed", lab.pick("score of a won game", "评分已胜")),
            ("document", lab.pick("document", "文献")),
        ],
    );
    let count = |low: usize, high: usize, get: fn(&Foresight) -> usize| {
        foresight.iter().filter(|seen| (low..=high).contains(&get(seen))).count()
    };
    for (words, low, high) in [("0–1", 0, 1), ("2–4", 2, 4), ("5–8", 5, 8), ("9–", 9, usize::MAX)] {
        let document = if low == 5 { lab.pick("sometimes", "有时") } else { "–" };
        let (proven, believed) = (count(low, high, |seen| seen.proven), count(low, high, |seen| seen.believed));
        table.row([words.into(), proven.into(), believed.into(), document.into()]);
    }
    table
}

fn conclusion(lab: &Lab<'_>, references: &[&str], duels: &[Duel], ahead: usize) -> String {
    let lost: Vec<String> = references
        .iter()
        .zip(duels)
        .map(|(reference, duel)| format!("{} ({reference})", duel.results.games.losses))
        .collect();
    let lost = lost.join(", ");
    lab.say(text!("games lost: {lost}; friends are not to be had, so this says nothing about people. It was sure of a win up to {ahead} rounds ahead.", "败局：{lost}；没有亲友可请，故不能说明对人的胜率。最早提前 {ahead} 回合确信胜局。"))
}
