//! `show`: prints a game.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lianzi_core::record::GameRecord;
use lianzi_core::{Position, Stone, shorten, text};

use lianzi_console::files::{Reading, index, whole};
use lianzi_console::{Console, line};

/// Print a recorded game: players, board, moves and result
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi show game.sgf\n  lianzi show game.psq --at 12\n  lianzi show games.sgf --number 3"
)]
pub struct Show {
    /// The file; - reads standard input
    file: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// Which game of the file, from 1 [default: all of them]
    #[arg(long, value_name = "N")]
    number: Option<usize>,
    /// Show the board after this many stones instead of at the end
    #[arg(long, value_name = "STONES")]
    at: Option<usize>,
}

impl Show {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let games = self.reading.load(&self.file, console)?;
        let count = games.len();
        let only = self.number.map(|number| index(&self.file, number, count)).transpose()?;
        let wanted = |n: usize| only.is_none_or(|only| only == n);
        for (n, loaded) in games.into_iter().enumerate().filter(|&(n, _)| wanted(n)) {
            if n > 0 && only.is_none() {
                line("")?;
            }
            if count > 1 {
                let number = n + 1;
                line(console.say(text!("game {number} of {count}", "第 {number} 局，共 {count} 局")))?;
            }
            show(&whole(loaded, &self.file, console)?, self.at, console)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn show(record: &GameRecord, at: Option<usize>, console: &Console) -> anyhow::Result<()> {
    line(title(record, console))?;
    let position = record.position_at(at.unwrap_or(record.moves.len()));
    line(console.board(&position).trim_end())?;
    line(moves_in_turns(record))?;
    for words in remarks(record, at) {
        line(words)?;
    }
    if !record.comment.is_empty() {
        line(&record.comment)?;
    }
    line(record.verdict.words(&record.rules, console.language))?;
    match record.tag("RE") {
        Some(said) => line(format!("{} {}", console.pick("the file's result:", "文件所记结果："), shorten(said))),
        None => Ok(()),
    }
}

/// The game and who played it.
pub fn title(record: &GameRecord, console: &Console) -> String {
    let player = |stone: Stone| {
        let side = record.side(stone);
        let unnamed = || record.rules.side(stone).said(console.language);
        let name = if side.name.is_empty() { unnamed() } else { side.name.clone() };
        if side.called.is_empty() { name } else { format!("{name} ({})", side.called) }
    };
    format!("{}  {} – {}", record.rules, player(Stone::Black), player(Stone::White))
}

/// `1 h8  2 i9 j9  3 …`: the moves, turn by turn.
fn moves_in_turns(record: &GameRecord) -> String {
    let mut position = record.position_at(0);
    let mut text = String::new();
    let mut turn = 0;
    for played in &record.moves {
        if position.mid_turn() {
            text += &format!(" {}", played.cell);
        } else {
            turn += 1;
            text += &format!("{}{turn} {}", if turn == 1 { "" } else { "  " }, played.cell);
        }
        play(&mut position, played.cell);
    }
    text
}

/// What was said of the moves, each with its number: of all of them, or of the one that was asked for.
fn remarks(record: &GameRecord, at: Option<usize>) -> Vec<String> {
    let moves = record.moves.iter().enumerate().map(|(n, played)| (n + 1, played));
    let told = moves.filter(|(n, played)| !played.comment.is_empty() && at.is_none_or(|at| at == *n));
    told.map(|(n, played)| format!("{n} {}: {}", played.cell, played.comment.replace('\n', " / "))).collect()
}

/// Plays a stone of a record, whose moves are known to be legal.
pub fn play(position: &mut Position, cell: lianzi_core::Cell) {
    position.play(cell).expect("a record's moves were checked when it was loaded");
}
