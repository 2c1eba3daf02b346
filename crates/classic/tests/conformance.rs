//! What every engine must do, whatever it is good at. A new engine is in the catalog and thereby here.
//!
//! Times are bounded generously: they catch an engine that hangs, not one that is slow.

#![allow(clippy::unwrap_used, reason = "what fails here fails a test")]

use std::thread;
use std::time::{Duration, Instant};

use lianzi_classic::{BUILT_IN, catalog};
use lianzi_core::{Cell, Outcome, Position, Random, Rules};
use lianzi_engine::{Best, Engine, Limits, NoEngine, Options, Stop};

/// Boards of every kind: the presets, blocked cells, small ones, long turns, odd shapes.
const GAMES: [&str; 20] = [
    "gomoku",
    "gomoku:9/e5,a1",
    "standard",
    "renju",
    "renju:7",
    "connect6:15",
    "connect6",
    "connect6:9/e5",
    "connect4",
    "connect4:9x10/d4",
    "connect4:12x12/f6",
    "connect4:4x31",
    "connect:5,5,4,1,1",
    "connect:3,3,3,1,1",
    "connect:4,4,4,3,2",
    "connect:5,4,4,2,1,drop",
    "connect:6,5,4,1,1,exact",
    "connect:1,1,1,1,1",
    "connect:2,1,2,1,1",
    "connect:7,1,3,2,1",
];

/// Engines that do not look at the board before they move.
const CARELESS: [&str; 1] = ["random"];

const PATIENCE: Duration = Duration::from_secs(10);

