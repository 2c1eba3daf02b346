//! The largest number of couples in a graph: Edmonds' algorithm.
//!
//! Going through all pairings until one has few enough rematches takes forever exactly when there is none, which
//! late rounds of a long Swiss tournament run into. Augmenting paths find the answer in polynomial time.

use std::collections::VecDeque;
use std::iter::successors;

/// A matching with as many couples as possible among those who are still present.
#[derive(Clone, Debug)]
pub(super) struct Matching<'a> {
    edges: &'a [Vec<bool>],
    present: Vec<bool>,
    mate: Vec<Option<usize>>,
}

impl<'a> Matching<'a> {
    /// A largest matching of this graph, given as a symmetric table of who may be coupled with whom.
    pub fn new(edges: &'a [Vec<bool>]) -> Matching<'a> {
        let count = edges.len();
        let mut matching = Matching { edges, present: vec![true; count], mate: vec![None; count] };
        for vertex in 0..count {
            if matching.mate[vertex].is_none() {
                matching.augment(vertex);
            }
        }
        matching
    }

    /// How many couples there are.
    pub fn couples(&self) -> usize {
        self.mate.iter().flatten().count() / 2
    }

    /// A largest matching of those who are present without this one.
    pub fn without(&self, vertex: usize) -> Matching<'a> {
        let mut matching = self.clone();
        // Any path that makes the rest larger ends at the mate left behind, or there had been one before.
        if let Some(mate) = matching.remove(vertex) {
            matching.augment(mate);
        }
        matching
    }

    /// A largest matching of those who are present without these two.
    pub fn without_both(&self, a: usize, b: usize) -> Matching<'a> {
        if !self.is_perfect() {
            return self.without(a).without(b);
        }
        // Only the two mates left behind are single, and the path between them is mostly short, while a search
        // with one vertex removed would go through the whole graph to learn that the odd one out stays single.
        let mut matching = self.clone();
        matching.remove(a);
        if let Some(mate) = matching.remove(b) {
            matching.augment(mate);
        }
        matching
    }

    fn is_perfect(&self) -> bool {
        self.present.iter().zip(&self.mate).all(|(present, mate)| mate.is_some() || !present)
    }

    /// Removes a vertex and returns its mate, who is single now.
    fn remove(&mut self, vertex: usize) -> Option<usize> {
        self.present[vertex] = false;
        let mate = self.mate[vertex].take()?;
        self.mate[mate] = None;
        Some(mate)
    }

    /// Makes the matching larger by one couple if a path from this single vertex allows it.
    fn augment(&mut self, root: usize) {
        let mut search = Search::new(self, root);
        let Some(end) = search.run() else { return };
        let parent = search.parent;
        let mut single = Some(end);
        while let Some(vertex) = single
            && let Some(partner) = parent[vertex]
        {
            single = self.mate[partner];
            self.mate[vertex] = Some(partner);
            self.mate[partner] = Some(vertex);
        }
    }
}

