//! `bench`: figures, in CPU time, that anyone can repeat.

mod attacks;
mod cage;
mod crowd;
mod engines;
mod grading;
mod levels;
mod page;
mod programs;
mod proofs;
mod queue;
mod serve;
mod siege;
mod signature;
mod soak;
mod solver;

use std::process::ExitCode;
use std::str::FromStr;
use std::time::{Duration, Instant};

use clap::Args;
use lianzi_core::record::GameRecord;
use lianzi_core::{BadGame, Cell, Fault, OpeningRule, Position, Rules, Speak, StartFault, Stone, Text, Verdict, text};
use lianzi_engine::{Best, Engine, Info, Limits, Stop};
use lianzi_game::clock::Control;
use lianzi_game::duration;
use lianzi_game::judge::Cutoff;
use lianzi_game::play::{Event, GameSetup, play_game};
use lianzi_game::player::{Ask, EnginePlayer, Player, Reply, Seat};
use serde_json::json;

use lianzi_cage::cpu::cpu_time;
use lianzi_console::{Console, line};
use lianzi_players::PlayerSpec;
use programs::Brain;
use solver::reach;

/// Measure speed, per CPU second
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi bench gomoku\n  lianzi bench arena\n  lianzi bench faults --json\n  lianzi bench signature\n  lianzi bench levels connect4 --games 40\n  lianzi bench proofs --count 100\n  lianzi bench solver --no-book --positions positions.txt\n  lianzi bench reach connect4:8x8"
)]
pub struct Bench {
    /// `arena`, `attacks`, `faults`, `grading`, `levels`, `page`, `proofs`, `queue`, `reach`, `serve`, `signature`, `soak`, `solver`, or a game, whose engines are measured [default: the main games]
    what: Option<What>,
    /// The game whose levels `levels` measures [default: gomoku, connect6 and connect4], or the board of `reach` [default: six larger ones]
    game: Option<Rules>,
    /// How many games a match of `levels` has
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// How many games a match of `levels` has in which level 9 or 10 plays, which takes long [default: as many]
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// What games of `levels` begin with: a file of openings, `random` or `none`, as for a match
    #[arg(long, value_name = "FILE", default_value = "random")]
    openings: String,
    /// Keep the games of `levels` in a folder, and go on where the same command was stopped
    #[arg(long, value_name = "FOLDER")]
    out: Option<std::path::PathBuf>,
    /// How many nodes for each turn the highest of the `levels` has, instead of three seconds
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    nodes: u64,
    /// How many games of `levels` at once
    #[arg(long, value_name = "K", default_value_t = 1)]
    concurrency: usize,
    /// What `solver` is to solve instead of random positions: positions of Connect Four, one a line; for `proofs` positions of Connect6, for `attacks` of Gomoku
    #[arg(long, value_name = "FILE")]
    positions: Option<std::path::PathBuf>,
    #[command(flatten)]
    with: lianzi_console::position::With,
    /// Whom `attacks` asks, once for each player [default: strong with 30,000, 100,000 and 1,000,000 nodes]
    #[arg(long = "player", value_name = "SPEC")]
    players: Vec<PlayerSpec>,
    /// Tell of every position of `attacks`
    #[arg(long)]
    verbose: bool,
    /// How many wins by fours `proofs` is to find, and a fifth as many by threes; random positions of `solver`; positions of each sort for `reach` [default: 1000; 10 for `reach`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// How long `soak` takes
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = duration::parse)]
    time: Duration,
    /// The database that `queue` measures, postgres://USER@HOST/DATABASE [default: one of its own, in a temporary folder]
    #[arg(long, value_name = "ADDRESS")]
    queue: Option<String>,
    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,
    /// Be a program for the benches that drive one
    #[arg(long, hide = true)]
    brain: Option<Brain>,
}

#[derive(Clone, Copy)]
enum What {
    /// How many long attacks and only moves players see
    Attacks,
    /// What the arena itself costs, per stone
    Arena,
    /// How soon each kind of fault is judged
    Faults,
    /// What five hundred graded games leave behind
    Grading,
    /// The engines of a game
    Engines(Rules),
    /// How far apart the levels are
    Levels,
    /// How fast the page thinks by itself in Chromium
    Page,
    /// How soon wins by force at Gomoku are proven, or those of a file at Connect6
    Proofs,
    /// What the database of a queue sustains
    Queue,
    /// How far larger boards of Connect Four are solved
    Reach,
    /// How soon the web board answers, and how many it bears
    Serve,
    /// One number for what every engine plays
    Signature,
    /// Server, arena and cages for a long time, with faults and kills
    Soak,
    /// Positions of Connect Four, solved
    Solver,
}

impl FromStr for What {
    type Err = Text;

