//! Algorithm 2 of the document: minimax by depth, with what the modules add.
//!
//! Three slips of the printed algorithm are mended: the minimum's cut is `<= α` (it prints `>= β`), a remembered
//! score is used only as far as its type allows (it returns any), and a node keeps its own move with the child's
//! score (`result = curRes` would return the child's move). A far cell is skipped, as the prose says; the
//! printed `break` would drop near cells behind it.
//!
//! One thing is added: a five is worth the less the later it comes. With the document's equal values a winner
//! may put its five off for ever and a loser need not block.

use lianzi_engine::Instant;

use lianzi_core::{Cell, Stone};

use super::Modules;
use super::board::{Board, Index};
use super::evaluate::{FIVE, evaluate};
use super::moves::make_moves;
use super::table::{Item, PositionTable, ScoreType};
use lianzi_engine::Stop;

/// No iteration is deeper (SR-11).
pub(super) const MAX_DEPTH: u32 = 20;

/// Above every value.
const INFINITE: i32 = FIVE + 1;

/// How many positions are visited between two looks at the clock and the stop flag.
const PATIENCE: u64 = 512;

/// Values beyond this are fives, less the plies until then.
const FIVE_SEEN: i32 = FIVE - 1000;

/// What ends a search from outside.
pub(super) struct Bounds<'a> {
    pub(super) stop: &'a Stop,
    pub(super) deadline: Option<Instant>,
    pub(super) nodes: u64,
}

impl Bounds<'_> {
    fn reached(&self, nodes: u64) -> bool {
        let look = nodes.is_multiple_of(PATIENCE);
        nodes > self.nodes
            || look && (self.stop.is_set() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline))
    }
}

/// What an iteration found: a value for the side to move and the moves it rests on, this turn's first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) value: i32,
    pub(super) moves: Vec<Index>,
}

impl Found {
    /// The value on the document's scale, in which every five is worth the same.
    pub(super) fn score(&self) -> i32 {
        if self.value.abs() > FIVE_SEEN { FIVE * self.value.signum() } else { self.value }
    }

    /// In how many plies the five comes that was seen: positive for the side to move.
    pub(super) fn win_in(&self) -> Option<i32> {
        (self.value.abs() > FIVE_SEEN).then(|| (FIVE - self.value.abs()) * self.value.signum())
    }
}

