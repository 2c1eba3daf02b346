//! What the provers say, checked with the referee alone: nothing here knows shapes or kinds.
//!
//! [`wins`] replays a proof against every defence. [`wins_by_fours`] looks for a win by continuous fours itself, slowly.

use std::collections::HashSet;

use lianzi_core::{Cell, Outcome, Position, Stone};

use super::board::Board;
use super::board::{cell, spot};
use super::prover::Proof;

/// Whether the side to move wins by this proof whatever the other side does. Slow: after each stone of the attacker
/// every legal answer is tried.
pub fn wins(position: &Position, board: &Board, proof: &Proof) -> bool {
    Verifier { position: position.clone(), board: board.clone(), attacker: position.to_move(), proof }
        .attack()
}

struct Verifier<'a> {
    position: Position,
    /// Only to find the position in the proof.
    board: Board,
    attacker: Stone,
    proof: &'a Proof,
}

impl Verifier<'_> {
    fn attack(&mut self) -> bool {
        if self.position.legal().any(|cell| self.position.wins_at(cell, self.attacker)) {
            return true;
        }
        let Some(stone) = self.proof.stone(self.board.hash()) else { return self.makes_open_four() };
        self.try_stone(cell(stone), Self::defend)
    }

    /// Whether every answer loses.
    fn defend(&mut self) -> bool {
        match self.position.outcome() {
            Some(outcome) => return outcome == Outcome::Win(self.attacker),
            None if self.position.legal().any(|cell| self.position.wins_at(cell, self.attacker.other())) => {
                return false;
            }
            None => {}
        }
        let fives = self.fives();
        let answers: Vec<Cell> = match fives.as_slice() {
            [] => self.position.legal().collect(),
            // Only the cell of the five stops it; two of them nothing can stop.
            [only] => vec![*only],
            _ => return true,
        };
        answers
            .into_iter()
            .all(|answer| self.position.check(answer).is_err() || self.try_stone(answer, Self::attack))
    }

    /// Where the attacker could complete a five.
    fn fives(&self) -> Vec<Cell> {
        self.position.empty_cells().filter(|&cell| self.position.wins_at(cell, self.attacker)).collect()
    }

    /// Whether the attacker has a stone that leaves two cells for a five, or one that may not be stopped.
    fn makes_open_four(&mut self) -> bool {
        let cells: Vec<Cell> = self.position.legal().collect();
        cells.into_iter().any(|at| {
            self.try_stone(at, |verifier| {
                let fives = verifier.fives();
                let defender = verifier.attacker.other();
                let answered =
                    verifier.position.legal().any(|cell| verifier.position.wins_at(cell, defender));
                !answered
                    && match fives.as_slice() {
                        [] => false,
                        [only] => verifier.position.check(*only).is_err(),
                        _ => true,
                    }
            })
        })
    }

    fn try_stone(&mut self, at: Cell, look: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.position.play(at).is_err() {
            return false;
        }
        self.board.play(spot(at));
        let seen = look(self);
        self.board.undo();
        self.position.undo();
        seen
    }
}

/// Whether the side to move can win by fours alone, each of which leaves the other side one answer. `None` if that
/// was not clear after so many positions.
pub fn wins_by_fours(position: &Position, limit: usize) -> Option<bool> {
    let mut fours = Fours {
        windows: position.rules().windows(),
        attacker: position.to_move(),
        position: position.clone(),
        failed: HashSet::new(),
        left: limit,
    };
    let won = fours.attack();
    (won || fours.left > 0).then_some(won)
}

struct Fours {
    position: Position,
    attacker: Stone,
    windows: Vec<Vec<Cell>>,
    failed: HashSet<u64>,
    left: usize,
}

impl Fours {
    fn attack(&mut self) -> bool {
        if self.left == 0 || self.failed.contains(&self.position.hash()) {
            return false;
        }
        self.left -= 1;
        let won = match self.fives(self.attacker).is_empty() {
            false => true,
            true => self.makers().into_iter().any(|cell| self.tries(cell)),
        };
        if !won {
            self.failed.insert(self.position.hash());
        }
        won
    }

    /// Legal cells on which a side completes a line.
    fn fives(&self, stone: Stone) -> Vec<Cell> {
        let missing = self.missing(stone, 1).into_iter();
        missing.filter(|&cell| self.position.wins_at(cell, stone)).collect()
    }

    /// Cells that may make a four; only the one that stops a five of the other side, if there is one.
    fn makers(&self) -> Vec<Cell> {
        match self.fives(self.attacker.other()).as_slice() {
            [] => self.missing(self.attacker, 2),
            [only] => vec![*only],
            _ => Vec::new(),
        }
    }

    /// The empty cells of stretches of five in which a side has all others, and the other side none.
    fn missing(&self, stone: Stone, count: usize) -> Vec<Cell> {
        let mut cells = Vec::new();
        for window in &self.windows {
            let own = window.iter().filter(|&&cell| self.position.stone(cell) == Some(stone)).count();
            let empty: Vec<Cell> =
                window.iter().copied().filter(|&cell| self.position.stone(cell).is_none()).collect();
            if empty.len() == count && own + count == window.len() {
                cells.extend(empty);
            }
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Whether a four on this cell wins.
    fn tries(&mut self, cell: Cell) -> bool {
        if self.position.play(cell).is_err() {
            return false;
        }
        let fives = self.fives(self.attacker);
        let won = match fives.as_slice() {
            [] => false,
            _ if !self.fives(self.attacker.other()).is_empty() => false,
            [only] => match self.position.play(*only) {
                // The other side may not stop it there.
                Err(_) => true,
                Ok(()) => {
                    let won = self.position.outcome().is_none() && self.attack();
                    self.position.undo();
                    won
                }
            },
            _ => true,
        };
        self.position.undo();
        won
    }
}
