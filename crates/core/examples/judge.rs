//! Reads a game file of any known format and says how the game stands: `cargo run --example judge -- game.sgf`.

use std::error::Error;
use std::process::ExitCode;

use lianzi_core::Language;
use lianzi_core::record::{Document, Format};

fn main() -> ExitCode {
    match judge() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn judge() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).ok_or("name a file: cargo run --example judge -- game.sgf")?;
    let document = Document::Single(std::fs::read(&name).map_err(|why| format!("{name}: {why}"))?);
    let format = Format::detect(&name, &document).ok_or("the file is of no known format")?;
    for loaded in format.read(&document, None)? {
        let record = loaded.record;
        println!("{}", record.position().ascii());
        println!("{}", record.verdict.words(&record.rules, Language::English));
        if let Some(problem) = loaded.problem {
            println!("line {} is against the rules", problem.line);
        }
    }
    Ok(())
}
