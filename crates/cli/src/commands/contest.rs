//! What `match` and `tournament` share: their options and the running of a contest; `display` shows it meanwhile,
//! `printed` says what came of it.

mod display;
mod printed;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use lianzi_contest::circumstances::{busy_words, starved};
use lianzi_contest::journal::{Journal, JournalError};
use lianzi_contest::plan::Plan;
use lianzi_contest::ratings::Scoring;
use lianzi_contest::run::{Conduct, Finished, Progress, run};
use lianzi_contest::statistics::Sprt;
use lianzi_contest::upshot::Upshot;
use lianzi_contest::{Contest, Entrant, Format, Length};
use lianzi_core::record::Format as RecordFormat;
use lianzi_core::{Game, GameRecord, OpeningRule, Speak, Text, text};
use lianzi_engine::Stop;
use lianzi_game::clock::Control;
use lianzi_game::duration;
use lianzi_game::judge::{Agreed, Cutoff};
use lianzi_game::player::Player;
use lianzi_players::{Kind, PlayerSpec};
use lianzi_queue::filing::{ContestJob, Terms, stopped};
use lianzi_queue::{QueueError, remote};

use display::Display;
use lianzi_console::openings::openings;
use lianzi_console::{Console, stop_on_ctrl_c, warn};
pub use printed::Printed;

/// The options of every contest.
#[derive(Args, Clone)]
pub struct ContestArgs {
    /// Time for each turn [default: 1s, or 60s when nodes or depth limit it]
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub time: Option<Duration>,
    /// Nodes for each turn
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Depth for each turn
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Time for the whole game, and what each turn adds: 60s+1s
    #[arg(long, value_name = "TIME+INCREMENT", value_parser = parse_clock)]
    pub clock: Option<(Duration, Duration)>,
    /// How late an answer may come before it loses
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "50ms")]
    pub margin: Duration,
    /// How many games at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
    /// A file of openings, one a line: cells with rows from the bottom (h8 i9), offsets from the centre with rows downwards
    /// (0,0, 1,-1), or columns (4453); or `random` for balanced random ones, or `none` for the empty board
    /// [default: random, or none where a strategy of a course plays]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<String>,
    /// The same as +swap2 behind the game's name: the players find fair sides by swap2; those who cannot play the opening
    /// instead
    #[arg(long)]
    pub swap2: bool,
    /// Where all random numbers start: the same seed plays the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// A draw at this many stones
    #[arg(long, value_name = "N")]
    pub max_plies: Option<usize>,
    /// A win when both players' scores agree on it for so many turns: 500,6
    #[arg(long, value_name = "SCORE,TURNS", value_parser = parse_agreed)]
    pub adjudicate: Option<Agreed>,
    /// What a win, a draw and a loss are worth
    #[arg(long, value_enum, default_value_t = Points::One)]
    pub points: Points,
    /// End the contest when a player has crashed or could not start, instead of starting it again
    #[arg(long)]
    pub stop_on_crash: bool,
    /// Keep games, state, summary and report in this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with the contest in the folder
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Also write the games as SGF into the folder
    #[arg(long, requires = "out")]
    pub sgf: bool,
    /// Print JSON, one object a line: each game, then the summary
    #[arg(long)]
    pub json: bool,
    /// Let workers play it: the address of a database with a queue, postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS")]
    pub queue: Option<String>,
}

/// Scoring systems.
#[derive(Clone, Copy, ValueEnum)]
pub enum Points {
    /// 1, ½, 0
    One,
    /// 2, 1, 0
    Two,
}

fn parse_clock(text: &str) -> Result<(Duration, Duration), Text> {
    let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
    Ok((duration::parse(time)?, duration::parse(increment)?))
}

fn parse_agreed(text: &str) -> Result<Agreed, Text> {
    let bad = || {
        Text::new(format!("'{text}' is not SCORE,TURNS, such as 500,6"), format!("“{text}”不是“分数,手数”，例如 500,6"))
    };
    let (score, turns) = text.split_once(',').ok_or_else(bad)?;
    let agreed = Agreed { score: score.parse().map_err(|_| bad())?, turns: turns.parse().map_err(|_| bad())? };
    if agreed.score > 0 && agreed.turns > 1 { Ok(agreed) } else { Err(bad()) }
}

