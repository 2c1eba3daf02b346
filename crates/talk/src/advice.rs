//! What a page wants to know of a position, and what it is told: hints and analyses.

use lianzi_classic::catalog;
use lianzi_core::{Cell, GameRecord, Position, Stone};
use lianzi_engine::Info;
use lianzi_engine::chance::HINTER;
use lianzi_engine::threats::{Threat, must_hit, threats};
use lianzi_game::live::{Advice, Refused, analysis_scores};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Refusal, info_json, line_json};

/// What a page may say besides actions.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum PageQuestion {
    /// A good turn for the side to move.
    Hint,
    /// What is to be thought of a position of the game, or of a line that leaves it.
    Analyse {
        /// The stones that lead there; nothing ends it.
        moves: Option<Vec<String>>,
        /// How many turns to give a line for.
        #[serde(default)]
        lines: Option<usize>,
    },
    /// Which turns of the game mattered.
    Review,
    /// How good a turn would be in a position of the game, or of a line that leaves it.
    Try {
        /// The stones that lead there.
        moves: Vec<String>,
        /// The stones of the turn.
        turn: Vec<String>,
    },
    /// Whether anybody is there.
    Ping,
}

/// What a search has found, as a message.
pub fn message(advice: &Advice) -> Value {
    match advice {
        Advice::Hint { position, best } => {
            let scores = catalog::scores(HINTER, position.rules());
            let line = best.info.lines.first().map(|line| line_json(line, scores));
            json!({"type": "hint", "turn": best.turn, "line": line})
        }
        Advice::Analysis { position, info, done } => analysis_json(position, info, *done),
        Advice::Failed => {
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
pub fn read_turn(position: &Position, turn: &[String]) -> Result<Vec<Cell>, Refusal> {
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

/// The position of a game in which a hint is asked for.
pub fn position_to_move(record: &GameRecord) -> Result<Position, Refusal> {
    let position = record.position();
    if position.outcome().is_some() || record.verdict.outcome.is_some() {
        return Err(Refused::Over.into());
    }
    Ok(position)
}