/// The search for an augmenting path: a tree of alternating paths in which odd cycles (blossoms) are contracted.
struct Search<'a> {
    matching: &'a Matching<'a>,
    root: usize,
    /// From an inner vertex the outer one it was reached from; within blossoms in both directions.
    parent: Vec<Option<usize>>,
    /// The vertex that stands for the blossom this one is in.
    base: Vec<usize>,
    outer: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'a> Search<'a> {
    fn new(matching: &'a Matching<'a>, root: usize) -> Search<'a> {
        let count = matching.mate.len();
        let mut outer = vec![false; count];
        outer[root] = true;
        Search {
            matching,
            root,
            parent: vec![None; count],
            base: (0..count).collect(),
            outer,
            queue: VecDeque::from([root]),
        }
    }

    /// The single vertex at the other end of an augmenting path.
    fn run(&mut self) -> Option<usize> {
        while let Some(vertex) = self.queue.pop_front() {
            for other in 0..self.base.len() {
                if !self.leads(vertex, other) {
                    continue;
                }
                if self.is_outer(other) {
                    self.contract(vertex, other);
                } else if self.parent[other].is_none() {
                    self.parent[other] = Some(vertex);
                    let Some(mate) = self.matching.mate[other] else { return Some(other) };
                    self.reach(mate);
                }
            }
        }
        None
    }

    /// Whether the tree may grow along this edge.
    fn leads(&self, from: usize, to: usize) -> bool {
        let Matching { edges, present, mate } = self.matching;
        edges[from][to] && present[to] && mate[from] != Some(to) && self.base[from] != self.base[to]
    }

    fn is_outer(&self, vertex: usize) -> bool {
        vertex == self.root || self.matching.mate[vertex].is_some_and(|mate| self.parent[mate].is_some())
    }

    fn reach(&mut self, vertex: usize) {
        if !self.outer[vertex] {
            self.outer[vertex] = true;
            self.queue.push_back(vertex);
        }
    }

    /// Two outer vertices meet: the cycle through the place where their paths part becomes one vertex.
    fn contract(&mut self, a: usize, b: usize) {
        let stem = self.common_base(a, b);
        let mut in_blossom = vec![false; self.base.len()];
        self.mark(a, b, stem, &mut in_blossom);
        self.mark(b, a, stem, &mut in_blossom);
        for vertex in 0..self.base.len() {
            if in_blossom[self.base[vertex]] {
                self.base[vertex] = stem;
                self.reach(vertex);
            }
        }
    }

    /// The bases on the way from this outer vertex to the root.
    fn bases(&self, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        successors(Some(self.base[vertex]), |&base| {
            let inner = self.matching.mate[base]?;
            Some(self.base[self.parent[inner]?])
        })
    }

    fn common_base(&self, a: usize, b: usize) -> usize {
        let above: Vec<usize> = self.bases(a).collect();
        self.bases(b).find(|base| above.contains(base)).unwrap_or(self.root)
    }

    /// Marks the way from a vertex down to the stem, and lets paths run through it in the other direction.
    fn mark(&mut self, vertex: usize, other: usize, stem: usize, in_blossom: &mut [bool]) {
        let (mut vertex, mut child) = (vertex, other);
        while self.base[vertex] != stem {
            let Some(mate) = self.matching.mate[vertex] else { return };
            in_blossom[self.base[vertex]] = true;
            in_blossom[self.base[mate]] = true;
            self.parent[vertex] = Some(child);
            let Some(next) = self.parent[mate] else { return };
            (vertex, child) = (next, mate);
        }
    }
}

#[cfg(test)]
mod tests {
    use lianzi_core::Random;

    use super::*;

    fn graph(count: usize, edges: &[[usize; 2]]) -> Vec<Vec<bool>> {
        let mut table = vec![vec![false; count]; count];
        for &[a, b] in edges {
            table[a][b] = true;
            table[b][a] = true;
        }
        table
    }

    fn random_graph(count: usize, percent: usize, random: &mut Random) -> Vec<Vec<bool>> {
        let all = (0..count).flat_map(|a| (0..a).map(move |b| [a, b]));
        let edges: Vec<_> = all.filter(|_| random.below(100) < percent).collect();
        graph(count, &edges)
    }

    /// The size of the largest matching, by trying everything.
    fn most_couples(edges: &[Vec<bool>], free: u32) -> usize {
        if free == 0 {
            return 0;
        }
        let first = free.trailing_zeros() as usize;
        let rest = free & (free - 1);
        let mates = (0..edges.len()).filter(|&mate| rest & 1 << mate != 0 && edges[first][mate]);
        let with = mates.map(|mate| 1 + most_couples(edges, rest & !(1 << mate))).max();
        with.unwrap_or(0).max(most_couples(edges, rest))
    }

    fn assert_valid(matching: &Matching<'_>) {
        for (vertex, mate) in matching.mate.iter().enumerate() {
            if let Some(mate) = *mate {
                assert_eq!(matching.mate[mate], Some(vertex));
                assert!(matching.edges[vertex][mate]);
                assert!(matching.present[vertex]);
            }
        }
    }

    #[test]
    fn blossoms_are_found() {
        // Two triangles joined by an edge: only that edge and one of each triangle make three couples.
        let edges = graph(6, &[[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 5], [5, 3]]);
        assert_eq!(Matching::new(&edges).couples(), 3);
        // Two triangles that are not joined leave two vertices single.
        let edges = graph(6, &[[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3]]);
        assert_eq!(Matching::new(&edges).couples(), 2);
    }

    #[test]
    fn the_matching_is_as_large_as_by_trying_everything() {
        let mut random = Random::new(1);
        for round in 0..2_000 {
            let count = 1 + random.below(11);
            let edges = random_graph(count, 5 + round % 60, &mut random);
            let mut matching = Matching::new(&edges);
            let mut free = (1u32 << count) - 1;
            loop {
                assert_valid(&matching);
                assert_eq!(matching.couples(), most_couples(&edges, free), "{edges:?} {free:b}");
                if free == 0 {
                    break;
                }
                let (gone, also) = (random.below(count), random.below(count));
                free &= !(1 << gone | 1 << also);
                matching = if gone == also { matching.without(gone) } else { matching.without_both(gone, also) };
            }
        }
    }
}
