//! `completions`: a script that completes our commands in a shell.

use std::process::ExitCode;

use clap::Args;
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(Args)]
#[command(after_help = "Example:\n  lianzi completions bash > ~/.local/share/bash-completion/completions/lianzi")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(self, command: &mut clap::Command) -> anyhow::Result<ExitCode> {
        clap_complete::generate(self.shell, command, "lianzi", &mut std::io::stdout());
        Ok(ExitCode::SUCCESS)
    }
}
