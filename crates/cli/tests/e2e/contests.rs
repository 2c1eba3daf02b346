//! `match` and `tournament`: repeatable, resumable, and nothing lost.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

use lianzi_core::Random;
use serde_json::Value;

use super::{Folder, lianzi, ok, read, refused, run, stdout};

fn summary(text: &str) -> Value {
    serde_json::from_str(text.lines().last().expect("a summary is printed")).unwrap()
}

/// The games of a folder by their name, without what a clock put there.
fn games(folder: &Folder, name: &str) -> BTreeMap<String, Value> {
    let text = read(&folder.path(name).join("games.jsonl"));
    let game = |line: &str| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        for played in game["moves"].as_array_mut().unwrap() {
            played.as_object_mut().unwrap().retain(|key, _| key != "time_ms" && key != "cpu_us");
        }
        // When it was played may differ, like how long a move took.
        let timed = |tag: &Value| ["started", "ended", "load"].iter().any(|name| tag["name"] == *name);
        game["tags"].as_array_mut().unwrap().retain(|tag| !timed(tag));
        let tag = game["tags"].as_array().unwrap().iter().find(|tag| tag["name"] == "contest-game").unwrap();
        (tag["values"][0].as_str().unwrap().to_string(), game)
    };
    let games: Vec<(String, Value)> = text.lines().map(game).collect();
    let count = games.len();
    let by_name: BTreeMap<String, Value> = games.into_iter().collect();
    assert_eq!(by_name.len(), count, "no game is played twice");
    by_name
}

#[test]
fn a_match_has_its_summary() {
    let text = ok(&["match", "connect4", "greedy", "random", "--games", "20", "--json"]);
    assert_eq!(text.lines().count(), 21, "one line a game and one for the summary");
    let summary = summary(&text);
    let number = |key: &str| summary[key].as_f64().unwrap_or_else(|| panic!("{key} in {summary}"));
    assert_eq!(number("games"), 20.0);
    assert_eq!(number("wins") + number("losses") + number("draws"), 20.0);
    assert!(number("score") > 0.8, "{summary}");
    assert_eq!(number("faults"), 0.0);
    assert!(summary.get("elo").is_some() && summary.get("elo_error").is_some());
    let words = ok(&["match", "connect6:15", "greedy", "random", "--games", "4"]);
    assert!(words.contains("4 games: +") && words.contains("LOS"), "{words}");
}

#[test]
fn the_same_seed_plays_the_same_games_whatever_the_concurrency() {
    let folder = Folder::new("seed");
    let play = |name: &str, concurrency: &str, seed: &str| {
        let out = folder.name(name);
        ok(&[
            "match",
            "connect4:random",
            "greedy",
            "random",
            "--games",
            "24",
            "--concurrency",
            concurrency,
            "--seed",
            seed,
            "--out",
            &out,
        ]);
        games(&folder, name)
    };
    let one = play("one", "1", "7");
    assert_eq!(one.len(), 24);
    assert_eq!(one, play("three", "3", "7"));
    assert_ne!(one, play("other", "1", "8"));
    for pair in 0..12 {
        let [a, b] = [0, 1].map(|n| &one[&format!("0.{}", 2 * pair + n)]);
        assert_eq!(a["game"], b["game"], "a pair shares its board");
        assert_eq!(a["sides"][0], b["sides"][1], "colours are swapped within a pair");
        let opening = |game: &Value| {
            let moves = game["moves"].as_array().unwrap();
            moves[..game["opening"].as_u64().unwrap_or(0) as usize].to_vec()
        };
        assert_eq!(opening(a), opening(b), "a pair shares its opening");
    }
    let boards: std::collections::HashSet<String> = one.values().map(|game| game["game"].to_string()).collect();
    assert!(boards.len() > 6, "boards are drawn anew for each pair: {boards:?}");
}

