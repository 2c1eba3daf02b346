//! What a stone on an empty cell would make of one line through it.
//!
//! A line is seen by one side as the ten cells around the empty one, five on either side, each empty, own, or a wall
//! (a foreign stone, a blocked cell, the edge). That is 3^10 codes; a table tells each one's [`Kind`].

use std::sync::LazyLock;

/// How many cells are seen on either side.
pub(crate) const REACH: usize = 5;

/// How many codes there are.
pub(crate) const CODES: usize = 59_049;

/// 3 to the power of each place of a code.
pub(crate) const POWERS: [u16; 2 * REACH] = [1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19_683];

/// What a stone would make. A *threat* is a window of six with at least four own stones and no wall: two stones
/// complete it, so the other side must hit it. One line can hold threats that need one stone or two to hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Kind {
    /// No six is possible.
    Dead,
    /// Three more stones would make threats that one stone hits.
    OneClosed,
    /// Three more stones would make threats that need two.
    OneOpen,
    /// The same with all the room there can be.
    OneFree,
    /// Two more stones would make threats that one stone hits: one window.
    TwoClosed,
    /// The same in several windows.
    TwoHalf,
    /// Two more stones would make threats that need two.
    TwoOpen,
    /// The same in many ways.
    TwoFree,
    /// One more stone would make threats that one stone hits: one window.
    ThreeClosed,
    /// The same in several windows.
    ThreeHalf,
    /// One more stone would make threats that need two.
    ThreeOpen,
    /// The same in several ways.
    ThreeFree,
    /// Threats that one stone hits: one window.
    FourClosed,
    /// The same in several windows.
    FourHalf,
    /// Threats that need two stones.
    FourOpen,
    /// Six.
    Six,
}

/// How many kinds there are.
pub(crate) const KINDS: usize = 16;

/// The kinds of four lines through a cell, four bits each.
pub(crate) type Star = u16;

/// The bits of a star that tell of a line in which a stone would not be the first.
pub(crate) const TWO_OR_MORE: Star = 0xcccc;

/// The lines in which a stone makes a threat, as bits; 0 if there is none.
#[inline(always)]
pub(crate) const fn threats(star: Star) -> Star {
    star & star << 1 & 0x8888
}

/// The lines in which a stone and one more make threats that need two to be hit, as bits.
#[inline(always)]
pub(crate) const fn openings(star: Star) -> Star {
    // Kinds 10 and 11 are 101x.
    star & !(star << 1) & star << 2 & 0x8888
}

/// Whether a stone makes a threat in one of the lines.
#[inline(always)]
pub(crate) const fn threatens(star: Star) -> bool {
    threats(star) != 0
}

/// The kinds of the four lines.
pub(crate) fn kinds(star: Star) -> [u8; 4] {
    [0, 4, 8, 12].map(|shift| (star >> shift) as u8 & 15)
}

/// Eleven cells in a row, as the side sees them whose stone lies in the middle.
#[derive(Clone, Copy)]
struct Row {
    own: u16,
    walls: u16,
}

const WINDOW: u16 = 0b11_1111;

impl Row {
    fn new(code: usize) -> Row {
        let mut row = Row { own: 1 << REACH, walls: 0 };
        let mut rest = code;
        for place in 0..2 * REACH {
            let bit = 1 << (if place < REACH { place } else { place + 1 });
            match rest % 3 {
                1 => row.own |= bit,
                2 => row.walls |= bit,
                _ => {}
            }
            rest /= 3;
        }
        row
    }

    /// The windows that hold the middle and no wall, each as the cells that are still empty.
    fn windows(self) -> impl Iterator<Item = u16> {
        (0..=REACH)
            .map(|first| WINDOW << first)
            .filter(move |window| window & self.walls == 0)
            .map(move |window| window & !self.own)
    }

    /// The windows that lack so many stones.
    fn lacking(self, stones: u32) -> usize {
        self.windows().filter(|window| window.count_ones() == stones).count()
    }

