//! Cells in the alphabets of the protocols. Our rows count from the bottom; every flip is made here and only here.
//!
//! | alphabet | example (our `a1` on 15×15) | columns | rows |
//! |---|---|---|---|
//! | `Piskvork` | `0,14` | from 0 | from 0, from the **top** |
//! | `Letters(RowA::Bottom)` | `AA` | A, B … with I | A at the bottom (Cloudict) |
//! | `Letters(RowA::Top)` | `AO` | A, B … with I | A at the **top** |
//! | `Gtp` | `A1` | A, B … without I, after Z AA, AB … | from 1, from the bottom |
//!
//! Botzone's numbers are Piskvork's, in JSON: [`to_corner`] and [`from_corner`].

use lianzi_core::{Cell, NotACell, Rules, Speak, Text, spoken_errors, text};

/// A way to write cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// `x,y` from 0, from the top left.
    Piskvork,
    /// Two letters with I, column first.
    Letters(RowA),
    /// Letters without I, then the row from 1, from the bottom.
    Gtp,
}

/// Where the row called A is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowA {
    /// At the bottom, as Cloudict has it.
    #[default]
    Bottom,
    /// At the top.
    Top,
}

/// A text that names no cell of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadCell {
    /// It cannot be read.
    Unreadable(NotACell),
    /// It can, but the board ends before.
    OffBoard(NotACell),
}

impl Speak for BadCell {
    fn text(&self) -> Text {
        match self {
            BadCell::Unreadable(NotACell(text)) => {
                text!("'{text}' is not a cell", "“{text}”不是棋盘上的位置")
            }
            BadCell::OffBoard(NotACell(text)) => text!("'{text}' is not on the board", "“{text}”不在棋盘内"),
        }
    }
}

spoken_errors!(BadCell);

/// The letters of GTP: I is left out because it looks like J.
const WITHOUT_I: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

impl Alphabet {
    /// Writes a cell of the board.
    pub fn write(self, cell: Cell, rules: &Rules) -> String {
        let letter = |n: u8| char::from(b'A' + n);
        match self {
            Alphabet::Piskvork => {
                let (x, y) = to_corner(cell, rules);
                format!("{x},{y}")
            }
            Alphabet::Letters(RowA::Bottom) => [letter(cell.column), letter(cell.row)].iter().collect(),
            Alphabet::Letters(RowA::Top) => {
                let (x, y) = to_corner(cell, rules);
                [letter(x), letter(y)].iter().collect()
            }
            Alphabet::Gtp => format!("{}{}", gtp_column(cell.column), cell.row + 1),
        }
    }

    /// Reads a cell of the board, in either case, with blanks around its parts.
    pub fn read(self, text: &str, rules: &Rules) -> Result<Cell, BadCell> {
        let unreadable = || BadCell::Unreadable(NotACell::new(text));
        let (x, y) = match self {
            Alphabet::Piskvork => read_pair(text),
            Alphabet::Letters(_) => read_letters(text.trim()),
            Alphabet::Gtp => read_gtp(text.trim()),
        }
        .ok_or_else(unreadable)?;
        let cell = match self {
            Alphabet::Piskvork | Alphabet::Letters(RowA::Top) => from_corner(x, y, rules),
            Alphabet::Letters(RowA::Bottom) | Alphabet::Gtp => from_bottom(x, y, rules),
        };
        cell.ok_or_else(|| BadCell::OffBoard(NotACell::new(text)))
    }

    /// Whether every cell of the board has a name: two letters reach to 26.
    pub fn covers(self, rules: &Rules) -> bool {
        !matches!(self, Alphabet::Letters(_)) || rules.width.max(rules.height) <= 26
    }
}

/// Column and row from 0, from the top left.
pub fn to_corner(cell: Cell, rules: &Rules) -> (u8, u8) {
    (cell.column, rules.height - 1 - cell.row)
}

/// The cell in this column and row from 0, from the top left; `None` outside the board.
pub fn from_corner(x: i64, y: i64, rules: &Rules) -> Option<Cell> {
    from_bottom(x, (i64::from(rules.height) - 1).saturating_sub(y), rules)
}

fn from_bottom(column: i64, row: i64, rules: &Rules) -> Option<Cell> {
    let cell = Cell::new(u8::try_from(column).ok()?, u8::try_from(row).ok()?);
    rules.contains(cell).then_some(cell)
}

fn gtp_column(column: u8) -> String {
    let letter = |n: u8| char::from(WITHOUT_I[usize::from(n)]);
    match column {
        0..25 => letter(column).to_string(),
        _ => [letter(column / 25 - 1), letter(column % 25)].iter().collect(),
    }
}

fn read_pair(text: &str) -> Option<(i64, i64)> {
    let (x, y) = text.split_once(',')?;
    // Numbers beyond this lie off every board and overflow nothing.
    let number = |text: &str| text.trim().parse::<i32>().ok().map(i64::from);
    Some((number(x)?, number(y)?))
}

fn read_letters(text: &str) -> Option<(i64, i64)> {
    let number = |b: u8| b.is_ascii_alphabetic().then(|| i64::from(b.to_ascii_uppercase() - b'A'));
    match *text.as_bytes() {
        [column, row] => Some((number(column)?, number(row)?)),
        _ => None,
    }
}

