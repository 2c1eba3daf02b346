//! Lines that were tried out in a game that is over.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::table::{Guest, House, Setup};

const GAME: [&str; 9] = ["h8", "h9", "i8", "i9", "j8", "j9", "k8", "k9", "l8"];

/// A game that Black has won.
async fn finished(house: &House) -> (Setup, Guest, Value) {
    let game = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let (mut guest, mut state) = house.own(&game).await;
    for (n, cell) in GAME.into_iter().enumerate() {
        guest.place(cell).await;
        state = guest.plies(n + 1).await;
    }
    (game, guest, state)
}

async fn keep(guest: &mut Guest, moves: &[&str]) -> Value {
    guest.send(json!({"type": "keep", "moves": moves})).await;
    guest.next("state").await["variations"].clone()
}

async fn export(house: &House, id: &str, format: &str) -> String {
    house.ask(Method::GET, &format!("/api/games/{id}/export/{format}"), None, "").await.1
}

#[tokio::test]
async fn lines_are_kept_in_the_file_and_over_a_restart() {
    let house = House::open().await;
    let (game, mut guest, state) = finished(&house).await;
    assert_eq!((&state["variations"], &state["kept"]), (&json!([]), &json!(false)));
    keep(&mut guest, &["h8", "a1"]).await;
    keep(&mut guest, &["h8", "a1", "a2"]).await;
    let kept = keep(&mut guest, &["h8", "h9", "i8", "g8"]).await;
    let expected = json!([{"from": 0, "ply": 1, "moves": ["a1", "a2"]}, {"from": 0, "ply": 3, "moves": ["g8"]}]);
    assert_eq!(kept, expected);
    let sgf = export(&house, &game.id, "sgf").await;
    assert!(sgf.contains(";W[ao];B[an]") && sgf.contains(";W[gh]"), "{sgf}");
    let house = house.reopen().await;
    let (mut guest, state) = house.own(&game).await;
    assert_eq!(state["variations"], expected);
    guest.send(json!({"type": "forget", "line": 1})).await;
    let left = guest.next("state").await;
    assert_eq!(left["variations"], json!([{"from": 0, "ply": 3, "moves": ["g8"]}]));
    assert!(guest.refused(json!({"type": "forget", "line": 7})).await.contains("no such line"));
    // Who takes back the stones that a line hangs on loses the line, and the game can still be read.
    for plies in (2..9).rev() {
        guest.send(json!({"type": "undo"})).await;
        guest.plies(plies).await;
    }
    let house = house.reopen().await;
    assert_eq!(house.own(&game).await.1["variations"], json!([]));
}

#[tokio::test]
async fn only_the_owner_keeps_lines_and_only_when_the_game_is_over() {
    let house = House::open().await;
    let (game, mut owner, _) = finished(&house).await;
    let (mut player, _) = house.sit(&game, &game.tokens[0], false).await;
    let line = json!({"type": "keep", "moves": ["h8", "a1"]});
    assert!(player.refused(line.clone()).await.contains("set up"));
    assert!(player.refused(json!({"type": "forget", "line": 1})).await.contains("set up"));
    for bad in [json!(["h8", "h8"]), json!(["h8", "z99"]), json!(["<b>"]), json!([["h8"]]), json!("h8")] {
        owner.refused(json!({"type": "keep", "moves": bad})).await;
    }
    let more: Vec<&str> = GAME.into_iter().chain(["a1"]).collect();
    assert!(owner.refused(json!({"type": "keep", "moves": more})).await.contains("over"));
    let live = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let (mut guest, _) = house.own(&live).await;
    assert!(guest.refused(line).await.contains("when the game is over"));
}

#[tokio::test]
async fn a_game_keeps_a_bounded_number_of_lines() {
    let house = House::open().await;
    let (_, mut owner, _) = finished(&house).await;
    let free = |n: usize| format!("{}{}", (b'a' + (n % 15) as u8) as char, n / 15 + 1);
    let taken: Vec<String> = GAME.iter().map(ToString::to_string).collect();
    let cells: Vec<String> = (0..225).map(free).filter(|cell| !taken.contains(cell)).collect();
    for cell in &cells[..200] {
        keep(&mut owner, &["h8", cell]).await;
    }
    let line = json!({"type": "keep", "moves": ["h8", cells[201]]});
    assert!(owner.refused(line).await.contains("at most 200"));
}

#[tokio::test]
async fn lines_of_a_file_are_shown_and_new_ones_join_them() {
    let house = House::open().await;
    let sgf = "(;GM[4]FF[4]SZ[15]PB[Ann]PW[Bob]RE[B+R];B[hh](;W[ii];B[hg])(;W[aa];B[bb]))";
    let (_, read) = house.post_text("/api/read?name=game.sgf", sgf.into()).await;
    let (status, made) = house.post("/api/library", &json!({"record": read["games"][0]["record"]})).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let text = |name: &str| made[name].as_str().unwrap().to_string();
    let game = Setup { id: text("id"), owner: text("owner"), tokens: Default::default() };
    let (mut guest, state) = house.own(&game).await;
    assert_eq!(state["variations"], json!([{"from": 0, "ply": 1, "moves": ["a15", "b14"]}]));
    assert_eq!((&state["kept"], &state["verdict"]["ending"]), (&json!(true), &json!("resigned")));
    keep(&mut guest, &["h8", "a15", "c3"]).await;
    let house = house.reopen().await;
    let (_, state) = house.own(&game).await;
    assert_eq!(state["variations"][1], json!({"from": 1, "ply": 2, "moves": ["c3"]}));
    assert_eq!((&state["kept"], &state["verdict"]["ending"]), (&json!(true), &json!("resigned")));
    let (_, shown) = house.get(&format!("/api/games/{}", game.id)).await;
    assert_eq!((&shown["live"], &shown["record"]["variations"][1]["moves"][0]["cell"]), (&json!(false), &json!("c3")));
    assert!(export(&house, &game.id, "sgf").await.contains("[cm]"));
}

#[tokio::test]
async fn the_game_before_is_found_with_its_lines() {
    let house = House::open().await;
    let (game, mut guest, _) = finished(&house).await;
    keep(&mut guest, &["h8", "a1"]).await;
    let state = guest.act("restart").await;
    assert_eq!((&state["moves"], &state["variations"]), (&json!([]), &json!([])));
    let before = state["before"].as_str().unwrap().to_string();
    let path = format!("/api/games/{before}");
    let shown = house.get(&path).await;
    assert_eq!(shown.1["record"]["variations"][0]["moves"][0]["cell"], "a1", "{shown:?}");
    assert_eq!(house.ask(Method::DELETE, &path, None, &game.owner).await.0, StatusCode::NO_CONTENT);
}
