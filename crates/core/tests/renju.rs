//! Renju's fouls: the golden table, random boards against the oracle, and how long the worst boards take.

mod oracle;

use std::time::{Duration, Instant};

use lianzi_core::{Cell, Forbidden, Foul, IllegalMove, Outcome, Ply, Position, Random, Rules, Setup, Stone};
use oracle::{BLACK, BLOCKED, EMPTY, Grid, Oracle, WHITE};
use proptest::prelude::*;

const TABLE: &str = include_str!("data/renju.txt");

/// One entry of the table.
#[derive(Clone, Debug, Default)]
struct Entry {
    name: String,
    /// The top row first, as drawn.
    diagram: Vec<Vec<char>>,
    white_plays: bool,
    answer: String,
    why: String,
}

fn table() -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for line in TABLE.lines().filter(|line| !line.is_empty() && *line != "#" && !line.starts_with("# ")) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            entries.push(Entry { name: name.into(), ..Entry::default() });
            continue;
        }
        let entry = entries.last_mut().expect("the table begins with a name");
        if line == "white plays" {
            entry.white_plays = true;
        } else if let Some(answer) = line.strip_prefix("answer: ") {
            entry.answer = answer.into();
        } else if let Some(why) = line.strip_prefix("why: ") {
            entry.why = why.into();
        } else if entry.answer.is_empty() {
            entry.diagram.push(line.chars().collect());
        }
    }
    entries
}

/// The diagram turned by a quarter, counter-clockwise.
fn turned(diagram: &[Vec<char>]) -> Vec<Vec<char>> {
    let width = diagram[0].len();
    (0..width).rev().map(|column| diagram.iter().map(|row| row[column]).collect()).collect()
}

fn mirrored(diagram: &[Vec<char>]) -> Vec<Vec<char>> {
    diagram.iter().map(|row| row.iter().rev().copied().collect()).collect()
}

/// The diagram as it looks from all sides, in a mirror too: a foul is one in every direction.
fn symmetries(diagram: &[Vec<char>]) -> Vec<Vec<Vec<char>>> {
    let mut all = vec![diagram.to_vec()];
    for n in 0..3 {
        all.push(turned(&all[n]));
    }
    let mirrors: Vec<_> = all.iter().map(|diagram| mirrored(diagram)).collect();
    all.extend(mirrors);
    all
}

/// Both referees on the same renju board.
struct Pair {
    position: Position,
    oracle: Oracle,
}

fn cells_with(grid: &Grid, wanted: char) -> impl Iterator<Item = Cell> + '_ {
    let rows = grid.iter().zip(0u8..);
    rows.flat_map(|(row, y)| row.iter().zip(0u8..).map(move |(&letter, x)| (letter, Cell::new(x, y))))
        .filter(move |(letter, _)| *letter == wanted)
        .map(|(_, cell)| cell)
}

fn set_up(grid: Grid, to_move: Stone) -> Pair {
    let position = position_on(&grid, to_move);
    let oracle = Oracle::on(*position.rules(), grid, to_move, 1);
    Pair { position, oracle }
}

fn position_on(grid: &Grid, to_move: Stone) -> Position {
    let (width, height) = (grid[0].len() as u8, grid.len() as u8);
    let rules = Rules {
        forbidden: Forbidden::Renju,
        blocked: cells_with(grid, BLOCKED).collect(),
        ..Rules::connect(width, height, 5, 1, 1)
    };
    let stones = [(BLACK, Stone::Black), (WHITE, Stone::White)]
        .iter()
        .flat_map(|&(letter, stone)| cells_with(grid, letter).map(move |cell| Ply { stone, cell }))
        .collect();
    let setup = Setup { stones, to_move, stones_left: 1 };
    Position::with_setup(rules, &setup).expect("the stones can lie there")
}

/// The table's word for what a stone on this cell does.
fn answer(played: Result<(), IllegalMove>, outcome: Option<Outcome>) -> String {
    match (played, outcome) {
        (Err(IllegalMove::Forbidden(Foul::Overline)), _) => "overline".into(),
        (Err(IllegalMove::Forbidden(Foul::DoubleFour)), _) => "double-four".into(),
        (Err(IllegalMove::Forbidden(Foul::DoubleThree)), _) => "double-three".into(),
        (Ok(()), Some(Outcome::Win(_))) => "five".into(),
        (Ok(()), _) => "legal".into(),
        (Err(why), _) => why.to_string(),
    }
}

fn check_entry(entry: &Entry, diagram: &[Vec<char>]) {
    // Rows are counted from the bottom.
    let mut grid: Grid = diagram.iter().rev().cloned().collect();
    let cell = cells_with(&grid, '?').next().expect("a diagram shows the cell that is played");
    grid[usize::from(cell.row)][usize::from(cell.column)] = EMPTY;
    let to_move = if entry.white_plays { Stone::White } else { Stone::Black };
    let Pair { mut position, mut oracle } = set_up(grid, to_move);
    let picture: Vec<String> = diagram.iter().map(|row| row.iter().collect()).collect();
    let context = format!("{}\n{}", entry.name, picture.join("\n"));
    assert_eq!(position.outcome(), None, "{context}");
    let played = oracle.play(cell);
    assert_eq!(answer(played, oracle.outcome()), entry.answer, "oracle: {context}");
    let played = position.play(cell);
    assert_eq!(answer(played, position.outcome()), entry.answer, "referee: {context}");
}

