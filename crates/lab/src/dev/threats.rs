//! `dev threats`: positions of Connect6 that are won by threats, from games of the engine against itself.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use lianzi_contest::opening::balanced;
use lianzi_core::{Position, Rules, text};
use lianzi_engine::workshop::connect6::Threats;
use lianzi_engine::workshop::training::file;
use lianzi_engine::{Limits, Options, Stop, catalog};

use lianzi_console::{Console, line, stop_on_ctrl_c};

/// How many positions the prover looks at before it gives up.
const MOST: u64 = 20_000;

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
    /// Look through the games of this file of `dev selfplay` instead of playing
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
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
        let found = match &self.from {
            Some(path) => self.look_through(path, &mut threats, &stop)?,
            None => self.play(&mut threats, &stop)?,
        };
        let text: String = found.iter().map(|moves| format!("{moves}\n")).collect();
        std::fs::write(&self.out, text).with_context(|| self.out.display().to_string())?;
        line(format!("{}: {} {}", self.out.display(), found.len(), console.pick("positions", "个局面")))?;
        Ok(ExitCode::SUCCESS)
    }

    /// The position's stones if it is won by threats of this kind, and not by six at once.
    fn won(&self, position: &Position, threats: &mut Threats, stop: &Stop) -> Option<String> {
        let singles = u32::from(self.kind == Kind::Single);
        (threats.needs(position, MOST, stop) == Some(singles)).then(|| {
            let names: Vec<String> = position.plies().iter().map(|ply| ply.cell.to_string()).collect();
            names.join(" ")
        })
    }

    /// The positions of a file's games, of the side that won.
    fn look_through(&self, path: &Path, threats: &mut Threats, stop: &Stop) -> anyhow::Result<Vec<String>> {
        let name = || path.display().to_string();
        let lessons = file::read(&mut File::open(path).with_context(name)?).with_context(name)?;
        let other = text!("the file holds games of {}", "文件里的对局是 {}", lessons.rules);
        ensure!(lessons.rules == self.game, anyhow::Error::new(other).context(name()));
        let mut found = Vec::new();
        for lesson in &lessons.games {
            lesson.walk(self.game, |position, _| {
                if lesson.winner == Some(position.to_move()) && !stop.is_set() {
                    found.extend(self.won(position, threats, stop));
                }
            });
        }
        Ok(found)
    }

    /// The positions of new games.
    fn play(&self, threats: &mut Threats, stop: &Stop) -> anyhow::Result<Vec<String>> {
        let mut found = Vec::new();
        for seed in (self.seed..).take(self.games as usize) {
            if stop.is_set() {
                break;
            }
            found.extend(self.positions(seed, threats, stop)?);
        }
        Ok(found)
    }

    /// The positions of one game.
    fn positions(&self, seed: u64, threats: &mut Threats, stop: &Stop) -> anyhow::Result<Vec<String>> {
        let mut engine = catalog::engine("strong", &self.game, &Options { seed, ..Options::default() })?;
        let mut position = Position::new(self.game);
        for cell in balanced(&self.game, seed) {
            position.play(cell).context("an opening is legal")?;
        }
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let mut found = Vec::new();
        while position.outcome().is_none() && !stop.is_set() {
            found.extend(self.won(&position, threats, stop));
            for cell in engine.search(&position, &limits, stop, &mut |_| {}).turn {
                position.play(cell).context("the engine's stones are legal")?;
            }
        }
        Ok(found)
    }
}
