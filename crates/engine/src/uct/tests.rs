use lianzi_core::{Cell, Random};

use super::*;

fn modern() -> Settings {
    Settings::modern(&mut Options::default()).unwrap()
}

fn played(game: &str, moves: &str) -> Position {
    Position::after(game.parse().unwrap(), moves).unwrap()
}

fn answer(uct: &mut Uct, position: &Position, nodes: u64) -> Best {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    uct.search(position, &limits, &Stop::default(), &mut |_| {})
}

fn names(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(Cell::to_string).collect()
}

#[test]
fn a_win_is_taken_and_proven_at_once() {
    let won = |game, moves| {
        let best = answer(&mut Uct::new(modern(), 1), &played(game, moves), 100_000);
        (names(&best.turn), best.info.lines[0].win_in, best.info.nodes < 1000)
    };
    let turn = |cells: &[&str]| cells.iter().map(|cell| cell.to_string()).collect::<Vec<_>>();
    assert_eq!(won("connect4", "a b a b a b"), (turn(&["a4"]), Some(1), true));
    assert_eq!(won("gomoku", "h8 a1 i8 a2 j8 b7 k8 g8 g1 a3"), (turn(&["l8"]), Some(1), true));
    let (cells, win_in, _) = won("connect6", "j10 a1 a3 k10 l10 a5 a7 m10 b2 i10 q3");
    assert_eq!((cells.len(), win_in), (2, Some(2)));
}

#[test]
fn a_loss_that_cannot_be_stopped_is_known() {
    // White has an open three in the bottom row: whatever Black does, it becomes four.
    let best = answer(&mut Uct::new(modern(), 1), &played("connect4", "g c g d a e"), 100_000);
    assert_eq!(best.info.lines[0].win_in, Some(-2));
    // On a big board cells far from the stones are looked at before a loss is believed.
    let open_four = played("gomoku", "a1 h8 o1 i8 a15 j8 o15 k8");
    let best = answer(&mut Uct::new(modern(), 1), &open_four, 100_000);
    assert_eq!(best.info.lines[0].win_in, Some(-2));
    assert!(best.info.nodes >= 215, "{}", best.info.nodes);
}

/// The true result for the side to move, by looking at everything: 1, 0 or −1.
fn solve(position: &mut Position) -> i32 {
    let mover = position.to_move();
    let cells: Vec<Cell> = position.legal().collect();
    let mut best = -1;
    for cell in cells {
        position.play(cell).unwrap();
        let value = match position.outcome() {
            Some(outcome) => outcome.winner().map_or(0, |_| 1),
            None if position.to_move() == mover => solve(position),
            None => -solve(position),
        };
        position.undo();
        best = best.max(value);
        if best == 1 {
            break;
        }
    }
    best
}

#[test]
fn what_is_proven_is_true() {
    let mut random = Random::new(1);
    let games = ["connect:3,3,3,1,1", "connect:4,4,3,2,1", "connect4:4x4", "connect:5,4,4,2,2/c2", "connect4:5x4/b2"];
    for n in 0..150 {
        let mut position = Position::new(games[n % games.len()].parse().unwrap());
        while position.outcome().is_none() && position.free() > 7 {
            let legal: Vec<Cell> = position.legal().collect();
            position.play(*random.choose(&legal).unwrap()).unwrap();
        }
        if position.outcome().is_some() {
            continue;
        }
        // One step from any stone leaves cells out, which must not make a proof untrue.
        let near = [Some(0), Some(1)][n % 2];
        let best = answer(&mut Uct::new(Settings { near, ..modern() }, 1), &position, 1_000_000);
        assert!(best.info.nodes < 1_000_000);
        let line = &best.info.lines[0];
        assert_eq!(line.win_in.map_or(0, i32::signum), solve(&mut position), "{position:?}");
        check_turn(&mut position, &best.turn, line.win_in);
    }
}

/// The turn keeps what was proven.
fn check_turn(position: &mut Position, turn: &[Cell], win_in: Option<i32>) {
    let mover = position.to_move();
    turn.iter().for_each(|&cell| position.play(cell).unwrap());
    let value = match position.outcome() {
        Some(outcome) => outcome.winner().map_or(0, |winner| if winner == mover { 1 } else { -1 }),
        None => -solve(position),
    };
    assert_eq!(value, win_in.map_or(0, i32::signum));
}

