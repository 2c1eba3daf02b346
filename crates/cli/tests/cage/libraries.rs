//! Strategy libraries in C.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use crate::{Den, Ended, text};

const GAME: &str = "connect4:9x9/e5";

/// Both games of a library that does this, against a good one.
fn games(den: &Den, deed: &str, options: &str, time: &str) -> [Ended; 2] {
    let (bad, good) = (den.library(deed, &[]), den.library("GOOD", &[]));
    den.games(GAME, &format!("so:{bad}{options}"), &format!("so:{good}"), time)
}

/// It loses both games by its own fault, in these words.
fn loses(deed: &str, options: &str, ending: &str, words: &str) {
    let time = if ending == "timeout" { "1s" } else { "20s" };
    for game in games(&Den::new(), deed, options, time) {
        assert!(!game.won && game.ending == ending, "{deed}: {game:?}");
        assert!(game.words.contains(words), "{deed}: {game:?}");
    }
}

/// It plays on as if nothing had happened.
fn plays(deed: &str) -> [Ended; 2] {
    let games = games(&Den::new(), deed, "", "20s");
    for game in &games {
        assert!(["line", "full"].contains(&game.ending.as_str()), "{deed}: {game:?}");
    }
    games
}

#[test]
fn who_does_not_come_back_is_late() {
    for deed in ["LOOP", "SLEEP", "DEAF", "CLEAR_HANGS"] {
        loses(deed, "", "timeout", "");
    }
}

#[test]
fn crashes_are_named() {
    loses("RECURSION", "", "crashed", "SIGSEGV");
    loses("ABORT", "", "crashed", "SIGABRT");
    loses("EXIT", "", "crashed", "in getPoint: exit status: 0");
    loses("WILD_POINTER", "", "crashed", "in getPoint: signal: 11 (SIGSEGV)");
    loses("CLEAR", "", "crashed", "in clearPoint: signal: 11 (SIGSEGV)");
    loses("NULL_POINTER", "", "garbled", "a null pointer");
}

#[test]
fn what_it_uses_is_bounded() {
    loses("MEMORY", "@memory=128", "crashed", "SIGSEGV");
    loses("BIG_FILE", "", "crashed", "SIGXFSZ");
    let den = Den::new();
    for game in games(&den, "FILL", "", "20s") {
        assert!(!game.won && game.words.contains("its scratch folder is full"), "{game:?}");
    }
}

/// Space is counted by what it takes, whether a name, a length or an open file shows it or not.
#[test]
fn hidden_space_is_refused_or_counted() {
    for game in plays("KEEP_SIZE") {
        assert!(game.said.contains("space without length refused"), "{game:?}");
        assert!(!game.said.contains("ALLOWED"), "{game:?}");
    }
    loses("UNLINKED", "", "crashed", "its scratch folder is full");
    loses("MAPPED", "", "crashed", "its scratch folder is full");
}

/// The same where the arena writes in the folder as well, so that it cannot be a disk of its own.
#[test]
fn hidden_space_in_a_shared_folder_is_counted() {
    let den = Den::new();
    let games = |deed: &str| {
        let define = format!("-DDEED={deed}");
        let name = deed.to_lowercase();
        den.compile("strategy.c", &name, &["-DPROGRAM", &define, &format!("-DDO_{deed}")]);
        let player = format!("csv:{}@cage=yes", den.name(&name));
        den.games("connect6:15", &player, "random", "20s")
    };
    for game in games("KEEP_SIZE") {
        assert!(game.said.contains("space without length refused") && !game.said.contains("ALLOWED"), "{game:?}");
    }
    let is_full = |deed: &str| {
        for game in games(deed) {
            assert!(!game.won && game.words.contains("its scratch folder is full"), "{deed}: {game:?}");
        }
    };
    ["UNLINKED", "MAPPED"].into_iter().for_each(is_full);
    // The kernel names what is mapped by its real place, whatever the user calls it.
    fs::rename(den.path("tmp"), den.path("real")).unwrap();
    std::os::unix::fs::symlink("real", den.path("tmp")).unwrap();
    is_full("MAPPED");
}

/// Where the kernel does not bound threads, whoever has too many is ended.
#[test]
fn threads_are_bounded() {
    for game in games(&Den::new(), "THREADS", "@threads=8", "20s") {
        let ended = game.words.contains("in getPoint: it has more than 8 threads");
        let made = game.said.lines().find_map(|line| line.strip_suffix(" threads")?.parse().ok());
        assert!(ended || made.is_some_and(|made: u32| made < 8), "{game:?}");
    }
}

