//! Connect6 through files: `black.csv` and `white.csv`, a row for each turn.
//!
//! ```text
//! 00/00/07,2,"(7,9)","(8,10)"       game clock hh/mm/ss, number of the side's turn, stones as (row,column)
//! ```
//!
//! Rows are counted from the top and from 1: they are flipped here and only here. The clock is common to both
//! files: a turn took as long as lies between its time and that of the opponent's turn before. We write times
//! that grow with every turn, because a judge may take equal ones for a foul.

use super::draft::{Draft, DraftMove, MAX_PLIES};
use super::format::{Take, refuse_blocked, refuse_setup};
use super::text::{cell_from_top, number};
use super::{GameRecord, LoadError, Reason};
use crate::{Cell, Ending, Limit, Placement, Rules, Stone, Text, Verdict, text};

const TURN: Text =
    Text::fixed("a turn such as 00/00/07,2,\"(7,9)\",\"(8,10)\"", " 00/00/07,2,\"(7,9)\",\"(8,10)\" 这样的一手");
const STEP: Text = Text::fixed("the number of the turn, counted from 1", "从 1 起逐行递增的手数");
const QUOTE: Text = Text::fixed("a closing quotation mark", "的后引号");
/// No turn has so many stones.
const MAX_FIELDS: usize = 40;

/// One row: a turn of one side.
struct Row {
    line: usize,
    seconds: u64,
    stones: Vec<(u32, u32)>,
}

/// Reads one game: Connect6 on 15×15 unless the caller knows better.
pub(super) fn read(black: &str, white: &str, rules: Option<Rules>, take: Take<'_>) -> Result<(), LoadError> {
    let mut draft = Draft::new(rules.unwrap_or(Rules::connect6(15)));
    let sides = [rows(black, Stone::Black)?, rows(white, Stone::White)?];
    if sides.iter().all(Vec::is_empty) {
        return Ok(());
    }
    let turns = sides[0].len().max(sides[1].len());
    let mut clock = 0;
    for turn in 0..turns {
        for side in Stone::BOTH {
            if let Some(row) = sides[side.index()].get(turn) {
                push_turn(&mut draft, row, side, row.seconds.saturating_sub(clock) * 1000);
                clock = row.seconds;
            }
        }
    }
    take(draft)
}

fn push_turn(draft: &mut Draft, row: &Row, side: Stone, time_ms: u64) {
    let height = draft.record.rules.height;
    for (index, &(r, c)) in row.stones.iter().enumerate() {
        let mut written = match cell_from_top(c, r, height) {
            Some(cell) => DraftMove::new(Some(side), cell, row.line),
            None => DraftMove::beyond(Some(side), &format!("({r},{c})"), row.line),
        };
        written.given = if index == 0 { row.stones.len() } else { 0 };
        written.rest.time_ms = (index + 1 == row.stones.len()).then_some(time_ms);
        draft.push(written);
    }
}

/// What should stand on this line of the side's file instead of what was found.
fn expected(side: Stone, line: usize, what: Text, found: &str) -> LoadError {
    LoadError::expected(line, text!("in {side}.csv, {what}", "{side}.csv 中{what}"; what), found)
}

/// All rows of a side's file; no more than any game can have.
fn rows(text: &str, side: Stone) -> Result<Vec<Row>, LoadError> {
    let mut found = Vec::new();
    let mut scanner = Scanner { rest: text, line: 1, side };
    while let Some((line, fields)) = scanner.row()? {
        if fields.iter().all(|field| field.trim().is_empty()) {
            continue;
        }
        let wrong = |what| expected(side, line, what, &fields.join(","));
        let [time, step, stones @ ..] = fields.as_slice() else { return Err(wrong(TURN)) };
        let stones: Option<Vec<_>> = stones.iter().map(|stone| point(stone)).collect();
        let stones = stones.filter(|stones| !stones.is_empty()).ok_or_else(|| wrong(TURN))?;
        let seconds = seconds(time).ok_or_else(|| wrong(TURN))?;
        if number(step.trim()) != u32::try_from(found.len() + 1).ok() {
            return Err(wrong(STEP));
        }
        found.push(Row { line, seconds, stones });
        if found.len() > MAX_PLIES {
            break;
        }
    }
    Ok(found)
}

