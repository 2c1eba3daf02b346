//! The search and the player.

use std::time::Duration;

use lianzi_engine::Instant;

use lianzi_core::{Cell, Outcome, Position, Random, Rules, Stone};

use super::super::budget::Budget;
use super::super::evaluate::evaluate;
use super::super::moves::make_moves;
use super::super::search::{Bounds, Found, MAX_DEPTH, Search};
use super::super::table::PositionTable;
use super::super::{ClassicGomoku, MINIMUM_DEPTH, Modules, Settings};
use super::{board_of, cells, play_near, played, random_rules, set_up};
use crate::catalog;
use lianzi_engine::{Best, Clock, Engine, Greedy, Info, Limits, NoEngine, Options, Stop};

const SMALL: Settings = Settings { modules: Modules::ALL, entries: 1 << 16, lab: false };

fn every_set_of_modules() -> impl Iterator<Item = Modules> + Clone {
    (0..16).map(|bits| Modules {
        alpha_beta: bits & 1 != 0,
        hash: bits & 2 != 0,
        distance_order: bits & 4 != 0,
        distance_cut: bits & 8 != 0,
    })
}

fn player(position: &Position, settings: Settings) -> ClassicGomoku {
    ClassicGomoku::new(position.rules(), settings).unwrap()
}

fn search(position: &Position, settings: Settings, limits: Limits) -> (Best, Vec<Info>) {
    let mut reports = Vec::new();
    let mut report = |info: &Info| reports.push(info.clone());
    let best = player(position, settings).search(position, &limits, &Stop::default(), &mut report);
    (best, reports)
}

fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// The answer of the whole program at this depth.
fn answer(position: &Position, depth: u32) -> Cell {
    search(position, SMALL, to_depth(depth)).0.turn[0]
}

/// One iteration.
fn iterate(position: &Position, modules: Modules, depth: u32) -> Found {
    let (mut board, mut table, stop) = (board_of(position), PositionTable::new(1 << 14), Stop::default());
    let bounds = Bounds { stop: &stop, deadline: None, nodes: u64::MAX };
    Search::new(&mut board, &mut table, modules, bounds).iterate(depth).unwrap()
}

#[test]
fn alpha_beta_changes_no_value() {
    // S1-16, S1-17, S1-25, S1-28: with any order, the value and the move are those of plain minimax.
    let mut random = Random::new(3);
    for n in 0..60 {
        let (side, depth) = if n % 3 == 0 { (5, 3) } else { (7, 2) };
        let mut position = Position::new(Rules::gomoku(side));
        for _ in 0..2 + random.below(12) {
            play_near(&mut position, &mut random);
            if position.outcome().is_some() {
                position.undo();
            }
        }
        let plain = iterate(&position, Modules::NONE, depth);
        let alpha_beta = Modules { alpha_beta: true, ..Modules::NONE };
        assert_eq!(iterate(&position, alpha_beta, depth), plain, "{position:?}");
        let ordered = Modules { distance_order: true, ..alpha_beta };
        assert_eq!(iterate(&position, ordered, depth).value, plain.value, "{position:?}");
        // Within one iteration the table holds values of the same depth only, so they are the same too.
        let hashed = Modules { hash: true, ..ordered };
        assert_eq!(iterate(&position, hashed, depth).value, plain.value, "{position:?}");
    }
}

#[test]
fn minimax_is_the_maximum_of_minima() {
    // S1-16: two plies written out. The side to move takes the maximum, whichever colour it has (SR-03).
    for moves in ["d4 e5 d5", "d4 e5 d5 d3"] {
        let position = played("gomoku:7", moves);
        let mut board = board_of(&position);
        let free: Vec<_> = position.legal().map(|cell| board.index(cell)).collect();
        let mut best = i32::MIN;
        for &own in &free {
            board.put(own);
            let mut worst = i32::MAX;
            for &other in free.iter().filter(|&&other| other != own) {
                board.put(other);
                worst = worst.min(-evaluate(&mut board));
                board.take_back();
            }
            board.take_back();
            best = best.max(worst);
        }
        assert_eq!(iterate(&position, Modules::NONE, 2).value, best);
    }
}