/// One search from one position.
pub(super) struct Search<'a> {
    board: &'a mut Board,
    table: &'a mut PositionTable,
    modules: Modules,
    pub(super) bounds: Bounds<'a>,
    /// The document's "black": the side that searches, whoever began the game.
    black: Stone,
    pub(super) nodes: u64,
    pub(super) ended: bool,
    moves: Vec<Vec<Index>>,
    /// The best line from each ply on.
    lines: Vec<Vec<Index>>,
    best: Option<Found>,
    /// Moves that the root leaves out, because they are known already.
    pub(super) known: Vec<Index>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        board: &'a mut Board,
        table: &'a mut PositionTable,
        modules: Modules,
        bounds: Bounds<'a>,
    ) -> Search<'a> {
        let black = board.to_move();
        let per_ply = || vec![Vec::new(); MAX_DEPTH as usize + 2];
        let (moves, lines) = (per_ply(), per_ply());
        let (nodes, ended, best, known) = (0, false, None, Vec::new());
        Search { board, table, modules, bounds, black, nodes, ended, moves, lines, best, known }
    }

    /// Searches to this depth. If it was ended early, the best of the moves it could complete, if any.
    pub(super) fn iterate(&mut self, depth: u32) -> Option<Found> {
        self.best = None;
        // Both infinite, so that every child of the root is visited; the document prints β = −∞ by mistake.
        self.search_step(depth, 0, -INFINITE, INFINITE);
        self.best.take()
    }

    /// The first move it would try: an answer when there is no time for any other.
    pub(super) fn first_move(&mut self) -> Option<Index> {
        let mut moves = Vec::new();
        make_moves(self.board, self.modules.distance_order, self.modules.distance_cut, &mut moves);
        moves.first().copied()
    }

    /// The cell of an index.
    pub(super) fn cell(&self, index: Index) -> Cell {
        self.board.cell(index)
    }

    /// The value of the position for "black": the maximum of the children where it is to move, else the minimum.
    fn search_step(&mut self, depth: u32, ply: u32, mut alpha: i32, mut beta: i32) -> i32 {
        self.nodes += 1;
        if self.bounds.reached(self.nodes) {
            self.ended = true;
            return 0;
        }
        self.lines[ply as usize].clear();

        // 1. Is this a leaf?
        if depth == 0 || self.board.has_five(self.board.to_move().other()) {
            return self.leaf_value(ply);
        }

        // 2. Was it searched before?
        let item = if self.modules.hash { self.table.find(self.board.key()) } else { None };
        if let Some(score) = item.and_then(|item| usable(item, depth, ply, alpha, beta)) {
            return score;
        }

        // 3. The moves, the remembered one first.
        let moves = self.ordered(ply, item.map(|item| item.best_move));
        let Some(&(mut best_move)) = moves.first() else {
            self.moves[ply as usize] = moves;
            return self.leaf_value(ply);
        };

        // 4. The best child.
        let maximum = self.board.to_move() == self.black;
        let window = (alpha, beta);
        let mut best = if maximum { -INFINITE } else { INFINITE };
        for &cell in &moves {
            self.board.put(cell);
            let score = self.search_step(depth - 1, ply + 1, alpha, beta);
            self.board.take_back();
            if self.ended {
                break;
            }
            if if maximum { score > best } else { score < best } {
                (best, best_move) = (score, cell);
                self.keep_line(ply, cell, score);
                match (self.modules.alpha_beta, maximum) {
                    (false, _) => {}
                    (true, true) => alpha = alpha.max(best),
                    (true, false) => beta = beta.min(best),
                }
            }
            if alpha >= beta {
                break;
            }
        }
        self.moves[ply as usize] = moves;

        // 5. Remember it.
        if self.modules.hash && !self.ended && (ply > 0 || self.known.is_empty()) {
            self.remember(depth, ply, best, best_move, window);
        }
        best
    }

    /// The moves of a position, this one first if it is among them.
    fn ordered(&mut self, ply: u32, first: Option<Index>) -> Vec<Index> {
        let mut moves = std::mem::take(&mut self.moves[ply as usize]);
        make_moves(self.board, self.modules.distance_order, self.modules.distance_cut, &mut moves);
        if let Some(first) = first.and_then(|first| moves.iter().position(|&cell| cell == first)) {
            moves[..=first].rotate_right(1);
        }
        if ply == 0 {
            moves.retain(|cell| !self.known.contains(cell));
        }
        moves
    }

    fn leaf_value(&mut self, ply: u32) -> i32 {
        let last = self.board.to_move().other();
        let sign = if last == self.black { 1 } else { -1 };
        let value = evaluate(self.board);
        let later = if value.abs() == FIVE { ply as i32 * value.signum() } else { 0 };
        sign * (value - later)
    }

    /// A better move was found: it and the line after it are the line from here.
    fn keep_line(&mut self, ply: u32, cell: Index, value: i32) {
        let (here, after) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut here[ply as usize];
        line.clear();
        line.push(cell);
        line.extend_from_slice(&after[0]);
        if ply == 0 {
            self.best = Some(Found { value, moves: line.clone() });
        }
    }

    fn remember(&mut self, depth: u32, ply: u32, best: i32, best_move: Index, window: (i32, i32)) {
        let score_type = match best {
            _ if best <= window.0 => ScoreType::Alpha,
            _ if best >= window.1 => ScoreType::Beta,
            _ => ScoreType::Exact,
        };
        let score = best + plies_to_five(best, ply);
        let zobrist = self.board.key();
        self.table.store(Item { zobrist, depth: depth as u8, score, score_type, best_move });
    }
}

/// The remembered score, if it is deep enough and its type settles the question. The root always searches, for
/// it must name a move.
fn usable(item: Item, depth: u32, ply: u32, alpha: i32, beta: i32) -> Option<i32> {
    if ply == 0 || u32::from(item.depth) < depth {
        return None;
    }
    let score = item.score - plies_to_five(item.score, ply);
    let settled = match item.score_type {
        ScoreType::Exact => true,
        ScoreType::Alpha => score <= alpha,
        ScoreType::Beta => score >= beta,
    };
    settled.then_some(score)
}

/// What turns a five counted from the root into one counted from this ply.
fn plies_to_five(score: i32, ply: u32) -> i32 {
    if score.abs() > FIVE_SEEN { ply as i32 * score.signum() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    // S1-21, S1-27: ⚠ the document returns a remembered score whatever its type; here a bound is only a bound.
    #[test]
    fn a_remembered_score_says_what_its_type_says() {
        let item = |score_type| Item { zobrist: 1, depth: 4, score: 50, score_type, best_move: 0 };
        let at = |score_type, depth, alpha, beta| usable(item(score_type), depth, 2, alpha, beta);
        assert_eq!(at(ScoreType::Exact, 4, 0, 100), Some(50));
        assert_eq!(at(ScoreType::Exact, 3, 60, 100), Some(50));
        assert_eq!(at(ScoreType::Exact, 5, 0, 100), None);
        assert_eq!((at(ScoreType::Alpha, 4, 0, 100), at(ScoreType::Alpha, 4, 50, 100)), (None, Some(50)));
        assert_eq!((at(ScoreType::Beta, 4, 0, 100), at(ScoreType::Beta, 4, 0, 50)), (None, Some(50)));
        // The root must name a move and asks nobody.
        assert_eq!(usable(item(ScoreType::Exact), 4, 0, 0, 100), None);
    }
}
