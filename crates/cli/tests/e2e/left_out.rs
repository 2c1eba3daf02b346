//! What of a class cannot be taken: it has its line or is told of, and stops nobody.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::Command;

use super::course::{LEFT, RIGHT, compile, source};
use super::handed_in::{hand_in, rules};
use super::{Folder, copy_program, ok, read, run, stderr, stdout};

/// A student whose work cannot be opened is on the sheet, with the reason; what nobody handed in is told of.
#[test]
fn nobody_is_left_out_in_silence() {
    let folder = Folder::new("left-out");
    let (course, samples) = rules(&folder);
    let class = folder.path("class");
    for (name, content) in [("6001_Linux.rar", "Rar!"), ("6002_Linux.zip", "Rar!"), ("6003_Linux.tar.gz", "Rar!")] {
        std::fs::write(class.join(name), content).unwrap();
    }
    std::fs::write(class.join("6004.cpp"), source("", LEFT)).unwrap();
    assert!(Command::new("mkfifo").arg(class.join("6005_Linux")).status().unwrap().success());
    hand_in(&folder, "6006_Linux", &[("work.7z", "7z")]);
    std::fs::write(class.join("names.xlsx"), "").unwrap();
    let output = run(&["grade", &folder.name("class"), "--against", &samples, "--course", &course, "--json"]);
    let said = stdout(&output);
    let expected = [
        ("6001", "6001_Linux.rar cannot be unpacked here"),
        ("6002", "this archive cannot be unpacked ("),
        ("6003", "this archive cannot be unpacked ("),
        ("6004", "6004.cpp lies alone"),
        ("6005", "6005_Linux is a link, no file"),
        ("6006", "work.7z cannot be unpacked here"),
    ];
    assert_eq!(said.lines().count(), expected.len(), "{said}{}", stderr(&output));
    for ((student, why), line) in expected.into_iter().zip(said.lines()) {
        assert!(line.contains(&format!("\"student\":\"{student}\"")) && line.contains(why), "{why}: {line}");
        assert!(!line.contains("UTF-8"), "{line}");
    }
    assert!(stderr(&output).contains("left out: 1 (names.xlsx)"), "{}", stderr(&output));
    // Alone it is told in the same words.
    let alone = run(&["grade", &folder.name("class/6001_Linux.rar"), "--against", &samples, "--course", &course]);
    assert!(stdout(&alone).contains("6001_Linux.rar cannot be unpacked here"), "{}", stderr(&alone));
}

/// A language that this machine cannot compile costs its author nothing: there is no mark until it can.
#[test]
fn a_missing_compiler_is_nobodys_fault() {
    let folder = Folder::new("left-out-rust");
    let (course, samples) = rules(&folder);
    let course = folder.write("rules.toml", &read(course.as_ref()).replace("rust = \"rustc\"", "rust = \"no-rustc\""));
    hand_in(&folder, "7001_Linux", &[("src/lib.rs", "")]);
    hand_in(&folder, "7002_Linux", &[("Strategy.cpp", &source("", LEFT))]);
    let out = folder.name("out");
    let output = run(&["grade", &folder.name("class"), "--against", &samples, "--course", &course, "--out", &out]);
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stdout(&output).contains("7001: +0 =0 -0  no mark yet\n"), "{}", stdout(&output));
    let sheet = read(&folder.path("out/marks.csv"));
    let row = |student: &str| sheet.lines().find(|line| line.starts_with(student)).unwrap().to_string();
    assert!(row("7001").contains("no-rustc was not found; nobody is to blame"), "{sheet}");
    assert_eq!((row("7001").split(',').nth(15), row("7002").split(',').nth(15)), (Some(""), Some("60")), "{sheet}");
}

