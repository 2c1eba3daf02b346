//! The table of a live game: who sits where, whose turn it is, and what becomes of orders and of engines' answers.
//!
//! It is a state machine without threads of its own. Its owner, a task of the server or the loop of the terminal, hands
//! it three things: orders of people ([`LiveTable::obey`]), what engines say ([`LiveTable::hear`]; it arrives wherever
//! `tell` puts it) and the time ([`LiveTable::tick`], at the latest when [`LiveTable::wakes`] says). What came of them
//! it tells by [`LiveTable::events`], and the owner keeps, sends and draws.
//!
//! Questions are numbered. Whatever an engine says to a question that was taken back has an old number and is dropped,
//! and its player with it, which never makes anybody wait: a [`Seated`] player leaves by itself.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use lianzi_core::record::Move;
use lianzi_core::{
    Act, Adjudication, Cell, Ending, Fault, IllegalMove, Negotiation, Outcome, Position, Stone, Verdict,
};
use lianzi_engine::{Info, Instant, Stop};
use serde::Deserialize;

use super::question::{Question, Said, Seated};
use super::{Answered, Errand, Face, Leaving, LiveGame, News, Refused, Side, Threads};
use crate::judge::ending_of;

/// An engine answers a person after a moment that a person might take too: the shortest, and how much longer at most.
const MOMENT: [Duration; 2] = [Duration::from_millis(300), Duration::from_millis(500)];
/// An answer may be on its way when its time is over.
const ON_ITS_WAY: Duration = Duration::from_millis(500);

/// Something a person wants to happen, in the words of a page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Order {
    /// Places a stone, or more of the same turn with blanks between them.
    Place {
        /// Where, as a person writes it.
        cell: String,
        /// How many stones the person saw.
        #[serde(default)]
        ply: Option<usize>,
        /// For how many milliseconds the person has seen it lie there: while the game was made, or the line was down.
        #[serde(default)]
        waited_ms: u64,
    },
    /// Takes back.
    Undo,
    /// Puts back what was taken back.
    Redo,
    /// Changes sides where the opening rule lets one.
    Take,
    /// Goes the other way that the opening rule has: two more stones, or ten fifth moves.
    More,
    /// Says how many fifth moves there will be.
    Declare {
        /// How many.
        count: u8,
    },
    /// Gives up.
    Resign,
    /// Begins the game anew.
    Restart,
    /// Lets the players change sides; the stones stay.
    Swap,
    /// Begins the game anew with the sides changed.
    Next,
    /// Lets engines answer at once, or after a moment.
    Instant {
        /// Whether at once.
        on: bool,
    },
}

/// Who gives an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct By {
    /// Which sides they play, Black's first.
    pub seats: [bool; 2],
    /// Whether they set up the game.
    pub owner: bool,
}

impl By {
    /// Whether nobody else has a say in what is taken back.
    pub(super) fn alone(self) -> bool {
        self.owner || self.seats == [true; 2]
    }

    /// Whether they have a say in the game at all.
    pub fn sits(self) -> Result<(), Refused> {
        if self.owner || self.seats != [false; 2] { Ok(()) } else { Err(Refused::Watching) }
    }

    fn owns(self) -> Result<(), Refused> {
        if self.owner { Ok(()) } else { Err(Refused::NotOwner) }
    }
}

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

/// An engine was asked.
struct Thinking {
    number: u64,
    asked: Instant,
    /// For how long the stone that it answers lay there before.
    waited: Duration,
    stone: Stone,
    interrupt: Stop,
    /// Since when it thinks; before that its clock does not run.
    begun: Option<Instant>,
    /// How long after that it is given up.
    patience: Duration,
}

/// A live game with its players.
pub struct LiveTable {
    pub(super) game: LiveGame,
    pub(super) sides: [Side; 2],
    /// Whether the players have changed seats since the opening settled their sides.
    pub(super) turned_about: bool,
    pace: Duration,
    instant: bool,
    reach: Reach,
    thinking: Option<Thinking>,
    /// An answer that came sooner than those who watch can follow, and when it is played.
    held: Option<(Instant, Answered)>,
    /// Who was asked elsewhere, until an answer comes from there.
    pub(super) away: Option<Seated>,
    /// When the last turn was played.
    turned: Instant,
    /// For how long the last stone of a person had been seen when it arrived.
    waited: Duration,
    questions: u64,
    /// Whether the game goes on: engines think.
    awake: bool,
    /// Whether the clocks may run.
    timed: bool,
    /// What the turn under way had used when the clocks were stopped.
    turn_used: Duration,
    events: Vec<Event>,
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