/// However many threads somebody burns, together they weigh as one: on one core, beside sixty of them, whoever needs
/// a third of a second has it long before his six seconds are over. Each of equal threads would need twenty.
#[test]
fn a_herd_of_threads_takes_no_more_than_its_share() {
    let den = Den::new();
    let (herd, worker) = (den.library("HERD", &[]), den.library("WORKER", &[]));
    let core = fs::read_to_string("/proc/self/status").unwrap();
    let core = core.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim();
    let core: String = core.chars().take_while(char::is_ascii_digit).collect();
    let on_one_core = |player: &str, time: &str| {
        let mut command = Command::new("taskset");
        command.args(["-c", &core, env!("CARGO_BIN_EXE_lianzi"), "match", GAME, player, "random"]);
        command.args(["--games", "2", "--time", time, "--openings", "none", "--json"]);
        command.env("LIANZI_LANG", "en_US.UTF-8").env("TMPDIR", den.path("tmp"));
        command
    };
    let mut herd = on_one_core(&format!("so:{herd}@threads=64"), "60s");
    let mut herd = herd.stdout(std::process::Stdio::null()).spawn().unwrap();
    let home = fs::canonicalize(den.path("tmp")).unwrap();
    let threads = || {
        let processes = fs::read_dir("/proc").unwrap().flatten().map(|process| process.path());
        let caged = processes.filter(|path| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd.starts_with(&home)));
        caged.map(|path| fs::read_dir(path.join("task")).map_or(0, Iterator::count)).max().unwrap_or_default()
    };
    wait_until(|| threads() > 60);
    let output = on_one_core(&format!("so:{worker}"), "6s").output().unwrap();
    herd.kill().unwrap();
    herd.wait().unwrap();
    let said = text(&output);
    assert!(output.status.success() && !said.contains("\"ending\":\"timeout\""), "{said}");
}

#[test]
fn the_kinds_of_illegal_answer_are_told_apart() {
    loses("OFF_BOARD", "", "illegal", "not on the board");
    loses("BLOCKED", "", "illegal", "blocked");
    loses("FLOATING", "", "illegal", "still free");
    let [first, second] = games(&Den::new(), "OCCUPIED", "", "20s");
    assert!(first.words.contains("not on the board"), "nobody has played yet: {first:?}");
    assert!(!second.won && second.words.contains("a stone already"), "{second:?}");
}

#[test]
fn who_cannot_start_plays_no_game() {
    let den = Den::new();
    let refused = |deed: &str, options: &str, words: &str| {
        den.refuses(GAME, &format!("so:{}{options}", den.library(deed, &[])), words);
    };
    refused("NO_GET", "", "getPoint");
    refused("NO_CLEAR", "", "clearPoint");
    refused("CONSTRUCTOR", "@start=500ms", "not loaded within 0.5 s");
    den.refuses(GAME, &format!("so:{}", den.write("text.so", "this is no library")), "text.so");
}

