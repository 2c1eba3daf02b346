//! Many machines as users meet them: real processes, a real PostgreSQL, and workers that die.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

mod servers;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use lianzi_queue::private::Cluster;
use lianzi_queue::{Address, Link, jobs};
use serde_json::Value;
use tempfile::TempDir;

/// The program, speaking English whatever the machine speaks.
fn lianzi(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lianzi"));
    command.args(arguments).env("LIANZI_LANG", "en_US.UTF-8").stdin(Stdio::null());
    command
}

fn ok(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = lianzi(arguments).output().unwrap();
    assert!(status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8_lossy(&stdout).into_owned()
}

/// A database with a queue, a folder, and workers that end with it.
struct Place {
    cluster: Cluster,
    folder: TempDir,
    workers: Vec<Child>,
}

impl Place {
    fn new() -> Place {
        let cluster = Cluster::start(&[]).expect("PostgreSQL is installed: apt-get install postgresql");
        let said = ok(&["queue", "init", &cluster.address(), "--lease", "2s"]);
        assert!(said.contains("the queue is ready"), "{said}");
        Place { cluster, folder: tempfile::tempdir().unwrap(), workers: Vec::new() }
    }

    fn address(&self) -> String {
        self.cluster.address()
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().into()
    }

    fn worker(&mut self, more: &[&str]) {
        let (address, cache) = (self.address(), self.path("cache"));
        let mut arguments = vec!["worker", &address, "--cores", "1", "--cache", &cache];
        arguments.extend(more);
        self.start(&mut lianzi(&arguments));
    }

    /// A worker whose clock is three days fast: by what `faketime` preloads, for the program of that name starts another
    /// process, which would outlive the one that is killed.
    fn fast_worker(&mut self) {
        let (address, cache) = (self.address(), self.path("cache"));
        let mut worker = lianzi(&["worker", &address, "--cores", "1", "--cache", &cache]);
        worker.env("LD_PRELOAD", "/usr/$LIB/faketime/libfaketime.so.1").env("FAKETIME", "+3d");
        self.start(&mut worker);
    }

    fn start(&mut self, worker: &mut Command) {
        self.workers.push(worker.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    }

    /// The jobs or workers that a command lists.
    fn list(&self, what: &str) -> Vec<Value> {
        let said = ok(&["queue", what, &self.address(), "--json"]);
        said.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            let _ = worker.kill();
            let _ = worker.wait();
        }
    }
}

/// The games in a contest's folder by name, without their times.
fn games(folder: &str) -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(Path::new(folder).join("games.jsonl")).unwrap();
    let named = text.lines().map(|line| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        for one in game["moves"].as_array_mut().unwrap() {
            let one = one.as_object_mut().unwrap();
            one.remove("time_ms");
            one.remove("cpu_us");
        }
        let tags = game["tags"].as_array_mut().unwrap();
        let tag = |name: &str| tags.iter().find(|tag| tag["name"] == name).map(|tag| tag["values"][0].to_string());
        let id = tag("contest-game").unwrap();
        tags.retain(|tag| !["started", "ended", "load"].map(Value::from).contains(&tag["name"]));
        (id, game)
    });
    named.collect()
}

/// What a contest's folder says of the result.
fn result(folder: &str) -> Value {
    let text = std::fs::read_to_string(Path::new(folder).join("summary.json")).unwrap();
    let mut summary: Value = serde_json::from_str(&text).unwrap();
    for passing in ["cpu", "busy", "warnings"] {
        summary.as_object_mut().unwrap().remove(passing);
    }
    summary
}

#[test]
fn workers_are_killed_and_the_table_is_that_of_one_machine() {
    let mut place = Place::new();
    let (address, here, there) = (place.address(), place.path("here"), place.path("there"));
    let contest = ["match", "connect4", "uct", "uct@seed=3,name=other", "--games", "500", "--nodes", "100"];
    (0..4).for_each(|_| place.worker(&[]));
    let mut arguments = contest.to_vec();
    arguments.extend(["--out", &there, "--queue", &address]);
    let mut following = lianzi(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut killed = 0;
    let link = Link::open(&Address::read(&address, None).unwrap(), &[]).unwrap();
    let stored = || jobs::list(&link, None).unwrap().first().map_or(0, |job| job.games[0]);
    let (start, mut before) = (Instant::now(), 0);
    while following.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(600));
        thread::sleep(Duration::from_secs(1));
        // A machine so busy that no worker comes to play in a second kills none.
        if stored() == before {
            continue;
        }
        before = stored();
        let mut victim = place.workers.remove(0);
        victim.kill().unwrap();
        victim.wait().unwrap();
        killed += 1;
        // One machine's clock is three days fast; leases know the database's only.
        if killed == 2 && Path::new("/usr/bin/faketime").exists() { place.fast_worker() } else { place.worker(&[]) }
    }
    assert!(following.wait().unwrap().success() && killed > 1);
    let mut arguments = contest.to_vec();
    arguments.extend(["--out", &here]);
    ok(&arguments);
    assert_eq!(games(&there), games(&here));
    assert_eq!(result(&there), result(&here));
    assert!(Path::new(&there).join("report.html").exists());
    // Called again, anywhere, it ends at once with the same folder.
    let again = place.path("again");
    let mut arguments = contest.to_vec();
    arguments.extend(["--out", &again, "--queue", &address]);
    ok(&arguments);
    assert_eq!(games(&again), games(&here));
}

