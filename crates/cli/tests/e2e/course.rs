//! `compete`, `grade` and `rank`: strategies in C are written here, compiled, and judged.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Folder, lianzi, ok, read, refused, run, stderr, stdout};

/// Plays the column that `column` names; everything is the course's interface.
const STRATEGY: &str = r#"
#include <stdlib.h>
#include <stdio.h>
typedef struct { int x, y; } Point;
PREFIX
#ifdef __cplusplus
extern "C" {
#endif
Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX, const int lastY,
                const int noX, const int noY) {
    Point* p = (Point*)malloc(sizeof(Point));
    int c = 0;
    BODY
    p->x = top[c] - 1;
    p->y = c;
    return p;
}
void clearPoint(Point* p) { free(p); }
#ifdef __cplusplus
}
#endif
"#;

pub const LEFT: &str = "while (top[c] == 0) c++;";
pub const RIGHT: &str = "c = N - 1; while (top[c] == 0) c--;";

pub fn source(prefix: &str, body: &str) -> String {
    STRATEGY.replace("PREFIX", prefix).replace("BODY", body)
}

/// Compiles a strategy into this file.
pub fn compile(folder: &Folder, name: &str, source: &str) -> String {
    let code = folder.write(&format!("{}.c", name.replace('/', "-")), source);
    let library = folder.name(name);
    let output = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-w", "-o", &library, &code]).output();
    let output = output.expect("a C compiler is there");
    assert!(output.status.success(), "{}", stderr(&output));
    library
}

/// The codes of a result file, which must be whole: rounds, lines and shares in their places.
fn codes(path: &Path) -> Vec<i32> {
    let text = read(path);
    let (rounds, stat) = text.split_once("Stat:\n").expect("a file that is not cut off");
    let mut codes = Vec::new();
    for (n, round) in rounds.split_terminator("\n\n").enumerate() {
        let mut lines = round.lines();
        assert_eq!(lines.next(), Some(format!("{n}:").as_str()), "{text}");
        for line in lines {
            let cells: Vec<i32> = line.split('\t').map(|cell| cell.parse().expect("a number")).collect();
            assert!(cells.len() == 3 && cells[1] >= 0 && cells[2] >= 0, "{text}");
            codes.push(cells[0]);
        }
        assert_eq!(codes.len(), 2 * (n + 1), "{text}");
    }
    assert!(stat.starts_with("ratio of A wins : "), "{text}");
    codes
}

#[test]
fn compete_writes_the_originals_file() {
    let folder = Folder::new("compete");
    let left = compile(&folder, "left.so", &source("", LEFT));
    let right = compile(&folder, "right.so", &source("", RIGHT));
    let result = folder.name("result.txt");
    // Both stack; the one that begins has four first.
    let said = ok(&["compete", &left, &right, &result, "2", "--game", "connect4:9x9/e9", "--time", "20s"]);
    let text = read(Path::new(&result));
    let plain: Vec<String> = text
        .lines()
        .map(|line| line.split_once('\t').map_or(line.to_string(), |(code, _)| format!("{code}\tA\tB")))
        .collect();
    let stat = "Stat:\nratio of A wins : 0.5\nratio of B wins : 0.5\nratio of Tie : 0\n\n\
                ratio of (A wins + tie) : 0.5\nratio of (B wins + tie) : 0.5";
    let rounds = "0:\n1\tA\tB\n2\tA\tB\n\n1:\n1\tA\tB\n2\tA\tB\n\n";
    assert_eq!(plain.join("\n"), format!("{rounds}{stat}"));
    assert!(text.ends_with("0.5\n") && text.lines().filter(|line| line.contains('\t')).count() == 4);
    assert_eq!(codes(Path::new(&result)), [1, 2, 1, 2]);
    let round = |n| format!("Round {n}:\nA first:\nA - won\nB first:\nB - won\n\n");
    assert_eq!(said.trim_end(), format!("{}{}{stat}", round(0), round(1)), "as the original judge prints it");
}

