//! One simulation after another: selection, expansion, simulation, back-up.

use lianzi_core::{Cell, Outcome, Placement, Position, Random, Rules, Stone};

use super::Settings;
use super::tree::{Node, Tree};
use crate::board::{PlayoutBoard, Spot};
use crate::logarithm::ln;
use crate::proof::Proof;
use crate::time::Budget;

/// A search with its tree, for one game after another.
pub(super) struct Search<B> {
    pub settings: Settings,
    pub tree: Tree,
    pub random: Random,
    /// The position of the tree's root: what the tree is about.
    position: Position,
    /// Its fast board, and one to run about on.
    root: B,
    board: B,
    /// What near=… comes to on this board.
    near: u8,
    /// The nodes of the current simulation, each with the side that moved into it.
    path: Vec<(usize, Stone)>,
    spots: Vec<Spot>,
    /// How many simulations this search has made, and how deep the deepest went.
    pub simulations: u64,
    pub depth: u32,
}

/// The distance that near=… has when nobody sets it. One step beat two and none on boards from 7×7 to 19×19 and
/// from 2,000 to 100,000 simulations (docs/uct.md).
fn usual_near(rules: &Rules) -> u8 {
    match rules.placement {
        Placement::Anywhere => 1,
        Placement::Drop => 0,
    }
}

impl<B: PlayoutBoard> Search<B> {
    pub(super) fn new(settings: Settings, seed: u64, position: &Position) -> Search<B> {
        Search {
            tree: Tree::new(settings.hash),
            near: 0,
            settings,
            random: Random::new(seed),
            position: position.clone(),
            root: B::new(position),
            board: B::new(position),
            path: Vec::new(),
            spots: Vec::new(),
            simulations: 0,
            depth: 0,
        }
    }

    /// Makes the root the node of this position: the tree follows the stones played since, if it has them.
    pub(super) fn follow(&mut self, position: &Position) {
        let known = position.plies_since(&self.position);
        let followed = known.is_some_and(|plies| plies.iter().all(|ply| self.tree.descend(Spot::from(ply.cell))));
        if !followed {
            self.tree.clear();
        }
        self.position = position.clone();
        self.near = self.settings.near.unwrap_or_else(|| usual_near(position.rules()));
        // Another game may have other walls and another goal, so both boards are made anew.
        self.root = B::new(position);
        self.board = self.root.clone();
        self.simulations = 0;
        self.depth = 0;
    }

    /// Simulates until the budget is spent or the root is proven; `pause` is called after each simulation.
    pub(super) fn run(&mut self, budget: &Budget<'_>, mut pause: impl FnMut(&mut Self)) {
        while !self.is_spent(budget) && self.tree.node(self.tree.root()).proof.is_open() {
            self.simulate();
            self.simulations += 1;
            if self.tree.wants_compaction() {
                self.tree.compact(|| budget.is_over());
            }
            pause(self);
        }
    }

    /// Whether to end; the clock is looked at now and then.
    fn is_spent(&self, budget: &Budget<'_>) -> bool {
        /// How many simulations lie between two looks at the clock.
        const BETWEEN: u64 = 16;
        self.simulations >= budget.nodes || self.simulations.is_multiple_of(BETWEEN) && budget.is_over()
    }

    /// One round: down the tree, one new node, a random game from there, and the result back up.
    ///
    /// The seed's pseudo-code, read literally, goes on expanding until the game is over; its prose stops at the
    /// new 0/0 node and simulates from there, and so do we.
    fn simulate(&mut self) {
        self.board.restore(&self.root);
        self.path.clear();
        let root = self.tree.root();
        self.path.push((root, self.root.turn().stone.other()));
        let mut index = root;
        let winner = loop {
            let node = *self.tree.node(index);
            if !node.proof.is_open() {
                break self.winner(node.proof);
            }
            if node.is_leaf() && !self.expand(index) {
                break self.board.playout(&mut self.random);
            }
            index = match self.tree.node(index).has_untried() {
                true => self.try_child(index),
                false => self.best_child(index),
            };
            self.step(index);
        };
        self.depth = self.depth.max(self.path.len() as u32 - 1);
        self.back_up(winner);
        if self.settings.proven {
            self.back_up_proofs();
        }
    }

    /// Plays the stone that leads to this node.
    fn step(&mut self, index: usize) {
        let by = self.board.turn().stone;
        self.board.play(self.tree.node(index).spot);
        self.path.push((index, by));
        let proof = match self.board.outcome() {
            None => return,
            Some(Outcome::Win(winner)) if winner == by => Proof::Win(0),
            Some(Outcome::Win(_)) => Proof::Loss(0),
            Some(Outcome::Draw) => Proof::Draw(0),
        };
        self.tree.node_mut(index).proof = proof;
    }

    /// Who wins at the end of the path.
    fn winner(&self, proof: Proof) -> Option<Stone> {
        let (_, by) = *self.path.last()?;
        match proof {
            Proof::Win(_) => Some(by),
            Proof::Loss(_) => Some(by.other()),
            Proof::Draw(_) | Proof::Open => None,
        }
    }

