//! Cells one after another: `h8 i9` or `h8i9j7`, over any number of lines.
//!
//! ```text
//! # game: connect6:15       begins a game; without it the file is one game of gomoku, or what the caller says
//! # black: name             optional, like white
//! h8 i9 i10 h9 g8           # begins a remark wherever it stands
//! ```
//!
//! Where stones drop, a column alone (`d`) is a move too.

use super::draft::{Draft, DraftMove};
use super::format::{Refusal, Take, refuse_setup};
use super::text::{Falling, game, heading, lines, one_line};
use super::{GameRecord, LoadError};
use crate::{Rules, column_from_name};

const CELL: [&str; 2] = ["a cell such as h8", "h8 这样的位置"];

/// Reads any number of games.
pub(super) fn read(text: &str, rules: Option<Rules>, take: Take<'_>) -> Result<(), LoadError> {
    let mut reader = Reader::new(rules.unwrap_or(Rules::gomoku(15)));
    for (line, found) in lines(text) {
        if let Some(name) = heading(found, "game") {
            let next = Reader::new(game(name, line)?);
            std::mem::replace(&mut reader, Reader { begun: true, ..next }).finish(take)?;
        }
        for (side, name) in reader.draft.record.sides.iter_mut().zip(["black", "white"]) {
            if let Some(player) = heading(found, name) {
                side.name = player.to_string();
            }
        }
        let list = found.split('#').next().unwrap_or_default();
        let separator = |c: char| c.is_whitespace() || c == ',' || c == ';';
        for chunk in list.split(separator).filter(|chunk| !chunk.is_empty()) {
            reader.chunk(chunk, line)?;
        }
    }
    reader.finish(take)
}

struct Reader {
    draft: Draft,
    falling: Falling,
    /// Whether the file has said anything of this game.
    begun: bool,
}

impl Reader {
    fn new(rules: Rules) -> Reader {
        Reader { draft: Draft::new(rules), falling: Falling::new(rules), begun: false }
    }

    fn finish(self, take: Take<'_>) -> Result<(), LoadError> {
        if self.begun { take(self.draft) } else { Ok(()) }
    }

    /// Reads cells without anything between them, or one column.
    fn chunk(&mut self, chunk: &str, line: usize) -> Result<(), LoadError> {
        self.begun = true;
        if let Some(cell) = column_from_name(chunk).and_then(|column| self.falling.landing(column)) {
            self.stone(DraftMove::new(None, cell, line));
            return Ok(());
        }
        let mut rest = chunk;
        while !rest.is_empty() {
            let length = cell_length(rest).ok_or_else(|| LoadError::expected(line, CELL, rest))?;
            let (name, after) = rest.split_at(length);
            self.stone(match name.parse() {
                Ok(cell) => DraftMove::new(None, cell, line),
                Err(_) => DraftMove::beyond(None, name, line),
            });
            rest = after;
        }
        Ok(())
    }

    fn stone(&mut self, written: DraftMove) {
        if let Ok(cell) = written.cell {
            self.falling.play(cell);
        }
        self.draft.push(written);
    }
}

/// How long the name of a cell in front of this text is: one or two letters, one or two digits.
fn cell_length(text: &str) -> Option<usize> {
    let letters = text.bytes().take(3).take_while(u8::is_ascii_alphabetic).count();
    let digits = text.bytes().skip(letters).take(3).take_while(u8::is_ascii_digit).count();
    ((1..=2).contains(&letters) && (1..=2).contains(&digits)).then_some(letters + digits)
}

/// Writes one game.
pub(super) fn write(record: &GameRecord) -> Result<String, Refusal> {
    refuse_setup(record)?;
    let mut text = format!("# game: {}\n", record.rules);
    for (side, name) in record.sides.iter().zip(["black", "white"]) {
        if !side.name.is_empty() {
            text += &format!("# {name}: {}\n", one_line(&side.name));
        }
    }
    let cells = record.moves.iter().map(|played| played.cell).chain(record.surplus.iter().copied());
    let names: Vec<String> = cells.map(|cell| cell.to_string()).collect();
    if !names.is_empty() {
        text += &(names.join(" ") + "\n");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{loaded, refused, written};
    use super::*;
    use crate::record::{Document, Format::Moves};

    #[test]
    fn lists_are_read_in_every_spelling() {
        for text in ["h8 i9 j7", "h8i9j7", "H8,I9;\n# remark h1\nj7 # and so on\n", "\u{feff}h8i9\r\nj7"] {
            let game = loaded(Moves, text, None);
            let cells: Vec<_> = game.record.moves.iter().map(|m| m.cell.to_string()).collect();
            assert_eq!(cells, ["h8", "i9", "j7"], "{text}");
            assert_eq!(game.record.rules, Rules::gomoku(15));
        }
    }

    #[test]
    fn a_column_is_a_move_where_stones_drop() {
        let game = loaded(Moves, "# game: connect4\nd d e3 d3", None);
        assert_eq!(game.record.moves.len(), 2);
        assert_eq!(game.problem.unwrap().line, 2);
        assert_eq!(written(Moves, &game.record), "# game: connect4\nd1 d2\n");
    }

    #[test]
    fn headings_begin_games() {
        let text =
            "# game: connect6:15\n# black: 甲\n# white: b c\nh8 i9 i10\n# game: gomoku\n# game: renju\nh8\n";
        let games = Moves.read(&Document::Single(text.into()), None).unwrap();
        assert_eq!(games.iter().map(|g| g.record.moves.len()).collect::<Vec<_>>(), [3, 0, 1]);
        assert_eq!(games[0].record.sides[0].name, "甲");
        let records: Vec<_> = games.into_iter().map(|game| game.record).collect();
        assert_eq!(Moves.write(&records), Ok(Document::Single(text.into())));
    }

    #[test]
    fn what_comes_after_a_winning_stone_in_its_turn_is_kept_aside() {
        let text = "# game: connect:9,9,3,2,1\na1 i1 i2 b1 c1 i3 i4\n";
        assert!(loaded(Moves, text, None).problem.is_some());
        let text = "# game: connect:9,9,3,2,2\na1 b1 i1 i2 c1 d1\n";
        let game = loaded(Moves, text, None);
        assert_eq!((game.problem, game.record.surplus.len()), (None, 1));
        assert_eq!(written(Moves, &game.record), text);
        assert!(loaded(Moves, &format!("{text} e1"), None).problem.is_some());
    }

    #[test]
    fn fouls_and_broken_names_are_found_at_their_line() {
        assert_eq!(loaded(Moves, "h8\ni9 h8", None).problem.unwrap().line, 2);
        assert_eq!(loaded(Moves, "h8\nh99", None).problem.unwrap().line, 2);
        for text in ["h8\nh", "h8\n8", "h8\nhhh8", "h8\nh888", "h8\nh8中", "h8\n# game: x"] {
            assert_eq!(refused(Moves, text, None).line, 2, "{text}");
        }
        assert_eq!(refused(Moves, "# nothing\n", None).line, 0);
    }
}
