//! Piskvork's `.psq`: a heading with the size, `x,y,ms` a move, two names, and a code for how it ended.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0
//! 8,8,120          x = column, y = row, both from 1, from the top left: rows are flipped here and only here
//! first player
//! second player
//! 0                0 normal, 15 timeout, 7 invalid move, 16 memory, 9 terminated, -1 unknown
//! ```
//!
//! The side to move when the list ends is the one the code blames. The file does not say which kind of five in a
//! row it is: free style unless the caller knows better.

use super::draft::{Draft, DraftMove};
use super::format::{Take, refuse_blocked, refuse_setup};
use super::text::{cell_from_top, lines, number, one_line, sized};
use super::{GameRecord, LoadError};
use crate::{Ending, Limit, Placement, Position, Rules, Stone, Text, Verdict};

const HEADING: Text = Text::fixed("'Piskvorky 15x15, 11:11, 0'", "“Piskvorky 15x15, 11:11, 0”这样的首行");
const MOVE: Text = Text::fixed("a move x,y,milliseconds", "一步 x,y,毫秒");
const UNNAMED: &str = "?";

/// Reads one game.
pub(super) fn read(text: &str, rules: Option<Rules>, take: Take<'_>) -> Result<(), LoadError> {
    let mut rest = lines(text).map(|(n, line)| (n, line.trim())).filter(|(_, line)| !line.is_empty());
    let (line, heading) = rest.next().unwrap_or((1, ""));
    let (width, height) = size(heading).ok_or_else(|| LoadError::expected(line, HEADING, heading))?;
    let rules = sized(rules.unwrap_or(Rules::gomoku(15)), width, height, line)?;
    let mut draft = Draft::new(rules);
    let mut trailer = Vec::new();
    for (line, found) in rest {
        match (numbers(found), trailer.is_empty()) {
            (Some([x, y, ms]), true) => draft.push(stone(&rules, x, y, ms, line)),
            // After the names nothing matters, but a move among them means that the list is broken.
            (Some(_), false) if trailer.len() < 2 => return Err(LoadError::expected(line, MOVE, trailer[0])),
            (None, true) if looks_cut(found) => return Err(LoadError::expected(line, MOVE, found)),
            _ if trailer.len() < 3 => trailer.push(found),
            _ => {}
        }
    }
    finish(&mut draft, &trailer);
    take(draft)
}

fn size(heading: &str) -> Option<(u32, u32)> {
    let size = heading.strip_prefix("Piskvorky")?.trim_start().split([',', ' ']).next()?;
    let (width, height) = size.split_once('x')?;
    Some((number(width)?, number(height)?))
}

/// Three whole numbers; the last one, the time, may be below 0.
fn numbers(line: &str) -> Option<[u32; 3]> {
    let mut parts = line.split(',').map(str::trim);
    let found = [number(parts.next()?)?, number(parts.next()?)?, {
        let time = parts.next()?;
        number(time).or_else(|| number(time.strip_prefix('-')?).map(|_| 0))?
    }];
    parts.next().is_none().then_some(found)
}

/// Whether a line is the beginning of a move rather than a name or a code.
fn looks_cut(line: &str) -> bool {
    line.contains(',') && line.bytes().all(|b| b.is_ascii_digit() || b", -".contains(&b))
}

fn stone(rules: &Rules, x: u32, y: u32, ms: u32, line: usize) -> DraftMove {
    let mut written = match cell_from_top(x, y, rules.height) {
        Some(cell) => DraftMove::new(None, cell, line),
        None => DraftMove::beyond(None, &format!("{x},{y}"), line),
    };
    written.rest.time_ms = Some(ms.into());
    written
}

/// Takes names and verdict from what follows the moves.
fn finish(draft: &mut Draft, trailer: &[&str]) {
    // A code alone, without names, is what old versions write.
    let (names, code) = match trailer {
        [code] => (["", ""], *code),
        [first, second, rest @ ..] => ([*first, *second], rest.first().copied().unwrap_or_default()),
        [] => return,
    };
    for (side, name) in draft.record.sides.iter_mut().zip(names) {
        side.name = if name == UNNAMED { String::new() } else { name.to_string() };
    }
    let blamed = draft.record.rules.turn_at(draft.moves.len()).0;
    let fault = |ending| Verdict::fault(blamed, ending);
    let code = code.split([',', ' ']).next().unwrap_or_default();
    draft.record.verdict = match code {
        "15" => fault(Ending::Timeout { limit: Limit::Move }),
        "7" => fault(Ending::Garbled { said: "psq 7".into() }),
        "9" | "16" => fault(Ending::Crashed { how: format!("psq {code}") }),
        _ => Verdict::UNFINISHED,
    };
}

