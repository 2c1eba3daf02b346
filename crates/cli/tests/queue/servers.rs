//! Several servers with one database: one is killed in the middle of many games, and others go on with them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use lianzi_queue::private::Cluster;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

use super::{Place, lianzi, wait_for};

/// A server that ends with the test.
struct Serving {
    child: Child,
    address: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(data: &str, store: &str) -> Serving {
    let mut command = lianzi(&["serve", "--addr", "127.0.0.1:0", "--data", data, "--store", store]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("the board is at http://").expect(&line).to_string();
    Serving { child, address }
}

fn post(address: &str, path: &str, body: &Value) -> Value {
    ask(address, "POST", path, &body.to_string())
}

fn ask(address: &str, verb: &str, path: &str, body: &str) -> Value {
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!(
        "{verb} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all((head + body).as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let start = answer.find("\r\n\r\n{").unwrap_or_else(|| panic!("{answer}"));
    serde_json::from_str(&answer[start..]).unwrap()
}

/// A game and both its seats.
struct Game {
    id: String,
    tokens: String,
}

type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

impl Game {
    fn set_up(address: &str) -> Game {
        let side = json!({"player": "human"});
        let made = post(address, "/api/games", &json!({"game": "gomoku", "sides": [side, side]}));
        let text = |value: &Value| value.as_str().unwrap().to_string();
        Game { id: text(&made["id"]), tokens: format!("{},{}", text(&made["tokens"][0]), text(&made["tokens"][1])) }
    }

    fn sit(&self, address: &str) -> Option<(Socket, Vec<Value>)> {
        let path = format!("ws://{address}/ws/games/{}?token={}", self.id, self.tokens);
        let (mut socket, _) = tungstenite::connect(path).ok()?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        }
        let moves = stones(&mut socket)?;
        Some((socket, moves))
    }
}

/// The stones of the next state; nothing when the connection is gone or the game is refused.
fn stones(socket: &mut Socket) -> Option<Vec<Value>> {
    loop {
        let Message::Text(text) = socket.read().ok()? else { continue };
        let message: Value = serde_json::from_str(&text).unwrap();
        match message["type"].as_str() {
            Some("state") => return message["moves"].as_array().cloned(),
            Some("error" | "closed") => return None,
            _ => {}
        }
    }
}

/// The n-th stone: rows in which nobody gets five.
fn cell(n: usize) -> String {
    let (row, column) = (n / 14, n % 14);
    format!("{}{}", char::from(b'a' + column as u8), 1 + row * 2 + column / 2 % 2)
}

/// Places stones until the game is gone or nobody wants more; the stones that were acknowledged.
fn play(socket: &mut Socket, mut acknowledged: Vec<Value>, enough: &AtomicBool) -> Vec<Value> {
    while acknowledged.len() < 90 && !enough.load(Ordering::Relaxed) {
        let place = json!({"type": "place", "cell": cell(acknowledged.len())}).to_string();
        let Ok(()) = socket.send(Message::text(place)) else { break };
        let Some(moves) = stones(socket) else { break };
        acknowledged = moves;
    }
    acknowledged
}

#[test]
fn a_server_is_killed_and_no_acknowledged_stone_is_lost() {
    let cluster = Cluster::start(&["fsync = on"]).expect("PostgreSQL is installed: apt-get install postgresql");
    let folder = tempfile::tempdir().unwrap();
    let data = |n: usize| folder.path().join(format!("server{n}")).to_str().unwrap().to_string();
    let servers: Vec<Mutex<Serving>> = (0..3).map(|n| Mutex::new(serve(&data(n), &cluster.address()))).collect();
    let addresses: Vec<String> = servers.iter().map(|server| server.lock().unwrap().address.clone()).collect();
    let games: Vec<Game> = (0..50).map(|n| Game::set_up(&addresses[n % 3])).collect();
    let enough = AtomicBool::new(false);
    let (begun, stones_of) = (std::sync::Barrier::new(games.len() + 1), AtomicUsize::new(0));
    thread::scope(|scope| {
        for (n, game) in games.iter().enumerate() {
            let (addresses, enough, begun, stones_of) = (&addresses, &enough, &begun, &stones_of);
            scope.spawn(move || {
                let (mut socket, moves) = game.sit(&addresses[n % 3]).expect("the game is open");
                // A game that one process has is refused by the others.
                if n == 4 {
                    assert!(game.sit(&addresses[2]).is_none(), "two processes have one game");
                }
                begun.wait();
                let acknowledged = play(&mut socket, moves, enough);
                stones_of.fetch_add(acknowledged.len(), Ordering::Relaxed);
                drop(socket);
                // Whoever was with the process that is gone goes to another one.
                let end = Instant::now() + Duration::from_secs(60);
                let other = if n % 3 == 0 { &addresses[1 + n % 2] } else { &addresses[n % 3] };
                let (mut socket, found) = loop {
                    assert!(Instant::now() < end, "nobody takes game {n} over");
                    match game.sit(other) {
                        Some(seat) => break seat,
                        None => thread::sleep(Duration::from_millis(100)),
                    }
                };
                assert!(found.starts_with(&acknowledged), "game {n}: {} of {} stones", found.len(), acknowledged.len());
                // And it goes on there.
                let place = json!({"type": "place", "cell": "o15"}).to_string();
                socket.send(Message::text(place)).unwrap();
                assert_eq!(stones(&mut socket).map(|moves| moves.len()), Some(found.len() + 1));
            });
        }
        begun.wait();
        thread::sleep(Duration::from_millis(700));
        let mut victim = servers[0].lock().unwrap();
        victim.child.kill().unwrap();
        victim.child.wait().unwrap();
        drop(victim);
        thread::sleep(Duration::from_millis(300));
        enough.store(true, Ordering::Relaxed);
    });
    let stones = stones_of.into_inner();
    assert!(stones > games.len(), "{stones} stones were acknowledged: the games had hardly begun");
}

#[test]
fn a_pages_contest_is_played_by_workers() {
    let mut place = Place::new();
    let serving = serve(&place.path("data"), &place.address());
    let match_ = json!({
        "game": "connect4", "players": ["greedy", "random"], "games": 6, "format": "match", "control": {"nodes": 50},
    });
    post(&serving.address, "/api/contests", &match_);
    // Nobody is there to play it.
    wait_for(&place, |job| job["waiting"] == 6);
    place.worker(&[]);
    wait_for(&place, |job| job["state"] == "done" && job["stored"] == 6);
    let contest = || ask(&serving.address, "GET", "/api/contests", "")["contests"][0].clone();
    let end = Instant::now() + Duration::from_secs(60);
    while contest()["finished"] != true {
        assert!(Instant::now() < end, "{:?}", contest());
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(contest()["games"], 6);
}
