//! How a room is kept in the library, and opened again.

use std::sync::Arc;

use lianzi_core::{GameRecord, Stone};
use lianzi_game::live::{Reach, Side};
use lianzi_store::{Entry, Keys, StoredGame};
use lianzi_talk::records::read_kept;
use lianzi_talk::{Archived, Refusal, SideChoice, Sitting, Spot};
use serde_json::Value;
use tokio::sync::{broadcast, mpsc};

use super::{EVENTS, Handle, Room};
use crate::Hall;
use crate::players::{Players, Who};
use crate::pool::Key;
use crate::secret::Credentials;

/// What lists show of a game.
pub fn entry(spot: &Spot, record: &GameRecord, live: bool) -> Entry {
    Entry {
        id: spot.id.clone(),
        game: record.game().to_string(),
        names: record.sides.clone().map(|side| side.name),
        outcome: record.verdict.outcome_name(),
        ending: record.verdict.ending.name().into(),
        plies: record.moves.len(),
        created: spot.created,
        live,
    }
}

/// A state, ready to be sent to anybody.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// The message without what differs from one connection to the next, and without its end.
    body: String,
    keys: Keys,
}

impl Snapshot {
    fn new(state: &Value, keys: &Keys) -> Snapshot {
        let mut body = state.to_string();
        body.pop();
        Snapshot { body, keys: keys.clone() }
    }

    /// The message for one connection.
    pub fn message(&self, credentials: &Credentials) -> String {
        let you = credentials.stones(&self.keys).iter().map(|stone| format!("\"{stone}\"")).collect::<Vec<_>>();
        format!("{},\"you\":[{}],\"owner\":{}}}", self.body, you.join(","), credentials.own(&self.keys))
    }
}

impl Room {
    /// Opens the room of a game in the library.
    pub fn reopen(hall: Arc<Hall>, stored: StoredGame) -> Result<Handle, Refusal> {
        let StoredGame { entry, record, room, keys, visitor } = stored;
        let (events, _) = broadcast::channel(EVENTS);
        let (news, hear) = mpsc::unbounded_channel();
        let reach = Reach {
            threads: hall.pool.threads(Key::Game(entry.id.clone())),
            // A room that is closed does not want to know.
            tell: Arc::new(move |told| drop(news.send(told))),
            leaving: hall.leaving.clone(),
        };
        let spot = Spot { id: entry.id, created: entry.created };
        let seat = |choice| seat(choice, &hall.players);
        let sitting = Sitting::open(spot, read_kept(&record)?, room.as_deref(), seat, reach)?;
        let room = Room {
            hall,
            sitting,
            keys,
            visitor,
            finished: None,
            connected: Vec::new(),
            friends: Default::default(),
            empty_since: None,
            paused: true,
            stalled: None,
            lost: None,
            told: Arc::default(),
            events,
        };
        Ok(room.open(hear))
    }

    /// From now on it counts among what its visitor keeps.
    pub(super) fn archived(&self, Archived { id, record }: Archived) -> StoredGame {
        let entry = entry(&Spot { id, created: crate::now() }, &record, false);
        StoredGame { entry, record: record.to_json(), room: None, keys: self.keys.clone(), visitor: self.visitor }
    }

    /// The state as of now.
    pub(super) fn snapshot(&self) -> Snapshot {
        let mut state = self.sitting.state();
        if let (Value::Object(state), Value::Object(friends)) = (&mut state, self.friends_state()) {
            state.extend(friends);
        }
        for stone in Stone::BOTH {
            let side = &mut state["sides"][stone.index()];
            if side.get("here").is_some() {
                side["here"] = self.is_here(stone).into();
            }
        }
        Snapshot::new(&state, &self.keys)
    }

    /// The room as the library keeps it.
    pub(super) fn stored(&self) -> StoredGame {
        let record = self.sitting.table.game().record();
        let entry = entry(&self.sitting.spot, record, self.sitting.is_live());
        let (keys, visitor) = (self.keys.clone(), self.visitor);
        StoredGame { entry, record: record.to_json(), room: self.sitting.saved(), keys, visitor }
    }
}

/// Who sits at a side. A player that is gone since (the server was started without it) is replaced by a person, so
/// that the game can still be opened.
fn seat(choice: SideChoice, players: &Players) -> Side {
    let who = players.find(&choice.player).unwrap_or(Who::Human);
    let name = choice.name.unwrap_or_else(|| who.name().into());
    Side::new(choice.player, name, who.machine())
}
