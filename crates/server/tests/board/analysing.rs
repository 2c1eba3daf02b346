//! Hints, analyses and reviews.

use serde_json::{Value, json};

use crate::table::{House, cells};

#[tokio::test]
async fn a_position_is_analysed_wherever_it_stands() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let (mut guest, _) = house.sit(&game, "", false).await;
    let moves = json!(["h8", "a1", "i8", "a3", "j8", "a5", "k8"]);
    guest.send(json!({"type": "analyse", "moves": moves, "lines": 5})).await;
    let mut told = guest.next("analysis").await;
    assert_eq!((&told["moves"], &told["to_move"]), (&moves, &json!("white")));
    assert_eq!(told["must_hit"], json!(["g8", "l8"]));
    assert_eq!(told["threats"]["black"][0]["kind"], "four");
    for _ in 0..3 {
        if told["done"] == true || !told["info"]["lines"].as_array().unwrap().is_empty() {
            break;
        }
        told = guest.next("analysis").await;
    }
    assert!(!told["info"]["lines"].as_array().unwrap().is_empty(), "{told}");
    guest.send(json!({"type": "analyse", "moves": null})).await;
    assert!(guest.refused(json!({"type": "analyse", "moves": ["h8", "h8"]})).await.contains("h8"));
    guest.send(json!({"type": "ping"})).await;
    assert_eq!(guest.next("pong").await, json!({"type": "pong"}));
}

#[tokio::test]
async fn a_hint_can_be_played() {
    let house = House::open().await;
    for (name, stones) in [("gomoku", 1), ("connect6", 2), ("connect4", 1)] {
        let game = house.set_up(name, ["human", "human"], json!({})).await;
        let (mut guest, _) = house.own(&game).await;
        guest.place(if name == "connect4" { "d1" } else { "h8" }).await;
        guest.plies(1).await;
        guest.send(json!({"type": "hint"})).await;
        let hint = guest.next("hint").await;
        let turn: Vec<&str> = hint["turn"].as_array().unwrap().iter().map(|cell| cell.as_str().unwrap()).collect();
        assert_eq!(turn.len(), stones);
        assert!(hint["line"]["score"].is_number());
        for cell in turn {
            guest.place(cell).await;
        }
        guest.plies(1 + stones).await;
    }
}

#[tokio::test]
async fn every_column_has_a_score() {
    let house = House::open().await;
    let game = house.set_up("connect4", ["human", "human"], json!({})).await;
    let (mut guest, _) = house.sit(&game, "", false).await;
    // The empty board; a win at hand, where an engine need not look further; a column that is full.
    for moves in [json!([]), json!(["a1", "g1", "b1", "g2", "c1", "g3"]), json!(["a1", "a2", "a3", "a4", "a5", "a6"])] {
        let playable = if moves[1] == "a2" { 6 } else { 7 };
        guest.send(json!({"type": "analyse", "moves": moves, "lines": 7})).await;
        let mut columns = std::collections::BTreeSet::new();
        while columns.len() < playable {
            let told = guest.next("analysis").await;
            if told["moves"] != moves {
                // Something about the position before was still on its way.
                continue;
            }
            let lines = told["info"]["lines"].as_array().unwrap();
            assert!(lines.iter().all(|line| line["chance"].is_number()), "{told}");
            columns = lines.iter().map(|line| line["cells"][0].as_str().unwrap()[..1].to_string()).collect();
            assert!(columns.len() == playable || told["done"] == false, "{told}");
        }
        assert_eq!(columns.len(), playable);
    }
}

#[tokio::test]
async fn a_review_finds_the_turn_that_lost() {
    let house = House::open().await;
    let game = house.set_up("connect4", ["human", "human"], json!({})).await;
    let (mut guest, mut state) = house.own(&game).await;
    // White lets three in a column become four.
    for column in ["a", "b", "a", "b", "a", "g", "a"] {
        guest.place(column).await;
        let plies = cells(&state).len() + 1;
        state = guest.plies(plies).await;
    }
    assert_eq!(state["verdict"]["outcome"], "black");
    guest.send(json!({"type": "review"})).await;
    let mut review = Value::Null;
    while review["done"] != true {
        review = guest.next("review").await;
    }
    let plies = review["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 7);
    assert_eq!(plies[6]["loss"], 0.0, "the winning stone loses nothing");
    assert!(plies[5]["loss"].as_f64().unwrap() > 0.25 && plies[5]["chance"].is_number());
    assert_eq!(plies[5]["line"][0], "a4");
    assert!(review["mistakes"].as_array().unwrap().contains(&json!(5)), "{review}");
    assert_eq!(plies[5]["best"], json!(["a4"]));
    assert_eq!(plies[5]["words"]["en"], "Yellow leaves the line at a1–a3, which Red can complete; a4 stops it.");
    assert_eq!((&plies[5]["stone"], &plies[5]["after"]), (&json!("white"), &json!(1.0)));
    assert!(plies[5]["grade"] == "blunder" || plies[5]["grade"] == "mistake", "{review}");
    assert!(review["sides"][1]["accuracy"].as_u64().unwrap() < 90 && review["of"] == 7, "{review}");

    let before = json!(["a1", "b1", "a2", "b2", "a3"]);
    for (cell, good) in [("a4", true), ("b3", false)] {
        guest.send(json!({"type": "try", "moves": before, "turn": [cell]})).await;
        let told = guest.next("tried").await;
        assert_eq!((&told["moves"], &told["tried"]["turn"]), (&before, &json!([cell])));
        assert_eq!(told["tried"]["grade"] == "best" || told["tried"]["grade"] == "good", good, "{told}");
    }
    assert!(guest.refused(json!({"type": "try", "moves": before, "turn": ["a3"]})).await.contains("a3"));
    assert!(guest.refused(json!({"type": "try", "moves": before, "turn": []})).await.contains("0 of 1"));
    assert!(guest.refused(json!({"type": "try", "moves": before, "turn": ["a4", "b3"]})).await.contains("too many"));
}
