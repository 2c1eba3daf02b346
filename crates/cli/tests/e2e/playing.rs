//! `play` in line mode.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Folder, read, refused, run_with, stdout};

fn session(arguments: &[&str], lines: &[&str]) -> String {
    let output = run_with(arguments, &(lines.join("\n") + "\n"));
    assert!(output.status.success());
    stdout(&output)
}

#[test]
fn two_people_play_to_the_end() {
    let moves = ["d", "a", "d", "a", "d", "a", "d", "quit"];
    let text = session(&["play", "connect4", "--white", "human"], &moves);
    assert!(text.contains("Red wins with four in a row"), "{text}");
    assert!(text.contains("Yellow to move"), "{text}");
}

#[test]
fn every_bad_input_gets_a_sentence_and_a_new_prompt() {
    let lines = [
        "h8",
        "h8",
        "z99",
        "banana",
        "h8 i9",
        "undo extra",
        "save",
        "save /no/such/folder/x.json",
        "\u{1}",
        "p1",
        "quit",
    ];
    let text = session(&["play", "gomoku", "--white", "human"], &lines);
    for words in [
        "h8: there is a stone already",
        "'z99' is not a cell",
        "'banana' is not a cell",
        "Too many stones: 1 are left in this turn",
        "Say where: save game.json",
        "Not saved:",
        "p1: that is not on the board",
    ] {
        assert!(text.contains(words), "'{words}' is missing in {text}");
    }
    assert_eq!(text.matches("White to move > ").count(), 10, "every bad line is followed by a prompt: {text}");
}

/// What people and cats type: no cell, no order, or one that cannot be done.
#[rustfmt::skip]
const TYPED: [&str; 96] = [
    "h8", "H8", "p1", "a16", "z99", "h0", "h-1", "h08", "8h", "hh8", "h8h8", "h", "8", "aa", "zz1", "h8 i9",
    "h8,i9,j10", "i9 i9", "banana", "undo it", "redo please", "redo", "hint me", "resign!", "restart now",
    "quit?", "quits", "UNDO", "Quit", "help me", "save", "save /no/such/folder/x.json",
    "save no/such/folder/x.sgf", "load", "load /no/such/file.json", "load /", "load /dev/null", "load .",
    "replay", "replay x", "replay 2", "replay -1", "replay 99999999999999999999", "replay 1 2", "-", "--",
    "--help", "$(id)", "`id`", "; ls", "| ls", "../../etc/passwd", "' OR 1=1", "<script>",
    "{\"cell\":\"h8\"}", "%s%n", "\\", "/", "//", "#", "!", "@", "*", "0", "-1", "1e9", "NaN", "7,7",
    "(8, 8)", "move 8 8", "regret", "newblack", "天元", "悔", "八8", "h８", "ｈ8", "h٣", "🙂", "●", "\u{feff}h8",
    "h\u{200b}9", "\u{1b}[A", "\u{1b}[<0;1;1M", "\u{7}", "\u{1}", "\0", "h8\0", "\u{202e}8h", "black h9",
    "h9.", "h 9", "h9 h", "pass", "white h9", "none",
];

/// The same, and what is no text or too long.
fn malformed() -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = TYPED.iter().map(|text| text.as_bytes().to_vec()).collect();
    lines.extend([vec![0xff, 0xfe], vec![b'h', 0xc3, b'9'], vec![b'h'; 100_000], b"h9 ".repeat(50_000)]);
    lines
}

#[test]
fn a_hundred_malformed_lines_get_a_hundred_sentences() {
    let lines = malformed();
    assert_eq!(lines.len(), 100);
    let input = [b"h8".to_vec(), lines.join(&b'\n'), b"moves\nquit\n".to_vec()].join(&b'\n');
    let output = run_with(&["play", "gomoku", "--white", "human"], input);
    assert!(output.status.success());
    let text = stdout(&output);
    let answers: Vec<&str> = text.split("White to move > ").skip(1).collect();
    assert_eq!(answers.len(), 102, "every line has its prompt: {text}");
    for (line, answer) in lines.iter().zip(&answers) {
        let typed = String::from_utf8_lossy(&line[..line.len().min(40)]).into_owned();
        let sentence = answer.trim_end();
        assert!(!sentence.is_empty() && sentence.lines().count() == 1, "{typed:?}: {sentence:?}");
        assert!(sentence.len() < 400 && !sentence.contains('\u{1b}'), "{typed:?}: {sentence:?}");
    }
    assert_eq!(answers[100].trim(), "h8", "the board is as it was");
}

