use lianzi_core::record::{GameRecord, Move};
use lianzi_core::{Cell, Ending, Game, IllegalMove, Limit, Outcome, Stone, Verdict};
use serde_json::Value;

use super::*;
use crate::statistics::Sprt;
use crate::{Entrant, GameId};

const HOSTILE: &str = "</script><img src=x onerror=alert(1)><!--";

fn contest(names: &[&str]) -> Contest {
    let entrant = |name: &str| Entrant { name: name.into(), spec: "greedy".into() };
    let game: Game = "connect4".parse().unwrap();
    let mut contest = Contest::of_two(game, [entrant(""), entrant("")], 2);
    contest.players = names.iter().map(|name| entrant(name)).collect();
    contest
}

/// A game of Connect Four: these moves, with these times after an opening of two stones.
fn game(n: usize, seats: [usize; 2], moves: &str, times: &[u64], verdict: Verdict) -> (Fixture, GameRecord) {
    let mut record = GameRecord::new("connect4".parse().unwrap());
    record.moves = moves.split_whitespace().map(|name| Move::from(name.parse::<Cell>().unwrap())).collect();
    record.opening = 2;
    for (played, &time) in record.moves.iter_mut().skip(2).zip(times) {
        played.time_ms = Some(time);
    }
    record.verdict = verdict;
    let id = GameId { encounter: 0, game: n };
    (Fixture { id, round: 0, seats, opening: n / 2 }, record)
}

/// Two pairs: the first player wins both games of the first, by a line and by a fault, then draws one; one is open.
fn games() -> Vec<(Fixture, GameRecord)> {
    let line = Verdict::by_stones(Outcome::Win(Stone::Black));
    let illegal = Ending::Illegal { at: "d1".into(), why: IllegalMove::Occupied };
    let draw = Verdict::by_stones(Outcome::Draw);
    vec![
        game(0, [0, 1], "d1 a1 e1 a2 f1 a3 g1", &[10, 1, 20, 2, 30], line),
        game(1, [1, 0], "d1 a1 e1 a2", &[3, 40], Verdict::fault(Stone::Black, illegal)),
        game(2, [0, 1], "c1 c2 c3", &[1000], draw),
        game(3, [1, 0], "c1 c2", &[], Verdict::UNFINISHED),
    ]
}

/// What the page's script finds.
fn data_of(page: &str) -> Value {
    let start = "<script type=\"application/json\" id=\"data\">";
    let after = page.split_once(start).unwrap().1;
    serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap()
}

fn page(names: &[&str], games: &[(Fixture, GameRecord)]) -> String {
    html(&Report::new("A match", &contest(names), &[], games))
}

#[test]
fn hostile_texts_stay_inert() {
    let mut games = games();
    games[1].1.verdict = Verdict::fault(Stone::Black, Ending::Crashed { how: HOSTILE.into() });
    games[1].1.sides[0].said = format!("< {HOSTILE}");
    games[1].1.comment = "/*script*/ /*data*/ /*style*/ <SCRIPT>".into();
    let contest = contest(&[HOSTILE, "b"]);
    let page = html(&Report::new(HOSTILE, &contest, &[], &games));
    let plain = self::page(&["a", "b"], &[]);
    for sign in ["</script", "<script", "<!--", "<img"] {
        assert_eq!(page.matches(sign).count(), plain.matches(sign).count(), "{sign}");
    }
    let data = data_of(&page);
    assert_eq!(data["title"], HOSTILE);
    assert_eq!(data["players"][0]["name"], HOSTILE);
    assert_eq!(data["games"][1]["verdict"]["how"], HOSTILE);
    assert_eq!(data["games"][1]["comment"], games[1].1.comment);
    assert_eq!(data["games"][1]["said"], games[1].1.sides[0].said, "what the one at fault said");
    assert_eq!(data["games"][0].get("said"), None);
    assert!(data["words"][1]["zh"].as_str().unwrap().contains(HOSTILE));
}

#[test]
fn the_script_never_parses_markup() {
    for risky in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "DOMParser"] {
        assert!(!script().contains(risky), "{risky}");
    }
}

