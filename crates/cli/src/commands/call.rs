//! `call`: one call of a strategy library, alone and without a cage, for a debugger.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::Args;
use lianzi_cage::call_here;
use lianzi_cage::wire::{Call, News};
use lianzi_core::{Speak, text};
use lianzi_players::{Interface, Strategy, library_call};

use lianzi_console::files::Reading;
use lianzi_console::{Console, line};

/// Call a strategy library once, as in a saved game, to watch it in a debugger
///
/// The library is loaded into this process, without a cage and without a clock. It is called as the side to move was
/// called in the position where the game ended, which is the call that lost a game by a fault.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi call ./mine.so game.json\n  gdb --args lianzi call ./mine.so results/games.jsonl --game 3\n  lianzi call ./mine.so game.json --print > call.json\n  lianzi call ./mine.so call.json"
)]
pub struct CallArgs {
    /// The strategy library
    library: PathBuf,
    /// A game, or arguments that --print wrote
    from: PathBuf,
    /// Which game of the file, from 1
    #[arg(long, visible_alias = "number", value_name = "N")]
    game: Option<usize>,
    /// After this many stones [default: all]
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Print the arguments and do not call
    #[arg(long)]
    print: bool,
}

impl CallArgs {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let call = self.arguments(console)?;
        if self.print {
            line(serde_json::to_string(&call)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        let library = std::path::absolute(&self.library)?;
        let mut told = Vec::new();
        call_here(&library, &call, &mut |news| {
            // Said before clearPoint is called, which may not come back.
            if let News::Point(x, y) = news {
                let _ = line(format!("getPoint: ({x}, {y})"));
            }
            told.push(news.clone());
        });
        match told.first() {
            Some(News::Point(..)) => Ok(ExitCode::SUCCESS),
            Some(News::Odd(what)) => line(format!("getPoint: {what}")).map(|()| ExitCode::FAILURE),
            Some(News::Unloadable(why)) => bail!("{}: {why}", self.library.display()),
            Some(News::Missing(function)) => {
                let library = self.library.display();
                bail!(text!("{library}: it lacks the function {function}", "{library}: 缺少函数 {function}"))
            }
            _ => Ok(ExitCode::FAILURE),
        }
    }

    /// The arguments, from a file that holds them or from a game.
    fn arguments(&self, console: &Console) -> anyhow::Result<Call> {
        if let Some(call) = std::fs::read(&self.from).ok().and_then(|text| serde_json::from_slice(&text).ok())
        {
            let file = self.from.display();
            return Ok(checked(call).ok_or_else(|| {
                text!("{file}: the arguments contradict each other", "{file}: 参数互相矛盾")
            })?);
        }
        let reading = Reading { from: None, game: None };
        let record = reading.load_one(&self.from, self.game, console)?;
        let position = record.position_at(self.at.unwrap_or(record.moves.len()));
        let strategy = Strategy::new(Interface::Library, &self.library);
        strategy.check_game(position.rules()).map_err(|none| anyhow!(none.words(console.language)))?;
        Ok(library_call(&position))
    }
}

/// Lists shorter than the board would be read past their ends.
fn checked(call: Call) -> Option<Call> {
    let (rows, columns) = (usize::try_from(call.M).ok()?, usize::try_from(call.N).ok()?);
    (call.top.len() == columns && Some(call.board.len()) == rows.checked_mul(columns)).then_some(call)
}
