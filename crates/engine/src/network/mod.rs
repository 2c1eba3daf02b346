//! A small network that puts the fitted value of a position right, for every game whose board knows empty cells by
//! codes.
//!
//! ```text
//!     the code of each side on an empty cell ─ two tables ─► two rows of 16 numbers, added, negative ones cut off
//!     all cells added, with the threats and the fitted value ─► two small layers ─► what to add to the value
//! ```
//!
//! Codes know neither colours nor directions, so positions that are turned, mirrored or seen by the other side are
//! judged alike without being learnt twice. The board keeps the sums over all cells for both sides: a stone changes
//! those of the few cells whose codes it changes. An untrained network adds nothing.

pub(crate) mod train;

use lianzi_core::Rules;

use crate::connect6::network as connect6;
use crate::gomoku::network as gomoku;

/// How many numbers describe a cell.
pub(crate) const CHANNELS: usize = 16;

/// How many numbers describe a position in the first layer.
const HIDDEN: usize = 32;

/// And in the second.
const SECOND: usize = 16;

/// The sums over all cells, the bits of the threats, the fitted value, how many cells are empty, and a constant.
const INPUTS: usize = CHANNELS + BITS + 3;

/// How many bits threats have at most; which they are is each game's own business.
const BITS: usize = 12;

/// Where the inputs after the sums begin.
const MASK: usize = CHANNELS;
const BASE: usize = MASK + BITS;
const FREE: usize = BASE + 1;
const CONSTANT: usize = FREE + 1;

/// Numbers of the tables are kept in so many parts of one.
const PARTS: f32 = 1024.0;

/// Sums over all cells are divided by this.
const POOLED: f32 = 8.0;

/// How many numbers the layers have.
const HEAD: usize = INPUTS * HIDDEN + (HIDDEN + 1) * SECOND + SECOND + 1;

/// Logits beyond this say no more.
const MOST: f32 = 8.0;

/// What differs from game to game.
#[derive(Debug, PartialEq)]
pub struct Form {
    /// What its files begin with.
    pub magic: [u8; 4],
    /// The game by which the built-in network was trained, and the only one it is used for.
    pub rules: Rules,
    /// How many codes an empty cell can have.
    pub codes: usize,
    /// So many points change the odds of winning by e.
    pub points: f32,
    /// The file of the network that is built in.
    #[cfg(not(target_family = "wasm"))]
    pub file: &'static [u8],
}

/// The forms of all games that have a network.
pub const FORMS: [&Form; 4] = [&gomoku::FREE, &gomoku::STANDARD, &gomoku::RENJU, &connect6::FORM];

/// The sums over all cells as a side sees them.
pub(crate) type Pool = [i32; CHANNELS];

/// The layers behind the sums: by input, by number of the first layer and a constant, by number of the second and a
/// constant.
#[derive(Clone, Debug, PartialEq)]
struct Head {
    first: [[f32; HIDDEN]; INPUTS],
    second: [[f32; SECOND]; HIDDEN + 1],
    out: [f32; SECOND + 1],
}

/// The network.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    form: &'static Form,
    /// Two tables by code: what it is to the side that looks, and what to the one that is looked at.
    rows: Vec<[i16; CHANNELS]>,
    head: Box<Head>,
    /// What six bits of the threats and the constant add to the first layer, for the lower bits and for the upper.
    threats: Vec<[[f32; HIDDEN]; 64]>,
}

/// What a position is to the network.
struct Thought {
    hidden: [f32; HIDDEN],
    second: [f32; SECOND],
    correction: f32,
}

impl Form {
    /// A fitted value as a logit.
    fn base(&self, fitted: i32) -> f32 {
        (fitted as f32 / self.points).clamp(-MOST, MOST)
    }

    /// How many cells are empty, in a size that suits a network.
    fn share(&self, free: usize) -> f32 {
        free as f32 / (u16::from(self.rules.width) * u16::from(self.rules.height)) as f32
    }
}

impl Network {
    fn new(form: &'static Form, rows: Vec<[i16; CHANNELS]>, head: Box<Head>) -> Network {
        let threats = [0, 1].map(|half| {
            let of = |bits: usize| {
                let set = (0..6).filter(|bit| bits >> bit & 1 == 1).map(|bit| MASK + 6 * half + bit);
                let constant = (half == 0).then_some(CONSTANT);
                let mut sum = [0.0; HIDDEN];
                set.chain(constant).for_each(|input| add(&mut sum, &head.first[input], 1.0));
                sum
            };
            std::array::from_fn(of)
        });
        Network { form, rows, head, threats: threats.into() }
    }

