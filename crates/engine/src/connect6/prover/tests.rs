use std::sync::Arc;

use lianzi_core::{Cell, Outcome, Position, Random, Rules};

use super::*;
use crate::connect6::shape::Shape;
use crate::connect6::verify;

/// A position after stones that lie near each other and threaten nothing.
fn strewn(random: &mut Random, rules: Rules, stones: usize) -> Option<Position> {
    let mut position = Position::new(rules);
    for _ in 0..stones {
        let near = |n: u8, random: &mut Random| (n / 2 + random.below(7) as u8).saturating_sub(3).min(n - 1);
        let cell = Cell::new(near(rules.width, random), near(rules.height, random));
        let _ = position.play(cell);
    }
    let full_turn = position.outcome().is_none() && position.stones_left() == 2;
    full_turn.then_some(position)
}

fn prove(position: &Position, singles: u32) -> (Option<Plan>, SixBoard) {
    let mut board = SixBoard::new(Arc::new(Shape::new(position.rules())), position);
    let before = board.key();
    let plan = Prover::new(20_000, &|| false).prove(&mut board, Means { singles, quiet: false });
    assert_eq!(board.key(), before, "the board is as it was");
    (plan, board)
}

fn holds(position: &Position, board: &SixBoard, plan: &Plan) -> bool {
    verify::holds(position, &board.shape, plan, &mut || false) == Some(true)
}

#[test]
fn double_threats_are_found_exactly_where_they_win() {
    let mut random = Random::new(11);
    let mut seen = [0; 2];
    while seen[0] < 8 || seen[1] < 20 {
        let rules = Rules::connect(9, 9, 6, 2, 1);
        let stones = 14 + random.below(14);
        let Some(position) = strewn(&mut random, rules, stones) else { continue };
        let slow = verify::exhaustive(&position, 2);
        let (plan, board) = prove(&position, 0);
        if slow {
            let plan = plan.as_ref().unwrap_or_else(|| panic!("{:?}", position.plies()));
            assert!(holds(&position, &board, plan), "{:?}", position.plies());
        }
        if let (Some(plan), false) = (&plan, slow) {
            assert!(holds(&position, &board, plan), "{:?}", position.plies());
        }
        seen[usize::from(slow)] += 1;
    }
}

#[test]
fn single_threats_win_against_every_defence() {
    let mut random = Random::new(12);
    let mut seen = 0;
    for _ in 0..3000 {
        let stones = 12 + random.below(14);
        let Some(position) = strewn(&mut random, Rules::connect6(13), stones) else { continue };
        let (plan, board) = prove(&position, 0);
        if plan.is_some() || !board.threats(board.turn ^ 1).is_empty() {
            continue;
        }
        if let (Some(plan), board) = prove(&position, 1) {
            assert!(matches!(plan.then, Then::Free(..)));
            assert!(holds(&position, &board, &plan), "{:?}", position.plies());
            seen += 1;
            if seen == 2 {
                return;
            }
        }
    }
    panic!("only {seen} wins by single threats");
}

#[test]
fn a_plan_that_does_not_win_is_refused() {
    let mut position = Position::new(Rules::connect6(15));
    for cell in "h8 a1 a3 i8 j8 a5 a7".split_whitespace() {
        position.play(cell.parse().unwrap()).unwrap();
    }
    let (plan, board) = prove(&position, 0);
    assert_eq!(plan, None, "three in a row do not win by themselves");
    let place = |name: &str| board.shape.place(name.parse().unwrap());
    let turn = [place("k8"), place("g8")].into_iter().collect();
    let hope = Plan { turn, then: Then::Won };
    assert!(!holds(&position, &board, &hope));
}

#[test]
fn a_line_ends_with_six() {
    let mut random = Random::new(13);
    let mut seen = 0;
    while seen < 10 {
        let stones = 16 + random.below(14);
        let Some(mut position) = strewn(&mut random, Rules::connect6(15), stones) else { continue };
        let (Some(plan), board) = prove(&position, 1) else { continue };
        let me = position.to_move();
        for stone in plan.line(&board) {
            position.play(board.shape.cell(stone)).unwrap();
        }
        assert_eq!(position.outcome(), Some(Outcome::Win(me)));
        seen += 1;
    }
}