#[test]
fn compete_draws_boards_by_its_seed_and_takes_any_player() {
    let folder = Folder::new("compete-players");
    let left = compile(&folder, "left.so", &source("", LEFT));
    let result = folder.name("result.txt");
    let games = |seed: &str| {
        let arguments = ["compete", &left, "uct@nodes=30", &result, "3", "--json", "--seed", seed, "--time", "20s"];
        let text = ok(&[&arguments[..], &["--concurrency", "2"]].concat());
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (summary, games) = lines.split_last().unwrap();
        assert_eq!((summary["games"].as_u64(), games.len()), (Some(6), 6));
        let written = codes(Path::new(&result));
        assert_eq!(serde_json::to_value(&written).unwrap(), summary["codes"]);
        let mut boards: Vec<(String, String)> = games
            .iter()
            .map(|game| (game["id"].as_str().unwrap().into(), game["game"].as_str().unwrap().into()))
            .collect();
        boards.sort();
        (written, boards)
    };
    let (first, again) = (games("7"), games("7"));
    assert_eq!(first, again);
    let boards = &first.1;
    assert_eq!(boards[0].1, boards[1].1, "a round has one board");
    assert_ne!(boards[0].1, boards[2].1, "another round another one");
    assert_ne!(games("8").1, *boards);
}

#[test]
fn every_failure_has_its_code_on_both_sides() {
    let folder = Folder::new("codes");
    let good = compile(&folder, "good.so", &source("", LEFT));
    let bad = |name: &str, prefix: &str, body: &str| compile(&folder, name, &source(prefix, body));
    let missing = source("", LEFT).replace("getPoint", "getpoint");
    let failures = [
        (bad("crash.so", "", "*(volatile int*)8 = 1;"), [3, 5]),
        (source("", LEFT).replace("free(p)", "abort()"), [3, 5]),
        (bad("null.so", "", "return 0;"), [3, 5]),
        (bad("floating.so", "", "p->x = 0; p->y = 0; return p;"), [4, 6]),
        (bad("outside.so", "", "p->x = M; p->y = -1; return p;"), [4, 6]),
        (bad("hang.so", "", "for (;;) { }"), [7, 8]),
        (folder.write("broken.so", "this is no library"), [-1, -2]),
        (folder.name("nowhere.so"), [-1, -2]),
        (missing, [-3, -4]),
    ];
    for (n, (strategy, expected)) in failures.into_iter().enumerate() {
        // Some are still sources.
        let is_source = strategy.contains('\n');
        let strategy = if is_source { compile(&folder, &format!("{n}.so"), &strategy) } else { strategy };
        let limit = if strategy.ends_with("hang.so") { "1s" } else { "20s" };
        for (side, code) in expected.into_iter().enumerate() {
            let [a, b] = if side == 0 { [&strategy, &good] } else { [&good, &strategy] };
            let result = folder.name("result.txt");
            // The board is the same each time: nobody wins it before the other has moved.
            ok(&["compete", a, b, &result, "1", "--time", limit, "--game", "connect4:9x9/e9", "--concurrency", "2"]);
            assert_eq!(codes(Path::new(&result)), [code, code], "{strategy} on side {side}");
            let text = read(Path::new(&result));
            let winner = if side == 0 { "ratio of B wins : 1\n" } else { "ratio of A wins : 1\n" };
            assert!(text.contains(winner), "{text}");
        }
    }
}

#[test]
fn what_compete_cannot_use_is_refused() {
    let folder = Folder::new("compete-refused");
    let result = folder.name("result.txt");
    refused(&["compete", "random", "random", &result, "0"], 2, "0");
    refused(&["compete", "nobody", "random", &result, "1"], 2, "nobody");
    refused(&["compete", "human", "random", &result, "1"], 2, "people");
    refused(&["compete", "random", "random", &folder.name("no/such/folder"), "1"], 2, "folder");
    refused(&["compete", "random", "random", &folder.name(""), "1"], 2, "this is a folder");
}

