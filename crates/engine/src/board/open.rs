//! Where stones lie anywhere: Gomoku, renju, Connect6 and all Connect(m,n,k,p,q).

use lianzi_core::{Forbidden, MAX_CELLS, Outcome, Position, Random, Rules, Stone};

use super::fouls::is_foul;
use super::lines::{WORDS, walls};
use super::{Board, Goal, Lines, Spot, Turn, key, turn_key};

/// A fast board for games in which a stone may lie on any free cell.
#[derive(Clone, Debug)]
pub struct OpenBoard {
    rules: Rules,
    goal: Goal,
    /// Whether renju's fouls bind Black.
    renju: bool,
    walls: [u32; WORDS],
    lines: Lines,
    /// The free spots, in no order: the first `free` entries.
    spots: [Spot; MAX_CELLS],
    free: usize,
    first: Turn,
    played: usize,
    turn: Turn,
    hash: u64,
    outcome: Option<Outcome>,
}

impl OpenBoard {
    /// The free cells of a row as bits.
    fn free_in(&self, row: usize) -> u32 {
        !(self.lines.row(row) | self.walls[row])
    }

    fn is_foul(&mut self, spot: Spot) -> bool {
        self.renju && self.turn.stone == Stone::Black && is_foul(&mut self.lines, &self.walls, spot)
    }

    /// A draw, when the side to move has nowhere to play: a full board, or in renju only forbidden cells.
    fn exhausted(&mut self) -> Option<Outcome> {
        let bound = self.renju && self.turn.stone == Stone::Black;
        let stuck = match bound {
            false => self.free == 0,
            true => (0..self.free).all(|n| self.is_foul(self.spots[n])),
        };
        stuck.then_some(Outcome::Draw)
    }

    /// The legal spots of rows that the mask lets through.
    fn collect(&mut self, spots: &mut Vec<Spot>, mask: impl Fn(usize) -> u32) {
        spots.clear();
        if self.outcome.is_some() {
            return;
        }
        for row in 0..self.rules.height.into() {
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
            let stones = u64::from(self.lines.row(row));
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
        let (width, height) = (i32::from(self.rules.width), i32::from(self.rules.height));
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
        let last = self.free.checked_sub(1)?;
        let n = random.below(self.free);
        let spot = self.spots[n];
        self.spots[n] = self.spots[last];
        self.free = last;
        Some(spot)
    }

    /// The same under renju's fouls: a forbidden spot is put aside and another one drawn.
    fn draw_lawful(&mut self, random: &mut Random) -> Option<Spot> {
        for left in (1..=self.free).rev() {
            let n = random.below(left);
            let spot = self.spots[n];
            self.spots.swap(n, left - 1);
            if !is_foul(&mut self.lines, &self.walls, spot) {
                self.free -= 1;
                self.spots.swap(left - 1, self.free);
                return Some(spot);
            }
        }
        None
    }
}

impl Board for OpenBoard {
    fn new(position: &Position) -> OpenBoard {
        let (rules, turn) = (*position.rules(), Turn::of(position));
        let mut board = OpenBoard {
            rules,
            goal: Goal::new(&rules),
            renju: rules.forbidden == Forbidden::Renju,
            walls: walls(&rules),
            lines: Lines::new(),
            spots: [Spot::default(); MAX_CELLS],
            free: 0,
            first: turn,
            played: 0,
            turn,
            hash: 0,
            outcome: position.outcome(),
        };
        for cell in rules.cells() {
            if let Some(stone) = position.stone(cell) {
                board.lines.put(cell.into(), stone);
                board.hash ^= key(cell.into(), stone);
            } else if !rules.blocked.contains(cell) {
                board.spots[board.free] = cell.into();
                board.free += 1;
            }
        }
        board
    }

    fn restore(&mut self, from: &OpenBoard) {
        self.lines.clone_from(&from.lines);
        self.spots[..from.free].copy_from_slice(&from.spots[..from.free]);
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

    fn play(&mut self, spot: Spot) {
        let stone = self.turn.stone;
        let words = self.lines.put(spot, stone);
        let n = self.spots[..self.free].iter().position(|&free| free == spot);
        // The list is searched, not indexed: a search plays a few stones, a playout hundreds without this.
        self.free -= 1;
        self.spots.swap(n.expect("stones go to free spots"), self.free);
        self.hash ^= key(spot, stone);
        self.played += 1;
        self.turn = self.turn.next(self.rules.per_turn);
        self.outcome = match self.goal.met(words, stone) {
            true => Some(Outcome::Win(stone)),
            false => self.exhausted(),
        };
    }

    fn undo(&mut self, spot: Spot) {
        self.played -= 1;
        let (stone, left) = self.rules.turn_after((self.first.stone, self.first.left), self.played);
        self.turn = Turn { stone, left };
        self.lines.take(spot, stone);
        self.spots[self.free] = spot;
        self.free += 1;
        self.hash ^= key(spot, stone);
        self.outcome = None;
    }

    fn wins(&self, spot: Spot, stone: Stone) -> bool {
        self.goal.met(self.lines.with(spot, stone), stone)
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
        distance == 0 || spots.len() == self.free
    }

    fn playout(&mut self, random: &mut Random) -> Option<Stone> {
        if let Some(outcome) = self.outcome {
            return outcome.winner();
        }
        let mut turn = self.turn;
        while let Some(spot) = self.draw(random, turn) {
            let words = self.lines.put(spot, turn.stone);
            if self.goal.met(words, turn.stone) {
                return Some(turn.stone);
            }
            turn = turn.next(self.rules.per_turn);
        }
        None
    }

    fn hash(&self) -> u64 {
        self.hash ^ turn_key(self.turn)
    }
}
