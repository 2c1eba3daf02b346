//! What a connection wants to know, as messages to its page: hints, analyses and reviews, one at a time.

use std::sync::Arc;

use lianzi_classic::catalog;
use lianzi_core::{Cell, GameRecord, Position, Stone};
use lianzi_engine::Info;
use lianzi_engine::chance::HINTER;
use lianzi_engine::threats::{Threat, must_hit, threats};
use lianzi_game::live::{Advice, Adviser, Desk, Refused, analysis_scores};
use lianzi_game::review::Review;
use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;

use crate::Hall;
use crate::bounds;
use crate::pool::Key;
use crate::review::Reviewing;
use crate::room::{info_json, line_json};
use crate::visitor::Visitor;
use crate::words::Refusal;

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
        let tell = Arc::new(move |advice| drop(told.try_send(message(&advice).to_string())));
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
        let position = record.position();
        if position.outcome().is_some() || record.verdict.outcome.is_some() {
            return Err(Refused::Over.into());
        }
        self.desk.hint(position);
        Ok(())
    }

    /// Goes through the whole game.
    pub fn review(&mut self, record: &GameRecord) -> Result<(), Refusal> {
        self.begin()?;
        let adviser = Adviser::for_analysis(&record.rules);
        let review = Review::new(record, adviser.scores);
        Reviewing::of_game(self.desk.begin(), self.say.clone(), adviser, review).go_on();
        Ok(())
    }

    /// Says how good a turn would be in the position after these moves, which may leave the game.
    pub fn try_turn(&mut self, record: &GameRecord, moves: &[String], turn: &[String]) -> Result<(), Refusal> {
        self.begin()?;
        let position = position_after(record, moves)?;
        let turn = read_turn(&position, turn)?;
        let adviser = Adviser::for_analysis(&record.rules);
        // The turn was tried already.
        let Ok(review) = Review::of_try(&position, &turn, adviser.scores) else { return Ok(()) };
        let played = position.plies().iter().map(|ply| ply.cell).collect();
        Reviewing::of_try(self.desk.begin(), self.say.clone(), adviser, (played, review)).go_on();
        Ok(())
    }
}

fn message(advice: &Advice) -> Value {
    match advice {
        Advice::Hint { position, best } => {
            let scores = catalog::scores(HINTER, position.rules());
            let line = best.info.lines.first().map(|line| line_json(line, scores));
            json!({"type": "hint", "turn": best.turn, "line": line})
        }
        Advice::Analysis { position, info, done } => analysis_json(position, info, *done),
        Advice::Failed => {
            tracing::error!("an engine panicked while it analysed");
            json!({"type": "error", "en": "the engine failed at this position", "zh": "引擎在此局面出错"})
        }
    }
}

fn analysis_json(position: &Position, info: &Info, done: bool) -> Value {
    let moves: Vec<Cell> = position.plies().iter().map(|ply| ply.cell).collect();
    let told = |stone| threats(position, stone).iter().map(threat_json).collect::<Vec<_>>();
    let hits = if position.outcome().is_none() { must_hit(position) } else { Vec::new() };
    json!({
        "type": "analysis", "moves": moves, "to_move": position.to_move(),
        "info": info_json(info, analysis_scores(position.rules())),
        "threats": {"black": told(Stone::Black), "white": told(Stone::White)}, "must_hit": hits, "done": done,
    })
}

fn threat_json(threat: &Threat) -> Value {
    json!({"kind": threat.kind.name(), "cells": threat.cells, "at": threat.at})
}

/// The position after these moves, which may leave the game.
pub fn position_after(record: &GameRecord, moves: &[String]) -> Result<Position, Refusal> {
    let mut position = record.start().map_err(Refusal::broken)?;
    play(&mut position, moves)?;
    Ok(position)
}

/// Plays stones that a page names.
fn play(position: &mut Position, names: &[String]) -> Result<Vec<Cell>, Refusal> {
    let stone = |name: &String| {
        let cell = position.read_cell(name).map_err(Refused::Unread)?;
        position.play(cell).map_err(|why| Refused::Illegal(cell, why))?;
        Ok(cell)
    };
    names.iter().take(lianzi_core::MAX_CELLS + 1).map(stone).collect()
}

/// The stones of a whole turn, or fewer if one of them ends the game.
fn read_turn(position: &Position, turn: &[String]) -> Result<Vec<Cell>, Refusal> {
    let left = usize::from(position.stones_left());
    if turn.len() > left {
        return Err(if left == 0 { Refused::Over } else { Refused::TooMany(left) }.into());
    }
    let mut after = position.clone();
    let cells = play(&mut after, turn)?;
    if cells.len() < left && after.outcome().is_none() {
        let given = cells.len();
        return Err(Refusal::bad(
            format!("the turn is not complete: {given} of {left} stones"),
            format!("这一手应下 {left} 子，只给了 {given} 子"),
        ));
    }
    Ok(cells)
}
