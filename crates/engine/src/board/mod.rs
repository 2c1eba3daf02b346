//! Fast boards for engines that look at very many stones, such as playouts.
//!
//! Two boards cover the whole family: [`OpenBoard`] where stones lie anywhere (Gomoku, renju, Connect6 and all
//! Connect(m,n,k,p,q)), and [`DropBoard`] where they drop (Connect Four). They share [`Lines`], one word per row,
//! column and diagonal, so any size up to 31×31, any line and any blocked cells cost the same. One folder for
//! all games, not one board in each game's folder: what a playout needs is the same everywhere, while the strong
//! engines need boards with patterns and threats that a playout would only pay for.
//!
//! Both boards are tested against the referee, ply by ply, in `differential.rs`.

#[cfg(test)]
mod differential;
mod drop;
mod fouls;
mod lines;
mod open;

use lianzi_core::{Cell, Outcome, Position, Random, Rules, Stone};

pub(crate) use drop::DropBoard;
pub use fouls::Fouls;
pub(crate) use lines::{Goal, Lines};
pub(crate) use open::OpenBoard;

use lines::{WORDS, walls};

/// A cell in the form the boards compute with.
///
/// ```text
///     bit  9 8 7 6 5   4 3 2 1 0
///          [  row  ]   [ column ]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spot(u16);

impl Spot {
    /// The spot in this column and row, both below 32.
    pub const fn new(column: usize, row: usize) -> Spot {
        Spot((row << 5 | column) as u16)
    }

    /// The column, from the left.
    pub const fn column(self) -> usize {
        self.0 as usize & 31
    }

    /// The row, from the bottom.
    pub const fn row(self) -> usize {
        self.0 as usize >> 5 & 31
    }
}

impl From<Cell> for Spot {
    fn from(cell: Cell) -> Spot {
        Spot::new(cell.column.into(), cell.row.into())
    }
}

impl From<Spot> for Cell {
    fn from(spot: Spot) -> Cell {
        Cell::new(spot.column() as u8, spot.row() as u8)
    }
}

/// Who places the next stone, and how many stones are left of that turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The side to move.
    pub stone: Stone,
    /// The stones left, the next one included.
    pub left: u8,
}

impl Turn {
    /// The turn of a position.
    pub(crate) fn of(position: &Position) -> Turn {
        Turn { stone: position.to_move(), left: position.stones_left().max(1) }
    }

    /// What follows one stone, where a full turn has `per_turn` stones.
    pub(crate) const fn next(self, per_turn: u8) -> Turn {
        match self.left {
            0 | 1 => Turn { stone: self.stone.other(), left: per_turn },
            left => Turn { stone: self.stone, left: left - 1 },
        }
    }
}

/// What a search needs of a fast board. Spots handed to it must be legal; nothing is checked.
pub(crate) trait PlayoutBoard: Clone + Send {
    /// The board of this position.
    fn new(position: &Position) -> Self;

    /// Becomes a copy of a board of the same game, without allocating.
    fn restore(&mut self, from: &Self);

    /// What every board keeps.
    fn state(&self) -> &State;

    /// Whose turn it is; means nothing after the end.
    fn turn(&self) -> Turn {
        self.state().turn
    }

    /// The result, once there is one.
    fn outcome(&self) -> Option<Outcome> {
        self.state().outcome
    }

    /// Puts a stone of the side to move on a legal spot.
    fn play(&mut self, spot: Spot);

    /// Whether a stone of this side on this free spot would complete a winning line.
    fn wins(&self, spot: Spot, stone: Stone) -> bool {
        let State { goal, lines, .. } = self.state();
        goal.met(lines.with(spot, stone), stone)
    }

    /// Fills `spots` with the legal ones in the referee's order.
    fn legal(&mut self, spots: &mut Vec<Spot>);

    /// Fills `spots` with the legal ones at most `distance` king's steps from any stone, the centre on an empty
    /// board; with all where that leaves none, where stones drop, and for distance 0. Says whether it is all.
    fn near(&mut self, distance: u8, spots: &mut Vec<Spot>) -> bool;

    /// Plays uniformly random legal stones to the end and says who won. The board is spoilt by it.
    fn playout(&mut self, random: &mut Random) -> Option<Stone>;
}

/// What a board keeps whatever stones may do.
#[derive(Clone, Debug)]
pub(crate) struct State {
    rules: Rules,
    goal: Goal,
    walls: [u32; WORDS],
    lines: Lines,
    turn: Turn,
    free: usize,
    outcome: Option<Outcome>,
}

impl State {
    /// That of a position.
    fn new(position: &Position) -> State {
        let (rules, turn) = (*position.rules(), Turn::of(position));
        let mut state = State {
            rules,
            goal: Goal::new(&rules),
            walls: walls(&rules),
            lines: Lines::new(),
            turn,
            free: position.free(),
            outcome: position.outcome(),
        };
        for cell in rules.cells() {
            if let Some(stone) = position.stone(cell) {
                state.lines.put(cell.into(), stone);
            }
        }
        state
    }

    /// Becomes a copy of the state of a board of the same game.
    fn restore(&mut self, from: &State) {
        self.lines.clone_from(&from.lines);
        (self.turn, self.free, self.outcome) = (from.turn, from.free, from.outcome);
    }

    /// Puts a stone of the side to move on a spot; whether it wins.
    #[inline]
    fn put(&mut self, spot: Spot) -> bool {
        let stone = self.turn.stone;
        let words = self.lines.put(spot, stone);
        self.free -= 1;
        self.turn = self.turn.next(self.rules.per_turn);
        let won = self.goal.met(words, stone);
        self.outcome = won.then_some(Outcome::Win(stone));
        won
    }
}
