//! `bench GAME`: every engine on the same positions with the same limits. The node count and the signature of the
//! answers are the same on every machine, so a change that was to change nothing shows that it did not.

use std::time::Duration;

use lianzi_classic::{BUILT_IN, catalog};
use lianzi_contest::opening::balanced;
use lianzi_core::{Position, Rules, mix, text};
use lianzi_engine::workshop::connect4;
use lianzi_engine::{Engine, Family, Limits, NoEngine, Options, Stop};
use serde_json::json;

use lianzi_cage::cpu::cpu_time;
use lianzi_console::{Console, line};

/// How many positions besides the empty board.
const OPENINGS: u64 = 8;

/// What came of one engine's work.
struct Measured {
    nodes: u64,
    signature: u64,
    cpu: Duration,
}

/// Measures all engines that play this game.
pub fn run(rules: Rules, json: bool, console: &Console) -> anyhow::Result<()> {
    let positions = positions(&rules);
    for name in BUILT_IN {
        let engine = match catalog::engine(name, &rules, &Options::default()) {
            Err(NoEngine::Game { .. }) => continue,
            engine => engine?,
        };
        print(&rules, name, &measure(engine, &positions), json, console)?;
    }
    if Family::of(&rules) == Family::ConnectFour {
        print(&rules, "prover", &measure_prover(&positions), json, console)?;
    }
    Ok(())
}

fn print(rules: &Rules, name: &str, measured: &Measured, json: bool, console: &Console) -> anyhow::Result<()> {
    let &Measured { nodes, signature, cpu } = measured;
    let rate = nodes as f64 / cpu.as_secs_f64().max(1e-9);
    line(match json {
        true => json!({"bench": rules, "engine": name, "nodes": nodes, "signature": format!("{signature:016x}"), "cpu_ms": cpu.as_secs_f64() * 1e3, "nodes_per_cpu_second": rate}).to_string(),
        false => console.say(text!(
            "{name:18} {nodes:>9} nodes  {signature:016x}  {:8.3} s CPU  {:>9.0} k nodes/s",
            "{name:18} {nodes:>9} 节点  {signature:016x}  {:8.3} s CPU  {:>9.0} 千节点/秒",
            cpu.as_secs_f64(),
            rate / 1e3
        )),
    })
}

/// The empty board and some balanced openings, always the same.
fn positions(rules: &Rules) -> Vec<Position> {
    let opened = (1..=OPENINGS).map(|seed| {
        let mut position = Position::new(*rules);
        for cell in balanced(rules, seed) {
            position.play(cell).expect("an opening is legal");
        }
        position
    });
    std::iter::once(Position::new(*rules)).chain(opened).filter(|position| position.outcome().is_none()).collect()
}

fn measure(mut engine: Box<dyn Engine>, positions: &[Position]) -> Measured {
    // Whichever limit an engine knows ends its search; no clock is involved.
    let limits = Limits { nodes: Some(20_000), depth: Some(4), ..Limits::default() };
    let (mut nodes, mut signature, start) = (0, 0, cpu_time());
    for position in positions {
        engine.begin(1);
        let best = engine.search(position, &limits, &Stop::default(), &mut |_| {});
        nodes += best.info.nodes;
        signature = best.turn.iter().fold(signature, |hash, cell| mix(hash ^ (cell.index() as u64 + 1)));
    }
    Measured { nodes, signature, cpu: cpu_time() - start }
}

/// Connect Four's search for forced lines, which is part of `strong` and counted by itself here.
fn measure_prover(positions: &[Position]) -> Measured {
    let limits = Limits { nodes: Some(500_000), ..Limits::default() };
    let (mut nodes, mut signature, start) = (0, 0, cpu_time());
    for position in positions {
        let (found, seen) = connect4::examine(position, &limits, &Stop::default());
        nodes += seen;
        signature = found.iter().fold(signature, |hash, proof| mix(hash ^ proof.rank() as u64));
    }
    Measured { nodes, signature, cpu: cpu_time() - start }
}
