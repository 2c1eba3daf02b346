//! `compete`: the course's Compete, with its arguments, its result file and its codes.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use lianzi_contest::Contest;
use lianzi_core::{Game, Speak};
use lianzi_course::Course;
use lianzi_course::class::read_player;
use lianzi_course::code::{GameLine, Side, result_file, rounds_of, statistics, told};
use lianzi_game::duration;
use lianzi_players::{Kind, PlayerSpec};
use serde_json::json;

use super::contest::Conditions;
use super::course::{said, write_file};
use lianzi_console::{Console, line, stop_on_ctrl_c};

/// Let two strategies compete as in the Connect Four course: a result file with a code for each game
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi compete mine.so samples/98.so result.txt 10\n  lianzi compete mine.so strong@nodes=2000 result.txt 5 --seed 7\n\nA round is one random board, played twice: A begins, then B begins.\nCodes: 0 tie; 1/2 A/B won; 3/5 A/B bug; 4/6 A/B illegal move; 7/8 A/B timeout; -1/-2 A/B cannot be loaded; -3/-4 A/B lacks a function."
)]
pub struct Compete {
    /// The first strategy: a library, or any other player
    a: String,
    /// The second strategy
    b: String,
    /// Where the results are written
    result: PathBuf,
    /// How many rounds of two games
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rounds: u32,
    /// The game
    #[arg(long, value_name = "GAME", default_value = "connect4:random")]
    game: Game,
    /// Time for each move
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "3s")]
    time: Duration,
    /// Where all random numbers start: the same seed draws the same boards [default: a new one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many games at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Print JSON, one object a line: each game, then the summary
    #[arg(long)]
    json: bool,
}

impl Compete {
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        let contest = self.contest(console)?;
        let players = self.players(&contest, console)?;
        self.check_result()?;
        let conditions = Conditions {
            out: None,
            resume: false,
            concurrency: self.concurrency.into(),
            stop_on_crash: false,
            json: self.json,
            interrupt: stop_on_ctrl_c()?,
            again: false,
            queue: None,
        };
        let mut finished = conditions.play(&contest, &players, console)?;
        let games = finished.games().map_err(|error| anyhow!(error.words(console.language)))?;
        let rounds = rounds_of(&games, self.time);
        write_file(&self.result, &result_file(&rounds))?;
        self.print(&rounds, contest.seed)?;
        Ok(if finished.broken_off { ExitCode::from(130) } else { ExitCode::SUCCESS })
    }

    fn contest(&self, console: &Console) -> anyhow::Result<Contest> {
        if self.time.is_zero() {
            bail!(console.pick("--time must be more than 0", "--time 必须大于 0"));
        }
        let course = Course::built_in("connect4").expect("it is built in");
        let seed = self.seed.unwrap_or_else(new_seed);
        // The original looks at the clock on the wall, and so does this.
        let course = Course { game: self.game, time: self.time, wall: Some(self.time), seed, ..course };
        let names = [&self.a, &self.b].map(|name| (name.clone(), name.clone()));
        Ok(course.meeting(names, self.rounds as usize))
    }

    /// The players. One whose file is missing or broken still plays, and loses, as in the original.
    fn players(&self, contest: &Contest, console: &Console) -> anyhow::Result<Vec<PlayerSpec>> {
        let rules = contest.game.draw(contest.seed);
        let mut players = Vec::new();
        for text in [&self.a, &self.b] {
            let player = read_player(text, &rules).map_err(|text| said(text, console))?;
            player.check(&rules).map_err(|none| anyhow!("{text}: {}", none.words(console.language)))?;
            match player.kind {
                Kind::Human => bail!("{text}: {}", console.pick("people do not compete", "人类棋手不参加")),
                Kind::Strategy(_) => {
                    console.cages.check().map_err(|none| anyhow!(none.words(console.language)))?;
                }
                _ => {}
            }
            players.push(player);
        }
        Ok(players)
    }

    /// Finds out before the first game whether the results can be kept.
    fn check_result(&self) -> anyhow::Result<()> {
        let open = std::fs::OpenOptions::new().append(true).create(true).open(&self.result);
        open.map(|_| ()).with_context(|| self.result.display().to_string())
    }

    fn print(&self, rounds: &[[GameLine; 2]], seed: u64) -> anyhow::Result<()> {
        if !self.json {
            return line((told(rounds) + &statistics(rounds)).trim_end());
        }
        let codes: Vec<i32> = rounds.iter().flatten().map(|game| game.code.number()).collect();
        let won = |side| rounds.iter().flatten().filter(|game| game.code.winner() == side).count();
        let summary = json!({
            "event": "summary", "games": codes.len(), "codes": codes, "seed": seed,
            "wins": won(Some(Side::A)), "losses": won(Some(Side::B)), "draws": won(None),
        });
        line(summary.to_string())
    }
}

/// A seed that nobody had before. It fits into a JSON number.
fn new_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish() >> 11
}
