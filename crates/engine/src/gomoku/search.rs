//! The search of one thread: deepening alpha-beta over cells, with continuous fours at its leaves.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::board::GomokuBoard;
use super::history::History;
use super::kind::Kind;
use super::margins::Margins;
use super::moves::Pile;
use super::selection::{Met, Place, follows, whole};
use super::spot::{Spot, cell};
use super::standing::{INFINITE, SURE, from_table, to_table};
use super::trace::{Event, Trace};
use crate::table::{Bound, Entry, SharedTable};
use crate::time::Budget;

/// How deep a line may get.
pub(crate) const DEEPEST: usize = 128;

/// Depths are counted in hundredths of a ply.
pub(super) const PLY: i32 = 100;

/// What kind of node is searched.
pub(super) trait Node {
    /// Its exact score is wanted.
    const PV: bool;
    /// It is the position asked about.
    const ROOT: bool;
}

struct Root;
struct Exact;
pub(super) struct Zero;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Exact {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Node for Zero {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What the threads of one search share.
pub(crate) struct Shared<'a> {
    /// Positions met before.
    pub table: &'a SharedTable,
    /// What ends the search.
    pub time: &'a Budget<'a>,
    /// Set when the first thread has its answer.
    pub done: &'a AtomicBool,
    /// Nodes of all threads, counted now and then.
    pub nodes: &'a AtomicU64,
    /// What steers the search.
    pub margins: Margins,
}

/// A cell of the root with what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    /// The cell.
    pub spot: Spot,
    /// Its score in the last finished step, or the worst.
    pub score: i32,
    /// The line that begins with it.
    pub line: Vec<Spot>,
    /// Nodes spent on it.
    pub effort: u64,
}

/// What is kept of every ply of the line being searched.
#[derive(Clone, Default)]
pub(super) struct Frame {
    eval: i32,
    pub(super) excluded: Spot,
    /// What the stone that leads on from here threatens.
    pub(super) kind: Kind,
    pub(super) line: Vec<Spot>,
}

/// One thread's search.
pub(crate) struct Worker<'a> {
    /// The board, at the root between searches.
    pub board: GomokuBoard,
    pub(super) shared: &'a Shared<'a>,
    pub(super) margins: Margins,
    pub(super) frames: Vec<Frame>,
    pub(super) ply: usize,
    nodes: u64,
    told: u64,
    pub(super) stopped: bool,
    pub(super) history: &'a mut History,
    pub(super) pile: Pile,
    /// The cells of the root still to be ranked; multi-PV takes the best ones out.
    pub roots: Vec<RootMove>,
    /// Whether no cell of the root was taken out.
    pub whole: bool,
    pub(super) reductions: [i32; 64],
    /// How deep the step is that runs.
    step: i32,
    /// A line that is followed.
    pub(super) trace: Option<Box<Trace>>,
}

impl<'a> Worker<'a> {
    /// A search from this board.
    pub(crate) fn new(board: GomokuBoard, shared: &'a Shared<'a>, history: &'a mut History) -> Worker<'a> {
        let reduction = |n: usize| (100.0 * (n.max(1) as f64).ln()) as i32;
        Worker {
            board,
            shared,
            margins: shared.margins,
            frames: vec![Frame::default(); DEEPEST + 2],
            ply: 0,
            nodes: 0,
            told: 0,
            stopped: false,
            history,
            pile: Pile::default(),
            roots: Vec::new(),
            whole: true,
            reductions: std::array::from_fn(reduction),
            step: 0,
            trace: None,
        }
    }

    /// Nodes all threads looked at, as far as they told, and this one's.
    pub(crate) fn nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.told
    }

    /// Whether the search was broken off.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Searches the root to a depth within a window around what is expected, and sorts its cells.
    pub(crate) fn deepen(&mut self, depth: i32, expected: Option<i32>) -> i32 {
        self.step = depth;
        let depth = depth * PLY;
        let mut width = self.margins.window;
        let (mut alpha, mut beta) = match expected {
            Some(score) if self.step >= 5 && score.abs() < SURE => (score - width, score + width),
            _ => (-INFINITE, INFINITE),
        };
        loop {
            let score = self.search::<Root>(alpha, beta, depth, false);
            self.roots.sort_by_key(|root| (-root.score, std::cmp::Reverse(root.effort)));
            if self.stopped {
                return score;
            }
            width *= 3;
            match () {
                _ if score <= alpha => alpha = if width > 1000 { -INFINITE } else { score - width },
                _ if score >= beta => beta = if width > 1000 { INFINITE } else { score + width },
                _ => return score,
            }
        }
    }

