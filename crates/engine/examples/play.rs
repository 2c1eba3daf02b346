//! Two engines play a game: `cargo run --release --example play -- connect6 strong uct`.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use lianzi_core::{Outcome, Position, Rules};
use lianzi_engine::{Limits, Options, Stop, catalog};

fn main() -> ExitCode {
    match play() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn play() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let rules: Rules = words.next().as_deref().unwrap_or("gomoku").parse()?;
    let names = [(); 2].map(|()| words.next().unwrap_or_else(|| "strong".into()));
    let [black, white] = names.each_ref().map(|name| catalog::engine(name, &rules, &Options::default()));
    let mut players = [black?, white?];
    let limits = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
    let mut position = Position::new(rules);
    while position.outcome().is_none() {
        let side = position.to_move().index();
        let best = players[side].search(&position, &limits, &Stop::default(), &mut |_| {});
        for cell in best.turn {
            position.play(cell)?;
            println!("{}: {cell}", names[side]);
        }
    }
    println!("{}", position.ascii());
    match position.outcome() {
        Some(Outcome::Win(stone)) => println!("{stone:?} wins: {}", names[stone.index()]),
        _ => println!("a draw"),
    }
    Ok(())
}
