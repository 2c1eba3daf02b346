use std::sync::Arc;

use lianzi_core::{Cell, Position, Random, Rules, Stone};

use super::*;
use crate::connect6::network::FORM;
use crate::connect6::pattern::kinds;
use crate::network::tests::random_network;

/// What a board must be, counted from the referee's position.
fn check(board: &mut SixBoard, position: &Position) {
    let mut fresh = SixBoard::new(Arc::clone(&board.shape), position);
    assert_eq!((board.turn, board.free), (fresh.turn, position.free()));
    // The last cell of a board leaves half a turn, and after the end there is none.
    assert!(board.left == fresh.left || position.free() < 2 || position.outcome().is_some());
    assert_eq!((board.key, &board.stars, &board.codes), (fresh.key, &fresh.stars, &fresh.codes));
    assert_eq!(board.sums, board.recounted());
    assert_eq!(board.evaluate(1), fresh.evaluate(1));
    for (number, window) in board.shape.windows.iter().enumerate() {
        let held = |stone| {
            let holds = |place: &&Place| position.stone(board.shape.cell(**place)) == Some(stone);
            window.iter().filter(holds).count() as u8
        };
        let (black, white) = (held(Stone::Black), held(Stone::White));
        assert_eq!(board.counts[number], black + 8 * white);
        let listed = [0, 1].map(|side: usize| board.threats(side).contains(&(number as u16)));
        assert_eq!(listed, [black >= 4 && white == 0, white >= 4 && black == 0]);
    }
}

fn random_rules(random: &mut Random) -> Rules {
    let (width, height) = (6 + random.below(14) as u8, 6 + random.below(14) as u8);
    let mut rules = Rules::connect(width, height, 6, 2, 1);
    for _ in 0..random.below(6) {
        rules = rules.with_blocked(Cell::new(random.below(width.into()) as u8, random.below(height.into()) as u8));
    }
    rules
}

#[test]
fn every_board_is_the_referees() {
    let mut random = Random::new(6);
    for _ in 0..30 {
        let rules = random_rules(&mut random);
        let mut position = Position::new(rules);
        let shape = Shape::new(&rules).and(Some(random_network(&FORM, random.next())));
        let mut board = SixBoard::new(Arc::new(shape), &position);
        for step in 0..150 {
            if position.outcome().is_some() || random.below(4) == 0 {
                if let Some(cell) = position.undo() {
                    board.undo(board.shape.place(cell));
                }
            } else {
                let legal: Vec<Cell> = position.legal().collect();
                let cell = *random.choose(&legal).unwrap();
                position.play(cell).unwrap();
                board.play(board.shape.place(cell));
            }
            if step % 10 == 0 {
                check(&mut board, &position);
            }
        }
        while let Some(cell) = position.undo() {
            board.undo(board.shape.place(cell));
        }
        check(&mut board, &position);
    }
}

#[test]
fn a_star_says_whether_a_stone_wins_or_threatens() {
    let mut random = Random::new(7);
    for _ in 0..40 {
        let rules = random_rules(&mut random);
        let mut position = Position::new(rules);
        let mut board = SixBoard::new(Arc::new(Shape::new(&rules)), &position);
        for _ in 0..80 {
            let legal: Vec<Cell> = position.legal().collect();
            let Some(&cell) = random.choose(&legal) else { break };
            position.play(cell).unwrap();
            board.play(board.shape.place(cell));
            if position.outcome().is_some() {
                break;
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        for (side, stone) in [(0, Stone::Black), (1, Stone::White)] {
            for place in board.empty().collect::<Vec<_>>() {
                let kinds = kinds(board.stars(side)[usize::from(place)]);
                assert_eq!(kinds.contains(&15), position.wins_at(board.shape.cell(place), stone));
                board.put(place, side);
                let windows = board.shape.windows_of(place);
                let new = windows.iter().any(|window| board.threats(side).contains(window));
                board.take(place, side);
                assert_eq!(new, kinds.iter().any(|&kind| kind >= 12));
            }
        }
    }
}
