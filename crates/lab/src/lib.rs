//! What measures and makes: the library of the commands `lab`, `bench` and `dev`.
//!
//! [`lab`] repeats the experiments of the documents, one file each in `experiments/`. [`bench`](mod@bench) measures this program: engines, the
//! arena, faults, the web board under load. [`dev`] makes what the engines know: games, weights, openings, books.
//!
//! They stand apart from the command line because nobody who plays needs them, and because what only they need (a
//! client for the server's sockets) should burden nobody else. Each command's arguments stand with it: its flags are
//! half of what an experiment is.

pub mod bench;
pub mod dev;
mod experiments;
pub mod lab;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for work of so many parts.
fn bar(parts: u64) -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len}  {elapsed} / {duration}")?;
    Ok(ProgressBar::new(parts).with_style(style))
}