#[test]
fn small_games_are_solved() {
    let solve = |game, moves| {
        let best = answer(&mut Uct::new(modern(), 1), &played(game, moves), 1_000_000);
        (best.info.nodes < 1_000_000, best.info.lines[0].win_in.map(i32::signum))
    };
    assert_eq!(solve("connect:3,3,3,1,1", ""), (true, None));
    assert_eq!(solve("connect4:4x4", "a b c"), (true, None));
    assert_eq!(solve("connect:4,3,3,2,1", ""), (true, Some(1)));
    assert_eq!(solve("connect:5,1,2,1,1", ""), (true, Some(1)));
}

#[test]
fn the_tree_follows_the_game() {
    for settings in [modern(), Settings::classic(&mut Options::default()).unwrap()] {
        let mut uct = Uct::new(settings, 1);
        let mut position = played("connect4:9x9", "");
        let best = answer(&mut uct, &position, 20_000);
        position.play(best.turn[0]).unwrap();
        let reply = best.info.lines[0].cells[1];
        position.play(reply).unwrap();
        let best = answer(&mut uct, &position, 1);
        let Some(Memory::Drop(search)) = &uct.memory else { panic!() };
        let visits = search.tree.node(search.tree.root()).visits;
        assert!(visits > 500 && best.info.nodes == 1, "{visits}");
        // Another game begins with nothing.
        answer(&mut uct, &played("connect4:9x9", "d d d"), 1);
        let Some(Memory::Drop(search)) = &uct.memory else { panic!() };
        assert_eq!(search.tree.node(search.tree.root()).visits, 1);
    }
}

#[test]
fn a_small_memory_is_enough() {
    let mut uct = Uct::new(Settings { hash: 1, ..modern() }, 1);
    let mut position = played("connect4:9x9/e5", "");
    while position.outcome().is_none() {
        let best = answer(&mut uct, &position, 20_000);
        position.play(best.turn[0]).unwrap();
    }
}

#[test]
fn several_turns_are_different_turns() {
    let position = played("connect6:15", "h8");
    let limits = Limits { nodes: Some(20_000), lines: 5, ..Limits::default() };
    let best = Uct::new(modern(), 1).search(&position, &limits, &Stop::default(), &mut |_| {});
    let turn = |cells: &[Cell]| {
        let mut turn = cells[..2].to_vec();
        turn.sort();
        turn
    };
    let mut turns: Vec<_> = best.info.lines.iter().map(|line| turn(&line.cells)).collect();
    assert_eq!((turns.len(), &turns[0]), (5, &turn(&best.turn)));
    turns.sort();
    turns.dedup();
    assert_eq!(turns.len(), 5);
}

#[test]
fn marks_flip_only_where_the_side_changes() {
    // Black has five of six and two stones: whoever moves into a node sees the win as his or not.
    let position = played("connect6", "j10 a1 a3 k10 l10 a5 a7 m10 n10 q1 q3");
    let plain = Settings { proven: false, ..modern() };
    let mut uct = Uct::new(plain, 1);
    let best = answer(&mut uct, &position, 20_000);
    assert!(best.info.lines[0].score > 9000, "{:?}", best.info.lines[0]);
}

#[test]
fn options_are_read() {
    let options = |text: &str| {
        let given = text.split(',').filter_map(|option| option.split_once('='));
        let given = given.map(|(key, value)| (key.to_string(), value.to_string())).collect();
        Options { given, ..Options::default() }
    };
    let set = Settings::modern(&mut options("c=0.25,near=3,proven=off,hash=16")).unwrap();
    assert_eq!((set.c, set.near, set.proven, set.hash), (0.25, Some(3), false, 16));
    for bad in ["c=-1", "c=nan", "near=32", "proven=yes", "hash=0"] {
        assert!(matches!(Settings::modern(&mut options(bad)), Err(NoEngine::Value { .. })), "{bad}");
    }
}
