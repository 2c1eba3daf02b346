//! What the screen looks like: golden screens of 80×24, other sizes, colours, languages, plain characters.

use std::path::Path;

use super::{Folder, TWO_PEOPLE, Terminal, stones, two_people};

/// The screen without trailing blanks, with every time as `-:--`.
fn still(screen: &str) -> String {
    let mut still = String::new();
    for line in screen.lines() {
        let mut rest = line.trim_end();
        while let Some(colon) = rest.find(':') {
            let (before, after) = rest.split_at(colon);
            let minutes = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            let seconds = after[1..].bytes().take(2).filter(u8::is_ascii_digit).count();
            if minutes > 0 && seconds == 2 {
                still += &before[..before.len() - minutes];
                still += "-:--";
                rest = &after[3..];
            } else {
                still += before;
                still.push(':');
                rest = &after[1..];
            }
        }
        still += rest;
        still.push('\n');
    }
    still
}

/// Compares with a golden screen; `LIANZI_GOLDEN=write` writes it anew.
#[track_caller]
fn golden(terminal: &Terminal, name: &str, ready: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/terminal").join(name);
    terminal.shows(ready);
    if std::env::var_os("LIANZI_GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(&path, still(&terminal.screen())).unwrap();
    }
    let wanted = std::fs::read_to_string(&path).unwrap();
    terminal.until(&format!("the screen of {name}:\n{wanted}"), |screen| still(screen) == wanted);
}

const CONNECT6: &str = "j10 k10 k11 j9 j8 l11 m11 j7 j12 i11 n11 h11";
const GOMOKU: &str = "h8 g9 i9 g7 g8 i10 h10 h7 f8 e8 i8 j8 h9";

/// A game in a file: cells, below its name.
fn written(folder: &Folder, game: &str, cells: &str) -> String {
    let file = folder.name("game.txt");
    std::fs::write(&file, format!("# game: {game}\n{cells}\n")).unwrap();
    file
}

#[test]
fn connect6_in_80x24_is_the_golden_screen() {
    let folder = Folder::new("golden-connect6");
    let file = written(&folder, "connect6", CONNECT6);
    let arguments = [&["--load", &file][..], &TWO_PEOPLE].concat();
    let terminal = Terminal::with(&[("NO_COLOR", "1")], (80, 24), &arguments);
    terminal.shows("Black to move");
    terminal.press(&["T"]);
    golden(&terminal, "connect6.txt", "threatens");
}

#[test]
fn gomoku_in_chinese_is_the_golden_screen() {
    let folder = Folder::new("golden-gomoku");
    let file = written(&folder, "gomoku", GOMOKU);
    let arguments = [&["--load", &file, "--lang", "zh"][..], &TWO_PEOPLE].concat();
    let terminal = Terminal::with(&[("NO_COLOR", "1")], (80, 24), &arguments);
    golden(&terminal, "gomoku-chinese.txt", "轮到白方");
}

#[test]
fn connect_four_in_ascii_is_the_golden_screen() {
    let folder = Folder::new("golden-connect4");
    let file = written(&folder, "connect4:9x10/d4", "d1 d2 e1 d3 f1 d5 g1");
    let arguments = [&["--load", &file, "--ascii"][..], &TWO_PEOPLE].concat();
    let terminal = Terminal::with(&[("NO_COLOR", "1")], (80, 24), &arguments);
    golden(&terminal, "connect4-ascii.txt", "Red wins with four in a row");
    assert!(terminal.screen().is_ascii(), "only ASCII");
}

#[test]
fn a_terminal_without_utf8_gets_ascii() {
    let plain = [("LC_ALL", "C"), ("LIANZI_LANG", "C")];
    let terminal = Terminal::with(&plain, (80, 24), &[&["gomoku"][..], &TWO_PEOPLE].concat());
    terminal.shows("Black to move");
    terminal.line("h8");
    let screen = terminal.shows("[X]");
    assert!(screen.is_ascii(), "{screen}");
}

#[test]
fn the_screen_follows_the_size_of_the_terminal() {
    let terminal = two_people("connect6");
    terminal.line("j10");
    terminal.shows("[●]");
    let resize = |width: &str, height: &str| {
        terminal.ask(&["resize-window", "-x", width, "-y", height]);
    };
    resize("130", "50");
    terminal.until("a roomy board", |screen| screen.contains("a   b   c") && stones(screen, '●') == 1);
    resize("30", "10");
    terminal.until("a part of the board", |screen| {
        screen.lines().count() == 10 && screen.contains("[●]") && !screen.contains("a b c")
    });
    resize("8", "3");
    terminal.until("next to nothing", |screen| screen.lines().count() <= 3);
    resize("80", "24");
    let screen = terminal.until("the whole board", |screen| screen.contains("a b c") && screen.contains("Moves"));
    assert_eq!(stones(&screen, '●'), 1, "{screen}");
    terminal.line("k10 k11");
    terminal.shows("Black to move, 2 stones");
}

#[test]
fn colours_are_left_out_where_they_are_not_wanted() {
    let coloured = |environment: &[(&str, &str)]| {
        let terminal = Terminal::with(environment, (80, 24), &[&["gomoku"][..], &TWO_PEOPLE].concat());
        terminal.shows("Black to move");
        terminal.line("h8");
        terminal.shows("[●]");
        let drawn = terminal.ask(&["capture-pane", "-p", "-e"]);
        drawn.contains("[38;5;") || drawn.contains("48;5;")
    };
    assert!(coloured(&[("NO_COLOR", "")]), "an empty NO_COLOR means nothing");
    assert!(!coloured(&[("NO_COLOR", "1")]));
}

#[test]
fn clocks_run_and_a_flag_falls() {
    let terminal = Terminal::open(&[&["gomoku", "--time", "2s"][..], &TWO_PEOPLE].concat());
    terminal.shows("left 0:0");
    terminal.shows("White won on time: Black was out of time for the move");
}