    /// The network that is built in for a game: only for the one whose games it was trained by.
    pub fn of(form: &'static Form, rules: &Rules) -> Option<Network> {
        if *rules == form.rules { Network::read(form, form.built_in()) } else { None }
    }

    /// Reads a file of `dev train`.
    pub fn read(form: &'static Form, bytes: &[u8]) -> Option<Network> {
        let (rows, numbers) = bytes.strip_prefix(&form.magic)?.split_at_checked(2 * form.codes * CHANNELS * 2)?;
        let (rows, _) = rows.as_chunks::<2>();
        let rows: Vec<i16> = rows.iter().map(|&word| i16::from_le_bytes(word)).collect();
        let (numbers, []) = numbers.as_chunks::<4>() else { return None };
        let numbers: Vec<f32> = numbers.iter().map(|&word| f32::from_le_bytes(word)).collect();
        // Two rows are added.
        let sound =
            rows.iter().all(|row| row.unsigned_abs() < 1 << 14) && numbers.iter().all(|number| number.is_finite());
        let head = Head::of(&numbers).filter(|_| sound)?;
        Some(Network::new(form, rows.as_chunks().0.to_vec(), head))
    }

    /// Reads a file of a network of any form whose codes are those of this one, or this one's of either side.
    pub fn carry_over(form: &'static Form, bytes: &[u8]) -> Option<Network> {
        let network = FORMS.into_iter().find_map(|form| Network::read(form, bytes))?;
        let codes = network.form.codes;
        let tables = network.rows.chunks_exact(codes).filter(|_| form.codes.is_multiple_of(codes));
        let rows = tables.flat_map(|table| table.repeat(form.codes / codes)).collect::<Vec<_>>();
        (rows.len() == 2 * form.codes).then(|| Network::new(form, rows, network.head))
    }

    /// The file of this network.
    pub fn bytes(&self) -> Vec<u8> {
        let rows = self.rows.iter().flatten().flat_map(|number| number.to_le_bytes());
        let numbers = self.head.numbers().into_iter().flat_map(f32::to_le_bytes);
        self.form.magic.iter().copied().chain(rows).chain(numbers).collect()
    }

    /// What a cell with these codes is to a side.
    #[inline(always)]
    fn cell(&self, codes: [u16; 2], side: usize) -> [i16; CHANNELS] {
        let own = &self.rows[usize::from(codes[side])];
        let other = &self.rows[self.form.codes + usize::from(codes[1 - side])];
        std::array::from_fn(|n| own[n].wrapping_add(other[n]).max(0))
    }

    /// An empty cell comes to the sums of a side.
    pub fn include(&self, pool: &mut Pool, side: usize, codes: [u16; 2]) {
        let cell = self.cell(codes, side);
        for (sum, number) in pool.iter_mut().zip(cell) {
            *sum += i32::from(number);
        }
    }

    /// A cell is no longer empty.
    #[inline(always)]
    pub fn remove(&self, pool: &mut Pool, side: usize, codes: [u16; 2]) {
        let cell = self.cell(codes, side);
        for (sum, number) in pool.iter_mut().zip(cell) {
            *sum -= i32::from(number);
        }
    }

    /// The codes of an empty cell change.
    #[inline(always)]
    pub fn exchange(&self, pool: &mut Pool, side: usize, old: [u16; 2], new: [u16; 2]) {
        let (old, new) = (self.cell(old, side), self.cell(new, side));
        // Neither is negative, so the difference is not too large.
        for (sum, (new, old)) in pool.iter_mut().zip(new.into_iter().zip(old)) {
            *sum += i32::from(new.wrapping_sub(old));
        }
    }

    /// What to add to the fitted value, in points: for the sums as the side to move sees them, the threats, the fitted
    /// value, and how many cells are empty.
    pub fn correction(&self, pool: &Pool, mask: usize, fitted: i32, free: usize) -> i32 {
        let [lower, upper] = [&self.threats[0][mask & 63], &self.threats[1][mask >> 6 & 63]];
        let hidden = std::array::from_fn(|n| lower[n] + upper[n]);
        let pool = pool.map(|sum| sum as f32 / (PARTS * POOLED));
        let correction = self.head.think(hidden, &pool, self.form.base(fitted), self.form.share(free)).correction;
        (correction.clamp(-MOST, MOST) * self.form.points) as i32
    }
}

impl Head {
    fn of(numbers: &[f32]) -> Option<Box<Head>> {
        let (first, rest) = numbers.split_at_checked(INPUTS * HIDDEN)?;
        let (second, out) = rest.split_at_checked((HIDDEN + 1) * SECOND)?;
        Some(Box::new(Head {
            first: first.as_chunks().0.try_into().ok()?,
            second: second.as_chunks().0.try_into().ok()?,
            out: out.try_into().ok()?,
        }))
    }

