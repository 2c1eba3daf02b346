//! Where stones lie anywhere: Gomoku, renju, Connect6 and all Connect(m,n,k,p,q).

use lianzi_core::{Cell, Forbidden, MAX_CELLS, Outcome, Position, Random, Stone};

use super::fouls::is_foul;
use super::{PlayoutBoard, Spot, State, Turn};

/// A fast board for games in which a stone may lie on any free cell.
#[derive(Clone, Debug)]
pub(crate) struct OpenBoard {
    state: State,
    /// Whether renju's fouls bind Black.
    renju: bool,
    /// The free spots, in no order: as many of the first entries as are free.
    spots: [Spot; MAX_CELLS],
}

impl OpenBoard {
    /// The free cells of a row as bits.
    fn free_in(&self, row: usize) -> u32 {
        !(self.state.lines.row(row) | self.state.walls[row])
    }

    fn is_foul(&mut self, spot: Spot) -> bool {
        self.renju && self.state.turn.stone == Stone::Black && is_foul(&mut self.state.lines, &self.state.walls, spot)
    }

    /// A draw, when the side to move has nowhere to play: a full board, or in renju only forbidden cells.
    fn exhausted(&mut self) -> Option<Outcome> {
        let bound = self.renju && self.state.turn.stone == Stone::Black;
        let stuck = match bound {
            false => self.state.free == 0,
            true => (0..self.state.free).all(|n| self.is_foul(self.spots[n])),
        };
        stuck.then_some(Outcome::Draw)
    }

    /// The legal spots of rows that the mask lets through.
    fn collect(&mut self, spots: &mut Vec<Spot>, mask: impl Fn(usize) -> u32) {
        spots.clear();
        if self.state.outcome.is_some() {
            return;
        }
        for row in 0..self.state.rules.height.into() {
            let mut left = self.free_in(row) & mask(row);
            while left != 0 {
                let spot = Spot::new(left.trailing_zeros() as usize, row);
                left &= left - 1;
                if !self.is_foul(spot) {
                    spots.push(spot);
                }
            }
        }
    }

    /// The cells at most `distance` king's steps from a stone, as bits per row.
    fn neighbourhood(&self, distance: u8) -> [u32; 32] {
        let widened: [u32; 32] = std::array::from_fn(|row| {
            let stones = u64::from(self.state.lines.row(row));
            (0..=u32::from(distance)).fold(0, |bits, n| bits | stones << n | stones >> n) as u32
        });
        let distance = usize::from(distance);
        std::array::from_fn(|row| {
            let rows = row.saturating_sub(distance)..=(row + distance).min(31);
            widened[rows].iter().fold(0, |bits, word| bits | word)
        })
    }

    /// The legal spot nearest to the centre of the board.
    fn centre(&mut self, spots: &mut Vec<Spot>) {
        let (width, height) = (i32::from(self.state.rules.width), i32::from(self.state.rules.height));
        let from_centre = |spot: &Spot| {
            let (x, y) = (2 * spot.column() as i32 + 1 - width, 2 * spot.row() as i32 + 1 - height);
            x * x + y * y
        };
        self.legal(spots);
        let nearest = spots.iter().copied().min_by_key(from_centre);
        spots.clear();
        spots.extend(nearest);
    }

    /// Removes a random free spot that the side to move may take; `None` when there is none.
    #[inline]
    fn draw(&mut self, random: &mut Random, turn: Turn) -> Option<Spot> {
        if turn.stone == Stone::Black && self.renju {
            return self.draw_lawful(random);
        }
        let last = self.state.free.checked_sub(1)?;
        let n = random.below(self.state.free);
        let spot = self.spots[n];
        self.spots[n] = self.spots[last];
        self.state.free = last;
        Some(spot)
    }

    /// The same under renju's fouls: a forbidden spot is put aside and another one drawn.
    fn draw_lawful(&mut self, random: &mut Random) -> Option<Spot> {
        for left in (1..=self.state.free).rev() {
            let n = random.below(left);
            let spot = self.spots[n];
            self.spots.swap(n, left - 1);
            if !is_foul(&mut self.state.lines, &self.state.walls, spot) {
                self.state.free -= 1;
                self.spots.swap(left - 1, self.state.free);
                return Some(spot);
            }
        }
        None
    }
}

impl PlayoutBoard for OpenBoard {
    fn new(position: &Position) -> OpenBoard {
        let rules = position.rules();
        let renju = rules.forbidden == Forbidden::Renju;
        let mut board = OpenBoard { state: State::new(position), renju, spots: [Spot::default(); MAX_CELLS] };
        let empty = |cell: &Cell| position.stone(*cell).is_none() && !rules.blocked.contains(*cell);
        for (spot, cell) in board.spots.iter_mut().zip(rules.cells().filter(empty)) {
            *spot = cell.into();
        }
        board
    }

    fn restore(&mut self, from: &OpenBoard) {
        self.state.restore(&from.state);
        self.spots[..from.state.free].copy_from_slice(&from.spots[..from.state.free]);
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn play(&mut self, spot: Spot) {
        let n = self.spots[..self.state.free].iter().position(|&free| free == spot);
        let won = self.state.put(spot);
        // The list is searched, not indexed: a search plays a few stones, a playout hundreds without this.
        self.spots.swap(n.expect("stones go to free spots"), self.state.free);
        if !won {
            self.state.outcome = self.exhausted();
        }
    }

    fn legal(&mut self, spots: &mut Vec<Spot>) {
        self.collect(spots, |_| u32::MAX);
    }

    fn near(&mut self, distance: u8, spots: &mut Vec<Spot>) -> bool {
        let rows = self.neighbourhood(distance);
        let empty = rows.iter().all(|&row| row == 0);
        match (distance, empty) {
            (0, _) => self.legal(spots),
            (_, true) => self.centre(spots),
            (_, false) => self.collect(spots, |row| rows[row]),
        }
        if spots.is_empty() {
            self.legal(spots);
        }
        distance == 0 || spots.len() == self.state.free
    }

    fn playout(&mut self, random: &mut Random) -> Option<Stone> {
        if let Some(outcome) = self.state.outcome {
            return outcome.winner();
        }
        let mut turn = self.state.turn;
        while let Some(spot) = self.draw(random, turn) {
            let words = self.state.lines.put(spot, turn.stone);
            if self.state.goal.met(words, turn.stone) {
                return Some(turn.stone);
            }
            turn = turn.next(self.state.rules.per_turn);
        }
        None
    }
}
