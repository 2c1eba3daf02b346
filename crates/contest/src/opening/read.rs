//! Reads files of openings.

use lianzi_core::{
    Cell, IllegalMove, Placement, Position, Rules, Speak, Text, UnreadMove, cell_names, shorten, spoken_errors, text,
};

use super::cells_of;

/// An opening in a file that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadOpening {
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub mistake: Mistake,
}

/// What can be wrong with an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// This part is in no notation we know.
    Unread(String),
    /// This part was to name a cell or a column.
    Cell(UnreadMove),
    /// An offset to the side has no offset upwards or downwards beside it.
    HalfOffset,
    /// The offsets lead off the board.
    OffBoard(String),
    /// A stone may not be put on this cell.
    Illegal(Cell, IllegalMove),
    /// This stone ends the game.
    Over(Cell),
    /// The turn is not complete.
    MidTurn,
}

impl Speak for BadOpening {
    fn text(&self) -> Text {
        let Text { english, chinese } = self.mistake.text();
        Text::new(format!("opening in line {}: {english}", self.line), format!("第 {} 行的开局：{chinese}", self.line))
    }
}

impl Speak for Mistake {
    fn text(&self) -> Text {
        match self {
            Mistake::Unread(text) => text!(
                "'{text}' cannot be read; write cells (h8 i9), offsets from the centre (0,0, 1,-1) or, where stones drop, columns (4453)",
                "无法读懂“{text}”；请写位置（h8 i9）、相对中心的偏移（0,0, 1,-1），落子棋也可写列号（4453）"
            ),
            Mistake::Cell(unread) => Text::both(|language| unread.words(language)),
            Mistake::HalfOffset => Text::fixed(
                "offsets from the centre come in pairs, and the last has no partner",
                "相对中心的偏移应成对出现，最后一个缺少另一半",
            ),
            Mistake::OffBoard(offset) => {
                text!("the offset {offset} leads off the board", "偏移 {offset} 超出棋盘")
            }
            Mistake::Illegal(cell, why) => Text::both(|language| format!("{cell}: {}", why.words(language))),
            Mistake::Over(cell) => text!("the game is over after {cell}", "下到 {cell} 时对局已经结束"),
            Mistake::MidTurn => Text::fixed("it ends in the middle of a turn", "最后一手没有下完"),
        }
    }
}

spoken_errors!(BadOpening);

/// Reads openings, one a line; empty lines, and what follows `#` or `;`, are skipped.
///
/// A line is written as cells (`h8 i9 j7` or `h8i9j7`, rows from the bottom), as offsets from the centre
/// (`0,0, 1,-1`, the second of each pair counted downwards), or where stones drop as columns from 1 (`4453`, or
/// with blanks `4 4 10`).
///
/// # Panics
/// If the rules make no game (`Rules::check`).
pub fn read_openings(text: &str, rules: &Rules) -> Result<Vec<Vec<Cell>>, BadOpening> {
    let mut openings = Vec::new();
    for (n, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.split(['#', ';']).next().unwrap_or_default().trim();
        if !line.is_empty() {
            let opening = read_opening(line, rules).map_err(|mistake| BadOpening { line: n + 1, mistake })?;
            openings.push(opening);
        }
    }
    Ok(openings)
}

fn read_opening(line: &str, rules: &Rules) -> Result<Vec<Cell>, Mistake> {
    let mut position = Position::new(*rules);
    // Each stone is played as soon as it is read: a line of any length ends when the board is full.
    match Notation::of(line, rules).ok_or_else(|| Mistake::Unread(shorten(line)))? {
        Notation::Cells => play_cells(line, &mut position)?,
        Notation::Offsets => play_offsets(line, &mut position)?,
        Notation::Columns => play_columns(line, &mut position)?,
    }
    if position.mid_turn() {
        return Err(Mistake::MidTurn);
    }
    Ok(cells_of(&position))
}

/// How an opening is written.
enum Notation {
    Cells,
    Offsets,
    Columns,
}

impl Notation {
    /// Letters stand only in cells, commas without letters only between offsets.
    fn of(line: &str, rules: &Rules) -> Option<Notation> {
        let any = |wanted: fn(char) -> bool| line.contains(wanted);
        if any(|c| c.is_ascii_alphabetic()) {
            Some(Notation::Cells)
        } else if any(|c| c == ',') {
            Some(Notation::Offsets)
        } else {
            let drops = rules.placement == Placement::Drop;
            (drops && line.chars().all(|c| c.is_ascii_digit() || c.is_whitespace())).then_some(Notation::Columns)
        }
    }
}

fn play(position: &mut Position, cell: Cell) -> Result<(), Mistake> {
    position.play(cell).map_err(|why| Mistake::Illegal(cell, why))?;
    match position.outcome() {
        Some(_) => Err(Mistake::Over(cell)),
        None => Ok(()),
    }
}

