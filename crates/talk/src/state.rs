//! The whole state of a game, as everybody connected is told it.

use lianzi_classic::catalog;
use lianzi_core::opening::{More, Want, Zone};
use lianzi_core::record::{Move, Variation};
use lianzi_core::{Cell, Forbidden, Foul, OpeningRule, Overline, Placement, Rules, Speak, Stone, Text, text};
use lianzi_engine::chance::Scores;
use lianzi_engine::{Info, Instant, Line};
use lianzi_game::live::chance::{chances, rounded};
use serde_json::{Value, json};

use crate::Sitting;
use crate::bounds::VARIATIONS;

/// What a page must know of a game to draw its board.
pub fn board_json(rules: &Rules) -> Value {
    json!({
        "game": rules.to_string(), "width": rules.width, "height": rules.height,
        "blocked": rules.blocked.iter().collect::<Vec<Cell>>(),
        "drop": rules.placement == Placement::Drop, "line": rules.line, "exact": rules.overline == Overline::Ignored,
        "per_turn": rules.per_turn, "first_turn": rules.first_turn,
        "renju": rules.forbidden == Forbidden::Renju,
        "openings": OpeningRule::of_game(rules).map(OpeningRule::name).collect::<Vec<_>>(),
    })
}

impl Sitting {
    /// The state as of now, without what differs from one who is told to the next: who they are.
    pub fn state(&self) -> Value {
        let game = self.table.game();
        let (record, position) = (game.record(), game.position());
        let moves = |told: fn(&Move) -> Value| record.moves.iter().map(told).collect::<Value>();
        let (forbidden, fouls): (Vec<Cell>, Vec<Foul>) = self.forbidden().into_iter().unzip();
        let mut state = board_json(&record.rules);
        state["game"] = json!(record.game().to_string());
        let more = json!({
            "type": "state", "id": self.spot.id,
            "moves": moves(|played| json!(played.cell)),
            "times": moves(|played| json!(played.time_ms)),
            "evals": moves(|played| json!(played.eval)),
            "chances": chances(record, [0, 1].map(|side| self.thinker(side))),
            "variations": record.variations.iter().take(VARIATIONS).map(line_state).collect::<Value>(),
            "undone": game.undone(), "setup": record.setup,
            "to_move": position.to_move(), "stones_left": position.stones_left(),
            "forbidden": forbidden, "fouls": fouls, "winning_line": position.winning_line(),
            "verdict": record.verdict, "words": self.words(),
            "sides": Stone::BOTH.map(|stone| self.side_state(stone)),
            "clocks": Stone::BOTH.map(|stone| self.clock_state(stone)), "running": game.clocks_run(),
            "series": self.series.map(|series| series.shown(&record.verdict)),
            "opening": self.opening_state(), "before": self.before, "kept": self.frozen,
            "instant": self.table.instant(),
        });
        // One person alone may ask the engine; a server knows of two.
        let about = json!({"control": self.times, "between": false, "offer": null, "advice": true});
        for more in [more, about] {
            if let (Value::Object(state), Value::Object(more)) = (&mut state, more) {
                state.extend(more);
            }
        }
        state
    }

    /// What the engine of this side thinks, as a message.
    pub fn thinking(&self, stone: Stone, info: &Info) -> Value {
        thinking(stone, info, &self.table.sides()[stone.index()].player, &self.table.game().record().rules)
    }

    /// Who thought about the stones of a side: a player of ours, or in a game of the library the one that is named.
    fn thinker(&self, side: usize) -> &str {
        let side = &self.table.sides()[side];
        if side.is_human() { &side.name } else { &side.player }
    }

    /// Renju's cells for Black, when Black is to move, and which foul each would be.
    fn forbidden(&self) -> Vec<(Cell, Foul)> {
        let game = self.table.game();
        let position = game.position();
        let black = position.to_move() == Stone::Black && position.rules().forbidden == Forbidden::Renju;
        if !black || game.is_over() {
            return Vec::new();
        }
        position.empty_cells().filter_map(|cell| Some((cell, position.foul(cell)?))).collect()
    }

    fn words(&self) -> Text {
        let game = self.table.game();
        let rules = &game.record().rules;
        match (game.is_over(), self.table.demand()) {
            (true, _) => game.verdict().text(rules),
            (false, Some(demand)) => demand.text(),
            (false, None) => {
                let side = rules.side(game.position().to_move());
                text!("{side} to move", "轮到{side}"; side)
            }
        }
    }

    /// Who must do what to find sides, and the fifth moves that are offered.
    fn opening_state(&self) -> Value {
        let (Some(demand), Some(so_far)) = (self.table.demand(), self.table.game().negotiation()) else {
            return Value::Null;
        };
        let (want, most, zone) = match demand.want {
            Want::Stone(_, Zone::Anywhere) => ("stone", None, None),
            Want::Stone(_, Zone::Square(side)) => ("stone", None, Some(side)),
            Want::Count(most) => ("count", Some(most), None),
            Want::Fifths(_) => ("fifths", None, None),
            Want::Pick(_) => ("pick", None, None),
        };
        let more = demand.more.map(|more| if more == More::Ten { "ten" } else { "two" });
        json!({
            "rule": demand.rule.name(), "by": demand.seat, "want": want, "left": demand.places, "most": most,
            "zone": zone, "swap": demand.swap, "more": more, "offered": so_far.offered(), "words": demand.text(),
            "begun": !so_far.acts().is_empty(),
        })
    }

    fn side_state(&self, stone: Stone) -> Value {
        let side = &self.table.sides()[stone.index()];
        let thinking = self.table.thinks() == Some(stone);
        let mut state =
            json!({"name": side.name, "player": side.player, "human": side.is_human(), "thinking": thinking});
        if side.is_human() && !self.frozen {
            state["here"] = true.into();
        }
        state
    }

    fn clock_state(&self, stone: Stone) -> Value {
        let face = self.table.face(stone, Instant::now());
        let left = face.left.map(|left| left.as_millis() as u64);
        json!({
            "used_ms": face.used.as_millis() as u64, "turn_ms": face.turn.as_millis() as u64, "left_ms": left,
        })
    }
}

/// What this player of a game thinks, as a message.
pub fn thinking(stone: Stone, info: &Info, player: &str, rules: &Rules) -> Value {
    json!({"type": "thinking", "stone": stone, "info": info_json(info, catalog::scores(player, rules))})
}

/// A line that was tried out.
fn line_state(variation: &Variation) -> Value {
    let moves: Vec<Cell> = variation.moves.iter().map(|played| played.cell).collect();
    json!({"from": variation.from, "ply": variation.ply, "moves": moves})
}

/// What an engine knows, as the page reads it.
pub fn info_json(info: &Info, scores: Scores) -> Value {
    let lines: Vec<_> = info.lines.iter().map(|line| line_json(line, scores)).collect();
    json!({"depth": info.depth, "nodes": info.nodes, "lines": lines})
}

/// A line, as the page reads it.
pub fn line_json(line: &Line, scores: Scores) -> Value {
    let chance = scores.of_line(line).map(rounded);
    json!({"score": line.score, "win_in": line.win_in, "chance": chance, "cells": line.cells})
}
