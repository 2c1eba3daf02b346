//! The stretches of a board that a side must fill to win, with how many stones of each side lie in them: nothing but
//! the rules and the stones.

use lianzi_core::{Position, Stone};

use super::moves::Spots;
use super::spot::{CELLS, Spot, spot, stone_key};

/// How many cells make a line.
const LINE: usize = 5;

/// Every stretch of five cells, counted anew with every stone.
pub(super) struct Windows {
    cells: Vec<[Spot; LINE]>,
    /// The stretches through each cell.
    through: Vec<Vec<u16>>,
    counts: [Vec<u8>; 2],
    empty: Spots,
    /// The part of a position's number that its stones make.
    stones_key: u64,
}

impl Windows {
    /// The stretches of a position of five in a row.
    pub(super) fn new(position: &Position) -> Windows {
        let cells: Vec<[Spot; LINE]> = position
            .rules()
            .windows()
            .iter()
            .filter_map(|window| <[_; LINE]>::try_from(window.as_slice()).ok())
            .map(|window| window.map(spot))
            .collect();
        let mut through = vec![Vec::new(); CELLS];
        for (n, window) in cells.iter().enumerate() {
            window.iter().for_each(|&spot| through[usize::from(spot)].push(n as u16));
        }
        let counts = [vec![0; cells.len()], vec![0; cells.len()]];
        let mut windows = Windows { cells, through, counts, empty: Spots::NONE, stones_key: 0 };
        position.empty_cells().for_each(|cell| windows.empty.insert(spot(cell)));
        for cell in position.rules().cells() {
            if let Some(stone) = position.stone(cell) {
                windows.put(spot(cell), stone);
            }
        }
        windows
    }

    /// The part of the position's number that the stones make.
    pub(super) fn stones_key(&self) -> u64 {
        self.stones_key
    }

    /// The empty cells.
    pub(super) fn empty(&self) -> &Spots {
        &self.empty
    }

    pub(super) fn put(&mut self, spot: Spot, stone: Stone) {
        self.through[usize::from(spot)].iter().for_each(|&n| self.counts[stone.index()][usize::from(n)] += 1);
        self.empty.remove(spot);
        self.stones_key ^= stone_key(spot, stone);
    }

    pub(super) fn take(&mut self, spot: Spot, stone: Stone) {
        self.through[usize::from(spot)].iter().for_each(|&n| self.counts[stone.index()][usize::from(n)] -= 1);
        self.empty.insert(spot);
        self.stones_key ^= stone_key(spot, stone);
    }

    /// Calls `take` with each stretch that lacks 1 to `most` stones of this side and holds none of the other: how many
    /// it lacks, and its cells.
    pub(super) fn each_lacking(&self, stone: Stone, most: usize, mut take: impl FnMut(usize, &[Spot; LINE])) {
        let (own, other) = (&self.counts[stone.index()], &self.counts[stone.other().index()]);
        for ((cells, &own), &other) in self.cells.iter().zip(own).zip(other) {
            let lacks = LINE - usize::from(own);
            if other == 0 && (1..=most).contains(&lacks) {
                take(lacks, cells);
            }
        }
    }

    /// The empty cells of stretches that lack exactly so many stones of this side and hold none of the other.
    pub(super) fn lacking(&self, stone: Stone, count: usize) -> Spots {
        let mut spots = Spots::NONE;
        self.each_lacking(stone, count, |lacks, cells| {
            if lacks == count {
                cells.iter().filter(|&&spot| self.empty.contains(spot)).for_each(|&spot| spots.insert(spot));
            }
        });
        spots
    }

    /// Whether a side has filled a stretch.
    pub(super) fn has_full(&self, stone: Stone) -> bool {
        self.counts[stone.index()].iter().any(|&count| usize::from(count) == LINE)
    }

    /// The empty cells, those around which least lies first.
    pub(super) fn idlest(&self) -> Vec<Spot> {
        let load = |spot: &Spot| -> u32 {
            let through = &self.through[usize::from(*spot)];
            through
                .iter()
                .map(|&n| u32::from(self.counts[0][usize::from(n)]) + u32::from(self.counts[1][usize::from(n)]))
                .sum()
        };
        let mut spots: Vec<Spot> = self.empty.iter().collect();
        spots.sort_by_cached_key(load);
        spots
    }
}
