//! What a cage costs: its start and end, and each call. Needs a C compiler for the library it measures with.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use lianzi_cage::Cages;
use lianzi_core::{OpeningRule, Position, Rules, Stone, Verdict, text};
use lianzi_engine::{Limits, Stop};
use lianzi_game::clock::Control;
use lianzi_game::judge::Cutoff;
use lianzi_game::play::{GameSetup, play_game};
use lianzi_game::player::{Ask, Player, Seat};
use lianzi_players::{Interface, PlayerSpec, Strategy, StrategyPlayer};
use serde_json::json;

use lianzi_console::{Console, line};

/// A strategy that plays the first free column, or does as it is told when it is compiled: it fails (1 to 3), or takes disk that
/// no length (4) and no name shows, open (5) or only mapped (6), or all the threads it gets (7).
const SOURCE: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static void *burn(void *nothing) {
    for (volatile int on = 1; on;) { }
    return nothing;
}
typedef struct { int x, y; } Point;
Point *getPoint(const int M, const int N, const int *top, const int *board, const int lastX, const int lastY,
                const int noX, const int noY) {
    Point *point = malloc(sizeof *point);
    int column = 0;
#if DEED == 1
    abort();
#elif DEED == 2
    exit(0);
#elif DEED == 3
    burn(0);
#elif DEED == 4
    for (int n = 0; n < 64; n++) fallocate(open("a", O_CREAT | O_RDWR, 0600), 1, (long)n << 26, 1 << 26);
#elif DEED == 5 || DEED == 6
    for (;;) {
        static char block[1 << 20];
        int file = open("a", O_CREAT | O_RDWR, 0600);
        for (int n = 0; n < 8 && write(file, block, sizeof block) > 0; n++) { }
        mmap(0, 4096, PROT_READ, MAP_SHARED, file, 0);
        unlink("a");
        if (DEED == 6) close(file);
    }
#elif DEED == 7
    pthread_t thread;
    for (int n = 0; n < 4000; n++) pthread_create(&thread, 0, burn, 0);
#endif
    while (column < N - 1 && top[column] == 0) column++;
    point->x = top[column] - 1;
    point->y = column;
    return point;
}
void clearPoint(Point *point) { free(point); }
"#;

/// What an empty board costs a strategy that does not think.
const RULES: Rules = Rules::connect4(9, 9);
const LIMIT: Duration = Duration::from_millis(30);
const MARGIN: Duration = Duration::from_millis(20);

/// A library made for this measurement; its folder goes with it.
pub struct Library {
    folder: tempfile::TempDir,
}

impl Library {
    pub fn new() -> Option<Library> {
        Some(Library { folder: tempfile::tempdir().ok()? })
    }

