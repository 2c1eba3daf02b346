//! The fifteen classes of patterns and the vectors that make them up.
//!
//! A vector is a list of cells along a line as the report prints it: 0 empty, 1 a stone of the side whose
//! pattern it is, 2 a blocker. A blocker is a stone of the other side; the edge of the board and a blocked cell
//! count as one, because they stop a six just as well (the report is silent about both).
//!
//! The report prints three vectors and leaves the others to a program that is not part of it, so the table is
//! derived from its definitions. A *shape* is two to five stones that fit into six cells, from the first stone
//! to the last, its holes empty or blocked. A vector is a shape with as much of its surroundings as a six could
//! use: 6 − span cells on each side, cut short by a blocker. A stone of the same side there makes it a larger
//! pattern, not this one, so the same stones are not counted twice. The sixes are the windows of six cells that
//! hold the whole shape and no blocker:
//!
//! * 死 dead: there is no six left, the other side has blocked it already;
//! * 活 live: no single empty cell lies in all sixes, so one stone does not block it;
//! * 眠 sleeping: one stone blocks it;
//! * 朦胧三 hazy three: not live, but two more stones make a row of five with both ends open.
//!
//! One printed vector contradicts the definition of 活: `[0,1,1,0,1,1,1,0]` is blocked by one stone in its hole.
//! The printed vector wins: a five with a hole is live when both its ends are open, otherwise it sleeps.

use std::ops::RangeInclusive;

/// How many in a row win.
const SIX: usize = 6;
const EMPTY: u8 = 0;
const OWN: u8 = 1;
const BLOCKER: u8 = 2;

/// What a pattern is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// 六连, six in a row.
    Six,
    /// 七连, seven in a row.
    Seven,
    /// 活五.
    LiveFive,
    /// 眠五.
    SleepingFive,
    /// 死五.
    DeadFive,
    /// 活四.
    LiveFour,
    /// 眠四.
    SleepingFour,
    /// 死四.
    DeadFour,
    /// 活三.
    LiveThree,
    /// 朦胧三.
    HazyThree,
    /// 眠三.
    SleepingThree,
    /// 死三.
    DeadThree,
    /// 活二.
    LiveTwo,
    /// 眠二.
    SleepingTwo,
    /// 死二.
    DeadTwo,
}

impl Class {
    /// Every class, in the order of the report.
    pub const ALL: [Class; 15] = [
        Class::Six,
        Class::Seven,
        Class::LiveFive,
        Class::SleepingFive,
        Class::DeadFive,
        Class::LiveFour,
        Class::SleepingFour,
        Class::DeadFour,
        Class::LiveThree,
        Class::HazyThree,
        Class::SleepingThree,
        Class::DeadThree,
        Class::LiveTwo,
        Class::SleepingTwo,
        Class::DeadTwo,
    ];

    /// The report's name.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 15] = [
            "六连",
            "七连",
            "活五",
            "眠五",
            "死五",
            "活四",
            "眠四",
            "死四",
            "活三",
            "朦胧三",
            "眠三",
            "死三",
            "活二",
            "眠二",
            "死二",
        ];
        NAMES[self as usize]
    }

    /// How many stones a pattern of this class has.
    pub const fn stones(self) -> u32 {
        match self {
            Class::Seven => 7,
            Class::Six => 6,
            Class::LiveFive | Class::SleepingFive | Class::DeadFive => 5,
            Class::LiveFour | Class::SleepingFour | Class::DeadFour => 4,
            Class::LiveThree | Class::HazyThree | Class::SleepingThree | Class::DeadThree => 3,
            Class::LiveTwo | Class::SleepingTwo | Class::DeadTwo => 2,
        }
    }

    /// Whether the other side has blocked it already.
    pub const fn is_dead(self) -> bool {
        matches!(self, Class::DeadFive | Class::DeadFour | Class::DeadThree | Class::DeadTwo)
    }

    const fn live(stones: usize) -> Class {
        [Class::LiveTwo, Class::LiveThree, Class::LiveFour, Class::LiveFive][stones - 2]
    }

    const fn sleeping(stones: usize) -> Class {
        [Class::SleepingTwo, Class::SleepingThree, Class::SleepingFour, Class::SleepingFive][stones - 2]
    }

    const fn dead(stones: usize) -> Class {
        [Class::DeadTwo, Class::DeadThree, Class::DeadFour, Class::DeadFive][stones - 2]
    }
}

