//! The search: minimax with fail-hard alpha-beta, as printed (S4-05, S4-06).

use lianzi_engine::Instant;

use super::board::{Board, Side};
use super::patterns::PatternTable;
use super::version::{Candidates, Evaluation, Settings};
use lianzi_engine::Stop;

/// More than any evaluation.
const INFINITY: i64 = i64::MAX;

/// When a search must end even if it is not complete.
#[derive(Clone, Debug)]
pub(super) struct Budget<'a> {
    pub stop: &'a Stop,
    pub nodes: u64,
    pub deadline: Option<Instant>,
}

/// One search from one root.
pub(super) struct Search<'a> {
    pub board: Board,
    pub settings: &'a Settings,
    pub table: &'a PatternTable,
    pub budget: Budget<'a>,
    pub nodes: u64,
}

/// The candidates of the root in the program's order, with the scores of those that were searched, in halves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Root {
    pub candidates: Vec<u16>,
    pub scores: Vec<i64>,
}

impl Root {
    /// The candidates with their scores, best first and ties in the program's order (S4-26); only the first
    /// candidate, without a score, when none was searched to its end.
    pub fn ranked(&self) -> impl Iterator<Item = (u16, i64)> + use<> {
        let scores = if self.scores.is_empty() { &[0][..] } else { &self.scores };
        let mut ranked: Vec<(u16, i64)> = self.candidates.iter().copied().zip(scores.iter().copied()).collect();
        ranked.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
        ranked.into_iter()
    }
}

impl Search<'_> {
    /// Scores the root's candidates one after the other, as far as the budget lasts.
    ///
    /// The root is never cut: no score reaches its infinite beta. The printed program can be cut there, when the
    /// stone it tries leaves the enemy no answer, and then stops with an error; see `alpha_beta`.
    pub fn root(&mut self, depth: u32) -> Root {
        self.nodes += 1;
        let mut root = Root { candidates: self.candidates(), scores: Vec::new() };
        let mut alpha = -INFINITY;
        for &point in &root.candidates {
            let Some(score) = self.child(point, Side::Own, depth, (alpha, INFINITY)) else { break };
            root.scores.push(score);
            alpha = alpha.max(score);
        }
        root
    }

    /// What a node is worth to the player, or `None` when the budget is spent.
    ///
    /// Fail-hard: a cut returns the bound that was passed. A node without candidates is a leaf: the printed
    /// program would return an infinite bound, and no move at all at the root above it.
    fn alpha_beta(&mut self, side: Side, depth: u32, (mut alpha, mut beta): (i64, i64)) -> Option<i64> {
        self.count_node()?;
        if depth == 0 || self.board.winner(self.settings.win_test).is_some() {
            return Some(self.evaluate(side));
        }
        let candidates = self.candidates();
        if candidates.is_empty() {
            return Some(self.evaluate(side));
        }
        for point in candidates {
            let score = self.child(point, side, depth, (alpha, beta))?;
            let (bound, cut) = match side {
                Side::Own => (&mut alpha, beta),
                Side::Enemy => (&mut beta, alpha),
            };
            let better = if side == Side::Own { score > *bound } else { score < *bound };
            if better {
                *bound = score;
                if self.settings.prune && alpha >= beta {
                    return Some(cut);
                }
            }
        }
        Some(if side == Side::Own { alpha } else { beta })
    }

    /// Plays a candidate, searches what follows and takes it back. Without pruning nobody hands a bound down.
    fn child(&mut self, point: u16, side: Side, depth: u32, window: (i64, i64)) -> Option<i64> {
        let window = if self.settings.prune { window } else { (-INFINITY, INFINITY) };
        self.board.play(self.board.place(point), side);
        let score = self.alpha_beta(side.other(), depth - 1, window);
        self.board.undo(side);
        score
    }

    fn count_node(&mut self) -> Option<()> {
        const CLOCK_EVERY: u64 = 64;
        let late = self.nodes.is_multiple_of(CLOCK_EVERY)
            && self.budget.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || self.nodes >= self.budget.nodes || self.budget.stop.is_set() {
            return None;
        }
        self.nodes += 1;
        Some(())
    }

    /// The cells worth trying, in the order they are tried.
    fn candidates(&self) -> Vec<u16> {
        let board = &self.board;
        let mut blanks = board.blanks();
        match self.settings.candidates {
            Candidates::All => {}
            Candidates::NearFirst => blanks.sort_by_key(|&point| !board.has_stone_at(point, 1)),
            Candidates::InsideOut(farthest) => {
                let ring = |point: u16| (1..=farthest).find(|&distance| board.has_stone_at(point, distance));
                blanks.retain(|&point| ring(point).is_some());
                blanks.sort_by_key(|&point| ring(point));
            }
            Candidates::Within(farthest) => {
                blanks.retain(|&point| (1..=farthest).any(|distance| board.has_stone_at(point, distance)));
            }
        }
        blanks
    }

    /// What the position is worth to the player when `side` is to move, in halves (S4-07, S4-29).
    pub fn evaluate(&self, side: Side) -> i64 {
        let five = 2 * self.settings.weights.five;
        match self.board.winner(self.settings.win_test) {
            Some(Side::Own) => return five,
            Some(Side::Enemy) => return -five,
            None => {}
        }
        let worth = |of: Side| {
            let weight = if of == side { self.settings.attack_halves } else { 2 };
            self.board.patterns(of, self.table) * weight
        };
        match self.settings.evaluation {
            Evaluation::WinOnly => 0,
            Evaluation::Own => worth(Side::Own),
            Evaluation::Difference => worth(Side::Own) - worth(Side::Enemy),
        }
    }
}
