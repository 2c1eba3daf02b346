//! A talk with a program: what is said, what is heard, and the end of it kept for those who want to know.

use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lianzi_core::{Fault, shorten};
use tempfile::TempDir;

use super::program::Program;
use lianzi_cage::process::{Process, Silence, Wait};
use lianzi_cage::shortage::refused;
use lianzi_cage::{Cages, LOOK, Room};

/// How long a line without an end may look like an answer before it counts as one.
const QUIET: Duration = Duration::from_millis(100);
/// How long to listen to what nobody has asked for.
const ENDLESS: Duration = Duration::from_millis(20);
/// How many lines a program may say while it starts or is cleared.
const MOST_LINES: usize = 4096;
/// How much of the talk is kept.
const KEPT: usize = 8 * 1024;

/// A program that was started, and the talk with it.
pub struct Talk {
    process: Process,
    ending: &'static str,
    pause: Duration,
    heard: Instant,
    log: Log,
    /// Where a caged program may write, and what it uses.
    room: Option<Room>,
    /// What it was ended for.
    misuse: Option<String>,
    /// How many more lines it may say before the answer that is waited for; without a number any.
    lines_left: Option<usize>,
}

impl Talk {
    /// Starts the program; our lines to it will end so.
    pub fn start(program: &Program, ending: &'static str) -> Result<Talk, Fault> {
        let process = Process::spawn(program.command());
        let process = process.map_err(|error| refused(&program.command[0], &error))?.sparing_wine();
        Ok(Talk::new(process, program, ending, None))
    }

    /// Starts the program in a cage, with so many seconds of CPU time.
    pub fn start_caged(
        program: &Program,
        ending: &'static str,
        cages: Option<&Cages>,
        cpu: u64,
    ) -> Result<Talk, Fault> {
        let scratch = cages.map(|cages| cages.scratch().folder());
        let scratch = scratch.unwrap_or_else(TempDir::new).map_err(|error| refused("", &error))?;
        let (process, room) = program.start_caged(cages, scratch, cpu, true)?;
        Ok(Talk::new(process, program, ending, Some(room)))
    }

    fn new(process: Process, program: &Program, ending: &'static str, room: Option<Room>) -> Talk {
        let (heard, log, misuse) = (Instant::now(), Log::default(), None);
        Talk { process, ending, pause: program.pause, heard, log, room, misuse, lines_left: None }
    }

    /// A program that starts or is cleared may say much, but not without an end; one that thinks may.
    pub fn bound_lines(&mut self, bound: bool) {
        self.lines_left = bound.then_some(MOST_LINES);
    }

    /// A caged program stands still while it is not its turn.
    pub fn freeze(&self, still: bool) {
        if self.room.is_some() {
            self.process.freeze(still);
        }
    }

    /// Gives the program this much more CPU time.
    pub fn limit_cpu(&mut self, limit: Option<Duration>) {
        self.process.limit_cpu(limit);
    }

