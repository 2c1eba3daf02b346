//! An independent, slow reading of the opening rules.

use lianzi_core::{Act, Cell, OpeningRule, Placement, Rules};

/// The slow reading: every course that an opening can take, written out. A word is one act: who does it (`a` opens), and
/// what: a stone within a square (`1`, `3` …) or anywhere (`*`), a swap (`s`), the other way (`m`), the declared number
/// (`c`), a fifth move offered (`f`) or picked (`p`). The last word is who then plays Black.
pub struct Course {
    pub words: Vec<String>,
    count: u8,
    pub black: char,
}

fn other(who: char) -> char {
    if who == 'a' { 'b' } else { 'a' }
}

pub fn courses(rule: OpeningRule, game: &str) -> Vec<Course> {
    let mut list: Vec<(String, u8)> = Vec::new();
    let mut add = |text: String| list.push((text, 0));
    match rule {
        // Two stones a turn: whoever keeps the side to move lays both. After three stones it is Black's turn.
        OpeningRule::Pie if game == "connect6" => {
            ["a* b* b* a", "a* bs b"].into_iter().for_each(|text| add(text.into()));
        }
        OpeningRule::Swap if game == "connect6" => {
            ["a* a* a* b* b* b", "a* a* a* bs a"].into_iter().for_each(|text| add(text.into()));
        }
        OpeningRule::None => add("a".into()),
        OpeningRule::Pie => ["a* b* a", "a* bs b"].into_iter().for_each(|text| add(text.into())),
        OpeningRule::Swap => ["a* a* a* b* a", "a* a* a* bs b"].into_iter().for_each(|text| add(text.into())),
        OpeningRule::Swap2 => {
            for end in ["b* a", "bs b", "bm b* b* a* b", "bm b* b* as a"] {
                add(format!("a* a* a* {end}"));
            }
        }
        OpeningRule::Rif => {
            ["b* af af bp a", "bs a* bf bf ap b"].into_iter().for_each(|end| add(format!("a1 a3 a5 {end}")));
        }
        OpeningRule::Sakata => {
            ["a* b", "as a"].into_iter().for_each(|end| add(format!("a1 a3 a5 b7 b9 {end}")));
        }
        OpeningRule::SuperSakata => {
            for end in
                ["a* b", "as a", "am a* a* b* a", "am a* a* bs b", "am a* a* bm b* b* a* b", "am a* a* bm b* b* as a"]
            {
                add(format!("a1 a3 a5 b7 b9 {end}"));
            }
            // Longer ones are cut here: the walks stop before them.
            add("a1 a3 a5 b7 b9 am a* a* bm b* b* am ?".into());
        }
        OpeningRule::Taraguchi10 => taraguchi(&mut add),
        OpeningRule::Yamaguchi => {
            for n in 1..=12 {
                for (white, black) in [('b', 'a'), ('a', 'b')] {
                    let swap = if white == 'b' { "" } else { "bs " };
                    let fifths = format!("{black}f ").repeat(n.into());
                    list.push((format!("a1 a3 a5 ac {swap}{white}* {fifths}{white}p {black}"), n));
                }
            }
        }
        OpeningRule::Soosyrv8 => {
            for n in 1..=8 {
                for fourth in ['b', 'a'] {
                    let first = if fourth == 'b' { "" } else { "bs " };
                    for black in [other(fourth), fourth] {
                        let second = if black == fourth { format!("{}s ", other(fourth)) } else { String::new() };
                        let fifths = format!("{black}f ").repeat(n.into());
                        let white = other(black);
                        list.push((format!("a1 a3 a5 {first}{fourth}* {fourth}c {second}{fifths}{white}p {black}"), n));
                    }
                }
            }
        }
    }
    let course = |(text, count): (String, u8)| {
        let mut words: Vec<String> = text.split_whitespace().map(String::from).collect();
        let black = words.pop().unwrap().chars().next().unwrap();
        Course { words, count, black }
    };
    list.into_iter().map(course).collect()
}

