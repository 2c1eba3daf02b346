//! Pipes by `poll`, and the end of whole families of processes.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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

/// Kills the child's process group, and the child, which may not have made itself one yet.
pub fn kill(child: &mut Child) {
    if let Some(group) = pid(child.id()) {
        // It may be gone already.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.kill();
    if let Some(plays) = started().get_mut(&child.id()) {
        *plays = false;
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
    forget(id);
}

/// The children that were started here and are not waited for yet, and whether each still plays.
static STARTED: Mutex<BTreeMap<u32, bool>> = Mutex::new(BTreeMap::new());

fn started() -> MutexGuard<'static, BTreeMap<u32, bool>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How long a program may be busy before it cannot be started.
const PATIENCE: Duration = Duration::from_secs(2);

/// Starts a child and remembers it, so that it can be told from those whom the system hands to us.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    #[cfg(target_os = "linux")]
    {
        static ONCE: std::sync::Once = std::sync::Once::new();
        // Where that is refused, orphans go to the system's first process, and only their environment gives them away.
        ONCE.call_once(|| {
            let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        });
    }
    let tried = Instant::now();
    loop {
        let mut started = started();
        match command.spawn() {
            Ok(child) => {
                started.insert(child.id(), true);
                return Ok(child);
            }
            // A program that was just compiled or copied: somebody has it open to write still, perhaps a child of ours
            // that is about to become another program.
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && tried.elapsed() < PATIENCE => {}
            Err(error) => return Err(error),
        }
        drop(started);
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The child has ended and is waited for.
pub fn forget(id: u32) {
    started().remove(&id);
}

/// How many threads a process has.
#[cfg(target_os = "linux")]
pub fn threads(id: u32) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    // Each is a folder there, and a folder has two links besides those to its folders.
    std::fs::metadata(format!("/proc/{id}/task")).ok().map(|tasks| tasks.nlink().saturating_sub(2))
}

/// Makes all threads of a process nicer, so that together they get what one of them got.
#[cfg(target_os = "linux")]
pub fn weigh_as_one(id: u32, threads: u64) {
    /// How much less a thread gets that is nicer by one.
    const STEP: f64 = 1.25;
    let nice = ((threads as f64).ln() / STEP.ln()).round().min(19.0) as i32;
    let tasks = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    for task in tasks.filter_map(|task| pid(task.file_name().to_str()?.parse().ok()?)) {
        // It may be gone already.
        let _ = rustix::process::setpriority_process(Some(task), nice);
    }
}

/// Other systems do not tell.
#[cfg(not(target_os = "linux"))]
pub fn threads(_: u32) -> Option<u64> {
    None
}

/// Other systems do not tell which threads there are.
#[cfg(not(target_os = "linux"))]
pub fn weigh_as_one(_: u32, _: u64) {}

/// Kills those whom the system handed to us because their parents are gone. They tell nothing of who started them, so
/// they stay while anybody plays.
#[cfg(target_os = "linux")]
pub fn kill_orphans(with_wine: bool) {
    const ROUNDS: u64 = 20;
    for round in 0..ROUNDS {
        // Nobody is started meanwhile who could be taken for an orphan.
        let started = started();
        if started.values().any(|&plays| plays) {
            return;
        }
        let orphans = orphans(&started).into_iter().filter(|&(pid, _)| !(with_wine && is_wineserver(pid)));
        let orphans: Vec<(Pid, Pid)> = orphans.collect();
        if orphans.is_empty() {
            return;
        }
        for (orphan, group) in orphans {
            // His own group is his family; any other may be somebody else's.
            let _ = if orphan == group {
                kill_process_group(group, Signal::KILL)
            } else {
                kill_process(orphan, Signal::KILL)
            };
            let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
        }
        drop(started);
        // A busy machine takes a while to end them, and then hands over their children.
        std::thread::sleep(Duration::from_millis(round));
    }
}

/// Our children that nobody started here, with their groups. What we start otherwise stays in our own group.
#[cfg(target_os = "linux")]
fn orphans(started: &BTreeMap<u32, bool>) -> Vec<(Pid, Pid)> {
    use rustix::process::{getpgid, getpgrp};
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists: Vec<String> =
        tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok()).collect();
    let children = lists.iter().flat_map(|list| list.split_whitespace()).flat_map(str::parse::<u32>);
    let strangers = children.filter(|child| !started.contains_key(child)).filter_map(pid);
    let grouped = strangers.filter_map(|child| Some((child, getpgid(Some(child)).ok()?)));
    grouped.filter(|&(_, group)| group != getpgrp()).collect()
}

/// Other systems hand nobody over.
#[cfg(not(target_os = "linux"))]
pub fn kill_orphans(_: bool) {}

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
