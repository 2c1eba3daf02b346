//! What `match` and `tournament` share: their options, the running of a contest, and what is printed of it.

use std::collections::HashSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use lianzi_contest::circumstances::{CpuRow, busy_words, starved};
use lianzi_contest::journal::{Brief, Journal, JournalError, Played};
use lianzi_contest::plan::Plan;
use lianzi_contest::ratings::Scoring;
use lianzi_contest::report::{Duel, Standing};
use lianzi_contest::run::{Conduct, Finished, Progress, run};
use lianzi_contest::statistics::Sprt;
use lianzi_contest::upshot::Upshot;
use lianzi_contest::{Contest, Entrant, Format, Length, report};
use lianzi_core::record::Format as RecordFormat;
use lianzi_core::{Game, GameRecord, OpeningRule, Speak, Text, shown, shown_lines, text};
use lianzi_engine::Stop;
use lianzi_game::clock::Control;
use lianzi_game::duration;
use lianzi_game::judge::{Agreed, Cutoff};
use lianzi_game::player::Player;
use lianzi_players::{Kind, PlayerSpec};
use lianzi_queue::filing::{ContestJob, Terms, stopped};
use lianzi_queue::{QueueError, remote};
use serde_json::{Value, json};

use lianzi_console::openings::openings;
use lianzi_console::{Console, line, stop_on_ctrl_c, warn};

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

/// A terminal is not wider; the report has the whole table.
const WIDEST_CROSS_TABLE: usize = 14;

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

/// The live table on a terminal, a line now and then elsewhere, and the JSON line of each game.
struct Display<'a> {
    contest: &'a Contest,
    console: &'a Console,
    json: bool,
    bar: Option<ProgressBar>,
    last: Mutex<Option<Instant>>,
    /// How it stands, in a line.
    standing: Mutex<String>,
    /// Whose faults were told of.
    told: Mutex<HashSet<String>>,
}

impl<'a> Display<'a> {
    fn new(contest: &'a Contest, plan: &Plan, json: bool, console: &'a Console) -> Display<'a> {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{msg}\n{wide_bar} {pos}/{len}  {elapsed}");
            ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let standing = Mutex::new(Printed::new(contest, plan, &[], console).line(0));
        Display { contest, console, json, bar, last: Mutex::default(), standing, told: Mutex::default() }
    }

    fn show(&self, progress: &Progress<'_>) {
        if self.json {
            // A reader that hung up must not end the contest.
            let _ = line(game_json(progress.last, self.console).to_string());
        } else {
            self.tell_fault(&progress.last.record);
        }
        match &self.bar {
            Some(bar) => self.redraw(bar, progress),
            None => self.note(progress),
        }
    }

    /// Says how it stands every ten seconds, until the contest is over.
    fn tell_now_and_then(&self, over: &Receiver<()>) {
        while over.recv_timeout(Duration::from_secs(10)) == Err(RecvTimeoutError::Timeout) {
            if let Ok(standing) = self.standing.lock() {
                warn(standing.as_str());
            }
        }
    }

    /// Says a line, above the bar if there is one.
    fn say(&self, words: String) {
        match &self.bar {
            Some(bar) => bar.suspend(|| warn(words)),
            None => warn(words),
        }
    }

    /// Keeps how it stands for the next line, at most once a second.
    fn note(&self, progress: &Progress<'_>) {
        let (Ok(mut last), Ok(mut standing)) = (self.last.lock(), self.standing.lock()) else { return };
        if last.is_none_or(|last| last.elapsed() >= Duration::from_secs(1)) {
            *last = Some(Instant::now());
            let printed = Printed::new(self.contest, progress.plan, progress.played, self.console);
            *standing = printed.line(progress.plan.progress().0);
        }
    }

    /// Says why a player lost by a fault of its own, the first time it does: a number does not say what to mend.
    fn tell_fault(&self, record: &GameRecord) {
        let Some(blame) = record.verdict.blame else { return };
        let name = &record.sides[blame.index()].name;
        if !self.told.lock().is_ok_and(|mut told| told.insert(name.clone())) {
            return;
        }
        let words = format!("{name}: {}", record.verdict.words(&record.rules, self.console.language));
        match &self.bar {
            Some(bar) => bar.println(shown(&words)),
            None => warn(words),
        }
    }

    /// At most five times a second: counting all games takes longer the more there are.
    fn redraw(&self, bar: &ProgressBar, progress: &Progress<'_>) {
        let Ok(mut last) = self.last.lock() else { return };
        let (done, total) = progress.plan.progress();
        if done < total && last.is_some_and(|last| last.elapsed() < Duration::from_millis(200)) {
            return;
        }
        *last = Some(Instant::now());
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        let outcome = Printed::new(self.contest, progress.plan, progress.played, self.console);
        let rate = progress.fresh as f64 / progress.elapsed.as_secs_f64().max(1e-3);
        let left = Duration::from_secs_f64((total.saturating_sub(done)) as f64 / rate.max(1e-9)).as_secs();
        let words = self.console.pick("left about", "约剩");
        let words = format!("{}\n{words} {}:{:02}", outcome.words(), left / 60, left % 60);
        bar.set_message(shown_lines(&words));
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn game_json(game: &Played, console: &Console) -> Value {
    let record = &game.record;
    json!({
        "event": "game",
        "id": game.id.to_string(),
        "game": record.rules,
        "black": record.sides[0].name,
        "white": record.sides[1].name,
        "outcome": record.verdict.outcome_name(),
        "ending": record.verdict.ending.name(),
        "plies": record.moves.len(),
        "words": record.verdict.words(&record.rules, console.language),
    })
}

/// What came of a contest, for people.
pub struct Printed<'a> {
    pub upshot: Upshot<'a, Brief>,
    console: &'a Console,
}

