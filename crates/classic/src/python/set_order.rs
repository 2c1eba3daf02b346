//! The order in which CPython walks over a set of points.
//!
//! The program takes its candidates from `set(all) - set(stones)` and plays the first of the best ones, so ties
//! are broken by that order (S4-26, S4-27). It is no accident of one run: integers hash to themselves, a tuple's
//! hash is fixed since CPython 3.8, and a set is an open hash table whose order follows from hashes and the order
//! of insertion alone. This file is that table, for points numbered in the order of the program's list of all
//! points: (0,0), (0,1) … with the second coordinate running fastest.

use lianzi_core::{Cell, Rules};

/// CPython's smallest table.
const SMALLEST: usize = 8;
/// How many further slots are looked at one by one before the search jumps.
const NEIGHBOURS: usize = 9;

/// The points a player can ever play on, and the order of sets of them.
#[derive(Clone, Debug)]
pub(super) struct Points {
    cells: Vec<Cell>,
    hashes: Vec<u64>,
    /// The order of the set of all points.
    all: Vec<u16>,
    /// The order of a copy of that set: another one on boards where the copy's table is smaller.
    copy: Vec<u16>,
}

impl Points {
    /// The points of a board. The program's (x, y) is column x from the left and row y from the bottom, both from
    /// 0; blocked cells are not among them.
    pub fn new(rules: &Rules) -> Points {
        let columns = (0..rules.width).flat_map(|x| (0..rules.height).map(move |y| Cell::new(x, y)));
        let cells: Vec<Cell> = columns.filter(|&cell| !rules.blocked.contains(cell)).collect();
        let hashes = cells.iter().map(|cell| tuple_hash([cell.column.into(), cell.row.into()])).collect();
        let mut points = Points { cells, hashes, all: Vec::new(), copy: Vec::new() };
        let mut set = Set::new(&points.hashes, SMALLEST);
        (0..points.cells.len() as u16).for_each(|point| set.add(point));
        let all: Vec<u16> = set.order().collect();
        points.copy = copy_order(&points.hashes, &all, set.table.len());
        points.all = all;
        points
    }

    /// Where a point lies.
    pub fn cell(&self, point: u16) -> Cell {
        self.cells[usize::from(point)]
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// All points without the `stones` taken ones, in the order of the program's list of blanks.
    pub fn blanks(&self, stones: usize, taken: impl Fn(u16) -> bool) -> Vec<u16> {
        // With few points to remove CPython copies the set and removes them; the table never shrinks then, since
        // a quarter of the points is less than the quarter of the table that would have to be emptied.
        if self.len() / 4 > stones {
            return self.copy.iter().copied().filter(|&point| !taken(point)).collect();
        }
        // Otherwise it adds what remains to a new set, which grows on the way.
        let mut set = Set::new(&self.hashes, SMALLEST);
        self.all.iter().filter(|&&point| !taken(point)).for_each(|&point| set.add(point));
        set.order().collect()
    }
}

/// A copy gets its whole table at once; one of the same size is filled slot by slot.
fn copy_order(hashes: &[u64], all: &[u16], slots: usize) -> Vec<u16> {
    let wanted = if all.len() * 5 < (SMALLEST - 1) * 3 { SMALLEST } else { slots_above(all.len() * 2) };
    if wanted == slots {
        return all.to_vec();
    }
    let mut copy = Set::new(hashes, wanted);
    all.iter().for_each(|&point| copy.put(point));
    copy.order().collect()
}

/// The smallest table with more slots than this.
fn slots_above(least: usize) -> usize {
    let mut slots = SMALLEST;
    while slots <= least {
        slots *= 2;
    }
    slots
}

/// CPython's set: an open hash table of a power of two slots.
struct Set<'a> {
    hashes: &'a [u64],
    table: Vec<Option<u16>>,
    used: usize,
}

