//! Alpha-beta in plies of one stone.
//!
//! A turn is two plies of the same side, so only the second changes sides and signs. Threats are never guessed at:
//! where the other side threatens, only the stones that can hit everything are tried, all of them.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use arrayvec::ArrayVec;

use super::attack::Attack;
use super::board::SixBoard;
use super::defence::Defence;
use super::pattern::TWO_OR_MORE;
use super::shape::Place;
use crate::Stop;
use crate::table::{Bound, Entry, SharedTable};
use crate::time::Budget;

/// The score of a win now; one that is a ply away is one less.
pub(crate) const WIN: i32 = 30_000;
/// From here on a score is a proven win.
pub(crate) const PROVEN: i32 = 29_000;
/// The score of a win found by search in which the other side was not given every answer.
pub(crate) const BELIEVED: i32 = 20_000;
/// From here on a score counts the plies to an end.
pub(crate) const ENDING: i32 = 19_000;
/// Worse than every score.
const NOTHING: i32 = 32_000;

/// How many stones are tried at most.
pub(crate) const WIDEST: usize = 40;

/// How deep a search can go.
const DEEPEST: u32 = 100;

/// So many nodes pass between two looks at the clock.
const BETWEEN: u64 = 256;

/// Stones to try, best first.
pub(crate) type Stones = ArrayVec<Place, WIDEST>;

/// What the threads of a search share.
pub(crate) struct Shared<'a> {
    /// What is remembered of positions.
    pub table: &'a SharedTable,
    /// What ends the search.
    pub time: &'a Budget<'a>,
    /// Stones put by all threads.
    pub nodes: AtomicU64,
}

/// One thread of a search.
pub(crate) struct Worker<'a> {
    shared: &'a Shared<'a>,
    /// Set when the others are done.
    done: &'a Stop,
    /// The position, and where the search stands in it.
    pub board: SixBoard,
    attack: Attack,
    /// Which stones were best before: by side and cell.
    history: [Vec<i16>; 2],
    /// Stones put since the clock was looked at.
    nodes: u64,
    /// Whether the search was broken off; its scores mean nothing then.
    pub stopped: bool,
}

