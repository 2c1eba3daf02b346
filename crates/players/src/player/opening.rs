//! Openings with a brain of Gomocup's protocol: swap2 by `SWAP2BOARD`, or by the steps that Yixin-Board has, and Soosyrv-8
//! by Yixin-Board's. Other rules have no words there.

use std::fmt::Write;
use std::time::Duration;

use lianzi_cage::process::Wait;
use lianzi_core::opening::Want;
use lianzi_core::{Act, Cell, Fault, Negotiation, OpeningRule, Ply, Rules};

use super::talk::Talk;
use crate::protocol::cells::{Alphabet, BadCell, from_corner};

/// Asks for the next step of an opening; nothing when the brain has no words for its rule.
pub(super) fn ask(
    talk: &mut Talk,
    so_far: &Negotiation,
    time: &str,
    wait: Wait<'_>,
) -> Result<Option<Vec<Act>>, Fault> {
    match so_far.rule() {
        OpeningRule::Swap2 => match swap2(talk, so_far, time, wait)? {
            None => yixin_swap2(talk, so_far, time, wait),
            said => Ok(said),
        },
        OpeningRule::Soosyrv8 => soosyrv(talk, so_far, time, wait),
        _ => Ok(None),
    }
}

fn swap2(talk: &mut Talk, so_far: &Negotiation, time: &str, wait: Wait<'_>) -> Result<Option<Vec<Act>>, Fault> {
    let rules = so_far.position().rules();
    let laid = stones(so_far).len();
    let read = |line: &str| read_swap2(line, rules, laid);
    let hear = |talk: &mut Talk| answer(talk, wait, |line| read(line).is_some(), read);
    let board = |list: String| format!("{time}SWAP2BOARD\n{list}DONE\n");
    talk.say(&board(listed(stones(so_far), rules)), wait)?;
    let said = hear(talk);
    if laid == 0 || !complains(&said) {
        return said;
    }
    // Some want to hear whose each stone is, as in BOARD; Rapfi is one of them. It complains of every stone, and then
    // answers as if there were none.
    talk.say(&board(owned(so_far)), wait)?;
    let mut complaints = laid - 1;
    loop {
        match hear(talk) {
            said if complains(&said) && complaints > 0 => complaints -= 1,
            Ok(Some(acts)) if cells_of(&acts) == OPENS => {}
            said => return said,
        }
    }
}

/// Whether a program has said that something is wrong.
fn complains<T>(said: &Result<T, Fault>) -> bool {
    matches!(said, Err(Fault::Garbled(line)) if line.to_ascii_uppercase().starts_with("ERROR"))
}

/// How many stones open a game.
const OPENS: usize = 3;

fn cells_of(acts: &[Act]) -> usize {
    acts.iter().filter(|act| matches!(act, Act::Place(_))).count()
}

/// One stone a line, with 1 behind those of the side to move and 2 behind the others.
fn owned(so_far: &Negotiation) -> String {
    let position = so_far.position();
    let line = |ply: &Ply| {
        let owner = if ply.stone == position.to_move() { 1 } else { 2 };
        format!("{},{owner}\n", Alphabet::Piskvork.write(ply.cell, position.rules()))
    };
    position.plies().iter().map(line).collect()
}

/// How long a program that does not know a command may go on to complain of its lines.
const COMPLAINTS: Duration = Duration::from_millis(100);

/// Swap2 in Yixin-Board's words: the board, a step, and where a program keeps its side also a stone.
fn yixin_swap2(talk: &mut Talk, so_far: &Negotiation, time: &str, wait: Wait<'_>) -> Result<Option<Vec<Act>>, Fault> {
    std::thread::sleep(COMPLAINTS);
    talk.forget();
    let rules = so_far.position().rules();
    let stones = owned(so_far);
    let (board, step) = match so_far.position().plies().len() {
        0 => (String::new(), 1),
        laid => (format!("YXBOARD\n{stones}DONE\n"), if laid == OPENS { 2 } else { 3 }),
    };
    talk.say(&format!("{time}{board}YXSWAP2STEP{step}\n"), wait)?;
    let mut cells = Vec::new();
    let said = answer(talk, wait, |_| false, |line| read_yixin_swap2(&spoken(line, "SWAP2")?, rules, &mut cells))?;
    let keeps = said.as_ref().is_some_and(Vec::is_empty);
    if !keeps {
        return Ok(said);
    }
    let read = |line: &str| read_swap2(line, rules, so_far.position().plies().len());
    talk.say(&format!("BOARD\n{stones}DONE\n"), wait)?;
    answer(talk, wait, |line| read(line).is_some(), read)
}

