//! How a room is made, kept in the library, and opened again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lianzi_core::GameRecord;
use lianzi_core::record::{Document, Format};
use lianzi_game::live::{LiveGame, LiveTable, Reach, Setting, Side};
use lianzi_store::{Entry, Hash, Keys, StoredGame};
use serde::{Deserialize, Serialize};
use tokio::sync::{broadcast, mpsc};

use super::{EVENTS, Handle, Room};
use crate::Hall;
use crate::bounds::Times;
use crate::players::{Players, Who};
use crate::pool::Key;
use crate::series::Series;
use crate::words::Refusal;

/// Who sits at a side, as a page names it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SideChoice {
    /// The player.
    pub player: String,
    /// What it is to be called.
    #[serde(default)]
    pub name: Option<String>,
}

/// What a room must know to open again, besides the game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Saved {
    sides: [SideChoice; 2],
    times: Times,
    series: Option<Series>,
    met: bool,
    turn_ms: u64,
    #[serde(default)]
    pace_ms: u64,
    #[serde(default)]
    before: Option<String>,
}

/// A room to be.
pub struct NewRoom {
    /// The game, with the players' names in it.
    pub record: GameRecord,
    /// Who plays.
    pub sides: [SideChoice; 2],
    /// The clocks.
    pub times: Times,
    /// The length of the series, if it is one.
    pub series: Option<u32>,
    /// The least time between two turns of engines that play each other, in milliseconds.
    pub pace_ms: u64,
    /// Who may do what.
    pub keys: Keys,
    /// Who set it up.
    pub visitor: Hash,
}

impl NewRoom {
    /// The room as the library keeps it, under this name.
    pub fn stored(self, id: &str, now: i64) -> Result<StoredGame, Refusal> {
        let series = self.series.map(Series::new);
        let NewRoom { sides, times, pace_ms, .. } = self;
        let saved = Saved { sides, times, series, pace_ms, ..Saved::default() };
        let room = serde_json::to_string(&saved).map_err(Refusal::broken)?;
        let live = self.record.verdict.outcome.is_none();
        let entry = entry(id, &self.record, now, live);
        let (record, visitor) = (self.record.to_json(), Some(self.visitor));
        Ok(StoredGame { entry, record, room: Some(room), keys: self.keys, visitor })
    }
}

/// What lists show of a game.
pub fn entry(id: &str, record: &GameRecord, created: i64, live: bool) -> Entry {
    Entry {
        id: id.into(),
        game: record.game().to_string(),
        names: record.sides.clone().map(|side| side.name),
        outcome: record.verdict.outcome_name(),
        ending: record.verdict.ending.name().into(),
        plies: record.moves.len(),
        created,
        live,
    }
}

/// The record in our JSON form that the library keeps.
pub fn read_record(json: &str) -> Result<GameRecord, Refusal> {
    let games = Format::Json.read(&Document::Single(json.into()), None);
    let loaded = games.ok().and_then(|games| games.into_iter().next());
    Ok(loaded.ok_or_else(|| Refusal::broken("a game of the library cannot be read"))?.record)
}

impl Room {
    /// Opens the room of a game in the library.
    pub fn reopen(hall: Arc<Hall>, stored: StoredGame) -> Result<Handle, Refusal> {
        let StoredGame { entry, record, room, keys, visitor } = stored;
        let record = read_record(&record)?;
        let saved = room.map(|room| serde_json::from_str::<Saved>(&room)).transpose();
        let saved = saved.map_err(Refusal::broken)?;
        let frozen = saved.is_none();
        let saved = saved.unwrap_or_else(|| Saved::without_seats(&record));
        let control = saved.times.control()?;
        let verdict = record.verdict.clone();
        let mut game = LiveGame::resume(record, control).map_err(Refusal::broken)?;
        // A game that was given up, lost by a fault or adjudicated stays so, although its stones do not show it.
        if verdict.outcome.is_some() {
            game.end(verdict);
        }
        let sides = saved.sides.map(|side| seat(side, &hall.players));
        let [pace, turn_used] = [saved.pace_ms, saved.turn_ms].map(Duration::from_millis);
        let setting = Setting { game, sides, pace, turn_used };
        let (events, _) = broadcast::channel(EVENTS);
        let (news, hear) = mpsc::unbounded_channel();
        let reach = Reach {
            threads: hall.pool.threads(Key::Game(entry.id.clone())),
            // A room that is closed does not want to know.
            tell: Arc::new(move |told| drop(news.send(told))),
            leaving: hall.leaving.clone(),
        };
        let room = Room {
            hall,
            id: entry.id,
            created: entry.created,
            table: LiveTable::new(setting, reach),
            keys,
            visitor,
            times: saved.times,
            series: saved.series,
            finished: None,
            before: saved.before,
            frozen,
            met: saved.met,
            connected: Vec::new(),
            friends: Default::default(),
            empty_since: None,
            paused: true,
            stalled: None,
            told: Arc::default(),
            events,
        };
        Ok(room.open(hear))
    }

    /// The room as the library keeps it.
    pub(super) fn stored(&self) -> StoredGame {
        let side = |side: &Side| SideChoice { player: side.player.clone(), name: Some(side.name.clone()) };
        let game = self.table.game();
        let turn = self.table.face(game.position().to_move(), Instant::now()).turn;
        let saved = Saved {
            sides: self.table.sides().each_ref().map(side),
            times: self.times,
            series: self.series,
            met: self.met,
            turn_ms: turn.as_millis() as u64,
            pace_ms: self.table.pace().as_millis() as u64,
            before: self.before.clone(),
        };
        // Texts and numbers alone: this cannot fail. A game that is only kept has no room to open again.
        let room = serde_json::to_string(&saved).ok().filter(|_| !self.frozen);
        let (record, keys) = (game.record().to_json(), self.keys.clone());
        StoredGame { entry: self.entry(), record, room, keys, visitor: self.visitor }
    }
}

impl Saved {
    /// A game that was only kept: nobody sits there.
    fn without_seats(record: &GameRecord) -> Saved {
        let sides = record.sides.clone();
        let sides = sides.map(|side| SideChoice { player: "human".into(), name: Some(side.name) });
        Saved { sides, ..Saved::default() }
    }
}

/// Who sits at a side. A player that is gone since (the server was started without it) is replaced by a person, so
/// that the game can still be opened.
fn seat(choice: SideChoice, players: &Players) -> Side {
    let who = players.find(&choice.player).unwrap_or(Who::Human);
    let name = choice.name.unwrap_or_else(|| who.name().into());
    Side::new(choice.player, name, who.machine())
}
