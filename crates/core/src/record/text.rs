//! What the readers of text share: decoding, lines with numbers, numbers, and the `# game:` heading.

use std::borrow::Cow;

use super::{LoadError, Reason};
use crate::{Cell, Content, Placement, Position, Rules};

/// Bytes as text: a byte order mark is dropped, and what is not UTF-8 becomes replacement characters.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

/// The lines of a text with their numbers from 1. Lines end with LF, CRLF or CR.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = Some(text);
    let next = move || {
        let current = rest?;
        let Some(end) = current.bytes().position(|b| b == b'\n' || b == b'\r') else {
            rest = None;
            return Some(current);
        };
        let ending = if current[end..].starts_with("\r\n") { 2 } else { 1 };
        rest = Some(&current[end + ending..]);
        Some(&current[..end])
    };
    std::iter::from_fn(next).enumerate().map(|(index, line)| (index + 1, line))
}

/// A number in plain digits; one too large to hold is as large as can be.
pub(super) fn number(text: &str) -> Option<u32> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().unwrap_or(u32::MAX))
}

/// The cell in this column from the left and row from the top, both from 1, on a board of this height.
pub(super) fn cell_from_top(column: u32, row: u32, height: u8) -> Option<Cell> {
    let column = u8::try_from(column.checked_sub(1)?).ok()?;
    let row = u32::from(height).checked_sub(row).filter(|_| row > 0)?;
    // Columns beyond the board keep their name; those beyond every board have none.
    (column < crate::MAX_SIDE).then_some(Cell::new(column, row as u8))
}

/// The same game on a board of another size.
pub(super) fn sized(rules: Rules, width: u32, height: u32, line: usize) -> Result<Rules, LoadError> {
    let wrong = |bad| LoadError { line, reason: Reason::Game(bad) };
    let (Ok(w), Ok(h)) = (u8::try_from(width), u8::try_from(height)) else {
        return Err(wrong(crate::BadGame::Size(width, height)));
    };
    let rules = Rules { width: w, height: h, ..rules };
    rules.check().map_err(wrong)?;
    Ok(rules)
}

/// The value of a heading such as `# game: connect6:15`, when this line is one.
pub(super) fn heading<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.trim().strip_prefix('#')?.trim_start().strip_prefix(name)?.trim_start();
    Some(rest.strip_prefix(':')?.trim())
}

/// Reads the game of a `# game:` heading.
pub(super) fn game(name: &str, line: usize) -> Result<Rules, LoadError> {
    name.parse().map_err(|bad| LoadError { line, reason: Reason::Game(bad) })
}

/// Text on one line, fit to stand in a file that knows no escapes.
pub(super) fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control() || c.is_whitespace())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Adds a remark to another.
pub(super) fn join(comment: &mut String, more: &str) {
    if !comment.is_empty() && !more.is_empty() {
        comment.push('\n');
    }
    comment.push_str(more);
}

/// Follows a game while a reader goes through it: where stones come to rest, and which cells are taken.
pub(super) struct Following(Position);

impl Following {
    /// The beginning of a game.
    pub(super) fn new(rules: Rules) -> Following {
        Following(Position::new(rules))
    }

    /// The cell a stone in this column comes to, where stones drop: the highest one when the column is full, so that the referee
    /// complains of the right thing.
    pub(super) fn landing(&self, column: u8) -> Option<Cell> {
        let rules = self.0.rules();
        let top = Cell::new(column, rules.height - 1);
        let there = rules.placement == Placement::Drop && rules.contains(top);
        there.then(|| self.0.landing(column).unwrap_or(top))
    }

    /// Whether a stone here cannot go on with the game, because it is over or the cell is taken.
    pub(super) fn begins_anew(&self, cell: Option<Cell>) -> bool {
        let taken = |cell| matches!(self.0.content(cell), Some(Content::Stone(_)));
        self.0.outcome().is_some() || cell.is_some_and(taken)
    }

    /// A stone was put here. One against the rules changes nothing: the referee stops at it anyway.
    pub(super) fn play(&mut self, cell: Cell) {
        let _ = self.0.play(cell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_ending_ends_a_line() {
        let found: Vec<_> = lines("a\nb\r\nc\rd\n\r\n").collect();
        assert_eq!(found, [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, ""), (6, "")]);
    }

    #[test]
    fn numbers_are_plain_digits() {
        assert_eq!(number("12"), Some(12));
        assert_eq!(number("99999999999999999999"), Some(u32::MAX));
        assert!(["", "-1", "+1", " 1", "1.0", "٣"].iter().all(|text| number(text).is_none()));
    }

    #[test]
    fn rows_are_counted_from_the_top() {
        assert_eq!(cell_from_top(1, 1, 15), Some(Cell::new(0, 14)));
        assert_eq!(cell_from_top(8, 15, 15), Some(Cell::new(7, 0)));
        for (column, row) in [(0, 1), (1, 0), (1, 16), (32, 1), (u32::MAX, 1), (1, u32::MAX)] {
            assert_eq!(cell_from_top(column, row, 15), None);
        }
    }

    #[test]
    fn headings_name_the_game() {
        assert_eq!(heading("# game: connect6:15 ", "game"), Some("connect6:15"));
        assert_eq!(heading("#game:gomoku", "game"), Some("gomoku"));
        assert_eq!(heading("# games: gomoku", "game"), None);
        assert_eq!(heading("game: gomoku", "game"), None);
    }
}
