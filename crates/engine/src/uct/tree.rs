//! The game tree: nodes in one vector, a node's children side by side, no pointers to parents.
//!
//! Without parents a block of children may move, so the tree can follow the game by naming another root and be
//! copied together when memory runs short.

use crate::board::Spot;
use crate::proof::Proof;

/// One position of the tree, and the stone that led to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// N(s): how many simulations passed here.
    pub visits: u32,
    /// Q(s): the sum of their marks, as the side that moved into the node sees them.
    pub marks: i32,
    /// Q(s) / N(s) and 1 / sqrt(N(s)), kept because selection reads them far oftener than back-up changes them.
    pub mean: f32,
    pub spread: f32,
    first: u32,
    count: u16,
    /// How many of the children, from the first, have been tried.
    pub tried: u16,
    pub spot: Spot,
    pub proof: Proof,
    /// Whether every legal cell has its child.
    pub complete: bool,
    /// Whether the side to move has a proven draw in hand.
    pub drawn: bool,
}

impl Node {
    const fn new(spot: Spot) -> Node {
        Node {
            visits: 0,
            marks: 0,
            mean: 0.0,
            spread: 0.0,
            first: 0,
            count: 0,
            tried: 0,
            spot,
            proof: Proof::Open,
            complete: false,
            drawn: false,
        }
    }

    /// Adds one simulation: 1 for a win, −1 for a loss, 0 for a draw.
    pub(super) fn mark(&mut self, mark: i32) {
        self.visits += 1;
        self.marks += mark;
        let visits = self.visits as f32;
        self.mean = self.marks as f32 / visits;
        self.spread = 1.0 / visits.sqrt();
    }

    pub(super) fn is_leaf(&self) -> bool {
        self.count == 0
    }

    pub(super) fn has_untried(&self) -> bool {
        self.tried < self.count
    }

    /// Where its children lie.
    pub(super) fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }
}

/// How many nodes the last expansion may take over the limit.
const SLACK: usize = 2048;

/// The tree of one game.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    root: usize,
    limit: usize,
}

