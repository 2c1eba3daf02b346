//! What a position is worth, always seen from Black.

use lianzi_core::{Cell, Outcome, Stone};
use lianzi_engine::Line;
use lianzi_engine::chance::Scores;

/// Black's chance in a position, and the end if it is proven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// Black's chance to win, from 0 to 1.
    pub black: f64,
    /// How the game ends with best play, and in how many stones; 0 when it is over.
    pub proof: Option<(Outcome, usize)>,
}

impl Worth {
    /// Nobody can tell.
    pub(super) const UNKNOWN: Worth = Worth { black: 0.5, proof: None };

    /// A game that is over.
    pub(super) fn ended(outcome: Outcome) -> Worth {
        Worth::proven(outcome, 0)
    }

    fn proven(outcome: Outcome, stones: usize) -> Worth {
        let black = match outcome {
            Outcome::Draw => 0.5,
            Outcome::Win(winner) => f64::from(u8::from(winner == Stone::Black)),
        };
        Worth { black, proof: Some((outcome, stones)) }
    }

    /// What a line of an engine says of a position with this side to move.
    pub(super) fn of_line(line: &Line, scores: Scores, to_move: Stone) -> Worth {
        if let Some(plies) = line.win_in {
            let outcome = match plies.signum() {
                1 => Outcome::Win(to_move),
                -1 => Outcome::Win(to_move.other()),
                _ => Outcome::Draw,
            };
            return Worth::proven(outcome, plies.unsigned_abs() as usize);
        }
        let chance = scores.of_line(line).unwrap_or(0.5);
        Worth { black: if to_move == Stone::Black { chance } else { 1.0 - chance }, proof: None }
    }

    /// The same so many stones earlier.
    pub(super) fn earlier(self, stones: usize) -> Worth {
        Worth { proof: self.proof.map(|(outcome, rest)| (outcome, rest + stones)), ..self }
    }

    /// The same so many stones later.
    pub(super) fn later(self, stones: usize) -> Worth {
        Worth { proof: self.proof.map(|(outcome, rest)| (outcome, rest.saturating_sub(stones))), ..self }
    }

    /// The chance of a side.
    pub fn chance(self, stone: Stone) -> f64 {
        if stone == Stone::Black { self.black } else { 1.0 - self.black }
    }

    /// Whether this side is proven to win.
    pub fn is_won(self, stone: Stone) -> bool {
        self.proof.is_some_and(|(outcome, _)| outcome == Outcome::Win(stone))
    }

    /// Whether this side is proven to lose.
    pub fn is_lost(self, stone: Stone) -> bool {
        self.is_won(stone.other())
    }

    /// In how many stones this side wins, if that is proven.
    pub(super) fn win_in(self, stone: Stone) -> Option<usize> {
        self.proof.filter(|_| self.is_won(stone)).map(|(_, stones)| stones)
    }

    /// Whether this side loses here as it does there, but more stones later.
    pub(super) fn loses_later(self, there: Worth, stone: Stone) -> bool {
        let [here, there] = [self, there].map(|worth| worth.win_in(stone.other()));
        here.zip(there).is_some_and(|(here, there)| here > there)
    }

    /// The proven end as it is sent: above 0 Black wins in so many stones, below White, 0 is a draw.
    pub(super) fn signed(self) -> Option<i32> {
        let (outcome, stones) = self.proof?;
        let stones = i32::try_from(stones).ok()?;
        match outcome {
            Outcome::Win(_) if stones == 0 => None,
            Outcome::Win(Stone::Black) => Some(stones),
            Outcome::Win(Stone::White) => Some(-stones),
            Outcome::Draw => Some(0),
        }
    }
}

/// Whether a turn lays all the stones of another one.
pub(super) fn same_stones(turn: &[Cell], other: &[Cell]) -> bool {
    turn.iter().all(|cell| other.contains(cell))
}
