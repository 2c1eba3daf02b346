//! The solver against the referee: masks cell by cell, scores against plain search, lines played out.

use std::collections::HashMap;

use lianzi_core::{Cell, Outcome, Position, Random, Rules};

use super::book::{self, Book};
use super::shape::{Shape, fits};
use super::word::Word;
use super::{ConnectFour, win_in};
use crate::solve::{NoSolver, Solved, Solver};
use crate::{Limits, Stop};

const TABLE: usize = 16 << 20;

fn rules(game: &str) -> Rules {
    game.parse().unwrap()
}

/// A random unfinished game with so many free cells, if this attempt leads to one.
fn random_position(rules: Rules, free: usize, random: &mut Random) -> Option<Position> {
    let mut position = Position::new(rules);
    while position.free() > free {
        // Nobody wins as long as he can help it, or large boards would never fill.
        let quiet = |&cell: &Cell| !position.wins_at(cell, position.to_move());
        let cells: Vec<Cell> = position.legal().filter(quiet).collect();
        position.play(*random.choose(&cells)?).unwrap();
    }
    position.outcome().is_none().then_some(position)
}

/// Plain search with the referee: every position's score, remembered, and shown to `visit` once.
fn brute(position: &mut Position, memo: &mut HashMap<u64, i32>, visit: &mut dyn FnMut(&Position, i32)) -> i32 {
    if let Some(&score) = memo.get(&position.hash()) {
        return score;
    }
    let free = position.free() as i32;
    let cells: Vec<Cell> = position.legal().collect();
    let scores = cells.into_iter().map(|cell| {
        position.play(cell).unwrap();
        let score = match position.outcome() {
            Some(Outcome::Draw) => 0,
            Some(Outcome::Win(_)) => (free + 1) / 2,
            None => -brute(position, memo, visit),
        };
        position.undo();
        score
    });
    let best = scores.max().unwrap();
    memo.insert(position.hash(), best);
    visit(position, best);
    best
}

fn solved(solver: &mut ConnectFour, position: &Position) -> i32 {
    solver.score(position, &Limits::default(), &Stop::default()).exact().unwrap()
}

/// Every position that can be reached from here.
fn check_all_from(position: &mut Position) -> usize {
    let mut solver = ConnectFour::new(position.rules(), TABLE).unwrap();
    let mut memo = HashMap::new();
    brute(position, &mut memo, &mut |position, score| {
        assert_eq!(solved(&mut solver, position), score, "{}\n{}", position.rules(), position.ascii());
    });
    memo.len()
}

#[test]
fn every_position_of_small_boards() {
    // Published counts of positions, less those in which the game is over, are of this size.
    assert!(check_all_from(&mut Position::new(rules("connect4:4x4"))) > 100_000);
    assert!(check_all_from(&mut Position::new(rules("connect4:5x4"))) > 1_000_000);
}

#[test]
fn small_boards_with_blocked_cells() {
    for game in ["connect4:4x4/b2", "connect4:4x4/a1,d4", "connect4:4x4/c2,c3", "connect4:5x3/c1", "connect4:3x5/b3"] {
        assert!(check_all_from(&mut Position::new(rules(game))) > 1000, "{game}");
    }
}

#[test]
fn samples_of_larger_boards() {
    let mut random = Random::new(3);
    let games = [
        "connect4:5x5",
        "connect4:5x5/c3",
        "connect4:6x5",
        "connect4:6x5/c1",
        "connect4:6x5/d5",
        "connect4:6x5/b2,e4",
        "connect4:6x5/a1,c2,c3,f5",
        "connect4",
        "connect4/d4",
        "connect4:8x7/e3",
        "connect4:9x9/e5",
        "connect4:12x9/a2,l9",
    ];
    for game in games {
        let found = (0..60).filter_map(|_| random_position(rules(game), 9, &mut random));
        let mut found: Vec<Position> = found.take(12).collect();
        assert!(!found.is_empty(), "{game}");
        found.iter_mut().for_each(|position| assert!(check_all_from(position) > 0));
    }
}