impl Tree {
    /// A tree of a root, in so many MiB.
    pub(super) fn new(mebibytes: usize) -> Tree {
        // Half of the memory is for the copy that `compact` makes.
        let limit = (mebibytes << 19) / size_of::<Node>();
        let limit = limit.min(u32::MAX as usize - SLACK);
        // Memory that is not written to yet costs nothing, and a vector that never grows never takes twice as much.
        let mut tree = Tree { nodes: Vec::with_capacity(limit + SLACK), root: 0, limit };
        tree.clear();
        tree
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(Spot::default()));
        self.root = 0;
    }

    pub(super) fn root(&self) -> usize {
        self.root
    }

    pub(super) fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    pub(super) fn node_mut(&mut self, index: usize) -> &mut Node {
        &mut self.nodes[index]
    }

    pub(super) fn children(&self, index: usize) -> &[Node] {
        &self.nodes[self.nodes[index].children()]
    }

    /// Whether the child that this spot leads to can become the root; it does if so.
    pub(super) fn descend(&mut self, spot: Spot) -> bool {
        let children = self.nodes[self.root].children();
        match children.clone().find(|&child| self.nodes[child].spot == spot) {
            Some(child) => self.root = child,
            None => return false,
        }
        true
    }

    /// How often a leaf must have been visited to get children: once, oftener when memory gets scarce; `None` when
    /// there is none left.
    pub(super) fn visits_wanted(&self) -> Option<u32> {
        match self.nodes.len() {
            _ if self.is_full() => None,
            scarce if scarce >= self.limit / 2 => Some(8),
            _ => Some(1),
        }
    }

    /// Whether there is no room for more children.
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= self.limit
    }

    /// Whether it is full although part of it is forgotten branches.
    pub(super) fn wants_compaction(&self) -> bool {
        self.is_full() && self.root != 0
    }

    /// Gives a node these children, all untried.
    pub(super) fn expand(&mut self, index: usize, spots: &[Spot], complete: bool) {
        let first = self.nodes.len();
        self.nodes.extend(spots.iter().map(|&spot| Node::new(spot)));
        let node = &mut self.nodes[index];
        node.first = first as u32;
        node.count = spots.len() as u16;
        node.tried = 0;
        node.complete = complete;
    }

    /// Adds the spots that are not yet among a node's children. The block moves to where there is room.
    pub(super) fn widen(&mut self, index: usize, spots: &[Spot]) {
        let old = self.nodes[index].children();
        let first = self.nodes.len();
        self.nodes.extend_from_within(old.clone());
        for &spot in spots {
            if !self.nodes[old.clone()].iter().any(|child| child.spot == spot) {
                self.nodes.push(Node::new(spot));
            }
        }
        let count = self.nodes.len() - first;
        let node = &mut self.nodes[index];
        node.first = first as u32;
        node.count = count as u16;
        node.complete = true;
    }

    /// Takes the next untried child; `pick` chooses among so many.
    pub(super) fn try_child(&mut self, index: usize, pick: impl FnOnce(usize) -> usize) -> usize {
        let node = &mut self.nodes[index];
        let (children, tried) = (node.children(), usize::from(node.tried));
        node.tried += 1;
        let next = children.start + tried;
        self.nodes.swap(next, next + pick(children.len() - tried));
        next
    }

    /// Copies what hangs on the root together and frees the rest; gives up, changing nothing, when `hurry` says so.
    pub(super) fn compact(&mut self, mut hurry: impl FnMut() -> bool) {
        const SLICE: usize = 1 << 14;
        let mut copy = Vec::with_capacity(self.limit + SLACK);
        copy.push(self.nodes[self.root]);
        let mut next = 0;
        // Breadth first: what lies behind `next` still points into the old vector.
        while next < copy.len() {
            if next % SLICE == 0 && hurry() {
                return;
            }
            let old = copy[next].children();
            copy[next].first = copy.len() as u32;
            copy.extend_from_slice(&self.nodes[old]);
            next += 1;
        }
        self.nodes = copy;
        self.root = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spots(columns: std::ops::Range<usize>) -> Vec<Spot> {
        columns.map(|column| Spot::new(column, 0)).collect()
    }

    #[test]
    fn a_node_takes_32_bytes() {
        assert_eq!(size_of::<Node>(), 32);
    }

    #[test]
    fn compaction_keeps_what_hangs_on_the_root() {
        let mut tree = Tree::new(1);
        tree.expand(0, &spots(0..3), true);
        let (a, b) = (tree.try_child(0, |_| 2), tree.try_child(0, |_| 0));
        tree.expand(a, &spots(4..6), true);
        tree.expand(b, &spots(7..9), true);
        let leaf = tree.try_child(b, |_| 1);
        tree.node_mut(leaf).mark(1);
        assert!(tree.descend(tree.node(b).spot));
        assert!(!tree.descend(Spot::new(4, 0)));
        tree.compact(|| true);
        assert_eq!((tree.root(), tree.nodes.len()), (b, 8));
        tree.compact(|| false);
        assert_eq!((tree.root(), tree.nodes.len()), (0, 3));
        let seen: Vec<(Spot, u32)> = tree.children(0).iter().map(|node| (node.spot, node.visits)).collect();
        assert_eq!(seen, [(Spot::new(8, 0), 1), (Spot::new(7, 0), 0)]);
    }

    #[test]
    fn widening_keeps_the_children_there_are() {
        let mut tree = Tree::new(1);
        tree.expand(0, &spots(2..4), false);
        let child = tree.try_child(0, |_| 0);
        tree.node_mut(child).proof = Proof::Loss(2);
        tree.widen(0, &spots(0..4));
        let seen: Vec<Spot> = tree.children(0).iter().map(|node| node.spot).collect();
        assert_eq!(seen, [2, 3, 0, 1].map(|column| Spot::new(column, 0)));
        assert_eq!(tree.children(0)[0].proof, Proof::Loss(2));
        assert!(tree.node(0).has_untried() && tree.node(0).complete);
    }

    #[test]
    fn memory_is_bounded() {
        let mut tree = Tree::new(1);
        let mut node = 0;
        while tree.visits_wanted().is_some() {
            tree.expand(node, &spots(0..30), true);
            node = tree.try_child(node, |_| 0);
        }
        assert!(tree.nodes.len() * size_of::<Node>() <= (1 << 19) + (1 << 15));
    }
}
