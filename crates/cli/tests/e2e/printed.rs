//! Every command that a page prints between ```sh fences is run here, as printed but for less of it: fewer games, fewer
//! nodes. Foreign programs are stood in for by our own engines behind the same protocol.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use super::course::{LEFT, RIGHT, compile, source};
use super::{Folder, ok, root, stderr, stdout};

/// What is not run here, and why. The first words of a command name it.
const ELSEWHERE: [(&str, &str); 8] = [
    ("cargo run --release -- serve", "test.sh takes it out of the READMEs and runs it in a fresh clone"),
    ("./test.sh", "it is running"),
    ("make", "templates.rs makes every target of every template"),
    ("cp lianzi pbrain-lianzi", "engine.rs starts such a copy"),
    ("c-gomoku-cli", "a foreign manager"),
    ("lianzi csv", "it waits for an opponent; folder.rs is one"),
    ("lianzi grade 2020001000_Linux", "it needs what make pack makes; templates.rs grades it"),
    ("cargo build --release -p lianzi-strategy", "a whole build; templates.rs plays that library"),
];

/// The commands of a page, without their comments; a line that ends with a backslash goes on.
fn printed(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let mut commands = Vec::new();
    let mut begun = None;
    let mut inside = false;
    for line in text.lines() {
        match line {
            "```sh" => inside = true,
            "```" => inside = false,
            _ if inside && line.starts_with('{') => {} // What a command answers.
            _ if inside => {
                let whole = format!("{}{}", begun.take().unwrap_or_default(), without_comment(line));
                match whole.strip_suffix('\\') {
                    Some(part) => begun = Some(part.to_string()),
                    None => commands.push(whole.trim_start_matches("$ ").trim().to_string()),
                }
            }
            _ => {}
        }
    }
    assert!(!inside && begun.is_none(), "{} ends inside a command", page.display());
    commands.retain(|command| !command.is_empty());
    commands
}

fn without_comment(line: &str) -> &str {
    line.split_once(" # ").map_or(line, |(command, _)| command).trim_end()
}

/// Numbers that make a command long.
const FEW: [(&str, &str); 6] = [
    ("--games", "4"),
    ("--iterations", "1"),
    ("--count", "2"),
    ("--nodes", "200"),
    ("--pace", "0s"),
    ("--time", "0.2s"),
];

/// The same command with less to do.
fn less(command: &str) -> String {
    let mut words: Vec<String> = command.split(' ').map(str::to_string).collect();
    for (flag, few) in FEW {
        for at in 1..words.len() {
            if words[at - 1] == flag {
                words[at] = few.into();
            }
        }
    }
    let mut whole = words.join(" ").replace("cpu=500ms", "cpu=10ms");
    let mut add = |flag: &str, value: &str| {
        if !command.contains(flag) {
            whole += &format!(" {flag} {value}");
        }
    };
    match words.get(1).map(String::as_str) {
        Some("match" | "tournament") if !command.contains("--config") => {
            for (flag, few) in [("--max-plies", "24"), ("--time", "0.2s"), ("--games", "4")] {
                add(flag, few);
            }
        }
        Some("grade") => add("--samples", "1"),
        // Two engines play to the end, whoever leaves.
        Some("play") if command.contains("--black") => add("--time", "20ms"),
        _ => {}
    }
    whole
}

/// A folder in which the pages' commands find what they name.
struct Workshop {
    folder: Folder,
    here: PathBuf,
}

impl Workshop {
    fn new(name: &str) -> Workshop {
        let folder = Folder::new(name);
        fs::create_dir_all(folder.path("bin")).unwrap();
        symlink(env!("CARGO_BIN_EXE_lianzi"), folder.path("bin/lianzi")).unwrap();
        let here = folder.path("work");
        for inner in ["folder", "game", "submissions/2020001000", "strategies", "target/release", "data"] {
            fs::create_dir_all(here.join(inner)).unwrap();
        }
        // An empty file is an empty library.
        fs::write(here.join("data/games.sqlite"), "").unwrap();
        let workshop = Workshop { folder, here };
        workshop.games();
        workshop.programs();
        workshop.strategies();
        workshop
    }

