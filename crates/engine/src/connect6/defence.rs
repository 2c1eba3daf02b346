//! How threats can be met: exact smallest hitting sets.
//!
//! A threat is hit by a stone in one of its at most two gaps. Every set that hits all threats hits the first, so the
//! sets of one and two stones are found by trying its gaps.

use arrayvec::ArrayVec;

use super::board::SixBoard;
use super::shape::Place;

/// The ways to hit all of a side's threats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Defence {
    /// How many stones are needed: 0, 1, 2, or 3 for more than a turn has.
    pub needed: u8,
    /// The single stones that hit everything.
    pub singles: ArrayVec<Place, 2>,
    /// The pairs that hit everything though neither stone does.
    pub pairs: ArrayVec<[Place; 2], 4>,
}

/// The gaps of a threat.
type Gaps = ArrayVec<Place, 2>;

impl Defence {
    /// How the threats of `attacker` can be met.
    pub(crate) fn against(board: &SixBoard, attacker: usize) -> Defence {
        let threats = board.threats(attacker);
        let Some((&first, others)) = threats.split_first() else { return Defence::default() };
        let gaps = |window: u16| -> Gaps { board.gaps(window).collect() };
        let mut defence = Defence { needed: 3, ..Defence::default() };
        for hit in gaps(first) {
            let mut missed = others.iter().map(|&window| gaps(window)).filter(|gaps| !gaps.contains(&hit));
            let Some(mut common) = missed.next() else {
                defence.singles.push(hit);
                continue;
            };
            missed.for_each(|gaps| common.retain(|place| gaps.contains(place)));
            for second in common {
                let pair = [hit.min(second), hit.max(second)];
                if !defence.pairs.contains(&pair) {
                    defence.pairs.push(pair);
                }
            }
        }
        let singles = &defence.singles;
        defence.pairs.retain(|pair| !pair.iter().any(|place| singles.contains(place)));
        if !defence.singles.is_empty() {
            defence.needed = 1;
        } else if !defence.pairs.is_empty() {
            defence.needed = 2;
        }
        defence
    }

    /// Every cell that belongs to some way of hitting everything.
    pub(crate) fn cells(&self) -> ArrayVec<Place, 10> {
        let mut cells = ArrayVec::new();
        for &place in self.singles.iter().chain(self.pairs.iter().flatten()) {
            if !cells.contains(&place) {
                cells.push(place);
            }
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lianzi_core::{Position, Random, Rules};

    use super::*;
    use crate::connect6::shape::Shape;

    /// All sets of one or two cells that hit everything, by trying all of them.
    fn brute_force(board: &SixBoard, attacker: usize) -> (Vec<Place>, Vec<[Place; 2]>) {
        let empty: Vec<Place> = board.empty().collect();
        let hits = |cells: &[Place]| {
            board.threats(attacker).iter().all(|&window| board.gaps(window).any(|gap| cells.contains(&gap)))
        };
        let singles: Vec<Place> = empty.iter().copied().filter(|&place| hits(&[place])).collect();
        let mut pairs = Vec::new();
        for (n, &one) in empty.iter().enumerate() {
            for &two in &empty[n + 1..] {
                if hits(&[one, two]) && !singles.contains(&one) && !singles.contains(&two) {
                    pairs.push([one, two]);
                }
            }
        }
        (singles, pairs)
    }

    #[test]
    fn hitting_sets_are_those_of_brute_force() {
        let mut random = Random::new(3);
        let mut seen = [0; 4];
        let rules = Rules::connect(8, 7, 6, 2, 1);
        let empty = SixBoard::new(Arc::new(Shape::new(&rules)), &Position::new(rules));
        for game in 0..20_000 {
            let mut board = empty.clone();
            for place in 0..56 {
                match random.below(12) {
                    0 => board.put(place, 0),
                    n if n < 3 + game % 8 => board.put(place, 1),
                    _ => {}
                }
            }
            if board.threats(1).is_empty() || board.threats(1).iter().any(|&w| board.count(w, 1) == 6) {
                continue;
            }
            let (singles, pairs) = brute_force(&board, 1);
            let mut defence = Defence::against(&board, 1);
            defence.singles.sort_unstable();
            defence.pairs.sort_unstable();
            assert_eq!((defence.singles.to_vec(), defence.pairs.to_vec()), (singles, pairs));
            seen[usize::from(defence.needed)] += 1;
            if seen[1..].iter().all(|&count| count >= 100) {
                return;
            }
        }
        panic!("too few of a sort: {seen:?}");
    }
}