/// Starts the program, kills it without warning after a random time, and resumes; 50 times.
#[test]
fn killed_at_any_moment_nothing_is_lost() {
    let folder = Folder::new("kill");
    let arguments = |out: &str| -> Vec<String> {
        let fixed =
            ["match", "gomoku:9", "greedy", "random", "--games", "60", "--depth", "1", "--seed", "3", "--resume"];
        fixed
            .iter()
            .map(|word| word.to_string())
            .chain(["--json".into(), "--concurrency".into(), "2".into(), "--out".into(), out.into()])
            .collect()
    };
    let whole = folder.name("whole");
    let start = Instant::now();
    let expected = stdout(&lianzi().args(arguments(&whole)).output().unwrap());
    let longest = start.elapsed().as_micros() as usize;
    let expected_games = games(&folder, "whole");
    let mut random = Random::new(50);
    let (mut out, mut lives) = (0, 0);
    for _ in 0..50 {
        let name = format!("killed-{out}");
        let mut child =
            lianzi().args(arguments(&folder.name(&name))).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(random.below(longest) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        lives += 1;
        // A folder that has been killed a few times is played to its end, and the next one begins.
        if random.below(4) == 0 {
            finish_and_compare(&arguments(&folder.name(&name)), &expected);
            assert_eq!(games(&folder, &name), expected_games);
            out += 1;
        }
    }
    finish_and_compare(&arguments(&folder.name(&format!("killed-{out}"))), &expected);
    assert_eq!(lives, 50);
}

fn finish_and_compare(arguments: &[String], expected: &str) {
    let output = lianzi().args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", super::stderr(&output));
    let [mut found, mut expected] = [summary(&stdout(&output)), summary(expected)];
    // How fast and how busy the machine was may differ.
    for summary in [&mut found, &mut expected] {
        summary.as_object_mut().unwrap().retain(|key, _| !["cpu", "busy", "warnings"].contains(&key.as_str()));
    }
    assert_eq!(found, expected);
}

#[test]
fn a_torn_last_line_is_cut_off_and_a_damaged_one_is_named() {
    let folder = Folder::new("torn");
    let out = folder.name("run");
    let arguments =
        ["match", "connect4", "greedy", "random", "--games", "6", "--depth", "1", "--out", &out, "--resume"];
    ok(&arguments);
    let path = folder.path("run/games.jsonl");
    let text = read(&path);
    let keep: usize = text.lines().take(3).map(|line| line.len() + 1).sum();
    std::fs::write(&path, &text[..keep + 40]).unwrap();
    ok(&arguments);
    assert_eq!(games(&folder, "run").len(), 6);
    std::fs::write(&path, text.replacen("\"cell\"", "\"cull\"", 1)).unwrap();
    refused(&arguments, 2, "is damaged");
}

#[test]
fn folders_are_not_mixed_up() {
    let folder = Folder::new("mixed");
    let out = folder.name("run");
    ok(&["match", "connect4", "greedy", "random", "--games", "2", "--out", &out, "--sgf"]);
    for file in ["contest.json", "games.jsonl", "summary.json", "report.html", "games.sgf"] {
        assert!(folder.path("run").join(file).exists(), "{file}");
    }
    assert!(ok(&["judge", &folder.name("run/games.sgf")]).contains("2 games, 0 with a foul"));
    assert!(ok(&["judge", &out]).contains("2 games, 0 with a foul"), "the folder has its games once");
    refused(&["match", "connect4", "greedy", "random", "--games", "2", "--out", &out], 2, "add --resume");
    refused(
        &["match", "connect4", "greedy", "random", "--games", "4", "--out", &out, "--resume"],
        2,
        "another contest",
    );
}

#[test]
fn a_sequential_test_stops_the_match() {
    let text = ok(&[
        "match",
        "connect4",
        "greedy",
        "random",
        "--games",
        "2000",
        "--sprt",
        "0,50",
        "--json",
        "--concurrency",
        "2",
    ]);
    let summary = summary(&text);
    assert_eq!(summary["sprt"], "H1", "{summary}");
    assert!(summary["games"].as_u64().unwrap() < 200, "{summary}");
    refused(&["match", "connect4", "greedy", "random", "--sprt", "5,5"], 2, "sprt");
}

#[test]
fn a_sequential_test_may_ask_whether_nothing_was_lost() {
    let text = ok(&["match", "connect4", "greedy", "random", "--games", "2", "--sprt", "-10,0"]);
    assert!(text.contains("SPRT [-10, 0]"), "{text}");
}

#[test]
fn tournaments_of_every_format() {
    let players = ["greedy", "random", "greedy@seed=2,name=b", "random@seed=2,name=c", "random@seed=3,name=d"];
    for (format, games) in [("round-robin", 20), ("gauntlet", 8), ("swiss", 16), ("knockout", 8)] {
        let mut arguments = vec!["tournament", "connect4"];
        arguments.extend(players);
        arguments.extend(["--format", format, "--json", "--concurrency", "2"]);
        let summary = summary(&ok(&arguments));
        assert!(summary["games"].as_u64().unwrap() >= games, "{format}: {summary}");
        assert_eq!(summary["standings"].as_array().unwrap().len(), 5);
        assert!(summary["standings"][0]["name"] != "random", "{format}: {summary}");
    }
    let best = summary(&ok(&["tournament", "connect4", "greedy", "random", "--format", "best-of-5", "--json"]));
    assert_eq!(best["games"], 3, "three wins decide a best of five");
    assert_eq!(best["wins"], 3);
}

#[test]
fn a_tournament_from_a_file() {
    let folder = Folder::new("toml");
    let file = folder.write("cup.toml", "game = \"connect4\"\nformat = \"swiss\"\nrounds = 2\nplayers = [\"greedy\", \"random\", \"random@seed=2,name=b\"]\n");
    assert_eq!(summary(&ok(&["tournament", "--config", &file, "--json"]))["games"], 4);
    let bad = folder.write("bad.toml", "game = \"connect4\"\nplayer = [\"greedy\"]\n");
    refused(&["tournament", "--config", &bad], 2, "bad.toml");
}

/// Sides that were swapped count for those who played them.
#[test]
fn players_find_sides_by_swap2() {
    let text = ok(&["match", "gomoku", "greedy", "random", "--games", "20", "--swap2", "--json"]);
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let games: Vec<Value> = lines.filter(|line| line["event"] == "game").collect();
    let won = |game: &&Value| {
        let winner = game["outcome"].as_str().unwrap();
        game[winner] == "greedy"
    };
    assert_eq!(summary(&text)["wins"], games.iter().filter(won).count());
    assert!(summary(&text)["score"].as_f64().unwrap() > 0.8);
    refused(&["match", "connect6", "greedy", "random", "--swap2"], 2, "swap2 is for games");
    let opening = &summary(&text)["opening"];
    assert_eq!((&opening["rule"], &opening["found"]), (&Value::from("swap2"), &Value::from(20)));
    let black: u64 = opening["black"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(black, 20);
    let text = ok(&["match", "renju+soosyrv8", "strong@nodes=50", "greedy", "--games", "2", "--max-plies", "20"]);
    assert!(text.contains("soosyrv8: sides found in 2 games, swapped in "), "{text}");
    refused(&["match", "renju+soosyrv", "greedy", "random"], 2, "there is no opening rule 'soosyrv'");
}

#[test]
fn bad_contests_are_explained() {
    refused(&["match", "connect4", "greedy", "human"], 2, "people play with lianzi play");
    refused(&["match", "connect4", "greedy", "random", "--games", "3"], 2, "even number");
    refused(&["match", "connect4", "greedy", "random", "--openings", "/no/such/file"], 2, "/no/such/file");
    refused(&["tournament", "connect4", "greedy"], 2, "two");
    refused(&["tournament", "connect4", "greedy", "random", "--format", "league"], 2, "formats are");
    let folder = Folder::new("openings");
    let bad = folder.write("bad.txt", "d1 d2\nd1 d3\n");
    refused(&["match", "connect4", "greedy", "random", "--openings", &bad], 2, "line 2");
    let good = folder.write("good.txt", "# two openings\nd1 d2\n4455\n");
    assert!(run(&["match", "connect4", "greedy", "random", "--games", "4", "--openings", &good]).status.success());
}

/// Ctrl-C ends cleanly: the summary is printed, the folder can be resumed.
#[cfg(unix)]
#[test]
fn an_interrupt_loses_nothing() {
    let folder = Folder::new("interrupt");
    let out = folder.name("run");
    let arguments =
        ["match", "gomoku", "greedy", "greedy@seed=2", "--games", "4000", "--json", "--out", &out, "--resume"];
    let child = lianzi().args(arguments).stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let summary = summary(&stdout(&output));
    assert_eq!(summary["finished"], false);
    assert_eq!(summary["games"].as_u64().unwrap() as usize, games(&folder, "run").len());
}
