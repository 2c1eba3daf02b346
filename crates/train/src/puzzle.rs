//! What a puzzle is, and the line of text it is kept as (docs/train.md).

use std::fmt;
use std::str::FromStr;

use lianzi_core::{
    BadGame, BadMove, Cell, NotACell, Position, Rules, Speak, Stone, Text, cell_names, shorten, spoken_errors, text,
};

use crate::theme::{Goal, Theme};

/// How long an id may be, how many stones may lie on the board, and how many turns a solution may take.
const ID: usize = 40;
const STONES: usize = 400;
const TURNS: u8 = 60;
/// Between these ratings lie all puzzles.
pub const EASIEST: u16 = 400;
/// The highest rating.
pub const HARDEST: u16 = 3000;

/// The stones that one side places.
pub type Turn = Vec<Cell>;

/// A position in which something is to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// Its name, which no other has.
    pub id: String,
    /// The game.
    pub rules: Rules,
    /// What it is about.
    pub theme: Theme,
    /// How many turns of the solver it takes against the longest defence.
    pub turns: u8,
    /// How hard it is, on the scale of the learners' ratings.
    pub rating: u16,
    /// The stones up to its position.
    pub moves: Vec<Cell>,
    /// The first turns that are right.
    pub accepted: Vec<Turn>,
}

/// How hard a puzzle is, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Below 1300.
    Easy,
    /// Up to 1700.
    Medium,
    /// From there on.
    Hard,
}

impl Level {
    /// All of them, the easiest first.
    pub const ALL: [Level; 3] = [Level::Easy, Level::Medium, Level::Hard];

    /// The level of a rating.
    pub const fn of(rating: u16) -> Level {
        match rating {
            0..1300 => Level::Easy,
            1300..1700 => Level::Medium,
            _ => Level::Hard,
        }
    }

    /// Its name in messages and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
        }
    }
}

impl FromStr for Level {
    type Err = Text;

    fn from_str(text: &str) -> Result<Level, Text> {
        let level = Level::ALL.into_iter().find(|level| level.name() == text);
        level.ok_or_else(|| {
            let word = shorten(text);
            text!("there is no level {word}; there are easy, medium and hard", "没有难度 {word}；有 easy、medium、hard")
        })
    }
}

/// Why a line is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadPuzzle {
    /// It does not have its seven parts.
    Parts,
    /// A part is not what it should be.
    Part(&'static str, String),
    /// There is no such game.
    Game(BadGame),
    /// The stones cannot be played.
    Moves(BadMove),
    /// A cell cannot be read.
    Cell(NotACell),
    /// A turn that is said to be right cannot be played.
    Accepted(String),
    /// The game is over, or a turn has begun already.
    Position,
}

impl Speak for BadPuzzle {
    fn text(&self) -> Text {
        match self {
            BadPuzzle::Parts => Text::fixed(
                "a puzzle has seven parts: ID GAME THEME TURNS RATING MOVES ACCEPTED",
                "一道题有七部分：ID GAME THEME TURNS RATING MOVES ACCEPTED",
            ),
            BadPuzzle::Part(part, word) => text!("{word} cannot be a puzzle's {part}", "{word} 不能作为题目的 {part}"),
            BadPuzzle::Game(bad) => bad.text(),
            BadPuzzle::Moves(bad) => bad.text(),
            BadPuzzle::Cell(bad) => bad.text(),
            BadPuzzle::Accepted(turn) => text!("{turn} cannot be played", "{turn} 无法下"),
            BadPuzzle::Position => {
                Text::fixed("the game of this puzzle is over, or a turn has begun", "此题的对局已结束，或一手尚未下完")
            }
        }
    }
}

spoken_errors!(BadPuzzle);

impl Puzzle {
    /// What is to be done.
    pub fn goal(&self) -> Goal {
        self.theme.goal()
    }

    /// The position in which something is to be found.
    pub fn position(&self) -> Position {
        let mut position = Position::new(self.rules);
        for &cell in &self.moves {
            position.play(cell).expect("a puzzle's stones were played when it was read");
        }
        position
    }

    /// Who solves it.
    pub fn solver(&self) -> Stone {
        self.rules.turn_at(self.moves.len()).0
    }

    /// The number at the end of its id.
    pub fn number(&self) -> Option<u32> {
        self.id.rsplit_once('-')?.1.parse().ok()
    }

    /// How hard it is, in words.
    pub fn level(&self) -> Level {
        Level::of(self.rating)
    }

    /// Whether a first turn is right, in whichever order its stones are placed.
    pub fn accepts(&self, turn: &[Cell]) -> bool {
        self.accepted.iter().any(|right| same(right, turn))
    }

    /// What is to be done, in words.
    pub fn title(&self) -> Text {
        self.theme.title(&self.rules, self.solver(), self.turns)
    }
}

/// Whether two turns have the same stones.
pub fn same(a: &[Cell], b: &[Cell]) -> bool {
    a.len() == b.len() && a.iter().all(|cell| b.contains(cell))
}

/// A turn as people read it.
pub fn named(turn: &[Cell]) -> String {
    turn.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
}

fn together(cells: &[Cell]) -> String {
    if cells.is_empty() { "-".into() } else { cells.iter().map(Cell::to_string).collect() }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Puzzle { id, rules, theme, turns, rating, moves, accepted } = self;
        let (moves, accepted) = (together(moves), together(&accepted.concat()));
        write!(f, "{id} {rules} {} {turns} {rating} {moves} {accepted}", theme.name())
    }
}

impl FromStr for Puzzle {
    type Err = BadPuzzle;

