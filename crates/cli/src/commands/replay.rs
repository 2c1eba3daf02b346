//! `replay`: steps through a game; without a terminal it prints every step.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lianzi_core::record::GameRecord;

use super::show::title;
use lianzi_console::files::Reading;
use lianzi_console::{Console, is_interactive, line, prompt};

/// Step through a recorded game
#[derive(Args)]
#[command(after_help = "Example:\n  lianzi replay game.sgf")]
pub struct Replay {
    /// The file
    file: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// Which game of the file, from 1
    #[arg(long, value_name = "N")]
    number: Option<usize>,
}

impl Replay {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let record = self.reading.load_one(&self.file, self.number, console)?;
        line(title(&record, console))?;
        if is_interactive() {
            step_through(&record, console)?
        } else {
            print_all(&record, console)?
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn print_all(record: &GameRecord, console: &Console) -> anyhow::Result<()> {
    (0..=record.moves.len()).try_for_each(|ply| show_step(record, ply, console))
}

fn step_through(record: &GameRecord, console: &Console) -> anyhow::Result<()> {
    let last = record.moves.len();
    let mut ply = 0;
    loop {
        show_step(record, ply, console)?;
        prompt(console.pick(
            "[Enter] next, b back, f first, l last, a number, q quit > ",
            "[回车] 下一步，b 上一步，f 开头，l 结尾，数字跳转，q 退出 > ",
        ))?;
        let mut input = String::new();
        if std::io::stdin().read_line(&mut input)? == 0 {
            return Ok(());
        }
        match input.trim() {
            "" | "n" | "next" if ply == last => return Ok(()),
            "" | "n" | "next" => ply += 1,
            "b" | "back" => ply = ply.saturating_sub(1),
            "f" | "first" => ply = 0,
            "l" | "last" => ply = last,
            "q" | "quit" | "exit" => return Ok(()),
            other => match other.parse::<usize>() {
                Ok(n) if n <= last => ply = n,
                _ => line(console.pick("There is no such step.", "没有这一步。"))?,
            },
        }
    }
}

fn show_step(record: &GameRecord, ply: usize, console: &Console) -> anyhow::Result<()> {
    let position = record.position_at(ply);
    let played = ply.checked_sub(1).map(|n| &record.moves[n]);
    let step = played.map_or_else(String::new, |played| {
        let mover = position.last().map(|last| record.rules.side(last.stone).said(console.language));
        let mover = mover.unwrap_or_default();
        let time = played.time_ms.map_or_else(String::new, |ms| format!("  {:.1} s", ms as f64 / 1000.0));
        let score = played.eval.map_or_else(String::new, |eval| format!("  {:+}", eval.score));
        let comment = if played.comment.is_empty() { String::new() } else { format!("  {}", played.comment) };
        format!("{mover} {}{time}{score}{comment}", played.cell)
    });
    line(format!("\n{ply}/{}  {step}", record.moves.len()))?;
    line(console.board(&position).trim_end())?;
    if ply == record.moves.len() {
        line(record.verdict.words(&record.rules, console.language))?;
    }
    Ok(())
}