impl<'a> Worker<'a> {
    /// A thread that searches from this board.
    pub(crate) fn new(board: &SixBoard, shared: &'a Shared<'a>, done: &'a Stop) -> Worker<'a> {
        let cells = board.shape.cells;
        Worker {
            shared,
            done,
            board: board.clone(),
            attack: Attack::remembering(),
            history: [vec![0; cells], vec![0; cells]],
            nodes: 0,
            stopped: false,
        }
    }

    /// How deep this search may go.
    pub(crate) fn deepest(&self) -> u32 {
        self.shared.time.depth.min(DEEPEST / 4)
    }

    /// What the `n`th turn of the root is worth if it is more than `alpha`, so many turns deep; one of the `first` is
    /// searched with a full window.
    pub(crate) fn turn(&mut self, stones: &[Place], alpha: i32, turns: i32, n: usize, first: bool) -> i32 {
        stones.iter().for_each(|&stone| self.board.play(stone));
        self.nodes += stones.len() as u64;
        let (ply, depth) = (stones.len() as u32, 2 * (turns - 1));
        let less = if n < 3 || first { 0 } else { 1 + i32::from(n > 8) + i32::from(n > 24) };
        let mut score = alpha + 1;
        if !first {
            score = -self.search(-alpha - 1, -alpha, depth - less, ply, &[]);
            if less > 0 && score > alpha {
                score = -self.search(-alpha - 1, -alpha, depth, ply, &[]);
            }
        }
        if score > alpha {
            score = -self.search(-NOTHING, -alpha, depth, ply, &[]);
        }
        stones.iter().rev().for_each(|&stone| self.board.undo(stone));
        score
    }

    /// What the position is worth to the side to move, between the bounds, so many plies deep. The stones of `met`
    /// are not tried: the pairs with them have been.
    pub(crate) fn search(&mut self, mut alpha: i32, beta: i32, depth: i32, ply: u32, met: &[Place]) -> i32 {
        // 1. Ends: a full board, six in this turn, a win that comes too late to matter, and the clock.
        let (me, left) = (self.board.turn, self.board.left);
        if self.board.free == 0 {
            return 0;
        }
        if let Some(stones) = self.six() {
            return WIN - (ply + stones) as i32;
        }
        if WIN - (ply as i32) <= alpha {
            return alpha;
        }
        if self.is_over() {
            return 0;
        }

        // 2. Threats of the other side: hit them all, or lose.
        let hits = Defence::against(&self.board, me ^ 1);
        if hits.needed > left {
            return -WIN + (ply + u32::from(left) + 2) as i32;
        }

        // 3. What is remembered. Half a turn depends on what was tried before it, so only its best stone counts.
        let key = self.board.key();
        let known = self.shared.table.get(key);
        let pv = beta - alpha > 1;
        if let Some(entry) = known.filter(|entry| !pv && left == 2 && i32::from(entry.depth) >= depth) {
            let score = from_table(entry.score, ply);
            if entry.bound.holds(score >= beta) && (score >= beta || score <= alpha) {
                return score;
            }
        }

        // 4. Leaves that are good enough as they stand.
        let forced = hits.needed == left;
        let leaf = left == 2 && !forced && depth <= 0;
        let worth = if leaf { self.worth(hits.needed) } else { 0 };
        if leaf && worth >= beta {
            return worth;
        }

        // 5. Double threats: a win by them needs no more search.
        let mut tried = known.map_or(0, |entry| entry.eval);
        if left == 2 && !forced {
            let stones = 80 + 40 * depth.clamp(0, 8).pow(2) as i16;
            if tried < stones {
                tried = stones;
                if let Some(score) = self.won(key, ply, stones) {
                    return score;
                }
            }
            if leaf {
                self.remember(
                    key,
                    Entry {
                        best: 0,
                        depth: depth.max(-100) as i8,
                        bound: Bound::Exact,
                        eval: tried,
                        ..scored(worth, ply)
                    },
                );
                return worth;
            }
        }
        if ply >= DEEPEST {
            return self.worth(hits.needed);
        }

        // 6. The stones to try: all that can hit, or the most promising.
        let best_known = known.and_then(|entry| entry.best.checked_sub(1));
        let stones = self.stones(&hits, depth, pv, best_known, met);
        let exact = forced && left == 2 || hits.needed > 0 && left == 1;

        // 7. One after the other; later ones first with less depth and a narrow window.
        let from = alpha;
        let (mut best, mut best_stone) = (-NOTHING, 0);
        for (n, &stone) in stones.iter().enumerate() {
            let met = if left == 2 { &stones[..n] } else { &[] };
            let next = if forced && left == 2 { depth } else { depth - 1 };
            let less = if exact { 0 } else { reduction(n, depth, pv) };
            self.board.play(stone);
            self.nodes += 1;
            let mut score = -NOTHING;
            if n > 0 {
                score = self.next(alpha, alpha + 1, next - less, ply, met);
                if less > 0 && score > alpha {
                    score = self.next(alpha, alpha + 1, next, ply, met);
                }
            }
            if n == 0 || score > alpha && score < beta {
                score = self.next(alpha, beta, next, ply, met);
            }
            self.board.undo(stone);
            if self.stopped {
                return 0;
            }
            if score > best {
                (best, best_stone) = (score, stone);
                if score > alpha {
                    alpha = score;
                    if score >= beta {
                        self.praise(me, stone, &stones[..n], depth);
                        break;
                    }
                }
            }
        }
        if best == -NOTHING {
            return best;
        }

        // 8. A loss is proven only if every answer was tried.
        if best < -PROVEN && !exact {
            best = ply as i32 - BELIEVED;
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > from => Bound::Exact,
            _ => Bound::Upper,
        };
        self.remember(
            key,
            Entry {
                best: best_stone + 1,
                depth: depth.clamp(-100, 100) as i8,
                bound,
                eval: tried,
                ..scored(best, ply)
            },
        );
        best
    }

    /// The score after a stone: the same side goes on, or the other does.
    #[inline]
    fn next(&mut self, alpha: i32, beta: i32, depth: i32, ply: u32, met: &[Place]) -> i32 {
        match self.board.left {
            1 => self.search(alpha, beta, depth, ply + 1, met),
            _ => -self.search(-beta, -alpha, depth, ply + 1, &[]),
        }
    }

    /// How many stones the side to move needs for six, if it has enough.
    fn six(&self) -> Option<u32> {
        let (me, left) = (self.board.turn, self.board.left);
        let lack = |&window: &u16| 6 - self.board.count(window, me);
        self.board.threats(me).iter().map(lack).min().filter(|&lack| lack <= left).map(u32::from)
    }

    /// The score of a win by double threats, if so many stones find one; it is remembered.
    fn won(&mut self, key: u64, ply: u32, stones: i16) -> Option<i32> {
        let found = self.attack.win(&mut self.board, 12, stones as u32);
        self.nodes += u64::from(self.attack.stones);
        let score = WIN - (ply + 2 * (2 * found? - 1)) as i32;
        let first = self.attack.line.last().map_or(0, |turn| turn[0]);
        let entry =
            Entry { best: first + 1, depth: DEEPEST as i8, bound: Bound::Lower, eval: stones, ..scored(score, ply) };
        self.remember(key, entry);
        Some(score)
    }

    /// What the position looks like at the beginning of a turn in which so many stones must hit.
    fn worth(&mut self, needed: u8) -> i32 {
        self.board.evaluate(needed).clamp(1 - ENDING, ENDING - 1)
    }

    /// The stones to try.
    fn stones(&self, hits: &Defence, depth: i32, pv: bool, first: Option<Place>, met: &[Place]) -> Stones {
        let mut stones = match (self.board.left, hits.needed) {
            (_, 0) => self.promising(width(self.board.left, depth, pv), |place| !met.contains(&place)),
            (2, _) => hits.cells().into_iter().collect(),
            _ => hits.singles.iter().copied().filter(|place| !met.contains(place)).collect(),
        };
        if let Some(place) = stones.iter().position(|&stone| Some(stone) == first) {
            stones[..=place].rotate_right(1);
        }
        stones
    }

    /// The most promising of the wanted cells, best first.
    fn promising(&self, width: usize, wanted: impl Fn(Place) -> bool) -> Stones {
        let history = &self.history[self.board.turn];
        best(&self.board, width, |place| i32::from(history[usize::from(place)] / 64), wanted)
    }

    /// Remembers which stone was better than those before it.
    fn praise(&mut self, side: usize, stone: Place, others: &[Place], depth: i32) {
        let bonus = (depth * depth).clamp(1, 64) as i16;
        let history = &mut self.history[side];
        let mut change = |place: Place, by: i16| {
            let entry = &mut history[usize::from(place)];
            *entry += by - (i32::from(*entry) * i32::from(by.abs()) / 2048) as i16;
        };
        change(stone, bonus * 8);
        others.iter().for_each(|&other| change(other, -bonus * 8));
    }

    /// Remembers a position; where others keep an evaluation stands how many stones a vain attack took.
    fn remember(&self, key: u64, entry: Entry) {
        self.shared.table.put(key, entry);
    }

    /// Whether the search must end, looking at the clock now and then.
    fn is_over(&mut self) -> bool {
        let nodes = &self.shared.nodes;
        let all = nodes.load(Relaxed) + self.nodes;
        if all >= self.shared.time.nodes {
            self.stopped = true;
        } else if self.nodes >= BETWEEN {
            self.count();
            self.stopped |= self.done.is_set() || self.shared.time.is_over();
        }
        self.stopped
    }

    /// Tells the other threads how many stones were put.
    pub(crate) fn count(&mut self) {
        self.shared.nodes.fetch_add(self.nodes, Relaxed);
        self.nodes = 0;
    }
}

/// The most promising of the wanted cells by what they make and spoil, best first, at most [`WIDEST`].
pub(crate) fn ranked(board: &SixBoard, width: usize, wanted: impl Fn(Place) -> bool) -> Vec<Place> {
    best(board, width, |_| 0, wanted).to_vec()
}

fn best(board: &SixBoard, width: usize, bonus: impl Fn(Place) -> i32, wanted: impl Fn(Place) -> bool) -> Stones {
    let (own, foreign) = (board.stars(board.turn), board.stars(board.turn ^ 1));
    let worths = &board.shape.worths;
    let mut ranked: ArrayVec<(i32, Place), { WIDEST + 1 }> = ArrayVec::new();
    // Where no line has a stone yet nothing is promising: such cells only fill what is left of the width.
    for lively in [true, false] {
        for place in board.empty() {
            let here = usize::from(place);
            if ((own[here] | foreign[here]) & TWO_OR_MORE != 0) != lively {
                continue;
            }
            let rank = i32::from(worths.of(own[here]).own) + i32::from(worths.of(foreign[here]).foreign) + bonus(place);
            if ranked.len() == width && ranked[width - 1].0 >= rank || !wanted(place) {
                continue;
            }
            let at = ranked.iter().rposition(|&(other, _)| other >= rank).map_or(0, |at| at + 1);
            ranked.insert(at, (rank, place));
            ranked.truncate(width);
        }
        if ranked.len() == width {
            break;
        }
    }
    ranked.into_iter().map(|(_, place)| place).collect()
}

/// How many stones are tried.
fn width(left: u8, depth: i32, pv: bool) -> usize {
    let deep = depth.clamp(0, 8) as usize;
    match (left, pv) {
        (2, true) => 10 + 2 * deep,
        (2, false) => 6 + deep,
        (_, true) => 7 + deep,
        (_, false) => 4 + deep / 2,
    }
}

/// By how many plies less a late stone is searched at first.
fn reduction(n: usize, depth: i32, pv: bool) -> i32 {
    let deep = i32::from(depth >= 5);
    let less = match n {
        0 => return 0,
        _ if depth < 2 => return 0,
        1 => 1,
        2 => 2,
        3 => 2 + deep,
        4 | 5 => 3 + deep,
        _ => 3 + 2 * deep,
    };
    less - i32::from(pv)
}

/// An entry with a score: what counts the plies to an end counts them from here.
fn scored(score: i32, ply: u32) -> Entry {
    let ply = ply as i32;
    let score = match score {
        ENDING.. => score + ply,
        _ if score <= -ENDING => score - ply,
        _ => score,
    };
    Entry { score: score as i16, ..Entry::default() }
}

fn from_table(score: i16, ply: u32) -> i32 {
    let (score, ply) = (i32::from(score), ply as i32);
    match score {
        ENDING.. => score - ply,
        _ if score <= -ENDING => score + ply,
        _ => score,
    }
}
