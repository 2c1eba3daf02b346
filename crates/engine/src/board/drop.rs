//! Where stones drop: Connect Four and its family.

use lianzi_core::{Outcome, Position, Random, Stone};

use super::{PlayoutBoard, Spot, State};

/// A fast board for games in which a stone falls to the lowest free cell of its column.
#[derive(Clone, Debug)]
pub(crate) struct DropBoard {
    state: State,
}

impl DropBoard {
    /// What is taken in a column: stones and walls. All bits are set when it is full.
    #[inline]
    fn taken(&self, column: usize) -> u32 {
        self.state.lines.column(column) | self.state.walls[32 + column]
    }

    /// Where a stone dropped into this column comes to rest.
    fn landing(&self, column: usize) -> Option<Spot> {
        let taken = self.taken(column);
        (taken != u32::MAX).then(|| Spot::new(column, taken.trailing_ones() as usize))
    }

    fn columns(&self) -> usize {
        self.state.rules.width.into()
    }
}

impl PlayoutBoard for DropBoard {
    fn new(position: &Position) -> DropBoard {
        DropBoard { state: State::new(position) }
    }

    fn restore(&mut self, from: &DropBoard) {
        self.state.restore(&from.state);
    }

    fn state(&self) -> &State {
        &self.state
    }

    #[inline]
    fn play(&mut self, spot: Spot) {
        if !self.state.put(spot) && self.state.free == 0 {
            self.state.outcome = Some(Outcome::Draw);
        }
    }

    fn legal(&mut self, spots: &mut Vec<Spot>) {
        spots.clear();
        if self.state.outcome.is_none() {
            spots.extend((0..self.columns()).filter_map(|column| self.landing(column)));
        }
    }

    fn near(&mut self, _: u8, spots: &mut Vec<Spot>) -> bool {
        self.legal(spots);
        true
    }

    fn playout(&mut self, random: &mut Random) -> Option<Stone> {
        if let Some(outcome) = self.state.outcome {
            return outcome.winner();
        }
        let mut taken: [u32; 32] = std::array::from_fn(|column| self.taken(column));
        let mut open = [0u8; 32];
        let mut count = 0;
        for column in (0..self.columns()).filter(|&column| taken[column] != u32::MAX) {
            open[count] = column as u8;
            count += 1;
        }
        let mut turn = self.state.turn;
        while count > 0 {
            let n = random.below(count) & 31;
            let column = usize::from(open[n]) & 31;
            let row = taken[column].trailing_ones();
            let words = self.state.lines.put(Spot::new(column, row as usize), turn.stone);
            if self.state.goal.met(words, turn.stone) {
                return Some(turn.stone);
            }
            taken[column] |= 1 << row;
            if taken[column] == u32::MAX {
                count -= 1;
                open[n] = open[count & 31];
            }
            turn = turn.next(self.state.rules.per_turn);
        }
        None
    }
}
