//! The versions the document tells of, from the first to the printed one, so that its steps can be measured.
//!
//! Only the last one is printed. What the document does not say about the others is filled in here:
//!
//! * **Depth.** The last step "lowers the depth to 2", so the versions before it look 3 plies ahead; v1 and v2,
//!   which look at every cell without pruning, look 2 ahead, because 3 would be eleven million positions a move.
//! * **Weights.** They are found by going back from the printed ones, each step undoing what the document says
//!   the next version changed:
//!
//!   | version    | five       | open 4  | closed 4 | open 3 | closed 3 | open 2 | closed 2 | the next version …     |
//!   |------------|------------|---------|----------|--------|----------|--------|----------|------------------------|
//!   | 5.0 … 6    | 1 000 000  | 150 000 | 60 000   | 40 000 | 10 000   | 20 000 | 20       | raises open 3, lowers closed 4 |
//!   | 7.1        | 1 000 000  | 150 000 | 40 000   | 60 000 | 10 000   | 20 000 | 20       | raises five, lowers the rest, open 4 least |
//!   | 7.2a, 7.2b | 10 000 000 | 100 000 | 20 000   | 30 000 | 5 000    | 10 000 | 10       | raises both fours, lowers open 3 |
//!   | 7.2c       | 10 000 000 | 120 000 | 40 000   | 20 000 | 5 000    | 10 000 | 10       | raises open 4 and open 3 |
//!   | 7.2d, 7.2  | 10 000 000 | 180 000 | 40 000   | 30 000 | 5 000    | 10 000 | 10       | (printed)              |
//!
//! * **Open four.** 7.2b "changes the open-four patterns" into the printed ones; before it four in a row with a
//!   blank ahead count as open whatever is behind.
//! * **Candidates.** v1 takes all blank cells in the order of the set; v2 those beside a stone first; from v4 on
//!   rings of distance 1 and 2, measured along the eight directions as the printed test measures.
//! * **Win test.** Before v7.1 a five is seen wherever it lies; from then on only with the newest stone at its end.
//! * **First move.** The centre, in every version.
//!
//! v6 reads the stones from the newest to the oldest. The worths are added up, so this changes nothing: it plays
//! like v5.2.

use std::str::FromStr;

use super::board::WinTest;
use super::patterns::{OpenFour, PRINTED, Weights};

/// A version of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// Minimax and a win test (S4-09).
    V1,
    /// Candidates near stones first (S4-10).
    V2,
    /// Alpha-beta (S4-11).
    V3,
    /// Candidates from inside out, within distance 2 (S4-12).
    V4,
    /// Pattern weights, added up (S4-13).
    V5_0,
    /// Own minus enemy's (S4-14).
    V5_1,
    /// The side to move counts 1.5 times (S4-15).
    V5_2,
    /// Evaluates from the newest stone (S4-16).
    V6,
    /// The win test looks at the newest stone only; the side to move counts twice (S4-17).
    V7_1,
    /// New weights (S4-18).
    V7_2a,
    /// Open-four patterns changed (S4-19).
    V7_2b,
    /// Fours raised, open three lowered (S4-20).
    V7_2c,
    /// Open four and open three raised (S4-21).
    V7_2d,
    /// The printed program (S4-22).
    Printed,
}

/// The versions by name, oldest first.
pub(super) const VERSIONS: [(&str, Version); 14] = [
    ("1", Version::V1),
    ("2", Version::V2),
    ("3", Version::V3),
    ("4", Version::V4),
    ("5.0", Version::V5_0),
    ("5.1", Version::V5_1),
    ("5.2", Version::V5_2),
    ("6", Version::V6),
    ("7.1", Version::V7_1),
    ("7.2a", Version::V7_2a),
    ("7.2b", Version::V7_2b),
    ("7.2c", Version::V7_2c),
    ("7.2d", Version::V7_2d),
    ("7.2", Version::Printed),
];

impl FromStr for Version {
    type Err = ();

    fn from_str(text: &str) -> Result<Version, ()> {
        VERSIONS.iter().find(|(name, _)| *name == text).map(|&(_, version)| version).ok_or(())
    }
}