#[test]
fn every_child_of_the_root_is_visited() {
    // S1-25: ⚠ the document prints β = −∞ there; with both bounds infinite not even a five ends the loop early.
    for moves in ["h8 i9 h10", "h8 a1 i8 a2 j8 a3 k8 a4"] {
        let position = played("gomoku", moves);
        let (mut board, mut table, stop) = (board_of(&position), PositionTable::new(1 << 14), Stop::default());
        let mut children = Vec::new();
        make_moves(&board, true, true, &mut children);
        let bounds = Bounds { stop: &stop, deadline: None, nodes: u64::MAX };
        let mut search = Search::new(&mut board, &mut table, Modules::ALL, bounds);
        search.iterate(1);
        assert_eq!(search.nodes, 1 + children.len() as u64);
    }
}

#[test]
fn about_two_hundred_moves_a_position() {
    // S1-10: the average over games of 30 to 60 turns, when no cell is left out.
    let mut board = board_of(&Position::new(Rules::gomoku(15)));
    let (mut moves, mut sum) = (Vec::new(), 0);
    for turn in 1..=60 {
        make_moves(&board, false, false, &mut moves);
        sum += moves.len();
        board.put(moves[0]);
        assert!(turn < 30 || (195..=211).contains(&(sum / turn)), "{turn}: {sum}");
    }
}

#[test]
fn near_cells_come_first_and_far_ones_not_at_all() {
    let position = played("gomoku:9", "e5 b2");
    let board = board_of(&position);
    let steps = |a: Cell, b: Cell| a.column.abs_diff(b.column).max(a.row.abs_diff(b.row));
    let list = |order, cut| {
        let mut moves = Vec::new();
        make_moves(&board, order, cut, &mut moves);
        moves.into_iter().map(|index| board.cell(index)).collect::<Vec<_>>()
    };
    // S1-23: by the least distance to the last two moves, equal ones from the top left.
    let distance = |cell: &Cell| cells("e5 b2").into_iter().map(|last| steps(last, *cell)).min().unwrap();
    let ordered = list(true, false);
    assert_eq!(ordered.len(), 79);
    assert!(ordered.is_sorted_by_key(|cell| (distance(cell), 8 - cell.row, cell.column)));
    // S1-24: ⚠ a far cell is skipped, as the prose says, and does not end the list; steps are the king's.
    let cut = list(true, true);
    assert_eq!(cut, ordered.into_iter().filter(|cell| distance(cell) <= 2).collect::<Vec<_>>());
    // S1-05: the two are separate switches.
    let plain = list(false, true);
    assert!(plain.is_sorted_by_key(|cell| (8 - cell.row, cell.column)));
    assert_eq!(plain.len(), cut.len());
    assert_eq!(list(false, false).len(), 79);
}

#[test]
fn only_the_last_two_moves_matter() {
    // S1-23
    let board = board_of(&played("gomoku", "a1 o15 h8 h9"));
    let mut moves = Vec::new();
    make_moves(&board, true, true, &mut moves);
    assert_eq!(board.cell(moves[0]), "g10".parse().unwrap());
    assert!(board.last_two().map(|index| board.cell(index)).eq(cells("h9 h8")));
}

#[test]
fn a_remembered_move_is_tried_first() {
    // S1-04, S1-22: after a shallow search the deeper one needs fewer nodes than without it.
    let position = played("gomoku", "h8 i9 h10 g9 h9 h11");
    let nodes = |first: u32| {
        let (mut board, mut table, stop) = (board_of(&position), PositionTable::new(1 << 18), Stop::default());
        let bounds = Bounds { stop: &stop, deadline: None, nodes: u64::MAX };
        let mut search = Search::new(&mut board, &mut table, Modules::ALL, bounds);
        (first..4).for_each(|depth| drop(search.iterate(depth)));
        let before = search.nodes;
        search.iterate(4);
        search.nodes - before
    };
    assert!(nodes(1) < nodes(4), "{} {}", nodes(1), nodes(4));
}

#[test]
fn takes_a_five() {
    for depth in 1..=4 {
        assert_eq!(answer(&played("gomoku", "h8 a1 i8 a2 j8 a3 k8 a4"), depth).row, 7);
    }
    // Rather than blocking the other's.
    let position = played("gomoku", "h8 a1 i8 b1 j8 c1 k8 d1");
    let (best, _) = search(&position, SMALL, to_depth(4));
    assert!(["g8", "l8"].contains(&best.turn[0].to_string().as_str()));
    assert_eq!((best.info.lines[0].win_in, best.info.lines[0].score), (Some(1), 1_000_000));
}