    /// Gives a leaf its children, unless it is new or memory is short.
    fn expand(&mut self, index: usize) -> bool {
        let wanted = if index == self.tree.root() { Some(0) } else { self.tree.visits_wanted() };
        if wanted.is_none_or(|wanted| self.tree.node(index).visits < wanted) {
            return false;
        }
        let complete = self.board.near(self.near, &mut self.spots);
        if self.settings.proven {
            self.keep_a_win();
        }
        self.tree.expand(index, &self.spots, complete);
        true
    }

    /// A stone that wins makes every other one pointless.
    fn keep_a_win(&mut self) {
        let stone = self.board.turn().stone;
        if let Some(&win) = self.spots.iter().find(|&&spot| self.board.wins(spot, stone)) {
            self.spots.clear();
            self.spots.push(win);
        }
    }

    fn try_child(&mut self, index: usize) -> usize {
        let (shuffled, random) = (self.settings.shuffled, &mut self.random);
        self.tree.try_child(index, |left| if shuffled { random.below(left) } else { 0 })
    }

    /// The child with the largest Q(s)/N(s) + c·sqrt(2·ln N(p)/N(s)). Of proven ones nothing is left to learn, and
    /// were all of them proven, the node would be.
    fn best_child(&self, index: usize) -> usize {
        let node = self.tree.node(index);
        let explore = self.settings.c * (2.0 * ln(node.visits.max(1).into()) as f32).sqrt();
        let mut best = (node.children().start, f32::NEG_INFINITY);
        for (child, at) in self.tree.children(index).iter().zip(node.children()) {
            let score = child.mean + explore * child.spread;
            if score > best.1 && (child.proof.is_open() || !self.settings.proven) {
                best = (at, score);
            }
        }
        best.0
    }

    /// Writes the mark into every node of the path: 1 for a win of the side that moved into it, −1 for a loss.
    ///
    /// The seed flips the mark at each step up. That is right for one stone a turn only; with two the side to
    /// move often stays the same, so we flip it where the side changes. A side with a proven draw in hand does
    /// not lose, whatever the other children say.
    fn back_up(&mut self, winner: Option<Stone>) {
        let mut side = self.path.last().map_or(Stone::Black, |&(_, by)| by);
        let mut mark = winner.map_or(0, |winner| if winner == side { 1 } else { -1 });
        for &(index, by) in self.path.iter().rev() {
            let node = self.tree.node_mut(index);
            if node.drawn {
                mark = mark.max(0);
            }
            if by != side {
                (side, mark) = (by, -mark);
            }
            node.mark(mark);
        }
    }

    /// Carries proofs up the path: a child that wins for its mover proves the node, and so do children that are
    /// all proven.
    fn back_up_proofs(&mut self) {
        for n in (1..self.path.len()).rev() {
            let ((child, mover), (parent, by)) = (self.path[n], self.path[n - 1]);
            let proof = match self.tree.node(child).proof {
                Proof::Open => return,
                win @ Proof::Win(_) => win,
                _ => best_proof(self.tree.children(parent)),
            };
            self.tree.node_mut(parent).drawn |= matches!(self.tree.node(child).proof, Proof::Draw(_));
            if !matches!(proof, Proof::Win(_) | Proof::Open) && !self.tree.node(parent).complete {
                // Near is not all: a defence may lie far off.
                if self.tree.is_full() {
                    return;
                }
                self.widen(n - 1);
                if self.tree.node(parent).has_untried() {
                    return;
                }
            }
            let proof = proof.earlier();
            self.tree.node_mut(parent).proof = if by == mover { proof } else { proof.flipped() };
        }
    }

    /// Gives the n-th node of the path the legal cells it has been spared so far.
    fn widen(&mut self, n: usize) {
        self.board.restore(&self.root);
        for &(index, _) in &self.path[1..=n] {
            self.board.play(self.tree.node(index).spot);
        }
        self.board.legal(&mut self.spots);
        self.tree.widen(self.path[n].0, &self.spots);
    }

    /// A cell to play where the tree has nothing to say: a win, or any that the tree would look at.
    pub(super) fn guess(&mut self, position: &Position) -> Cell {
        self.board = B::new(position);
        self.board.near(self.near, &mut self.spots);
        self.keep_a_win();
        let spot = self.random.choose(&self.spots).expect("a game that is not over has a legal cell");
        (*spot).into()
    }
}

