//! The player against what the printed source answered, and against its own rules.

use lianzi_core::{Ply, Random, Setup, Stone};

use super::patterns::Weights;
use super::search::Root;
use super::version::VERSIONS;
use super::*;
use crate::catalog;
use lianzi_engine::Clock;

const GOLDEN: &str = include_str!("../../../../data/classic-python.txt");

/// One line of the golden file.
struct Case<'a> {
    cut: bool,
    text: &'a str,
    position: Position,
    answer: Cell,
    nodes: u64,
    scores: &'a str,
}

fn position(game: &str, moves: &str) -> Position {
    Position::after(game.parse().unwrap(), moves).unwrap()
}

fn golden() -> Vec<Case<'static>> {
    let lines = GOLDEN.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|text| {
            let parts: Vec<&str> = text.split('|').map(str::trim).collect();
            let &[kind, game, moves, answer, nodes, scores] = &parts[..] else { panic!("{text}") };
            let position = position(game, moves);
            let (answer, nodes) = (answer.parse().unwrap(), nodes.parse().unwrap());
            Case { cut: kind == "cut", text, position, answer, nodes, scores }
        })
        .collect()
}

fn player(options: &[(&str, &str)]) -> Python {
    let given = options.iter().map(|&(key, value)| (key.to_string(), value.to_string())).collect();
    Python::new(&Rules::gomoku(15), &mut Options { seed: 0, given }).unwrap()
}

fn answer(player: &mut Python, position: &Position) -> Best {
    player.search(position, &Limits::default(), &Stop::default(), &mut |_| {})
}

fn root(player: &Python, position: &Position) -> (Root, Info) {
    player.explore(&Board::new(position), &Limits::default(), &Stop::default())
}

fn unpruned() -> Python {
    Python::with(Settings { prune: false, ..Version::Printed.settings() })
}

/// The scores as the golden file writes them: with `.` for one equal to the best before it.
fn written(case: &Case<'_>, root: &Root) -> String {
    let board = Board::new(&case.position);
    let mut best = None;
    let mut words = Vec::new();
    for (&point, score) in root.candidates.iter().zip(root.scores.iter().map(|halves| halves / 2)) {
        words.push(match case.cut {
            true if best == Some(score) => ".".to_string(),
            true => score.to_string(),
            false => format!("{}:{score}", board.cell(point)),
        });
        best = best.max(Some(score));
    }
    words.join(" ")
}

#[test]
fn every_answer_is_the_printed_programs() {
    // S4-05 … S4-08, S4-22 … S4-31: move, scores of all candidates in their order, and number of nodes.
    let cases = golden();
    assert!(cases.len() >= 400, "{} positions", cases.len());
    for case in cases {
        let mut player = if case.cut { player(&[]) } else { unpruned() };
        let (root, info) = root(&player, &case.position);
        assert_eq!(written(&case, &root), case.scores, "{}", case.text);
        assert_eq!(info.nodes, case.nodes, "{}", case.text);
        assert_eq!(answer(&mut player, &case.position).turn, [case.answer], "{}", case.text);
    }
}

#[test]
fn pruning_changes_neither_move_nor_value() {
    // S4-06
    for case in golden() {
        let best = |player: &Python| root(player, &case.position).0.ranked().next();
        assert_eq!(best(&player(&[])), best(&unpruned()), "{}", case.text);
    }
}

#[test]
fn early_versions_prune_without_changing_the_answer_too() {
    // S4-11: at depth 3 as well, where bounds are handed down twice.
    let cases = golden();
    for (n, name) in ["4", "5.0", "5.2", "7.1", "7.2a"].into_iter().enumerate() {
        let settings = name.parse::<Version>().unwrap().settings();
        let full = Python::with(Settings { prune: false, ..settings });
        for case in cases.iter().filter(|case| (2..5).contains(&case.position.plies().len())).skip(n).step_by(9) {
            let best = |player: &Python| root(player, &case.position).0.ranked().next();
            assert_eq!(best(&Python::with(settings)), best(&full), "{name} {}", case.text);
        }
    }
}

#[test]
fn the_first_move_is_the_centre() {
    // S4-24: (7,7) counted from 0.
    let first = |game: &str| answer(&mut player(&[]), &position(game, "")).turn[0].to_string();
    assert_eq!(first("gomoku"), "h8");
    assert_eq!(first("gomoku:16"), "h8");
    assert_eq!(first("gomoku:19"), "j10");
    assert_eq!(first("gomoku:5"), "c3");
    assert_ne!(first("gomoku/h8"), "h8");
    // The second player answers beside the first stone.
    assert_eq!(answer(&mut player(&[]), &position("gomoku", "a1")).turn.len(), 1);
}

