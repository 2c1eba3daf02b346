//! Engines that know everything, or nothing, in openings of every rule.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

use std::time::Duration;

use lianzi_core::{Act, Cell, Negotiation, OpeningRule, Position, Random, Stone};
use lianzi_engine::{Best, Clock, Info, Limits, Line, Options, Stop, catalog};
use lianzi_game::negotiate::{choose, part_of};

/// What a line is worth; a proof is worth most.
fn value(line: &Line) -> i32 {
    line.win_in.map_or(line.score, |plies| 1_000_000 * plies.signum())
}

/// Says what each cell is worth to the side to move.
type Oracle<'a> = &'a dyn Fn(&Position, Cell) -> Line;

fn score(score: i32) -> Line {
    Line { score, ..Line::default() }
}

/// An engine that believes the oracle.
fn knows(position: &Position, lines: usize, oracle: Oracle<'_>) -> Best {
    let line = |cell| Line { cells: vec![cell], ..oracle(position, cell) };
    let mut all: Vec<Line> = position.legal().map(line).collect();
    all.sort_by_key(|line| -value(line));
    all.truncate(lines.max(1));
    Best { turn: all[0].cells.clone(), info: Info { lines: all, ..Info::default() } }
}

fn begun(game: &str, acts: &str) -> Negotiation {
    let (game, rule) = game.split_once('+').unwrap();
    let acts: Vec<Act> = acts.split_whitespace().map(|act| act.parse().unwrap()).collect();
    Negotiation::after(rule.parse().unwrap(), game.parse().unwrap(), &acts).unwrap()
}

fn words(acts: &[Act]) -> String {
    acts.iter().map(Act::to_string).collect::<Vec<_>>().join(" ")
}

/// What an engine that believes the oracle does.
fn does(game: &str, acts: &str, oracle: Oracle<'_>) -> String {
    let so_far = begun(game, acts);
    let acts = choose(&so_far, 1, &mut |position, lines, _| Some(knows(position, lines, oracle))).unwrap();
    let mut after = so_far.clone();
    acts.iter().for_each(|&act| after.act(act).unwrap());
    words(&acts)
}

fn at(name: &str) -> Cell {
    name.parse().unwrap()
}

#[test]
fn sides_go_by_the_score_of_the_side_to_move() {
    let ahead = |score_of_white: i32| {
        move |position: &Position, _: Cell| {
            score(if position.to_move() == Stone::White { score_of_white } else { -score_of_white })
        }
    };
    for game in ["gomoku+swap2", "gomoku+swap"] {
        assert_eq!(does(game, "h8 h9 i9", &ahead(-50)), "swap");
        assert_ne!(does(game, "h8 h9 i9", &ahead(50)), "swap");
    }
    assert_eq!(does("gomoku+swap2", "h8 h9 i9 more a1 b1", &ahead(-50)), "swap");
    // In Connect6 it is Black's turn after three stones.
    assert_eq!(does("connect6+swap", "j10 j11 k10", &ahead(50)), "swap");
    assert_ne!(does("connect6+swap", "j10 j11 k10", &ahead(-50)), "swap");
    assert_eq!(does("renju+rif", "h8 h9 i9", &ahead(-50)), "swap");
    assert_eq!(does("renju+soosyrv8", "h8 h9 i9 a1 2", &ahead(50)), "swap", "now Black is to move");
}