/// What proven children are worth to the side that chooses among them; open while one of them is.
fn best_proof(children: &[Node]) -> Proof {
    let mut best = Proof::Loss(0);
    for child in children {
        best = match (best, child.proof) {
            (_, Proof::Open) => return Proof::Open,
            (_, win @ Proof::Win(_)) => return win,
            (Proof::Loss(one), Proof::Loss(two)) => Proof::Loss(one.max(two)),
            (Proof::Draw(one), Proof::Draw(two)) => Proof::Draw(one.max(two)),
            (Proof::Loss(_), draw @ Proof::Draw(_)) => draw,
            (other, _) => other,
        };
    }
    best
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::Options;
    use crate::board::{DropBoard, OpenBoard};

    fn classic(c: f32) -> Settings {
        Settings { c, hash: 1, ..Settings::classic(&mut Options::default()).unwrap() }
    }

    fn search<B: PlayoutBoard>(game: &str, c: f32) -> Search<B> {
        let mut search = Search::new(classic(c), 1, &Position::new(game.parse().unwrap()));
        let start = search.position.clone();
        search.follow(&start);
        search
    }

    /// Visits, marks and depth of every node of the tree.
    fn nodes<B>(search: &Search<B>) -> BTreeMap<usize, (u32, i32, usize)> {
        let mut found = BTreeMap::new();
        let mut open = vec![(search.tree.root(), 0)];
        while let Some((index, depth)) = open.pop() {
            let node = search.tree.node(index);
            found.insert(index, (node.visits, node.marks, depth));
            open.extend(node.children().map(|child| (child, depth + 1)));
        }
        found
    }

    // S0-97, S2-26: the formula written out, with the logarithm of the machine.
    #[test]
    fn where_every_child_was_tried_the_largest_score_is_next() {
        for c in [0.5, 1.0, 2.0] {
            let mut search: Search<DropBoard> = search("connect4:5x4", c);
            let mut compared = 0;
            for _ in 0..2000 {
                search.simulate();
            }
            for index in nodes(&search).into_keys() {
                let parent = search.tree.node(index);
                if parent.is_leaf() || parent.has_untried() {
                    continue;
                }
                let score = |child: usize| {
                    let child = search.tree.node(child);
                    let (q, n) = (f64::from(child.marks), f64::from(child.visits));
                    q / n + f64::from(c) * (2.0 * f64::from(parent.visits).ln() / n).sqrt()
                };
                let largest = parent.children().map(score).fold(f64::NEG_INFINITY, f64::max);
                assert!((score(search.best_child(index)) - largest).abs() < 1e-5, "{c} {index}");
                compared += 1;
            }
            assert!(compared > 20, "{compared}");
        }
        assert_eq!(Settings::classic(&mut Options::default()).map(|usual| usual.c), Ok(1.0));
    }

    /// Simulates and compares the tree before and after; returns how often a simulation ended within the tree.
    fn check_simulations<B: PlayoutBoard>(game: &str, simulations: u32) -> u32 {
        let mut search: Search<B> = search(game, 1.0);
        let rules = *search.position.rules();
        let mut ended = 0;
        for n in 1..=simulations {
            let before = nodes(&search);
            search.simulate();
            let after = nodes(&search);
            // S2-25: the root is the position asked about, so every simulation counts there.
            assert_eq!(after[&search.tree.root()].0, n);
            let was = |index: &usize| before.get(index).map_or((0, 0), |node| (node.0, node.1));
            let path: Vec<(usize, i32)> = after
                .iter()
                .filter(|(index, node)| was(index) != (node.0, node.1))
                .map(|(index, node)| {
                    // S2-28, S2-32: a new node starts 0/0; one more visit each, and a mark of 1, -1 or 0.
                    assert_eq!(node.0, was(index).0 + 1);
                    (node.2, node.1 - was(index).1)
                })
                .collect();
            // S2-27, S2-32: at most one new node, none at the end of a game; nothing of the random game is kept.
            let new = after.iter().filter(|(index, node)| node.0 == 1 && was(index).0 == 0 && node.2 > 0);
            let new = new.count();
            assert!(new <= 1, "{new}");
            ended += u32::from(new == 0);
            // S2-31, S2-32: the mark has one sign for all nodes that the same side moved into.
            let of_black = |&(depth, mark): &(usize, i32)| {
                let mover = match depth {
                    0 => Stone::White,
                    _ => rules.turn_at(depth - 1).0,
                };
                if mover == Stone::Black { mark } else { -mark }
            };
            let marks: Vec<i32> = path.iter().map(of_black).collect();
            assert!(marks.iter().all(|&mark| mark == marks[0] && mark.abs() <= 1), "{marks:?}");
            let mut depths: Vec<usize> = path.iter().map(|step| step.0).collect();
            depths.sort_unstable();
            assert!(depths.into_iter().eq(0..path.len()), "one node a level");
        }
        ended
    }

    // S2-24: selection, expansion, simulation, back-propagation.
    #[test]
    fn a_simulation_adds_one_node_and_its_mark_goes_up_the_path() {
        for small in ["connect:3,2,2,1,1", "connect:3,1,3,2,1", "connect:2,2,2,2,1"] {
            assert!(check_simulations::<OpenBoard>(small, 300) > 0, "{small}");
        }
        assert!(check_simulations::<DropBoard>("connect:3,2,2,1,1,drop", 300) > 0);
        check_simulations::<DropBoard>("connect4:4x4", 300);
        check_simulations::<OpenBoard>("connect6:8", 100);
    }
}
