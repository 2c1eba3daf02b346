//! Our engines as guests, as real processes: golden sessions, and what happens when managers are rude.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::{Folder, copy_program, lianzi, read, refused, root, run_with, stderr, stdout};

/// Long enough for any answer on a busy machine; whoever waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// A guest that is talked to line by line.
struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Talk {
    fn start(mut command: Command) -> Talk {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let out = BufReader::new(child.stdout.take().expect("output is piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || out.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
        let input = child.stdin.take();
        Talk { child, input, lines }
    }

    fn engine(arguments: &str) -> Talk {
        let mut command = lianzi();
        command.arg("engine").args(arguments.split_whitespace());
        Talk::start(command)
    }

    fn say(&mut self, text: &str) {
        let input = self.input.as_mut().expect("the guest still listens");
        input.write_all(text.as_bytes()).and_then(|()| input.flush()).expect("the guest still listens");
    }

    fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the guest answers")
    }

    /// The next line that is no chatter.
    fn answer(&self) -> String {
        loop {
            let line = self.hear();
            if !line.starts_with("MESSAGE") {
                return line;
            }
        }
    }

    /// Waits for the process to end by itself, and says how long that took.
    fn ended(&mut self) -> (ExitStatus, Duration) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the process can be asked") {
                return (status, start.elapsed());
            }
            assert!(start.elapsed() < PATIENCE, "the guest does not leave");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// What was said and not yet heard, once the process has ended.
    fn rest(&self) -> Vec<String> {
        self.lines.iter().collect()
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn sessions() -> PathBuf {
    root().join("data/protocol")
}

/// Plays a session file: `$` starts the program, `>` is said to it, `<` must be its next line, `#` is for readers, and
/// `{version}` stands for ours. At the end of a session nothing else may have been said.
fn replay(file: &Path) {
    let text = read(file).replace("{version}", env!("CARGO_PKG_VERSION"));
    let mut talk: Option<Talk> = None;
    let finish = |talk: Option<Talk>| {
        if let Some(mut talk) = talk {
            talk.input = None;
            let (status, _) = talk.ended();
            assert!(status.success(), "{}: {status}", file.display());
            assert_eq!(talk.rest(), [""; 0], "{}: said too much", file.display());
        }
    };
    for (n, line) in text.lines().enumerate() {
        let (mark, rest) = line.split_at(line.len().min(1));
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        match mark {
            "$" => finish(talk.replace(Talk::engine(rest))),
            ">" => talk.as_mut().expect("a session begins with $").say(&format!("{rest}\n")),
            "<" => {
                let said = talk.as_ref().expect("a session begins with $").hear();
                assert_eq!(said, rest, "{}:{}", file.display(), n + 1);
            }
            _ => {}
        }
    }
    finish(talk);
}

#[test]
fn golden_sessions_are_kept_to_the_letter() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(sessions())
        .expect("there are sessions")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("engine-")))
        .collect();
    files.sort();
    assert!(files.len() >= 7, "{files:?}");
    for file in &files {
        replay(file);
    }
}

#[test]
fn a_guest_stops_thinking_when_told() {
    let mut talk = Talk::engine("gomoku --protocol piskvork");
    talk.say("START 15\nINFO timeout_turn 600000\nBOARD\n7,7,2\n8,8,1\n9,7,2\nDONE\n");
    assert_eq!(talk.hear(), "OK");
    // The first message shows that it thinks.
    assert!(talk.hear().starts_with("MESSAGE DEPTH "));
    let start = Instant::now();
    talk.say("YXSTOP\n");
    assert!(talk.answer().contains(','));
    assert!(start.elapsed() < Duration::from_secs(10));
    talk.say("END\n");
    assert!(talk.ended().0.success());
}

