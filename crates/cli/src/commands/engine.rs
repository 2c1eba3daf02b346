//! `engine`: our engines as programs for other people's managers.

use std::io::BufReader;
use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use lianzi_core::{BadGame, Rules, Speak};
use lianzi_players::PlayerSpec;
use lianzi_players::guest::{Guest, GuestError, GuestProtocol, serve};
use lianzi_players::protocol::cells::RowA;

use lianzi_console::Console;

/// Be a program for other people's managers: Piskvork, Connect6 tools, GTP boards, Botzone
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi engine --protocol piskvork\n  lianzi engine renju --player strong@time=2s --protocol gtp\n  lianzi engine connect6 --player greedy --protocol connect6\n  echo '{\"requests\":[{\"x\":-1,\"y\":-1}],\"responses\":[]}' | lianzi engine gomoku --protocol botzone\n\nA copy or link of the program whose name begins with pbrain speaks piskvork without any arguments.\nExit codes: 0 left as told, 1 a request that cannot be answered (botzone), 2 could not begin."
)]
pub struct Engine {
    /// The game [default: gomoku; connect6 by its own protocol; what the request shows on Botzone]
    game: Option<Game>,
    /// Who thinks
    #[arg(long, value_name = "PLAYER", default_value = "strong")]
    player: PlayerSpec,
    /// The language of the manager
    #[arg(long, value_enum)]
    protocol: Spoken,
    /// Where the row A is, for cells of two letters (connect6)
    #[arg(long, value_enum, value_name = "EDGE", default_value = "bottom")]
    row_a: Edge,
}

/// A game, and whether its size was left to us.
#[derive(Clone, Copy)]
struct Game {
    rules: Rules,
    usual_size: bool,
}

impl FromStr for Game {
    type Err = BadGame;

    fn from_str(text: &str) -> Result<Game, BadGame> {
        Ok(Game { rules: text.parse()?, usual_size: !text.contains(':') && !text.contains('/') })
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Spoken {
    /// Gomocup and Piskvork, with Yixin's extensions
    Piskvork,
    /// Cloudict and CCGC
    Connect6,
    /// Go Text Protocol 2, with analysis
    Gtp,
    /// Botzone's JSON, one process per turn
    Botzone,
}

#[derive(Clone, Copy, ValueEnum)]
enum Edge {
    /// As Cloudict has it
    Bottom,
    /// The other way round
    Top,
}

impl Engine {
    /// What a program called `pbrain…` is: Gomocup starts it without arguments.
    pub fn pbrain() -> Engine {
        let player = "strong".parse().expect("there is a strong player");
        Engine { game: None, player, protocol: Spoken::Piskvork, row_a: Edge::Bottom }
    }

    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let protocol = self.protocol();
        let guest = self.guest(protocol);
        let rules = guest.game.unwrap_or_else(|| protocol.usual_game());
        let engine = guest.player.engine(&rules);
        let engine = engine.map_err(|none| anyhow!("{}: {}", guest.player, none.words(console.language)))?;
        if engine.is_none() {
            bail!(console.pick("a person cannot be asked by a program", "人类棋手无法由程序询问"));
        }
        drop(engine);
        let input = BufReader::new(std::io::stdin());
        match serve(protocol, &guest, input, &mut std::io::stdout().lock()) {
            Ok(()) => Ok(ExitCode::SUCCESS),
            Err(GuestError::Output(error)) => Err(error.into()),
            Err(error @ GuestError::Question(_)) => {
                eprintln!("lianzi: {}", error.words(console.language));
                Ok(ExitCode::FAILURE)
            }
            Err(error) => bail!("{}", error.words(console.language)),
        }
    }

    fn protocol(&self) -> GuestProtocol {
        match self.protocol {
            Spoken::Piskvork => GuestProtocol::Piskvork,
            Spoken::Connect6 => GuestProtocol::Connect6,
            Spoken::Gtp => GuestProtocol::Gtp,
            Spoken::Botzone => GuestProtocol::Botzone,
        }
    }

    fn guest(&self, protocol: GuestProtocol) -> Guest {
        let game = self.game.map(|game| match (protocol, game) {
            // Botzone plays everything on 15×15.
            (GuestProtocol::Botzone, Game { rules, usual_size: true }) => Rules { width: 15, height: 15, ..rules },
            (_, Game { rules, .. }) => rules,
        });
        let row_a = match self.row_a {
            Edge::Bottom => RowA::Bottom,
            Edge::Top => RowA::Top,
        };
        let seed = self.player.seed.unwrap_or_else(clock_seed);
        Guest { player: self.player.clone(), game, row_a, seed }
    }
}

/// Whether a program of this name is a Gomocup brain.
pub fn is_pbrain(program: &Path) -> bool {
    let name = program.file_stem().unwrap_or_default().to_string_lossy();
    name.to_ascii_lowercase().starts_with("pbrain")
}

fn clock_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_nanos() as u64)
}
