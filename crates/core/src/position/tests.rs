use super::*;
use crate::Language;

fn cells(text: &str) -> Vec<Cell> {
    text.split_whitespace().map(|name| name.parse().unwrap()).collect()
}

fn played(game: &str, moves: &str) -> Position {
    Position::after(game.parse().unwrap(), moves).unwrap()
}

#[test]
fn a_first_stone_that_wins_ends_the_turn() {
    let five = "j10 a1 a2 k10 l10 a3 a4 m10 n10 b1 b2";
    let mut position = played("connect6", five);
    assert_eq!((position.to_move(), position.stones_left()), (Stone::Black, 2));
    position.play("o10".parse().unwrap()).unwrap();
    assert_eq!(position.outcome(), Some(Outcome::Win(Stone::Black)));
    assert_eq!(position.stones_left(), 0);
    assert_eq!(position.winning_line(), Some(cells("j10 k10 l10 m10 n10 o10")));
    assert_eq!(position.check("p10".parse().unwrap()), Err(IllegalMove::GameOver));
    assert_eq!(position.undo(), Some("o10".parse().unwrap()));
    assert_eq!(position.outcome(), None);
}

#[test]
fn a_turn_with_one_free_cell_is_one_stone() {
    // Nine cells: one stone, then two a turn; the ninth stone fills the board in the middle of nobody's turn.
    let even = played("connect:2,3,3,2,1", "a1 b1 a2 b2 b3");
    assert_eq!((even.to_move(), even.stones_left(), even.free()), (Stone::White, 1, 1));
}

#[test]
fn the_last_stone_of_a_full_board_can_win() {
    let position = played("connect:3,1,2,1,1", "a1 c1");
    let mut won = position.clone();
    won.play("b1".parse().unwrap()).unwrap();
    assert_eq!(won.outcome(), Some(Outcome::Win(Stone::Black)));
    let full = played("connect:3,1,3,1,1", "a1 c1 b1");
    assert_eq!(full.outcome(), Some(Outcome::Draw));
}

#[test]
fn stones_drop_past_blocked_cells() {
    let mut position = Position::new("connect4:4x4/a1,b2,c4".parse().unwrap());
    assert_eq!(position.legal().collect::<Vec<_>>(), cells("a2 b1 c1 d1"));
    for cell in cells("b1 b3 c1 c2 c3") {
        position.play(cell).unwrap();
    }
    // c4 is blocked, so column c is full after three stones.
    assert_eq!(position.legal().collect::<Vec<_>>(), cells("a2 b4 d1"));
    assert_eq!(position.check("d2".parse().unwrap()), Err(IllegalMove::Floating));
    assert_eq!(position.check("a1".parse().unwrap()), Err(IllegalMove::Blocked));
    assert_eq!(position.check("c3".parse().unwrap()), Err(IllegalMove::Occupied));
    assert_eq!(position.check("e1".parse().unwrap()), Err(IllegalMove::OffBoard));
}

#[test]
fn overlines_count_as_the_rules_say() {
    let moves = "a1 a15 b1 b15 c1 c15 e1 e15 f1 f15 d1";
    assert_eq!(played("gomoku", moves).outcome(), Some(Outcome::Win(Stone::Black)));
    assert_eq!(played("standard", moves).outcome(), None);
    let (last, before) = ("d1".parse().unwrap(), "a1 a15 b1 b15 c1 c15 e1 e15 f1 f15");
    assert_eq!(played("renju", before).check(last), Err(IllegalMove::Forbidden(Foul::Overline)));
    let white = "a15 a1 b15 b1 c15 c1 e13 e1 f15 f1 h15 d1";
    assert_eq!(played("renju", white).outcome(), Some(Outcome::Win(Stone::White)));
}

#[test]
fn a_blocked_cell_breaks_a_line() {
    let moves = "a1 a9 b1 b9 d1 d9 e1 e9";
    let position = played("gomoku/c1,f1", moves);
    assert_eq!(position.outcome(), None);
    assert_eq!(position.check("c1".parse().unwrap()), Err(IllegalMove::Blocked));
}

