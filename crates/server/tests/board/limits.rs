//! How much strangers may take, and what those over a bound are told. Visitors are told apart by their addresses, of
//! which this machine has many.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use lianzi_server::{Bounds, Most};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::table::House;

/// Asks from an address of this machine.
pub async fn from(address: [u8; 4], house: &House, path: &str, body: &Value) -> (StatusCode, Value) {
    let client = Client::builder().local_address(std::net::IpAddr::from(address)).build().unwrap();
    let answer = client.post(format!("http://{}{path}", house.host)).body(body.to_string()).send().await.unwrap();
    let status = answer.status();
    (status, serde_json::from_str(&answer.text().await.unwrap()).unwrap())
}

pub const OTHER: [u8; 4] = [127, 0, 0, 2];

pub fn says(words: &Value, part: &str) {
    assert!(words["en"].as_str().unwrap().contains(part) && words["zh"].is_string(), "{words}");
}

#[tokio::test]
async fn one_visitor_does_not_fill_the_library() {
    let bounds = Bounds { games_a_day: 3, ..Bounds::default() };
    let house = House::bounded(bounds.clone()).await;
    let record =
        json!({"record": {"format": "lianzi-game", "version": 1, "game": "gomoku", "moves": [{"cell": "h8"}]}});
    let game = json!({"sides": [{"player": "human"}, {"player": "human"}], "record": record["record"]});
    assert_eq!(house.post("/api/library", &record).await.0, StatusCode::CREATED);
    assert_eq!(house.post("/api/games", &game).await.0, StatusCode::CREATED);
    let own = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let house = house.reopen_with(bounds).await;
    for (path, body) in [("/api/library", &record), ("/api/games", &game)] {
        let (status, words) = house.post(path, body).await;
        assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
        says(&words, "at most 3 games");
        assert_eq!(from(OTHER, &house, path, body).await.0, StatusCode::CREATED);
    }
    // Finished games that are left behind count as well.
    let (mut guest, _) = house.own(&own).await;
    guest.place("h8").await;
    guest.plies(1).await;
    guest.act("resign").await;
    assert!(guest.refused(json!({"type": "restart"})).await.contains("at most 3 games"));
    let full = Bounds { library: Most { all: 1, each: 1 << 20 }, ..Bounds::default() };
    let house = house.reopen_with(full).await;
    says(&house.post("/api/library", &record).await.1, "the library is full");
}

#[tokio::test]
async fn contests_are_bounded_and_whoever_runs_the_server_can_stop_them() {
    let bounds = Bounds { contests: Most { all: 3, each: 2 }, ..Bounds::default() };
    let house = House::bounded(bounds.clone()).await;
    let new = |time: u64| json!({"game": "gomoku", "players": ["random", "greedy"], "games": 10_000, "control": {"per_move_ms": time}});
    says(&house.post("/api/contests", &new(24 * 3_600_000)).await.1, "at most 60 seconds");
    let mut ids = Vec::new();
    for _ in 0..2 {
        let (status, made) = house.post("/api/contests", &new(1000)).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        ids.push(made["id"].as_str().unwrap().to_string());
    }
    let (status, words) = house.post("/api/contests", &new(1000)).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    says(&words, "at most 2 contests at once");
    assert_eq!(from(OTHER, &house, "/api/contests", &new(1000)).await.0, StatusCode::CREATED);
    let (status, words) = from([127, 0, 0, 3], &house, "/api/contests", &new(1000)).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    says(&words, "too many contests");
    assert!(open_journals(&house) <= 1, "only the one that is played has its file open");
    let keeper = fs::read_to_string(house.folder.path().join("keeper.token")).unwrap();
    let delete = async |house: &House, id: &str| {
        let path = format!("/api/contests/{id}");
        house.ask(reqwest::Method::DELETE, &path, None, keeper.trim()).await.0
    };
    for id in &ids {
        assert_eq!(delete(&house, id).await, StatusCode::NO_CONTENT);
    }
    let house = house.reopen_with(bounds).await;
    for id in &ids {
        let path = format!("/api/contests/{id}");
        assert_eq!(house.get(&path).await.1["running"], false, "it does not go on");
        assert_eq!(delete(&house, id).await, StatusCode::NO_CONTENT);
        assert_eq!(house.get(&path).await.0, StatusCode::NOT_FOUND, "one that is over is removed");
    }
    assert_eq!(house.post("/api/contests", &new(1000)).await.0, StatusCode::CREATED);
    house.close().await;
}