fn seconds(text: &str) -> Option<u64> {
    let mut parts = text.trim().split('/').map(|part| number(part).map(u64::from));
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    let plain = parts.next().is_none() && minutes < 60 && seconds < 60;
    plain.then_some(hours * 3600 + minutes * 60 + seconds)
}

fn point(text: &str) -> Option<(u32, u32)> {
    let (row, column) = text.trim().strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    Some((number(row.trim())?, number(column.trim())?))
}

/// Goes through a file field by field; quotation marks may enclose commas, line ends and doubled marks.
struct Scanner<'a> {
    rest: &'a str,
    line: usize,
    side: Stone,
}

impl Scanner<'_> {
    /// The next row and the line it begins on.
    fn row(&mut self) -> Result<Option<(usize, Vec<String>)>, LoadError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let line = self.line;
        let mut fields = Vec::new();
        loop {
            fields.push(self.field()?);
            if fields.len() > MAX_FIELDS {
                let what = Text::fixed("too many fields in a row", "一行中的字段过多");
                return Err(LoadError { line, reason: Reason::TooMuch(what, MAX_FIELDS) });
            }
            match self.step() {
                Some(',') => {}
                _ => return Ok(Some((line, fields))),
            }
        }
    }

    /// The next field; stops before the comma or line end behind it.
    fn field(&mut self) -> Result<String, LoadError> {
        let mut field = String::new();
        let open = self.line;
        let mut quoted = false;
        while let Some(c) = self.rest.chars().next() {
            match c {
                '"' if quoted && self.rest[1..].starts_with('"') => {
                    self.step();
                    field.push('"');
                }
                '"' => quoted = !quoted,
                ',' | '\n' | '\r' if !quoted => return Ok(field),
                _ => field.push(c),
            }
            self.step();
        }
        if quoted { Err(expected(self.side, open, QUOTE, "")) } else { Ok(field) }
    }

    /// Moves past one character, or past both of a CRLF.
    fn step(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        let length = if self.rest.starts_with("\r\n") { 2 } else { c.len_utf8() };
        self.rest = &self.rest[length..];
        self.line += usize::from(c == '\n' || c == '\r');
        Some(c)
    }
}

/// Writes one game: Black's file and White's.
pub(super) fn write(record: &GameRecord) -> Result<[String; 2], Text> {
    let rules = &record.rules;
    if (rules.line, rules.first_turn, rules.per_turn, rules.placement) != (6, 1, 2, Placement::Anywhere) {
        return Err(Text::fixed("it is for Connect6", "它只用于六子棋"));
    }
    refuse_setup(record)?;
    refuse_blocked(record)?;
    let position = record.position();
    if position.mid_turn() && position.outcome().is_none() {
        return Err(Text::fixed("a turn is only half played", "有一手只下了一半"));
    }
    if record.moves.is_empty() {
        return Err(Text::fixed("without a move its files are empty", "没有着法时文件为空"));
    }
    let mut files = [String::new(), String::new()];
    let (mut ply, mut clock, mut steps) = (0, 0, [0; 2]);
    while ply < record.moves.len() {
        let (side, left) = rules.turn_at(ply);
        let end = (ply + usize::from(left)).min(record.moves.len());
        let spent: u64 = record.moves[ply..end].iter().filter_map(|played| played.time_ms).sum();
        clock += (spent / 1000).max(u64::from(ply > 0));
        steps[side.index()] += 1;
        let surplus = if end == record.moves.len() { record.surplus.as_slice() } else { &[] };
        let played = record.moves[ply..end].iter().map(|played| played.cell);
        let cells: Vec<Cell> = played.chain(surplus.iter().copied()).collect();
        files[side.index()] += &turn_row(clock, steps[side.index()], &cells, rules);
        ply = end;
    }
    Ok(files)
}

/// The row of one turn: its time on the game clock in seconds, its number among the side's turns, its stones.
pub fn turn_row(clock: u64, number: usize, cells: &[Cell], rules: &Rules) -> String {
    let stone = |cell: &Cell| format!(",\"({},{})\"", rules.height - cell.row, cell.column + 1);
    let stones: String = cells.iter().map(stone).collect();
    let (h, m, s) = (clock / 3600, clock / 60 % 60, clock % 60);
    format!("{h:02}/{m:02}/{s:02},{number}{stones}\n")
}

