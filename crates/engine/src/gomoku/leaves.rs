//! The leaves of the search: continuous fours.

use super::kind::Kind;
use super::moves::Part;
use super::search::Worker;
use super::spot::Spot;
use super::standing::{from_table, to_table};
use crate::table::{Bound, Entry};

impl Worker<'_> {
    /// The score when both sides may only make fours and answer them, or leave it.
    pub(super) fn quiesce(&mut self, mut alpha: i32, beta: i32, fours: i32) -> i32 {
        self.count();
        if self.stopped {
            return 0;
        }
        self.frames[self.ply].line.clear();
        if let Some(score) = self.ended() {
            return score;
        }
        if let Some(spot) = self.forced() {
            if self.board.is_foul(spot) {
                return -self.win_in(2);
            }
            self.play(spot);
            let score = -self.quiesce(-beta, -alpha, fours);
            self.undo();
            return score;
        }
        let own = self.board.to_move();
        let hash = self.board.hash();
        let known = self.shared.table.get(hash);
        if let Some(entry) = known {
            let score = from_table(entry.score, self.ply);
            if i32::from(entry.depth) >= -fours && entry.bound.holds(score >= beta) && (score >= beta || score <= alpha)
            {
                return score;
            }
        }
        let plain = self.plain(known);
        let mut best = self.corrected(plain, self.alike());
        if best >= beta || !self.board.has_fours(own) || fours >= self.margins.fours_most {
            return best;
        }
        let old_alpha = alpha;
        alpha = alpha.max(best);
        let mut best_spot = 0;
        let height = self.pile.height();
        let mut part = self.fours(fours);
        while let Some(candidate) = self.pile.take(&mut part) {
            self.play(candidate.spot);
            let score = -self.quiesce(-beta, -alpha, fours + 1);
            self.undo();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                best_spot = candidate.spot;
                alpha = alpha.max(score);
                self.extend_line(candidate.spot);
                if score >= beta {
                    break;
                }
            }
        }
        self.pile.lower(height);
        if self.stopped {
            return best;
        }
        let bound = match () {
            _ if best >= beta => Bound::Lower,
            _ if best > old_alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let entry =
            Entry { best: best_spot, score: to_table(best, self.ply), eval: plain as i16, depth: -fours as i8, bound };
        self.shared.table.put(hash, entry);
        best
    }

    /// One's own fours, but for those that leave nothing behind. After a few of them only those in line with the last
    /// one are followed up.
    fn fours(&mut self, fours: i32) -> Part {
        let height = self.pile.height();
        let pile = &mut self.pile;
        let own = self.board.to_move();
        let from = (fours >= self.margins.fours_free).then(|| self.board.before(1)).flatten();
        self.board.near(|spot| {
            let look = self.board.look(spot);
            if look.kinds[own.index()] >= Kind::FourPlus && from.is_none_or(|from| in_line(spot, from)) {
                pile.push(spot, i32::from(look.scores[own.index()]));
            }
        });
        pile.part(height)
    }
}

/// Whether two cells lie on a line of the board at most four steps apart.
pub(super) fn in_line(a: Spot, b: Spot) -> bool {
    let rows = (a >> 5).abs_diff(b >> 5);
    let columns = (a & 31).abs_diff(b & 31);
    rows.max(columns) <= 4 && (rows == 0 || columns == 0 || rows == columns)
}
