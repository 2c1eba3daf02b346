//! Where each early position stands in a book.
//!
//! A layer's positions are told apart by the heights of the columns and then by which of the stones, column after
//! column and from below, are the mover's: so many ways to choose some of them. Of two heights that mirror each other
//! only the first counts. What cannot be played has a place too; there is little of it.

use arrayvec::ArrayVec;

use super::{BOARD, MOST_STONES};

/// The columns of a game, from its first stone on.
pub type Columns = ArrayVec<u8, { MOST_STONES + 1 }>;

const WIDTH: usize = BOARD.width as usize;
const HEIGHT: u32 = BOARD.height as u32;

/// Bits of a column, one of them above its top.
const STRIDE: u32 = HEIGHT + 1;

/// The heights of all columns, three bits each, the first column's the highest.
type Heights = u32;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Layer {
    /// Where it begins, at the beginning of a word.
    first: usize,
    /// The heights there are, sorted.
    heights: Vec<Heights>,
    /// How many ways there are to choose the mover's stones.
    ways: usize,
}

/// The places of all positions with up to so many stones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order {
    layers: Vec<Layer>,
    places: usize,
}

impl Order {
    /// The places of positions with up to so many stones.
    pub(super) fn new(stones: usize) -> Order {
        let mut order = Order { layers: Vec::new(), places: 0 };
        for n in 0..=stones {
            let mut heights = Vec::new();
            collect(WIDTH, n as u32, 0, &mut heights);
            heights.retain(|&heights| heights <= mirror(heights));
            let layer = Layer { first: order.places, heights, ways: choose(n, n / 2) };
            order.places += (layer.heights.len() * layer.ways).next_multiple_of(3);
            order.layers.push(layer);
        }
        order
    }

    /// How many stones the positions have at most.
    pub(super) fn stones(&self) -> usize {
        self.layers.len() - 1
    }

    /// How many places there are, a multiple of three.
    pub(super) fn places(&self) -> usize {
        self.places
    }

    /// The place of a position, given as the mover's stones and all stones; none if it has too many.
    pub(super) fn place(&self, own: u64, full: u64) -> Option<usize> {
        let layer = self.layers.get(full.count_ones() as usize)?;
        let turned = (reflected(own), reflected(full));
        let (heights, mirrored) = (heights(full), heights(turned.1));
        let rank = match heights.cmp(&mirrored) {
            std::cmp::Ordering::Less => rank(own, full),
            std::cmp::Ordering::Equal => rank(own, full).min(rank(turned.0, turned.1)),
            std::cmp::Ordering::Greater => rank(turned.0, turned.1),
        };
        let at = layer.heights.binary_search(&heights.min(mirrored)).ok()?;
        Some(layer.first + at * layer.ways + rank)
    }

    /// One game to each unfinished position with so many stones, mirror images once, in the order of a walk through
    /// the games.
    pub(super) fn games(&self, stones: usize) -> Vec<Columns> {
        let mut walk = Walk { order: self, seen: vec![false; self.places], stones, found: Vec::new() };
        walk.go(&Columns::new());
        walk.found
    }
}

/// A walk through all games of so many stones that meets each position once.
struct Walk<'a> {
    order: &'a Order,
    seen: Vec<bool>,
    stones: usize,
    found: Vec<Columns>,
}

impl Walk<'_> {
    fn go(&mut self, columns: &Columns) {
        let (own, full) = board(columns);
        let new = |&place: &usize| !self.seen[place];
        let Some(place) = self.order.place(own, full).filter(new) else { return };
        self.seen[place] = true;
        if has_line(full ^ own) {
            return;
        }
        if columns.len() == self.stones {
            self.found.push(columns.clone());
            return;
        }
        answers(columns).for_each(|next| self.go(&next));
    }
}

/// The stones of the side to move after these columns, and all stones.
pub(super) fn board(columns: &Columns) -> (u64, u64) {
    columns.iter().fold((0, 0), |(own, full), &column| {
        let bottom = 1 << (u32::from(column) * STRIDE);
        let full_then = full | (full + bottom);
        // The stones of the other side: it moves next.
        (full ^ own, full_then)
    })
}

/// The games that go on by one stone.
pub(super) fn answers(columns: &Columns) -> impl Iterator<Item = Columns> {
    let heights = heights(board(columns).1);
    let open = (0..WIDTH as u8).filter(move |&column| height(heights, column.into()) < HEIGHT);
    open.map(|column| columns.iter().copied().chain([column]).collect())
}

/// What may have been there a stone earlier, as the mover's stones and all stones.
pub(crate) fn before(own: u64, full: u64) -> impl Iterator<Item = (u64, u64)> {
    let last = full ^ own;
    let tops = (0..WIDTH).filter_map(move |n| {
        let height = column(full, n).count_ones();
        Some(1_u64 << (n as u32 * STRIDE + height.checked_sub(1)?))
    });
    tops.filter(move |top| last & top != 0).map(move |top| (last ^ top, full ^ top))
}

/// Whether these stones hold a line of four.
pub(super) fn has_line(stones: u64) -> bool {
    [1, STRIDE - 1, STRIDE, STRIDE + 1].into_iter().any(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

fn column(cells: u64, n: usize) -> u64 {
    cells >> (n as u32 * STRIDE) & ((1 << STRIDE) - 1)
}

fn heights(full: u64) -> Heights {
    (0..WIDTH).fold(0, |heights, n| heights << 3 | column(full, n).count_ones())
}

fn height(heights: Heights, n: usize) -> u32 {
    heights >> (3 * (WIDTH - 1 - n)) & 7
}

fn mirror(heights: Heights) -> Heights {
    (0..WIDTH).rev().fold(0, |mirrored, n| mirrored << 3 | height(heights, n))
}

fn reflected(cells: u64) -> u64 {
    (0..WIDTH).fold(0, |reflected, n| reflected << STRIDE | column(cells, n))
}

/// All heights of so many columns with so many stones, behind those of the columns before.
fn collect(columns: usize, stones: u32, before: Heights, found: &mut Vec<Heights>) {
    if columns == 0 {
        if stones == 0 {
            found.push(before);
        }
        return;
    }
    for height in 0..=stones.min(HEIGHT) {
        collect(columns - 1, stones - height, before << 3 | height, found);
    }
}

/// Which of the ways to choose the mover's stones this is.
fn rank(own: u64, full: u64) -> usize {
    let (mut rank, mut chosen, mut rest, mut n) = (0, 0, full, 0);
    while rest != 0 {
        let stone = rest & rest.wrapping_neg();
        if own & stone != 0 {
            chosen += 1;
            rank += choose(n, chosen);
        }
        (rest, n) = (rest ^ stone, n + 1);
    }
    rank
}

/// In how many ways so many of n can be chosen.
fn choose(n: usize, chosen: usize) -> usize {
    if chosen > n { 0 } else { (0..chosen).fold(1, |ways, k| ways * (n - k) / (k + 1)) }
}
