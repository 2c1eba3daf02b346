//! A class as real ones are: folders and archives of every shape, some of them hostile, and the sheet that must come of it.

mod class;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use self::class::{EXPECTED, honest, hostile};
use super::course::{LEFT, RIGHT, compile, course, source};
use super::{Folder, ok, read, run, stderr, stdout};

/// Writes files into a folder of the class.
pub fn hand_in(folder: &Folder, name: &str, files: &[(&str, &str)]) {
    for (file, content) in files {
        let path = folder.path("class").join(name).join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
}

/// Runs a script of Python in the class's folder.
fn python(folder: &Folder, script: &str) {
    let output = Command::new("python3").args(["-c", script]).current_dir(folder.path("class")).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

/// A course in which a folder of sources alone is complete, and whose one sample is beaten by who begins.
pub fn rules(folder: &Folder) -> (String, String) {
    let text = read(Path::new(&course(folder)));
    let text = text.replace(
        "sources = [\"Judge.cpp\", \"Judge.h\", \"Strategy.cpp\", \"Strategy.h\", \"Point.h\"]",
        "sources = [\"Strategy.cpp\"]",
    );
    let text =
        text.replace("results = 1", "results = 0").replace("report = [\"pdf\", \"doc\", \"docx\"]", "report = []");
    let text = text.replace("largest = 64", "largest = 8");
    std::fs::create_dir_all(folder.path("samples")).unwrap();
    std::fs::create_dir_all(folder.path("class")).unwrap();
    compile(folder, "samples/1.so", &source("", RIGHT));
    (folder.write("rules.toml", &text), folder.name("samples"))
}

#[test]
fn a_class_of_real_and_hostile_submissions() {
    let folder = Folder::new("handed-in");
    let (course, samples) = rules(&folder);
    honest(&folder);
    hostile(&folder);
    let (class, out) = (folder.name("class"), folder.name("out"));
    let arguments = ["grade", &class, "--against", &samples, "--course", &course, "--out", &out, "--jobs", "2"];
    let output = run(&arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let sheet = read(&folder.path("out/marks.csv"));
    assert_eq!(sheet.lines().count(), EXPECTED.len() + 1, "{sheet}");
    for (student, total, remarks) in EXPECTED {
        let row = sheet
            .lines()
            .find(|line| line.starts_with(&format!("{student},")))
            .unwrap_or_else(|| panic!("{student}: {sheet}"));
        let cells: Vec<&str> = row.splitn(17, ',').collect();
        assert_eq!(cells[15], *total, "{row}");
        remarks.iter().for_each(|remark| assert!(cells[16].contains(remark), "{remark}: {row}"));
        assert!(!remarks.is_empty() || *total == "0" || cells[16].starts_with(','), "{row}");
    }
    // Nothing left its place, and no terminal or spreadsheet is told anything.
    assert!(!folder.path("escaped.txt").exists() && !Path::new("/tmp/lianzi-escaped.txt").exists());
    let said = stdout(&output) + &stderr(&output);
    assert!(said.contains("last words"), "{said}");
    for text in [&said, &sheet, &read(&folder.path("out/marks.html"))] {
        assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'), "{text}");
    }
    assert!(!sheet.contains("\n="), "{sheet}");
    // The limit that kept a library from loading is named, and what the compiler said is all it said.
    assert!(read(&folder.path("out/3005_Linux/games.jsonl")).contains("more than its 2048 MiB of memory"));
    let compiler = read(&folder.path("out/__2J3010_Linux/compiler.txt"));
    assert!(compiler.contains("error") && !compiler.contains("exit status"), "{compiler}");
    // What an untouched template answers is its author's fault, and said in words.
    let untouched = read(&folder.path("out/3011_Linux/games.jsonl"));
    assert_eq!(untouched.matches("\"ending\":\"illegal\"").count(), 2, "{untouched}");
    assert!(read(&folder.path("out/3011_Linux/strategy.html")).contains("(-1,-1)"));
    assert!(read(&folder.path("out/2012_Linux/games.jsonl")).contains("0 after "), "the console's words are kept");
    // Going on changes nothing.
    let again = run(&[&arguments[..], &["--resume"]].concat());
    assert!(again.status.success(), "{}", stderr(&again));
    assert_eq!(read(&folder.path("out/marks.csv")), sheet);
}

#[test]
fn the_next_hand_in_is_compared_with_the_last() {
    let folder = Folder::new("handed-in-again");
    let (course, samples) = rules(&folder);
    hand_in(&folder, "1_Linux", &[("Strategy.cpp", &source("", "abort();"))]);
    hand_in(&folder, "2_Linux", &[("Strategy.cpp", &source("", LEFT))]);
    hand_in(&folder, "3_Linux", &[("Strategy.cpp", &source("", LEFT))]);
    let (class, old, new) = (folder.name("class"), folder.name("old"), folder.name("new"));
    let grade = |more: &[&str]| run(&[&["grade", &class, "--against", &samples, "--course", &course], more].concat());
    assert!(grade(&["--out", &old]).status.success());
    std::fs::remove_dir_all(folder.path("class/3_Linux")).unwrap();
    hand_in(&folder, "1_Linux", &[("Strategy.cpp", &source("", LEFT))]);
    // One that has changed cannot go on, and the other one can.
    let resumed = grade(&["--out", &old, "--resume"]);
    let said = stdout(&resumed);
    assert!(said.contains("another contest") && said.contains("2: +1 =0 -1"), "{said}{}", stderr(&resumed));
    assert_eq!(resumed.status.code(), Some(130), "not all games were played");
    std::fs::remove_dir_all(folder.path("old")).unwrap();
    hand_in(&folder, "1_Linux", &[("Strategy.cpp", &source("", "abort();"))]);
    hand_in(&folder, "3_Linux", &[("Strategy.cpp", &source("", LEFT))]);
    assert!(grade(&["--out", &old]).status.success());
    std::fs::remove_dir_all(folder.path("class/3_Linux")).unwrap();
    hand_in(&folder, "1_Linux", &[("Strategy.cpp", &source("", LEFT))]);
    let output = grade(&["--out", &new, "--previous", &old]);
    let said = stdout(&output);
    assert!(said.contains("+60 since 0\n") && said.contains("+0 since 60, same files"), "{said}");
    assert!(stderr(&output).contains("not now: 3"), "{}", stderr(&output));
    let sheet = read(&folder.path("new/marks.csv"));
    assert!(sheet.lines().next().unwrap().ends_with(",similar,previous") && sheet.contains(",60\r\n"), "{sheet}");
    let refused = grade(&["--previous", &samples]);
    assert!(!refused.status.success() && stderr(&refused).contains("marks.csv"), "{}", stderr(&refused));
}

/// Time is what a strategy uses itself: a slow machine is no fault, burning CPU is one, and so is sleeping for ever.
#[test]
fn the_limit_counts_the_strategys_own_time() {
    let folder = Folder::new("handed-in-time");
    let (course, samples) = rules(&folder);
    let text = read(Path::new(&course))
        .replace("time = \"20s\"", "time = \"300ms\"")
        .replace("wall = \"30s\"", "wall = \"1500ms\"");
    let course = folder.write("time.toml", &text);
    let usleep = "#include <unistd.h>\n";
    let slow = format!("if (lastY < 0 || top[0] == M - 1) usleep(600000); {LEFT}");
    compile(&folder, "class/slow.so", &source(usleep, &slow));
    compile(&folder, "class/burns.so", &source("", "for (volatile int i = 0;; i++) { }"));
    compile(&folder, "class/sleeps.so", &source(usleep, "for (;;) usleep(100000);"));
    let (class, out) = (folder.name("class"), folder.name("out"));
    let said =
        ok(&["grade", &class, "--against", &samples, "--course", &course, "--out", &out, "--jobs", "2", "--json"]);
    let mark = |student: &str| -> Value {
        let lines = said.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["event"] == "mark").find(|line| line["student"] == student).unwrap()
    };
    let slow = mark("slow");
    assert_eq!((&slow["wins"], &slow["faults"]["timeouts"]), (&1.into(), &0.into()), "{slow}");
    assert!(slow["wall_most"].as_f64().unwrap() >= 0.6 && slow["cpu_most"].as_f64().unwrap() < 0.3, "{slow}");
    assert!(read(&folder.path("out/slow/strategy.html")).contains("CPU time of a move"));
    for late in ["burns", "sleeps"] {
        assert_eq!(mark(late)["faults"]["timeouts"], 2, "{said}");
    }
}

/// Programs for Connect6 are compiled from their sources.
#[test]
fn connect6_sources_are_compiled() {
    let folder = Folder::new("handed-in-connect6");
    std::fs::create_dir_all(folder.path("class")).unwrap();
    let program = "#include <cstdio>\nint main(int argc, char** argv) { fprintf(stderr, \"in C++ as %s\\n\", argv[1]); return 3; }\n";
    hand_in(&folder, "8001_Linux", &[("src/main.cpp", program)]);
    hand_in(&folder, "8002_Linux", &[("main.c", "int main(void) { int new = 3; return new; }\n")]);
    hand_in(&folder, "8003_Linux", &[("src/main.rs", "fn main() { std::process::exit(3) }\n")]);
    hand_in(&folder, "8004_Linux", &[("8004.py", "import sys\nsys.exit(3)\n")]);
    let (class, out) = (folder.name("class"), folder.name("out"));
    let said =
        ok(&["grade", &class, "--course", "connect6", "--samples", "1", "--time", "20s", "--out", &out, "--jobs", "2"]);
    for student in ["8001", "8002", "8003", "8004"] {
        let games = read(&folder.path(&format!("out/{student}_Linux/games.jsonl")));
        assert!(games.contains("exit status: 3"), "{student} was started: {games}{said}");
    }
    assert!(read(&folder.path("out/8001_Linux/games.jsonl")).contains("in C++ as white"));
    assert!(!said.contains("compile") && !said.contains("missing"), "{said}");
}

/// Strategies that keep a tree from the first stone on do not survive games that begin elsewhere.
#[test]
fn course_players_begin_on_the_empty_board() {
    let folder = Folder::new("handed-in-openings");
    let keeps = source(
        "static int calls = 0;",
        &format!(
            "int stones = 0; for (int i = 0; i < M * N; i++) stones += board[i] != 0; if (stones / 2 != calls++) abort(); {LEFT}"
        ),
    );
    let player = format!("so:{}", compile(&folder, "keeps.so", &keeps));
    let play = |more: &[&str]| {
        let fixed = ["match", "connect4:9x9/e9", &player, "random", "--games", "2", "--time", "20s", "--json"];
        let said = ok(&[&fixed[..], more].concat());
        serde_json::from_str::<Value>(said.lines().last().unwrap()).unwrap()
    };
    assert_eq!(play(&[])["faults"], 0);
    assert_eq!(play(&["--openings", "random"])["faults"], 2, "who asks for openings gets them");
}

/// A crash that depends on earlier calls happens again when they are made again.
#[test]
fn a_call_is_made_after_the_earlier_ones() {
    let folder = Folder::new("handed-in-call");
    let tree = source("static int calls = 0;", &format!("if (calls++ == 2) *(volatile int*)8 = 1; {LEFT}"));
    let library = compile(&folder, "tree.so", &tree);
    let (player, out) = (format!("so:{library}"), folder.name("games"));
    ok(&["match", "connect4:9x9/e9", &player, "random", "--games", "2", "--time", "20s", "--out", &out]);
    let games = folder.name("games/games.jsonl");
    let call = |more: &[&str]| run(&[&["call", &library, &games, "--game", "1"], more].concat());
    assert_eq!(call(&[]).status.code(), None, "it crashes as it did");
    let alone = call(&["--alone"]);
    assert!(alone.status.success() && stdout(&alone).starts_with("getPoint: ("), "{}", stderr(&alone));
    let printed = stdout(&call(&["--print"]));
    assert_eq!(printed.lines().count(), 3, "{printed}");
    let calls = folder.write("calls.json", &printed);
    assert_eq!(run(&["call", &library, &calls]).status.code(), None);
}
