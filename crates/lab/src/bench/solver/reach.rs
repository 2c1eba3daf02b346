//! `bench reach`: how many positions of larger boards are solved in one and in ten seconds of CPU time.
//!
//! Random positions that a thousand nodes do not decide, from many stones to few; once none is solved, fewer stones are
//! not tried. Each is asked alone.

use std::time::Duration;

use anyhow::anyhow;
use lianzi_core::{Position, Random, Rules, Speak};
use lianzi_engine::workshop::connect4::ConnectFour;
use lianzi_engine::{Limits, Stop};
use serde_json::json;

use lianzi_cage::cpu::thread_time;
use lianzi_console::position::With;
use lianzi_console::{Console, line};

use super::random_position;

/// The boards.
pub const BOARDS: [&str; 6] =
    ["connect4:8x7", "connect4:8x7/d3", "connect4:8x7/b1,g5", "connect4:8x8", "connect4:8x8/d3", "connect4:8x8/b1,g5"];

/// How many stones there are, the most first.
const STONES: [usize; 8] = [36, 32, 28, 24, 20, 16, 12, 8];

/// Who is solved by so many nodes says nothing.
const EASY: u64 = 1000;

/// Nobody reads a CPU clock inside a search, so it goes on in parts of so many nodes; the table keeps what was found.
const PART: u64 = 500_000;

/// The times that are told.
const SOON: Duration = Duration::from_secs(1);
const LATE: Duration = Duration::from_secs(10);

/// Solves so many positions of each number of stones on each board.
pub fn run(boards: &[Rules], count: usize, with: &With, json: bool, console: &Console) -> anyhow::Result<()> {
    for rules in boards {
        let mut solver = ConnectFour::with_book(rules, with.setting()?.table, None)
            .map_err(|none| anyhow!("{}", none.words(console.language)))?;
        for stones in STONES {
            let positions = hard(&mut solver, *rules, stones, count);
            let times: Vec<Duration> = positions.iter().filter_map(|position| solve(&mut solver, position)).collect();
            print(rules, stones, positions.len(), &times, json, console)?;
            if !positions.is_empty() && times.is_empty() {
                break;
            }
        }
    }
    Ok(())
}

/// Positions that are not decided at once; where they are rare, fewer.
fn hard(solver: &mut ConnectFour, rules: Rules, stones: usize, count: usize) -> Vec<Position> {
    let easy = Limits { nodes: Some(EASY), ..Limits::default() };
    let mut random = Random::new(stones as u64);
    let games = (0..20 * count).map(|_| random_position(rules, stones, &mut random));
    let hard = games.filter(|position| {
        solver.forget();
        solver.score(position, &easy, &Stop::default()).exact().is_none()
    });
    hard.take(count).collect()
}

/// The CPU time that it took to solve this, unless that was too long.
fn solve(solver: &mut ConnectFour, position: &Position) -> Option<Duration> {
    let part = Limits { nodes: Some(PART), ..Limits::default() };
    solver.forget();
    let start = thread_time();
    while thread_time() - start < LATE {
        if solver.score(position, &part, &Stop::default()).exact().is_some() {
            return Some(thread_time() - start);
        }
    }
    None
}

fn print(
    rules: &Rules,
    stones: usize,
    positions: usize,
    times: &[Duration],
    json: bool,
    console: &Console,
) -> anyhow::Result<()> {
    let within = |limit| times.iter().filter(|&&time| time <= limit).count();
    let (soon, late) = (within(SOON), within(LATE));
    line(match json {
        true => json!({"bench": "reach", "game": rules.to_string(), "stones": stones, "positions": positions, "within_1s": soon, "within_10s": late}).to_string(),
        false => format!(
            "{rules}  {stones:2} {}  1 s {soon}  10 s {late}  {} {positions}",
            console.pick("stones", "子"),
            console.pick("of", "共"),
        ),
    })
}
