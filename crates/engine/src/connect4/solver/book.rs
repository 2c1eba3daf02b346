//! The opening book: scores of early positions on the usual board, found by this solver (`lianzi dev book`).
//!
//! Positions with as many stones make a layer. In a layer each has a place of its own that follows from its stones, so
//! a file holds scores and nothing else, three to a word of 16 bits. Mirror images share a place. A sum of all that
//! stands in front: a damaged file is no book, for a wrong score would be taken for a proven one.

mod order;

use std::borrow::Cow;
use std::sync::OnceLock;

use lianzi_core::{Position, Rules};

pub use order::Columns;
use order::Order;

/// The board it is made for.
pub const BOARD: Rules = Rules::connect4(7, 6);

/// How many stones the positions of a book may have.
pub const MOST_STONES: usize = 12;

/// What a file begins with; the sum and a byte that tells how many stones its positions have at most follow.
pub const MAGIC: &[u8; 4] = b"LZF3";

/// Each third of a word is a score plus 20, or 0 if it is not known.
const BASE: u16 = 40;
const BIAS: i32 = 20;
const WORD: usize = size_of::<u16>();

/// The book that comes with the program. A page loads it beside its module and hands it in.
static BUILT_IN: &[u8] = if cfg!(target_family = "wasm") { &[] } else { include_bytes!("../../../data/connect4.book") };

/// A book for the whole program, instead of that one.
static HANDED_IN: OnceLock<Book> = OnceLock::new();

/// Scores of early positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    order: Order,
    scores: Cow<'static, [u8]>,
}

impl Book {
    /// The book of this program: one that was handed in, or the one that comes with it.
    pub fn at_hand() -> Book {
        HANDED_IN.get().cloned().unwrap_or_else(Book::built_in)
    }

    /// The book that comes with the program.
    pub fn built_in() -> Book {
        Book::read(Cow::Borrowed(BUILT_IN)).unwrap_or_else(|| Book::empty(0))
    }

    /// A book that knows nothing yet of the positions with up to so many stones.
    pub fn empty(stones: usize) -> Book {
        let order = Order::new(stones);
        let scores = vec![0; order.places() / 3 * WORD];
        Book { order, scores: Cow::Owned(scores) }
    }

    /// A file's book, if it is one and whole.
    pub fn read(file: Cow<'static, [u8]>) -> Option<Book> {
        let (sum, rest) = file.strip_prefix(MAGIC)?.split_first_chunk()?;
        let stones = usize::from(*rest.first()?);
        if stones > MOST_STONES || u64::from_le_bytes(*sum) != sum_of(rest) {
            return None;
        }
        let order = Order::new(stones);
        let head = file.len() - rest.len() + 1;
        let scores = match file {
            Cow::Borrowed(file) => Cow::Borrowed(&file[head..]),
            Cow::Owned(mut file) => Cow::Owned(file.split_off(head)),
        };
        let fits = scores.len() == order.places() / 3 * WORD;
        let mut words = scores.as_chunks::<WORD>().0.iter();
        let sound = words.all(|word| u16::from_le_bytes(*word) < BASE.pow(3));
        (fits && sound).then_some(Book { order, scores })
    }

    /// The file.
    pub fn file(&self) -> Vec<u8> {
        let rest = [&[self.stones() as u8][..], &self.scores].concat();
        [&MAGIC[..], &sum_of(&rest).to_le_bytes(), &rest].concat()
    }

    /// How many stones its positions have at most.
    pub fn stones(&self) -> usize {
        self.order.stones()
    }

