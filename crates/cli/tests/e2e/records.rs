//! `show`, `replay`, `judge`, `convert`, `perft`, `completions`.

#[path = "../../../core/tests/oracle/mod.rs"]
mod oracle;

use std::time::{Duration, Instant};

use lianzi_core::record::GameRecord;
use lianzi_core::{Cell, Outcome, Position, Random, Rules};

use super::{Folder, ok, read, refused, run, run_with, stderr, stdout};

const WON: &str = "# game: gomoku\nh8 a1 i8 a2 j8 a3 k8 a4 l8\n";

#[test]
fn perft_counts_connect_four() {
    let text = ok(&["perft", "connect4", "8", "--json"]);
    let counts: Vec<u64> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["count"].as_u64().unwrap())
        .collect();
    assert_eq!(counts, [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]);
    assert!(ok(&["perft", "connect4", "2", "--divide"]).contains("a1\t7"));
    refused(&["perft", "gomoku", "1", "--moves", "h8 h8"], 2, "stone 2: h8: there is a stone already");
}

#[test]
fn moves_may_run_together_in_every_command() {
    let counts = |moves: &str| ok(&["perft", "gomoku:9", "1", "--divide", "--json", "--moves", moves]);
    let cells = |text: String| text.lines().filter(|line| line.contains("cell")).count();
    assert_eq!((cells(counts("a1b2c3")), cells(counts("a1 b2 c3"))), (78, 78));
    let best = ok(&["analyze", "gomoku", "--moves", "h8a1i8a2j8a3k8a4", "--nodes", "100", "--json"]);
    let best: serde_json::Value = serde_json::from_str(&best).unwrap();
    assert!(["g8", "l8"].iter().any(|cell| best["best"][0] == *cell), "{best}");
    refused(&["analyze", "gomoku", "--moves", "h7j9h7"], 2, "--moves: stone 3: h7: there is a stone already");
    refused(&["solve", "gomoku", "--moves", "h7j"], 2, "--moves: stone 2: 'j' is not a cell");
}

