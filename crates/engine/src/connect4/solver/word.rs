//! The two words a board can be packed into.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Add, BitAnd, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// A word with one bit a cell: `u64`, or `u128` for boards that need more.
pub(super) trait Word:
    Copy
    + Debug
    + Default
    + Ord
    + Hash
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many bits it has.
    const BITS: u32;
    /// How many bits a score of the largest board takes, with one value to spare.
    const BOUND_BITS: u32;
    /// No bit.
    const ZERO: Self;
    /// The lowest bit.
    const ONE: Self;

    /// How many bits are set.
    fn count(self) -> u32;

    /// The number of the lowest bit that is set.
    fn lowest(self) -> u32;

    /// A bijection that brings every bit's influence into the high bits.
    fn scatter(self) -> Self;

    /// The low 64 bits.
    fn low(self) -> u64;

    /// A word with these low bits.
    fn from_low(bits: u64) -> Self;

    /// Whether no bit is set.
    #[inline(always)]
    fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// The lowest bit that is set, alone.
    #[inline(always)]
    fn first(self) -> Self {
        self & (Self::ZERO.minus(self))
    }

    /// Difference modulo the word's size.
    fn minus(self, other: Self) -> Self;
}

macro_rules! word {
    ($word:ty, $bound_bits:expr, $factor:expr) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const BOUND_BITS: u32 = $bound_bits;
            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline(always)]
            fn scatter(self) -> Self {
                // Folding the high half in and multiplying by an odd number can both be undone.
                (self ^ (self >> (Self::BITS / 2))).wrapping_mul($factor)
            }

            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }

            fn from_low(bits: u64) -> Self {
                bits as $word
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
        }
    };
}

word!(u64, 6, 0x9e37_79b9_7f4a_7c15);
word!(u128, 7, 0xda94_2042_e4dd_58b5_9e37_79b9_7f4a_7c15);