/// One vector and the class it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// What it is called.
    pub class: Class,
    /// Its cells: 0 empty, 1 own stone, 2 blocker.
    pub cells: Vec<u8>,
}

/// A line as one side sees it.
///
/// ```text
/// bit     0      1      2    …    n     n+1 …
///      blocker cell 0 cell 1 … cell n-1 blocker
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    own: u64,
    empty: u64,
}

impl View {
    /// A line whose cell `n` is bit `n`; everything neither own nor empty blocks.
    pub fn new(own: u32, empty: u32) -> View {
        View { own: u64::from(own) << 1, empty: u64::from(empty) << 1 }
    }

    /// How many stones the side has in the line.
    pub fn stones(self) -> u32 {
        self.own.count_ones()
    }

    /// The report's matchListWithType: how many windows of the line equal the vector, overlapping ones too.
    /// All windows are slid over at once: bit `n` of `starts` stays while the window that starts there agrees.
    pub fn count(self, cells: &[u8]) -> u32 {
        let holding = [self.empty, self.own, !(self.own | self.empty)];
        let agree = |starts: u64, (offset, &cell): (usize, &u8)| starts & holding[usize::from(cell)] >> offset;
        cells.iter().enumerate().fold(u64::MAX, agree).count_ones()
    }
}

/// The whole table, larger patterns first.
pub fn table() -> Vec<Pattern> {
    let row = |class: Class| Pattern { class, cells: vec![OWN; class.stones() as usize] };
    let mut table = vec![row(Class::Seven), row(Class::Six)];
    for stones in (2..=5).rev() {
        for shape in (2..=SIX).flat_map(shapes).filter(|shape| own_stones(shape) == stones) {
            table.extend(surrounded(&shape));
        }
    }
    table
}

/// Every way to fill this many cells that begins and ends with an own stone.
fn shapes(span: usize) -> Vec<Vec<u8>> {
    let mut shapes = vec![vec![OWN]];
    for _ in 2..span {
        shapes = shapes.iter().flat_map(|shape| [EMPTY, OWN, BLOCKER].map(|cell| joined(shape, &[cell]))).collect();
    }
    shapes.iter().map(|shape| joined(shape, &[OWN])).collect()
}

fn own_stones(cells: &[u8]) -> usize {
    cells.iter().filter(|&&cell| cell == OWN).count()
}

fn joined(left: &[u8], right: &[u8]) -> Vec<u8> {
    [left, right].concat()
}

/// The vectors of one shape: every surrounding it can have.
fn surrounded(shape: &[u8]) -> Vec<Pattern> {
    let sides = sides(shape);
    let mut patterns = Vec::new();
    for left in &sides {
        for right in &sides {
            let mirrored: Vec<u8> = left.iter().rev().copied().collect();
            let cells = [&mirrored, shape, right].concat();
            let place = mirrored.len()..=mirrored.len() + shape.len() - 1;
            patterns.push(Pattern { class: classify(&cells, place), cells });
        }
    }
    patterns
}

/// What may lie beside a shape, from the shape outwards.
fn sides(shape: &[u8]) -> Vec<Vec<u8>> {
    let room = SIX - shape.len();
    if room == 0 && own_stones(shape) == 5 {
        // The printed live five looks at its ends although no six can use them; an own stone there is no larger
        // pattern of the table, so it must be allowed.
        return vec![vec![EMPTY], vec![OWN], vec![BLOCKER]];
    }
    let cut = |free: usize| joined(&vec![EMPTY; free], &[BLOCKER]);
    (0..room).map(cut).chain([vec![EMPTY; room]]).collect()
}

