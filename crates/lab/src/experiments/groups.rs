//! S2 §4.2: five groups play best of five, colours swapped after each game, and every win is judged.

use lianzi_contest::Openings;
use lianzi_core::{Game as AnyGame, Outcome, Position, Rules, Text, mix, text};

use super::hall::{Game, Player, play};
use super::oracle::Oracle;
use super::report::{Finding, Report, Table, percent};
use super::{Experiment, Lab};

/// S2-40 to S2-47.
pub const EXPERIMENT: Experiment = Experiment {
    name: "groups",
    document: "S2 §4.2, tables 1–6",
    what: Text::fixed(
        "five groups, best of five; accuracy of the judge against an oracle",
        "五组五局三胜；胜负判定对独立判官的准确率",
    ),
    time: ["5 s", "20 s"],
    run,
};

/// A group: its name, playouts a turn of 甲 and 乙, and what the document printed: games, score.
const GROUPS: [(&str, [u64; 2], &str, &str); 5] = [
    ("A", [400, 300], "甲乙甲甲", "3:1"),
    ("B", [300, 400], "乙乙甲乙", "1:3"),
    ("C", [350, 400], "甲乙乙甲乙", "2:3"),
    ("D", [400, 400], "甲乙甲乙乙", "2:3"),
    ("E", [400, 350], "甲乙乙甲甲", "3:2"),
];

/// Wins that end an encounter, and games it has at most.
const ENOUGH: usize = 3;
const MOST: usize = 5;

/// What the judge is measured on: a game and who plays both sides.
const SAMPLES: [(&str, &str); 6] = [
    ("connect6:15", "random"),
    ("connect6:15", "greedy"),
    ("connect6", "random"),
    ("gomoku", "random"),
    ("gomoku", "greedy"),
    ("connect4:random", "random"),
];

fn run(lab: &Lab<'_>) -> anyhow::Result<Report> {
    let each = lab.size(3, 500, 2_000);
    let groups = &GROUPS[..lab.size(1, 5, 5)];
    let encounters = lab.each(groups, |&(_, playouts, ..)| encounter(lab, playouts))?;
    let mut judged = Vec::new();
    for (game, player) in SAMPLES {
        judged.push(judge(lab, game, player, each)?);
    }
    let right = encounters.iter().flatten().map(|(game, _)| Judged::of(std::slice::from_ref(game)));
    let wrong = judged.iter().map(|j| j.wrong).sum::<usize>() + right.map(|j| j.wrong).sum::<usize>();
    let games = each * SAMPLES.len() + encounters.iter().map(Vec::len).sum::<usize>();
    Ok(Report {
        settings: vec![
            ("game", "connect6:15".into()),
            ("players", lab.pick("classic-uct with the playouts a turn shown", "classic-uct，每手模拟次数见表").into()),
            ("games", lab.say(text!("best of {MOST}, colours swapped after each; {each} games a row for the judge", "{MOST} 局 {ENOUGH} 胜，每局换先；判定每行 {each} 局"))),
            ("seed", lab.seed.to_string()),
        ],
        tables: vec![table(lab, groups, &encounters), accuracy(lab, &judged)],
        verdict: Finding::of(&[wrong == 0]),
        conclusion: lab.say(Text::new(format!(
                "the judge and the oracle, compared after every stone of {games} games, differ in {wrong}, so the document's \
                 100 % is {}; who wins a group is chance among players of like strength and is not expected to repeat.",
                if wrong == 0 { "reproduced on these" } else { "not reached" }
            ), format!(
                "{games} 局逐子与独立判官比较，不一致 {wrong} 局，文献的 100% {}；各组胜者在棋力相近时属偶然，不期望重现。",
                if wrong == 0 { "在这些对局上复现" } else { "未达到" }
            ))),
    })
}

/// Plays an encounter: each game, and whether 甲 (0) or 乙 (1) won it.
fn encounter(lab: &Lab<'_>, playouts: [u64; 2]) -> anyhow::Result<Vec<(Game, Option<usize>)>> {
    let rules = Rules::connect6(15);
    let player = |nodes| Player::new(&format!("classic-uct@nodes={nodes}"), &rules, lab.console);
    let [mut first, mut second] = [player(playouts[0])?, player(playouts[1])?];
    let mut games: Vec<(Game, Option<usize>)> = Vec::new();
    let won = |games: &[(Game, Option<usize>)], side| games.iter().filter(|game| game.1 == Some(side)).count();
    while games.len() < MOST && won(&games, 0) < ENOUGH && won(&games, 1) < ENOUGH {
        let seed = mix(lab.seed ^ mix(playouts[0] << 20 ^ playouts[1] << 4 ^ games.len() as u64));
        let swapped = games.len() % 2 == 1;
        let seats = if swapped { [&mut second, &mut first] } else { [&mut first, &mut second] };
        let game = play(&rules, &[], seats, seed)?;
        let winner = game.outcome.winner().map(|stone| stone.index() ^ usize::from(swapped));
        games.push((game, winner));
    }
    Ok(games)
}

