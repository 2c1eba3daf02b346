//! A program that was started to play: spoken to over pipes, never waited for without an end, and never left behind.
//!
//! The child gets a process group of its own, so that it and whatever it forks are killed together, and so that a
//! Ctrl-C on the terminal reaches us and not it. Descendants that left the group still carry a token in their
//! environment; on Linux they are found by it. Whoever has emptied his environment and left his parents is handed to us
//! by the system, and is ended when nobody else plays who could have started him.
//!
//! On Unix one `poll` waits for both directions: a child that does not read cannot block us, and a question with its
//! answer costs three system calls and no second thread. Elsewhere threads stand between us and the pipes.

mod lines;
#[cfg(any(not(unix), test))]
#[cfg_attr(unix, allow(dead_code, reason = "compiled for its test"))]
mod plain;
mod tail;
#[cfg(unix)]
mod unix;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use lianzi_core::shown;

use crate::cpu::ProcessMeter;
use lines::Lines;
use tail::Tail;

#[cfg(not(unix))]
use plain as system;
#[cfg(unix)]
use unix as system;

/// The variable that marks a player and everything it starts; each of nested players adds a token.
pub const TOKEN_VARIABLE: &str = "LIANZI_PLAYER";

/// How often a wait looks up for an interrupt or a death that no pipe shows.
const LOOK_UP: Duration = Duration::from_millis(50);
/// How much unread output may wait while we write; a child that says more has to wait for us.
const MAX_UNREAD: usize = 1024 * 1024;
/// A child that has ended while somebody else holds its output open may be a launcher: so long its heirs may take to
/// say the first word.
const HEIRS_MAY_TAKE: Duration = Duration::from_millis(500);
/// On a busy machine a child that has closed its pipes may take a while to be gone, and its last words to be read.
const LAST_WORDS: Duration = Duration::from_millis(250);

/// How long to wait.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wait<'a> {
    /// Until when; without it for ever.
    pub until: Option<Instant>,
    /// Set from elsewhere when nobody wants the answer any more.
    pub interrupt: Option<&'a AtomicBool>,
}

impl Wait<'_> {
    /// Waits until this moment.
    pub fn until(until: Instant) -> Wait<'static> {
        Wait { until: Some(until), interrupt: None }
    }

    /// Waits this long from now on.
    pub fn for_time(time: Duration) -> Wait<'static> {
        Wait::until(Instant::now() + time)
    }

    /// The next moment to look up at; an error when there is nothing left to wait for.
    fn slice(&self) -> Result<Duration, Silence> {
        if self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Silence::Interrupted);
        }
        let left = self.until.map_or(LOOK_UP, |until| until.saturating_duration_since(Instant::now()));
        if left.is_zero() { Err(Silence::Late) } else { Ok(left.min(LOOK_UP)) }
    }
}

/// Why nothing came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The time is over.
    Late,
    /// Nobody wants it any more.
    Interrupted,
    /// The child has ended, or has closed its pipe.
    Gone,
    /// The child and its descendants have used up their CPU time.
    Spent,
}

/// What a look at the pipes brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Came {
    /// Something to read.
    Bytes,
    /// Nothing yet.
    Nothing,
    /// The end of the output.
    End,
}

/// A child with its pipes. It is killed when it is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    pipes: Option<system::Pipes>,
    lines: Lines,
    stderr: Arc<Tail>,
    token: String,
    /// When the child's end was first noticed while its output was still open.
    ended: Option<Instant>,
    /// Somebody spoke long after the child had ended: its heirs play.
    heirs: bool,
    meter: ProcessMeter,
    /// Where the meter stands when the CPU time is used up, and when it was last looked at.
    spent_at: Option<(Duration, Instant)>,
    /// Nobody minds a `wineserver` that stays.
    with_wine: bool,
}

impl Process {
    /// Starts the command with all three pipes.
    pub fn spawn(mut command: Command) -> io::Result<Process> {
        system::prepare(&mut command);
        Process::spawn_apart(command)
    }

