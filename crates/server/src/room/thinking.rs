//! Engines and programs at the board: asked on the pool, measured there, and judged here.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lianzi_arena::clock::Control;
use lianzi_arena::judge::{Deed, Fault, Ruling, judge};
use lianzi_arena::player::{Ask, Player, Reply, Seat};
use lianzi_arena::swap2::Swap2;
use lianzi_core::record::{Eval, Move};
use lianzi_core::{Position, StartFault, Stone};
use lianzi_engine::{Info, Limits, Stop};
use serde_json::json;
use tokio::sync::mpsc::UnboundedSender;

use super::{Event, Room};
use crate::bounds::LONGEST_TURN;
use crate::chance::{Scores, rounded};
use crate::pool::Key;

/// An engine was asked.
pub(super) struct Thinking {
    number: u64,
    stone: Stone,
    interrupt: Stop,
    /// Whether it has a thread already; before that its clock does not run.
    pub begun: bool,
}

/// What comes from the pool, with the number of the question.
pub(super) enum News {
    /// The engine has begun to think.
    Begun(u64, Instant),
    /// It thinks aloud.
    Thinks(u64, Info),
    /// It has answered.
    Answered(u64, Answered),
}

/// An answer, and the player, to be asked again.
pub(super) struct Answered {
    player: Option<Box<dyn Player>>,
    began: Instant,
    taken: Duration,
    said: Said,
}

/// What an engine said.
enum Said {
    /// A turn, and what it thinks of it.
    Turn(Deed, Option<Eval>),
    /// Its part in finding sides.
    Sides(Result<Option<Swap2>, Fault>),
}

impl Room {
    /// Asks the engine, if it is to move and was not asked yet.
    pub(super) fn think(&mut self) {
        let (stone, opens) = (self.actor(), self.phase().is_some());
        let side = &mut self.sides[stone.index()];
        let idle = self.frozen || self.paused || self.thinking.is_some() || self.game.is_over();
        if idle || side.who.is_human() {
            return;
        }
        self.thoughts += 1;
        let (number, interrupt) = (self.thoughts, Stop::default());
        let clock = self.game.allowance().time.map(|(time, _)| time);
        let longest = if clock.is_some() { LONGEST_TURN } else { side.who.patience() };
        let question = Question {
            number,
            longest,
            fresh: side.seated.is_none(),
            player: side.seated.take().or_else(|| side.who.player()),
            position: self.game.position().clone(),
            stone,
            control: *self.game.control(),
            limits: self.game.limits(),
            // Opening stones cost no time.
            time: clock.filter(|_| !opens),
            opens,
            interrupt: interrupt.clone(),
            news: self.news.clone(),
        };
        self.thinking = Some(Thinking { number, stone, interrupt, begun: false });
        self.hall.pool.submit(Key::Game(self.id.clone()), move || question.ask());
    }

    /// Stops the engine; what it still says is not heard.
    pub(super) fn stop_thinking(&mut self) {
        self.held = None;
        if let Some(thinking) = self.thinking.take() {
            thinking.interrupt.set();
        }
    }

    /// The players are made anew when they are next asked.
    pub(super) fn forget_seated(&mut self) {
        let seated: Vec<_> = self.sides.iter_mut().filter_map(|side| side.seated.take()).collect();
        // A program may take a moment to end; the room does not wait for it.
        if !seated.is_empty() {
            std::thread::spawn(move || drop(seated));
        }
    }

    /// Whether the engine of this side was asked.
    pub(super) fn thinks(&self, stone: Stone) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| thinking.stone == stone)
    }

    pub(super) async fn hear(&mut self, news: News) {
        let asked = self.thinking.as_ref().map(|thinking| thinking.number);
        match news {
            News::Begun(number, at) if asked == Some(number) => {
                if let Some(thinking) = &mut self.thinking {
                    thinking.begun = true;
                }
                if self.met && self.phase().is_none() {
                    self.game.run_clocks_from(at);
                }
                self.tell(Event::State(Arc::new(self.snapshot())));
            }
            News::Thinks(number, info) if asked == Some(number) => {
                let stone = self.game.position().to_move();
                let scores = Scores::of(&self.sides[stone.index()].player, &self.game.record().rules);
                let message = json!({"type": "thinking", "stone": stone, "info": info_json(&info, scores)});
                self.tell(Event::Thinking(message.to_string().into()));
            }
            News::Answered(number, answered) if asked == Some(number) => {
                self.held = Some((self.due(), answered));
                self.play_held().await;
            }
            // An answer to a question that was taken back.
            _ => {}
        }
    }

    /// When the next turn may be played, for those who watch engines play each other.
    fn due(&self) -> Instant {
        let watched = self.sides.iter().all(|side| !side.who.is_human());
        if watched { self.turned + self.pace } else { self.turned }
    }

    /// Plays the answer that is there, once it is due.
    pub(super) async fn play_held(&mut self) {
        let due = self.held.take_if(|(due, _)| *due <= Instant::now());
        let Some((_, answered)) = due else { return };
        self.thinking = None;
        self.turned = Instant::now();
        self.play(answered);
        self.changed().await;
    }

    fn play(&mut self, answered: Answered) {
        let mover = self.actor();
        let Answered { player, began, taken, said } = answered;
        self.sides[mover.index()].seated = player;
        let (deed, eval) = match said {
            Said::Turn(deed, eval) => (deed, eval),
            Said::Sides(said) => return self.hear_choice(said),
        };
        match judge(self.game.position(), &self.game.allowance(), taken, &deed) {
            Ruling::End(verdict) => {
                if let (Some(blame), ending) = (verdict.blame, verdict.ending) {
                    tracing::warn!(game = %self.id, player = %self.sides[mover.index()].player, "fault: {ending:?}");
                    self.game.fault(blame, ending);
                } else {
                    self.game.resign(mover);
                }
            }
            Ruling::Place { cells, .. } => {
                let last = cells.len().saturating_sub(1);
                for (n, cell) in cells.into_iter().enumerate() {
                    let played = Move { eval: eval.filter(|_| n == last), ..Move::from(cell) };
                    // The judge has tried these stones; the clock has stopped when the answer was there.
                    if let Err(why) = self.game.place(played, began + taken) {
                        tracing::error!(game = %self.id, "a judged stone was refused: {why}");
                    }
                }
            }
        }
        if self.game.clocks_run() {
            self.game.run_clocks_from(Instant::now());
        }
    }
}

