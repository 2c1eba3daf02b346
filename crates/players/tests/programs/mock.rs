//! A program that misbehaves as it is told, and somebody harmless to play it.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lianzi_core::record::GameRecord;
use lianzi_core::{Act, Cell, Fault, Negotiation, OpeningRule, Position, Stone, Verdict};
use lianzi_engine::{Info, Limits, Stop};
use lianzi_game::clock::Control;
use lianzi_game::judge::{Answer, Cutoff};
use lianzi_game::play::{GameSetup, play_game};
use lianzi_game::player::{Ask, Player, Reply, Seat};
use lianzi_players::PlayerSpec;

use super::AMPLE;

/// Where the mock is. Whole runs of the tests have built it; one test alone builds it itself.
fn mock_engine() -> &'static Path {
    static BUILT: LazyLock<PathBuf> = LazyLock::new(|| {
        let tests = std::env::current_exe().unwrap();
        let built = tests.ancestors().nth(2).unwrap().join("examples/mock-engine");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mock/engine.rs");
        let made = |path: &Path| std::fs::metadata(path).and_then(|file| file.modified()).ok();
        if made(&built) < made(&source) {
            let arguments = ["build", "--quiet", "--package", "lianzi-players", "--example", "mock-engine"];
            assert!(std::process::Command::new(env!("CARGO")).args(arguments).status().unwrap().success());
        }
        built
    });
    &BUILT
}

/// A mock under a mark of its own.
pub struct Mock {
    protocol: &'static str,
    mode: &'static str,
    pub mark: String,
    pub log: PathBuf,
}

impl Mock {
    pub fn new(protocol: &'static str, mode: &'static str) -> Mock {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let mark = format!("mock-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let log = std::env::temp_dir().join(format!("{mark}.txt"));
        Mock { protocol, mode, mark, log }
    }

    pub fn spec(&self, options: &str) -> PlayerSpec {
        let kind = if self.protocol == "ccgc" || self.protocol == "cloudict" { "connect6" } else { self.protocol };
        let (bin, log) = (mock_engine().display(), self.log.display());
        let text = format!("{kind}:'{bin}' {} {} {} '{log}'@name=mock{options}", self.protocol, self.mode, self.mark);
        text.parse().unwrap()
    }

    /// Dialects are told apart in the plain modes only, because that takes a while.
    pub fn player(&self) -> Box<dyn Player> {
        let dialect = match self.protocol {
            "cloudict" | "ccgc" if !["good", "cr"].contains(&self.mode) => {
                format!(",dialect={}", self.protocol)
            }
            _ => String::new(),
        };
        self.spec(&dialect).player().unwrap()
    }

    /// The program at a table of swap2: what it does after what others did.
    pub fn swap2(&self, stone: Stone) -> impl FnMut(&str) -> Vec<Act> + use<> {
        let mut player = self.spec("").player().unwrap();
        let rules = "gomoku".parse().unwrap();
        player.sit(&Seat { rules: &rules, stone, control: &Control::default(), seed: 0 }).unwrap();
        move |so_far| {
            let begun = Negotiation::after(OpeningRule::Swap2, rules, &acts(so_far)).unwrap();
            let (position, interrupt) = (Position::new(rules), Stop::default());
            let deadline = Some(Instant::now() + AMPLE);
            let (limits, due) = (Limits::default(), deadline);
            let ask = Ask { position: &position, limits, due, deadline, interrupt: &interrupt };
            player.negotiate(&ask, &begun).unwrap().unwrap()
        }
    }

    /// How many processes carry the mark.
    pub fn processes(&self) -> usize {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
        lines.filter(|line| line.split(|&b| b == 0).any(|word| word == self.mark.as_bytes())).count()
    }

    /// Nobody is left; whoever was killed may take a moment to vanish.
    pub fn assert_gone(&self) {
        let start = Instant::now();
        while self.processes() > 0 {
            assert!(start.elapsed() < AMPLE, "{}: somebody is left", self.mode);
            std::thread::yield_now();
        }
    }
}

pub fn acts(text: &str) -> Vec<Act> {
    text.split_whitespace().map(|act| act.parse().unwrap()).collect()
}

impl Drop for Mock {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.log);
    }
}

/// Plays far from the mocks' pattern, in the upper rows, at once.
pub struct Harmless;

impl Player for Harmless {
    fn sit(&mut self, _: &Seat<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn take_turn(&mut self, ask: &Ask<'_>, _: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        let wanted = usize::from(ask.position.stones_left());
        let (n, all) = (ask.position.plies().len(), ask.position.legal().collect::<Vec<Cell>>());
        let stones = (0..wanted).map(|k| Answer::from(all[(n + k) * 37 % all.len()]));
        Ok(Reply { turn: stones.collect(), ..Reply::default() })
    }

    fn leave(&mut self, _: &Verdict) {}
}

pub fn setup(game: &str, opening: &str, time: Duration) -> GameSetup {
    GameSetup {
        rule: OpeningRule::None,
        rules: game.parse().unwrap(),
        opening: opening.split_whitespace().map(|name| name.parse().unwrap()).collect(),
        control: Control { per_move: Some(time), margin: Duration::from_millis(50), ..Control::default() },
        cutoff: Cutoff { max_plies: Some(13), agreed: None },
        seed: 1,
        names: ["black".into(), "white".into()],
    }
}

pub fn play(setup: &GameSetup, stone: Stone, mock: &mut dyn Player) -> GameRecord {
    let mut harmless = Harmless;
    let mut players: [&mut dyn Player; 2] = match stone {
        Stone::Black => [mock, &mut harmless],
        Stone::White => [&mut harmless, mock],
    };
    play_game(setup, &mut players, &Stop::default(), &mut |_| {})
}

pub fn game_of(protocol: &str) -> &'static str {
    if protocol == "ccgc" || protocol == "cloudict" { "connect6" } else { "gomoku" }
}