impl<'a> Printed<'a> {
    pub fn new(contest: &'a Contest, plan: &Plan, played: &[Brief], console: &'a Console) -> Printed<'a> {
        Printed { upshot: Upshot::in_brief(contest, plan, played), console }
    }

    fn print(&self, json: bool) -> anyhow::Result<()> {
        if json {
            line(self.upshot.summary().to_string())
        } else {
            line(format!("{}\n{}", self.upshot.contest.title(self.console.language), self.words()))?;
            let caveats = self.upshot.caveats.words();
            caveats.iter().try_for_each(|text| line(format!("!! {}", text.words(self.console.language))))
        }
    }

    /// How it stands: games done, and the score of the two, of the one who meets all others, or of the best.
    fn line(&self, done: usize) -> String {
        let Upshot { contest, standings, planned, .. } = &self.upshot;
        let name = |row: &Standing| &contest.players[row.player].name;
        let tally =
            |row: &Standing| format!("{} +{} ={} -{}", name(row), row.tally.wins, row.tally.draws, row.tally.losses);
        let first = standings.iter().find(|row| row.player == 0);
        let score = match contest.format {
            Format::RoundRobin if contest.players.len() == 2 => first.map(tally),
            Format::Gauntlet => first.map(tally),
            _ => Some(standings.iter().take(3).map(tally).collect::<Vec<_>>().join(", ")),
        };
        let games = self.console.pick("games", "局");
        format!("{done}/{planned} {games}  {}", score.unwrap_or_default())
    }

    /// What each player used of the CPU, if that was measured.
    fn cpu_words(&self) -> String {
        let Upshot { contest, cpu, .. } = &self.upshot;
        let words = |(row, entrant): (&CpuRow, &Entrant)| {
            let mean = format!("{:.3} s", row.per_turn?);
            let mean = self.console.say(text!("{mean} a move", "每手 {mean}"));
            Some(format!("{} {:.2} s ({mean})", entrant.name, row.seconds))
        };
        let all: Vec<String> = cpu.iter().zip(&contest.players).filter_map(words).collect();
        if all.is_empty() { String::new() } else { format!("\nCPU  {}", all.join(", ")) }
    }

    /// How fair the opening rule was.
    fn opening_words(&self) -> String {
        let tally = self.upshot.opening.map(|tally| self.console.say(tally.text()));
        tally.map_or_else(String::new, |words| format!("\n{words}"))
    }

    fn words(&self) -> String {
        match &self.upshot.duel {
            Some(duel) => self.duel_words(duel) + &self.opening_words() + &self.cpu_words(),
            None => self.table_words() + &self.opening_words() + &self.cpu_words(),
        }
    }

    fn duel_words(&self, duel: &Duel) -> String {
        let games = duel.results.games;
        let score = duel.results.score().map_or_else(|| "–".into(), |score| format!("{:.1} %", score * 100.0));
        let pick = |english, chinese| self.console.pick(english, chinese);
        let mut text = format!(
            "{} {}: +{} ={} -{}  {score}  Elo {}  nElo {}  LOS {:.1} %\n{} 0–½–1–1½–2: {:?}  {}: {}",
            games.wins + games.draws + games.losses,
            pick("games", "局"),
            games.wins,
            games.draws,
            games.losses,
            duel.elo.words(self.console.language),
            duel.normalised.words(self.console.language),
            duel.superiority * 100.0,
            pick("pairs", "对局组"),
            duel.results.pairs,
            pick("faults", "犯规"),
            self.faults_words(),
        );
        if let Some(sprt) = &duel.sprt {
            let accepted = sprt.accepted.map_or_else(|| pick("undecided", "未定").into(), |a| format!("{a:?}"));
            text += &format!(
                "\nSPRT [{}, {}]: LLR {:.2} ({:.2}, {:.2})  {accepted}",
                sprt.test.elo0, sprt.test.elo1, sprt.llr, sprt.lower, sprt.upper
            );
        }
        text
    }

    fn faults_words(&self) -> String {
        let mut rows: Vec<&Standing> = self.upshot.standings.iter().collect();
        rows.sort_by_key(|row| row.player);
        let words: Vec<String> =
            rows.iter().map(|row| format!("{} {}", self.upshot.contest.players[row.player].name, row.faults)).collect();
        words.join(", ")
    }

    fn table_words(&self) -> String {
        let widest = self.upshot.contest.players.iter().map(|entrant| entrant.name.chars().count()).max().unwrap_or(0);
        let head =
            self.console.pick(" points games    +   =   - faults  Elo", "   积分  局数   胜  和  负   犯规  Elo");
        let mut text = format!("     {:<widest$} {head}", "");
        for row in &self.upshot.standings {
            let name = &self.upshot.contest.players[row.player].name;
            let tally = &row.tally;
            let games = tally.wins + tally.draws + tally.losses;
            text += &format!(
                "\n{:>3}. {name:<widest$} {:>7} {games:>5} {:>4} {:>3} {:>3} {:>6}  {}",
                row.rank,
                row.points,
                tally.wins,
                tally.draws,
                tally.losses,
                row.faults,
                row.elo.words(self.console.language)
            );
        }
        if self.upshot.standings.len() <= WIDEST_CROSS_TABLE {
            text += "\n\n";
            text += &self.cross_words(widest);
        }
        text
    }

    /// What each player scored against each other one, in the order of the standings.
    fn cross_words(&self, widest: usize) -> String {
        let cross = report::cross_table(self.upshot.contest.players.len(), &self.upshot.games);
        let order: Vec<usize> = self.upshot.standings.iter().map(|row| row.player).collect();
        let cell = |&(row, column): &(usize, usize)| match (row, column) {
            (row, column) if row == column => format!("{:>7}", "–"),
            (row, column) => {
                let tally = &cross[row][column];
                let games = tally.wins + tally.draws + tally.losses;
                format!("{:>7}", format!("{}/{games}", self.upshot.contest.scoring.points(tally.half_points())))
            }
        };
        let line = |(n, &row): (usize, &usize)| {
            let cells: String = order.iter().map(|&column| cell(&(row, column))).collect();
            format!("{:>3}. {:<widest$}{cells}", n + 1, self.upshot.contest.players[row].name)
        };
        let head: String = (1..=order.len()).map(|n| format!("{n:>7}")).collect();
        let lines: Vec<String> = order.iter().enumerate().map(line).collect();
        format!("     {:<widest$}{head}\n{}", "", lines.join("\n"))
    }
}