#[test]
fn analysis_threats_moves_and_replay_are_told_in_lines() {
    let lines = ["d", "a", "d", "a", "d", "threats", "analyse", "hint", "moves", "replay 1", "quit"];
    let text = session(&["play", "connect4", "--white", "human"], &lines);
    assert!(text.contains("Red: one turn from a line, d1 d2 d3 (d4)"), "{text}");
    assert!(text.contains("Try d4"), "{text}");
    assert!(text.contains("d1 a1 d2 a2 d3\n"), "{text}");
    assert!(text.contains("#") || text.contains('%'), "{text}");
}

#[test]
fn a_game_is_loaded_in_lines() {
    let folder = Folder::new("load-lines");
    let file = folder.write("game.txt", "# game: gomoku\nh8 i9\n");
    let other = folder.write("other.txt", "# game: connect4\nd1\n");
    let load = [format!("load {file}"), "moves".into(), format!("load {other}"), "moves".into()];
    let lines: Vec<&str> = load.iter().map(String::as_str).collect();
    let text = session(&["play", "gomoku", "--white", "human"], &lines);
    assert!(text.contains("Black to move > h8 i9"), "{text}");
    assert!(text.contains("Yellow to move > d1"), "another game can be loaded: {text}");
    let text = session(&["play", "gomoku", "--white", "classic-gomoku"], &[lines[2]]);
    assert!(text.contains("classic-gomoku"), "its player must play it: {text}");
}

