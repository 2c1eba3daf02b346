//! What strangers may try.

use reqwest::{Method, StatusCode};
use serde_json::json;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::table::House;

#[tokio::test]
async fn messages_of_all_kinds_are_answered_and_the_game_goes_on() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    for text in [
        "",
        "garbage",
        "{",
        "null",
        "[]",
        "{}",
        r#"{"type":"place"}"#,
        r#"{"type":"place","cell":5}"#,
        r#"{"type":"place","cell":"h8","ply":-1}"#,
        r#"{"type":"place","cell":"h8","ply":1e99}"#,
        r#"{"type":"place","cell":"h8","ply":1000000000}"#,
        r#"{"type":"place","cell":"<script>alert(1)</script>"}"#,
        r#"{"type":"place","cell":"'; DROP TABLE games; --"}"#,
        r#"{"type":"analyse","moves":"h8"}"#,
        r#"{"type":"analyse","moves":[1,2]}"#,
        r#"{"type":"analyse","moves":[],"lines":-1}"#,
        r#"{"type":"analyse","moves":["a1","b1","<b>"]}"#,
        r#"{"type":"keep"}"#,
        r#"{"type":"keep","moves":[]}"#,
        r#"{"type":"forget","line":-1}"#,
        r#"{"type":"forget","line":99999999999999999999}"#,
        r#"{"type":"fly"}"#,
        r#"{"type":{"a":[]}}"#,
        "\"\\ud800\"",
    ] {
        guest.send_text(text.into()).await;
        let answer = guest.hear().await.expect("still connected");
        assert_eq!(answer["type"], "error", "{text}: {answer}");
    }
    guest.send_text("[".repeat(60_000)).await;
    assert_eq!(guest.hear().await.unwrap()["type"], "error");
    guest.place("h8").await;
    guest.plies(1).await;
    guest.send(json!({"type": "analyse", "moves": vec!["h8"; 9000], "lines": 1_000_000})).await;
    assert_eq!(guest.hear().await.unwrap()["type"], "error");
    // Too large a message ends this connection, and nothing else.
    guest.send_text("x".repeat(65 << 10)).await;
    while guest.hear().await.is_some() {}
    let (mut again, state) = house.own(&game).await;
    assert_eq!(state["moves"], json!(["h8"]));
    again.place("i9").await;
    again.plies(2).await;
}

#[tokio::test]
async fn bad_games_are_refused() {
    let house = House::open().await;
    let good = json!({"game": "gomoku", "sides": [{"player": "human"}, {"player": "greedy"}]});
    for (field, value) in [
        ("game", json!("chess")),
        ("game", json!("gomoku:1000000000")),
        ("game", json!("gomoku:-3")),
        ("game", json!("connect:31,31,99,1,1")),
        ("game", json!("x".repeat(100_000))),
        ("game", json!(5)),
        ("sides", json!([])),
        ("sides", json!([{"player": "human"}])),
        ("sides", json!([{"player": "human"}, {"player": "/bin/sh"}])),
        ("sides", json!([{"player": "human"}, {"player": "piskvork:/bin/sh"}])),
        ("sides", json!([{"player": "human"}, {"player": "greedy@speed=9"}])),
        ("sides", json!([{"player": "human"}, {"player": "strong@threads=256"}])),
        ("sides", json!([{"player": "human"}, {"player": "strong@weights=Cargo.toml"}])),
        ("sides", json!([{"player": "human"}, {"player": "uct@time=61s"}])),
        ("sides", json!([{"player": "human", "name": "x".repeat(41)}, {"player": "human"}])),
        ("control", json!({"per_move_ms": 0})),
        ("control", json!({"per_move_ms": -5})),
        ("control", json!({"per_game_ms": 1e15})),
        ("series", json!(0)),
        ("series", json!(1_000_000_000)),
        (
            "record",
            json!({"format": "lianzi-game", "version": 1, "game": "gomoku", "moves": [{"cell": "h8"}, {"cell": "h8"}]}),
        ),
        ("record", json!("h8")),
    ] {
        let mut bad = good.clone();
        bad[field] = value;
        let (status, words) = house.post("/api/games", &bad).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{field}: {words}");
        assert!(words["en"].is_string() && words["zh"].is_string(), "{words}");
    }
    for body in ["", "{", "null", "[[[[", "\u{0}"] {
        assert_eq!(house.post_text("/api/games", body.into()).await.0, StatusCode::BAD_REQUEST, "{body:?}");
    }
}

