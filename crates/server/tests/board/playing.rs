//! Whole games, take-backs, clocks and series.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::table::{Guest, House, STUBBORN, cells, over};

/// Plays on the first free cells until the game is over.
async fn play_out(guest: &mut Guest, mut state: Value, stone: &str) -> Value {
    let (width, height) = (state["width"].as_u64().unwrap(), state["height"].as_u64().unwrap());
    while !over(&state) {
        if state["to_move"] == stone {
            let taken = cells(&state);
            let name = |n: u64| format!("{}{}", char::from(b'a' + (n % width) as u8), n / width + 1);
            let free = (0..width * height).map(name).find(|cell| !taken.contains(cell)).unwrap();
            guest.send(json!({"type": "place", "cell": free, "ply": taken.len()})).await;
        }
        let before = cells(&state).len();
        state = guest.until(|state| cells(state).len() > before || over(state)).await;
    }
    state
}

#[tokio::test]
async fn a_whole_game_against_an_engine() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "greedy"], json!({})).await;
    assert!(game.tokens[1].is_empty() && game.tokens[0].len() >= 32);
    let (mut guest, state) = house.own(&game).await;
    assert_eq!((&state["you"], &state["owner"]), (&json!(["black"]), &json!(true)));
    assert_eq!((&state["sides"][1]["human"], &state["game"]), (&json!(false), &json!("gomoku")));
    let end = play_out(&mut guest, state, "black").await;
    assert_eq!((&end["verdict"]["outcome"], &end["verdict"]["ending"]), (&json!("white"), &json!("line")));
    assert_eq!(end["words"]["zh"], "白方五连，获胜");
    assert_eq!(end["winning_line"].as_array().unwrap().len(), 5);
    assert!(guest.refused(json!({"type": "place", "cell": "o15"})).await.contains("over"));
    let (_, listed) = house.get("/api/games?q=greedy&result=white").await;
    assert_eq!((&listed["total"], &listed["games"][0]["live"]), (&json!(1), &json!(false)));
}

#[tokio::test]
async fn two_stones_a_turn() {
    let house = House::open().await;
    let game = house.set_up("connect6", ["human", "greedy"], json!({})).await;
    let (mut guest, state) = house.own(&game).await;
    assert_eq!(state["stones_left"], 1);
    guest.place("j10").await;
    let state = guest.plies(3).await;
    assert_eq!((&state["to_move"], &state["stones_left"]), (&json!("black"), &json!(2)));
    guest.place("a1").await;
    let state = guest.plies(4).await;
    assert_eq!((&state["to_move"], &state["stones_left"]), (&json!("black"), &json!(1)));
    assert_eq!(state["times"][3], Value::Null, "the turn's time stands with its last stone");
    let state = guest.act("undo").await;
    assert_eq!(cells(&state).len(), 3, "the first stone alone is taken back");
    guest.place("a2").await;
    guest.place("a3").await;
    let state = guest.plies(7).await;
    let back = guest.act("undo").await;
    assert_eq!((cells(&back).len(), &back["undone"]), (3, &json!(4)));
    let again = guest.act("redo").await;
    assert_eq!(cells(&again), cells(&state), "redo puts both turns back");
    assert_eq!(cells(&guest.act("undo").await).len(), 3);
    assert_eq!(cells(&guest.act("undo").await).len(), 0);
    assert!(guest.refused(json!({"type": "undo"})).await.contains("nothing"));
}

