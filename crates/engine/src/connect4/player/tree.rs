//! The game tree, shared by all threads: nodes in chunks, a node's children side by side, no pointers to parents.
//!
//! Every field is atomic and nothing is ever moved while threads search, so they need no lock. Visits and points of a
//! node are one word, so both always belong together.

use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};

use super::super::board::{Columns, each};
use crate::crew::{Apart, reserve};
use crate::proof::Proof;

/// How many nodes are allocated at a time; a node's children always lie in one chunk.
const CHUNK: usize = 1 << 12;

/// How often a leaf must have been visited to get children.
const EXPAND: u32 = 2;

/// When memory is short a leaf needs so many visits, and below them a node's children are not worth keeping.
const SELDOM: u32 = 16;

/// A visit in the word of visits and points.
const VISIT: u64 = 1 << 32;

/// One position of the tree, and the stone that led to it.
///
/// ```text
///     stats   [ visits 32 ][ points 32 ]     2 points for a win of the side that moved into the node, 1 for a draw
///     first   where its children begin; 0 when it has none
///     fact    [ plies 16 ][ – 2 ][ proof 2 ][ – 3 ][ children 5 ][ column 4 ]
/// ```
#[derive(Debug, Default)]
pub(super) struct Node {
    stats: AtomicU64,
    first: AtomicU32,
    fact: AtomicU32,
}

impl Node {
    /// N(s), the simulations that passed here, those under way included; and their points.
    #[inline]
    pub(super) fn stats(&self) -> (u32, u32) {
        let stats = self.stats.load(Relaxed);
        ((stats >> 32) as u32, stats as u32)
    }

    /// N(s): how many simulations have passed here.
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.stats().0
    }

    /// The mean of the marks as the side that moved into the node sees them: 1 for a win, −1 for a loss.
    pub(super) fn mean(&self) -> f32 {
        let (visits, points) = self.stats();
        if visits == 0 { 0.0 } else { points as f32 / visits as f32 - 1.0 }
    }

    /// A simulation goes through here; until it comes back it counts as lost, which sends other threads elsewhere.
    #[inline]
    pub(super) fn enter(&self, alone: bool) {
        self.add(VISIT, alone);
    }

    /// A simulation comes back with 2 points for a win of the side that moved into the node, or 1 for a draw.
    #[inline]
    pub(super) fn leave(&self, points: u64, alone: bool) {
        self.add(points, alone);
    }

    /// So many simulations that did not enter one by one come back with these points together.
    pub(super) fn pass(&self, visits: u64, points: u64) {
        self.add(visits * VISIT + points, false);
    }

    /// A thread that is alone spares itself the cost of a locked addition.
    #[inline]
    fn add(&self, amount: u64, alone: bool) {
        if alone {
            self.stats.store(self.stats.load(Relaxed) + amount, Relaxed);
        } else {
            self.stats.fetch_add(amount, Relaxed);
        }
    }

    /// The column of the stone that led here.
    #[inline]
    pub(super) fn column(&self) -> usize {
        self.fact.load(Relaxed) as usize & 15
    }

    /// What is proven, as the side that moved into the node sees it.
    #[inline]
    pub(super) fn proof(&self) -> Proof {
        let fact = self.fact.load(Relaxed);
        let plies = (fact >> 16) as u16;
        match fact >> 12 & 3 {
            0 => Proof::Open,
            1 => Proof::Win(plies),
            2 => Proof::Draw(plies),
            _ => Proof::Loss(plies),
        }
    }

    /// Writes down what is proven.
    pub(super) fn prove(&self, proof: Proof) {
        let (kind, plies) = match proof {
            Proof::Open => (0, 0),
            Proof::Win(plies) => (1, plies),
            Proof::Draw(plies) => (2, plies),
            Proof::Loss(plies) => (3, plies),
        };
        self.change_fact(0xffff_3000, u32::from(plies) << 16 | kind << 12);
    }

    /// Changes the bits of the mask.
    fn change_fact(&self, mask: u32, bits: u32) {
        let change = |fact: u32| Some(fact & !mask | bits);
        // The closure never refuses.
        let _ = self.fact.fetch_update(Relaxed, Relaxed, change);
    }

    /// Where its children lie.
    #[inline]
    pub(super) fn children(&self) -> std::ops::Range<usize> {
        let first = self.first.load(Acquire) as usize;
        if first == 0 { 0..0 } else { first..first + (self.fact.load(Relaxed) as usize >> 4 & 31) }
    }

    #[inline]
    pub(super) fn is_leaf(&self) -> bool {
        self.first.load(Relaxed) == 0
    }

    fn copy_from(&self, other: &Node) {
        self.stats.store(other.stats.load(Relaxed), Relaxed);
        self.fact.store(other.fact.load(Relaxed), Relaxed);
        self.first.store(other.first.load(Relaxed), Relaxed);
    }
}