    /// The same for a child that makes itself a session, which is a group too; it cannot if it has one already.
    pub(crate) fn spawn_apart(mut command: Command) -> io::Result<Process> {
        let token = format!("{:016x}", RandomState::new().build_hasher().finish());
        let outer = std::env::var(TOKEN_VARIABLE).map(|outer| outer + ":").unwrap_or_default();
        command.env(TOKEN_VARIABLE, outer + &token);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = system::spawn(&mut command)?;
        let pipes = system::Pipes::new(&mut child);
        // Without its pipes the child is of no use, and nobody else would end it.
        let (pipes, stderr) = pipes.inspect_err(|_| {
            drop(child.kill());
            drop(child.wait());
            system::forget(child.id());
        })?;
        let meter = ProcessMeter::new(child.id());
        Ok(Process {
            child,
            pipes: Some(pipes),
            lines: Lines::default(),
            stderr,
            token,
            ended: None,
            heirs: false,
            meter,
            spent_at: None,
            with_wine: false,
        })
    }

    /// The child's process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Spares the `wineserver` that a Windows program may have started: all of the user's Windows programs share it, and
    /// it ends by itself after the last one. Not for foreign code in a cage, which could take its name.
    pub fn sparing_wine(mut self) -> Process {
        self.with_wine = true;
        self
    }

    /// How many threads the child has, where the system tells.
    pub fn threads(&self) -> Option<u64> {
        system::threads(self.child.id())
    }

    /// Makes so many threads of the child weigh as one when others want to run; alone they run as ever.
    pub fn weigh_as_one(&self, threads: u64) {
        system::weigh_as_one(self.child.id(), threads);
    }

