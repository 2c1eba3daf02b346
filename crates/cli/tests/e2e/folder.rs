//! Connect6 through files: two processes in one folder, and every foul that a file can show.

use std::process::{Child, Stdio};

use super::{Folder, lianzi, ok, refused, run};

const BLACK: &str = "00/00/00,1,\"(8,8)\"\n";

fn csv(folder: &Folder, more: &[&str]) -> Child {
    let mut command = lianzi();
    command.arg("csv").arg("--dir").arg(&folder.0).args(more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(child: Child) -> (Option<i32>, String, String) {
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// S0-14 to S0-18, S0-27, S0-28, S0-82: whoever starts first, the game is played to its end.
#[test]
fn two_processes_play_a_whole_game() {
    for order in [["black", "white"], ["white", "black"]] {
        let folder = Folder::new("csv-game");
        let child = |color| csv(&folder, &["--color", color, "--player", "classic-connect6"]);
        let children = order.map(child);
        let [first, second] = children.map(end);
        let (black, white) = if order[0] == "black" { (first, second) } else { (second, first) };
        assert_eq!((black.0, white.0), (Some(0), Some(0)), "{} {}", black.2, white.2);
        let winners = [&black.1, &white.1].map(|said| said.contains("you are winner"));
        assert!(winners[0] != winners[1], "{} {}", black.1, white.1);
        // What they leave is a game that every judge accepts, the strict one too.
        let verdict = ok(&["judge", &folder.name(""), "--strict"]);
        assert!(verdict.contains("six in a row"), "{verdict}");
        let log = std::fs::read_to_string(folder.path("log.txt")).unwrap();
        assert!(log.lines().count() > 8 && log.lines().all(|line| line.starts_with("[20")), "{log}");
        refused(&["csv", "--color", "black", "--dir", &folder.name("")], 2, "a finished game lies here");
    }
}

/// S0-26, S0-84 to S0-90 and the fouls without a text: blame, words and exit code.
#[test]
fn every_foul_of_the_other_side_is_named() {
    let line = |n: usize, stones: &str| format!("00/00/{n:02},{n},{stones}\n");
    let six = |row: usize, turns: usize| -> String {
        let stones = |n: usize| format!("\"({row},{})\",\"({row},{})\"", 2 * n - 1, 2 * n);
        (1..=turns).map(|n| line(n, &stones(n))).collect()
    };
    let far = |first: &str, turns: usize| -> String {
        let stones = |n: usize| format!("\"({},15)\",\"({},14)\"", n * 3, n * 3);
        (1..=turns).map(|n| line(n, &if n == 1 && !first.is_empty() { first.into() } else { stones(n) })).collect()
    };
    let black_six = line(1, "\"(1,7)\"")
        + &line(2, "\"(1,3)\",\"(1,4)\"")
        + &line(3, "\"(1,5)\",\"(1,6)\"")
        + &line(4, "\"(1,8)\",\"(1,9)\"");
    for (us, black, white, printed) in [
        ("black", String::new(), line(1, "\"(9,9)\",\"(9,8)\""), "white steal the first move"),
        ("white", line(1, "\"(8,8)\",\"(8,9)\""), String::new(), "Too much chess for one step!!!"),
        ("black", BLACK.into(), line(1, "\"(9,9)\",\"(9,8)\",\"(9,7)\""), "Too much chess for one step!!!"),
        ("black", BLACK.into(), line(1, "\"(9,9)\""), "Too few chess for one step!!!"),
        ("white", far("\"(15,1)\"", 4), six(1, 3), "black? you lose your mind"),
        ("black", black_six, far("", 4), "white? you lose your mind"),
        (
            "black",
            BLACK.into(),
            line(6, "\"(9,9)\",\"(9,8)\"").replace(",6,", ",1,"),
            "white, you have used out of time",
        ),
        (
            "white",
            BLACK.to_string() + "00/00/09,2,\"(1,1)\",\"(1,2)\"\n",
            line(1, "\"(9,9)\",\"(9,8)\""),
            "black, you have used out of time",
        ),
        ("black", BLACK.into(), line(1, "\"(8,8)\",\"(9,8)\""), "opponent break the rule!"),
        ("black", BLACK.into(), "nonsense\n".into(), "white.csv"),
    ] {
        let folder = Folder::new("csv-foul");
        for (name, text) in [("black.csv", black), ("white.csv", white)] {
            if !text.is_empty() {
                folder.write(name, &text);
            }
        }
        let (code, _, said) = end(csv(&folder, &["--color", us]));
        assert_eq!(code, Some(1), "{printed}: {said}");
        assert!(said.contains(printed), "{printed}: {said}");
    }
}

/// S0-75: equal first times are a foul only for a strict judge.
#[test]
fn equal_first_times_are_a_foul_only_for_the_strict() {
    let folder = Folder::new("csv-strict");
    folder.write("black.csv", BLACK);
    folder.write("white.csv", "00/00/00,1,\"(9,9)\",\"(9,8)\"\n");
    let (code, _, said) = end(csv(&folder, &["--color", "black", "--strict"]));
    assert_eq!((code, said.lines().next()), (Some(1), Some("white steal the first move")));
    assert_eq!(run(&["judge", &folder.name(""), "--strict"]).status.code(), Some(1));
    assert!(run(&["judge", &folder.name("")]).status.success());
}

/// S0-28: a file that does not change is no turn, and a silent opponent does not hold us for ever.
#[test]
fn a_silent_opponent_is_not_waited_for_for_ever() {
    let folder = Folder::new("csv-silent");
    let (code, _, said) = end(csv(&folder, &["--color", "black", "--player", "greedy", "--wait", "300ms"]));
    assert_eq!(code, Some(1));
    assert!(said.starts_with("white, you have used out of time"), "{said}");
    let black = std::fs::read_to_string(folder.path("black.csv")).unwrap();
    assert_eq!(black.lines().count(), 1, "{black}");
}

/// Somebody who rewrites our own file is found out.
#[test]
fn tampering_with_our_file_is_found() {
    let folder = Folder::new("csv-tamper");
    let mut ours = csv(&folder, &["--color", "black", "--player", "greedy", "--wait", "20s"]);
    let file = folder.path("black.csv");
    while !file.exists() {
        assert_eq!(ours.try_wait().unwrap(), None, "it has not ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::fs::write(&file, "00/00/00,1,\"(1,1)\"\n").unwrap();
    let (code, _, said) = end(ours);
    assert_eq!((code, said.lines().next()), (Some(1), Some("opponent break the rule!")));
}

/// A program that writes both files anew every turn, by removing and renaming, is no cheat; who changes our
/// stones is.
#[test]
fn files_that_vanish_for_a_moment_are_no_foul() {
    let program = |deed: &str| {
        format!("csv:python3 {}/tests/e2e/rewriter.py {{color}} {deed}@name=x", env!("CARGO_MANIFEST_DIR"))
    };
    let endings = |deed: &str, games: &str| -> Vec<(String, String)> {
        let player = program(deed);
        let arguments = ["match", "connect6:15", &player, "random", "--games", games, "--json", "--time", "10s"];
        let text = ok(&[&arguments[..], &["--openings", "none", "--concurrency", "2", "--max-plies", "24"]].concat());
        let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let games = lines.filter(|line| line["event"] == "game");
        games.map(|game| (game["ending"].as_str().unwrap().into(), game["words"].to_string())).collect()
    };
    for (ending, words) in endings("rewrite", "4") {
        assert!(["line", "full", "adjudicated"].contains(&ending.as_str()), "{words}");
    }
    for (ending, words) in endings("forge", "2") {
        assert_eq!(ending, "tampered", "{words}");
    }
}

/// A turn that was broken off in the middle of a row is waited for; a foul is told without the line that somebody had.
#[test]
fn half_a_row_is_waited_for_and_a_foul_names_no_line() {
    let folder = Folder::new("csv-half");
    folder.write("black.csv", BLACK);
    folder.write("white.csv", "00/00/01,1,\"(9,9)\"");
    let ours = csv(&folder, &["--color", "black", "--player", "greedy", "--wait", "2s"]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    folder.write("white.csv", "00/00/01,1,\"(9,9)\",\"(9,8)\"\n");
    let (_, _, said) = end(ours);
    assert!(said.starts_with("white, you have used out of time"), "it went on until white was silent: {said}");
    let rows = |row: usize, first: usize| -> String {
        let stones = |n: usize| format!("\"({row},{})\",\"({row},{})\"", 2 * n + first, 2 * n + first + 1);
        (1..4).map(|n| format!("00/00/{:02},{n},{}\n", 3 * n, stones(n))).collect()
    };
    let late = rows(1, 0) + "00/00/20,4,\"(15,1)\",\"(15,3)\"\n";
    folder.write("white.csv", &late);
    folder.write("black.csv", &(1..6).map(far_row).collect::<String>());
    let judged = run(&["judge", &folder.name("")]);
    let text = String::from_utf8(judged.stdout).unwrap() + &String::from_utf8(judged.stderr).unwrap();
    assert!(!judged.status.success() && !text.contains("(b15"), "{text}");
}

/// A turn of Black's that meets nothing.
fn far_row(n: usize) -> String {
    let second = if n == 1 { String::new() } else { format!(",\"({},13)\"", 2 * n) };
    format!("00/00/{:02},{n},\"({},15)\"{second}\n", 3 * n - 1, 2 * n)
}

/// S0-72, S0-91: two boards that no turn connects.
#[test]
fn a_changed_board_breaks_the_rule() {
    let printed = run(&["judge", "--previous", "[[0,1],[2,0]]", "[[1,1],[2,0]]"]);
    assert_eq!(printed.status.code(), Some(1));
    assert_eq!(String::from_utf8(printed.stderr).unwrap(), "opponent break the rule!\n");
    ok(&["judge", "--previous", "[[0,1],[2,0]]", "[[1,1],[2,1]]"]);
    let folder = Folder::new("boards");
    let (old, new) = (folder.write("old.txt", "0 0\n0 0\n"), folder.write("new.txt", "0 0\n1 0\n"));
    ok(&["judge", "--previous", &old, &new]);
    refused(&["judge", "--previous", &old, "[[3]]"], 2, "numbers");
}

/// Programs that play through files meet any other player, and their faults are told apart.
#[test]
fn programs_play_through_files_in_the_arena() {
    let ours = format!("csv:{} csv --color {{color}} --dir {{dir}} --player greedy", env!("CARGO_BIN_EXE_lianzi"));
    let ended = |player: &str, more: &[&str]| -> Vec<(String, String, String)> {
        let mut arguments = vec!["match", "connect6:15", player, "greedy", "--games", "2", "--json"];
        arguments.extend(more);
        let text = ok(&arguments);
        let games = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let field = |game: &serde_json::Value, key: &str| game[key].as_str().unwrap().to_string();
        games
            .filter(|game| game["event"] == "game")
            .map(|game| (field(&game, "ending"), field(&game, "outcome"), field(&game, "words")))
            .collect()
    };
    for openings in ["none", "random"] {
        for (ending, _, words) in ended(&ours, &["--time", "5s", "--openings", openings]) {
            assert!(ending == "line" || ending == "full", "{words}");
        }
    }
    let script = |text: &str| format!("csv:sh -c '{text}' {{color}}@name=x");
    let write = |rows: &str| script(&format!("printf \"{rows}\" > $0.csv; sleep 60"));
    for (player, ending, words) in [
        (script("exit 3"), "crashed", "3"),
        (script("sleep 60"), "timeout", ""),
        (script("while :; do echo chatter; done"), "timeout", ""),
        (write("nonsense"), "garbled", ".csv"),
        (write("00/00/01,1,\\\"(1,1)\\\",\\\"(1,2)\\\",\\\"(1,3)\\\"\\n"), "stones", "3"),
        (write("00/00/01,1,\\\"(99,1)\\\",\\\"(1,2)\\\"\\n"), "illegal", "99"),
    ] {
        let games = ended(&player, &["--time", "1s", "--openings", "none"]);
        let white = games.iter().find(|(_, outcome, _)| outcome == "black").unwrap_or(&games[0]);
        assert_eq!(white.0, ending, "{player}: {}", white.2);
        assert!(white.2.contains(words), "{player}: {}", white.2);
    }
}
