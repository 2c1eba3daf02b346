//! `bench page`: the page that thinks by itself, in a real Chromium, beside the same searches outside of it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use lianzi_server::{THREADED, download, write_site};
use lianzi_wasm::Module;
use serde_json::{Value, json};

use lianzi_console::{Console, line};

/// What is searched, here and there: a game, its first moves, and how many nodes; how many times as many threads search,
/// for what they begin and end with is not theirs to share.
const SEARCHES: [(&str, &str, u64, u64); 4] = [
    ("gomoku", "h8 i9 h10 h9 g9 i11", 400_000, 5),
    ("renju", "h8 h9 j8 i8 j9 j7", 400_000, 5),
    ("connect6", "j8 k8 h9 k11 j10", 60_000, 30),
    ("connect4:9x10", "e1 e2 e3 d1 f1 e4", 150_000, 12),
];
/// Each is measured so often, here and there in turn; the best of each counts, for others use the machine too.
const ROUNDS: usize = 3;
/// How long the browser may take for one thing.
const PATIENCE: Duration = Duration::from_secs(180);
/// The page that asks what to do.
const BENCH: &str = "<!doctype html><meta charset=\"utf-8\"><title>bench</title>\
    <script type=\"module\" src=\"assets/js/local/bench.js\"></script>";

/// Writes the site, opens it and prints what was found.
pub fn run(json: bool, console: &Console) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let site = folder.path().join("site");
    if write_site(&site).is_err() {
        bail!(console.pick(
            "this program was built without the module: run web/build.sh and build it again",
            "此程序未包含引擎模块：请先运行 web/build.sh，再重新编译"
        ));
    }
    fs::write(site.join("bench.html"), BENCH)?;
    let browser = Browser::open(&site, folder.path())?;
    let tell = |row: Value| line(if json { row.to_string() } else { words(&row) });
    tell(size(&site)?)?;
    tell(browser.first()?)?;
    let threads = site.join("assets").join(THREADED).is_file();
    for (game, moves, nodes, longer) in SEARCHES {
        tell(browser.compare(game, moves, nodes)?)?;
        if threads {
            tell(browser.threads(game, moves, nodes * longer)?)?;
        }
    }
    tell(browser.ask(&json!({"do": "tasks"}))?)?;
    Ok(())
}

fn words(row: &Value) -> String {
    let figures = row.as_object().into_iter().flatten().filter(|(key, _)| *key != "bench");
    figures.map(|(key, value)| format!("{key} {}", value.to_string().trim_matches('"'))).collect::<Vec<_>>().join("  ")
}

/// What one needs to play, as a host that compresses sends it: the page and one of the modules.
fn size(site: &Path) -> anyhow::Result<Value> {
    let mut files = vec![site.to_path_buf()];
    let (mut plain, mut packed) = (0, 0);
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(fs::read_dir(path)?.filter_map(|entry| entry.ok().map(|entry| entry.path())));
            continue;
        }
        // The other module comes when there is time, for the next visit.
        if path.ends_with(THREADED) {
            continue;
        }
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&fs::read(&path)?)?;
        (plain, packed) = (plain + fs::metadata(&path)?.len(), packed + encoder.finish()?.len());
    }
    Ok(json!({"bench": "page", "measured": "size", "bytes": plain, "gzip": packed, "served": download()}))
}

/// A Chromium that asks what to do, and is killed with this.
struct Browser {
    child: Child,
    jobs: Sender<String>,
    found: Receiver<String>,
}