impl Set<'_> {
    fn new(hashes: &[u64], slots: usize) -> Set<'_> {
        Set { hashes, table: vec![None; slots], used: 0 }
    }

    /// Adds a point that is not there yet; from three fifths on the table grows to more than four times its points.
    fn add(&mut self, point: u16) {
        self.put(point);
        self.used += 1;
        if self.used * 5 >= (self.table.len() - 1) * 3 {
            let old = std::mem::replace(&mut self.table, vec![None; slots_above(self.used * 4)]);
            old.into_iter().flatten().for_each(|point| self.put(point));
        }
    }

    /// Finds the point's slot: the one its hash names, then the next nine unless the table ends, then elsewhere.
    fn put(&mut self, point: u16) {
        let mask = self.table.len() - 1;
        let mut rest = self.hashes[usize::from(point)];
        let mut start = rest as usize & mask;
        loop {
            let further = if start + NEIGHBOURS <= mask { NEIGHBOURS } else { 0 };
            if let Some(slot) = self.table[start..=start + further].iter_mut().find(|slot| slot.is_none()) {
                *slot = Some(point);
                return;
            }
            rest >>= 5;
            start = (start as u64).wrapping_mul(5).wrapping_add(1).wrapping_add(rest) as usize & mask;
        }
    }

    fn order(&self) -> impl Iterator<Item = u16> + '_ {
        self.table.iter().copied().flatten()
    }
}

/// The hash of a pair of small integers: xxHash's mixing with the integers as lanes.
fn tuple_hash(pair: [u64; 2]) -> u64 {
    const PRIME_1: u64 = 11_400_714_785_074_694_791;
    const PRIME_2: u64 = 14_029_467_366_897_019_727;
    const PRIME_5: u64 = 2_870_177_450_012_600_261;
    let mix =
        |hash: u64, lane: u64| hash.wrapping_add(lane.wrapping_mul(PRIME_2)).rotate_left(31).wrapping_mul(PRIME_1);
    // The one hash that CPython replaces, -1, belongs to no pair below 31.
    pair.into_iter().fold(PRIME_5, mix).wrapping_add(2 ^ (PRIME_5 ^ 3_527_539))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_hash_as_in_cpython() {
        // Printed by CPython 3.11.
        assert_eq!(tuple_hash([0, 0]), 9_988_604_870_027_030_631);
        assert_eq!(tuple_hash([7, 7]), 6_913_107_858_676_922_533);
        assert_eq!(tuple_hash([14, 3]), 2_452_208_604_531_410_099);
        assert_eq!(tuple_hash([30, 30]), 11_112_631_739_964_410_785);
    }

    /// The order without the first `count` points of a walk over the board in steps of seven, as one number.
    fn digest(side: u8, count: usize) -> u64 {
        let points = Points::new(&Rules::gomoku(side));
        let step = |n: usize| (n * 7 + 3) % points.len();
        let taken: Vec<usize> = (0..count).map(step).collect();
        let order = points.blanks(count, |point| taken.contains(&point.into()));
        let number = |point| {
            let cell = points.cell(point);
            u64::from(cell.column) * 31 + u64::from(cell.row) + 1
        };
        order.into_iter().fold(0, |digest: u64, point| digest.wrapping_mul(1_000_003).wrapping_add(number(point)))
    }

    #[test]
    fn sets_are_walked_as_in_cpython() {
        // S4-27: side, stones, digest by CPython 3.11. On both sides of the quarter where it changes its method,
        // on boards whose copies have other tables, and with tables that grow once to four times.
        for (side, count, expected) in [
            (5, 0, 18215474171439772065),
            (5, 5, 2921894002081050928),
            (5, 6, 821516123750221106),
            (5, 20, 13025434924222397619),
            (9, 19, 15898869396289297287),
            (9, 20, 1164345906114845053),
            (9, 40, 4054275347657509713),
            (15, 0, 12613667896000469199),
            (15, 1, 17334512634586097317),
            (15, 55, 15428617788817012117),
            (15, 56, 14082954001567234835),
            (15, 57, 4531391577198525936),
            (15, 112, 16302711654530653791),
            (15, 220, 3532680053385404294),
            (16, 63, 12356518604863518112),
            (16, 64, 9728152605057394980),
            (16, 128, 9155161564702402240),
            (19, 1, 17724527960472856285),
            (19, 90, 2027946394863314718),
            (19, 180, 8156177793915738471),
            (31, 1, 1296435670643886619),
            (31, 241, 17910315550526234171),
            (31, 956, 8100398377770939258),
        ] {
            assert_eq!(digest(side, count), expected, "{side} {count}");
        }
    }
}