#[tokio::test]
async fn undo_stops_an_engine_at_once() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "slow"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    guest.place("h8").await;
    let state = guest.plies(1).await;
    assert_eq!(state["sides"][1]["thinking"], true);
    assert_eq!(guest.next("thinking").await["info"]["nodes"], 7);
    assert!(guest.refused(json!({"type": "place", "cell": "a1"})).await.contains("White's turn"));
    let began = std::time::Instant::now();
    let state = guest.act("undo").await;
    assert!(cells(&state).is_empty() && state["sides"][1]["thinking"] == false);
    assert!(began.elapsed().as_millis() < 500, "{:?}", began.elapsed());
    // The engine is asked again, and resigning ends its thoughts too.
    guest.place("h8").await;
    guest.next("thinking").await;
    let state = guest.act("resign").await;
    assert_eq!((&state["verdict"]["outcome"], &state["verdict"]["ending"]), (&json!("white"), &json!("resigned")));
    let state = guest.act("restart").await;
    assert!(cells(&state).is_empty() && !over(&state));
}

/// Server and guest share one thread here, so whoever makes the room wait makes the guest wait.
#[tokio::test]
async fn a_player_that_does_not_stop_holds_nobody_up() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "stubborn"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    guest.place("h8").await;
    guest.next("thinking").await;
    let began = std::time::Instant::now();
    let mut slowest = std::time::Duration::ZERO;
    // While it thinks on, and while it takes its leave after an answer that nobody wants.
    while began.elapsed() < STUBBORN * 5 / 2 {
        let asked = std::time::Instant::now();
        guest.send(json!({"type": "undo"})).await;
        guest.plies(0).await;
        guest.place("h8").await;
        guest.plies(1).await;
        slowest = slowest.max(asked.elapsed());
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert!(slowest.as_millis() < 700, "{slowest:?}");
}

#[tokio::test]
async fn a_late_click_is_refused() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "human"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    guest.place("h8").await;
    guest.plies(1).await;
    assert!(guest.refused(json!({"type": "place", "cell": "i9", "ply": 0})).await.contains("changed"));
    assert!(guest.refused(json!({"type": "place", "cell": "h8", "ply": 1})).await.starts_with("h8: "));
    assert!(guest.refused(json!({"type": "place", "cell": "z99"})).await.contains("not a cell"));
    guest.send(json!({"type": "place", "cell": "i9", "ply": 1})).await;
    guest.plies(2).await;
    let state = guest.act("undo").await;
    assert_eq!(cells(&state), ["h8"], "between people one stone is taken back");
    assert!(cells(&guest.act("undo").await).is_empty());
}

#[tokio::test]
async fn clocks_lose() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "greedy"], json!({"control": {"per_move_ms": 400}})).await;
    let (mut guest, state) = house.own(&game).await;
    assert_eq!(state["running"], true);
    assert!(state["clocks"][0]["left_ms"].as_u64().unwrap() <= 400);
    guest.place("h8").await;
    let state = guest.plies(2).await;
    assert!(state["times"][0].as_u64().unwrap() <= 450);
    let end = guest.until(over).await;
    assert_eq!((&end["verdict"]["ending"], &end["verdict"]["outcome"]), (&json!("timeout"), &json!("white")));
    assert_eq!(end["running"], false);
    // An engine that does not answer loses as well, and a person may go on after taking back.
    let game = house.set_up("gomoku", ["human", "slow"], json!({"control": {"per_game_ms": 300}})).await;
    let (mut guest, _) = house.own(&game).await;
    guest.place("h8").await;
    let end = guest.until(over).await;
    assert_eq!((&end["verdict"]["ending"], &end["verdict"]["outcome"]), (&json!("timeout"), &json!("black")));
    assert!(!over(&guest.act("undo").await));
}

#[tokio::test]
async fn a_player_that_panics_loses_and_nothing_else_happens() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "faulty"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    guest.place("h8").await;
    let end = guest.until(over).await;
    assert_eq!((&end["verdict"]["ending"], &end["verdict"]["blame"]), (&json!("crashed"), &json!("white")));
    assert!(!over(&guest.act("restart").await));
}