    /// The side whose engine was asked.
    pub fn thinks(&self) -> Option<Stone> {
        self.thinking.as_ref().map(|thinking| thinking.stone)
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

    /// Does what somebody wants, if they may.
    pub fn obey(&mut self, by: By, order: &Order) -> Result<(), Refused> {
        // The time is taken before anything else: a late move must not be saved by a slow machine.
        let now = Instant::now();
        match order {
            Order::Place { cell, ply, waited_ms } => {
                self.place(by, cell, *ply, now)?;
                self.waited = Duration::from_millis(*waited_ms);
            }
            Order::Undo => self.undo(by, now)?,
            Order::Redo => self.redo(by, now)?,
            Order::Take => self.choose(by, Act::Swap)?,
            Order::More => self.choose(by, Act::More)?,
            Order::Declare { count } => self.choose(by, Act::Count(*count))?,
            Order::Resign => self.resign(by)?,
            Order::Restart => by.owns().map(|()| self.clear(now))?,
            Order::Swap => self.swap(by)?,
            Order::Next => {
                by.sits()?;
                self.clear(now);
                self.exchange();
            }
            // The game is as it was.
            Order::Instant { on } => return by.sits().map(|()| self.set_instant(*on, now)),
        }
        self.changed();
        Ok(())
    }

    /// Lets engines answer people at once, the one whose answer is held too, or after a moment.
    fn set_instant(&mut self, on: bool, now: Instant) {
        self.instant = on;
        if let Some((due, _)) = self.held.as_mut().filter(|_| on) {
            *due = (*due).min(now);
        }
        self.play_held();
        self.events.push(Event::Changed);
    }

    fn place(&mut self, by: By, names: &str, ply: Option<usize>, now: Instant) -> Result<(), Refused> {
        self.may_place(by)?;
        if ply.is_some_and(|ply| ply != self.game.record().moves.len()) {
            return Err(Refused::Changed);
        }
        let words = words_of(names);
        if let Some(demand) = self.demand() {
            return self.place_opening(&demand, &words);
        }
        for cell in self.read(&words)? {
            if self.game.place(Move::from(cell), now).is_err() {
                // The turn was tried on a copy of the board, so only the clock can refuse it.
                break;
            }
        }
        Ok(())
    }

    /// Whether it is this person's turn.
    pub(super) fn may_place(&self, by: By) -> Result<(), Refused> {
        let actor = self.actor();
        match () {
            () if self.game.is_over() => Err(Refused::Over),
            () if by.seats[actor.index()] => Ok(()),
            () if by.seats == [false; 2] => Err(Refused::Watching),
            () => Err(Refused::NotYourTurn(actor)),
        }
    }

    /// Reads one or more stones of a turn and tries them on a copy of the board.
    fn read(&self, words: &[&str]) -> Result<Vec<Cell>, Refused> {
        let mut after = self.position().clone();
        let left = self.stones_left();
        if words.len() > left {
            return Err(Refused::TooMany(left));
        }
        let mut cells = Vec::new();
        for name in words {
            let cell = after.read_cell(name).map_err(Refused::Unread)?;
            after.play(cell).map_err(|why| Refused::Illegal(cell, why))?;
            cells.push(cell);
            if after.outcome().is_some() {
                break;
            }
        }
        Ok(cells)
    }

    fn undo(&mut self, by: By, now: Instant) -> Result<(), Refused> {
        by.sits()?;
        if self.game.unsettled().is_some() {
            return self.undo_opening(by);
        }
        let last = self.position().last().ok_or(Refused::NothingToTakeBack)?;
        let people = self.people();
        if !self.game.can_undo() {
            return Err(Refused::Settled);
        }
        if people == [true; 2] && !by.alone() && !by.seats[last.stone.index()] {
            return Err(Refused::NotYourStone);
        }
        self.stop_thinking();
        self.game.take_back(people, now);
        Ok(())
    }

    fn redo(&mut self, by: By, now: Instant) -> Result<(), Refused> {
        by.sits()?;
        if self.game.undone() == 0 {
            return Err(Refused::NothingToPutBack);
        }
        self.stop_thinking();
        self.game.put_back(self.people(), now);
        Ok(())
    }

    /// Who plays both sides gives up the one to move.
    fn resign(&mut self, by: By) -> Result<(), Refused> {
        if self.game.is_over() {
            return Err(Refused::Over);
        }
        let actor = self.actor();
        let stone = [actor, actor.other()].into_iter().find(|stone| by.seats[stone.index()]);
        let stone = stone.ok_or(Refused::Watching)?;
        self.stop_thinking();
        self.game.resign(stone);
        Ok(())
    }

    /// An empty board, with the same one to open.
    fn clear(&mut self, now: Instant) {
        let before = self.sits_at_black();
        self.forget_seated();
        self.game.restart(now);
        self.turned_about = false;
        self.open_again(before);
    }

    fn swap(&mut self, by: By) -> Result<(), Refused> {
        // While sides are open a swap is the opening's.
        if self.game.unsettled().is_some() && !self.game.record().moves.is_empty() {
            return if self.demand().is_some_and(|demand| demand.swap.is_some()) {
                self.choose(by, Act::Swap)
            } else {
                Err(Refused::SidesOpen)
            };
        }
        by.owns()?;
        self.turned_about ^= self.game.negotiation().is_some_and(Negotiation::is_settled);
        self.exchange();
        Ok(())
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
    fn forget_seated(&mut self) {
        self.stop_thinking();
        self.sides.iter_mut().for_each(|side| side.seated = None);
    }

    /// After every change: whoever is to move begins.
    fn changed(&mut self) {
        if !self.game.clocks_run() {
            self.turn_used = Duration::ZERO;
        }
        self.think();
        self.set_clocks();
        self.events.push(Event::Changed);
    }

    /// Asks the engine, if it is to move and was not asked yet.
    fn think(&mut self) {
        let (stone, opens) = (self.actor(), self.demand().is_some());
        let side = &mut self.sides[stone.index()];
        let idle = !self.awake || self.thinking.is_some() || self.game.is_over();
        let Some(machine) = side.machine.as_ref().filter(|_| !idle) else { return };
        let fresh = side.seated.is_none();
        let Some(player) = side.seated.take().or_else(|| machine.seat(&self.reach.leaving)) else { return };
        self.questions += 1;
        let question = Question {
            number: self.questions,
            seed: fresh.then(|| machine.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish())),
            stone,
            negotiation: self.game.negotiation().filter(|_| opens).cloned(),
            longest: machine.patience,
            interrupt: Stop::default(),
            position: self.game.position().clone(),
            control: *self.game.control(),
            limits: self.game.limits(),
            clock: self.game.allowance().time.map(|(time, _)| time),
        };
        let (number, interrupt) = (question.number, question.interrupt.clone());
        let wanted = interrupt.clone();
        let (time, margin) = question.patience();
        let patience = time + margin + ON_ITS_WAY;
        let (asked, waited) = (Instant::now(), mem::take(&mut self.waited));
        self.thinking = Some(Thinking { number, asked, waited, stone, interrupt, begun: None, patience });
        if let Some(away) = &self.reach.threads.away {
            self.away = Some(player);
            return away(Errand::new(&question, &side.player, &self.game));
        }
        let (tell, busy) = (Arc::clone(&self.reach.tell), self.reach.leaving.busy());
        let asks = move || {
            question.ask(player, &*tell);
            drop(busy);
        };
        if let Err(error) = self.reach.threads.run(&wanted, asks) {
            self.thinking = None;
            self.game.fault(stone, Ending::Crashed { how: error.to_string() });
        }
    }

    /// Stops the engine; what it still says is not heard.
    pub(super) fn stop_thinking(&mut self) {
        (self.held, self.away) = (None, None);
        if let Some(thinking) = self.thinking.take() {
            thinking.interrupt.set();
        }
    }

    /// Lets the clocks run or stand still, as they should.
    fn set_clocks(&mut self) {
        let now = Instant::now();
        let waits_for_engine = self.thinking.as_ref().is_some_and(|thinking| thinking.begun.is_none());
        let run = self.awake && self.timed && !waits_for_engine && self.demand().is_none();
        match (run && !self.game.is_over(), self.game.clocks_run()) {
            (true, false) => {
                self.game.run_clocks_from(now.checked_sub(self.turn_used).unwrap_or(now));
            }
            (false, true) => {
                self.turn_used = self.game.face(self.position().to_move(), now).turn;
                self.game.stop_clocks();
            }
            _ => {}
        }
    }

    /// Hears what an engine says.
    pub fn hear(&mut self, news: News) {
        let timed = self.timed && self.demand().is_none();
        let due = self.due();
        let Some(thinking) = &mut self.thinking else { return };
        match news {
            News::Begun(number, at) if number == thinking.number => {
                thinking.begun = Some(at);
                if timed {
                    self.game.run_clocks_from(at);
                }
                self.events.push(Event::Begun);
            }
            News::Thinks(number, info) if number == thinking.number => {
                self.events.push(Event::Thinks(thinking.stone, info));
            }
            News::Answered(number, answered) if number == thinking.number => {
                self.held = Some((due, answered));
                self.play_held();
            }
            // An answer to a question that was taken back.
            _ => {}
        }
    }

    /// When an answer is played at the earliest, so that people can follow.
    fn due(&self) -> Instant {
        let people = self.people();
        let (asked, waited) = match &self.thinking {
            Some(thinking) => (thinking.asked, thinking.waited),
            None => (self.turned, Duration::ZERO),
        };
        match () {
            () if people == [false; 2] => self.turned + self.pace,
            () if self.instant || people == [true; 2] => asked,
            () => {
                // Drawn from the position, so that the same one takes the same moment.
                let share = (self.position().hash() % 1000) as u32;
                asked + (MOMENT[0] + MOMENT[1] * share / 1000).saturating_sub(waited)
            }
        }
    }

    /// When the table wants to be looked at again by itself: an answer is due, or a time is over.
    pub fn wakes(&self) -> Option<Instant> {
        match (&self.held, &self.thinking) {
            (Some((due, _)), _) => Some(*due),
            (None, Some(thinking)) => thinking.begun.map(|begun| begun + thinking.patience),
            (None, None) => self.game.flag_falls(),
        }
    }

    /// Does what is due: an answer that was held, an engine that does not come back, a flag that falls.
    pub fn tick(&mut self) {
        let now = Instant::now();
        if self.held.is_some() {
            return self.play_held();
        }
        if let Some(thinking) = &self.thinking {
            if thinking.begun.is_some_and(|begun| begun + thinking.patience <= now) {
                let stone = thinking.stone;
                self.stop_thinking();
                self.game.fault(stone, ending_of(&Fault::Late, &self.game.allowance()));
                self.changed();
            }
        } else if self.game.tick(now) {
            self.changed();
        }
    }

    fn play_held(&mut self) {
        let due = self.held.take_if(|(due, _)| *due <= Instant::now());
        let Some((_, answered)) = due else { return };
        let Some(thinking) = self.thinking.take() else { return };
        let Answered { player, began, taken, said } = answered;
        let side = &mut self.sides[thinking.stone.index()];
        let anew = side.machine.as_ref().is_some_and(|machine| machine.anew);
        side.seated = player;
        // An engine that may not remember is made anew for its next turn.
        side.seated.take_if(|player| anew && !player.stay(&self.reach.threads));
        self.turned = Instant::now();
        match said {
            Said::Turn(deed, eval) => self.game.take(&deed, eval, began, taken),
            Said::Sides(said) => self.hear_choice(said),
        }
        self.changed();
    }
}

/// The names that somebody wrote, with blanks or commas between them; at least one, to complain about.
fn words_of(names: &str) -> Vec<&str> {
    let words: Vec<&str> = names.split([' ', ',', '\t']).filter(|name| !name.is_empty()).collect();
    if words.is_empty() { vec![names] } else { words }
}

/// Nobody wants to hear the engine any more.
impl Drop for LiveTable {
    fn drop(&mut self) {
        self.stop_thinking();
    }
}
