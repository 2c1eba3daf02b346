//! What a stone would make of a line: shapes, by definition, and the table that looks them up.
//!
//! A shape is asked of an empty cell, a side and one of the four lines through the cell, and says what a stone there
//! would be part of: a five, a four, a three … Only fives through the cell count, so the cells up to four steps away
//! decide; where a row of six does not win, the fifth step decides whether a row is too long.
//!
//! Every shape is defined by the next one: a three is what one more stone makes an open four, and so on down to a
//! single stone. Nothing is listed by hand.

use lianzi_core::{Forbidden, Overline, Rules, Stone};

/// What a stone would make in one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// No five can come of it.
    #[default]
    Dead,
    /// A stone that can become a two.
    One,
    /// A stone that can become an open two.
    OpenOne,
    /// Two stones that can become a three.
    Two,
    /// Two stones that can become an open three in one or two ways.
    OpenTwo,
    /// In three ways.
    GoodTwo,
    /// In four or more.
    BestTwo,
    /// Three stones that can become a four.
    Three,
    /// Three stones that can become an open four in one way.
    OpenThree,
    /// In two or more.
    BestThree,
    /// Four stones that become a five on one cell.
    Four,
    /// Two fours in one line that are no open four, where that is a foul: X·XXX·X.
    TwinFour,
    /// Four stones that become a five on two cells.
    OpenFour,
    /// A five.
    Five,
    /// A row too long to win.
    Overline,
}

/// How many shapes there are.
pub(crate) const SHAPES: usize = 15;

impl Shape {
    const ALL: [Shape; SHAPES] = [
        Shape::Dead,
        Shape::One,
        Shape::OpenOne,
        Shape::Two,
        Shape::OpenTwo,
        Shape::GoodTwo,
        Shape::BestTwo,
        Shape::Three,
        Shape::OpenThree,
        Shape::BestThree,
        Shape::Four,
        Shape::TwinFour,
        Shape::OpenFour,
        Shape::Five,
        Shape::Overline,
    ];

    /// The shape with this number; numbers beyond the last are dead.
    pub fn of(number: u8) -> Shape {
        Shape::ALL.get(usize::from(number)).copied().unwrap_or_default()
    }
}

/// When a row wins, and whether two fours in one line are a foul.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Goal {
    /// Only exactly five win.
    pub exact: bool,
    /// Two fours at once are a foul.
    pub fouls: bool,
}

impl Goal {
    /// What this side plays for.
    pub(crate) fn of(rules: &Rules, stone: Stone) -> Goal {
        let fouls = rules.forbidden == Forbidden::Renju && stone == Stone::Black;
        Goal { exact: fouls || rules.overline == Overline::Ignored, fouls }
    }

    /// How far cells can matter to a shape.
    pub(crate) const fn reach(self) -> usize {
        if self.exact { 5 } else { 4 }
    }
}

/// The cell asked about lies in the middle of its line.
const MIDDLE: usize = 5;

/// A line around a cell as one side sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Empty,
    Own,
    /// A stone of the other side, a blocked cell, or the edge.
    Closed,
}

type Line = [Seen; 2 * MIDDLE + 1];

/// The shape of the stone in the middle of a line, given what one more stone on each place would make of it.
fn shape(line: &Line, next: &[Shape], goal: Goal) -> Shape {
    let row = row_through(line, MIDDLE);
    if row.len() == 5 || row.len() > 5 && !goal.exact {
        return Shape::Five;
    }
    if row.len() > 5 {
        return Shape::Overline;
    }
    let count = |wanted: &dyn Fn(Shape) -> bool| next.iter().filter(|&&shape| wanted(shape)).count();
    match count(&|shape| shape == Shape::Five) {
        0 => {}
        1 => return Shape::Four,
        _ if goal.fouls && row.len() != 4 => return Shape::TwinFour,
        _ => return Shape::OpenFour,
    }
    match count(&|shape| shape == Shape::OpenFour) {
        0 => {}
        1 => return Shape::OpenThree,
        _ => return Shape::BestThree,
    }
    if count(&|shape| matches!(shape, Shape::Four | Shape::TwinFour)) > 0 {
        return Shape::Three;
    }
    match count(&|shape| matches!(shape, Shape::OpenThree | Shape::BestThree)) {
        0 => {}
        1 | 2 => return Shape::OpenTwo,
        3 => return Shape::GoodTwo,
        _ => return Shape::BestTwo,
    }
    if next.contains(&Shape::Three) {
        return Shape::Two;
    }
    if count(&|shape| matches!(shape, Shape::OpenTwo | Shape::GoodTwo | Shape::BestTwo)) > 0 {
        return Shape::OpenOne;
    }
    if next.contains(&Shape::Two) { Shape::One } else { Shape::Dead }
}

