//! `dev train`: a network from games.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use lianzi_core::{Forbidden, text};
use lianzi_engine::Family;
use lianzi_engine::workshop::gomoku::Weights;
use lianzi_engine::workshop::gomoku::network::train::{Epoch, Plan, train};

use super::fit::read;
use lianzi_console::{Console, line};

/// Train a network that corrects the fitted weights of Gomoku, by games of `dev selfplay`
#[derive(Args)]
pub struct Train {
    /// Files of games, all of one game
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How often all positions are looked at
    #[arg(long, value_name = "N", default_value_t = Plan::default().epochs)]
    epochs: usize,
    /// How much the result counts beside the search's opinion, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = Plan::default().trust)]
    trust: f32,
    /// How strongly rare patterns are held back
    #[arg(long, value_name = "FACTOR", default_value_t = Plan::default().restraint)]
    restraint: f32,
    /// How large the first steps are
    #[arg(long, value_name = "SIZE", default_value_t = Plan::default().rate)]
    rate: f32,
    /// The network
    #[arg(long, value_name = "FILE", default_value = "new.network")]
    out: PathBuf,
}

impl Train {
    pub fn run(&self, console: &Console) -> anyhow::Result<ExitCode> {
        let lessons = read(&self.files)?;
        if Family::of(&lessons.rules) != Family::Gomoku || lessons.rules.forbidden == Forbidden::Renju {
            bail!(text!("{} has no network to train", "{} 没有可训练的网络", lessons.rules));
        }
        let Train { epochs, trust, restraint, rate, .. } = *self;
        let plan = Plan { epochs, trust, restraint, rate };
        let mut report = |n, epoch: &Epoch| eprintln!("{}", words(n, epoch, console));
        let network = train(&lessons, &Weights::of(&lessons.rules), &plan, &mut report);
        let name = || self.out.display().to_string();
        lianzi_cage::disk::write_whole(&self.out, &network.bytes()).with_context(name)?;
        let games = console.pick("trained on games:", "所用局数：");
        line(format!("{}: {games} {}", self.out.display(), lessons.games.len()))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn words(n: usize, epoch: &Epoch, console: &Console) -> String {
    let Epoch { samples: [learnt, held], fitted, corrected } = epoch;
    let held_out = console.pick("held out: fitted value", "留出集：拟合估值");
    let network = console.pick("with the network", "加网络后");
    format!("{n:3}  {learnt}+{held}  {held_out} {fitted:.4}  {network} {corrected:.4}")
}
