//! Live games of a page: the same sittings as on a server, whose only guest owns everything.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use lianzi_engine::Instant;
use lianzi_game::live::{By, Errand, Event, Leaving, Reach, Side, Threads, Word};
use lianzi_game::player::NamedEngine;
use lianzi_talk::advice::PageQuestion;
use lianzi_talk::records::read_kept;
use lianzi_talk::{Action, Refusal, SideChoice, Sitting, Spot};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ask::kept;
use crate::{Answer, host, not_understood, told};

/// What is to happen to a game.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Opens a kept game.
    Open { id: String, created: i64, record: String, saved: Option<String> },
    /// The page says something, as to a server.
    Say { id: String, message: String },
    /// Somebody has begun to see to an errand.
    Begun { id: String, number: u64 },
    /// Somebody has seen to an errand.
    Word { id: String, word: Word },
    /// It is time.
    Tick { id: String },
    /// Nobody looks at the game any more.
    Close { id: String },
}

/// A live game.
pub struct OpenGame {
    sitting: Sitting,
    /// Errands that nobody has been sent on yet.
    errands: Arc<Mutex<Vec<Errand>>>,
    /// A finished game whose board was cleared, for the library.
    archived: Option<Value>,
}

impl Request {
    pub fn answer(self, tables: &mut HashMap<String, OpenGame>) -> Answer {
        match self {
            Request::Open { id, created, record, saved } => {
                let mut table = OpenGame::open(Spot { id: id.clone(), created }, &record, saved.as_deref())?;
                let mut news = table.news();
                news["told"] = json!([table.state()]);
                tables.insert(id, table);
                told(news)
            }
            Request::Say { id, message } => OpenGame::with(tables, &id, |table| table.hear(&message)),
            Request::Begun { id, number } => OpenGame::with(tables, &id, |table| {
                table.sitting.table.hear_begun(number);
                Ok(None)
            }),
            Request::Word { id, word } => OpenGame::with(tables, &id, |table| {
                table.sitting.table.hear_word(word);
                Ok(None)
            }),
            Request::Tick { id } => OpenGame::with(tables, &id, |table| {
                table.sitting.table.tick();
                Ok(None)
            }),
            Request::Close { id } => {
                let closed = tables.remove(&id).map(|mut table| {
                    table.sitting.table.put_aside();
                    table.kept()
                });
                told(json!({"store": closed}))
            }
        }
    }
}

impl OpenGame {
    fn open(spot: Spot, record: &str, saved: Option<&str>) -> Result<OpenGame, Refusal> {
        let errands: Arc<Mutex<Vec<Errand>>> = Arc::default();
        let taken = Arc::clone(&errands);
        let threads = Threads::away(move |errand| taken.lock().unwrap_or_else(PoisonError::into_inner).push(errand));
        let reach = Reach { threads, tell: Arc::new(|_| {}), leaving: Leaving::default() };
        let sitting = Sitting::open(spot, read_kept(record)?, saved, seat, reach)?;
        let mut table = OpenGame { sitting, errands, archived: None };
        if !table.sitting.frozen {
            table.sitting.met = true;
            table.sitting.table.wake(true);
        }
        Ok(table)
    }

    /// Lets something happen to a game, and says what came of it.
    fn with(
        tables: &mut HashMap<String, OpenGame>,
        id: &str,
        act: impl FnOnce(&mut OpenGame) -> Result<Option<Value>, Refusal>,
    ) -> Answer {
        let missing = || Refusal::bad("this game is not open", "此局未打开");
        let table = tables.get_mut(id).ok_or_else(missing)?;
        let think = act(table)?;
        let mut news = table.news();
        news["think"] = think.unwrap_or_default();
        told(news)
    }

    /// What the page says: an order, or a question that somebody is to think about.
    fn hear(&mut self, message: &str) -> Result<Option<Value>, Refusal> {
        if let Ok(action) = serde_json::from_str::<Action>(message) {
            let by = By { seats: self.sitting.table.people(), owner: true };
            let archived = self.sitting.act(by, action, || Some(host::new_id()))?;
            self.archived = archived.map(|archived| kept(&archived.id, &archived.record, None, false));
            return Ok(None);
        }
        let record = || self.sitting.table.game().record().to_json();
        Ok(Some(match serde_json::from_str(message).map_err(|_| not_understood())? {
            PageQuestion::Ping => return Ok(None),
            PageQuestion::Analyse { moves: None, .. } => json!({"do": "rest"}),
            PageQuestion::Analyse { moves: Some(moves), lines } => {
                json!({"do": "analyse", "record": record(), "moves": moves, "lines": lines.unwrap_or(1)})
            }
            PageQuestion::Hint => json!({"do": "hint", "record": record()}),
            PageQuestion::Review => json!({"do": "review", "record": record()}),
            PageQuestion::Try { moves, turn } => json!({"do": "try", "record": record(), "moves": moves, "turn": turn}),
        }))
    }

    /// What has happened, and what is to be done about it: what the page is told, what is kept, who is to think about
    /// what, and when to come back.
    fn news(&mut self) -> Value {
        let events = self.sitting.events();
        let changed = events.contains(&Event::Changed);
        let told = if changed || events.contains(&Event::Begun) { vec![self.state()] } else { Vec::new() };
        let errands = mem::take(&mut *self.errands.lock().unwrap_or_else(PoisonError::into_inner));
        let table = &self.sitting.table;
        let now = Instant::now();
        let wakes = table.wakes().map(|at| at.saturating_duration_since(now).as_millis() as u64 + 1);
        json!({
            "told": told,
            "store": changed.then(|| self.kept()),
            "archived": self.archived.take(),
            "errand": errands.into_iter().next_back().map(with_own_seed),
            "asked": table.errand(),
            "wakes": wakes,
        })
    }

    fn state(&self) -> Value {
        let table = &self.sitting.table;
        let people = table.people();
        let mut state = self.sitting.state();
        let you: Vec<_> = lianzi_core::Stone::BOTH.into_iter().filter(|stone| people[stone.index()]).collect();
        state["you"] = if self.sitting.frozen { json!([]) } else { json!(you) };
        state["owner"] = json!(true);
        state
    }

    /// The game as the library keeps it.
    fn kept(&self) -> Value {
        let (spot, record) = (&self.sitting.spot, self.sitting.table.game().record());
        let mut kept = kept(&spot.id, record, self.sitting.saved().as_deref(), self.sitting.is_live());
        kept["entry"]["created"] = json!(spot.created);
        kept
    }
}

/// A page has no random numbers but those that it is lent.
fn with_own_seed(mut errand: Errand) -> Errand {
    errand.seed = errand.seed.map(|_| host::random());
    errand
}

fn seat(choice: SideChoice) -> Side {
    let named = choice.player.parse::<NamedEngine>().ok();
    let usual = named.as_ref().map_or("human", |named| &named.name).to_string();
    Side::new(choice.player, choice.name.unwrap_or(usual), named.map(|named| named.machine()))
}
