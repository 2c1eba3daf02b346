//! Searches. Each lasts as long as it takes and tells what it finds meanwhile; who wants to stop it ends its worker.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use lianzi_engine::Info;
use lianzi_game::live::{Adviser, Desk, Errand, Thinker, Threads, Work};
use lianzi_game::player::Device;
use lianzi_talk::advice::{message, position_after, position_to_move};
use lianzi_talk::records::read_kept;
use lianzi_talk::review::{Reviewing, Say, Tried};
use lianzi_talk::{bounds, thinking};
use serde::Deserialize;
use serde_json::json;

use crate::{Answer, Tell, not_understood, told};

/// What is to be thought about.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// A player's turn; the answer is its word.
    Errand { errand: Box<Errand> },
    /// A good turn.
    Hint { record: String },
    /// A position of a game, or of a line that leaves it.
    Analyse { record: String, moves: Vec<String>, lines: usize },
    /// The turns of a game that mattered.
    Review { record: String },
    /// How good a turn would be.
    Try { record: String, moves: Vec<String>, turn: Vec<String> },
}

impl Request {
    pub fn answer(self, device: Device, thinker: &mut Thinker, tell: Tell) -> Answer {
        match self {
            Request::Errand { errand } => {
                let (player, rules) = (&errand.player, errand.rules().ok_or_else(not_understood)?);
                let hear = |info: Option<&Info>| match info {
                    None => tell(&json!({"type": "begun", "number": errand.number}).to_string()),
                    Some(info) => tell(&thinking(errand.stone, info, player, &rules).to_string()),
                };
                let word = thinker.see_to(&errand, device, &hear);
                told(json!({"word": word}))
            }
            Request::Hint { record } => {
                let position = position_to_move(&read_kept(&record)?)?;
                advise(tell, device, |desk| desk.hint(position))
            }
            Request::Analyse { record, moves, lines } => {
                let position = position_after(&read_kept(&record)?, &moves)?;
                advise(tell, device, |desk| desk.analyse(position, lines.clamp(1, bounds::LINES)))
            }
            Request::Review { record } => {
                let record = read_kept(&record)?;
                let adviser = Adviser::for_analysis(&record.rules).on(device);
                advise(tell, device, |desk| Reviewing::of_game(desk.begin(), saying(tell), adviser, &record).go_on())
            }
            Request::Try { record, moves, turn } => {
                let record = read_kept(&record)?;
                let adviser = Adviser::for_analysis(&record.rules).on(device);
                let tried = Tried::read(&record, &moves, &turn, &adviser)?;
                advise(tell, device, |desk| Reviewing::of_try(desk.begin(), saying(tell), adviser, tried).go_on())
            }
        }
    }
}

fn saying(tell: Tell) -> Say {
    Arc::new(move |message| tell(&message))
}

/// Lets a desk work until it has nothing more to do: its pieces of work are done here, one after another.
fn advise(tell: Tell, device: Device, begin: impl FnOnce(&mut Desk)) -> Answer {
    let waiting: Arc<Mutex<VecDeque<Work>>> = Arc::default();
    let queue = Arc::clone(&waiting);
    let run = move |_: &_, work| {
        queue.lock().unwrap_or_else(PoisonError::into_inner).push_back(work);
        Ok(())
    };
    let threads = Threads::new(run, || Some(Box::new(())));
    let heard = Arc::new(move |advice| tell(&message(&advice).to_string()));
    let mut desk = Desk::on(device, threads, heard);
    begin(&mut desk);
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        match next {
            Some(work) => work(),
            None => return told(json!({"done": true})),
        }
    }
}
