//! The class that is graded: what its students hand in, and what the sheet must say of it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::Command;

use super::super::Folder;
use super::super::course::{LEFT, source};
use super::{hand_in, python};

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
pub(super) fn honest(folder: &Folder) {
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
    with_programs(folder, &plain);
    in_archives(folder);
}

/// Strategies beside programs that were handed in with them.
fn with_programs(folder: &Folder, plain: &str) {
    // The judge's own project beside the strategy's: both define the same.
    hand_in(
        folder,
        "2007_Linux",
        &[
            ("Strategy/Strategy.cpp", plain),
            ("Compete/Strategy.cpp", plain),
            ("Compete/main.cpp", "int main() {}\n"),
            ("2007.so", ""),
        ],
    );
    // A program to try the strategy with, which needs what was not handed in.
    hand_in(
        folder,
        "2010_Linux",
        &[
            ("Strategy.cpp", plain),
            ("sdk/main.cpp", "#include \"missing.h\"\nint main() { return 0; }\n"),
            ("sdk/json.cpp", "#include \"missing.h\"\n"),
            ("2010.so", ""),
        ],
    );
}

/// Strategies that were packed.
fn in_archives(folder: &Folder) {
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
pub(super) fn hostile(folder: &Folder) {
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

/// What the sheet says of each of them: the student, the marks, and words of the remarks.
pub(super) const EXPECTED: &[(&str, &str, &[&str])] = &[
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