/// Seconds that a turn may take (S0-79, S0-80).
pub const TURN_LIMIT: u64 = 5;

/// The first foul that the times of a game show: a turn over the limit, and, when judged strictly, a first time of
/// White that is not later than Black's. Nobody waits for Black's first stone, so it has no limit.
pub fn time_foul(record: &GameRecord, limit: u64, strict: bool) -> Option<Verdict> {
    let turns = record.moves.iter().enumerate().filter_map(|(ply, played)| Some((ply, played.time_ms?)));
    let mut later = turns.filter(|(ply, _)| *ply > 0).enumerate();
    later.find_map(|(turn, (ply, time_ms))| {
        let side = record.rules.turn_at(ply).0;
        if strict && turn == 0 && time_ms == 0 {
            return Some(Verdict::fault(side, Ending::OutOfTurn));
        }
        (time_ms > limit * 1000).then(|| Verdict::fault(side, Ending::Timeout { limit: Limit::Move }))
    })
}

/// What the document prints of a foul (S0-84 to S0-91); it has no words for the others.
pub fn printed_foul(verdict: &Verdict) -> Option<&'static str> {
    let black = verdict.blame? == Stone::Black;
    let pick = |of_black, of_white| if black { of_black } else { of_white };
    match &verdict.ending {
        Ending::OutOfTurn if !black => Some("white steal the first move"),
        Ending::Stones { wanted, given } if *given > usize::from(*wanted) => Some("Too much chess for one step!!!"),
        // Checked in the document's code, but without a text of its own.
        Ending::Stones { .. } => Some("Too few chess for one step!!!"),
        Ending::AfterEnd => Some(pick("black? you lose your mind", "white? you lose your mind")),
        Ending::Timeout { .. } => Some(pick("black, you have used out of time", "white, you have used out of time")),
        Ending::Tampered | Ending::Illegal { .. } => Some("opponent break the rule!"),
        _ => None,
    }
}

/// The stones of the last turn in a side's file; those beyond every board by the name they have there.
pub fn last_turn(file: &str, height: u8) -> Vec<Result<Cell, String>> {
    let rows = rows(file, Stone::Black).unwrap_or_default();
    let stones = rows.last().map_or(&[][..], |row| &row.stones);
    stones.iter().map(|&(r, c)| cell_from_top(c, r, height).ok_or_else(|| format!("({r},{c})"))).collect()
}