fn read_gtp(text: &str) -> Option<(i64, i64)> {
    let (letters, digits) = text.split_at(text.find(|c: char| !c.is_ascii_alphabetic())?);
    let plain = (1..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    let row = digits.parse::<i64>().ok().filter(|_| plain)?;
    Some((read_gtp_column(letters)?, row - 1))
}

/// Reads the letters of a GTP column, from 0.
pub fn read_gtp_column(letters: &str) -> Option<i64> {
    let number = |b: u8| WITHOUT_I.iter().position(|&l| l == b.to_ascii_uppercase()).map(|n| n as i64);
    match *letters.as_bytes() {
        [one] => number(one),
        [first, second] => Some(25 * (number(first)? + 1) + number(second)?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Alphabet; 4] =
        [Alphabet::Piskvork, Alphabet::Letters(RowA::Bottom), Alphabet::Letters(RowA::Top), Alphabet::Gtp];

    fn cell(name: &str) -> Cell {
        name.parse().unwrap()
    }

    #[test]
    fn golden_names() {
        let (fifteen, nineteen) = (Rules::gomoku(15), Rules::connect6(19));
        let largest = Rules::gomoku(31);
        let flat = Rules::connect4(7, 6);
        let names = |cell, rules: &Rules| ALL.map(|alphabet| alphabet.write(cell, rules));
        assert_eq!(names(cell("a1"), &fifteen), ["0,14", "AA", "AO", "A1"]);
        assert_eq!(names(cell("a15"), &fifteen), ["0,0", "AO", "AA", "A15"]);
        assert_eq!(names(cell("i3"), &fifteen), ["8,12", "IC", "IM", "J3"]);
        assert_eq!(names(cell("j10"), &nineteen), ["9,9", "JJ", "JJ", "K10"]);
        assert_eq!(names(cell("s1"), &nineteen), ["18,18", "SA", "SS", "T1"]);
        assert_eq!(names(cell("d1"), &flat), ["3,5", "DA", "DF", "D1"]);
        assert_eq!(Alphabet::Gtp.write(cell("y1"), &largest), "Z1");
        assert_eq!(Alphabet::Gtp.write(cell("z1"), &largest), "AA1");
        assert_eq!(Alphabet::Gtp.write(cell("ae31"), &largest), "AF31");
        assert_eq!(to_corner(cell("c4"), &fifteen), (2, 11));
    }

    #[test]
    fn reading_is_lenient_where_it_is_safe() {
        let rules = Rules::gomoku(15);
        assert_eq!(Alphabet::Piskvork.read(" 7 , 8 ", &rules), Ok(cell("h7")));
        assert_eq!(Alphabet::Letters(RowA::Bottom).read(" ic ", &rules), Ok(cell("i3")));
        assert_eq!(Alphabet::Gtp.read("j3", &rules), Ok(cell("i3")));
    }

    #[test]
    fn off_the_board_is_told_from_unreadable() {
        let rules = Rules::gomoku(15);
        let off = [(Alphabet::Piskvork, "15,0"), (Alphabet::Piskvork, "-1,3"), (Alphabet::Gtp, "Q1")];
        let off = off.into_iter().chain([(Alphabet::Gtp, "A0"), (Alphabet::Letters(RowA::Top), "SA")]);
        for (alphabet, text) in off.chain([(Alphabet::Piskvork, "2147483647,2147483647")]) {
            assert!(matches!(alphabet.read(text, &rules), Err(BadCell::OffBoard(_))), "{text}");
        }
        let garbled = [(Alphabet::Piskvork, "7"), (Alphabet::Piskvork, "7,8,9"), (Alphabet::Piskvork, "a,b")];
        let garbled = garbled.into_iter().chain([(Alphabet::Gtp, "I3"), (Alphabet::Gtp, "3"), (Alphabet::Gtp, "A+1")]);
        for (alphabet, text) in garbled.chain([(Alphabet::Letters(RowA::Top), "A"), (Alphabet::Gtp, "中3")]) {
            assert!(matches!(alphabet.read(text, &rules), Err(BadCell::Unreadable(_))), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_cell_reads_back(width in 1u8..=31, height in 1u8..=31) {
            let rules = Rules::connect(width, height, 1, 1, 1);
            for alphabet in ALL.into_iter().filter(|alphabet| alphabet.covers(&rules)) {
                for cell in rules.cells() {
                    prop_assert_eq!(alphabet.read(&alphabet.write(cell, &rules), &rules), Ok(cell));
                }
            }
            for cell in rules.cells() {
                let (x, y) = to_corner(cell, &rules);
                prop_assert_eq!(from_corner(x.into(), y.into(), &rules), Some(cell));
            }
        }

        #[test]
        fn no_text_breaks_a_reader(text in any::<String>(), number in any::<(i64, i64)>()) {
            let rules = Rules::gomoku(19);
            let of = [text, format!("{},{}", number.0, number.1), format!("B{}", number.0)];
            for (alphabet, text) in ALL.into_iter().flat_map(|a| of.iter().map(move |text| (a, text))) {
                let read = alphabet.read(text, &rules);
                prop_assert!(read.is_err() || read.is_ok_and(|cell| rules.contains(cell)));
            }
            let cell = from_corner(number.0, number.1, &rules);
            prop_assert!(cell.is_none_or(|cell| rules.contains(cell)));
        }
    }
}
