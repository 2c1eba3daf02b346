use std::time::{Duration, Instant};

use lianzi_core::{Cell, Outcome, Rules};

use super::super::solver::{self, ConnectFour};
use super::*;

fn player(options: &str) -> Player {
    let given = options.split(',').filter_map(|option| option.split_once('='));
    let given = given.map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let mut options = Options { given, ..Options::default() };
    let settings = Settings::from_options(&mut options).unwrap();
    assert!(options.given.is_empty(), "{:?}", options.given);
    Player::new(settings, 1)
}

fn played(game: &str, moves: &str) -> Position {
    Position::after(game.parse().unwrap(), moves).unwrap()
}

fn ask(player: &mut Player, position: &Position, nodes: u64, lines: usize) -> Best {
    let limits = Limits { nodes: Some(nodes), lines, ..Limits::default() };
    player.search(position, &limits, &Stop::default(), &mut |_| {})
}

/// A position after random stones that nobody wins with.
fn strewn(rules: Rules, stones: usize, random: &mut Random) -> Option<Position> {
    let mut position = Position::new(rules);
    for _ in 0..stones {
        let legal: Vec<Cell> = position.legal().collect();
        position.play(*random.choose(&legal)?).unwrap();
    }
    position.outcome().is_none().then_some(position)
}

/// Whether the side to move wins within so many plies, by looking at everything with the referee.
fn wins_within(position: &mut Position, plies: u32) -> bool {
    let (me, legal): (_, Vec<Cell>) = (position.to_move(), position.legal().collect());
    if plies == 0 || legal.iter().any(|&cell| position.wins_at(cell, me)) {
        return plies > 0;
    }
    plies >= 3
        && legal.into_iter().any(|cell| {
            position.play(cell).unwrap();
            let wins = loses_within(position, plies - 1);
            position.undo();
            wins
        })
}

/// Whether the side to move loses within so many plies, whatever it does.
fn loses_within(position: &mut Position, plies: u32) -> bool {
    let (me, legal): (_, Vec<Cell>) = (position.to_move(), position.legal().collect());
    if legal.is_empty() || plies < 2 || legal.iter().any(|&cell| position.wins_at(cell, me)) {
        return false;
    }
    legal.into_iter().all(|cell| {
        position.play(cell).unwrap();
        let wins = wins_within(position, plies - 1);
        position.undo();
        wins
    })
}

/// The columns after which the other side wins within so many plies.
fn losing(position: &mut Position, plies: u32) -> Vec<Cell> {
    let legal: Vec<Cell> = position.legal().collect();
    let loses = |cell: &Cell| {
        position.play(*cell).unwrap();
        let loses = position.outcome().is_none() && wins_within(position, plies);
        position.undo();
        loses
    };
    legal.into_iter().filter(loses).collect()
}

#[test]
fn forced_wins_are_found_and_forced_losses_avoided() {
    let mut random = Random::new(5);
    let (mut won, mut warned) = ([0; 3], 0);
    for game in 0.. {
        let rules: Rules = ["connect4", "connect4:6x7/c3", "connect4:7x6/d1,d2"][game % 3].parse().unwrap();
        let Some(mut position) = strewn(rules, 10 + game % 12, &mut random) else { continue };
        if let Some(plies) = [1, 3, 5].into_iter().find(|&plies| wins_within(&mut position, plies)) {
            won[plies as usize / 2] += 1;
            if won[plies as usize / 2] <= 30 {
                check_win(&mut position, plies);
            }
        } else if warned < 60 {
            warned += check_warning(&mut position);
        }
        if won.iter().all(|&count| count >= 10) && warned >= 60 {
            break;
        }
    }
}

/// The player wins as soon as it can, and knows it.
fn check_win(position: &mut Position, plies: u32) {
    for options in ["hash=2", "hash=2,solver=off"] {
        let best = ask(&mut player(options), position, 2000, 1);
        let line = &best.info.lines[0];
        assert_eq!((line.win_in, line.score), (Some(plies as i32), 10_000), "{:?}", position.plies());
        position.play(best.turn[0]).unwrap();
        assert!(plies == 1 || loses_within(position, plies - 1), "{:?}", position.plies());
        position.undo();
    }
}