/// The time of the last turn in a side's file, in seconds; nothing when there is no turn that can be read.
pub fn last_time(file: &str) -> Option<u64> {
    rows(file, Stone::Black).ok()?.last().map(|row| row.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Document, Format::Csv, Loaded, Problem};
    use crate::{IllegalMove, Outcome};

    const BLACK: &str = "00/00/00,1,\"(8,8)\"\n00/00/03,2,\"(7,9)\",\"(8,10)\"\n";
    const WHITE: &str = "00/00/01,1,\"(9,9)\",\"(10,8)\"\n";

    fn pair(black: &str, white: &str) -> Document {
        Document::Pair { black: black.into(), white: white.into() }
    }

    fn game(black: &str, white: &str) -> Loaded {
        Csv.read(&pair(black, white), None).unwrap().remove(0)
    }

    #[test]
    fn a_pair_is_read_and_written() {
        let read = game(BLACK, WHITE);
        assert_eq!((read.problem, read.record.rules), (None, Rules::connect6(15)));
        let moves = &read.record.moves;
        let cells: Vec<_> = moves.iter().map(|m| m.cell.to_string()).collect();
        assert_eq!(cells, ["h8", "i7", "h6", "i9", "j8"]);
        let times: Vec<_> = moves.iter().map(|m| m.time_ms).collect();
        assert_eq!(times, [Some(0), None, Some(1000), None, Some(2000)]);
        assert_eq!(Csv.write(&[read.record]), Ok(pair(BLACK, WHITE)));
    }

    #[test]
    fn every_line_ending_and_spelling_is_read() {
        let expected = game(BLACK, WHITE).record;
        for ending in ["\r\n", "\r"] {
            let read = game(&BLACK.replace('\n', ending), WHITE.trim_end());
            assert_eq!(read.record, expected);
        }
        let doubled = game(BLACK, "\u{feff}00/00/01 , 1 , \"( 9 , 9 )\",\"(10,8)\"\n\n");
        assert_eq!(doubled.record, expected);
    }

    #[test]
    fn equal_times_are_written_apart() {
        let same = BLACK.replace("00/00/03", "00/00/00");
        let record = game(&same, &WHITE.replace("00/00/01", "00/00/00")).record;
        let Ok(Document::Pair { black, white }) = Csv.write(&[record]) else { panic!("csv is a pair") };
        assert!(String::from_utf8(white).unwrap().starts_with("00/00/01"));
        assert!(String::from_utf8(black).unwrap().contains("00/00/02,2"));
    }

    #[test]
    fn fouls_are_those_of_the_side_and_line() {
        let verdict = |black, white| {
            let read = game(black, white);
            (read.record.verdict.blame, read.record.verdict.ending.name(), read.problem)
        };
        let (black, white) = (Some(Stone::Black), Some(Stone::White));
        let at = |line| Some(Problem { line });
        assert_eq!(verdict("", WHITE), (white, "out-of-turn", at(1)));
        assert_eq!(verdict("0/0/0,1,\"(1,1)\",\"(1,2)\"", ""), (black, "stones", at(1)));
        let few = verdict("0/0/0,1,\"(1,1)\"\n0/0/2,2,\"(2,2)\"", WHITE);
        assert_eq!(few, (black, "stones", at(2)));
        let three = verdict(BLACK, "\n0/0/1,1,\"(9,9)\",\"(9,1)\",\"(9,2)\"");
        assert_eq!(three, (white, "stones", at(2)));
        let early = verdict(BLACK, "");
        assert_eq!(early, (black, "out-of-turn", at(2)));
        assert_eq!(verdict(BLACK, "0/0/1,1,\"(16,1)\",\"(1,1)\""), (white, "illegal", at(1)));
    }

    #[test]
    fn times_show_fouls_too() {
        let foul = |black: &str, white: &str, strict| {
            let verdict = time_foul(&game(black, white).record, TURN_LIMIT, strict)?;
            Some((verdict.blame?, printed_foul(&verdict)?))
        };
        assert_eq!(foul(BLACK, WHITE, true), None);
        let equal = WHITE.replace("00/00/01", "00/00/00");
        assert_eq!(foul(BLACK, &equal, false), None);
        assert_eq!(foul(BLACK, &equal, true), Some((Stone::White, "white steal the first move")));
        let late = WHITE.replace("00/00/01", "00/00/06");
        assert_eq!(foul(BLACK, &late, false), Some((Stone::White, "white, you have used out of time")));
        let late = BLACK.replace("00/00/03", "00/00/07");
        assert_eq!(foul(&late, WHITE, false), Some((Stone::Black, "black, you have used out of time")));
        let at_leisure = BLACK.replace("00/00/00", "00/01/00").replace("00/00/03", "00/01/05");
        assert_eq!(foul(&at_leisure, &WHITE.replace("00/00/01", "00/01/05"), true), None);
    }

    #[test]
    fn every_printed_foul_has_its_text() {
        let text = |side, ending| printed_foul(&Verdict::fault(side, ending));
        let stones = |wanted, given| Ending::Stones { wanted, given };
        let timeout = || Ending::Timeout { limit: Limit::Move };
        for (side, ending, expected) in [
            (Stone::White, Ending::OutOfTurn, "white steal the first move"),
            (Stone::Black, stones(2, 3), "Too much chess for one step!!!"),
            (Stone::White, stones(2, 3), "Too much chess for one step!!!"),
            (Stone::White, stones(2, 1), "Too few chess for one step!!!"),
            (Stone::Black, Ending::AfterEnd, "black? you lose your mind"),
            (Stone::White, Ending::AfterEnd, "white? you lose your mind"),
            (Stone::Black, timeout(), "black, you have used out of time"),
            (Stone::White, timeout(), "white, you have used out of time"),
            (Stone::White, Ending::Tampered, "opponent break the rule!"),
            (Stone::Black, Ending::Illegal { at: "h8".into(), why: IllegalMove::Occupied }, "opponent break the rule!"),
        ] {
            assert_eq!(text(side, ending), Some(expected));
        }
        assert_eq!(text(Stone::Black, Ending::OutOfTurn), None);
        assert_eq!(printed_foul(&Verdict::UNFINISHED), None);
    }

    #[test]
    fn a_second_stone_after_six_is_surplus() {
        let row = |n: usize, stones: &str| format!("0/0/{n},{n},{stones}\n");
        let black = row(1, "\"(1,1)\"") + &row(2, "\"(1,2)\",\"(1,3)\"") + &row(3, "\"(1,4)\",\"(1,5)\"");
        let white: String = (1..4).map(|n| row(n, &format!("\"({},15)\",\"({},14)\"", n * 3, n * 3))).collect();
        for (last, surplus) in [("\"(1,6)\",\"(15,1)\"", 1), ("\"(1,6)\"", 0)] {
            let read = game(&(black.clone() + &row(4, last)), &white);
            assert_eq!(read.problem, None);
            assert_eq!(read.record.verdict, Verdict::by_stones(Outcome::Win(Stone::Black)));
            assert_eq!(read.record.surplus.len(), surplus);
            let again = Csv.read(&Csv.write(std::slice::from_ref(&read.record)).unwrap(), None).unwrap().remove(0);
            assert_eq!((again.record.surplus, again.problem), (read.record.surplus, None));
        }
        let after = game(&(black + &row(4, "\"(1,6)\",\"(15,1)\"")), &(white + &row(4, "\"(9,1)\",\"(9,2)\"")));
        assert_eq!(after.record.verdict.ending, Ending::AfterEnd);
        assert_eq!(after.problem, Some(Problem { line: 4 }));
    }

    #[test]
    fn whoever_moves_after_the_others_six_is_to_blame() {
        // S0-76 to S0-78: ⚠ the printed test would accuse Black of every game that White wins. Only a turn after
        // the winning one is a foul, and only the loser can play it.
        let row = |n: usize, stones: &str| format!("0/0/{n},{n},{stones}\n");
        let far = |n: usize| row(n, &format!("\"({},15)\",\"({},14)\"", n * 3, n * 3));
        let six = |n: usize| row(n, &format!("\"(1,{})\",\"(1,{})\"", 2 * n - 1, 2 * n));
        let white = six(1) + &six(2) + &six(3);
        let black = row(1, "\"(15,1)\"") + &far(2) + &far(3);
        let over = game(&black, &white);
        assert_eq!((over.record.verdict.blame, over.problem), (None, None));
        assert_eq!(over.record.verdict.outcome, Some(Outcome::Win(Stone::White)));
        let after = game(&(black + &far(4)), &white);
        assert_eq!(after.record.verdict.ending, Ending::AfterEnd);
        assert_eq!((after.record.verdict.blame, after.problem), (Some(Stone::Black), Some(Problem { line: 4 })));
        let black = row(1, "\"(1,7)\"") + &six(2) + &six(3) + &row(4, "\"(1,8)\",\"(1,9)\"");
        let white = far(1) + &far(2) + &far(3);
        assert_eq!(game(&black, &white).record.verdict.outcome, Some(Outcome::Win(Stone::Black)));
        let after = game(&black, &(white + &far(4)));
        assert_eq!((after.record.verdict.ending, after.record.verdict.blame), (Ending::AfterEnd, Some(Stone::White)));
    }

    #[test]
    fn broken_files_are_refused_where_they_break() {
        for (text, line) in [
            ("00/00/00,1", 1),
            ("00/00/00,1,\"(8,8", 1),
            ("00/00/00,1,\"(8,8)\"\n00/00/03,2,\"(7,9)\",\"(8,", 2),
            ("00/00/00,1,\"(8,8)\"\n00/00/03,3,\"(7,9)\",\"(8,9)\"", 2),
            ("00/61/00,1,\"(8,8)\"", 1),
            ("00/00/00,1,\"(8;8)\"", 1),
            ("00/00/00,1,,", 1),
        ] {
            assert_eq!(Csv.read(&pair(text, ""), None).unwrap_err().line, line, "{text}");
        }
        assert!(Csv.read(&pair("", "\n"), None).is_err());
        assert!(Csv.read(&Document::Single(Vec::new()), None).is_err());
    }

    #[test]
    fn what_is_not_connect6_is_not_written() {
        for name in ["gomoku", "connect6/a1", "connect6"] {
            assert!(write(&GameRecord::new(name.parse().unwrap())).is_err(), "{name}");
        }
        let mut record = game(BLACK, WHITE).record;
        record.moves.pop();
        assert!(write(&record).is_err());
    }
}