/// Adds what a line says; all of it once nothing more is to come: nothing at all if the side is kept.
fn read_yixin_swap2(words: &[&str], rules: &Rules, acts: &mut Vec<Act>) -> Option<Result<Vec<Act>, String>> {
    let [name, x, y] = match words {
        ["SWAP1" | "SWAP2", "Y" | "YES"] => return Some(Ok(vec![Act::Swap])),
        ["SWAP1" | "SWAP2", "N" | "NO"] => return Some(Ok(Vec::new())),
        [name, x, y] => [*name, *x, *y],
        _ => return None,
    };
    let Some(cell) = point(x, y, rules) else { return Some(Err(words.join(" "))) };
    if name == "MOVE4" {
        acts.push(Act::More);
    }
    acts.push(Act::Place(cell));
    matches!(name, "MOVE3" | "MOVE5").then(|| Ok(std::mem::take(acts)))
}

/// Soosyrv-8 in up to two questions: whether to swap, and what to place.
fn soosyrv(talk: &mut Talk, so_far: &Negotiation, time: &str, wait: Wait<'_>) -> Result<Option<Vec<Act>>, Fault> {
    let Some(demand) = so_far.demand() else { return Ok(None) };
    let rules = *so_far.position().rules();
    let mut cells = stones(so_far);
    let (number, swap_step, step) = match demand.want {
        Want::Stone(..) if cells.is_empty() => (None, 0, 1),
        Want::Stone(..) => (None, 2, 3),
        Want::Fifths(count) => (Some(count), 4, 5),
        Want::Pick(_) => (None, 0, 6),
        Want::Count(_) => return Ok(None),
    };
    if step == 6 {
        cells.extend(so_far.offered());
    }
    let list = listed(cells, &rules);
    let number = number.map(|count| format!(" {count}")).unwrap_or_default();
    let say = |talk: &mut Talk, time: &str, step: u8| {
        let list = if step == 1 { String::new() } else { format!("{list}DONE\n") };
        talk.say(&format!("{time}YXSOOSORVSTEP{step}{number}\n{list}"), wait)
    };
    if demand.swap.is_some() {
        say(talk, time, swap_step)?;
        let swaps = answer(
            talk,
            wait,
            |_| false,
            |line| match spoken(line, "SOOSORV")?.as_slice() {
                ["SWAP1" | "SWAP2", "Y" | "YES"] => Some(Ok(true)),
                ["SWAP1" | "SWAP2", "N" | "NO"] => Some(Ok(false)),
                _ => None,
            },
        )?;
        match swaps {
            None => return Ok(None),
            Some(true) => return Ok(Some(vec![Act::Swap])),
            Some(false) => {}
        }
    }
    say(talk, if demand.swap.is_some() { "" } else { time }, step)?;
    let mut acts = Vec::new();
    let places = usize::from(demand.places);
    answer(talk, wait, |_| false, |line| read_soosyrv(&spoken(line, "SOOSORV")?, &rules, places, &mut acts))
}

/// What a brain says of an opening by this rule in the words of Yixin-Board.
fn spoken<'l>(line: &'l str, of: &str) -> Option<Vec<&'l str>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        [message, rule, rest @ ..] if message.eq_ignore_ascii_case("MESSAGE") && rule.eq_ignore_ascii_case(of) => {
            Some(rest.to_vec())
        }
        _ => None,
    }
}

/// Adds what a line says; all of it once nothing more is to come.
fn read_soosyrv(words: &[&str], rules: &Rules, places: usize, acts: &mut Vec<Act>) -> Option<Result<Vec<Act>, String>> {
    let bad = || Some(Err(words.join(" ")));
    let (mut last, points) = (
        false,
        match words {
            ["MOVE5", "REFRESH"] => return None,
            ["MOVE5", "DONE"] => return Some(Ok(std::mem::take(acts))),
            ["MOVE5", "C", x, y] => {
                let Some(cell) = point(x, y, rules) else { return bad() };
                return Some(Ok(vec![Act::Place(cell)]));
            }
            ["MOVE4", x, y, count] => {
                let (Some(cell), Ok(count)) = (point(x, y, rules), count.parse()) else { return bad() };
                return Some(Ok(vec![Act::Place(cell), Act::Count(count)]));
            }
            [_, x, y] => point(x, y, rules),
            _ => return None,
        },
    );
    let Some(cell) = points else { return bad() };
    acts.push(Act::Place(cell));
    // The three stones of the opening have no word after them.
    last |= words[0] == "MOVE3" || acts.len() > places;
    last.then(|| Ok(std::mem::take(acts)))
}

fn point(x: &str, y: &str, rules: &Rules) -> Option<Cell> {
    from_corner(x.parse().ok()?, y.parse().ok()?, rules)
}

