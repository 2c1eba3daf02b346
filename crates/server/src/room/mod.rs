//! One live game: a task that owns it, takes orders one after another, and tells everybody what came of them.
//!
//! Whoever is connected is told the whole state after every change, so nobody has to piece it together. Each change is
//! in the library before anybody hears of it. A room that everybody has left puts its game aside: the engine stops,
//! the clocks stand still, and after a while the room closes; whoever comes back finds all as it was.

mod actions;
mod saved;
mod state;
mod swap2;
mod thinking;

use std::sync::Arc;
use std::time::{Duration, Instant};

use lianzi_contest::report::Words;
use lianzi_core::GameRecord;
use lianzi_game::live::{Answered, LiveGame, News};
use lianzi_game::player::Player;
use lianzi_store::{Entry, Keys, StoredGame};
use tokio::sync::{broadcast, mpsc, oneshot};

pub use actions::Action;
pub use saved::{NewRoom, SideChoice, entry, read_record};
pub use state::{BoardShape, Snapshot};
use swap2::Opening;
use thinking::Thinking;
pub use thinking::{info_json, line_json};

use crate::Hall;
use crate::bounds::{Bounds, Times};
use crate::players::Who;
use crate::secret::Credentials;
use crate::series::Series;
use crate::words::Refusal;

/// How many events somebody slow may be behind before the oldest are skipped; each state is complete.
const EVENTS: usize = 256;
const COMMANDS: usize = 64;

/// An order to a room.
pub enum Command {
    /// Somebody connects.
    Join(u64, Arc<Credentials>, oneshot::Sender<Joined>),
    /// Somebody is gone.
    Leave(u64),
    /// Somebody does something.
    Act(Arc<Credentials>, Action, oneshot::Sender<Result<(), Refusal>>),
    /// Somebody wants to see the game.
    Look(oneshot::Sender<GameRecord>),
    /// The room is to close; everybody is told why, and the sender when it is done.
    Close(Words, oneshot::Sender<()>),
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
    /// The room is closed.
    Closed(Words),
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

/// One side of a game.
struct Side {
    /// The player as the page named it.
    player: String,
    who: Who,
    name: String,
    /// The engine or program, while it does not think; made when it is first needed.
    seated: Option<Box<dyn Player>>,
}

/// A live game and everything around it.
pub struct Room {
    hall: Arc<Hall>,
    id: String,
    created: i64,
    game: LiveGame,
    sides: [Side; 2],
    keys: Keys,
    times: Times,
    series: Option<Series>,
    /// How far the opening is, in a game whose sides are found by swap2.
    opening: Option<Opening>,
    /// The least time between two turns of engines that play each other.
    pace: Duration,
    /// A finished game whose board was cleared, until it is in the library.
    finished: Option<StoredGame>,
    /// Where the game before this one is kept.
    before: Option<String>,
    /// A game of the library without seats: to be looked at only.
    frozen: bool,
    /// Whether everybody who plays has been here: before that no clock runs.
    met: bool,
    /// What the turn under way had used when the clocks were stopped.
    turn_used: Duration,
    thinking: Option<Thinking>,
    /// An answer that came sooner than those who watch can follow, and when it is played.
    held: Option<(Instant, Answered)>,
    /// When the last turn was played.
    turned: Instant,
    thoughts: u64,
    connected: Vec<(u64, Arc<Credentials>)>,
    empty_since: Option<Instant>,
    paused: bool,
    events: broadcast::Sender<Event>,
    news: mpsc::UnboundedSender<News>,
}

/// What woke the room.
enum Woken {
    Command(Option<Command>),
    News(News),
    Time,
}

impl Room {
    /// Opens the room; it runs until everybody has left for a while or it is told to close.
    fn open(self, mut news: mpsc::UnboundedReceiver<News>) -> Handle {
        let (sender, mut commands) = mpsc::channel(COMMANDS);
        let handle = Handle { commands: sender };
        let own = handle.clone();
        let mut room = self;
        tokio::spawn(async move {
            room.empty_since = Some(Instant::now());
            loop {
                let woken = wait(room.wakes(), &mut commands, &mut news).await;
                match woken {
                    Woken::Command(Some(Command::Close(why, done))) => {
                        room.close(why).await;
                        // Who asked may be gone; the room closes all the same.
                        let _ = done.send(());
                        return;
                    }
                    Woken::Command(Some(command)) => room.obey(command).await,
                    Woken::Command(None) => return,
                    Woken::News(news) => room.hear(news).await,
                    Woken::Time => room.look_at_clock().await,
                }
                if room.empty_since.is_some_and(|since| since.elapsed() >= room.hall.bounds.empty) {
                    room.put_aside().await;
                    // Whoever still waits for an answer must learn that there will be none, before this waits for
                    // the list of rooms: it may be one who holds that list.
                    drop(commands);
                    room.hall.rooms.closed(&room.id, &own).await;
                    return;
                }
            }
        });
        handle
    }

