//! What the provers say, checked with the referee alone: nothing here knows shapes or kinds.
//!
//! [`wins`] replays a proof against every defence. [`wins_by_fours`] looks for a win by continuous fours itself, slowly.

use std::collections::HashSet;

use lianzi_core::{Cell, Outcome, Position, Stone};

use super::board::GomokuBoard;
use super::prover::Proof;
use super::spot::{cell, spot};

/// Whether the side to move wins by this proof whatever the other side does. Slow: after each stone of the attacker
/// every legal answer is tried.
pub fn wins(position: &Position, board: &GomokuBoard, proof: &Proof) -> bool {
    Verifier::new(position, board, proof).attack()
}

/// Whether the side that is not to move wins by this proof whatever the other side does.
pub fn loses(position: &Position, board: &GomokuBoard, proof: &Proof) -> bool {
    let attacker = position.to_move().other();
    Verifier { attacker, ..Verifier::new(position, board, proof) }.defend()
}

/// The stretches of a board that a side must fill to win.
struct Stretches(Vec<Vec<Cell>>);

impl Stretches {
    fn of(position: &Position) -> Stretches {
        Stretches(position.rules().windows())
    }

    /// The empty cells of stretches in which a side has all others, and the other side none.
    fn missing(&self, position: &Position, stone: Stone, count: usize) -> Vec<Cell> {
        let mut cells = Vec::new();
        for stretch in &self.0 {
            let own = stretch.iter().filter(|&&cell| position.stone(cell) == Some(stone)).count();
            if own + count == stretch.len() {
                let empty = || stretch.iter().copied().filter(|&cell| position.stone(cell).is_none());
                if empty().count() == count {
                    cells.extend(empty());
                }
            }
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Cells on which a side would complete a line.
    fn fives(&self, position: &Position, stone: Stone) -> Vec<Cell> {
        let missing = self.missing(position, stone, 1).into_iter();
        missing.filter(|&cell| position.wins_at(cell, stone)).collect()
    }
}

struct Verifier<'a> {
    stretches: Stretches,
    position: Position,
    /// Only to find the position in the proof.
    board: GomokuBoard,
    attacker: Stone,
    proof: &'a Proof,
    /// Positions shown to be won.
    won: HashSet<u64>,
}

impl<'a> Verifier<'a> {
    fn new(position: &Position, board: &GomokuBoard, proof: &'a Proof) -> Verifier<'a> {
        Verifier {
            stretches: Stretches::of(position),
            position: position.clone(),
            board: board.clone(),
            attacker: position.to_move(),
            proof,
            won: HashSet::new(),
        }
    }
}

impl Verifier<'_> {
    fn attack(&mut self) -> bool {
        if self.won.contains(&self.position.hash()) {
            return true;
        }
        let won = self.can_win(self.attacker)
            || match self.proof.stone(self.board.hash()) {
                Some(stone) => self.try_stone(cell(stone), Self::defend),
                None => self.makes_open_four(),
            };
        if won {
            self.won.insert(self.position.hash());
        }
        won
    }

    /// Whether every answer loses.
    fn defend(&mut self) -> bool {
        match self.position.outcome() {
            Some(outcome) => return outcome == Outcome::Win(self.attacker),
            None if self.can_win(self.attacker.other()) => return false,
            None => {}
        }
        let fives = self.stretches.fives(&self.position, self.attacker);
        let answers: Vec<Cell> = match fives.as_slice() {
            [] => self.position.legal().collect(),
            // Only the cell of the five stops it; two of them nothing can stop.
            [only] => vec![*only],
            _ => return true,
        };
        answers.into_iter().all(|answer| self.position.check(answer).is_err() || self.try_stone(answer, Self::attack))
    }

    /// Whether the side to move completes a line with its next stone.
    fn can_win(&self, stone: Stone) -> bool {
        let fives = self.stretches.fives(&self.position, stone);
        fives.into_iter().any(|cell| self.position.check(cell).is_ok())
    }

    /// Whether the attacker has a stone that leaves two cells for a five, or one that may not be stopped.
    fn makes_open_four(&mut self) -> bool {
        let cells = self.stretches.missing(&self.position, self.attacker, 2);
        cells.into_iter().any(|at| {
            self.try_stone(at, |verifier| {
                let fives = verifier.stretches.fives(&verifier.position, verifier.attacker);
                let stopped = match fives.as_slice() {
                    [] => true,
                    [only] => verifier.position.check(*only).is_ok(),
                    _ => false,
                };
                !stopped && !verifier.can_win(verifier.attacker.other())
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
        stretches: Stretches::of(position),
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
    stretches: Stretches,
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

    fn fives(&self, stone: Stone) -> Vec<Cell> {
        self.stretches.fives(&self.position, stone)
    }

    /// Cells that may make a four; only the one that stops a five of the other side, if there is one.
    fn makers(&self) -> Vec<Cell> {
        match self.fives(self.attacker.other()).as_slice() {
            [] => self.stretches.missing(&self.position, self.attacker, 2),
            [only] => vec![*only],
            _ => Vec::new(),
        }
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
