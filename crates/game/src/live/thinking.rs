//! Engines at a table: they are asked, heard, waited for and given up.
//!
//! Questions are numbered. Whatever an engine says to a question that was taken back has an old number and is dropped,
//! and its player with it, which never makes anybody wait: a [`Seated`](super::Seated) player leaves by itself.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use lianzi_core::{Fault, Stone, text};
use lianzi_engine::{Instant, Stop};

use super::question::{Question, Said};
use super::{Answered, Errand, Event, LiveTable, News};
use crate::judge::{Deed, ending_of};

/// An engine answers a person after a moment that a person might take too: the shortest, and how much longer at most.
const MOMENT: [Duration; 2] = [Duration::from_millis(300), Duration::from_millis(500)];
/// Nobody thinks for long about the first stones: from this one on it takes as long as it may.
const OPENED: usize = 8;
/// An answer may be on its way when its time is over.
const ON_ITS_WAY: Duration = Duration::from_millis(500);
/// How soon an engine is asked again for which the machine lacked something.
const AGAIN: Duration = Duration::from_secs(1);

/// An engine was asked.
pub(super) struct Thinking {
    pub(super) number: u64,
    asked: Instant,
    /// For how long the stone that it answers lay there before.
    waited: Duration,
    pub(super) stone: Stone,
    interrupt: Stop,
    /// Since when it thinks; before that its clock does not run.
    pub(super) begun: Option<Instant>,
    /// How long after that it is given up.
    patience: Duration,
}

impl LiveTable {
    /// Asks the engine, if it is to move and was not asked yet.
    pub(super) fn think(&mut self) {
        let (stone, opens) = (self.actor(), self.demand().is_some());
        let side = &mut self.sides[stone.index()];
        let idle = !self.awake || self.thinking.is_some() || self.again.is_some() || self.game.is_over();
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
            self.lack(&error.to_string());
        }
    }

    /// Stops the engine; what it still says is not heard.
    pub(super) fn stop_thinking(&mut self) {
        (self.held, self.away, self.again, self.lacking) = (None, None, None, None);
        if let Some(thinking) = self.thinking.take() {
            thinking.interrupt.set();
        }
    }

    /// Lets the clocks run or stand still, as they should.
    pub(super) fn set_clocks(&mut self) {
        let now = Instant::now();
        let waits_for_engine = self.thinking.as_ref().is_some_and(|thinking| thinking.begun.is_none());
        let waits = waits_for_engine || self.again.is_some();
        let run = self.awake && self.timed && !waits && self.demand().is_none();
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
                let position = self.position();
                let share = (position.hash() % 1000) as u32;
                let longer = MOMENT[1] * position.plies().len().min(OPENED) as u32 / OPENED as u32;
                asked + (MOMENT[0] + longer * share / 1000).saturating_sub(waited)
            }
        }
    }

    /// When the table wants to be looked at again by itself: an answer is due, or a time is over.
    pub fn wakes(&self) -> Option<Instant> {
        match (&self.held, &self.thinking) {
            (Some((due, _)), _) => Some(*due),
            (None, Some(thinking)) => thinking.begun.map(|begun| begun + thinking.patience),
            (None, None) => self.again.or_else(|| self.game.flag_falls()),
        }
    }

    /// Does what is due: an answer that was held, an engine that is asked again or does not come back, a flag that falls.
    pub fn tick(&mut self) {
        let now = Instant::now();
        if self.held.is_some() {
            return self.play_held();
        }
        if self.again.take_if(|again| *again <= now).is_some() {
            self.think();
            return self.set_clocks();
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

    pub(super) fn play_held(&mut self) {
        let due = self.held.take_if(|(due, _)| *due <= Instant::now());
        let Some((_, answered)) = due else { return };
        let Some(thinking) = self.thinking.take() else { return };
        let Answered { player, began, taken, said } = answered;
        let side = &mut self.sides[thinking.stone.index()];
        let anew = side.machine.as_ref().is_some_and(|machine| machine.anew);
        side.seated = player;
        // An engine that may not remember is made anew for its next turn.
        side.seated.take_if(|player| anew && !player.stay(&self.reach.threads));
        let said = match said {
            Said::Turn(Deed::Failed(Fault::Shortage(why)), _) | Said::Sides(Err(Fault::Shortage(why))) => {
                return self.lack(&why);
            }
            said => said,
        };
        self.lacking = None;
        self.turned = Instant::now();
        match said {
            Said::Turn(deed, eval) => self.game.take(&deed, eval, began, taken),
            Said::Sides(said) => self.hear_choice(said),
        }
        self.changed();
    }

    /// The machine lacked something that the engine needs, which is nobody's foul: the clocks stand still, and the
    /// engine is asked again in a moment.
    fn lack(&mut self, why: &str) {
        self.again = Some(Instant::now() + AGAIN);
        self.game.stop_clocks();
        self.turn_used = Duration::ZERO;
        let words = text!(
            "the game waits, because the machine lacks something that the engine needs ({why}): it is asked again every second, and nobody is to blame",
            "对局暂停：机器缺少引擎所需的资源（{why}）。每秒会再问一次，不算任何一方犯规"
        );
        if self.lacking.as_ref() != Some(&words) {
            self.events.push(Event::Lacks(words.clone()));
            self.lacking = Some(words);
        }
    }
}
