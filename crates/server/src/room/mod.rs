//! One live game: a task that owns it, takes orders one after another, and tells everybody what came of them.
//!
//! Whoever is connected is told the whole state after every change, so nobody has to piece it together. Each change is
//! in the library before anybody hears of it: while the library refuses, the game waits as it was told last. A room that everybody has left puts its game aside: the engine stops,
//! the clocks stand still, and after a while the room closes; whoever comes back finds all as it was.

mod actions;
mod friends;
mod saved;

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use lianzi_core::{GameRecord, Language, Stone, Text, text};
use lianzi_game::live::{self, News};
use lianzi_store::{Hash, Keys, StoredGame};
use lianzi_talk::{Refusal, Sitting};
use tokio::sync::{broadcast, mpsc, oneshot};

pub use actions::Action;
pub use saved::{Snapshot, entry};

use crate::Hall;
use crate::bounds::Bounds;
use crate::secret::Credentials;
use crate::words::full;

/// How many events somebody slow may be behind before the oldest are skipped; each state is complete.
const EVENTS: usize = 256;
const COMMANDS: usize = 64;
/// How soon it is tried again to keep what could not be kept.
const AGAIN: Duration = Duration::from_secs(1);

/// An order to a room.
pub enum Command {
    /// Somebody connects.
    Join(u64, Arc<Credentials>, oneshot::Sender<Joined>),
    /// Somebody is gone.
    Leave(u64),
    /// Somebody does something.
    Act(Arc<Credentials>, Action, oneshot::Sender<Result<(), Refusal>>),
    /// Somebody wants to ask the engine about the game.
    Consult(oneshot::Sender<Result<GameRecord, Refusal>>),
    /// The room is to close; everybody is told why, and the sender when it is done.
    Close(Text, oneshot::Sender<()>),
}

/// What somebody who connects gets.
pub type Joined = (Arc<Snapshot>, broadcast::Receiver<Event>);

/// Something everybody connected is told.
#[derive(Clone, Debug)]
pub enum Event {
    /// The game has changed.
    State(Arc<Snapshot>),
    /// An engine thinks aloud: a message, ready to be sent.
    Thinking(Arc<str>),
    /// One of two people says something: a message, ready to be sent.
    Said(Arc<str>),
    /// Something is wrong that everybody has to wait for.
    Trouble(Text),
    /// The room is closed.
    Closed(Text),
}

/// How to reach a room.
#[derive(Clone, Debug)]
pub struct Handle {
    commands: mpsc::Sender<Command>,
}

impl Handle {
    /// Hands over an order; false if the room is closed.
    pub async fn send(&self, command: Command) -> bool {
        self.commands.send(command).await.is_ok()
    }

    /// Hands over an order and waits for the answer; `None` if the room is closed.
    pub async fn ask<T>(&self, command: impl FnOnce(oneshot::Sender<T>) -> Command) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        self.commands.send(command(answer)).await.ok()?;
        answered.await.ok()
    }

    /// Whether the two reach the same room.
    pub fn same(&self, other: &Handle) -> bool {
        self.commands.same_channel(&other.commands)
    }
}

/// A live game and everything around it.
pub struct Room {
    hall: Arc<Hall>,
    sitting: Sitting,
    keys: Keys,
    /// Who set it up.
    visitor: Option<Hash>,
    /// A finished game whose board was cleared, until it is in the library.
    finished: Option<StoredGame>,
    connected: Vec<(u64, Arc<Credentials>)>,
    friends: friends::Friends,
    empty_since: Option<Instant>,
    paused: bool,
    /// The library refused the last change: nobody was told of it, and nothing happens until it is kept.
    stalled: Option<Stalled>,
    /// Set when another process has the game now: nothing of it may change here any more.
    lost: Option<Text>,
    /// The last state that everybody was told, which is in the library.
    told: Arc<Snapshot>,
    events: broadcast::Sender<Event>,
}

/// A change that waits to be kept.
struct Stalled {
    /// Why, and what that means.
    words: Text,
    /// When it is tried again.
    again: Instant,
}

