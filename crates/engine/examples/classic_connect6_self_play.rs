//! `classic-connect6` against itself on 15×15, the experiment of its report: "after 8 rounds Black wins".
//!
//! `cargo run --release -p lianzi-engine --example classic_connect6_self_play [GAME] [KEY=VALUE …]`

use std::time::Instant;

use lianzi_core::{Position, Rules};
use lianzi_engine::{Limits, Options, Stop, catalog};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let rules: Rules = arguments.next().as_deref().unwrap_or("connect6:15").parse()?;
    let mut options = Options::default();
    for argument in arguments {
        let (key, value) = argument.split_once('=').ok_or("options are written key=value")?;
        options.given.insert(key.into(), value.into());
    }
    let mut engine = catalog::engine("classic-connect6", &rules, &options)?;
    let mut position = Position::new(rules);
    let (mut turns, mut nodes, start) = (0, 0, Instant::now());
    while position.outcome().is_none() {
        let stone = position.to_move();
        let best = engine.search(&position, &Limits::default(), &Stop::default(), &mut |_| {});
        for &cell in &best.turn {
            position.play(cell)?;
        }
        turns += 1;
        nodes += best.info.nodes;
        println!("{turns:3} {stone} {:?} score {}", best.turn, best.info.lines[0].score);
    }
    println!("{}", position.ascii());
    let rounds = turns as f64 / 2.0;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{:?} after {} rounds ({turns} turns), {nodes} nodes, {seconds:.3} s",
        position.outcome(),
        rounds.ceil()
    );
    Ok(())
}
