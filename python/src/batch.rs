//! Many games at once on plain bytes: the board of `VectorEnv`.
//!
//! A board has a wall around it, so that a row of stones ends without a look at any index. One stone costs a look along the four
//! lines through it, or, on boards that fit into a word, a few shifts of all stones of its side; what is seen of the board changes
//! in place. The referee is the measure: a test plays both.

use std::cell::Cell;

use lianzi_core::{Forbidden, Placement, Random, Rules, Stone};
use lianzi_engine::workshop::board::Fouls;

use crate::argument::actions;
use crate::planes::{MINE, Planes, THEIRS};

const EMPTY: u8 = 0;
const WALL: u8 = 3;

/// How a game ended, in the array of outcomes: 0 while it goes on, 1 Black, 2 White.
const DRAW: u8 = 3;

/// What the games look like from outside: arrays that Python shares, one row a game.
pub struct View<'a> {
    pub planes: &'a [Cell<u8>],
    pub mask: &'a [Cell<u8>],
    pub reward: &'a [Cell<f32>],
    pub over: &'a [Cell<u8>],
    pub outcome: &'a [Cell<u8>],
    pub to_move: &'a [Cell<u8>],
    pub left: &'a [Cell<u8>],
    pub plies: &'a [Cell<i32>],
}

/// The same games inside.
pub struct Batch {
    rules: Rules,
    shape: Shape,
    planes: Planes,
    /// The cells of all boards, walls included.
    cells: Vec<u8>,
    /// The stones of both sides as bits, on boards that are small enough.
    bits: Vec<[u64; 2]>,
    /// Where stones drop: the row in which the next stone of each column lands, or the height when it is full.
    landings: Vec<u8>,
    free: Vec<u16>,
    /// Renju's boards.
    fouls: Vec<Fouls>,
    start: Start,
}

/// The measures of a board with its wall.
#[derive(Clone, Copy)]
struct Shape {
    width: usize,
    stride: usize,
    area: usize,
    actions: usize,
    drop: bool,
    line: usize,
    /// Whether a longer row is worth nothing, by side.
    exact: [bool; 2],
    /// Whether the board, with a gap beside each row, fits into a word, and any row that is long enough wins.
    small: bool,
}

/// A board on which nothing was played.
struct Start {
    cells: Vec<u8>,
    landings: Vec<u8>,
    mask: Vec<u8>,
    planes: Vec<u8>,
    free: u16,
}

/// An action that cannot be played.
pub struct Refused {
    /// In which game.
    pub game: usize,
    /// What it was.
    pub action: i64,
}

impl Shape {
    fn new(rules: &Rules) -> Shape {
        let (width, height) = (usize::from(rules.width), usize::from(rules.height));
        let exact = Stone::BOTH.map(|stone| !rules.wins(stone, rules.line + 1));
        Shape {
            width,
            stride: width + 2,
            area: (width + 2) * (height + 2),
            actions: actions(rules),
            drop: rules.placement == Placement::Drop,
            line: rules.line.into(),
            exact,
            small: (width + 1) * height <= 64 && exact == [false; 2],
        }
    }

    /// Where a cell lies within its wall.
    fn place(&self, column: usize, row: usize) -> usize {
        (row + 1) * self.stride + column + 1
    }

    /// Whether these stones hold a line. Bits lie row by row with a gap after each, so no row goes on in the next.
    #[inline]
    fn holds_line(&self, stones: u64) -> bool {
        let step = self.width as u32 + 1;
        let rows = |step: u32| {
            let (mut starts, mut have) = (stones, 1);
            while have < self.line as u32 {
                // Rows of `have` that begin `more` apart make rows of `have + more`.
                let more = have.min(self.line as u32 - have);
                starts &= starts.checked_shr(more * step).unwrap_or_default();
                have += more;
            }
            starts
        };
        rows(1) | rows(step) | rows(step + 1) | rows(step - 1) != 0
    }

    /// Whether the stone just put here completes a line.
    #[inline]
    fn wins(&self, board: &[u8], place: usize, side: usize) -> bool {
        let stone = board[place];
        [1, self.stride, self.stride + 1, self.stride - 1].into_iter().any(|step| {
            let up = (1..).take_while(|n| board[place + n * step] == stone).count();
            let down = (1..).take_while(|n| board[place - n * step] == stone).count();
            let length = up + down + 1;
            if self.exact[side] { length == self.line } else { length >= self.line }
        })
    }
}