/// The player does not let the other side win in three plies where it need not; returns 1 if there was such a choice.
fn check_warning(position: &mut Position) -> u32 {
    let lost = losing(position, 3);
    if lost.is_empty() || lost.len() == position.legal().count() {
        return 0;
    }
    for options in ["hash=2", "hash=2,solver=off"] {
        let best = ask(&mut player(options), position, 300, 1);
        assert!(!lost.contains(&best.turn[0]), "{lost:?} {best:?} {:?}", position.plies());
    }
    1
}

#[test]
fn what_is_proven_is_true() {
    let mut random = Random::new(9);
    for game in 0..60 {
        let rules: Rules = ["connect4:5x5", "connect4:6x4/b2", "connect4:4x6"][game % 3].parse().unwrap();
        let Some(mut position) = strewn(rules, position_size(&rules), &mut random) else { continue };
        let best = ask(&mut player("hash=32,prover=off,solver=off"), &position, 200_000, 16);
        assert!(best.info.nodes < 200_000);
        for line in &best.info.lines {
            position.play(line.cells[0]).unwrap();
            let truth = match position.outcome() {
                Some(Outcome::Win(_)) => 1,
                Some(Outcome::Draw) => 0,
                None => -solve(&mut position),
            };
            position.undo();
            // The search ends with the first win; what is open then is no claim.
            if let Some(plies) = line.win_in {
                assert_eq!(plies.signum(), truth, "{line:?} {:?}", position.plies());
            }
        }
        let truth = solve(&mut position);
        assert_eq!(best.info.lines[0].win_in.map_or(0, i32::signum), truth, "{:?}", position.plies());
    }
}

fn position_size(rules: &Rules) -> usize {
    rules.capacity() - 11
}

/// The true result for the side to move: 1, 0 or −1.
fn solve(position: &mut Position) -> i32 {
    let legal: Vec<Cell> = position.legal().collect();
    let mut best = -1;
    for cell in legal {
        position.play(cell).unwrap();
        let value = match position.outcome() {
            Some(outcome) => i32::from(outcome.winner().is_some()),
            None => -solve(position),
        };
        position.undo();
        best = best.max(value);
    }
    best
}

#[test]
fn every_column_has_its_line() {
    let position = played("connect4:9x9/e5", "e e e e a");
    let best = ask(&mut player(""), &position, 5000, 16);
    let mut columns: Vec<u8> = best.info.lines.iter().map(|line| line.cells[0].column).collect();
    columns.sort_unstable();
    assert_eq!(columns, (0..9).collect::<Vec<u8>>());
    let threatened = played("connect4", "c a d a e");
    let best = ask(&mut player(""), &threatened, 1000, 7);
    assert!(best.info.lines.iter().all(|line| line.win_in.is_some_and(|plies| plies <= -2)), "{best:?}");
}

/// What the solver says of every column of a position: its cell, and how soon the game ends after it.
fn truth(position: &Position) -> Vec<(Cell, i32)> {
    let mut solver = ConnectFour::new(position.rules(), 1 << 24).unwrap();
    let choices = solver.scores(position, &Limits::default(), &Stop::default(), &mut |_, _| {});
    let plies = |score: i32| solver::win_in(score, position.free());
    choices.iter().map(|choice| (choice.cell, plies(choice.known.exact().unwrap()))).collect()
}

#[test]
fn late_positions_are_solved_column_by_column() {
    let mut random = Random::new(11);
    for (game, stones) in [("connect4", 24), ("connect4:6x5/c3", 12), ("connect4:9x7/e2", 44)].repeat(8) {
        let rules: Rules = game.parse().unwrap();
        let Some(position) = (0..500).find_map(|_| strewn(rules, stones, &mut random)) else { continue };
        let best = ask(&mut player(""), &position, 4_000_000, 16);
        let mut told: Vec<(Cell, i32)> =
            best.info.lines.iter().map(|line| (line.cells[0], line.win_in.unwrap())).collect();
        let mut truth = truth(&position);
        let one = ask(&mut player(""), &position, 4_000_000, 1);
        assert_eq!(one.info.lines[0].win_in, Some(truth[0].1), "{:?}", position.plies());
        assert!(truth.contains(&(one.turn[0], truth[0].1)), "{:?}", position.plies());
        assert_eq!(one, ask(&mut player(""), &position, 4_000_000, 1));
        told.sort_unstable();
        truth.sort_unstable();
        assert_eq!(told, truth, "{:?}", position.plies());
    }
}

