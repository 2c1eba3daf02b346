//! Files and the library.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::table::House;

const SGF: &str = "(;GM[4]FF[4]SZ[15]PB[Ann]PW[老王];B[hh];W[ii];B[hg])";

#[tokio::test]
async fn files_are_read_and_broken_ones_are_answered_in_words() {
    let house = House::open().await;
    let (status, read) = house.post_text("/api/read?name=game.sgf", SGF.into()).await;
    assert_eq!(status, StatusCode::OK, "{read}");
    let game = &read["games"][0];
    assert_eq!((&game["problem"], &game["record"]["sides"][1]["name"]), (&Value::Null, &json!("老王")));
    assert_eq!(game["record"]["moves"].as_array().unwrap().len(), 3);
    let (_, foul) = house.post_text("/api/read?from=moves&game=gomoku", "h8 h8".into()).await;
    assert!(foul["games"][0]["problem"]["en"].as_str().unwrap().contains("h8"), "{foul}");
    for (query, body) in [
        ("name=x.sgf", "(;B[".to_string()),
        ("name=x", "\u{0}\u{1}garbage".into()),
        ("from=nothing", SGF.into()),
        ("from=moves&game=chess", "h8".into()),
        ("from=json", "{}".into()),
        ("from=csv", "PK\u{3}\u{4}broken".into()),
        ("from=renlib", "x".repeat(100)),
        ("", String::new()),
    ] {
        let (status, words) = house.post_text(&format!("/api/read?{query}"), body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}: {words}");
        assert!(words["en"].is_string() && words["zh"].is_string(), "{query}: {words}");
    }
    let (status, _) = house.post_text("/api/read?name=x.sgf", "x".repeat(9 << 20)).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn imported_games_are_kept_found_exported_and_deleted() {
    let house = House::open().await;
    let (_, read) = house.post_text("/api/read?name=game.sgf", SGF.into()).await;
    let (status, kept) = house.post("/api/library", &json!({"record": read["games"][0]["record"]})).await;
    assert_eq!(status, StatusCode::CREATED);
    let id = kept["id"].as_str().unwrap();
    let (_, found) = house.get("/api/games?q=ann&game=gomoku&result=none").await;
    assert_eq!((&found["total"], &found["games"][0]["white"]), (&json!(1), &json!("老王")));
    let (_, none) = house.get("/api/games?q=bob").await;
    assert_eq!(none["total"], 0);
    let (_, shown) = house.get(&format!("/api/games/{id}")).await;
    assert_eq!((&shown["live"], &shown["record"]["moves"][0]["cell"]), (&json!(false), &json!("h8")));
    for format in ["json", "sgf", "psq", "moves", "chess-save", "matrix-s0"] {
        let (status, text) = house.ask(Method::GET, &format!("/api/games/{id}/export/{format}"), None, "").await;
        assert_eq!(status, StatusCode::OK, "{format}: {text}");
        assert!(!text.is_empty());
    }
    for format in ["columns", "csv", "renlib", "nothing", "..%2fsgf"] {
        let (status, words) = house.get(&format!("/api/games/{id}/export/{format}")).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{format}");
        assert!(words["zh"].is_string(), "{words}");
    }
    let path = format!("/api/games/{id}");
    assert_eq!(house.ask(Method::DELETE, &path, None, "").await.0, StatusCode::FORBIDDEN);
    let owner = kept["owner"].as_str().unwrap();
    assert_eq!(house.ask(Method::DELETE, &path, None, owner).await.0, StatusCode::NO_CONTENT);
    assert_eq!(house.get("/api/games").await.1["total"], 0);
}

#[tokio::test]
async fn a_result_of_a_file_is_kept_and_not_explained() {
    let house = House::open().await;
    for (result, verdict, words) in [
        ("B+", json!({"outcome": "black", "ending": "adjudicated", "why": "untold"}), "does not say how"),
        ("B+R", json!({"outcome": "black", "ending": "resigned"}), "White resigned"),
        ("B+F", json!({"outcome": "black", "ending": "adjudicated", "why": "forfeit"}), "White forfeited"),
        ("Draw", json!({"outcome": "draw", "ending": "adjudicated", "why": "untold"}), "A draw"),
        ("Void", json!({"ending": "unfinished"}), ""),
    ] {
        let sgf = format!("(;GM[4]SZ[15]RE[{result}];B[hh])");
        let (_, read) = house.post_text("/api/read?name=game.sgf", sgf).await;
        let record = &read["games"][0]["record"];
        assert_eq!(record["verdict"], verdict, "{result}");
        let (_, kept) = house.post("/api/library", &json!({"record": record})).await;
        let text = |name: &str| kept[name].as_str().unwrap().to_string();
        let game = crate::table::Setup { id: text("id"), owner: text("owner"), tokens: Default::default() };
        let (_, state) = house.own(&game).await;
        assert_eq!(state["verdict"], verdict, "{result}");
        let said = state["words"]["en"].as_str().unwrap_or_default();
        assert!(said.contains(words), "{result}: {said}");
        let export = format!("/api/games/{}/export/sgf", game.id);
        let (_, again) = house.ask(Method::GET, &export, None, "").await;
        assert!(again.contains(&format!("RE[{result}]")), "{again}");
    }
}

#[tokio::test]
async fn a_game_goes_on_from_a_record() {
    let house = House::open().await;
    let (_, read) = house.post_text("/api/read?name=game.sgf", SGF.into()).await;
    let more = json!({"record": read["games"][0]["record"]});
    let game = house.set_up("connect4", ["greedy", "human"], more).await;
    let (mut guest, state) = house.own(&game).await;
    assert_eq!((&state["game"], &state["to_move"]), (&json!("gomoku"), &json!("white")));
    guest.place("a1").await;
    guest.plies(5).await;
}

#[tokio::test]
async fn a_game_of_two_files_is_exported_and_read_again() {
    let house = House::open().await;
    let game = house.set_up("connect6", ["human", "greedy"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    guest.place("j10").await;
    let state = guest.plies(3).await;
    let address = format!("http://{}/api/games/{}/export/csv", house.host, game.id);
    let archive = reqwest::get(address).await.unwrap();
    let name = archive.headers()["content-disposition"].to_str().unwrap().to_string();
    assert!(name.contains(".zip"), "{name}");
    let bytes = archive.bytes().await.unwrap();
    let client = reqwest::Client::new();
    let read =
        client.post(format!("http://{}/api/read?from=csv&game=connect6", house.host)).body(bytes).send().await.unwrap();
    let read: Value = read.json().await.unwrap();
    let moves = read["games"][0]["record"]["moves"].as_array().unwrap();
    let cells: Vec<&Value> = moves.iter().map(|played| &played["cell"]).collect();
    assert_eq!(json!(cells), state["moves"]);
}

#[tokio::test]
async fn finished_games_stay_when_the_board_is_cleared() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    guest.place("h8").await;
    guest.plies(1).await;
    guest.act("resign").await;
    guest.act("restart").await;
    let found = house.get("/api/games?result=black").await.1;
    assert_eq!((&found["total"], &found["games"][0]["live"]), (&json!(1), &json!(false)));
    let id = found["games"][0]["id"].as_str().unwrap().to_string();
    assert_ne!(id, game.id);
    // It can be looked at, but nobody moves in it.
    let kept = crate::table::Setup { id, owner: game.owner.clone(), tokens: game.tokens.clone() };
    let (mut guest, state) = house.own(&kept).await;
    assert_eq!(state["verdict"]["ending"], "resigned");
    assert!(guest.refused(json!({"type": "undo"})).await.contains("looked at"));
}
