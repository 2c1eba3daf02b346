//! Proofs replayed with zones: which answers must be tried, and why all others lose by the same stones.
//!
//! Where the defender is free to play anywhere, most of his stones change nothing: what wins against one of them wins
//! against all that lie outside of the *zone* of that win. This module replays a proof by the referee's rules and the
//! stretches of five cells alone, and works the zones out as it goes. Only where both sides win by a line and nothing
//! is forbidden, so not in renju.
//!
//! The argument. Let the defender win as soon as he fills a stretch of five, be it part of a longer line or not: that
//! only makes it harder for the attacker (in free style it is the rule). An attacker's line counts by the rules, which
//! ask nothing of the defender's stones but that they are elsewhere. Then:
//!
//! * **Fewer stones of the defender never hurt the attacker** (M). By induction: the attacker plays as if the missing
//!   stone lay there; if the defender plays it, the attacker takes any other empty cell for the missing one.
//! * **A zone** R₁ ⊆ R₂ ⊆ R₃ of a position won by the attacker: for stones x₁, …, xₖ that the defender has more, with
//!   xᵢ outside of Rᵢ, the attacker still wins, by the same stones (E).
//! * **Free answers**: if a position is won after the answer e, with the zone R of what follows, it is won after every
//!   f outside of R₁: with e and f both there it is won by E, without e by M. So only e and the cells of R₁ are answers
//!   to be tried.
//!
//! How E comes about. Where the attacker completes a line on x, Rᵢ is x and the cells of stretches that lack at most i
//! stones of the defender's. Where the attacker plays a, Rᵢ is a and the zone of what follows. Where the defender is to
//! move he must lack more than one stone in every stretch; Rᵢ holds the cells of those that lack at most i + 1, since k
//! stones more and his answer fill none then: the last of them that lies in the stretch, xᵢ, would belong to a stretch
//! that lacked at most i + 1. It holds the fives of the attacker, which must stay empty, and the zones after all
//! answers tried; and for the answers f that were not tried, after e, Rᵢ₊₁ of what follows e, because there f is the
//! first stone more.

use std::rc::Rc;

use lianzi_core::{Forbidden, Position, Stone};

use super::moves::Spots;
use super::prover::Proof;
use super::spot::{Spot, cell, side_key, spot};
use super::windows::Windows;
use crate::numbers::Map;

/// How many stones more a zone can tell of.
const TIERS: usize = 3;

/// A position shown to be won by the attacker.
#[derive(Clone)]
pub(super) struct Shown {
    zones: [Spots; TIERS],
    /// In how many plies at most.
    plies: u32,
    /// The attacker's stone, or the answer after which it takes longest.
    pub(super) best: Spot,
    /// Whether the attacker is to move.
    attacks: bool,
    /// The answers that stood for others.
    idle: Vec<Spot>,
}

impl Shown {
    /// The only answers that may change something where this one was an answer to no threat.
    pub(super) fn zone(&self) -> &Spots {
        &self.zones[0]
    }

    /// All zones.
    #[cfg(test)]
    pub(super) fn zones(&self) -> &[Spots; TIERS] {
        &self.zones
    }

    /// The answers that stood for others.
    #[cfg(test)]
    pub(super) fn idle(&self) -> &[Spot] {
        &self.idle
    }

    fn unite(&mut self, other: &Shown) {
        self.zones.iter_mut().zip(&other.zones).for_each(|(own, other)| own.unite(other));
    }

    fn insert(&mut self, spot: Spot) {
        self.zones.iter_mut().for_each(|zone| zone.insert(spot));
    }
}

/// Replays a proof.
pub(super) struct Replay {
    position: Position,
    windows: Windows,
    attacker: Stone,
    proof: Proof,
    known: Map<Rc<Shown>>,
    steps: u64,
}

/// Whether the side to move wins by this proof whatever the other side does; it need not hold stones after answers that
/// others stand for.
pub(super) fn holds(position: &Position, proof: &Proof) -> bool {
    Replay::new(position, proof.clone()).is_some_and(|mut replay| replay.show().is_some())
}