#[test]
fn a_match_says_why_somebody_failed_once() {
    let den = Den::new();
    let (bad, good) = (den.library("ABORT", &[]), den.library("GOOD", &[]));
    let (bad, good) = (format!("so:{bad}"), format!("so:{good}"));
    let output = den.lianzi(&["match", GAME, &bad, &good, "--games", "4", "--time", "20s"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // A busy machine is told of as well.
    let said: Vec<&str> = said.lines().filter(|line| !line.starts_with("the machine is busy")).collect();
    let said = said.join("\n");
    assert!(said.starts_with("abort: ") && said.contains("SIGABRT"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn printing_disturbs_nobody() {
    let [flood, _] = plays("FLOOD");
    assert!(flood.said.contains("forty characters") && flood.said.len() < 64 * 1024, "{}", flood.said.len());
    plays("CLOSE");
    let [game, _] = games(&Den::new(), "ABORT", "", "20s");
    assert!(game.said.contains("before the end"), "what was printed before a crash is kept: {game:?}");
}

#[test]
fn new_processes_do_not_exist_and_threads_stop_with_the_turn() {
    plays("FORK_BOMB");
    plays("BURN");
}

#[test]
fn words_on_the_private_pipe_answer_for_their_author_only() {
    for game in games(&Den::new(), "FORGED", "", "20s") {
        assert!(!game.won && ["garbled", "illegal"].contains(&game.ending.as_str()), "{game:?}");
    }
}

#[test]
fn every_game_begins_with_a_fresh_library() {
    for game in plays("COUNT") {
        let calls: Vec<&str> = game.said.lines().collect();
        assert_eq!((calls[0], calls[1]), ("call 1", "call 2"), "state lasts for the game, and no longer");
    }
}

#[test]
fn nothing_gets_out() {
    let den = Den::new();
    let other = den.write("other.so", "somebody else's");
    let outside = den.name("outside");
    let paths = [format!("-DOTHER=\"{other}\""), format!("-DOUTSIDE=\"{outside}\"")];
    let probe = den.library("PROBE", &[&paths[0], &paths[1]]);
    let good = den.library("GOOD", &[]);
    for game in den.games(GAME, &format!("so:{probe}"), &format!("so:{good}"), "20s") {
        assert!(["line", "full"].contains(&game.ending.as_str()), "{game:?}");
        let first = game.said.lines().take_while(|line| !line.starts_with("thread")).count();
        assert!(first >= 35, "every attempt is reported: {}", game.said);
        assert!(!game.said.contains("ALLOWED") && !game.said.contains("REFUSED"), "{}", game.said);
        assert!(game.said.contains("own file written") && game.said.contains("thread ran"), "{}", game.said);
    }
    assert_eq!(fs::read_to_string(&other).unwrap(), "somebody else's");
    assert!(!den.path("outside").exists());
}

#[test]
fn many_games_leave_nothing() {
    let den = Den::new();
    let (one, two) = (den.library("COUNT", &[]), den.library("GOOD", &[]));
    let (one, two) = (format!("so:{one}"), format!("so:{two}"));
    let arguments = ["match", "connect4:random", &one, &two, "--games", "60", "--concurrency", "2"];
    let output = den.lianzi(&arguments).args(["--time", "3s", "--openings", "none"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    den.assert_nothing_left();
}

#[test]
fn a_cage_does_not_outlive_the_arena() {
    let den = Den::new();
    let (bad, good) = (den.library("LOOP", &[]), den.library("GOOD", &[]));
    let (bad, good) = (format!("so:{bad}"), format!("so:{good}"));
    let arguments = ["match", GAME, &bad, &good, "--games", "2", "--time", "600s"];
    let mut arena = den.lianzi(&arguments).spawn().unwrap();
    let home = fs::canonicalize(den.path("tmp")).unwrap();
    let caged = || {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let places = processes.filter_map(|process| fs::read_link(process.path().join("cwd")).ok());
        places.filter(|place| place.starts_with(&home)).count()
    };
    wait_until(|| caged() == 2);
    arena.kill().unwrap();
    assert_eq!(arena.wait().unwrap().signal(), Some(9));
    wait_until(|| caged() == 0);
    // The killed one could not tidy up; the next one does, and leaves alone what a living one holds.
    assert_eq!(fs::read_dir(&home).unwrap().count(), 1);
    let mut living = den.lianzi(&arguments).spawn().unwrap();
    wait_until(|| caged() == 2);
    assert_eq!(fs::read_dir(&home).unwrap().count(), 1);
    let result = den.name("result.txt");
    let next = den.lianzi(&["compete", &good, &good, &result, "1"]).output().unwrap();
    assert!(next.status.success(), "{}", text(&next));
    wait_until(|| caged() == 2);
    assert_eq!(fs::read_dir(&home).unwrap().count(), 1);
    living.kill().unwrap();
    living.wait().unwrap();
    wait_until(|| caged() == 0);
    let last = den.lianzi(&["grade", &good, "--samples", "1", "--time", "20s"]).output().unwrap();
    assert!(last.status.success(), "{}", text(&last));
    den.assert_nothing_left();
}

/// The course's own samples use the C++ library and do not say so.
#[test]
fn a_library_that_forgot_the_cpp_runtime_plays() {
    let den = Den::new();
    let source = den.write("forgetful.cpp", FORGETFUL);
    let library = den.name("forgetful.so");
    // The C compiler knows C++ by the file's name, but links only C's library.
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-o", &library, &source]);
    assert!(compiler.status().expect("a C compiler (cc) is needed").success());
    let bytes = fs::read(&library).unwrap();
    let has = |name: &[u8]| bytes.windows(name.len()).any(|window| window == name);
    assert!(has(b"_ZSt4cout") && !has(b"libstdc++"), "it needs the runtime and does not name it");
    let good = den.library("GOOD", &[]);
    for game in den.games(GAME, &format!("so:{library}"), &format!("so:{good}"), "20s") {
        assert!(["line", "full"].contains(&game.ending.as_str()), "{game:?}");
        assert!(game.said.contains("caught 7"), "{}", game.said);
    }
}

const FORGETFUL: &str = r#"
#include <iostream>
#include <stdexcept>
#include <vector>
struct Point { int x, y; };
extern "C" Point* getPoint(const int M, const int N, const int* top, const int*, const int, const int, const int, const int) {
    try {
        throw std::runtime_error("7");
    } catch (const std::exception& error) {
        std::cout << "caught " << error.what() << std::endl;
    }
    std::vector<int> free;
    for (int c = 0; c < N; c++) if (top[c] > 0) free.push_back(c);
    return new Point{top[free.at(0)] - 1, free.at(0)};
}
extern "C" void clearPoint(Point* p) { delete p; }
"#;

/// What C++ says of an exception that nobody catches is told, wherever it was thrown.
#[cfg(target_arch = "x86_64")]
#[test]
fn an_exception_is_told_in_its_own_words() {
    let den = Den::new();
    let good = format!("so:{}", den.library("GOOD", &[]));
    let throw = "std::vector<int>(3).at(7);";
    let library = |name: &str, [loading, asked, cleared]: [&str; 3]| {
        let source = THROWING.replace("LOADING", loading).replace("ASKED", asked).replace("CLEARED", cleared);
        let (source, library) = (den.write(&format!("{name}.cpp"), &source), den.name(&format!("{name}.so")));
        let mut compiler = Command::new("c++");
        compiler.args(["-shared", "-fPIC", "-O1", "-w", "-o", &library, &source]);
        assert!(compiler.status().expect("a C++ compiler (c++) is needed").success());
        format!("so:{library}")
    };
    for player in [library("asked", ["", throw, ""]), library("cleared", ["", "", throw])] {
        for game in den.games(GAME, &player, &good, "20s") {
            assert_eq!((game.won, game.ending.as_str()), (false, "crashed"), "{game:?}");
            assert!(game.words.contains("SIGABRT") && game.words.contains("what():"), "{game:?}");
            assert!(game.said.contains("std::out_of_range"), "{}", game.said);
        }
    }
    den.refuses(GAME, &library("loaded", [&format!("int one = {throw}"), "", ""]), "what():");
}

const THROWING: &str = r#"
#include <vector>
struct Point { int x, y; };
LOADING
extern "C" Point* getPoint(const int M, const int, const int*, const int*, const int, const int, const int, const int) {
    ASKED
    return new Point{M - 1, 0};
}
extern "C" void clearPoint(Point* p) { CLEARED delete p; }
"#;

pub fn wait_until(done: impl Fn() -> bool) {
    let start = std::time::Instant::now();
    while !done() {
        assert!(start.elapsed().as_secs() < 30, "it takes too long");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[test]
fn a_lost_call_can_be_made_again() {
    let den = Den::new();
    let [game, _] = games(&den, "CLEAR", "", "20s");
    assert_eq!(game.plies, 0);
    let (bad, good) = (den.name("clear.so"), den.name("good.so"));
    let saved = den.name("game.json");
    let play = ["play", GAME, "--black", &format!("so:{good}"), "--white", &format!("so:{bad}"), "--save", &saved];
    let output = den.lianzi(&play).output().unwrap();
    assert!(text(&output).contains("in clearPoint"), "{}", text(&output));
    let again = den.lianzi(&["call", &bad, &saved]).output().unwrap();
    assert_eq!(again.status.signal(), Some(11), "{}", text(&again));
    assert!(text(&again).contains("getPoint: (8, 0)") || text(&again).contains("getPoint: (7, 0)"), "{}", text(&again));
    let print = den.lianzi(&["call", &bad, &saved, "--print"]).output().unwrap();
    let arguments = den.write("call.json", &String::from_utf8_lossy(&print.stdout));
    let made = den.lianzi(&["call", &good, &arguments]).output().unwrap();
    assert!(made.status.success() && text(&made).starts_with("getPoint: ("), "{}", text(&made));
    let refused = den.lianzi(&["call", &good, &den.write("bad.json", "{\"M\":9}")]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
}