    fn from_str(text: &str) -> Result<What, Text> {
        match text {
            "arena" => Ok(What::Arena),
            "attacks" => Ok(What::Attacks),
            "faults" => Ok(What::Faults),
            "grading" => Ok(What::Grading),
            "levels" => Ok(What::Levels),
            "page" => Ok(What::Page),
            "proofs" => Ok(What::Proofs),
            "queue" => Ok(What::Queue),
            "reach" => Ok(What::Reach),
            "serve" => Ok(What::Serve),
            "signature" => Ok(What::Signature),
            "soak" => Ok(What::Soak),
            "solver" => Ok(What::Solver),
            game => game.parse().map(What::Engines).map_err(|bad: BadGame| match bad {
                BadGame::Unknown(_) => unknown(game),
                bad => bad.text(),
            }),
        }
    }
}

fn unknown(name: &str) -> Text {
    const NAMES: &str =
        "arena, attacks, faults, grading, levels, page, proofs, queue, reach, serve, signature, soak, solver";
    let name = lianzi_core::shorten(name);
    text!(
        "there is nothing to measure called '{name}'; choose one of {NAMES}, or a game, such as gomoku",
        "没有名为“{name}”的测量；可选 {NAMES}，或一种棋，例如 gomoku"
    )
}

/// What is measured when nothing is named.
const MAIN_GAMES: [Rules; 6] = [
    Rules::gomoku(15),
    Rules::standard(15),
    Rules::renju(15),
    Rules::connect6(19),
    Rules::connect4(7, 6),
    Rules::connect4(9, 9),
];

