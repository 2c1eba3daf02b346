//! Prints how many simulations UCT makes in a second of CPU time:
//! `cargo run --release -p lianzi-engine --example speed -- 100000 uct classic-uct uct@near=0`.

use std::time::Duration;

use lianzi_core::Position;
use lianzi_engine::{Limits, Options, Stop, catalog};

/// The CPU time of this thread, which a busy machine does not stretch.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Other systems have no such clock in reach.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}

fn options(text: &str) -> Options {
    let given = text.split(',').filter_map(|option| option.split_once('='));
    Options { given: given.map(|(key, value)| (key.into(), value.into())).collect(), ..Options::default() }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let nodes = arguments.next().map_or(Ok(100_000), |nodes| nodes.parse())?;
    let mut players: Vec<String> = arguments.collect();
    if players.is_empty() {
        players = vec!["uct".into()];
    }
    for game in ["connect4", "connect4:9x9", "connect4:12x12", "gomoku", "standard", "renju", "connect6"] {
        for player in &players {
            let (name, given) = player.split_once('@').unwrap_or((player, ""));
            let rules = game.parse()?;
            let mut engine = catalog::engine(name, &rules, &options(given))?;
            engine.begin(1);
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let start = cpu_time();
            let best = engine.search(&Position::new(rules), &limits, &Stop::default(), &mut |_| {});
            let speed = best.info.nodes as f64 / (cpu_time() - start).as_secs_f64();
            println!(
                "{game:15} {player:20} {speed:>9.0} simulations per CPU second, depth {}",
                best.info.depth
            );
        }
    }
    Ok(())
}
