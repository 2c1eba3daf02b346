//! Pipes by `poll`, and the end of whole families of processes.

use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, waitpid};

use super::Came;
#[cfg(target_os = "linux")]
use super::TOKEN_VARIABLE;
use super::lines::Lines;
use super::tail::Tail;

/// Gives the child a process group of its own.
pub fn prepare(command: &mut Command) {
    command.process_group(0);
}

/// Both ends of the talk. They never block.
#[derive(Debug)]
pub struct Pipes {
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// Closed with us, it ends the thread that follows the error output, whoever else holds that open.
    _alive: PipeWriter,
}

impl Pipes {
    /// Takes the child's pipes.
    pub fn new(child: &mut Child) -> io::Result<(Pipes, Arc<Tail>)> {
        let missing = || io::Error::from(ErrorKind::BrokenPipe);
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        ioctl_fionbio(&input, true)?;
        ioctl_fionbio(&output, true)?;
        let (watch, alive) = io::pipe()?;
        let tail = Tail::follow(Followed { stderr, watch })?;
        Ok((Pipes { input: Some(input), output, _alive: alive }, tail))
    }

    /// Writes what the pipe takes now.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let input = self.input.as_mut().ok_or(ErrorKind::BrokenPipe)?;
        match input.write(bytes) {
            Err(error) if would_wait(&error) => Ok(0),
            done => done,
        }
    }

    /// Waits at most so long for output, which is read, or for room to write.
    pub fn wait(&mut self, time: Duration, lines: Option<&mut Lines>, write: bool) -> io::Result<Came> {
        let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
        let wanted = if lines.is_some() { PollFlags::IN } else { PollFlags::empty() };
        let output = PollFd::new(&self.output, wanted);
        let ready = match self.input.as_ref().filter(|_| write) {
            Some(input) => {
                let mut fds = [output, PollFd::new(input, PollFlags::OUT)];
                poll(&mut fds, Some(&time)).map(|_| fds[0].revents())
            }
            None => {
                let mut fds = [output];
                poll(&mut fds, Some(&time)).map(|_| fds[0].revents())
            }
        };
        match (ready, lines) {
            (Ok(ready), Some(lines)) if !ready.is_empty() => self.read(lines),
            (Ok(_) | Err(rustix::io::Errno::INTR), _) => Ok(Came::Nothing),
            (Err(error), _) => Err(error.into()),
        }
    }

    fn read(&mut self, lines: &mut Lines) -> io::Result<Came> {
        let mut chunk = [0; 16 * 1024];
        match self.output.read(&mut chunk) {
            Ok(0) => Ok(Came::End),
            Ok(n) => {
                lines.push(&chunk[..n]);
                Ok(Came::Bytes)
            }
            Err(error) if would_wait(&error) => Ok(Came::Nothing),
            Err(error) => Err(error),
        }
    }

    /// Ends the child's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }
}

fn would_wait(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// The error output, which ends when we do not watch any more.
struct Followed {
    stderr: ChildStderr,
    watch: PipeReader,
}

impl Read for Followed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut fds = [PollFd::new(&self.stderr, PollFlags::IN), PollFd::new(&self.watch, PollFlags::IN)];
            match poll(&mut fds, None) {
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
                Ok(_) if !fds[0].revents().is_empty() => return self.stderr.read(buffer),
                Ok(_) => return Ok(0),
            }
        }
    }
}

/// Kills the child's process group.
pub fn kill(child: &mut Child) {
    if let Some(group) = pid(child.id()) {
        // It may be gone already.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

fn pid(id: u32) -> Option<Pid> {
    i32::try_from(id).ok().and_then(Pid::from_raw)
}

/// Stops a process, or lets it go on.
pub fn freeze(id: u32, still: bool) {
    // It may be gone already.
    let _ = pid(id).map(|pid| kill_process(pid, if still { Signal::STOP } else { Signal::CONT }));
}

/// Waits for a child that takes long to die.
pub fn reap(id: u32) {
    let _ = waitpid(pid(id), WaitOptions::empty());
}

/// Kills whoever has the token in its environment, again and again while new ones appear; with wine, all but its server.
#[cfg(target_os = "linux")]
pub fn kill_marked(token: &str, with_wine: bool) {
    const ROUNDS: u64 = 5;
    for round in 0..ROUNDS {
        // The dying keep the token for a moment.
        std::thread::sleep(Duration::from_millis(round));
        let found: Vec<Pid> = marked(token).filter(|&pid| !(with_wine && is_wineserver(pid))).collect();
        if found.is_empty() {
            return;
        }
        for pid in found {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Living processes with the token in their environment. That of a dying one is empty, and that of another user's
/// cannot be read.
#[cfg(target_os = "linux")]
pub fn marked(token: &str) -> impl Iterator<Item = Pid> + '_ {
    let ids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(move |id| {
        std::fs::read(format!("/proc/{id}/environ")).is_ok_and(|environ| {
            environ.split(|&b| b == 0).any(|entry| {
                let value = entry.strip_prefix(TOKEN_VARIABLE.as_bytes()).and_then(|e| e.strip_prefix(b"="));
                value.is_some_and(|value| value.split(|&b| b == b':').any(|part| part == token.as_bytes()))
            })
        })
    })
    .filter_map(pid)
}

/// Whether the process goes by the name of wine's server.
#[cfg(target_os = "linux")]
fn is_wineserver(pid: Pid) -> bool {
    let name = std::fs::read(format!("/proc/{}/comm", pid.as_raw_nonzero())).unwrap_or_default();
    matches!(name.trim_ascii_end(), b"wineserver" | b"wineserver32" | b"wineserver64")
}

/// Other systems do not show what others have in their environment.
#[cfg(not(target_os = "linux"))]
pub fn kill_marked(_: &str, _: bool) {}