/// The tree of one game.
#[derive(Debug)]
pub(super) struct Tree {
    chunks: Vec<OnceLock<Box<[Node]>>>,
    used: Apart<AtomicUsize>,
    root: usize,
}

impl Tree {
    /// A tree of a root, in so many MiB.
    pub(super) fn new(mebibytes: usize) -> Tree {
        // Half of the memory is for the copy that `compact` makes.
        let chunks = ((mebibytes << 19) / (CHUNK * size_of::<Node>())).max(1);
        let chunks = chunks.min(u32::MAX as usize / CHUNK);
        Tree { chunks: (0..chunks).map(|_| OnceLock::new()).collect(), used: Apart(AtomicUsize::new(1)), root: 0 }
    }

    /// Where the position asked about is.
    pub(super) fn root(&self) -> usize {
        self.root
    }

    fn chunk(&self, index: usize) -> &[Node] {
        let chunk = &self.chunks[index / CHUNK];
        chunk.get_or_init(|| (0..CHUNK).map(|_| Node::default()).collect())
    }

    /// Before several threads search: makes sure of the memory for the chunks that are still to come, which one thread
    /// makes and all use.
    pub(super) fn reserve(&self) {
        /// What the allocator adds to a chunk, at most.
        const MORE: usize = 64;
        let missing = self.chunks.iter().filter(|chunk| chunk.get().is_none()).count();
        reserve(missing * (CHUNK * size_of::<Node>() + MORE));
    }

    /// The node of this number.
    #[inline]
    pub(super) fn node(&self, index: usize) -> &Node {
        &self.chunk(index)[index % CHUNK]
    }

    /// The children of a node.
    #[inline]
    pub(super) fn children(&self, index: usize) -> &[Node] {
        let range = self.node(index).children();
        if range.is_empty() {
            return &[];
        }
        let start = range.start % CHUNK;
        &self.chunk(range.start)[start..start + range.len()]
    }

    /// How often a leaf must have been visited to get children: oftener when memory gets scarce; `None` when there is
    /// none left.
    #[inline]
    pub(super) fn visits_wanted(&self) -> Option<u32> {
        let (used, room) = (self.used.load(Relaxed), self.chunks.len() * CHUNK);
        match () {
            () if used + 16 > room => None,
            () if used > room / 2 => Some(SELDOM),
            () => Some(EXPAND),
        }
    }

    /// Takes room for so many nodes side by side.
    fn take(&self, count: usize) -> Option<usize> {
        let room = self.chunks.len() * CHUNK;
        let begin = |used: usize| {
            // A block that does not fit into this chunk begins the next one.
            let fits = used % CHUNK + count <= CHUNK;
            if fits { used } else { used.next_multiple_of(CHUNK) }
        };
        let next = |used: usize| Some(begin(used) + count).filter(|&end| end <= room);
        self.used.fetch_update(Relaxed, Relaxed, next).ok().map(begin)
    }

    /// Gives a leaf these children. Threads that do so at once give it the same ones, and the first is obeyed.
    pub(super) fn expand(&self, index: usize, columns: Columns) {
        let node = self.node(index);
        if let Some(first) = self.block(columns) {
            node.change_fact(0x1f0, columns.count_ones() << 4);
            // If another thread was faster its block stays.
            let _ = node.first.compare_exchange(0, first as u32, Release, Relaxed);
        }
    }

    /// New nodes for these columns.
    fn block(&self, columns: Columns) -> Option<usize> {
        let first = self.take(columns.count_ones() as usize)?;
        for (n, column) in each(columns).enumerate() {
            self.node(first + n).fact.store(column as u32, Relaxed);
        }
        Some(first)
    }

    /// Gives the root all these children, those it has included, and lets their proofs speak for it. Only between
    /// searches.
    pub(super) fn prepare(&mut self, columns: Columns) {
        if !self.widen(columns) {
            self.clear();
            // An empty tree has room.
            self.widen(columns);
        }
        self.node(self.root).prove(Proof::Open);
    }