/// Which cells are tried, and in what order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Candidates {
    /// Every blank cell in the order of the set.
    All,
    /// Every blank cell, those beside a stone first.
    NearFirst,
    /// Cells up to this far from a stone, nearest first.
    InsideOut(usize),
    /// Cells up to this far from a stone in the order of the set.
    Within(usize),
}

impl Candidates {
    /// The same with another limit, 1 to 4; without a limit nothing changes.
    pub fn up_to(self, distance: usize) -> Option<Candidates> {
        let limited = match self {
            Candidates::InsideOut(_) => Candidates::InsideOut(distance),
            Candidates::Within(_) => Candidates::Within(distance),
            Candidates::All | Candidates::NearFirst => self,
        };
        (1..=4).contains(&distance).then_some(limited)
    }
}

/// What a position without a five is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evaluation {
    /// Nothing.
    WinOnly,
    /// The player's patterns.
    Own,
    /// The player's patterns less the enemy's.
    Difference,
}

/// What tells one version from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    pub depth: u32,
    pub prune: bool,
    pub candidates: Candidates,
    pub win_test: WinTest,
    pub evaluation: Evaluation,
    pub weights: Weights,
    pub open_four: OpenFour,
    /// How much the patterns of the side to move count, in halves.
    pub attack_halves: i64,
}

/// The printed program.
const FINAL: Settings = Settings {
    depth: 2, // S4-23
    prune: true,
    // S4-22: the document says 3 and the program passes 3, but its test returns in its first pass, so only cells
    // right beside a stone are tried. The play that is to be kept is the program's.
    candidates: Candidates::Within(1),
    win_test: WinTest::End,
    evaluation: Evaluation::Difference,
    weights: PRINTED,
    open_four: OpenFour::Printed,
    attack_halves: 4, // S4-29
};

/// The table above, from the bottom up.
const WEIGHTS_7_2C: Weights = Weights { open_four: 120_000, open_three: 20_000, ..PRINTED };
const WEIGHTS_7_2A: Weights = Weights { open_four: 100_000, closed_four: 20_000, ..PRINTED };
const WEIGHTS_7_1: Weights = Weights {
    five: 1_000_000,
    open_four: 150_000,
    closed_four: 40_000,
    open_three: 60_000,
    closed_three: 10_000,
    open_two: 20_000,
    closed_two: 20,
};
const WEIGHTS_5: Weights = Weights { closed_four: 60_000, open_three: 40_000, ..WEIGHTS_7_1 };

impl Version {
    /// What this version does: what the next one does, less its one change.
    pub fn settings(self) -> Settings {
        match self {
            Version::Printed => FINAL,
            Version::V7_2d => Settings { depth: 3, candidates: Candidates::InsideOut(2), ..FINAL },
            Version::V7_2c => Settings { weights: WEIGHTS_7_2C, ..Version::V7_2d.settings() },
            Version::V7_2b => Settings { weights: WEIGHTS_7_2A, ..Version::V7_2c.settings() },
            Version::V7_2a => Settings { open_four: OpenFour::Early, ..Version::V7_2b.settings() },
            Version::V7_1 => Settings { weights: WEIGHTS_7_1, ..Version::V7_2a.settings() },
            Version::V6 | Version::V5_2 => Settings {
                weights: WEIGHTS_5,
                win_test: WinTest::Through,
                attack_halves: 3, // S4-15
                ..Version::V7_1.settings()
            },
            Version::V5_1 => Settings { attack_halves: 2, ..Version::V5_2.settings() },
            Version::V5_0 => Settings { evaluation: Evaluation::Own, ..Version::V5_1.settings() },
            Version::V4 => Settings { evaluation: Evaluation::WinOnly, ..Version::V5_0.settings() },
            Version::V3 => Settings { candidates: Candidates::NearFirst, ..Version::V4.settings() },
            Version::V2 => Settings { prune: false, depth: 2, ..Version::V3.settings() },
            Version::V1 => Settings { candidates: Candidates::All, ..Version::V2.settings() },
        }
    }
}