/// Rules for quick grading on a board where stacking wins.
pub fn course(folder: &Folder) -> String {
    let text = ok(&["grade", "--print-course"]);
    let text = text.replace("game = \"connect4:random\"", "game = \"connect4:9x9/e9\"");
    let text = text.replace("time = \"3s\"", "time = \"20s\"").replace("results = 50", "results = 1");
    folder.write("course.toml", &text)
}

/// Samples 1 to 4: two that stack, one that crashes, one that cannot be loaded.
pub fn samples(folder: &Folder) -> String {
    std::fs::create_dir_all(folder.path("samples")).unwrap();
    compile(folder, "samples/1.so", &source("", LEFT));
    compile(folder, "samples/2.so", &source("", RIGHT));
    compile(folder, "samples/3.so", &source("", "abort();"));
    std::fs::write(folder.path("samples/4.so"), "no library").unwrap();
    std::fs::write(folder.path("samples/readme.txt"), "not a sample").unwrap();
    folder.name("samples")
}

#[test]
fn a_strategy_is_graded() {
    let folder = Folder::new("grade");
    let (course, samples, out) = (course(&folder), samples(&folder), folder.name("out"));
    let mine = compile(&folder, "mine.so", &source("", "c = 4; while (top[c] == 0) c = (c + 1) % N;"));
    let grade = |more: &[&str]| {
        run(&[&["grade", &mine, "--against", &samples, "--course", &course, "--concurrency", "2"], more].concat())
    };
    let output = grade(&["--out", &out, "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let mark: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    // Who begins wins against 1 and 2; the other two lose every game by themselves.
    assert_eq!((mark["wins"].as_u64(), mark["losses"].as_u64()), (Some(6), Some(2)), "{mark}");
    assert_eq!((mark["points"].as_f64(), mark["games"].as_f64()), (Some(12.0), Some(12.0 * 40.0 / 16.0)));
    assert_eq!((mark["base"].as_f64(), mark["total_so_far"].as_f64()), (Some(40.0), Some(70.0)));
    let file = |name: &str| folder.path("out").join(name);
    let results = ["1", "2", "3", "4"].map(|name| codes(&file(&format!("results/{name}.txt"))));
    assert_eq!(results, [[1, 2], [1, 2], [5, 5], [-2, -2]]);
    let page = read(&file("strategy.html"));
    assert!(page.contains("report.html#game-1.2@") && page.contains("lost by move"), "{page}");
    assert!(read(&file("report.html")).contains("lost by move"));
    let sheet = read(&file("marks.csv"));
    assert!(
        sheet.lines().nth(1).unwrap().starts_with("mine,,6,0,2,0,0,0,0,0,12,40,30,,,70,,"),
        "report and bonus are blank: {sheet}"
    );
    // The halves.
    let public = stdout(&grade(&["--half", "public"]));
    assert!(public.contains("mine: +3 =0 -1"), "{public}");
    let one = stdout(&grade(&["--half", "held-out", "--samples", "1", "--lang", "zh"]));
    assert!(one.contains("mine: +1 =0 -1") && one.contains("基本分 40"), "{one}");
    // Going on is free when all is played, and refused when the strategy is another one.
    assert!(stderr(&grade(&["--out", &out])).contains("--resume"));
    assert_eq!(stdout(&grade(&["--out", &out, "--resume", "--json"])).trim_end(), text.lines().last().unwrap());
    compile(&folder, "mine.so", &source("", LEFT));
    assert!(stderr(&grade(&["--out", &out, "--resume"])).contains("another contest"));
}

const HEADER: &str = "#ifndef POINT_H\n#define POINT_H\n#endif\n";

/// A submission folder with these sources.
fn submit(folder: &Folder, name: &str, strategy: &str) {
    let path = folder.path("class").join(name);
    std::fs::create_dir_all(path.join("results")).unwrap();
    let write = |file: &str, content: &str| std::fs::write(path.join(file), content).unwrap();
    write("Strategy.cpp", strategy);
    write(
        "Judge.cpp",
        "#include <vector>\n#include \"Judge.h\"\nint unused() { return (int)std::vector<int>(3).size(); }\n",
    );
    ["Judge.h", "Strategy.h", "Point.h"].iter().for_each(|file| write(file, HEADER));
    let (student, system) = name.split_once('_').unwrap();
    let extension = if system == "Linux" { "so" } else { "dll" };
    write(&format!("{student}.{extension}"), "not what is graded");
    write("results/1.txt", "");
    write("report.pdf", "");
}

#[test]
fn a_class_is_compiled_and_graded() {
    let folder = Folder::new("class");
    let (course, samples, out) = (course(&folder), samples(&folder), folder.name("out"));
    let secret = folder.write("secret.txt", "what nobody must read");
    let loot = folder.name("loot.txt");
    submit(&folder, "1001_Linux", &source("#include \"Point.h\"", LEFT));
    submit(&folder, "1002_Linux", &source("int broken(", LEFT));
    submit(&folder, "1003_Windows", &source("#include <unistd.h>\n#include <sys/mman.h>", LEFT));
    std::fs::remove_file(folder.path("class/1003_Windows/report.pdf")).unwrap();
    std::fs::remove_file(folder.path("class/1003_Windows/Judge.h")).unwrap();
    std::fs::remove_file(folder.path("class/1003_Windows/Judge.cpp")).unwrap();
    // One that wants to write, to start a program and to kill who asks it.
    let hostile = format!(
        "#include <signal.h>\n#include <unistd.h>\n__attribute__((constructor)) static void strike() {{\n\
         FILE* f = fopen(\"{loot}\", \"w\"); if (f) fclose(f);\n\
         if (fork() == 0) {{ for (;;) {{ }} }}\n int r = system(\"touch {loot}\"); (void)r;\n kill(getppid(), SIGKILL); }}"
    );
    submit(&folder, "1004_Linux", &source(&hostile, LEFT));
    // One that wants the compiler to take a file along.
    submit(&folder, "1005_Linux", &source(&format!("__asm__(\".incbin \\\"{secret}\\\"\");"), LEFT));
    submit(&folder, "nobody_Linux", "");
    std::fs::remove_dir_all(folder.path("class/nobody_Linux")).unwrap();
    std::fs::create_dir_all(folder.path("class/nobody_Linux")).unwrap();
    let class = folder.name("class");
    let said = ok(&["grade", &class, "--against", &samples, "--course", &course, "--out", &out, "--half", "public"]);
    let sheet = read(&folder.path("out/marks.csv"));
    let rows: Vec<Vec<&str>> = sheet.lines().skip(1).map(|line| line.splitn(17, ',').collect()).collect();
    let known: Vec<(&str, &str, &str)> = rows.iter().map(|row| (row[0], row[1], row[15])).collect();
    // Sample 2 is beaten by who begins, sample 4 cannot be loaded.
    let expected = [
        ("1001", "Linux", "70"),
        ("1002", "Linux", "0"),
        ("1003", "Windows", "70"),
        ("1004", "Linux", "70"),
        ("1005", "Linux", "0"),
        ("nobody", "Linux", "0"),
    ];
    assert_eq!(known, expected, "{sheet}\n{said}");
    let remarks = |n: usize| rows[n][16];
    assert!(remarks(0).starts_with(','), "{}", remarks(0));
    assert!(remarks(1).contains("does not compile") && remarks(1).contains("error"), "{}", remarks(1));
    for missing in ["Judge.h is missing", "Judge.cpp is missing", "report is missing", "<sys/mman.h>"] {
        assert!(remarks(2).contains(missing), "{}", remarks(2));
    }
    assert!(remarks(4).contains("does not compile"), "{}", remarks(4));
    assert!(remarks(5).contains("nothing that could play"), "{}", remarks(5));
    assert!(!Path::new(&loot).exists(), "a strategy wrote outside its cage");
    let page = read(&folder.path("out/marks.html"));
    assert!(page.contains("1004_Linux/strategy.html") && page.contains("does not compile"));
    // What the cage refused is told of the one who tried it, and of nobody else.
    let own = read(&folder.path("out/1004_Linux/strategy.html"));
    for tried in [format!("write {loot}").as_str(), "start a process", "send a signal to others"] {
        assert!(own.contains(tried), "{tried}: {own}");
        let told = |row: &&Vec<&str>| row[16].contains(tried);
        assert_eq!(rows.iter().filter(told).map(|row| row[0]).collect::<Vec<_>>(), ["1004"], "{tried}: {sheet}");
    }
    assert!(folder.path("out/1001_Linux/results/2.txt").exists());
    assert!(read(&folder.path("out/1002_Linux/compiler.txt")).contains("Strategy.cpp"));
    // One submission alone.
    let alone = folder.name("class/1003_Windows");
    let said = ok(&["grade", &alone, "--against", &samples, "--course", &course, "--half", "public"]);
    assert!(said.starts_with("1003: +3 =0 -1  base 40  games 30  so far 70"), "{said}");
}

#[test]
fn grading_goes_on_after_it_was_killed() {
    let folder = Folder::new("grade-resume");
    let mine = compile(&folder, "mine.so", &source("", LEFT));
    let (killed, whole) = (folder.name("killed"), folder.name("whole"));
    let arguments = |out: &str, more: &[&str]| -> Vec<String> {
        let fixed = ["grade", &mine, "--samples", "6", "--half", "public", "--time", "20s", "--out", out];
        fixed.iter().chain(more).map(|word| word.to_string()).collect()
    };
    let mut child = lianzi().args(arguments(&killed, &[])).stdout(Stdio::null()).spawn().unwrap();
    let games = folder.path("killed/games.jsonl");
    let started = Instant::now();
    while std::fs::read_to_string(&games).map_or(0, |text| text.lines().count()) < 2 {
        assert!(started.elapsed() < Duration::from_secs(120), "no game was finished");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = read(&games).lines().count();
    let resume = lianzi().args(arguments(&killed, &["--resume"])).output().unwrap();
    assert!(resume.status.success(), "{}", stderr(&resume));
    assert!((2..=12).contains(&before) && read(&games).lines().count() == 12);
    let at_once = lianzi().args(arguments(&whole, &["--jobs", "2"])).output().unwrap();
    assert_eq!(stdout(&resume), stdout(&at_once));
    for sample in ["2", "100"] {
        let file = |out: &str| codes(&folder.path(&format!("{out}/results/{sample}.txt")));
        assert_eq!(file("killed"), file("whole"), "the same games on the same boards");
    }
}

#[test]
fn what_cannot_be_graded_is_refused() {
    let folder = Folder::new("grade-refused");
    std::fs::create_dir_all(folder.path("empty")).unwrap();
    let empty = folder.name("empty");
    refused(&["grade"], 2, "STRATEGIES");
    refused(&["grade", "nobody"], 2, "nobody");
    refused(&["grade", &empty], 2, "nothing to grade");
    refused(&["grade", "random", "--against", &empty], 2, "no sample");
    refused(&["grade", "random", "--against", &folder.name("nowhere")], 2, "nowhere");
    refused(&["grade", "random", "--course", &folder.write("bad.toml", "name = 1")], 2, "bad.toml");
    refused(&["grade", &folder.name("missing.so")], 2, "missing.so");
    refused(&["grade", "--print-course", "--course", "chess"], 2, "connect6");
    refused(&["rank", &empty], 2, "fewer than two");
}

#[test]
fn classes_of_gomoku_and_connect6_are_graded_too() {
    let folder = Folder::new("grade-others");
    std::fs::create_dir_all(folder.path("ais")).unwrap();
    let first_free = "def ai(List_me, List_enemy, List_all):\n    for p in List_all:\n        if p not in List_me and p not in List_enemy:\n            return p\n";
    folder.write("ais/7001.py", first_free);
    folder.write("ais/7002.py", "def ai(List_me, List_enemy, List_all):\n    return [7, 7]\n");
    let (ais, out) = (folder.name("ais"), folder.name("out"));
    let said = ok(&["grade", &ais, "--course", "gomoku", "--samples", "1", "--out", &out]);
    // Against dice, who stacks a row wins: five take five turns.
    assert!(said.contains("7001: +2 =0 -0  base 40  games 40  so far 80"), "{said}");
    assert!(said.contains("7002: +0 =0 -2  base 0  games 0  so far 0"), "{said}");
    assert_eq!(codes(&folder.path("out/7002/results/1.txt")).len(), 2);
    let results: Value = serde_json::from_str(&read(&folder.path("out/7002/results/1.json"))).unwrap();
    let [first, second] = [&results[0], &results[1]];
    assert_eq!((&first["white"], &first["black"], &first["win_Stu"]), (&"7002".into(), &"1".into(), &"1".into()));
    assert_eq!((&second["black"], &second["WinSituation"]), (&"7002".into(), &"PosInvaild".into()));
    assert_eq!(second["steps"].as_array().map(Vec::len), Some(1));
    assert!(second["start_time"].as_f64().unwrap() <= second["end_time"].as_f64().unwrap());
    let said = ok(&["grade", "greedy", "random@seed=3", "--course", "connect6", "--samples", "1"]);
    assert!(said.contains("greedy: +2 =0 -0") && said.contains("random@seed=3: "), "{said}");
}

/// A Connect6 program in the course's files, which first looks for a way out of its cage.
const NOSY: &str = r#"
import os, re, sys, time
color = sys.argv[1]
other = {"black": "white", "white": "black"}[color]

def attempt(name, deed):
    try:
        deed()
        print("ALLOWED", name, file=sys.stderr)
    except Exception as error:
        print("refused", name, error, file=sys.stderr)

def read(name):
    try:
        return open(name + ".csv").read()
    except FileNotFoundError:
        return ""

attempt("fork", os.fork)
attempt("exec", lambda: os.execv("/bin/true", ["true"]))
attempt("socket", lambda: __import__("socket").socket())
attempt("read", lambda: open("/etc/passwd"))
attempt("write", lambda: open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "outside"), "w"))
attempt("kill", lambda: os.kill(os.getppid(), 9))
print("all tried", file=sys.stderr, flush=True)
turn = 0
while True:
    theirs = read(other)
    lines = [line for line in theirs.splitlines() if line.strip()]
    if len(lines) == turn + (color == "white"):
        turn += 1
        own = read(color)
        taken = {(int(a), int(b)) for a, b in re.findall(r"\((\d+), *(\d+)\)", theirs + own)}
        free = [(a, b) for a in range(1, 20) for b in range(1, 20) if (a, b) not in taken]
        count = 1 if color == "black" and turn == 1 else 2
        stones = ",".join('"(%d,%d)"' % cell for cell in free[:count])
        seconds = 2 * turn + (color == "white")
        clock = "%02d/%02d/%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)
        with open("new", "w") as file:
            file.write(own + "%s,%d,%s\n" % (clock, turn, stones))
        os.rename("new", color + ".csv")
    time.sleep(0.002)
"#;

/// Programs that play Connect6 are told their colour, and what is handed in runs in a cage.
#[cfg(target_os = "linux")]
#[test]
fn a_class_of_connect6_programs_is_graded_in_cages() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("grade-programs");
    std::fs::create_dir_all(folder.path("programs")).unwrap();
    folder.write("programs/8001", "#!/bin/sh\nexec /bin/true\n");
    std::fs::set_permissions(folder.path("programs/8001"), std::fs::Permissions::from_mode(0o755)).unwrap();
    folder.write("programs/8002.py", NOSY);
    folder.write("programs/notes.txt", "no program");
    let course = ["--course", "connect6", "--samples", "1", "--time", "20s"];
    let (programs, out) = (folder.name("programs"), folder.name("out"));
    let said = ok(&[&["grade", &programs, "--out", &out][..], &course].concat());
    assert!(said.contains("8001: +0 =0 -2  base 0  games 0"), "it may start nothing else: {said}");
    assert!(said.contains("8002: +2 =0 -0  base 40  games 40"), "{said}");
    assert_eq!(said.lines().filter(|line| line.contains(" base ")).count(), 2, "{said}");
    let records = read(&folder.path("out/8002/games.jsonl"));
    assert_eq!((records.matches("all tried").count(), records.matches("! refused").count()), (2, 12), "{records}");
    // A teacher learns what was tried, and of nobody else.
    let outside = folder.name("programs/outside");
    let written = format!("write {outside}");
    for tried in ["start a process", "use the network", "read /etc/passwd", &written, "send a signal to others"] {
        for file in ["marks.csv", "marks.html", "8002/strategy.html"] {
            assert!(read(&folder.path("out").join(file)).contains(tried), "{tried}: {file}");
        }
        assert!(said.contains(tried), "{said}");
    }
    let sheet = read(&folder.path("out/marks.csv"));
    assert_eq!(sheet.lines().filter(|line| line.contains("start a process")).count(), 1, "{sheet}");
    assert!(!records.contains("ALLOWED") && !folder.path("programs/outside").exists(), "{records}");
    // Our own program, through files and over pipes, is one such program.
    let program = env!("CARGO_BIN_EXE_lianzi");
    let files =
        format!("csv:{program} csv --color {{color}} --dir {{dir}} --game connect6:19 --player greedy@name=files");
    let pipes = format!("connect6:{program} engine connect6 --player greedy --protocol connect6@name=pipes");
    let said = ok(&[&["grade", &files, &pipes][..], &course].concat());
    assert!(said.contains("files: +2 =0 -0  base 40") && said.contains("pipes: +2 =0 -0  base 40"), "{said}");
}

