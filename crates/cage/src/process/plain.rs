//! Pipes by threads, for systems without `poll`: one reads, one writes. A killed child takes both with it.

use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use super::Came;
use super::lines::Lines;
use super::tail::Tail;

/// Nothing to prepare.
pub fn prepare(_: &mut Command) {}

/// Both ends of the talk.
#[derive(Debug)]
pub struct Pipes {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
}

impl Pipes {
    /// Takes the child's pipes.
    pub fn new(child: &mut Child) -> io::Result<(Pipes, Arc<Tail>)> {
        let missing = || io::Error::from(ErrorKind::BrokenPipe);
        let (input, orders) = channel();
        // A child that says more than this waits until it is read.
        let (chunks, output) = sync_channel(64);
        let (stdin, stdout) = (child.stdin.take().ok_or_else(missing)?, child.stdout.take().ok_or_else(missing)?);
        let tail = Tail::follow(child.stderr.take().ok_or_else(missing)?)?;
        thread::Builder::new().name("stdin".into()).spawn(move || write_all(stdin, &orders))?;
        thread::Builder::new().name("stdout".into()).spawn(move || read_all(stdout, &chunks))?;
        Ok((Pipes { input: Some(input), output }, tail))
    }

    /// Hands the bytes to the thread that writes: one that is stuck shows in the answer that does not come.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let input = self.input.as_ref().ok_or(ErrorKind::BrokenPipe)?;
        input.send(bytes.to_vec()).map_err(|_| ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    /// Waits at most so long for output.
    pub fn wait(&mut self, time: Duration, lines: Option<&mut Lines>, _: bool) -> io::Result<Came> {
        match (self.output.recv_timeout(time), lines) {
            (Ok(bytes), Some(lines)) => {
                lines.push(&bytes);
                Ok(Came::Bytes)
            }
            (Ok(_), None) | (Err(RecvTimeoutError::Timeout), _) => Ok(Came::Nothing),
            (Err(RecvTimeoutError::Disconnected), _) => Ok(Came::End),
        }
    }

    /// Ends the child's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }
}

fn write_all(mut stdin: ChildStdin, orders: &Receiver<Vec<u8>>) {
    for bytes in orders {
        if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_all(mut stdout: ChildStdout, chunks: &SyncSender<Vec<u8>>) {
    let mut chunk = [0; 16 * 1024];
    while let Ok(n @ 1..) = stdout.read(&mut chunk) {
        if chunks.send(chunk[..n].to_vec()).is_err() {
            return;
        }
    }
}

/// Kills the child.
pub fn kill(child: &mut Child) {
    // It may be gone already.
    let _ = child.kill();
}

/// Not on this system: it goes on.
pub fn freeze(_: u32, _: bool) {}

/// Such systems keep nothing of a child that has ended.
pub fn reap(_: u32) {}

/// Nor do they show who is whose descendant.
pub fn kill_marked(_: &str, _: bool) {}

/// Starts a child.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

/// Nothing was remembered.
pub fn forget(_: u32) {}

/// Nor do they tell this.
pub fn threads(_: u32) -> Option<u64> {
    None
}

/// Nor which threads there are.
pub fn weigh_as_one(_: u32, _: u64) {}

/// Nor do they hand anybody over.
pub fn kill_orphans(_: bool) {}
