//! Table 2.

use lianzi_core::{Ply, Position, Rules, Setup, Stone};

use super::super::board::Board;
use super::super::evaluate::evaluate;
use super::{board_of, cells, set_up};

/// The value when the first side moved last, which must not depend on the colours or the corner of the board.
fn value(last: &str, to_move: &str) -> i32 {
    let as_black = evaluate(&mut board_of(&set_up(last, to_move, Stone::White)));
    let as_white = evaluate(&mut board_of(&set_up(to_move, last, Stone::Black)));
    assert_eq!(as_black, as_white, "the table is mirrored");
    as_black
}

#[test]
fn fives_are_a_million() {
    assert_eq!(value("a1 b1 c1 d1 e1", "a9 b9 c9 d9"), 1_000_000); // S1-35
    assert_eq!(value("a9 b9 c9 d9", "a1 b1 c1 d1 e1"), -1_000_000); // S1-36
    assert_eq!(value("a1 b1 c1 d1 e1 f1", ""), 1_000_000); // S1-46: six are a five
}

#[test]
fn fours_of_the_side_to_move_win_at_once() {
    assert_eq!(value("", "d8 e8 f8 g8"), -9050); // S1-37
    assert_eq!(value("", "a8 b8 c8 d8"), -9040); // S1-38
    assert_eq!(value("h1 i1 j1 k1", "d8 e8 f8 g8"), -9050); // even against a live four
    assert_eq!(value("h1 i1 j1 k1", "a8 b8 c8 d8"), -9040);
}

#[test]
fn a_live_four_of_the_last_mover_wins_next() {
    // S1-39
    assert_eq!(value("h2 i2 j2 k2", ""), 9030);
    // Two rush fours count as one live four; a single one does not.
    assert_eq!(value("a1 b1 c1 d1 a9 b9 c9 d9", ""), 9030);
    assert_eq!(value("a1 b1 c1 d1", ""), 400);
    assert_eq!(value("h2 i2 j2 k2", "d8 e8 f8"), 9030); // a live three of the other is too slow
}

#[test]
fn a_four_and_a_three() {
    assert_eq!(value("a1 b1 c1 d1 h8 i8 j8", ""), 9020); // S1-40
    assert_eq!(value("a1 b1 c1 d1 h8 i8 j8", "h12 i12 j12"), 9020);
}

#[test]
fn a_live_three_of_the_side_to_move() {
    // S1-41: it wins unless the last mover has a four.
    assert_eq!(value("", "h8 i8 j8"), -9010);
    assert_eq!(value("h11 i11 j11", "h8 i8 j8"), -9010);
    assert_eq!(value("a1 b1 c1 d1", "h8 i8 j8"), 400 - 400);
}

#[test]
fn both_have_a_live_three() {
    // S1-34: ⚠ the text says Black's turn where its example needs White's. The side to move wins.
    let (black, white) = ("d3 e3 f3", "h8 i8 j8");
    let for_last = |to_move| evaluate(&mut board_of(&set_up(black, white, to_move)));
    assert_eq!(for_last(Stone::White), -9010);
    assert_eq!(for_last(Stone::Black), -9010);
}

#[test]
fn two_live_threes() {
    // S1-42
    assert_eq!(value("d3 e3 f3 h8 i8 j8", ""), 9000);
    // A sleeping three of the other side may become a four in time: then the weights are summed.
    assert_eq!(value("d3 e3 f3 h8 i8 j8", "a12 b12 c12"), 2 * 100 - 100);
}

#[test]
fn what_does_not_win_is_weighed() {
    // S1-33, S1-43: the reading of the authors' program; see the comment in evaluate.rs.
    assert_eq!(value("a1 b1 c1 d1", ""), 400); // 黑冲四
    assert_eq!(value("a1 b1 c1 d1", "h8 i8 j8"), 400 - 400); // 白活三
    assert_eq!(value("h8 i8 j8", ""), 100); // 黑活三
    assert_eq!(value("", "a8 b8 c8"), -100); // 白眠三
    assert_eq!(value("a8 b8 c8", ""), 80); // 黑眠三
    assert_eq!(value("", "h8 i8"), -80); // 白活二
    assert_eq!(value("h8 i8", ""), 40); // 黑活二
    // S1-32: own less the other's.
    assert_eq!(value("h8 i8 a3 b3 c3", "h12 i12 a14 b14 c14"), 40 + 80 - 80 - 100);
    assert_eq!(value("", ""), 0);
}

#[test]
fn the_largest_weight_that_fits_is_returned() {
    // S1-44: from all eight rows at once, taking the strongest away one by one.
    let white_four = "a15 b15 c15 d15";
    let white_live_four = "d12 e12 f12 g12";
    let (live_four, four) = ("d9 e9 f9 g9", "a6 b6 c6 d6");
    let (three, three_more, white_three) = ("k2 l2 m2", "d3 e3 f3", "k6 l6 m6");
    let join = |parts: &[&str]| parts.join(" ");
    let white = join(&[white_live_four, white_four, white_three]);
    assert_eq!(value(&join(&[live_four, four, three]), &white), -9050);
    assert_eq!(value(&join(&[live_four, four, three]), &join(&[white_four, white_three])), -9040);
    assert_eq!(value(&join(&[live_four, four, three]), white_three), 9030);
    assert_eq!(value(&join(&[four, three]), white_three), 9020);
    assert_eq!(value(&join(&[three, three_more]), white_three), -9010);
    assert_eq!(value(&join(&[three, three_more]), ""), 9000);
}

#[test]
fn of_two_fives_the_first_counts() {
    // S1-45: the search of the document goes on after a five; the later one must not matter.
    let mut board = Board::new(Rules::gomoku(15));
    for cell in cells("a1 a9 b1 b9 c1 c9 d1 d9 e1 e9") {
        board.put(board.index(cell));
    }
    assert!(board.has_five(Stone::Black) && board.has_five(Stone::White));
    let (counts, key) = (*board.counts(), board.key());
    assert_eq!(evaluate(&mut board), -1_000_000); // White moved last, Black was first
    board.put(board.index("h8".parse().unwrap()));
    assert_eq!(evaluate(&mut board), 1_000_000);
    board.take_back();
    assert_eq!((*board.counts(), board.key()), (counts, key));
}

#[test]
fn edges_and_blocked_cells_are_walls() {
    let rules: Rules = "gomoku/g8".parse().unwrap();
    let stones = cells("h8 i8 j8").into_iter().map(|cell| Ply { stone: Stone::Black, cell }).collect();
    let setup = Setup { stones, to_move: Stone::White, stones_left: 1 };
    let position = Position::with_setup(rules, &setup).unwrap();
    assert_eq!(evaluate(&mut board_of(&position)), 80);
}
