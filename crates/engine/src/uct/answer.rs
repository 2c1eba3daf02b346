//! What the tree says: the turn to play, and the lines behind it.

use lianzi_core::{Cell, Position};

use super::search::Search;
use super::tree::Node;
use crate::board::PlayoutBoard;
use crate::proof::Proof;
use crate::random::fill_turn;
use crate::{Best, Info, Line};

/// How many plies a line is followed.
const LONGEST: usize = 40;

/// What a score is when the side to move is sure to win.
const SURE: f32 = 10_000.0;

impl<B: PlayoutBoard> Search<B> {
    /// The turn to play and what it rests on, with so many lines.
    pub(super) fn answer(&mut self, position: &Position, lines: usize) -> Best {
        let mut index = Some(self.tree.root());
        let turn = fill_turn(position, |position| {
            index = index.and_then(|index| self.favourite(index));
            match index {
                Some(index) => self.tree.node(index).spot.into(),
                None => self.guess(position),
            }
        });
        let mut info = self.info(position, lines);
        if let Some(best) = info.lines.first_mut().filter(|line| !line.cells.starts_with(&turn)) {
            // The tree did not reach to the end of the turn.
            best.cells.clone_from(&turn);
        }
        Best { turn, info }
    }

    /// What is known so far, with so many lines.
    pub(super) fn info(&self, position: &Position, lines: usize) -> Info {
        let stones = usize::from(position.stones_left());
        let mut found: Vec<Line> = Vec::new();
        let mut turns: Vec<Vec<Cell>> = Vec::new();
        for child in self.ranking(self.tree.root()) {
            let line = self.line(child);
            // The same stones in another order are the same turn.
            let mut turn: Vec<Cell> = line.cells.iter().copied().take(stones).collect();
            turn.sort();
            if !turns.contains(&turn) {
                turns.push(turn);
                found.push(line);
            }
            if found.len() >= lines.max(1) {
                break;
            }
        }
        Info { depth: self.depth, nodes: self.simulations, lines: found }
    }

    /// The line that begins with this child of the root.
    fn line(&self, child: usize) -> Line {
        let node = self.tree.node(child);
        let (score, win_in) = match node.proof {
            Proof::Win(plies) => (SURE, Some(i32::from(plies) + 1)),
            Proof::Loss(plies) => (-SURE, Some(-i32::from(plies) - 1)),
            Proof::Draw(_) => (0.0, None),
            Proof::Open => (SURE * node.mean, None),
        };
        let main = std::iter::successors(Some(child), |&index| self.favourite(index));
        let cells = main.take(LONGEST).map(|index| self.tree.node(index).spot.into()).collect();
        Line { score: score as i32, win_in, cells }
    }

    /// The best of a node's children that have been tried.
    fn favourite(&self, index: usize) -> Option<usize> {
        self.ranking(index).first().copied()
    }

    /// A node's children that have been tried, best first.
    fn ranking(&self, index: usize) -> Vec<usize> {
        let tried = self.tree.node(index).children().filter(|&child| self.tree.node(child).visits > 0);
        let mut children: Vec<usize> = tried.collect();
        children.sort_by_key(|&child| std::cmp::Reverse(self.rank(self.tree.node(child))));
        // A draw that is sure beats a hope that has not fared as well.
        let poor = children.first().is_some_and(|&child| self.tree.node(child).marks < 0);
        let draw = children
            .iter()
            .position(|&child| self.settings.proven && matches!(self.tree.node(child).proof, Proof::Draw(_)));
        if let Some(draw) = draw.filter(|_| poor) {
            children[..=draw].rotate_right(1);
        }
        children
    }

    /// A proven win is best, the sooner the better; a proven loss worst, the later the better; between them the
    /// most visited is the most trusted.
    fn rank(&self, node: &Node) -> (i64, i32) {
        let proof = if self.settings.proven { node.proof } else { Proof::Open };
        let trust = match proof {
            Proof::Win(plies) => i64::MAX - i64::from(plies),
            Proof::Loss(plies) => i64::MIN + i64::from(plies),
            Proof::Draw(_) => 0,
            Proof::Open => i64::from(node.visits),
        };
        (trust, node.marks)
    }
}
