//! What alpha-beta searches remember of positions they met before.
//!
//! Threads share one table without locks: an entry is two words, the second being the first word's exclusive or with
//! the key. Two halves of different entries, written by two threads at once, do not fit together and count as nothing.
//!
//! ```text
//!     bit  63    48 47    32 31    16 15    8 7  2 1   0
//!          [ best ] [ score ] [ eval ] [ depth ] [ age ] [bound]
//! ```

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::memory::{ask_for_huge_pages, prefetch};

/// Entries that share a cache line; a position may be in any of them.
const WAYS: usize = 4;

/// How many searches are told apart.
const AGES: u8 = 64;

/// What a score says of the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Bound {
    /// Nothing: the entry holds a cell or an evaluation only.
    #[default]
    None,
    /// It is at most this.
    Upper,
    /// It is at least this.
    Lower,
    /// It is this.
    Exact,
}

impl Bound {
    const ALL: [Bound; 4] = [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact];

    /// Whether a score of this bound is as good as `wanted`: at least it, when `high`, or at most it.
    pub(crate) fn holds(self, high: bool) -> bool {
        matches!((self, high), (Bound::Exact, _) | (Bound::Lower, true) | (Bound::Upper, false))
    }
}

/// What is remembered of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The best cell as the engine numbers them; 0 for none.
    pub best: u16,
    /// The score found.
    pub score: i16,
    /// What the position looked like without a search.
    pub eval: i16,
    /// How deep the search was.
    pub depth: i8,
    /// What the score says.
    pub bound: Bound,
}

impl Entry {
    fn pack(self, age: u8) -> u64 {
        u64::from(self.best) << 48
            | u64::from(self.score as u16) << 32
            | u64::from(self.eval as u16) << 16
            | u64::from(self.depth as u8) << 8
            | u64::from(age % AGES) << 2
            | self.bound as u64
    }

    fn unpack(word: u64) -> Entry {
        Entry {
            best: (word >> 48) as u16,
            score: (word >> 32) as i16,
            eval: (word >> 16) as i16,
            depth: (word >> 8) as i8,
            bound: Bound::ALL[(word & 3) as usize],
        }
    }
}

const fn age_of(word: u64) -> u8 {
    (word >> 2) as u8 % AGES
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    word: AtomicU64,
}

impl Slot {
    /// The key and the word kept here; the key of an empty slot fits nothing.
    fn read(&self) -> (u64, u64) {
        let word = self.word.load(Ordering::Relaxed);
        (self.check.load(Ordering::Relaxed) ^ word, word)
    }

    fn write(&self, key: u64, word: u64) {
        self.word.store(word, Ordering::Relaxed);
        self.check.store(key ^ word, Ordering::Relaxed);
    }
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

/// A table of positions, shared by the threads of a search.
pub(crate) struct SharedTable {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

impl SharedTable {
    /// An empty table of about so many MiB, at least one; a smaller one where there is not so much memory.
    pub(crate) fn new(mib: usize) -> SharedTable {
        let mut count = ((mib.max(1) << 20) / size_of::<Bucket>()).next_power_of_two();
        let mut buckets: Vec<Bucket> = Vec::new();
        while count > 1 && buckets.try_reserve_exact(count).is_err() {
            count /= 2;
        }
        buckets.resize_with(count, Bucket::default);
        ask_for_huge_pages(&mut buckets);
        SharedTable { buckets, age: AtomicU8::new(1) }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for bucket in &mut self.buckets {
            *bucket = Bucket::default();
        }
    }

    /// A new search begins: what older ones left gives way first.
    pub(crate) fn grow_older(&self) {
        self.age.fetch_add(1, Ordering::Relaxed);
    }

    /// Asks the processor to have a position's place at hand soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// What is remembered of a position.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let words = self.bucket(key).0.iter().map(Slot::read);
        words.into_iter().find(|&(found, word)| found == key && word != 0).map(|(_, word)| Entry::unpack(word))
    }

    /// Remembers a position in place of itself, or of the shallowest and oldest of its bucket.
    pub(crate) fn put(&self, key: u64, entry: Entry) {
        let age = self.age.load(Ordering::Relaxed) % AGES;
        let worth = |slot: &&Slot| {
            let (found, word) = slot.read();
            if found == key || word == 0 {
                return i32::MIN;
            }
            let older = age.wrapping_sub(age_of(word)) % AGES;
            i32::from(Entry::unpack(word).depth) - 4 * i32::from(older)
        };
        if let Some(slot) = self.bucket(key).0.iter().min_by_key(worth) {
            let (found, word) = slot.read();
            let known = Entry::unpack(word);
            // A shallow bound says less than the deep one it would replace; only an exact score always does.
            let deeper = found == key && age_of(word) == age && i32::from(known.depth) > i32::from(entry.depth) + 3;
            if !deeper || entry.bound == Bound::Exact {
                let best = if entry.best == 0 && found == key { known.best } else { entry.best };
                slot.write(key, Entry { best, ..entry }.pack(age));
            }
        }
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_core::Random;

    fn entry(n: u64) -> Entry {
        let bound = Bound::ALL[(n % 4) as usize];
        Entry { best: n as u16, score: -(n as i16), eval: (n >> 8) as i16, depth: (n % 90) as i8 - 9, bound }
    }

    #[test]
    fn an_entry_is_what_was_put_in() {
        for n in (0..1_000_000).step_by(37) {
            assert_eq!(Entry::unpack(entry(n).pack(n as u8)), entry(n));
            assert_eq!(age_of(entry(n).pack(n as u8)), n as u8 % AGES);
        }
    }

    #[test]
    fn threads_never_read_what_nobody_wrote() {
        let table = SharedTable::new(1);
        std::thread::scope(|scope| {
            for seed in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    let mut random = Random::new(seed);
                    for _ in 0..200_000 {
                        let key = random.next() % 300_000;
                        let key = key << 40 | key;
                        table.put(key, Entry { best: 0, ..entry(key % 1000 + 1) });
                        let other = random.next() % 300_000;
                        let other = other << 40 | other;
                        if let Some(found) = table.get(other) {
                            assert_eq!(found, Entry { best: 0, ..entry(other % 1000 + 1) });
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn old_and_shallow_entries_give_way() {
        let table = SharedTable::new(1);
        let key = |n: u64| n << 32;
        let deep = |n| Entry { best: 1, depth: n, bound: Bound::Lower, ..Entry::default() };
        (0..8).for_each(|n| table.put(key(n), deep(n as i8)));
        assert!((5..8).all(|n| table.get(key(n)).is_some()) && table.get(key(2)).is_none());
        (0..20).for_each(|_| table.grow_older());
        (10..14).for_each(|n| table.put(key(n), deep(1)));
        assert!((10..14).all(|n| table.get(key(n)).is_some()));
    }
}
