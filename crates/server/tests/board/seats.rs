//! Who may do what, and what survives.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::table::{House, over};

#[tokio::test]
async fn two_people_each_move_their_own_side_only() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let (mut black, state) = house.sit(&game, &game.tokens[0], true).await;
    assert_eq!((&state["you"], &state["owner"]), (&json!(["black"]), &json!(true)));
    let (mut white, state) = house.sit(&game, &game.tokens[1], false).await;
    assert_eq!((&state["you"], &state["owner"]), (&json!(["white"]), &json!(false)));
    let (mut watcher, state) = house.sit(&game, "", false).await;
    assert_eq!(state["you"], json!([]));
    let (mut thief, state) = house.sit(&game, "0123456789abcdef0123456789abcdef", false).await;
    assert_eq!(state["you"], json!([]), "a wrong token is no token");
    assert!(white.refused(json!({"type": "place", "cell": "h8"})).await.contains("not yours"));
    assert!(watcher.refused(json!({"type": "place", "cell": "h8"})).await.contains("watching"));
    assert!(thief.refused(json!({"type": "place", "cell": "h8"})).await.contains("watching"));
    black.place("h8").await;
    white.plies(1).await;
    watcher.plies(1).await;
    for kind in ["undo", "redo", "resign", "restart", "swap", "next"] {
        watcher.refused(json!({"type": kind})).await;
    }
    white.place("i9").await;
    white.plies(2).await;
    let state = white.act("resign").await;
    assert_eq!(state["verdict"]["outcome"], "black");
}

#[tokio::test]
async fn a_page_loaded_again_finds_the_same_game() {
    let house = House::open().await;
    let game = house.set_up("connect6", ["human", "greedy"], json!({})).await;
    let (mut first, _) = house.own(&game).await;
    first.place("j10").await;
    let state = first.plies(3).await;
    drop(first);
    let (_second, again) = house.own(&game).await;
    for field in ["moves", "to_move", "stones_left", "you", "sides", "verdict"] {
        assert_eq!(again[field], state[field], "{field}");
    }
}

#[tokio::test]
async fn a_server_started_again_goes_on() {
    let house = House::open().await;
    let control = json!({"control": {"per_game_ms": 60000}, "series": 3});
    let game = house.set_up("connect6", ["human", "greedy"], control).await;
    let (mut guest, _) = house.own(&game).await;
    guest.place("j10").await;
    guest.plies(3).await;
    guest.place("a1").await;
    let state = guest.plies(4).await;
    let resigned = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let (mut other, _) = house.own(&resigned).await;
    other.place("h8").await;
    other.plies(1).await;
    other.act("resign").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let house = house.reopen().await;
    while let Some(message) = guest.hear().await {
        assert!(message["type"] == "state" || message["en"].as_str().unwrap().contains("kept"), "{message}");
    }
    let (mut guest, again) = house.own(&game).await;
    for field in ["moves", "to_move", "stones_left", "you", "owner", "sides", "series", "times"] {
        assert_eq!(again[field], state[field], "{field}");
    }
    assert!(again["clocks"][0]["turn_ms"].as_u64().unwrap() >= 250, "the turn's time is not given back: {again}");
    guest.place("a2").await;
    guest.plies(7).await;
    let (mut stranger, state) = house.sit(&game, "feed", false).await;
    assert_eq!(state["you"], json!([]));
    stranger.refused(json!({"type": "place", "cell": "c3"})).await;
    let (_, state) = house.own(&resigned).await;
    assert_eq!((&state["verdict"]["ending"], &state["verdict"]["outcome"]), (&json!("resigned"), &json!("black")));
    assert!(over(&state));
}

#[tokio::test]
async fn only_the_owner_deletes_a_game() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    let path = format!("/api/games/{}", game.id);
    for token in ["", "wrong", &game.tokens[0]] {
        let (status, words) = house.ask(Method::DELETE, &path, None, token).await;
        assert_eq!(status, StatusCode::FORBIDDEN);
        assert!(words.contains("\"zh\""));
    }
    let (status, _) = house.ask(Method::DELETE, &path, None, &game.owner).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let last = guest.hear().await.unwrap();
    assert!(last["en"].as_str().unwrap().contains("deleted"));
    assert!(guest.hear().await.is_none());
    assert_eq!(house.get(&path).await.0, StatusCode::NOT_FOUND);
    assert_eq!(house.ask(Method::DELETE, &path, None, &game.owner).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn clocks_wait_until_both_are_there() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "human"], json!({"control": {"per_move_ms": 200}})).await;
    let (mut black, state) = house.sit(&game, &game.tokens[0], true).await;
    assert_eq!(state["running"], false);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let (_white, state) = house.sit(&game, &game.tokens[1], false).await;
    assert_eq!(state["running"], true);
    assert!(!over(&state));
    let end = black.until(over).await;
    assert_eq!(end["verdict"]["ending"], "timeout");
}