#[test]
fn candidates_lie_beside_stones() {
    // S4-22, S4-27: although the program asks for distance 3.
    let count = |options: &[(&str, &str)]| root(&player(options), &position("gomoku", "h8")).0.candidates.len();
    assert_eq!(count(&[]), 8);
    assert_eq!(count(&[("distance", "2")]), 16);
    assert_eq!(count(&[("distance", "3")]), 24);
    // S4-12: inside out, so the ring of eight comes first.
    let v4 = player(&[("version", "4")]);
    let position = position("gomoku", "h8");
    let candidates = root(&v4, &position).0.candidates;
    let ring = |point| {
        let cell = Board::new(&position).cell(point);
        cell.column.abs_diff(7).max(cell.row.abs_diff(7))
    };
    assert_eq!(candidates.iter().map(|&point| ring(point)).collect::<Vec<_>>(), [[1; 8], [2; 8]].concat());
    // S4-10: all cells, near ones first. S4-09: all cells.
    assert_eq!(count(&[("version", "2")]), 224);
    assert_eq!(count(&[("version", "1")]), 224);
}

#[test]
fn a_five_is_seen_at_its_end_only() {
    // S4-28: with a gap in the middle the win is worth nothing to the program, at an end it is worth ten million.
    let score = |moves: &str, cell: &str, version: &str| {
        let position = position("gomoku", moves);
        let board = Board::new(&position);
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let (root, _) = player(&[("version", version)]).explore(&board, &limits, &Stop::default());
        let wanted = |point: &u16| board.cell(*point).to_string() == cell;
        root.scores[root.candidates.iter().position(wanted).unwrap()] / 2
    };
    let (row, gap) = ("h8 a1 i8 a3 j8 c1 k8 c3", "h8 a1 i8 a3 k8 c1 l8 c3");
    assert_eq!(score(row, "l8", "7.2"), 10_000_000);
    assert!(score(gap, "j8", "7.2") < 1_000_000);
    // S4-17: before 7.1 the middle counts as well.
    assert_eq!(score(gap, "j8", "6"), 1_000_000);
    assert_eq!(score(gap, "j8", "1"), 1_000_000);
    assert!(score(gap, "j8", "7.1") < 1_000_000);
}

#[test]
fn the_side_to_move_counts_more() {
    // S4-29, S4-15, S4-14, S4-13: one open two each; after two plies the player is to move.
    let position = position("gomoku", "c3 m12 c4 m13");
    let value = |version: &str| {
        let settings = version.parse::<Version>().unwrap().settings();
        let table = PatternTable::new(&settings.weights, settings.open_four);
        let budget = Budget { stop: &Stop::default(), nodes: u64::MAX, deadline: None };
        let board = Board::new(&position);
        Search { board, settings: &settings, table: &table, budget, nodes: 0 }.evaluate(Side::Own)
    };
    assert_eq!(value("7.2"), 2 * 10_000);
    assert_eq!(value("5.2"), 20_000);
    assert_eq!(value("5.1"), 0);
    assert_eq!(value("5.0"), 2 * 20_000);
    assert_eq!(value("4"), 0);
}

#[test]
fn versions_are_built_by_name() {
    for (name, version) in VERSIONS {
        assert_eq!(player(&[("version", name)]).settings, version.settings());
    }
    assert_eq!(player(&[]).settings, Version::Printed.settings());
    // S4-16: another order of a sum. S4-18 … S4-22: each step changes something.
    assert_eq!(Version::V6.settings(), Version::V5_2.settings());
    let different = VERSIONS.windows(2).filter(|pair| pair[0].1.settings() != pair[1].1.settings()).count();
    assert_eq!(different, VERSIONS.len() - 2);
}

#[test]
fn each_version_changes_what_the_document_says() {
    let settings = |name: &str| name.parse::<Version>().unwrap().settings();
    let weights = |name: &str| settings(name).weights;
    // S4-17: the newest stone only, twice the weight; open three raised, closed four lowered.
    let (v6, v71) = (settings("6"), settings("7.1"));
    assert_eq!((v6.win_test, v71.win_test), (board::WinTest::Through, board::WinTest::End));
    assert_eq!((v6.attack_halves, v71.attack_halves), (3, 4));
    assert!(v71.weights.open_three > v6.weights.open_three);
    assert!(v71.weights.closed_four < v6.weights.closed_four);
    // S4-18: five raised, the rest lowered, the open four least of all.
    let (before, after) = (weights("7.1"), weights("7.2a"));
    assert!(after.five > before.five);
    let others = |w: Weights| [w.closed_four, w.open_three, w.closed_three, w.open_two, w.closed_two];
    let lowered = after.open_four as f64 / before.open_four as f64;
    for (new, old) in others(after).into_iter().zip(others(before)) {
        assert!(new < old && (new as f64 / old as f64) < lowered && lowered < 1.0);
    }
    // S4-19: the patterns of the open four, and nothing else.
    let b = settings("7.2b");
    assert_eq!(Settings { open_four: settings("7.2a").open_four, ..b }, settings("7.2a"));
    // S4-20: both fours raised, open three lowered. S4-21: open four and open three raised.
    let (b, c, d) = (b.weights, weights("7.2c"), weights("7.2d"));
    assert!(c.open_four > b.open_four && c.closed_four > b.closed_four && c.open_three < b.open_three);
    assert!(d.open_four > c.open_four && d.open_three > c.open_three);
    // S4-22, S4-23: the last step changes candidates and depth; the weights are the printed ones.
    let (last, d) = (settings("7.2"), settings("7.2d"));
    assert_eq!((d.depth, last.depth, last.weights), (3, 2, d.weights));
    assert_eq!(Settings { depth: d.depth, candidates: d.candidates, ..last }, d);
}

