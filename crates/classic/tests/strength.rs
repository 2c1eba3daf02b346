//! A little strength that must never be lost, at fixed simulations and seeds: the same games on every machine.

#![allow(clippy::unwrap_used, reason = "what fails here fails a test")]

use lianzi_classic::catalog;
use lianzi_core::{Cell, Outcome, Position, Random, Rules, Stone};
use lianzi_engine::{Engine, Limits, Options, Stop};

/// An engine by its name, with its options after an `@`.
fn engine(spec: &str, rules: &Rules) -> Box<dyn Engine> {
    let (name, options) = spec.split_once('@').unwrap_or((spec, ""));
    let given = options.split(',').filter_map(|option| option.split_once('='));
    let given = given.map(|(key, value)| (key.to_string(), value.to_string())).collect();
    catalog::engine(name, rules, &Options { given, ..Options::default() }).unwrap()
}

fn turn(engine: &mut dyn Engine, position: &Position, nodes: u64) -> Vec<Cell> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    engine.search(position, &limits, &Stop::default(), &mut |_| {}).turn
}

/// A game after two random turns; which side the first engine has changes with the seed.
fn play(rules: &Rules, engines: &mut [(Box<dyn Engine>, u64); 2], seed: u64) -> Option<usize> {
    let mut random = Random::new(seed / 2);
    let mut position = Position::new(*rules);
    for _ in 0..2 {
        let legal: Vec<Cell> = position.legal().collect();
        position.play(*random.choose(&legal).unwrap()).unwrap();
    }
    engines.iter_mut().for_each(|(engine, _)| engine.begin(seed));
    let seat = |stone: Stone| (stone.index() + seed as usize) % 2;
    while position.outcome().is_none() {
        let (engine, nodes) = &mut engines[seat(position.to_move())];
        for cell in turn(engine.as_mut(), &position, *nodes) {
            position.play(cell).unwrap();
        }
    }
    match position.outcome() {
        Some(Outcome::Win(stone)) => Some(seat(stone)),
        _ => None,
    }
}

/// How many of so many games the first player wins; each has a number of simulations a turn.
fn duel(game: &str, players: [(&str, u64); 2], games: u64) -> u64 {
    let rules: Rules = game.parse().unwrap();
    let mut engines = players.map(|(name, nodes)| (engine(name, &rules), nodes));
    (0..games).map(|seed| u64::from(play(&rules, &mut engines, seed) == Some(0))).sum()
}

/// A game on the usual board that the second player begins in this column and goes on with as the solver.
fn first_player_wins(reply: u8, nodes: u64) -> bool {
    let rules: Rules = "connect4".parse().unwrap();
    let mut players = [engine("strong", &rules), engine("solver", &rules)];
    let mut position = Position::new(rules);
    while position.outcome().is_none() {
        let side = position.plies().len() % 2;
        let cell = match position.plies().len() {
            1 => position.landing(reply).unwrap(),
            _ => turn(players[side].as_mut(), &position, [nodes, 200_000][side])[0],
        };
        position.play(cell).unwrap();
    }
    position.outcome() == Some(Outcome::Win(Stone::Black))
}

#[test]
fn on_the_usual_board_the_first_player_wins_against_the_solver() {
    for reply in [0, 3] {
        assert!(first_player_wins(reply, 10_000_000), "{reply}");
    }
}

#[test]
fn uct_always_beats_random_moves() {
    for game in ["connect4", "connect4:9x9/e5", "gomoku", "standard:11", "renju", "connect6", "connect:5,5,4,2,1"] {
        for player in ["uct", "classic-uct"] {
            assert_eq!(duel(game, [(player, 2000), ("random", 0)], 6), 6, "{player} {game}");
        }
    }
}

#[test]
fn uct_beats_greedy_at_connect_four() {
    let won = duel("connect4", [("uct", 2000), ("greedy", 0)], 40);
    assert!(won >= 32, "{won} of 40");
    let won = duel("connect4:9x9/e5", [("uct", 2000), ("greedy", 0)], 20);
    assert!(won >= 14, "{won} of 20");
}

#[test]
fn more_simulations_are_stronger() {
    let won = duel("connect4", [("uct", 4000), ("uct", 200)], 30);
    assert!(won >= 21, "{won} of 30");
}

#[test]
fn strong_is_stronger_than_uct_at_connect_four() {
    let won = duel("connect4:9x9/e5", [("strong", 1000), ("uct", 4000)], 30);
    assert!(won >= 20, "{won} of 30");
}

#[test]
fn higher_levels_of_connect_four_are_stronger() {
    for (level, lower) in [(3, 1), (5, 3), (6, 4)] {
        let names = [level, lower].map(|level| format!("strong@level={level}"));
        let won = duel("connect4:9x10/d4", [(&names[0], 100_000), (&names[1], 100_000)], 40);
        assert!(won >= 24, "level {level}: {won} of 40");
    }
}

/// Docs/players.md has the measured scale; this only sees that its ends and its middle are where they belong.
#[test]
fn levels_lie_around_the_one_ply_player() {
    for game in ["gomoku", "connect6", "connect4"] {
        let won = |level: &str, other: &str, games| duel(game, [(level, 100_000), (other, 0)], games);
        let (lowest, middle) = (won("strong@level=1", "greedy", 30), won("strong@level=5", "greedy", 30));
        assert!(lowest <= 13, "{game}: level 1 won {lowest} of 30");
        assert!(middle >= 17, "{game}: level 5 won {middle} of 30");
        assert!(won("strong@level=1", "random", 20) >= 17, "{game}: level 1 plays nonsense");
    }
}
