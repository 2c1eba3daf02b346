//! The 26 openings of renju and their names.
//!
//! With the second stone above the first one the opening is direct, with the second stone above and to the right of it
//! indirect. The third stone, two cells at most from the centre, then has thirteen places each that differ by symmetry.

use crate::symmetry::canonical;
use crate::{Cell, Rules, Text};

/// An opening of renju that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedOpening {
    /// Its number in tournament protocols, such as `D4`.
    pub code: &'static str,
    /// Its Japanese name in Latin letters.
    pub romaji: &'static str,
    /// Its Chinese name.
    pub chinese: &'static str,
    /// Where the second stone lies, from the centre to the right and up.
    second: (i8, i8),
    /// Where the third one does.
    third: (i8, i8),
}

const fn direct(code: &'static str, romaji: &'static str, chinese: &'static str, third: (i8, i8)) -> NamedOpening {
    NamedOpening { code, romaji, chinese, second: (0, 1), third }
}

const fn indirect(code: &'static str, romaji: &'static str, chinese: &'static str, third: (i8, i8)) -> NamedOpening {
    NamedOpening { code, romaji, chinese, second: (1, 1), third }
}

/// All of them, the direct ones first.
pub const NAMED_OPENINGS: [NamedOpening; 26] = [
    direct("D1", "Kansei", "寒星", (0, 2)),
    direct("D2", "Keigetsu", "溪月", (1, 2)),
    direct("D3", "Sosei", "疏星", (2, 2)),
    direct("D4", "Kagetsu", "花月", (1, 1)),
    direct("D5", "Zangetsu", "残月", (2, 1)),
    direct("D6", "Ugetsu", "雨月", (1, 0)),
    direct("D7", "Kinsei", "金星", (2, 0)),
    direct("D8", "Shogetsu", "松月", (0, -1)),
    direct("D9", "Kyugetsu", "丘月", (1, -1)),
    direct("D10", "Shingetsu", "新月", (2, -1)),
    direct("D11", "Zuisei", "瑞星", (0, -2)),
    direct("D12", "Sangetsu", "山月", (1, -2)),
    direct("D13", "Yusei", "游星", (2, -2)),
    indirect("I1", "Chosei", "长星", (2, 2)),
    indirect("I2", "Kyogetsu", "峡月", (2, 1)),
    indirect("I3", "Kosei", "恒星", (2, 0)),
    indirect("I4", "Suigetsu", "水月", (2, -1)),
    indirect("I5", "Ryusei", "流星", (2, -2)),
    indirect("I6", "Ungetsu", "云月", (1, 0)),
    indirect("I7", "Hogetsu", "浦月", (1, -1)),
    indirect("I8", "Rangetsu", "岚月", (1, -2)),
    indirect("I9", "Gingetsu", "银月", (0, -1)),
    indirect("I10", "Myojo", "明星", (0, -2)),
    indirect("I11", "Shagetsu", "斜月", (-1, -1)),
    indirect("I12", "Meigetsu", "名月", (-1, -2)),
    indirect("I13", "Suisei", "彗星", (-2, -2)),
];

impl NamedOpening {
    /// Its three stones, on a board that has a centre and room for them.
    pub fn cells(&self, rules: &Rules) -> Option<[Cell; 3]> {
        let centred = rules.width % 2 == 1 && rules.height % 2 == 1 && rules.width.min(rules.height) >= 5;
        let at = |(right, up): (i8, i8)| {
            Some(Cell::new((rules.width / 2).checked_add_signed(right)?, (rules.height / 2).checked_add_signed(up)?))
        };
        let cells = [at((0, 0))?, at(self.second)?, at(self.third)?];
        centred.then_some(cells)
    }

    /// Its names: `D4 Kagetsu (花月)`.
    pub fn text(&self) -> Text {
        let NamedOpening { code, romaji, chinese, .. } = self;
        Text::new(format!("{code} {romaji} ({chinese})"), format!("{chinese}（{code} {romaji}）"))
    }
}

/// The named opening that a game begins with, whichever way the board lies.
pub fn named_opening(cells: &[Cell], rules: &Rules) -> Option<&'static NamedOpening> {
    let first = cells.get(..3).filter(|_| (rules.first_turn, rules.per_turn) == (1, 1))?;
    let seen = canonical(first, rules);
    NAMED_OPENINGS.iter().find(|named| named.cells(rules).is_some_and(|cells| canonical(&cells, rules) == seen))
}
