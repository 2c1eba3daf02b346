//! The shortest win by force: the prover's stones, tried to a number of turns that grows by one.
//!
//! A proof says that a win is there, not how long it takes; whoever sets a puzzle wants to know that. Where the prover
//! finds a win, a plain search with a memory, depth first, finds the shortest: within its nodes it is exact for its means.

use std::sync::Arc;

use lianzi_core::{Cell, Position, Stone};

use super::board::GomokuBoard;
use super::kind::Kind;
use super::knowledge::Knowledge;
use super::prover::{Means, Prover, prove_for};
use super::spot::{Spot, cell};
use crate::numbers::{Map, Numbers};

/// What is known of a position: in how many turns the attacker wins at least and at most.
#[derive(Clone, Copy)]
struct Turns {
    more_than: u8,
    at_most: u8,
}

/// A search for the shortest win of one side. What it learns from one position it uses for the next.
pub struct Shortest {
    prover: Prover<'static>,
    known: Map<Turns>,
    nodes: u64,
    limit: u64,
    sure: bool,
}

/// Of so many parts of the nodes one is for the question whether there is a win at all.
const PROVER: u64 = 4;
/// So many positions are remembered.
const REMEMBERED: usize = 1 << 20;

impl Shortest {
    /// A search for wins of this side in positions of the same game, each of so many nodes.
    pub fn new(position: &Position, knowledge: &Arc<Knowledge>, attacker: Stone, means: Means, limit: u64) -> Shortest {
        let board = GomokuBoard::new(position, knowledge);
        let prover = Prover::new(&board, attacker, means, limit, None);
        Shortest { prover, known: Map::default(), nodes: 0, limit, sure: true }
    }

    /// In how many turns of its own the side wins, if it does in at most so many; whoever is to move.
    pub fn turns(&mut self, position: &Position, most: u8) -> Option<u8> {
        self.set(position);
        if self.is_proven() { (1..=most).find(|&turns| self.wins(turns)) } else { None }
    }

    /// The same for each stone of the side to move, which is the attacker: every one that wins in at most so many turns,
    /// itself counted.
    pub fn first_stones(&mut self, position: &Position, most: u8) -> Vec<(Cell, u8)> {
        self.set(position);
        let turns = |at: Spot, search: &mut Shortest| {
            search.after(at, |search| match search.is_won() {
                true => Some(1),
                false if search.is_proven() => (2..=most).find(|&turns| search.wins(turns - 1)),
                false => None,
            })
        };
        self.candidates().into_iter().filter_map(|at| Some((cell(at), turns(at, self)?))).collect()
    }

    /// The answers of the side to move to what the attacker threatens, with the turns that each leaves him; nothing where
    /// no answer is left or needed.
    pub fn defences(&mut self, position: &Position, most: u8) -> Vec<(Cell, u8)> {
        self.set(position);
        let stones = self.prover.stones().unwrap_or_default();
        let turns = |at: Spot, search: &mut Shortest| {
            (1..=most).find(|&turns| search.after(at, |search| search.wins(turns))).unwrap_or(u8::MAX)
        };
        stones.into_iter().map(|at| (cell(at), turns(at, self))).collect()
    }

    /// Whether the last question was answered within its nodes.
    pub fn is_sure(&self) -> bool {
        self.sure && self.nodes < self.limit
    }

    /// Whether there is a win, however long.
    fn is_proven(&mut self) -> bool {
        let (attacker, means) = (self.prover.attacker, self.prover.means);
        let attempt = prove_for(&self.prover.board, attacker, means, self.limit / PROVER, None);
        self.sure &= attempt.proof.is_some() || attempt.refuted;
        attempt.proof.is_some()
    }

    fn set(&mut self, position: &Position) {
        self.prover.board = self.prover.board.remade(position);
        (self.nodes, self.sure) = (0, true);
        if self.known.len() > REMEMBERED {
            self.known.clear();
        }
    }

    /// Every stone of the attacker's that may win by these means.
    fn candidates(&mut self) -> Vec<Spot> {
        let (own, other) = (self.prover.attacker, self.prover.attacker.other());
        let board = &mut self.prover.board;
        let mut spots = Vec::new();
        if board.count(own, Kind::Five) > 0 {
            board.at_least(own, Kind::Five, &mut spots);
        } else if board.count(other, Kind::Five) > 0 {
            spots.extend(board.find(other, Kind::Five));
        } else {
            board.at_least(own, self.prover.means.weakest(), &mut spots);
        }
        spots.retain(|&at| !board.is_foul(at));
        spots
    }

    /// Whether the last stone completed a line of the attacker's.
    fn is_won(&mut self) -> bool {
        let Some(last) = self.prover.board.before(0) else { return false };
        let own = self.prover.attacker;
        let five = |search: &mut Shortest| search.prover.board.look(last).kinds[own.index()] == Kind::Five;
        self.prover.board.undo();
        let won = self.prover.board.to_move() == own && five(self);
        self.prover.board.play(last);
        won
    }

    /// Whether the attacker wins in at most so many turns.
    fn wins(&mut self, turns: u8) -> bool {
        let hash = self.prover.board.hash();
        let known = self.known.get(&hash).copied().unwrap_or(Turns { more_than: 0, at_most: u8::MAX });
        if turns >= known.at_most || turns <= known.more_than {
            return turns >= known.at_most;
        }
        self.nodes += 1;
        if self.nodes >= self.limit {
            return false;
        }
        let wins = match self.prover.stones() {
            Err(numbers) => numbers == Numbers::PROVEN && turns >= self.end_in(),
            Ok(stones) if self.prover.board.to_move() == self.prover.attacker => {
                turns > 1 && stones.into_iter().any(|at| self.after(at, |search| search.wins(turns - 1)))
            }
            Ok(stones) => stones.into_iter().all(|at| self.after(at, |search| search.wins(turns))),
        };
        if self.nodes < self.limit {
            let noted = self.known.entry(hash).or_insert(known);
            match wins {
                true => noted.at_most = noted.at_most.min(turns),
                false => noted.more_than = noted.more_than.max(turns),
            }
        }
        wins
    }

    /// In how many turns the attacker wins where nothing has to be searched.
    fn end_in(&self) -> u8 {
        let (board, own) = (&self.prover.board, self.prover.attacker);
        if board.count(own, Kind::Five) > 0 {
            1
        } else if board.count(own, Kind::OpenFour) > 0 {
            2
        } else {
            3
        }
    }

    fn after<T>(&mut self, at: Spot, look: impl FnOnce(&mut Shortest) -> T) -> T {
        self.prover.board.play(at);
        let seen = look(self);
        self.prover.board.undo();
        seen
    }
}
