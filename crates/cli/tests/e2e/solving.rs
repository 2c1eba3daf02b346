//! `solve`, and the solver as a player.

use serde_json::Value;

use super::{Folder, ok, refused};

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn positions_of_a_file_are_solved_in_order() {
    let folder = Folder::new("solve");
    let file = folder.path("positions.txt");
    // A win at once, a loss in two, one that takes long; columns with and without a claimed score, and cells.
    let text = "121212 18\n# a remark\n\n44335\nd1 d2 d3 d4 d5 d6\n";
    std::fs::write(&file, text).unwrap();
    let out = ok(&["solve", "connect4", "--positions", file.to_str().unwrap(), "--nodes", "2000000", "--json"]);
    let answers = objects(&out);
    assert_eq!(answers.len(), 3, "{out}");
    assert_eq!(answers[0]["result"], "win");
    assert_eq!(answers[0]["score"], 18);
    assert_eq!(answers[0]["pv"], serde_json::json!(["a4"]));
    assert_eq!(answers[1]["result"], "loss");
    assert_eq!(answers[1]["score"], -18);
    assert!(answers.iter().all(|answer| answer["nodes"].is_u64() && answer["time_ms"].is_number()));
}

#[test]
fn the_first_player_wins_by_the_centre() {
    let out = ok(&["solve", "connect4", "--json"]);
    let answer = &objects(&out)[0];
    assert_eq!((&answer["result"], &answer["score"]), (&"win".into(), &1.into()), "{out}");
    assert_eq!(answer["pv"][0], "d1");
    let out = ok(&["analyze", "connect4", "--player", "solver", "--best", "7", "--json"]);
    let lines = objects(&out)[0]["lines"].as_array().unwrap().clone();
    let scores: Vec<i64> = lines.iter().map(|line| line["score"].as_i64().unwrap()).collect();
    assert_eq!(scores, [1, 0, 0, -1, -1, -2, -2]);
    // Discs are red and yellow to people.
    assert!(ok(&["solve", "connect4"]).starts_with("Red wins"));
    let next = ok(&["analyze", "connect4", "--moves", "4", "--nodes", "100"]);
    assert!(next.starts_with("Yellow: "), "{next}");
}

#[test]
fn an_analysis_has_an_exact_score_for_every_column() {
    let out = ok(&["analyze", "connect4", "--json"]);
    let lines = objects(&out)[0]["lines"].as_array().unwrap().clone();
    let ends: Vec<i64> = lines.iter().map(|line| line["win_in"].as_i64().unwrap()).collect();
    assert_eq!(ends, [41, 0, 0, -42, -42, -40, -40]);
    let words = ok(&["analyze", "connect4", "--moves", "44444123", "--nodes", "10000000"]);
    let proven = |line: &&str| line.trim_start().starts_with(['#', '=']);
    assert_eq!(words.lines().filter(proven).count(), 7, "{words}");
}

#[test]
fn a_limit_gives_unknown() {
    let out = ok(&["solve", "connect4:8x8", "--nodes", "1000", "--json"]);
    let answer = &objects(&out)[0];
    assert_eq!((&answer["result"], &answer["why"]), (&"unknown".into(), &"budget".into()));
    assert_eq!(answer.get("score"), None);
}

#[test]
fn a_forced_win_of_connect6_comes_with_its_line() {
    let moves = "j10 a1 a3 k10 l10 a5 a7 j9 j8 s1 s3";
    let answer = &objects(&ok(&["solve", "connect6", "--moves", moves, "--json"]))[0];
    assert_eq!(answer["result"], "win");
    assert_eq!(answer["pv"].as_array().map(Vec::len), Some(6));
    let open = &objects(&ok(&["solve", "connect6", "--moves", "j10 i9 i11", "--json"]))[0];
    assert_eq!((&open["result"], &open["why"]), (&"unknown".into(), &"exhausted".into()));
    assert_eq!(answer.get("why"), None);
}

