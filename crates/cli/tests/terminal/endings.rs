//! How the program ends: the terminal is as it was.

use super::{Terminal, two_people};

/// Waits for the end and checks the terminal's state.
fn left_clean(terminal: &Terminal, code: &str) -> String {
    let screen = terminal.until("the end", |screen| screen.contains("END"));
    assert!(screen.contains(code), "{screen}");
    assert!(screen.contains(" icanon") && screen.contains(" echo "), "the terminal is not raw: {screen}");
    let modes = terminal.ask(&["display-message", "-p", "#{alternate_on} #{mouse_any_flag} #{cursor_flag}"]);
    assert_eq!(modes.trim(), "0 0 1", "no alternate screen, no mouse, a cursor");
    screen
}

#[test]
fn quitting_an_unsaved_game_is_asked_about() {
    let terminal = two_people("gomoku");
    terminal.line("h8");
    terminal.shows("White to move");
    terminal.press(&["Q"]);
    terminal.shows("The game is not saved. Quit? y/n");
    terminal.press(&["n"]);
    terminal.hides("Quit? y/n");
    terminal.line("quit");
    terminal.shows("Quit? y/n");
    terminal.press(&["y"]);
    left_clean(&terminal, "code 0");
}

#[test]
fn the_result_stays_on_the_terminal() {
    let terminal = two_people("connect4");
    for column in ["d", "a", "d", "a", "d", "a", "d"] {
        terminal.line(column);
    }
    terminal.shows("Red wins with four in a row");
    terminal.press(&["Q"]);
    let screen = left_clean(&terminal, "code 0");
    assert!(screen.contains("Red wins with four in a row"), "{screen}");
}

#[test]
fn control_c_twice_leaves() {
    let terminal = two_people("gomoku");
    terminal.line("h8");
    terminal.shows("White to move");
    terminal.press(&["C-c"]);
    terminal.shows("Quit? y/n");
    terminal.press(&["C-c"]);
    left_clean(&terminal, "code 0");
}

#[test]
fn a_signal_leaves_the_terminal_clean() {
    let terminal = Terminal::open(&["gomoku", "--white", "uct@time=50s"]);
    terminal.shows("Black to move");
    terminal.line("h8");
    terminal.shows("White is thinking");
    let shell = terminal.ask(&["display-message", "-p", "#{pane_pid}"]);
    let children = std::process::Command::new("pgrep").args(["-P", shell.trim(), "lianzi"]).output().unwrap();
    let program = String::from_utf8(children.stdout).unwrap();
    assert!(std::process::Command::new("kill").arg(program.trim()).status().unwrap().success());
    left_clean(&terminal, "code 143");
}
