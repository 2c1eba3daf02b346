//! Sides found by an opening rule: every way through swap2, a whole game of renju, engines, and what survives.

use std::time::Duration;

use lianzi_core::record::{Document, Format};
use lianzi_core::{Act, Cell, Fault, Negotiation, Verdict};
use lianzi_engine::Info;
use lianzi_game::judge::Answer;
use lianzi_game::player::{Ask, Player, Reply, Seat};
use lianzi_server::NamedPlayer;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::table::{Guest, House, Setup, cells, over};

/// Plays along row 15, opens with h8 h9 h10, and answers openings by rote.
struct ByRote(&'static str);

/// Those who take Black, lay two stones, play on, or lay stones where stones are.
pub fn players() -> impl Iterator<Item = NamedPlayer> {
    ["swap", "more a1 b1", "a1", "h8"]
        .into_iter()
        .map(|says| NamedPlayer::new(&format!("says {says}"), move || Box::new(ByRote(says))))
}

impl Player for ByRote {
    fn sit(&mut self, _: &Seat<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn take_turn(&mut self, ask: &Ask<'_>, _: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        let free = (0..15).map(|column| Cell::new(column, 14)).find(|&cell| ask.position.check(cell).is_ok());
        Ok(Reply { turn: free.into_iter().map(Answer::from).collect(), ..Reply::default() })
    }

    fn negotiate(&mut self, ask: &Ask<'_>, _: &Negotiation) -> Result<Option<Vec<Act>>, Fault> {
        let opens = ask.position.plies().is_empty();
        let text = if opens { "h8 h9 h10" } else { self.0 };
        Ok(Some(text.split(' ').map(|act| act.parse().unwrap()).collect()))
    }

    fn leave(&mut self, _: &Verdict) {}
}

async fn set_up(house: &House, players: [&str; 2], more: Value) -> Setup {
    house.set_up("gomoku+swap2", players, more).await
}

/// Two people, Ann who opens and Bob, each on a page of their own.
async fn two_people(house: &House, series: Option<u32>) -> (Setup, Guest, Guest) {
    let sides = ["Ann", "Bob"].map(|name| json!({"player": "human", "name": name}));
    let game = set_up(house, ["human", "human"], json!({"sides": sides, "series": series})).await;
    let (ann, state) = house.sit(&game, &game.tokens[0], true).await;
    let opening = &state["opening"];
    assert_eq!((phase(&state), &opening["by"], &opening["left"]), ("lay", &json!("black"), &json!(3)));
    assert_eq!(
        (&opening["rule"], &opening["begun"], &state["game"]),
        (&json!("swap2"), &json!(false), &json!("gomoku+swap2"))
    );
    let (bob, _) = house.sit(&game, &game.tokens[1], false).await;
    (game, ann, bob)
}

/// Places stones one after another; the state after them.
async fn lay(guest: &mut Guest, moves: &str, before: usize) -> Value {
    let mut state = Value::Null;
    for (n, cell) in moves.split(' ').enumerate() {
        guest.place(cell).await;
        state = guest.plies(before + n + 1).await;
    }
    state
}

/// One asks, and the other one agrees: the state after it.
async fn agree(asks: &mut Guest, other: &mut Guest, what: &str) -> Value {
    asks.send(json!({"type": what})).await;
    asks.until(|state| state["offer"].is_object()).await;
    other.until(|state| state["offer"].is_object()).await;
    other.send(json!({"type": "accept"})).await;
    asks.until(|state| state["offer"].is_null()).await
}

/// What is to be done: nothing, stones laid, a side chosen, or whatever else is wanted.
fn phase(state: &Value) -> &str {
    let opening = &state["opening"];
    match opening["want"].as_str() {
        None => "none",
        Some("stone") => {
            if opening["swap"].is_null() {
                "lay"
            } else {
                "choose"
            }
        }
        Some(want) => want,
    }
}

/// Who must do what, and for how many stones.
fn wanted(state: &Value) -> (&str, &str, u64) {
    let opening = &state["opening"];
    (phase(state), opening["by"].as_str().unwrap(), opening["left"].as_u64().unwrap())
}

fn names(state: &Value) -> [&str; 2] {
    [0, 1].map(|side: usize| state["sides"][side]["name"].as_str().unwrap())
}

/// What the library's record says: the sides, and how many stones the opening had.
async fn written(house: &House, game: &Setup) -> (Value, Value) {
    let (_, kept) = house.get(&format!("/api/games/{}", game.id)).await;
    let json = kept["record"].to_string();
    let record = Format::Json.read(&Document::Single(json.into()), None).unwrap().remove(0).whole().unwrap();
    let settled = record.negotiation().filter(|found| found.is_settled());
    let sides = settled.map(|found| if found.is_swapped() { "swapped" } else { "kept" });
    (json!(sides), kept["record"]["opening"].clone())
}

#[tokio::test]
async fn the_other_one_plays_on_as_white() {
    let house = House::open().await;
    let (game, mut ann, mut bob) = two_people(&house, None).await;
    assert!(bob.refused(json!({"type": "place", "cell": "h8"})).await.contains("not yours"));
    assert!(ann.refused(json!({"type": "take"})).await.contains("no swap now"));
    let state = lay(&mut ann, "h8 h9 h10", 0).await;
    assert_eq!(wanted(&state), ("choose", "white", 1));
    assert_eq!(state["words"]["zh"], "Swap2：落一白子，或交换执黑，或再摆两子由对方选择");
    assert_eq!(state["opening"]["words"], state["words"]);
    for message in [json!({"type": "place", "cell": "a1"}), json!({"type": "take"}), json!({"type": "more"})] {
        assert!(ann.refused(message).await.contains("White's turn, not yours"));
    }
    let (mut watcher, _) = house.sit(&game, "", false).await;
    assert!(watcher.refused(json!({"type": "take"})).await.contains("watching"));
    bob.plies(3).await;
    let state = lay(&mut bob, "a1", 3).await;
    assert_eq!((phase(&state), &state["to_move"], &state["you"]), ("none", &json!("black"), &json!(["white"])));
    assert_eq!(names(&state), ["Ann", "Bob"]);
    assert_eq!(written(&house, &game).await, (json!("kept"), json!(4)));
}

#[tokio::test]
async fn the_other_one_takes_black() {
    let house = House::open().await;
    let (game, mut ann, mut bob) = two_people(&house, None).await;
    lay(&mut ann, "h8 h9 h10", 0).await;
    bob.plies(3).await;
    let state = bob.act("take").await;
    assert_eq!((phase(&state), names(&state)), ("none", ["Bob", "Ann"]));
    assert_eq!((&state["you"], &state["to_move"]), (&json!(["black"]), &json!("white")));
    assert!(bob.refused(json!({"type": "place", "cell": "a1"})).await.contains("not yours"));
    let state = ann.until(|state| state["opening"].is_null()).await;
    assert_eq!(state["you"], json!(["white"]), "the token follows the player");
    lay(&mut ann, "a1", 3).await;
    assert_eq!(written(&house, &game).await, (json!("swapped"), json!(3)));
    let state = agree(&mut ann, &mut bob, "undo").await;
    assert!(cells(&state).len() == 3, "stones after the opening are taken back");
    let state = agree(&mut ann, &mut bob, "restart").await;
    assert_eq!((phase(&state), names(&state)), ("lay", ["Ann", "Bob"]), "the same one opens");
    assert_eq!(written(&house, &game).await, (Value::Null, Value::Null));
}

#[tokio::test]
async fn two_more_stones_leave_the_choice_to_the_opener() {
    let house = House::open().await;
    for (takes, sides, tag, stones) in [(true, ["Ann", "Bob"], "kept", 5), (false, ["Bob", "Ann"], "swapped", 6)] {
        let (game, mut ann, mut bob) = two_people(&house, None).await;
        lay(&mut ann, "h8 h9 h10", 0).await;
        bob.plies(3).await;
        let state = bob.act("more").await;
        assert_eq!(wanted(&state), ("lay", "white", 2));
        assert!(ann.refused(json!({"type": "place", "cell": "c3"})).await.contains("not yours"));
        let state = lay(&mut bob, "a1 b1", 3).await;
        // Who chooses sits at the side to move.
        assert_eq!((wanted(&state), names(&state)), (("choose", "white", 1), ["Bob", "Ann"]));
        assert!(bob.refused(json!({"type": "take"})).await.contains("not yours"));
        ann.plies(5).await;
        let state = if takes { ann.act("take").await } else { lay(&mut ann, "c3", 5).await };
        assert_eq!((phase(&state), names(&state)), ("none", sides));
        assert_eq!(written(&house, &game).await, (json!(tag), json!(stones)));
    }
}

#[tokio::test]
async fn one_takes_back_ones_own_part_of_the_opening() {
    let house = House::open().await;
    let (_, mut ann, mut bob) = two_people(&house, None).await;
    assert!(ann.refused(json!({"type": "undo"})).await.contains("nothing"));
    lay(&mut ann, "h8 h9 h10", 0).await;
    assert!(bob.refused(json!({"type": "undo"})).await.contains("not yours"));
    let state = ann.act("undo").await;
    assert_eq!((cells(&state).len(), phase(&state), &state["undone"]), (2, "lay", &json!(0)));
    lay(&mut ann, "i10", 2).await;
    bob.until(|state| phase(state) == "choose" && cells(state)[2] == "i10").await;
    assert_eq!(phase(&bob.act("more").await), "lay");
    lay(&mut bob, "a1", 3).await;
    assert_eq!(phase(&bob.act("undo").await), "lay");
    assert_eq!(phase(&bob.act("undo").await), "choose", "the choice itself is taken back");
}

#[tokio::test]
async fn an_opening_survives_a_restart_and_costs_no_time() {
    let house = House::open().await;
    let control = json!({"control": {"per_move_ms": 1000}});
    let game = set_up(&house, ["human", "human"], control).await;
    let (mut guest, _) = house.own(&game).await;
    lay(&mut guest, "h8 h9 h10", 0).await;
    let state = guest.act("more").await;
    assert_eq!(state["running"], false);
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let house = house.reopen().await;
    let (mut guest, again) = house.own(&game).await;
    assert_eq!((&again["opening"], over(&again)), (&state["opening"], false));
    let state = lay(&mut guest, "a1 b1", 3).await;
    assert_eq!((&state["times"], &state["running"]), (&json!([null, null, null, null, null]), &json!(false)));
    let state = guest.act("take").await;
    assert_eq!((phase(&state), &state["running"]), ("none", &json!(true)));
    assert_eq!(guest.until(over).await["verdict"]["ending"], "timeout", "now the clock runs");
}

#[tokio::test]
async fn an_engine_chooses() {
    let house = House::open().await;
    for (says, plies, you, tag, stones) in [("says swap", 3, "white", "swapped", 3), ("says a1", 4, "black", "kept", 4)]
    {
        let game = set_up(&house, ["human", says], json!({})).await;
        let (mut guest, _) = house.own(&game).await;
        lay(&mut guest, "h8 h9 h10", 0).await;
        let state = guest.until(|state| state["opening"].is_null()).await;
        assert_eq!((cells(&state).len(), &state["you"], &state["to_move"]), (plies, &json!([you]), &json!(you)));
        assert_eq!(written(&house, &game).await, (json!(tag), json!(stones)));
        lay(&mut guest, "c3", plies).await;
        guest.plies(plies + 2).await;
    }
    let game = set_up(&house, ["human", "says more a1 b1"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    lay(&mut guest, "h8 h9 h10", 0).await;
    assert_eq!(phase(&guest.plies(5).await), "choose");
    assert!(guest.refused(json!({"type": "undo"})).await.contains("not yours"));
    guest.send(json!({"type": "take"})).await;
    let state = guest.plies(6).await;
    assert_eq!((cells(&state)[5].as_str(), &state["you"]), ("a15", &json!(["black"])), "the engine is White");
}

#[tokio::test]
async fn an_engine_opens() {
    let house = House::open().await;
    let game = set_up(&house, ["says swap", "human"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    let state = guest.until(|state| phase(state) == "choose").await;
    assert_eq!((cells(&state), &state["you"]), (vec!["h8".into(), "h9".into(), "h10".into()], &json!(["white"])));
    assert!(guest.refused(json!({"type": "undo"})).await.contains("not yours"));
    guest.act("more").await;
    lay(&mut guest, "a1 b1", 3).await;
    let state = guest.until(|state| state["opening"].is_null()).await;
    assert_eq!((phase(&state), &state["you"]), ("none", &json!(["white"])), "it takes Black, which it was called");
    let game = set_up(&house, ["says swap", "human"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    guest.until(|state| phase(state) == "choose").await;
    guest.send(json!({"type": "take"})).await;
    let state = guest.plies(4).await;
    assert_eq!((cells(&state)[3].as_str(), &state["you"]), ("a15", &json!(["black"])), "the engine is White");
}

#[tokio::test]
async fn our_engines_find_sides_and_play_on() {
    let house = House::open().await;
    for game in ["gomoku+swap2", "renju:13+swap2", "renju+taraguchi10", "standard+soosyrv8", "connect6+swap"] {
        let game = house.set_up(game, ["greedy", "uct@nodes=50"], json!({})).await;
        let (mut guest, _) = house.sit(&game, "", false).await;
        guest.until(|state| state["opening"].is_null() && cells(state).len() > 7).await;
        let (tag, stones) = written(&house, &game).await;
        assert!(["kept", "swapped"].contains(&tag.as_str().unwrap()) && (3..=7).contains(&stones.as_u64().unwrap()));
    }
}

#[tokio::test]
async fn a_player_that_cannot_keeps_its_side_and_a_bad_stone_loses() {
    let house = House::open().await;
    let game = set_up(&house, ["human", "slow"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    lay(&mut guest, "h8 h9 h10", 0).await;
    let state = guest.until(|state| state["opening"].is_null()).await;
    assert_eq!((&state["to_move"], &state["you"]), (&json!("white"), &json!(["black"])));
    assert_eq!(written(&house, &game).await, (Value::Null, json!(3)));
    let game = set_up(&house, ["human", "says h8"], json!({})).await;
    let (mut guest, _) = house.own(&game).await;
    lay(&mut guest, "h8 h9 h10", 0).await;
    let state = guest.until(over).await;
    assert_eq!((&state["verdict"]["outcome"], &state["opening"]), (&json!("black"), &Value::Null));
}

#[tokio::test]
async fn in_a_series_the_opener_changes() {
    let house = House::open().await;
    let (_, mut ann, mut bob) = two_people(&house, Some(3)).await;
    lay(&mut ann, "h8 h9 h10", 0).await;
    bob.plies(3).await;
    bob.act("take").await;
    let state = bob.act("resign").await;
    assert_eq!((names(&state), &state["series"]["wins"]), (["Bob", "Ann"], &json!([0, 1])));
    let state = bob.act("next").await;
    assert_eq!((phase(&state), names(&state)), ("lay", ["Bob", "Ann"]));
    assert_eq!(state["series"]["wins"], json!([0, 1]), "the wins stay with who has won");
}

#[tokio::test]
async fn only_games_that_have_a_rule_begin_by_it() {
    let house = House::open().await;
    let people = json!([{"player": "human"}, {"player": "human"}]);
    for (game, english, chinese) in [
        ("connect6+swap2", "swap2 is for games with one stone a turn", "每手一子"),
        ("connect4+rif", "rif is for gomoku, standard and renju", "边长为奇数"),
        ("renju+tara", "there is no opening rule 'tara'", "没有名为“tara”的开局规则"),
    ] {
        let (status, words) = house.post("/api/games", &json!({"game": game, "sides": people})).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert!(
            words["en"].as_str().unwrap().contains(english) && words["zh"].as_str().unwrap().contains(chinese),
            "{words}"
        );
    }
    let (_, board) = house.get("/api/rules?game=connect6").await;
    assert_eq!(board["openings"], json!(["none", "pie", "swap"]));
}

#[tokio::test]
async fn a_game_of_soosyrv_8_in_two_places() {
    let house = House::open().await;
    let sides = ["Ann", "Bob"].map(|name| json!({"player": "human", "name": name}));
    let game = house.set_up("renju+soosyrv8", ["human", "human"], json!({"sides": sides})).await;
    let (mut ann, _) = house.sit(&game, &game.tokens[0], true).await;
    let (mut bob, _) = house.sit(&game, &game.tokens[1], false).await;
    assert!(ann.refused(json!({"type": "place", "cell": "a1"})).await.contains("belongs in the centre"));
    let state = lay(&mut ann, "h8 h9 i9", 0).await;
    assert_eq!(wanted(&state), ("choose", "white", 1));
    bob.plies(3).await;
    let state = bob.act("take").await;
    assert_eq!(names(&state), ["Bob", "Ann"]);
    ann.until(|state| names(state) == ["Bob", "Ann"]).await;
    let state = lay(&mut ann, "a15", 3).await;
    assert_eq!((phase(&state), &state["opening"]["most"]), ("count", &json!(8)));
    assert!(ann.refused(json!({"type": "declare", "count": 9})).await.contains("must be 1 to 8"));
    ann.send(json!({"type": "declare", "count": 2})).await;
    bob.until(|state| phase(state) == "fifths").await;
    bob.place("g7").await;
    let state = bob.until(|state| state["opening"]["offered"] == json!(["g7"])).await;
    assert_eq!((&state["opening"]["left"], &state["opening"]["swap"]), (&json!(1), &Value::Null));
    bob.place("g9").await;
    let state = ann.until(|state| phase(state) == "pick").await;
    assert_eq!(state["opening"]["offered"], json!(["g7", "g9"]));
    let house = house.reopen().await;
    let (mut ann, again) = house.sit(&game, &game.tokens[0], true).await;
    assert_eq!(again["opening"], state["opening"], "an opening survives a restart");
    assert!(ann.refused(json!({"type": "place", "cell": "a1"})).await.contains("only an offered fifth move"));
    let state = lay(&mut ann, "g9", 4).await;
    assert_eq!((phase(&state), &state["to_move"], &state["you"]), ("none", &json!("white"), &json!(["white"])));
    assert_eq!(written(&house, &game).await, (json!("swapped"), json!(5)));
}