fn stones(so_far: &Negotiation) -> Vec<Cell> {
    so_far.position().plies().iter().map(|ply| ply.cell).collect()
}

/// One cell a line.
fn listed(cells: Vec<Cell>, rules: &Rules) -> String {
    cells.into_iter().fold(String::new(), |mut text, cell| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", Alphabet::Piskvork.write(cell, rules));
        text
    })
}

/// Waits for a line that `read` understands, and that is `whole` even without an end; nothing if the brain does not know
/// the command.
fn answer<T>(
    talk: &mut Talk,
    wait: Wait<'_>,
    whole: impl Fn(&str) -> bool,
    mut read: impl FnMut(&str) -> Option<Result<T, String>>,
) -> Result<Option<T>, Fault> {
    loop {
        let line = talk.line(wait, &whole)?;
        match read(&line) {
            Some(Ok(said)) => return Ok(Some(said)),
            Some(Err(said)) => return Err(Fault::Garbled(lianzi_core::shorten(&said))),
            None => match super::piskvork::word(&line).as_str() {
                "UNKNOWN" => return Ok(None),
                "ERROR" => return Err(Fault::Garbled(lianzi_core::shorten(&line))),
                "" if line.trim().starts_with(|c: char| c.is_ascii_digit()) => {
                    return Err(Fault::Garbled(lianzi_core::shorten(&line)));
                }
                _ => {}
            },
        }
    }
}

/// `SWAP`, or one to three moves on a line: after three stones two of them leave the choice to the other one.
fn read_swap2(line: &str, rules: &Rules, laid: usize) -> Option<Result<Vec<Act>, String>> {
    if line.trim().eq_ignore_ascii_case("SWAP") {
        return Some(Ok(vec![Act::Swap]));
    }
    let mut acts = Vec::new();
    for text in line.split_whitespace() {
        match Alphabet::Piskvork.read(text, rules) {
            Ok(cell) => acts.push(Act::Place(cell)),
            Err(BadCell::OffBoard(_)) => return Some(Err(line.into())),
            Err(BadCell::Unreadable(_)) => return None,
        }
    }
    if laid == 3 && acts.len() == 2 {
        acts.insert(0, Act::More);
    }
    (1..=3).contains(&acts.len()).then_some(Ok(acts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_swap2() {
        let rules = Rules::gomoku(15);
        assert_eq!(read_swap2("swap", &rules, 3), Some(Ok(vec![Act::Swap])));
        for (line, laid, acts) in [("7,7", 3, 1), ("7,7 8,8", 3, 3), ("7,7 8,8", 5, 2), ("7,7 8,8 9,9", 0, 3)] {
            assert!(matches!(read_swap2(line, &rules, laid), Some(Ok(said)) if said.len() == acts), "{line}");
        }
        assert!(matches!(read_swap2("7,99", &rules, 3), Some(Err(_))));
        for none in ["MESSAGE 7,7", "7,7 8,8 9,9 10,10", "", "7,7 swap"] {
            assert_eq!(read_swap2(none, &rules, 0), None, "{none}");
        }
    }

    #[test]
    fn steps_of_soosyrv() {
        let rules = Rules::renju(15);
        let said = |lines: &[&str], places| {
            let mut acts = Vec::new();
            lines.iter().find_map(|line| read_soosyrv(&spoken(line, "SOOSORV")?, &rules, places, &mut acts))
        };
        let words = |said: Option<Result<Vec<Act>, String>>| {
            said.unwrap().unwrap().iter().map(Act::to_string).collect::<Vec<_>>().join(" ")
        };
        let three =
            ["MESSAGE thinking", "MESSAGE SOOSORV MOVE1 7 7", "MESSAGE SOOSORV MOVE2 7 6", "MESSAGE SOOSORV MOVE3 8 6"];
        assert_eq!(words(said(&three, 3)), "h8 h9 i9");
        assert_eq!(words(said(&["message soosorv MOVE4 4 9 2"], 1)), "e6 2");
        let fifths = [
            "MESSAGE SOOSORV MOVE5 REFRESH",
            "MESSAGE SOOSORV MOVE5 6 6",
            "MESSAGE SOOSORV MOVE5 5 5",
            "MESSAGE SOOSORV MOVE5 DONE",
        ];
        assert_eq!(words(said(&fifths, 2)), "g9 f10");
        assert_eq!(words(said(&["MESSAGE SOOSORV MOVE5 C 6 6"], 1)), "g9");
        assert!(matches!(said(&["MESSAGE SOOSORV MOVE4 99 9 2"], 1), Some(Err(_))));
        assert_eq!(said(&["MESSAGE SOOSORV"], 1), None);
    }
}