fn same_masks<W: Word>(rules: Rules, random: &mut Random) {
    let shape = Shape::<W, 0>::new(&rules);
    let mut position = Position::new(rules);
    while position.outcome().is_none() {
        let (own, full) = shape.read(&position);
        let landing: Vec<Cell> = (0..rules.width).filter_map(|column| position.landing(column)).collect();
        let mask = |cells: &[Cell]| cells.iter().fold(W::ZERO, |mask, &cell| mask | shape.bit(cell));
        assert_eq!(shape.landing(full), mask(&landing));
        let empty: Vec<Cell> = position.empty_cells().collect();
        let wins = |stone| mask(&empty.iter().copied().filter(|&c| position.wins_at(c, stone)).collect::<Vec<_>>());
        assert_eq!(shape.winning(own, full), wins(position.to_move()));
        assert_eq!(shape.winning(full ^ own ^ shape.blocked, full), wins(position.to_move().other()));
        for &cell in &empty {
            assert_eq!(shape.cell(shape.bit(cell)), cell);
            let lower = empty.iter().copied().filter(|c| c.column == cell.column && c.row < cell.row);
            let below: Vec<Cell> = lower.max().into_iter().collect();
            assert_eq!(shape.below(shape.bit(cell)) & shape.cells & !full, mask(&below), "{cell} {rules}");
        }
        position.play(landing[random.below(landing.len())]).unwrap();
    }
    let (own, full) = shape.read(&position);
    let lines = [own, full ^ own ^ shape.blocked].map(|stones| shape.has_line(stones));
    assert_eq!(lines.contains(&true), position.winning_line().is_some());
}

#[test]
fn masks_agree_with_the_referee() {
    let mut random = Random::new(11);
    let sides = [(7, 6), (4, 4), (9, 6), (8, 7), (3, 16), (9, 9), (12, 9), (10, 11), (16, 7), (7, 16), (5, 24)];
    for (width, height) in sides.into_iter().cycle().take(220) {
        let mut rules = Rules::connect4(width, height);
        for _ in 0..random.below(6) {
            let cell = Cell::new(random.below(width.into()) as u8, random.below(height.into()) as u8);
            rules = rules.with_blocked(cell);
        }
        if fits::<u64>(&rules) {
            same_masks::<u64>(rules, &mut random);
        }
        assert!(fits::<u128>(&rules), "{rules}");
        same_masks::<u128>(rules, &mut random);
    }
}

/// How many stones a proven end is away; a draw fills the board.
fn plies(win_in: i32, position: &Position) -> usize {
    if win_in == 0 { position.free() } else { win_in.unsigned_abs() as usize }
}

#[test]
fn lines_are_as_long_as_the_score_says() {
    let mut random = Random::new(5);
    for game in ["connect4", "connect4:6x5/c3", "connect4:9x7/e2"] {
        let mut solver = ConnectFour::new(&rules(game), TABLE).unwrap();
        let found = (0..80).filter_map(|_| random_position(rules(game), 16, &mut random));
        for mut position in found.take(15).collect::<Vec<_>>() {
            let mut solution = solver.solve(&position, &Limits::default(), &Stop::default());
            solver.extend(&position, &mut solution, &Stop::default());
            let mover = position.to_move();
            let wanted = plies(win_in(solution.score.unwrap(), position.free()), &position);
            assert_eq!(solution.line.len(), wanted, "{}", position.ascii());
            solution.line.iter().for_each(|&cell| position.play(cell).unwrap());
            let result = match position.outcome().unwrap() {
                Outcome::Draw => Solved::Draw,
                Outcome::Win(winner) if winner == mover => Solved::Win,
                Outcome::Win(_) => Solved::Loss,
            };
            assert_eq!(solution.result, result);
        }
    }
}

#[test]
fn the_usual_board_is_solved_by_the_book() {
    let empty = Position::new(rules("connect4"));
    let mut solver = ConnectFour::new(empty.rules(), TABLE).unwrap();
    assert_eq!(solved(&mut solver, &empty), 1);
    let choices = solver.scores(&empty, &Limits::default(), &Stop::default(), &mut |_, _| {});
    assert_eq!(choices[0].cell, "d1".parse().unwrap());
    let mut scores: Vec<_> = choices.iter().map(|c| (c.cell.column, c.known.exact().unwrap())).collect();
    scores.sort_unstable();
    assert_eq!(scores, [(0, -2), (1, -1), (2, 0), (3, 1), (4, 0), (5, -1), (6, -2)]);
    assert_eq!(solver.nodes(), 0);
}

