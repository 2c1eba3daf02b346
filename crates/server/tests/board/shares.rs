//! What one visitor may hold or leave behind while others come: connections behind a proxy, answers that are not read,
//! turns, learners and contests.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use lianzi_server::{Bounds, Most};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::limits::{OTHER, begin, ending, from, says};
use crate::table::{House, STARVED, Setup, cells};

type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

/// Watches a game through a proxy.
async fn watch(house: &House, game: &Setup, visitor: &str) -> Result<Socket, StatusCode> {
    let mut request = format!("ws://{}/ws/games/{}", house.host, game.id).into_client_request().unwrap();
    request.headers_mut().insert("X-Forwarded-For", visitor.parse().unwrap());
    match connect_async(request).await {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(answer)) => Err(answer.status()),
        Err(other) => panic!("{other}"),
    }
}

#[tokio::test]
async fn behind_a_proxy_connections_are_bounded_for_each_visitor() {
    let house = House::proxied(Bounds { connections: Most { all: 8, each: 3 }, ..Bounds::default() }).await;
    let game = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let mut sockets = Vec::new();
    for _ in 0..3 {
        sockets.push(watch(&house, &game, "10.0.0.1").await.unwrap());
    }
    assert_eq!(watch(&house, &game, "10.0.0.1").await.err(), Some(StatusCode::SERVICE_UNAVAILABLE));
    // What the page makes up itself does not count.
    let again = watch(&house, &game, "10.0.0.7, 10.0.0.1").await;
    assert_eq!(again.err(), Some(StatusCode::SERVICE_UNAVAILABLE));
    watch(&house, &game, "10.0.0.2").await.unwrap();
    // An answer that is not read counts as well, and one connection counts once.
    let ask = "GET /assets/style.css HTTP/1.1\r\nX-Forwarded-For: 10.0.0.3\r\n\r\n";
    let mut open: Vec<TcpStream> = (0..3).map(|_| begin(&house.host, ask)).collect();
    for _ in 0..3 {
        open[0].write_all(ask.replacen("\r\n", "\r\nHost: localhost\r\n", 1).as_bytes()).unwrap();
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let refused = begin(&house.host, ask);
    let refused = tokio::task::spawn_blocking(|| ending(refused)).await.unwrap();
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("too many connections"), "{refused}");
    drop(sockets);
    let began = Instant::now();
    while watch(&house, &game, "10.0.0.1").await.is_err() {
        assert!(began.elapsed() < Duration::from_secs(15), "places come back");
    }
}

/// Uploads a file whose answer is much larger than what the system keeps of it, and reads nothing.
fn upload_unread(house: &House) -> TcpStream {
    let file = commented(6_000_000);
    let head = format!("POST /api/read?from=sgf HTTP/1.1\r\nContent-Length: {}\r\n\r\n", file.len());
    let mut stream = begin(&house.host, &head);
    stream.write_all(file.as_bytes()).unwrap();
    stream
}