/// After each of the first four stones the one who did not lay it may swap; then the fifth, and a swap, or ten fifths.
fn taraguchi(add: &mut dyn FnMut(String)) {
    for swaps in 0..8u8 {
        let (mut text, mut layer) = ("a1 ".to_string(), 'a');
        for (n, side) in [3, 5, 7].into_iter().enumerate() {
            if swaps >> n & 1 == 1 {
                text += &format!("{}s ", other(layer));
            } else {
                layer = other(layer);
            }
            text += &format!("{layer}{side} ");
        }
        // Whoever laid the fourth stone holds White.
        let (white, black) = (layer, other(layer));
        add(format!("{text}{black}m {}{white}p {black}", format!("{black}f ").repeat(10)));
        for (swap, fifth) in [(String::new(), black), (format!("{black}s "), white)] {
            add(format!("{text}{swap}{fifth}9 {}* {fifth}", other(fifth)));
            add(format!("{text}{swap}{fifth}9 {0}s {0}", other(fifth)));
        }
    }
}

/// The reading of a game: the courses it can still take.
pub struct Reading {
    pub courses: Vec<Course>,
    pub done: usize,
    pub stones: Vec<Cell>,
    pub offered: Vec<Cell>,
}

impl Reading {
    pub fn next(&self) -> Vec<&str> {
        self.courses.iter().filter_map(|course| course.words.get(self.done)).map(String::as_str).collect()
    }

    fn fits(&self, word: &str, count: u8, act: Act, rules: &Rules) -> bool {
        match (word.split_at(1).1, act) {
            ("s", Act::Swap) | ("m", Act::More) => true,
            ("c", Act::Count(n)) => n == count,
            ("f", Act::Place(cell)) => {
                self.is_free(cell, rules) && !self.offered.iter().any(|&seen| self.like(seen, cell, rules))
            }
            ("p", Act::Place(cell)) => self.offered.contains(&cell),
            (zone, Act::Place(cell)) if zone == "*" || zone.parse::<i32>().is_ok() => {
                let reach = zone.parse::<i32>().map_or(99, |side| (side - 1) / 2);
                let far = |at: u8, length: u8| (i32::from(at) - i32::from(length - 1) / 2).abs();
                self.is_free(cell, rules)
                    && far(cell.column, rules.width) <= reach
                    && far(cell.row, rules.height) <= reach
            }
            _ => false,
        }
    }

    fn is_free(&self, cell: Cell, rules: &Rules) -> bool {
        let lies = |row: u8| self.stones.contains(&Cell::new(cell.column, row));
        let held = rules.placement == Placement::Anywhere || cell.row == 0 || lies(cell.row - 1);
        rules.contains(cell) && !lies(cell.row) && held
    }

    /// Whether two fifth moves make the same position, by turning and mirroring the whole board stone by stone.
    fn like(&self, one: Cell, two: Cell, rules: &Rules) -> bool {
        let set = |last: Cell, way: usize| {
            let mut seen: Vec<(usize, u8, u8)> = Vec::new();
            for (n, cell) in self.stones.iter().chain([&last]).enumerate() {
                let (mut x, mut y) = (cell.column, cell.row);
                for _ in 0..way % 4 {
                    (x, y) = (rules.width - 1 - y, x);
                }
                if way >= 4 {
                    x = rules.width - 1 - x;
                }
                seen.push((n % 2, x, y));
            }
            seen.sort_unstable();
            seen
        };
        (0..8).any(|way| set(one, way) == set(two, 0))
    }

    /// Follows an act; false, and nothing changes, if no course has it here.
    pub fn follow(&mut self, act: Act, rules: &Rules) -> bool {
        let fits =
            |course: &Course| course.words.get(self.done).is_some_and(|word| self.fits(word, course.count, act, rules));
        let kept: Vec<bool> = self.courses.iter().map(fits).collect();
        if !kept.contains(&true) {
            return false;
        }
        let word = kept.iter().position(|kept| *kept).map(|n| self.courses[n].words[self.done].clone()).unwrap();
        let mut kept = kept.into_iter();
        self.courses.retain(|_| kept.next().unwrap());
        self.done += 1;
        if let Act::Place(cell) = act {
            if word.ends_with('f') { self.offered.push(cell) } else { self.stones.push(cell) }
        }
        true
    }
}