/// The others of the book take a second each.
#[test]
fn the_book_agrees_with_the_solver_where_a_game_ends_soon() {
    let built_in = Book::built_in();
    let rules = rules("connect4");
    let mut by_book = ConnectFour::with_book(&rules, TABLE, Some(built_in.clone())).unwrap();
    let mut alone = ConnectFour::without_book(&rules, TABLE).unwrap();
    let games = (0..=built_in.stones()).flat_map(|stones| Book::empty(stones).missing(stones));
    let scored =
        games.map(|columns| book::position(&columns)).map(|position| (solved(&mut by_book, &position), position));
    let soon: Vec<(i32, Position)> = scored.filter(|(score, _)| *score >= 10).collect();
    assert!(soon.len() >= 43, "{}", soon.len());
    for (score, position) in soon.iter().take(60) {
        assert_eq!(solved(&mut alone, position), *score, "{}", position.ascii());
    }
}

#[test]
fn what_is_known_before_changes_no_score() {
    let mut random = Random::new(21);
    let mut solver = ConnectFour::without_book(&rules("connect4"), TABLE).unwrap();
    let found: Vec<Position> = (0..60).filter_map(|_| random_position(rules("connect4"), 20, &mut random)).collect();
    assert!(found.len() > 20);
    for position in found {
        let score = solved(&mut solver, &position);
        for least in score - 2..=score {
            solver.forget();
            let known = solver.score_from(&position, Some(least), &Limits::default(), &Stop::default());
            assert_eq!(known.exact(), Some(score), "at least {least}\n{}", position.ascii());
        }
    }
}

#[test]
fn the_scores_of_all_columns_agree_with_the_position() {
    let mut random = Random::new(9);
    let rules = rules("connect4:6x6/b3");
    let mut solver = ConnectFour::new(&rules, TABLE).unwrap();
    let found: Vec<Position> = (0..60).filter_map(|_| random_position(rules, 15, &mut random)).take(15).collect();
    for position in found {
        let choices = solver.scores(&position, &Limits::default(), &Stop::default(), &mut |_, _| {});
        assert_eq!(choices.len(), position.legal().count());
        let score = solved(&mut solver, &position);
        assert_eq!(choices[0].known.exact(), Some(score));
        let best = solver.best(&position, &Limits::default(), &Stop::default()).unwrap();
        assert_eq!((best.score, best.win_in), (score, Some(win_in(score, position.free()))));
        assert!(choices.iter().any(|c| c.cell == best.cells[0] && c.known.exact() == Some(score)));
        for choice in &choices {
            let (mut next, line) = (position.clone(), solver.line(&position, choice));
            line.cells.iter().for_each(|&cell| next.play(cell).unwrap());
            assert!(next.outcome().is_some());
            assert_eq!(line.cells.len(), plies(line.win_in.unwrap(), &position));
        }
    }
}

#[test]
fn limits_leave_a_position_unknown() {
    let empty = Position::new(rules("connect4:8x8"));
    let mut solver = ConnectFour::new(empty.rules(), TABLE).unwrap();
    let few = Limits { nodes: Some(10_000), ..Limits::default() };
    let solution = solver.solve(&empty, &few, &Stop::default());
    assert_eq!((solution.result, solution.score), (Solved::Unknown, None));
    assert!(solution.nodes <= 10_200, "{}", solution.nodes);
    let stop = Stop::default();
    stop.set();
    assert_eq!(solver.solve(&empty, &Limits::default(), &stop).result, Solved::Unknown);
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let refused = |game: &str| ConnectFour::new(&rules(game), TABLE).err();
    assert!(matches!(refused("gomoku"), Some(NoSolver::Game { .. })));
    assert!(matches!(refused("connect:7,6,5,1,1,drop"), Some(NoSolver::Game { .. })));
    assert!(matches!(refused("connect4:16x16"), Some(NoSolver::Size { .. })));
    assert!(matches!(refused("connect4:20x4"), Some(NoSolver::Size { .. })));
    assert!(refused("connect4:16x7").is_none());
}

#[test]
fn the_number_of_plies_follows_from_the_score() {
    assert_eq!(win_in(1, 42), 41);
    assert_eq!(win_in(21, 42), 1);
    assert_eq!(win_in(-1, 41), -40);
    assert_eq!(win_in(-20, 41), -2);
    assert_eq!(win_in(0, 10), 0);
}
