//! `dev fit`: weights from games.

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use lianzi_core::text;
use lianzi_engine::Family;
use lianzi_engine::workshop::training::file::{self, Lessons};
use lianzi_engine::workshop::training::logistic::{Epoch, Plan};
use lianzi_engine::workshop::{connect6, gomoku};

use lianzi_console::{Console, line};

/// Fit an engine's weights to games of `dev selfplay`
#[derive(Args)]
pub struct Fit {
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
    /// The weights
    #[arg(long, value_name = "FILE", default_value = "new.weights")]
    out: PathBuf,
}

impl Fit {
    pub fn run(&self, console: &Console) -> anyhow::Result<ExitCode> {
        let lessons = read(&self.files)?;
        let plan = Plan { epochs: self.epochs, trust: self.trust, restraint: self.restraint };
        let mut report = |n, epoch: &Epoch| eprintln!("{}", words(n, epoch, console));
        let weights = match Family::of(&lessons.rules) {
            Family::Gomoku => gomoku::fit::fit(&lessons, &plan, &mut report).bytes(),
            Family::Connect6 => connect6::fit::fit(&lessons, &plan, &mut report).bytes(),
            _ => bail!(text!("{} has no weights to fit", "{} 没有可拟合的权重", lessons.rules)),
        };
        let name = || self.out.display().to_string();
        lianzi_cage::disk::write_whole(&self.out, &weights).with_context(name)?;
        let games = console.pick("fitted to games:", "所用局数：");
        line(format!("{}: {games} {}", self.out.display(), lessons.games.len()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The games of all files.
pub(super) fn read(files: &[PathBuf]) -> anyhow::Result<Lessons> {
    let mut all: Option<Lessons> = None;
    for path in files {
        let name = || path.display().to_string();
        let lessons = file::read(&mut File::open(path).with_context(name)?).with_context(name)?;
        match &mut all {
            None => all = Some(lessons),
            Some(all) if all.rules != lessons.rules => {
                bail!(text!("{}: another game than the first file", "{}: 与第一个文件不是同一种棋", name()))
            }
            Some(all) => all.games.extend(lessons.games),
        }
    }
    all.context("no file was given")
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