#[test]
fn fifth_moves_are_judged_by_the_worst_of_them() {
    // Black's fifth moves on the seventh row are worth 30, 20, 10, 0 … from the left; all others nothing good.
    let fifths = |position: &Position, cell: Cell| match (position.to_move(), cell.row) {
        (Stone::Black, 6) => score(30 - 10 * i32::from(cell.column)),
        (Stone::Black, _) => score(-500),
        // Whatever the fifth was, White knows it.
        (Stone::White, _) => match position.plies().get(4) {
            Some(fifth) => score(10 * i32::from(fifth.cell.column) - 30),
            None => score(-i32::from(cell.row)),
        },
    };
    assert_eq!(does("renju+rif", "h8 h9 i9 a15", &fifths), "a7 b7");
    assert_eq!(does("renju+yamaguchi", "h8 h9 i9 3 a15", &fifths), "a7 b7 c7");
    assert_eq!(does("renju+yamaguchi", "h8 h9 i9 3 a15 a7 b7 c7", &fifths), "c7", "White takes the worst for Black");
    assert_eq!(does("renju+soosyrv8", "h8 h9 i9 a15", &fifths), "4", "the fourth of them is even");
    assert_eq!(does("renju+soosyrv8", "h8 h9 i9 a15 5", &fifths), "swap", "the fifth is bad for Black");
    assert_ne!(does("renju+soosyrv8", "h8 h9 i9 a15 3", &fifths), "swap");
    // The stone and its number are found together.
    assert!(does("renju+soosyrv8", "h8 h9 i9 swap", &fifths).ends_with(" 4"));
    // White, to lay the fourth stone, looks at the second of two fifth moves: it is good for Black.
    assert_eq!(does("renju+rif", "h8 h9 i9", &fifths), "swap");
    assert_ne!(does("renju+yamaguchi", "h8 h9 i9 9", &fifths), "swap", "the ninth is not");
    // Yamaguchi's openings are even with Black a little ahead.
    assert_eq!(does("renju+yamaguchi", "h8 h9 i9", &fifths), "2");
}

#[test]
fn white_lays_the_fourth_stone_against_the_last_fifth_move() {
    // After o15 Black has one brilliant fifth move and no second; after any other cell all are fair.
    let oracle = |position: &Position, cell: Cell| match (position.to_move(), position.plies().len()) {
        (Stone::White, 3) => score(if cell == at("o15") { -90 } else { -100 - i32::from(cell.column + cell.row) }),
        (_, 4) if position.stone(at("o15")).is_some() => score(if cell == at("a1") { 900 } else { -300 }),
        (_, 4) => score(40),
        (_, 5) if position.stone(at("o15")).is_some() => {
            score(if position.stone(at("a1")).is_some() { -900 } else { 300 })
        }
        _ => score(-40),
    };
    assert_eq!(does("renju+rif", "h8 h9 i9", &oracle), "o15");
    assert_eq!(does("renju+yamaguchi", "h8 h9 i9 1", &oracle), "swap", "with one fifth move Black is ahead anyway");
}

#[test]
fn ten_fifth_moves_are_offered_if_all_are_good() {
    let oracle = |most: i32| {
        move |position: &Position, cell: Cell| match position.plies().get(4) {
            Some(fifth) => score(10 * i32::from(fifth.cell.column) - most),
            None => score(most - 10 * i32::from(cell.column)),
        }
    };
    let acts = "h8 h9 i9 g9";
    // Fifteen cells of the first column are worth as much as each other.
    let ten = does("renju+taraguchi10", acts, &oracle(45));
    assert!(ten.starts_with("more a") && ten.split(' ').count() == 11, "{ten}");
    assert_eq!(does("renju+taraguchi10", acts, &oracle(-5)), "swap");
}

#[test]
fn what_is_won_is_not_offered() {
    // Everything is proven, but for openings with a stone on the sixth column.
    let oracle = |position: &Position, _: Cell| {
        let even = position.plies().iter().any(|ply| ply.cell.column == 5);
        if even { score(700) } else { Line { win_in: Some(9), ..score(0) } }
    };
    for game in ["gomoku+swap", "renju+sakata", "renju+soosyrv8"] {
        let stones = does(game, "", &oracle);
        assert!(stones.contains('f'), "{game}: {stones}");
    }
}

