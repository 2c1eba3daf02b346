//! A live game with what surrounds its table, and how it is kept and opened again.

use std::time::Duration;

use lianzi_core::record::Negotiated;
use lianzi_core::{Act, GameRecord, Negotiation, OpeningRule};
use lianzi_engine::Instant;
use lianzi_game::live::{Event, LiveGame, LiveTable, Reach, Setting, Side};
use serde::{Deserialize, Serialize};

use crate::bounds::Times;
use crate::{Refusal, Series};

/// Who sits at a side, as a page names it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SideChoice {
    /// The player.
    pub player: String,
    /// What it is to be called.
    #[serde(default)]
    pub name: Option<String>,
}

/// What must be known to open a sitting again, besides the game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Saved {
    pub(crate) sides: [SideChoice; 2],
    pub(crate) times: Times,
    pub(crate) series: Option<Series>,
    pub(crate) met: bool,
    pub(crate) turn_ms: u64,
    #[serde(default)]
    pub(crate) pace_ms: u64,
    #[serde(default)]
    pub(crate) instant: bool,
    #[serde(default)]
    pub(crate) before: Option<String>,
    /// How far swap2 had come, in games that were kept before records told it.
    #[serde(default, skip_serializing)]
    pub(crate) opening: Option<OlderSwap2>,
}

/// What games that were kept before records told of openings said of swap2, besides their stones.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct OlderSwap2 {
    /// Whether the other one lays two more stones.
    two: bool,
}

impl OlderSwap2 {
    /// What the players did, as far as the stones of the record tell it, if it does not tell it itself.
    fn acts(self, record: &GameRecord) -> Vec<Act> {
        const FIRST: usize = 3;
        const SETTLED: &str = "swap2";
        let settled = record.tag(SETTLED).is_some();
        let stones = if settled { record.opening } else { record.moves.len() };
        let mut acts: Vec<Act> = record.moves.iter().take(stones).map(|played| Act::Place(played.cell)).collect();
        // The fourth stone, and the sixth, kept White's side; without it the sides were settled by a swap.
        if settled && stones % 2 == 1 {
            acts.push(Act::Swap);
        }
        if acts.len() >= FIRST && (self.two || stones > FIRST + 1) {
            acts.insert(FIRST, Act::More);
        }
        acts
    }

    /// Lets a record tell what it did not tell then. What is still open is returned, to be done again at the table: where
    /// the opener has to choose, the players sit the other way round since.
    fn tell(self, record: &mut GameRecord) -> Vec<Act> {
        let rule = OpeningRule::Swap2;
        let over = record.verdict.outcome.is_some();
        let mut acts = self.acts(record);
        let fits = Negotiation::after(rule, record.rules, &acts);
        let Some(found) = fits.ok().filter(|_| !over && record.negotiated.is_none()) else { return Vec::new() };
        if found.is_settled() {
            record.negotiated = Some(Negotiated { rule, acts: std::mem::take(&mut acts) });
        } else {
            record.begin_by(rule);
            record.moves.clear();
        }
        acts
    }
}

/// Where a game lies in a library.
#[derive(Clone, Debug, Default)]
pub struct Spot {
    /// Its name.
    pub id: String,
    /// Since when, in milliseconds since 1970.
    pub created: i64,
}

/// A live game and everything that belongs to it.
pub struct Sitting {
    /// Where it is kept.
    pub spot: Spot,
    /// The table.
    pub table: LiveTable,
    /// The series it belongs to.
    pub series: Option<Series>,
    /// A game of the library without seats: to be looked at only.
    pub frozen: bool,
    /// Whether everybody who plays has been here: before that no clock runs.
    pub met: bool,
    pub(crate) times: Times,
    /// Where the game before this one is kept.
    pub(crate) before: Option<String>,
}

impl Sitting {
    /// Opens a game that was kept, with what [`Sitting::saved`] said of it; without that nobody moves in it. `seat` says
    /// who sits where.
    pub fn open(
        spot: Spot,
        mut record: GameRecord,
        saved: Option<&str>,
        seat: impl Fn(SideChoice) -> Side,
        reach: Reach,
    ) -> Result<Sitting, Refusal> {
        let saved = saved.map(serde_json::from_str::<Saved>).transpose().map_err(Refusal::broken)?;
        let frozen = saved.is_none();
        let saved = saved.unwrap_or_else(|| Saved::without_seats(&record));
        let control = saved.times.control()?;
        let again = saved.opening.map(|older| older.tell(&mut record)).unwrap_or_default();
        let verdict = record.verdict.clone();
        let mut game = LiveGame::resume(record, control).map_err(Refusal::broken)?;
        // A game that was given up, lost by a fault or adjudicated stays so, although its stones do not show it.
        if verdict.outcome.is_some() {
            game.end(verdict);
        }
        let sides = saved.sides.map(seat);
        let [pace, turn_used] = [saved.pace_ms, saved.turn_ms].map(Duration::from_millis);
        let setting = Setting { game, sides, pace, instant: saved.instant, turn_used };
        let Saved { times, series, met, before, .. } = saved;
        let mut table = LiveTable::new(setting, reach);
        for act in again {
            table.act(act).map_err(Refusal::broken)?;
        }
        Ok(Sitting { spot, table, series, frozen, met, times, before })
    }

    /// What must be known besides the record to open it again; nothing for a game that is only kept.
    pub fn saved(&self) -> Option<String> {
        let side = |side: &Side| SideChoice { player: side.player.clone(), name: Some(side.name.clone()) };
        let turn = self.table.face(self.table.position().to_move(), Instant::now()).turn;
        let saved = Saved {
            sides: self.table.sides().each_ref().map(side),
            times: self.times,
            series: self.series,
            met: self.met,
            turn_ms: turn.as_millis() as u64,
            pace_ms: self.table.pace().as_millis() as u64,
            instant: self.table.instant(),
            before: self.before.clone(),
            opening: None,
        };
        // Texts and numbers alone: this cannot fail.
        serde_json::to_string(&saved).ok().filter(|_| !self.frozen)
    }

    /// Whether it goes on.
    pub fn is_live(&self) -> bool {
        !self.table.game().is_over() && !self.frozen
    }

    /// What has happened at the table since this was asked last; the series follows those who play it.
    pub fn events(&mut self) -> Vec<Event> {
        let events = self.table.events();
        if events.iter().filter(|event| **event == Event::Swapped).count() % 2 == 1 {
            self.series = self.series.map(Series::swapped);
        }
        events
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