fn play_named(position: &mut Position, name: &str) -> Result<(), Mistake> {
    let cell = position.read_cell(name).map_err(|unread| match unread {
        // It may be as long as the file.
        UnreadMove::NoColumn { text, last } => UnreadMove::NoColumn { text: shorten(&text), last },
        short => short,
    });
    play(position, cell.map_err(Mistake::Cell)?)
}

fn play_cells(line: &str, position: &mut Position) -> Result<(), Mistake> {
    for word in line.split([' ', '\t', ',']).filter(|word| !word.is_empty()) {
        cell_names(word).try_for_each(|name| play_named(position, name))?;
    }
    Ok(())
}

fn play_columns(line: &str, position: &mut Position) -> Result<(), Mistake> {
    if line.contains(char::is_whitespace) {
        return line.split_whitespace().try_for_each(|number| play_named(position, number));
    }
    // Only digits are left here, and each is one byte.
    (0..line.len()).try_for_each(|n| play_named(position, &line[n..=n]))
}

fn play_offsets(line: &str, position: &mut Position) -> Result<(), Mistake> {
    // A comma at the end separates nothing.
    let mut numbers = line.strip_suffix(',').unwrap_or(line).split(',').map(str::trim);
    while let Some(x) = numbers.next() {
        let y = numbers.next();
        let x = read_offset(x)?;
        let y = read_offset(y.ok_or(Mistake::HalfOffset)?)?;
        let cell = cell_at(x, y, position.rules()).ok_or_else(|| Mistake::OffBoard(format!("{x},{y}")))?;
        play(position, cell)?;
    }
    Ok(())
}

fn read_offset(text: &str) -> Result<i64, Mistake> {
    text.parse().map_err(|_| Mistake::Unread(shorten(text)))
}

