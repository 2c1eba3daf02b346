//! `perft`: counts the games of a given length.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use lianzi_core::{Rules, divide, perft};
use serde_json::json;

use lianzi_console::position::position_after;
use lianzi_console::{Console, line};

/// Count all sequences of stones from a position
#[derive(Args)]
#[command(after_help = "Examples:\n  lianzi perft connect4 8\n  lianzi perft gomoku 2 --moves \"h8 i9\" --divide")]
pub struct Perft {
    /// The game, such as gomoku, connect6:15 or connect4:9x10/d4
    game: Rules,
    /// How many stones deep
    depth: u32,
    /// Stones already played: cells, with blanks or run together (h8i9); where stones drop also columns (4453)
    #[arg(long, value_name = "CELLS", default_value = "")]
    moves: String,
    /// Split the count by the first stone
    #[arg(long)]
    divide: bool,
    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,
}

impl Perft {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let mut position = position_after(self.game, &self.moves, console)?;
        if self.divide {
            for (cell, count) in divide(&mut position, self.depth) {
                line(if self.json {
                    json!({"cell": cell, "count": count}).to_string()
                } else {
                    format!("{cell}\t{count}")
                })?;
            }
        }
        for depth in 1..=self.depth {
            let start = Instant::now();
            let count = perft(&mut position, depth);
            let seconds = start.elapsed().as_secs_f64();
            let rate = count as f64 / seconds.max(1e-9);
            line(match self.json {
                true => json!({"depth": depth, "count": count, "time_ms": (seconds * 1e3) as u64}).to_string(),
                false => format!("{depth}\t{count}\t{seconds:.3} s\t{:.1} M/s", rate / 1e6),
            })?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
