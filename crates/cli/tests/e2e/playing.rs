//! `play` in line mode.

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
    assert!(text.contains("Black wins with four in a row"), "{text}");
    assert!(text.contains("White to move"), "{text}");
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
    assert_eq!(
        text.matches("White to move > ").count(),
        10,
        "every bad line is followed by a prompt: {text}"
    );
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
    assert!(
        last_board.contains('●') && last_board.contains('○'),
        "redo brings the answer back: {last_board}"
    );
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
    for game in
        ["gomoku", "standard", "renju", "connect6:15", "connect4", "connect4:random", "connect:5,5,4,1,1"]
    {
        let text = session(&["play", game, "--black", "greedy", "--white", "random"], &[]);
        assert!(text.contains("wins") || text.contains("draw"), "{game}: {text}");
    }
}

#[test]
fn it_speaks_chinese() {
    let text =
        session(&["play", "gomoku", "--white", "human", "--lang", "zh"], &["h8", "h8", "resign", "quit"]);
    for words in ["轮到白方", "已有棋子", "黑方获胜：白方认输"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn a_late_move_loses() {
    let output = std::process::Command::new("sh")
        .arg("-c")
        .arg(format!(
            "(sleep 1; echo h8; echo quit) | {} --lang en play gomoku --time 200ms",
            env!("CARGO_BIN_EXE_lianzi")
        ))
        .output()
        .unwrap();
    assert!(stdout(&output).contains("Black loses: out of time for the move"), "{}", stdout(&output));
}

#[test]
fn bad_arguments_are_explained() {
    refused(&["play", "chess"], 2, "there is no game 'chess'");
    refused(&["play", "gomoku:99"], 2, "each side must be 1 to 31");
    refused(&["play", "gomoku", "--white", "nobody"], 2, "there is no player 'nobody'");
    refused(&["play", "gomoku", "--time", "soon"], 2, "'soon' is not a time");
    refused(&["play", "gomoku", "--white", "greedy@colour=red"], 2, "greedy has no option 'colour'");
}