    /// The CPU time the program has used so far, where the system tells.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.process.cpu_time()
    }

    /// What a caged program tried and may not do.
    pub fn attempts(&self) -> Vec<String> {
        self.room.as_ref().map(Room::attempts).unwrap_or_default()
    }

    /// What a caged program uses beyond its bounds.
    pub fn misuse(&mut self) -> Option<String> {
        self.room.as_mut().and_then(|room| room.misuse(&self.process))
    }

    /// Says some lines, each ended by a line feed here, at once.
    pub fn say(&mut self, lines: &str, wait: Wait<'_>) -> Result<(), Fault> {
        self.pause();
        lines.lines().for_each(|line| self.log.push('>', line));
        let said = match self.ending {
            "\n" => self.process.write(lines.as_bytes(), wait),
            ending => self.process.write(lines.replace('\n', ending).as_bytes(), wait),
        };
        said.map_err(|silence| self.fault(silence))
    }

    /// Some programs lose what comes within microseconds of their answer.
    pub fn pause(&self) {
        std::thread::sleep(self.pause.saturating_sub(self.heard.elapsed()));
    }

    /// The next line. One without an end counts if it is a whole answer and nothing follows for a while.
    pub fn line(&mut self, wait: Wait<'_>, whole: impl Fn(&str) -> bool) -> Result<String, Fault> {
        loop {
            if let Some(line) = self.process.line_here() {
                self.count_line(&line)?;
                return Ok(self.hear(line));
            }
            let unended = self.process.unended();
            let heard = if !unended.is_empty() && whole(&unended) {
                let quiet = Instant::now() + QUIET;
                let until = wait.until.map_or(quiet, |until| until.min(quiet));
                self.listen(Wait { until: Some(until), ..wait })
            } else {
                self.listen(wait)
            };
            match heard {
                Ok(()) => {}
                Err(Silence::Late) if whole(&unended) => {
                    let line = self.process.take_unended();
                    return Ok(self.hear(line));
                }
                Err(silence) => return Err(self.fault(silence)),
            }
        }
    }

    /// Waits until something more has come; a caged program is watched meanwhile, and ended if it uses too much.
    fn listen(&mut self, wait: Wait<'_>) -> Result<(), Silence> {
        loop {
            let look = Instant::now() + LOOK;
            let until = wait.until.filter(|&until| until < look || self.room.is_none());
            let slice = until.or(self.room.as_ref().map(|_| look));
            let heard = self.process.listen(Wait { until: slice, ..wait });
            if heard != Err(Silence::Late) || until.is_some() {
                return heard;
            }
            self.misuse = self.misuse();
            if self.misuse.is_some() {
                return Err(Silence::Gone);
            }
        }
    }

    fn count_line(&mut self, line: &str) -> Result<(), Fault> {
        match &mut self.lines_left {
            Some(0) => Err(Fault::Garbled(shorten(line))),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn hear(&mut self, line: String) -> String {
        self.log.push('<', &line);
        self.heard = Instant::now();
        line
    }

    /// Takes what came unasked: late answers and chatter. Nothing of it may pass for the next answer. Of a program
    /// that never stops talking the rest is heard with the answer.
    pub fn forget(&mut self) {
        let until = Instant::now() + ENDLESS;
        while let Some(line) = self.process.line_there() {
            self.hear(line);
            if Instant::now() > until {
                return;
            }
        }
        if !self.process.unended().is_empty() {
            let line = self.process.take_unended();
            self.hear(line);
        }
    }

    /// Whether the program still runs, as far as can be seen without asking it.
    pub fn is_alive(&mut self) -> bool {
        self.process.wait_for_end(Duration::ZERO).is_none()
    }

    fn fault(&mut self, silence: Silence) -> Fault {
        match silence {
            Silence::Late | Silence::Interrupted => Fault::Late,
            Silence::Spent => Fault::Spent,
            Silence::Gone if self.misuse.is_some() => Fault::Crashed(self.misuse.take().unwrap_or_default()),
            Silence::Gone => {
                let unended = self.process.take_unended();
                if !unended.is_empty() {
                    self.log.push('<', &unended);
                }
                Fault::Crashed(self.process.end_words())
            }
        }
    }

    /// A new game begins: its talk is kept for itself.
    pub fn begin_game(&mut self) {
        self.log = Log::default();
        self.process.take_stderr();
    }

    /// The end of what the program wrote to its error output in this game.
    pub fn errors(&self) -> String {
        self.process.take_stderr()
    }

    /// The end of this game's talk: `>` before what was said to the program, `<` before what it said.
    pub fn talk(&self) -> &str {
        &self.log.text
    }

    /// Ends the program at once, without waiting for its end.
    pub fn abandon(self) -> Option<JoinHandle<()>> {
        self.process.abandon()
    }

    /// Says farewell, and ends the program if it does not go by itself.
    pub fn end(mut self, farewell: &str) {
        const GRACE: Duration = Duration::from_secs(1);
        if self.lines_left == Some(0) {
            // Who does not stop talking hears nothing.
            return self.process.kill();
        }
        self.freeze(false);
        self.pause();
        self.process.end(format!("{farewell}{}", self.ending).as_bytes(), GRACE);
    }
}

/// The last lines of a talk.
#[derive(Default)]
struct Log {
    text: String,
}

impl Log {
    fn push(&mut self, who: char, line: &str) {
        let end = boundary(line, KEPT / 4);
        self.text.extend([who, ' ']);
        self.text.push_str(&line[..end]);
        self.text.push('\n');
        if self.text.len() > 2 * KEPT {
            let surplus = boundary(&self.text, self.text.len() - KEPT);
            let at = self.text[surplus..].find('\n').map_or(surplus, |at| surplus + at + 1);
            self.text.drain(..at);
        }
    }
}

/// The last place at or before this one where a text can be cut.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_talk_keeps_its_last_lines() {
        let mut log = Log::default();
        for n in 0..10_000 {
            log.push('>', &format!("TURN {n}é"));
        }
        log.push('<', &"x".repeat(100_000));
        assert!(log.text.len() <= 2 * KEPT && log.text.starts_with("> TURN"));
        assert!(log.text.contains("9999é\n< xxx"));
    }
}