    /// How many positions it knows.
    pub fn len(&self) -> usize {
        (0..self.order.places()).filter(|&place| self.at(place).is_some()).count()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same with room for positions of at least so many stones.
    pub fn with_room(&self, stones: usize) -> Book {
        if stones <= self.stones() {
            return self.clone();
        }
        let mut book = Book::empty(stones);
        book.scores.to_mut()[..self.scores.len()].copy_from_slice(&self.scores);
        book
    }

    /// The score of a position given as the mover's stones and all stones, seven bits a column, if it is known.
    pub fn score(&self, own: u64, full: u64) -> Option<i32> {
        self.at(self.order.place(own, full)?)
    }

    /// The columns of one game to each unfinished position with so many stones that it lacks, mirror images once.
    /// Positions that come from each other by a few stones stand near each other.
    pub fn missing(&self, stones: usize) -> Vec<Columns> {
        let mut games = self.order.games(stones);
        games.retain(|columns| {
            let (own, full) = order::board(columns);
            self.score(own, full).is_none()
        });
        games
    }

    /// Adds the score of the position after these columns, which must have room.
    pub fn add(&mut self, columns: &Columns, score: i32) {
        let (own, full) = order::board(columns);
        let place = self.order.place(own, full).expect("the book has room for the position");
        let digit = u16::try_from(score + BIAS).expect("scores are above -20");
        debug_assert!(digit < BASE, "and below 20");
        let power = BASE.pow(place as u32 % 3);
        let word = self.word(place);
        let known = word / power % BASE;
        let word = word - known * power + digit * power;
        let at = place / 3 * WORD;
        self.scores.to_mut()[at..at + WORD].copy_from_slice(&word.to_le_bytes());
    }

    /// The score of the position after these columns, if all that can follow is known.
    pub fn by_answers(&self, columns: &Columns) -> Option<i32> {
        let free = (BOARD.capacity() - columns.len()) as i32;
        let mut best = i32::MIN;
        for next in order::answers(columns) {
            let (own, full) = order::board(&next);
            let won = order::has_line(full ^ own);
            best = best.max(if won { (free + 1) / 2 } else { -self.score(own, full)? });
        }
        Some(best)
    }

    /// What the score of the position after these columns is at least, if a position a stone earlier is known: the side
    /// that played this stone had nothing better.
    pub fn at_least(&self, columns: &Columns) -> Option<i32> {
        let (own, full) = order::board(columns);
        order::before(own, full).filter_map(|(own, full)| Some(-self.score(own, full)?)).max()
    }

    fn word(&self, place: usize) -> u16 {
        let at = place / 3 * WORD;
        u16::from_le_bytes([self.scores[at], self.scores[at + 1]])
    }

    fn at(&self, place: usize) -> Option<i32> {
        let digit = self.word(place) / BASE.pow(place as u32 % 3) % BASE;
        (digit > 0).then_some(i32::from(digit) - BIAS)
    }
}

/// Takes a book for all solvers that are made from now on; how many stones its positions have at most. A file that is
/// none changes nothing, and only the first book counts.
pub fn hand_in(file: Vec<u8>) -> Option<usize> {
    let book = Book::read(Cow::Owned(file))?;
    Some(HANDED_IN.get_or_init(|| book).stones())
}

/// A sum of bytes that changes with each of them (FNV-1a).
fn sum_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The position after these columns.
pub fn position(columns: &Columns) -> Position {
    let mut position = Position::new(BOARD);
    for &column in columns {
        let played = position.landing(column).map(|cell| position.play(cell));
        debug_assert!(matches!(played, Some(Ok(()))), "games of a book are legal");
    }
    position
}

#[cfg(test)]
mod tests {
    use lianzi_core::Random;

    use super::*;

    /// How many unfinished positions there are with so many stones, mirror images once.
    const POSITIONS: [usize; 7] = [1, 4, 25, 121, 568, 2144, 8231];

    #[test]
    fn each_position_has_a_place_of_its_own() {
        let book = Book::empty(6);
        for (stones, &count) in POSITIONS.iter().enumerate() {
            let games = book.missing(stones);
            let mut places: Vec<usize> = games
                .iter()
                .map(|columns| {
                    let (own, full) = order::board(columns);
                    book.order.place(own, full).unwrap()
                })
                .collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!((games.len(), places.len()), (count, count), "{stones} stones");
        }
        let positions: usize = POSITIONS.iter().sum();
        assert!(book.file().len() <= positions, "{} bytes for {positions} positions", book.file().len());
        assert_eq!(book.score(0, 0x7f), None, "seven stones are too many");
    }

    #[test]
    fn scores_come_back_also_from_a_larger_book() {
        let mut random = Random::new(2);
        let mut book = Book::empty(4);
        let games = book.missing(4);
        let scores: Vec<i32> = games.iter().map(|_| random.below(37) as i32 - 18).collect();
        games.iter().zip(&scores).for_each(|(columns, &score)| book.add(columns, score));
        assert!(book.missing(4).is_empty() && book.len() == 568);
        let larger = Book::read(Cow::Owned(book.with_room(5).file())).unwrap();
        assert_eq!((larger.stones(), larger.len(), larger.missing(5).len()), (5, 568, 2144));
        for (columns, score) in games.iter().zip(scores) {
            let (own, full) = order::board(columns);
            let mirrored: Columns = columns.iter().map(|column| 6 - column).collect();
            let (own2, full2) = order::board(&mirrored);
            assert_eq!((larger.score(own, full), larger.score(own2, full2)), (Some(score), Some(score)));
        }
    }

    #[test]
    fn what_is_damaged_is_no_book() {
        let whole = Book::built_in().file();
        assert_eq!(Book::read(Cow::Owned(whole.clone())), Some(Book::built_in()));
        for n in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[n] ^= 1 << (n % 8);
            assert_eq!(Book::read(Cow::Owned(damaged)), None, "byte {n}");
        }
        assert_eq!(Book::read(Cow::Owned(whole[..whole.len() - 2].to_vec())), None);
        assert_eq!(Book::read(Cow::Owned([&whole[..], &[0, 0]].concat())), None);
        assert_eq!(Book::read(Cow::Borrowed(MAGIC)), None);
        assert_eq!(Book::read(Cow::Borrowed(b"j10 = i9")), None);
        assert_eq!(hand_in(b"j10 = i9".to_vec()), None);
    }

    #[test]
    fn earlier_scores_follow_from_later_ones() {
        let book = Book::built_in();
        assert!(book.stones() >= 4, "the book that comes along is whole");
        for stones in 0..book.stones().min(5) {
            for columns in book.order.games(stones) {
                let (own, full) = order::board(&columns);
                assert!(book.score(own, full).is_some());
                assert_eq!(book.score(own, full), book.by_answers(&columns), "{columns:?}");
                assert!(book.at_least(&columns) <= book.score(own, full), "{columns:?}");
            }
        }
    }
}
