//! What a connection wants to know, as messages to its page: hints, analyses and reviews, one at a time.

use std::sync::Arc;

use lianzi_core::GameRecord;
use lianzi_game::live::{Advice, Adviser, Desk};
use lianzi_talk::Refusal;
use lianzi_talk::advice::{message, position_after, position_to_move};
use lianzi_talk::review::{Reviewing, Say, Tried};
use tokio::sync::mpsc::Sender;

use crate::Hall;
use crate::bounds;
use crate::pool::Key;
use crate::visitor::Visitor;

/// The searches of one connection; they end with it.
pub struct Thoughts {
    hall: Arc<Hall>,
    connection: u64,
    visitor: Visitor,
    desk: Desk,
    say: Sender<String>,
}

impl Thoughts {
    /// Nothing is thought about yet; messages go to `say`.
    pub fn new(hall: &Arc<Hall>, connection: u64, visitor: Visitor, say: Sender<String>) -> Thoughts {
        let told = say.clone();
        // One that is too slow to take a message misses it.
        let tell = Arc::new(move |advice| {
            if let Advice::Failed = advice {
                tracing::error!("an engine panicked while it analysed");
            }
            drop(told.try_send(message(&advice).to_string()));
        });
        let desk = Desk::new(hall.pool.threads(Key::Connection(connection, visitor)), tell);
        Thoughts { hall: Arc::clone(hall), connection, visitor, desk, say }
    }

    /// Ends whatever is thought about; whether something else may be asked.
    fn begin(&mut self) -> Result<(), Refusal> {
        self.stop();
        let (searches, own) = self.hall.pool.searches(self.connection, self.visitor);
        let most = self.hall.bounds.searches;
        if searches < most.all && own < most.each {
            return Ok(());
        }
        Err(Refusal::busy(
            "the engines have too many questions to answer just now; ask again in a minute",
            "引擎目前要回答的问题过多；请过一分钟再试",
        ))
    }

    /// Ends whatever is thought about.
    pub fn stop(&mut self) {
        self.desk.stop();
    }

    /// Thinks about the position after these moves, which may leave the game.
    pub fn analyse(&mut self, record: &GameRecord, moves: &[String], lines: usize) -> Result<(), Refusal> {
        self.begin()?;
        self.desk.analyse(position_after(record, moves)?, lines.clamp(1, bounds::LINES));
        Ok(())
    }

    /// Finds a turn for the side to move.
    pub fn hint(&mut self, record: &GameRecord) -> Result<(), Refusal> {
        self.begin()?;
        self.desk.hint(position_to_move(record)?);
        Ok(())
    }

    /// Goes through the whole game.
    pub fn review(&mut self, record: &GameRecord) -> Result<(), Refusal> {
        self.begin()?;
        let adviser = Adviser::for_analysis(&record.rules);
        Reviewing::of_game(self.desk.begin(), self.say(), adviser, record).go_on();
        Ok(())
    }

    /// Says how good a turn would be in the position after these moves, which may leave the game.
    pub fn try_turn(&mut self, record: &GameRecord, moves: &[String], turn: &[String]) -> Result<(), Refusal> {
        self.begin()?;
        let adviser = Adviser::for_analysis(&record.rules);
        let tried = Tried::read(record, moves, turn, &adviser)?;
        Reviewing::of_try(self.desk.begin(), self.say(), adviser, tried).go_on();
        Ok(())
    }

    /// One that is too slow to take a message misses it.
    fn say(&self) -> Say {
        let say = self.say.clone();
        Arc::new(move |message| drop(say.try_send(message)))
    }
}