#[tokio::test]
async fn names_are_only_names() {
    let house = House::open().await;
    for name in ["<script>alert(1)</script>", "'; DROP TABLE games; --", "%_%", "\u{202e}王", "\"}"] {
        let sides = json!([{"player": "human", "name": name}, {"player": "human", "name": "b"}]);
        let (status, made) = house.post("/api/games", &json!({"game": "gomoku", "sides": sides})).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        let (_, shown) = house.get(&format!("/api/games/{}", made["id"].as_str().unwrap())).await;
        assert_eq!(shown["record"]["sides"][0]["name"], name);
    }
    let found = house.get("/api/games?q=%27%3B%20DROP%20TABLE").await.1;
    assert_eq!(found["total"], 1);
    assert_eq!(house.get("/api/games?q=%25").await.1["total"], 1, "a per cent sign is itself");
    assert_eq!(house.get("/api/games?page=99999999999").await.1["total"], 5);
    for query in ["page=-1", "page=x", "result=all", "page=99999999999999999999999"] {
        assert_eq!(house.get(&format!("/api/games?{query}")).await.0, StatusCode::BAD_REQUEST, "{query}");
    }
}

#[tokio::test]
async fn no_address_leads_out_of_the_page() {
    let house = House::open().await;
    for path in [
        "/assets/../../Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/%2e%2e/%2e%2e/Cargo.toml",
        "/assets//etc/passwd",
        "/assets/..%5c..%5cCargo.toml",
        "/assets/%00",
        "/../Cargo.toml",
        "/api/games/..%2f..%2f",
        "/api/games/0123456789abcdef",
        "/api/games/'%20OR%201=1",
        "/api/nothing",
    ] {
        let (status, text) = raw(&house.host, path).await;
        assert_eq!(status, 404, "{path}");
        assert!(!text.contains("[workspace]") && text.contains("\"zh\""), "{path}: {text}");
    }
    let (status, page) = house.ask(Method::GET, "/", None, "").await;
    assert!(status == StatusCode::OK && page.to_lowercase().contains("<!doctype html>"));
}

/// Asks for a path as it stands; other clients tidy it up first.
async fn raw(host: &str, path: &str) -> (u16, String) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = tokio::net::TcpStream::connect(host).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
}

#[tokio::test]
async fn pages_of_other_sites_cannot_connect() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let address = format!("ws://{}/ws/games/{}?token={}", house.host, game.id, game.tokens[0]);
    for (origin, welcome) in [
        ("http://evil.example".to_string(), false),
        ("null".into(), false),
        ("http://127.0.0.1:1".into(), false),
        (format!("http://{}", house.host), true),
    ] {
        let mut request = address.as_str().into_client_request().unwrap();
        request.headers_mut().insert("Origin", origin.parse().unwrap());
        match connect_async(request).await {
            Ok(_) => assert!(welcome, "{origin}"),
            Err(Error::Http(answer)) => assert!(!welcome && answer.status() == 403, "{origin}: {answer:?}"),
            Err(other) => panic!("{origin}: {other}"),
        }
    }
    let client = reqwest::Client::new();
    let post = client.post(format!("http://{}/api/games", house.host)).header("Origin", "http://evil.example");
    assert_eq!(post.body("{}").send().await.unwrap().status(), StatusCode::FORBIDDEN);
    let foreign = client.get(format!("http://{}/api/games", house.host)).header("Host", "evil.example");
    assert_eq!(foreign.send().await.unwrap().status(), StatusCode::FORBIDDEN);
    let unknown = connect_async(format!("ws://{}/ws/games/0123456789abcdef", house.host)).await;
    assert!(matches!(unknown, Err(Error::Http(answer)) if answer.status() == 404));
}

#[tokio::test]
async fn the_page_is_careful_and_cached() {
    let house = House::open().await;
    let client = reqwest::Client::new();
    let address = format!("http://{}/", house.host);
    let page = client.get(&address).send().await.unwrap();
    let policy = page.headers()["content-security-policy"].to_str().unwrap();
    let beginning = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; ";
    assert!(policy.starts_with(beginning) && policy.contains("connect-src 'self'"), "{policy}");
    // WebAssembly may be compiled; nothing else that was not written by us is run.
    assert!(!policy.replace("'wasm-unsafe-eval'", "").contains("unsafe"), "{policy}");
    assert_eq!(page.headers()["x-content-type-options"], "nosniff");
    let tag = page.headers()["etag"].clone();
    let again = client.get(&address).header("If-None-Match", tag).send().await.unwrap();
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    let (_, info) = house.get("/api/info").await;
    assert!(info["engines"].as_array().unwrap().contains(&json!("greedy")));
    let levels = info["levels"].as_array().unwrap();
    assert_eq!((levels.len(), &levels[9]["name"]), (10, &json!({"en": "Master", "zh": "大师"})));
    let games = ["gomoku", "standard", "renju", "connect6", "connect4"];
    let slow = json!({"player": "slow", "name": "slow", "games": games, "levels": 0});
    assert!(info["players"].as_array().unwrap().contains(&slow));
    let (_, rules) = house.get("/api/rules?game=connect4:random").await;
    assert_eq!((&rules["drop"], rules["blocked"].as_array().unwrap().len()), (&json!(true), 1));
    assert_eq!(house.get("/api/rules?game=chess").await.0, StatusCode::BAD_REQUEST);
    assert_eq!(house.get("/api/rules").await.0, StatusCode::BAD_REQUEST);
}
