//! Proof numbers: how far positions are from being proven, and which one to work on next.
//!
//! Both provers of wins by force search depth first: at each position they work on the child that is easiest to prove,
//! until another one has become easier by some slack or the numbers reach the limits that were set above.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// How many leaves at least must still be proven, or refuted, to settle a position; 0 is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub proof: u32,
    pub refutation: u32,
}

impl Numbers {
    /// A number that no sum reaches.
    const INFINITE: u32 = 1 << 30;

    pub(crate) const PROVEN: Numbers = Numbers { proof: 0, refutation: Numbers::INFINITE };
    pub(crate) const REFUTED: Numbers = Numbers { proof: Numbers::INFINITE, refutation: 0 };
    pub(crate) const UNKNOWN: Numbers = Numbers { proof: 1, refutation: 1 };
    /// Limits that only a settled position reaches.
    pub(crate) const UNLIMITED: Numbers = Numbers { proof: Numbers::INFINITE, refutation: Numbers::INFINITE };

    /// The same seen by the other side.
    pub(crate) fn flipped(self) -> Numbers {
        Numbers { proof: self.refutation, refutation: self.proof }
    }

    /// Whether one of them has reached its limit; what is settled always has.
    pub(crate) fn reaches(self, limits: Numbers) -> bool {
        self.proof >= limits.proof || self.refutation >= limits.refutation
    }
}

/// Which child to work on: the one that is easiest to prove, seen by the side that chooses.
pub(crate) struct Choice {
    /// The child, unless all are refuted.
    pub best: Option<usize>,
    /// What the position's numbers follow to be: one child must be proven, or all refuted.
    pub numbers: Numbers,
    /// The second least proof number.
    pub next: u32,
    /// The best child's refutation number.
    refutation: u32,
}

impl Choice {
    /// The choice among these children.
    pub(crate) fn among(children: impl Iterator<Item = Numbers>) -> Choice {
        let numbers = Numbers::REFUTED;
        let mut choice = Choice { best: None, numbers, next: Numbers::INFINITE, refutation: 0 };
        for (n, child) in children.enumerate() {
            let sum = choice.numbers.refutation + child.refutation;
            choice.numbers.refutation = sum.min(Numbers::INFINITE);
            if child.proof < choice.numbers.proof {
                (choice.best, choice.refutation) = (Some(n), child.refutation);
                (choice.next, choice.numbers.proof) = (choice.numbers.proof, child.proof);
            } else {
                choice.next = choice.next.min(child.proof);
            }
        }
        choice
    }

    /// Until when to work on the best child, below these limits: until the next one is easier by the slack.
    pub(crate) fn limits(&self, limits: Numbers, slack: u32) -> Numbers {
        Numbers {
            proof: limits.proof.min(self.next.saturating_add(slack)),
            refutation: limits.refutation - self.numbers.refutation + self.refutation,
        }
    }
}

/// A map by hashes of positions, which are scattered already.
pub(crate) type Map<T> = HashMap<u64, T, BuildHasherDefault<Scattered>>;

/// Takes a hash for what it is.
#[derive(Default)]
pub(crate) struct Scattered(u64);

impl Hasher for Scattered {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0 << 8 | u64::from(byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(proof: u32, refutation: u32) -> Numbers {
        Numbers { proof, refutation }
    }

    #[test]
    fn one_child_proves_and_all_refute() {
        let of = |children: &[Numbers]| Choice::among(children.iter().copied());
        let open = of(&[numbers(5, 2), numbers(3, 4), numbers(4, 1), Numbers::REFUTED]);
        assert_eq!((open.best, open.numbers, open.next), (Some(1), numbers(3, 7), 4));
        assert_eq!(open.limits(numbers(100, 10), 1), numbers(5, 10 - 7 + 4));
        assert_eq!(open.limits(numbers(4, 10), 1).proof, 4);
        assert_eq!(of(&[numbers(5, 2), Numbers::PROVEN]).numbers, Numbers::PROVEN);
        let lost = of(&[Numbers::REFUTED; 2]);
        assert_eq!((lost.best, lost.numbers), (None, Numbers::REFUTED));
        assert!(Numbers::PROVEN.reaches(Numbers::UNLIMITED) && lost.numbers.reaches(Numbers::UNLIMITED));
        assert!(!Numbers::UNKNOWN.reaches(Numbers::UNLIMITED) && Numbers::UNKNOWN.reaches(numbers(1, 5)));
    }
}