    fn from_str(line: &str) -> Result<Puzzle, BadPuzzle> {
        let parts: Vec<&str> = line.split(' ').collect();
        let [id, game, theme, turns, rating, moves, accepted] = parts[..] else { return Err(BadPuzzle::Parts) };
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        if id.is_empty() || id.len() > ID || !id.bytes().all(plain) {
            return Err(BadPuzzle::Part("ID", shorten(id)));
        }
        let rules: Rules = game.parse().map_err(BadPuzzle::Game)?;
        let theme: Theme = theme.parse().map_err(|()| BadPuzzle::Part("THEME", shorten(theme)))?;
        let turns = number(turns, 1, TURNS.into()).ok_or_else(|| BadPuzzle::Part("TURNS", shorten(turns)))?;
        let rating = number(rating, EASIEST, HARDEST).ok_or_else(|| BadPuzzle::Part("RATING", shorten(rating)))?;
        let position = position_of(rules, moves)?;
        let accepted = turns_of(&position, &cells(accepted)?)?;
        let moves = position.plies().iter().map(|ply| ply.cell).collect();
        Ok(Puzzle { id: id.into(), rules, theme, turns: turns as u8, rating, moves, accepted })
    }
}

/// A number between two others.
fn number(text: &str, least: u16, most: u16) -> Option<u16> {
    text.parse().ok().filter(|number| (least..=most).contains(number) && !text.starts_with('+'))
}

fn cells(text: &str) -> Result<Vec<Cell>, BadPuzzle> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let names: Vec<&str> = cell_names(text).collect();
    if names.len() > STONES {
        return Err(BadPuzzle::Part("MOVES", shorten(text)));
    }
    names.into_iter().map(|name| name.parse().map_err(BadPuzzle::Cell)).collect()
}

/// The position after these stones, at the beginning of a turn.
fn position_of(rules: Rules, moves: &str) -> Result<Position, BadPuzzle> {
    let mut position = Position::new(rules);
    for (n, cell) in cells(moves)?.into_iter().enumerate() {
        position.play(cell).map_err(|why| BadPuzzle::Moves(BadMove::Illegal { number: n + 1, cell, why }))?;
    }
    let open = position.outcome().is_none() && !position.mid_turn();
    if open { Ok(position) } else { Err(BadPuzzle::Position) }
}

/// The turns that these cells are in this position, one after another. A stone that ends the game ends its turn.
fn turns_of(position: &Position, mut cells: &[Cell]) -> Result<Vec<Turn>, BadPuzzle> {
    let mut turns = Vec::new();
    while !cells.is_empty() {
        let taken = turn_length(position, cells).ok_or_else(|| BadPuzzle::Accepted(named(cells)))?;
        turns.push(cells[..taken].to_vec());
        cells = &cells[taken..];
    }
    if turns.is_empty() { Err(BadPuzzle::Accepted("-".into())) } else { Ok(turns) }
}

/// How many of these stones make a whole turn; nothing if they cannot be played.
fn turn_length(position: &Position, cells: &[Cell]) -> Option<usize> {
    let (mut after, mover) = (position.clone(), position.to_move());
    for (n, &cell) in cells.iter().enumerate() {
        after.play(cell).ok()?;
        if after.outcome().is_some() || after.to_move() != mover {
            return Some(n + 1);
        }
    }
    None
}

/// The puzzles of a file; what is no puzzle is told with its line's number.
pub fn read(text: &str) -> Result<Vec<Puzzle>, (usize, BadPuzzle)> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(n, line)| line.parse().map_err(|bad| (n + 1, bad))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_is_its_line() {
        for line in [
            "gomoku-1 gomoku fours 2 900 h8g8i8h9j8i7k9a1k10a3k11a5 k8",
            "connect6-3 connect6 double-threats 2 1200 j10a1a3k10l10a5a7j9j8s1s3 m10n10i10h10",
            "mine-0af connect4:9x10/d4 mistake 1 1500 - e1f1",
        ] {
            let puzzle: Puzzle = line.parse().unwrap();
            assert_eq!(puzzle.to_string(), line);
        }
        let six: Puzzle = "c-3 connect6 double-threats 2 1200 j10a1a3k10l10a5a7 m10n10i10h10".parse().unwrap();
        assert_eq!((six.accepted.len(), six.number()), (2, Some(3)));
        let cell = |name: &str| name.parse::<Cell>().unwrap();
        assert!(six.accepts(&[cell("n10"), cell("m10")]) && !six.accepts(&[cell("n10")]));
    }

    #[test]
    fn what_is_no_puzzle_is_refused_in_words() {
        for (line, words) in [
            ("a gomoku fours 2 900 h8", "seven parts"),
            ("a/b gomoku fours 2 900 - h8", "ID"),
            ("a chess fours 2 900 - h8", "chess"),
            ("a gomoku jokes 2 900 - h8", "THEME"),
            ("a gomoku fours 0 900 - h8", "TURNS"),
            ("a gomoku fours 2 9 - h8", "RATING"),
            ("a gomoku fours 2 900 h8h8 h9", "stone"),
            ("a gomoku fours 2 900 h8 -", "cannot be played"),
            ("a gomoku fours 2 900 h8 h8", "cannot be played"),
            ("a connect6 fours 2 900 j10a1 a2", "turn has begun"),
            ("a connect6 fours 2 900 j10 a2", "cannot be played"),
        ] {
            let bad = line.parse::<Puzzle>().unwrap_err().text();
            assert!(bad.english.contains(words), "{line}: {bad}");
            assert!(!bad.chinese.is_empty());
        }
        let file = "# two lines\n\na gomoku fours 2 900 - h8\nnothing\n";
        assert_eq!(read(file).unwrap_err(), (4, BadPuzzle::Parts));
    }
}