    /// The CPU time that the child and its descendants have used so far, where the system tells.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.meter.read()
    }

    /// Gives the child and its descendants this much more CPU time; a wait that outlasts it ends.
    pub fn limit_cpu(&mut self, limit: Option<Duration>) {
        let end = limit.and_then(|limit| Some(self.cpu_time()? + limit));
        self.spent_at = end.map(|end| (end, Instant::now()));
    }

    /// Whether the CPU time is used up; looked at now and then.
    pub fn is_spent(&mut self) -> bool {
        const APART: Duration = Duration::from_millis(5);
        let Some((end, looked)) = &mut self.spent_at else { return false };
        if looked.elapsed() < APART {
            return false;
        }
        *looked = Instant::now();
        self.meter.read().is_some_and(|used| used > *end)
    }

    /// Makes the child stand still, or go on. One that is gone is noticed when it does not answer.
    pub fn freeze(&self, still: bool) {
        system::freeze(self.child.id(), still);
    }

    /// Hands over bytes; waits while the child does not read them.
    pub fn write(&mut self, mut bytes: &[u8], wait: Wait<'_>) -> Result<(), Silence> {
        let Some(pipes) = &mut self.pipes else { return Err(Silence::Gone) };
        loop {
            let written = pipes.write(bytes).map_err(|_| Silence::Gone)?;
            bytes = &bytes[written..];
            if bytes.is_empty() {
                return Ok(());
            }
            // A child that waits for us to read before it reads itself must not lock both of us.
            let listen = self.lines.len() < MAX_UNREAD;
            pipes.wait(wait.slice()?, listen.then_some(&mut self.lines), true).map_err(|_| Silence::Gone)?;
        }
    }

    /// The next line, without its end. Empty lines are skipped and overlong ones cut.
    pub fn line(&mut self, wait: Wait<'_>) -> Result<String, Silence> {
        loop {
            if let Some(line) = self.line_here() {
                return Ok(line);
            }
            self.listen(wait)?;
        }
    }

    /// The next line if a whole one was read already.
    pub fn line_here(&mut self) -> Option<String> {
        self.lines.line()
    }

    /// The next line if a whole one has come already.
    pub fn line_there(&mut self) -> Option<String> {
        loop {
            if let Some(line) = self.line_here() {
                return Some(line);
            }
            if self.look(Duration::ZERO) != Came::Bytes {
                return None;
            }
        }
    }

    /// What has come of a line that is not ended yet.
    pub fn unended(&self) -> String {
        self.lines.partial()
    }

    /// Takes the line that is not ended yet.
    pub fn take_unended(&mut self) -> String {
        String::from_utf8_lossy(&self.lines.take()).into_owned()
    }

    /// The next bytes, at least one.
    pub fn bytes(&mut self, wait: Wait<'_>) -> Result<Vec<u8>, Silence> {
        while self.lines.len() == 0 {
            self.listen(wait)?;
        }
        Ok(self.lines.take())
    }

    /// Waits until something more has come.
    pub fn listen(&mut self, wait: Wait<'_>) -> Result<(), Silence> {
        loop {
            let came = self.look(wait.slice()?);
            if self.is_spent() {
                return Err(Silence::Spent);
            }
            match came {
                Came::Bytes => return Ok(()),
                Came::End => return Err(Silence::Gone),
                Came::Nothing if self.is_dead() => return Err(Silence::Gone),
                Came::Nothing => {}
            }
        }
    }

    fn look(&mut self, time: Duration) -> Came {
        let Some(pipes) = &mut self.pipes else { return Came::End };
        let came = pipes.wait(time, Some(&mut self.lines), false).unwrap_or(Came::End);
        if came == Came::Bytes {
            self.heirs |= self.ended.is_some_and(|ended| ended.elapsed() > LOOK_UP);
        }
        came
    }

    /// Whether the child has ended without heirs, although its output is still open.
    fn is_dead(&mut self) -> bool {
        if self.heirs || !matches!(self.child.try_wait(), Ok(Some(_))) {
            return false;
        }
        self.ended.get_or_insert_with(Instant::now).elapsed() > HEIRS_MAY_TAKE
    }

    /// How the child ended, if it has: as the system words it, with the last line of its error output.
    pub fn end_words(&mut self) -> String {
        let status = self.wait_for_end(LAST_WORDS).map(|status| status.to_string());
        let status = status.unwrap_or_else(|| "closed its output".into());
        match self.stderr.last_line(LAST_WORDS) {
            Some(line) => format!("{status}: {}", shown(&line.chars().take(200).collect::<String>())),
            None => status,
        }
    }

    /// Takes the end of what the child has written to its error output since the last time.
    pub fn take_stderr(&self) -> String {
        self.stderr.take()
    }

    /// Takes the end of what a child that has ended wrote to its error output.
    pub fn last_stderr(&self) -> String {
        self.stderr.last_line(LAST_WORDS);
        self.stderr.take()
    }

    /// Waits for the end of the child, but not for that of its descendants.
    pub fn wait_for_end(&mut self, time: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + time;
        let mut pause = Duration::from_micros(100);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(pause),
                _ => return None,
            }
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }

    /// Says farewell, closes the child's input, and kills what is left after the grace.
    pub fn end(&mut self, farewell: &[u8], grace: Duration) {
        let until = Instant::now() + grace;
        if self.write(farewell, Wait::until(until)).is_ok()
            && let Some(pipes) = &mut self.pipes
        {
            pipes.close_input();
            self.wait_for_end(until.saturating_duration_since(Instant::now()));
        }
        self.kill();
    }

    /// Kills the child and its group at once; a thread waits for their end and looks for those who left the group.
    pub fn abandon(mut self) -> Option<JoinHandle<()>> {
        system::kill(&mut self.child);
        // If no thread can be had, it is done here.
        thread::Builder::new().name("reaper".into()).spawn(move || drop(self)).ok()
    }

    /// Kills the child and all its descendants, and waits for the child's end.
    pub fn kill(&mut self) {
        /// How long the end of a killed child may take before a thread waits in our place.
        const PATIENCE: Duration = Duration::from_millis(10);
        if self.pipes.take().is_none() {
            return;
        }
        system::kill(&mut self.child);
        let id = self.child.id();
        if self.wait_for_end(PATIENCE).is_some() {
            system::forget(id);
        } else {
            // If no thread can be had, the child stays a zombie until we end.
            let _ = thread::Builder::new().name("reaper".into()).spawn(move || system::reap(id));
        }
        system::kill_marked(&self.token, self.with_wine);
        system::kill_orphans(self.with_wine);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(all(test, unix))]
mod tests;
