//! The hash table: what was found out about positions, so that none is searched twice.

use super::board::Index;

/// What a remembered score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScoreType {
    /// It is the value.
    Exact,
    /// The value is at most this: no child came above alpha.
    Alpha,
    /// The value is at least this: a child reached beta.
    Beta,
}

/// The document's five fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The key of the position.
    pub(super) zobrist: u64,
    /// How deep the search below it was.
    pub(super) depth: u8,
    /// What came out.
    pub(super) score: i32,
    /// What that says.
    pub(super) score_type: ScoreType,
    /// The move it rests on.
    pub(super) best_move: Index,
}

/// A table of fixed size. An item is two words, so that an empty table costs no memory until it is used:
///
/// ```text
///   word 0   zobrist
///   word 1   best move 16 | 0 6 | score type 2 (0: empty) | depth 8 | score 32
/// ```
pub(super) struct PositionTable {
    items: Vec<[u64; 2]>,
}

impl PositionTable {
    /// An empty table for this many items.
    pub(super) fn new(entries: usize) -> PositionTable {
        PositionTable { items: vec![[0; 2]; entries.max(1)] }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        let entries = self.items.len();
        self.items = Vec::new();
        self.items = vec![[0; 2]; entries];
    }

    /// What is known about the position with this key.
    pub(super) fn find(&self, zobrist: u64) -> Option<Item> {
        let item = unpack(self.items[self.slot(zobrist)])?;
        (item.zobrist == zobrist).then_some(item)
    }

    /// Remembers an item. A deeper one about the same position is kept, another position gives way.
    pub(super) fn store(&mut self, item: Item) {
        let slot = self.slot(item.zobrist);
        let deeper = |old: Item| old.zobrist == item.zobrist && old.depth > item.depth;
        if !unpack(self.items[slot]).is_some_and(deeper) {
            self.items[slot] = pack(item);
        }
    }

    fn slot(&self, zobrist: u64) -> usize {
        ((u128::from(zobrist) * self.items.len() as u128) >> 64) as usize
    }
}

fn pack(item: Item) -> [u64; 2] {
    let score_type = item.score_type as u64 + 1;
    let score = u64::from(item.score as u32);
    let rest = u64::from(item.best_move) << 48 | score_type << 40 | u64::from(item.depth) << 32 | score;
    [item.zobrist, rest]
}

fn unpack([zobrist, rest]: [u64; 2]) -> Option<Item> {
    let score_type = match rest >> 40 & 3 {
        0 => return None,
        1 => ScoreType::Exact,
        2 => ScoreType::Alpha,
        _ => ScoreType::Beta,
    };
    let (depth, score, best_move) = ((rest >> 32) as u8, rest as u32 as i32, (rest >> 48) as Index);
    Some(Item { zobrist, depth, score, score_type, best_move })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(zobrist: u64, depth: u8, score: i32, score_type: ScoreType) -> Item {
        Item { zobrist, depth, score, score_type, best_move: 0x3bd }
    }

    #[test]
    fn all_five_fields_come_back() {
        // S1-03, S1-21
        let mut table = PositionTable::new(1000);
        for (n, kind) in [ScoreType::Exact, ScoreType::Alpha, ScoreType::Beta].into_iter().enumerate() {
            let item = item(u64::MAX / (n as u64 + 3), 20, -999_993 + n as i32, kind);
            table.store(item);
            assert_eq!(table.find(item.zobrist), Some(item));
        }
        assert_eq!(table.find(12345), None);
        table.clear();
        assert_eq!(table.find(u64::MAX / 3), None);
    }

    #[test]
    fn the_deeper_item_stays() {
        let mut table = PositionTable::new(1);
        table.store(item(7, 5, 1, ScoreType::Exact));
        table.store(item(7, 4, 2, ScoreType::Exact));
        assert_eq!(table.find(7).map(|item| item.score), Some(1));
        table.store(item(8, 1, 3, ScoreType::Exact));
        assert_eq!((table.find(7), table.find(8).map(|item| item.score)), (None, Some(3)));
    }
}
