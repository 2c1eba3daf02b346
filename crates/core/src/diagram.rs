//! A position drawn with characters, for terminals, logs and messages.

use std::fmt;

use crate::{Cell, Content, Position, Stone, column_name};

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagram<'a> {
    position: &'a Position,
    symbols: Symbols,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Symbols {
    stones: [char; 2],
    empty: char,
    blocked: char,
}

impl Position {
    /// The board in plain ASCII: `X` Black, `O` White, `.` empty, `#` blocked; the last turn and a winning line
    /// in brackets.
    pub fn ascii(&self) -> Diagram<'_> {
        Diagram { position: self, symbols: Symbols { stones: ['X', 'O'], empty: '.', blocked: '#' } }
    }

    /// The board with round stones.
    pub fn unicode(&self) -> Diagram<'_> {
        Diagram { position: self, symbols: Symbols { stones: ['●', '○'], empty: '·', blocked: '╳' } }
    }

    /// The stones of the turn played last, or of the turn under way.
    pub fn last_turn(&self) -> &[crate::Ply] {
        let plies = self.plies();
        let mover = plies.last().map(|ply| ply.stone);
        let earlier = plies.iter().rposition(|ply| Some(ply.stone) != mover).map_or(0, |n| n + 1);
        &plies[earlier..]
    }
}

impl Diagram<'_> {
    fn symbol(&self, cell: Cell) -> char {
        match self.position.content(cell) {
            Some(Content::Stone(Stone::Black)) => self.symbols.stones[0],
            Some(Content::Stone(Stone::White)) => self.symbols.stones[1],
            Some(Content::Blocked) => self.symbols.blocked,
            _ => self.symbols.empty,
        }
    }
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.position.rules();
        let marked = self
            .position
            .winning_line()
            .unwrap_or_else(|| self.position.last_turn().iter().map(|ply| ply.cell).collect());
        let names: String = (0..rules.width).map(|column| format!("{:<2}", column_name(column))).collect();
        for row in (0..rules.height).rev() {
            write!(f, "{:>2}", row + 1)?;
            let mut open = false;
            for cell in (0..rules.width).map(|column| Cell::new(column, row)) {
                let mark = marked.contains(&cell);
                let gap = match (open, mark) {
                    (true, true) => '|',
                    (true, false) => ']',
                    (false, true) => '[',
                    (false, false) => ' ',
                };
                write!(f, "{gap}{}", self.symbol(cell))?;
                open = mark;
            }
            writeln!(f, "{}", if open { "]" } else { "" })?;
        }
        writeln!(f, "   {}", names.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use crate::Position;

    #[test]
    fn draws_stones_blocked_cells_and_the_last_turn() {
        let mut position = Position::new("connect4:4x4/c1".parse().unwrap());
        for cell in ["a1", "b1", "d1"] {
            position.play(cell.parse().unwrap()).unwrap();
        }
        let drawn = " 4 . . . .\n 3 . . . .\n 2 . . . .\n 1 X O #[X]\n   a b c d\n";
        assert_eq!(position.ascii().to_string(), drawn);
        assert!(position.unicode().to_string().contains("● ○ ╳[●]"));
    }

    #[test]
    fn marks_both_stones_of_a_turn_and_winning_lines() {
        let mut position = Position::new("connect:4,2,3,2,1".parse().unwrap());
        for cell in ["a1", "a2", "b2"] {
            position.play(cell.parse().unwrap()).unwrap();
        }
        assert_eq!(position.ascii().to_string().lines().next(), Some(" 2[O|O]. ."));
        for cell in ["b1", "c1"] {
            position.play(cell.parse().unwrap()).unwrap();
        }
        assert_eq!(position.ascii().to_string().lines().nth(1), Some(" 1[X|X|X]."));
    }
}
