//! The board's knowledge against what the referee says of every cell, and against a board made anew.

use std::sync::Arc;

use lianzi_core::{Cell, Position, Random, Rules, Stone};

use super::super::board::GomokuBoard;
use super::super::kind::Kind;
use super::super::knowledge::Knowledge;
use super::super::network::form;
use super::super::shape::Shape;
use super::super::spot::{cell, spot};
use crate::network::tests::random_network;

const GAMES: [&str; 8] =
    ["gomoku", "gomoku:22", "gomoku:9/e5,c3", "standard", "standard:9/d4", "renju", "renju:9/e5", "connect:22,6,5,1,1"];

/// A random game whose stones lie close together, so that rows come about.
fn playout(rules: Rules, random: &mut Random, mut visit: impl FnMut(&Position, &mut GomokuBoard)) {
    let knowledge = Arc::new(Knowledge::new(&rules).and(Some(random_network(form(&rules), random.next()))));
    let mut position = Position::new(rules);
    let mut board = GomokuBoard::new(&position, &knowledge);
    while position.outcome().is_none() {
        visit(&position, &mut board);
        let legal: Vec<Cell> = position.legal().collect();
        let close = |cell: &&Cell| {
            position
                .plies()
                .iter()
                .any(|ply| ply.cell.column.abs_diff(cell.column) <= 2 && ply.cell.row.abs_diff(cell.row) <= 2)
        };
        let near: Vec<Cell> = legal.iter().filter(close).copied().collect();
        let pool = if near.is_empty() { &legal } else { &near };
        let Some(&choice) = random.choose(pool) else { break };
        position.play(choice).unwrap();
        board.play(spot(choice));
    }
    while position.undo().is_some() {
        board.undo();
        visit(&position, &mut board);
    }
}

#[test]
fn what_is_kept_is_what_a_new_board_knows() {
    let mut random = Random::new(11);
    for game in GAMES {
        playout(game.parse().unwrap(), &mut random, |position, board| {
            let mut anew = board.remade(position);
            assert_eq!((anew.hash(), anew.free(), anew.to_move()), (board.hash(), board.free(), board.to_move()));
            assert_eq!(anew.evaluate(), board.evaluate());
            for stone in Stone::BOTH {
                let counts = |board: &GomokuBoard| Kind::ALL.map(|kind| board.count(stone, kind));
                assert_eq!(counts(&anew), counts(board));
            }
            for cell in position.empty_cells() {
                assert_eq!(anew.look(spot(cell)), board.look(spot(cell)), "{cell}");
                assert_eq!(anew.is_foul(spot(cell)), board.is_foul(spot(cell)), "{cell}");
            }
        });
    }
}

#[test]
fn fives_and_fouls_are_the_referees() {
    let mut random = Random::new(12);
    for game in GAMES {
        playout(game.parse().unwrap(), &mut random, |position, board| {
            for cell in position.empty_cells() {
                for stone in Stone::BOTH {
                    let five = board.look(spot(cell)).kinds[stone.index()] == Kind::Five;
                    assert_eq!(five, position.wins_at(cell, stone), "{cell} {stone:?}");
                }
                assert_eq!(board.is_black_foul(spot(cell)), is_black_foul(position, cell), "{cell}");
            }
        });
    }
}

/// The referee knows fouls of the side to move only; Black's fouls do not depend on whose turn it is.
fn is_black_foul(position: &Position, cell: Cell) -> bool {
    if position.to_move() == Stone::Black {
        return position.foul(cell).is_some();
    }
    let stones =
        position.rules().cells().filter_map(|cell| position.stone(cell).map(|stone| lianzi_core::Ply { stone, cell }));
    let setup = lianzi_core::Setup { stones: stones.collect(), to_move: Stone::Black, stones_left: 1 };
    Position::with_setup(*position.rules(), &setup).unwrap().foul(cell).is_some()
}

/// A four is what has a five next; an open four has two cells for it, or is two fours: the referee counts them.
#[test]
fn fours_are_what_the_referee_can_make_fives_of() {
    let mut random = Random::new(13);
    for game in GAMES {
        playout(game.parse().unwrap(), &mut random, |position, board| {
            let stone = position.to_move();
            for cell in position.legal() {
                let kind = board.look(spot(cell)).kinds[stone.index()];
                let mut after = position.clone();
                after.play(cell).unwrap();
                if kind == Kind::Five || after.outcome().is_some() {
                    continue;
                }
                let before: Vec<Cell> = position.empty_cells().filter(|&c| position.wins_at(c, stone)).collect();
                let new = after.empty_cells().filter(|&c| after.wins_at(c, stone) && !before.contains(&c)).count();
                if before.is_empty() && kind != Kind::Foul {
                    let fours = match kind {
                        Kind::OpenFour => new >= 2,
                        kind if kind.is_four() => new == 1,
                        _ => new == 0,
                    };
                    assert!(fours, "{cell} {kind:?} {new}");
                }
            }
        });
    }
}

/// A shape by brute force: how many more stones of this side, no answers, make a five through the cell, and in
/// how many ways the next one keeps it. An independent reading of the definitions for the free style.
#[test]
fn shapes_are_as_far_from_five_as_they_say() {
    let mut random = Random::new(14);
    playout("gomoku:12".parse().unwrap(), &mut random, |position, board| {
        for c in position.empty_cells() {
            for stone in Stone::BOTH {
                for (n, direction) in lianzi_core::DIRECTIONS.into_iter().enumerate() {
                    let shape = board.shape(spot(c), stone, n);
                    let missing = fewest_missing(position, c, stone, direction);
                    let right = match shape {
                        Shape::Dead => missing.is_none(),
                        Shape::One | Shape::OpenOne => missing == Some(4),
                        Shape::Two | Shape::OpenTwo | Shape::GoodTwo | Shape::BestTwo => missing == Some(3),
                        Shape::Three | Shape::OpenThree | Shape::BestThree => missing == Some(2),
                        Shape::Four | Shape::OpenFour => missing == Some(1),
                        Shape::Five => missing == Some(0),
                        Shape::TwinFour | Shape::Overline => false,
                    };
                    assert!(right, "{c} {stone:?} {direction:?} {shape:?} {missing:?}");
                }
            }
        }
    });
}

/// How many stones of the fullest window of five through the cell are missing once the cell is taken.
fn fewest_missing(position: &Position, c: Cell, stone: Stone, direction: (i8, i8)) -> Option<usize> {
    let window = |first: i8| -> Option<usize> {
        let cells: Option<Vec<Cell>> = (first..first + 5).map(|n| c.step(direction, n)).collect();
        let cells = cells?;
        let inside = cells.iter().all(|&at| position.rules().contains(at));
        let mine = |at: Cell| at == c || position.stone(at) == Some(stone);
        let free = |at: Cell| position.content(at) == Some(lianzi_core::Content::Empty);
        (inside && cells.iter().all(|&at| mine(at) || free(at))).then(|| cells.iter().filter(|&&at| !mine(at)).count())
    };
    (-4..=0).filter_map(window).min()
}

#[test]
fn cells_and_spots_are_the_same_thing() {
    for c in Rules::gomoku(22).cells() {
        assert_eq!(cell(spot(c)), c);
    }
}
