//! `dev tune`: the numbers that steer a search, tried in pairs of matches.
//!
//! SPSA (simultaneous perturbation, Spall 1992): every iteration moves all numbers at once, each up or down by chance,
//! lets the two sides of that step play each other, and goes a little towards the side that scored more. Each
//! iteration depends on its number and on where it began alone, so a run can be stopped and continued.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use lianzi_contest::journal::Journal;
use lianzi_contest::plan::Plan;
use lianzi_contest::run::{Conduct, Finished, run};
use lianzi_contest::upshot::Upshot;
use lianzi_contest::{Contest, Entrant, Openings};
use lianzi_core::{Random, Rules, Speak, Text, mix, text};
use lianzi_engine::workshop::gomoku::Margins;
use lianzi_engine::{Family, Stop};
use lianzi_game::clock::Control;
use lianzi_game::player::Player;
use lianzi_players::PlayerSpec;
use lianzi_queue::filing::{ContestJob, Terms};
use lianzi_queue::{Link, QueueError, jobs, remote};
use serde::{Deserialize, Serialize};

use crate::bar;
use lianzi_console::openings::openings;
use lianzi_console::{Console, line, stop_on_ctrl_c};

/// Tune the numbers that steer an engine's search by matches at fixed nodes; a file that exists is continued
#[derive(Args)]
pub struct Tune {
    /// The game
    game: Rules,
    /// How many nodes for each turn
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    nodes: u64,
    /// How many iterations the file is to have
    #[arg(long, value_name = "N", default_value_t = 1000)]
    iterations: u64,
    /// A file of openings, or `random` for balanced random ones, or `none` for the empty board
    #[arg(long, value_name = "FILE", default_value = "random")]
    openings: String,
    /// How many games at once
    #[arg(long, value_name = "K", default_value_t = 1)]
    concurrency: usize,
    /// Where random numbers start
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// The file of what was found so far
    #[arg(long, value_name = "FILE", default_value = "tune.json")]
    out: PathBuf,
    /// How many pairs of games an iteration has: all of them are played at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pairs: u16,
    /// Let workers play: the address of a database with a queue, postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS")]
    queue: Option<String>,
}

/// A number of the search that is tuned.
struct Margin {
    name: &'static str,
    value: f64,
    low: f64,
    high: f64,
}

impl Margin {
    /// All that have a range to speak of.
    fn all() -> Vec<Margin> {
        let wide = Margins::ALL.iter().filter(|(_, _, low, high)| high - low > 2);
        wide.map(|&(name, value, low, high)| Margin { name, value: value.into(), low: low.into(), high: high.into() })
            .collect()
    }

    /// How far an iteration steps away, ever a little less.
    fn step(&self, iteration: u64) -> f64 {
        let first = (0.15 * self.value.abs()).max(0.03 * (self.high - self.low)).max(1.0);
        first / (1.0 + iteration as f64).powf(0.1)
    }
}

/// How much of the way an iteration goes, ever less.
fn pace(iteration: u64) -> f64 {
    0.6 / (1.0 + iteration as f64 / 50.0).powf(0.6)
}

/// What was found so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    game: String,
    iteration: u64,
    values: BTreeMap<String, f64>,
}

impl State {
    /// The numbers as they are built in.
    fn new(game: &Rules, margins: &[Margin]) -> State {
        let values = margins.iter().map(|margin| (margin.name.to_string(), margin.value));
        State { game: game.to_string(), iteration: 0, values: values.collect() }
    }

    /// Whether the file is about this game and these numbers.
    fn fits(&self, game: &Rules, margins: &[Margin]) -> bool {
        let fresh = State::new(game, margins);
        self.game == fresh.game && self.values.keys().eq(fresh.values.keys())
    }

    fn value(&self, margin: &Margin) -> f64 {
        self.values.get(margin.name).copied().unwrap_or(margin.value)
    }

    /// The option of `strong` that plays with these numbers.
    fn option(&self, margins: &[Margin]) -> String {
        text(margins, |margin| self.value(margin).round())
    }

    /// The directions of the next iteration, and the options of both its sides.
    fn draw(&self, margins: &[Margin], random: &mut Random) -> (Vec<f64>, [String; 2]) {
        let directions: Vec<f64> = margins.iter().map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 }).collect();
        let sides = [1.0, -1.0].map(|side| {
            let mut towards = directions.iter();
            text(margins, |margin| {
                let step = side * towards.next().unwrap_or(&0.0) * margin.step(self.iteration);
                // Rounded by chance, so that steps of less than one count as often as they should.
                (self.value(margin) + step + random.unit()).floor().clamp(margin.low, margin.high)
            })
        });
        (directions, sides)
    }

    /// Goes towards the side that scored more: `gain` is the first side's points beyond half of the games.
    fn learn(&mut self, margins: &[Margin], directions: &[f64], gain: f64) {
        for (margin, direction) in margins.iter().zip(directions) {
            let moved = pace(self.iteration) * margin.step(self.iteration) * 0.2 * gain * direction;
            let value = (self.value(margin) + moved).clamp(margin.low, margin.high);
            self.values.insert(margin.name.into(), value);
        }
        self.iteration += 1;
    }
}