    /// When there is something to do by itself: a flag falls, an answer is due, or nobody has been here for some time.
    fn wakes(&self) -> Instant {
        let flag = self.game.flag_falls().filter(|_| self.thinking.is_none());
        let Bounds { grace, empty, .. } = self.hall.bounds;
        let grace = if self.paused { empty } else { grace };
        let left = self.empty_since.map(|since| since + grace);
        let never = Instant::now() + Duration::from_secs(3600);
        let held = self.held.as_ref().map(|(due, _)| *due);
        flag.into_iter().chain(left).chain(held).min().unwrap_or(never)
    }

    async fn obey(&mut self, command: Command) {
        match command {
            Command::Join(id, credentials, answer) => self.join(id, credentials, answer),
            Command::Leave(id) => self.leave(id),
            Command::Act(credentials, action, answer) => {
                let done = self.act(&credentials, action);
                if done.is_ok() {
                    self.changed().await;
                }
                // Who asked may be gone; what was done stays done.
                let _ = answer.send(done);
            }
            Command::Look(answer) => {
                let _ = answer.send(self.game.record().clone());
            }
            Command::Close(..) => unreachable!("the loop takes care of it"),
        }
    }

    fn join(&mut self, id: u64, credentials: Arc<Credentials>, answer: oneshot::Sender<Joined>) {
        self.connected.push((id, credentials));
        (self.empty_since, self.paused) = (None, false);
        let here = |stone| {
            let mut connected = self.connected.iter();
            !self.sides[lianzi_core::Stone::index(stone)].who.is_human()
                || connected.any(|(_, credentials)| credentials.may_move(stone, &self.keys))
        };
        let met = lianzi_core::Stone::BOTH.into_iter().all(here);
        let news = met && !self.met;
        self.met |= met;
        self.think();
        self.set_clocks();
        let snapshot = Arc::new(self.snapshot());
        if news {
            // The clocks have begun to run: those who were here before should know.
            self.tell(Event::State(Arc::clone(&snapshot)));
        }
        // Who asked may be gone again.
        if answer.send((snapshot, self.events.subscribe())).is_err() {
            self.leave(id);
        }
    }

    fn leave(&mut self, id: u64) {
        self.connected.retain(|(other, _)| *other != id);
        if self.connected.is_empty() {
            self.empty_since.get_or_insert_with(Instant::now);
        }
    }

    /// A flag may have fallen, or the last one may have left for good.
    async fn look_at_clock(&mut self) {
        self.play_held().await;
        if self.thinking.is_none() && self.game.tick(Instant::now()) {
            self.changed().await;
        }
        if !self.paused && self.empty_since.is_some_and(|since| since.elapsed() >= self.hall.bounds.grace) {
            self.put_aside().await;
        }
    }

    /// Nobody is here: the engine stops and the clocks stand still.
    async fn put_aside(&mut self) {
        self.paused = true;
        self.stop_thinking();
        self.set_clocks();
        if !self.frozen {
            self.save().await;
        }
    }

    async fn close(&mut self, why: Words) {
        self.put_aside().await;
        self.tell(Event::Closed(why));
    }

    /// Lets the clocks run or stand still, as they should.
    fn set_clocks(&mut self) {
        let now = Instant::now();
        let waits_for_engine = self.thinking.as_ref().is_some_and(|thinking| !thinking.begun);
        let stand = self.paused || self.frozen || self.phase().is_some() || waits_for_engine;
        let run = self.met && !stand && !self.game.is_over();
        match (run, self.game.clocks_run()) {
            (true, false) => {
                self.game.run_clocks_from(now.checked_sub(self.turn_used).unwrap_or(now));
            }
            (false, true) => {
                self.turn_used = self.game.face(self.game.position().to_move(), now).turn;
                self.game.stop_clocks();
            }
            _ => {}
        }
    }

    /// After a change: what happens next, kept and told to everybody.
    async fn changed(&mut self) {
        if !self.game.clocks_run() {
            self.turn_used = Duration::ZERO;
        }
        self.think();
        self.set_clocks();
        self.save().await;
        if self.game.is_over() {
            tracing::info!(game = %self.id, "finished: {}", self.game.verdict().words(&self.game.record().rules, lianzi_core::Language::English));
        }
        self.tell(Event::State(Arc::new(self.snapshot())));
    }

    fn tell(&self, event: Event) {
        // It is no error when nobody listens.
        let _ = self.events.send(event);
    }

    /// Writes the game down. A library that refuses does not end the game; the log says what it lost.
    async fn save(&mut self) {
        if let Some(finished) = self.finished.take() {
            self.hall.keep(finished).await;
        }
        let stored = self.stored();
        self.hall.keep(stored).await;
    }

    /// What lists show of the game.
    fn entry(&self) -> Entry {
        let live = !self.game.is_over() && !self.frozen;
        saved::entry(&self.id, self.game.record(), self.created, live)
    }
}

/// Waits for whatever comes first.
async fn wait(
    until: Instant,
    commands: &mut mpsc::Receiver<Command>,
    news: &mut mpsc::UnboundedReceiver<News>,
) -> Woken {
    tokio::select! {
        command = commands.recv() => Woken::Command(command),
        Some(news) = news.recv() => Woken::News(news),
        () = tokio::time::sleep_until(until.into()) => Woken::Time,
    }
}