/// Reads `ELO0,ELO1`.
pub fn parse_sprt(text: &str) -> Result<Sprt, Text> {
    let bad = || {
        Text::new(
            format!("'{text}' is not ELO0,ELO1 with ELO0 below ELO1 and both within ±3000, such as 0,10"),
            format!("“{text}”不是 ELO0,ELO1；前者须小于后者，且都在 ±3000 之内，例如 0,10"),
        )
    };
    let (low, high) = text.split_once(',').ok_or_else(bad)?;
    let sprt = Sprt::new(low.trim().parse().map_err(|_| bad())?, high.trim().parse().map_err(|_| bad())?);
    sprt.check().map_err(|_| bad())?;
    Ok(sprt)
}

impl ContestArgs {
    /// The contest these options describe.
    pub fn contest(
        &self,
        game: Game,
        players: &[PlayerSpec],
        format: Format,
        length: Length,
        console: &Console,
    ) -> anyhow::Result<Contest> {
        let scoring = match self.points {
            Points::One => Scoring::OneHalfZero,
            Points::Two => Scoring::TwoOneZero,
        };
        let game = self.opening(game, console)?;
        Ok(Contest {
            game,
            players: Entrant::all(players.iter().map(|spec| (spec.name.clone(), spec.to_string()))),
            format,
            length,
            control: self.control(),
            cutoff: Cutoff { max_plies: self.max_plies, agreed: self.adjudicate },
            openings: openings(self.openings(players), &game.draw(self.seed), console)?,
            own_openings: false,
            seed: self.seed,
            sprt: None,
            scoring,
        })
    }

    /// The game with its opening rule: `--swap2` is another way to write `+swap2`.
    fn opening(&self, game: Game, console: &Console) -> anyhow::Result<Game> {
        let named = if self.swap2 { game.with(OpeningRule::Swap2) } else { Ok(game) };
        named.map_err(|bad| anyhow!(bad.words(console.language)))
    }

    /// Strategies of courses know games from their beginning: some keep a tree of it and fail when it begins elsewhere.
    fn openings(&self, players: &[PlayerSpec]) -> &str {
        let course = players.iter().any(|spec| matches!(spec.kind, Kind::Strategy(_)));
        self.openings.as_deref().unwrap_or(if course { "none" } else { "random" })
    }

    /// A contest never runs without a clock: one player that hangs would hold it for ever.
    fn control(&self) -> Control {
        let counted = self.nodes.is_some() || self.depth.is_some();
        let usual = Duration::from_secs(if counted { 60 } else { 1 });
        let per_move = self.time.or(if self.clock.is_some() { None } else { Some(usual) });
        Control { per_move, per_game: self.clock, nodes: self.nodes, depth: self.depth, margin: self.margin }
    }

    /// Plays the contest and prints what came of it.
    pub fn play(&self, contest: &Contest, players: &[PlayerSpec], console: &Console) -> anyhow::Result<ExitCode> {
        check_players(contest, players, console)?;
        try_players(contest, players, console)?;
        // Whoever plays elsewhere does not mind how busy this machine is.
        if self.queue.is_none() {
            warn_if_busy(console);
        }
        let conditions = Conditions {
            out: self.out.as_deref(),
            resume: self.resume,
            concurrency: self.concurrency.into(),
            stop_on_crash: self.stop_on_crash,
            json: self.json,
            interrupt: stop_on_ctrl_c()?,
            again: false,
            queue: self.queue.as_deref(),
        };
        let mut finished = conditions.play(contest, players, console)?;
        if self.out.is_some() {
            let kept = self.keep(contest, &mut finished, console);
            kept.map_err(|error| anyhow!(error.words(console.language)))?;
        }
        Printed::new(contest, &finished.plan, &finished.played, console).print(self.json)?;
        Ok(if finished.broken_off { ExitCode::from(130) } else { ExitCode::SUCCESS })
    }

    fn keep(&self, contest: &Contest, finished: &mut Finished, console: &Console) -> Result<(), JournalError> {
        let games = finished.games()?;
        let (outcome, journal) = (Upshot::new(contest, &finished.plan, &games), &finished.journal);
        journal.write("summary.json", format!("{:#}\n", outcome.summary()).as_bytes())?;
        journal.write("report.html", outcome.html(console.language).as_bytes())?;
        if self.sgf {
            let records: Vec<GameRecord> = outcome.games.iter().map(|(_, record)| record.clone()).collect();
            if let Ok(lianzi_core::record::Document::Single(bytes)) = RecordFormat::Sgf.write(&records) {
                journal.write("games.sgf", &bytes)?;
            }
        }
        Ok(())
    }
}

