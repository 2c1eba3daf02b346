//! The full screen as people meet it: the program in a real terminal (tmux), real keys, what is really on the screen.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

mod endings;
mod games;
mod looks;
mod tools;

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a busy machine may take to show something.
const PATIENCE: Duration = Duration::from_secs(90);

/// A terminal with the program in it.
struct Terminal {
    socket: String,
}

impl Terminal {
    /// Runs the program with these arguments, speaking English with round stones, in a terminal of 80×24.
    fn open(arguments: &[&str]) -> Terminal {
        Terminal::with(&[], (80, 24), arguments)
    }

    /// The same with another environment and size.
    fn with(environment: &[(&str, &str)], size: (u16, u16), arguments: &[&str]) -> Terminal {
        let quoted: Vec<String> = arguments.iter().map(|argument| format!("'{argument}'")).collect();
        let program = format!("'{}' play {}", env!("CARGO_BIN_EXE_lianzi"), quoted.join(" "));
        // What comes after the program shows in which state it left the terminal.
        Terminal::run(environment, size, &format!("{program}; echo \"code $?\"; stty -a; echo END; exec cat"))
    }

    fn run(environment: &[(&str, &str)], (width, height): (u16, u16), command: &str) -> Terminal {
        static OPENED: AtomicUsize = AtomicUsize::new(0);
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        let terminal = Terminal { socket: format!("lianzi-{}-{number}", std::process::id()) };
        let mut tmux = terminal.tmux();
        tmux.env_remove("NO_COLOR").env("LC_ALL", "C.UTF-8").env("LIANZI_LANG", "en_US.UTF-8");
        tmux.envs(environment.iter().copied());
        let (width, height) = (width.to_string(), height.to_string());
        let opened = tmux.args(["new-session", "-d", "-x", &width, "-y", &height, command]).status();
        assert!(opened.expect("tmux is installed").success());
        terminal
    }

    fn tmux(&self) -> Command {
        let mut tmux = Command::new("tmux");
        tmux.args(["-u", "-L", &self.socket, "-f", "/dev/null"]);
        tmux
    }

    fn ask(&self, arguments: &[&str]) -> String {
        let output = self.tmux().args(arguments).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// What is on the screen.
    fn screen(&self) -> String {
        self.ask(&["capture-pane", "-p"])
    }

    /// Presses keys by their names: `Enter`, `Left`, `U`.
    fn press(&self, keys: &[&str]) {
        self.ask(&[&["send-keys"], keys].concat());
    }

    /// Types a line.
    fn line(&self, text: &str) {
        self.ask(&["send-keys", "-l", text]);
        self.press(&["Enter"]);
    }

    /// Clicks on a character, counted from 0.
    fn click(&self, x: u16, y: u16) {
        let (x, y) = (x + 1, y + 1);
        self.ask(&["send-keys", "-l", &format!("\u{1b}[<0;{x};{y}M\u{1b}[<0;{x};{y}m")]);
    }

    /// Waits until the screen is as it should be, and returns it.
    #[track_caller]
    fn until(&self, what: &str, is: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if is(&screen) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "{what} did not come:\n{screen}");
            sleep(Duration::from_millis(40));
        }
    }

    /// Waits until the screen shows this.
    #[track_caller]
    fn shows(&self, text: &str) -> String {
        self.until(text, |screen| screen.contains(text))
    }

    /// Waits until the screen does not show this any more.
    #[track_caller]
    fn hides(&self, text: &str) -> String {
        self.until(&format!("the end of {text}"), |screen| !screen.contains(text))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The program ends with its terminal.
        self.ask(&["kill-server"]);
    }
}

/// How many stones of a side lie on the board, which ends where the panel beside it begins.
fn stones(screen: &str, symbol: char) -> usize {
    let begins = screen.lines().find_map(|line| line.split_once("Moves ").map(|(left, _)| left.chars().count()));
    let board = |line: &str| line.chars().take(begins.unwrap_or(usize::MAX)).filter(|c| *c == symbol).count();
    // The slider of a replay has a handle like a stone.
    screen.lines().filter(|line| !line.contains('━')).map(board).sum()
}

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("lianzi-terminal-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn name(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const TWO_PEOPLE: [&str; 4] = ["--black", "human", "--white", "human"];

/// Two people at a game.
fn two_people(game: &str) -> Terminal {
    let terminal = Terminal::open(&[&[game][..], &TWO_PEOPLE].concat());
    terminal.shows(" to move");
    terminal
}