/// The unbroken row of own stones through a place.
fn row_through(line: &Line, place: usize) -> std::ops::Range<usize> {
    let own = |&n: &usize| line[n] == Seen::Own;
    let before = (0..place).rev().take_while(own).count();
    let after = (place + 1..line.len()).take_while(own).count();
    place - before..place + after + 1
}

/// The shapes of all lines under the rules of a game, for both sides.
///
/// A line is looked up by its cells around the middle, two bits each, the farthest before it lowest:
///
/// ```text
///     bits  0 1   2 3   …        …
///          [-5 ] [-4 ] … [-1 ] [+1 ] … [+5 ]     00 empty, 01 Black, 10 White, 11 closed
/// ```
pub(crate) struct Shapes {
    /// The black stone's shape in the low half of a byte, the white one's in the high half.
    bytes: Vec<u8>,
    reach: usize,
}

impl Shapes {
    /// The shapes of a game.
    pub(crate) fn new(rules: &Rules) -> Shapes {
        let goals = Stone::BOTH.map(|stone| Goal::of(rules, stone));
        let reach = goals[0].reach().max(goals[1].reach());
        let seen = goals.map(seen_shapes);
        let bytes = (0..1usize << (4 * reach)).map(|key| {
            let [black, white] = [0b01, 0b10].map(|own| seen_number(key, own, reach));
            seen[0][black] | seen[1][white] << 4
        });
        Shapes { bytes: bytes.collect(), reach }
    }

    /// How far a stone changes shapes along a line.
    pub(crate) fn reach(&self) -> usize {
        self.reach
    }

    /// Both sides' shapes for a line's key.
    #[inline(always)]
    pub(crate) fn get(&self, key: usize) -> u8 {
        self.bytes[key]
    }
}

/// How one side sees the cells of a key, as a number in base three of ten digits.
fn seen_number(key: usize, own: usize, reach: usize) -> usize {
    let digit = |n: usize| match key >> (2 * n) & 3 {
        0 => 0,
        cell if cell == own => 1,
        _ => 2,
    };
    // Beyond the reach everything is as good as closed.
    let near = (0..2 * reach).rev().fold(0, |number, n| number * 3 + digit(n));
    if reach == MIDDLE { near } else { (2 * 3usize.pow(8) + near) * 3 + 2 }
}

/// The shapes of every line one side can see. One more stone gives a line of a higher number, so the highest come
/// first, and what a stone makes of a line is known when it is asked.
fn seen_shapes(goal: Goal) -> Vec<u8> {
    let mut known = vec![0; 3usize.pow(10)];
    for number in (0..known.len()).rev() {
        let mut line = [Seen::Own; 2 * MIDDLE + 1];
        let mut next = Vec::with_capacity(line.len());
        for (digit, place) in (0..).zip((0..line.len()).filter(|&place| place != MIDDLE)) {
            let weight = 3usize.pow(digit);
            line[place] = [Seen::Empty, Seen::Own, Seen::Closed][number / weight % 3];
            if line[place] == Seen::Empty {
                next.push(Shape::of(known[number + weight]));
            }
        }
        known[number] = shape(&line, &next, goal) as u8;
    }
    known
}
