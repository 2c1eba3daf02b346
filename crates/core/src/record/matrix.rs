//! A position as a board of numbers: rows of numbers, or `[[0,1],[2,0]]`. The first row is the top one: rows are
//! flipped here and only here.
//!
//! Two codings are in use: S0 has 0 empty, 1 black, 2 white; S2 has 0 black, 1 white, 2 empty. Nothing in the file
//! tells them apart, so the caller names one. Whose turn it is follows from the number of stones.

use std::cmp::Ordering;

use super::draft::Draft;
use super::format::{Take, refuse_blocked};
use super::text::{lines, number, sized};
use super::{GameRecord, LoadError, Reason};
use crate::{BadGame, Cell, MAX_SIDE, Ply, Rules, Setup, Stone, Text};

const NUMBERS: Text = Text::fixed("a row of numbers 0, 1 or 2", "由数字 0、1、2 组成的一行");
const BRACKET: Text = Text::fixed("a closing bracket", "右方括号");
const EQUAL: Text = Text::fixed("a row as long as the first one", "与首行等长的一行");

/// The cells of a board, its top row first.
pub type Matrix = Vec<Vec<Option<Stone>>>;

/// Reads a board in the coding of S0, whatever game it may belong to.
pub fn read_board(text: &str) -> Result<Matrix, LoadError> {
    rows(text, Coding::S0)
}

/// Whether one turn of Connect6 leads from one board to the other: new stones of the side to move on empty cells,
/// one in the first turn and two after it (or what was free), and nothing else changed.
pub fn is_turn(old: &Matrix, new: &Matrix) -> bool {
    let shape = |board: &Matrix| (board.len(), board.first().map_or(0, Vec::len));
    let cells = || old.iter().flatten().zip(new.iter().flatten());
    let kept = cells().all(|(before, after)| before.is_none() || before == after);
    let placed: Vec<Stone> =
        cells().filter(|(before, after)| before != after).filter_map(|(_, after)| *after).collect();
    let count = |side| old.iter().flatten().filter(|cell| **cell == Some(side)).count();
    let (black, white) = (count(Stone::Black), count(Stone::White));
    let free = old.iter().flatten().filter(|cell| cell.is_none()).count();
    let wanted = if black + white == 0 { 1 } else { free.min(2) };
    // With as many black as white stones nobody can say whose turn it was.
    let mover = match black.cmp(&white) {
        Ordering::Greater => Some(Stone::White),
        Ordering::Less => Some(Stone::Black),
        Ordering::Equal if black == 0 => Some(Stone::Black),
        Ordering::Equal => placed.first().copied(),
    };
    shape(old) == shape(new) && kept && placed.len() == wanted && placed.iter().all(|&stone| Some(stone) == mover)
}

/// What the numbers mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    S0,
    S2,
}

impl Coding {
    fn read(self, number: u32) -> Option<Option<Stone>> {
        match (self, number) {
            (Coding::S0, 0) | (Coding::S2, 2) => Some(None),
            (Coding::S0, 1) | (Coding::S2, 0) => Some(Some(Stone::Black)),
            (Coding::S0, 2) | (Coding::S2, 1) => Some(Some(Stone::White)),
            _ => None,
        }
    }

    fn digit(self, stone: Option<Stone>) -> char {
        let codes = match self {
            Coding::S0 => ['0', '1', '2'],
            Coding::S2 => ['2', '0', '1'],
        };
        codes[stone.map_or(0, |stone| stone.index() + 1)]
    }
}

type Row = Vec<Option<Stone>>;

/// Reads one position: Connect6 on a square board on which six fit, else what the caller says.
pub(super) fn read(text: &str, coding: Coding, rules: Option<Rules>, take: Take<'_>) -> Result<(), LoadError> {
    let rows = rows(text, coding)?;
    let Some(first) = rows.first() else { return Ok(()) };
    let (width, height) = (first.len(), rows.len());
    let usual = (width == height && width >= 6).then_some(Rules::connect6(19));
    let rules = rules.or(usual).ok_or(LoadError { line: 0, reason: Reason::WhichGame })?;
    let rules = sized(rules, width as u32, height as u32, 1)?;
    let mut draft = Draft::new(rules);
    draft.record.setup = Some(setup(&rules, &rows)?);
    draft.setup_line = 1;
    take(draft)
}

fn rows(text: &str, coding: Coding) -> Result<Vec<Row>, LoadError> {
    let mut rows = Rows { coding, rows: Vec::new() };
    if text.contains('[') {
        rows.bracketed(text)?
    } else {
        rows.plain(text)?
    }
    Ok(rows.rows)
}

struct Rows {
    coding: Coding,
    rows: Vec<Row>,
}