#[test]
fn who_cannot_tell_lays_two_more() {
    // A short look and a long one disagree; after two more stones everything is even.
    let told = |more: bool, lead: i32, parts: &mut Vec<f64>| {
        let so_far = begun("gomoku+swap2", if more { "h8 h9 i9 more a1 b1" } else { "h8 h9 i9" });
        let stones = so_far.position().plies().len();
        let acts = choose(&so_far, 1, &mut |position, lines, part| {
            parts.push(part);
            let hasty = if part < 0.2 { -60 } else { lead };
            let here = position.plies().len() == stones;
            Some(knows(position, lines, &move |_, _| score(if here { hasty } else { 3 })))
        });
        words(&acts.unwrap())
    };
    let mut parts = Vec::new();
    let two = told(false, 0, &mut parts);
    assert!(two.starts_with("more ") && two.split(' ').count() == 3, "{two}");
    assert!(parts.iter().sum::<f64>() <= 1.0 + 1e-9, "an answer takes no more than it has: {parts:?}");
    assert_eq!(told(false, -90, &mut parts), "swap", "now it is sure enough");
    assert!(!told(false, 300, &mut parts).starts_with("more"), "and now, although a short look was misled");
    assert!(!told(true, 0, &mut parts).starts_with("more"), "and only once");
}

#[test]
fn an_answer_has_many_turns_nodes_but_no_more_than_its_time() {
    let turn = Limits { nodes: Some(1000), ..Limits::default() };
    assert_eq!(part_of(&turn, 0.5), Limits { nodes: Some(16_000), ..Limits::default() });
    let second = Duration::from_secs(1);
    let time = |limits: Limits| part_of(&limits, 1.0).move_time.unwrap();
    assert!(time(Limits { move_time: Some(second), ..Limits::default() }) < second);
    let clock = |left| Limits { clock: Some(Clock { left, increment: Duration::ZERO }), ..Limits::default() };
    assert_eq!(time(clock(second * 16)), second);
    let most = second * 5;
    assert_eq!((time(clock(second * 6000)), time(Limits::default())), (most, most));
    assert_eq!(part_of(&Limits { depth: Some(5), ..Limits::default() }, 0.1).move_time, None);
}

/// Of all answers to openings with one side clearly ahead, how many take that side.
fn right(level: &str, openings: &[(Negotiation, bool)]) -> usize {
    let given = [("level".to_string(), level.to_string())].into();
    let rules = *openings[0].0.position().rules();
    let mut engine = catalog::engine("strong", &rules, &Options { given, ..Options::default() }).unwrap();
    let turn = Limits { nodes: Some(2_000), ..Limits::default() };
    let right = openings.iter().enumerate().filter(|(n, (so_far, swaps))| {
        engine.begin(*n as u64);
        let mut think = |position: &Position, lines, part| {
            let limits = Limits { lines, ..part_of(&turn, part) };
            Some(engine.search(position, &limits, &Stop::default(), &mut |_| {}))
        };
        (choose(so_far, 1, &mut think).unwrap() == [Act::Swap]) == *swaps
    });
    right.count()
}

#[test]
fn lower_levels_choose_the_worse_side_more_often_than_the_highest() {
    let rules = "gomoku".parse().unwrap();
    let mut engine = catalog::engine("strong", &rules, &Options::default()).unwrap();
    let mut random = Random::new(3);
    let mut openings = Vec::new();
    while openings.len() < 40 {
        let mut so_far = Negotiation::new(OpeningRule::Swap, rules).unwrap();
        for _ in 0..3 {
            let _ = so_far.act(Act::Place(Cell::new(4 + random.below(7) as u8, 4 + random.below(7) as u8)));
        }
        if so_far.position().plies().len() < 3 {
            continue;
        }
        let limits = Limits { nodes: Some(30_000), ..Limits::default() };
        let best = engine.search(so_far.position(), &limits, &Stop::default(), &mut |_| {});
        let value = value(&best.info.lines[0]);
        if (25..300).contains(&value.abs()) {
            openings.push((so_far, value < 0));
        }
    }
    let of = |levels: [&str; 3]| levels.map(|level| right(level, &openings)).iter().sum::<usize>();
    let [low, middle, high] = [of(["1", "2", "3"]), of(["5", "6", "7"]), 3 * right("10", &openings)];
    assert!(low < high && middle < high, "{low} {middle} {high} of {}", 3 * openings.len());
}