    /// Counts a node, and looks at the clock now and then.
    pub(super) fn count(&mut self) {
        self.nodes += 1;
        let Shared { time, done, nodes, .. } = self.shared;
        if self.nodes - self.told >= 512 {
            nodes.fetch_add(self.nodes - self.told, Ordering::Relaxed);
            self.told = self.nodes;
            self.stopped |= time.is_over() || done.load(Ordering::Relaxed);
        }
        if time.nodes != u64::MAX && nodes.load(Ordering::Relaxed) + (self.nodes - self.told) >= time.nodes {
            self.stopped = true;
        }
    }

    pub(super) fn play(&mut self, spot: Spot) {
        self.board.play(spot);
        self.shared.table.prefetch(self.board.hash());
        self.ply += 1;
    }

    pub(super) fn undo(&mut self) {
        self.board.undo();
        self.ply -= 1;
    }

    /// The score of the position to this depth, seen by the side to move.
    pub(super) fn search<N: Node>(&mut self, alpha: i32, beta: i32, depth: i32, cut: bool) -> i32 {
        let height = self.pile.height();
        let score = self.search_on_pile::<N>(alpha, beta, depth, cut);
        self.pile.lower(height);
        score
    }

    /// The same; leaves candidates on the pile.
    fn search_on_pile<N: Node>(&mut self, mut alpha: i32, mut beta: i32, mut depth: i32, cut: bool) -> i32 {
        let mut followed = self.followed();
        // 1. Leaves: fours only.
        if depth <= 0 && !N::ROOT {
            self.tell(depth, Event::Leaf);
            return self.quiesce(alpha, beta, 0);
        }
        self.count();
        if N::PV {
            self.frames[self.ply].line.clear();
        }
        if !N::ROOT {
            // 2. The end of the game, of time, or of the stack.
            if self.stopped {
                return 0;
            }
            if let Some(score) = self.ended() {
                return score;
            }
            // 3. No line can be better than winning next ply or worse than losing after that.
            alpha = alpha.max(-self.win_in(4));
            beta = beta.min(self.win_in(5));
            if alpha >= beta {
                return alpha;
            }
        }

        // 4. What is known of the position.
        let hash = self.board.hash();
        let excluded = self.frames[self.ply].excluded;
        let known = if excluded == 0 { self.shared.table.get(hash) } else { None };
        let known_score = known.map(|entry| from_table(entry.score, self.ply));
        if let (Some(entry), Some(score)) = (known, known_score)
            && !N::PV
            && i32::from(entry.depth) >= whole(depth)
            && entry.bound.holds(score >= beta)
            && (score >= beta || score <= alpha)
        {
            self.tell(depth, Event::Known);
            return score;
        }
        let hint = match N::ROOT {
            true => self.roots.first().map_or(0, |root| root.spot),
            false => known.map_or(0, |entry| entry.best),
        };

        // 5. A five must be stopped where it is threatened: the ply does not count.
        let forced = self.forced();
        let own = self.board.to_move();
        let pressed = forced.is_none() && self.board.count(own.other(), Kind::OpenFour) > 0;
        let alike = self.alike();
        // What a five threatens is not evaluated.
        let plain = if forced.is_some() { 0 } else { self.plain(known) };
        let eval = match forced {
            Some(_) => self.frames[self.ply.saturating_sub(2)].eval,
            // A three that is being answered is worth nothing yet.
            None if pressed && self.ply > 0 => -self.frames[self.ply - 1].eval,
            None => self.corrected(plain, alike),
        };
        self.frames[self.ply].eval = eval;
        // What a search found says more than a look, where it points the same way.
        let eval = match (known, known_score) {
            (Some(entry), Some(score))
                if self.margins.trust > 0
                    && forced.is_none()
                    && score.abs() < SURE
                    && entry.bound.holds(score > eval) =>
            {
                score
            }
            _ => eval,
        };
        let improving = self.ply < 2 || eval > self.frames[self.ply - 2].eval;

        // Looks say nothing while an open three must be answered.
        if !N::PV && forced.is_none() && !pressed && excluded == 0 {
            // 6. Hopeless: only fours could help.
            if depth <= self.margins.razor_most * PLY
                && eval + self.margins.razor_base + self.margins.razor_depth * depth / PLY < alpha
            {
                let score = self.quiesce(alpha, alpha + 1, 0);
                if score <= alpha {
                    self.tell(depth, Event::Hopeless);
                    return score;
                }
            }
            // 7. Much too good: the other side will not let it come to this.
            let margin = self.margins.futility * (depth - PLY * i32::from(improving)) / PLY;
            if depth <= self.margins.futility_depth * PLY && eval - margin >= beta && eval < SURE && beta > -SURE {
                self.tell(depth, Event::TooGood);
                return eval;
            }
            // 8. Good even if the other side moved twice.
            if cut && depth >= 7 * PLY && eval >= beta + 30 && !self.board.has_fours(own.other()) {
                let reduced = depth - 4 * PLY - depth / 4;
                self.frames[self.ply].kind = Kind::None;
                self.board.pass();
                self.ply += 1;
                let score = -self.search::<Zero>(-beta, 1 - beta, reduced, false);
                self.ply -= 1;
                self.board.pass();
                if score >= beta && score < SURE {
                    self.tell(depth, Event::Pass);
                    return score;
                }
            }
        }
        // 9. Without a hint the order is poor: look less deep, the next step will have one.
        if hint == 0 && depth >= 5 * PLY && forced.is_none() && (N::PV || cut) {
            depth -= PLY;
        }
        let last = self.board.before(1);

        // 10. One cell after the other.
        let mut part = self.candidates::<N>(hint, forced, pressed);
        let (mut best, mut best_spot, mut bound) = (-INFINITE, 0, Bound::Upper);
        let (mut tried, mut raised) = (0, false);
        let mut quiet: [Spot; 64] = [0; 64];
        let mut quiets = 0;
        let mut missed = Event::NoAnswer;
        while let Some(candidate) = self.pile.take(&mut part) {
            let spot = candidate.spot;
            if spot == excluded || self.board.is_foul(spot) {
                continue;
            }
            tried += 1;
            let look = *self.board.look(spot);
            let (kind, calm) = (look.kinds[own.index()], look.is_calm(own));
            let met = Met { spot, tried, kind, calm, follows: follows(&self.board, spot, last) };
            let reduction = self.reduction::<N>(depth, &met, &Place { improving, cut, raised, pressed });

            // 11. Late or hopeless quiet cells are left out.
            if !N::ROOT && best > -SURE && forced.is_none() && !pressed {
                let left = (depth - reduction).max(0) / PLY;
                let tenths = depth / (PLY / 10);
                let more = tenths * tenths * self.margins.count_depth / if improving { 5_000 } else { 10_000 };
                let enough = self.margins.count_base * if N::PV { 2 } else { 1 } + more;
                if tried > enough && !met.follows {
                    missed = Event::TooMany;
                    let board = &self.board;
                    self.pile.keep(&mut part, |spot| follows(board, spot, last));
                    continue;
                }
                let margin = self.margins.hopeless_base + self.margins.hopeless_depth * left;
                if calm && left <= 6 && eval + margin <= alpha {
                    // Those after it are as hopeless.
                    let board = &self.board;
                    self.pile.keep(&mut part, |spot| !board.look(spot).is_calm(own));
                    missed = Event::LeftOut;
                    continue;
                }
            }

            // 12. A hint that is better than all others by far deserves a deeper look.
            let mut extension = 0;
            if forced.is_some() {
                extension = PLY;
            } else if pressed {
                let stop = look.kinds[own.other().index()] == Kind::OpenFour || !kind.is_four();
                extension = i32::from(stop) * self.margins.extend_pressed;
            } else if !N::ROOT && spot == hint && excluded == 0 {
                let single = self.singular::<N>(depth, known, known_score, beta, cut);
                if single == i32::MIN {
                    return beta;
                }
                extension = single;
            }

            // 13. The first cell in full; the others must first show that they are better.
            let next = depth - PLY + extension.min((2 * self.step - self.ply as i32).max(0) * PLY);
            self.frames[self.ply].kind = kind;
            if followed == Some(spot) {
                followed = None;
                self.tell(depth, Event::Tried(tried, (next - reduction).max(PLY).min(next)));
            }
            let begun = self.nodes;
            self.play(spot);
            // Only the root plays fives: other nodes count them before.
            let score = match N::ROOT && kind == Kind::Five {
                true => self.win_in(0),
                false => self.search_child::<N>(alpha, beta, next, reduction, tried, cut),
            };
            self.undo();
            if self.stopped {
                return best.max(alpha);
            }
            if N::ROOT {
                self.note_root(spot, score, alpha, tried, self.nodes - begun);
            }

            // 14. A new best cell.
            if score > best {
                best = score;
                if score > alpha {
                    best_spot = spot;
                    alpha = score;
                    raised = true;
                    bound = Bound::Exact;
                    if N::PV {
                        self.extend_line(spot);
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        missed = Event::Other(cell(spot));
                        break;
                    }
                }
            }
            if calm && quiets < quiet.len() {
                quiet[quiets] = spot;
                quiets += 1;
            }
        }

        if followed.is_some() {
            self.tell(depth, missed);
        }

        // 15. Every cell is a foul or excluded: lost, or as bad as it gets.
        if tried == 0 {
            return match excluded {
                0 => -self.win_in(if forced.is_some() { 2 } else { 4 }),
                _ => alpha,
            };
        }
        if bound == Bound::Lower {
            self.reward(best_spot, &quiet[..quiets], depth);
        }

        // 16. Learn how far off the evaluation was, where nothing but it was at stake.
        if forced.is_none() && !pressed && excluded == 0 && best.abs() < SURE && bound.holds(best > plain) {
            self.history.errors.add(alike, best - plain, whole(depth));
        }

        // 17. Remember.
        if excluded == 0 && (!N::ROOT || self.whole) {
            let entry = Entry {
                best: best_spot,
                score: to_table(best, self.ply),
                eval: plain as i16,
                depth: whole(depth).min(120) as i8,
                bound,
            };
            self.shared.table.put(hash, entry);
        }
        best
    }

