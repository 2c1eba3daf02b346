//! `lianzi`: the command line. One file per subcommand in `commands/`; what several of them need stands beside it.
//!
//! Exit codes: 0 all is well, 1 a judged game shows a foul, 2 something could not be done (and stderr says what).

mod commands;
mod help;
mod terminal;
mod usage;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use lianzi_cage::CAGE;
use lianzi_console::{Console, LanguageChoice};

/// Gomoku, Connect6 and Connect Four: play, judge, teach and measure.
#[derive(Parser)]
#[command(name = "lianzi", version, propagate_version = true, arg_required_else_help = true)]
struct Arguments {
    /// The language of words meant for people [default: from the environment]
    #[arg(long, global = true, value_enum, value_name = "LANGUAGE")]
    lang: Option<LanguageChoice>,
    /// Run strategies (so:, py:, kaggle:) without a cage: they can do all that you can
    #[arg(long, global = true)]
    no_cage: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is only ever one")]
enum Command {
    Play(commands::play::Play),
    Match(commands::match_::Match),
    Tournament(commands::tournament::Tournament),
    Compete(commands::compete::Compete),
    Grade(commands::grade::Grade),
    Rank(commands::rank::Rank),
    Worker(commands::worker::Worker),
    Queue(commands::queue::Queue),
    Train(commands::train::Train),
    Analyze(commands::analyze::Analyze),
    Explore(commands::explore::Explore),
    Csv(commands::csv::Csv),
    Solve(commands::solve::Solve),
    Judge(commands::judge::Judge),
    Show(commands::show::Show),
    Replay(commands::replay::Replay),
    Convert(commands::convert::Convert),
    Perft(commands::perft::Perft),
    Call(commands::call::CallArgs),
    Serve(commands::serve::Serve),
    Backup(commands::backup::Backup),
    Site(commands::site::SiteArgs),
    New(commands::new::New),
    Engine(commands::engine::Engine),
    Bench(lianzi_lab::bench::Bench),
    Lab(lianzi_lab::lab::LabArgs),
    Dev(lianzi_lab::dev::Dev),
    Completions(commands::completions::Completions),
}

fn main() -> ExitCode {
    // The cage is no command for people: foreign code runs in it, so it starts before anything else does.
    if std::env::args_os().nth(1).is_some_and(|first| first == CAGE) {
        return lianzi_cage::run();
    }
    let Arguments { lang, no_cage, command } = if is_bare_pbrain() {
        let command = Command::Engine(commands::engine::Engine::pbrain());
        Arguments { lang: None, no_cage: false, command }
    } else {
        match Arguments::try_parse() {
            Ok(arguments) => arguments,
            Err(error) => return usage::refuse(&error, Arguments::command()),
        }
    };
    let console = Console::new(lang, no_cage);
    match run(command, &console) {
        Ok(code) => code,
        Err(error) => console.fail(&error),
    }
}

/// Whether Gomocup started us: the name of a brain, and nothing else.
fn is_bare_pbrain() -> bool {
    let mut words = std::env::args_os();
    let program = words.next().unwrap_or_default();
    commands::engine::is_pbrain(program.as_ref()) && words.next().is_none()
}

fn run(command: Command, console: &Console) -> anyhow::Result<ExitCode> {
    match command {
        Command::Play(command) => command.run(console),
        Command::Match(command) => command.run(console),
        Command::Tournament(command) => command.run(console),
        Command::Compete(command) => command.run(console),
        Command::Grade(command) => command.run(console),
        Command::Rank(command) => command.run(console),
        Command::Worker(command) => command.run(console),
        Command::Queue(command) => command.run(console),
        Command::Train(command) => command.run(console),
        Command::Analyze(command) => command.run(console),
        Command::Explore(command) => command.run(console),
        Command::Csv(command) => command.run(console),
        Command::Solve(command) => command.run(console),
        Command::Judge(command) => command.run(console),
        Command::Show(command) => command.run(console),
        Command::Replay(command) => command.run(console),
        Command::Convert(command) => command.run(console),
        Command::Perft(command) => command.run(console),
        Command::Call(command) => command.run(console),
        Command::Serve(command) => command.run(console),
        Command::Backup(command) => command.run(console),
        Command::Site(command) => command.run(console),
        Command::New(command) => command.run(console),
        Command::Engine(command) => command.run(console),
        Command::Bench(command) => command.run(console),
        Command::Lab(command) => command.run(console),
        Command::Dev(command) => command.run(console),
        Command::Completions(command) => command.run(&mut Arguments::command()),
    }
}