    /// Whether there was room to give the root all these children.
    fn widen(&mut self, columns: Columns) -> bool {
        let root = self.root;
        if self.node(root).children().len() == columns.count_ones() as usize {
            return true;
        }
        let Some(first) = self.block(columns) else { return false };
        for (n, column) in each(columns).enumerate() {
            if let Some(old) = self.children(root).iter().find(|child| child.column() == column) {
                self.node(first + n).copy_from(old);
            }
        }
        self.node(root).change_fact(0x1f0, columns.count_ones() << 4);
        self.node(root).first.store(first as u32, Release);
        true
    }

    /// Whether the child that this column leads to can become the root; it does if so.
    pub(super) fn descend(&mut self, column: usize) -> bool {
        let children = self.node(self.root).children();
        let found = children.into_iter().find(|&child| self.node(child).column() == column);
        self.root = found.unwrap_or(self.root);
        found.is_some()
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.chunks.iter_mut().for_each(|chunk| drop(chunk.take()));
        self.used = Apart(AtomicUsize::new(1));
        self.root = 0;
    }

    /// Copies what hangs on the root together when more than half of the room is taken, and frees the rest.
    pub(super) fn compact(&mut self) {
        let room = self.chunks.len() * CHUNK;
        if self.used.load(Relaxed) <= room / 2 {
            return;
        }
        let empty = (0..self.chunks.len()).map(|_| OnceLock::new()).collect();
        let copy = Tree { chunks: empty, used: Apart(AtomicUsize::new(1)), root: 0 };
        copy.node(0).copy_from(self.node(self.root));
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            let node = copy.node(index);
            let children = node.children();
            node.first.store(0, Relaxed);
            // Children of a node that was seldom visited are soon found again.
            if children.is_empty() || index != 0 && node.visits() < SELDOM {
                continue;
            }
            let Some(first) = copy.take(children.len()) else { continue };
            for (n, child) in children.enumerate() {
                copy.node(first + n).copy_from(self.node(child));
                open.push(first + n);
            }
            node.first.store(first as u32, Relaxed);
        }
        *self = copy;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(tree: &Tree) -> Vec<usize> {
        tree.children(tree.root()).iter().map(Node::column).collect()
    }

    #[test]
    fn a_node_takes_16_bytes_and_keeps_what_it_is_told() {
        assert_eq!(size_of::<Node>(), 16);
        let node = Node::default();
        for proof in [Proof::Win(3), Proof::Draw(200), Proof::Loss(0), Proof::Open] {
            node.prove(proof);
            assert_eq!(node.proof(), proof);
        }
        node.enter(true);
        node.enter(false);
        node.leave(2, true);
        assert_eq!((node.stats(), node.mean()), ((2, 2), 0.0));
    }

    #[test]
    fn the_root_gets_the_children_it_lacks() {
        let mut tree = Tree::new(1);
        tree.expand(0, 0b1010);
        tree.node(2).enter(true);
        tree.prepare(0b1111);
        assert_eq!(columns(&tree), [0, 1, 2, 3]);
        let visits: Vec<u32> = tree.children(0).iter().map(Node::visits).collect();
        assert_eq!(visits, [0, 0, 0, 1]);
        assert!(tree.descend(3) && !tree.descend(0));
    }

    #[test]
    fn memory_is_bounded_and_compaction_keeps_what_hangs_on_the_root() {
        let mut tree = Tree::new(1);
        let mut index = 0;
        while tree.visits_wanted().is_some() {
            tree.expand(index, 0xffff);
            (0..100).for_each(|_| tree.node(index).enter(true));
            index = tree.node(index).children().start + 5;
        }
        assert!(tree.used.load(Relaxed) * size_of::<Node>() <= 1 << 19);
        tree.expand(index, 0xffff);
        assert!(tree.node(index).is_leaf());
        let depth = |tree: &Tree| {
            let next = |&index: &usize| Some(tree.node(index).children().start + 5).filter(|&next| next > 5);
            std::iter::successors(Some(tree.root()), next).count()
        };
        let before = depth(&tree);
        assert!(tree.descend(5) && tree.descend(5));
        tree.compact();
        assert_eq!((tree.root(), depth(&tree)), (0, before - 2));
        tree.prepare(0xffff);
        assert_eq!(columns(&tree).len(), 16);
    }
}