/// How a contest is played, apart from what is played.
pub struct Conditions<'a> {
    pub out: Option<&'a Path>,
    pub resume: bool,
    pub concurrency: usize,
    pub stop_on_crash: bool,
    pub json: bool,
    pub interrupt: Stop,
    /// Whether games in which a busy machine starved a player are played again.
    pub again: bool,
    /// Where workers play it, if not here.
    pub queue: Option<&'a str>,
}

impl Conditions<'_> {
    /// Plays the contest of these players, who must not be people.
    pub fn play(&self, contest: &Contest, players: &[PlayerSpec], console: &Console) -> anyhow::Result<Finished> {
        let plan = Plan::new(contest).map_err(|bad| anyhow!(bad.words(console.language)))?;
        let in_words = |error: JournalError| anyhow!(error.words(console.language));
        // Who looks at a job again need not say so: its games are in the database.
        let resume = self.resume || self.queue.is_some();
        let opened = self.out.map_or_else(Journal::passing, |folder| Journal::open(folder, contest, resume));
        let journal = opened.map_err(in_words)?;
        let make = |entrant: usize| -> Box<dyn Player> {
            players[entrant].player_with(&console.cages).expect("people were refused before the contest began")
        };
        let conduct = Conduct {
            concurrency: self.concurrency,
            stop_on_crash: self.stop_on_crash,
            interrupt: self.interrupt.clone(),
            make: &make,
            void: if self.again { starved } else { |_| false },
        };
        let display = Display::new(contest, &plan, self.json, console);
        let done = thread::scope(|scope| {
            let (_playing, over) = channel::<()>();
            let display = &display;
            if display.bar.is_none() {
                scope.spawn(move || display.tell_now_and_then(&over));
            }
            match self.queue {
                Some(queue) => self.follow(queue, contest, players, journal, display),
                None => run(contest, plan, journal, &conduct, &|progress| display.show(progress)).map_err(in_words),
            }
        });
        display.clear();
        done
    }

    /// Files the contest and watches workers play it. It goes on when this command ends.
    fn follow(
        &self,
        queue: &str,
        contest: &Contest,
        players: &[PlayerSpec],
        journal: Journal,
        display: &Display<'_>,
    ) -> anyhow::Result<Finished> {
        let console = display.console;
        let in_words = |error: QueueError| anyhow!(error.words(console.language));
        let link = lianzi_console::queue::open(queue, console)?;
        let terms = Terms { again: self.again, stop_on_crash: self.stop_on_crash, owner: "" };
        let filed = ContestJob::file(&link, contest, players, terms).map_err(in_words)?;
        stopped(&filed).map_or(Ok(()), |why| Err(in_words(why)))?;
        let job = filed.job;
        if !self.json {
            display.say(console.say(text!("job {job} of the queue", "队列中的作业 {job}")));
        }
        let watch = |progress: &Progress<'_>| display.show(progress);
        let finished = remote::follow(&link, job, contest, journal, &self.interrupt, &watch);
        let finished = finished.map_err(|error| anyhow!(error.words(console.language)))?;
        if finished.broken_off && self.interrupt.is_set() {
            let words = text!(
                "job {job} goes on without this command; the same command looks at it again, lianzi queue cancel ADDRESS {job} ends it",
                "作业 {job} 仍在进行；再次运行同一命令可继续查看，lianzi queue cancel 地址 {job} 可取消"
            );
            display.say(console.say(words));
        }
        Ok(finished)
    }
}

/// Finds out before the first game whether everybody can play it.
pub fn check_players(contest: &Contest, players: &[PlayerSpec], console: &Console) -> anyhow::Result<()> {
    for spec in players {
        let checked = spec.check(&contest.game.draw(contest.seed));
        checked.map_err(|none| anyhow!("{spec}: {}", none.words(console.language)))?;
        console.check_cage(spec)?;
        if spec.kind == Kind::Human {
            bail!(text!("{spec}: people play with lianzi play, not in a match", "{spec}: 人类棋手请用 lianzi play"));
        }
    }
    Ok(())
}

/// Starts everybody once before the first game: a program that is not there must not lose games.
fn try_players(contest: &Contest, players: &[PlayerSpec], console: &Console) -> anyhow::Result<()> {
    let rules = contest.game.draw(contest.seed);
    for spec in players {
        let tried = spec.try_out(&rules, &contest.control, &console.cages);
        tried.map_err(|none| anyhow!("{spec}: {}", none.words(console.language)))?;
    }
    Ok(())
}

/// Warns when the machine has more to do than it can, since time limits then measure that.
pub fn warn_if_busy(console: &Console) {
    if let Some(words) = busy_words(console.language) {
        warn(words);
    }
}
