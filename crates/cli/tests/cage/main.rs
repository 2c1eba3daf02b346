//! Foreign code in its cage: what it does wrong is judged against it, and nothing of it gets out.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

mod libraries;
mod means;
mod scripts;
mod shortage;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A folder of a test's own: `tmp` is where the program makes its scratch folders.
struct Den {
    folder: tempfile::TempDir,
}

/// How a game ended.
#[derive(Debug)]
struct Ended {
    ending: String,
    words: String,
    /// Whether the first of the two players won.
    won: bool,
    /// What the first player printed.
    said: String,
    plies: usize,
}

impl Den {
    fn new() -> Den {
        let folder = tempfile::Builder::new().prefix("lianzi-den-").tempdir().unwrap();
        fs::create_dir(folder.path().join("tmp")).unwrap();
        for path in [folder.path().to_path_buf(), folder.path().join("tmp")] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
        }
        Den { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().into()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.name(name)
    }

    /// Compiles a C source from this folder.
    fn compile(&self, source: &str, name: &str, flags: &[&str]) -> String {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cage").join(source);
        let mut compiler = Command::new("cc");
        compiler.arg("-O1").args(flags).arg("-o").arg(self.path(name)).arg(source).arg("-lpthread");
        assert!(compiler.status().expect("a C compiler (cc) is needed").success());
        self.name(name)
    }

    /// The library that does this.
    fn library(&self, deed: &str, more: &[&str]) -> String {
        let (deed_flag, do_flag) = (format!("-DDEED={deed}"), format!("-DDO_{deed}"));
        let flags = [&["-shared", "-fPIC", &deed_flag, &do_flag], more].concat();
        self.compile("strategy.c", &format!("{}.so", deed.to_lowercase()), &flags)
    }

    /// The program, with this folder's `tmp` for its scratch folders.
    fn lianzi(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lianzi"));
        command.env("LIANZI_LANG", "en_US.UTF-8").env("TMPDIR", self.path("tmp")).args(arguments);
        command
    }

    /// Two games with either colour; afterwards nothing is left.
    fn games(&self, game: &str, first: &str, second: &str, time: &str) -> [Ended; 2] {
        let out = self.name(&format!("out-{}", fs::read_dir(self.folder.path()).unwrap().count()));
        let arguments = ["match", game, first, second, "--games", "2", "--time", time];
        let rest = ["--openings", "none", "--json", "--out", &out, "--margin", "100ms"];
        let output = self.lianzi(&[&arguments[..], &rest].concat()).output().unwrap();
        assert!(output.status.success(), "{first}: {}", text(&output));
        self.assert_nothing_left();
        let records = fs::read_to_string(Path::new(&out).join("games.jsonl")).unwrap();
        let records: Vec<Value> = records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines = printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let games: Vec<Value> = lines.filter(|line| line["event"] == "game").collect();
        assert_eq!((records.len(), games.len()), (2, 2));
        [0, 1].map(|n| ended(&games[n], &records[n], n))
    }

    /// A match with this player is refused before its first game, in these words; nothing is left.
    fn refuses(&self, game: &str, player: &str, words: &str) {
        let arguments = ["match", game, player, "random", "--games", "2", "--openings", "none"];
        let output = self.lianzi(&arguments).output().unwrap();
        let said = text(&output);
        assert_eq!(output.status.code(), Some(2), "{player}: {said}");
        assert!(said.contains("it cannot start") && said.contains(words), "{player}: {said}");
        assert!(!said.contains("scratch"), "no word of the copy in the scratch folder: {said}");
        self.assert_nothing_left();
    }

    /// No process works in this folder and no scratch folder stays.
    fn assert_nothing_left(&self) {
        let left: Vec<_> = fs::read_dir(self.path("tmp")).unwrap().flatten().map(|e| e.path()).collect();
        assert!(left.is_empty(), "left: {left:?}");
        let home = fs::canonicalize(self.folder.path()).unwrap();
        for process in fs::read_dir("/proc").unwrap().flatten() {
            let place = fs::read_link(process.path().join("cwd"));
            // The folder of a process may be gone already; its name stays.
            let inside = place.is_ok_and(|place| place.starts_with(&home));
            assert!(!inside, "a process is left: {:?}", process.path());
        }
    }
}

fn ended(game: &Value, record: &Value, n: usize) -> Ended {
    // The first player has Black in the first game and White in the second.
    let winner = if n == 0 { "black" } else { "white" };
    Ended {
        ending: game["ending"].as_str().unwrap().into(),
        words: game["words"].as_str().unwrap().into(),
        won: game["outcome"] == winner,
        said: record["sides"][n]["said"].as_str().unwrap_or_default().into(),
        plies: record["moves"].as_array().map_or(0, Vec::len),
    }
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
