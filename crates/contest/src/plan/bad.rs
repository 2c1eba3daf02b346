//! Contests that cannot be played.

use std::collections::HashSet;

use lianzi_core::{Speak, Text, spoken_errors, text};

use super::super::{Contest, Format, Length};
use crate::statistics::BadSprt;

/// The most games a contest may have; nobody waits for more, and sums of games stay far from overflow.
const MOST_GAMES: usize = 1_000_000_000;

/// Why a contest cannot be played.
#[derive(Clone, Debug, PartialEq)]
pub enum BadContest {
    /// There are fewer than two players.
    Players(usize),
    /// Two players have this name.
    SameName(String),
    /// An encounter has no games.
    NoGames,
    /// A Swiss tournament has no rounds.
    NoRounds,
    /// There are more games than anybody can play.
    TooManyGames,
    /// A sequential test compares two players, not so many.
    SprtPlayers(usize),
    /// A sequential test needs a single encounter.
    SprtFormat,
    /// A sequential test counts pairs.
    SprtLength,
    /// The numbers of the sequential test make no sense.
    Sprt(BadSprt),
}

impl Speak for BadContest {
    fn text(&self) -> Text {
        match self {
            BadContest::Players(count) => {
                text!(
                    "a contest needs at least two players, and has {count}; name more",
                    "比赛至少需要两名棋手，现有 {count} 名；请增加棋手"
                )
            }
            BadContest::SameName(name) => text!(
                "two players are named '{name}'; give them different names",
                "有两名棋手都叫“{name}”；请用不同的名字"
            ),
            BadContest::NoGames => Text::fixed("an encounter needs at least one game", "每场至少要下一局"),
            BadContest::NoRounds => Text::fixed("a Swiss tournament needs at least one round", "瑞士制至少需要一轮"),
            BadContest::TooManyGames => {
                text!("a contest may have at most {MOST_GAMES} games", "一次比赛最多 {MOST_GAMES} 局")
            }
            BadContest::SprtPlayers(count) => {
                text!("a sequential test compares two players, not {count}", "序贯检验比较两名棋手，现有 {count} 名")
            }
            BadContest::SprtFormat => Text::fixed(
                "a sequential test needs a match: a round robin or a gauntlet of two",
                "序贯检验需要两人对抗赛：两名棋手的循环赛或擂台赛",
            ),
            BadContest::SprtLength => Text::fixed(
                "a sequential test counts pairs; give the length in pairs, not as best of",
                "序贯检验按对计数；请用对数表示长度，不要用几局几胜",
            ),
            BadContest::Sprt(bad) => bad.text(),
        }
    }
}

spoken_errors!(BadContest);

/// Whether the contest can be played.
pub(super) fn check(contest: &Contest) -> Result<(), BadContest> {
    check_players(contest)?;
    check_size(contest)?;
    check_sprt(contest)
}

fn check_players(contest: &Contest) -> Result<(), BadContest> {
    if contest.players.len() < 2 {
        return Err(BadContest::Players(contest.players.len()));
    }
    let mut names = HashSet::new();
    match contest.players.iter().find(|entrant| !names.insert(&entrant.name)) {
        Some(entrant) => Err(BadContest::SameName(entrant.name.clone())),
        None => Ok(()),
    }
}

fn check_size(contest: &Contest) -> Result<(), BadContest> {
    if matches!(contest.length, Length::Pairs(0) | Length::BestOf(0)) {
        return Err(BadContest::NoGames);
    }
    if contest.format == (Format::Swiss { rounds: 0 }) {
        return Err(BadContest::NoRounds);
    }
    let games = match contest.length {
        Length::Pairs(pairs) => pairs.saturating_mul(2),
        Length::BestOf(games) => games,
    };
    let total = contest.format.encounters(contest.players.len()).saturating_mul(games);
    if total > MOST_GAMES { Err(BadContest::TooManyGames) } else { Ok(()) }
}

fn check_sprt(contest: &Contest) -> Result<(), BadContest> {
    let Some(sprt) = &contest.sprt else { return Ok(()) };
    if contest.players.len() != 2 {
        return Err(BadContest::SprtPlayers(contest.players.len()));
    }
    if !matches!(contest.format, Format::RoundRobin | Format::Gauntlet) {
        return Err(BadContest::SprtFormat);
    }
    if !matches!(contest.length, Length::Pairs(_)) {
        return Err(BadContest::SprtLength);
    }
    sprt.check().map_err(BadContest::Sprt)
}

#[cfg(test)]
mod tests {
    use super::super::super::Entrant;
    use super::super::tests::contest_of;
    use super::*;
    use crate::statistics::Sprt;

    fn contest(names: &[&str]) -> Contest {
        let entrant = |name: &&str| Entrant { name: name.to_string(), spec: "random".into() };
        let two = contest_of(2, Format::RoundRobin, Length::Pairs(1));
        Contest { players: names.iter().map(entrant).collect(), ..two }
    }

    #[test]
    fn what_cannot_be_played_is_refused_in_words() {
        let two = contest(&["a", "b"]);
        let sprt = Some(Sprt::new(0.0, 5.0));
        let huge = Length::Pairs(usize::MAX);
        for (bad, words, chinese) in [
            (contest(&[]), "at least two players, and has 0", "至少需要两名棋手，现有 0"),
            (contest(&["a"]), "at least two players, and has 1", "至少需要两名棋手，现有 1"),
            (contest(&["a", "b", "a"]), "named 'a'", "都叫“a”"),
            (Contest { length: Length::Pairs(0), ..two.clone() }, "at least one game", "至少要下一局"),
            (Contest { length: Length::BestOf(0), ..two.clone() }, "at least one game", "至少要下一局"),
            (Contest { format: Format::Swiss { rounds: 0 }, ..two.clone() }, "at least one round", "一轮"),
            (Contest { length: huge, ..two.clone() }, "at most 1000000000", "最多 1000000000"),
            (Contest { sprt, ..contest(&["a", "b", "c"]) }, "two players, not 3", "两名棋手，现有 3"),
            (Contest { sprt, format: Format::Knockout, ..two.clone() }, "a match", "对抗赛"),
            (Contest { sprt, length: Length::BestOf(5), ..two.clone() }, "counts pairs", "按对计数"),
            (Contest { sprt: Some(Sprt::new(5.0, 5.0)), ..two.clone() }, "5 and 5", "5 和 5"),
        ] {
            let error = check(&bad).unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
            assert!(error.text().chinese.contains(chinese), "{error}");
        }
        assert_eq!(check(&two), Ok(()));
        assert_eq!(check(&Contest { sprt, ..two }), Ok(()));
    }
}
