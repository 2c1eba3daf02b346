//! `new strategy`: every template builds, plays and is packed by the commands its README names; and our own engine as a
//! strategy library.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use super::{Folder, ok, read, refused, run, stderr, stdout};

/// Runs `make` in a folder with this program as `lianzi`.
fn make(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("make")
        .args(arguments)
        .arg(format!("LIANZI={}", env!("CARGO_BIN_EXE_lianzi")))
        // More than the course gives, for a machine that has other things to do.
        .arg("TIME=30s")
        .current_dir(folder)
        .env("LIANZI_LANG", "en_US.UTF-8")
        // The outer build's wishes are not those of a student's folder.
        .env_remove("MAKEFLAGS")
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .expect("make is there");
    let said = format!("{}{}", stdout(&output), stderr(&output));
    assert!(output.status.success(), "make {arguments:?}: {said}");
    said
}

/// A new folder of this kind, with every placeholder filled in.
fn new(folder: &Folder, name: &str, options: &[&str]) {
    let path = folder.name(name);
    let said = ok(&[&["new", "strategy", &path], options].concat());
    assert!(said.contains(&format!("cd {path}\n")) && said.contains("make play"), "{said}");
    for entry in std::fs::read_dir(folder.path(name)).unwrap().flatten() {
        if entry.path().is_file() {
            let text = read(&entry.path());
            let mut places = text.split("{{").skip(1);
            assert!(!places.any(|rest| rest.starts_with(char::is_alphabetic)), "{}", entry.path().display());
        }
    }
    for readme in ["README.md", "README.zh.md"] {
        assert!(read(&folder.path(name).join(readme)).contains("make grade"), "{readme}");
    }
}

fn assert_played(said: &str, name: &str) {
    assert!(said.contains("2 games: +2 =0 -0"), "dice should be beaten: {said}");
    assert!(said.contains(&format!("faults: {name} 0, random 0")), "{said}");
}