fn open_journals(house: &House) -> usize {
    let files = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let open = files.filter_map(|file| fs::read_link(file.path()).ok());
    open.filter(|file| file.starts_with(house.folder.path()) && file.ends_with("games.jsonl")).count()
}

#[tokio::test]
async fn uploads_searches_and_rooms_are_bounded_for_each_visitor() {
    let one = Most { all: 9, each: 1 };
    let bounds = Bounds { uploads: one, searches: one, rooms: one, ..Bounds::default() };
    let house = House::bounded(bounds).await;
    let mut slow = begin(&house.host, "POST /api/read?from=sgf HTTP/1.1\r\nContent-Length: 8000000\r\n\r\n(;GM");
    tokio::time::sleep(Duration::from_millis(100)).await;
    let (status, words) = house.post_text("/api/read?from=sgf", " ".repeat(8_000_000)).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    says(&words, "too many uploads");
    let first = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let second = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let (mut guest, _) = house.own(&first).await;
    let (mut beside, _) = house.own(&first).await;
    guest.send(json!({"type": "analyse", "moves": []})).await;
    guest.next("analysis").await;
    assert!(beside.refused(json!({"type": "analyse", "moves": []})).await.contains("too many questions"));
    // One's own question makes way for the next one.
    guest.send(json!({"type": "hint"})).await;
    guest.next("hint").await;
    let address = format!("ws://{}/ws/games/{}", house.host, second.id);
    let (socket, _) = tokio_tungstenite::connect_async(address).await.unwrap();
    let mut late = crate::table::Guest::over(socket);
    assert!(late.hear().await.unwrap()["en"].as_str().unwrap().contains("too many games are open"));
    slow.write_all(b" ").unwrap();
}

/// Opens a connection and sends this, with a host.
pub fn begin(host: &str, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(request.replacen("\r\n", &format!("\r\nHost: {host}\r\n"), 1).as_bytes()).unwrap();
    stream
}

/// What is answered until the connection ends.
pub fn ending(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_clients_are_not_waited_for() {
    let moment = Duration::from_millis(300);
    let bounds = Bounds { head: moment, body: moment, connection: 4 * moment, ..Bounds::default() };
    let house = House::bounded(bounds).await;
    let began = Instant::now();
    let head = begin(&house.host, "GET / HTTP/1.1\r\nX-Slow: ");
    let silent = begin(&house.host, "");
    let body = begin(&house.host, "POST /api/games HTTP/1.1\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{");
    let dribble = begin(&house.host, "POST /api/read HTTP/1.1\r\nContent-Length: 100000\r\nConnection: close\r\n\r\n{");
    let mut drop_by_drop = dribble.try_clone().unwrap();
    let dribbling = std::thread::spawn(move || {
        while drop_by_drop.write_all(b" ").is_ok() {
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let late = tokio::task::spawn_blocking(|| [ending(head), ending(silent), ending(body), ending(dribble)]);
    let [head, silent, body, dribble] = late.await.unwrap();
    assert!(!head.contains(" 200 ") && silent.is_empty(), "{head}{silent}");
    for late in [body, dribble] {
        assert!(late.starts_with("HTTP/1.1 408") && late.contains("took too long"), "{late}");
    }
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    dribbling.join().unwrap();
    // Who watches a game stays.
    let game = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    tokio::time::sleep(6 * moment).await;
    guest.place("h8").await;
    guest.plies(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_are_bounded_for_each_visitor_and_in_all() {
    let house = House::bounded(Bounds { connections: Most { all: 5, each: 3 }, ..Bounds::default() }).await;
    let open: Vec<TcpStream> = (0..3).map(|_| begin(&house.host, "GET / HTTP/1.1\r\n\r\n")).collect();
    let refused = begin(&house.host, "GET / HTTP/1.1\r\n\r\n");
    let refused = tokio::task::spawn_blocking(|| ending(refused)).await.unwrap();
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("too many connections"), "{refused}");
    let body = json!({"game": "gomoku", "sides": [{"player": "human"}, {"player": "human"}]});
    assert_eq!(from(OTHER, &house, "/api/games", &body).await.0, StatusCode::CREATED, "others come in");
    drop(open);
    let began = Instant::now();
    while !ending_of(&house.host).await.contains("<!doctype") {
        assert!(began.elapsed() < Duration::from_secs(15), "places come back");
    }
}

async fn ending_of(host: &str) -> String {
    let stream = begin(host, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    tokio::task::spawn_blocking(|| ending(stream).to_lowercase()).await.unwrap()
}