impl Bench {
    /// Does it.
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        if let Some(brain) = self.brain {
            programs::be(brain)?;
            return Ok(ExitCode::SUCCESS);
        }
        match self.what {
            Some(What::Arena) => {
                self.arena(console)?;
                cage::arena(self.json, console)?;
            }
            Some(What::Faults) => {
                self.faults(console)?;
                cage::faults(self.json, console)?;
            }
            Some(What::Attacks) => {
                attacks::run(self.positions.as_deref(), &self.players, self.verbose, self.json, console)?;
            }
            Some(What::Grading) => grading::run(self.json, console)?,
            Some(What::Levels) => self.levels(console)?,
            Some(What::Page) => page::run(self.json, console)?,
            Some(What::Proofs) => match &self.positions {
                Some(file) => proofs::threats(file, self.json, console)?,
                None => proofs::run(self.count(1000), self.json, console)?,
            },
            Some(What::Queue) => queue::run(self.queue.as_deref(), self.json, console)?,
            Some(What::Reach) => self.reach(console)?,
            Some(What::Serve) => serve::run(self.json, console)?,
            Some(What::Signature) => signature::run(self.json, console)?,
            Some(What::Soak) => soak::run(self.time, self.json, console)?,
            Some(What::Solver) => {
                solver::run(self.positions.as_deref(), self.count(1000), &self.with, self.json, console)?;
            }
            Some(What::Engines(rules)) => engines::run(rules, self.json, console)?,
            None => {
                for rules in MAIN_GAMES {
                    if !self.json {
                        line(rules.to_string())?;
                    }
                    engines::run(rules, self.json, console)?;
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn count(&self, usual: usize) -> usize {
        self.count.map_or(usual, |count| count as usize)
    }

    fn reach(&self, console: &Console) -> anyhow::Result<()> {
        let boards = match self.game {
            Some(game) => vec![game],
            None => reach::BOARDS.iter().map(|board| board.parse()).collect::<Result<_, _>>()?,
        };
        reach::run(&boards, self.count(10), &self.with, self.json, console)
    }

    fn levels(&self, console: &Console) -> anyhow::Result<()> {
        let (top, out) = (self.top.unwrap_or(self.games), self.out.clone());
        let games = self.game.map_or_else(|| levels::GAMES.to_vec(), |game| vec![game]);
        for rules in games {
            let openings = lianzi_console::openings::openings(&self.openings, &rules, console)?;
            let (games, nodes, concurrency, out) = (self.games, self.nodes, self.concurrency, out.clone());
            let setting = levels::Setting { games, top, nodes, openings, concurrency, out };
            if !self.json {
                line(rules.to_string())?;
            }
            levels::run(rules, &setting, self.json, console)?;
        }
        Ok(())
    }

    fn arena(&self, console: &Console) -> anyhow::Result<()> {
        let inside = || -> [Box<dyn Player>; 2] { [Box::new(Strewn::default()), Box::new(Strewn::default())] };
        let threaded = || -> [Box<dyn Player>; 2] {
            let player = || EnginePlayer::new(Box::new(|_| Ok(Box::new(Strewn::default()))), Limits::default(), None);
            [Box::new(player()), Box::new(player())]
        };
        let inside_words = console.pick("players that answer inside take_turn", "在 take_turn 中直接作答的棋手");
        let thread_words = console.pick("engines on a thread of their own", "在独立线程上思考的引擎");
        let program_words = console.pick("programs over pipes", "经管道驱动的程序");
        let programs = [programs::player(Brain::Strewn)?, programs::player(Brain::Strewn)?];
        let rows = [
            ("inside", inside_words, inside(), 2000),
            ("thread", thread_words, threaded(), 200),
            ("program", program_words, programs, 100),
        ];
        for (name, words, mut players, games) in rows {
            let (plies, cpu, wall) = measure(&mut players, games);
            let per_ply = |time: Duration| time.as_secs_f64() * 1e6 / plies as f64;
            line(match self.json {
                true => json!({"bench": "arena", "players": name, "games": games, "plies": plies, "cpu_us_per_ply": per_ply(cpu), "wall_us_per_ply": per_ply(wall)}).to_string(),
                false => format!(
                    "{}: {:.2} µs CPU, {:.2} µs {} ({plies} {})",
                    words,
                    per_ply(cpu),
                    per_ply(wall),
                    console.pick("wall, per stone", "实耗/子"),
                    console.pick("stones", "子"),
                ),
            })?;
        }
        Ok(())
    }

    fn faults(&self, console: &Console) -> anyhow::Result<()> {
        for (name, kind) in Misdeed::ALL {
            let mut delays: Vec<f64> = (0..kind.repetitions()).map(|_| kind.delay()).collect::<Result<_, _>>()?;
            delays.sort_by(f64::total_cmp);
            let at = |share: f64| delays[((delays.len() - 1) as f64 * share) as usize];
            line(match self.json {
                true => json!({"bench": "faults", "fault": name, "samples": delays.len(), "p50_ms": at(0.5), "p99_ms": at(0.99), "max_ms": at(1.0)}).to_string(),
                false => format!(
                    "{name:20} p50 {:7.3} ms  p99 {:7.3} ms  max {:7.3} ms  {}",
                    at(0.5),
                    at(0.99),
                    at(1.0),
                    kind.since(console),
                ),
            })?;
        }
        Ok(())
    }
}

fn setup(control: Control, cutoff: Cutoff) -> GameSetup {
    let names = ["black".to_string(), "white".to_string()];
    GameSetup {
        rules: Rules::gomoku(15),
        opening: Vec::new(),
        rule: OpeningRule::None,
        control,
        cutoff,
        seed: 0,
        names,
    }
}

fn play(setup: &GameSetup, players: &mut [Box<dyn Player>; 2]) -> GameRecord {
    let [black, white] = players;
    play_game(setup, &mut [black.as_mut(), white.as_mut()], &Stop::default(), &mut |_| {})
}

/// Stones played, CPU time and wall time of so many games of 200 stones.
fn measure(players: &mut [Box<dyn Player>; 2], games: usize) -> (usize, Duration, Duration) {
    let setup = setup(Control::default(), Cutoff { max_plies: Some(200), agreed: None });
    play(&setup, players);
    let (wall, cpu) = (Instant::now(), cpu_time());
    let plies = (0..games).map(|_| play(&setup, players).moves.len()).sum();
    (plies, cpu_time() - cpu, wall.elapsed())
}

/// Plays the cells of its own colour in a pattern without lines, and thinks of nothing.
#[derive(Default)]
struct Strewn {
    next: [usize; 2],
}

impl Strewn {
    fn cell(&mut self, position: &Position) -> Cell {
        let side = position.to_move().index();
        let (width, height) = (usize::from(position.rules().width), usize::from(position.rules().height));
        loop {
            let n = self.next[side];
            self.next[side] = n + 1;
            let (column, row) = (n % width, n / width % height);
            if (column / 2 + row) % 2 == side {
                return Cell::new(column as u8, row as u8);
            }
        }
    }
}

impl Player for Strewn {
    fn sit(&mut self, _: &Seat<'_>) -> Result<(), Fault> {
        self.next = [0; 2];
        Ok(())
    }

    fn take_turn(&mut self, ask: &Ask<'_>, _: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        Ok(Reply { turn: vec![self.cell(ask.position).into()], ..Reply::default() })
    }

    fn leave(&mut self, _: &Verdict) {}
}

impl Engine for Strewn {
    fn begin(&mut self, _: u64) {
        self.next = [0; 2];
    }

    fn search(&mut self, position: &Position, _: &Limits, _: &Stop, _: &mut dyn FnMut(&Info)) -> Best {
        Best { turn: vec![self.cell(position)], info: Info::default() }
    }
}

/// What a player can do wrong.
#[derive(Clone, Copy, PartialEq)]
enum Misdeed {
    Hangs,
    HangsInGame,
    Panics,
    Illegal,
    Stones,
    Garbled,
    NotStarted,
    Program(Brain),
}

/// What an engine may take in these games.
const LIMIT: Duration = Duration::from_millis(30);
/// How much later its answer would still count.
const MARGIN: Duration = Duration::from_millis(20);

impl Misdeed {
    const ALL: [(&str, Misdeed); 10] = [
        ("timeout-move", Misdeed::Hangs),
        ("timeout-game", Misdeed::HangsInGame),
        ("crashed", Misdeed::Panics),
        ("illegal", Misdeed::Illegal),
        ("stones", Misdeed::Stones),
        ("garbled", Misdeed::Garbled),
        ("not-started", Misdeed::NotStarted),
        ("program-timeout", Misdeed::Program(Brain::Hangs)),
        ("program-crashed", Misdeed::Program(Brain::Dies)),
        ("program-not-started", Misdeed::Program(Brain::Absent)),
    ];

    fn hangs(self) -> bool {
        matches!(self, Misdeed::Hangs | Misdeed::HangsInGame | Misdeed::Program(Brain::Hangs))
    }

    fn repetitions(self) -> usize {
        match self {
            _ if self.hangs() => 100,
            Misdeed::Program(_) => 100,
            _ => 1000,
        }
    }

    fn since(self, console: &Console) -> &'static str {
        match self.hangs() {
            true => console.pick("after the limit, of which 20 ms are the margin", "超过时限后（其中 20 毫秒为宽限）"),
            false => console.pick("after the fault", "犯规之后"),
        }
    }

    /// Milliseconds from the limit, or from the deed where no limit is involved, to the verdict.
    fn delay(self) -> anyhow::Result<f64> {
        let control = match self {
            Misdeed::Hangs | Misdeed::Program(Brain::Hangs) => {
                Control { per_move: Some(LIMIT), margin: MARGIN, ..Control::default() }
            }
            Misdeed::HangsInGame => {
                Control { per_game: Some((LIMIT, Duration::ZERO)), margin: MARGIN, ..Control::default() }
            }
            _ => Control::default(),
        };
        let (mut black, mut white) = (self.player()?, Strewn::default());
        // A program's own start is not the arena's delay: the time runs from the question, if it comes to one.
        let mut start = Instant::now();
        let watch = &mut |event: Event<'_>| {
            if let Event::Asked(_) = event {
                start = Instant::now();
            }
        };
        let setup = setup(control, Cutoff::default());
        let record = play_game(&setup, &mut [black.as_mut(), &mut white], &Stop::default(), watch);
        let taken = start.elapsed();
        assert_eq!(record.verdict.blame, Some(Stone::Black), "the wrong side was blamed");
        let limit = if self.hangs() { LIMIT } else { Duration::ZERO };
        Ok(taken.saturating_sub(limit).as_secs_f64() * 1e3)
    }

    fn player(self) -> anyhow::Result<Box<dyn Player>> {
        Ok(match self {
            Misdeed::Program(brain) => programs::player(brain)?,
            Misdeed::Hangs | Misdeed::HangsInGame | Misdeed::Panics => {
                let make = move |_: &Rules| -> Result<Box<dyn Engine>, String> { Ok(Box::new(Bad(self))) };
                Box::new(EnginePlayer::new(Box::new(make), Limits::default(), None))
            }
            _ => Box::new(Bad(self)),
        })
    }
}

/// Somebody who does wrong.
struct Bad(Misdeed);

impl Engine for Bad {
    fn begin(&mut self, _: u64) {}

    fn search(&mut self, _: &Position, _: &Limits, _: &Stop, _: &mut dyn FnMut(&Info)) -> Best {
        if self.0 == Misdeed::Panics {
            // Unwinds like a panic, without a message on the terminal.
            std::panic::resume_unwind(Box::new("gone"));
        }
        // Deaf to the stop flag, yet not for ever: a bench should leave no thread behind.
        std::thread::sleep(LIMIT * 10);
        Best::default()
    }
}

impl Player for Bad {
    fn sit(&mut self, _: &Seat<'_>) -> Result<(), Fault> {
        match self.0 {
            Misdeed::NotStarted => Err(Fault::NotStarted(StartFault::Unloadable, String::new())),
            _ => Ok(()),
        }
    }

    fn take_turn(&mut self, _: &Ask<'_>, _: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        match self.0 {
            Misdeed::Garbled => Err(Fault::Garbled("?".into())),
            Misdeed::Illegal => Ok(Reply { turn: vec![Cell::new(30, 30).into()], ..Reply::default() }),
            _ => Ok(Reply::default()),
        }
    }

    fn leave(&mut self, _: &Verdict) {}
}
