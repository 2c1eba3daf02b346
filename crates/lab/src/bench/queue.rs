//! `bench queue`: how many games a second a queue's database hands out and stores, for 1, 4, 30 and 100 workers.

use std::time::Duration;

use anyhow::{Context, anyhow};
use lianzi_core::{Speak, text};
use lianzi_queue::bench::{Figures, measure};
use lianzi_queue::private::Cluster;
use lianzi_queue::schema;
use serde_json::json;

use lianzi_console::{Console, line};

const WORKERS: [usize; 4] = [1, 4, 30, 100];
const TIME: Duration = Duration::from_secs(5);

/// Measures a database, or one of its own that writes everything to disk as others do.
pub fn run(queue: Option<&str>, json: bool, console: &Console) -> anyhow::Result<()> {
    let own;
    let address = match queue {
        Some(address) => address.to_string(),
        None => {
            own = Cluster::start(&["fsync = on"]).context("PostgreSQL")?;
            let link = lianzi_console::queue::connect(&own.address(), console)?;
            schema::init(&link, None).map_err(|error| anyhow!(error.words(console.language)))?;
            own.address()
        }
    };
    let address = lianzi_console::queue::address(&address, console)?;
    for workers in WORKERS {
        let figures = measure(&address, workers, TIME).map_err(|error| anyhow!(error.words(console.language)))?;
        line(if json { told(&figures) } else { said(&figures, console) })?;
    }
    Ok(())
}

fn said(figures: &Figures, console: &Console) -> String {
    let Figures { workers, games, claims, finishes } = figures;
    let [[c50, c99], [f50, f99]] = [claims, finishes].map(|times| times.map(|time| 1e3 * time.as_secs_f64()));
    console.say(text!(
        "{workers:>3} workers: {games:>6.0} games/s; claim {c50:.1} ms (p99 {c99:.1}), finish {f50:.1} ms (p99 {f99:.1})",
        "{workers:>3} 个工作进程：每秒 {games:>6.0} 局；领取 {c50:.1} ms（p99 {c99:.1}），存入 {f50:.1} ms（p99 {f99:.1}）"
    ))
}

fn told(figures: &Figures) -> String {
    let seconds = |times: [Duration; 2]| times.map(|time| time.as_secs_f64());
    json!({
        "bench": "queue", "workers": figures.workers, "games_per_second": figures.games,
        "claim": seconds(figures.claims), "finish": seconds(figures.finishes),
    })
    .to_string()
}
