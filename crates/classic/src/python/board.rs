//! The program's board: two lists of stones in the order they were played, and what lies where.
//!
//! The printed program asks lists whether they hold a point; here a cell's content is looked up on a board with
//! a wall of four cells around it, the farthest a pattern or a win test looks.

use lianzi_core::{Cell, Content, Position, Stone};

use super::patterns::{PatternTable, STEPS, Seen};
use super::set_order::Points;

/// The width of the wall.
const WALL: usize = 4;

/// Whose stone it is: the player's that is asked for a move, or the enemy's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Own = 0,
    Enemy = 1,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::Own => Side::Enemy,
            Side::Enemy => Side::Own,
        }
    }
}

/// What a cell holds, as an index into `SEEN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Blank = 0,
    Own = 1,
    Enemy = 2,
    Wall = 3,
}

/// What either side sees in what a cell holds: the edge is as closed as an enemy's stone (S4-31).
const SEEN: [[Seen; 4]; 2] =
    [[Seen::Blank, Seen::Own, Seen::Closed, Seen::Closed], [Seen::Blank, Seen::Closed, Seen::Own, Seen::Closed]];

/// The eight directions as (column, row) steps, in the printed order with the first number of a printed offset
/// going along the second coordinate, as the program adds them (S4-30).
const DIRECTIONS: [(isize, isize); 8] = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];

/// When the game counts as won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WinTest {
    /// Five with the newest stone anywhere in it. Since a search starts without a five and stops at the first
    /// one, this finds the same as looking over the whole board.
    Through,
    /// Five with a side's newest stone at one end, as printed: one completed in its middle is not seen (S4-28).
    End,
}

/// Stones, lists and points.
#[derive(Clone, Debug)]
pub(super) struct Board {
    holds: Vec<Holds>,
    directions: [isize; 8],
    stones: [Vec<usize>; 2],
    /// Where each point lies on the walled board.
    places: Vec<usize>,
    points: Points,
}

impl Board {
    /// The board as the side to move sees it. Stones of a set-up count as played before all others.
    pub fn new(position: &Position) -> Board {
        let rules = position.rules();
        let stride = usize::from(rules.width) + 2 * WALL;
        let place = |cell: Cell| (usize::from(cell.row) + WALL) * stride + usize::from(cell.column) + WALL;
        let points = Points::new(rules);
        let mut board = Board {
            holds: vec![Holds::Wall; stride * (usize::from(rules.height) + 2 * WALL)],
            directions: DIRECTIONS.map(|(columns, rows)| rows * stride as isize + columns),
            stones: [Vec::new(), Vec::new()],
            places: (0..points.len() as u16).map(|point| place(points.cell(point))).collect(),
            points,
        };
        for &place in &board.places {
            board.holds[place] = Holds::Blank;
        }
        let side = |stone: Stone| if stone == position.to_move() { Side::Own } else { Side::Enemy };
        for (cell, stone) in in_order(position) {
            board.play(place(cell), side(stone));
        }
        board
    }

    /// Puts a stone on a place and at the end of its side's list.
    pub fn play(&mut self, place: usize, side: Side) {
        self.holds[place] = if side == Side::Own { Holds::Own } else { Holds::Enemy };
        self.stones[side as usize].push(place);
    }

    /// Takes the newest stone of a side back.
    pub fn undo(&mut self, side: Side) {
        if let Some(place) = self.stones[side as usize].pop() {
            self.holds[place] = Holds::Blank;
        }
    }

    /// How many stones a side has.
    pub fn count(&self, side: Side) -> usize {
        self.stones[side as usize].len()
    }

    /// The blank points in the order of the program's set.
    pub fn blanks(&self) -> Vec<u16> {
        let stones = self.count(Side::Own) + self.count(Side::Enemy);
        self.points.blanks(stones, |point| self.holds[self.place(point)] != Holds::Blank)
    }

    /// Where a point lies.
    pub fn place(&self, point: u16) -> usize {
        self.places[usize::from(point)]
    }

    /// The cell of a point.
    pub fn cell(&self, point: u16) -> Cell {
        self.points.cell(point)
    }

    /// Whether a stone lies exactly this many steps away, 1 to 4, in one of the eight directions.
    pub fn has_stone_at(&self, point: u16, distance: usize) -> bool {
        let place = self.place(point) as isize;
        self.directions.iter().any(|step| {
            let holds = self.holds[(place + step * distance as isize) as usize];
            matches!(holds, Holds::Own | Holds::Enemy)
        })
    }

    /// Who has won, by the newest stone of each side: the player is asked first in each direction (S4-28).
    pub fn winner(&self, test: WinTest) -> Option<Side> {
        let lasts = [Side::Own, Side::Enemy].map(|side| (side, self.stones[side as usize].last()));
        self.directions.iter().find_map(|&step| {
            let won =
                |&(side, last): &(Side, Option<&usize>)| last.is_some_and(|&place| self.five(place, side, step, test));
            lasts.iter().find(|&last| won(last)).map(|&(side, _)| side)
        })
    }

    fn five(&self, place: usize, side: Side, step: isize, test: WinTest) -> bool {
        let own = if side == Side::Own { Holds::Own } else { Holds::Enemy };
        let reach =
            |step: isize| (1..=4).take_while(|n| self.holds[(place as isize + n * step) as usize] == own).count();
        match test {
            WinTest::End => reach(step) == 4,
            WinTest::Through => reach(step) + reach(-step) >= 4,
        }
    }

    /// The worth of all patterns of one side: every stone, newest first, in all eight directions (S4-29).
    pub fn patterns(&self, side: Side, table: &PatternTable) -> i64 {
        let seen = &SEEN[side as usize];
        let look = |place: usize, step: isize| {
            let at = |n: &isize| seen[self.holds[(place as isize + n * step) as usize] as usize] as usize;
            table.worth(STEPS.iter().fold(0, |view, n| view << 2 | at(n)))
        };
        let stones = self.stones[side as usize].iter().rev();
        stones.map(|&place| self.directions.iter().map(|&step| look(place, step)).sum::<i64>()).sum()
    }
}

/// The stones in the order they were played, those of a set-up first.
fn in_order(position: &Position) -> Vec<(Cell, Stone)> {
    let stone = |cell| match position.content(cell) {
        Some(Content::Stone(stone)) => Some((cell, stone)),
        _ => None,
    };
    let played = |cell: Cell| position.plies().iter().any(|ply| ply.cell == cell);
    let setup = position.rules().cells().filter(|&cell| !played(cell)).filter_map(stone);
    setup.chain(position.plies().iter().map(|ply| (ply.cell, ply.stone))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directions_go_round_in_the_printed_order() {
        // S4-30: an offset (a, b) of the program adds b to a point's first coordinate and a to its second.
        let printed = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
        assert_eq!(DIRECTIONS, printed.map(|(a, b)| (b, a)));
        for (n, (columns, rows)) in DIRECTIONS.into_iter().enumerate() {
            assert_eq!(DIRECTIONS[(n + 4) % 8], (-columns, -rows));
        }
    }
}
