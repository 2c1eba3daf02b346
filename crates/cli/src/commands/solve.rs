//! `solve`: exact results or wins by force, with the line that leads to them.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use clap::Args;
use lianzi_core::{Position, Speak, Text};
use lianzi_engine::Limits;
use lianzi_engine::catalog::solver;
use lianzi_engine::solve::{Looked, Solution, Solved};
use lianzi_game::duration;
use serde_json::{Value, json};

use lianzi_console::position::{Asked, Place, With, read_positions};
use lianzi_console::{Console, line, stop_on_ctrl_c};

/// Solve positions, with the line that leads to the result: exactly in Connect Four; in five in a row and Connect6 by
/// wins that are forced, proven and replayed against every defence
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi solve connect4 --moves 44444 --json\n  lianzi solve gomoku --moves i8a1j8a15h9o1h10o15 --time 10s\n  lianzi solve renju --load game.sgf --at 20\n  lianzi solve connect6 --positions positions.txt --nodes 5000000 --json\n\nA result that stays unknown says why: \"exhausted\" when the solver has tried all it can and more time does not help, \"budget\" when time or nodes ran out, \"stopped\" after Ctrl-C. In Connect6 it also says which wins there are none of: by double threats, by so many single ones, by a quiet turn."
)]
pub struct Solve {
    #[command(flatten)]
    place: Place,
    /// A file with one position a line, written like --moves; what follows # or ; is a remark
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

impl Solve {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let asked = self.asked(console)?;
        let Some(first) = asked.first() else { return Ok(ExitCode::SUCCESS) };
        let solver = solver(first.position.rules(), self.with.setting()?);
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
            Some(path) => read_positions(self.place.rules()?, path, console),
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
}

impl Speak for Why {
    fn text(&self) -> Text {
        match self {
            Why::Exhausted => Text::fixed(
                "the solver has tried all it can, and more time does not help",
                "求解器已用尽其手段，增加时间也无济于事",
            ),
            Why::Budget => Text::fixed(
                "nodes or time ran out; allow more with --nodes or --time",
                "节点数或时间已用完；可用 --nodes 或 --time 放宽",
            ),
            Why::Stopped => Text::fixed("it was stopped", "中途停止"),
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
    if let (Some(_), Some(Looked { doubles, singles, quiet })) = (why, solution.looked) {
        object["looked"] = json!({"double_threats": doubles, "single_threats": singles, "quiet_turn": quiet});
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
    let side = position.rules().side(position.to_move()).said(console.language);
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
        if let Some(looked) = solution.looked {
            words += &format!("{}{}", console.pick("; ", "；"), looked.words(console.language));
        }
    }
    for cell in &solution.line {
        words += &format!(" {cell}");
    }
    let (nodes, seconds) = (solution.nodes, time.as_secs_f64());
    words + &format!("  [{nodes} {}, {seconds:.3} s]", console.pick("nodes", "节点"))
}
