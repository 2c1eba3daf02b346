//! `lianzi`: the command line. One file per subcommand in `commands/`; what several of them need stands beside it.
//!
//! Exit codes: 0 all is well, 1 a judged game shows a foul, 2 something could not be done (and stderr says what).

mod commands;
mod console;
mod cpu;
mod files;
mod lab;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use console::{Console, LanguageChoice};

/// Gomoku, Connect6 and Connect Four: play, judge, teach and measure.
#[derive(Parser)]
#[command(name = "lianzi", version, propagate_version = true, arg_required_else_help = true)]
struct Arguments {
    /// The language of words meant for people [default: from the environment]
    #[arg(long, global = true, value_enum, value_name = "LANGUAGE")]
    lang: Option<LanguageChoice>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is only ever one")]
enum Command {
    Play(commands::play::Play),
    Match(commands::match_::Match),
    Tournament(commands::tournament::Tournament),
    Analyze(commands::analyze::Analyze),
    Solve(commands::solve::Solve),
    Judge(commands::judge::Judge),
    Show(commands::show::Show),
    Replay(commands::replay::Replay),
    Convert(commands::convert::Convert),
    Perft(commands::perft::Perft),
    Serve(commands::serve::Serve),
    Bench(commands::bench::Bench),
    Lab(commands::lab::LabArgs),
    Dev(commands::dev::Dev),
    Completions(commands::completions::Completions),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let console = Console::new(arguments.lang);
    match run(arguments.command, &console) {
        Ok(code) => code,
        Err(error) => console.fail(&error),
    }
}

fn run(command: Command, console: &Console) -> anyhow::Result<ExitCode> {
    match command {
        Command::Play(command) => command.run(console),
        Command::Match(command) => command.run(console),
        Command::Tournament(command) => command.run(console),
        Command::Analyze(command) => command.run(console),
        Command::Solve(command) => command.run(console),
        Command::Judge(command) => command.run(console),
        Command::Show(command) => command.run(console),
        Command::Replay(command) => command.run(console),
        Command::Convert(command) => command.run(console),
        Command::Perft(command) => command.run(console),
        Command::Serve(command) => command.run(console),
        Command::Bench(command) => command.run(console),
        Command::Lab(command) => command.run(console),
        Command::Dev(command) => command.run(console),
        Command::Completions(command) => command.run(&mut Arguments::command()),
    }
}
