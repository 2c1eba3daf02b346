//! What was agreed before the first game, in words.

use std::time::Duration;

use lianzi_core::{Text, text};
use serde::Serialize;

use crate::ratings::Scoring;
use crate::{Contest, Format, Length, Openings};
use lianzi_game::clock::Control;
use lianzi_game::judge::Cutoff;

/// A player and what it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerRow<'a> {
    /// The name in tables.
    pub name: &'a str,
    /// The player, as users name it.
    pub spec: &'a str,
}

/// What decided how the contest was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// The game's name.
    pub game: String,
    /// Who met whom.
    pub format: Text,
    /// How many games an encounter had.
    pub length: Text,
    /// What the players could use.
    pub control: Text,
    /// When the arena ended a game, if it could.
    pub cutoff: Option<Text>,
    /// What pairs of games began with.
    pub openings: Text,
    /// Where all random numbers started; a text, since a page's numbers have only 53 bits.
    pub seed: String,
    /// What a win, a draw and a loss were worth.
    pub points: &'static str,
}

/// The players of a contest, in seeding order.
pub(super) fn players(contest: &Contest) -> Vec<PlayerRow<'_>> {
    contest.players.iter().map(|entrant| PlayerRow { name: &entrant.name, spec: &entrant.spec }).collect()
}

impl Settings {
    /// The settings of a contest.
    pub fn of(contest: &Contest) -> Settings {
        Settings {
            game: contest.game.to_string(),
            format: format_words(contest.format),
            length: length_words(contest.length),
            control: control_words(&contest.control),
            cutoff: cutoff_words(&contest.cutoff),
            openings: openings_words(&contest.openings),
            seed: contest.seed.to_string(),
            points: match contest.scoring {
                Scoring::OneHalfZero => "1 / ½ / 0",
                Scoring::TwoOneZero => "2 / 1 / 0",
            },
        }
    }
}

fn format_words(format: Format) -> Text {
    match format {
        Format::RoundRobin => Text::fixed("everybody against everybody", "循环赛"),
        Format::Gauntlet => Text::fixed("the first player against all others", "擂台赛：首位棋手对其余各人"),
        Format::Swiss { rounds } => {
            text!("Swiss system, {rounds} rounds", "瑞士制，{rounds} 轮")
        }
        Format::Knockout => Text::fixed("knockout", "淘汰赛"),
    }
}

fn length_words(length: Length) -> Text {
    match length {
        Length::Pairs(n) => Text::new(
            format!("{n} {} of games, colours swapped", if n == 1 { "pair" } else { "pairs" }),
            format!("{n} 对，每对两局，互换先后"),
        ),
        Length::BestOf(n) => text!("best of {n} games", "{n} 局过半胜"),
    }
}

fn openings_words(openings: &Openings) -> Text {
    match openings {
        Openings::None => Text::fixed("the empty board", "空棋盘"),
        Openings::Balanced => Text::fixed("random balanced ones", "随机均衡开局"),
        Openings::List(list) => Text::new(format!("a list of {}", list.len()), format!("给定的 {} 个开局", list.len())),
    }
}

fn control_words(control: &Control) -> Text {
    let mut parts = Vec::new();
    if let Some(time) = control.per_move.map(short) {
        parts.push(text!("{time} a move", "每手 {time}"));
    }
    if let Some((time, increment)) = control.per_game.map(|(time, more)| (short(time), short(more))) {
        parts.push(text!("{time} a game + {increment} a move", "每局 {time}，每手加 {increment}"));
    }
    if let Some(nodes) = control.nodes {
        parts.push(text!("{nodes} nodes a move", "每手 {nodes} 节点"));
    }
    if let Some(depth) = control.depth {
        parts.push(text!("depth {depth}", "深度 {depth}"));
    }
    if parts.is_empty() {
        return Text::fixed("no limit", "不限");
    }
    joined(&parts)
}

fn cutoff_words(cutoff: &Cutoff) -> Option<Text> {
    let mut parts = Vec::new();
    if let Some(plies) = cutoff.max_plies {
        parts.push(text!("a draw at {plies} stones", "满 {plies} 子判和"));
    }
    if let Some(agreed) = cutoff.agreed {
        let (score, turns) = (agreed.score, agreed.turns);
        parts.push(text!(
            "a win when scores agree on {score} for {turns} turns",
            "双方评分连续 {turns} 手达 {score} 判胜"
        ));
    }
    (!parts.is_empty()).then(|| joined(&parts))
}

fn joined(parts: &[Text]) -> Text {
    let join = |side: fn(&Text) -> &str, between| parts.iter().map(side).collect::<Vec<_>>().join(between);
    Text::new(join(|w| &w.english, ", "), join(|w| &w.chinese, "，"))
}

/// A duration as people write it.
fn short(time: Duration) -> String {
    let ms = time.as_millis();
    if ms < 1000 { format!("{ms} ms") } else { format!("{} s", time.as_secs_f64()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_says_what_each_move_adds() {
        let per_game = Some((Duration::from_secs(60), Duration::from_secs(1)));
        let words = control_words(&Control { per_game, ..Control::default() });
        assert_eq!(words, Text::new("60 s a game + 1 s a move", "每局 60 s，每手加 1 s"));
    }
}
