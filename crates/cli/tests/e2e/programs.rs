//! Programs from outside as players, as users name them.

use std::os::unix::fs::PermissionsExt;

use super::{Folder, ok, read, refused, run_with, stderr, stdout};

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
    let arguments =
        ["match", "gomoku", &spec, "random", "--games", "4", "--time", "20s", "--out", &out, "--json"];
    let said = ok(&[&arguments[..], &["--openings", "none", "--max-plies", "20"]].concat());
    let last: serde_json::Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!((&last["games"], &last["faults"]), (&4.into(), &0.into()), "{said}");
    let games = read(&folder.path("out/games.jsonl"));
    assert!(games.contains(r#""depth":2"#), "{games}");
}

#[test]
fn what_a_dying_brain_said_is_in_the_report() {
    let folder = Folder::new("programs-crash");
    let path =
        brain(&folder, "dies", "#!/bin/sh\nread x\necho OK\necho 'out of paper' >&2\nsleep 0.1\nexit 4\n");
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
    let output =
        run_with(&["play", "gomoku", "--white", &format!("piskvork:{path}")], "h8\nundo\nh9\nquit\n");
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
}
