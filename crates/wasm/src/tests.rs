use super::*;
use std::cell::RefCell;

thread_local! {
    /// What searches told on this thread; a page's module is told by a bare function, too.
    static TOLD: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn module() -> Module {
    Module::new(|text| TOLD.with_borrow_mut(|told| told.push(text.into())))
}

fn ask(module: &mut Module, request: Value) -> Value {
    serde_json::from_str(&module.answer(&request.to_string())).unwrap()
}

/// Makes a game and opens it: its name and what is to be done.
fn open(module: &mut Module, new: Value) -> (String, Value) {
    let game = ask(module, json!({"do": "new", "new": new.to_string()}));
    let id = game["entry"]["id"].as_str().unwrap_or_else(|| panic!("{game}")).to_string();
    let (created, record, saved) = (&game["entry"]["created"], &game["record"], &game["saved"]);
    let news = ask(module, json!({"do": "open", "id": id, "created": created, "record": record, "saved": saved}));
    (id, news)
}

fn say(module: &mut Module, id: &str, message: Value) -> Value {
    ask(module, json!({"do": "say", "id": id, "message": message.to_string()}))
}

/// Sees to the errand in these news, and lets the game hear the answer.
fn see_to(module: &mut Module, id: &str, news: &Value) -> Value {
    let errand = &news["errand"];
    assert_eq!(errand["number"], news["asked"], "{news}");
    let begun = ask(module, json!({"do": "begun", "id": id, "number": errand["number"]}));
    assert_eq!(begun["asked"], news["asked"]);
    let word = ask(module, json!({"do": "errand", "errand": errand}))["word"].clone();
    ask(module, json!({"do": "word", "id": id, "word": word}))
}

fn against(engine: &str, game: &str) -> Value {
    json!({"game": game, "sides": [{"player": "human"}, {"player": engine}], "control": {}, "instant": true})
}

#[test]
fn a_game_is_played_as_on_a_server_and_kept_after_every_stone() {
    let mut module = module();
    let (id, news) = open(&mut module, against("strong@level=2,nodes=50", "gomoku"));
    assert_eq!((&news["told"][0]["you"], &news["told"][0]["owner"]), (&json!(["black"]), &json!(true)));
    let news = say(&mut module, &id, json!({"type": "place", "cell": "h8", "ply": 0}));
    assert_eq!(news["told"][0]["moves"], json!(["h8"]));
    assert_eq!(news["store"]["entry"]["plies"], 1);
    let news = see_to(&mut module, &id, &news);
    assert_eq!(news["told"][0]["moves"].as_array().map(Vec::len), Some(2), "{news}");
    // What was kept opens again as it was.
    let kept = news["store"].clone();
    let closed = ask(&mut module, json!({"do": "close", "id": id}));
    assert_eq!(closed["store"]["entry"]["plies"], 2);
    let (record, saved) = (&kept["record"], &kept["saved"]);
    let news = ask(&mut module, json!({"do": "open", "id": id, "created": 1, "record": record, "saved": saved}));
    assert_eq!(news["told"][0]["moves"].as_array().map(Vec::len), Some(2));
    assert_eq!(news["told"][0]["sides"][1]["player"], "strong@level=2,nodes=50");
}

#[test]
fn an_answer_that_was_taken_back_is_not_heard() {
    let mut module = module();
    let (id, _) = open(&mut module, against("greedy", "gomoku"));
    let asked = say(&mut module, &id, json!({"type": "place", "cell": "h8"}));
    let undone = say(&mut module, &id, json!({"type": "undo"}));
    assert_eq!((&undone["asked"], &undone["told"][0]["moves"]), (&Value::Null, &json!([])));
    let word = ask(&mut module, json!({"do": "errand", "errand": asked["errand"]}))["word"].clone();
    let news = ask(&mut module, json!({"do": "word", "id": id, "word": word}));
    assert_eq!(news["told"], json!([]), "{news}");
    let failed = say(&mut module, &id, json!({"type": "place", "cell": "h8"}));
    let word = json!({"number": failed["asked"], "taken": {"secs": 0, "nanos": 0}, "says": {"fails": "gone"}});
    let news = ask(&mut module, json!({"do": "word", "id": id, "word": word}));
    assert_eq!(news["told"][0]["verdict"]["ending"], "crashed", "{news}");
}

#[test]
fn every_game_is_played_to_its_end_by_two_engines() {
    for game in ["gomoku", "standard", "renju", "connect6", "connect4"] {
        let mut module = module();
        let engine = json!({"player": "greedy"});
        let (id, mut news) = open(&mut module, json!({"game": game, "sides": [engine, engine]}));
        while news["asked"] != Value::Null {
            news = see_to(&mut module, &id, &news);
        }
        assert_ne!(news["told"][0]["verdict"]["ending"], "unfinished", "{game}: {news}");
    }
}

#[test]
fn swap2_with_an_engine_elsewhere() {
    let mut module = module();
    let sides = [json!({"player": "strong@nodes=200"}), json!({"player": "human"})];
    let (id, news) = open(&mut module, json!({"game": "gomoku+swap2", "sides": sides, "instant": true}));
    let news = see_to(&mut module, &id, &news);
    assert_eq!(
        (&news["told"][0]["opening"]["swap"], &news["told"][0]["opening"]["by"]),
        (&json!("black"), &json!("white")),
        "{news}"
    );
    let news = say(&mut module, &id, json!({"type": "take"}));
    assert_eq!(news["told"][0]["you"], json!(["black"]), "{news}");
    let news = see_to(&mut module, &id, &news);
    assert_eq!(news["told"][0]["moves"].as_array().map(Vec::len), Some(4), "{news}");
}

#[test]
fn what_was_played_from_a_position_is_found_in_records() {
    let record = |moves: &str| {
        let moves: Vec<Value> = moves.split(' ').map(|cell| json!({"cell": cell})).collect();
        json!({"format": "lianzi-game", "version": 1, "game": "renju+rif", "moves": moves}).to_string()
    };
    let records = [record("h8 h9 i9 g7"), record("h8 g8 g7 i9"), record("h8 h9 h10"), "no record".into()];
    let asked = json!({"do": "explore", "game": "renju", "moves": "h8 h9 i9", "records": records});
    let found = ask(&mut module(), asked);
    assert_eq!((&found["looked"], &found["total"]["games"]), (&json!(4), &json!(2)), "{found}");
    assert_eq!((&found["moves"][0]["cell"], &found["moves"][0]["games"]), (&json!("g7"), &json!(2)), "{found}");
    assert_eq!(found["moves"][0]["alike"], json!(["g7"]));
    assert!(found["named"]["en"].as_str().is_some_and(|name| name.contains("Kagetsu")), "{found}");
}

#[test]
fn a_finished_game_stays_when_its_board_is_cleared() {
    let mut module = module();
    let people = json!({"player": "human"});
    let (id, _) = open(&mut module, json!({"game": "connect4", "sides": [people, people], "series": 3}));
    for column in ["a", "b", "a", "b", "a", "b", "a"] {
        say(&mut module, &id, json!({"type": "place", "cell": column}));
    }
    let next = say(&mut module, &id, json!({"type": "next"}));
    assert_eq!(next["archived"]["entry"]["outcome"], "black");
    assert_eq!(next["told"][0]["before"], next["archived"]["entry"]["id"]);
    assert_eq!(next["told"][0]["series"]["wins"], json!([0, 1]), "the winner plays White now");
}

#[test]
fn hints_and_analyses_are_told_while_they_last() {
    let mut module = module();
    let (id, _) = open(&mut module, against("greedy", "connect4"));
    let think = say(&mut module, &id, json!({"type": "hint"}))["think"].clone();
    assert_eq!(think["do"], "hint");
    assert_eq!(ask(&mut module, think), json!({"done": true}));
    let told = TOLD.with_borrow_mut(std::mem::take);
    assert!(told.iter().any(|text| text.contains("\"type\":\"hint\"")), "{told:?}");
    let rest = say(&mut module, &id, json!({"type": "analyse", "moves": null}));
    assert_eq!(rest["think"]["do"], "rest");
    // A position that is over is told at once.
    let won = ["a1", "b1", "a2", "b2", "a3", "b3", "a4"];
    let think = say(&mut module, &id, json!({"type": "analyse", "moves": won, "lines": 7}))["think"].clone();
    assert_eq!(ask(&mut module, think), json!({"done": true}));
    let told = TOLD.with_borrow_mut(std::mem::take);
    assert!(told.len() == 1 && told[0].contains("\"done\":true"), "{told:?}");
}

#[test]
fn a_review_goes_through_the_whole_game_and_a_turn_can_be_tried() {
    let mut module = module();
    let people = json!({"player": "human"});
    let (id, _) = open(&mut module, json!({"game": "connect4:4x4", "sides": [people, people]}));
    for column in ["a", "b", "a"] {
        say(&mut module, &id, json!({"type": "place", "cell": column}));
    }
    let think = say(&mut module, &id, json!({"type": "review"}))["think"].clone();
    assert_eq!(ask(&mut module, think), json!({"done": true}));
    let told = TOLD.with_borrow_mut(std::mem::take);
    let last: Value = serde_json::from_str(told.last().unwrap()).unwrap();
    assert_eq!((&last["type"], &last["done"]), (&json!("review"), &json!(true)), "{last}");
    assert_eq!(last["plies"].as_array().map(Vec::len), Some(3), "{last}");
    let try_it = json!({"type": "try", "moves": ["a1"], "turn": ["b1"]});
    let think = say(&mut module, &id, try_it)["think"].clone();
    assert_eq!(ask(&mut module, think), json!({"done": true}));
    let told = TOLD.with_borrow_mut(std::mem::take);
    assert!(told.iter().any(|text| text.contains("\"type\":\"tried\"")), "{told:?}");
}

#[test]
fn what_is_not_solved_says_why() {
    let solve = |game, nodes| ask(&mut module(), json!({"do": "solve", "game": game, "moves": [], "nodes": nodes}));
    let [won, open, cut] =
        [("connect4", 1), ("gomoku", 100), ("connect4:8x8", 1)].map(|(game, nodes)| solve(game, nodes));
    assert_eq!((&won["result"], &won["why"]), (&json!("win"), &Value::Null));
    assert_eq!((&open["result"], &open["why"]), (&json!("unknown"), &json!("exhausted")));
    assert_eq!((&cut["result"], &cut["why"]), (&json!("unknown"), &json!("budget")));
}

#[test]
fn a_solver_has_the_table_that_the_device_gives() {
    let request = json!({"do": "solve", "game": "connect4:6x5", "moves": [], "nodes": 2_000_000});
    let nodes = |table: Option<usize>| {
        let mut request = request.clone();
        request["table"] = json!(table);
        ask(&mut module(), request)["nodes"].as_u64()
    };
    // What does not fit is looked at again.
    assert!(nodes(Some(1)) > nodes(None));
}

#[test]
fn what_a_page_may_not_ask_is_refused_in_words() {
    let mut module = module();
    for bad in [
        against("strong@threads=8", "gomoku"),
        against("strong@weights=x", "gomoku"),
        against("solver", "connect6"),
        against("nobody", "gomoku"),
        against("greedy", "chess"),
        json!({"game": "gomoku"}),
    ] {
        let answer = ask(&mut module, json!({"do": "new", "new": bad.to_string()}));
        assert!(answer["refused"]["zh"].is_string(), "{bad}: {answer}");
    }
    assert_eq!(ask(&mut module, json!({"do": "say", "id": "x", "message": "{}"}))["refused"]["status"], 400);
    assert_eq!(ask(&mut module, json!({"nonsense": 1}))["refused"]["status"], 400);
}

#[test]
fn a_page_is_offered_every_engine() {
    let info = ask(&mut module(), json!({"do": "info"}));
    let strong = info["players"].as_array().unwrap().iter().find(|player| player["player"] == "strong").unwrap();
    assert_eq!((&strong["levels"], strong["games"].as_array().map(Vec::len)), (&json!(10), Some(5)));
}

#[test]
fn a_page_without_a_server_trains_too() {
    let mut module = module();
    let when = json!({"ms": 0, "day": "2026-11-17"});
    let daily = ask(&mut module, json!({"do": "train_daily", "when": when}));
    let line = daily["puzzle"]["line"].as_str().unwrap_or_else(|| panic!("{daily}"));
    let hint = ask(&mut module, json!({"do": "train_hint", "puzzle": line, "moves": [], "step": 3}));
    let played = ask(&mut module, json!({"do": "train_play", "puzzle": line, "moves": [], "turn": hint["cells"]}));
    assert_ne!(played["verdict"], "wrong", "{played}");
    let finish = json!({"do": "train_finish", "progress": null, "when": when, "puzzle": line, "result": "solved"});
    let done = ask(&mut module, finish);
    assert_eq!((&done["summary"]["daily"], &done["again"]), (&json!(true), &Value::Null));
    assert!(done["change"].as_i64() > Some(0));
    let refused = ask(&mut module, json!({"do": "train_puzzle", "id": "nothing"}));
    assert_eq!(refused["refused"]["status"], 400);
}

/// The names of all requests of a sort, as the error tells them to who asks for something else.
fn names<R: serde::de::DeserializeOwned>() -> Vec<String> {
    let error = serde_json::from_value::<R>(json!({"?": {}})).err().map(|error| error.to_string());
    let words = error.unwrap_or_default();
    words.split('`').skip(3).step_by(2).map(str::to_string).collect()
}

/// The names that an interface of the page's types has.
fn declared(source: &str, interface: &str) -> Vec<String> {
    let body = source.split(interface).nth(1).and_then(|rest| rest.split("\n}").next()).unwrap_or_default();
    let names = body.lines().filter_map(|line| line.strip_prefix("  ")?.split_once(": [")).map(|(name, _)| name);
    names.filter(|name| !name.contains(' ')).map(str::to_string).collect()
}

#[test]
fn the_page_has_a_type_for_every_request_and_for_no_other() {
    let (requests, types) =
        (include_str!("../../../web/js/local/requests.d.ts"), include_str!("../../../web/js/types.d.ts"));
    let mut here = [names::<ask::Request>(), names::<table::Request>(), names::<think::Request>()].concat();
    here.extend(names::<train::Request>());
    let mut there = declared(requests, "interface Requests extends TrainRequests {");
    there.extend(declared(types, "interface TrainRequests {"));
    here.sort();
    there.sort();
    assert_eq!(here, there);
    assert!(here.len() > 30, "{here:?}");
}
