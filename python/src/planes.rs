//! What a network sees of a position: planes of zeros and ones, from the side to move.

use lianzi_core::{Content, Forbidden, Position, Rules, Stone};

/// Which planes a game has. Each is a board, row by row from the bottom.
#[derive(Clone, Copy, Debug)]
pub struct Planes {
    /// Cells of a board.
    pub area: usize,
    /// Where a turn has several stones: all ones while the side to move has another stone after this one.
    pub more: Option<usize>,
    /// Where the sides have different rules: all ones when Black is to move.
    pub black: Option<usize>,
    /// The blocked cells, where there are any.
    pub blocked: Option<usize>,
}

/// The stones of the side to move.
pub const MINE: usize = 0;
/// The stones of the other side.
pub const THEIRS: usize = 1;

impl Planes {
    /// Those of a game.
    pub fn of(rules: &Rules) -> Planes {
        let mut next = 2;
        let mut plane = |wanted: bool| {
            next += usize::from(wanted);
            wanted.then_some(next - 1)
        };
        let more = plane(rules.per_turn > 1 || rules.first_turn > 1);
        let black = plane(rules.forbidden == Forbidden::Renju);
        let blocked = plane(!rules.blocked.is_empty());
        Planes { area: usize::from(rules.width) * usize::from(rules.height), more, black, blocked }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        2 + [self.more, self.black, self.blocked].iter().flatten().count()
    }

    /// What they are, in order.
    pub fn names(&self) -> Vec<&'static str> {
        let more = [(self.more, "more"), (self.black, "black"), (self.blocked, "blocked")];
        ["mine", "theirs"]
            .into_iter()
            .chain(more.iter().filter(|(plane, _)| plane.is_some()).map(|(_, name)| *name))
            .collect()
    }

    /// The planes of a position, as the referee has it.
    pub fn write(&self, position: &Position) -> Vec<u8> {
        let mut bytes = vec![0; self.count() * self.area];
        let mover = position.to_move();
        for (n, cell) in position.rules().cells().enumerate() {
            match position.content(cell) {
                Some(Content::Stone(stone)) => bytes[if stone == mover { MINE } else { THEIRS } * self.area + n] = 1,
                Some(Content::Blocked) => self.blocked.into_iter().for_each(|plane| bytes[plane * self.area + n] = 1),
                _ => {}
            }
        }
        let mut fill = |plane: Option<usize>, is_set: bool| {
            if let Some(plane) = plane {
                bytes[plane * self.area..][..self.area].fill(u8::from(is_set));
            }
        };
        fill(self.more, position.stones_left() > 1);
        fill(self.black, mover == Stone::Black);
        bytes
    }
}