fn table(lab: &Lab<'_>, groups: &[(&str, [u64; 2], &str, &str)], encounters: &[Vec<(Game, Option<usize>)>]) -> Table {
    let mut table = Table::new(
        lab.pick("Tables 1–6", "表 1 至表 6"),
        &[
            ("group", lab.pick("group", "组")),
            ("playouts", lab.pick("playouts 甲 : 乙", "模拟次数 甲 : 乙")),
            ("games", lab.pick("games won by", "单局获胜")),
            ("score", lab.pick("score", "战绩")),
            ("winner", lab.pick("winner", "获胜方")),
            ("accuracy", lab.pick("accuracy", "准确率")),
            ("document_games", lab.pick("document", "文献单局")),
            ("document_score", lab.pick("document", "文献战绩")),
        ],
    );
    for ((name, [a, b], printed, score), games) in groups.iter().zip(encounters) {
        let letters: String = games.iter().map(|(_, won)| won.map_or('和', letter)).collect();
        let won = |side| games.iter().filter(|(_, winner)| *winner == Some(side)).count();
        let played: Vec<Game> = games.iter().map(|(game, _)| game.clone()).collect();
        let winner = match won(0).cmp(&won(1)) {
            std::cmp::Ordering::Greater => "甲",
            std::cmp::Ordering::Less => "乙",
            std::cmp::Ordering::Equal => "–",
        };
        table.row([
            (*name).into(),
            format!("{a} : {b}").into(),
            letters.into(),
            format!("{}:{}", won(0), won(1)).into(),
            winner.into(),
            percent(Judged::of(&played).accuracy()),
            (*printed).into(),
            format!("{score}, 100 %").into(),
        ]);
    }
    table
}

fn letter(side: usize) -> char {
    if side == 0 { '甲' } else { '乙' }
}

/// How the judge did on some games.
#[derive(Default)]
struct Judged {
    name: String,
    player: String,
    games: usize,
    stones: usize,
    wins: usize,
    wrong: usize,
}

impl Judged {
    fn of(games: &[Game]) -> Judged {
        Judged {
            games: games.len(),
            stones: games.iter().map(|game| game.cells.len()).sum(),
            wins: games.iter().filter(|game| game.outcome.winner().is_some()).count(),
            wrong: games.iter().filter(|game| !agree(game)).count(),
            ..Judged::default()
        }
    }

    fn accuracy(&self) -> f64 {
        1.0 - self.wrong as f64 / self.games.max(1) as f64
    }
}

/// Whether the referee and the oracle say the same after every stone, and at the end what the game's record says.
fn agree(game: &Game) -> bool {
    let (mut referee, mut oracle) = (Position::new(game.rules), Oracle::new(&game.rules));
    let mut ended: Option<Outcome> = None;
    for &cell in &game.cells {
        oracle.put(cell, referee.to_move());
        if referee.play(cell).is_err() {
            return false;
        }
        ended = oracle.outcome();
        if ended != referee.outcome() {
            return false;
        }
    }
    ended == Some(game.outcome)
}

/// Plays games and judges every stone of them.
fn judge(lab: &Lab<'_>, name: &str, player: &str, count: usize) -> anyhow::Result<Judged> {
    let any: AnyGame = name.parse()?;
    let numbers: Vec<u64> = (0..count as u64).collect();
    let games = lab.each(&numbers, |&n| {
        let seed = mix(lab.seed ^ mix(n + 1));
        let rules = any.draw(seed);
        let opening = Openings::None.opening(&rules, seed, 0);
        let new = || Player::new(player, &rules, lab.console);
        play(&rules, &opening, [&mut new()?, &mut new()?], seed).map(|game| Judged::of(&[game]))
    })?;
    let mut sum = Judged { name: name.into(), player: player.into(), ..Judged::default() };
    for game in games {
        sum.games += game.games;
        sum.stones += game.stones;
        sum.wins += game.wins;
        sum.wrong += game.wrong;
    }
    Ok(sum)
}

fn accuracy(lab: &Lab<'_>, judged: &[Judged]) -> Table {
    let mut table = Table::new(
        lab.pick("The judge against the oracle, after every stone", "逐子判定对独立判官"),
        &[
            ("game", lab.pick("game", "棋")),
            ("player", lab.pick("both sides", "双方")),
            ("games", lab.pick("games", "局数")),
            ("stones", lab.pick("stones", "子数")),
            ("wins", lab.pick("with a winner", "分胜负")),
            ("wrong", lab.pick("games judged differently", "不一致")),
            ("accuracy", lab.pick("accuracy", "准确率")),
        ],
    );
    for row in judged {
        table.row([
            row.name.as_str().into(),
            row.player.as_str().into(),
            row.games.into(),
            row.stones.into(),
            row.wins.into(),
            row.wrong.into(),
            percent(row.accuracy()),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use lianzi_core::Stone;

    use super::*;

    #[test]
    fn a_game_that_goes_on_after_its_end_is_not_agreed_on() {
        let rules: Rules = "connect:3,1,1,1,1".parse().unwrap();
        let game = |cells: &str, outcome| Game {
            rules,
            outcome,
            cells: cells.split_whitespace().map(|cell| cell.parse().unwrap()).collect(),
            thoughts: Vec::new(),
        };
        assert!(agree(&game("a1", Outcome::Win(Stone::Black))));
        assert!(!agree(&game("a1", Outcome::Win(Stone::White))));
        assert!(!agree(&game("a1 b1", Outcome::Win(Stone::Black))));
        assert!(!agree(&game("", Outcome::Draw)));
    }
}
