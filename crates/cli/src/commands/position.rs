//! The position a command is asked about: after moves, or from a recorded game.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::Args;
use lianzi_core::{Language, Position, Rules};

use crate::console::Console;
use crate::files::Reading;

/// A game, and where in it.
#[derive(Args)]
pub struct Place {
    /// The game, such as gomoku, connect6:15 or connect4:9x10/d4; not needed with --load
    pub game: Option<Rules>,
    /// Stones already played: cells, with blanks or run together (h8i9); where stones drop also columns (4453)
    #[arg(long, value_name = "CELLS", default_value = "", conflicts_with = "load")]
    pub moves: String,
    /// A recorded game, at its last position
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Which game of the file, from 1
    #[arg(long, value_name = "N", requires = "load")]
    number: Option<usize>,
    /// The position after this many stones of the recorded game
    #[arg(long, value_name = "STONES", requires = "load")]
    at: Option<usize>,
}

impl Place {
    /// The position itself.
    pub fn position(&self, console: &Console) -> anyhow::Result<Position> {
        match &self.load {
            Some(path) => self.recorded(path, console),
            None => position_after(self.rules(console)?, &self.moves, console),
        }
    }

    /// The game that was named.
    pub fn rules(&self, console: &Console) -> anyhow::Result<Rules> {
        self.game.ok_or_else(|| {
            anyhow!(
                console
                    .pick("name a game, or a recorded one with --load", "请指明棋类，或用 --load 指定棋谱")
            )
        })
    }

    fn recorded(&self, path: &Path, console: &Console) -> anyhow::Result<Position> {
        let reading = Reading { from: None, game: self.game };
        let record = reading.load_one(path, self.number, console)?;
        let stones = record.moves.len();
        match self.at {
            Some(at) if at > stones => bail!("{}: {}", path.display(), too_late(at, stones, console)),
            at => Ok(record.position_at(at.unwrap_or(stones))),
        }
    }
}

fn too_late(at: usize, stones: usize, console: &Console) -> String {
    match console.language {
        Language::English => format!("there is no --at {at}; the game has {stones} stones"),
        Language::Chinese => format!("没有 --at {at}；此局共 {stones} 子"),
    }
}

/// The position after moves given on the command line.
pub fn position_after(rules: Rules, moves: &str, console: &Console) -> anyhow::Result<Position> {
    Position::after(rules, moves).map_err(|bad| anyhow!("--moves: {}", bad.words(console.language)))
}