    pub fn compile(&self, deed: usize) -> Option<PathBuf> {
        let (source, library) = (self.path("strategy.c"), self.path(&format!("strategy{deed}.so")));
        std::fs::write(&source, SOURCE).ok()?;
        let mut compiler = Command::new("cc");
        compiler
            .args(["-O2", "-shared", "-fPIC", "-pthread", &format!("-DDEED={deed}"), "-o"])
            .arg(&library)
            .arg(&source);
        compiler.status().is_ok_and(|status| status.success()).then_some(library)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn player(file: &Path, cages: &Cages) -> StrategyPlayer {
    Strategy::new(Interface::Library, file).player(Some(cages))
}

fn seat(control: &Control) -> Seat<'_> {
    Seat { rules: &RULES, stone: Stone::Black, control, seed: 0 }
}

/// Milliseconds or microseconds: the middle and the worst.
fn spread(mut times: Vec<Duration>, unit: f64) -> (f64, f64) {
    times.sort();
    let of = |time: &Duration| time.as_secs_f64() / unit;
    (times.get(times.len() / 2).map_or(0.0, of), times.last().map_or(0.0, of))
}

/// Starting and ending a cage, and a call in it.
pub fn arena(as_json: bool, console: &Console) -> anyhow::Result<()> {
    let library = Library::new();
    let Some(file) = library.as_ref().and_then(|library| library.compile(0)) else {
        return no_compiler(console);
    };
    let games = start_and_end(&file, &console.cages);
    let calls = calls(&file, &console.cages);
    let (samples, (game, worst_game), (call, worst_call)) = (games.len(), spread(games, 1e-3), spread(calls, 1e-6));
    line(match as_json {
        true => json!({"bench": "arena", "players": "cage", "games": samples, "start_end_ms_p50": game, "start_end_ms_max": worst_game, "call_us_p50": call, "call_us_max": worst_call}).to_string(),
        false => console.say(text!(
            "strategy libraries in a cage: {game:.2} ms (at most {worst_game:.2}) to start and end, {call:.1} µs (at most {worst_call:.0}) per call",
            "隔离进程中的策略库: {game:.2} ms (最多 {worst_game:.2}) 启动与结束, {call:.1} µs (最多 {worst_call:.0}) 每次调用"
        )),
    })
}

fn start_and_end(file: &Path, cages: &Cages) -> Vec<Duration> {
    let control = Control::default();
    let once = || {
        let (start, mut player) = (Instant::now(), player(file, cages));
        player.sit(&seat(&control)).is_ok().then(|| {
            player.leave(&Verdict::UNFINISHED);
            start.elapsed()
        })
    };
    (0..100).filter_map(|_| once()).collect()
}

fn calls(file: &Path, cages: &Cages) -> Vec<Duration> {
    let (control, interrupt) = (Control::default(), Stop::default());
    let position = Position::new(RULES);
    let mut player = player(file, cages);
    if player.sit(&seat(&control)).is_err() {
        return Vec::new();
    }
    let deadline = Some(Instant::now() + Duration::from_secs(60));
    let limits = Limits::default();
    let ask = Ask { position: &position, limits, due: deadline, deadline, interrupt: &interrupt };
    let mut once = || {
        let start = Instant::now();
        player.take_turn(&ask, &mut |_| {}).is_ok().then(|| start.elapsed())
    };
    (0..2000).filter_map(|_| once()).collect()
}

/// How soon a caged strategy's faults are judged, from the start of the call or the end of the limit.
pub fn faults(as_json: bool, console: &Console) -> anyhow::Result<()> {
    let library = Library::new();
    for (deed, name) in [(1, "cage-crashed"), (2, "cage-exited"), (3, "cage-timeout")] {
        let Some(file) = library.as_ref().and_then(|library| library.compile(deed)) else {
            return no_compiler(console);
        };
        let (p50, max) = spread((0..50).map(|_| fault(&file, deed == 3, &console.cages)).collect(), 1e-3);
        line(match as_json {
            true => json!({"bench": "faults", "fault": name, "samples": 50, "p50_ms": p50, "max_ms": max}).to_string(),
            false => format!(
                "{name:12} p50 {p50:7.3} ms                  max {max:7.3} ms  {}",
                match deed {
                    3 => console
                        .pick("after the limit, of which 20 ms are the margin", "超过时限后（其中 20 毫秒为宽限）"),
                    _ => console.pick("with the start of the cage", "含隔离进程启动"),
                },
            ),
        })?;
    }
    Ok(())
}

fn fault(file: &Path, hangs: bool, cages: &Cages) -> Duration {
    let control = match hangs {
        true => Control { per_move: Some(LIMIT), margin: MARGIN, ..Control::default() },
        false => Control { per_move: Some(Duration::from_secs(10)), ..Control::default() },
    };
    let names = ["black".to_string(), "white".to_string()];
    let setup = GameSetup {
        rules: RULES,
        opening: Vec::new(),
        rule: OpeningRule::None,
        control,
        cutoff: Cutoff::default(),
        seed: 0,
        names,
    };
    let (mut bad, mut other) = (player(file, cages), nobody());
    let start = Instant::now();
    let record = play_game(&setup, &mut [&mut bad, other.as_mut()], &Stop::default(), &mut |_| {});
    let taken = start.elapsed();
    assert_eq!(record.verdict.blame, Some(Stone::Black), "the wrong side was blamed");
    if hangs { taken.saturating_sub(LIMIT) } else { taken }
}

/// Somebody who is never asked.
fn nobody() -> Box<dyn Player> {
    let spec: PlayerSpec = "random".parse().expect("one of our players");
    spec.player().expect("no person")
}

pub fn no_compiler(console: &Console) -> anyhow::Result<()> {
    line(console.pick("cages: not measured, for there is no C compiler (cc)", "隔离进程：未测量，缺少 C 编译器（cc）"))
}