impl Room {
    /// Opens the room; it runs until everybody has left for a while or it is told to close.
    fn open(self, mut news: mpsc::UnboundedReceiver<News>) -> Handle {
        let (sender, mut commands) = mpsc::channel(COMMANDS);
        let handle = Handle { commands: sender };
        let own = handle.clone();
        let mut room = self;
        tokio::spawn(async move {
            // Opening it again may have changed seats.
            room.follow().await;
            (room.empty_since, room.told) = (Some(Instant::now()), Arc::new(room.snapshot()));
            loop {
                tokio::select! {
                    command = commands.recv() => match command {
                        Some(Command::Close(why, done)) => {
                            room.close(why).await;
                            room.hall.let_go(&room.sitting.spot.id).await;
                            // Who asked may be gone; the room closes all the same.
                            let _ = done.send(());
                            return;
                        }
                        Some(command) => room.obey(command).await,
                        None => return,
                    },
                    Some(news) = news.recv() => room.sitting.table.hear(news),
                    () = tokio::time::sleep_until(room.wakes().into()) => room.look_at_clock().await,
                }
                room.follow().await;
                if room.is_deserted() || room.lost.is_some() {
                    match room.lost.take() {
                        Some(why) => room.tell(Event::Closed(why)),
                        None => room.put_aside().await,
                    }
                    room.hall.let_go(&room.sitting.spot.id).await;
                    // Whoever still waits for an answer must learn that there will be none, before this waits for
                    // the list of rooms: it may be one who holds that list.
                    drop(commands);
                    room.hall.rooms.closed(&room.sitting.spot.id, &own).await;
                    return;
                }
            }
        });
        handle
    }

    /// When there is something to do by itself: at the table, or because nobody has been here for some time.
    fn wakes(&self) -> Instant {
        let Bounds { grace, empty, .. } = self.hall.bounds;
        let grace = if self.paused { empty } else { grace };
        let left = self.empty_since.map(|since| since + grace);
        let never = Instant::now() + Duration::from_secs(3600);
        let next = self.sitting.table.wakes().into_iter().chain(left).min().unwrap_or(never);
        self.stalled.as_ref().map_or(next, |stalled| stalled.again)
    }

    /// Why nothing goes on, if so.
    fn waits(&self) -> Option<&Text> {
        self.stalled.as_ref().map(|stalled| &stalled.words).or_else(|| self.sitting.table.lacks())
    }

    /// Whether everybody has left for good, and nothing waits to be kept.
    fn is_deserted(&self) -> bool {
        let long = |since: Instant| since.elapsed() >= self.hall.bounds.empty;
        self.stalled.is_none() && self.empty_since.is_some_and(long)
    }

    async fn obey(&mut self, command: Command) {
        match command {
            Command::Join(id, credentials, answer) => self.join(id, credentials, answer),
            Command::Leave(id) => {
                let here = self.here();
                self.leave(id);
                if self.here() != here && !self.connected.is_empty() && self.stalled.is_none() {
                    self.tell_state();
                }
            }
            Command::Act(credentials, action, answer) => {
                let done = self.do_or_refuse(&credentials, action).await;
                self.follow().await;
                // Who asked may be gone; what was done stays done.
                let _ = answer.send(done);
            }
            Command::Consult(answer) => {
                let _ = answer.send(self.consulted());
            }
            Command::Close(..) => unreachable!("the loop takes care of it"),
        }
    }

    /// Does it, unless the last change still waits to be kept or one game more cannot be.
    async fn do_or_refuse(&mut self, credentials: &Credentials, action: Action) -> Result<(), Refusal> {
        if let Some(Stalled { words, .. }) = &self.stalled {
            return Err(full(words.clone()));
        }
        if self.leaves_a_game(&action)
            && let Some(visitor) = self.visitor
        {
            self.hall.may_keep(visitor).await?;
        }
        self.act(credentials, action)
    }

    /// The game, for whoever may ask the engine about it.
    fn consulted(&self) -> Result<GameRecord, Refusal> {
        if self.advises() {
            return Ok(self.sitting.table.game().record().clone());
        }
        Err(Refusal::forbidden(
            "hints and analyses are off while two people play, unless both agree",
            "双人对局进行中不能使用提示与分析，除非双方同意",
        ))
    }

    /// Which sides somebody is connected for.
    fn here(&self) -> [bool; 2] {
        Stone::BOTH.map(|stone| self.is_here(stone))
    }

    fn join(&mut self, id: u64, credentials: Arc<Credentials>, answer: oneshot::Sender<Joined>) {
        let (before, between) = (self.here(), self.between());
        self.met_apart(&credentials);
        self.connected.push((id, credentials));
        (self.empty_since, self.paused) = (None, false);
        let people = self.sitting.table.people();
        let here = |stone: Stone| {
            let mut connected = self.connected.iter();
            !people[stone.index()] || connected.any(|(_, credentials)| credentials.may_move(stone, &self.keys))
        };
        let met = Stone::BOTH.into_iter().all(here);
        let news = met && !self.sitting.met || self.here() != before || self.between() != between;
        self.sitting.met |= met;
        let stalled = self.stalled.is_some();
        if !self.sitting.frozen && !stalled {
            self.sitting.table.wake(self.sitting.met);
        }
        let snapshot = if stalled { Arc::clone(&self.told) } else { Arc::new(self.snapshot()) };
        if news {
            // The clocks have begun to run: those who were here before should know.
            self.tell(Event::State(Arc::clone(&snapshot)));
        }
        // Who asked may be gone again.
        if answer.send((snapshot, self.events.subscribe())).is_err() {
            self.leave(id);
        } else if let Some(why) = self.waits() {
            self.tell(Event::Trouble(why.clone()));
        }
    }

