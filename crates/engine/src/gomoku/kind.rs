//! What a stone on a cell would threaten: the four lines through the cell taken together.

use super::shape::Shape;

/// What a stone would threaten, from nothing to a five.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Nothing much, or the cell is not empty.
    #[default]
    None,
    /// It may be a foul; only a closer look tells.
    Foul,
    /// An open two, or a three that is closed on one side.
    Two,
    /// Two of those.
    Twos,
    /// An open three.
    Three,
    /// An open three and an open two or a closed three.
    ThreePlus,
    /// Two open threes.
    Threes,
    /// A four.
    Four,
    /// A four and an open two or a closed three.
    FourPlus,
    /// A four and an open three.
    FourThree,
    /// An open four, or two fours at once.
    OpenFour,
    /// A five.
    Five,
}

/// How many kinds there are.
pub(crate) const KINDS: usize = 12;

impl Kind {
    /// Every kind, the weakest first.
    pub const ALL: [Kind; KINDS] = [
        Kind::None,
        Kind::Foul,
        Kind::Two,
        Kind::Twos,
        Kind::Three,
        Kind::ThreePlus,
        Kind::Threes,
        Kind::Four,
        Kind::FourPlus,
        Kind::FourThree,
        Kind::OpenFour,
        Kind::Five,
    ];

    /// Whether the other side must answer at once or lose.
    pub fn is_four(self) -> bool {
        self >= Kind::Four
    }
}

/// The kind of a cell whose four lines have these shapes. `fouls`: the side may not make an overline, two fours or
/// two threes.
pub(crate) fn kind(shapes: [Shape; 4], fouls: bool) -> Kind {
    let count = |from: Shape, to: Shape| shapes.iter().filter(|&&shape| from <= shape && shape <= to).count();
    let has = |shape| shapes.contains(&shape);
    let fours = count(Shape::Four, Shape::OpenFour) + count(Shape::TwinFour, Shape::TwinFour);
    let threes = count(Shape::OpenThree, Shape::BestThree);
    let twos = count(Shape::OpenTwo, Shape::Three);
    if has(Shape::Five) {
        return Kind::Five;
    }
    if fouls && (has(Shape::Overline) || fours >= 2 || threes >= 2) {
        return Kind::Foul;
    }
    match (fours, threes, twos) {
        _ if has(Shape::OpenFour) || fours >= 2 => Kind::OpenFour,
        (1, 1.., _) => Kind::FourThree,
        (1, _, 1..) => Kind::FourPlus,
        (1, ..) => Kind::Four,
        (_, 2.., _) => Kind::Threes,
        (_, 1, 1..) => Kind::ThreePlus,
        (_, 1, _) => Kind::Three,
        (_, _, 2..) => Kind::Twos,
        (_, _, 1) => Kind::Two,
        _ => Kind::None,
    }
}

/// How many different sets of four shapes there are: C(15 + 3, 4).
pub(crate) const CODES: usize = 3060;

/// The number of a set of four shapes, whatever their order.
pub(crate) fn code(shapes: [Shape; 4]) -> usize {
    let mut sorted = shapes.map(|shape| shape as usize);
    sorted.sort_unstable();
    // The combinatorial number system: a set with repetitions becomes one without by spreading it out.
    let choose = |n: usize, k: usize| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    (0..4).map(|n| if sorted[n] + n > n { choose(sorted[n] + n, n + 1) } else { 0 }).sum()
}

/// The four shapes packed into one word, the first line lowest.
pub(crate) fn unpack(word: u16) -> [Shape; 4] {
    [0, 4, 8, 12].map(|shift| Shape::of((word >> shift & 15) as u8))
}

#[cfg(test)]
mod tests {
    use super::super::shape::SHAPES;
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn sets_of_shapes_are_numbered_without_gaps() {
        let mut seen: BTreeMap<usize, [u16; 4]> = BTreeMap::new();
        for word in 0..=u16::MAX {
            let mut nibbles = [0, 4, 8, 12].map(|shift| word >> shift & 15);
            if nibbles.iter().all(|&nibble| usize::from(nibble) < SHAPES) {
                nibbles.sort_unstable();
                let number = code(unpack(word));
                assert_eq!(*seen.entry(number).or_insert(nibbles), nibbles);
            }
        }
        assert_eq!((seen.len(), seen.keys().next_back()), (CODES, Some(&(CODES - 1))));
    }

    #[test]
    fn lines_add_up() {
        use Shape::*;
        let of = |a, b| kind([a, Dead, b, Dead], false);
        assert_eq!(of(Four, BestThree), Kind::FourThree);
        assert_eq!(of(Four, Four), Kind::OpenFour);
        assert_eq!(of(OpenThree, OpenTwo), Kind::ThreePlus);
        assert_eq!(kind([Five, Four, Four, Dead], true), Kind::Five);
        assert_eq!(kind([OpenThree, BestThree, Dead, Dead], true), Kind::Foul);
        assert_eq!(kind([OpenFour, Four, Dead, Dead], true), Kind::Foul);
        assert_eq!(kind([TwinFour, Dead, Dead, Dead], true), Kind::Foul);
        assert_eq!(kind([Overline, Dead, Dead, Dead], false), Kind::None);
    }
}