    /// How many stones hit all threats: 0, 1 or 2, which also stands for more.
    fn hits(self) -> u8 {
        let mut common = u16::MAX;
        let mut any = false;
        for window in self.windows().filter(|window| window.count_ones() <= 2) {
            common &= window;
            any = true;
        }
        match (any, common) {
            (false, _) => 0,
            (true, 0) => 2,
            _ => 1,
        }
    }

    /// In how many ways so many more stones, next to each other or not, make threats that need two to hit.
    fn ways(self, more: u32) -> usize {
        if more == 0 {
            return usize::from(self.hits() == 2);
        }
        let empty = |place: &u16| (self.own | self.walls) >> place & 1 == 0;
        (0..=2 * REACH as u16)
            .filter(empty)
            .map(|place| Row { own: self.own | 1 << place, ..self }.ways(more - 1))
            .sum()
    }

    fn kind(self) -> Kind {
        let best = self.windows().map(u16::count_ones).min();
        let several = |stones| self.lacking(stones) > 1;
        match best {
            None => Kind::Dead,
            Some(0) => Kind::Six,
            Some(1 | 2) => match self.hits() {
                2 => Kind::FourOpen,
                _ if self.lacking(1) + self.lacking(2) > 1 => Kind::FourHalf,
                _ => Kind::FourClosed,
            },
            Some(3) => match self.ways(1) {
                0 if several(3) => Kind::ThreeHalf,
                0 => Kind::ThreeClosed,
                1 => Kind::ThreeOpen,
                _ => Kind::ThreeFree,
            },
            Some(4) => match self.ways(2) {
                0 if several(4) => Kind::TwoHalf,
                0 => Kind::TwoClosed,
                1..=4 => Kind::TwoOpen,
                _ => Kind::TwoFree,
            },
            Some(_) => match self.windows().count() {
                1 => Kind::OneClosed,
                6 => Kind::OneFree,
                _ => Kind::OneOpen,
            },
        }
    }
}

/// The kind of every code.
pub(crate) fn kinds_of_codes() -> &'static [u8; CODES] {
    // Worked out once: it takes longer than many a game's first turn.
    static KINDS_OF_CODES: LazyLock<[u8; CODES]> =
        LazyLock::new(|| std::array::from_fn(|code| Row::new(code).kind() as u8));
    &KINDS_OF_CODES
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kind of a row written with `x` own, `#` wall, `.` empty and `C` for the empty cell in the middle.
    fn kind(row: &str) -> Kind {
        let places = row.chars().filter(|&c| c != 'C').enumerate();
        let code: usize = places.map(|(place, c)| usize::from(POWERS[place]) * ".x#".find(c).unwrap()).sum();
        Row::new(code).kind()
    }

    #[test]
    fn rows_are_named() {
        for (row, named) in [
            ("#####C#####", Kind::Dead),
            ("#####C....#", Kind::Dead),
            ("#####C.....", Kind::OneClosed),
            (".....C.....", Kind::OneFree),
            ("#....C.....", Kind::OneOpen),
            ("#####Cx....", Kind::TwoClosed),
            (".....Cx....", Kind::TwoFree),
            ("#####Cxx...", Kind::ThreeClosed),
            (".....Cxx...", Kind::ThreeFree),
            ("#####Cxxx..", Kind::FourClosed),
            ("####.Cxxx..", Kind::FourHalf),
            (".....Cxxx..", Kind::FourOpen),
            ("..x..Cxx.x#", Kind::FourHalf),
            ("#####Cxxxxx", Kind::Six),
            ("xx#..Cxxxxx", Kind::Six),
        ] {
            assert_eq!(kind(row), named, "{row}");
        }
    }

    #[test]
    fn stars_tell_what_they_hold() {
        for star in 0..=Star::MAX {
            let kinds = kinds(star);
            assert_eq!(star & TWO_OR_MORE != 0, kinds.iter().any(|&kind| kind >= Kind::TwoClosed as u8));
            assert_eq!(threatens(star), kinds.iter().any(|&kind| kind >= Kind::FourClosed as u8));
            let open = Kind::ThreeOpen as u8..=Kind::ThreeFree as u8;
            assert_eq!(openings(star) != 0, kinds.iter().any(|kind| open.contains(kind)));
        }
    }
}
