//! Renju's fouls read off windows of letters, straight from the definitions of the Renju International Federation.
//!
//! Around a cell eleven letters of each line are enough: a five through the cell reaches at most four cells away,
//! and one cell more shows whether it is longer.
//!
//! ```text
//!      0 1 2 3 4 5 6 7 8 9 10      5  the cell,  # stands for a blocked cell and for everything outside the board
//! ```

use std::collections::BTreeSet;

use lianzi_core::{Cell, Foul};

use super::{BLACK, BLOCKED, EMPTY, Grid};

const CENTRE: usize = 5;
const LINES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The letters of one line around a cell.
type Segment = [char; 11];

/// Some places of a segment.
type Places = Vec<usize>;

/// The foul Black would commit by playing on this empty cell. When there are several, an overline is named
/// before a double four, and that before a double three.
pub fn foul(grid: &mut Grid, cell: Cell) -> Option<Foul> {
    grid[usize::from(cell.row)][usize::from(cell.column)] = BLACK;
    let foul = foul_of_stone(grid, cell);
    grid[usize::from(cell.row)][usize::from(cell.column)] = EMPTY;
    foul
}

fn foul_of_stone(grid: &mut Grid, cell: Cell) -> Option<Foul> {
    let segments = LINES.map(|line| segment(grid, cell, line));
    if segments.iter().any(has_five) {
        return None;
    }
    if segments.iter().any(has_overline) {
        return Some(Foul::Overline);
    }
    if segments.iter().map(|segment| fours(segment).len()).sum::<usize>() >= 2 {
        return Some(Foul::DoubleFour);
    }
    let threes: usize = LINES.iter().map(|&line| threes(grid, cell, line).len()).sum();
    (threes >= 2).then_some(Foul::DoubleThree)
}

fn segment(grid: &Grid, cell: Cell, line: (i32, i32)) -> Segment {
    std::array::from_fn(|place| {
        neighbour(cell, line, place)
            .map_or(BLOCKED, |(row, column)| grid.get(row).and_then(|row| row.get(column)).copied().unwrap_or(BLOCKED))
    })
}

/// Row and column of a place of the segment around `cell`, which may still lie beyond the far edges.
fn neighbour(cell: Cell, (columns, rows): (i32, i32), place: usize) -> Option<(usize, usize)> {
    let n = place as i32 - CENTRE as i32;
    let row = usize::try_from(i32::from(cell.row) + n * rows).ok()?;
    let column = usize::try_from(i32::from(cell.column) + n * columns).ok()?;
    Some((row, column))
}

/// The windows of `length` places that hold the centre and whose two neighbours are in the segment and not black.
fn windows(segment: &Segment, length: usize) -> impl Iterator<Item = Places> + '_ {
    let alone = move |start: usize| {
        let before = start.checked_sub(1).map(|place| segment[place]);
        let after = segment.get(start + length).copied();
        before.is_some_and(|letter| letter != BLACK) && after.is_some_and(|letter| letter != BLACK)
    };
    let holds_centre = CENTRE + 1 - length..=CENTRE;
    holds_centre.filter(move |&start| alone(start)).map(move |start| (start..start + length).collect())
}

fn stones_in(segment: &Segment, window: &[usize]) -> Places {
    window.iter().copied().filter(|&place| segment[place] == BLACK).collect()
}

/// Five: exactly five in a row.
fn has_five(segment: &Segment) -> bool {
    windows(segment, 5).any(|window| stones_in(segment, &window).len() == 5)
}

/// Overline: six or more in a row.
fn has_overline(segment: &Segment) -> bool {
    (0..=CENTRE).any(|start| segment[start..start + 6].iter().all(|&letter| letter == BLACK))
}

/// The fours, each as its four stones: a window that lacks one stone to be a five. A straight four lacks its fifth
/// stone at either end, but its stones are the same, so it is one four.
fn fours(segment: &Segment) -> BTreeSet<Places> {
    let lacks_one = |window: &Places| {
        let empty = window.iter().filter(|&&place| segment[place] == EMPTY).count();
        empty == 1 && stones_in(segment, window).len() == 4
    };
    windows(segment, 5).filter(lacks_one).map(|window| stones_in(segment, &window)).collect()
}

/// The straight fours: unbroken, and exactly five with one more stone at either end.
fn straight_fours(segment: &Segment) -> Vec<Places> {
    let open = |window: &Places| {
        let (first, last) = (window[0], window[3]);
        let ends_are_empty = segment[first - 1] == EMPTY && segment[last + 1] == EMPTY;
        ends_are_empty && segment[first - 2] != BLACK && segment[last + 2] != BLACK
    };
    let unbroken = |window: &Places| stones_in(segment, window).len() == 4;
    windows(segment, 4).filter(|window| unbroken(window) && open(window)).collect()
}

/// The threes, each as its three stones. Every empty place of the segment is tried as the one that makes the
/// straight four.
fn threes(grid: &mut Grid, cell: Cell, line: (i32, i32)) -> BTreeSet<Places> {
    let segment = segment(grid, cell, line);
    let mut found = BTreeSet::new();
    for place in (0..segment.len()).filter(|&place| segment[place] == EMPTY) {
        let mut next = segment;
        next[place] = BLACK;
        let Some(four) = straight_fours(&next).into_iter().find(|four| four.contains(&place)) else {
            continue;
        };
        let (row, column) = neighbour(cell, line, place).expect("an empty place is on the board");
        if may_make_four(grid, Cell::new(column as u8, row as u8)) {
            found.insert(four.into_iter().filter(|&stone| stone != place).collect());
        }
    }
    found
}

/// The stone that makes the straight four must be allowed and must not make five somewhere else.
fn may_make_four(grid: &mut Grid, cell: Cell) -> bool {
    grid[usize::from(cell.row)][usize::from(cell.column)] = BLACK;
    let five = LINES.iter().any(|&line| has_five(&segment(grid, cell, line)));
    let foul = foul_of_stone(grid, cell);
    grid[usize::from(cell.row)][usize::from(cell.column)] = EMPTY;
    !five && foul.is_none()
}
