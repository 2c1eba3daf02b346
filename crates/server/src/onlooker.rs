//! The game that a contest plays just now, for people who watch.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lianzi_core::{Act, Cell, Fault, Negotiation, Position, Verdict};
use lianzi_engine::Report;
use lianzi_game::player::{Ask, Player, Reply, Seat};
use lianzi_talk::board_json;
use serde_json::{Value, json};

/// A board that onlookers see: the last position that a player was asked about, and who plays.
#[derive(Clone, Debug, Default)]
pub struct Onlooked(Arc<Mutex<Seen>>);

#[derive(Debug, Default)]
struct Seen {
    position: Option<Position>,
    /// Which entrants play, Black's first.
    seats: [Option<usize>; 2],
}

impl Onlooked {
    /// The board as the page draws it, with who plays; nothing before the first turn.
    pub fn shown(&self, name: impl Fn(usize) -> String) -> Option<Value> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let position = seen.position.as_ref()?;
        let moves: Vec<Cell> = position.plies().iter().map(|ply| ply.cell).collect();
        let [black, white] = seen.seats.map(|seat| seat.map(&name));
        let mut board = board_json(position.rules());
        for (key, value) in [("moves", json!(moves)), ("black", json!(black)), ("white", json!(white))] {
            board[key] = value;
        }
        Some(board)
    }

    fn see(&self, change: impl FnOnce(&mut Seen)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// A player whose board onlookers see.
pub struct Watched {
    player: Box<dyn Player>,
    entrant: usize,
    board: Onlooked,
}

impl Watched {
    /// This entrant's player, seen on this board.
    pub fn new(player: Box<dyn Player>, entrant: usize, board: Onlooked) -> Watched {
        Watched { player, entrant, board }
    }
}

impl Player for Watched {
    fn sit(&mut self, seat: &Seat<'_>) -> Result<(), Fault> {
        self.board.see(|seen| {
            seen.seats[seat.stone.index()] = Some(self.entrant);
            seen.position = None;
        });
        self.player.sit(seat)
    }

    fn take_turn(&mut self, ask: &Ask<'_>, watch: Report<'_>) -> Result<Reply, Fault> {
        self.board.see(|seen| seen.position = Some(ask.position.clone()));
        self.player.take_turn(ask, watch)
    }

    fn negotiate(&mut self, ask: &Ask<'_>, negotiation: &Negotiation) -> Result<Option<Vec<Act>>, Fault> {
        self.player.negotiate(ask, negotiation)
    }

    fn warm_up(&self) -> Duration {
        self.player.warm_up()
    }

    fn leave(&mut self, verdict: &Verdict) {
        self.player.leave(verdict);
    }

    fn said(&mut self) -> Option<String> {
        self.player.said()
    }

    fn refused(&mut self) -> Vec<String> {
        self.player.refused()
    }
}