/// How many answers are tried in turn as the one that stands for all idle ones.
const IDLE: usize = 4;

impl Replay {
    /// A replay from this position, in which the attacker is to move; none where zones do not hold.
    pub(super) fn new(position: &Position, proof: Proof) -> Option<Replay> {
        let windows = Windows::new(position);
        let attacker = position.to_move();
        let free = position.rules().forbidden != Forbidden::Renju;
        let open = free && position.outcome().is_none() && !windows.has_full(attacker.other());
        open.then(|| Replay { position: position.clone(), windows, attacker, proof, known: Map::default(), steps: 0 })
    }

    /// Positions looked at.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Takes over the stones of a proof of a position that may come about. What was shown before stays as it was shown.
    pub(super) fn learn(&mut self, proof: Proof) {
        self.proof.stones.extend(proof.stones);
    }

    /// Notes the attacker's stone here.
    pub(super) fn note(&mut self, at: Spot) {
        self.proof.stones.insert(self.hash(), at);
    }

    /// Notes answers to be tried first here: they stand for all outside of their zones.
    pub(super) fn note_idle(&mut self, idle: Vec<Spot>) {
        self.proof.idle.insert(self.hash(), idle);
    }

    /// The proof by which all that was shown was shown, if that includes this position, with its longest line.
    pub(super) fn gather(&mut self) -> Option<Proof> {
        self.show()?;
        let line = self.line();
        let stones = self.known.iter().filter(|(_, shown)| shown.attacks).map(|(&hash, shown)| (hash, shown.best));
        let idle = self.known.iter().filter(|(_, shown)| !shown.idle.is_empty());
        let idle = idle.map(|(&hash, shown)| (hash, shown.idle.clone()));
        Some(Proof { stones: stones.collect(), idle: idle.collect(), line })
    }

    /// The position it stands at.
    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    fn hash(&self) -> u64 {
        self.windows.stones_key() ^ side_key(self.position.to_move())
    }

    /// The empty cells, the most idle first.
    pub(super) fn idlest(&self) -> Vec<Spot> {
        self.windows.idlest()
    }

    /// The empty cells.
    pub(super) fn empty(&self) -> Spots {
        *self.windows.empty()
    }

    /// Plays a stone, unless the referee forbids it.
    pub(super) fn play(&mut self, at: Spot) -> bool {
        let stone = self.position.to_move();
        let played = self.position.play(cell(at)).is_ok();
        if played {
            self.windows.put(at, stone);
        }
        played
    }

    pub(super) fn undo(&mut self) {
        if let Some(at) = self.position.undo() {
            self.windows.take(spot(at), self.position.to_move());
        }
    }

    /// Whether the attacker wins by the proof from here, whoever is to move.
    pub(super) fn show(&mut self) -> Option<Rc<Shown>> {
        let hash = self.hash();
        if let Some(shown) = self.known.get(&hash) {
            return Some(Rc::clone(shown));
        }
        self.steps += 1;
        let shown = Rc::new(if self.position.to_move() == self.attacker { self.attack() } else { self.defend() }?);
        self.known.insert(hash, Rc::clone(&shown));
        Some(shown)
    }

    fn after<T>(&mut self, at: Spot, look: impl FnOnce(&mut Replay) -> Option<T>) -> Option<T> {
        if !self.play(at) {
            return None;
        }
        let seen = look(self);
        self.undo();
        seen
    }

    /// The cells on which the attacker completes a line.
    fn fives(&self) -> Vec<Spot> {
        let cells = self.windows.lacking(self.attacker, 1);
        cells.iter().filter(|&at| self.position.wins_at(cell(at), self.attacker)).collect()
    }

