//! Two people on two screens: what concerns both needs both, and neither is helped.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::table::{Guest, House, cells};

/// Two people, each with one seat, Black's first.
async fn two(house: &House, more: Value) -> (Guest, Guest) {
    let game = house.set_up("gomoku", ["human", "human"], more).await;
    let (black, state) = house.sit(&game, &game.tokens[0], true).await;
    assert_eq!((&state["between"], &state["advice"]), (&json!(false), &json!(true)), "the other one has not come");
    let (white, state) = house.sit(&game, &game.tokens[1], false).await;
    assert_eq!((&state["between"], &state["advice"]), (&json!(true), &json!(false)));
    (black, white)
}

#[tokio::test]
async fn taking_back_and_restarting_are_questions() {
    let house = House::open().await;
    let (mut black, mut white) = two(&house, json!({})).await;
    black.place("h8").await;
    white.plies(1).await;
    black.send(json!({"type": "undo"})).await;
    let asked = black.until(|state| state["offer"].is_object()).await;
    assert_eq!((cells(&asked), &asked["offer"]), (vec!["h8".into()], &json!({"what": "undo", "by": "black"})));
    assert!(black.refused(json!({"type": "accept"})).await.contains("nothing was asked"));
    let state = white.until(|state| state["offer"].is_object()).await;
    assert_eq!(state["offer"]["what"], "undo");
    white.send(json!({"type": "decline"})).await;
    black.until(|state| state["offer"].is_null()).await;
    black.send(json!({"type": "undo"})).await;
    white.until(|state| state["offer"].is_object()).await;
    white.send(json!({"type": "accept"})).await;
    assert!(cells(&black.until(|state| state["moves"] == json!([])).await).is_empty());
    black.place("h8").await;
    black.plies(1).await;
    // Both want the same: they agree.
    white.send(json!({"type": "restart"})).await;
    black.until(|state| state["offer"].is_object()).await;
    black.send(json!({"type": "restart"})).await;
    white.until(|state| state["moves"] == json!([]) && state["offer"].is_null()).await;
}

#[tokio::test]
async fn hints_are_off_until_both_agree() {
    let house = House::open().await;
    let (mut black, mut white) = two(&house, json!({})).await;
    for question in [json!({"type": "hint"}), json!({"type": "analyse", "moves": []}), json!({"type": "review"})] {
        assert!(black.refused(question).await.contains("off while two people play"));
    }
    black.send(json!({"type": "offer", "what": "analysis"})).await;
    white.until(|state| state["offer"].is_object()).await;
    white.send(json!({"type": "accept"})).await;
    black.until(|state| state["advice"] == true).await;
}

#[tokio::test]
async fn a_draw_is_agreed_names_are_told_and_phrases_said() {
    let house = House::open().await;
    let (mut black, mut white) = two(&house, json!({})).await;
    white.send(json!({"type": "name", "name": " Mei "})).await;
    black.until(|state| state["sides"][1]["name"] == "Mei").await;
    assert!(black.refused(json!({"type": "say", "phrase": "buy now"})).await.contains("no such phrase"));
    black.place("h8").await;
    white.plies(1).await;
    black.send(json!({"type": "offer", "what": "draw"})).await;
    white.until(|state| state["offer"].is_object()).await;
    white.send(json!({"type": "accept"})).await;
    let state = black.until(|state| state["verdict"]["outcome"] == "draw").await;
    assert_eq!((&state["verdict"]["why"], &state["advice"]), (&json!("agreed"), &json!(true)));
    // A rematch without a series changes the colours.
    black.send(json!({"type": "next"})).await;
    white.until(|state| state["offer"].is_object()).await;
    white.send(json!({"type": "accept"})).await;
    let state = black.until(|state| state["moves"] == json!([])).await;
    assert_eq!((&state["you"], &state["sides"][0]["name"]), (&json!(["white"]), &json!("Mei")));
}

#[tokio::test]
async fn who_is_away_is_seen() {
    let house = House::open().await;
    let (mut black, white) = two(&house, json!({})).await;
    black.until(|state| state["sides"][1]["here"] == true).await;
    drop(white);
    black.until(|state| state["sides"][1]["here"] == false).await;
}

#[tokio::test]
async fn a_browser_lists_only_games_it_knows() {
    let house = House::closed().await;
    let known = house.set_up("gomoku", ["human", "human"], json!({})).await;
    house.set_up("connect6", ["human", "human"], json!({})).await;
    let (status, _) = house.get("/api/games").await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let asked = json!({"ids": [known.id, "nonsense", "0123456789abcdef"], "game": "gomoku"});
    let (status, found) = house.post("/api/games/mine", &asked).await;
    assert_eq!((status, &found["total"]), (StatusCode::OK, &json!(1)));
    assert_eq!(found["games"][0]["id"], json!(known.id));
}