/// A library is built, plays and is packed with these sources under a student's number.
fn library(lang: &str, sources: &[&str]) {
    let folder = Folder::new(&format!("new-{lang}"));
    new(&folder, "mine", &["--lang", lang]);
    let mine = folder.path("mine");
    let built = make(&mine, &[]);
    assert!(!built.contains("warning"), "{built}");
    assert_played(&make(&mine, &["play"]), "Strategy");
    let said = make(&mine, &["pack", "NUMBER=2023000042"]);
    assert!(said.contains("no report yet"), "{said}");
    std::fs::write(mine.join("report.pdf"), "my report").unwrap();
    std::fs::create_dir_all(mine.join("graded/results")).unwrap();
    std::fs::write(mine.join("graded/results/2.txt"), "0:\n").unwrap();
    let said = make(&mine, &["pack", "NUMBER=2023000042"]);
    assert!(!said.contains("yet"), "{said}");
    let parts = ["2023000042.so", "results/2.txt", "report.pdf"];
    for part in sources.iter().chain(&parts) {
        assert!(mine.join("2023000042_Linux").join(part).is_file(), "{part}");
    }
    assert!(mine.join("2023000042_Linux.tar.gz").is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn a_strategy_in_c() {
    library("c", &["Strategy.c", "Strategy.h", "Point.h", "Judge.c", "Judge.h"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_strategy_in_cpp() {
    library("cpp", &["Strategy.cpp", "Strategy.h", "Point.h", "Judge.cpp", "Judge.h"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_strategy_in_rust() {
    library("rust", &["Cargo.toml", "src/lib.rs", "src/judge.rs"]);
}

#[test]
fn a_gomoku_strategy_in_python() {
    let folder = Folder::new("new-gomoku");
    new(&folder, "2023000043", &["--lang", "python"]);
    let mine = folder.path("2023000043");
    assert_played(&make(&mine, &["play"]), "2023000043");
    make(&mine, &["pack"]);
    assert!(mine.join("2023000043_Linux/2023000043.py").is_file());
    // A call that is made again gets the same answer, in the debugger too.
    let (py, out) = (format!("py:{}", folder.name("2023000043/2023000043.py")), folder.name("2023000043/games"));
    ok(&["match", "gomoku:15", "random", &py, "--games", "2", "--openings", "none", "--time", "30s", "--out", &out]);
    let game: Value = serde_json::from_str(read(&mine.join("games/games.jsonl")).lines().next().unwrap()).unwrap();
    let third = game["moves"][3]["cell"].as_str().unwrap().to_string();
    let again = python(&mine, &["replay.py", "games/games.jsonl", "1", "3"]);
    let said = stdout(&again);
    let (x, y) = said.trim().trim_start_matches("ai: (").trim_end_matches(')').split_once(", ").unwrap();
    let cell = format!("{}{}", (b'a' + x.parse::<u8>().unwrap()) as char, y.parse::<u8>().unwrap() + 1);
    assert_eq!(cell, third, "{said}{}", stderr(&again));
    // The debugger takes what the page says.
    let page = read(&mine.join("README.md"));
    let orders: String =
        page.lines().filter_map(|line| line.strip_prefix("(Pdb) ")).map(|o| format!("{o}\n")).collect();
    let script = mine.join("orders");
    std::fs::write(&script, orders + "quit\n").unwrap();
    let debugged = Command::new("python3")
        .args(["-m", "pdb", "replay.py", "games/games.jsonl", "1"])
        .current_dir(&mine)
        .stdin(std::fs::File::open(&script).unwrap())
        .output()
        .unwrap();
    let said = stdout(&debugged);
    assert!(said.contains("Breakpoint 1") && said.contains(".py(25)ai()") && !said.contains("***"), "{said}");
}

fn python(folder: &Path, arguments: &[&str]) -> Output {
    Command::new("python3").args(arguments).current_dir(folder).output().expect("python3 is there")
}

#[test]
fn an_agent_for_connectx() {
    let folder = Folder::new("new-kaggle");
    new(&folder, "bot", &["--lang", "python", "--game", "connect4"]);
    assert_played(&make(&folder.path("bot"), &["play"]), "agent");
    make(&folder.path("bot"), &["pack"]);
    assert_eq!(read(&folder.path("bot/submission.py")), read(&folder.path("bot/agent.py")));
}

#[test]
fn nothing_is_overwritten_and_nothing_is_promised() {
    let folder = Folder::new("new-refused");
    let path = folder.name("mine");
    ok(&["new", "strategy", &path, "--lang", "c"]);
    std::fs::write(folder.path("mine/Strategy.c"), "mine").unwrap();
    refused(&["new", "strategy", &path, "--lang", "c"], 2, "is there already");
    refused(&["new", "strategy", &folder.write("file", ""), "--lang", "c"], 2, "is there already");
    assert_eq!(read(&folder.path("mine/Strategy.c")), "mine");
    refused(&["new", "strategy", &folder.name("x"), "--lang", "cpp", "--game", "gomoku"], 2, "--lang python");
    refused(&["new", "strategy", &folder.name("x")], 2, "--lang");
    refused(&["new", "strategy", &folder.name("x"), "--lang", "cobol"], 2, "cobol");
    assert!(!folder.path("x").exists());
}

/// `--lang` is the strategy's here and the people's everywhere else; both can be had.
#[test]
fn both_kinds_of_language_can_be_chosen() {
    let folder = Folder::new("new-words");
    let paths = ["a", "b", "c"].map(|name| folder.name(name));
    let before = ok(&["--lang", "zh", "new", "strategy", &paths[0], "--lang", "rust"]);
    let after = ok(&["new", "strategy", &paths[1], "--lang", "rust", "--words", "zh"]);
    let between = ok(&["new", "--lang", "zh", "strategy", &paths[2], "--lang", "rust"]);
    for said in [before, after, between] {
        assert!(said.contains("接下来"), "{said}");
    }
    // A shell takes the next command as it is printed.
    let spaced = folder.name("my own");
    assert!(ok(&["new", "strategy", &spaced, "--lang", "c"]).contains(&format!("cd '{spaced}'\n")));
    refused(&["new", "strategy", &folder.name("x")], 2, "--lang <c|cpp|rust|python>");
    assert!(stdout(&run(&["new", "strategy", "--help"])).contains("ConnectX"));
}

/// The library is built beside this test, because the test depends on its crate.
#[test]
fn our_engine_is_a_strategy_library() {
    let name = format!("{}lianzi_strategy{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = std::env::current_exe().unwrap().with_file_name(name);
    let player = format!("so:{}@name=ours", library.display());
    let limits = ["--games", "2", "--time", "30s", "--concurrency", "2", "--openings", "none", "--json"];
    let said = ok(&[&["match", "connect4:random", &player, "random"], &limits[..]].concat());
    let summary: Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!((&summary["wins"], &summary["faults"]), (&2.into(), &0.into()), "{said}");
}