#[test]
fn a_folder_is_ranked() {
    let folder = Folder::new("rank");
    let dir = samples(&folder);
    std::fs::remove_file(folder.path("samples/2.so")).unwrap();
    compile(&folder, "samples/2.so", &source("", "c = (lastY < 0) ? 3 : lastY; while (top[c] == 0) c = (c + 1) % N;"));
    let (out, course) = (folder.name("out"), course(&folder));
    let rank = |more: &[&str]| {
        let arguments = ["rank", &dir, "--course", &course, "--out", &out, "--jobs", "2"];
        ok(&[&arguments[..], more].concat())
    };
    let text = rank(&["--json"]);
    let ranking: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(ranking["games"].as_u64(), Some(12));
    let rows = ranking["ranking"].as_array().unwrap();
    let level = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap()["level"].as_u64().unwrap();
    assert!(level("1") > level("3") && level("2") > level("3"), "{ranking}");
    assert_eq!(rows[0]["level"], 4);
    let csv = read(&folder.path("out/ranking.csv"));
    assert!(csv.starts_with("level,strategy,points") && csv.lines().count() == 5, "{csv}");
    assert!(folder.path("out/report.html").exists() && folder.path("out/ranking.json").exists());
    let again = rank(&["--resume"]);
    assert!(again.contains("level") && again.lines().count() == 5, "{again}");
}