    fn leave(&mut self, id: u64) {
        self.connected.retain(|(other, _)| *other != id);
        if self.connected.is_empty() {
            self.empty_since.get_or_insert_with(Instant::now);
        }
    }

    /// Something is due at the table, or the last one may have left for good.
    async fn look_at_clock(&mut self) {
        if self.stalled.is_some() {
            return self.try_again().await;
        }
        self.sitting.table.tick();
        if !self.paused && self.empty_since.is_some_and(|since| since.elapsed() >= self.hall.bounds.grace) {
            self.put_aside().await;
        }
    }

    /// Nobody is here: the engine stops and the clocks stand still.
    async fn put_aside(&mut self) {
        self.paused = true;
        self.sitting.table.put_aside();
        if !self.sitting.frozen
            && let Err(refusal) = self.save().await
        {
            // Only what nobody was told yet can be lost.
            tracing::error!(game = %self.sitting.spot.id, "not kept: {}", refusal.words.english);
        }
    }

    async fn close(&mut self, why: Text) {
        self.put_aside().await;
        self.tell(Event::Closed(why));
    }

    /// Does what follows from what happened at the table: it is kept, and then told to everybody.
    async fn follow(&mut self) {
        let events = self.sitting.events();
        for event in &events {
            match event {
                live::Event::Swapped => self.keys.seats.swap(0, 1),
                live::Event::Thinks(stone, info) => {
                    self.tell(Event::Thinking(self.sitting.thinking(*stone, info).to_string().into()));
                }
                live::Event::Lacks(why) => {
                    tracing::error!(game = %self.sitting.spot.id, "{}", why.english);
                    self.tell(Event::Trouble(why.clone()));
                }
                live::Event::Changed | live::Event::Begun => {}
            }
        }
        if events.contains(&live::Event::Changed) {
            if let Err(refusal) = self.save().await {
                return self.stall(&refusal.words);
            }
            self.log_end();
        } else if !events.iter().any(|event| matches!(event, live::Event::Begun | live::Event::Lacks(_))) {
            return;
        }
        self.tell_state();
    }

    fn tell_state(&mut self) {
        self.told = Arc::new(self.snapshot());
        self.tell(Event::State(Arc::clone(&self.told)));
    }

    /// What is not stored is not acknowledged: everybody is told why, the engine stops and the clocks stand still.
    fn stall(&mut self, why: &Text) {
        tracing::error!(game = %self.sitting.spot.id, "not kept: {}", why.english);
        let words = text!(
            "the game waits, because its last change could not be kept: {why}",
            "对局暂停，因为最后的变动未能保存：{why}"; why
        );
        self.sitting.table.put_aside();
        self.tell(Event::Trouble(words.clone()));
        self.stalled = Some(Stalled { words, again: Instant::now() + AGAIN });
    }

    /// Tries to keep what could not be kept; if it is, the game goes on.
    async fn try_again(&mut self) {
        let kept = self.save().await.is_ok();
        let Some(mut stalled) = self.stalled.take() else { return };
        if !kept {
            stalled.again = Instant::now() + AGAIN;
            self.stalled = Some(stalled);
            return;
        }
        tracing::info!(game = %self.sitting.spot.id, "kept at last");
        self.log_end();
        if !self.sitting.frozen && !self.paused {
            self.sitting.table.wake(self.sitting.met);
        }
        self.tell_state();
    }

    fn log_end(&self) {
        let (game, sides) = (self.sitting.table.game(), self.sitting.table.sides());
        let verdict = game.verdict();
        if game.is_over() {
            let words = verdict.words(&game.record().rules, Language::English);
            let blamed = verdict.blame.map(|stone| &sides[stone.index()].player);
            tracing::info!(game = %self.sitting.spot.id, ?blamed, ending = ?verdict.ending, "finished: {words}");
        }
    }

    fn tell(&self, event: Event) {
        // It is no error when nobody listens.
        let _ = self.events.send(event);
    }

    /// Writes the game down, and before it the one that its board was cleared of.
    async fn save(&mut self) -> Result<(), Refusal> {
        if let Some(finished) = self.finished.clone() {
            self.hall.keep(finished).await?;
            self.finished = None;
        }
        let kept = self.hall.keep(self.stored()).await;
        if let Err(refusal) = &kept
            && refusal.status == StatusCode::GONE
        {
            self.lost = Some(refusal.words.clone());
        }
        kept
    }
}