#[test]
fn the_page_is_small_and_needs_nothing_else() {
    let page = page(&["a", "b"], &[]).replace("http://www.w3.org/2000/svg", "");
    for outside in ["http://", "https://", "src=", "<link", "@import", "url(/"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let own = PAGE.len() + STYLE.len() + script().len();
    assert!(own < 80_000, "{own}");
    for place in ["/*style*/", "/*script*/", "/*data*/"] {
        assert_eq!(PAGE.matches(place).count(), 1);
        assert!(!script().contains(place) && !STYLE.contains(place) && !page.contains(place));
    }
}

#[test]
fn boards_are_drawn_by_the_module_of_the_page() {
    let script = script();
    for known in ["function ground(", "function picture(", "function stonesAfter("] {
        assert_eq!(script.matches(known).count(), 1, "{known}");
    }
    assert!(!script.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
    let module =
        "import {\n  a,\n} from 'b';\n/** One. */\n/**\n * More.\n */\nexport const c = /** @type {d} */ (a);\n";
    assert_eq!(without_module(module), "const c = /** @type {d} */ (a);\n");
}

#[test]
fn games_are_written_small_but_whole() {
    let games = games();
    let data = data_of(&page(&["a", "b"], &games));
    let row = &data["games"][0];
    assert_eq!(row["moves"], "d1a1e1a2f1a3g1");
    assert_eq!(row["line"], "d1e1f1g1");
    assert_eq!(row["times"], serde_json::json!([null, null, 10, 1, 20, 2, 30]));
    assert_eq!(row["given"], 2);
    assert_eq!(data["words"][0]["en"], "Red wins with four in a row");
    assert_eq!(data["games"][3].get("times"), None, "what is unknown takes no room");
    assert_eq!(data["boards"].as_array().unwrap().len(), 1, "games share their board");
    assert_eq!(data["boards"][0]["drop"], true);
    assert_eq!(data["faults"], serde_json::json!([{ "player": 1, "game": 1, "ending": "illegal", "at": "d1" }]));
}

#[test]
fn a_fault_off_the_board_marks_no_cell() {
    let fault = |ending| game(0, [1, 0], "d1 a1", &[], Verdict::fault(Stone::White, ending));
    let off = Ending::Illegal { at: "z9".into(), why: IllegalMove::OffBoard };
    let games = [fault(off), fault(Ending::Timeout { limit: Limit::Game })];
    let contest = contest(&["a", "b"]);
    let report = Report::new("", &contest, &[], &games);
    let found: Vec<_> = report.faults.iter().map(|fault| (fault.player, fault.ending, fault.at)).collect();
    assert_eq!(found, [(0, "illegal", None), (0, "timeout", None)]);
}

#[test]
fn scores_are_counted_by_colour_and_opponent() {
    let games = games();
    let colours = colours(2, &games);
    assert_eq!(colours.first, Tally::new(1, 1, 1));
    assert_eq!(colours.players[0], [Tally::new(1, 1, 0), Tally::new(1, 0, 0)]);
    assert_eq!(colours.players[1], [Tally::new(0, 0, 1), Tally::new(0, 1, 1)]);
    let cross = cross_table(2, &games);
    assert_eq!(cross[0], [Tally::default(), Tally::new(2, 1, 0)]);
    assert_eq!(cross[1], [Tally::new(0, 1, 2), Tally::default()]);
}

#[test]
fn openings_keep_the_games_of_their_pair_in_order() {
    let mut games = games();
    games.swap(0, 1);
    let contest = contest(&["a", "b"]);
    let openings = Report::new("", &contest, &[], &games).openings;
    assert_eq!(openings.len(), 2);
    assert_eq!((openings[0].index, openings[0].stones.as_str()), (0, "d1a1"));
    assert_eq!(openings[0].games, [1, 0], "the order of the schedule, not of the end");
    assert_eq!(openings[0].black, Tally::new(1, 0, 1));
    assert_eq!((openings[1].stones.as_str(), openings[1].black), ("c1c2", Tally::new(0, 1, 0)));
}

#[test]
fn times_belong_to_the_side_that_moved() {
    let times = move_times(2, &games());
    assert_eq!(times[0], MoveTimes { turns: 5, mean: 220.0, p50: 30, p95: 1000, max: 1000 });
    assert_eq!(times[1], MoveTimes { turns: 3, mean: 2.0, p50: 2, p95: 3, max: 3 });
    assert_eq!(move_times(1, &[]), [MoveTimes::default()]);
}

#[test]
fn a_turn_of_two_stones_is_timed_once() {
    let mut record = GameRecord::new("connect6".parse().unwrap());
    record.moves = ["j10", "k10", "k11", "l10", "l11"].map(|name| Move::from(name.parse::<Cell>().unwrap())).into();
    for (n, time) in [(0, 5), (2, 7), (4, 9)] {
        record.moves[n].time_ms = Some(time);
    }
    let fixture = Fixture { id: GameId { encounter: 0, game: 0 }, round: 0, seats: [1, 0], opening: 0 };
    let times = move_times(2, &[(fixture, record)]);
    assert_eq!((times[0].turns, times[0].max), (1, 7));
    assert_eq!((times[1].turns, times[1].mean), (2, 7.0));
}

#[test]
fn a_match_of_two_has_its_evidence() {
    let mut contest = contest(&["a", "b"]);
    contest.sprt = Some(Sprt::new(0.0, 10.0));
    let games = games();
    let duel = duel(&contest, &games).unwrap();
    assert_eq!(duel.results.games, Tally::new(2, 1, 0));
    assert_eq!(duel.results.pairs, [0, 0, 0, 0, 1], "a pair with an open game is not full");
    let sprt = duel.sprt.unwrap();
    assert!(sprt.llr > 0.0 && sprt.lower < 0.0 && sprt.accepted.is_none());
    contest.players.push(Entrant { name: "c".into(), spec: "greedy".into() });
    assert_eq!(super::duel(&contest, &games), None);
}

#[test]
fn a_running_match_says_so_and_a_large_seed_survives() {
    let mut contest = contest(&["a", "b"]);
    contest.seed = u64::MAX;
    let report = Report::new("", &contest, &[], &[]).running(Some(40)).in_language(Language::Chinese);
    let data = data_of(&html(&report));
    assert_eq!((&data["finished"], &data["planned"]), (&Value::Bool(false), &Value::from(40)));
    assert_eq!(data["language"], "zh");
    assert_eq!(data["settings"]["seed"], u64::MAX.to_string());
    assert_eq!(data["settings"]["control"]["en"], "1 s a move");
}
