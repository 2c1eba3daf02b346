//! The terminal as a full screen, given back as it was however the program ends.

use std::io::{self, Stdout, stdout};
use std::panic::{set_hook, take_hook};
use std::thread;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};

/// The full screen, for as long as this lives.
pub struct Screen {
    pub terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// Takes the screen.
    pub fn open() -> io::Result<Screen> {
        guard_panics();
        enable_raw_mode()?;
        let opened = execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)
            .and_then(|()| Terminal::new(CrosstermBackend::new(stdout())));
        opened.map(|terminal| Screen { terminal }).inspect_err(|_| restore())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
        if !thread::panicking() {
            // The usual words of a panic are wanted again.
            drop(take_hook());
        }
    }
}

/// Gives the terminal back. There is nobody to tell when that fails.
fn restore() {
    let _ = disable_raw_mode();
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
}

/// A panic of this thread must find a terminal that can show it. Those of other threads are caught where engines run
/// and end in a verdict; their words would only spoil the screen.
fn guard_panics() {
    let (words, owner) = (take_hook(), thread::current().id());
    set_hook(Box::new(move |panic| {
        if thread::current().id() == owner {
            restore();
            words(panic);
        }
    }));
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Command;
    use std::time::{Duration, Instant};

    /// Not a test by itself: what `a_panic_leaves_the_terminal_as_it_was` runs in a terminal.
    #[test]
    #[ignore = "takes over the terminal and panics; another test runs it"]
    fn panics_on_the_screen() {
        let mut screen = Screen::open().unwrap();
        screen.terminal.draw(|frame| frame.render_widget("the screen is open", frame.area())).unwrap();
        panic!("as it should");
    }

    #[test]
    fn a_panic_leaves_the_terminal_as_it_was() {
        let socket = format!("lianzi-panic-{}", std::process::id());
        let tmux = |arguments: &[&str]| {
            let output = Command::new("tmux").args(["-L", &socket, "-f", "/dev/null"]).args(arguments).output();
            String::from_utf8_lossy(&output.expect("tmux is installed").stdout).into_owned()
        };
        let program = std::env::current_exe().unwrap();
        let run = format!(
            "'{}' --exact terminal::screen::tests::panics_on_the_screen --ignored --nocapture; stty -a; echo END; cat",
            program.display()
        );
        tmux(&["new-session", "-d", "-x", "100", "-y", "60", &run]);
        let start = Instant::now();
        let mut seen = String::new();
        while !seen.contains("END") && start.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(50));
            seen = tmux(&["capture-pane", "-p"]);
        }
        let modes = tmux(&["display-message", "-p", "#{alternate_on} #{mouse_any_flag} #{cursor_flag}"]);
        tmux(&["kill-server"]);
        assert!(seen.contains("as it should"), "the panic is told: {seen}");
        assert!(seen.contains(" icanon") && seen.contains(" echo "), "the terminal is not raw: {seen}");
        assert_eq!(modes.trim(), "0 0 1", "no alternate screen, no mouse, a cursor");
    }
}