#[test]
fn a_guest_leaves_at_once_in_the_middle_of_a_thought() {
    let mut talk = Talk::engine("gomoku --protocol piskvork");
    talk.say("START 15\nINFO timeout_turn 600000\nBOARD\n7,7,2\n8,8,1\n9,7,2\nDONE\n");
    assert_eq!(talk.hear(), "OK");
    assert!(talk.hear().starts_with("MESSAGE "));
    talk.say("END\n");
    let (status, time) = talk.ended();
    // A second is the manager's limit; the rest is for machines that are busy.
    assert!(status.success() && time < Duration::from_secs(4), "{time:?}");
}

#[test]
fn a_guest_leaves_when_its_input_ends() {
    for arguments in [
        "gomoku --protocol piskvork",
        "--protocol connect6 --player greedy",
        "--protocol gtp",
        "connect4 --protocol gtp --player uct",
    ] {
        let mut talk = Talk::engine(arguments);
        talk.input = None;
        assert!(talk.ended().0.success(), "{arguments}");
    }
    // Also while it thinks without a limit.
    let mut talk = Talk::engine("--protocol gtp");
    talk.say("play b h8\nlz-analyze 10\n");
    assert_eq!([talk.hear(), talk.hear(), talk.hear()], ["=", "", "="]);
    talk.input = None;
    assert!(talk.ended().0.success());
    assert!(talk.rest().iter().any(|line| line.starts_with("info move ")));
}

#[test]
fn analysis_goes_on_until_the_next_command() {
    let mut talk = Talk::engine("connect4 --protocol gtp --player uct");
    talk.say("kata-analyze b interval 5 maxmoves 3\n");
    assert_eq!(talk.hear(), "=");
    for _ in 0..3 {
        let line = talk.hear();
        assert!(line.starts_with("info move ") && line.matches("info move").count() <= 3, "{line}");
    }
    talk.say("7 name\n");
    let after: Vec<String> =
        std::iter::repeat_with(|| talk.hear()).skip_while(|line| line.starts_with("info")).take(3).collect();
    assert_eq!(after, ["", "=7 Lianzi", ""]);
}

#[test]
fn line_ends_garbage_and_endless_lines_do_no_harm() {
    let mut input = b"START 15\r\n\r\nTURN 7,7\r".to_vec();
    input.extend(vec![b'x'; 3 << 20]);
    input.extend_from_slice(
        b"\r\n\xff\xfe\x00garbage\nTURN\nTURN 7,7\nTURN 15,15\nBOARD\nnonsense\nDONE\nSTART 3\nSTART\n",
    );
    input.extend_from_slice(b"INFO\nINFO rule many\nTAKEBACK 1,1\nYXNBEST 0\nBOARD\n7,7,2\nTAKEBACK 7,7\nABOUT");
    let mut talk = Talk::engine("gomoku --player greedy@seed=1 --protocol piskvork");
    let input_pipe = talk.input.as_mut().unwrap();
    input_pipe.write_all(&input).unwrap();
    talk.input = None;
    assert!(talk.ended().0.success());
    let said: Vec<String> = talk.rest().into_iter().filter(|line| !line.starts_with("MESSAGE")).collect();
    let begins = [
        "OK",
        "",
        "UNKNOWN",
        "UNKNOWN",
        "ERROR",
        "ERROR 7,7",
        "ERROR '15,15'",
        "ERROR 'nonsense'",
        "ERROR",
        "ERROR",
        "ERROR",
        "ERROR",
        "ERROR DONE",
        "OK",
        "name=",
    ];
    assert_eq!(said.len(), begins.len(), "{said:#?}");
    for (line, begin) in said.iter().zip(begins) {
        assert!(line.starts_with(begin), "'{begin}' expected: {line}");
    }
    assert!(said.iter().all(|line| line.len() < 200), "{said:#?}");
}

