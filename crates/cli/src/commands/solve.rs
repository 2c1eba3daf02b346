//! `solve`: exact results, with the line that leads to them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::Args;
use lianzi_arena::duration;
use lianzi_core::{Position, Rules};
use lianzi_engine::Limits;
use lianzi_engine::catalog::{Setting, solver};
use lianzi_engine::solve::{Solution, Solved};
use serde_json::{Value, json};

use super::contest::stop_on_ctrl_c;
use super::perft::position_after;
use crate::console::{Console, line};

/// Solve positions exactly, with the line that leads to the result
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi solve connect4\n  lianzi solve connect4 --moves 44444 --json\n  lianzi solve connect4:6x5/c3 --time 10s\n  lianzi solve connect4 --positions positions.txt --json"
)]
pub struct Solve {
    /// The game, such as connect4 or connect4:6x5/c3
    game: Rules,
    /// Stones already played: cells, or columns as digits without blanks
    #[arg(long, value_name = "CELLS", default_value = "", conflicts_with = "positions")]
    moves: String,
    /// A file with one position a line, written like --moves
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// How long for each position; without a limit, until it is solved
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time: Option<Duration>,
    /// How many nodes for each position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    #[command(flatten)]
    with: With,
    /// Print one JSON object for each position
    #[arg(long)]
    json: bool,
}

/// How a solver is set up.
#[derive(Args, Clone, Copy)]
pub struct With {
    /// How large the table may grow, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Do without the opening book
    #[arg(long)]
    no_book: bool,
}

impl With {
    /// The same for the engine.
    pub fn setting(self) -> Setting {
        Setting { table: (self.hash as usize) << 20, book: !self.no_book }
    }
}

/// A position to solve.
pub struct Asked {
    /// As it was written.
    pub text: String,
    /// What it means.
    pub position: Position,
    /// The score that the file claims.
    pub claimed: Option<i32>,
}

impl Solve {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let solver = solver(&self.game, self.with.setting());
        let mut solver = solver.map_err(|none| anyhow!("{}", none.words(console.language)))?;
        let asked = match &self.positions {
            Some(path) => read_positions(self.game, path, console)?,
            None => vec![read_position(self.game, &self.moves, console)?],
        };
        let stop = stop_on_ctrl_c()?;
        let limits = Limits { move_time: self.time, nodes: self.nodes, ..Limits::default() };
        for Asked { text, position, .. } in &asked {
            // After Ctrl-C the rest is unknown, and said to be: there is one answer for each position.
            let start = Instant::now();
            let mut solution = match stop.is_set() {
                true => Solution::default(),
                false => solver.solve(position, &limits, &stop),
            };
            let time = start.elapsed();
            solver.extend(position, &mut solution, &stop);
            line(match self.json {
                true => object(&solution, time).to_string(),
                false => words(text, position, &solution, time, console),
            })?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn object(solution: &Solution, time: Duration) -> Value {
    let mut object = json!({
        "result": solution.result.name(), "pv": solution.line, "nodes": solution.nodes,
        "time_ms": time.as_secs_f64() * 1e3,
    });
    if let Some(score) = solution.score {
        object["score"] = json!(score);
    }
    object
}

fn words(text: &str, position: &Position, solution: &Solution, time: Duration, console: &Console) -> String {
    let side = position.to_move().words(console.language);
    let result = solution.result.words(console.language);
    let mut words = match text.is_empty() {
        true => format!("{side} {result}"),
        false => format!("{text}: {side} {result}"),
    };
    if let (Some(score), true) = (solution.score, solution.result != Solved::Draw) {
        words += &format!(" ({score:+})");
    }
    for cell in &solution.line {
        words += &format!(" {cell}");
    }
    let (nodes, seconds) = (solution.nodes, time.as_secs_f64());
    words + &format!("  [{nodes} {}, {seconds:.3} s]", console.pick("nodes", "节点"))
}

/// The positions of a file, one a line; empty lines and what follows a `#` are skipped.
pub fn read_positions(rules: Rules, path: &Path, console: &Console) -> anyhow::Result<Vec<Asked>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let numbered = lines.enumerate().filter(|(_, line)| !line.is_empty());
    numbered
        .map(|(n, line)| {
            let place = || format!("{}:{}", path.display(), n + 1);
            read_position(rules, line, console).with_context(place)
        })
        .collect()
}

/// Columns as digits, with the claimed score after a blank if there is one; otherwise cells.
fn read_position(rules: Rules, text: &str, console: &Console) -> anyhow::Result<Asked> {
    let text = text.trim();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let digits = rules.width <= 9 && first.len() > 1 && first.bytes().all(|b| b.is_ascii_digit());
    let claimed = rest.trim().parse().ok().filter(|_| digits);
    let columns = digits && (rest.is_empty() || claimed.is_some());
    let text = if columns { first } else { text };
    let moves: String = match columns {
        true => text.chars().map(|digit| format!("{digit} ")).collect(),
        false => text.to_string(),
    };
    Ok(Asked { text: text.to_string(), position: position_after(rules, &moves, console)?, claimed })
}
