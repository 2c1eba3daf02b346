//! A program to drive in `bench`: this very binary, as a brain that thinks of nothing or does one thing wrong.

use std::io::{BufRead, Write};
use std::process::Command;

use anyhow::Context;
use clap::ValueEnum;
use lianzi_engine::Limits;
use lianzi_game::player::Player;
use lianzi_players::{Program, Protocol};

/// What the brain does when it is asked for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Brain {
    /// Plays cells of a pattern without lines.
    Strewn,
    /// Does not answer.
    Hangs,
    /// Ends.
    Dies,
    /// Ends before anybody asks.
    Absent,
    /// Names moves without an end.
    Floods,
    /// Leaves somebody behind who has no family and no environment.
    Daemon,
}

/// A player that is such a brain in a process of its own.
pub fn player(brain: Brain) -> anyhow::Result<Box<dyn Player>> {
    let mut program = Program::new(Protocol::Piskvork, "lianzi").expect("a plain name is a command");
    program.command = command(brain)?;
    Ok(program.player(Limits::default(), None))
}

/// The name by which another process can call such a player.
pub fn name(brain: Brain) -> anyhow::Result<String> {
    Ok(format!("piskvork:{}", command(brain)?.join(" ")))
}

fn command(brain: Brain) -> anyhow::Result<Vec<String>> {
    let me = std::env::current_exe().context("the path of this program")?;
    let mode = brain.to_possible_value().expect("no brain is hidden").get_name().to_string();
    Ok(vec![me.to_string_lossy().into_owned(), "bench".into(), "--brain".into(), mode])
}

/// Is the brain, until its input ends.
pub fn be(brain: Brain) -> anyhow::Result<()> {
    if brain == Brain::Absent {
        return Ok(());
    }
    if brain == Brain::Daemon {
        leave_daemon()?;
    }
    let (mut half, mut next) = (None, 0);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let answer = match line.split_whitespace().next() {
            Some("START" | "RESTART") => {
                (half, next) = (None, 0);
                "OK".to_string()
            }
            Some(command @ ("BEGIN" | "TURN")) => match brain {
                Brain::Dies => return Ok(()),
                // It still reads, so it ends with whoever started it.
                Brain::Hangs => continue,
                Brain::Floods => loop {
                    writeln!(out, "7,7")?;
                },
                _ => cell(*half.get_or_insert(usize::from(command == "TURN")), &mut next),
            },
            Some("END") => return Ok(()),
            _ => continue,
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

/// Starts a process that nobody who looks at families or environments finds. It names the folder for scratch files, so that
/// the soak finds it.
fn leave_daemon() -> anyhow::Result<()> {
    let script = format!("sleep 3600; : {}", std::env::temp_dir().display());
    let script = format!("env -i setsid sh -c '{script}' </dev/null >/dev/null 2>&1 &");
    Command::new("sh").args(["-c", &script]).status()?;
    Ok(())
}

/// The next cell of one half of the pattern.
fn cell(half: usize, next: &mut usize) -> String {
    loop {
        let (x, y) = (*next % 15, *next / 15 % 15);
        *next += 1;
        if (x / 2 + y) % 2 == half {
            return format!("{x},{y}");
        }
    }
}
