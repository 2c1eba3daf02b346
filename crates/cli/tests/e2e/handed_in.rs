//! A class as real ones are: folders and archives of every shape, some of them hostile, and the sheet that must come of it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::course::{LEFT, RIGHT, compile, course, source};
use super::{Folder, ok, read, run, stderr, stdout};

/// Writes files into a folder of the class.
pub fn hand_in(folder: &Folder, name: &str, files: &[(&str, &str)]) {
    for (file, content) in files {
        let path = folder.path("class").join(name).join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
}

/// Runs a script of Python in the class's folder.
fn python(folder: &Folder, script: &str) {
    let output = Command::new("python3").args(["-c", script]).current_dir(folder.path("class")).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

/// A course in which a folder of sources alone is complete, and whose one sample is beaten by who begins.
pub fn rules(folder: &Folder) -> (String, String) {
    let text = read(Path::new(&course(folder)));
    let text = text.replace(
        "sources = [\"Judge.cpp\", \"Judge.h\", \"Strategy.cpp\", \"Strategy.h\", \"Point.h\"]",
        "sources = [\"Strategy.cpp\"]",
    );
    let text =
        text.replace("results = 1", "results = 0").replace("report = [\"pdf\", \"doc\", \"docx\"]", "report = []");
    let text = text.replace("largest = 64", "largest = 8");
    std::fs::create_dir_all(folder.path("samples")).unwrap();
    std::fs::create_dir_all(folder.path("class")).unwrap();
    compile(folder, "samples/1.so", &source("", RIGHT));
    (folder.write("rules.toml", &text), folder.name("samples"))
}

/// In C, which converts pointers as C++ does not.
const IN_C: &str = "#include <stdlib.h>\n#include \"Strategy.h\"\n\
    Point *getPoint(const int M, const int N, const int *top, const int *board, const int lastX, const int lastY,\n\
    const int noX, const int noY) { Point *new = malloc(sizeof *new); int c = 0; while (top[c] == 0) c++;\n\
    new->x = top[c] - 1; new->y = c; return new; }\nvoid clearPoint(Point *p) { free(p); }\n";
const POINT: &str = "#ifndef POINT_H\n#define POINT_H\ntypedef struct { int x, y; } Point;\n#endif\n";

const IN_RUST: &str = r#"
mod point;
use point::Point;
#[no_mangle]
pub unsafe extern "C" fn getPoint(_m: i32, _n: i32, top: *const i32, _b: *const i32, _x: i32, _y: i32, _nx: i32, _ny: i32) -> *mut Point {
    let c = (0..).find(|&c| unsafe { *top.add(c) } > 0).unwrap();
    Box::into_raw(Box::new(Point { x: unsafe { *top.add(c) } - 1, y: c as i32 }))
}
#[no_mangle]
pub unsafe extern "C" fn clearPoint(p: *mut Point) { drop(unsafe { Box::from_raw(p) }) }
"#;

/// For a compiler of another year: a name that C++ has taken since, and headers that used to come along.
const OF_OLD: &str = r#"
#include <vector>
using namespace std;
struct Point { int x, y; };
vector<int> size(12);
extern "C" Point* getPoint(const int M, const int N, const int* top, const int*, const int, const int, const int, const int) {
    int c = 0, seen[12];
    memset(seen, 0, sizeof seen);
    while (top[c] == 0) c++;
    size[c]++;
    printf("%d\n", size[c]);
    return new Point{top[c] - 1, c};
}
extern "C" void clearPoint(Point* p) { delete p; }
"#;

/// For Windows: its console, its clock, its numbers, and a file in other letters than it has.
const OF_WINDOWS: &str = r#"
#include <conio.h>
#include <atlstr.h>
#include "point.h"
extern "C" __declspec(dllexport) Point* getPoint(const int M, const int N, const int* top, const int*, const int lastX, const int,
                                                 const int, const int) {
    AllocConsole();
    DWORD start = ::GetTickCount();
    unsigned __int8 c = 0;
    while (top[c] == 0) c++;
    __int64 spent = GetTickCount() - start;
    _cprintf("%d after %d ms\n", c, (int)spent);
    return new Point(top[c] - 1, c);
}
extern "C" __declspec(dllexport) void clearPoint(Point* p) { delete p; }
"#;

/// As it was written to be linked with a program: nobody finds its functions by their names.
const WITHOUT_LINKAGE: &str = r#"
#include "Point.h"
Point* getPoint(const int M, const int N, const int* top, const int*, const int, const int, const int, const int) {
    int c = 0;
    while (top[c] == 0) c++;
    return new Point(top[c] - 1, c);
}
void clearPoint(Point* p) { delete p; }
"#;
const POINT_OF_CPP: &str = "#ifndef POINT_H\n#define POINT_H\nclass Point { public: int x, y; Point(int x, int y) : x(x), y(y) {} };\n#endif\n";

/// The course's template as it is handed out, with nothing added: it answers (-1, -1).
const UNTOUCHED: &str = r#"
#include "Point.h"
extern "C" Point* getPoint(const int M, const int N, const int* top, const int*, const int, const int, const int, const int) {
    int x = -1, y = -1;
    return new Point(x, y);
}
extern "C" void clearPoint(Point* p) { delete p; }
"#;

/// The folders as students make them; all of them play.
fn honest(folder: &Folder) {
    let plain = source("", LEFT);
    hand_in(folder, "2011_Linux", &[("Strategy.cpp", OF_OLD), ("2011.so", "")]);
    let windows = [("Strategy/Strategy.cpp", OF_WINDOWS), ("Strategy/Point.h", POINT_OF_CPP), ("2012.so", "")];
    hand_in(folder, "2012_Linux", &windows);
    hand_in(folder, "2013_Linux", &[("Strategy.cpp", WITHOUT_LINKAGE), ("Point.h", POINT_OF_CPP), ("2013.so", "")]);
    hand_in(folder, "2001_Linux", &[("Strategy.cpp", &plain), ("2001.so", "")]);
    let nested = source(
        "#include \"../Point.hpp\"\n#include \"util/column.hpp\"\n#include \"values.inl\"",
        "c = free_column(top);",
    );
    let nested = nested.replace("typedef struct { int x, y; } Point;", "");
    hand_in(
        folder,
        "2002_Linux",
        &[
            ("src/Strategy.cpp", &nested),
            ("Point.hpp", "#pragma once\nstruct Point { int x, y; };\n"),
            ("src/util/column.hpp", "#pragma once\nint free_column(const int* top);\n"),
            (
                "src/util/column.cc",
                "#include \"column.hpp\"\nint free_column(const int* top) { int c = 0; while (!top[c]) c++; return c; }\n",
            ),
            ("tables/values.inl", "static const int VALUES[] = {1, 2, 3};\n"),
            ("2002.so", ""),
        ],
    );
    hand_in(folder, "2003_Linux/2003_Linux", &[("Strategy.cpp", &plain), ("2003.so", "")]);
    hand_in(
        folder,
        "homework/2004_Linux/2004_Linux",
        &[("Strategy.cpp", &plain), ("2004.so", ""), (".DS_Store", ""), ("._Strategy.cpp", "")],
    );
    hand_in(
        folder,
        "2005_Linux",
        &[("Strategy.c", IN_C), ("Strategy.h", "#include \"Point.h\"\n"), ("Point.h", POINT), ("2005.so", "")],
    );
    hand_in(
        folder,
        "2006_Linux",
        &[
            ("Cargo.toml", "[package]\nname = \"strategy\"\nedition = \"2021\"\n"),
            ("src/lib.rs", IN_RUST),
            ("src/point.rs", "#[repr(C)] pub struct Point { pub x: i32, pub y: i32 }\n"),
            ("2006.so", ""),
        ],
    );
    // The judge's own project beside the strategy's: both define the same.
    hand_in(
        folder,
        "2007_Linux",
        &[
            ("Strategy/Strategy.cpp", &plain),
            ("Compete/Strategy.cpp", &plain),
            ("Compete/main.cpp", "int main() {}\n"),
            ("2007.so", ""),
        ],
    );
    // A program to try the strategy with, which needs what was not handed in.
    hand_in(
        folder,
        "2010_Linux",
        &[
            ("Strategy.cpp", &plain),
            ("sdk/main.cpp", "#include \"missing.h\"\nint main() { return 0; }\n"),
            ("sdk/json.cpp", "#include \"missing.h\"\n"),
            ("2010.so", ""),
        ],
    );
    let zipped = "import zipfile\nz = zipfile.ZipFile('2008_Linux.zip', 'w', zipfile.ZIP_DEFLATED)\n\
        z.writestr('2008_Linux/Strategy.cpp', open('2001_Linux/Strategy.cpp').read())\nz.writestr('2008_Linux/2008.so', '')\n\
        z.writestr('__MACOSX/2008_Linux/._Strategy.cpp', 'x')\n";
    python(folder, zipped);
    hand_in(folder, "2009_Linux", &[("readme.txt", "all in the archive")]);
    let tar = "import tarfile\nt = tarfile.open('2009_Linux/2009_Linux.tar.gz', 'w:gz')\n\
        t.add('2001_Linux/Strategy.cpp', '2009_Linux/Strategy.cpp')\nt.add('2001_Linux/2001.so', '2009_Linux/2009.so')\n";
    python(folder, tar);
}

/// What somebody hands in to harm the others; none of it plays.
fn hostile(folder: &Folder) {
    let class = folder.path("class");
    let sparse = std::fs::File::create(class.join("3001.so")).unwrap();
    sparse.set_len(40 << 30).unwrap();
    assert!(Command::new("mkfifo").arg(class.join("3002.so")).status().unwrap().success());
    symlink("3003_Linux", class.join("3003_Linux")).unwrap();
    hand_in(folder, "3004_Linux", &[("notes.txt", "")]);
    symlink("Strategy.cpp", class.join("3004_Linux/Strategy.cpp")).unwrap();
    assert!(Command::new("mkfifo").arg(class.join("3004_Linux/3004.so")).status().unwrap().success());
    let tables = source("char tables[8ULL << 30];", "tables[c] = 1; while (top[c] == 0) c++;");
    hand_in(folder, "3005_Linux", &[("Strategy.cpp", &tables), ("3005.so", "")]);
    let bombs = "import zipfile, tarfile, io\nz = zipfile.ZipFile('3006_Linux.zip', 'w', zipfile.ZIP_DEFLATED)\n\
        z.writestr('3006_Linux/Strategy.cpp', b' ' * (32 << 20))\n\
        t = tarfile.open('3007_Linux.tar.gz', 'w:gz')\n\
        def put(name, text, kind=tarfile.REGTYPE, to=''):\n    i = tarfile.TarInfo(name); i.size = len(text); i.type = kind; i.linkname = to\n    t.addfile(i, io.BytesIO(text))\n\
        put('../escaped.txt', b'out')\nput('/tmp/lianzi-escaped.txt', b'out')\nput('3007_Linux/way', b'', tarfile.SYMTYPE, '..')\nput('3007_Linux/way/escaped.txt', b'out')\nt.close()\n\
        open('3008_Linux.zip', 'wb').write(b'this is no archive')\n";
    python(folder, bombs);
    let last_words = source("", "fprintf(stderr, \"\\033[2J\\033]0;owned\\007last words\\n\"); abort();");
    hand_in(folder, "3011_Linux", &[("Strategy.cpp", UNTOUCHED), ("Point.h", POINT_OF_CPP), ("3011.so", "")]);
    let foreign = source("#include <d3d9.h>", LEFT);
    hand_in(folder, "3012_Linux", &[("Strategy.cpp", &foreign), ("3012.so", "")]);
    // Names that would be read as another file with options, or as no text at all.
    std::fs::write(class.join("3013@dir=x.so"), "").unwrap();
    std::fs::write(class.join(OsStr::from_bytes(b"3014\xff.so")), "").unwrap();
    hand_in(folder, "=cmd|'calc'_Linux", &[("Strategy.cpp", &last_words)]);
    hand_in(folder, "\u{1b}[2J3010_Linux", &[("Strategy.cpp", "int broken(")]);
}

#[test]
fn a_class_of_real_and_hostile_submissions() {
    let folder = Folder::new("handed-in");
    let (course, samples) = rules(&folder);
    honest(&folder);
    hostile(&folder);
    let (class, out) = (folder.name("class"), folder.name("out"));
    let arguments = ["grade", &class, "--against", &samples, "--course", &course, "--out", &out, "--jobs", "2"];
    let output = run(&arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let expected: &[(&str, &str, &[&str])] = &[
        ("2001", "60", &[]),
        ("2002", "60", &[]),
        ("2003", "60", &["all lies in the folder 2003_Linux inside"]),
        ("2004", "60", &["2004_Linux/2004_Linux inside", "ignored: 2"]),
        ("2005", "60", &[]),
        ("2006", "60", &[]),
        ("2007", "60", &["compiles only without Compete/Strategy.cpp, Compete/main.cpp"]),
        ("2008", "60", &["2008_Linux.zip was unpacked", "ignored: 1"]),
        ("2009", "60", &["2009_Linux.tar.gz was unpacked"]),
        ("2010", "60", &["compiles only without sdk/json.cpp, sdk/main.cpp"]),
        ("2011", "60", &["compiles only with the further options -std=gnu++11"]),
        ("2012", "60", &["<atlstr.h>, <conio.h> of Windows are not on this system", "which is called Point.h"]),
        ("2013", "60", &["not extern"]),
        ("3001", "0", &["3001.so is a link, no file, too large"]),
        ("3002", "0", &["3002.so is a link, no file"]),
        ("3003", "0", &["3003_Linux is a link"]),
        ("3004", "0", &["Strategy.cpp is a link", "3004.so is a link", "nothing that could play"]),
        ("3005", "0", &[]),
        ("3006", "0", &["larger than it may be"]),
        ("3007", "0", &["../escaped.txt", "nothing that could play"]),
        ("3008", "0", &["3008_Linux.zip"]),
        ("3011", "0", &[]),
        ("3012", "0", &["<d3d9.h> is not of the standard library", "does not compile", "d3d9.h: No such file"]),
        ("3013@dir=x", "0", &["3013@dir=x.so cannot be named as a player"]),
        ("3014\u{fffd}", "0", &["cannot be named as a player"]),
        ("'=cmd|'calc'", "0", &[]),
        ("\u{fffd}[2J3010", "0", &["does not compile"]),
    ];
    let sheet = read(&folder.path("out/marks.csv"));
    assert_eq!(sheet.lines().count(), expected.len() + 1, "{sheet}");
    for (student, total, remarks) in expected {
        let row = sheet
            .lines()
            .find(|line| line.starts_with(&format!("{student},")))
            .unwrap_or_else(|| panic!("{student}: {sheet}"));
        let cells: Vec<&str> = row.splitn(17, ',').collect();
        assert_eq!(cells[15], *total, "{row}");
        remarks.iter().for_each(|remark| assert!(cells[16].contains(remark), "{remark}: {row}"));
        assert!(!remarks.is_empty() || *total == "0" || cells[16].starts_with(','), "{row}");
    }
    // Nothing left its place, and no terminal or spreadsheet is told anything.
    assert!(!folder.path("escaped.txt").exists() && !Path::new("/tmp/lianzi-escaped.txt").exists());
    let said = stdout(&output) + &stderr(&output);
    assert!(said.contains("last words"), "{said}");
    for text in [&said, &sheet, &read(&folder.path("out/marks.html"))] {
        assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'), "{text}");
    }
    assert!(!sheet.contains("\n="), "{sheet}");
    // The limit that kept a library from loading is named, and what the compiler said is all it said.
    assert!(read(&folder.path("out/3005_Linux/games.jsonl")).contains("more than its 2048 MiB of memory"));
    let compiler = read(&folder.path("out/__2J3010_Linux/compiler.txt"));
    assert!(compiler.contains("error") && !compiler.contains("exit status"), "{compiler}");
    // What an untouched template answers is its author's fault, and said in words.
    let untouched = read(&folder.path("out/3011_Linux/games.jsonl"));
    assert_eq!(untouched.matches("\"ending\":\"illegal\"").count(), 2, "{untouched}");
    assert!(read(&folder.path("out/3011_Linux/strategy.html")).contains("(-1,-1)"));
    assert!(read(&folder.path("out/2012_Linux/games.jsonl")).contains("0 after "), "the console's words are kept");
    // Going on changes nothing.
    let again = run(&[&arguments[..], &["--resume"]].concat());
    assert!(again.status.success(), "{}", stderr(&again));
    assert_eq!(read(&folder.path("out/marks.csv")), sheet);
}

#[test]
fn the_next_hand_in_is_compared_with_the_last() {
    let folder = Folder::new("handed-in-again");
    let (course, samples) = rules(&folder);
    hand_in(&folder, "1_Linux", &[("Strategy.cpp", &source("", "abort();"))]);
    hand_in(&folder, "2_Linux", &[("Strategy.cpp", &source("", LEFT))]);
    hand_in(&folder, "3_Linux", &[("Strategy.cpp", &source("", LEFT))]);
    let (class, old, new) = (folder.name("class"), folder.name("old"), folder.name("new"));
    let grade = |more: &[&str]| run(&[&["grade", &class, "--against", &samples, "--course", &course], more].concat());
    assert!(grade(&["--out", &old]).status.success());
    std::fs::remove_dir_all(folder.path("class/3_Linux")).unwrap();
    hand_in(&folder, "1_Linux", &[("Strategy.cpp", &source("", LEFT))]);
    // One that has changed cannot go on, and the other one can.
    let resumed = grade(&["--out", &old, "--resume"]);
    let said = stdout(&resumed);
    assert!(said.contains("another contest") && said.contains("2: +1 =0 -1"), "{said}{}", stderr(&resumed));
    assert_eq!(resumed.status.code(), Some(130), "not all games were played");
    std::fs::remove_dir_all(folder.path("old")).unwrap();
    hand_in(&folder, "1_Linux", &[("Strategy.cpp", &source("", "abort();"))]);
    hand_in(&folder, "3_Linux", &[("Strategy.cpp", &source("", LEFT))]);
    assert!(grade(&["--out", &old]).status.success());
    std::fs::remove_dir_all(folder.path("class/3_Linux")).unwrap();
    hand_in(&folder, "1_Linux", &[("Strategy.cpp", &source("", LEFT))]);
    let output = grade(&["--out", &new, "--previous", &old]);
    let said = stdout(&output);
    assert!(said.contains("+60 since 0\n") && said.contains("+0 since 60, same files"), "{said}");
    assert!(stderr(&output).contains("not now: 3"), "{}", stderr(&output));
    let sheet = read(&folder.path("new/marks.csv"));
    assert!(sheet.lines().next().unwrap().ends_with(",similar,previous") && sheet.contains(",60\r\n"), "{sheet}");
    let refused = grade(&["--previous", &samples]);
    assert!(!refused.status.success() && stderr(&refused).contains("marks.csv"), "{}", stderr(&refused));
}

/// Time is what a strategy uses itself: a slow machine is no fault, burning CPU is one, and so is sleeping for ever.
#[test]
fn the_limit_counts_the_strategys_own_time() {
    let folder = Folder::new("handed-in-time");
    let (course, samples) = rules(&folder);
    let text = read(Path::new(&course))
        .replace("time = \"20s\"", "time = \"300ms\"")
        .replace("wall = \"30s\"", "wall = \"1500ms\"");
    let course = folder.write("time.toml", &text);
    let usleep = "#include <unistd.h>\n";
    let slow = format!("if (lastY < 0 || top[0] == M - 1) usleep(600000); {LEFT}");
    compile(&folder, "class/slow.so", &source(usleep, &slow));
    compile(&folder, "class/burns.so", &source("", "for (volatile int i = 0;; i++) { }"));
    compile(&folder, "class/sleeps.so", &source(usleep, "for (;;) usleep(100000);"));
    let (class, out) = (folder.name("class"), folder.name("out"));
    let said =
        ok(&["grade", &class, "--against", &samples, "--course", &course, "--out", &out, "--jobs", "2", "--json"]);
    let mark = |student: &str| -> Value {
        let lines = said.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["event"] == "mark").find(|line| line["student"] == student).unwrap()
    };
    let slow = mark("slow");
    assert_eq!((&slow["wins"], &slow["faults"]["timeouts"]), (&1.into(), &0.into()), "{slow}");
    assert!(slow["wall_most"].as_f64().unwrap() >= 0.6 && slow["cpu_most"].as_f64().unwrap() < 0.3, "{slow}");
    assert!(read(&folder.path("out/slow/strategy.html")).contains("CPU time of a move"));
    for late in ["burns", "sleeps"] {
        assert_eq!(mark(late)["faults"]["timeouts"], 2, "{said}");
    }
}

/// Programs for Connect6 are compiled from their sources.
#[test]
fn connect6_sources_are_compiled() {
    let folder = Folder::new("handed-in-connect6");
    std::fs::create_dir_all(folder.path("class")).unwrap();
    let program = "#include <cstdio>\nint main(int argc, char** argv) { fprintf(stderr, \"in C++ as %s\\n\", argv[1]); return 3; }\n";
    hand_in(&folder, "8001_Linux", &[("src/main.cpp", program)]);
    hand_in(&folder, "8002_Linux", &[("main.c", "int main(void) { int new = 3; return new; }\n")]);
    hand_in(&folder, "8003_Linux", &[("src/main.rs", "fn main() { std::process::exit(3) }\n")]);
    hand_in(&folder, "8004_Linux", &[("8004.py", "import sys\nsys.exit(3)\n")]);
    let (class, out) = (folder.name("class"), folder.name("out"));
    let said =
        ok(&["grade", &class, "--course", "connect6", "--samples", "1", "--time", "20s", "--out", &out, "--jobs", "2"]);
    for student in ["8001", "8002", "8003", "8004"] {
        let games = read(&folder.path(&format!("out/{student}_Linux/games.jsonl")));
        assert!(games.contains("exit status: 3"), "{student} was started: {games}{said}");
    }
    assert!(read(&folder.path("out/8001_Linux/games.jsonl")).contains("in C++ as white"));
    assert!(!said.contains("compile") && !said.contains("missing"), "{said}");
}

/// Strategies that keep a tree from the first stone on do not survive games that begin elsewhere.
#[test]
fn course_players_begin_on_the_empty_board() {
    let folder = Folder::new("handed-in-openings");
    let keeps = source(
        "static int calls = 0;",
        &format!(
            "int stones = 0; for (int i = 0; i < M * N; i++) stones += board[i] != 0; if (stones / 2 != calls++) abort(); {LEFT}"
        ),
    );
    let player = format!("so:{}", compile(&folder, "keeps.so", &keeps));
    let play = |more: &[&str]| {
        let fixed = ["match", "connect4:9x9/e9", &player, "random", "--games", "2", "--time", "20s", "--json"];
        let said = ok(&[&fixed[..], more].concat());
        serde_json::from_str::<Value>(said.lines().last().unwrap()).unwrap()
    };
    assert_eq!(play(&[])["faults"], 0);
    assert_eq!(play(&["--openings", "random"])["faults"], 2, "who asks for openings gets them");
}

/// A crash that depends on earlier calls happens again when they are made again.
#[test]
fn a_call_is_made_after_the_earlier_ones() {
    let folder = Folder::new("handed-in-call");
    let tree = source("static int calls = 0;", &format!("if (calls++ == 2) *(volatile int*)8 = 1; {LEFT}"));
    let library = compile(&folder, "tree.so", &tree);
    let (player, out) = (format!("so:{library}"), folder.name("games"));
    ok(&["match", "connect4:9x9/e9", &player, "random", "--games", "2", "--time", "20s", "--out", &out]);
    let games = folder.name("games/games.jsonl");
    let call = |more: &[&str]| run(&[&["call", &library, &games, "--game", "1"], more].concat());
    assert_eq!(call(&[]).status.code(), None, "it crashes as it did");
    let alone = call(&["--alone"]);
    assert!(alone.status.success() && stdout(&alone).starts_with("getPoint: ("), "{}", stderr(&alone));
    let printed = stdout(&call(&["--print"]));
    assert_eq!(printed.lines().count(), 3, "{printed}");
    let calls = folder.write("calls.json", &printed);
    assert_eq!(run(&["call", &library, &calls]).status.code(), None);
}
