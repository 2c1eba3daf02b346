//! Which cells a node tries, in which order, and how deep.

use super::board::GomokuBoard;
use super::kind::Kind;
use super::leaves::in_line;
use super::moves::{Part, Spots, stops};
use super::search::{Node, PLY, Worker, Zero};
use super::spot::Spot;
use super::standing::SURE;
use crate::table::Entry;

/// A cell as a node meets it.
pub(super) struct Met {
    pub spot: Spot,
    /// As which one it is tried.
    pub tried: i32,
    /// What a stone there threatens.
    pub kind: Kind,
    /// It neither threatens nor stops anything.
    pub calm: bool,
    /// It threatens in line with one's own last stone.
    pub follows: bool,
}

/// What is known of the node.
pub(super) struct Place {
    /// Things got better since one's last turn.
    pub improving: bool,
    /// It should be too good.
    pub cut: bool,
    /// A better cell was found.
    pub raised: bool,
    /// An open three must be answered.
    pub pressed: bool,
}

impl Worker<'_> {
    /// Fills in the cells of a node: the forced one, those that may stop an open four and one's own fours, or all
    /// that lie near stones.
    pub(super) fn candidates<N: Node>(&mut self, hint: Spot, forced: Option<Spot>, pressed: bool) -> Part {
        let height = self.pile.height();
        let pile = &mut self.pile;
        let own = self.board.to_move();
        if N::ROOT {
            // The order of the last step.
            let count = self.roots.len() as i32;
            (0..).zip(&self.roots).for_each(|(n, root)| pile.push(root.spot, count - n));
        } else if let Some(spot) = forced {
            pile.push(spot, 0);
        } else {
            let last = self.board.before(1);
            let stops = if pressed { stops(&self.board, own.other()) } else { Spots::NONE };
            self.board.near(|spot| {
                let look = self.board.look(spot);
                if pressed && !stops.contains(spot) && !look.kinds[own.index()].is_four() {
                    return;
                }
                let score = 16 * i32::from(look.scores[own.index()])
                    + 16 * i32::from(follows(&self.board, spot, last)) * self.margins.order_follow
                    + self.history.get(own, spot) * self.margins.order_history / 64;
                pile.push(spot, if spot == hint { i32::MAX } else { score });
            });
        }
        pile.part(height)
    }

    /// How much less deep a late cell is looked at first.
    pub(super) fn reduction<N: Node>(&self, depth: i32, met: &Met, place: &Place) -> i32 {
        if depth < 2 * PLY || met.tried < 2 {
            return 0;
        }
        let margins = &self.margins;
        let of = |n: i32| self.reductions[n.clamp(0, 63) as usize];
        let if_so = |so: bool, hundredths: i32| if so { hundredths } else { 0 };
        let mut reduction = margins.reduce_base + of(depth / PLY) * of(met.tried) / 100 * margins.reduce / 100;
        reduction += if_so(!place.improving, margins.reduce_worse);
        reduction += if_so(place.cut, margins.reduce_cut);
        reduction -= if_so(N::PV, margins.reduce_pv);
        if met.calm {
            let history = self.history.get(self.board.to_move(), met.spot);
            reduction += margins.reduce_calm - history * margins.reduce_history / 1000;
        }
        reduction = reduction.max(0) + if_so(place.raised && depth >= 3 * PLY, margins.reduce_raised);
        let threat = met.kind >= Kind::Three;
        let before = if self.ply >= 2 { self.frames[self.ply - 2].kind } else { Kind::None };
        reduction -= if_so(threat, margins.reduce_three);
        reduction -= if_so(threat && before >= Kind::Three, margins.reduce_attack);
        reduction -= if_so(met.follows, margins.reduce_follow);
        reduction -= if_so(place.pressed, margins.reduce_pressed);
        reduction.max(0)
    }

    /// How much deeper to look at a hint: more if all other cells fall short of it. `i32::MIN` if several cells are
    /// so good that the node can be given up as too good.
    pub(super) fn singular<N: Node>(
        &mut self,
        depth: i32,
        known: Option<Entry>,
        known_score: Option<i32>,
        beta: i32,
        cut: bool,
    ) -> i32 {
        let (Some(entry), Some(score)) = (known, known_score) else { return 0 };
        let deep = depth >= 7 * PLY && i32::from(entry.depth) * PLY >= depth - 3 * PLY;
        if !deep || !entry.bound.holds(true) || score.abs() >= SURE {
            return 0;
        }
        let target = score - depth * self.margins.singular / (10 * PLY);
        self.frames[self.ply].excluded = entry.best;
        let others = self.search::<Zero>(target - 1, target, (depth - PLY) / 2, cut);
        self.frames[self.ply].excluded = 0;
        match () {
            _ if others < target => PLY + PLY * i32::from(!N::PV && others < target - 60),
            _ if target >= beta && !N::PV => i32::MIN,
            _ if score >= beta => -PLY,
            _ => 0,
        }
    }

    /// A quiet cell that was too good is tried earlier next time, those before it later.
    pub(super) fn reward(&mut self, best: Spot, quiet: &[Spot], depth: i32) {
        let own = self.board.to_move();
        let plies = whole(depth);
        let bonus = (plies * plies * 16).min(1600);
        self.history.add(own, best, bonus);
        for &spot in quiet.iter().filter(|&&spot| spot != best) {
            self.history.add(own, spot, -bonus);
        }
    }
}

/// A depth in plies, at least one.
pub(super) fn whole(depth: i32) -> i32 {
    ((depth + PLY / 2) / PLY).max(1)
}

/// Whether a stone of the side to move would be a threat in line with its last one.
pub(super) fn follows(board: &GomokuBoard, spot: Spot, last: Option<Spot>) -> bool {
    board.look(spot).kinds[board.to_move().index()] >= Kind::Three && last.is_some_and(|last| in_line(spot, last))
}