#[test]
fn black_is_kept_from_forbidden_cells() {
    // Black has two open twos that cross at 7,7: a stone there makes a double three.
    let board = "BOARD\n5,7,1\n0,0,2\n6,7,1\n0,14,2\n7,5,1\n14,0,2\n7,6,1\n14,14,2\nDONE\n";
    let mut talk = Talk::engine("--player greedy@seed=1 --protocol piskvork");
    talk.say("START 15\nINFO rule 4\n");
    talk.say(&board.replace("BOARD", "YXBOARD"));
    talk.say("YXSHOWFORBID\n");
    assert_eq!(talk.hear(), "OK");
    assert_eq!(talk.hear(), "FORBID 0707.");
    talk.say("INFO rule 0\n");
    talk.say(board);
    assert_eq!(talk.answer(), "7,7", "free-style greedy wants the crossing");
    talk.say("INFO rule 4\n");
    talk.say(board);
    assert_ne!(talk.answer(), "7,7");
}

#[test]
fn a_program_called_pbrain_needs_no_arguments() {
    let folder = Folder::new("pbrain");
    let brain = folder.path("pbrain-lianzi.exe");
    copy_program(&brain);
    let mut talk = Talk::start(Command::new(&brain));
    talk.say("ABOUT\r\nSTART 20\r\nINFO timeout_turn 1000\r\nBEGIN\r\n");
    assert!(talk.hear().starts_with("name=\"Lianzi\", version=\""));
    assert_eq!(talk.hear(), "OK");
    assert!(talk.answer().contains(','));
    talk.say("END\r\n");
    assert!(talk.ended().0.success());
    let version = Command::new(&brain).arg("--version").output().expect("the program starts");
    assert!(stdout(&version).starts_with("lianzi "));
}

#[test]
fn time_limits_are_kept() {
    let mut talk = Talk::engine("gomoku --protocol piskvork");
    talk.say("START 15\nINFO timeout_turn 300\nINFO timeout_match 60000\n");
    assert_eq!(talk.hear(), "OK");
    for turn in ["BEGIN", "TURN 0,0", "TURN 0,2", "TURN 0,4"] {
        let start = Instant::now();
        talk.say(&format!("INFO time_left 60000\n{turn}\n"));
        let answer = talk.answer();
        assert!(answer.contains(','), "{answer}");
        // Without the limit it would think for five seconds; a busy machine may add a little to the limit.
        assert!(start.elapsed() < Duration::from_secs(3), "{turn}: {:?}", start.elapsed());
    }
}

#[test]
fn botzone_requests_that_cannot_be_answered_are_refused() {
    for (request, words) in [
        ("{\"requests\":", "EOF"),
        ("hello", "cannot be answered"),
        ("{\"requests\":[]}", "no requests"),
        ("{\"requests\":[{\"x\":3,\"y\":15}],\"responses\":[]}", "3,15 is not on the board"),
        ("{\"requests\":[{\"x\":3,\"y\":3},{\"x\":3,\"y\":3}],\"responses\":[{\"x\":4,\"y\":4}]}", "a stone already"),
        ("{\"requests\":[{\"x\":3,\"y\":3}],\"responses\":[{\"x\":4,\"y\":4}]}", "one response fewer"),
        ("{\"requests\":[{\"x0\":3,\"y0\":3,\"x1\":4,\"y1\":4}],\"responses\":[]}", "2 stones are not a turn"),
    ] {
        let output = run_with(&["engine", "--protocol", "botzone"], request);
        assert_eq!(output.status.code(), Some(1), "{request}");
        assert_eq!(stdout(&output), "", "{request}");
        assert!(stderr(&output).contains(words), "{request}: {}", stderr(&output));
    }
}

#[test]
fn what_cannot_be_played_is_said_at_once() {
    refused(&["engine", "connect6", "--protocol", "piskvork"], 2, "cannot be played by the protocol piskvork");
    refused(&["engine", "gomoku", "--protocol", "connect6"], 2, "cannot be played by the protocol connect6");
    refused(&["engine", "connect4", "--protocol", "botzone"], 2, "cannot be played by the protocol botzone");
    refused(&["engine", "--protocol", "gtp", "--player", "human"], 2, "a person cannot be asked");
    refused(&["engine", "renju", "--protocol", "gtp", "--player", "classic-gomoku"], 2, "does not play renju");
    refused(&["engine", "gomoku"], 2, "--protocol");
    refused(&["engine", "--protocol", "uci"], 2, "uci");
}
