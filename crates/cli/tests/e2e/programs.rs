//! Programs from outside as players, as users name them.

use std::os::unix::fs::PermissionsExt;

use super::{Folder, ok, read, refused, run, run_with, stderr, stdout};

/// A brain in a few lines of shell: it fills one half of a pattern without lines, and says what it thinks of it.
const BRAIN: &str = r#"#!/bin/sh
n=0
half=
next() {
  while :; do
    x=$((n % 15)) y=$((n / 15)) n=$((n + 1))
    [ $(((x / 2 + y) % 2)) -eq "$half" ] && break
  done
  echo "MESSAGE depth 2 ev $n pv $x,$y"
  echo "$x,$y"
}
while read -r command rest; do
  case "$command" in
  START* | RESTART*) n=0 half= && echo OK ;;
  BEGIN*) half=0 && next ;;
  TURN*) half=${half:-1} && next ;;
  DONE*) half=${half:-1} && next ;;
  END*) exit 0 ;;
  esac
done
"#;

fn brain(folder: &Folder, name: &str, script: &str) -> String {
    let path = folder.write(name, script);
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_brain_plays_a_match_and_its_thoughts_are_kept() {
    let folder = Folder::new("programs-match");
    let (path, out) = (brain(&folder, "my brain", BRAIN), folder.name("out"));
    let spec = format!("piskvork:'{path}'@name=brain,pause=1ms");
    let arguments = ["match", "gomoku", &spec, "random", "--games", "4", "--time", "20s", "--out", &out, "--json"];
    let said = ok(&[&arguments[..], &["--openings", "none", "--max-plies", "20"]].concat());
    let last: serde_json::Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!((&last["games"], &last["faults"]), (&4.into(), &0.into()), "{said}");
    let games = read(&folder.path("out/games.jsonl"));
    assert!(games.contains(r#""depth":2"#), "{games}");
    assert!(games.contains(r#""comment":"depth 2 ev "#), "{games}");
    assert!(read(&folder.path("out/report.html")).contains(r#""thoughts":{"1":"depth 2 ev "#));
    let shown = ok(&["show", &folder.name("out/games.jsonl")]);
    assert!(shown.contains("1 a15: depth 2 ev 1 pv 0,0"), "{shown}");
    if cfg!(target_os = "linux") {
        assert_eq!(last["cpu"][0]["name"], "brain");
        assert!(last["cpu"][0]["turns"].as_u64().unwrap() > 20, "{last}");
        assert!(last["cpu"][1]["seconds"].as_f64().unwrap() > 0.0, "{last}");
    }
}

/// A brain that sees a win only when it has been asked before, and does not forget that for a new game: Rapfi keeps its
/// table.
const REMEMBERS: &str = r#"#!/bin/sh
asked=0
while read -r command rest; do
  case "$command" in
  START* | RESTART*) echo OK ;;
  DONE*)
    [ $asked -gt 0 ] && echo "MESSAGE Depth 9-13 | Eval +M15 | Time 1ms | A15"
    asked=$((asked + 1))
    echo "0,0" ;;
  END*) exit 0 ;;
  esac
done
"#;

#[test]
fn a_brain_is_asked_about_attacks_without_what_it_saw_before() {
    let folder = Folder::new("programs-attacks");
    let sees = REMEMBERS.replace("asked=0", "asked=1");
    let (sees, remembers) = (brain(&folder, "sees", &sees), brain(&folder, "remembers", REMEMBERS));
    let attacks = folder.write("attacks", "# moves ; win\nh8 i9 ; win in 15\nh8 i9 h9 ; win in 15\n");
    let defences = folder.write("defences", "h8 i9 ; holds a15 j9 ; eval 3\nh8 i9 h9 ; holds j9 j10\n");
    let seen = |positions: &str, brain: &str| {
        let spec = format!("piskvork:'{brain}'@pause=1ms");
        let said = ok(&["bench", "attacks", "--positions", positions, "--player", &spec, "--json"]);
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        (said["seen"].as_u64().unwrap(), said["positions"].as_u64().unwrap())
    };
    assert_eq!(seen(&attacks, &sees), (2, 2));
    assert_eq!(seen(&attacks, &remembers), (0, 2));
    assert_eq!(seen(&defences, &sees), (1, 2));
}

#[test]
fn who_cannot_start_is_told_before_the_first_game() {
    let folder = Folder::new("programs-missing");
    for (game, player) in [
        ("gomoku", "piskvork:./nosuch"),
        ("gomoku", "piskvork:nosuch-anywhere --fast"),
        ("connect6", "connect6:./nosuch"),
        ("gomoku", "gtp:./nosuch"),
        ("connect6", "csv:./nosuch {color}"),
        ("connect4", "so:./nosuch.so"),
        ("gomoku", "py:./nosuch.py"),
        ("connect4", "kaggle:./nosuch.py"),
    ] {
        for command in ["match", "tournament"] {
            let output = run(&[command, game, "random", player, "--games", "2"]);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{player}: {said}");
            assert!(said.contains("nosuch") && !said.contains("panicked"), "{player}: {said}");
            assert_eq!((stdout(&output).as_str(), said.trim_end().lines().count()), ("", 1), "{player}: {said}");
        }
    }
    let chinese = run(&["--lang", "zh", "match", "gomoku", "random", "piskvork:./nosuch", "--games", "2"]);
    assert!(stderr(&chinese).contains("无法启动：没有程序 ./nosuch"), "{}", stderr(&chinese));
    let dumb = folder.write("dumb", "#!/bin/sh\nsleep 60\n");
    let spec = format!("piskvork:{dumb}@start=300ms");
    refused(&["match", "gomoku", "random", &spec], 2, "chmod +x");
    std::fs::set_permissions(&dumb, PermissionsExt::from_mode(0o755)).unwrap();
    refused(&["match", "gomoku", "random", &spec], 2, "cannot start: no answer within 300ms");
    refused(&["match", "gomoku", "random", "piskvork:true"], 2, "ended before its first answer: exit status: 0");
    let gone = format!("gtp:{}", brain(&folder, "gone", "#!/bin/sh\necho 'no weights' >&2\nexit 3\n"));
    refused(&["tournament", "gomoku", "random", &gone, "greedy"], 2, "no weights");
}

#[test]
fn a_match_decided_by_time_is_no_measure_of_strength() {
    let folder = Folder::new("programs-late");
    let late = brain(&folder, "late", "#!/bin/sh\nread x\necho OK\nexec sleep 60\n");
    let (spec, out) = (format!("piskvork:{late}@start=2s"), folder.name("out"));
    let said = ok(&["match", "gomoku", "random", &spec, "--games", "2", "--time", "100ms", "--out", &out]);
    assert!(said.contains("!! 2 of 2 decided by time: no measure of strength"), "{said}");
    assert!(said.contains("+2 =0 -0") && said.contains("Elo unknown"), "{said}");
    let summary: serde_json::Value = serde_json::from_str(&read(&folder.path("out/summary.json"))).unwrap();
    assert_eq!((&summary["decided_by_time"], &summary["left_out_of_elo"]), (&2.into(), &2.into()));
    assert_eq!((&summary["wins"], &summary["elo"]), (&2.into(), &serde_json::Value::Null));
    assert!(summary["warnings"][0].as_str().unwrap().contains("no measure of strength"));
    assert!(read(&folder.path("out/report.html")).contains("2 of 2 decided by time: no measure"));
}

#[test]
fn progress_is_told_where_no_terminal_is() {
    let folder = Folder::new("programs-progress");
    let script = "#!/bin/sh\nread x\necho OK\nread x\nexec sleep 60\n";
    let spec = format!("piskvork:{}@start=5s", brain(&folder, "sleepy", script));
    let output = run(&["match", "gomoku", "random", &spec, "--games", "2", "--time", "1s"]);
    let said = stderr(&output);
    let told: Vec<&str> = said.lines().filter(|line| line.contains("/2 games")).collect();
    // Each game takes six seconds, so one has ended after ten.
    assert!(told.contains(&"1/2 games  random +1 =0 -0"), "{said}");
}

#[test]
fn what_a_dying_brain_said_is_in_the_report() {
    let folder = Folder::new("programs-crash");
    let path = brain(&folder, "dies", "#!/bin/sh\nread x\necho OK\necho 'out of paper' >&2\nsleep 0.1\nexit 4\n");
    let (spec, out) = (format!("piskvork:{path}"), folder.name("out"));
    let said = ok(&["match", "gomoku", &spec, "random", "--games", "2", "--out", &out]);
    assert!(said.contains("dies 2"), "{said}");
    let games = read(&folder.path("out/games.jsonl"));
    assert!(games.contains("exit status: 4: out of paper") && games.contains("! out of paper"), "{games}");
    assert!(read(&folder.path("out/report.html")).contains("! out of paper"));
}

#[test]
fn a_person_plays_a_brain() {
    let folder = Folder::new("programs-play");
    let path = brain(&folder, "brain", BRAIN);
    let output = run_with(&["play", "gomoku", "--white", &format!("piskvork:{path}")], "h8\nundo\nh9\nquit\n");
    assert!(output.status.success(), "{}", stderr(&output));
    let said = stdout(&output);
    assert_eq!(said.matches("White: c15").count(), 2, "{said}");
}

#[test]
fn a_brain_can_be_asked_for_its_opinion() {
    let folder = Folder::new("programs-analyze");
    let spec = format!("piskvork:{}", brain(&folder, "brain", BRAIN));
    let said = ok(&["analyze", "gomoku", "--moves", "h8", "--player", &spec, "--json", "--time", "10s"]);
    let answer: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&answer["best"][0], &answer["depth"]), (&"c15".into(), &2.into()), "{said}");
    refused(&["analyze", "gomoku", "--player", "piskvork:./no/such/brain"], 2, "./no/such/brain");
}

#[test]
fn specs_that_cannot_work_are_refused_with_a_sentence() {
    refused(&["match", "connect6", "piskvork:x", "random"], 2, "x does not play connect6");
    refused(&["match", "gomoku", "piskvork:", "random"], 2, "is no command");
    refused(&["match", "gomoku", "piskvork:x@speed=9", "random"], 2, "x has no option 'speed'");
    refused(&["match", "gomoku", "piskvork:x@pause=soon", "random"], 2, "no value for the option pause");
    for player in ["piskvork:x@speed=9", "gtp:x@pause=soon", "so:x@speed=9"] {
        refused(&["match", "gomoku", player, "random"], 2, "docs/protocols.md");
    }
}

/// A program that never stops naming moves costs its own games, and no time between them.
#[test]
fn a_flood_of_moves_holds_nobody_up() {
    let flood = "piskvork:sh -c 'read a; echo OK; while :; do echo 7,7; done'@name=flood";
    let start = std::time::Instant::now();
    let text =
        ok(&["match", "gomoku", flood, "random", "--games", "4", "--time", "300ms", "--openings", "none", "--json"]);
    assert_eq!(text.lines().filter(|line| line.contains("\"event\":\"game\"")).count(), 4, "{text}");
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

/// A daemon that leaves its family and empties its environment is found all the same.
#[test]
#[cfg(target_os = "linux")]
fn a_daemon_without_an_environment_does_not_stay() {
    let mark = format!("600.{:06}", std::process::id() % 1_000_000);
    let daemon = format!(
        "import os\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n  [os.close(n) for n in range(3)]\n  os.execve(\"/bin/sleep\", [\"sleep\", \"{mark}\"], {{}})\n os._exit(0)\nos.wait()\ninput()\nprint(\"OK\", flush=True)\n"
    );
    let folder = super::Folder::new("daemon");
    let script = folder.write("daemon.py", &daemon);
    let player = format!("piskvork:python3 {script}@name=daemon");
    ok(&["match", "gomoku", &player, "random", "--games", "2", "--time", "1s", "--openings", "none"]);
    let left = std::fs::read_dir("/proc").unwrap().flatten().filter(|process| {
        let said = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&said).contains(&mark)
    });
    let left: Vec<_> = left.map(|process| process.path()).collect();
    for process in &left {
        let id = process.file_name().unwrap().to_str().unwrap();
        std::process::Command::new("kill").args(["-9", id]).status().unwrap();
    }
    assert!(left.is_empty(), "{left:?}");
}

/// Both sides of the protocols at once: our own engine as a guest, driven over pipes.
#[test]
fn sides_are_found_over_pipes() {
    let program = env!("CARGO_BIN_EXE_lianzi");
    for (game, board) in [("gomoku+swap2", "gomoku"), ("renju+soosyrv8", "renju")] {
        let guest = format!("piskvork:'{program}' engine {board} --player greedy --protocol piskvork@name=guest");
        let arguments =
            ["match", game, &guest, "greedy", "--games", "4", "--time", "20s", "--max-plies", "24", "--json"];
        let text = ok(&arguments);
        let summary: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!((&summary["opening"]["found"], &summary["faults"]), (&4.into(), &0.into()), "{game}: {summary}");
    }
    // A rule that the protocol has no words for is not played: the opening is.
    let guest = format!("piskvork:'{program}' engine renju --player greedy --protocol piskvork@name=guest");
    let text =
        ok(&["match", "renju+rif", &guest, "greedy", "--games", "2", "--time", "20s", "--max-plies", "8", "--json"]);
    let summary: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!((&summary["opening"]["found"], &summary["faults"]), (&0.into(), &0.into()), "{summary}");
}

/// The stones of the games of a match between two players, from these openings.
fn stones(folder: &Folder, game: &str, players: [&str; 2], openings: &str) -> Vec<Vec<String>> {
    let out = folder.name("out");
    let _ = std::fs::remove_dir_all(&out);
    let games = "4";
    let match_of = ["match", game, players[0], players[1], "--games", games, "--time", "60s", "--max-plies", "24"];
    ok(&[&match_of[..], &["--openings", openings, "--out", &out]].concat());
    let told = read(&folder.path("out/games.jsonl"));
    let records = told.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let cell = |stone: &serde_json::Value| stone["cell"].as_str().unwrap().to_owned();
    records.map(|record| record["moves"].as_array().unwrap().iter().map(cell).collect()).collect()
}

#[test]
fn guests_play_from_any_opening_what_their_engine_plays() {
    let folder = Folder::new("programs-guests");
    // Black is to move after one of them and White after the other.
    let openings = folder.write("openings", "h8 g8 h9 j11 j10\nk9 k8 j9 k12 l8 h9 l10\n");
    let program = env!("CARGO_BIN_EXE_lianzi");
    for (game, protocol) in [("connect6", "connect6"), ("connect6", "gtp"), ("gomoku", "piskvork"), ("gomoku", "gtp")] {
        let guest = format!("{protocol}:'{program}' engine {game} --player strong@nodes=300 --protocol {protocol}");
        let themselves = stones(&folder, game, ["strong@nodes=300,name=a", "strong@nodes=300,name=b"], &openings);
        let [a, b] = ["a", "b"].map(|name| format!("{guest}@name={name}"));
        assert_eq!(stones(&folder, game, [&a, &b], &openings), themselves, "{game} over {protocol}");
    }
}
