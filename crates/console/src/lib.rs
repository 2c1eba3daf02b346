//! What every command shares: the terminal, which language to speak, how to end, files and positions that a user names.
//!
//! The only crates that read the environment or print are this one and those above it in the command line: `lab` and
//! `cli`. It exists because both need it; libraries below tell what happened and leave the words' place to their caller.

pub mod files;
pub mod openings;
pub mod position;
pub mod queue;

use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use anyhow::anyhow;
use clap::ValueEnum;
use lianzi_cage::Cages;
use lianzi_core::{Language, Position, Speak, Text, shown_lines};
use lianzi_engine::Stop;
use lianzi_players::PlayerSpec;

/// The languages a user can name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LanguageChoice {
    /// English
    En,
    /// 中文
    Zh,
}

/// Where words for people go, and where foreign code runs.
pub struct Console {
    /// The language to speak.
    pub language: Language,
    /// Where foreign code runs.
    pub cages: Cages,
}

impl Console {
    /// The language asked for, or the one the environment speaks.
    pub fn new(choice: Option<LanguageChoice>, no_cage: bool) -> Console {
        let language = language(choice);
        // Without a path to itself the program cannot start a cage; the attempt will say so.
        let program = std::env::current_exe().unwrap_or_default();
        let cages = Cages::new(&program, &std::env::temp_dir(), !no_cage);
        Console { language, cages }
    }

    /// Finds out before any game whether foreign code can be caged; others need no cage.
    pub fn check_cage(&self, spec: &PlayerSpec) -> anyhow::Result<()> {
        spec.check_cage(&self.cages).map_err(|bad| anyhow!("{spec}: {}", bad.words(self.language)))
    }

    /// Chooses between the two versions of one text.
    pub fn pick<T: Copy>(&self, english: T, chinese: T) -> T {
        self.language.pick(english, chinese)
    }

    /// The text in the user's language.
    pub fn say(&self, text: Text) -> String {
        text.said(self.language)
    }

    /// The board, with round stones where a terminal can show them.
    pub fn board(&self, position: &Position) -> String {
        if shows_unicode() { position.unicode().to_string() } else { position.ascii().to_string() }
    }

    /// Says what went wrong and how the process ends. A reader that hung up (`lianzi … | head`) is no error.
    pub fn fail(&self, error: &anyhow::Error) -> ExitCode {
        let hung_up = error.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe);
        if hung_up {
            return ExitCode::SUCCESS;
        }
        warn(format!("lianzi: {}", self.words(error)));
        ExitCode::from(2)
    }

    /// All that an error says, from the outside in: a [`Text`] in the user's language, the system in our words.
    pub fn words(&self, error: &anyhow::Error) -> String {
        let words = error.chain().map(|cause| {
            if let Some(text) = cause.downcast_ref::<Text>() {
                return text.words(self.language).into();
            }
            cause.downcast_ref().map_or_else(|| cause.to_string(), |system| self.language.system(system))
        });
        words.collect::<Vec<_>>().join(": ")
    }
}

/// Whether a person sits at both ends.
pub fn is_interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Whether a person sits at both ends and the terminal can be drawn on.
pub fn has_screen() -> bool {
    is_interactive() && std::env::var("TERM").is_ok_and(|term| !term.is_empty() && term != "dumb")
}

/// Whether colours are welcome: <https://no-color.org>.
pub fn shows_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Writes a line to stdout; unlike `println!` it does not panic when the reader hung up. Whatever strangers wrote into the
/// text, the terminal shows it and does not obey it.
pub fn line(text: impl AsRef<str>) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(shown_lines(text.as_ref()).as_bytes())?;
    out.write_all(b"\n")?;
    Ok(())
}

/// Writes a line to stderr, as [`line()`] does to stdout. Nobody is left to complain to when that fails.
pub fn warn(text: impl AsRef<str>) {
    let _ = writeln!(std::io::stderr(), "{}", shown_lines(text.as_ref()));
}

/// Writes a prompt without a line end.
pub fn prompt(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// The language asked for, or the one the environment speaks.
pub fn language(choice: Option<LanguageChoice>) -> Language {
    match choice {
        Some(LanguageChoice::En) => Language::English,
        Some(LanguageChoice::Zh) => Language::Chinese,
        None => language_of_environment(),
    }
}

fn language_of_environment() -> Language {
    if locale().to_ascii_lowercase().starts_with("zh") { Language::Chinese } else { Language::English }
}

/// Whether round stones and lines can be shown.
pub fn shows_unicode() -> bool {
    let locale = locale().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// The locale for messages, by the order POSIX gives.
fn locale() -> String {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    ["LIANZI_LANG", "LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set).unwrap_or_default()
}

/// The first Ctrl-C ends the work cleanly, the second one at once.
pub fn stop_on_ctrl_c() -> anyhow::Result<Stop> {
    let stop = Stop::default();
    let flag = stop.clone();
    ctrlc::set_handler(move || {
        if flag.is_set() {
            std::process::exit(130);
        }
        flag.set();
    })?;
    Ok(stop)
}

/// How many threads this machine runs at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
