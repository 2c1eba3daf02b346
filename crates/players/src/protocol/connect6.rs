//! Connect6 over text, in Cloudict's dialect and in CCGC's. Cells are two letters with I; [`Alphabet::Letters`] flips
//! the rows where the row A is at the top.

use lianzi_core::{Cell, Rules, Stone};

use super::cells::{Alphabet, BadCell, RowA};

/// The two dialects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Black's first stone is `move JJ`.
    #[default]
    Cloudict,
    /// A missing stone is `@@`: Black's first is `move JJ@@`. Asks `name?`.
    Ccgc,
}

/// What a manager says to an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// Who are you? The question mark is CCGC's.
    Name(Dialect),
    /// A new game, in which the engine has this side.
    New(Stone),
    /// The opponent's turn; the engine answers.
    Move(&'a str),
    /// Stones of this side are placed; nobody answers.
    Place(Stone, &'a str),
    /// The engine moves for the side opposite to the last stone.
    Next,
    /// How deep to look.
    Depth(&'a str),
    /// Shows the board.
    Print,
    /// Shows the commands.
    Help,
    /// Leave.
    Quit,
    /// Wants nothing of us: `vcf`, `unvcf`, `end`, `error`.
    Noted,
    /// Anything else.
    Unknown(&'a str),
}

impl Command<'_> {
    /// Reads a line, in either case.
    pub fn read(line: &str) -> Command<'_> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word.to_ascii_lowercase().as_str(), rest.to_ascii_lowercase().as_str()) {
            ("name", _) => Command::Name(Dialect::Cloudict),
            ("name?", _) => Command::Name(Dialect::Ccgc),
            ("new", "black") => Command::New(Stone::Black),
            ("new", "white") => Command::New(Stone::White),
            ("move", _) => Command::Move(rest),
            ("black", _) => Command::Place(Stone::Black, rest),
            ("white", _) => Command::Place(Stone::White, rest),
            ("next", _) => Command::Next,
            ("depth", _) => Command::Depth(rest),
            ("print", _) => Command::Print,
            ("help", _) => Command::Help,
            ("quit" | "exit", _) => Command::Quit,
            ("vcf" | "unvcf" | "end" | "error", _) => Command::Noted,
            _ => Command::Unknown(word),
        }
    }
}

/// Whether a turn as text shows CCGC's sign for a missing stone.
pub fn has_gap(text: &str) -> bool {
    text.contains('@')
}

/// Reads the stones of a turn: `JJ`, `JJKK`, `JJ@@`; a stone that is doubled is one.
pub fn read_turn(text: &str, row_a: RowA, rules: &Rules) -> Result<Vec<Cell>, BadCell> {
    let letters: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let unreadable = || BadCell::Unreadable(lianzi_core::NotACell::new(text));
    if !letters.is_ascii() || !matches!(letters.len(), 2 | 4) {
        return Err(unreadable());
    }
    let (first, second) = letters.split_at(2);
    let mut cells = Vec::new();
    for name in [first, second].into_iter().filter(|name| !name.is_empty() && *name != "@@") {
        let cell = Alphabet::Letters(row_a).read(name, rules)?;
        if !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    if cells.is_empty() { Err(unreadable()) } else { Ok(cells) }
}

/// Writes a turn of one or two stones.
pub fn write_turn(turn: &[Cell], dialect: Dialect, row_a: RowA, rules: &Rules) -> String {
    let stones: String = turn.iter().map(|&cell| Alphabet::Letters(row_a).write(cell, rules)).collect();
    let gap = if turn.len() == 1 && dialect == Dialect::Ccgc { "@@" } else { "" };
    format!("move {stones}{gap}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_read_in_both_dialects() {
        let rules = Rules::connect6(19);
        let read = |text| {
            let cells = read_turn(text, RowA::Bottom, &rules);
            cells.map(|cells| cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(read("JJ").as_deref(), Ok("j10"));
        assert_eq!(read("jjjj").as_deref(), Ok("j10"));
        assert_eq!(read("JJ@@").as_deref(), Ok("j10"));
        assert_eq!(read("ABSI").as_deref(), Ok("a2 s9"));
        assert_eq!(read("AB SI").as_deref(), Ok("a2 s9"));
        for bad in ["", "J", "JJK", "@@@@", "@@", "ATAA", "JJKKLL", "中中", "A1"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn turns_are_written_as_the_dialect_wants() {
        let rules = Rules::connect6(19);
        let (a2, s9): (Cell, Cell) = ("a2".parse().unwrap(), "s9".parse().unwrap());
        assert_eq!(write_turn(&[a2], Dialect::Cloudict, RowA::Bottom, &rules), "move AB");
        assert_eq!(write_turn(&[a2], Dialect::Ccgc, RowA::Bottom, &rules), "move AB@@");
        assert_eq!(write_turn(&[a2, s9], Dialect::Ccgc, RowA::Bottom, &rules), "move ABSI");
        assert_eq!(write_turn(&[a2, s9], Dialect::Ccgc, RowA::Top, &rules), "move ARSK");
    }

    #[test]
    fn commands_are_read_in_either_case() {
        assert_eq!(Command::read("name?"), Command::Name(Dialect::Ccgc));
        assert_eq!(Command::read(" NEW  Black "), Command::New(Stone::Black));
        assert_eq!(Command::read("new game"), Command::Unknown("new"));
        assert_eq!(Command::read("white ABCD"), Command::Place(Stone::White, "ABCD"));
    }
}
