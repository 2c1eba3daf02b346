//! The player as the arena knows it.

use std::time::{Duration, Instant};

use lianzi_core::{Cell, Outcome, Position, Random, Rules, Stone};

use super::super::player::Player;
use crate::catalog::engine;
use crate::{Best, Engine, Limits, Options, Stop};

fn player(game: &str) -> Player {
    let mut options = Options::default();
    options.given.insert("hash".into(), "4".into());
    Player::from_options(&game.parse().unwrap(), &mut options).unwrap()
}

fn after(game: &str, moves: &str) -> Position {
    Position::after(game.parse().unwrap(), moves).unwrap()
}

fn ask(engine: &mut dyn Engine, position: &Position, nodes: u64, lines: usize) -> Best {
    let limits = Limits { nodes: Some(nodes), lines, ..Limits::default() };
    engine.search(position, &limits, &Stop::default(), &mut |_| {})
}

#[test]
fn it_plays_legal_games_to_the_end() {
    let mut random = Random::new(21);
    for game in
        ["gomoku", "gomoku:5", "gomoku:22", "gomoku:9/e5,e6", "standard", "renju", "renju:7", "connect:5,9,5,1,1"]
    {
        let rules: Rules = game.parse().unwrap();
        let mut player = player(game);
        let mut position = Position::new(rules);
        // Against random stones on one side, so that it sees positions it would not choose.
        while position.outcome().is_none() {
            let legal: Vec<Cell> = position.legal().collect();
            let Some(&stray) = random.choose(&legal) else { break };
            let cell = match position.to_move() {
                Stone::Black => ask(&mut player, &position, 300, 1).turn[0],
                Stone::White => stray,
            };
            position.play(cell).unwrap_or_else(|why| panic!("{game} {cell} {why:?} {:?}", position.plies()));
        }
        if rules.width >= 9 {
            assert_eq!(position.outcome(), Some(Outcome::Win(Stone::Black)), "{game}");
        }
    }
}

#[test]
fn it_wins_and_defends_at_once() {
    let mut player = player("gomoku");
    let win = after("gomoku", "h8 a1 i8 a3 j8 a5 k8 a7");
    let best = ask(&mut player, &win, 1000, 1);
    assert!(win.wins_at(best.turn[0], Stone::Black));
    assert_eq!(best.info.lines[0].win_in, Some(1));
    let block = after("gomoku", "h8 g8 i8 a3 j8 a5 k8");
    assert_eq!(ask(&mut player, &block, 1000, 1).turn, ["l8".parse().unwrap()]);
    let lost = after("gomoku", "h8 a1 i8 a3 j8 a5 k8");
    assert_eq!(ask(&mut player, &lost, 1000, 1).info.lines[0].win_in, Some(-2));
    let three = after("gomoku", "h8 a1 i8 a3 j8");
    let answer = ask(&mut player, &three, 5000, 1).turn[0].to_string();
    assert!(["f8", "g8", "k8", "l8"].contains(&answer.as_str()), "{answer}");
}

#[test]
fn the_same_question_has_the_same_answer() {
    let position = after("gomoku", "h8 i9 i11 h7");
    let [first, second] = [0, 1].map(|_| {
        let mut player = player("gomoku");
        player.begin(1);
        ask(&mut player, &position, 20_000, 1)
    });
    assert_eq!(first, second);
    assert!((20_000..20_010).contains(&first.info.nodes), "{}", first.info.nodes);
}

#[test]
fn several_lines_differ_and_are_in_order() {
    let position = after("gomoku", "h8 i9 i11 h7");
    let best = ask(&mut player("gomoku"), &position, 50_000, 5);
    let lines = &best.info.lines;
    assert_eq!(lines.len(), 5);
    assert!(lines.windows(2).all(|two| two[0].score >= two[1].score));
    let firsts: std::collections::BTreeSet<Cell> = lines.iter().map(|line| line.cells[0]).collect();
    assert_eq!((firsts.len(), best.turn[0]), (5, lines[0].cells[0]));
    // A line is played out by the referee.
    for line in lines {
        let mut position = position.clone();
        line.cells.iter().for_each(|&cell| position.play(cell).unwrap());
    }
}

#[test]
fn threads_and_clocks_are_kept() {
    let position = after("gomoku", "h8 i9 i11 h7");
    let given = [("threads", "2"), ("hash", "4")].map(|(key, value)| (key.into(), value.into())).into();
    let given = Options { given, ..Options::default() };
    let mut two = engine("strong", position.rules(), &given).unwrap();
    let start = Instant::now();
    let limits = Limits { move_time: Some(Duration::from_millis(300)), ..Limits::default() };
    let best = two.search(&position, &limits, &Stop::default(), &mut |_| {});
    assert!(position.check(best.turn[0]).is_ok() && best.info.nodes > 1000);
    assert!(start.elapsed() < Duration::from_secs(10));
    let stop = Stop::default();
    stop.set();
    let best = two.search(&position, &Limits::default(), &stop, &mut |_| {});
    assert!(position.check(best.turn[0]).is_ok());
}

#[test]
fn black_never_plays_a_foul() {
    let mut player = player("renju");
    let mut position = Position::new("renju".parse().unwrap());
    let mut random = Random::new(8);
    for _ in 0..8 {
        let legal: Vec<Cell> = position.legal().filter(|c| c.column.abs_diff(7) < 3 && c.row.abs_diff(7) < 3).collect();
        position.play(*random.choose(&legal).unwrap()).unwrap();
    }
    while position.outcome().is_none() {
        let best = ask(&mut player, &position, 2000, 1);
        position.play(best.turn[0]).unwrap();
    }
}
