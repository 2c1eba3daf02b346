//! Openings: what to play in early positions, found by long searches of this engine (`lianzi dev book connect6`).
//!
//! A file has a line for each position, up to symmetry: `j10 i9 i11 = h10 i10 ; 1200 ; 6` tells the stones, the turn,
//! its score in the engine's points and how many turns deep it was searched.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use lianzi_core::symmetry::{canonical, seen_through, symmetries};
use lianzi_core::{Cell, Position, Rules, Speak, Text, spoken_errors, text};

/// The board it is made for.
pub const BOARD: Rules = Rules::connect6(19);

/// How far from the centre White's first stones may lie to be in the book.
const NEAR: u8 = 2;

/// The book that comes with the program.
static BUILT_IN: LazyLock<Book> =
    LazyLock::new(|| include_str!("../../data/connect6.book").parse().unwrap_or_default());

/// What to play in early positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    advice: BTreeMap<Vec<Cell>, Advice>,
}

/// What to play in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The stones of the turn.
    pub turn: Vec<Cell>,
    /// What the position is worth to the side to move.
    pub score: i32,
    /// How many turns deep this was searched.
    pub depth: u32,
}

impl Book {
    /// The book that comes with the program.
    pub fn built_in() -> &'static Book {
        &BUILT_IN
    }

    /// What it says of a position.
    pub fn find(&self, position: &Position) -> Option<Advice> {
        let stones = stones(position)?;
        symmetries(&BOARD).into_iter().find_map(|symmetry| {
            let advice = self.advice.get(&seen_through(symmetry, &stones, &BOARD))?;
            let back = |&cell: &Cell| symmetry.inverse().image(cell, &BOARD);
            Some(Advice { turn: advice.turn.iter().map(back).collect(), ..*advice })
        })
    }

    /// Adds what to play in a position of its board; whether it is one.
    pub fn add(&mut self, position: &Position, advice: &Advice) -> bool {
        let Some(stones) = stones(position) else { return false };
        let key = canonical(&stones, &BOARD);
        let way = symmetries(&BOARD).into_iter().find(|&way| seen_through(way, &stones, &BOARD) == key);
        let turn = way.map(|way| advice.turn.iter().map(|&cell| way.image(cell, &BOARD)).collect());
        turn.map(|turn| self.advice.insert(key, Advice { turn, ..*advice })).is_some()
    }

    /// How many positions it holds.
    pub fn len(&self) -> usize {
        self.advice.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.advice.is_empty()
    }
}

/// The stones of a position, unless it has none, stands on another board, or began with a setup.
fn stones(position: &Position) -> Option<Vec<Cell>> {
    let plies = position.plies();
    let fits = *position.rules() == BOARD && position.free() + plies.len() == BOARD.capacity();
    (fits && !plies.is_empty() && !position.mid_turn()).then(|| plies.iter().map(|ply| ply.cell).collect())
}

/// Black's first stone in the centre, and every answer of White near it, up to symmetry.
pub fn beginnings() -> Vec<Position> {
    let centre = Cell::new(BOARD.width / 2, BOARD.height / 2);
    let near = |cell: &Cell| {
        let distance = cell.column.abs_diff(centre.column).max(cell.row.abs_diff(centre.row));
        (1..=NEAR).contains(&distance)
    };
    let cells: Vec<Cell> = BOARD.cells().filter(near).collect();
    let mut found = BTreeMap::from([(vec![centre], vec![centre])]);
    for (n, &one) in cells.iter().enumerate() {
        for &two in &cells[n + 1..] {
            let opening = vec![centre, one, two];
            found.entry(canonical(&opening, &BOARD)).or_insert(opening);
        }
    }
    let mut found: Vec<Position> = found.values().map(|opening| after(opening)).collect();
    found.sort_by_key(|position| position.plies().len());
    found
}

/// The position after these stones.
fn after(opening: &[Cell]) -> Position {
    let mut position = Position::new(BOARD);
    for &cell in opening {
        // Distinct cells of a large board: six in a row need more stones.
        let _ = position.play(cell);
    }
    position
}

impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |cells: &[Cell]| cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ");
        for (stones, Advice { turn, score, depth }) in &self.advice {
            writeln!(f, "{} = {} ; {score} ; {depth}", names(stones), names(turn))?;
        }
        Ok(())
    }
}

/// A line that is none of a book, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadLine(pub usize);

impl Speak for BadLine {
    fn text(&self) -> Text {
        const LIKE: &str = "j10 i9 i11 = h10 i10 ; 1200 ; 6";
        let BadLine(line) = self;
        text!("line {line} is not like '{LIKE}', or cannot be played", "第 {line} 行不是“{LIKE}”这样的形式，或无法下出")
    }
}

spoken_errors!(BadLine);

impl std::str::FromStr for Book {
    type Err = BadLine;

    fn from_str(text: &str) -> Result<Book, BadLine> {
        let mut book = Book::default();
        for (n, line) in text.lines().enumerate() {
            read(line).filter(|(position, advice)| book.add(position, advice)).ok_or(BadLine(n + 1))?;
        }
        Ok(book)
    }
}

/// A line's position and what to play there, if both can be played.
fn read(line: &str) -> Option<(Position, Advice)> {
    let (stones, rest) = line.split_once('=')?;
    let cells = |text: &str| text.split_whitespace().map(|name| name.parse().ok()).collect::<Option<Vec<Cell>>>();
    let mut fields = rest.split(';');
    let turn = cells(fields.next()?)?;
    let mut number = || fields.next()?.trim().parse::<i32>().ok();
    let (score, depth) = (number()?, u32::try_from(number()?).ok()?);
    let mut position = Position::new(BOARD);
    cells(stones)?.into_iter().try_for_each(|cell| position.play(cell)).ok()?;
    let mut next = position.clone();
    let fits = turn.len() == usize::from(position.stones_left()) && turn.iter().all(|&cell| next.play(cell).is_ok());
    fits.then_some((position, Advice { turn, score, depth }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "j10 = i9 i10 ; -700 ; 6\nj10 i9 i11 = h10 i10 ; 1200 ; 6\n";

    fn moves(text: &str) -> Position {
        Position::after(BOARD, text).unwrap()
    }

    #[test]
    fn positions_are_found_however_the_board_lies() {
        let book: Book = LINES.parse().unwrap();
        assert_eq!(book.len(), 2);
        let turn = |text: &str| {
            let mut turn = book.find(&moves(text))?.turn;
            turn.sort();
            Some(turn.iter().map(Cell::to_string).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(turn("j10 i9 i11").as_deref(), Some("h10 i10"));
        assert_eq!(turn("j10 k11 k9").as_deref(), Some("k10 l10"));
        assert_eq!(turn("j10 i9 k9").as_deref(), Some("j8 j9"));
        for other in ["", "j10 i9", "j10 i9 i12", "a1", "i9 j10 i11"] {
            assert_eq!(turn(other), None, "{other}");
        }
        let small = Position::new(Rules::connect6(15));
        assert_eq!(book.find(&small), None);
    }

    #[test]
    fn books_survive_their_file_and_bad_lines_are_named() {
        let book: Book = LINES.parse().unwrap();
        assert_eq!(book.to_string().parse(), Ok(book));
        for line in ["j10", "j10 = j10 i9 ; 0 ; 1", "j10 = i9 ; 0 ; 1", "j10 = i9 i10 ; x ; 1", "= i9 ; 0 ; 1"] {
            assert_eq!(format!("{LINES}{line}\n").parse::<Book>(), Err(BadLine(3)), "{line}");
        }
    }

    #[test]
    fn the_built_in_book_can_be_read() {
        let text = include_str!("../../data/connect6.book");
        assert_eq!(text.parse::<Book>().map(|book| book.len()), Ok(text.lines().count()));
    }

    #[test]
    fn beginnings_differ() {
        let beginnings = beginnings();
        assert_eq!(beginnings[0].plies().len(), 1);
        // Of the 276 pairs of the 24 cells around the centre 44 differ by more than a symmetry.
        assert!(beginnings[1..].iter().all(|position| position.plies().len() == 3));
        assert_eq!(beginnings.len(), 1 + 44);
    }
}