#[test]
fn hashes_are_frozen() {
    assert_eq!(played("gomoku", "").hash(), 15719503542151743746);
    assert_eq!(played("connect6", "j10 k11").hash(), 12718728242038390163);
    assert_eq!(played("connect6", "j10 k11 k12").hash(), played("connect6", "j10 k12 k11").hash());
    assert_ne!(played("connect6", "j10 k11").hash(), played("connect6", "j10 k12").hash());
    assert_ne!(played("gomoku/a1", "").hash(), played("gomoku", "").hash());
}

#[test]
fn set_ups_are_checked() {
    let rules: Rules = "connect4".parse().unwrap();
    let ply = |stone, cell: &str| Ply { stone, cell: cell.parse().unwrap() };
    let setup = |stones, stones_left| Setup { stones, to_move: Stone::White, stones_left };
    let floating = setup(vec![ply(Stone::Black, "a2")], 1);
    assert_eq!(
        Position::with_setup(rules, &floating),
        Err(BadSetup::Stone("a2".parse().unwrap(), IllegalMove::Floating))
    );
    assert_eq!(Position::with_setup(rules, &setup(vec![], 2)), Err(BadSetup::StonesLeft(2)));
    let mut fine = Position::with_setup(rules, &setup(vec![ply(Stone::Black, "a1")], 1)).unwrap();
    assert_eq!(fine.to_move(), Stone::White);
    assert_eq!(fine.undo(), None);
    let row = |stone, row: u8| "abcd".chars().map(move |c| ply(stone, &format!("{c}{row}")));
    let won = setup(row(Stone::White, 1).collect(), 1);
    let position = Position::with_setup(rules, &won).unwrap();
    assert_eq!(position.outcome(), Some(Outcome::Win(Stone::White)));
    assert_eq!(position.winning_line(), Some(cells("a1 b1 c1 d1")));
    let both = setup(row(Stone::White, 1).chain(row(Stone::Black, 2)).collect(), 1);
    assert_eq!(Position::with_setup(rules, &both), Err(BadSetup::TwoWinners));
}

#[test]
fn the_first_bad_move_of_several_is_named() {
    let bad = |moves: &str| {
        let bad = Position::after("connect4".parse().unwrap(), moves).unwrap_err();
        [Language::English, Language::Chinese].map(|language| bad.words(language))
    };
    assert_eq!(played("connect4", "d, 4\td3").plies().len(), 3);
    assert_eq!(bad("d 9")[0], "stone 2: there is no column '9'; the last one is g");
    assert_eq!(bad("d d1 d9")[1], "第 2 子：d1: 已有棋子");
    assert_eq!(bad("4448")[0], "stone 4: there is no column '8'; the last one is g");
    assert_eq!(bad("d1d2d2")[0], "stone 3: d2: there is a stone already");
}

#[test]
fn moves_may_run_together() {
    for (game, apart, together) in [
        ("gomoku", "h7 j9 j7", "h7j9j7"),
        ("gomoku", "h7 j9 j7", "H7J9,j7"),
        ("connect:31,31,5,1,1", "aa1 ab31 z5", "aa1ab31z5"),
        ("connect4", "d1 d2 e1 c1", "4453"),
        ("connect4", "d1 d2 e1 c1", "44 5c"),
        ("connect4", "d1 d2 e1", "d1d2e1"),
        ("connect4:12x9", "d1 d2 j1 l1", "4 4 10 12"),
        ("connect4:12x9", "a1 b1", "12"),
    ] {
        assert_eq!(played(game, together).plies(), played(game, apart).plies(), "{game}: {together}");
    }
    for wrong in ["h8i", "h8-i9", "44", "h8h88h8"] {
        let bad = Position::after(Rules::gomoku(15), wrong).unwrap_err();
        assert!(matches!(bad, BadMove::Unread { .. }), "{wrong}: {bad}");
    }
}

#[test]
fn people_may_name_a_column_only() {
    let position = played("connect4", "d1 d2 d3 d4 d5 d6");
    assert_eq!(position.read_cell(" c "), Ok("c1".parse().unwrap()));
    assert_eq!(position.read_cell("3"), Ok("c1".parse().unwrap()));
    assert_eq!(position.read_cell("d"), Err(UnreadMove::FullColumn("d".into())));
    assert!(matches!(position.read_cell("h"), Err(UnreadMove::NoColumn { .. })));
    assert!(matches!(position.read_cell("0"), Err(UnreadMove::NotACell(_))));
    assert!(matches!(played("gomoku", "").read_cell("h"), Err(UnreadMove::NotACell(_))));
}
