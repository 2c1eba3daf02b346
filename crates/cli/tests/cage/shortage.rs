//! What the arena itself lacks is nobody's fault: a game is not played, and goes on when there is room.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::libraries::wait_until;
use crate::{Den, text};

const GAME: &str = "connect4:9x9/e5";

/// A small disk in memory.
struct Disk(PathBuf);

impl Disk {
    /// A disk of this size, where the user may mount one: only root may.
    fn new(den: &Den, size: &str) -> Option<Disk> {
        let place = den.path("disk");
        fs::create_dir(&place).unwrap();
        let size = format!("size={size}");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "lianzi-test"]).arg(&place).output();
        let mounted = mount.is_ok_and(|mount| mount.status.success());
        if !mounted {
            eprintln!("no disk can be mounted here: what happens when it is full is not tested");
        }
        mounted.then_some(Disk(place))
    }

    fn filler(&self) -> PathBuf {
        self.0.join("filler")
    }

    /// Fills it but for so many bytes.
    fn fill(&self, free: u64) {
        let mut filler = OpenOptions::new().create(true).append(true).open(self.filler()).unwrap();
        while filler.write_all(&[1; 4096]).is_ok() {}
        let length = filler.metadata().unwrap().len();
        filler.set_len(length - free).unwrap();
    }

    fn empty(&self) {
        fs::remove_file(self.filler()).unwrap();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// All games of a match are there, and nobody lost one by a fault.
fn assert_all_played(out: &str, games: usize) {
    let records = fs::read_to_string(Path::new(out).join("games.jsonl")).unwrap();
    assert!(records.lines().count() == games && !records.contains("\"blame\""), "{records}");
}

/// A disk that is full, from the start or suddenly, ends the match in words; it goes on when there is room.
#[test]
fn a_full_disk_is_nobodys_fault() {
    let den = Den::new();
    let Some(disk) = Disk::new(&den, "1m") else { return };
    let good = format!("so:{}", den.library("GOOD", &[]));
    let out = den.name("out");
    let arguments = ["match", GAME, &good, &good, "--games", "60", "--time", "20s", "--openings", "none"];
    let arguments = [&arguments[..], &["--json", "--resume", "--out", &out]].concat();
    let arena = || {
        let mut arena = den.lianzi(&arguments);
        arena.env("TMPDIR", &disk.0).stdout(Stdio::piped()).stderr(Stdio::piped());
        arena
    };
    disk.fill(0);
    let refused = arena().output().unwrap();
    disk.empty();
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
    assert!(!text(&refused).contains("cannot be loaded"), "{}", text(&refused));
    let mut begun = arena().spawn().unwrap();
    wait_until(|| fs::read_to_string(den.path("out/games.jsonl")).is_ok_and(|games| games.lines().count() > 0));
    // What a game gives back is taken as well.
    while begun.try_wait().unwrap().is_none() {
        disk.fill(0);
    }
    let ended = begun.wait_with_output().unwrap();
    disk.empty();
    assert_eq!(ended.status.code(), Some(2), "{}", text(&ended));
    assert!(text(&ended).contains("go on with --resume"), "{}", text(&ended));
    let gone_on = arena().output().unwrap();
    assert!(gone_on.status.success(), "{}", text(&gone_on));
    assert_all_played(&out, 60);
}

const STRATEGY: &str = "struct Point { int x, y; };\n\
    extern \"C\" Point* getPoint(const int, const int, const int* top, const int*, const int, const int, const int, const int) {\n\
    int c = 0; while (top[c] == 0) c++; return new Point{top[c] - 1, c}; }\n\
    extern \"C\" void clearPoint(Point* p) { delete p; }\n";

/// No student pays for our full disk: who cannot be unpacked or compiled there has no mark until there is room.
#[test]
fn a_class_is_not_blamed_for_a_full_disk() {
    let den = Den::new();
    let Some(disk) = Disk::new(&den, "80m") else { return };
    for (student, source) in [("2001", STRATEGY), ("2002", STRATEGY), ("2003", "int broken(")] {
        let folder = den.path("class").join(format!("{student}_Linux"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("Strategy.cpp"), source).unwrap();
    }
    let zip = "import zipfile\nz = zipfile.ZipFile('2004_Linux.zip', 'w')\n\
        z.write('2001_Linux/Strategy.cpp', '2004_Linux/Strategy.cpp')\nz.writestr('2004_Linux/notes.txt', b'x' * 200000)\n";
    let zipped = Command::new("python3").args(["-c", zip]).current_dir(den.path("class")).status();
    assert!(zipped.unwrap().success());
    let (class, out) = (den.name("class"), den.name("out"));
    let arguments = ["grade", &class, "--samples", "1", "--time", "20s", "--resume", "--out", &out];
    let grade = || den.lianzi(&arguments).env("TMPDIR", &disk.0).output().unwrap();
    let row = |student: &str| {
        let sheet = fs::read_to_string(den.path("out/marks.csv")).unwrap();
        let row = sheet.lines().find(|line| line.starts_with(&format!("{student},"))).unwrap().to_string();
        let cells: Vec<&str> = row.splitn(17, ',').collect();
        (cells[15].to_string(), cells[16].to_string())
    };
    disk.fill(40 << 10);
    let short = grade();
    disk.empty();
    assert_eq!(short.status.code(), Some(130), "{}", text(&short));
    assert!(text(&short).contains("nobody is to blame"), "{}", text(&short));
    for student in ["2001", "2002", "2003", "2004"] {
        let (total, remarks) = row(student);
        assert!(total.is_empty() && remarks.contains("nobody is to blame"), "{student}: {total} {remarks}");
        assert!(!remarks.contains("does not compile"), "{student}: {remarks}");
    }
    let gone_on = grade();
    assert!(gone_on.status.success(), "{}", text(&gone_on));
    for student in ["2001", "2002", "2004"] {
        let (total, remarks) = row(student);
        assert!(total.parse::<f64>().unwrap() >= 40.0 && !remarks.contains("blame"), "{student}: {total} {remarks}");
    }
    assert!(row("2003").0 == "0" && row("2003").1.contains("does not compile"), "{:?}", row("2003"));
}

/// Files that we may not open while a program thinks are not what it wrote.
#[test]
fn too_many_open_files_are_nobodys_foul() {
    let den = Den::new();
    let (out, program) = (den.name("out"), "csv:sh -c 'touch started; exec sleep 60'");
    let arguments = ["match", "connect6:15", "random", program, "--games", "2", "--time", "30s"];
    let mut arena = den.lianzi(&[&arguments[..], &["--openings", "none", "--json", "--out", &out]].concat());
    let arena = arena.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let thinks = |game: PathBuf| game.join("started").exists() && game.join("black.csv").exists();
    let within = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    wait_until(|| within(den.path("tmp")).flat_map(within).any(thinks));
    let few = Command::new("prlimit").args([format!("--pid={}", arena.id()), "--nofile=3:".into()]).status();
    assert!(few.expect("prlimit is needed").success());
    let output = arena.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("no player is to blame"), "{}", text(&output));
    assert_all_played(&out, 0);
}

/// What the arena itself lacks costs nobody a game: it is played again, or the match says so and goes on later.
#[test]
fn a_shortage_of_our_own_is_nobodys_fault() {
    let den = Den::new();
    let out = den.name("out");
    let good = format!("so:{}", den.library("GOOD", &[]));
    let arguments = ["match", GAME, &good, &good, "--games", "12", "--time", "20s", "--concurrency", "6"];
    let arguments = [&arguments[..], &["--openings", "none", "--json", "--resume", "--out", &out]].concat();
    let program = env!("CARGO_BIN_EXE_lianzi");
    let mut few = Command::new("sh");
    few.args(["-c", "ulimit -n 40; exec \"$@\"", "sh", program]).args(&arguments);
    few.env("LIANZI_LANG", "en_US.UTF-8").env("TMPDIR", den.path("tmp"));
    let output = few.output().unwrap();
    let said = text(&output);
    assert!(said.contains("lacked room") || said.contains("no player is to blame"), "nothing lacked: {said}");
    assert!(output.status.success() || said.contains("go on with --resume"), "{said}");
    let output = den.lianzi(&arguments).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    assert_all_played(&out, 12);
    den.assert_nothing_left();
}