    /// Twenty-four stones without a line, in the formats that the pages name.
    fn games(&self) {
        let cells: Vec<String> =
            (0..24).map(|n| format!("{}{}", char::from(b'a' + n % 12), 1 + n % 2 + 4 * (n / 12))).collect();
        fs::write(self.here.join("game.txt"), cells.join(" ")).unwrap();
        for file in ["game.sgf", "game.psq", "folder/game.sgf"] {
            let path = |name: &str| self.here.join(name).to_str().unwrap().to_string();
            ok(&["convert", &path("game.txt"), &path(file), "--game", "gomoku"]);
        }
        let cup = "game = \"connect4\"\nplayers = [\"greedy\", \"random\"]\ngames = 2\n";
        fs::write(self.here.join("cup.toml"), cup).unwrap();
    }

    fn programs(&self) {
        for (name, command) in [
            ("pbrain-rapfi", "engine gomoku --player greedy --protocol piskvork"),
            ("a", "engine gomoku --player greedy --protocol piskvork"),
            ("b", "engine gomoku --player random --protocol piskvork"),
            ("cloudict", "engine connect6 --player greedy --protocol connect6"),
            ("mine", "csv --player greedy --color \"$1\" --dir \"$2\""),
        ] {
            let path = self.here.join(name);
            fs::write(&path, format!("#!/bin/sh\nexec lianzi {command}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    fn strategies(&self) {
        let (left, right) = (source("", LEFT), source("", RIGHT));
        compile(&self.folder, "work/A.so", &left);
        compile(&self.folder, "work/B.so", &right);
        compile(&self.folder, "work/Strategy.so", &left);
        compile(&self.folder, "work/target/release/liblianzi_strategy.so", &right);
        compile(&self.folder, "work/strategies/left.so", &left);
        compile(&self.folder, "work/strategies/right.so", &right);
        compile(&self.folder, "work/submissions/2020001000/Strategy.so", &left);
    }

    fn run(&mut self, command: &str) {
        let words: Vec<&str> = command.split_whitespace().collect();
        if let ["cd", folder] = words[..] {
            // The pages go on in a student's folder; everything that they name lies here.
            assert!(self.here.join(folder).is_dir(), "{command}");
            return;
        }
        let output = self.shell(&less(command));
        let said = format!("{}{}", stdout(&output), stderr(&output));
        assert!(output.status.success(), "{command}: {:?}: {said}", output.status);
        assert!(!said.contains("panicked"), "{command}: {said}");
    }

    /// Runs it as a shell does, with a person who goes away at once.
    fn shell(&self, command: &str) -> Output {
        let path = format!("{}:{}", self.folder.name("bin"), std::env::var("PATH").unwrap_or_default());
        let mut child = Command::new("timeout")
            .args(["300", "bash", "-c", command])
            .current_dir(&self.here)
            .env("PATH", path)
            .env("LIANZI_LANG", "en_US.UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(b"quit\n");
        child.wait_with_output().unwrap()
    }
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    pages.extend(docs.filter(|path| path.extension().is_some_and(|end| end == "md")));
    pages.sort();
    pages
}

#[test]
fn every_printed_command_runs() {
    let is_elsewhere = |command: &str| ELSEWHERE.iter().any(|(known, _)| command.starts_with(known));
    let pages: Vec<Vec<String>> = pages().iter().map(|page| printed(page)).collect();
    for (known, _) in ELSEWHERE {
        let met = pages.iter().flatten().any(|command| command.starts_with(known));
        assert!(met, "no page prints '{known}' any more");
    }
    thread::scope(|scope| {
        for (number, commands) in pages.iter().enumerate().filter(|(_, commands)| !commands.is_empty()) {
            scope.spawn(move || {
                let mut workshop = Workshop::new(&format!("printed-{number}"));
                commands.iter().filter(|command| !is_elsewhere(command)).for_each(|command| workshop.run(command));
            });
        }
    });
}

#[test]
fn both_readmes_print_the_same_commands() {
    assert_eq!(printed(&root().join("README.md")), printed(&root().join("README.zh-CN.md")));
}
