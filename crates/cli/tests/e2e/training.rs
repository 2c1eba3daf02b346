//! `dev`: from nothing to weights and numbers that play, on the smallest scale; and `bench proofs`.

use std::process::Stdio;

use serde_json::Value;

use super::{Folder, lianzi, ok, read, refused};

fn selfplay(out: &str) -> [&str; 8] {
    ["dev", "selfplay", "gomoku:9", "--nodes", "200", "--out", out, "--games"]
}

fn play(out: &str, games: &str) -> String {
    ok(&[&selfplay(out)[..], &[games]].concat())
}

/// Kills a run as soon as it has written a game.
fn play_until_killed(folder: &Folder, name: &str) {
    let mut child = lianzi()
        .args(selfplay(&folder.name(name)))
        .arg("6")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let head = "LZSP".len() + 2 + "gomoku:9".len();
    let written = || std::fs::metadata(folder.path(name)).is_ok_and(|file| file.len() as usize > head);
    while !written() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let _ = child.kill();
    child.wait().unwrap();
}

#[test]
fn games_are_continued_and_weights_fitted_to_them_play() {
    let folder = Folder::new("training");
    let [whole, torn, weights] = ["whole.lzsp", "torn.lzsp", "new.weights"].map(|name| folder.name(name));
    assert!(play(&whole, "6").contains("6 games"));
    play_until_killed(&folder, "torn.lzsp");
    assert!(ok(&[&selfplay(&torn)[..], &["6", "--concurrency", "2"]].concat()).contains("6 games"));
    let bytes = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert_eq!(bytes("whole.lzsp"), bytes("torn.lzsp"), "a run that was killed and continued");
    // A game cut off in the middle is played again.
    let cut = bytes("whole.lzsp").len() - 7;
    std::fs::write(&torn, &bytes("whole.lzsp")[..cut]).unwrap();
    play(&torn, "6");
    assert_eq!(bytes("whole.lzsp"), bytes("torn.lzsp"), "a file that was cut off and continued");

    assert!(ok(&["dev", "fit", &whole, "--epochs", "2", "--out", &weights]).contains("games: 6"));
    let player = format!("strong@weights={weights}");
    let analyze = ["analyze", "gomoku:9", "--moves", "e5 d4", "--nodes", "300", "--json", "--player"];
    let thought = |player: &str| -> (Value, Value) {
        let answer: Value = serde_json::from_str(&ok(&[&analyze[..], &[player]].concat())).unwrap();
        (answer["score"].clone(), answer["pv"].clone())
    };
    assert!(thought(&player).0.is_i64());
    assert_ne!(thought(&player), thought("strong"), "other weights think otherwise");

    let network = folder.name("new.network");
    assert!(ok(&["dev", "train", &whole, "--epochs", "2", "--rate", "0.01", "--out", &network]).contains("games: 6"));
    let player = format!("strong@net={network}");
    assert!(thought(&player).0.is_i64());
    assert_ne!(thought(&player), thought("strong@net=off"), "a network thinks otherwise");
    let same = folder.name("same.network");
    ok(&["dev", "train", &whole, "--from", &network, "--epochs", "0", "--out", &same]);
    assert_eq!(bytes("same.network"), bytes("new.network"), "who begins with a network has it");
}

#[test]
fn what_cannot_be_learnt_from_gets_a_sentence() {
    let folder = Folder::new("training-bad");
    let bad = folder.write("bad", "nothing of use");
    refused(&["dev", "fit", &bad], 2, "not a file of self-played games");
    refused(&["dev", "fit", "no-such-file"], 2, "no-such-file");
    refused(&[&selfplay(&bad)[..], &["1"]].concat(), 2, "not a file of self-played games");
    assert_eq!(read(&folder.path("bad")), "nothing of use", "and is left alone");
    let player = format!("strong@weights={bad}");
    refused(&["analyze", "gomoku", "--player", &player], 2, "option weights; it is a file that lianzi dev fit");
    refused(&["analyze", "gomoku", "--player", &format!("strong@net={bad}")], 2, "option net; it is a file that");
    refused(&["dev", "train", &bad], 2, "not a file of self-played games");
    refused(&["dev", "tune", "gomoku", "--out", &bad], 2, "not a file of tuned numbers of this game");
    refused(&["dev", "tune", "gomoku", "--out", &bad, "--lang", "zh"], 2, "不是这种棋的调参文件");
    refused(&["dev", "tune", "connect6"], 2, "connect6 has no numbers to tune");
    let games = folder.name("games.lzsp");
    play(&games, "1");
    let other = ["dev", "selfplay", "gomoku", "--games", "1", "--out", &games];
    refused(&other, 2, "the file holds games of gomoku:9");
}

