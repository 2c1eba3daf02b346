//! Contests from a page.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::table::House;

async fn wait_for(house: &House, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..400 {
        let (status, summary) = house.get(&format!("/api/contests/{id}")).await;
        assert_eq!(status, StatusCode::OK, "{summary}");
        if wanted(&summary) {
            return summary;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the contest did not get there");
}

#[tokio::test]
async fn a_contest_is_started_watched_and_finished() {
    let house = House::open().await;
    let new = json!({"game": "connect4", "players": ["greedy", "random"], "games": 4, "format": "match", "control": {"nodes": 100}});
    let (status, made) = house.post("/api/contests", &new).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let id = made["id"].as_str().unwrap();
    let summary = wait_for(&house, id, |summary| summary["finished"] == true).await;
    assert_eq!((&summary["games"], &summary["planned"]), (&json!(4), &json!(4)));
    assert_eq!(summary["title"], "connect4: greedy – random");
    let game = summary["list"][0]["id"].as_str().unwrap();
    let (_, record) = house.get(&format!("/api/contests/{id}/games/{game}")).await;
    assert_eq!(record["record"]["game"], "connect4");
    let (status, report) = house.ask(Method::GET, &format!("/api/contests/{id}/report.html"), None, "").await;
    assert!(status == StatusCode::OK && report.starts_with("<!"));
    let (_, listed) = house.get("/api/contests").await;
    assert_eq!(listed["contests"][0]["games"], 4);
    // Its games are among those that were played from a position.
    let (_, explored) = house.get("/api/explore?game=connect4&moves=").await;
    assert_eq!((&explored["looked"], &explored["total"]["games"]), (&json!(4), &json!(4)), "{explored}");
    let (_, none) = house.get("/api/explore?game=connect4:9x9&moves=").await;
    assert_eq!(none["looked"], 0, "{none}");
    let house = house.reopen().await;
    let (_, again) = house.get(&format!("/api/contests/{id}")).await;
    assert_eq!((&again["games"], &again["finished"]), (&json!(4), &json!(true)), "{again}");
}

#[tokio::test]
async fn a_contest_goes_on_after_a_restart_until_its_owner_stops_it() {
    let house = House::open().await;
    let new = json!({"game": "gomoku", "players": ["greedy", "random", "greedy@seed=2"], "games": 1000, "format": "round-robin"});
    let (status, made) = house.post("/api/contests", &new).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let (id, owner) = (made["id"].as_str().unwrap(), made["owner"].as_str().unwrap());
    wait_for(&house, id, |summary| summary["games"].as_u64().unwrap() >= 1).await;
    let house = house.reopen().await;
    let before = house.get(&format!("/api/contests/{id}")).await.1["games"].as_u64().unwrap();
    wait_for(&house, id, |summary| summary["games"].as_u64().unwrap() > before).await;
    let path = format!("/api/contests/{id}");
    for token in ["", "wrong"] {
        assert_eq!(house.ask(Method::DELETE, &path, None, token).await.0, StatusCode::FORBIDDEN);
    }
    assert_eq!(house.ask(Method::DELETE, &path, None, owner).await.0, StatusCode::NO_CONTENT);
    let stopped = wait_for(&house, id, |summary| summary["running"] == false).await;
    assert_eq!(stopped["finished"], false);
    let house = house.reopen().await;
    let (_, listed) = house.get("/api/contests").await;
    assert_eq!(listed["contests"][0]["finished"], true, "it does not go on by itself any more");
}

#[tokio::test]
async fn bad_contests_are_refused() {
    let house = House::open().await;
    let good = json!({"game": "gomoku", "players": ["greedy", "random"], "games": 2, "format": "match"});
    for (field, value) in [
        ("game", json!("chess")),
        ("players", json!(["greedy"])),
        ("players", json!(["greedy", "human"])),
        ("players", json!(vec!["greedy"; 17])),
        ("players", json!(["greedy", "sh -c id"])),
        ("games", json!(3)),
        ("games", json!(0)),
        ("games", json!(-2)),
        ("games", json!(1_000_000_000)),
        ("format", json!("best-of-1000000000")),
        ("format", json!("lottery")),
        ("control", json!({"per_move_ms": 1})),
        ("sprt", json!([5, 5])),
        ("sprt", json!([f64::MAX, 1])),
        ("seed", json!("x")),
    ] {
        let mut bad = good.clone();
        bad[field] = value;
        let (status, words) = house.post("/api/contests", &bad).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{bad}: {words}");
        assert!(words["en"].is_string() && words["zh"].is_string());
    }
    for path in ["/api/contests/x", "/api/contests/0123456789abcdef", "/api/contests/..%2f..%2fgames.sqlite"] {
        assert_eq!(house.get(path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
}
