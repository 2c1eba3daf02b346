//! `dev fit`: weights from games.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use lianzi_core::text;
use lianzi_engine::Family;
use lianzi_engine::workshop::training::logistic::{self, Epoch};
use lianzi_engine::workshop::{connect6, gomoku};

use super::learn::{Learn, keep};
use lianzi_console::Console;

/// Fit an engine's weights to games of `dev selfplay`
#[derive(Args)]
pub struct Fit {
    #[command(flatten)]
    learn: Learn,
    /// The weights
    #[arg(long, value_name = "FILE", default_value = "new.weights")]
    out: PathBuf,
}

impl Fit {
    pub fn run(&self, console: &Console) -> anyhow::Result<ExitCode> {
        let lessons = self.learn.lessons()?;
        let plan = self.learn.plan(logistic::PLAN);
        let mut report = |n, epoch: &Epoch| eprintln!("{}", words(n, epoch, console));
        let weights = match Family::of(&lessons.rules) {
            Family::Gomoku => gomoku::fit::fit(&lessons, &plan, &mut report).bytes(),
            Family::Connect6 => connect6::fit::fit(&lessons, &plan, &mut report).bytes(),
            _ => bail!(text!("{} has no weights to fit", "{} 没有可拟合的权重", lessons.rules)),
        };
        keep(&self.out, &weights, lessons.games.len(), console)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn words(n: usize, epoch: &Epoch, console: &Console) -> String {
    let Epoch { samples: [values, choices], value_loss, order_loss, first } = epoch;
    let held = console.pick("held out: value", "留出集：估值");
    let order = console.pick("order", "排序");
    let best = console.pick("first choice", "首选命中");
    let ordering = match choices {
        0 => String::new(),
        _ => format!("  {order} {order_loss:.4}  {best} {:.1} %", first * 100.0),
    };
    format!("{n:3}  {values}+{choices}  {held} {value_loss:.4}{ordering}")
}
