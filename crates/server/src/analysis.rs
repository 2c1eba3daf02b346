//! What a connection wants to know: hints, analyses and reviews, one at a time.
//!
//! A long search is cut into slices, each a piece of work of its own for the pool, so that others get their turns in
//! between. Slices grow, because not every engine keeps what it knows from one to the next. A search ends when its
//! connection closes, asks for something else, or says that it has seen enough.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use lianzi_classic::catalog::{self, adviser};
use lianzi_core::{Cell, GameRecord, Placement, Position, Rules, Stone};
use lianzi_engine::chance::{HINTER, Scores};
use lianzi_engine::threats::{Threat, must_hit, threats};
use lianzi_engine::{Best, Engine, Info, Limits, Line, Options, Stop};
use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;

use crate::bounds;
use crate::pool::{Key, Pool};
use crate::review::Review;
use crate::room::{info_json, line_json};
use crate::words::Refusal;

/// How long a hint may take.
const HINT: Duration = Duration::from_secs(1);
/// The first and the longest slice of an analysis.
const SLICES: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(4)];
/// How long one position is thought about in all.
const ANALYSIS: Duration = Duration::from_secs(60);
/// The score of a stone that wins at once.
const SURE: i32 = 10_000;
/// At most ten messages a second.
const APART: Duration = Duration::from_millis(100);

/// The searches of one connection.
pub struct Thoughts {
    pool: Pool,
    key: Key,
    say: Sender<String>,
    stop: Stop,
}

impl Thoughts {
    /// Nothing is thought about yet; messages go to `say`.
    pub fn new(pool: Pool, connection: u64, say: Sender<String>) -> Thoughts {
        Thoughts { pool, key: Key::Connection(connection), say, stop: Stop::default() }
    }

    /// Ends whatever is thought about.
    pub fn stop(&mut self) {
        self.stop.set();
        self.stop = Stop::default();
    }

    /// Thinks about the position after these moves, which may leave the game.
    pub fn analyse(&mut self, record: &GameRecord, moves: &[String], lines: usize) -> Result<(), Refusal> {
        self.stop();
        let position = position_after(record, moves)?;
        let advice = Advice::on(position.rules())?;
        let (best, lines) = (Info::default(), lines.clamp(1, bounds::LINES));
        let analysis = Analysis { desk: self.desk(), advice, lines, position, best, beside: Vec::new() };
        analysis.tell(false);
        if analysis.position.outcome().is_some() {
            analysis.tell(true);
            return Ok(());
        }
        analysis.go_on(SLICES[0], Instant::now());
        Ok(())
    }

    /// Finds a turn for the side to move.
    pub fn hint(&mut self, record: &GameRecord) -> Result<(), Refusal> {
        self.stop();
        let position = record.position();
        if position.outcome().is_some() || record.verdict.outcome.is_some() {
            return Err(Refusal::bad("the game is over", "对局已经结束"));
        }
        let (desk, mut engine) = (self.desk(), engine(HINTER, position.rules())?);
        let scores = catalog::scores(HINTER, position.rules());
        self.pool.submit(self.key.clone(), move || {
            let limits = Limits { move_time: Some(HINT), lines: 1, ..Limits::default() };
            if let Some(best) = desk.think(engine.as_mut(), &position, &limits, &mut |_| {}) {
                let line = best.info.lines.first().map(|line| line_json(line, scores));
                desk.say(&json!({"type": "hint", "turn": best.turn, "line": line}));
            }
        });
        Ok(())
    }

    /// Goes through the whole game.
    pub fn review(&mut self, record: GameRecord) -> Result<(), Refusal> {
        self.stop();
        let advice = Advice::on(&record.rules)?;
        Review::new(self.desk(), advice, record).go_on();
        Ok(())
    }

    fn desk(&self) -> Desk {
        Desk {
            pool: self.pool.clone(),
            key: self.key.clone(),
            say: self.say.clone(),
            stop: self.stop.clone(),
        }
    }
}

/// However a connection ends, nobody wants to know any more.
impl Drop for Thoughts {
    fn drop(&mut self) {
        self.stop.set();
    }
}

/// Where one search works: whose turn it takes, whom it tells, and who stops it.
#[derive(Clone)]
pub struct Desk {
    /// Where the search thinks.
    pub pool: Pool,
    /// Whose turns it takes.
    pub key: Key,
    say: Sender<String>,
    /// Set when nobody wants to know any more.
    pub stop: Stop,
}

impl Desk {
    /// Sends a message, unless nobody wants to know any more. One that is too slow to take it misses it.
    pub fn say(&self, message: &Value) {
        if !self.stop.is_set() {
            let _ = self.say.try_send(message.to_string());
        }
    }

    /// Asks an engine; `None` if it was stopped or failed, which is said in words.
    pub fn think(
        &self,
        engine: &mut dyn Engine,
        position: &Position,
        limits: &Limits,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Best> {
        if self.stop.is_set() {
            return None;
        }
        let think = AssertUnwindSafe(|| engine.search(position, limits, &self.stop, report));
        let Ok(best) = catch_unwind(think) else {
            tracing::error!(game = %position.rules(), "panicked while it analysed");
            self.say(&json!({"type": "error", "en": "the engine failed at this position", "zh": "引擎在此局面出错"}));
            return None;
        };
        (!self.stop.is_set()).then_some(best)
    }
}

/// The engine that analyses a game, and what its scores mean.
pub struct Advice {
    /// It thinks.
    pub engine: Box<dyn Engine>,
    /// It tells.
    pub scores: Scores,
}

impl Advice {
    /// For this game; by the engine for every game if the best does not play it.
    pub fn on(rules: &Rules) -> Result<Advice, Refusal> {
        Ok(Advice { engine: engine(adviser(rules), rules)?, scores: catalog::scores(adviser(rules), rules) })
    }
}

/// A position that is thought about.
struct Analysis {
    desk: Desk,
    advice: Advice,
    position: Position,
    lines: usize,
    /// The best that is known so far.
    best: Info,
    /// Columns that the engine did not tell of, each looked at by itself.
    beside: Vec<Line>,
}

impl Analysis {
    fn go_on(self, slice: Duration, began: Instant) {
        let Desk { pool, key, .. } = self.desk.clone();
        pool.submit(key, move || self.step(slice, began));
    }