    /// The score of a child, by as little search as shows it.
    fn search_child<N: Node>(
        &mut self,
        alpha: i32,
        beta: i32,
        next: i32,
        reduction: i32,
        tried: i32,
        cut: bool,
    ) -> i32 {
        if tried > 1 {
            let reduced = (next - reduction).max(PLY).min(next);
            let mut score = -self.search::<Zero>(-alpha - 1, -alpha, reduced, true);
            if score > alpha && reduced < next {
                score = -self.search::<Zero>(-alpha - 1, -alpha, next, !cut);
            }
            if score <= alpha || !N::PV || score >= beta && !N::ROOT {
                return score;
            }
        }
        if N::PV {
            -self.search::<Exact>(-beta, -alpha, next, false)
        } else {
            -self.search::<Zero>(-beta, -alpha, next, !cut)
        }
    }

    /// Keeps what a cell of the root is worth. Cells that were not better only have a bound, and rank behind.
    fn note_root(&mut self, spot: Spot, score: i32, alpha: i32, tried: i32, effort: u64) {
        let line = self.frames[1].line.clone();
        if let Some(root) = self.roots.iter_mut().find(|root| root.spot == spot) {
            root.effort = root.effort / 2 + effort;
            if score > alpha || tried == 1 {
                root.score = score;
                root.line = std::iter::once(spot).chain(line).collect();
            } else {
                root.score = -INFINITE;
            }
        }
    }

    /// The line from here: this cell and what follows it.
    pub(super) fn extend_line(&mut self, spot: Spot) {
        let (before, after) = self.frames.split_at_mut(self.ply + 1);
        let line = &mut before[self.ply].line;
        line.clear();
        line.push(spot);
        line.extend_from_slice(&after[0].line);
    }
}
