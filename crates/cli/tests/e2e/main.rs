//! The binary as users meet it: real processes, real files.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

mod contests;
mod course;
mod engine;
mod folder;
#[cfg(target_os = "linux")]
mod handed_in;
mod house;
mod lab;
mod learning;
#[cfg(target_os = "linux")]
mod left_out;
mod old_console;
mod playing;
#[cfg(unix)]
mod printed;
#[cfg(unix)]
mod programs;
mod records;
mod seeds;
mod serving;
mod solving;
mod templates;
mod training;
mod words;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The project's own folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The program, speaking English whatever the machine speaks.
fn lianzi() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lianzi"));
    command.env("LIANZI_LANG", "en_US.UTF-8");
    command
}

/// Copies the program there. Another process does so: while we write a file, what other tests start meanwhile inherits
/// it open, and the system starts no program that somebody writes.
fn copy_program(to: &Path) {
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_lianzi")).arg(to).status();
    assert!(copied.is_ok_and(|status| status.success()), "the program can be copied");
}

/// Runs the program with these arguments and this input.
fn run_with(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = lianzi()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input closes the pipe early; that is its right.
    let _ = child.stdin.take().expect("input is piped").write_all(input.as_ref());
    child.wait_with_output().expect("the program ends")
}

fn run(arguments: &[&str]) -> Output {
    run_with(arguments, "")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs and expects success.
fn ok(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// Runs and expects this exit code and words on stderr, and no panic.
fn refused(arguments: &[&str], code: i32, words: &str) {
    let output = run(arguments);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(said.contains(words), "{arguments:?} should say '{words}': {said}");
    assert!(!said.contains("panicked"), "{said}");
}

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("lianzi-e2e-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a scratch folder can be made");
        Folder(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).to_str().expect("scratch paths are plain").to_string()
    }

    fn write(&self, name: &str, content: &str) -> String {
        std::fs::write(self.path(name), content).expect("a scratch file can be written");
        self.name(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
