//! S0 §2.2.1: the scores are hand-tuned, and learning them is left for the future. Here they are learnt, simply:
//! one score after another is made larger or smaller, and a change stays if it wins a match against the scores so
//! far. The match that counts is played from openings that learning never saw.

use lianzi_classic::connect6::{Class, Scores};
use lianzi_contest::Openings;
use lianzi_core::{Rules, Text, text};

use super::hall::{Duel, Pairing, duel};
use super::report::{Finding, Report, Table, percent_error};
use super::{Experiment, Lab};

/// S0-99.
pub const EXPERIMENT: Experiment = Experiment {
    name: "learn",
    document: "S0 §2.2.1",
    what: Text::fixed(
        "the fifteen scores of classic-connect6 learnt from matches, against the printed ones",
        "由对局学习 classic-connect6 的 15 个分值，并与原分值对战",
    ),
    time: ["40 s", "2 min"],
    run,
};

/// A change must score this much against the scores so far: on few openings a little more is chance.
const ENOUGH: f64 = 0.55;

/// What a score is multiplied by.
const FACTORS: [f64; 2] = [4.0, 0.25];

/// One attempt to change a score.
struct Trial {
    class: Class,
    from: i32,
    to: i32,
    score: (f64, f64),
    kept: bool,
}

fn run(lab: &Lab<'_>) -> anyhow::Result<Report> {
    let (pairs, rounds, final_pairs) = lab.size((1, 1, 2), (8, 1, 50), (30, 1, 300));
    let classes = &Class::ALL[..lab.size(3, 15, 15)];
    let mut scores = Scores::default();
    let mut trials = Vec::new();
    for _ in 0..rounds {
        for &class in classes.iter().filter(|&&class| !is_win(class)) {
            trials.extend(improve(lab, &mut scores, class, pairs)?);
        }
    }
    let unseen = Lab { seed: lab.seed + 1_000_000, ..*lab };
    let (learnt, printed) = (player(&scores), player(&Scores::default()));
    let result = meet(&unseen, [&learnt, &printed], final_pairs)?;
    let (score, error) = result.score();
    Ok(Report {
        settings: vec![
            ("game", "connect6:15".into()),
            ("players", "classic-connect6@scores=…, depth 4, width 3".into()),
            (
                "games",
                lab.say(text!(
                    "{} a trial, {} in the final match from other openings",
                    "每次尝试 {} 局，最终比赛 {} 局（另用开局）",
                    2 * pairs,
                    2 * final_pairs
                )),
            ),
            ("openings", lab.pick("balanced random ones", "均衡随机开局").into()),
            (
                "note",
                lab.say(text!(
                    "a change is kept from {:.0} % on; sixes and sevens are fixed",
                    "得分率 {:.0}% 以上保留；六连、七连不变",
                    ENOUGH * 100.0
                )),
            ),
            ("seed", lab.seed.to_string()),
        ],
        tables: vec![compare(lab, &scores), kept(lab, &trials), last(lab, &result)],
        verdict: if score - error > 0.5 { Finding::Reproduced } else { Finding::Open },
        conclusion: conclusion(lab, &trials, &result),
    })
}

/// A six ends the game: there is nothing to learn about it.
fn is_win(class: Class) -> bool {
    matches!(class, Class::Six | Class::Seven)
}

/// Tries a larger and a smaller score of one class, and keeps the better one if it is good enough.
fn improve(lab: &Lab<'_>, scores: &mut Scores, class: Class, pairs: usize) -> anyhow::Result<Vec<Trial>> {
    let from = scores.0[class as usize];
    let mut trials = Vec::new();
    for factor in FACTORS {
        let to = scaled(from, factor);
        let mut changed = scores.clone();
        changed.0[class as usize] = to;
        let duel = meet(lab, [&player(&changed), &player(scores)], pairs)?;
        trials.push(Trial { class, from, to, score: duel.score(), kept: false });
    }
    let best = trials.iter_mut().max_by(|a, b| a.score.0.total_cmp(&b.score.0));
    if let Some(best) = best.filter(|best| best.score.0 >= ENOUGH) {
        best.kept = true;
        scores.0[class as usize] = best.to;
    }
    Ok(trials)
}

