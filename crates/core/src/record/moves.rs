//! Cells one after another: `h8 i9` or `h8i9j7`.
//!
//! ```text
//! # game: connect6:15       begins a game; without it the file is gomoku, or what the caller says
//! # black: name             optional, like white
//! h8 i9 i10 h9 g8           # begins a remark wherever it stands
//! ```
//!
//! Where stones drop, a column alone (`d`) is a move too.
//!
//! A game may go over any number of lines, and a file may hold one game a line. A heading `# games: connect6:15` says
//! that each line below it is a game. Without it the lines are one game, unless one of them begins anew: it cannot go on
//! where the line before ended, because its first cell is taken or the game is over. Then each line is a game. Where all
//! lines are as short as a round, or what cannot go on is a single turn, it is a foul in one game and stays one.

use super::draft::{Draft, DraftMove};
use super::format::{Take, refuse_setup};
use super::text::{Following, game, heading, lines, one_line};
use super::{GameRecord, LoadError, Side};
use crate::{Rules, Text, column_from_name};

const CELL: Text = Text::fixed("a cell such as h8", " h8 这样的位置");

/// Reads any number of games.
pub(super) fn read(text: &str, rules: Option<Rules>, take: Take<'_>) -> Result<(), LoadError> {
    let mut block = Block::new(rules.unwrap_or(Rules::gomoku(15)));
    for (line, found) in lines(text) {
        if let Some(name) = heading(found, "game") {
            let next = Block { named: true, ..Block::new(game(name, line)?) };
            std::mem::replace(&mut block, next).finish(take)?;
        } else if let Some(name) = heading(found, "games") {
            let next = Block { apart: true, ..Block::new(game(name, line)?) };
            std::mem::replace(&mut block, next).finish(take)?;
        }
        block.lines.push((line, found));
    }
    block.finish(take)
}

/// The lines below a heading.
struct Block<'a> {
    rules: Rules,
    /// Whether a heading said that here is a game, even if nothing was played.
    named: bool,
    /// Whether a heading said that each line is a game.
    apart: bool,
    lines: Vec<(usize, &'a str)>,
}

impl Block<'_> {
    fn new(rules: Rules) -> Self {
        Block { rules, named: false, apart: false, lines: Vec::new() }
    }

    fn finish(self, take: Take<'_>) -> Result<(), LoadError> {
        let mut whole = Reader::new(self.rules, Default::default());
        self.lines.iter().try_for_each(|&(line, found)| whole.line(line, found))?;
        if self.apart || whole.is_several() {
            return self.finish_apart(take);
        }
        if self.named || !whole.draft.moves.is_empty() { take(whole.draft) } else { Ok(()) }
    }

    /// Each line is a game, between the players that were named last.
    fn finish_apart(self, take: Take<'_>) -> Result<(), LoadError> {
        let mut sides = Default::default();
        for (line, found) in self.lines {
            let mut reader = Reader::new(self.rules, sides);
            reader.line(line, found)?;
            sides = reader.draft.record.sides.clone();
            if !reader.draft.moves.is_empty() {
                take(reader.draft)?;
            }
        }
        Ok(())
    }
}

struct Reader {
    draft: Draft,
    following: Following,
    /// How many stones the line has so far.
    stones: usize,
    /// Whether the line began on a taken cell or after the end.
    anew: bool,
    /// The most stones on a line.
    longest: usize,
    /// Whether a line of more than one turn began anew.
    restarted: bool,
}

impl Reader {
    fn new(rules: Rules, sides: [Side; 2]) -> Reader {
        let mut draft = Draft::new(rules);
        draft.record.sides = sides;
        Reader { draft, following: Following::new(rules), stones: 0, anew: false, longest: 0, restarted: false }
    }

    /// Whether the lines are games of their own.
    fn is_several(&self) -> bool {
        let rules = &self.draft.record.rules;
        self.restarted && self.longest > usize::from(rules.first_turn) + usize::from(rules.per_turn)
    }

    fn line(&mut self, line: usize, found: &str) -> Result<(), LoadError> {
        for (side, name) in self.draft.record.sides.iter_mut().zip(["black", "white"]) {
            if let Some(player) = heading(found, name) {
                side.name = player.to_string();
            }
        }
        (self.stones, self.anew) = (0, false);
        let list = found.split('#').next().unwrap_or_default();
        let separator = |c: char| c.is_whitespace() || c == ',' || c == ';';
        for chunk in list.split(separator).filter(|chunk| !chunk.is_empty()) {
            self.chunk(chunk, line)?;
        }
        self.longest = self.longest.max(self.stones);
        self.restarted |= self.anew && self.stones > usize::from(self.draft.record.rules.first_turn);
        Ok(())
    }

    /// Reads cells without anything between them, or one column.
    fn chunk(&mut self, chunk: &str, line: usize) -> Result<(), LoadError> {
        if let Some(cell) = column_from_name(chunk).and_then(|column| self.following.landing(column)) {
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
        let cell = written.cell.as_ref().ok().copied();
        if self.stones == 0 {
            self.anew = self.following.begins_anew(cell);
        }
        self.stones += 1;
        if let Some(cell) = cell {
            self.following.play(cell);
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
pub(super) fn write(record: &GameRecord) -> Result<String, Text> {
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
        let text = "# game: connect6:15\n# black: 甲\n# white: b c\nh8 i9 i10\n# game: gomoku\n# game: renju\nh8\n";
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
    fn a_line_that_begins_anew_makes_every_line_a_game() {
        let lengths = |text: &str| -> Vec<usize> {
            let games = Moves.read(&Document::Single(text.into()), None).unwrap();
            games.iter().map(|game| game.record.moves.len()).collect()
        };
        let won = "h8 a1 i8 a2 j8 a3 k8 a4 l8";
        // By a taken cell, or after the end; then also a line that could have gone on is a game.
        assert_eq!(lengths(&format!("h8 i9 j7\n# remark\n\n{won}\nb1 b2\n")), [3, 9, 2]);
        assert_eq!(lengths(&format!("{won}\nb1 b2\n")), [9, 2]);
        assert_eq!(lengths("# game: connect4\na b a b a b a\nd d e\n# game: renju\nh8"), [7, 3, 1]);
        assert_eq!(lengths("# games: connect6\nj10 i9 i11\n\nh8 a1 a2"), [3, 3]);
        // What goes on is one game, and a foul in a game of short lines, or by one turn, is one.
        assert_eq!(lengths("h8 i9 j7\ng7 f6 e5"), [6]);
        assert_eq!(lengths("h8 i9\nj7 j8\nh8 a1"), [4]);
        assert_eq!(lengths(&format!("{won}\nb1")), [9]);
        let games = Moves.read(&Document::Single(format!("{won}\nh8 h8\nh8 i9").into()), None).unwrap();
        let places: Vec<_> = games.iter().map(|game| (game.line, game.problem.map(|p| p.line))).collect();
        assert_eq!(places, [(1, None), (2, Some(2)), (3, None)]);
    }

    #[test]
    fn players_are_named_for_the_lines_below() {
        let text = "# games: gomoku\n# black: a\n# white: b\nh8\n# black: c\nh8 i9\n";
        let games = Moves.read(&Document::Single(text.into()), None).unwrap();
        let names: Vec<_> = games.iter().map(|g| g.record.sides.each_ref().map(|s| s.name.as_str())).collect();
        assert_eq!(names, [["a", "b"], ["c", "b"]]);
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