/// The class of the shape that lies at `place` of these cells.
fn classify(cells: &[u8], place: RangeInclusive<usize>) -> Class {
    let stones = own_stones(&cells[place.clone()]);
    let sixes: Vec<usize> = windows_around(cells, &place, SIX);
    if sixes.is_empty() {
        return Class::dead(stones);
    }
    let blocks = |cell: usize| cells[cell] == EMPTY && sixes.iter().all(|&six| (six..six + SIX).contains(&cell));
    let holed_five = stones == 5 && place.clone().count() == SIX;
    let ends_open = cells.first() == Some(&EMPTY) && cells.last() == Some(&EMPTY);
    if !(0..cells.len()).any(blocks) || holed_five && ends_open {
        return Class::live(stones);
    }
    if stones == 3 && opens_to_five(cells, &place) {
        return Class::HazyThree;
    }
    Class::sleeping(stones)
}

/// Whether two more stones make five in a row with an empty cell at both ends: seven cells without a blocker,
/// the shape in the inner five.
fn opens_to_five(cells: &[u8], place: &RangeInclusive<usize>) -> bool {
    let inner = |start: usize| start < *place.start() && *place.end() < start + SIX;
    windows_around(cells, place, SIX + 1).into_iter().any(inner)
}

/// Where the windows of this length start that hold the whole shape and no blocker.
fn windows_around(cells: &[u8], place: &RangeInclusive<usize>, length: usize) -> Vec<usize> {
    let holds = |start: usize| start <= *place.start() && *place.end() < start + length;
    let open = |start: usize| !cells[start..start + length].contains(&BLOCKER);
    (0..(cells.len() + 1).saturating_sub(length)).filter(|&start| holds(start) && open(start)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The classes in a line written as the report writes it, seen from one colour.
    fn classes(line: &[u8], colour: u8) -> Vec<&'static str> {
        let bits = |wanted: u8| (0..line.len()).filter(|&n| line[n] == wanted).map(|n| 1u32 << n).sum();
        let view = View::new(bits(colour), bits(0));
        let found = |pattern: &Pattern| vec![pattern.class.name(); view.count(&pattern.cells) as usize];
        table().iter().flat_map(found).collect()
    }

    /// The table's contiguous vectors of some classes.
    fn contiguous(classes: &[Class]) -> Vec<Pattern> {
        let stones = |pattern: &Pattern| pattern.class.stones() as usize;
        let is_row = |p: &Pattern| p.cells.windows(stones(p)).any(|w| w.iter().all(|&cell| cell == OWN));
        table().into_iter().filter(|p| classes.contains(&p.class) && is_row(p)).collect()
    }

    /// Every way to put `count` stones of a kind on empty cells.
    fn with_stones(cells: &[u8], kind: u8, count: usize) -> Vec<Vec<u8>> {
        let mut all = vec![cells.to_vec()];
        for _ in 0..count {
            all = all.iter().flat_map(|cells| with_stone(cells, kind)).collect();
        }
        all
    }

    fn with_stone(cells: &[u8], kind: u8) -> Vec<Vec<u8>> {
        let empty = (0..cells.len()).filter(|&n| cells[n] == EMPTY);
        let put = |n: usize| {
            let mut after = cells.to_vec();
            after[n] = kind;
            after
        };
        empty.map(put).collect()
    }

    /// Whether six cells without a blocker hold all own stones of the vector: plainer than the table's own rule.
    fn can_become_six(cells: &[u8]) -> bool {
        let wanted = own_stones(cells);
        cells.windows(SIX).any(|six| !six.contains(&BLOCKER) && own_stones(six) == wanted)
    }

    const LIVE: [Class; 4] = [Class::LiveFive, Class::LiveFour, Class::LiveThree, Class::LiveTwo];
    const SLEEPING: [Class; 5] =
        [Class::SleepingFive, Class::SleepingFour, Class::HazyThree, Class::SleepingThree, Class::SleepingTwo];
    const DEAD: [Class; 4] = [Class::DeadFive, Class::DeadFour, Class::DeadThree, Class::DeadTwo];

    // S0-05
    #[test]
    fn there_are_fifteen_classes_with_the_printed_names() {
        let names: Vec<&str> = Class::ALL.iter().map(|class| class.name()).collect();
        let printed = "六连 七连 活五 眠五 死五 活四 眠四 死四 活三 朦胧三 眠三 死三 活二 眠二 死二";
        assert_eq!(names.join(" "), printed);
        for class in Class::ALL {
            assert!(table().iter().any(|pattern| pattern.class == class), "{}", class.name());
        }
    }

    // S0-10
    #[test]
    fn every_vector_is_in_the_table_once_and_so_is_its_mirror_image() {
        let table = table();
        for (n, pattern) in table.iter().enumerate() {
            assert!(table[n + 1..].iter().all(|other| other.cells != pattern.cells), "{pattern:?}");
            let mirrored: Vec<u8> = pattern.cells.iter().rev().copied().collect();
            let mirror = Pattern { class: pattern.class, cells: mirrored };
            assert!(table.contains(&mirror), "{pattern:?}");
        }
        for class in Class::ALL {
            println!("{} {}", class.name(), table.iter().filter(|p| p.class == class).count());
        }
    }

    // S0-48: the three printed vectors
    #[test]
    fn the_printed_vectors_are_classified_as_printed() {
        assert_eq!(classes(&[1, 1, 1, 1, 1, 1], 1), ["六连"]);
        assert_eq!(classes(&[1, 2, 2, 2, 2, 1], 2), ["死四"]);
        assert_eq!(classes(&[0, 1, 1, 0, 1, 1, 1, 0], 1), ["活五"]);
    }

    // S0-03: seven holds two sixes, longer rows hold more; all of them are worth a win.
    #[test]
    fn sevens_and_longer_rows_are_found() {
        let mut seven = classes(&[1; 7], 1);
        seven.sort_unstable();
        assert_eq!(seven, ["七连", "六连", "六连"]);
        assert_eq!(classes(&[1; 8], 1).len(), 5);
    }

    // S0-06: one stone does not block a live pattern, two do.
    #[test]
    fn live_rows_need_two_stones_to_block() {
        for pattern in contiguous(&LIVE) {
            assert!(with_stones(&pattern.cells, BLOCKER, 1).iter().all(|cells| can_become_six(cells)), "{pattern:?}");
            assert!(with_stones(&pattern.cells, BLOCKER, 2).iter().any(|cells| !can_become_six(cells)), "{pattern:?}");
        }
        assert_eq!(contiguous(&LIVE).len(), 4);
    }

    // S0-07: one stone blocks it. It holds for every vector, not for rows only.
    #[test]
    fn sleeping_patterns_are_blocked_by_one_stone() {
        for pattern in table().iter().filter(|pattern| SLEEPING.contains(&pattern.class)) {
            // A five with a hole may have a sixth stone beside it: then its own six cells are meant.
            let beside = own_stones(&pattern.cells) > pattern.class.stones() as usize;
            if !beside {
                assert!(can_become_six(&pattern.cells), "{pattern:?}");
                assert!(
                    with_stones(&pattern.cells, BLOCKER, 1).iter().any(|cells| !can_become_six(cells)),
                    "{pattern:?}"
                );
            }
        }
    }

    // S0-08: no six is left.
    #[test]
    fn dead_patterns_are_blocked_already() {
        for pattern in table().iter().filter(|pattern| DEAD.contains(&pattern.class)) {
            assert!(!can_become_six(&pattern.cells), "{pattern:?}");
        }
    }

    // S0-09: one more stone makes 眠四, two more make 活五.
    #[test]
    fn a_hazy_three_grows_into_a_sleeping_four_and_a_live_five() {
        let hazy: Vec<Pattern> = table().into_iter().filter(|p| p.class == Class::HazyThree).collect();
        assert!(!hazy.is_empty());
        for Pattern { cells, .. } in &hazy {
            let grows = |count, name| with_stones(cells, OWN, count).iter().any(|c| classes(c, 1).contains(&name));
            assert!(grows(1, "眠四"), "{cells:?}");
            assert!(grows(2, "活五"), "{cells:?}");
        }
    }

    #[test]
    fn rows_are_classified_by_their_room() {
        assert_eq!(classes(&[0, 1, 1, 1, 1, 1, 0], 1), ["活五"]);
        assert_eq!(classes(&[2, 1, 1, 1, 1, 1, 0], 1), ["眠五"]);
        assert_eq!(classes(&[0, 0, 1, 1, 1, 1, 0, 0], 1), ["活四"]);
        assert_eq!(classes(&[2, 0, 1, 1, 1, 1, 0, 0], 1), ["眠四"]);
        assert_eq!(classes(&[2, 1, 1, 1, 1, 0, 2], 1), ["死四"]);
        assert_eq!(classes(&[0, 0, 0, 1, 1, 1, 0, 0, 0], 1), ["活三"]);
        assert_eq!(classes(&[0, 0, 1, 1, 1, 0, 0], 1), ["朦胧三"]);
        assert_eq!(classes(&[0, 0, 0, 1, 1, 1], 1), ["眠三"]);
        assert_eq!(classes(&[0, 1, 1, 1, 0], 1), ["死三"]);
        assert_eq!(classes(&[0, 0, 0, 0, 1, 1, 0, 0, 0, 0], 1), ["活二"]);
        assert_eq!(classes(&[0, 0, 0, 0, 1, 1], 1), ["眠二"]);
        assert_eq!(classes(&[2, 1, 1, 2], 1), ["死二"]);
    }

    // S0-08: a stone in a hole blocks as well as one at an end.
    #[test]
    fn a_blocked_hole_is_death() {
        assert_eq!(classes(&[0, 1, 1, 2, 1, 1, 1, 0], 1)[0], "死五");
        assert_eq!(classes(&[0, 1, 1, 2, 1, 1, 0], 1)[0], "死四");
    }

    // S0-49: windows overlap, and the line's end is a blocker.
    #[test]
    fn every_window_of_a_line_is_matched() {
        let view = View::new(0b110_1101_1011, 0b001_0010_0100);
        assert_eq!(view.count(&[1, 1, 0, 1, 1]), 3);
        assert_eq!(view.count(&[0, 1]), 3);
        assert_eq!(view.count(&[2, 1, 1, 0]), 1);
        assert_eq!(view.count(&[1, 1, 1]), 0);
    }

    /// Whether two more stones can complete six in the line.
    fn is_threatened(line: &[u8]) -> bool {
        line.windows(SIX).any(|six| !six.contains(&BLOCKER) && own_stones(six) >= 4)
    }

    // S0-20, S0-69: over all lines of nine cells, a four or five that is not dead is found exactly where two
    // stones win.
    #[test]
    fn threats_are_found_exactly_where_there_are_any() {
        let table: Vec<Pattern> = table().into_iter().filter(|p| p.class.stones() >= 4 && !p.class.is_dead()).collect();
        for code in 0..3u32.pow(9) {
            let line: Vec<u8> = (0..9).map(|n| (code / 3u32.pow(n) % 3) as u8).collect();
            let bits = |wanted: u8| (0..9).filter(|&n| line[n] == wanted).map(|n| 1u32 << n).sum();
            let view = View::new(bits(OWN), bits(EMPTY));
            let found = table.iter().any(|pattern| view.count(&pattern.cells) > 0);
            assert_eq!(found, is_threatened(&line), "{line:?}");
        }
    }
}