fn text(margins: &[Margin], mut value: impl FnMut(&Margin) -> f64) -> String {
    let parts: Vec<String> = margins.iter().map(|margin| format!("{}:{}", margin.name, value(margin))).collect();
    format!("tune={}", parts.join("+"))
}

impl Tune {
    pub fn run(&self, console: &Console) -> anyhow::Result<ExitCode> {
        if Family::of(&self.game) != Family::Gomoku {
            bail!(text!("{} has no numbers to tune", "{} 没有可调的参数", self.game));
        }
        let margins = Margin::all();
        let openings = openings(&self.openings, &self.game, console)?;
        let mut state = self.read(&margins)?;
        let stop = stop_on_ctrl_c()?;
        let bar = bar(self.iterations)?;
        bar.set_position(state.iteration);
        let queue = self.queue.as_deref().map(|queue| lianzi_console::queue::open(queue, console)).transpose()?;
        while state.iteration < self.iterations {
            let mut random = Random::new(mix(self.seed ^ mix(state.iteration)));
            let (directions, sides) = state.draw(&margins, &mut random);
            let contest = self.contest(sides, &openings, state.iteration);
            let gain = match &queue {
                Some(link) => self.gain_of_workers(link, &contest, &stop, console)?,
                None => self.gain(&contest, &stop, console)?.map(|gain| (gain, None)),
            };
            let Some((gain, job)) = gain else { break };
            state.learn(&margins, &directions, gain);
            self.write(&state)?;
            if let Some((link, job)) = queue.as_ref().zip(job) {
                // What was learnt is kept; nobody asks for these games again.
                jobs::remove(link, job).map_err(|error| anyhow!(error.words(console.language)))?;
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        let iterations = match state.iteration < self.iterations {
            true => console.pick("iterations so far; run it again to go on", "次迭代；再次运行可继续"),
            false => console.pick("iterations, complete", "次迭代，完成"),
        };
        line(format!("{}: {} {iterations}", self.out.display(), state.iteration))?;
        line(state.option(&margins))?;
        Ok(ExitCode::SUCCESS)
    }

    fn read(&self, margins: &[Margin]) -> anyhow::Result<State> {
        let name = || self.out.display().to_string();
        if !self.out.exists() {
            return Ok(State::new(&self.game, margins));
        }
        let state: Option<State> = serde_json::from_slice(&std::fs::read(&self.out).with_context(name)?).ok();
        let whole = state.filter(|state| state.fits(&self.game, margins));
        let other = Text::fixed("not a file of tuned numbers of this game", "不是这种棋的调参文件");
        whole.ok_or(other).with_context(name)
    }

    fn write(&self, state: &State) -> anyhow::Result<()> {
        let text = format!("{}\n", serde_json::to_string_pretty(state)?);
        lianzi_cage::disk::write_whole(&self.out, text.as_bytes()).with_context(|| self.out.display().to_string())
    }

    /// The match of an iteration, from openings of its own.
    fn contest(&self, sides: [String; 2], openings: &Openings, iteration: u64) -> Contest {
        let [up, down] = sides.map(|tune| format!("strong@hash=8,{tune}"));
        let players = [("up", up), ("down", down)].map(|(name, spec)| Entrant { name: name.into(), spec });
        let mut openings = openings.clone();
        if let Openings::List(list) = &mut openings {
            let first = iteration as usize * usize::from(self.pairs) % list.len().max(1);
            list.rotate_left(first);
        }
        // Nodes limit a turn; the clock is there only to end a game that hangs.
        let per_move = Some(Duration::from_secs(600));
        Contest {
            control: Control { per_move, nodes: Some(self.nodes), ..Control::default() },
            openings,
            seed: mix(self.seed ^ iteration),
            ..Contest::of_two(self.game.into(), players, self.pairs.into())
        }
    }

    /// What the first side scored beyond half of the games. None if it was stopped.
    fn gain(&self, contest: &Contest, stop: &Stop, console: &Console) -> anyhow::Result<Option<f64>> {
        let plan = Plan::new(contest).map_err(|bad| anyhow!(bad.words(console.language)))?;
        let specs: Vec<PlayerSpec> =
            contest.players.iter().map(|entrant| entrant.spec.parse()).collect::<Result<_, _>>()?;
        let make = |entrant: usize| -> Box<dyn Player> {
            specs[entrant].player_with(&console.cages).expect("an engine is no person")
        };
        let conduct = Conduct { concurrency: self.concurrency, ..Conduct::until(stop, &make) };
        let finished = Journal::passing()
            .and_then(|journal| run(contest, plan, journal, &conduct, &|_| {}))
            .map_err(|error| anyhow!(error.words(console.language)))?;
        Ok((!finished.broken_off).then(|| gain(contest, &finished)))
    }
}

impl Tune {
    /// The same, played by workers, and the job it was. None if it was stopped; the job goes on.
    fn gain_of_workers(
        &self,
        link: &Link,
        contest: &Contest,
        stop: &Stop,
        console: &Console,
    ) -> anyhow::Result<Option<(f64, Option<i64>)>> {
        let in_words = |error: QueueError| anyhow!(error.words(console.language));
        let specs: Vec<PlayerSpec> =
            contest.players.iter().map(|entrant| entrant.spec.parse()).collect::<Result<_, _>>()?;
        let filed = ContestJob::file(link, contest, &specs, Terms::default()).map_err(in_words)?;
        let journal = Journal::passing().map_err(|error| anyhow!(error.words(console.language)))?;
        let finished = remote::follow(link, filed.job, contest, journal, stop, &|_| {});
        let finished = finished.map_err(|error| anyhow!(error.words(console.language)))?;
        Ok((!finished.broken_off).then(|| (gain(contest, &finished), Some(filed.job))))
    }
}

fn gain(contest: &Contest, finished: &Finished) -> f64 {
    let games = Upshot::in_brief(contest, &finished.plan, &finished.played).games;
    let points = |outcome, fixture: &lianzi_contest::Fixture| fixture.half_points(outcome, 0) as f64;
    let gains =
        games.iter().filter_map(|(fixture, game)| game.outcome.map(|outcome| points(outcome, fixture) / 2.0 - 0.5));
    gains.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A match whose first side gains in proportion to how much nearer it is to a goal, with some noise.
    fn played(sides: &[String; 2], goals: &BTreeMap<&str, f64>, random: &mut Random) -> f64 {
        let distance = |side: &String| -> f64 {
            let parts = side.trim_start_matches("tune=").split('+');
            let off = |part: &str| {
                let (name, value) = part.split_once(':').unwrap();
                (value.parse::<f64>().unwrap() / goals[name] - 1.0).powi(2)
            };
            parts.map(off).sum()
        };
        let chance = 1.0 / (1.0 + (3.0 * (distance(&sides[0]) - distance(&sides[1]))).exp());
        (0..4).map(|_| if random.unit() < chance { 0.5 } else { -0.5 }).sum()
    }

    #[test]
    fn values_move_towards_what_wins_and_stay_in_their_ranges() {
        let margins = Margin::all();
        assert!(margins.iter().all(|margin| margin.name != "trust"), "switches are not tuned");
        // Away from nothing, by which no distance can be divided.
        let goal = |margin: &Margin| match margin.value {
            0.0 => margin.high / 2.0,
            value => (1.5 * value).clamp(margin.low, margin.high),
        };
        let goals: BTreeMap<&str, f64> = margins.iter().map(|margin| (margin.name, goal(margin))).collect();
        let mut state = State::new(&Rules::gomoku(15), &margins);
        let mut random = Random::new(3);
        let distance = |state: &State| -> f64 {
            margins.iter().map(|margin| (state.value(margin) / goals[margin.name] - 1.0).powi(2)).sum()
        };
        let before = distance(&state);
        for _ in 0..3000 {
            let (directions, sides) = state.draw(&margins, &mut random);
            let gain = played(&sides, &goals, &mut random);
            state.learn(&margins, &directions, gain);
            let inside = |margin: &Margin| (margin.low..=margin.high).contains(&state.value(margin));
            assert!(margins.iter().all(inside));
        }
        assert!(distance(&state) < before / 2.0, "{before} became {}", distance(&state));
        let tuned = state.option(&margins);
        assert!(tuned.trim_start_matches("tune=").parse::<Margins>().is_ok(), "{tuned}");
    }

    #[test]
    fn the_two_sides_of_a_step_lie_around_the_middle() {
        let margins = Margin::all();
        let state = State::new(&Rules::gomoku(15), &margins);
        let (directions, [up, down]) = state.draw(&margins, &mut Random::new(1));
        let value = |text: &str, n: usize| -> f64 {
            text.split('+').nth(n).and_then(|part| part.split_once(':')).unwrap().1.parse().unwrap()
        };
        for (n, margin) in margins.iter().enumerate() {
            let off = (value(&up, n) - value(&down, n)) * directions[n];
            assert!(off > 0.0 && off <= 2.0 * margin.step(0) + 2.0, "{}: {off}", margin.name);
        }
    }
}
