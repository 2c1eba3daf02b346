//! Replays a proof against every defence, with the referee alone: nothing here knows shapes or kinds.

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