/// Writes one game.
pub(super) fn write(record: &GameRecord) -> Result<String, Text> {
    let rules = &record.rules;
    if (rules.line, rules.first_turn, rules.per_turn, rules.placement) != (5, 1, 1, Placement::Anywhere) {
        return Err(Text::fixed("it is for five in a row with one stone a turn", "它只用于每手一子的五子棋"));
    }
    refuse_setup(record)?;
    refuse_blocked(record)?;
    let mut text = format!("Piskvorky {}x{}, 11:11, 0\n", rules.width, rules.height);
    for played in &record.moves {
        let (x, y) = (played.cell.column + 1, rules.height - played.cell.row);
        text += &format!("{x},{y},{}\n", played.time_ms.unwrap_or(0).min(u32::MAX.into()));
    }
    for side in &record.sides {
        text += &(name(&side.name) + "\n");
    }
    text += &format!("{}\n", code(&record.verdict, &record.position()));
    Ok(text)
}

fn name(name: &str) -> String {
    let name = one_line(name);
    match name.as_str() {
        "" => UNNAMED.into(),
        _ if looks_cut(&name) => format!("\"{name}\""),
        _ => name,
    }
}

fn code(verdict: &Verdict, position: &Position) -> i32 {
    let to_move: Option<Stone> = Some(position.to_move());
    match &verdict.ending {
        _ if verdict.ending.is_fault() && verdict.blame != to_move => -1,
        Ending::Timeout { .. } => 15,
        Ending::Illegal { .. } | Ending::Garbled { .. } => 7,
        ending if ending.is_fault() => 9,
        Ending::Unfinished => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{loaded, refused, written};
    use super::*;
    use crate::record::Format::Psq;

    const GAME: &str = "Piskvorky 20x15, 11:11, 0\r\n10,8,120\r\n1,1,-5\r\n20,15,7\r\na.zip\r\nb.zip\r\n15, x\r\n";

    #[test]
    fn a_file_is_read() {
        let game = loaded(Psq, GAME, None);
        let record = game.record;
        assert_eq!(record.rules.to_string(), "connect:20,15,5,1,1");
        let cells: Vec<_> = record.moves.iter().map(|m| m.cell.to_string()).collect();
        assert_eq!(cells, ["j8", "a15", "t1"]);
        assert_eq!(record.moves[0].time_ms, Some(120));
        assert_eq!([&record.sides[0].name, &record.sides[1].name], ["a.zip", "b.zip"]);
        assert_eq!(record.verdict, Verdict::fault(Stone::White, Ending::Timeout { limit: Limit::Move }));
    }

    #[test]
    fn a_file_is_written() {
        let record = loaded(Psq, GAME, None).record;
        let text = "Piskvorky 20x15, 11:11, 0\n10,8,120\n1,1,0\n20,15,7\na.zip\nb.zip\n15\n";
        assert_eq!(written(Psq, &record), text);
    }

    #[test]
    fn trailing_lines_are_optional() {
        for tail in ["", "0", "a\nb", "a\nb\n0\nmore\nlines, 1, 2"] {
            let game = loaded(Psq, &format!("Piskvorky 15x15, 11:11, 0\n8,8,0\n{tail}"), None);
            assert_eq!((game.record.moves.len(), game.problem), (1, None), "{tail}");
        }
    }

    #[test]
    fn broken_files_are_refused_where_they_break() {
        for (text, line) in [
            ("", 1),
            ("Piskvorky", 1),
            ("Piskvorky 15x, 11:11", 1),
            ("Piskvorky 1000000000x15, 11:11, 0", 1),
            ("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,", 3),
            ("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9", 3),
            ("Piskvorky 15x15, 11:11, 0\n8,8,0\nname\n9,9,0", 4),
        ] {
            assert_eq!(refused(Psq, text, None).line, line, "{text}");
        }
    }

    #[test]
    fn fouls_are_found_at_their_line() {
        let text = "Piskvorky 15x15, 11:11, 0\n\n8,8,0\n16,1,0\n";
        let game = loaded(Psq, text, None);
        assert_eq!(game.problem.unwrap().line, 4);
        assert_eq!(game.record.verdict.blame, Some(Stone::White));
        let game = loaded(Psq, "Piskvorky 15x15, 11:11, 0\n8,8,0\n999,1,0\n", None);
        assert!(game.whole().unwrap_err().to_string().contains("999,1"));
    }

    #[test]
    fn only_five_in_a_row_is_written() {
        for game in ["connect6", "connect4", "gomoku/a1", "connect:9,9,4,1,1"] {
            assert!(write(&GameRecord::new(game.parse().unwrap())).is_err(), "{game}");
        }
        assert!(write(&GameRecord::new(Rules::renju(15))).is_ok());
    }
}