/// What an engine is asked.
struct Question {
    number: u64,
    longest: Duration,
    /// Whether the player has yet to sit down.
    fresh: bool,
    player: Option<Box<dyn Player>>,
    position: Position,
    stone: Stone,
    control: Control,
    limits: Limits,
    time: Option<Duration>,
    /// Whether it is asked for its part in a swap2 opening.
    opens: bool,
    interrupt: Stop,
    news: UnboundedSender<News>,
}

impl Question {
    /// Runs on the pool, for as long as the player takes.
    fn ask(mut self) {
        if self.interrupt.is_set() {
            return;
        }
        let Some(mut player) = self.player.take() else { return };
        let asked = catch_unwind(AssertUnwindSafe(|| {
            if let Err(fault) = self.sit(player.as_mut()) {
                return (Instant::now(), Duration::ZERO, self.failed(fault));
            }
            let began = Instant::now();
            self.tell(News::Begun(self.number, began));
            let said = self.say(player.as_mut(), began);
            (began, began.elapsed(), said)
        }));
        let panicked = |_| {
            let fault = Fault::Crashed("panicked".into());
            (Instant::now(), Duration::ZERO, self.failed(fault))
        };
        let (began, taken, said) = asked.unwrap_or_else(panicked);
        // A player that failed is not asked again.
        let whole = !matches!(said, Said::Turn(Deed::Failed(_), _) | Said::Sides(Err(_)));
        let player = whole.then_some(player);
        self.tell(News::Answered(self.number, Answered { player, began, taken, said }));
    }

    fn failed(&self, fault: Fault) -> Said {
        if self.opens { Said::Sides(Err(fault)) } else { Said::Turn(Deed::Failed(fault), None) }
    }

    fn say(&self, player: &mut dyn Player, began: Instant) -> Said {
        let ask = self.question(began);
        if self.opens {
            return Said::Sides(player.swap2(&ask));
        }
        match self.turn(player, &ask) {
            Ok(reply) if reply.resigns => Said::Turn(Deed::Resigned, reply.eval),
            Ok(reply) => Said::Turn(Deed::Turn(reply.turn), reply.eval),
            Err(why) => self.failed(why),
        }
    }

    fn sit(&self, player: &mut dyn Player) -> Result<(), Fault> {
        if !self.fresh {
            return Ok(());
        }
        let mut seed = [0; 8];
        getrandom::fill(&mut seed)
            .map_err(|error| Fault::NotStarted(StartFault::Unloadable, error.to_string()))?;
        player.sit(&Seat {
            rules: self.position.rules(),
            stone: self.stone,
            control: &self.control,
            seed: u64::from_le_bytes(seed),
        })
    }

    /// However much time there is, an engine does not keep a thread for ever.
    fn question(&self, began: Instant) -> Ask<'_> {
        let mut limits = self.limits.clone();
        limits.move_time = Some(limits.move_time.map_or(self.longest, |time| time.min(self.longest)));
        let margin = if self.time.is_some() { self.control.margin } else { Duration::from_secs(5) };
        let due = began + self.time.unwrap_or(LONGEST_TURN);
        Ask {
            position: &self.position,
            limits,
            due: Some(due),
            deadline: Some(due + margin),
            interrupt: &self.interrupt,
        }
    }

    fn turn(&self, player: &mut dyn Player, ask: &Ask<'_>) -> Result<Reply, Fault> {
        let mut last: Option<Instant> = None;
        player.take_turn(ask, &mut |info| {
            if last.is_none_or(|last| last.elapsed() >= Duration::from_millis(100)) {
                last = Some(Instant::now());
                self.tell(News::Thinks(self.number, info.clone()));
            }
        })
    }

    fn tell(&self, news: News) {
        // A room that is closed does not want to know.
        let _ = self.news.send(news);
    }
}

/// What an engine knows, as the page reads it.
pub fn info_json(info: &Info, scores: Scores) -> serde_json::Value {
    let lines: Vec<_> = info.lines.iter().map(|line| line_json(line, scores)).collect();
    json!({"depth": info.depth, "nodes": info.nodes, "lines": lines})
}

/// A line, as the page reads it.
pub fn line_json(line: &lianzi_engine::Line, scores: Scores) -> serde_json::Value {
    let chance = scores.of_line(line).map(rounded);
    json!({"score": line.score, "win_in": line.win_in, "chance": chance, "cells": line.cells})
}