#[test]
fn the_usual_board_is_known_from_the_first_stone() {
    let empty = played("connect4", "");
    let best = ask(&mut player(""), &empty, 1000, 7);
    let mut lines = best.info.lines.clone();
    lines.sort_unstable_by_key(|line| line.cells[0].column);
    assert_eq!(lines.iter().filter_map(|line| line.win_in).collect::<Vec<_>>(), [-40, -42, 0, 41, 0, -42, -40]);
    assert_eq!(best.turn, ["d1".parse().unwrap()]);
}

#[test]
fn the_tree_follows_the_game() {
    let mut player = player("");
    let mut position = played("connect4:9x9", "");
    let best = ask(&mut player, &position, 4000, 1);
    position.play(best.turn[0]).unwrap();
    position.play(best.info.lines[0].cells[1]).unwrap();
    let memory = player.recall(&position);
    let visits = memory.tree.node(memory.tree.root()).visits();
    assert!(visits > 20, "{visits}");
    assert_eq!(memory.tree.node(memory.tree.root()).children().len(), 9);
    player.memory = Some(memory);
    // Another game, or a step back, begins anew.
    let other = played("connect4:9x9", "a");
    let memory = player.recall(&other);
    assert_eq!(memory.tree.node(memory.tree.root()).visits(), 0);
}

#[test]
fn a_small_memory_and_many_threads_are_enough() {
    for options in ["hash=1", "hash=1,threads=3", "threads=2"] {
        let mut player = player(options);
        let mut position = played("connect4:9x9/e5", "e d");
        while position.outcome().is_none() {
            let best = ask(&mut player, &position, 8000, 1);
            assert!(best.info.nodes <= 8000);
            position.play(best.turn[0]).unwrap();
        }
    }
}

#[test]
fn alpha_beta_can_play_alone() {
    let mut player = player("search=alpha-beta,hash=2");
    let won = ask(&mut player, &played("connect4", "c c d d"), 2000, 1);
    assert_eq!((won.info.lines[0].win_in, won.turn[0].row), (Some(3), 0));
    let lost = ask(&mut player, &played("connect4", "g c g d a e"), 2000, 1);
    assert_eq!(lost.info.lines[0].win_in, Some(-2));
    let mut position = played("connect4:6x5/c2", "");
    while position.outcome().is_none() {
        let best = ask(&mut player, &position, 100, 1);
        position.play(best.turn[0]).unwrap();
    }
}

#[test]
fn the_answer_is_early() {
    let position = played("connect4:12x12/f6", "f f");
    let limits = Limits { move_time: Some(Duration::from_secs(2)), ..Limits::default() };
    let start = Instant::now();
    let mut reports = 0;
    player("").search(&position, &limits, &Stop::default(), &mut |_| reports += 1);
    // On an idle machine it takes three quarters of the limit; a busy one may add to that.
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    assert!(start.elapsed() > Duration::from_secs(1) && reports > 3, "{reports}");
}

#[test]
fn options_have_ranges() {
    assert!(player("c=0.5,threads=2,prover=off,search=alpha-beta").settings.alpha_beta);
    for bad in ["c=-1", "hash=0", "threads=0", "search=luck"] {
        let (key, value) = bad.split_once('=').unwrap();
        let given = [(key.to_string(), value.to_string())].into();
        let settings = Settings::from_options(&mut Options { given, ..Options::default() });
        assert!(matches!(settings, Err(NoEngine::Value { .. })), "{bad}");
    }
}

/// A forced column was once said to win for sure because the one simulation that had met it was won.
#[test]
fn a_forced_column_has_no_score_that_nobody_searched() {
    let mut lucky = 0;
    for seed in 0..20 {
        let (mut player, mut position) = (player("solver=off"), Position::new(Rules::connect4(9, 9)));
        player.begin(seed);
        while position.outcome().is_none() {
            let Best { turn, info } = ask(&mut player, &position, 40, 1);
            let line = &info.lines[0];
            if line.win_in.is_none() && info.depth == 0 {
                assert!(line.score.abs() < 10_000, "{:?}", position.plies());
                // What the tree alone would say of it.
                let memory = player.memory.as_ref().unwrap();
                lucky += usize::from(memory.info(0, 0, 1).lines[0].score.abs() == 10_000);
            }
            position.play(turn[0]).unwrap();
        }
    }
    assert!(lucky > 0, "such columns were met");
}
