//! `tournament`: many players, by several formats, from the command line or a TOML file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use lianzi_contest::{Format, Length};
use lianzi_core::{Game, Speak, Text, text};
use lianzi_course::bad_toml;
use lianzi_players::PlayerSpec;
use serde::Deserialize;

use super::contest::ContestArgs;
use lianzi_console::Console;

/// Play a tournament: standings, cross table, ratings
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi tournament gomoku greedy random greedy@seed=2,name=other --games 20\n  lianzi tournament connect6 greedy random --format best-of-5\n  lianzi tournament --config cup.toml --out runs/cup --resume\n\ncup.toml:\n  game = \"connect4\"\n  format = \"swiss\"\n  rounds = 5\n  games = 4\n  players = [\"greedy\", \"random\", \"greedy@seed=2,name=other\"]"
)]
pub struct Tournament {
    /// The game
    game: Option<Game>,
    /// The players
    players: Vec<PlayerSpec>,
    /// Game, players and format from a TOML file; what is given here comes first
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// round-robin, gauntlet (the first player against all others), swiss, knockout or best-of-N (everybody
    /// meets everybody until one has more than half of N) [default: round-robin]
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// How many games an encounter has, an even number [default: 2]
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Encounters are best of N games, colours swapped after each
    #[arg(long, value_name = "N", conflicts_with = "games")]
    best_of: Option<usize>,
    /// How many rounds a Swiss tournament has [default: enough to find the best]
    #[arg(long, value_name = "N")]
    rounds: Option<usize>,
    #[command(flatten)]
    contest: ContestArgs,
}

/// The same from a file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Config {
    game: Option<String>,
    players: Vec<String>,
    format: Option<String>,
    games: Option<usize>,
    best_of: Option<usize>,
    rounds: Option<usize>,
}

impl Tournament {
    pub fn run(mut self, console: &Console) -> anyhow::Result<ExitCode> {
        if let Some(path) = self.config.take() {
            self.fill_from(&path, console)?;
        }
        let Some(game) = self.game else {
            bail!(Text::fixed("name a game, such as gomoku", "请指明棋类，例如 gomoku"));
        };
        let (format, length) = self.format()?;
        let contest = self.contest.contest(game, &self.players, format, length, console)?;
        self.contest.play(&contest, &self.players, console)
    }

    fn fill_from(&mut self, path: &Path, console: &Console) -> anyhow::Result<()> {
        let named = || path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(named)?;
        let config: Config = toml::from_str(&text)
            .map_err(|error| anyhow!("{}: {}", named(), bad_toml(&error, &text).words(console.language)))?;
        let game = config.game.map(|name| name.parse::<Game>()).transpose();
        self.game = self.game.or(game.map_err(|bad| anyhow!("{}: {}", named(), bad.words(console.language)))?);
        for spec in config.players {
            let player = spec.parse::<PlayerSpec>();
            self.players.push(player.map_err(|bad| anyhow!("{}: {}", named(), bad.words(console.language)))?);
        }
        self.format = self.format.take().or(config.format);
        self.games = self.games.or(config.games);
        self.best_of = self.best_of.or(config.best_of);
        self.rounds = self.rounds.or(config.rounds);
        Ok(())
    }

    fn format(&self) -> anyhow::Result<(Format, Length)> {
        let name = self.format.as_deref().unwrap_or("round-robin");
        let rounds = self.rounds.unwrap_or_else(|| enough_rounds(self.players.len()));
        let best_of_number = |n: &str| n.parse::<usize>().is_ok();
        let format = match name {
            "round-robin" => Format::RoundRobin,
            "gauntlet" => Format::Gauntlet,
            "swiss" => Format::Swiss { rounds },
            "knockout" => Format::Knockout,
            best if best.strip_prefix("best-of-").is_some_and(best_of_number) => Format::RoundRobin,
            _ => bail!(text!(
                "'{}': formats are round-robin, gauntlet, swiss, knockout, best-of-N",
                "'{}': 赛制有 round-robin、gauntlet、swiss、knockout、best-of-N",
                lianzi_core::shorten(name)
            )),
        };
        Ok((format, self.length(name)?))
    }

    fn length(&self, format: &str) -> anyhow::Result<Length> {
        let named = format.strip_prefix("best-of-").and_then(|n| n.parse().ok());
        if let Some(n) = named.or(self.best_of) {
            return Ok(Length::BestOf(n));
        }
        let games = self.games.unwrap_or(2);
        if !games.is_multiple_of(2) {
            bail!(Text::fixed(
                "games are played in pairs: --games must be an even number",
                "对局成对进行：--games 须为偶数"
            ));
        }
        Ok(Length::Pairs(games / 2))
    }
}

/// A Swiss tournament needs about the binary logarithm of its players to find the best, and one round more to be sure.
fn enough_rounds(players: usize) -> usize {
    players.max(2).next_power_of_two().ilog2() as usize + 1
}
