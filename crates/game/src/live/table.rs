//! The table of a live game: who sits where, whose turn it is, and what becomes of orders and of engines' answers.
//!
//! It is a state machine without threads of its own. Its owner, a task of the server or the loop of the terminal, hands
//! it three things: orders of people ([`LiveTable::obey`]), what engines say ([`LiveTable::hear`]; it arrives wherever
//! `tell` puts it) and the time ([`LiveTable::tick`], at the latest when [`LiveTable::wakes`] says). What came of them
//! it tells by [`LiveTable::events`], and the owner keeps, sends and draws.

use std::sync::Arc;
use std::time::Duration;

use lianzi_core::{Adjudication, Cell, Ending, IllegalMove, Outcome, Position, Stone, Text, Verdict};
use lianzi_engine::{Info, Instant};

use super::question::Seated;
use super::thinking::Thinking;
use super::{Answered, Face, Leaving, LiveGame, News, Side, Threads};

/// What came of an order, of news, or of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The game has changed.
    Changed,
    /// The players have changed seats; what belongs to them follows.
    Swapped,
    /// The engine has begun to think, and its clock to run.
    Begun,
    /// The engine of this side thinks aloud.
    Thinks(Stone, Info),
    /// The engine has to wait for something that the machine lacks: why, for people.
    Lacks(Text),
}

/// What a table begins with.
pub struct Setting {
    /// The game, new or recorded.
    pub game: LiveGame,
    /// Who plays, Black first.
    pub sides: [Side; 2],
    /// The least time between two turns of engines that play each other.
    pub pace: Duration,
    /// Whether engines answer people at once, not after a moment.
    pub instant: bool,
    /// What the turn under way had used when the game was put aside.
    pub turn_used: Duration,
}

/// Where players think and whom they tell.
pub struct Reach {
    /// Where they think.
    pub threads: Threads,
    /// Hears the news on any thread and sees to it that the table does.
    pub tell: Arc<dyn Fn(News) + Send + Sync>,
    /// Whom a program that ends waits for.
    pub leaving: Leaving,
}

/// A live game with its players.
pub struct LiveTable {
    pub(super) game: LiveGame,
    pub(super) sides: [Side; 2],
    /// Whether the players have changed seats since the opening settled their sides.
    pub(super) turned_about: bool,
    pub(super) pace: Duration,
    pub(super) instant: bool,
    pub(super) reach: Reach,
    pub(super) thinking: Option<Thinking>,
    /// An answer that came sooner than those who watch can follow, and when it is played.
    pub(super) held: Option<(Instant, Answered)>,
    /// What the machine lacked when an engine was asked last, and when it is asked again.
    pub(super) lacking: Option<Text>,
    pub(super) again: Option<Instant>,
    /// Who was asked elsewhere, until an answer comes from there.
    pub(super) away: Option<Seated>,
    /// When the last turn was played.
    pub(super) turned: Instant,
    /// For how long the last stone of a person had been seen when it arrived.
    pub(super) waited: Duration,
    pub(super) questions: u64,
    /// Whether the game goes on: engines think.
    pub(super) awake: bool,
    /// Whether the clocks may run.
    pub(super) timed: bool,
    /// What the turn under way had used when the clocks were stopped.
    pub(super) turn_used: Duration,
    pub(super) events: Vec<Event>,
}

impl LiveTable {
    /// A table at which nothing happens before `wake`.
    pub fn new(setting: Setting, reach: Reach) -> LiveTable {
        let Setting { game, sides, pace, instant, turn_used } = setting;
        let mut table = LiveTable {
            game,
            sides,
            turned_about: false,
            pace,
            instant,
            reach,
            thinking: None,
            held: None,
            lacking: None,
            again: None,
            away: None,
            turned: Instant::now(),
            waited: Duration::ZERO,
            questions: 0,
            awake: false,
            timed: false,
            turn_used,
            events: Vec::new(),
        };
        table.name_players();
        table
    }

    /// The game.
    pub fn game(&self) -> &LiveGame {
        &self.game
    }

    /// What the referee knows of it.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Who plays, Black first.
    pub fn sides(&self) -> &[Side; 2] {
        &self.sides
    }

