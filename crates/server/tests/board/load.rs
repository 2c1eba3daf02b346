//! What a server has to do, and when it stops doing it.

use std::time::{Duration, Instant};

use lianzi_server::Bounds;
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::table::House;

/// Waits, for as long as a loaded machine may need.
async fn until(what: &str, mut done: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !done().await {
        assert!(began.elapsed() < Duration::from_secs(30), "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_search_ends_with_its_connection() {
    let house = House::open().await;
    let game = house.set_up("connect4:9x10", ["human", "human"], json!({})).await;
    for question in [json!({"type": "analyse", "moves": [], "lines": 9}), json!({"type": "hint"})] {
        let (mut guest, _) = house.own(&game).await;
        guest.send(question.clone()).await;
        until("the search begins", async || house.load.searches() > 0).await;
        drop(guest);
        until("the search ends", async || house.load.searches() == 0).await;
    }
    // So does one that is no longer wanted, and one that is replaced by another.
    let (mut guest, _) = house.own(&game).await;
    for _ in 0..5 {
        guest.send(json!({"type": "analyse", "moves": ["d1"], "lines": 9})).await;
        guest.next("analysis").await;
    }
    guest.send(json!({"type": "analyse", "moves": null})).await;
    until("the search ends", async || house.load.searches() == 0).await;
}

#[tokio::test]
async fn an_engine_stops_and_clocks_stand_still_when_nobody_is_there() {
    let (grace, empty) = (Duration::from_millis(100), Duration::from_millis(500));
    let house = House::bounded(Bounds { grace, empty, ..Bounds::default() }).await;
    let control = json!({"control": {"per_game_ms": 3_600_000}});
    let game = house.set_up("gomoku", ["human", "slow"], control).await;
    let (mut guest, _) = house.own(&game).await;
    guest.place("h8").await;
    guest.until(|state| state["sides"][1]["thinking"] == true && state["running"] == true).await;
    drop(guest);
    let left = Instant::now();
    until("the engine stops", async || house.load.searches() == 0).await;
    until("the room closes", async || house.load.rooms().await == 0).await;
    let away = Duration::from_secs(2);
    tokio::time::sleep(away).await;
    let (_guest, state) = house.own(&game).await;
    let used = Duration::from_millis(state["clocks"][1]["used_ms"].as_u64().unwrap());
    assert!(used + away <= left.elapsed() + Duration::from_millis(100), "{used:?}");
    assert_eq!(state["moves"], json!(["h8"]));
    assert_eq!(house.load.rooms().await, 1);
    until("it thinks again", async || house.load.searches() > 0).await;
}

#[tokio::test]
async fn there_are_only_so_many_live_games() {
    let house = House::bounded(Bounds { live_games: 2, ..Bounds::default() }).await;
    let first = house.set_up("gomoku", ["human", "human"], json!({})).await;
    house.set_up("gomoku", ["human", "human"], json!({})).await;
    let new = json!({"game": "gomoku", "sides": [{"player": "human"}, {"player": "human"}]});
    let (status, words) = house.post("/api/games", &new).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(words["en"].as_str().unwrap().contains("too many") && words["zh"].is_string());
    let deleted = house.ask(Method::DELETE, &format!("/api/games/{}", first.id), None, &first.owner).await;
    assert_eq!(deleted.0, StatusCode::NO_CONTENT);
    assert_eq!(house.post("/api/games", &new).await.0, StatusCode::CREATED);
}

#[tokio::test]
async fn engines_can_be_slowed_down_for_those_who_watch() {
    let house = House::open().await;
    let game = house.set_up("connect4", ["greedy", "greedy"], json!({"pace_ms": 300})).await;
    let (mut guest, _) = house.own(&game).await;
    guest.plies(1).await;
    let began = Instant::now();
    guest.plies(5).await;
    assert!(began.elapsed() >= Duration::from_millis(4 * 300 - 100), "{:?}", began.elapsed());
    // Only those who watch are waited for.
    let quick = house.set_up("connect4", ["human", "greedy"], json!({"pace_ms": 10_000})).await;
    let (mut guest, _) = house.own(&quick).await;
    let began = Instant::now();
    guest.place("d1").await;
    guest.plies(2).await;
    assert!(began.elapsed() < Duration::from_secs(9));
    let sides = json!([{"player": "greedy"}, {"player": "greedy"}]);
    for pace in [json!(10_001), json!(-1), json!("slow")] {
        let new = json!({"game": "gomoku", "sides": sides, "pace_ms": pace});
        assert_eq!(house.post("/api/games", &new).await.0, StatusCode::BAD_REQUEST);
    }
}

#[tokio::test]
async fn the_page_is_small() {
    let house = House::open().await;
    let page = house.ask(Method::GET, "/", None, "").await.1;
    // What only a page that thinks by itself needs is counted apart.
    let counts = |text: &&str| text.starts_with("/assets/") && !text.starts_with("/assets/js/local/");
    let names = page.split('"').filter(counts);
    let mut bytes = page.len();
    for name in names.collect::<std::collections::BTreeSet<_>>() {
        let (status, text) = house.ask(Method::GET, name, None, "").await;
        assert_eq!(status, StatusCode::OK, "{name}");
        bytes += text.len();
    }
    assert!((50_000..400_000).contains(&bytes), "{bytes} bytes");
    assert_eq!(bytes, house.page_bytes, "the page names all its files");
}
