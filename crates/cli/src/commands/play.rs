//! `play`: a game in the terminal: on the full screen, line by line, or as the console of the document S1.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use lianzi_core::{Game, GameRecord, OpeningRule, Rules, Speak, Text, text};
use lianzi_game::clock::Control;
use lianzi_game::duration;
use lianzi_game::live::LiveGame;
use lianzi_players::{Kind, PlayerSpec};

use crate::terminal::{self, Start};
use lianzi_console::files::Reading;
use lianzi_console::{Console, has_screen};

/// Play a game in the terminal
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi play gomoku\n  lianzi play connect6 --black human --white human --time 30s\n  lianzi play connect4 --black uct --white strong --pace 1s\n  lianzi play gomoku+swap2\n  lianzi play renju+taraguchi10\n  lianzi play --load game.json --save game.json\n  lianzi play --console s1"
)]
pub struct Play {
    /// The game, such as gomoku, renju, connect6, connect4 or connect4:random, with an opening rule behind a plus sign:
    /// renju+taraguchi10, gomoku+swap2 [default: gomoku, or the loaded one]
    game: Option<Game>,
    /// Who plays Black [default: human]
    #[arg(long, value_name = "PLAYER")]
    black: Option<PlayerSpec>,
    /// Who plays White, strong@level=5 unless given
    #[arg(long, value_name = "PLAYER")]
    white: Option<PlayerSpec>,
    /// Time for each turn, such as 30s
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time: Option<Duration>,
    /// The same as +swap2 behind the game's name: the players find fair sides by swap2
    #[arg(long)]
    swap2: bool,
    /// Go on with a saved game
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Save the game here after every stone
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// The least time between two turns of engines that play each other on the screen
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "500ms")]
    pace: Duration,
    /// Let engines answer at once, not after a moment
    #[arg(long)]
    instant: bool,
    /// Line by line, as without a terminal: for screen readers
    #[arg(long)]
    plain: bool,
    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,
    /// Speak as an old console did
    #[arg(long, value_name = "CONSOLE", conflicts_with_all = ["load", "save", "time", "plain", "swap2"])]
    console: Option<OldConsole>,
}

/// The consoles of the documents.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum OldConsole {
    /// The Gomoku program of the document S1, in Chinese: replay, newblack, newwhite, move x y, regret
    S1,
}

impl Play {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        if let Some(OldConsole::S1) = self.console {
            return self.old_console(console);
        }
        let screen = has_screen() && !self.plain;
        let (pace, ascii) = (if screen { self.pace } else { Duration::ZERO }, self.ascii);
        let players = [player(&self.black, "human"), player(&self.white, "strong@level=5")];
        let game = self.open(console)?;
        let instant = self.instant || !screen;
        let start = Start { game, players, save: self.save, pace, instant };
        match screen {
            true => terminal::play_on_screen(start, ascii, console),
            false => terminal::play_by_lines(start, console),
        }
    }

    /// The computer is whoever of the two is no person.
    fn old_console(self, console: &Console) -> anyhow::Result<ExitCode> {
        if self.game.is_some_and(|game| game != Game::from(Rules::gomoku(15))) {
            bail!(Text::fixed("the console of S1 plays gomoku only", "S1 的控制台只能下 gomoku"));
        }
        let named = [self.black, self.white].into_iter().flatten().find(|spec| spec.kind != Kind::Human);
        let (computer, human) = (player(&named, "classic-gomoku"), player(&None, "human"));
        terminal::play_console_s1(computer, human, console)
    }

    fn control(&self) -> Control {
        Control { per_move: self.time, ..Control::default() }
    }

    fn open(&self, console: &Console) -> anyhow::Result<LiveGame> {
        let Some(path) = &self.load else {
            let usual = Game::from(Rules::gomoku(15));
            let game = self.game.unwrap_or(usual);
            let game = if self.swap2 { game.with(OpeningRule::Swap2) } else { Ok(game) };
            let game = game.map_err(|bad| anyhow!(bad.words(console.language)))?;
            let record = GameRecord::of_game(game.draw(terminal::clock_seed()), game.opening);
            let begun = LiveGame::resume(record, self.control());
            return begun.map_err(|bad| anyhow!(bad.words(console.language)));
        };
        if self.swap2 {
            bail!(Text::fixed("swap2 begins on an empty board", "Swap2 须从空棋盘开始"));
        }
        let record = Reading { from: None, game: self.game }.load_one(path, None, console)?;
        if self.game.and_then(|game| game.rules()).is_some_and(|rules| rules != record.rules) {
            let (file, rules) = (path.display(), record.game());
            bail!(text!(
                "{file}: the saved game is another one: {rules}; name no game to go on with it",
                "{file}：存档是另一种棋：{rules}；不写棋类即可续下"
            ));
        }
        terminal::resume(record, self.control(), path, console)
    }
}

/// The player the user named, or the usual one.
fn player(named: &Option<PlayerSpec>, usual: &str) -> PlayerSpec {
    named.clone().unwrap_or_else(|| usual.parse().expect("the usual players can be read"))
}