#[test]
fn a_file_that_cannot_be_written_is_told_and_the_game_goes_on() {
    let arguments = ["play", "gomoku", "--white", "human", "--save", "/no/such/folder/game.json"];
    let output = run_with(&arguments, "h8\ni9\nquit\n");
    let text = stdout(&output);
    assert_eq!(text.matches("Not saved: ").count(), 2, "{text}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn two_stones_a_turn_can_come_together_or_one_by_one() {
    let lines = ["j10", "k10 k11", "j9", "undo", "j8", "j7", "l10 l10", "quit"];
    let text = session(&["play", "connect6", "--white", "human"], &lines);
    assert!(text.contains("White to move, 2 stones"), "{text}");
    assert!(text.contains("l10: there is a stone already"), "{text}");
}

#[test]
fn undo_goes_back_to_the_own_turn_and_redo_returns() {
    let lines = ["h8", "i9", "undo", "undo", "undo", "redo", "quit"];
    let text = session(&["play", "gomoku", "--white", "greedy@seed=1"], &lines);
    assert!(text.contains("There is nothing to take back"), "{text}");
    assert!(text.contains("White: "), "{text}");
    let last_board = text.rsplit("a b c d e f g h i j k l m n o").nth(1).unwrap();
    assert!(last_board.contains('●') && last_board.contains('○'), "redo brings the answer back: {last_board}");
}

#[test]
fn swap2_is_told_line_by_line() {
    let folder = Folder::new("swap2");
    let file = folder.name("game.json");
    let people = ["play", "gomoku", "--swap2", "--white", "human", "--save", &file];
    let lines = ["more", "h8 h9 h10", "more", "a1 b1", "c3", "undo", "quit"];
    let text = session(&people, &lines);
    for words in [
        "There is no such choice now.",
        "Black to move, 3 stones > ",
        "Swap2: a black stone",
        "White to choose > ",
        "Swap2: a white stone; swap: play black; more: place two more",
        "White to move, 2 stones > ",
        "Swap2: a white stone; swap: play black\n",
        "The sides are settled: Player plays Black, Player plays White.",
        "The sides are settled; their opening cannot be taken back, but you can restart.",
    ] {
        assert!(text.contains(words), "'{words}' is missing in {text}");
    }
    let kept = read(&folder.path("game.json"));
    assert!(kept.contains("\"game\":\"gomoku+swap2\"") && kept.contains("\"more\""), "{kept}");
    let engine = ["play", "gomoku+swap2", "--black", "greedy@seed=1", "--white", "human", "--lang", "zh"];
    let text = session(&engine, &["执黑", "quit"]);
    for words in ["Swap2：落白子；swap 交换执黑", "由白方选择", "黑白已定：玩家执黑，greedy@seed=1执白。", "白方: "]
    {
        assert!(text.contains(words), "'{words}' is missing in {text}");
    }
    let renju = ["play", "renju+yamaguchi", "--white", "human"];
    let text = session(&renju, &["h8 h9 i9", "13", "2", "swap", "a15", "g7 g9", "g9", "quit"]);
    for words in [
        "Yamaguchi: how many fifth moves, 1 to 12?",
        "The number of fifth moves must be 1 to 12.",
        "Offered: 1 g7, 2 g9",
        "Yamaguchi: choose one of 2 fifth moves",
        "The sides are settled",
    ] {
        assert!(text.contains(words), "'{words}' is missing in {text}");
    }
    refused(&["play", "connect6", "--swap2"], 2, "swap2 is for games with one stone a turn");
    refused(&["play", "--load", &file, "--swap2"], 2, "swap2 begins on an empty board");
}

#[test]
fn a_game_is_saved_after_every_turn_and_goes_on() {
    let folder = Folder::new("save");
    let file = folder.name("game.json");
    session(&["play", "renju", "--white", "greedy", "--save", &file], &["h8", "i11"]);
    let saved = read(&folder.path("game.json"));
    assert!(saved.contains("\"game\":\"renju\"") && saved.contains("\"cell\":\"i11\""), "{saved}");
    let text = session(&["play", "--load", &file, "--white", "human"], &["undo", "resign", "quit"]);
    assert!(text.contains("resigned"), "{text}");
    refused(&["play", "gomoku", "--load", &file], 2, "the saved game is another one");
    refused(&["play", "--load", &folder.name("missing.json")], 2, "missing.json");
}

#[test]
fn engines_play_alone() {
    for game in ["gomoku", "standard", "renju", "connect6:15", "connect4", "connect4:random", "connect:5,5,4,1,1"] {
        let text = session(&["play", game, "--black", "greedy", "--white", "random"], &[]);
        assert!(text.contains("wins") || text.contains("draw"), "{game}: {text}");
    }
}

#[test]
fn it_speaks_chinese() {
    let text = session(&["play", "gomoku", "--white", "human", "--lang", "zh"], &["h8", "h8", "resign", "quit"]);
    for words in ["轮到白方", "已有棋子", "黑方获胜：白方认输"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn a_late_move_loses() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lianzi"))
        .args(["--lang", "en", "play", "gomoku", "--time", "200ms"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The clock runs when the first prompt is there, however long the start took.
    let (mut said, mut byte) = (Vec::new(), [0]);
    let mut stdout = child.stdout.take().unwrap();
    while !said.ends_with(b"> ") {
        stdout.read_exact(&mut byte).unwrap();
        said.extend(byte);
    }
    std::thread::sleep(Duration::from_millis(600));
    child.stdin.take().unwrap().write_all(b"h8\nquit\n").unwrap();
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    child.wait().unwrap();
    assert!(rest.contains("White won on time: Black was out of time for the move"), "{rest}");
}

#[test]
fn bad_arguments_are_explained() {
    refused(&["play", "chess"], 2, "there is no game 'chess'");
    refused(&["play", "gomoku:99"], 2, "each side must be 1 to 31");
    refused(&["play", "gomoku", "--white", "nobody"], 2, "there is no player 'nobody'");
    refused(&["play", "gomoku", "--time", "soon"], 2, "'soon' is not a time");
    refused(&["play", "gomoku", "--white", "greedy@colour=red"], 2, "greedy has no option 'colour'");
}
