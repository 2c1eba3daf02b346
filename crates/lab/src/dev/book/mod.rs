//! `dev book`: what is known of early positions before a game begins.

mod connect4;
mod connect6;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use lianzi_core::{Rules, Text};
use lianzi_engine::workshop::{connect4::book as four, connect6::book as six};

use lianzi_console::{Console, line, stop_on_ctrl_c};

/// Solve the early positions of Connect Four 7x6, or search those of Connect6 for long; a file that exists is completed
#[derive(Args)]
pub struct Book {
    /// The game: connect4 or connect6
    #[arg(default_value = "connect4")]
    game: Rules,
    /// Connect Four: all positions with up to so many stones
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=12))]
    stones: u8,
    /// Connect6: how many nodes each position is searched
    #[arg(long, value_name = "N", default_value_t = 3_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Connect6: how many of Black's second turns are answered
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=64))]
    replies: u8,
    /// Connect Four: how many threads solve
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
    /// How large the table may grow, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// The book
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What a file came to.
struct Progress {
    positions: usize,
    /// Whether nothing is missing.
    whole: bool,
}

impl Book {
    pub fn run(&self, console: &Console) -> anyhow::Result<ExitCode> {
        let stop = stop_on_ctrl_c()?;
        let out = |usual: &str| self.out.clone().unwrap_or_else(|| usual.into());
        let (out, progress) = if self.game == four::BOARD {
            let out = out("connect4.book");
            let progress = connect4::complete(&out, &self.four(), &stop);
            (out, progress)
        } else if self.game == six::BOARD {
            let out = out("connect6.book");
            let progress = connect6::complete(&out, self.six(), &stop, console.language);
            (out, progress)
        } else {
            bail!(Text::fixed("there are books of connect4 and connect6 only", "只有 connect4 和 connect6 有开局库"));
        };
        let progress = progress.with_context(|| out.display().to_string())?;
        let state = match progress.whole {
            true => console.pick("positions, complete", "个局面，完整"),
            false => console.pick("positions so far; run it again to go on", "个局面；再次运行可继续"),
        };
        line(format!("{}: {} {state}", out.display(), progress.positions))?;
        Ok(ExitCode::SUCCESS)
    }

    fn four(&self) -> connect4::Terms {
        connect4::Terms { stones: self.stones.into(), threads: self.threads.into(), hash: self.hash as usize }
    }

    fn six(&self) -> connect6::Terms {
        connect6::Terms { nodes: self.nodes, replies: self.replies.into(), hash: self.hash as usize }
    }
}