#[test]
fn blocks_a_four() {
    for depth in [2, 3, 4] {
        assert_eq!(answer(&played("gomoku", "h8 g8 i8 a1 j8 o15 k8"), depth).to_string(), "l8");
        assert_eq!(answer(&played("gomoku", "h8 g8 i8 h9 k8 a1 l8"), depth).to_string(), "j8");
    }
}

#[test]
fn blocks_an_open_three() {
    // S1-64: the story of the early version that did not.
    for (moves, wanted) in [
        ("h8 h9 i8 c3 j8", "f8 g8 k8 l8"),
        ("h8 g8 i9 m3 j10", "g7 k11 f6 l12"),
        ("h8 a1 h10 b3 h11", "h7 h9 h12 h6 h13"),
    ] {
        for depth in [2, 4] {
            let cell = answer(&played("gomoku", moves), depth);
            assert!(cells(wanted).contains(&cell), "{moves} at depth {depth}: {cell}");
        }
    }
}

#[test]
fn with_threes_on_both_sides_the_side_to_move_wins() {
    // S1-34
    let position = set_up("d3 e3 f3", "h8 i8 j8", Stone::White);
    let (best, _) = search(&position, SMALL, to_depth(6));
    assert!(cells("g8 k8").contains(&best.turn[0]), "{best:?}");
    // A value of 8500 or more is decided: one ply is enough (SR-11).
    assert_eq!((best.info.depth, best.info.lines[0].score), (1, 9030));
    let lab = Settings { lab: true, ..SMALL };
    let best = search(&position, lab, to_depth(6)).0;
    assert_eq!((best.info.depth, best.info.lines[0].win_in), (3, Some(3)));
}

#[test]
fn the_player_begins_at_three_plies() {
    // SR-11, S1-20, S1-60: each completed depth is reported, with the nodes so far.
    let position = played("gomoku", "h8 i9");
    let depths = |settings, depth| -> Vec<u32> {
        search(&position, settings, to_depth(depth)).1.iter().map(|info| info.depth).collect()
    };
    assert_eq!(depths(SMALL, 5), [3, 4, 5]);
    assert_eq!(depths(SMALL, 2), [2]);
    assert_eq!(depths(Settings { lab: true, ..SMALL }, 4), [1, 2, 3, 4]);
    let (_, reports) = search(&position, SMALL, to_depth(5));
    assert!(reports.is_sorted_by_key(|info| info.nodes));
    assert!(reports.iter().all(|info| position.check(info.lines[0].cells[0]).is_ok()));
    assert_eq!(MAX_DEPTH, 20);
}

#[test]
fn the_minimum_depth_may_take_longer() {
    // SR-11: but never longer than the hard limit.
    let clock = Some(Clock { left: Duration::from_secs(60), increment: Duration::ZERO });
    let budget = Budget::new(&Limits { clock, ..Limits::default() });
    assert_eq!(MINIMUM_DEPTH, 4);
    assert_eq!((SMALL.deadline(4, budget), SMALL.deadline(5, budget)), (budget.hard, budget.soft));
    assert_eq!(Settings { lab: true, ..SMALL }.deadline(1, budget), budget.soft);
    assert!(budget.soft < budget.hard);
}

#[test]
fn the_first_stone_is_the_centre() {
    let first = |game: &str| answer(&Position::new(game.parse().unwrap()), 4).to_string();
    assert_eq!((first("gomoku"), first("gomoku:19"), first("gomoku:6")), ("h8".into(), "j10".into(), "d4".into()));
    assert_ne!(first("gomoku/h8"), "h8");
}

#[test]
fn limits_are_obeyed() {
    let position = played("gomoku", "h8 i9 h10 g9");
    for modules in every_set_of_modules() {
        let settings = Settings { modules, ..SMALL };
        for nodes in [0, 1, 2, 77, 3000] {
            let (best, _) = search(&position, settings, Limits { nodes: Some(nodes), ..Limits::default() });
            assert!(best.info.nodes <= nodes + 1 && position.check(best.turn[0]).is_ok(), "{nodes} {best:?}");
        }
        let start = Instant::now();
        let limits = Limits { move_time: Some(Duration::from_millis(20)), ..Limits::default() };
        let (best, _) = search(&position, settings, limits);
        assert!(position.check(best.turn[0]).is_ok());
        assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
    }
}

