//! Bounds that need no search: a side that only answers can keep the other from every line.
//!
//! Say an even number of cells is free outside some region. The *follower* answers each stone of the mover in
//! the same column while that column has a free cell left, and otherwise in another column whose number of free
//! cells is odd; there always is one. From the top of the board down every column then falls into pairs, of which
//! the follower gets the upper cell and the mover the lower one. Only where the free cells of a column are odd in
//! number may the mover also get its lowest free cell, which belongs to no pair. If the mover's stones together
//! with all these cells hold no line, the mover cannot win. If, besides, the follower's stones with the cells
//! that surely become his hold one, the follower wins.
//!
//! The same works while the follower keeps away from a column where a win of his waits above a free cell: when
//! all the rest is full, the mover has to play below it.

use super::shape::Shape;
use super::word::Word;

/// A position seen by its mover.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<W> {
    /// The mover's stones.
    pub own: W,
    /// The other side's stones.
    pub other: W,
    /// Stones of both sides and blocked cells.
    pub full: W,
    /// Where stones come to rest.
    pub landing: W,
    /// The free cells on which the other side would win.
    pub threats: W,
    /// How many cells are free.
    pub free: i32,
}

/// An upper bound of the mover's score that is not above `alpha`, if following proves one.
#[inline(always)]
pub(super) fn upper<W: Word, const STRIDE: u32>(shape: &Shape<W, STRIDE>, view: &View<W>, alpha: i32) -> Option<i32> {
    everywhere(shape, view, alpha).or_else(|| beside_threats(shape, view, alpha))
}

/// The other side follows on the whole board.
#[inline(always)]
fn everywhere<W: Word, const STRIDE: u32>(shape: &Shape<W, STRIDE>, view: &View<W>, alpha: i32) -> Option<i32> {
    if view.free % 2 != 0 || alpha < -1 {
        return None;
    }
    let empty = shape.cells & !view.full;
    let movers = shape.lower | view.landing;
    if shape.has_line(view.own | (empty & movers)) {
        return None;
    }
    if alpha >= 0 {
        return Some(0);
    }
    shape.has_line(view.other | (empty & !movers)).then_some(-1)
}

/// The other side follows beside one of the columns in which it threatens to win.
#[inline(always)]
fn beside_threats<W: Word, const STRIDE: u32>(shape: &Shape<W, STRIDE>, view: &View<W>, alpha: i32) -> Option<i32> {
    let mut threats = view.threats & !view.landing;
    while !threats.is_zero() {
        let threat = threats.first();
        threats = threats ^ threat;
        let bound = beside(shape, view, threat, alpha);
        if bound.is_some() {
            return bound;
        }
    }
    None
}

#[inline(always)]
fn beside<W: Word, const STRIDE: u32>(shape: &Shape<W, STRIDE>, view: &View<W>, threat: W, alpha: i32) -> Option<i32> {
    let empty = shape.cells & !view.full;
    let column = shape.column_mask(shape.column(threat));
    let below = shape.below(threat) & shape.cells;
    let kept = empty & column & !below.minus(W::ONE);
    let length = kept.count() as i32;
    // The mover is to play below the threat when everything else is full: he has then `length` cells left.
    let bound = -(length / 2);
    if (view.free - length) % 2 != 0 || bound > alpha {
        return None;
    }
    // Pairs are counted from the top of what is left of the column.
    let lower = if length % 2 == 0 { shape.lower } else { shape.lower ^ column };
    let movers = (empty & !kept & (lower | view.landing)) | below;
    (!shape.has_line(view.own | movers)).then_some(bound)
}
