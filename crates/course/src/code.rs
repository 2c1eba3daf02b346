//! The result file of the course's own judge: a code for each game, the seconds of both sides, and the shares of wins.
//!
//! It is written as the original writes it, with one difference: the original's `Stat` forgets strategies that could
//! not be loaded, although the course counts those games as lost. Here they are counted.

use std::time::Duration;

use lianzi_contest::journal::Played;
use lianzi_core::{Ending, GameRecord, Outcome, StartFault, Stone};

/// How a game of A and B ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Nobody won.
    Tie,
    /// This side won by play.
    Won(Side),
    /// This side failed.
    Failed(Side, Failure),
}

/// One of the two strategies, whoever began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first one named.
    A,
    /// The second one.
    B,
}

/// The kinds of failure the course tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failure {
    /// It crashed, or answered what is no answer.
    Bug,
    /// It moved where it must not.
    Illegal,
    /// It took too long.
    Timeout,
    /// It cannot be loaded.
    Unloadable,
    /// It lacks a function.
    Missing,
}

impl Side {
    /// The other side.
    pub const fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }
}

impl Failure {
    /// All kinds.
    pub const ALL: [Failure; 5] =
        [Failure::Bug, Failure::Illegal, Failure::Timeout, Failure::Unloadable, Failure::Missing];

    /// How a game ended by it, if it did.
    fn of(ending: &Ending) -> Failure {
        match ending {
            Ending::NotStarted { fault: StartFault::Unloadable, .. } => Failure::Unloadable,
            Ending::NotStarted { fault: StartFault::MissingFunction, .. } => Failure::Missing,
            Ending::Illegal { .. } | Ending::Stones { .. } => Failure::Illegal,
            Ending::Timeout { .. } => Failure::Timeout,
            _ => Failure::Bug,
        }
    }
}

impl Code {
    /// The code of a game in which A had these stones; `None` if it has no end.
    pub fn of(record: &GameRecord, a: Stone) -> Option<Code> {
        let side = |stone: Stone| if stone == a { Side::A } else { Side::B };
        let verdict = &record.verdict;
        Some(match (verdict.outcome?, verdict.blame) {
            (_, Some(blame)) => Code::Failed(side(blame), Failure::of(&verdict.ending)),
            (Outcome::Draw, None) => Code::Tie,
            (Outcome::Win(stone), None) => Code::Won(side(stone)),
        })
    }

    /// The number that stands for it.
    pub const fn number(self) -> i32 {
        match self {
            Code::Tie => 0,
            Code::Won(Side::A) => 1,
            Code::Won(Side::B) => 2,
            Code::Failed(Side::A, failure) => Code::failure(failure, [3, 4, 7, -1, -3]),
            Code::Failed(Side::B, failure) => Code::failure(failure, [5, 6, 8, -2, -4]),
        }
    }

    /// The words with which the original judge tells of it.
    fn judges_words(self) -> String {
        match self {
            Code::Tie => "A and B tied".into(),
            Code::Won(side) => format!("{side:?} - won"),
            Code::Failed(side, Failure::Bug) => format!("{side:?} - bug occurred"),
            Code::Failed(side, Failure::Illegal) => format!("{side:?} - made illegal step"),
            Code::Failed(side, Failure::Timeout) => format!("{side:?} - timed out"),
            Code::Failed(side, Failure::Unloadable) => format!("Load File {side:?} Error"),
            Code::Failed(side, Failure::Missing) => format!("Function Interface Error in {side:?}"),
        }
    }

    const fn failure(failure: Failure, numbers: [i32; 5]) -> i32 {
        numbers[failure as usize]
    }

    /// Who won, however it came about.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Code::Tie => None,
            Code::Won(side) => Some(side),
            Code::Failed(side, _) => Some(side.other()),
        }
    }
}

/// One game of a result file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameLine {
    /// How it ended.
    pub code: Code,
    /// The time of A and of B.
    pub times: [Duration; 2],
}

impl GameLine {
    /// The line of a game in which A had these stones and each move this time; `None` if it has no end.
    pub fn of(record: &GameRecord, a: Stone, limit: Duration) -> Option<GameLine> {
        let code = Code::of(record, a)?;
        let mut times = [Duration::ZERO; 2];
        for (stone, time) in record.position().plies().iter().zip(&record.moves) {
            let side = usize::from(stone.stone != a);
            times[side] += Duration::from_millis(time.time_ms.unwrap_or_default());
        }
        // A turn that never came is not among the moves, but its time has passed.
        if let Code::Failed(side, Failure::Timeout) = code {
            times[side as usize] += limit;
        }
        Some(GameLine { code, times })
    }
}

/// The result file of these rounds, A first and then B first in each.
pub fn result_file(rounds: &[[GameLine; 2]]) -> String {
    let mut text = String::new();
    for (n, round) in rounds.iter().enumerate() {
        text += &format!("{n}:\n");
        for line in round {
            let [a, b] = line.times.map(|time| time.as_secs());
            text += &format!("{}\t{a}\t{b}\n", line.code.number());
        }
        text.push('\n');
    }
    text + &statistics(rounds)
}

/// What the original judge prints of these rounds before the shares.
pub fn told(rounds: &[[GameLine; 2]]) -> String {
    let round = |(n, [first, second]): (usize, &[GameLine; 2])| {
        let [first, second] = [first, second].map(|line| line.code.judges_words());
        format!("Round {n}:\nA first:\n{first}\nB first:\n{second}\n\n")
    };
    rounds.iter().enumerate().map(round).collect()
}

