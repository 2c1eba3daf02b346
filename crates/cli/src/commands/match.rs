//! `match`: two players, colour-swapped pairs.

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use lianzi_contest::statistics::{Model, Sprt};
use lianzi_contest::{Format, Length};
use lianzi_core::Game;
use lianzi_players::PlayerSpec;

use super::contest::{ContestArgs, parse_sprt};
use lianzi_console::Console;

/// Play a match of two players in colour-swapped pairs
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi match connect4 greedy random --games 100 --concurrency 2\n  lianzi match gomoku greedy random --games 1000 --sprt 0,10 --out runs/a --resume"
)]
pub struct Match {
    /// The game
    game: Game,
    /// The first player; results are from its side
    a: PlayerSpec,
    /// The second player
    b: PlayerSpec,
    /// How many games, an even number; with --sprt at most so many
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// Stop as soon as a sequential test decides between these two Elo differences
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// How often the sequential test may find a difference that is not there
    #[arg(long, value_name = "P", requires = "sprt", default_value_t = 0.05)]
    alpha: f64,
    /// How often it may miss one that is
    #[arg(long, value_name = "P", requires = "sprt", default_value_t = 0.05)]
    beta: f64,
    /// Let the sequential test count games instead of pairs
    #[arg(long, requires = "sprt")]
    trinomial: bool,
    #[command(flatten)]
    contest: ContestArgs,
}

impl Match {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        if !self.games.is_multiple_of(2) || self.games == 0 {
            bail!(
                console.pick(
                    "games are played in pairs: --games must be an even number",
                    "对局成对进行：--games 须为偶数"
                )
            );
        }
        let players = [self.a, self.b];
        let length = Length::Pairs(self.games / 2);
        let mut contest = self.contest.contest(self.game, &players, Format::RoundRobin, length, console)?;
        let model = if self.trinomial { Model::Trinomial } else { Model::Pentanomial };
        contest.sprt = self.sprt.map(|sprt| Sprt { model, alpha: self.alpha, beta: self.beta, ..sprt });
        self.contest.play(&contest, &players, console)
    }
}
