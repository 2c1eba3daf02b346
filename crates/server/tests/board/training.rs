//! Training over HTTP: puzzles, lessons, progress, and a class.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::table::House;

fn when() -> Value {
    json!({"ms": 1_789_633_200_000_u64, "day": "2026-11-17"})
}

async fn ask(house: &House, request: Value) -> Value {
    let (status, answer) = house.post("/api/train", &request).await;
    assert_eq!(status, StatusCode::OK, "{request}: {answer}");
    answer
}

#[tokio::test]
async fn a_puzzle_is_solved_and_what_was_missed_comes_back() {
    let house = House::open().await;
    let sets = ask(&house, json!({"do": "train_sets", "progress": null, "when": when()})).await;
    let set = &sets["sets"][0];
    assert!(set["count"].as_u64() > Some(0) && set["name"]["zh"].is_string(), "{set}");
    assert_eq!((&sets["summary"]["rating"], &sets["summary"]["sure"]), (&json!(1500), &json!(false)));
    let next = json!({"do": "train_next", "progress": null, "when": when(), "game": set["game"], "theme": set["theme"],
        "level": null, "after": null});
    let puzzle = ask(&house, next).await["puzzle"].clone();
    assert_eq!((&puzzle["theme"], &puzzle["start"]["game"]), (&set["theme"], &set["game"]));
    let line = puzzle["line"].as_str().unwrap();
    let hint = ask(&house, json!({"do": "train_hint", "puzzle": line, "moves": [], "step": 3})).await;
    let played = ask(&house, json!({"do": "train_play", "puzzle": line, "moves": [], "turn": hint["cells"]})).await;
    assert!(["right", "solved"].contains(&played["verdict"].as_str().unwrap()), "{played}");
    let tree = ask(&house, json!({"do": "train_tree", "puzzle": line})).await;
    assert_eq!(tree["tree"][0]["by"], puzzle["to_move"]);
    let finish = |progress: &Value, result: &str, day: &str| json!({"do": "train_finish", "progress": progress, "when": {"ms": 0, "day": day}, "puzzle": line, "result": result});
    let failed = ask(&house, finish(&Value::Null, "failed", "2026-11-17")).await;
    assert_eq!(failed["again"], json!("2026-11-18"));
    let later = json!({"ms": 0, "day": "2026-11-19"});
    let due = ask(&house, json!({"do": "train_due", "progress": failed["progress"], "when": later})).await;
    assert_eq!((&due["count"], &due["puzzles"][0]["id"]), (&json!(1), &puzzle["id"]));
    let text = failed["progress"].to_string();
    let import = ask(&house, json!({"do": "train_import", "progress": null, "when": when(), "text": text})).await;
    assert_eq!(import["summary"], failed["summary"]);
    let daily = ask(&house, json!({"do": "train_daily", "when": when()})).await;
    let again = ask(&house, json!({"do": "train_daily", "when": when()})).await;
    assert_eq!(daily, again);
    let by_id = ask(&house, json!({"do": "train_puzzle", "id": daily["puzzle"]["id"]})).await;
    assert_eq!(by_id, daily);
}

