//! The Smart Game Format, `FF[4]`, for `GM[4]`: games with variations, set-ups and remarks.
//!
//! ```text
//! (;FF[4]GM[4]SZ[15]RU[gomoku]PB[a]PW[b]RE[B+R]
//! ;B[hh]C[the centre]LZ[{"time_ms":12}];W[ig](;B[jf])(;B[gg];W[ff]))
//! ```
//!
//! * Points are column and row from the top left, a–z then A–Z: rows are flipped in `point` and `point_name` and
//!   nowhere else. Renju's `B[h8]` is read too, and up to 26 columns capitals are the same as small letters.
//! * `RU` carries our name of the game, with its opening rule. Common words are understood; an unknown one is kept and means gomoku.
//! * Every node holds one stone; where a turn has several, the colour stands several times in a row. A stone in
//!   the same turn after one that has won is read and written as a node like any other.
//! * A file in which W moves first is one in which our Black is called white.
//! * What SGF has no words for stands as JSON in the private property `LZ`: in the first node opening, what
//!   the players did to find their sides, exact verdict and what the sides are called, in the others time and evaluation. What else programs wrote is kept.

mod parse;
mod read;
mod write;

pub(super) use read::read;
pub(super) use write::write;

use serde::{Deserialize, Serialize};

use super::{Eval, Tag};
use crate::{Act, Adjudication, Cell, Ending, Limit, Outcome, Rules, Setup, Stone, Verdict};

/// Our private property.
const PRIVATE: &str = "LZ";

/// Properties that mean something to us, so that a mere tag cannot have their name in a file.
const KNOWN: [&str; 16] =
    ["AB", "AE", "AW", "B", "C", "CA", "FF", "GM", PRIVATE, "PB", "PL", "PW", "RE", "RU", "SZ", "W"];

/// What SGF cannot say of a game.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct GameRest {
    #[serde(skip_serializing_if = "super::is_zero")]
    opening: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    negotiation: Vec<Act>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<Setup>,
    #[serde(skip_serializing_if = "Option::is_none")]
    called: Option<[String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<[String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<OddTag>,
}

/// What SGF cannot say of a move.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct MoveRest {
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_us: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<Eval>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<OddTag>,
    /// The line before ended; this is a variation although nothing else follows there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    aside: bool,
}

/// A tag that cannot be a property of its own, and its place among the others.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct OddTag {
    at: usize,
    name: String,
    values: Vec<String>,
}

impl OddTag {
    /// Puts the tags back among those that were properties.
    fn restore(odd: Vec<OddTag>, tags: &mut Vec<Tag>) {
        for OddTag { at, name, values } in odd {
            tags.insert(at.min(tags.len()), Tag { name, values });
        }
    }
}

/// The exact form of a text of which the file shows what is left after line ends were made equal.
fn exact(shown: String, kept: Option<String>) -> String {
    kept.filter(|kept| equal_line_ends(kept) == shown).unwrap_or(shown)
}

fn equal_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Reads a point, in SGF's letters or as the name of a cell.
fn point(text: &str, rules: &Rules) -> Option<Cell> {
    let folded = rules.width <= 26 && rules.height <= 26;
    let digit = |b: u8| match b {
        b'a'..=b'z' => Some(b - b'a'),
        b'A'..=b'Z' if folded => Some(b - b'A'),
        b'A'..=b'Z' => Some(b - b'A' + 26),
        _ => None,
    };
    let cell = match *text.trim().as_bytes() {
        [column, row] if row.is_ascii_alphabetic() => {
            Cell::new(digit(column)?, (rules.height - 1).checked_sub(digit(row)?)?)
        }
        _ => text.trim().parse().ok()?,
    };
    rules.contains(cell).then_some(cell)
}

/// A cell of the board in SGF's letters.
fn point_name(cell: Cell, rules: &Rules) -> String {
    let letter = |n: u8| char::from(if n < 26 { b'a' + n } else { b'A' + n - 26 });
    [letter(cell.column), letter(rules.height - 1 - cell.row)].iter().collect()
}

/// What a value of `RE` says; nothing if it names no result. A bare `B+` is a win and no more: who wants to know how it
/// came about looks at the stones.
fn result(text: &str) -> Option<Verdict> {
    let text = text.trim().to_ascii_lowercase();
    if ["0", "draw", "jigo"].contains(&text.as_str()) {
        return Some(Verdict::untold(Outcome::Draw));
    }
    let (winner, how) = text.split_once('+')?;
    let winner = match winner {
        "b" | "black" => Stone::Black,
        "w" | "white" => Stone::White,
        _ => return None,
    };
    let loser = winner.other();
    Some(match how {
        "r" | "resign" => Verdict::resigned(loser),
        "t" | "time" => Verdict::fault(loser, Ending::Timeout { limit: Limit::Game }),
        "f" | "forfeit" => {
            let ending = Ending::Adjudicated { why: Adjudication::Forfeit };
            Verdict { outcome: Some(Outcome::Win(winner)), ending, blame: None }
        }
        _ => Verdict::untold(Outcome::Win(winner)),
    })
}

/// Whether the values of `RE` say more than a verdict can, such as `B+5`, `Void` or `?`: then they are kept as they are.
fn says_more(values: &[String]) -> bool {
    let [text] = values else { return true };
    let text = text.trim().to_ascii_lowercase();
    match (result(&text), text.split_once('+')) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(_), Some((_, how))) => !["", "r", "resign", "t", "time", "f", "forfeit"].contains(&how),
    }
}

/// The value of `RE` for a verdict; nothing for a game without a result.
fn result_name(verdict: &Verdict) -> Option<String> {
    let winner = match verdict.outcome? {
        Outcome::Draw => return Some("Draw".into()),
        Outcome::Win(Stone::Black) => "B",
        Outcome::Win(Stone::White) => "W",
    };
    let how = match &verdict.ending {
        Ending::Resigned => "R",
        Ending::Timeout { .. } => "T",
        Ending::Adjudicated { why: Adjudication::Forfeit } => "F",
        ending if ending.is_fault() => "F",
        _ => "",
    };
    Some(format!("{winner}+{how}"))
}

/// The verdict with the sides exchanged.
fn exchanged(mut verdict: Verdict) -> Verdict {
    verdict.outcome = verdict.outcome.map(|outcome| match outcome {
        Outcome::Win(winner) => Outcome::Win(winner.other()),
        Outcome::Draw => Outcome::Draw,
    });
    verdict.blame = verdict.blame.map(Stone::other);
    verdict
}

/// What our sides are called in a file in which W moves first.
const EXCHANGED: [&str; 2] = ["white", "black"];

#[cfg(test)]
mod tests;
