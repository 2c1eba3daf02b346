//! The opening explorer: from which position a page wants to know what was played, and what it is told.

use lianzi_core::{BadGame, Game, Position, Speak};
use lianzi_game::explore::{Continuation, Explorer};
use serde_json::{Value, json};

use crate::{Refusal, bounds};

/// Looks from the position after these moves.
pub fn explorer(game: &str, moves: &str) -> Result<Explorer, Refusal> {
    let rules = bounds::game(game)?.parse::<Game>()?.rules().ok_or(BadGame::Random)?;
    if moves.len() > bounds::SPEC {
        return Err(Refusal::bad("these are too many moves", "着法过多"));
    }
    let position = Position::after(rules, moves).map_err(|bad| Refusal::said(|language| bad.words(language)))?;
    Ok(Explorer::new(&position))
}

/// What was found in so many games, as a page reads it. With each move stand all cells that are the same move, so that it
/// can be told from others whoever names it.
pub fn explored(explorer: &Explorer, looked: usize) -> Value {
    let told = |one: &Continuation| {
        let mut value = json!(one);
        value["alike"] = json!(explorer.alike(one.cell));
        value
    };
    json!({
        "named": explorer.named().map(|named| named.text()), "looked": looked, "total": explorer.total(),
        "moves": explorer.continuations().iter().map(told).collect::<Vec<Value>>(),
    })
}