/// Waits for a job to stand so.
fn wait_for(place: &Place, is_so: impl Fn(&Value) -> bool) {
    let end = Instant::now() + Duration::from_secs(120);
    while !place.list("list").iter().any(&is_so) {
        assert!(Instant::now() < end, "{:?} {:?}", place.list("list"), place.list("workers"));
        thread::sleep(Duration::from_millis(100));
    }
}

/// Whatever of this succeeds costs it the game: there is no column 99.
const HOSTILE: &str = "
import os, socket

def database():
    socket.socket(socket.AF_UNIX).connect('SOCKET')

def internet():
    socket.socket(socket.AF_INET)

def agent(observation, configuration):
    acts = [database, internet, os.fork, lambda: os.environ['PGPASSWORD'], lambda: open('/etc/shadow').read()]
    acts += [lambda: open('OTHERS').read(), lambda: open('LEFT', 'w'), lambda: open(__file__, 'w')]
    acts += [lambda: open('/proc/%d/environ' % os.getppid()).read(), lambda: os.kill(os.getppid(), 9)]
    for act in acts:
        try:
            act()
            return 99
        except BaseException:
            pass
    return [c for c in range(configuration.columns) if observation.board[c] == 0][0]
";

#[test]
fn a_hostile_strategy_and_an_absent_filer() {
    let mut place = Place::new();
    let (address, out) = (place.address(), place.path("out"));
    // It asks for the database, whose socket is known to it, for the worker's password, for files of others, to leave something
    // behind and for a process of its own, and then plays on.
    let hostile = HOSTILE.replace("SOCKET", &place.cluster.folder().join(".s.PGSQL.5432").display().to_string());
    let (file, left) = (place.path("hostile.py"), place.path("left behind"));
    let hostile = hostile.replace("LEFT", &left).replace("OTHERS", &place.path("others"));
    std::fs::write(place.path("others"), "secret").unwrap();
    std::fs::write(&file, &hostile).unwrap();
    let spec = format!("kaggle:{file}");
    let arguments =
        ["match", "connect4", &spec, "random", "--games", "4", "--nodes", "100", "--out", &out, "--queue", &address];
    // The command that files it is killed; the contest is played all the same.
    let mut filer = lianzi(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for(&place, |job| job["waiting"] == 4);
    filer.kill().unwrap();
    filer.wait().unwrap();
    std::fs::remove_file(&file).unwrap();
    let cache = place.path("cache");
    place.start(lianzi(&["worker", &address, "--cores", "1", "--cache", &cache]).env("PGPASSWORD", "secret"));
    wait_for(&place, |job| job["state"] == "done" && job["stored"] == 4);
    // The file was sent along, so the folder can be had again only where it is.
    std::fs::write(&file, hostile).unwrap();
    ok(&arguments);
    assert!(!Path::new(&left).exists());
    let faults = result(&out)["faults"].clone();
    assert_eq!(faults, 0, "what it tried failed, and it lost no game by that: {:?}", games(&out));
}

#[test]
fn self_play_and_tuning_go_over_the_queue() {
    let mut place = Place::new();
    let address = place.address();
    (0..2).for_each(|_| place.worker(&[]));
    let play = ["dev", "selfplay", "gomoku", "--games", "10", "--nodes", "60", "--out"];
    let (here, there) = (place.path("here.lzsp"), place.path("there.lzsp"));
    ok(&[&play[..], &[&here]].concat());
    ok(&[&play[..], &[&there, "--queue", &address]].concat());
    assert_eq!(std::fs::read(&here).unwrap(), std::fs::read(&there).unwrap());
    // More of the same go on where the first ended.
    let more = ["dev", "selfplay", "gomoku", "--games", "13", "--nodes", "60", "--out"];
    ok(&[&more[..], &[&here]].concat());
    ok(&[&more[..], &[&there, "--queue", &address]].concat());
    assert_eq!(std::fs::read(&here).unwrap(), std::fs::read(&there).unwrap());
    let tune = ["dev", "tune", "gomoku", "--iterations", "2", "--nodes", "60", "--out"];
    let (here, there) = (place.path("here.json"), place.path("there.json"));
    ok(&[&tune[..], &[&here]].concat());
    ok(&[&tune[..], &[&there, "--queue", &address]].concat());
    assert_eq!(std::fs::read_to_string(&here).unwrap(), std::fs::read_to_string(&there).unwrap());
    assert_eq!(place.list("list").len(), 1, "what was learnt from is gone");
}

/// A sheet of marks without what tells of the machine: the columns after the remarks.
fn marks(folder: &str) -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(folder).join("marks.csv")).unwrap();
    let heads: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let passing = heads.iter().position(|&head| head == "remarks").unwrap();
    text.lines().map(|line| line.split(',').take(passing).collect::<Vec<_>>().join(",")).collect()
}

