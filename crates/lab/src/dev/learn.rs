//! What `dev fit` and `dev train` are told: the games to learn from, and how.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use lianzi_core::text;
use lianzi_engine::workshop::training::file::{self, Lessons};
use lianzi_engine::workshop::training::logistic::Plan;

use lianzi_console::{Console, line};

/// Games, and how they are learnt from; what is not given is the learner's own choice.
#[derive(Args)]
pub(super) struct Learn {
    /// Files of games, all of one game
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How often all positions are looked at
    #[arg(long, value_name = "N")]
    epochs: Option<usize>,
    /// How much the result counts beside the search's opinion, 0 to 1
    #[arg(long, value_name = "SHARE")]
    trust: Option<f32>,
    /// How strongly rare patterns are held back
    #[arg(long, value_name = "FACTOR")]
    restraint: Option<f32>,
    /// How large the first steps are
    #[arg(long, value_name = "SIZE")]
    rate: Option<f32>,
}

impl Learn {
    /// The games of all files.
    pub(super) fn lessons(&self) -> anyhow::Result<Lessons> {
        let mut all: Option<Lessons> = None;
        for path in &self.files {
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

    /// The learner's plan with what was asked for.
    pub(super) fn plan(&self, usual: Plan) -> Plan {
        Plan {
            epochs: self.epochs.unwrap_or(usual.epochs),
            trust: self.trust.unwrap_or(usual.trust),
            restraint: self.restraint.unwrap_or(usual.restraint),
            rate: self.rate.unwrap_or(usual.rate),
        }
    }
}

/// Writes what was learnt, and says from how many games.
pub(super) fn keep(out: &Path, bytes: &[u8], games: usize, console: &Console) -> anyhow::Result<()> {
    lianzi_cage::disk::write_whole(out, bytes).with_context(|| out.display().to_string())?;
    line(format!("{}: {} {games}", out.display(), console.pick("learnt from games:", "所用局数：")))?;
    Ok(())
}