#[test]
fn referee_and_oracle_know_the_table_by_heart() {
    let entries = table();
    assert!(entries.len() >= 45, "{}", entries.len());
    for entry in &entries {
        assert!(!entry.why.is_empty(), "{} gives no reason", entry.name);
        for diagram in symmetries(&entry.diagram) {
            check_entry(entry, &diagram);
        }
    }
}

/// How often black, white and blocked cells stand on a board of hundred cells; the rest is empty.
#[derive(Clone, Copy, Debug)]
struct Density {
    black: usize,
    white: usize,
    blocked: usize,
}

/// A board without a finished game: no stone is put where it would complete five.
fn random_grid(width: usize, height: usize, density: Density, random: &mut Random) -> Grid {
    let mut grid = vec![vec![EMPTY; width]; height];
    for row in 0..height {
        for column in 0..width {
            let n = random.below(100);
            let Density { black, white, blocked } = density;
            let letter = match n {
                _ if n < black => BLACK,
                _ if n < black + white => WHITE,
                _ if n < black + white + blocked => BLOCKED,
                _ => EMPTY,
            };
            grid[row][column] = letter;
            if makes_five(&grid, row, column) {
                grid[row][column] = EMPTY;
            }
        }
    }
    grid
}

/// Whether the letter just written ends a row of five; cells are written row by row, so it can only be an end.
fn makes_five(grid: &Grid, row: usize, column: usize) -> bool {
    let letter = grid[row][column];
    let back = |rows: usize, columns: isize| {
        (1..5).all(|n: usize| {
            let cell = row.checked_sub(n * rows).zip(column.checked_add_signed(-(n as isize) * columns));
            cell.is_some_and(|(row, column)| grid[row].get(column) == Some(&letter))
        })
    };
    matches!(letter, BLACK | WHITE) && (back(0, 1) || back(1, 0) || back(1, 1) || back(1, -1))
}

/// Every cell of the board must be refused for the same reason; returns how many fouls of each kind there are.
fn compare_fouls(grid: Grid) -> [usize; 3] {
    let Pair { position, oracle } = set_up(grid, Stone::Black);
    assert_eq!(position.outcome(), oracle.outcome(), "\n{}", oracle.picture());
    let mut fouls = [0; 3];
    for cell in position.rules().cells() {
        let answer = oracle.check(cell);
        assert_eq!(position.check(cell), answer, "{cell} on\n{}", oracle.picture());
        if let Err(IllegalMove::Forbidden(foul)) = answer {
            fouls[foul as usize] += 1;
        }
    }
    fouls
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn fouls_on_random_boards_are_the_oracles(
        (width, height) in (5..=15usize, 5..=15usize),
        (black, white, blocked) in (5..=60usize, 0..=25usize, 0..=6usize),
        seed in any::<u64>()
    ) {
        let density = Density { black, white, blocked };
        compare_fouls(random_grid(width, height, density, &mut Random::new(seed)));
    }
}

#[test]
fn random_boards_hold_every_foul_many_times() {
    let mut fouls = [0; 3];
    for seed in 0..1500 {
        let density = Density { black: 12 + seed % 30, white: seed % 11, blocked: seed % 3 };
        let counts = compare_fouls(random_grid(15, 15, density, &mut Random::new(seed as u64)));
        for (sum, count) in fouls.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    assert!(fouls.iter().all(|&count| count > 1000), "{fouls:?}");
}

/// Tiles of lattices in which four cells depend on one another; those of one row make whole columns of black
/// stones, which are the worst known.
const TILES: [&[&str]; 14] = [
    &["X."],
    &["X..", ".X.", "..X"],
    &["X.", ".."],
    &["X..", "...", "..."],
    &["X.."],
    &["XX.", "...", "..."],
    &["XX.", "XX.", "..."],
    &["...XX"],
    &["....XX"],
    &["..XX...."],
    &["....XX", "....XX", "......"],
    &["..X.X"],
    &["XX...", ".....", "..XX.", "....."],
    &["X...", "..X."],
];

/// A lattice of black stones: every cell whose place in a small tile is marked.
fn lattice(side: usize, tile: &[&str]) -> Grid {
    let letter = |row: usize, column: usize| {
        let line = tile[row % tile.len()].as_bytes();
        if line[column % line.len()] == b'X' { BLACK } else { EMPTY }
    };
    (0..side).map(|row| (0..side).map(|column| letter(row, column)).collect()).collect()
}

/// How long the referee needs to list the legal cells, undisturbed.
fn time_of_legal(grid: &Grid) -> Duration {
    let position = position_on(grid, Stone::Black);
    let time = |_| {
        let start = Instant::now();
        assert!(position.legal().count() <= position.free());
        start.elapsed()
    };
    (0..2).map(time).min().unwrap_or_default()
}

#[test]
fn boards_made_to_confuse_take_no_time() {
    for tile in TILES {
        for side in [15, 31] {
            let time = time_of_legal(&lattice(side, tile));
            // A fifth of a second at most on a free machine, minutes if every level is looked at.
            assert!(time < Duration::from_secs(10), "{tile:?} on {side}: {time:?}");
        }
    }
}

#[test]
fn lattices_that_play_could_make_are_judged_as_the_oracle_judges_them() {
    // Whole columns are overlines, which Black cannot make; there the referee stops looking, the oracle does not.
    for tile in TILES.into_iter().filter(|tile| tile.len() > 1) {
        for side in [9, 12, 15] {
            compare_fouls(lattice(side, tile));
        }
    }
}
