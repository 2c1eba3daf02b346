//! `dev threats`: positions of Connect6 that are won by threats, from games of the engine against itself.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};
use lianzi_arena::contest::opening::balanced;
use lianzi_core::{Cell, Position, Rules};
use lianzi_engine::connect6::solver::Threats;
use lianzi_engine::{Limits, Options, Stop, catalog};

use super::super::contest::stop_on_ctrl_c;
use crate::console::{Console, line};

/// How many positions the prover looks at before it gives up.
const MOST: u64 = 200_000;

/// Collect positions of Connect6 that are won by threats, one a line for `solve --positions`
#[derive(Args)]
#[command(after_help = "Example:\n  lianzi dev threats --kind double --games 100 --out double.txt")]
pub struct ThreatArgs {
    /// What the wins need
    #[arg(long, default_value = "double")]
    kind: Kind,
    /// The game
    #[arg(long, value_name = "GAME", default_value = "connect6")]
    game: Rules,
    /// How many games are played
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: u64,
    /// Stones the engine looks at in a turn
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    nodes: u64,
    /// The number of the first game
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The file
    #[arg(long, value_name = "FILE", default_value = "threats.txt")]
    out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Kind {
    /// Only double threats
    Double,
    /// Single threats as well
    Single,
}

impl ThreatArgs {
    pub fn run(&self, console: &Console) -> anyhow::Result<ExitCode> {
        let mut threats = Threats::new(&self.game)?;
        let stop = stop_on_ctrl_c()?;
        let mut found: Vec<String> = Vec::new();
        for seed in (self.seed..).take(self.games as usize) {
            if stop.is_set() {
                break;
            }
            found.extend(self.positions(seed, &mut threats, &stop)?);
        }
        let text: String = found.iter().map(|moves| format!("{moves}\n")).collect();
        std::fs::write(&self.out, text).with_context(|| self.out.display().to_string())?;
        line(format!("{}: {} {}", self.out.display(), found.len(), console.pick("positions", "个局面")))?;
        Ok(ExitCode::SUCCESS)
    }

    /// The positions of one game that are won by threats of this kind, and not by six at once.
    fn positions(&self, seed: u64, threats: &mut Threats, stop: &Stop) -> anyhow::Result<Vec<String>> {
        let mut engine = catalog::engine("strong", &self.game, &Options { seed, ..Options::default() })?;
        let mut position = Position::new(self.game);
        for cell in balanced(&self.game, seed) {
            position.play(cell).context("an opening is legal")?;
        }
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let mut found = Vec::new();
        while position.outcome().is_none() && !stop.is_set() {
            if threats.needs(&position, MOST, stop) == Some(u32::from(self.kind == Kind::Single)) {
                let moves: Vec<Cell> = position.plies().iter().map(|ply| ply.cell).collect();
                let names: Vec<String> = moves.iter().map(Cell::to_string).collect();
                found.push(names.join(" "));
            }
            for cell in engine.search(&position, &limits, stop, &mut |_| {}).turn {
                position.play(cell).context("the engine's stones are legal")?;
            }
        }
        Ok(found)
    }
}