#[test]
fn the_stop_flag_ends_a_search() {
    let position = played("gomoku", "h8 i9 h10 g9");
    let stop = Stop::default();
    let flag = stop.clone();
    let limits = Limits { nodes: Some(u64::MAX), ..Limits::default() };
    let mut player = player(&position, SMALL);
    let mut stopped = None;
    let best = player.search(&position, &limits, &stop, &mut |info| {
        if info.depth == 4 {
            flag.set();
            stopped = Some(info.nodes);
        }
    });
    assert_eq!(best.info.depth, 4);
    assert!(best.info.nodes - stopped.unwrap() <= 512);
}

#[test]
fn an_ended_iteration_does_not_spoil_the_answer() {
    // S1-20, SR-11: a partial iteration replaces the answer only by a better value.
    let position = played("gomoku", "h8 h9 i7 g9 j9 g7");
    let complete = search(&position, SMALL, to_depth(4)).0;
    for extra in [1, 10, 100, 1000, 10_000] {
        let limits = Limits { nodes: Some(complete.info.nodes + extra), ..Limits::default() };
        let best = search(&position, SMALL, limits).0;
        assert_eq!(best.info.depth, 4);
        let (old, new) = (&complete.info.lines[0], &best.info.lines[0]);
        assert!(new.score > old.score || new == old);
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let position = played("gomoku", "h8 i9 h10 g9 h9 h11 i8");
    for limits in [to_depth(5), Limits { nodes: Some(50_000), ..Limits::default() }] {
        assert_eq!(search(&position, SMALL, limits.clone()), search(&position, SMALL, limits.clone()));
        let mut player = player(&position, SMALL);
        let mut ask = || {
            player.begin(0);
            player.search(&position, &limits, &Stop::default(), &mut |_| {})
        };
        assert_eq!(ask(), ask());
    }
}

#[test]
fn whole_games_are_legal() {
    // On boards of every size, with blocked cells, to the last cell, by one player for both sides.
    let mut random = Random::new(23);
    for (n, modules) in every_set_of_modules().cycle().take(48).enumerate() {
        let rules = random_rules(&mut random);
        let mut position = Position::new(rules);
        let settings = Settings { modules, entries: 1 + 999 * (n % 2), lab: n % 3 == 0 };
        let mut player = player(&position, settings);
        let limits = Limits { nodes: Some(1 + random.below(600) as u64), depth: Some(3), ..Limits::default() };
        while position.outcome().is_none() && position.plies().len() < 120 {
            let best = player.search(&position, &limits, &Stop::default(), &mut |_| {});
            assert_eq!(best.turn.len(), 1);
            position.play(best.turn[0]).unwrap();
            if position.outcome().is_none() && n % 4 == 0 {
                play_near(&mut position, &mut random);
            }
        }
    }
}

#[test]
fn a_board_in_which_every_free_cell_is_far() {
    // The distance cut would leave nothing: then every free cell is a move again.
    let blocked: Vec<String> = Rules::gomoku(7)
        .cells()
        .filter(|cell| cell.column.max(cell.row) < 5 && (cell.column, cell.row) != (1, 1))
        .map(|cell| cell.to_string())
        .collect();
    let position = played(&format!("gomoku:7/{}", blocked.join(",")), "b2");
    assert!(position.check(answer(&position, 3)).is_ok());
}

#[test]
fn the_last_cell_can_win_or_draw() {
    // S1-47: ⚠ the authors' program calls a five on the last cell a draw; here it wins.
    let game = "gomoku:5/a2,b2,c2,d2,e2,a3,b3,c3,d3,e3,a4,b4,c4,d4,e4,e5";
    let won = played(game, "a1 a5 b1 b5 c1 c5 d1 d5");
    assert_eq!((won.free(), answer(&won, 4).to_string()), (1, "e1".into()));
    assert_eq!(search(&won, SMALL, to_depth(4)).0.info.lines[0].win_in, Some(1));
    // A full board without a five is worth nothing to either side.
    let drawn = played(game, "a1 a5 b1 b5 c1");
    assert_eq!(search(&drawn, SMALL, to_depth(4)).0.info.lines[0].score, 0);
}

#[test]
fn the_catalog_knows_it() {
    let options = |text: &str| {
        let given = text.split_whitespace().filter_map(|pair| pair.split_once('='));
        Options { seed: 0, given: given.map(|(key, value)| (key.into(), value.into())).collect() }
    };
    let make = |game: &str, text| catalog::engine("classic-gomoku", &game.parse().unwrap(), &options(text)).err();
    assert_eq!(make("gomoku", "modules=0+1+3 entries=1000 lab=on"), None);
    assert_eq!(make("gomoku:19/a1", ""), None);
    for game in ["standard", "renju", "connect6", "connect4", "connect:15,14,5,1,1"] {
        assert!(matches!(make(game, ""), Some(NoEngine::Game { .. })), "{game}");
    }
    for bad in ["modules=1+2", "modules=0+5", "modules=", "entries=0", "entries=x", "lab=maybe"] {
        assert!(matches!(make("gomoku", bad), Some(NoEngine::Value { .. })), "{bad}");
    }
    assert!(matches!(make("gomoku", "depth=3"), Some(NoEngine::Option { .. })));
}

#[test]
fn settings_are_the_documents() {
    // S1-19: three million entries unless told otherwise; S1-52 to S1-58: the sets of table 3.
    assert_eq!(Settings::default().entries, 3_000_000);
    assert_eq!("0".parse(), Ok(Modules::NONE));
    assert_eq!("0+1+2+3+4".parse(), Ok(Modules::ALL));
    assert_eq!("0+1+3".parse(), Ok(Modules { hash: false, distance_cut: false, ..Modules::ALL }));
}

#[test]
fn more_modules_reach_the_same_depth_with_fewer_nodes() {
    // S1-62
    let position = played("gomoku:11", "f6 g7 f8 e7");
    let nodes = |modules: &str| {
        let settings = Settings { modules: modules.parse().unwrap(), lab: true, ..SMALL };
        search(&position, settings, to_depth(3)).0.info.nodes
    };
    let counts = ["0", "0+1", "0+1+3", "0+1+2+3", "0+1+2+3+4"].map(nodes);
    assert!(counts.is_sorted_by(|more, fewer| more > fewer), "{counts:?}");
}

#[test]
fn a_won_position_is_won_over_the_board() {
    // A double three for Black: whatever White does, the player gets its five.
    let mut position = set_up("h8 i8 h10 i11", "a1 a3 o1 o3", Stone::Black);
    let mut player = player(&position, SMALL);
    while position.outcome().is_none() {
        let best = player.search(&position, &to_depth(5), &Stop::default(), &mut |_| {});
        position.play(best.turn[0]).unwrap();
    }
    assert_eq!(position.outcome(), Some(Outcome::Win(Stone::Black)));
}

#[test]
fn a_plan_is_seen_five_rounds_ahead() {
    // S1-09: the value says "won" at five plies; played out against the same program, the five comes five to
    // eight rounds later.
    for moves in
        ["h8 i6 i8 f9 f6 i9 g9 g8 h7 e10", "h8 i10 g6 h9 g10 f10 i9 h6 g7 j10 g8 g9", "h8 f10 j9 g9 j10 h10 j8 j11"]
    {
        let mut position = played("gomoku", moves);
        let (winner, start) = (position.to_move(), position.plies().len());
        let first = search(&position, SMALL, to_depth(5)).0;
        assert!(first.info.lines[0].score >= 9000, "{moves}: {first:?}");
        let mut players = [player(&position, SMALL), player(&position, SMALL)];
        while position.outcome().is_none() {
            let depth = if position.to_move() == winner { 5 } else { 4 };
            let player = &mut players[position.to_move().index()];
            let best = player.search(&position, &to_depth(depth), &Stop::default(), &mut |_| {});
            position.play(best.turn[0]).unwrap();
        }
        assert_eq!(position.outcome(), Some(Outcome::Win(winner)));
        let rounds = (position.plies().len() - start).div_ceil(2);
        assert!((5..=8).contains(&rounds), "{moves}: {rounds}");
    }
}

#[test]
fn beats_a_player_that_does_not_search() {
    // S1-63, against a stated opponent: at four plies it wins every game as Black and most as White.
    let mut wins = [0; 2];
    for (n, opening) in ["h8 i9", "h8 g8", "h8 j10", "h8 h9", "h8 i10"].into_iter().enumerate() {
        for own in Stone::BOTH {
            let mut position = played("gomoku", opening);
            let (mut classic, mut greedy) = (player(&position, SMALL), Greedy::new(n as u64));
            while position.outcome().is_none() {
                let side: &mut dyn Engine = if position.to_move() == own { &mut classic } else { &mut greedy };
                let best = side.search(&position, &to_depth(4), &Stop::default(), &mut |_| {});
                position.play(best.turn[0]).unwrap();
            }
            wins[own.index()] += u32::from(position.outcome() == Some(Outcome::Win(own)));
        }
    }
    assert!(wins[0] == 5 && wins[1] >= 3, "{wins:?}");
}
