//! `solve`: exact results or wins by force, with the line that leads to them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::Args;
use lianzi_core::{Language, Position, Rules};
use lianzi_engine::Limits;
use lianzi_engine::catalog::{Setting, solver};
use lianzi_engine::solve::{Solution, Solved};
use lianzi_game::duration;
use serde_json::{Value, json};

use super::contest::stop_on_ctrl_c;
use super::position::{Place, position_after};
use crate::console::{Console, line};

/// Solve positions, with the line that leads to the result: exactly in Connect Four; in five in a row and Connect6 by
/// wins that are forced, proven and replayed against every defence
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi solve connect4 --moves 44444 --json\n  lianzi solve gomoku --moves i8a1j8a15h9o1h10o15 --time 10s\n  lianzi solve renju --load game.sgf --at 20\n  lianzi solve connect6 --positions positions.txt --nodes 5000000 --json\n\nA result that stays unknown says why: \"exhausted\" when the solver has tried all it can and more time does not help, \"budget\" when time or nodes ran out, \"stopped\" after Ctrl-C."
)]
pub struct Solve {
    #[command(flatten)]
    place: Place,
    /// A file with one position a line, written like --moves
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "load"])]
    positions: Option<PathBuf>,
    /// How long for each position; without a limit, until it is solved (in Connect6, two million nodes)
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
    /// How large the table may grow, in MiB (Connect Four)
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Do without the opening book (Connect Four)
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
        let asked = self.asked(console)?;
        let Some(first) = asked.first() else { return Ok(ExitCode::SUCCESS) };
        let solver = solver(first.position.rules(), self.with.setting());
        let mut solver = solver.map_err(|none| anyhow!("{}", none.words(console.language)))?;
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
            let why = Why::of(&solution, stop.is_set());
            line(match self.json {
                true => object(&solution, why, time).to_string(),
                false => words(text, position, &solution, why, time, console),
            })?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn asked(&self, console: &Console) -> anyhow::Result<Vec<Asked>> {
        match &self.positions {
            Some(path) => read_positions(self.place.rules(console)?, path, console),
            None => {
                let (text, position) = (self.place.moves.clone(), self.place.position(console)?);
                Ok(vec![Asked { text, position, claimed: None }])
            }
        }
    }
}

/// Why a result is unknown.
#[derive(Clone, Copy)]
enum Why {
    Exhausted,
    Budget,
    Stopped,
}

impl Why {
    fn of(solution: &Solution, stopped: bool) -> Option<Why> {
        let why = match (solution.exhausted, stopped) {
            (true, _) => Why::Exhausted,
            (false, true) => Why::Stopped,
            (false, false) => Why::Budget,
        };
        (solution.result == Solved::Unknown).then_some(why)
    }

    /// The reason in words for programs.
    const fn name(self) -> &'static str {
        match self {
            Why::Exhausted => "exhausted",
            Why::Budget => "budget",
            Why::Stopped => "stopped",
        }
    }

    /// The reason in words for people.
    const fn words(self, language: Language) -> &'static str {
        match self {
            Why::Exhausted => language.pick(
                "the solver has tried all it can, and more time does not help",
                "求解器已用尽其手段，增加时间也无济于事",
            ),
            Why::Budget => language.pick(
                "nodes or time ran out; allow more with --nodes or --time",
                "节点数或时间已用完；可用 --nodes 或 --time 放宽",
            ),
            Why::Stopped => language.pick("it was stopped", "中途停止"),
        }
    }
}

fn object(solution: &Solution, why: Option<Why>, time: Duration) -> Value {
    let mut object = json!({
        "result": solution.result.name(), "pv": solution.line, "nodes": solution.nodes,
        "time_ms": time.as_secs_f64() * 1e3,
    });
    if let Some(score) = solution.score {
        object["score"] = json!(score);
    }
    if let Some(why) = why {
        object["why"] = json!(why.name());
    }
    object
}

fn words(
    text: &str,
    position: &Position,
    solution: &Solution,
    why: Option<Why>,
    time: Duration,
    console: &Console,
) -> String {
    let side = position.to_move().words(console.language);
    let result = solution.result.words(console.language);
    let mut words = match text.is_empty() {
        true => format!("{side} {result}"),
        false => format!("{text}: {side} {result}"),
    };
    if let (Some(score), true) = (solution.score, solution.result != Solved::Draw) {
        words += &format!(" ({score:+})");
    }
    if let Some(why) = why {
        words += &format!("{}{}", console.pick(": ", "："), why.words(console.language));
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

/// Moves as everywhere; after columns as digits the claimed score may follow.
fn read_position(rules: Rules, text: &str, console: &Console) -> anyhow::Result<Asked> {
    let text = text.trim();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let digits = rules.width <= 9 && first.len() > 1 && first.bytes().all(|b| b.is_ascii_digit());
    let claimed = rest.trim().parse().ok().filter(|_| digits);
    let text = if claimed.is_some() { first } else { text };
    Ok(Asked { text: text.to_string(), position: position_after(rules, text, console)?, claimed })
}
