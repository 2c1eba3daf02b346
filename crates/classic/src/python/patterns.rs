//! The patterns: what a stone sees along one of the eight directions, and what that is worth.
//!
//! A view is the stone itself with two cells behind it and four ahead. Cells are written
//! `x` own stone, `_` blank, `#` closed (the enemy, a blocked cell or the edge), `?` anything:
//!
//! ```text
//!   steps   -2 -1  0  1  2  3  4
//!            ?  _  O  x  x  x  _     an open four, seen from one of its ends
//! ```

/// What each shape is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Weights {
    pub five: i64,
    pub open_four: i64,
    pub closed_four: i64,
    pub open_three: i64,
    pub closed_three: i64,
    pub open_two: i64,
    pub closed_two: i64,
}

/// The printed weights. An open two is worth more than a closed three: so it is printed.
pub(super) const PRINTED: Weights = Weights {
    five: 10_000_000,    // S4-08
    open_four: 180_000,  // S4-08
    closed_four: 40_000, // S4-08
    open_three: 30_000,  // S4-08
    closed_three: 5_000, // S4-08
    open_two: 10_000,    // S4-08
    closed_two: 10,      // S4-08
};

/// How an open four is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenFour {
    /// As printed: blank at both ends.
    Printed,
    /// Before the patterns were changed (S4-19): blank ahead, whatever is behind. A substitute, see `version`.
    Early,
}

/// The nineteen tests in their printed order, the first that fits decides (S4-31). A shape that is seen from
/// both of its ends is worth half from each.
fn tests(weights: &Weights, open_four: OpenFour) -> [(&'static [u8; 7], i64); 19] {
    let four = match open_four {
        OpenFour::Printed => b"?_Oxxx_",
        OpenFour::Early => b"??Oxxx_",
    };
    [
        (four, weights.open_four / 2),
        (b"?#Oxxx_", weights.closed_four),
        (b"??O_xxx", weights.closed_four),
        (b"??Ox_xx", weights.closed_four / 2),
        (b"?_Oxx_?", weights.open_three / 2),
        (b"?_O_xx_", weights.open_three),
        (b"?_Oxx#?", weights.closed_three),
        (b"?_O_xx#", weights.closed_three),
        (b"?_Ox_x#", weights.closed_three),
        (b"??O__xx", weights.closed_three),
        (b"??O_x_x", weights.closed_three / 2),
        // Never reached, because the open three above fits first (S4-31); kept because it is printed.
        (b"#_Oxx_#", weights.closed_three / 2),
        (b"__Ox__?", weights.open_two / 2),
        (b"?_O_x_?", weights.open_two / 2),
        (b"?_O__x_", weights.open_two / 2),
        (b"?#Ox___", weights.closed_two),
        (b"?#O_x__", weights.closed_two),
        (b"?#O__x_", weights.closed_two),
        (b"??O___x", weights.closed_two / 2),
    ]
}

/// What a stone's side sees on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Blank = 0,
    Own = 1,
    Closed = 2,
}

/// The steps of a view in the order of its digits: `PatternTable::worth` takes 6 digits of base 4, this one's first.
pub(super) const STEPS: [isize; 6] = [-2, -1, 1, 2, 3, 4];

/// The worth of every view.
#[derive(Clone, Debug)]
pub(super) struct PatternTable(Vec<i64>);

impl PatternTable {
    /// Asks the tests in their order about every view.
    pub fn new(weights: &Weights, open_four: OpenFour) -> PatternTable {
        let tests = tests(weights, open_four);
        let worth = |view: usize| tests.iter().find(|(text, _)| fits(text, view)).map_or(0, |&(_, worth)| worth);
        PatternTable((0..1 << (2 * STEPS.len())).map(worth).collect())
    }

    /// What a view is worth: digit `n` of base 4, the last step lowest, is what is `Seen` at step `STEPS[n]`.
    pub fn worth(&self, view: usize) -> i64 {
        self.0[view]
    }
}

fn fits(text: &[u8; 7], view: usize) -> bool {
    STEPS.iter().enumerate().all(|(n, &step)| {
        let seen = view >> (2 * (STEPS.len() - 1 - n)) & 3;
        match text[(step + 2) as usize] {
            b'x' => seen == Seen::Own as usize,
            b'_' => seen == Seen::Blank as usize,
            b'#' => seen == Seen::Closed as usize,
            _ => true,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(text: &str) -> i64 {
        let digit = |c| match c {
            'x' => Seen::Own,
            '_' => Seen::Blank,
            _ => Seen::Closed,
        };
        let view = text.chars().filter(|&c| c != 'O').fold(0, |view, c| view << 2 | digit(c) as usize);
        PatternTable::new(&PRINTED, OpenFour::Printed).worth(view)
    }

    #[test]
    fn each_printed_test_has_its_value() {
        // S4-31, S4-08: in the printed order, each view chosen so that no earlier test fits it.
        let cases = [
            ("#_Oxxx_", 90_000),
            ("##Oxxx_", 40_000),
            ("##O_xxx", 40_000),
            ("##Ox_xx", 20_000),
            ("x_Oxx_x", 15_000),
            ("x_O_xx_", 30_000),
            ("x_Oxx#x", 5_000),
            ("x_O_xx#", 5_000),
            ("x_Ox_x#", 5_000),
            ("##O__xx", 5_000),
            ("x#O_x_x", 2_500),
            ("__Ox__x", 5_000),
            ("x_O_x_#", 5_000),
            ("x_O__x_", 5_000),
            ("x#Ox___", 10),
            ("x#O_x__", 10),
            ("x#O__x_", 10),
            ("x#O___x", 5),
            ("##O____", 0),
            ("__O####", 0),
        ];
        for (text, value) in cases {
            assert_eq!(worth(text), value, "{text}");
        }
    }

    #[test]
    fn the_first_test_that_fits_decides() {
        // S4-31: the sixth closed three is hidden by the open three.
        assert_eq!(worth("#_Oxx_#"), 15_000);
        // An open two that is also a closed three with a gap: the three comes first.
        assert_eq!(worth("__O_x_x"), 2_500);
        // Five in a row has no pattern of its own, only the win test knows it.
        assert_eq!(worth("__Oxxxx"), 0);
    }

    #[test]
    fn the_early_open_four_does_not_look_back() {
        let table = |open_four| PatternTable::new(&PRINTED, open_four);
        let closed_behind = 0b00_10_01_01_01_00; // S4-19: _#Oxxx_
        assert_eq!(table(OpenFour::Printed).worth(closed_behind), 40_000);
        assert_eq!(table(OpenFour::Early).worth(closed_behind), 90_000);
    }
}