impl Rows {
    /// A row on each line.
    fn plain(&mut self, text: &str) -> Result<(), LoadError> {
        for (line, found) in lines(text) {
            if !found.trim().is_empty() {
                self.row(found, line)?;
            }
        }
        Ok(())
    }

    /// A row in each innermost pair of brackets.
    fn bracketed(&mut self, text: &str) -> Result<(), LoadError> {
        let (mut depth, mut line, mut start) = (0, 1, 0);
        for (at, c) in text.char_indices() {
            match c {
                '[' if depth < 2 => (depth, start) = (depth + 1, at + 1),
                ']' if depth > 0 => {
                    // The outer bracket closes right behind a row, with nothing of its own before it.
                    if !text[start..at].trim().is_empty() {
                        self.row(&text[start..at], line)?;
                    }
                    (depth, start) = (depth - 1, at + 1);
                }
                ',' if text[start..at].trim().is_empty() => start = at + 1,
                '\n' => line += 1,
                '\r' if !text[at + 1..].starts_with('\n') => line += 1,
                ' ' | '\t' | '\r' | ',' | '0'..='9' if depth > 0 || c.is_whitespace() => {}
                _ => return Err(LoadError::expected(line, NUMBERS, &text[at..])),
            }
        }
        if depth > 0 { Err(LoadError::expected(line, BRACKET, "")) } else { Ok(()) }
    }

    /// Numbers with commas or blanks between them, or digits with nothing between them.
    fn row(&mut self, text: &str, line: usize) -> Result<(), LoadError> {
        let wrong = |what| LoadError::expected(line, what, text.trim());
        let mut row = Row::new();
        let parts = || text.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty());
        let joined = parts().nth(1).is_none();
        for part in parts() {
            let step = if joined { 1 } else { part.len() };
            let mut rest = part;
            while !rest.is_empty() {
                let digits = rest.get(..step).and_then(number).and_then(|n| self.coding.read(n));
                row.push(digits.ok_or_else(|| wrong(NUMBERS))?);
                self.check_size(row.len(), line)?;
                rest = &rest[step..];
            }
        }
        if row.is_empty() || self.rows.first().is_some_and(|first| first.len() != row.len()) {
            return Err(wrong(EQUAL));
        }
        self.rows.push(row);
        self.check_size(self.rows.len(), line)
    }

    fn check_size(&self, side: usize, line: usize) -> Result<(), LoadError> {
        if side <= usize::from(MAX_SIDE) {
            return Ok(());
        }
        let side = side as u32;
        Err(LoadError { line, reason: Reason::Game(BadGame::Size(side, side)) })
    }
}

/// The stones, lower ones first, and whose turn it is after so many.
fn setup(rules: &Rules, rows: &[Row]) -> Result<Setup, LoadError> {
    let cells = rows.iter().rev().zip(0..).flat_map(|(row, y)| {
        row.iter().zip(0..).filter_map(move |(&stone, x)| Some(Ply { stone: stone?, cell: Cell::new(x, y) }))
    });
    let stones: Vec<Ply> = cells.collect();
    let black = stones.iter().filter(|ply| ply.stone == Stone::Black).count();
    if black != black_stones(rules, stones.len()) {
        let reason = Reason::Counts { black, white: stones.len() - black };
        return Err(LoadError { line: 0, reason });
    }
    let (to_move, stones_left) = rules.turn_at(stones.len());
    Ok(Setup { stones, to_move, stones_left })
}

/// How many of the first `plies` stones of a game are Black's.
fn black_stones(rules: &Rules, plies: usize) -> usize {
    (0..plies).filter(|&ply| rules.turn_at(ply).0 == Stone::Black).count()
}

