//! What the tree says: the column to play, and the lines behind it.

use std::cmp::Reverse;

use super::super::board::FourBoard;
use super::tree::{Node, Tree};
use crate::Line;
use crate::proof::Proof;

/// How many plies a line is followed.
const LONGEST: usize = 40;

/// What a score is when the side to move is sure to win.
pub(super) const SURE: f32 = 10_000.0;

/// The lines that begin with the root's children, best first, at most so many. Of a child that nobody looked at there
/// is nothing to say, unless all others lose.
pub(super) fn lines(tree: &Tree, board: &FourBoard, most: usize) -> Vec<Line> {
    let is_seen = |child: usize| tree.node(child).visits() > 0 || !tree.node(child).proof().is_open();
    let children = ranking(tree, tree.root()).into_iter().enumerate();
    let told = children.filter(|&(n, child)| n == 0 || is_seen(child)).take(most.max(1));
    told.map(|(_, child)| line(tree, board, child)).collect()
}

/// The child of the root that would be played.
pub(super) fn best(tree: &Tree) -> usize {
    ranking(tree, tree.root())[0]
}

/// The line that begins with this child of the root.
fn line(tree: &Tree, board: &FourBoard, child: usize) -> Line {
    let node = tree.node(child);
    let (score, win_in) = match node.proof() {
        Proof::Win(plies) => (SURE, Some(i32::from(plies) + 1)),
        Proof::Loss(plies) => (-SURE, Some(-i32::from(plies) - 1)),
        Proof::Draw(_) => (0.0, Some(0)),
        Proof::Open => (SURE * node.mean(), None),
    };
    let mut board = board.clone();
    let mut cells = Vec::new();
    let mut next = Some(child);
    while let Some(index) = next.filter(|_| cells.len() < LONGEST) {
        let column = tree.node(index).column();
        cells.push(board.landing(column));
        if board.wins(board.turn()) >> column & 1 == 1 {
            break;
        }
        board.drop(column);
        next = ranking(tree, index).into_iter().find(|&child| tree.node(child).visits() > 0);
    }
    Line { score: score as i32, win_in, cells }
}

/// A node's children, best first.
fn ranking(tree: &Tree, index: usize) -> Vec<usize> {
    let mut children: Vec<usize> = tree.node(index).children().collect();
    children.sort_by_key(|&child| Reverse(rank(tree.node(child))));
    // A draw that is sure beats a hope that has not fared as well.
    let poor = children.first().is_some_and(|&child| tree.node(child).mean() < 0.0);
    let draw = children.iter().position(|&child| matches!(tree.node(child).proof(), Proof::Draw(_)));
    if let Some(draw) = draw.filter(|_| poor) {
        children[..=draw].rotate_right(1);
    }
    children
}

/// A proven win is best, the sooner the better; a proven loss worst, the later the better; between them the most
/// visited is the most trusted.
fn rank(node: &Node) -> i64 {
    match node.proof() {
        win @ Proof::Win(_) => i64::from(u32::MAX) + i64::from(win.rank()),
        loss @ Proof::Loss(_) => i64::from(loss.rank()),
        Proof::Draw(_) => 0,
        Proof::Open => i64::from(node.visits()) + 1,
    }
}
