//! The opening book: scores of early positions on the usual board, found by this solver (`lianzi dev book`).
//!
//! A file is a sorted sequence of little-endian words, one a position: the position's number above eight bits that
//! hold its score plus 128. Mirror images share a number.

use std::collections::BTreeMap;

use lianzi_core::{Position, Rules};

use super::shape::Shape;

const WORD: usize = size_of::<u64>();
const BIAS: i64 = 128;

/// The board it is made for.
pub const BOARD: Rules = Rules::connect4(7, 6);

/// The book that comes with the program.
static BUILT_IN: &[u8] = include_bytes!("../../../data/connect4.book");

/// Scores of early positions.
#[derive(Clone, Copy, Debug)]
pub struct Book {
    bytes: &'static [u8],
}

impl Book {
    /// The book that comes with the program.
    pub fn built_in() -> Book {
        Book { bytes: BUILT_IN }
    }

    /// The score of the position with this number, if it is in the book.
    pub fn score(&self, key: u64) -> Option<i32> {
        let words = self.bytes.as_chunks::<WORD>().0;
        let at = words.binary_search_by_key(&key, |word| u64::from_le_bytes(*word) >> 8).ok()?;
        Some(score_of(u64::from_le_bytes(words[at])))
    }
}

fn score_of(word: u64) -> i32 {
    ((word & 0xff) as i64 - BIAS) as i32
}

/// A book in the making.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    scores: BTreeMap<u64, i32>,
}

impl Draft {
    /// What a file holds already.
    pub fn read(bytes: &[u8]) -> Draft {
        let words = bytes.as_chunks::<WORD>().0.iter().map(|word| u64::from_le_bytes(*word));
        Draft { scores: words.map(|word| (word >> 8, score_of(word))).collect() }
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let word = |(key, score): (&u64, &i32)| key << 8 | (i64::from(*score) + BIAS) as u64;
        self.scores.iter().flat_map(|entry| word(entry).to_le_bytes()).collect()
    }

    /// How many positions it holds.
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// The positions with so many stones that it lacks, mirror images once.
    pub fn missing(&self, stones: usize) -> Vec<Position> {
        let mut found = BTreeMap::new();
        collect(&mut Position::new(BOARD), stones, &mut found);
        found.into_iter().filter(|(key, _)| !self.scores.contains_key(key)).map(|(_, found)| found).collect()
    }

    /// Adds a position.
    pub fn add(&mut self, position: &Position, score: i32) {
        self.scores.insert(key(position), score);
    }

    /// The score of a position whose continuations are all in the book.
    pub fn by_answers(&self, position: &Position) -> Option<i32> {
        let free = position.free() as i32;
        let mut next = position.clone();
        let mut scores = position.legal().map(|cell| {
            next.play(cell).ok()?;
            let score = match next.outcome() {
                Some(_) => Some((free + 1) / 2),
                None => self.scores.get(&key(&next)).map(|score| -score),
            };
            next.undo();
            score
        });
        scores.try_fold(i32::MIN, |best, score| Some(best.max(score?)))
    }
}

/// A position's number on the book's board.
fn key(position: &Position) -> u64 {
    let shape = Shape::<u64, 7>::new(&BOARD);
    let (own, full) = shape.read(position);
    shape.shared_key(own, full, position.free() as i32)
}

/// All unfinished positions with so many stones.
fn collect(position: &mut Position, stones: usize, found: &mut BTreeMap<u64, Position>) {
    if position.plies().len() == stones {
        found.insert(key(position), position.clone());
        return;
    }
    let cells: Vec<_> = position.legal().collect();
    for cell in cells {
        if position.play(cell).is_ok() {
            if position.outcome().is_none() {
                collect(position, stones, found);
            }
            position.undo();
        }
    }
}