/// Writes the position after the last move.
pub(super) fn write(record: &GameRecord, coding: Coding) -> Result<String, Text> {
    refuse_blocked(record)?;
    let rules = &record.rules;
    let position = record.position();
    let stones = |side| rules.cells().filter(|&cell| position.stone(cell) == Some(side)).count();
    let (black, white) = (stones(Stone::Black), stones(Stone::White));
    let (to_move, left) = rules.turn_at(black + white);
    let same_turn = position.to_move() == to_move
        && (position.outcome().is_some()
            || usize::from(position.stones_left()) == usize::from(left).min(position.free()));
    if black != black_stones(rules, black + white) || !same_turn {
        return Err(Text::fixed("the number of stones does not tell whose turn it is", "棋子数目不能说明轮到谁落子"));
    }
    let digit = |row, column| coding.digit(position.stone(Cell::new(column, row))).to_string();
    let row = |row| (0..rules.width).map(|column| digit(row, column)).collect::<Vec<_>>().join(" ") + "\n";
    Ok((0..rules.height).rev().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{loaded, refused, written};
    use super::*;
    use crate::record::Format::{MatrixS0, MatrixS2};
    use crate::{Outcome, Verdict};

    const BOARD: &str = "0 0 0 0 0 2\n0 0 0 0 0 2\n0 0 0 0 0 0\n0 0 0 0 0 0\n0 0 0 0 0 0\n1 0 0 0 0 0\n";

    #[test]
    fn only_new_stones_of_the_mover_make_a_turn() {
        let turn = |old: &str, new: &str| is_turn(&read_board(old).unwrap(), &read_board(new).unwrap());
        // The printed example: one stone where two are due.
        assert!(!turn("[[0,1],[2,0]]", "[[1,1],[2,0]]"));
        assert!(turn("[[0,1],[2,0]]", "[[1,1],[2,1]]"));
        assert!(turn("000\n000", "010\n000"), "the first turn has one stone");
        assert!(!turn("000\n000", "020\n000") && !turn("000\n000", "011\n000"));
        assert!(turn("010\n000", "012\n002"));
        assert!(!turn("010\n000", "011\n001"), "White is to move");
        assert!(!turn("010\n000", "002\n002"), "a stone is gone");
        assert!(!turn("010\n000", "022\n002"), "a stone has changed its colour");
        assert!(!turn("010\n000", "012\n000\n002"), "the board has grown");
        assert!(turn("112\n220", "112\n221"), "one cell was left");
    }

    #[test]
    fn boards_are_read_and_written() {
        let record = loaded(MatrixS0, BOARD, None).record;
        assert_eq!(record.rules, Rules::connect6(6));
        let position = record.position();
        assert_eq!(position.stone(Cell::new(0, 0)), Some(Stone::Black));
        assert_eq!(position.stone(Cell::new(5, 5)), Some(Stone::White));
        assert_eq!((position.to_move(), position.stones_left()), (Stone::Black, 2));
        assert_eq!(written(MatrixS0, &record), BOARD);
        let other = written(MatrixS2, &record);
        assert!(other.starts_with("2 2 2 2 2 1\n"), "{other}");
        assert_eq!(loaded(MatrixS2, &other, None).record, record);
    }

    #[test]
    fn every_spelling_means_the_same() {
        let expected = loaded(MatrixS0, BOARD, None).record;
        let rows: Vec<String> = BOARD.lines().map(|row| format!("[{}]", row.replace(' ', ","))).collect();
        for text in [
            format!("[{}]", rows.join(",")),
            format!("[{}]\r\n", rows.join(",\r\n ")),
            format!("[{}]", rows.join("\n").replace(',', " ")),
            rows.join(","),
            BOARD.replace(' ', ""),
            BOARD.replace(' ', ","),
            format!("\n{}\n\n", BOARD.replace(' ', "\t")),
        ] {
            assert_eq!(loaded(MatrixS0, &text, None).record, expected, "{text}");
        }
    }

    #[test]
    fn the_caller_can_name_the_game() {
        let rules = Some("connect:2,2,2,1,1".parse().unwrap());
        let game = loaded(MatrixS0, "[[0,1],[2,0]]", rules);
        assert_eq!(game.record.position().outcome(), None);
        assert_eq!(refused(MatrixS0, "[[0,1],[2,0]]", None).reason, Reason::WhichGame);
        let won = loaded(MatrixS0, "[[0,0],[1,1]]", Some("connect:2,2,2,1,2".parse().unwrap()));
        assert_eq!(won.record.verdict, Verdict::by_stones(Outcome::Win(Stone::Black)));
        let floating = "0 0 0 0\n0 0 0 0\n1 0 0 0\n0 0 0 0\n";
        let drop = Some("connect4:4x4".parse().unwrap());
        assert!(matches!(refused(MatrixS0, floating, drop).reason, Reason::Setup(_)));
    }

    #[test]
    fn impossible_boards_are_refused() {
        let two = BOARD.replacen("0 0 0 0 0 2", "1 1 1 0 0 2", 1);
        assert_eq!(refused(MatrixS0, &two, None).reason, Reason::Counts { black: 4, white: 2 });
        for (text, line) in [
            ("0 1\n0", 2),
            ("0 1\n0 3", 2),
            ("0 1\n0 x", 2),
            ("[[0,1],\n[2,0]", 2),
            ("[[0,1],\n[2", 2),
            ("[[0,1],\n[2,-1]]", 2),
            ("[[[0]]]", 1),
            ("0 1 99999999999", 1),
        ] {
            assert_eq!(refused(MatrixS0, text, None).line, line, "{text}");
        }
        let wide = "0 ".repeat(32);
        assert!(matches!(refused(MatrixS0, &wide, None).reason, Reason::Game(BadGame::Size(..))));
        assert_eq!(refused(MatrixS0, "[]", None).reason, Reason::Empty);
    }

    #[test]
    fn blocked_cells_are_not_written() {
        assert!(write(&GameRecord::new("connect6:9/a1".parse().unwrap()), Coding::S0).is_err());
    }
}
