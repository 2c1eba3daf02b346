//! `dev`: what makes the engines strong.

mod book;
mod fit;
mod learn;
mod module;
mod openings;
mod puzzles;
mod selfplay;
mod threats;
mod trace;
mod train;
mod tune;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use lianzi_console::Console;

/// Rebuild what makes the engines strong
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lianzi dev selfplay gomoku --games 9000 --nodes 3000 --concurrency 2 --out games.lzsp\n  lianzi dev fit games.lzsp --out crates/engine/data/gomoku/free.weights\n  lianzi dev train games.lzsp --out new.network\n  lianzi dev openings gomoku --count 200 --out data/openings/gomoku.txt\n  lianzi dev puzzles renju --each 100 --out crates/train/data/renju.puzzles\n  lianzi dev tune gomoku --nodes 10000 --iterations 2000 --concurrency 2 --out tune.json\n  lianzi dev book --stones 4 --hash 4096 --out crates/engine/data/connect4.book\n  lianzi dev book connect6 --nodes 3000000 --hash 256 --out crates/engine/data/connect6.book"
)]
pub struct Dev {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Book(book::Book),
    Fit(fit::Fit),
    Module(module::ModuleArgs),
    Openings(openings::OpeningsArgs),
    Puzzles(puzzles::PuzzlesArgs),
    Selfplay(selfplay::SelfPlay),
    Threats(threats::ThreatArgs),
    Trace(trace::TraceArgs),
    Train(train::Train),
    Tune(tune::Tune),
}

impl Dev {
    /// Does it.
    pub fn run(self, console: &Console) -> anyhow::Result<ExitCode> {
        match self.what {
            What::Book(book) => book.run(console),
            What::Fit(fit) => fit.run(console),
            What::Module(module) => module.run(console),
            What::Openings(openings) => openings.run(console),
            What::Puzzles(puzzles) => puzzles.run(console),
            What::Selfplay(selfplay) => selfplay.run(console),
            What::Threats(threats) => threats.run(console),
            What::Trace(trace) => trace.run(console),
            What::Train(train) => train.run(console),
            What::Tune(tune) => tune.run(console),
        }
    }
}
