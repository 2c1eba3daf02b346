//! What is known of positions met before: a lower and an upper bound of the score.
//!
//! A key is scattered by a bijection. Its high bits choose the bucket, all others are kept in the entry, so two
//! positions are never taken for one another. The table begins small, inside the processor's cache, and doubles
//! while it fills, up to its limit: easy positions never leave the cache.

use super::word::Word;
use crate::memory::{ask_for_huge_pages, prefetch};

/// Entries beside each other that share their place.
const WAYS: usize = 2;

/// Positions with fewer free cells have a table of their own: there are very many of them, and each is soon found again.
const FEW: i32 = 18;

/// How large that one may grow, so that it stays near the processor, and which part of the other it may be at most.
const NEAR_BYTES: usize = 32 << 20;
const NEAR_PART: usize = 8;

/// How many high bits choose the bucket in the beginning. More than the bits of two bounds, which take their room.
const FIRST_LOG: u32 = 16;

/// What is known of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// It is at least this.
    pub lower: i32,
    /// It is at most this.
    pub upper: i32,
}

impl Known {
    /// The bound that answers whether the score is above `alpha`, if one does.
    #[inline(always)]
    pub fn answer(self, alpha: i32) -> Option<i32> {
        if self.upper <= alpha { Some(self.upper) } else { (self.lower > alpha).then_some(self.lower) }
    }

    /// Both pieces of knowledge together.
    #[inline(always)]
    pub fn and(self, other: Known) -> Known {
        Known { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// The score, once it is certain.
    pub fn exact(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Two biased numbers; 0 only if nothing is known.
    #[inline(always)]
    fn pack<W: Word>(self) -> u64 {
        let bound = |score: i32| (score + (1 << (W::BOUND_BITS - 1))) as u64;
        bound(self.lower) << W::BOUND_BITS | bound(self.upper)
    }

    #[inline(always)]
    fn unpack<W: Word>(bits: u64) -> Known {
        let bound = |bits: u64| (bits & ((1 << W::BOUND_BITS) - 1)) as i32 - (1 << (W::BOUND_BITS - 1));
        Known { lower: bound(bits >> W::BOUND_BITS), upper: bound(bits) }
    }
}

/// Bounds of positions, by key.
#[derive(Clone, Debug)]
pub(super) struct ScoreTable<W> {
    entries: Vec<W>,
    /// The bucket is given by this many high bits of the scattered key.
    log: u32,
    largest: u32,
    filled: usize,
}

/// A large table for positions that took long, and a small one for the many that did not, which would crowd them out.
#[derive(Clone, Debug)]
pub(super) struct Tables<W> {
    near: ScoreTable<W>,
    far: ScoreTable<W>,
}

impl<W: Word> Tables<W> {
    /// Empty tables of which the large one may grow to this many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Tables { near: ScoreTable::new(NEAR_BYTES.min(bytes / NEAR_PART)), far: ScoreTable::new(bytes) }
    }

    /// The table of positions with so many free cells.
    #[inline(always)]
    pub(super) fn of(&self, free: i32) -> &ScoreTable<W> {
        if free < FEW { &self.near } else { &self.far }
    }

    /// The same, to write in.
    #[inline(always)]
    pub(super) fn of_mut(&mut self, free: i32) -> &mut ScoreTable<W> {
        if free < FEW { &mut self.near } else { &mut self.far }
    }

    /// Doubles a table that is more than half full and may grow.
    pub(super) fn grow(&mut self) {
        self.near.grow();
        self.far.grow();
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.near.clear();
        self.far.clear();
    }
}

/// Where a key is looked for, in a table of any size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<W>(W);

impl<W: Word> Place<W> {
    /// Where this key belongs.
    #[inline(always)]
    pub(super) fn of(key: W) -> Self {
        Place(key.scatter())
    }
}

impl<W: Word> ScoreTable<W> {
    const PAYLOAD_BITS: u32 = 2 * W::BOUND_BITS;
    const PAYLOAD: u64 = (1 << Self::PAYLOAD_BITS) - 1;

    /// An empty table that may grow to this many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let buckets = (bytes / (WAYS * size_of::<W>())).max(1 << FIRST_LOG);
        Self::empty(FIRST_LOG, buckets.ilog2())
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self::empty(FIRST_LOG, self.largest);
    }

    fn empty(log: u32, largest: u32) -> Self {
        let mut entries = vec![W::ZERO; WAYS << log];
        ask_for_huge_pages(&mut entries);
        ScoreTable { entries, log, largest, filled: 0 }
    }

    /// What is known of the position at this place.
    #[inline(always)]
    pub(super) fn get(&self, place: Place<W>) -> Option<Known> {
        let (first, tag) = self.find(place);
        let bucket = &self.entries[first..first + WAYS];
        let entry = bucket.iter().find(|&&entry| Self::same(entry, tag))?;
        let bits = entry.low() & Self::PAYLOAD;
        (bits != 0).then(|| Known::unpack::<W>(bits))
    }

    /// Asks the processor to have the place at hand soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, place: Place<W>) {
        prefetch(&self.entries[self.find(place).0]);
    }

