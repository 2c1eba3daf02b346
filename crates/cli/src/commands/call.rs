//! `call`: the calls of a strategy library in a game, alone and without a cage, for a debugger.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use lianzi_cage::call_here;
use lianzi_cage::wire::{CageNews, Call};
use lianzi_core::{GameRecord, Speak, text};
use lianzi_players::{Interface, Strategy, library_call};

use lianzi_console::files::Reading;
use lianzi_console::{Console, line, warn};

/// Call a strategy library as in a saved game, to watch it in a debugger
///
/// The library is loaded into this process, without a cage and without a clock. It is called as the side to move was
/// called in the position where the game ended, which is the call that lost a game by a fault; before that it is called
/// as that side was called earlier in the game, so that it remembers what it remembered then.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi call ./mine.so game.json\n  gdb --args lianzi call ./mine.so results/games.jsonl --game 3\n  lianzi call ./mine.so game.json --print > calls.json\n  lianzi call ./mine.so calls.json"
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
    /// Make this call alone, without the earlier ones of the game
    #[arg(long)]
    alone: bool,
    /// Print the arguments, a line for each call, and do not call
    #[arg(long)]
    print: bool,
}

/// A call, and what it was answered with in the game.
struct Made {
    call: Call,
    answered: Option<(i64, i64)>,
}

impl CallArgs {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        // The loader has no Chinese words for a file that is not there.
        std::fs::metadata(&self.library).with_context(|| self.library.display().to_string())?;
        let mut made = self.calls(console)?;
        if self.alone {
            made.drain(..made.len().saturating_sub(1));
        }
        if self.print {
            made.iter().try_for_each(|made| line(serde_json::to_string(&made.call)?))?;
            return Ok(ExitCode::SUCCESS);
        }
        let library = std::path::absolute(&self.library)?;
        let (calls, answers): (Vec<Call>, Vec<_>) = made.into_iter().map(|made| (made.call, made.answered)).unzip();
        let (last, mut end) = (calls.len() - 1, None);
        call_here(&library, &calls, &mut |n, news| {
            match news {
                // Said before clearPoint is called, which may not come back.
                CageNews::Point(x, y) if n == last => drop(line(format!("getPoint: ({x}, {y})"))),
                CageNews::Point(x, y) => compare(n, (*x, *y), answers[n], console),
                _ => {}
            }
            // What comes first of the last call, or keeps it from being made.
            if end.is_none() && (n == last || !matches!(news, CageNews::Point(..))) {
                end = Some(news.clone());
            }
        });
        match end {
            Some(CageNews::Point(..)) => Ok(ExitCode::SUCCESS),
            Some(CageNews::Odd(what)) => line(format!("getPoint: {what}")).map(|()| ExitCode::FAILURE),
            Some(CageNews::Unloadable(why)) => bail!("{}: {why}", self.library.display()),
            Some(CageNews::Missing(function)) => {
                let library = self.library.display();
                bail!(text!("{library}: it lacks the function {function}", "{library}: 缺少函数 {function}"))
            }
            _ => Ok(ExitCode::FAILURE),
        }
    }

    /// The calls, from a file that holds them or from a game.
    fn calls(&self, console: &Console) -> anyhow::Result<Vec<Made>> {
        let text = std::fs::read_to_string(&self.from).unwrap_or_default();
        let written: Result<Vec<Call>, _> = serde_json::Deserializer::from_str(&text).into_iter::<Call>().collect();
        if let Some(calls) = written.ok().filter(|calls| !calls.is_empty()) {
            let file = self.from.display();
            let contradict = || text!("{file}: the arguments contradict each other", "{file}: 参数互相矛盾");
            let made = |call| Some(Made { call: checked(call)?, answered: None });
            return Ok(calls.into_iter().map(made).collect::<Option<_>>().ok_or_else(contradict)?);
        }
        let reading = Reading { from: None, game: None };
        let record = reading.load_one(&self.from, self.game, console)?;
        let strategy = Strategy::new(Interface::Library, &self.library);
        strategy.check_game(&record.rules).map_err(|none| anyhow!(none.words(console.language)))?;
        Ok(calls_of(&record, self.at.unwrap_or(record.moves.len()).min(record.moves.len())))
    }
}

/// The calls of the side to move after so many stones, the earlier ones first.
fn calls_of(record: &GameRecord, at: usize) -> Vec<Made> {
    let side = record.position_at(at).to_move();
    let own = |&ply: &usize| ply == at || record.position_at(ply).to_move() == side;
    let made = |ply: usize| {
        let call = library_call(&record.position_at(ply));
        let cell = record.moves.get(ply).map(|played| played.cell).filter(|_| ply < at);
        let rows = i64::from(record.rules.height);
        let answered = cell.map(|cell| (rows - 1 - i64::from(cell.row), i64::from(cell.column)));
        Made { call, answered }
    };
    (record.opening.min(at)..=at).filter(own).map(made).collect()
}

/// Says when an earlier call is answered otherwise than in the game: then it is not the same game any more.
fn compare(n: usize, now: (i64, i64), then: Option<(i64, i64)>, console: &Console) {
    if let Some(then) = then.filter(|then| *then != now) {
        let n = n + 1;
        warn(console.say(text!(
            "call {n} is answered with {now:?}, in the game it was {then:?}: the strategy may throw dice or look at the clock",
            "第 {n} 次调用此时回答 {now:?}，对局中为 {then:?}：策略可能使用随机数或时钟"
        )));
    }
}

/// Lists shorter than the board would be read past their ends.
fn checked(call: Call) -> Option<Call> {
    let (rows, columns) = (usize::try_from(call.M).ok()?, usize::try_from(call.N).ok()?);
    (call.top.len() == columns && Some(call.board.len()) == rows.checked_mul(columns)).then_some(call)
}
