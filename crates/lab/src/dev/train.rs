//! `dev train`: a network from games.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use lianzi_core::{Forbidden, text};
use lianzi_engine::Family;
use lianzi_engine::workshop::network::{Epoch, PLAN};
use lianzi_engine::workshop::{connect6, gomoku};

use super::learn::{Learn, keep};
use lianzi_console::Console;

/// Train a network that corrects an engine's fitted weights, by games of `dev selfplay`
#[derive(Args)]
pub struct Train {
    #[command(flatten)]
    learn: Learn,
    /// The network
    #[arg(long, value_name = "FILE", default_value = "new.network")]
    out: PathBuf,
}

impl Train {
    pub fn run(&self, console: &Console) -> anyhow::Result<ExitCode> {
        let lessons = self.learn.lessons()?;
        let mut report = |n, epoch: &Epoch| eprintln!("{}", words(n, epoch, console));
        let plan = self.learn.plan(PLAN);
        let network = match (Family::of(&lessons.rules), lessons.rules.forbidden) {
            (Family::Gomoku, Forbidden::Nothing) => gomoku::network::train(&lessons, &plan, &mut report),
            (Family::Connect6, _) => connect6::network::train(&lessons, &plan, &mut report),
            _ => bail!(text!("{} has no network to train", "{} 没有可训练的网络", lessons.rules)),
        };
        keep(&self.out, &network.bytes(), lessons.games.len(), console)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn words(n: usize, epoch: &Epoch, console: &Console) -> String {
    let Epoch { samples: [learnt, held], fitted, corrected } = epoch;
    let held_out = console.pick("held out: fitted value", "留出集：拟合估值");
    let network = console.pick("with the network", "加网络后");
    format!("{n:3}  {learnt}+{held}  {held_out} {fitted:.4}  {network} {corrected:.4}")
}