#[test]
fn other_games_and_bad_options_are_refused() {
    let make = |game: &str, key: &str, value: &str| {
        let given = [(key.to_string(), value.to_string())].into_iter().filter(|(key, _)| !key.is_empty());
        let options = Options { seed: 0, given: given.collect() };
        catalog::engine("classic-python", &game.parse().unwrap(), &options).err()
    };
    for game in ["gomoku", "gomoku:19", "gomoku:5", "gomoku/a1,h8", "connect:9,12,5,1,1"] {
        assert_eq!(make(game, "", ""), None);
    }
    for game in ["standard", "renju", "connect6", "connect4", "connect:3,3,3,1,1", "connect:9,9,5,1,1,drop"] {
        let refused = NoEngine::Game { name: "classic-python".into(), game: game.into() };
        assert_eq!(make(game, "", ""), Some(refused));
    }
    for (key, value) in [("version", "8"), ("version", ""), ("distance", "0"), ("distance", "5"), ("distance", "x")] {
        assert!(matches!(make("gomoku", key, value), Some(NoEngine::Value { .. })), "{key}={value}");
    }
    assert!(matches!(make("gomoku", "depth", "3"), Some(NoEngine::Option { .. })));
}

#[test]
fn limits_hold() {
    let position = position("gomoku", "h8 i9 h9 i8 g7 j10");
    let ask = |limits: Limits, stop: &Stop| player(&[]).search(&position, &limits, stop, &mut |_| {});
    let full = ask(Limits::default(), &Stop::default());
    for nodes in [0, 1, 2, 30, 100] {
        let best = ask(Limits { nodes: Some(nodes), ..Limits::default() }, &Stop::default());
        assert!(best.info.nodes <= nodes.max(1) && best.info.depth == 0);
        assert!(position.check(best.turn[0]).is_ok());
        assert_eq!(best, ask(Limits { nodes: Some(nodes), ..Limits::default() }, &Stop::default()));
    }
    let stopped = Stop::default();
    stopped.set();
    assert!(ask(Limits::default(), &stopped).info.nodes <= 1);
    let no_time = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
    assert!(ask(no_time, &Stop::default()).info.nodes < 100);
    let empty = Clock { left: Duration::ZERO, increment: Duration::from_secs(9) };
    assert!(ask(Limits { clock: Some(empty), ..Limits::default() }, &Stop::default()).info.nodes < 100);
    let ample = Limits { nodes: Some(1 << 40), move_time: Some(Duration::MAX), depth: Some(9), ..Limits::default() };
    assert_eq!(ask(ample, &Stop::default()), full);
    assert_eq!(ask(Limits { depth: Some(1), ..Limits::default() }, &Stop::default()).info.depth, 1);
}

#[test]
fn several_lines_come_best_first() {
    let position = position("gomoku", "h8 i9 h9 i8 g7 j10");
    let limits = Limits { lines: 5, ..Limits::default() };
    let best = player(&[]).search(&position, &limits, &Stop::default(), &mut |_| {});
    assert_eq!(best.info.lines.len(), 5);
    assert!(best.info.lines.windows(2).all(|pair| pair[0].score >= pair[1].score));
    assert_eq!(best.turn, answer(&mut player(&[]), &position).turn);
    assert_eq!(best.turn, best.info.lines[0].cells);
}

#[test]
fn small_full_and_broken_boards_are_played_to_the_end() {
    for (n, game) in ["gomoku:5", "connect:5,1,5,1,1", "gomoku:6/c3,d3,a1", "connect:7,5,5,1,1/d1,d2,d3,d4,d5"]
        .into_iter()
        .enumerate()
    {
        for (name, version) in VERSIONS {
            let mut random = Random::new(n as u64);
            let mut position = position(game, "");
            let mut player = Python::with(version.settings());
            while position.outcome().is_none() {
                let legal: Vec<Cell> = position.legal().collect();
                let own = position.plies().len() % 2 == n % 2;
                let cell = if own { answer(&mut player, &position).turn[0] } else { *random.choose(&legal).unwrap() };
                position.play(cell).unwrap_or_else(|why| panic!("{name} on {game}: {cell} {why}"));
            }
        }
    }
}

#[test]
fn a_set_up_is_played_from() {
    let ply = |stone, name: &str| Ply { stone, cell: name.parse().unwrap() };
    let stones = vec![ply(Stone::Black, "h8"), ply(Stone::White, "h9"), ply(Stone::White, "i9")];
    let setup = Setup { stones, to_move: Stone::Black, stones_left: 1 };
    let position = Position::with_setup(Rules::gomoku(15), &setup).unwrap();
    let best = answer(&mut player(&[]), &position);
    assert!(position.check(best.turn[0]).is_ok() && best.info.nodes > 1);
}
