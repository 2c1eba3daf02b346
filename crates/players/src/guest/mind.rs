//! The engine behind a guest: made for the game at hand, on a thread of its own, made anew when it is lost.

use std::sync::mpsc::{Sender, channel};

use lianzi_classic::BUILT_IN;
use lianzi_core::{Position, Rules, mix};
use lianzi_engine::{Engine, Limits, NoEngine, Stop};

use super::Guest;
use super::desk::Event;
use crate::player::Kind;
use crate::player::PlayerSpec;
use lianzi_game::player::{EngineNews, Order, spawn};

/// The engine behind a guest.
pub(super) struct Mind {
    player: PlayerSpec,
    /// Options the manager wishes for, such as the size of the table; an engine that has none goes without.
    wishes: Vec<(String, String)>,
    seed: u64,
    games: u64,
    workers: u64,
    worker: Option<Worker>,
    /// Whether the thread still owes the answer of a search that nobody waits for any more.
    owing: bool,
    events: Sender<Event>,
}

/// The thread of an engine. What it tells carries its number, so that one that was given up is not listened to.
struct Worker {
    rules: Rules,
    number: u64,
    orders: Sender<Order>,
}

impl Mind {
    pub fn new(guest: &Guest, events: Sender<Event>) -> Mind {
        Mind {
            player: guest.player.clone(),
            wishes: Vec::new(),
            seed: guest.seed,
            games: 0,
            workers: 0,
            worker: None,
            owing: false,
            events,
        }
    }

    /// The limits the user gave the player.
    pub fn limits(&self) -> &Limits {
        &self.player.limits
    }

    /// Makes the engine for this game if it is not there yet: better now than when somebody waits for an answer.
    pub fn prepare(&mut self, rules: &Rules) -> Result<(), String> {
        if self.worker.as_ref().is_none_or(|worker| worker.rules != *rules) {
            self.worker = Some(self.start(rules)?);
            self.owing = false;
        }
        Ok(())
    }

    /// A new game begins: another seed, nothing remembered.
    pub fn begin(&mut self) {
        self.games += 1;
        self.clear();
    }

    /// Forgets what was thought of this game.
    pub fn clear(&mut self) {
        if let Some(worker) = &self.worker {
            // A thread that is gone shows itself at the next search.
            let _ = worker.orders.send(Order::Begin(self.game_seed()));
        }
    }

    /// Wishes for an option from the next search on.
    pub fn wish(&mut self, key: &str, value: String) {
        let same = |(k, v): &(String, String)| k == key && *v == value;
        if !self.wishes.iter().any(same) {
            self.wishes.retain(|(k, _)| k != key);
            self.wishes.push((key.into(), value));
            self.worker = None;
        }
    }

    /// Gives the thread up: it is stuck, or its engine is broken.
    pub fn lose(&mut self) {
        self.worker = None;
    }

    /// Goes on without the answer. On a busy machine a late thread is a starved one: another engine would not be made in
    /// time either. One that still owes the last answer is given up.
    pub fn go_on(&mut self) {
        if self.owing {
            self.lose();
        }
        self.owing = true;
    }

    /// Takes in news of the thread of this number; says whether they are of a search that nobody waits for any more.
    pub fn is_old(&mut self, from: u64, news: &EngineNews) -> bool {
        let owing = self.owing && self.worker.as_ref().is_some_and(|worker| worker.number == from);
        if owing && matches!(news, EngineNews::Best(..)) {
            self.owing = false;
        }
        owing && !matches!(news, EngineNews::Panicked(_))
    }

    /// Starts a search. Its news come with the number given here; the flag stops it.
    pub fn search(&mut self, position: &Position, limits: Limits) -> Result<(u64, Stop), String> {
        let stop = Stop::default();
        let order = Order::Search(Box::new(position.clone()), limits, stop.clone());
        self.prepare(position.rules())?;
        let Some(worker) = &self.worker else { return Err("there is no engine".into()) };
        worker.orders.send(order).map_err(|_| "the engine's thread is gone")?;
        Ok((worker.number, stop))
    }

    /// Where random numbers of this game start.
    pub fn game_seed(&self) -> u64 {
        mix(self.seed ^ mix(self.games))
    }

    fn start(&mut self, rules: &Rules) -> Result<Worker, String> {
        let engine = self.make(rules).map_err(|none| none.to_string())?;
        self.workers += 1;
        let (number, events) = (self.workers, self.events.clone());
        let (orders, inbox) = channel();
        spawn(engine, inbox, move |news| events.send(Event::News(number, news)).is_ok())
            .map_err(|error| error.to_string())?;
        let _ = orders.send(Order::Begin(self.game_seed()));
        Ok(Worker { rules: *rules, number, orders })
    }

    /// The engine with as many of the wishes as it knows.
    fn make(&self, rules: &Rules) -> Result<Box<dyn Engine>, NoEngine> {
        let mut wishes = self.wishes.clone();
        loop {
            let refused = match self.with(&wishes).engine(rules) {
                Ok(Some(engine)) => return Ok(engine),
                Ok(None) => return Err(NoEngine::Unknown { name: "human".into(), known: BUILT_IN }),
                Err(refused) => refused,
            };
            let (NoEngine::Option { key, .. } | NoEngine::Value { key, .. }) = &refused else {
                return Err(refused);
            };
            let before = wishes.len();
            wishes.retain(|(wish, _)| wish != key);
            if wishes.len() == before {
                return Err(refused);
            }
        }
    }

    /// The player with options added; those the user gave hold.
    fn with(&self, wishes: &[(String, String)]) -> PlayerSpec {
        let mut player = self.player.clone();
        if let Kind::BuiltIn(_, options) = &mut player.kind {
            for (key, value) in wishes {
                options.given.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        player
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::cells::RowA;
    use lianzi_engine::{Best, Info};

    #[test]
    fn a_late_engine_is_kept_until_it_is_late_again() {
        let (events, _heard) = channel();
        let guest = Guest { player: "greedy".parse().unwrap(), game: None, row_a: RowA::Bottom, seed: 1 };
        let (mut mind, position) = (Mind::new(&guest, events), Position::new(Rules::gomoku(15)));
        let ask = |mind: &mut Mind| mind.search(&position, Limits::default()).unwrap().0;
        let best = || EngineNews::Best(Best::default(), None);
        let first = ask(&mut mind);
        assert!(!mind.is_old(first, &best()));
        mind.go_on();
        assert_eq!(ask(&mut mind), first, "making another takes longer than waiting for this one");
        assert!(mind.is_old(first, &EngineNews::Info(Info::default())) && mind.is_old(first, &best()));
        assert!(!mind.is_old(first, &best()), "the second answer is that of the second question");
        mind.go_on();
        mind.go_on();
        let second = ask(&mut mind);
        assert!(second != first, "it is stuck");
        assert!(!mind.is_old(second, &best()));
    }
}