/// The product, never nothing: a score of 0 could not grow again.
fn scaled(score: i32, factor: f64) -> i32 {
    let product = (f64::from(score) * factor).round() as i32;
    if product == 0 { score.signum() } else { product }
}

fn player(scores: &Scores) -> String {
    let numbers: Vec<String> = scores.0.iter().map(i32::to_string).collect();
    format!("classic-connect6@scores={}", numbers.join("+"))
}

fn meet(lab: &Lab<'_>, players: [&str; 2], pairs: usize) -> anyhow::Result<Duel> {
    duel(lab, &Pairing { rules: Rules::connect6(15), players, pairs, openings: Openings::Balanced })
}

fn kept(lab: &Lab<'_>, trials: &[Trial]) -> Table {
    let mut table = Table::new(
        lab.pick("Changes that won their match", "获胜的改动"),
        &[
            ("class", lab.pick("class", "棋型")),
            ("from", lab.pick("from", "原值")),
            ("to", lab.pick("to", "新值")),
            ("score", lab.pick("score", "得分率")),
        ],
    );
    for trial in trials.iter().filter(|trial| trial.kept) {
        let [from, to] = [trial.from, trial.to].map(|score| score.to_string());
        table.row([trial.class.name().into(), from.into(), to.into(), percent_error(trial.score)]);
    }
    table
}

fn compare(lab: &Lab<'_>, scores: &Scores) -> Table {
    let mut table = Table::new(
        lab.pick("Table 2, printed and learnt", "表 2：原值与学得值"),
        &[
            ("class", lab.pick("class", "棋型")),
            ("printed", lab.pick("printed", "原值")),
            ("learnt", lab.pick("learnt", "学得")),
        ],
    );
    let printed = Scores::default();
    for class in Class::ALL {
        let [old, new] = [&printed, scores].map(|scores| scores.0[class as usize].to_string());
        table.row([class.name().into(), old.into(), new.into()]);
    }
    table
}

fn last(lab: &Lab<'_>, result: &Duel) -> Table {
    let mut table = Table::new(
        lab.pick("Learnt against printed, unseen openings", "学得值对原值，未见过的开局"),
        &[("tally", lab.pick("games", "战绩")), ("score", lab.pick("score", "得分率")), ("elo", "Elo")],
    );
    table.row([result.results.games.to_string().into(), percent_error(result.score()), result.elo().into()]);
    table
}

fn conclusion(lab: &Lab<'_>, trials: &[Trial], result: &Duel) -> String {
    let (tried, kept) = (trials.len(), trials.iter().filter(|trial| trial.kept).count());
    let (score, error) = result.score();
    let (percent, wide) = (score * 100.0, error * 100.0);
    let better = score - error > 0.5;
    lab.say(Text::new(format!(
            "{kept} of {tried} changes were kept; the learnt scores reach {percent:.1} ± {wide:.1} % against the printed \
             ones, so learning {} (the document only proposes it).",
            if better { "improves them" } else { "is not shown to improve them" }
        ), format!(
            "{tried} 次改动保留 {kept} 次；学得的分值对原值得分 {percent:.1} ± {wide:.1}%，{}（文献仅提出设想）。",
            if better { "学习确有改进" } else { "未能证明改进" }
        )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_keep_their_sign_and_never_vanish() {
        assert_eq!([scaled(10, 4.0), scaled(-10, 0.25), scaled(1, 0.25), scaled(-1, 0.25)], [40, -3, 1, -1]);
    }

    #[test]
    fn learnt_scores_are_read_as_written() {
        let text = player(&Scores::default());
        let (_, written) = text.split_once("scores=").unwrap();
        assert_eq!(written.parse(), Ok(Scores::default()));
    }
}
