//! What five hundred graded games leave behind: memory, files and processes of a real `lianzi grade`, both sides libraries in
//! cages. Linux shows them in /proc.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use lianzi_core::text;
use serde_json::json;

use super::cage::{Library, no_compiler};
use lianzi_console::{Console, line};

/// So many samples, two games with each.
const SAMPLES: usize = 250;
/// Until then everything that is made once has been made.
const EARLY: usize = 50;

/// Resident memory in KiB, by how many games were over.
#[derive(Default)]
struct Seen {
    early: Option<u64>,
    late: u64,
    peak: u64,
}

/// Grades a library against copies of itself and looks at the process while it plays.
pub fn run(as_json: bool, console: &Console) -> anyhow::Result<()> {
    let library = Library::new();
    let Some((library, file)) = library.and_then(|library| library.compile(0).map(|file| (library, file))) else {
        return no_compiler(console);
    };
    let [samples, scratch, out] = ["samples", "scratch", "out"].map(|name| library.path(name));
    for folder in [&samples, &scratch] {
        fs::create_dir(folder)?;
    }
    for n in 1..=SAMPLES {
        fs::copy(&file, samples.join(format!("{n}.so")))?;
    }
    let start = Instant::now();
    let mut grade = Command::new(std::env::current_exe()?);
    grade.arg("grade").arg(&file).arg("--against").arg(&samples).arg("--out").arg(&out);
    grade.args(["--concurrency", "2", "--time", "20s"]).env("TMPDIR", &scratch).stdout(Stdio::null());
    let seen = watch(grade.spawn()?, &out)?;
    let left = fs::read_dir(&scratch)?.count();
    let (early, seconds) = (seen.early.context("too few games")?, start.elapsed().as_secs_f64());
    let growth = seen.late as i64 - early as i64;
    let (games, late, peak) = (2 * SAMPLES, seen.late, seen.peak);
    line(match as_json {
        true => json!({"bench": "grading", "games": games, "early_kib": early, "late_kib": late, "growth_kib": growth, "report_kib": peak, "left": left, "seconds": seconds}).to_string(),
        false => console.say(text!(
            "{games} graded games in {seconds:.1} s: {early} KiB resident after {EARLY}, {late} after all (growth {growth}), {peak} with the report; {left} scratch folders left",
            "{games} 局评分用时 {seconds:.1} 秒：{EARLY} 局后占用 {early} KiB，全部下完 {late}（增长 {growth}），写报告时 {peak}；残留临时文件夹 {left} 个"
        )),
    })
}

/// Looks at the process until it has ended.
fn watch(mut grade: Child, out: &Path) -> anyhow::Result<Seen> {
    const LOOK: Duration = Duration::from_millis(10);
    let mut seen = Seen::default();
    loop {
        let games = fs::read(out.join("games.jsonl")).unwrap_or_default();
        let games = games.iter().filter(|&&byte| byte == b'\n').count();
        if let Some(resident) = resident(grade.id()) {
            if games >= EARLY {
                seen.early.get_or_insert(resident);
            }
            if games < 2 * SAMPLES {
                seen.late = resident;
            }
            seen.peak = seen.peak.max(resident);
        }
        match grade.try_wait()? {
            Some(status) if status.success() => return Ok(seen),
            Some(status) => bail!("lianzi grade: {status}"),
            None => std::thread::sleep(LOOK),
        }
    }
}

/// Resident memory of a process in KiB.
pub fn resident(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
