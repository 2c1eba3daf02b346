//! How soon all columns of a position have their exact scores, wherever in a game it is met.
//!
//! Positions come from random games, as many with each number of stones, and each is asked alone: what others taught
//! is forgotten.

use std::time::Duration;

use anyhow::{anyhow, ensure};
use lianzi_core::{Position, Random, Speak};
use lianzi_engine::workshop::connect4::ConnectFour;
use lianzi_engine::{Limits, Stop};
use serde_json::json;

use lianzi_cage::cpu::thread_time;
use lianzi_console::position::With;
use lianzi_console::{Console, line};

use super::{BOARD, random_position};
use crate::bar;

/// Measures so many positions, and prints what numbers of stones take, and all together.
pub fn run(count: usize, with: &With, json: bool, console: &Console) -> anyhow::Result<()> {
    let setting = with.setting()?;
    let solver = ConnectFour::with_book(&BOARD, setting.table, setting.book);
    let mut solver = solver.map_err(|none| anyhow!("{}", none.words(console.language)))?;
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); BOARD.capacity()];
    let bar = bar(count as u64)?;
    for n in 0..count {
        let stones = n % BOARD.capacity();
        let position = random_position(BOARD, stones, &mut Random::new(n as u64));
        times[stones].push(measured(&mut solver, &position)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    for (stones, times) in times.iter().enumerate().filter(|(_, times)| !times.is_empty()) {
        print(Some(stones), times, json, console)?;
    }
    print(None, &times.concat(), json, console)
}

/// The CPU time of one answer, which is complete and agrees with the score of the position itself.
fn measured(solver: &mut ConnectFour, position: &Position) -> anyhow::Result<Duration> {
    let (limits, stop) = (Limits::default(), Stop::default());
    solver.forget();
    let start = thread_time();
    let choices = solver.scores(position, &limits, &stop, &mut |_, _| {});
    let taken = thread_time() - start;
    let best = choices.first().and_then(|choice| choice.known.exact());
    ensure!(choices.iter().all(|choice| choice.known.exact().is_some()), "a column without a score");
    ensure!(
        best == solver.score(position, &limits, &stop).exact(),
        "the best column has another score than its position"
    );
    Ok(taken)
}

fn print(stones: Option<usize>, times: &[Duration], json: bool, console: &Console) -> anyhow::Result<()> {
    let mut sorted: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
    let [half, most, late, worst] = [0.5, 0.9, 0.99, 1.0].map(at);
    let whose = match stones {
        Some(stones) => format!("{stones:2} {}", console.pick("stones", "子")),
        None => console.pick("all", "全部").to_string(),
    };
    line(match json {
        true => json!({"bench": "columns", "stones": stones, "positions": times.len(), "p50_ms": half, "p90_ms": most, "p99_ms": late, "max_ms": worst}).to_string(),
        false => format!(
            "{whose}: {} {}  p50 {half:.3} ms  p90 {most:.3} ms  p99 {late:.3} ms  max {worst:.3} ms CPU",
            times.len(),
            console.pick("positions", "个局面"),
        ),
    })
}
