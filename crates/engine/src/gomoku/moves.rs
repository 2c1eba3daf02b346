//! Which cells are worth a look, and in which order.

use lianzi_core::Stone;

use super::board::GomokuBoard;
use super::kind::Kind;
use super::shape::Shape;
use super::spot::{CELLS, Spot, along};

/// A cell and how promising it looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The cell.
    pub spot: Spot,
    /// The more, the earlier.
    pub score: i32,
}

/// The cells of all nodes of a line on one pile, the deepest node's on top.
#[derive(Default)]
pub(crate) struct Pile(Vec<Candidate>);

/// The part of the pile that one node has still to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    next: usize,
    end: usize,
}

impl Pile {
    /// How high it is.
    pub(crate) fn height(&self) -> usize {
        self.0.len()
    }

    /// Lowers it again to a height it had before.
    pub(crate) fn lower(&mut self, height: usize) {
        self.0.truncate(height);
    }

    /// Puts a cell on top.
    #[inline(always)]
    pub(crate) fn push(&mut self, spot: Spot, score: i32) {
        self.0.push(Candidate { spot, score });
    }

    /// All above a height.
    pub(crate) fn part(&self, from: usize) -> Part {
        Part { next: from, end: self.0.len() }
    }

    /// Leaves only some cells in a part.
    pub(crate) fn keep(&mut self, part: &mut Part, mut wanted: impl FnMut(Spot) -> bool) {
        let mut end = part.next;
        for n in part.next..part.end {
            if wanted(self.0[n].spot) {
                self.0[end] = self.0[n];
                end += 1;
            }
        }
        part.end = end;
    }

    /// Takes the most promising cell of a part; the others are not sorted until they are asked for.
    pub(crate) fn take(&mut self, part: &mut Part) -> Option<Candidate> {
        let list = &mut self.0[part.next..part.end];
        let (&first, rest) = list.split_first()?;
        let (mut best, mut place) = (first, 0);
        for (n, &candidate) in rest.iter().enumerate() {
            if candidate.score > best.score {
                (best, place) = (candidate, n + 1);
            }
        }
        list[place] = first;
        part.next += 1;
        Some(best)
    }
}

/// A set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spots([u64; CELLS / 64]);

impl Spots {
    /// No cell.
    pub(crate) const NONE: Spots = Spots([0; CELLS / 64]);

    /// Adds a cell.
    pub(crate) fn insert(&mut self, spot: Spot) {
        self.0[usize::from(spot >> 6)] |= 1 << (spot & 63);
    }

    /// Whether it holds a cell.
    pub(crate) fn contains(&self, spot: Spot) -> bool {
        self.0[usize::from(spot >> 6) & 15] >> (spot & 63) & 1 == 1
    }

    /// Every cell.
    pub(crate) const ALL: Spots = Spots([u64::MAX; CELLS / 64]);

    /// Takes a cell out.
    pub(crate) fn remove(&mut self, spot: Spot) {
        self.0[usize::from(spot >> 6) & 15] &= !(1 << (spot & 63));
    }

    /// Adds what the other holds.
    pub(crate) fn unite(&mut self, other: &Spots) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
    }

    /// Keeps what the other holds too.
    pub(crate) fn intersect(&mut self, other: &Spots) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own &= other);
    }

    /// Its cells.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Spot> + '_ {
        self.0.iter().enumerate().flat_map(|(n, &word)| {
            std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)))
                .take_while(|&word| word != 0)
                .map(move |word| (n * 64) as Spot + word.trailing_zeros() as Spot)
        })
    }
}

/// The cells that may stop every open four which `attacker` could make next. Each of those cells needs an answer, so
/// only what answers all of them is left; a four of one's own is another way out and not among them.
pub(crate) fn stops(board: &GomokuBoard, attacker: Stone) -> Spots {
    let mut all: Option<Spots> = None;
    board.near(|spot| {
        if board.look(spot).kinds[attacker.index()] == Kind::OpenFour {
            let these = stops_one(board, spot, attacker);
            match &mut all {
                Some(all) => all.intersect(&these),
                None => all = Some(these),
            }
        }
    });
    all.unwrap_or(Spots::NONE)
}

/// Whether a side to move wins by a double threat, with two plies or more to spare: by a four and a three, or by two
/// threes that the other side has no four to disturb.
pub(crate) fn has_double(board: &GomokuBoard, own: Stone) -> bool {
    let mut found = false;
    doubles(board, own, |_| found = true);
    found
}

/// The cells by which a side wins so. A four and a three: the four must be stopped where it becomes a five, and unless
/// the stone that stops it makes a four, the three becomes an open four. What may be a foul is left to the search.
pub(crate) fn doubles(board: &GomokuBoard, own: Stone, mut take: impl FnMut(Spot)) {
    let other = own.other();
    let threes = board.count(own, Kind::Threes) > 0 && !board.has_fours(other);
    if !threes && board.count(own, Kind::FourThree) == 0 || board.has_fouls() {
        return;
    }
    let free = !board.has_fours(other);
    board.near(|spot| match board.look(spot).kinds[own.index()] {
        Kind::Threes if threes => take(spot),
        Kind::FourThree if free || is_stopped_in_vain(board, spot, own) => take(spot),
        _ => {}
    });
}

/// Whether no stone that stops the four of a cell is a four itself.
fn is_stopped_in_vain(board: &GomokuBoard, spot: Spot, own: Stone) -> bool {
    (0..4).filter(|&direction| board.shape(spot, own, direction) == Shape::Four).all(|direction| {
        let near = (-4..=4).map(|steps| along(spot, direction, steps)).filter(|&near| near != spot);
        near.filter(|&near| board.is_empty(near)).all(|near| {
            let stops = board.shape(near, own, direction) >= Shape::Four;
            !stops || !board.look(near).kinds[own.other().index()].is_four()
        })
    })
}

/// The cells that may keep `attacker` from winning by a double threat. What answers all of them is left; a stone that
/// makes a three or more of one's own is another way out and not among them.
pub(crate) fn double_stops(board: &GomokuBoard, attacker: Stone) -> Spots {
    let mut all: Option<Spots> = None;
    doubles(board, attacker, |spot| {
        let these = stops_in(board, spot, attacker, Shape::OpenThree, |kind| {
            !matches!(kind, Kind::Threes | Kind::FourThree | Kind::OpenFour)
        });
        match &mut all {
            Some(all) => all.intersect(&these),
            None => all = Some(these),
        }
    });
    all.unwrap_or(Spots::NONE)
}

/// The cells that may keep a stone on `spot` from making an open four or two fours: the cell itself, and those of the
/// lines in which it would make them.
fn stops_one(board: &GomokuBoard, spot: Spot, attacker: Stone) -> Spots {
    stops_in(board, spot, attacker, Shape::Four, |kind| kind < Kind::OpenFour)
}

/// A cell, and the cells of those lines through it in which a stone would make at least a shape and whose loss leaves
/// it a kind that will do.
fn stops_in(board: &GomokuBoard, spot: Spot, attacker: Stone, least: Shape, will_do: impl Fn(Kind) -> bool) -> Spots {
    let mut stops = Spots::NONE;
    stops.insert(spot);
    for direction in 0..4 {
        if (least..=Shape::OpenFour).contains(&board.shape(spot, attacker, direction)) {
            let near = (-4..=4).map(|steps| along(spot, direction, steps));
            let near = near.filter(|&near| near != spot && board.is_empty(near));
            near.filter(|&near| will_do(board.kind_against(spot, attacker, direction, near)))
                .for_each(|near| stops.insert(near));
        }
    }
    stops
}
