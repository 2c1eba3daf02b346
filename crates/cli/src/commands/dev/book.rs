//! `dev book`: all early positions of Connect Four, solved.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use lianzi_core::Position;
use lianzi_engine::connect4::solver::ConnectFour;
use lianzi_engine::connect4::solver::book::{BOARD, Draft};
use lianzi_engine::{Limits, Stop};

use super::super::contest::stop_on_ctrl_c;
use crate::console::{Console, line};

/// Solve all early positions of Connect Four 7x6 without a book; a file that exists is completed
#[derive(Args)]
pub struct Book {
    /// All positions with up to so many stones
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=12))]
    stones: u8,
    /// How large the table may grow, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// The book
    #[arg(long, value_name = "FILE", default_value = "connect4.book")]
    out: PathBuf,
}

impl Book {
    pub fn run(&self, console: &Console) -> anyhow::Result<ExitCode> {
        let name = || self.out.display().to_string();
        let mut draft = match self.out.exists() {
            true => Draft::read(&std::fs::read(&self.out).with_context(name)?),
            false => Draft::default(),
        };
        let stop = stop_on_ctrl_c()?;
        let whole = self.fill(&mut draft, &stop)?;
        lianzi_arena::disk::write_whole(&self.out, &draft.bytes()).with_context(name)?;
        let state = match whole {
            true => console.pick("positions, complete", "个局面，完整"),
            false => console.pick("positions so far; run it again to go on", "个局面；再次运行可继续"),
        };
        line(format!("{}: {} {state}", self.out.display(), draft.len()))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Solves the positions with the most stones; all others follow from them. False if it was stopped.
    fn fill(&self, draft: &mut Draft, stop: &Stop) -> anyhow::Result<bool> {
        let mut solver = ConnectFour::without_book(&BOARD, (self.hash as usize) << 20)?;
        let missing = draft.missing(self.stones.into());
        let bar = ProgressBar::new(missing.len() as u64);
        bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len}  {elapsed} / {duration}")?);
        for position in missing {
            let known = solver.score(&position, &Limits::default(), stop);
            let Some(score) = known.exact() else { return Ok(false) };
            draft.add(&position, score);
            bar.inc(1);
        }
        bar.finish_and_clear();
        for stones in (0..usize::from(self.stones)).rev() {
            for position in draft.missing(stones) {
                let score = derived(draft, &position)?;
                draft.add(&position, score);
            }
        }
        Ok(true)
    }
}

fn derived(draft: &Draft, position: &Position) -> anyhow::Result<i32> {
    draft.by_answers(position).context("every answer has been solved")
}