#[test]
fn a_file_of_one_game_a_line_is_judged_game_by_game() {
    let folder = Folder::new("lines");
    let won = "h8 a1 i8 a2 j8 a3 k8 a4 l8";
    for (name, text, outcomes) in [
        ("cells.txt", format!("{won}\n# a remark\nh8 h8\nh8i9j7\n"), ["black", "black", "none"]),
        ("headed.txt", format!("# game: gomoku\n{won}\n\nh8 h8\nh8i9j7\n"), ["black", "black", "none"]),
        ("columns.txt", "1212121\n\n21111111\n44\n".into(), ["black", "black", "none"]),
    ] {
        let file = folder.write(name, &text);
        let output = run(&["judge", &file, "--json"]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let games: Vec<serde_json::Value> =
            stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let found: Vec<_> = games.iter().map(|game| game["outcome"].as_str().unwrap()).collect();
        assert_eq!(found, outcomes, "{name}");
        let first = if name == "headed.txt" { 2 } else { 1 };
        let starts: Vec<_> = games.iter().map(|game| game["starts"].as_u64().unwrap()).collect();
        assert_eq!(starts, [first, first + 2, first + 3], "{name}");
        let words = stdout(&run(&["judge", &file]));
        let [winner, loser] = if name == "columns.txt" { ["Red", "Yellow"] } else { ["Black", "White"] };
        assert!(words.contains(&format!("{file}:{} #2: {loser} loses: illegal move", first + 2)), "{words}");
        assert!(words.contains(&format!("{file}:{first} #1: {winner} wins")), "{words}");
    }
    let six = folder.write("six.txt", "j10 i9 i11\nj10 k10 k9 a1 a2\n");
    let judged = ok(&["judge", &six, "--game", "connect6", "--json"]);
    assert_eq!(judged.matches("\"connect6\"").count(), 2, "{judged}");
}

#[test]
fn a_game_of_several_is_shown_and_converted() {
    let folder = Folder::new("several");
    let lines = folder.write("games.txt", "h8 i9 j7\nh8 i8 j9 g7\nh8 h9 h10 h11 h12\n");
    let (sgf, json) = (folder.name("games.sgf"), folder.name("games.jsonl"));
    ok(&["convert", &lines, &sgf]);
    ok(&["convert", &sgf, &json]);
    ok(&["convert", &json, &folder.name("back.txt"), "--to", "moves"]);
    for file in [&lines, &sgf, &json, &folder.name("back.txt")] {
        let shown = ok(&["show", file, "--number", "2"]);
        assert!(shown.starts_with("game 2 of 3\n") && shown.contains("4 g7"), "{shown}");
        assert!(!shown.contains("h9") && !shown.contains("game 1"), "{shown}");
        assert_eq!(ok(&["show", file]).matches(" of 3\n").count(), 3);
        refused(&["show", file, "--number", "4"], 2, "has no game 4; it holds 3");
    }
    let chinese = ok(&["show", &lines, "--number", "1", "--lang", "zh"]);
    assert!(chinese.starts_with("第 1 局，共 3 局\n"), "{chinese}");
    refused(&["convert", &lines, &folder.name("all.psq")], 2, "choose a game with --number 1 to 3");
    ok(&["convert", &lines, &folder.name("third.psq"), "--number", "3"]);
    assert!(!ok(&["show", &folder.name("third.psq")]).contains("game 1"));
}

#[test]
fn a_result_is_shown_as_the_file_tells_it() {
    let folder = Folder::new("results");
    for (result, ending, words) in [
        ("B+", "adjudicated", "Black wins; the record does not say how"),
        ("W+R", "resigned", "White wins: Black resigned"),
        ("B+T", "timeout", "Black won on time: White was out of time for the game"),
        ("W+F", "adjudicated", "White wins: Black forfeited"),
        ("0", "adjudicated", "A draw"),
        ("Void", "unfinished", "the file's result: Void"),
        ("?", "unfinished", "the file's result: ?"),
    ] {
        let file = folder.write("game.sgf", &format!("(;GM[4]SZ[15]RE[{result}];B[hh];W[ii])"));
        let shown = ok(&["show", &file]);
        assert!(shown.contains(words), "{result}: {shown}");
        assert_eq!(shown.contains("resigned"), result == "W+R", "{shown}");
        let judged: serde_json::Value = serde_json::from_str(&stdout(&run(&["judge", &file, "--json"]))).unwrap();
        assert_eq!(judged["ending"], ending, "{result}");
        ok(&["convert", &file, &folder.name("game.json"), "--force"]);
        ok(&["convert", &folder.name("game.json"), &folder.name("again.sgf"), "--force"]);
        let written = if result == "0" { "Draw" } else { result };
        assert!(read(&folder.path("again.sgf")).contains(&format!("RE[{written}]")), "{result}");
    }
}

#[test]
fn a_game_is_shown_and_replayed() {
    let folder = Folder::new("show");
    let file = folder.write("game.txt", WON);
    let shown = ok(&["show", &file]);
    assert!(shown.contains("1 h8  2 a1") && shown.contains("Black wins with five in a row"), "{shown}");
    assert!(ok(&["show", &file, "--at", "3"]).contains("[●]"));
    let replayed = ok(&["replay", &file]);
    assert!(replayed.contains("0/9") && replayed.contains("9/9  Black l8"), "{replayed}");
    assert_eq!(stdout(&run_with(&["show", "-"], WON)), shown);
}

#[test]
fn judge_tells_fouls_by_exit_code_and_json() {
    let folder = Folder::new("judge");
    let won = folder.write("won.txt", WON);
    let foul = folder.write("foul.txt", "# game: gomoku\nh8 i9\nh8\n");
    let after = folder.write("after.txt", "# game: connect4\na b a b a b a b\n");
    let output = run(&["judge", &won]);
    assert_eq!((output.status.code(), stdout(&output).contains("(h8 i8 j8 k8 l8)")), (Some(0), true));
    let output = run(&["judge", &won, &foul, &after, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let games: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let field = |game: usize, name: &str| games[game][name].clone();
    assert_eq!((field(0, "outcome"), field(0, "ending"), field(0, "plies")), ("black".into(), "line".into(), 9.into()));
    assert_eq!(
        (field(1, "outcome"), field(1, "ending"), field(1, "blame")),
        ("white".into(), "illegal".into(), "black".into())
    );
    assert_eq!(field(1, "line"), 3);
    assert_eq!(
        (field(2, "outcome"), field(2, "ending"), field(2, "blame")),
        ("black".into(), "after-end".into(), "white".into())
    );
    assert_eq!(run(&["judge", folder.0.to_str().unwrap()]).status.code(), Some(1), "a folder is judged file by file");
}

#[test]
fn a_false_claim_is_named() {
    let folder = Folder::new("claim");
    let record = r#"{"format":"lianzi-game","version":1,"game":"gomoku","moves":[{"cell":"h8"}],"verdict":{"outcome":"white","ending":"line"}}"#;
    let file = folder.write("false.json", record);
    let output = run(&["judge", &file]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("but the file claims: White wins"), "{}", stdout(&output));
}

#[test]
fn unreadable_files_are_explained() {
    let folder = Folder::new("bad");
    let cut = folder.write("cut.sgf", "(;GM[4]SZ[15];B[hh];W[i");
    refused(&["show", &cut], 2, "cut.sgf: line 1");
    refused(&["judge", &folder.name("none.sgf")], 2, "none.sgf");
    let odd = folder.write("odd.bin", "\u{0}\u{1}\u{2}");
    refused(&["show", &odd], 2, "no known format fits");
    let foul = folder.write("foul.txt", "# game: gomoku\nh8 h8\n");
    refused(&["show", &foul], 2, "foul.txt: line 2: White loses");
    refused(&["convert", &foul, &folder.name("x.sgf")], 2, "White loses");
    assert!(!folder.path("x.sgf").exists(), "a half-read game is not written");
}

#[test]
fn convert_goes_round_and_says_what_is_lost() {
    let folder = Folder::new("convert");
    let start = folder.write("game.txt", WON);
    let name = |ending: &str| folder.name(&format!("game.{ending}"));
    ok(&["convert", &start, &name("sgf")]);
    ok(&["convert", &name("sgf"), &name("psq")]);
    ok(&["convert", &name("psq"), &name("json")]);
    ok(&["convert", &name("json"), &folder.name("ChessSave.txt")]);
    ok(&["convert", &folder.name("ChessSave.txt"), &folder.name("back.txt"), "--to", "moves"]);
    assert_eq!(read(&folder.path("back.txt")).split_whitespace().last(), Some("l8"));
    refused(&["convert", &start, &name("sgf")], 2, "the file exists");
    ok(&["convert", &start, &name("sgf"), "--force"]);
    let lossy = run(&["convert", &name("sgf"), &folder.name("m.txt"), "--to", "matrix-s0"]);
    assert!(stderr(&lossy).contains("matrix-s0 does not keep: the order of the moves"), "{}", stderr(&lossy));
    refused(&["convert", &start, &folder.name("x.unknown")], 2, "add --to FORMAT");
    refused(&["convert", &start, &folder.name("c"), "--to", "csv"], 2, "cannot hold this game");
    let six = folder.write("six.txt", "# game: connect6:15\nh8 i9 i10 h7 h6\n");
    ok(&["convert", &six, &folder.name("pair"), "--to", "csv"]);
    assert!(read(&folder.path("pair/black.csv")).contains("\"(8,8)\""));
    assert!(ok(&["show", &folder.name("pair")]).contains("connect6:15"));
}

#[test]
fn completions_and_help_exist() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(ok(&["completions", shell]).contains("lianzi"));
    }
    for command in ["play", "judge", "show", "replay", "convert", "perft", "match", "tournament", "bench"] {
        assert!(ok(&[command, "--help"]).contains("Example"), "{command}");
    }
    assert!(ok(&["--version"]).starts_with("lianzi "));
}

/// Random games of all presets, judged by the program, against the oracle's opinion of each.
#[test]
fn judge_agrees_with_the_oracle_on_ten_thousand_games() {
    let presets = [
        "gomoku",
        "gomoku:19",
        "standard",
        "renju",
        "connect6",
        "connect6:15",
        "connect4",
        "connect4:9x10/d4",
        "connect4:12x12/a1",
        "gomoku:9/e5",
        "connect:5,5,4,1,1",
        "connect:4,4,3,2,1",
        "connect:3,3,3,1,1",
    ];
    let mut random = Random::new(20_000);
    let (mut lines, mut expected) = (String::new(), Vec::new());
    for n in 0..10_000 {
        let rules: Rules = presets[n % presets.len()].parse().unwrap();
        let record = random_game(&rules, &mut random);
        expected.push(oracle_outcome(&record));
        // The program must find the outcome itself.
        let bare = GameRecord { verdict: Default::default(), ..record };
        lines += &(bare.to_json() + "\n");
    }
    let folder = Folder::new("oracle");
    let file = folder.write("games.jsonl", &lines);
    let start = Instant::now();
    let output = run(&["judge", &file, "--json"]);
    assert!(start.elapsed() < Duration::from_secs(120), "20,000 games a minute are promised on an idle core");
    let verdicts = stdout(&output);
    assert_eq!(verdicts.lines().count(), 10_000, "{}", stderr(&output));
    for (n, (line, outcome)) in verdicts.lines().zip(expected).enumerate() {
        let verdict: serde_json::Value = serde_json::from_str(line).unwrap();
        let outcome = outcome.map_or("none".into(), |outcome| outcome.to_string());
        assert_eq!(verdict["outcome"], outcome.as_str(), "game {}", n + 1);
    }
}

/// A game by the referee's legal moves; every third is cut short.
fn random_game(rules: &Rules, random: &mut Random) -> GameRecord {
    let mut position = Position::new(*rules);
    let limit = if random.below(3) == 0 { random.below(40) } else { usize::MAX };
    while position.outcome().is_none() && position.plies().len() < limit {
        let free: Vec<Cell> = match rules.placement {
            lianzi_core::Placement::Anywhere => position.empty_cells().collect(),
            lianzi_core::Placement::Drop => position.legal().collect(),
        };
        // Renju's forbidden cells are tried and refused; asking for the whole legal list would be slow.
        let cell = free[random.below(free.len())];
        let _ = position.play(cell);
    }
    GameRecord::from_position(&position)
}

fn oracle_outcome(record: &GameRecord) -> Option<Outcome> {
    let mut game = oracle::Oracle::new(record.rules);
    for played in &record.moves {
        game.play(played.cell).expect("the oracle takes what the referee took");
    }
    game.outcome()
}

#[test]
fn an_opening_is_judged_converted_and_explored() {
    let folder = Folder::new("openings");
    let game = |acts: &str, moves: &str| {
        let acts: Vec<String> = acts.split(' ').map(|act| format!("\"{act}\"")).collect();
        let moves: Vec<String> = moves.split(' ').map(|cell| format!("{{\"cell\":\"{cell}\"}}")).collect();
        let (acts, moves) = (acts.join(","), moves.join(","));
        format!(
            "{{\"format\":\"lianzi-game\",\"version\":1,\"game\":\"renju+rif\",\"moves\":[{moves}],\"negotiation\":[{acts}]}}\n"
        )
    };
    let bad = folder.write("bad.json", &game("h8 h9 k9", "h8 h9 k9"));
    let judged = run(&["judge", &bad]);
    assert_eq!(judged.status.code(), Some(1));
    let words = format!("{}{}", stdout(&judged), stderr(&judged));
    assert!(words.contains("k9 breaks the opening rule, this stone must lie within the central 5×5"), "{words}");
    let good = folder.write("good.json", &game("h8 h9 i9 swap a15 g7 g9 g9", "h8 h9 i9 a15 g9 j8"));
    let psq = folder.name("good.psq");
    let converted = run(&["convert", &good, &psq]);
    let lost = stderr(&converted);
    assert!(lost.contains("the opening rule") && lost.contains("how the sides were found"), "{lost}");
    let sgf = folder.name("good.sgf");
    assert_eq!(stderr(&run(&["convert", &good, &sgf])), "");
    assert_eq!(run(&["judge", &psq, "--game", "renju+taraguchi10"]).status.code(), Some(1), "a15 is too far out");
    assert_eq!(run(&["judge", &psq, "--game", "renju+rif"]).status.code(), Some(0));
    let explored = ok(&["explore", "renju", &good, &sgf, "--moves", "h8 i8 i7", "--nodes", "500"]);
    assert!(explored.starts_with("D4 Kagetsu (花月)\n2 of 2 games came here"), "{explored}");
    let json = ok(&["explore", "renju", &good, "--moves", "h8h9i9", "--nodes", "0", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["named"]["code"], &json["moves"][0]["cell"]), (&"D4".into(), &"a15".into()), "{json}");
    refused(&["explore", "renju", "--moves", "h8 h8"], 2, "there is a stone already");
    refused(&["explore", "connect4:random"], 2, "connect4:random is drawn anew");
}

/// Names and comments in files come from strangers: no terminal is told anything by them.
#[test]
fn no_name_in_a_file_speaks_to_the_terminal() {
    let folder = Folder::new("records-escapes");
    let hostile = "\u{7}\u{1b}[2Jname\u{9b}31m\u{202e}";
    let text = format!("(;GM[4]SZ[15]PB[{hostile}]PW[{hostile}]EV[{hostile}]C[{hostile}];B[hh]C[{hostile}];W[ii])");
    let file = folder.write("game.sgf", &text);
    for arguments in [&["show", &file][..], &["judge", &file], &["show", &file, "--lang", "zh"]] {
        let output = run(arguments);
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let bad = ['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}'];
        assert!(!said.contains(bad), "{arguments:?}: {said:?}");
    }
    assert!(ok(&["show", &file]).contains("name"), "the name itself is shown");
}

/// Whoever waits for a long file is told how far it is, and its name does not speak to the terminal either.
#[test]
fn a_long_file_tells_its_progress() {
    const GAMES: usize = 125_000;
    let folder = Folder::new("long-file");
    let game = "(;GM[4]SZ[15];B[hh];W[ii];B[aa];W[oo];B[ao];W[oa];B[ho];W[io];B[ha];W[ia];B[ah];W[ai])\n";
    let file = folder.write("long\u{1b}]0;owned\u{7}.sgf", &game.repeat(GAMES));
    let start = Instant::now();
    let output = run(&["show", &file, "--number", &GAMES.to_string()]);
    let (told, taken) = (stderr(&output), start.elapsed());
    assert!(output.status.success(), "{told}");
    // A machine that reads it within a second has nothing to tell.
    assert!(told.contains("games read so far") || taken < Duration::from_secs(2), "{taken:?}: {told}");
    assert!(!told.contains(['\u{1b}', '\u{7}']), "{told}");
}