#[test]
fn a_class_is_graded_and_ranked_by_workers() {
    let mut place = Place::new();
    let address = place.address();
    place.worker(&[]);
    let both = |command: &[&str], name: &str| {
        let [here, there] = ["here", "there"].map(|side| place.path(&format!("{name}-{side}")));
        ok(&[command, &["--out", &here]].concat());
        ok(&[command, &["--out", &there, "--queue", &address]].concat());
        [here, there]
    };
    let [here, there] = both(&["grade", "greedy", "random", "--samples", "1"], "marks");
    assert_eq!((marks(&there), marks(&there).len()), (marks(&here), 3));
    for name in ["greedy", "random"] {
        assert!(Path::new(&there).join(name).join("strategy.html").exists());
    }
    let strategies = place.path("strategies");
    std::fs::create_dir(&strategies).unwrap();
    for (name, answer) in [("7001", "free[0]"), ("7002", "free[-1]"), ("7003", "(-1, -1)")] {
        let body = format!(
            "def ai(me, enemy, cells):\n    free = [c for c in cells if c not in me and c not in enemy]\n    return {answer}\n"
        );
        std::fs::write(Path::new(&strategies).join(format!("{name}.py")), body).unwrap();
    }
    let ranking = |folder: &str| std::fs::read_to_string(Path::new(folder).join("ranking.csv")).unwrap();
    let [here, there] = both(&["rank", &strategies, "--course", "gomoku"], "rank");
    assert_eq!((ranking(&there), ranking(&there).lines().count()), (ranking(&here), 4));
    let swiss = ["tournament", "connect4", "random", "greedy", "uct", "--format", "swiss", "--nodes", "50"];
    let [here, there] = both(&swiss, "swiss");
    assert_eq!((games(&there), result(&there)), (games(&here), result(&here)));
    assert!(place.list("list").iter().all(|job| job["state"] == "done"));
}

#[test]
fn a_queue_is_listed_shown_paused_and_cancelled() {
    let place = Place::new();
    let address = place.address();
    let arguments = ["match", "connect4", "random", "greedy", "--games", "4", "--nodes", "10", "--queue", &address];
    let filer = lianzi(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&place, |job| job["waiting"] == 4);
    let queue = |verb: &str| ok(&["queue", verb, &address, "1"]);
    assert!(queue("show").contains("filed by lianzi"));
    assert!(ok(&["queue", "list", &address]).contains("   1 open      0 games, 0 being played, 4 waiting"));
    assert!(queue("pause").contains("paused") && queue("resume").contains("open"));
    assert!(queue("cancel").contains("cancelled"));
    let output = filer.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("job 1 was cancelled"), "{said}");
    // It stays cancelled until somebody lets it go on, or forgets it.
    let again = lianzi(&arguments).output().unwrap();
    assert!(String::from_utf8_lossy(&again.stderr).contains("lianzi queue resume ADDRESS 1"), "{again:?}");
    queue("remove");
    assert_eq!(place.list("list"), [] as [Value; 0]);
}

#[test]
fn what_cannot_be_is_said() {
    let refused = |arguments: &[&str], words: &str| {
        let output = lianzi(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    };
    refused(&["worker", "mysql://host/db"], "does not begin with postgres://");
    refused(&["worker", "postgres://nobody:secret@127.0.0.1:1/db"], "cannot be reached");
    let cluster = Cluster::start(&[]).unwrap();
    refused(&["queue", "list", &cluster.address()], "lianzi queue init");
    ok(&["queue", "init", &cluster.address()]);
    refused(&["queue", "cancel", &cluster.address(), "7"], "there is no job 7");
    let made = ok(&["queue", "init", &cluster.address(), "--worker", "pc", "--filer", "teacher"]);
    let addresses: Vec<&str> = made.lines().skip(1).collect();
    assert_eq!(addresses.len(), 2);
    refused(&["queue", "remove", addresses[0], "1"], "there is no job 1");
    refused(&["match", "connect4", "random", "greedy", "--nodes", "10", "--queue", addresses[0]], "permission denied");
}
