//! `bench solver`: CPU time for each position of a file, the table kept between them; without a file, of the scores of
//! all columns in random positions. `bench reach`: how far larger boards are solved.

mod columns;
pub mod reach;

use std::path::Path;

use anyhow::anyhow;
use lianzi_core::{Cell, Position, Random, Rules, Speak, text};
use lianzi_engine::catalog::solver;
use lianzi_engine::{Limits, Stop};
use serde_json::json;

use lianzi_cage::cpu::thread_time;
use lianzi_console::position::{Asked, With, read_positions};
use lianzi_console::{Console, line};

/// The usual board.
const BOARD: Rules = Rules::connect4(7, 6);

/// Solves all positions of a file, or so many random ones.
pub fn run(path: Option<&Path>, count: usize, with: &With, json: bool, console: &Console) -> anyhow::Result<()> {
    match path {
        Some(path) => listed(path, with, json, console),
        None => columns::run(count, with, json, console),
    }
}

/// The position after so many stones of a random game that is not over by then.
fn random_position(rules: Rules, stones: usize, random: &mut Random) -> Position {
    loop {
        let mut position = Position::new(rules);
        while position.plies().len() < stones && position.outcome().is_none() {
            let cells: Vec<Cell> = position.legal().collect();
            let played = random.choose(&cells).map(|&cell| position.play(cell));
            debug_assert!(matches!(played, Some(Ok(()))), "an open game goes on");
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// Solves all positions of a file; scores that the file claims are compared.
fn listed(path: &Path, with: &With, json: bool, console: &Console) -> anyhow::Result<()> {
    let rules = BOARD;
    let asked = read_positions(rules, path, console)?;
    let solver = solver(&rules, with.setting()?);
    let mut solver = solver.map_err(|none| anyhow!("{}", none.words(console.language)))?;
    let (limits, stop) = (Limits::default(), Stop::default());
    let start = thread_time();
    let solutions: Vec<_> = asked.iter().map(|Asked { position, .. }| solver.solve(position, &limits, &stop)).collect();
    let seconds = (thread_time() - start).as_secs_f64();
    let nodes: u64 = solutions.iter().map(|solution| solution.nodes).sum();
    let differs = |(asked, score): (&Asked, Option<i32>)| asked.claimed.is_some_and(|claim| Some(claim) != score);
    let wrong = asked.iter().zip(solutions.iter().map(|solution| solution.score)).filter(|&pair| differs(pair)).count();
    let count = asked.len().max(1) as f64;
    let (mean, rate) = (seconds / count * 1e6, nodes as f64 / seconds.max(1e-9));
    line(match json {
        true => json!({"bench": "solver", "positions": asked.len(), "differing": wrong, "cpu_us_per_position": mean, "nodes_per_position": nodes as f64 / count, "nodes_per_cpu_second": rate}).to_string(),
        false => console.say(text!(
            "{} positions, {wrong} scores differ from the file's; each, {mean:.2} µs CPU, {:.0} nodes, {:.1} M nodes/s",
            "{} 个局面, {wrong} 个分数与文件不符；平均每个, {mean:.2} µs CPU, {:.0} 节点, {:.1} 百万节点/秒",
            asked.len(),
            nodes as f64 / count,
            rate / 1e6
        )),
    })
}