/// A game with a comment of so many bytes, which takes twice as much in the answer.
fn commented(bytes: usize) -> String {
    format!("(;GM[4]SZ[15];B[hh]C[{}])", "\"".repeat(bytes))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_that_nobody_reads_are_bounded_and_let_go_of() {
    // Long enough for a busy machine to read what is uploaded.
    let moment = Duration::from_secs(20);
    let answers = Most { all: 16 << 20, each: 8 << 20 };
    let house = House::bounded(Bounds { answers, body: moment, connection: moment, ..Bounds::default() }).await;
    // Small, so that it is soon known whether it is answered, but not so small that its answer does not count.
    let file = commented(100_000);
    let (status, answer) = house.post_text("/api/read?from=sgf", file.clone()).await;
    assert!(status == StatusCode::OK && answer.to_string().len() > 200_000, "{status}");
    let unread = upload_unread(&house);
    let began = Instant::now();
    let refused = loop {
        let (status, words) = house.post_text("/api/read?from=sgf", file.clone()).await;
        if status != StatusCode::OK {
            break words;
        }
        assert!(began.elapsed() < moment, "it was let go of already");
    };
    says(&refused, "wait to be read");
    // Small answers and other visitors are answered.
    assert_eq!(house.get("/api/info").await.0, StatusCode::OK);
    let client = reqwest::Client::builder().local_address(std::net::IpAddr::from(OTHER)).build().unwrap();
    let other =
        client.post(format!("http://{}/api/read?from=sgf", house.host)).body(file.clone()).send().await.unwrap();
    assert_eq!(other.status(), StatusCode::OK);
    // Nobody keeps an answer waiting for ever.
    while house.post_text("/api/read?from=sgf", file.clone()).await.0 != StatusCode::OK {
        assert!(began.elapsed() < moment * 4, "it is let go of");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    drop(unread);
}

#[tokio::test]
async fn who_waits_for_a_turn_has_a_place() {
    let house = House::bounded(Bounds { readings: Most { all: 4, each: 1 }, ..Bounds::default() }).await;
    let train = json!({"do": "train_lessons", "progress": null});
    let record = "(;GM[4]SZ[15];B[hh];W[ii])".repeat(1000);
    let ask = async |path: &str, body: Option<String>| {
        let method = if body.is_some() { Method::POST } else { Method::GET };
        let (status, text) = house.ask(method, path, body, "").await;
        (status, serde_json::from_str::<Value>(&text).unwrap())
    };
    for (path, body) in [
        ("/api/train", Some(train.to_string())),
        ("/api/read?from=sgf", Some(record)),
        ("/api/contests", None),
        ("/api/explore?game=gomoku&moves=", None),
    ] {
        let answers = join_all((0..100).map(|_| ask(path, body.clone()))).await;
        let (done, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|(status, _)| *status == StatusCode::OK);
        assert!(!done.is_empty() && !refused.is_empty(), "{path}: {} were answered", done.len());
        for (status, words) in refused {
            assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{path}");
            says(&words, "too much to look up");
        }
        assert_eq!(ask(path, body).await.0, StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn one_visitor_does_not_fill_the_class() {
    let bounds = Bounds { learners: Most { all: 5, each: 2 }, ..Bounds::default() };
    let house = House::bounded(bounds.clone()).await;
    let name = json!({"name": "Li Hua"});
    let mut joined = Vec::new();
    for _ in 0..2 {
        joined.push(house.post("/api/class", &name).await.1);
    }
    let house = house.reopen_with(bounds.clone()).await;
    let (status, words) = house.post("/api/class", &name).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    says(&words, "2 learners have joined from here");
    for address in [[127, 0, 0, 2], [127, 0, 0, 2], [127, 0, 0, 3]] {
        assert_eq!(from(address, &house, "/api/class", &name).await.0, StatusCode::CREATED);
    }
    let (status, words) = from([127, 0, 0, 3], &house, "/api/class", &name).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    says(&words, "5 learners already");
    let keeper = fs::read_to_string(house.folder.path().join("keeper.token")).unwrap();
    let path = |n: usize| format!("/api/class/{}", joined[n]["id"].as_str().unwrap());
    let gone = house.ask(Method::DELETE, &path(1), None, keeper.trim()).await.0;
    assert_eq!(gone, StatusCode::NO_CONTENT, "the teacher removes one");
    assert_eq!(from([127, 0, 0, 3], &house, "/api/class", &name).await.0, StatusCode::CREATED);
    // Who did nothing for a day makes room, and who learnt something stays.
    let learnt = json!({"do": "train_learnt", "progress": null, "when": {"ms": 0, "day": "2020-01-01"},
        "lesson": first_lesson(&house).await, "step": 0});
    let progress = house.post("/api/train", &learnt).await.1["progress"].clone();
    let kept = json!({"progress": progress, "when": {"ms": 0, "day": "2020-01-01"}}).to_string();
    let secret = joined[0]["secret"].as_str().unwrap().to_string();
    assert_eq!(house.ask(Method::PUT, &path(0), Some(kept), &secret).await.0, StatusCode::NO_CONTENT);
    let folder = house.close().await;
    for file in fs::read_dir(folder.path().join("class")).unwrap().flatten() {
        let mut learner: Value = serde_json::from_slice(&fs::read(file.path()).unwrap()).unwrap();
        learner["seen"] = json!("2020-01-01");
        fs::write(file.path(), learner.to_string()).unwrap();
    }
    let house = House::open_with(folder, bounds).await;
    assert_eq!(from([127, 0, 0, 4], &house, "/api/class", &name).await.0, StatusCode::CREATED);
    assert_eq!(house.ask(Method::GET, &path(0), None, &secret).await.0, StatusCode::OK);
    assert_eq!(fs::read_dir(house.folder.path().join("class")).unwrap().count(), 2);
}

async fn first_lesson(house: &House) -> Value {
    let lessons = house.post("/api/train", &json!({"do": "train_lessons", "progress": null})).await.1;
    lessons["lessons"][0]["id"].clone()
}

#[tokio::test]
async fn contests_have_so_much_room_on_the_disk() {
    let house = House::bounded(Bounds { contest_bytes: 20_000, ..Bounds::default() }).await;
    let new = json!({"game": "gomoku", "players": ["random", "greedy"], "games": 1000});
    let (status, made) = house.post("/api/contests", &new).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let path = format!("/api/contests/{}", made["id"].as_str().unwrap());
    let began = Instant::now();
    let summary = loop {
        let (_, summary) = house.get(&path).await;
        if summary["running"] == false {
            break summary;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "it goes on");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert!((1..1000).contains(&summary["games"].as_u64().unwrap()), "{summary}");
    let (status, words) = house.post("/api/contests", &new).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    says(&words, "filled their room on the disk");
    // It is counted again after a restart, and goes on where there is room.
    let house = house.reopen_with(Bounds { contest_bytes: 20_000, ..Bounds::default() }).await;
    assert_eq!(house.get(&path).await.1["running"], false);
    assert_eq!(house.post("/api/contests", &new).await.0, StatusCode::SERVICE_UNAVAILABLE);
    let keeper = fs::read_to_string(house.folder.path().join("keeper.token")).unwrap();
    for _ in ["stopped", "removed"] {
        let gone = house.ask(Method::DELETE, &path, None, keeper.trim()).await.0;
        assert_eq!(gone, StatusCode::NO_CONTENT);
    }
    assert_eq!(house.post("/api/contests", &new).await.0, StatusCode::CREATED);
    house.close().await;
}

#[tokio::test]
async fn a_visitor_starts_so_many_contests_a_day_and_so_many_are_kept() {
    let new = json!({"game": "connect4", "players": ["random", "greedy"], "games": 2});
    let kept = |all, each| Bounds { contests_kept: Most { all, each }, ..Bounds::default() };
    let house = House::bounded(kept(4, 2)).await;
    for _ in 0..2 {
        assert_eq!(house.post("/api/contests", &new).await.0, StatusCode::CREATED);
    }
    let house = house.reopen_with(kept(4, 2)).await;
    let (status, words) = house.post("/api/contests", &new).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "however short they are");
    says(&words, "starts 2 a day");
    assert_eq!(from(OTHER, &house, "/api/contests", &new).await.0, StatusCode::CREATED);
    let house = house.reopen_with(kept(3, 2)).await;
    let (status, words) = from([127, 0, 0, 3], &house, "/api/contests", &new).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    says(&words, "too many contests");
    house.close().await;
}

#[tokio::test]
async fn a_visitor_keeps_so_many_bytes_a_day() {
    let house = House::bounded(Bounds { library: Most { all: 8 << 30, each: 2 << 20 }, ..Bounds::default() }).await;
    let comment = "x".repeat(900_000);
    let record =
        |played: Value| json!({"record": {"format": "lianzi-game", "version": 1, "game": "gomoku", "moves": [played]}});
    let (small, large) = (record(json!({"cell": "h8"})), record(json!({"cell": "h8", "comment": comment})));
    let mut kept = 0;
    let words = loop {
        let (status, answer) = house.post("/api/library", &large).await;
        if status != StatusCode::CREATED {
            assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{answer}");
            break answer;
        }
        kept += 1;
        assert!(kept < 10);
    };
    assert!(kept > 0);
    says(&words, "2 MiB a day");
    assert_eq!(house.post("/api/library", &small).await.0, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(from(OTHER, &house, "/api/library", &large).await.0, StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_only_asks_ends_after_a_while() {
    let house = House::bounded(Bounds { connection: Duration::from_secs(1), ..Bounds::default() }).await;
    let ask = "GET /api/qr?text=x HTTP/1.1\r\n\r\n";
    let stream = begin(&house.host, ask);
    let mut busy = stream.try_clone().unwrap();
    let began = Instant::now();
    let asking = std::thread::spawn(move || {
        let ask = ask.replacen("\r\n", "\r\nHost: localhost\r\n", 1);
        while began.elapsed() < Duration::from_secs(15) && busy.write_all(ask.as_bytes()).is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let answers = tokio::task::spawn_blocking(|| ending(stream)).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(10), "it was used all the time and ended all the same");
    assert!(answers.matches("HTTP/1.1 200").count() > 1, "{answers}");
    asking.join().unwrap();
}

#[tokio::test]
async fn a_socket_that_answers_nothing_is_closed() {
    let moment = Duration::from_millis(300);
    let house = House::bounded(Bounds { pulse: moment, silence: 4 * moment, ..Bounds::default() }).await;
    let game = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    let silent = begin(&house.host, &format!("GET /ws/games/{} HTTP/1.1\r\n{upgrade}\r\n\r\n", game.id));
    let (mut guest, _) = house.own(&game).await;
    let began = Instant::now();
    // Who answers stays: a client does while it listens.
    let listening = async {
        while began.elapsed() < 12 * moment {
            let _ = tokio::time::timeout(moment, guest.hear()).await;
        }
    };
    let closed = tokio::task::spawn_blocking(move || {
        let heard = ending(silent);
        (heard, began.elapsed())
    });
    listening.await;
    let (heard, after) = closed.await.unwrap();
    assert!(heard.starts_with("HTTP/1.1 101"), "{heard}");
    assert!(after > 3 * moment && after < Duration::from_secs(15), "{after:?}");
    guest.place("h8").await;
    guest.plies(1).await;
}

#[tokio::test]
async fn what_the_server_lacks_is_nobodys_foul_and_the_game_goes_on() {
    let house = House::open().await;
    let clock = json!({"control": {"per_move_ms": 1500}});
    let game = house.set_up("gomoku", ["human", "starved"], clock).await;
    let (mut guest, _) = house.own(&game).await;
    guest.place("h8").await;
    let (mut waits, began) = (0, Instant::now());
    loop {
        let told = guest.hear().await.unwrap();
        if told["type"] == "error" {
            waits += 1;
            let words = told["en"].as_str().unwrap();
            assert!(words.contains("no more processes") && words.contains("nobody is to blame"), "{told}");
            assert!(told["zh"].as_str().unwrap().contains("不算任何一方犯规"), "{told}");
            if waits == 1 {
                // Whoever comes meanwhile is told as well.
                let (mut late, state) = house.own(&game).await;
                assert_eq!((&state["verdict"]["ending"], cells(&state).len()), (&json!("unfinished"), 1));
                while late.hear().await.unwrap()["type"] != "error" {}
            }
        } else if told["type"] == "state" {
            assert_eq!(told["verdict"]["ending"], "unfinished", "{told}");
            if cells(&told).len() == 2 {
                break;
            }
        }
    }
    assert!(waits >= 1 && began.elapsed() >= Duration::from_secs(STARVED as u64 - 1), "{waits}");
}