#[test]
fn positions_won_by_threats_are_collected_and_solved() {
    let folder = Folder::new("threats");
    let file = folder.path("double.txt");
    let path = file.to_str().unwrap();
    ok(&["dev", "threats", "--game", "connect6:13", "--games", "3", "--nodes", "2000", "--out", path]);
    let positions = std::fs::read_to_string(&file).unwrap();
    assert!(positions.lines().count() > 0);
    let answers = objects(&ok(&["solve", "connect6:13", "--positions", path, "--json"]));
    assert_eq!(answers.len(), positions.lines().count());
    assert!(answers.iter().all(|answer| answer["result"] == "win"), "{answers:?}");
}

#[test]
fn a_forced_win_of_gomoku_comes_with_its_line() {
    let moves = "i8 a1 j8 a15 h9 o1 h10 o15";
    let answer = &objects(&ok(&["solve", "gomoku", "--moves", moves, "--json"]))[0];
    assert_eq!((&answer["result"], &answer["pv"][0]), (&"win".into(), &"h8".into()));
    assert_eq!(answer["pv"].as_array().map(Vec::len), Some(5));
    // There the double three is forbidden, and Black wins another way.
    assert_ne!(objects(&ok(&["solve", "renju", "--moves", moves, "--json"]))[0]["pv"][0], "h8");
    assert_eq!(objects(&ok(&["solve", "gomoku", "--moves", "h8 i9", "--json"]))[0]["result"], "unknown");
}

#[test]
fn an_unknown_result_says_whether_more_time_would_help() {
    let quiet = ["solve", "gomoku", "--moves", "h8i9"];
    assert!(ok(&quiet).contains("Black unknown: the solver has tried all it can"), "{}", ok(&quiet));
    assert!(ok(&[&quiet[..], &["--lang", "zh"]].concat()).contains("黑方 未知：求解器已用尽其手段"));
    // A win by force is there, but one node does not find it.
    let cut = ["solve", "gomoku", "--moves", "h8a1i8o1h9a15i9o15", "--nodes", "1"];
    assert!(ok(&cut).contains("unknown: nodes or time ran out; allow more with --nodes or --time"));
    assert!(ok(&[&cut[..], &["--lang", "zh"]].concat()).contains("节点数或时间已用完"));
    assert_eq!(objects(&ok(&[&cut[..], &["--json"]].concat()))[0]["why"], "budget");
}

#[test]
fn a_position_of_a_recorded_game_is_solved() {
    let folder = Folder::new("solve-load");
    let file = folder.write("game.txt", "# game: gomoku\ni8 a1 j8 a15 h9 o1 h10 o15 c3 d3\n");
    let answer = &objects(&ok(&["solve", "--load", &file, "--at", "8", "--json"]))[0];
    assert_eq!((&answer["result"], &answer["pv"][0]), (&"win".into(), &"h8".into()));
    let four = folder.write("games.txt", "44\n1212121\n");
    assert_eq!(objects(&ok(&["solve", "--load", &four, "--number", "2", "--at", "6", "--json"]))[0]["score"], 18);
    refused(&["solve", "--load", &file, "--at", "11"], 2, "there is no --at 11; the game has 10 stones");
    refused(&["solve", "--load", &four], 2, "holds 2 games; choose one with --number 1 to 2");
    refused(&["solve"], 2, "name a game, or a recorded one with --load");
    refused(&["solve", "gomoku", "--load", &file, "--moves", "h8"], 2, "cannot be used with");
    let help = ok(&["solve", "--help"]);
    assert!(["five in a row", "Connect6", "--load", "budget"].iter().all(|word| help.contains(word)), "{help}");
}

#[test]
fn what_cannot_be_solved_gets_a_sentence() {
    refused(&["solve", "gomoku:31"], 2, "has no solver");
    refused(&["solve", "connect4:16x16"], 2, "too large to be solved");
    refused(&["solve", "connect4", "--moves", "8"], 2, "--moves: stone 1");
    refused(&["solve", "connect4", "--positions", "no-such-file"], 2, "no-such-file");
}
