//! The search, compiled for more than one kind of processor: newer ones count bits and judge eight columns at once.

use super::search::{Node, Search};
use super::word::Word;

/// A kind of processor.
pub(super) trait Processor: Sized {
    /// `Search::above`, compiled for it.
    fn above<W: Word, const STRIDE: u32>(search: &mut Search<W, STRIDE>, node: Node<W>, alpha: i32) -> i32;
}

/// Begins the search that suits the processor we run on.
pub(super) fn above<W: Word, const STRIDE: u32>(search: &mut Search<W, STRIDE>, node: Node<W>, alpha: i32) -> i32 {
    #[cfg(target_arch = "x86_64")]
    {
        if Wide::is_here() {
            return Wide::above(search, node, alpha);
        }
        if Modern::is_here() {
            return Modern::above(search, node, alpha);
        }
    }
    Plain::above(search, node, alpha)
}

/// Any processor.
struct Plain;

impl Processor for Plain {
    fn above<W: Word, const STRIDE: u32>(search: &mut Search<W, STRIDE>, node: Node<W>, alpha: i32) -> i32 {
        search.visit::<Plain>(node, alpha)
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! processor {
    ($name:ident, $($feature:tt),+; $features:literal) => {
        #[doc = concat!("One with ", $features, ".")]
        struct $name;

        impl $name {
            fn is_here() -> bool {
                $(is_x86_feature_detected!($feature))&&+
            }
        }

        impl Processor for $name {
            #[inline(always)]
            fn above<W: Word, const STRIDE: u32>(
                search: &mut Search<W, STRIDE>,
                node: Node<W>,
                alpha: i32,
            ) -> i32 {
                #[target_feature(enable = $features)]
                fn compiled<W: Word, const STRIDE: u32>(
                    search: &mut Search<W, STRIDE>,
                    node: Node<W>,
                    alpha: i32,
                ) -> i32 {
                    search.visit::<$name>(node, alpha)
                }
                // SAFETY: the only way here begins in `above`, after `is_here` found every feature.
                #[allow(unsafe_code)]
                unsafe {
                    compiled(search, node, alpha)
                }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
processor!(Modern, "popcnt", "bmi1", "bmi2", "lzcnt", "avx2"; "popcnt,bmi1,bmi2,lzcnt,avx2");
#[cfg(target_arch = "x86_64")]
processor!(
    Wide, "popcnt", "bmi1", "bmi2", "lzcnt", "avx2", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vpopcntdq";
    "popcnt,bmi1,bmi2,lzcnt,avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq"
);