/// Programs for Connect6 that are no files, or whose names cannot be used, have their lines too.
#[test]
fn every_entry_of_a_class_has_a_line() {
    let folder = Folder::new("handed-in-names");
    let class = folder.path("class");
    std::fs::create_dir_all(&class).unwrap();
    assert!(Command::new("mkfifo").arg(class.join("8002.py")).status().unwrap().success());
    for name in [&b"80,03.py"[..], b"80=04.py", b"8005@cage=no.py", b"8006\xff.py", b"readme.txt"] {
        std::fs::write(class.join(OsStr::from_bytes(name)), "").unwrap();
    }
    std::fs::write(class.join("80=07"), "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(class.join("80=07"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let out = folder.name("out");
    ok(&["grade", &folder.name("class"), "--course", "connect6", "--samples", "1", "--out", &out]);
    let sheet = read(&folder.path("out/marks.csv"));
    let students = ["8002", "\"80,03\"", "80=04", "8005@cage=no", "8006\u{fffd}", "80=07"];
    assert_eq!(sheet.lines().count(), students.len() + 1, "{sheet}");
    for student in students {
        let row = sheet.lines().find(|line| line.starts_with(&format!("{student},")));
        let row = row.unwrap_or_else(|| panic!("{student}: {sheet}"));
        let why = if student == "8002" { "8002.py is a link, no file" } else { "cannot be named as a player" };
        assert!(row.contains(why), "{row}");
    }
}

/// The program as an ordinary user has it, in this folder: root reads everything.
fn ordinary(folder: &Folder, arguments: &[&str]) -> Command {
    let program = folder.path("lianzi");
    copy_program(&program);
    let mut command = Command::new(program);
    command.args(arguments).args(["--lang", "en"]).env("TMPDIR", folder.path("")).current_dir(folder.path(""));
    if std::fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0) {
        command.uid(65534).gid(65534);
    }
    command
}

fn allow(folder: &Folder, path: &str, mode: u32) {
    std::fs::set_permissions(folder.path(path), std::fs::Permissions::from_mode(mode)).unwrap();
}

/// Ranking has the bounds of grading: what is too large, no file or unreadable is told of, and the others meet.
#[test]
fn what_cannot_be_ranked_stops_nobody() {
    let folder = Folder::new("handed-in-ranked");
    let (course, _) = rules(&folder);
    compile(&folder, "class/1.so", &source("", LEFT));
    compile(&folder, "class/2.so", &source("", RIGHT));
    std::fs::File::create(folder.path("class/3.so")).unwrap().set_len(3 << 30).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path("class/4.so")).status().unwrap().success());
    compile(&folder, "class/5.so", &source("", LEFT));
    std::fs::write(folder.path("class/6@dir=x.so"), "").unwrap();
    ["", "class"].iter().for_each(|path| allow(&folder, path, 0o777));
    allow(&folder, "class/5.so", 0o000);
    let (class, out) = (folder.name("class"), folder.name("out"));
    let output = ordinary(&folder, &["rank", &class, "--course", &course, "--out", &out]).output().unwrap();
    let said = stdout(&output) + &stderr(&output);
    assert!(output.status.success(), "{said}");
    assert_eq!(read(&folder.path("out/ranking.csv")).lines().count(), 3, "{said}");
    for remark in ["3.so is a link, no file, too large", "4.so is a link, no file", "6@dir=x.so cannot be named"] {
        assert!(said.contains(remark), "{remark}: {said}");
    }
    assert!(said.contains("5.so") && said.to_lowercase().contains("permission denied"), "{said}");
}

/// What cannot be read is a remark on that student's line.
#[test]
fn what_cannot_be_read_stops_nobody() {
    let folder = Folder::new("handed-in-unreadable");
    let (course, samples) = rules(&folder);
    for student in ["4001", "4002", "4003"] {
        hand_in(&folder, &format!("{student}_Linux"), &[("Strategy.cpp", &source("", LEFT))]);
    }
    compile(&folder, "class/4004.so", &source("", LEFT));
    ["", "class"].iter().for_each(|path| allow(&folder, path, 0o777));
    let closed = ["class/4002_Linux/Strategy.cpp", "class/4003_Linux", "class/4004.so"];
    closed.iter().for_each(|path| allow(&folder, path, 0o000));
    let (class, out) = (folder.name("class"), folder.name("out"));
    let arguments = ["grade", &class, "--against", &samples, "--course", &course, "--out", &out];
    let output = ordinary(&folder, &arguments).output().unwrap();
    closed.iter().for_each(|path| allow(&folder, path, 0o755));
    let said = stdout(&output) + &stderr(&output);
    assert!(output.status.success(), "{said}");
    let sheet = read(&folder.path("out/marks.csv"));
    for (student, total) in [("4001", "60"), ("4002", "0"), ("4003", "0"), ("4004", "0")] {
        let row = sheet.lines().find(|line| line.starts_with(&format!("{student},")));
        let cells: Vec<&str> = row.unwrap_or_else(|| panic!("{sheet}")).splitn(17, ',').collect();
        assert_eq!(
            (cells[15], cells[16].to_lowercase().contains("permission denied")),
            (total, total == "0"),
            "{sheet}"
        );
    }
}
