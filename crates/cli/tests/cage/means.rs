//! Who may use a cage, and what happens where there is none.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::{Den, text};

#[test]
fn a_system_without_landlock_is_refused_in_words() {
    let den = Den::new();
    let good = format!("so:{}", den.library("GOOD", &[]));
    let start = den.compile("without_landlock.c", "start", &[]);
    let run = |more: &[&str]| {
        let mut command = Command::new(&start);
        command.arg(env!("CARGO_BIN_EXE_lianzi")).args(["match", "connect4", &good, "random"]);
        command.args(["--games", "2", "--openings", "none", "--lang", "en"]).args(more);
        command.env("TMPDIR", den.path("tmp")).output().unwrap()
    };
    let refused = run(&[]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
    let said = text(&refused);
    assert!(said.contains("landlock") && said.contains("--no-cage"), "{said}");
    assert!(!said.contains("BitFlags"), "{said}");
    let uncaged = run(&["--no-cage"]);
    assert!(uncaged.status.success(), "{}", text(&uncaged));
    den.assert_nothing_left();
}

/// Where the tests run as root, the same must hold for somebody who is not.
#[test]
fn an_ordinary_user_can_cage() {
    let den = Den::new();
    let good = format!("so:{}", den.library("GOOD", &[]));
    let crash = format!("so:{}", den.library("ABORT", &[]));
    let program = den.path("lianzi");
    // Copied by another process: one that other tests start while we write inherits the open file, and then it cannot start.
    assert!(Command::new("cp").arg(env!("CARGO_BIN_EXE_lianzi")).arg(&program).status().unwrap().success());
    let mut command = Command::new(program);
    command.args(["match", "connect4", &good, &crash, "--games", "2", "--openings", "none", "--json"]);
    command.env("TMPDIR", den.path("tmp")).current_dir(den.path("tmp"));
    if fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0) {
        command.uid(65534).gid(65534);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(text(&output).matches("SIGABRT").count(), 2, "{}", text(&output));
    den.assert_nothing_left();
}

#[test]
fn what_cannot_be_played_is_refused_before_the_first_game() {
    let den = Den::new();
    let good = format!("so:{}", den.library("GOOD", &[]));
    let cases = [
        ("gomoku", good.as_str(), "does not play gomoku"),
        ("connect4:9x9/a1,b2", &good, "does not play"),
        ("connect4", "so:/no/such/file.so", "/no/such/file.so"),
        ("connect4:9x9/a1", "kaggle:/no/such/file.py", "does not play"),
    ];
    for (game, player, words) in cases {
        let output = den.lianzi(&["match", game, player, "random", "--games", "2"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains(words), "{}", text(&output));
    }
}