    /// Keeps what was found out; of two others in the same bucket the older gives way.
    #[inline(always)]
    pub(super) fn put(&mut self, place: Place<W>, known: Known) {
        let (first, tag) = self.find(place);
        let bucket = &mut self.entries[first..first + WAYS];
        if !Self::same(bucket[0], tag) {
            self.filled += usize::from(bucket[1].is_zero());
            bucket[1] = bucket[0];
        }
        bucket[0] = tag | W::from_low(known.pack::<W>());
    }

    /// Doubles the table if it is more than half full and may grow.
    pub(super) fn grow(&mut self) {
        if self.log == self.largest || self.filled * 2 <= self.entries.len() {
            return;
        }
        let mut larger = Self::empty(self.log + 1, self.largest);
        // The newer entry of a bucket comes last, so that it stays the newer one.
        for (n, &entry) in self.entries.iter().enumerate().rev() {
            let bits = entry.low() & Self::PAYLOAD;
            if bits != 0 {
                let high = W::from_low((n / WAYS) as u64) << (W::BITS - self.log);
                let hash = high | ((entry ^ W::from_low(bits)) >> self.log);
                larger.put(Place(hash), Known::unpack::<W>(bits));
            }
        }
        *self = larger;
    }

    #[inline(always)]
    fn find(&self, Place(hash): Place<W>) -> (usize, W) {
        let bucket = (hash >> (W::BITS - self.log)).low() as usize;
        (bucket * WAYS, hash << self.log)
    }

    #[inline(always)]
    fn same(entry: W, tag: W) -> bool {
        ((entry ^ tag) >> Self::PAYLOAD_BITS).is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::Random;

    fn keeps<W: Word>(key: impl Fn(u64) -> W, reach: i32) {
        let mut table = ScoreTable::new(64 << 20);
        let mut random = Random::new(7);
        let known = |n: u64| Known { lower: (n % 5) as i32 - reach, upper: reach - (n % 7) as i32 };
        let numbers: Vec<u64> = (0..200_000).map(|_| random.next() >> 8).collect();
        for &n in &numbers {
            table.put(Place::of(key(n)), known(n));
            table.grow();
        }
        let found = numbers.iter().filter_map(|&n| Some((n, table.get(Place::of(key(n)))?)));
        let right = found.inspect(|&(n, got)| assert_eq!(got, known(n))).count();
        // Buckets that are full lose a few before the table doubles.
        assert!(right > 150_000, "{right}");
        assert!(numbers.iter().all(|&n| table.get(Place::of(key(n ^ 1 << 60))).is_none()));
    }

    #[test]
    fn what_is_put_in_comes_out_also_after_growing() {
        keeps(|n| n, 31);
        keeps(|n| u128::from(n) << 40, 63);
    }
}
