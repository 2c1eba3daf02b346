//! Where stones drop: Connect Four and its family.

use lianzi_core::{Outcome, Position, Random, Rules, Stone};

use super::lines::{WORDS, walls};
use super::{Board, Goal, Lines, Spot, Turn, key, turn_key};

/// A fast board for games in which a stone falls to the lowest free cell of its column.
#[derive(Clone, Debug)]
pub struct DropBoard {
    rules: Rules,
    goal: Goal,
    walls: [u32; WORDS],
    lines: Lines,
    first: Turn,
    played: usize,
    turn: Turn,
    free: usize,
    hash: u64,
    outcome: Option<Outcome>,
}

impl DropBoard {
    /// What is taken in a column: stones and walls. All bits are set when it is full.
    #[inline]
    fn taken(&self, column: usize) -> u32 {
        self.lines.column(column) | self.walls[32 + column]
    }

    /// Where a stone dropped into this column comes to rest.
    fn landing(&self, column: usize) -> Option<Spot> {
        let taken = self.taken(column);
        (taken != u32::MAX).then(|| Spot::new(column, taken.trailing_ones() as usize))
    }

    fn columns(&self) -> usize {
        self.rules.width.into()
    }
}

impl Board for DropBoard {
    fn new(position: &Position) -> DropBoard {
        let (rules, turn) = (*position.rules(), Turn::of(position));
        let mut board = DropBoard {
            rules,
            goal: Goal::new(&rules),
            walls: walls(&rules),
            lines: Lines::new(),
            first: turn,
            played: 0,
            turn,
            free: position.free(),
            hash: 0,
            outcome: position.outcome(),
        };
        for cell in rules.cells() {
            if let Some(stone) = position.stone(cell) {
                board.lines.put(cell.into(), stone);
                board.hash ^= key(cell.into(), stone);
            }
        }
        board
    }

    fn restore(&mut self, from: &DropBoard) {
        self.lines.clone_from(&from.lines);
        (self.first, self.played, self.turn) = (from.first, from.played, from.turn);
        (self.free, self.hash, self.outcome) = (from.free, from.hash, from.outcome);
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn turn(&self) -> Turn {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    #[inline]
    fn play(&mut self, spot: Spot) {
        let stone = self.turn.stone;
        let words = self.lines.put(spot, stone);
        self.hash ^= key(spot, stone);
        self.free -= 1;
        self.played += 1;
        self.turn = self.turn.next(self.rules.per_turn);
        self.outcome = match self.goal.met(words, stone) {
            true => Some(Outcome::Win(stone)),
            false => (self.free == 0).then_some(Outcome::Draw),
        };
    }

    fn undo(&mut self, spot: Spot) {
        self.played -= 1;
        let (stone, left) = self.rules.turn_after((self.first.stone, self.first.left), self.played);
        self.turn = Turn { stone, left };
        self.lines.take(spot, stone);
        self.hash ^= key(spot, stone);
        self.free += 1;
        self.outcome = None;
    }

    fn wins(&self, spot: Spot, stone: Stone) -> bool {
        self.goal.met(self.lines.with(spot, stone), stone)
    }

    fn legal(&mut self, spots: &mut Vec<Spot>) {
        spots.clear();
        if self.outcome.is_none() {
            spots.extend((0..self.columns()).filter_map(|column| self.landing(column)));
        }
    }

    fn near(&mut self, _: u8, spots: &mut Vec<Spot>) -> bool {
        self.legal(spots);
        true
    }

    fn playout(&mut self, random: &mut Random) -> Option<Stone> {
        if let Some(outcome) = self.outcome {
            return outcome.winner();
        }
        let mut taken: [u32; 32] = std::array::from_fn(|column| self.taken(column));
        let mut open = [0u8; 32];
        let mut count = 0;
        for column in (0..self.columns()).filter(|&column| taken[column] != u32::MAX) {
            open[count] = column as u8;
            count += 1;
        }
        let mut turn = self.turn;
        while count > 0 {
            let n = random.below(count) & 31;
            let column = usize::from(open[n]) & 31;
            let row = taken[column].trailing_ones();
            let words = self.lines.put(Spot::new(column, row as usize), turn.stone);
            if self.goal.met(words, turn.stone) {
                return Some(turn.stone);
            }
            taken[column] |= 1 << row;
            if taken[column] == u32::MAX {
                count -= 1;
                open[n] = open[count & 31];
            }
            turn = turn.next(self.rules.per_turn);
        }
        None
    }

    fn hash(&self) -> u64 {
        self.hash ^ turn_key(self.turn)
    }
}