#[tokio::test]
async fn swapping_sides_takes_the_seat_along() {
    let house = House::open().await;
    let game = house.set_up("connect4", ["human", "greedy"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    guest.place("d").await;
    guest.plies(2).await;
    guest.send(json!({"type": "swap"})).await;
    let state = guest.plies(3).await;
    assert_eq!((&state["you"], &state["to_move"]), (&json!(["white"]), &json!("white")));
    assert_eq!((&state["sides"][0]["player"], &state["sides"][1]["player"]), (&json!("greedy"), &json!("human")));
    guest.place("a").await;
    guest.plies(5).await;
    let state = guest.act("undo").await;
    assert_eq!((cells(&state).len(), &state["you"]), (3, &json!(["white"])), "the side survives undo");
}

#[tokio::test]
async fn a_series_swaps_colours_and_stops_when_decided() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "human"], json!({"series": 3})).await;
    let (mut guest, state) = house.sit(&game, &game.tokens[0], true).await;
    assert_eq!(state["series"], json!({"length": 3, "wins": [0, 0], "draws": 0, "game": 1, "over": false}));
    assert!(guest.refused(json!({"type": "next"})).await.contains("not over"));
    let state = guest.act("resign").await;
    assert_eq!((&state["series"]["wins"], &state["series"]["over"]), (&json!([0, 1]), &json!(false)));
    let state = guest.act("next").await;
    assert_eq!((&state["series"]["wins"], &state["series"]["game"]), (&json!([1, 0]), &json!(2)));
    assert_eq!(state["you"], json!(["white"]));
    let state = guest.act("resign").await;
    assert_eq!((&state["series"]["wins"], &state["series"]["over"]), (&json!([2, 0]), &json!(true)));
    assert!(guest.refused(json!({"type": "next"})).await.contains("decided"));
    let state = guest.act("restart").await;
    assert_eq!((&state["series"]["wins"], &state["series"]["game"]), (&json!([0, 0]), &json!(1)));
}

#[tokio::test]
async fn engines_play_each_other_while_somebody_watches() {
    let house = House::open().await;
    let game = house.set_up("connect4:random", ["greedy", "random"], json!({})).await;
    let (mut guest, state) = house.sit(&game, "", false).await;
    assert_eq!(state["blocked"].as_array().unwrap().len(), 1);
    assert_eq!(state["you"], json!([]));
    let end = if over(&state) { state } else { guest.until(over).await };
    assert!(["line", "full"].contains(&end["verdict"]["ending"].as_str().unwrap()));
    assert!(cells(&end).len() >= 7);
}

#[tokio::test]
async fn an_engine_takes_a_moment_unless_it_need_not() {
    let house = House::open().await;
    let game = house.set_up("gomoku", ["human", "greedy"], json!({"instant": false})).await;
    let (mut guest, state) = house.own(&game).await;
    assert_eq!(state["instant"], false);
    let began = Instant::now();
    guest.place("h8").await;
    guest.plies(2).await;
    assert!(began.elapsed() >= Duration::from_millis(300), "{:?}", began.elapsed());
    guest.send(json!({"type": "instant", "on": true})).await;
    assert_eq!(guest.until(|state| state["instant"] == true).await["moves"].as_array().unwrap().len(), 2);
    let (mut watcher, _) = house.sit(&game, "", false).await;
    assert!(watcher.refused(json!({"type": "instant", "on": false})).await.contains("watching"));
}

#[tokio::test]
async fn a_forbidden_cell_says_which_foul_it_is() {
    let house = House::open().await;
    let game = house.set_up("renju", ["human", "human"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    let moves = ["h9", "a1", "h10", "a3", "i8", "c1", "j8", "c3"];
    let mut state = Value::Null;
    for (n, cell) in moves.into_iter().enumerate() {
        guest.place(cell).await;
        state = guest.plies(n + 1).await;
    }
    assert_eq!((&state["forbidden"], &state["fouls"]), (&json!(["h8"]), &json!(["double-three"])));
    assert_eq!(guest.refused(json!({"type": "place", "cell": "h8"})).await, "h8 is forbidden to Black: a double three");
}
