//! `dev openings`: openings after which neither side is ahead.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use lianzi_core::symmetry::canonical;
use lianzi_core::{Cell, Random, Rules};
use lianzi_engine::workshop::training::selfplay::{Course, opening};
use lianzi_players::PlayerSpec;

use crate::bar;
use lianzi_console::{Console, line, stop_on_ctrl_c};

/// Draw random openings and keep those that an engine thinks fair, no two alike
#[derive(Args)]
pub struct OpeningsArgs {
    /// The game
    game: Rules,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 200)]
    count: usize,
    /// How many nodes to look at each
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    nodes: u64,
    /// How far ahead a side may be, in the engine's points
    #[arg(long, value_name = "POINTS", default_value_t = 40)]
    balance: i32,
    /// Who judges
    #[arg(long, value_name = "PLAYER", default_value = "strong")]
    player: PlayerSpec,
    /// Where random numbers start
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// The file
    #[arg(long, value_name = "FILE", default_value = "openings.txt")]
    out: PathBuf,
}

impl OpeningsArgs {
    pub fn run(&self, console: &Console) -> anyhow::Result<ExitCode> {
        let stop = stop_on_ctrl_c()?;
        let mut engine = self.player.engine(&self.game)?.context("only built-in players judge openings")?;
        let course =
            Course { rules: self.game, nodes: self.nodes, balance: self.balance, seed: self.seed, astray: false };
        let mut random = Random::new(self.seed);
        let (mut seen, mut text) = (std::collections::HashSet::new(), String::new());
        let bar = bar(self.count as u64)?;
        while seen.len() < self.count {
            let Some(position) = opening(&course, engine.as_mut(), &mut random, &stop) else { break };
            let cells: Vec<Cell> = position.plies().iter().map(|ply| ply.cell).collect();
            if seen.insert(canonical(&cells, &self.game)) {
                let names: Vec<String> = cells.iter().map(Cell::to_string).collect();
                text += &format!("{}\n", names.join(" "));
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        let name = || self.out.display().to_string();
        lianzi_cage::disk::write_whole(&self.out, text.as_bytes()).with_context(name)?;
        line(format!("{}: {} {}", self.out.display(), seen.len(), console.pick("openings", "个开局")))?;
        Ok(ExitCode::SUCCESS)
    }
}
