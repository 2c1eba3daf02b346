//! The caged process itself: reads its sentence, locks itself in, and only then touches foreign code.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::ExitCode;

use super::wire::{CageNews, Sentence, Work};
use super::{library, system};

/// The cage's ends of the two pipes to the arena.
pub struct Line {
    orders: BufReader<File>,
    news: File,
}

impl Line {
    /// The next order; `None` when the arena is gone.
    pub fn order(&mut self) -> Option<String> {
        let mut line = String::new();
        self.orders.read_line(&mut line).ok().filter(|&length| length > 0).map(|_| line)
    }

    /// Tells the arena; nobody is left to complain to when that fails.
    pub fn tell(&mut self, news: &CageNews) {
        let mut line = serde_json::to_string(news).expect("news are plain");
        line.push('\n');
        let _ = self.news.write_all(line.as_bytes());
    }
}

/// The whole life of a caged process: what `lianzi cage` does. It ends when the arena wants it to.
pub fn run() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("lianzi: {why}");
            ExitCode::FAILURE
        }
    }
}

fn serve() -> std::io::Result<()> {
    system::own_session();
    system::die_with_parent()?;
    let (orders, news) = system::private_pipes()?;
    let mut line = Line { orders: BufReader::new(orders), news };
    let Some(order) = line.order() else { return Ok(()) };
    let sentence: Sentence = serde_json::from_str(&order)?;
    if !system::is_child_of(sentence.arena) {
        return Ok(());
    }
    let own_disk = sentence.locked && system::seclude(&sentence);
    std::env::set_current_dir(&sentence.scratch)?;
    system::plain_signals();
    match system::lock(&sentence, own_disk) {
        Err(lacks) => {
            line.tell(&lacks);
            return Ok(());
        }
        // From here on it hangs on the arena's answers, so the arena must listen first; only it keeps the listener.
        Ok(Some(listener)) => {
            line.tell(&CageNews::Asks(system::number(&listener)));
            if line.order().is_none() {
                return Ok(());
            }
        }
        Ok(None) => {}
    }
    line.tell(&CageNews::Locked { own_disk });
    match sentence.work {
        Work::Nothing => Ok(()),
        Work::Library(file) => {
            library::serve(&file, &mut line);
            Ok(())
        }
        Work::Python { interpreter, script, arguments } => {
            Err(system::become_python(&interpreter, &script, &arguments))
        }
        Work::Program { program, arguments } => Err(system::become_program(&program, &arguments, &sentence.scratch)),
        Work::Compiler { program, arguments, starts } => {
            Err(system::become_compiler(&program, &arguments, &starts, &sentence.scratch))
        }
    }
}
