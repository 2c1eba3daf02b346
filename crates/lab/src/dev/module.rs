//! `dev module`: answers what a page asks its module, natively.

use std::io::{BufRead, stdin};
use std::process::ExitCode;

use clap::Args;

use lianzi_console::{Console, line};
use lianzi_wasm::Module;

/// Answer a page's requests as its module does, one JSON text a line, to compare the two
#[derive(Args)]
#[command(after_help = "Example:\n  echo '{\"do\":\"rules\",\"game\":\"renju\"}' | lianzi dev module")]
pub struct ModuleArgs {}

impl ModuleArgs {
    /// Does it, until there are no more requests.
    pub fn run(self, _: &Console) -> anyhow::Result<ExitCode> {
        let mut module = Module::new(|_| {});
        for request in stdin().lock().lines() {
            line(module.answer(&request?))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
