//! `dev train`: a network from games.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use lianzi_core::text;
use lianzi_engine::Family;
use lianzi_engine::workshop::network::{Epoch, Form, Network, PLAN};
use lianzi_engine::workshop::{connect6, gomoku};

use super::learn::{Learn, keep};
use lianzi_console::Console;

/// Train a network that corrects an engine's fitted weights, by games of `dev selfplay`
#[derive(Args)]
pub struct Train {
    #[command(flatten)]
    learn: Learn,
    /// A network to begin with, of this game or of another one with the same codes: free style's for exactly five and
    /// renju
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The network
    #[arg(long, value_name = "FILE", default_value = "new.network")]
    out: PathBuf,
}

impl Train {
    pub fn run(&self, console: &Console) -> anyhow::Result<ExitCode> {
        let lessons = self.learn.lessons()?;
        let mut report = |n, epoch: &Epoch| eprintln!("{}", words(n, epoch, console));
        let plan = self.learn.plan(PLAN);
        let form = match Family::of(&lessons.rules) {
            Family::Gomoku => gomoku::network::form(&lessons.rules),
            Family::Connect6 => &connect6::network::FORM,
            _ => bail!(text!("{} has no network to train", "{} 没有可训练的网络", lessons.rules)),
        };
        let from = self.from.as_deref().map(|path| read(form, path)).transpose()?;
        let train = match Family::of(&lessons.rules) {
            Family::Gomoku => gomoku::network::train,
            _ => connect6::network::train,
        };
        let network = train(&lessons, from.as_ref(), &plan, &mut report);
        keep(&self.out, &network.bytes(), lessons.games.len(), console)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A network to begin with.
fn read(form: &'static Form, path: &Path) -> anyhow::Result<Network> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    let no_network = || text!("{}: no network that suits this game", "{}：不是适用于这种棋的网络", path.display());
    Network::carry_over(form, &bytes).ok_or_else(|| anyhow!(no_network()))
}

fn words(n: usize, epoch: &Epoch, console: &Console) -> String {
    let Epoch { samples: [learnt, held], fitted, corrected } = epoch;
    let held_out = console.pick("held out: fitted value", "留出集：拟合估值");
    let network = console.pick("with the network", "加网络后");
    format!("{n:3}  {learnt}+{held}  {held_out} {fitted:.4}  {network} {corrected:.4}")
}