/// Every engine that plays this game.
fn engines(rules: &Rules) -> Vec<(&'static str, Box<dyn Engine>)> {
    let make = |name| match catalog::engine(name, rules, &Options::default()) {
        Ok(engine) => Some((name, engine)),
        Err(NoEngine::Game { .. }) => None,
        Err(other) => panic!("{name}: {other}"),
    };
    BUILT_IN.iter().copied().filter_map(make).collect()
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn ask(engine: &mut dyn Engine, position: &Position, limits: &Limits) -> Best {
    engine.search(position, limits, &Stop::default(), &mut |_| {})
}

fn random_cell(position: &Position, random: &mut Random) -> Cell {
    let legal: Vec<Cell> = position.legal().collect();
    *random.choose(&legal).unwrap()
}

fn played(game: &str, moves: &str) -> Position {
    Position::after(game.parse().unwrap(), moves).unwrap()
}

/// The answer is all of the turn that is left, unless a stone of it ends the game, and its line begins with it.
fn check(name: &str, position: &Position, best: &Best) {
    let mut after = position.clone();
    for &cell in &best.turn {
        after.play(cell).unwrap_or_else(|why| panic!("{name} {}: {cell}: {why}", position.rules()));
    }
    let complete = best.turn.len() == usize::from(position.stones_left());
    assert!(complete || after.outcome().is_some(), "{name} {}: {:?}", position.rules(), best.turn);
    if let Some(line) = best.info.lines.first() {
        assert!(line.cells.starts_with(&best.turn), "{name} {}: {line:?}", position.rules());
        check_line(name, position, &line.cells);
    }
}

/// A line can be played.
fn check_line(name: &str, position: &Position, cells: &[Cell]) {
    let mut after = position.clone();
    for &cell in cells {
        after.play(cell).unwrap_or_else(|why| panic!("{name} {}: {cells:?}: {why}", position.rules()));
    }
}

/// Random games to the end: each position is asked about, also in the middle of a turn.
#[test]
fn every_answer_is_a_legal_turn() {
    let mut random = Random::new(1);
    for game in GAMES {
        let rules: Rules = game.parse().unwrap();
        for (name, mut engine) in engines(&rules) {
            let mut position = Position::new(rules);
            engine.begin(1);
            while position.outcome().is_none() {
                // Some positions follow the engine's advice, some do not; it must not mind.
                let asked = random.below(40) as u64;
                let best = ask(engine.as_mut(), &position, &Limits { depth: Some(2), ..nodes(asked) });
                check(name, &position, &best);
                let cell = if random.below(2) == 0 { best.turn[0] } else { random_cell(&position, &mut random) };
                position.play(cell).unwrap();
            }
        }
    }
}

/// Random games without the engine's moves last longest: their ends are nearly full boards.
#[test]
fn nearly_full_boards_are_played_to_the_end() {
    let mut random = Random::new(2);
    for game in ["gomoku:6", "renju:6", "connect6:7", "connect4", "connect:5,5,5,3,2", "connect:4,4,4,1,1"] {
        let rules: Rules = game.parse().unwrap();
        for (name, mut engine) in engines(&rules) {
            for _ in 0..8 {
                let mut position = Position::new(rules);
                while position.outcome().is_none() {
                    if position.free() <= 6 {
                        check(name, &position, &ask(engine.as_mut(), &position, &nodes(200)));
                    }
                    position.play(random_cell(&position, &mut random)).unwrap();
                }
            }
        }
    }
}

#[test]
fn the_last_cell_is_played() {
    let moves = [
        ("connect:3,3,3,1,1", "a1 b1 c1 b2 a2 a3 b3 c3"),
        ("connect4:4x1", "a b c"),
        ("connect:2,3,3,2,1", "a1 b1 a2 b2 b3"),
    ];
    for (game, moves) in moves {
        let position = played(game, moves);
        assert_eq!(position.free(), 1);
        for (name, mut engine) in engines(position.rules()) {
            check(name, &position, &ask(engine.as_mut(), &position, &nodes(100)));
            check(name, &position, &ask(engine.as_mut(), &position, &nodes(0)));
        }
    }
}

#[test]
fn a_stop_is_obeyed() {
    for game in ["gomoku", "renju", "connect6", "connect4:9x9"] {
        let position = Position::new(game.parse().unwrap());
        for (name, mut engine) in engines(position.rules()) {
            for delay in [0, 50] {
                let (stop, start) = (Stop::default(), Instant::now());
                let limits = Limits { move_time: Some(Duration::from_secs(600)), ..Limits::default() };
                let best = thread::scope(|scope| {
                    if delay == 0 {
                        stop.set();
                    } else {
                        scope.spawn(|| {
                            thread::sleep(Duration::from_millis(delay));
                            stop.set();
                        });
                    }
                    engine.search(&position, &limits, &stop, &mut |_| {})
                });
                assert!(start.elapsed() < PATIENCE, "{name} {game}: {:?}", start.elapsed());
                check(name, &position, &best);
            }
        }
    }
}

#[test]
fn limits_hold() {
    let short = Some(Duration::from_millis(50));
    for game in ["gomoku:11", "connect6", "connect4:9x9"] {
        let position = Position::new(game.parse().unwrap());
        for (name, mut engine) in engines(position.rules()) {
            let few = ask(engine.as_mut(), &position, &nodes(500));
            // Some engines look at their counter only now and then.
            assert!(few.info.nodes <= 5000, "{name} {game}: {} nodes", few.info.nodes);
            let start = Instant::now();
            let left = Duration::from_millis(500);
            let clock = lianzi_engine::Clock { left, increment: Duration::ZERO };
            for limits in [
                Limits { depth: Some(1), ..Limits::default() },
                Limits { move_time: short, ..Limits::default() },
                Limits { clock: Some(clock), ..Limits::default() },
                Limits { depth: Some(60), move_time: short, nodes: Some(u64::MAX), ..Limits::default() },
            ] {
                check(name, &position, &ask(engine.as_mut(), &position, &limits));
            }
            assert!(start.elapsed() < PATIENCE, "{name} {game}: {:?}", start.elapsed());
        }
    }
}

/// The turns an engine plays against a random player.
fn game(engine: &mut dyn Engine, rules: &Rules, turns: usize) -> Vec<Best> {
    let mut random = Random::new(3);
    let mut position = Position::new(*rules);
    let mut given = Vec::new();
    engine.begin(7);
    while given.len() < turns && position.outcome().is_none() {
        let best = ask(engine, &position, &nodes(300));
        best.turn.iter().for_each(|&cell| position.play(cell).unwrap());
        for _ in 0..position.stones_left() {
            if position.outcome().is_none() {
                position.play(random_cell(&position, &mut random)).unwrap();
            }
        }
        given.push(best);
    }
    given
}

#[test]
fn a_seed_and_fixed_nodes_give_the_same_game() {
    for name in ["gomoku", "renju", "connect6:15", "connect4:9x9/e5"] {
        let rules: Rules = name.parse().unwrap();
        for ((who, mut one), (_, mut two)) in engines(&rules).into_iter().zip(engines(&rules)) {
            let first = game(one.as_mut(), &rules, 6);
            assert_eq!(first, game(two.as_mut(), &rules, 6), "{who} {name}");
            assert_eq!(first, game(one.as_mut(), &rules, 6), "{who} {name}: remembers the last game");
        }
    }
}

/// Positions in which the side to move completes a line at once.
const WINS: [(&str, &str); 7] = [
    ("connect4", "a b a b a b"),
    ("connect4:9x10/d4", "a b a b a b"),
    ("gomoku:9", "c5 a1 d5 c9 e5 g1 f5 h7"),
    ("standard:9", "c5 a1 d5 c9 e5 g1 f5 h7"),
    ("renju:9", "c5 a1 d5 c9 e5 g1 f5 h7"),
    ("connect6:9", "c5 a1 b3 d5 e5 a9 c9 f5 g5 i1 i9"),
    ("connect:5,5,4,1,1", "b2 a5 c3 e1 d4 c5"),
];

/// The engine takes a win that is there.
fn check_win(name: &str, engine: &mut dyn Engine, position: &Position) {
    engine.begin(1);
    let best = ask(engine, position, &nodes(20_000));
    check(name, position, &best);
    let mut after = position.clone();
    best.turn.iter().for_each(|&cell| after.play(cell).unwrap());
    let won = Some(Outcome::Win(position.to_move()));
    assert!(CARELESS.contains(&name) || after.outcome() == won, "{name} {}: {best:?}", position.rules());
}

#[test]
fn a_win_is_taken() {
    for (game, moves) in WINS {
        let position = played(game, moves);
        for (name, mut engine) in engines(position.rules()) {
            check_win(name, engine.as_mut(), &position);
        }
    }
}

/// The whole question is in the position: what an engine was made for binds it to nothing. One that does not play the
/// game it is asked about answers no stones.
#[test]
fn engines_play_by_the_rules_of_the_position() {
    for made_for in ["gomoku", "renju", "connect6:19", "connect4:9x9", "connect:3,3,3,1,1"] {
        for (name, mut engine) in engines(&made_for.parse().unwrap()) {
            for (game, moves) in WINS {
                let position = played(game, moves);
                match catalog::engine(name, position.rules(), &Options::default()) {
                    Ok(_) => check_win(name, engine.as_mut(), &position),
                    Err(_) => assert_eq!(ask(engine.as_mut(), &position, &nodes(100)), Best::default()),
                }
            }
        }
    }
}

/// The same through random games on other sizes, with blocked cells and with fouls, changing between two games.
#[test]
fn engines_change_games_at_any_time() {
    let mut random = Random::new(4);
    for games in [
        ["gomoku:9", "renju:9"],
        ["standard:7", "gomoku:9/e5,a1"],
        ["connect6:7/d4", "gomoku:7"],
        ["connect4", "connect4:9x10/d4"],
        ["connect4:6x5", "connect6:8"],
        ["renju:8", "connect:5,4,4,2,1,drop"],
    ] {
        let [one, two] = games.map(|game| game.parse::<Rules>().unwrap());
        for (name, mut engine) in engines(&one) {
            if catalog::engine(name, &two, &Options::default()).is_err() {
                continue;
            }
            let mut positions = [Position::new(two), Position::new(one)];
            while positions.iter().all(|position| position.outcome().is_none()) {
                for position in &mut positions {
                    let asked = Limits { depth: Some(2), ..nodes(random.below(40) as u64) };
                    check(name, position, &ask(engine.as_mut(), position, &asked));
                    for _ in 0..6 + random.below(6) {
                        if position.outcome().is_none() {
                            position.play(random_cell(position, &mut random)).unwrap();
                        }
                    }
                }
            }
        }
    }
}

/// Options of one game's engine do not keep it from playing another game, and a level stays.
#[test]
fn options_follow_where_they_mean_something() {
    let given = [("level", "1"), ("threads", "1"), ("hash", "1"), ("tune", "force:10")];
    let given = given.map(|(key, value)| (key.to_string(), value.to_string())).into();
    let options = Options { given, ..Options::default() };
    let mut engine = catalog::engine("strong", &Rules::gomoku(15), &options).unwrap();
    for (game, most) in [("connect4:9x9", 70), ("connect:9,9,4,1,1", 30), ("connect6", 300), ("gomoku", 300)] {
        let position = Position::new(game.parse().unwrap());
        let best = ask(engine.as_mut(), &position, &nodes(50_000));
        check("strong", &position, &best);
        assert!(best.info.nodes <= most, "{game}: {} nodes", best.info.nodes);
    }
}