    /// Which sides people play, Black's first.
    pub fn people(&self) -> [bool; 2] {
        self.sides.each_ref().map(Side::is_human)
    }

    /// The least time between two turns of engines that play each other.
    pub fn pace(&self) -> Duration {
        self.pace
    }

    /// Whether engines answer people at once.
    pub fn instant(&self) -> bool {
        self.instant
    }

    /// The side whose engine was asked, or is asked again in a moment.
    pub fn thinks(&self) -> Option<Stone> {
        self.thinking.as_ref().map(|thinking| thinking.stone).or_else(|| self.again.map(|_| self.actor()))
    }

    /// Why the game waits for something that the machine lacks, if it does.
    pub fn lacks(&self) -> Option<&Text> {
        self.lacking.as_ref()
    }

    /// The number of the question that is out, and since when somebody thinks about it.
    pub(super) fn asked(&self) -> Option<(u64, Option<Instant>)> {
        self.thinking.as_ref().map(|thinking| (thinking.number, thinking.begun))
    }

    /// What this side's clock shows; what a turn had used when the clocks were stopped is still used.
    pub fn face(&self, stone: Stone, now: Instant) -> Face {
        let face = self.game.face(stone, now);
        let aside = !self.game.clocks_run() && !self.game.is_over();
        if !aside || self.position().to_move() != stone {
            return face;
        }
        let left = face.left.map(|left| left.saturating_sub(self.turn_used));
        Face { used: face.used + self.turn_used, turn: face.turn + self.turn_used, left }
    }

    /// What has happened since this was asked last.
    pub fn events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The game goes on: engines think, and clocks run if everybody who plays has been here.
    pub fn wake(&mut self, timed: bool) {
        (self.awake, self.timed) = (true, timed);
        self.think();
        self.set_clocks();
    }

    /// The game is put aside: the engine stops and the clocks stand still.
    pub fn put_aside(&mut self) {
        self.awake = false;
        self.stop_thinking();
        self.set_clocks();
    }

    /// Nobody plays any more: the players leave.
    pub fn dismiss(&mut self) {
        self.awake = false;
        self.forget_seated();
    }

    /// Goes on with another game; the players stay.
    pub fn replace(&mut self, game: LiveGame) {
        self.forget_seated();
        self.game = game;
        self.name_players();
        self.changed();
    }

    /// The players have agreed how the game ends, unless it is over.
    pub fn agree(&mut self, outcome: Outcome) {
        self.stop_thinking();
        let ending = Ending::Adjudicated { why: Adjudication::Agreed };
        self.game.end(Verdict { outcome: Some(outcome), ending, blame: None });
        self.changed();
    }

    /// A player is called something else from now on.
    pub fn rename(&mut self, stone: Stone, name: String) {
        self.sides[stone.index()].name = name;
        self.name_players();
        self.events.push(Event::Changed);
    }

    /// Keeps a line that was looked at, from the start of the game.
    pub fn keep_line(&mut self, cells: &[Cell]) -> Result<bool, IllegalMove> {
        self.game.keep_line(cells).inspect(|_| self.events.push(Event::Changed))
    }

    /// Forgets a line that was looked at; false if there is none of this number.
    pub fn forget_line(&mut self, line: usize) -> bool {
        let forgot = self.game.forget_line(line);
        self.events.extend(forgot.then_some(Event::Changed));
        forgot
    }

    /// The players change seats.
    pub(super) fn exchange(&mut self) {
        self.forget_seated();
        self.sides.swap(0, 1);
        self.name_players();
        self.events.push(Event::Swapped);
    }

    fn name_players(&mut self) {
        self.game.name(self.sides.each_ref().map(|side| side.name.clone()));
    }

    /// The players are made anew when they are next asked.
    pub(super) fn forget_seated(&mut self) {
        self.stop_thinking();
        self.sides.iter_mut().for_each(|side| side.seated = None);
    }

    /// After every change: whoever is to move begins.
    pub(super) fn changed(&mut self) {
        if !self.game.clocks_run() {
            self.turn_used = Duration::ZERO;
        }
        self.think();
        self.set_clocks();
        self.events.push(Event::Changed);
    }
}

/// Nobody wants to hear the engine any more.
impl Drop for LiveTable {
    fn drop(&mut self) {
        self.stop_thinking();
    }
}