    fn numbers(&self) -> Vec<f32> {
        self.first.iter().flatten().chain(self.second.iter().flatten()).chain(&self.out).copied().collect()
    }

    /// Goes through both layers, the first of which already has what the threats add.
    #[inline(always)]
    fn think(&self, mut hidden: [f32; HIDDEN], pool: &[f32; CHANNELS], base: f32, share: f32) -> Thought {
        for (row, &sum) in self.first.iter().zip(pool) {
            add(&mut hidden, row, sum);
        }
        add(&mut hidden, &self.first[BASE], base);
        add(&mut hidden, &self.first[FREE], share);
        let hidden = hidden.map(|number| number.max(0.0));
        let mut second = self.second[HIDDEN];
        for (row, &number) in self.second.iter().zip(&hidden) {
            add(&mut second, row, number);
        }
        let second = second.map(|number| number.max(0.0));
        let correction = self.out.iter().zip(&second).map(|(weight, number)| weight * number).sum::<f32>();
        Thought { hidden, second, correction: correction + self.out[SECOND] }
    }
}

#[cfg(not(target_family = "wasm"))]
impl Form {
    fn built_in(&self) -> &'static [u8] {
        self.file
    }
}

/// A page loads its module without the networks, which are large beside it: they come with it and are handed in once.
/// Like the module itself there is one of each.
#[cfg(target_family = "wasm")]
static HANDED_IN: std::sync::Mutex<Vec<&'static [u8]>> = std::sync::Mutex::new(Vec::new());

#[cfg(target_family = "wasm")]
impl Form {
    fn built_in(&self) -> &'static [u8] {
        let of_this_form = |file: &&&[u8]| file.starts_with(&self.magic);
        HANDED_IN.lock().ok().and_then(|files| files.iter().find(of_this_form).copied()).unwrap_or_default()
    }
}

/// Takes a network of a page for all engines that are made from now on.
#[cfg(target_family = "wasm")]
pub fn hand_in(file: Vec<u8>) {
    if let Ok(mut files) = HANDED_IN.lock() {
        files.push(file.leak());
    }
}

/// Adds so many times a row to another.
#[inline(always)]
fn add<const N: usize>(to: &mut [f32; N], row: &[f32; N], times: f32) {
    for (sum, number) in to.iter_mut().zip(row) {
        *sum += times * number;
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use lianzi_core::Random;

    use super::*;

    /// A network that was taught nothing, but has something to say.
    pub(crate) fn random_network(form: &'static Form, seed: u64) -> Network {
        let mut random = Random::new(seed);
        let rows = (0..2 * form.codes).map(|_| std::array::from_fn(|_| random.below(2001) as i16 - 1000)).collect();
        let numbers: Vec<f32> = (0..HEAD).map(|_| random.unit() as f32 - 0.5).collect();
        Network::new(form, rows, Head::of(&numbers).expect("as many as there are"))
    }

    #[test]
    fn a_network_survives_its_file() {
        for form in FORMS {
            let network = random_network(form, 1);
            let bytes = network.bytes();
            let read: Vec<Network> = FORMS.iter().filter_map(|form| Network::read(form, &bytes)).collect();
            assert_eq!(read, [network], "no other game takes it");
            assert_eq!(Network::read(form, &bytes[..bytes.len() - 4]), None);
            assert_eq!(Network::read(form, b"something else"), None);
            let mut broken = bytes.clone();
            broken.truncate(bytes.len() - 4);
            broken.extend(f32::NAN.to_le_bytes());
            assert_eq!(Network::read(form, &broken), None);
        }
    }

    #[test]
    fn a_network_is_carried_over_to_games_with_the_same_codes() {
        let bytes = random_network(&gomoku::FREE, 1).bytes();
        let to = |form: &'static Form| Network::carry_over(form, &bytes);
        assert_eq!(to(&gomoku::STANDARD).map(|network| network.bytes()[4..] == bytes[4..]), Some(true));
        let renju = to(&gomoku::RENJU).expect("both sides have the same codes");
        let (own, other) = renju.rows.split_at(renju.form.codes);
        for table in [own, other] {
            assert_eq!(table[..gomoku::FREE.codes], table[gomoku::FREE.codes..]);
        }
        assert_eq!(to(&connect6::FORM), None);
        assert_eq!(Network::carry_over(&gomoku::RENJU, b"something else"), None);
    }

    #[test]
    fn each_game_that_has_one_has_a_network_built_in() {
        for form in FORMS {
            assert!(Network::of(form, &form.rules).is_some_and(|network| network.bytes() == form.file));
            assert_eq!(Network::of(form, &Rules::gomoku(9)), None);
        }
    }
}
