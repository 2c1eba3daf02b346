//! Engines and programs at the board: asked on the pool, measured there, and judged here.

use std::sync::Arc;
use std::time::Instant;

use lianzi_classic::catalog;
use lianzi_core::Stone;
use lianzi_engine::chance::Scores;
use lianzi_engine::{Info, Stop};
use lianzi_game::live::{Answered, Asked, News, Question, Said};
use serde_json::json;

use super::{Event, Room};
use crate::chance::rounded;
use crate::pool::Key;

/// An engine was asked.
pub(super) struct Thinking {
    number: u64,
    stone: Stone,
    interrupt: Stop,
    /// Whether it has a thread already; before that its clock does not run.
    pub begun: bool,
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
        let fresh = side.seated.is_none();
        let Some(player) = side.seated.take().or_else(|| side.who.player()) else { return };
        self.thoughts += 1;
        let (number, interrupt) = (self.thoughts, Stop::default());
        let patience = side.who.patience();
        // A machine that has no random numbers plays the same game again.
        let seed = fresh.then(|| getrandom::u64().unwrap_or_default());
        let asked = Asked { number, seed, stone, opens, patience, interrupt: interrupt.clone() };
        let question = Question::new(&self.game, asked);
        self.thinking = Some(Thinking { number, stone, interrupt, begun: false });
        let news = self.news.clone();
        // A room that is closed does not want to know.
        let tell = move |told| drop(news.send(told));
        self.hall.pool.submit(Key::Game(self.id.clone()), move || question.ask(player, &tell));
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
                let scores = catalog::scores(&self.sides[stone.index()].player, &self.game.record().rules);
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
        self.game.take(&deed, eval, began, taken);
        if self.game.verdict().blame.is_some() {
            let ending = &self.game.verdict().ending;
            tracing::warn!(game = %self.id, player = %self.sides[mover.index()].player, "fault: {ending:?}");
        }
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
