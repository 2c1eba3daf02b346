//! A position solved for a page: what was proven, or why nothing was.

use lianzi_core::{Position, Speak};
use lianzi_engine::catalog::{Setting, solver};
use lianzi_engine::solve::Solved;
use lianzi_engine::{Limits, Stop};
use serde_json::{Value, json};

use crate::Refusal;

/// What a solver finds with so many nodes and so many MiB for its table. `why` says why nothing is known: the solver has
/// tried all it can (`exhausted`), or nodes ran out (`budget`).
pub fn solved(position: &Position, nodes: u64, table: usize) -> Result<Value, Refusal> {
    let setting = Setting { table: table << 20, ..Setting::default() };
    let mut solver = solver(position.rules(), setting).map_err(|none| Refusal::from(none.text()))?;
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let found = solver.solve(position, &limits, &Stop::default());
    // Who stops it is told nothing: there are two reasons to know nothing.
    let why = (found.result == Solved::Unknown).then_some(if found.exhausted { "exhausted" } else { "budget" });
    Ok(json!({
        "result": found.result.name(), "score": found.score, "line": found.line, "nodes": found.nodes, "why": why,
    }))
}