impl Browser {
    fn open(site: &Path, scratch: &Path) -> anyhow::Result<Browser> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = format!("http://{}/bench.html", listener.local_addr()?);
        let (jobs, todo) = channel();
        let (tell, found) = channel();
        let (site, todo) = (site.to_path_buf(), Arc::new(Mutex::new(todo)));
        // It ends with the process: nobody waits for it.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (site, todo, tell) = (site.clone(), Arc::clone(&todo), tell.clone());
                // A browser that hangs up has left; there is nothing to be done about it.
                thread::spawn(move || drop(answer(stream, &site, &todo, &tell)));
            }
        });
        let chromium = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".into());
        let child = Command::new(&chromium)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--no-first-run",
            ])
            .arg(format!("--user-data-dir={}", scratch.join("profile").display()))
            .arg(address)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| chromium.clone())?;
        Ok(Browser { child, jobs, found })
    }

    fn ask(&self, job: &Value) -> anyhow::Result<Value> {
        self.jobs.send(job.to_string())?;
        let found = self.found.recv_timeout(PATIENCE).with_context(|| format!("the browser did not answer {job}"))?;
        let found: Value = serde_json::from_str(&found)?;
        if let Some(error) = found["error"].as_str() {
            bail!("{error}");
        }
        Ok(found)
    }

    /// How long it takes from opening the page for the first time until an engine has answered the first stone.
    fn first(&self) -> anyhow::Result<Value> {
        self.ask(&json!({"do": "first"}))
    }

    /// The same search in the page and outside of it.
    fn compare(&self, game: &str, moves: &str, nodes: u64) -> anyhow::Result<Value> {
        let request = search(game, moves, nodes, 1);
        let (mut there, mut here, mut searched) = (f64::MAX, f64::MAX, [0, 0]);
        for _ in 0..ROUNDS {
            let (ms, found) = self.search(&request)?;
            there = there.min(ms);
            let start = Instant::now();
            let answer: Value = serde_json::from_str(&Module::new(|_| {}).answer(&request.to_string()))?;
            here = here.min(start.elapsed().as_secs_f64() * 1000.0);
            searched = [found, answer["info"]["nodes"].as_u64().unwrap_or_default()];
        }
        if searched[0] != searched[1] || searched[0] == 0 {
            bail!("{game}: {} nodes in the page and {} outside", searched[0], searched[1]);
        }
        Ok(json!({
            "bench": "page", "measured": "speed", "game": game, "nodes": searched[0],
            "page_nodes_per_s": per_second(searched[0], there), "native_nodes_per_s": per_second(searched[0], here),
            "ratio": hundredths(here / there),
        }))
    }

    /// How much faster two threads of a page are than one.
    fn threads(&self, game: &str, moves: &str, nodes: u64) -> anyhow::Result<Value> {
        let mut best = [0.0_f64; 2];
        for _ in 0..ROUNDS {
            for threads in [1, 2] {
                let (ms, nodes) = self.search(&search(game, moves, nodes, threads))?;
                best[threads - 1] = best[threads - 1].max(per_second(nodes, ms));
            }
        }
        Ok(json!({
            "bench": "page", "measured": "threads", "game": game, "one_nodes_per_s": best[0],
            "two_nodes_per_s": best[1], "ratio": hundredths(best[1] / best[0]),
        }))
    }

    /// How long a search took in the page, in milliseconds, and how many nodes it had.
    fn search(&self, request: &Value) -> anyhow::Result<(f64, u64)> {
        let found = self.ask(request)?;
        Ok((found["ms"].as_f64().context("no time")?, found["nodes"].as_u64().unwrap_or_default()))
    }
}

fn search(game: &str, moves: &str, nodes: u64, threads: usize) -> Value {
    let moves: Vec<&str> = moves.split(' ').collect();
    let player = if threads > 1 { format!("strong@threads={threads}") } else { "strong".into() };
    json!({
        "do": "search", "player": player, "threads": threads, "game": game, "moves": moves, "nodes": nodes, "lines": 1,
    })
}

fn per_second(nodes: u64, ms: f64) -> f64 {
    (nodes as f64 / ms * 1000.0).round()
}

fn hundredths(ratio: f64) -> f64 {
    (ratio * 100.0).round() / 100.0
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One request: a file, the next thing to do, or what was found.
fn answer(
    mut stream: TcpStream,
    site: &Path,
    todo: &Mutex<Receiver<String>>,
    tell: &Sender<String>,
) -> anyhow::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first)?;
    loop {
        let mut head = String::new();
        if reader.read_line(&mut head)? == 0 || head.trim().is_empty() {
            break;
        }
        let lower = head.to_ascii_lowercase();
        length = lower.strip_prefix("content-length:").and_then(|n| n.trim().parse().ok()).unwrap_or(length);
    }
    let path = first.split(' ').nth(1).unwrap_or("/");
    let path = path.split('?').next().unwrap_or_default();
    let (kind, body) = match path {
        "/job" => {
            let job = todo.lock().unwrap_or_else(PoisonError::into_inner).recv()?;
            ("application/json", job.into_bytes())
        }
        "/found" => {
            let mut body = vec![0; length];
            reader.read_exact(&mut body)?;
            tell.send(String::from_utf8(body)?)?;
            ("application/json", b"{}".to_vec())
        }
        path => file(site, path),
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\
        Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    Ok(stream.write_all(&body)?)
}

/// A file of the site; nothing if there is none.
fn file(site: &Path, path: &str) -> (&'static str, Vec<u8>) {
    let name = if path.ends_with('/') { format!("{path}index.html") } else { path.to_string() };
    let path: PathBuf = site.join(name.trim_start_matches('/'));
    let kind = match path.extension().and_then(|kind| kind.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    };
    (kind, fs::read(path).unwrap_or_default())
}