#[test]
fn numbers_are_tuned_from_openings_and_continued() {
    let folder = Folder::new("tuning");
    let openings = folder.name("openings.txt");
    let made = ok(&["dev", "openings", "gomoku", "--count", "3", "--nodes", "500", "--out", &openings]);
    assert!(made.contains("3 openings"), "{made}");
    assert_eq!(read(&folder.path("openings.txt")).lines().count(), 3);

    let tune = |name: &str, iterations: &str, concurrency: &str| {
        let out = folder.name(name);
        let limits = ["--nodes", "100", "--iterations", iterations, "--concurrency", concurrency];
        let said = ok(&[&["dev", "tune", "gomoku", "--openings", &openings, "--out", &out][..], &limits].concat());
        (said, serde_json::from_str::<Value>(&read(&folder.path(name))).unwrap())
    };
    let (said, state) = tune("parts.json", "1", "1");
    assert!(said.contains("1 iterations, complete") && said.contains("\ntune=razor_base:"), "{said}");
    assert_eq!((&state["game"], &state["iteration"]), (&"gomoku".into(), &1.into()));
    let (said, parts) = tune("parts.json", "2", "2");
    assert_eq!(parts["iteration"], 2);
    let (whole_said, whole) = tune("whole.json", "2", "1");
    assert_eq!(whole, parts, "in one go or continued, one game at once or two");
    assert_eq!(whole_said.lines().nth(1), said.lines().nth(1));
    // What it prints is an option that plays.
    let player = format!("strong@{}", said.lines().nth(1).unwrap());
    ok(&["analyze", "gomoku", "--nodes", "100", "--player", &player]);
}

#[test]
fn wins_by_force_are_proven() {
    let out = ok(&["bench", "proofs", "--count", "10", "--json"]);
    let rows: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2, "{out}");
    for (row, means, positions) in [(&rows[0], "fours", 10), (&rows[1], "threes", 2)] {
        assert_eq!(row["means"], means);
        assert_eq!((&row["positions"], &row["solved"]), (&positions.into(), &positions.into()), "{row}");
        assert!(row["nodes_p50"].as_u64() > Some(1) && row["p50_ms"].is_f64(), "nothing plain: {row}");
    }
}

#[test]
fn connect6_learns_by_the_same_commands_and_its_wins_are_measured() {
    let folder = Folder::new("training-connect6");
    let [games, weights, wins] = ["games.lzsp", "new.weights", "wins.txt"].map(|name| folder.name(name));
    ok(&["dev", "selfplay", "connect6", "--nodes", "1000", "--games", "5", "--out", &games]);
    assert!(ok(&["dev", "fit", &games, "--epochs", "2", "--out", &weights]).contains("games: 5"));
    assert!(std::fs::read(folder.path("new.weights")).unwrap().starts_with(b"LZC1"));
    let network = folder.name("new.network");
    assert!(ok(&["dev", "train", &games, "--epochs", "2", "--rate", "0.01", "--out", &network]).contains("games: 5"));
    let player = format!("strong@book=off,net={network}");
    let analyze =
        |game, player| ["analyze", game, "--moves", "j10 h10 k9", "--nodes", "300", "--json", "--player", player];
    let score = |player| serde_json::from_str::<Value>(&ok(&analyze("connect6", player))).unwrap()["score"].clone();
    assert_ne!(score(&player), score("strong@book=off,net=off"), "it thinks otherwise");
    refused(&analyze("gomoku", &format!("strong@net={network}")), 2, "is no value for the option net");

    ok(&["dev", "threats", "--from", &games, "--out", &wins]);
    let positions = read(&folder.path("wins.txt")).lines().count();
    assert!(positions > 0, "somebody wins by double threats");
    let row: Value = serde_json::from_str(&ok(&["bench", "proofs", "--positions", &wins, "--json"])).unwrap();
    assert_eq!((&row["positions"], &row["solved"]), (&positions.into(), &positions.into()), "{row}");
    let other = ["dev", "threats", "--from", &games, "--game", "connect6:15", "--out", &wins];
    refused(&other, 2, "the file holds games of connect6");
    refused(&["bench", "proofs", "--positions", &weights], 2, "new.weights");
}

