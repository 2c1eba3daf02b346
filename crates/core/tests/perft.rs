//! Perft: the referee and the oracle count the games of tests/data/perft.txt.

mod oracle;

use lianzi_core::{Cell, Position, divide, perft};
use oracle::Oracle;

const TABLE: &str = include_str!("data/perft.txt");

/// The oracle is slow: it counts a depth only if it has to look at no more cells than this.
const ORACLE_LIMIT: u64 = 9_000_000;

/// One line of the table.
struct Entry {
    line: &'static str,
    game: &'static str,
    moves: Vec<Cell>,
    counts: Vec<u64>,
}

impl Entry {
    fn read(line: &'static str) -> Option<Entry> {
        let mut parts = line.split('|').map(str::trim);
        let (game, moves, counts) = (parts.next()?, parts.next()?, parts.next()?);
        let moves = moves.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        let counts = counts.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        parts.next().is_none().then_some(Entry { line, game, moves, counts })
    }

    fn position(&self) -> Position {
        let mut position = Position::new(self.game.parse().expect("the table names a game"));
        for &cell in &self.moves {
            position.play(cell).unwrap_or_else(|why| panic!("{cell} {why}: {}", self.line));
        }
        position
    }

    fn oracle(&self) -> Oracle {
        let mut oracle = Oracle::new(self.game.parse().expect("the table names a game"));
        for &cell in &self.moves {
            oracle.play(cell).unwrap_or_else(|why| panic!("{cell} {why}: {}", self.line));
        }
        oracle
    }

    /// The depths of this entry, each with its count.
    fn depths(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        (1..).zip(self.counts.iter().copied())
    }
}

fn table() -> Vec<Entry> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| Entry::read(line).unwrap_or_else(|| panic!("cannot be read: {line}"))).collect()
}

#[test]
fn the_referee_counts_what_the_table_says() {
    for entry in table() {
        assert!(!entry.counts.is_empty(), "{}", entry.line);
        let mut position = entry.position();
        let before = position.clone();
        for (depth, count) in entry.depths() {
            assert_eq!(perft(&mut position, depth as u32), count, "depth {depth}: {}", entry.line);
        }
        assert_eq!(position, before, "{}", entry.line);
    }
}

#[test]
fn the_oracle_counts_what_the_table_says() {
    for entry in table() {
        let oracle = entry.oracle();
        let cells = entry.position().rules().capacity() as u64;
        let mut last = 1;
        for (depth, count) in entry.depths() {
            if last * cells <= ORACLE_LIMIT {
                assert_eq!(oracle.perft(depth), count, "depth {depth}: {}", entry.line);
            }
            last = count;
        }
    }
}

#[test]
fn the_table_knows_the_published_counts() {
    let counts = |game: &str| {
        let entry = table().into_iter().find(|entry| entry.game == game && entry.moves.is_empty());
        entry.map(|entry| entry.counts).unwrap_or_default()
    };
    assert_eq!(counts("connect4"), [7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234]);
    assert_eq!(counts("connect:3,3,3,1,1"), [9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872]);
    assert_eq!(counts("gomoku"), [225, 225 * 224, 225 * 224 * 223]);
    assert_eq!(counts("connect6"), [361, 361 * 360]);
}

#[test]
fn the_parts_of_a_division_add_up() {
    for entry in table() {
        let mut position = entry.position();
        for (depth, count) in entry.depths().take(3) {
            let parts = divide(&mut position, depth as u32);
            assert_eq!(parts.iter().map(|(_, count)| count).sum::<u64>(), count, "{}", entry.line);
        }
    }
}
