//! The document's table 3 once more: completed plies and nodes of each set of modules in a fixed CPU time.
//!
//! `cargo run --release -p lianzi-engine --example classic_gomoku -- [seconds] [modules]`

use std::thread;
use std::time::Duration;

use lianzi_core::{Position, Rules};
use lianzi_engine::classic::{ClassicGomoku, Modules, Settings};
use lianzi_engine::{Engine, Info, Limits, Stop};

const MODULES: [&str; 6] = ["0", "0+1", "0+1+2", "0+1+3", "0+1+2+3", "0+1+2+3+4"];

/// Openings of 4 to 16 stones, some quiet and some with a fight.
const OPENINGS: [&str; 5] = [
    "h8 i9 h10 g9",
    "h8 h9 i7 g9 j9 g7",
    "h8 i8 i9 g7 j10 k11 h10 h9 g9",
    "h8 i7 g8 f10 i10 h6 h9 f7 f8 i8 h10 h7",
    "h8 i9 f10 g9 f9 f8 h10 h9 g10 i10 e8 j9 k9 h11 k8 i8",
];

/// The CPU time of this process: all of it is spent by the one search that runs.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Other systems have no such clock in reach: the time since the first call stands in for it.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

fn position(moves: &str) -> Position {
    let mut position = Position::new(Rules::gomoku(15));
    for name in moves.split_whitespace() {
        let cell = name.parse().expect("the openings are written in cells");
        position.play(cell).expect("the openings are legal");
    }
    position
}

/// Searches for this long and returns what it reached.
fn measure(modules: Modules, position: &Position, time: Duration) -> (Info, Duration) {
    let settings = Settings { modules, lab: true, ..Settings::default() };
    let mut player = ClassicGomoku::new(position.rules(), settings).expect("this is Gomoku");
    let stop = Stop::default();
    let start = cpu_time();
    let flag = stop.clone();
    thread::scope(|scope| {
        scope.spawn(move || {
            while cpu_time() - start < time && !flag.is_set() {
                thread::sleep(Duration::from_millis(5));
            }
            flag.set();
        });
        let limits = Limits { nodes: Some(u64::MAX), ..Limits::default() };
        let best = player.search(position, &limits, &stop, &mut |_| {});
        stop.set();
        (best.info, cpu_time() - start)
    })
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(5.0);
    let wanted = arguments.next();
    println!("{:<10} {:>6} {:>6} {:>12} {:>9} {:>8}", "modules", "stones", "plies", "nodes", "CPU s", "M/s");
    for name in MODULES.into_iter().filter(|name| wanted.as_deref().is_none_or(|wanted| wanted == *name)) {
        let modules = name.parse().expect("the names of modules are right");
        for opening in OPENINGS {
            let position = position(opening);
            let (info, time) = measure(modules, &position, Duration::from_secs_f64(seconds));
            let seconds = time.as_secs_f64();
            let speed = info.nodes as f64 / seconds / 1e6;
            let stones = position.plies().len();
            println!(
                "{name:<10} {stones:>6} {:>6} {:>12} {seconds:>9.2} {speed:>8.2}",
                info.depth, info.nodes
            );
        }
    }
}