#[test]
fn a_book_of_connect6_is_searched_and_completed() {
    let folder = Folder::new("book");
    let path = folder.name("book");
    let book = ["dev", "book", "connect6", "--nodes", "50", "--hash", "1", "--out", &path, "--replies"];
    // The first stone, 44 answers to it that differ, and one answer to each of them.
    assert!(ok(&[&book[..], &["1"]].concat()).contains("89 positions, complete"));
    let whole = read(&folder.path("book"));
    assert!(whole.lines().any(|line| line.starts_with("j10 = ")));
    let torn: Vec<&str> = whole.lines().take(40).collect();
    folder.write("book", &torn.join("\n"));
    ok(&[&book[..], &["1"]].concat());
    assert_eq!(read(&folder.path("book")), whole, "what is missing is searched again");
    refused(&["dev", "book", "connect4", "--out", &path], 2, "not a book of Connect Four");
    assert_eq!(read(&folder.path("book")), whole, "and is left alone");
    folder.write("book", "j10 = i9");
    refused(&[&book[..], &["1"]].concat(), 2, "line 1 is not like");
    refused(&["dev", "book", "gomoku"], 2, "there are books of connect4 and connect6 only");
}

#[test]
fn a_line_is_followed_through_the_search() {
    // Two twos meet on h8: two threes at once.
    let trace = ["dev", "trace", "gomoku", "--moves", "i8 a1 j8 a15 h9 o1 h10 o15", "--nodes", "5000"];
    let told = ok(&[&trace[..], &["--line", "h8 g8 h7"]].concat());
    let mut lines = told.lines();
    assert_eq!(lines.next(), Some("h8 g8 h7"));
    let first = lines.next().unwrap();
    assert!(first.trim_start().starts_with("1 ") && first.contains("h8 #"), "{told}");
    let found = ok(&[&trace[..], &["--teacher", "5000"]].concat());
    assert!(found.starts_with("h8"), "{found}");
    refused(&[&trace[..], &["--line", "i8"]].concat(), 2, "i8");
    refused(&[&trace[..], &["--tune", "nothing:1"]].concat(), 2, "unknown numbers");
    refused(&["dev", "trace", "connect4"], 2, "only searches of Gomoku");
}

#[test]
fn a_book_of_connect_four_is_completed_and_used() {
    let folder = Folder::new("book4");
    let path = folder.name("four.book");
    let book = ["dev", "book", "--stones", "4", "--hash", "16", "--out", &path];
    // All of them are in the book that is built in.
    assert!(ok(&book).contains("719 positions, complete"), "{}", ok(&book));
    let whole = std::fs::read(folder.path("four.book")).unwrap();
    assert!(whole.len() < 719, "{} bytes", whole.len());
    let five = ["solve", "connect4", "--moves", "4444", "--book", &path, "--json"];
    assert!(ok(&five).contains("\"nodes\":0"), "{}", ok(&five));
    refused(&["solve", "connect4", "--book", "Cargo.toml"], 2, "not a book of Connect Four");
    refused(&["analyze", "connect4", "--player", "solver@book=none"], 2, "is no value for the option book");
}

/// The lines before the last are the golden file; CONTRIBUTING.md tells people to write them there.
#[test]
fn the_signature_is_the_one_on_file() {
    let golden = include_str!("../../../../data/signatures.txt");
    let told = ok(&["bench", "signature"]);
    let (rows, sum) = told.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(rows, golden.trim_end());
    let told = ok(&["bench", "signature", "--json"]);
    let last: Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    let (nodes, value) = (last["nodes"].as_u64().unwrap(), last["signature"].as_str().unwrap());
    assert_eq!(sum, format!("Signature: {nodes} {value}"));
}