/// The shares of wins and ties.
pub fn statistics(rounds: &[[GameLine; 2]]) -> String {
    let games = (2 * rounds.len()).max(1) as f64;
    let share = |winner| {
        let won = rounds.iter().flatten().filter(|line| line.code.winner() == winner).count();
        won as f64 / games
    };
    let [a, b, tie] = [Some(Side::A), Some(Side::B), None].map(share);
    format!(
        "Stat:\nratio of A wins : {}\nratio of B wins : {}\nratio of Tie : {}\n\nratio of (A wins + tie) : {}\nratio of (B wins + tie) : {}\n",
        six_digits(a),
        six_digits(b),
        six_digits(tie),
        six_digits(a + tie),
        six_digits(b + tie)
    )
}

/// A share as C++ prints it: six significant digits and no zeros at the end.
fn six_digits(share: f64) -> String {
    if share < 1e-4 && share > 0.0 {
        let text = format!("{share:.5e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        return format!("{digits}e-{:0>2}", power.trim_start_matches('-'));
    }
    // Below one the first digits are zeros and do not count.
    let zeros = if share > 0.0 { (-share.log10()).ceil().max(0.0) as usize } else { 0 };
    let places = if share >= 1.0 { 5 } else { 5 + zeros.max(1) };
    let text = format!("{share:.places$}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// The rounds of two games that A and B played, as the course writes them; a round with a game missing is left out.
pub fn rounds_of(played: &[Played], limit: Duration) -> Vec<[GameLine; 2]> {
    let line = |game: &Played| {
        let a = if game.id.game.is_multiple_of(2) { Stone::Black } else { Stone::White };
        GameLine::of(&game.record, a, limit)
    };
    let pair = |pair: &[Played]| match pair {
        [first, second] => Some([line(first)?, line(second)?]),
        _ => None,
    };
    played.chunk_by(|a, b| a.id.game / 2 == b.id.game / 2).filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::{Adjudication, IllegalMove, Limit, Position, Rules, Verdict};

    fn line(code: Code) -> GameLine {
        GameLine { code, times: [Duration::from_millis(1999), Duration::from_secs(3)] }
    }

    #[test]
    fn the_file_is_the_originals_to_the_letter() {
        let rounds = [
            [line(Code::Won(Side::A)), line(Code::Won(Side::B))],
            [line(Code::Tie), line(Code::Failed(Side::B, Failure::Unloadable))],
            [line(Code::Won(Side::A)), line(Code::Won(Side::A))],
        ];
        assert_eq!(
            result_file(&rounds),
            "0:\n1\t1\t3\n2\t1\t3\n\n1:\n0\t1\t3\n-2\t1\t3\n\n2:\n1\t1\t3\n1\t1\t3\n\nStat:\nratio of A wins : 0.666667\n\
             ratio of B wins : 0.166667\nratio of Tie : 0.166667\n\nratio of (A wins + tie) : 0.833333\n\
             ratio of (B wins + tie) : 0.333333\n"
        );
    }

    #[test]
    fn numbers_are_written_as_cpp_writes_them() {
        let known = [
            (0.0, "0"),
            (1.0, "1"),
            (0.5, "0.5"),
            (2.0 / 3.0, "0.666667"),
            (0.99, "0.99"),
            (0.995, "0.995"),
            (1.0 / 30.0, "0.0333333"),
            (0.1, "0.1"),
            (0.00125, "0.00125"),
            (0.01, "0.01"),
            (1.0 / 30_000.0, "3.33333e-05"),
            (0.00001, "1e-05"),
        ];
        for (share, text) in known {
            assert_eq!(six_digits(share), text);
        }
    }

    #[test]
    fn every_failure_has_its_number_on_both_sides() {
        let rules = Rules::connect4(9, 9);
        let fault = |ending| {
            let mut record = GameRecord::from_position(&Position::new(rules));
            record.verdict = Verdict::fault(Stone::White, ending);
            [Stone::White, Stone::Black].map(|a| Code::of(&record, a).map(Code::number).unwrap())
        };
        let how = String::new;
        let not_started = |fault| Ending::NotStarted { fault, how: how() };
        assert_eq!(fault(Ending::Crashed { how: how() }), [3, 5]);
        assert_eq!(fault(Ending::Garbled { said: how() }), [3, 5]);
        assert_eq!(fault(Ending::Illegal { at: how(), why: IllegalMove::Occupied }), [4, 6]);
        assert_eq!(fault(Ending::Timeout { limit: Limit::Move }), [7, 8]);
        assert_eq!(fault(not_started(StartFault::Unloadable)), [-1, -2]);
        assert_eq!(fault(not_started(StartFault::MissingFunction)), [-3, -4]);
        let mut record = GameRecord::from_position(&Position::new(rules));
        assert_eq!(Code::of(&record, Stone::Black), None);
        let ending = Ending::Adjudicated { why: Adjudication::MaxPlies };
        record.verdict = Verdict { outcome: Some(Outcome::Draw), ending, blame: None };
        assert_eq!(Code::of(&record, Stone::Black), Some(Code::Tie));
        record.verdict = Verdict::resigned(Stone::Black);
        assert_eq!(Code::of(&record, Stone::Black), Some(Code::Won(Side::B)));
    }
}
