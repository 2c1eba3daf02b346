//! `bench signature`: what every engine plays, as one number that only a change of play changes.

use lianzi_classic::catalog;
use lianzi_engine::signature::{ROWS, Signature, signature, total};
use serde_json::json;

use lianzi_console::{Console, line};

/// Prints a line for each engine and game, and the sum of all.
pub fn run(json: bool, console: &Console) -> anyhow::Result<()> {
    let mut all = Vec::new();
    for found in ROWS.iter().chain(catalog::ROWS).filter_map(|&row| signature(row, catalog::engine)) {
        line(if json { told(&found).to_string() } else { found.to_string() })?;
        all.push(found);
    }
    let (nodes, value) = (all.iter().map(|found| found.nodes).sum::<u64>(), total(&all));
    line(match json {
        true => json!({"bench": "signature", "nodes": nodes, "signature": format!("{value:08x}")}).to_string(),
        false => format!("{}: {nodes} {value:08x}", console.pick("Signature", "签名")),
    })
}

fn told(found: &Signature) -> serde_json::Value {
    json!({
        "bench": "signature",
        "engine": found.row.player,
        "game": found.row.game,
        "nodes": found.nodes,
        "signature": format!("{:08x}", found.value),
    })
}