    /// One slice; the next one waits for its turn.
    fn step(mut self, slice: Duration, began: Instant) {
        let limits = Limits { move_time: Some(slice), lines: self.lines, ..Limits::default() };
        let Analysis { desk, advice, position, best, beside, .. } = &mut self;
        let Advice { engine, scores } = advice;
        let (start, mut told) = (Instant::now(), Instant::now());
        let report = &mut |info: &Info| {
            // A slice that began anew has news only when it got further than the last one.
            if info.nodes > best.nodes && told.elapsed() >= APART {
                told = Instant::now();
                best.clone_from(info);
                desk.say(&message(position, &with(best, beside), *scores, false));
            }
        };
        let Some(found) = desk.think(engine.as_mut(), position, &limits, report) else { return };
        // An engine that did not use its time has nothing more to find.
        let sure = start.elapsed() < slice / 2;
        if sure || found.info.nodes >= self.best.nodes {
            self.best = found.info;
        }
        let done = sure || began.elapsed() >= ANALYSIS;
        if !self.look_beside(slice) {
            return;
        }
        self.tell(done);
        if !done {
            self.go_on((slice * 2).min(SLICES[1]), began);
        }
    }

    /// Where stones fall, every column has its score: those that the engine left out, because it was sure without
    /// them, are looked at one by one. False when the search was stopped.
    fn look_beside(&mut self, slice: Duration) -> bool {
        self.beside.clear();
        let rules = self.position.rules();
        if rules.placement != Placement::Drop || self.lines < usize::from(rules.width) {
            return true;
        }
        let told = |cell: &Cell| self.best.lines.iter().any(|line| line.cells.first() == Some(cell));
        let missing: Vec<Cell> = self.position.legal().filter(|cell| !told(cell)).collect();
        let time = slice / u32::from(rules.width);
        let beside: Option<Vec<Line>> = missing.into_iter().map(|cell| self.line_from(cell, time)).collect();
        let stopped = beside.is_none();
        self.beside = beside.unwrap_or_default();
        self.beside.sort_by_key(|line| -line.score);
        !stopped
    }

    /// What a stone here leads to; `None` when the search was stopped.
    fn line_from(&mut self, cell: Cell, time: Duration) -> Option<Line> {
        let mut after = self.position.clone();
        // It was a legal one.
        let _ = after.play(cell);
        if let Some(outcome) = after.outcome() {
            let won = i32::from(outcome.winner().is_some());
            return Some(Line { score: won * SURE, win_in: Some(won), cells: vec![cell] });
        }
        let limits = Limits { move_time: Some(time), lines: 1, ..Limits::default() };
        let found = self.desk.think(self.advice.engine.as_mut(), &after, &limits, &mut |_| {})?;
        let reply = found.info.lines.into_iter().next().unwrap_or_default();
        let win_in = reply.win_in.map(|plies| -(plies + plies.signum()));
        Some(Line { score: -reply.score, win_in, cells: [vec![cell], reply.cells].concat() })
    }

    fn tell(&self, done: bool) {
        let best = with(&self.best, &self.beside);
        self.desk.say(&message(&self.position, &best, self.advice.scores, done));
    }
}

/// What is known, with the columns that were looked at by themselves.
fn with(info: &Info, beside: &[Line]) -> Info {
    let told = |line: &&Line| !info.lines.iter().any(|other| other.cells.first() == line.cells.first());
    let lines = info.lines.iter().chain(beside.iter().filter(told)).cloned().collect();
    Info { lines, ..*info }
}

fn message(position: &Position, info: &Info, scores: Scores, done: bool) -> Value {
    let moves: Vec<Cell> = position.plies().iter().map(|ply| ply.cell).collect();
    let told = |stone| threats(position, stone).iter().map(threat_json).collect::<Vec<_>>();
    let hits = if position.outcome().is_none() { must_hit(position) } else { Vec::new() };
    json!({
        "type": "analysis", "moves": moves, "to_move": position.to_move(), "info": info_json(info, scores),
        "threats": {"black": told(Stone::Black), "white": told(Stone::White)}, "must_hit": hits, "done": done,
    })
}

fn threat_json(threat: &Threat) -> Value {
    json!({"kind": threat.kind.name(), "cells": threat.cells, "at": threat.at})
}

/// The position after these moves, which may leave the game.
pub fn position_after(record: &GameRecord, moves: &[String]) -> Result<Position, Refusal> {
    let mut position = record.start().map_err(Refusal::broken)?;
    for name in moves.iter().take(lianzi_core::MAX_CELLS + 1) {
        let cell = position.read_cell(name).map_err(|bad| Refusal::said(|l| bad.words(l)))?;
        position.play(cell).map_err(|why| Refusal::said(|l| format!("{cell}: {}", why.words(l))))?;
    }
    Ok(position)
}

/// The engine of this name; the one for every game if it does not play this one.
fn engine(name: &str, rules: &Rules) -> Result<Box<dyn Engine>, Refusal> {
    let made = catalog::engine(name, rules, &Options::default());
    let made = made.or_else(|_| catalog::engine("greedy", rules, &Options::default()));
    made.map_err(|none| Refusal::said(|language| none.words(language)))
}