impl Start {
    fn new(rules: &Rules, shape: &Shape, planes: &Planes) -> Start {
        let mut cells = vec![WALL; shape.area];
        let mut landings = vec![rules.height; shape.width];
        let mut mask = vec![0; shape.actions];
        for cell in rules.cells().filter(|&cell| !rules.blocked.contains(cell)) {
            let (column, row) = (usize::from(cell.column), usize::from(cell.row));
            cells[shape.place(column, row)] = EMPTY;
            landings[column] = landings[column].min(cell.row);
            mask[crate::argument::action(rules, cell)] = 1;
        }
        let position = lianzi_core::Position::new(*rules);
        Start { cells, landings, mask, planes: planes.write(&position), free: rules.capacity() as u16 }
    }
}

impl Batch {
    /// So many games on the empty board; `reset` shows them.
    pub fn new(rules: &Rules, games: usize) -> Batch {
        let (shape, planes) = (Shape::new(rules), Planes::of(rules));
        let start = Start::new(rules, &shape, &planes);
        let fouls = if rules.forbidden == Forbidden::Renju { vec![Fouls::new(rules); games] } else { Vec::new() };
        Batch {
            rules: *rules,
            shape,
            planes,
            cells: start.cells.repeat(games),
            bits: if shape.small { vec![[0; 2]; games] } else { Vec::new() },
            landings: if shape.drop { start.landings.repeat(games) } else { Vec::new() },
            free: vec![start.free; games],
            fouls,
            start,
        }
    }

    /// How many games.
    pub fn len(&self) -> usize {
        self.free.len()
    }

    /// Which planes a game shows.
    pub fn planes(&self) -> &Planes {
        &self.planes
    }

    /// How many actions a game has.
    pub fn actions(&self) -> usize {
        self.shape.actions
    }

    /// Begins a game anew.
    pub fn reset(&mut self, game: usize, view: &View<'_>) {
        let Shape { area, width, drop, actions, .. } = self.shape;
        self.cells[game * area..][..area].copy_from_slice(&self.start.cells);
        if drop {
            self.landings[game * width..][..width].copy_from_slice(&self.start.landings);
        }
        self.free[game] = self.start.free;
        if let Some(bits) = self.bits.get_mut(game) {
            *bits = [0; 2];
        }
        if let Some(fouls) = self.fouls.get_mut(game) {
            *fouls = Fouls::new(&self.rules);
        }
        copy(&self.start.planes, &view.planes[game * self.start.planes.len()..]);
        copy(&self.start.mask, &view.mask[game * actions..]);
        view.to_move[game].set(0);
        view.left[game].set(self.rules.first_turn.min(self.start.free.min(255) as u8));
        view.plies[game].set(0);
    }

    /// Whether every action can be played; the first that cannot.
    pub fn check(&self, actions: impl Iterator<Item = i64>, view: &View<'_>) -> Result<(), Refused> {
        let count = self.shape.actions;
        for (game, action) in actions.enumerate() {
            let known = usize::try_from(action).ok().filter(|&action| action < count);
            if known.is_none_or(|action| view.mask[game * count + action].get() != 1) {
                return Err(Refused { game, action });
            }
        }
        Ok(())
    }

    /// Plays one stone, which `check` has let pass. A game that it ends begins anew; reward, end and outcome are those of the
    /// stone, everything else is what the next one is asked about.
    #[inline]
    pub fn step(&mut self, game: usize, action: usize, view: &View<'_>) {
        let shape = self.shape;
        let (column, row) = self.land(game, action, view);
        let (side, place) = (usize::from(view.to_move[game].get()), shape.place(column, row));
        let board = &mut self.cells[game * shape.area..][..shape.area];
        board[place] = 1 + side as u8;
        self.free[game] -= 1;
        view.plies[game].set(view.plies[game].get() + 1);
        let won = match self.bits.get_mut(game) {
            Some(bits) => {
                bits[side] |= 1 << (row * (shape.width + 1) + column);
                shape.holds_line(bits[side])
            }
            None => shape.wins(board, place, side),
        };
        if won {
            return self.end(game, 1.0, 1 + side as u8, view);
        }
        if self.free[game] == 0 {
            return self.end(game, 0.0, DRAW, view);
        }
        view.reward[game].set(0.0);
        view.over[game].set(0);
        view.outcome[game].set(0);
        self.show(game, row * shape.width + column, view);
        if !self.fouls.is_empty() && !self.forbid(game, (column, row, side), view) {
            self.end(game, 0.0, DRAW, view);
        }
    }

    /// Where the stone of an action lies. What may not be played any more leaves the mask.
    fn land(&mut self, game: usize, action: usize, view: &View<'_>) -> (usize, usize) {
        let Shape { width, drop, actions, area, .. } = self.shape;
        let allowed = &view.mask[game * actions + action];
        if !drop {
            allowed.set(0);
            return (action % width, action / width);
        }
        let landing = &mut self.landings[game * width + action];
        let row = *landing;
        // Past blocked cells the next stone lies higher.
        let height = self.rules.height;
        let board = &self.cells[game * area..][..area];
        let is_free = |row: u8| row < height && board[self.shape.place(action, row.into())] == EMPTY;
        *landing = (row + 1..height).find(|&row| is_free(row)).unwrap_or(height);
        allowed.set(u8::from(*landing < height));
        (action, row.into())
    }