#[tokio::test]
async fn lessons_are_taught_and_mistakes_are_taken_from_reviews() {
    let house = House::open().await;
    let lessons = ask(&house, json!({"do": "train_lessons", "progress": null})).await;
    assert!(lessons["lessons"].as_array().unwrap().len() >= 12);
    let id = &lessons["lessons"][0]["id"];
    let lesson = ask(&house, json!({"do": "train_lesson", "id": id})).await["lesson"].clone();
    assert!(lesson["steps"][0]["words"]["en"].is_string() && lesson["steps"][0]["start"]["width"].is_u64(), "{lesson}");
    let learnt = json!({"do": "train_learnt", "progress": null, "when": when(), "lesson": id, "step": 0});
    let learnt = ask(&house, learnt).await;
    assert_eq!(learnt["summary"]["lessons"][id.as_str().unwrap()], json!([0]));
    let step = &lessons["lessons"][0]["tasks"][0];
    let task = json!({"do": "train_task", "lesson": id, "step": step, "moves": [], "turn": ["a1"]});
    let (status, answer) = house.post("/api/train", &task).await;
    assert!(status == StatusCode::OK || answer["zh"].is_string(), "{answer}");
    let record = json!({"format": "lianzi-game", "version": 1, "game": "gomoku", "sides": [{"name": "a"}, {"name": "b"}],
        "moves": [{"cell": "h8"}, {"cell": "a1"}, {"cell": "i8"}, {"cell": "a3"}]});
    let review = json!({"type": "review", "plies": [{"ply": 3, "stone": "white", "grade": "blunder", "best": ["g8"], "loss": 0.4}]});
    let mistakes = json!({"do": "train_mistakes", "progress": null, "when": when(), "record": record.to_string(),
        "review": review, "stone": "white"});
    let added = ask(&house, mistakes).await;
    assert_eq!((&added["added"], &added["summary"]["due"]), (&json!(1), &json!(1)));
    let due = ask(&house, json!({"do": "train_due", "progress": added["progress"], "when": when()})).await;
    let line = &due["puzzles"][0]["line"];
    let played = ask(&house, json!({"do": "train_play", "puzzle": line, "moves": [], "turn": ["g8"]})).await;
    assert_eq!((&played["verdict"], &played["better"]), (&json!("solved"), &json!([["g8"]])));
}

#[tokio::test]
async fn what_cannot_be_answered_is_refused_in_words() {
    let house = House::open().await;
    for request in [
        json!({"do": "train_jokes"}),
        json!({"do": "train_puzzle", "id": "../keeper.token"}),
        json!({"do": "train_play", "puzzle": "nothing", "moves": [], "turn": []}),
        json!({"do": "train_sets", "progress": {"format": "other"}, "when": when()}),
        json!({"do": "train_sets", "progress": null, "when": {"day": "yesterday"}}),
        json!({"do": "train_lesson", "id": "nothing"}),
        json!({"do": "train_next", "progress": null, "when": when(), "game": "chess"}),
    ] {
        let (status, words) = house.post("/api/train", &request).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{request}: {words}");
        assert!(words["en"].is_string() && words["zh"].is_string(), "{request}: {words}");
    }
}

#[tokio::test]
async fn a_class_keeps_progress_and_only_the_teacher_sees_all() {
    let house = House::open().await;
    let (_, info) = house.get("/api/info").await;
    assert_eq!(info["class"], true);
    let (status, joined) = house.post("/api/class", &json!({"name": " Li Hua\n"})).await;
    assert_eq!(status, StatusCode::CREATED, "{joined}");
    let (id, secret) = (joined["id"].as_str().unwrap(), joined["secret"].as_str().unwrap());
    let path = format!("/api/class/{id}");
    let progress = ask(
        &house,
        json!({"do": "train_import", "progress": null, "when": when(),
        "text": "{\"format\":\"lianzi-progress\",\"version\":1}"}),
    )
    .await["progress"]
        .clone();
    let body = json!({"progress": progress, "when": when()}).to_string();
    let (status, _) = house.ask(Method::PUT, &path, Some(body.clone()), secret).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let (status, _) = house.ask(Method::PUT, &path, Some(body), "guessed").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (_, own) = house.ask(Method::GET, &path, None, secret).await;
    let own: Value = serde_json::from_str(&own).unwrap();
    assert_eq!((&own["name"], &own["progress"]), (&json!("Li Hua"), &progress));
    let (status, _) = house.ask(Method::GET, "/api/class", None, secret).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let keeper = std::fs::read_to_string(house.folder.path().join("keeper.token")).unwrap();
    let (_, all) = house.ask(Method::GET, "/api/class", None, keeper.trim()).await;
    let all: Value = serde_json::from_str(&all).unwrap();
    assert_eq!(
        (&all["learners"][0]["name"], &all["learners"][0]["summary"]["rating"]),
        (&json!("Li Hua"), &json!(1500))
    );
    // It is there after the server was started again, until it is deleted.
    let house = house.reopen().await;
    let (status, _) = house.ask(Method::DELETE, &path, None, keeper.trim()).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let (status, _) = house.ask(Method::GET, &path, None, secret).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (status, words) = house.post("/api/class", &json!({"name": "  "})).await;
    assert_eq!((status, words["zh"].is_string()), (StatusCode::BAD_REQUEST, true));
}