/// The cell at this offset from the centre, if it is on the board.
fn cell_at(x: i64, y: i64, rules: &Rules) -> Option<Cell> {
    let column = x.checked_add(i64::from(rules.width / 2))?;
    let from_top = y.checked_add(i64::from(rules.height / 2))?;
    // Offsets count rows from the top, cells from the bottom: this is the one place where they are turned over.
    let row = i64::from(rules.height - 1).checked_sub(from_top)?;
    let cell = Cell::new(u8::try_from(column).ok()?, u8::try_from(row).ok()?);
    rules.contains(cell).then_some(cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(game: &str, text: &str) -> Result<Vec<String>, BadOpening> {
        let name = |opening: &Vec<Cell>| opening.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ");
        Ok(read_openings(text, &game.parse().unwrap())?.iter().map(name).collect())
    }

    #[test]
    fn every_notation_is_told_by_itself() {
        for (game, text, expected) in [
            ("gomoku", "h8 i9 j7", "h8 i9 j7"),
            ("gomoku", "h8i9j7", "h8 i9 j7"),
            ("gomoku", "H8, I9,\tJ7,", "h8 i9 j7"),
            ("gomoku", "o14o13m12n11", "o14 o13 m12 n11"),
            ("connect:31,31,5,1,1", "aa1ab31 z5", "aa1 ab31 z5"),
            // The centre of 15 is h8; downwards is positive.
            ("gomoku", "0,0, 1,-1, -7,7, 7,-7", "h8 i9 a1 o15"),
            ("gomoku", "0,0,1,-1,", "h8 i9"),
            // An even board has its centre right of and below the middle.
            ("gomoku:20", "0,0, -10,-10, 9,9", "k10 a20 t1"),
            ("connect:7,4,3,1,1", "0,0, -3,-2", "d2 a4"),
            ("connect6", "j10 i9 i11 h10 i10 ; 393 ; 156", "j10 i9 i11 h10 i10"),
            ("connect6", "0,0, -1,1, -1,-1", "j10 i9 i11"),
            ("connect4", "4453", "d1 d2 e1 c1"),
            ("connect4:12x9", "4 4 10 12", "d1 d2 j1 l1"),
            ("connect4", "d1d2e1", "d1 d2 e1"),
            ("connect4", "d d e", "d1 d2 e1"),
            ("connect4:9x10/d1", "44", "d2 d3"),
            ("connect4", "0,2, 0,1", "d1 d2"),
        ] {
            assert_eq!(read(game, text), Ok(vec![expected.to_string()]), "{game}: {text}");
        }
    }

    #[test]
    fn lines_without_an_opening_are_skipped() {
        let text = "\u{feff}# two openings\r\n\r\nh8 i9 # a remark\r\n  ; nothing\n\t\n0,0";
        assert_eq!(read("gomoku", text), Ok(vec!["h8 i9".to_string(), "h8".to_string()]));
        assert_eq!(read("gomoku", ""), Ok(vec![]));
        assert_eq!(read("connect:1,1,1,1,1/a1", "# nothing to play"), Ok(vec![]));
    }

    #[test]
    fn mistakes_name_their_line() {
        let over = |cell: &str| Mistake::Over(cell.parse().unwrap());
        let illegal = |cell: &str, why| Mistake::Illegal(cell.parse().unwrap(), why);
        let unread = |text: &str| Mistake::Unread(text.to_string());
        for (game, text, mistake) in [
            ("gomoku", "h8 i9 h8", illegal("h8", IllegalMove::Occupied)),
            ("gomoku", "p1", illegal("p1", IllegalMove::OffBoard)),
            ("gomoku/h8", "0,0", illegal("h8", IllegalMove::Blocked)),
            ("connect4", "d2", illegal("d2", IllegalMove::Floating)),
            ("gomoku", "0,8", Mistake::OffBoard("0,8".into())),
            ("gomoku", "0,0, 1000000000,0", Mistake::OffBoard("1000000000,0".into())),
            ("gomoku", "0,0, 1", Mistake::HalfOffset),
            ("gomoku", "0,0, 1,,2", unread("")),
            ("gomoku", "0,0 1,1", unread("0 1")),
            ("gomoku", "1,99999999999999999999", unread("99999999999999999999")),
            ("gomoku", "4453", unread("4453")),
            ("gomoku", "天元", unread("天元")),
            ("connect4", "4-4", unread("4-4")),
            ("connect4", "1212121", over("a4")),
            ("connect:2,1,2,1,1", "a1b1", over("b1")),
            ("connect6", "j10 i9", Mistake::MidTurn),
        ] {
            let bad = read(game, &format!("# openings\n\n{text}\n")).err();
            assert_eq!(bad, Some(BadOpening { line: 3, mistake }), "{game}: {text}");
        }
        for (game, text) in [("gomoku", "h8 i"), ("gomoku", "h8-i9"), ("connect4", "48"), ("connect4", "z")] {
            let bad = read(game, text).unwrap_err();
            assert!(matches!(bad, BadOpening { line: 1, mistake: Mistake::Cell(_) }), "{bad:?}");
        }
    }

    #[test]
    fn mistakes_have_words_in_both_languages() {
        let bad = read("gomoku", "h8\nh8 h8").unwrap_err();
        assert_eq!(bad.to_string(), "opening in line 2: h8: there is a stone already");
        assert_eq!(bad.text().chinese, "第 2 行的开局：h8: 已有棋子");
        for text in ["1", "0,0,0", "0,9", "h0", "h8 h8"] {
            let bad = read("gomoku", text).unwrap_err();
            assert!(bad.text().english.is_ascii(), "{bad}");
            assert!(!bad.text().chinese.is_ascii(), "{bad}");
        }
        let bad = read("connect6", "j10 i9").unwrap_err();
        assert_eq!(bad.to_string(), "opening in line 1: it ends in the middle of a turn");
    }

    #[test]
    fn long_lines_end_with_a_short_message() {
        let many = 2_000_000;
        for line in ["h", "8", "h8", "0,", "-", ",", "9 ", "中", "a1 ", "h8,"] {
            for game in ["gomoku", "connect4"] {
                let bad = read(game, &line.repeat(many)).unwrap_err();
                assert!(bad.to_string().len() < 300, "{game}: {line}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[a-j0-9,;# \n中-]{0,60}", game in 0usize..3) {
            let game = ["gomoku", "connect4:9x10/d4", "connect6"][game];
            let rules: Rules = game.parse().unwrap();
            for opening in read_openings(&text, &rules).unwrap_or_default() {
                let mut position = Position::new(rules);
                for cell in opening {
                    position.play(cell).unwrap();
                }
                prop_assert!(position.outcome().is_none() && !position.mid_turn());
            }
        }

        #[test]
        fn what_is_written_as_cells_reads_back(cells in prop::collection::hash_set((0u8..31, 0u8..31), 1..12)) {
            // A line of 31 cannot be full yet.
            let rules = Rules::connect(31, 31, 31, 1, 1);
            let cells: Vec<Cell> = cells.into_iter().map(|(column, row)| Cell::new(column, row)).collect();
            let text: String = cells.iter().map(Cell::to_string).collect();
            prop_assert_eq!(read_openings(&text, &rules), Ok(vec![cells.clone()]));
            let offset = |c: &Cell| format!("{},{}", i32::from(c.column) - 15, 15 - i32::from(c.row));
            let offsets: Vec<String> = cells.iter().map(offset).collect();
            prop_assert_eq!(read_openings(&offsets.join(", "), &rules), Ok(vec![cells]));
        }
    }
}