    /// Shows a stone, and what the next one's side sees.
    fn show(&mut self, game: usize, cell: usize, view: &View<'_>) {
        let area = self.planes.area;
        let planes = &view.planes[game * self.start.planes.len()..][..self.start.planes.len()];
        planes[MINE * area + cell].set(1);
        let mut left = view.left[game].get() - 1;
        if left == 0 {
            left = self.rules.per_turn;
            view.to_move[game].set(1 - view.to_move[game].get());
            exchange(&planes[MINE * area..][..area], &planes[THEIRS * area..][..area]);
        }
        left = left.min(self.free[game].min(255) as u8);
        view.left[game].set(left);
        if let Some(plane) = self.planes.more {
            planes[plane * area..][..area].iter().for_each(|cell| cell.set(u8::from(left > 1)));
        }
        if let Some(plane) = self.planes.black {
            let black = 1 - view.to_move[game].get();
            planes[plane * area..][..area].iter().for_each(|cell| cell.set(black));
        }
    }

    /// Renju: puts the stone on the board of fouls and takes what Black may not play out of the mask. Whether anything is left.
    fn forbid(&mut self, game: usize, (column, row, side): (usize, usize, usize), view: &View<'_>) -> bool {
        let Shape { area, actions, .. } = self.shape;
        let fouls = &mut self.fouls[game];
        fouls.put(lianzi_core::Cell::new(column as u8, row as u8), Stone::BOTH[side]);
        let black = view.to_move[game].get() == 0;
        let (board, mut any) = (&self.cells[game * area..][..area], false);
        for (n, cell) in self.rules.cells().enumerate() {
            let free = board[self.shape.place(cell.column.into(), cell.row.into())] == EMPTY;
            let allowed = free && !(black && fouls.is_foul(cell));
            view.mask[game * actions + n].set(u8::from(allowed));
            any |= allowed;
        }
        any
    }

    fn end(&mut self, game: usize, reward: f32, outcome: u8, view: &View<'_>) {
        view.reward[game].set(reward);
        view.over[game].set(1);
        view.outcome[game].set(outcome);
        self.reset(game, view);
    }

    /// Draws a legal action for every game, each with the same chance.
    pub fn sample(&self, random: &mut Random, view: &View<'_>, into: &[Cell<i64>]) {
        /// So many tries usually hit a free cell; after them it is counted out.
        const TRIES: usize = 12;
        let actions = self.shape.actions;
        for (mask, drawn) in view.mask.chunks_exact(actions).zip(into) {
            let hit = (0..TRIES).map(|_| random.below(actions)).find(|&action| mask[action].get() == 1);
            let action = hit.unwrap_or_else(|| {
                let legal = || (0..actions).filter(|&action| mask[action].get() == 1);
                let count = legal().count();
                legal().nth(random.below(count.max(1))).unwrap_or_default()
            });
            drawn.set(action as i64);
        }
    }
}

/// Exchanges what two boards hold: the two sides change places. In large pieces first, since every stone of every game pays.
fn exchange(mine: &[Cell<u8>], theirs: &[Cell<u8>]) {
    let (large, mine) = mine.as_chunks::<16>();
    let (other, theirs) = theirs.as_chunks::<16>();
    large.iter().zip(other).for_each(|(mine, theirs)| exchange_pieces(mine, theirs));
    let (small, mine) = mine.as_chunks::<8>();
    let (other, theirs) = theirs.as_chunks::<8>();
    small.iter().zip(other).for_each(|(mine, theirs)| exchange_pieces(mine, theirs));
    mine.iter().zip(theirs).for_each(|(mine, theirs)| mine.swap(theirs));
}

/// All is read before anything is written: so the compiler sees one piece, and not so many bytes.
#[inline]
fn exchange_pieces<const N: usize>(mine: &[Cell<u8>; N], theirs: &[Cell<u8>; N]) {
    let a: [u8; N] = std::array::from_fn(|n| mine[n].get());
    let b: [u8; N] = std::array::from_fn(|n| theirs[n].get());
    mine.iter().zip(b).for_each(|(cell, byte)| cell.set(byte));
    theirs.iter().zip(a).for_each(|(cell, byte)| cell.set(byte));
}

fn copy(from: &[u8], to: &[Cell<u8>]) {
    from.iter().zip(to).for_each(|(from, to)| to.set(*from));
}