    /// A zone of the cells of the defender's stretches that lack at most `slack` stones in the first tier, one more in
    /// each.
    fn begin(&self, slack: usize, plies: u32, best: Spot) -> Shown {
        let attacks = self.position.to_move() == self.attacker;
        let mut shown = Shown { zones: [Spots::NONE; TIERS], plies, best, attacks, idle: Vec::new() };
        self.windows.each_lacking(self.attacker.other(), slack + TIERS - 1, |lacks, cells| {
            for &at in cells.iter().filter(|&&at| self.windows.empty().contains(at)) {
                shown.zones.iter_mut().skip(lacks.saturating_sub(slack)).for_each(|zone| zone.insert(at));
            }
        });
        shown
    }

    fn attack(&mut self) -> Option<Shown> {
        if let Some(&five) = self.fives().first() {
            let mut shown = self.begin(1, 1, five);
            shown.insert(five);
            return Some(shown);
        }
        if let Some(at) = self.proof.stone(self.hash()) {
            return self.attack_on(at);
        }
        // An open four needs no stone in the proof.
        self.windows.lacking(self.attacker, 2).iter().find_map(|at| {
            let open = self.after(at, |replay| (replay.fives().len() > 1).then_some(()));
            open.and_then(|()| self.attack_on(at))
        })
    }

    fn attack_on(&mut self, at: Spot) -> Option<Shown> {
        let mut shown = Shown::clone(&*self.after(at, Replay::show)?);
        shown.insert(at);
        (shown.plies, shown.best, shown.attacks) = (shown.plies + 1, at, true);
        shown.idle.clear();
        Some(shown)
    }

    fn defend(&mut self) -> Option<Shown> {
        let other = self.attacker.other();
        let helpless = self.position.outcome().is_none() && self.windows.lacking(other, 1) == Spots::NONE;
        if !helpless {
            return None;
        }
        match self.fives().as_slice() {
            [] => self.defend_freely(),
            [only] => {
                let next = self.after(*only, Replay::show)?;
                let mut shown = self.begin(2, 1 + next.plies, *only);
                shown.unite(&next);
                shown.insert(*only);
                Some(shown)
            }
            [one, two, ..] => {
                let mut shown = self.begin(2, 2, *one);
                shown.insert(*one);
                shown.insert(*two);
                Some(shown)
            }
        }
    }

    /// Where no five threatens: idle answers stand for all outside of their zones, and what is left is tried.
    fn defend_freely(&mut self) -> Option<Shown> {
        let mut shown = self.begin(2, 0, 0);
        shown.zones[TIERS - 1] = Spots::ALL;
        let mut left = self.empty();
        let noted = self.proof.idle.get(&self.hash()).cloned();
        let idle = match noted {
            Some(idle) => idle,
            None => {
                let idle = self.idlest().into_iter().take(IDLE);
                idle.into_iter().find(|&at| self.after(at, Replay::show).is_some()).into_iter().collect()
            }
        };
        idle.first()?;
        shown.idle.clone_from(&idle);
        for at in idle {
            let next = self.after(at, Replay::show)?;
            left.intersect(next.zone());
            left.remove(at);
            shown.zones.iter_mut().zip(&next.zones[1..]).for_each(|(own, other)| own.unite(other));
            self.join(&mut shown, at, &next);
        }
        let answers: Vec<Spot> = left.iter().collect();
        for at in answers {
            if self.position.check(cell(at)).is_ok() {
                let next = self.after(at, Replay::show)?;
                self.join(&mut shown, at, &next);
            }
        }
        Some(shown)
    }

    fn join(&self, shown: &mut Shown, at: Spot, next: &Shown) {
        shown.unite(next);
        if shown.plies < next.plies + 1 {
            (shown.plies, shown.best) = (next.plies + 1, at);
        }
    }

    /// The line in which the defender holds out longest, from a position that is won.
    fn line(&mut self) -> Vec<Spot> {
        let mut line = Vec::new();
        while let Some(shown) = self.show() {
            line.push(shown.best);
            if !self.play(shown.best) || self.position.outcome().is_some() {
                break;
            }
        }
        line.iter().for_each(|_| self.undo());
        line
    }
}
