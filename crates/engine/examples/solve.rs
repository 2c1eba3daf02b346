//! Solves a position: `cargo run --release --example solve -- connect4 d d d d d`.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use lianzi_core::{Language, Position, Rules};
use lianzi_engine::catalog::{Setting, solver};
use lianzi_engine::{Limits, Stop};

fn main() -> ExitCode {
    match solve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn solve() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let rules: Rules = words.next().as_deref().unwrap_or("connect4").parse()?;
    let position = Position::after(rules, &words.collect::<Vec<_>>().join(" "))?;
    let mut solver = solver(&rules, Setting::default())?;
    let (limits, stop) = (Limits { move_time: Some(Duration::from_secs(10)), ..Limits::default() }, Stop::default());
    let mut solution = solver.solve(&position, &limits, &stop);
    solver.extend(&position, &mut solution, &stop);
    println!("{:?} {}", position.to_move(), solution.result.words(Language::English));
    if let Some(score) = solution.score {
        println!("score {score}");
    }
    let line: Vec<String> = solution.line.iter().map(ToString::to_string).collect();
    println!("{} nodes; {}", solution.nodes, line.join(" "));
    Ok(())
}
