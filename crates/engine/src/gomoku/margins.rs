//! The numbers that steer the search, by name, so that matches can try other values: `strong@tune=name:value+…`.

use std::str::FromStr;

/// Declares the numbers with their names, values and the range a tuner may try.
macro_rules! margins {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $low:literal ..= $high:literal;)*) => {
        /// The numbers that steer the search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Margins { $($(#[$doc])* pub $name: i32,)* }

        impl Default for Margins {
            fn default() -> Margins {
                Margins { $($name: $value,)* }
            }
        }

        impl Margins {
            /// Name, value, lowest and highest of each.
            pub const ALL: &[(&str, i32, i32, i32)] = &[$((stringify!($name), $value, $low, $high),)*];

            fn field(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

margins! {
    /// How far below alpha a position may look before only fours are tried: the constant part.
    razor_base = 60 in 0..=300;
    /// And what each ply of depth adds.
    razor_depth = 110 in 20..=300;
    /// How far above beta a position must look to be left, for each ply of depth.
    futility = 75 in 10..=150;
    /// Up to which depth.
    futility_depth = 8 in 2..=16;
    /// How far below alpha a cell may look before it is left out: the constant part.
    hopeless_base = 90 in 0..=300;
    /// And what each ply of reduced depth adds.
    hopeless_depth = 75 in 10..=200;
    /// How many cells every node tries at least.
    count_base = 7 in 2..=20;
    /// How many more for each ply of depth squared, in hundredths.
    count_depth = 20 in 10..=300;
    /// How strongly late cells are looked at less deep, in hundredths.
    reduce = 75 in 20..=150;
    /// A constant part of it, in hundredths.
    reduce_base = 50 in 0..=200;
    /// Less for a cell of an expected line, in hundredths.
    reduce_pv = 115 in 0..=300;
    /// More for a node that should be too good, in hundredths.
    reduce_cut = 55 in 0..=250;
    /// More for a quiet cell, in hundredths.
    reduce_calm = 50 in 0..=200;
    /// More where things got worse, in hundredths.
    reduce_worse = 50 in 0..=200;
    /// Less for each thousand of history, in hundredths.
    reduce_history = 10 in 0..=60;
    /// More after a better cell was found, in hundredths.
    reduce_raised = 100 in 0..=200;
    /// Less where an open three must be answered, in hundredths.
    reduce_pressed = 0 in 0..=200;
    /// Less for a threat that follows a threat, in hundredths.
    reduce_attack = 100 in 0..=200;
    /// Less for a threat, in hundredths.
    reduce_three = 50 in 0..=300;
    /// How much earlier a threat in line with one's own last stone is tried, in points of the order.
    order_follow = 150 in 0..=500;
    /// Less for such a threat, in hundredths.
    reduce_follow = 150 in 0..=400;
    /// How much deeper an answer to an open three is looked at, in hundredths.
    extend_pressed = 50 in 0..=100;
    /// How many fours in a row a leaf may try.
    fours_most = 6 in 2..=40;
    /// After so many of them only fours in line with the last one.
    fours_free = 1 in 0..=10;
    /// Up to which depth a position that looks hopeless is left to fours.
    razor_most = 3 in 1..=6;
    /// How much of the history counts in the order of cells, in sixty-fourths.
    order_history = 5 in 0..=32;
    /// How far all others must fall short of a hint, for each ply of depth, in tenths.
    singular = 20 in 5..=80;
    /// How much of the mean error of positions with the same threats is put right, in sixty-fourths.
    correct_threats = 25 in 0..=64;
    /// And of those with the same last stone.
    correct_last = 25 in 0..=64;
    /// Whether what a search found replaces what a position looks like.
    trust = 1 in 0..=1;
    /// How much of the time and the nodes a proof at the root may take, in hundredths.
    force = 10 in 0..=30;
    /// Half the first window around the expected score.
    window = 40 in 5..=150;
}

/// Why margins cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadMargin;

impl FromStr for Margins {
    type Err = BadMargin;

    fn from_str(text: &str) -> Result<Margins, BadMargin> {
        let mut margins = Margins::default();
        for part in text.split('+') {
            let (name, value) = part.split_once(':').ok_or(BadMargin)?;
            *margins.field(name).ok_or(BadMargin)? = value.parse().map_err(|_| BadMargin)?;
        }
        Ok(margins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_set_by_name() {
        let margins: Margins = "futility:70+window:33".parse().unwrap();
        assert_eq!(margins, Margins { futility: 70, window: 33, ..Margins::default() });
        assert!("futility".parse::<Margins>().is_err() && "nothing:3".parse::<Margins>().is_err());
        assert!(Margins::ALL.iter().all(|&(_, value, low, high)| low <= value && value <= high));
    }
}
