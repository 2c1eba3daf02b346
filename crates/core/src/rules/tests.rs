//! Tests of the rules and of their names.

use super::*;

#[test]
fn presets_have_their_names() {
    let names = [
        (Rules::gomoku(15), "gomoku"),
        (Rules::gomoku(20), "gomoku:20"),
        (Rules::standard(15), "standard"),
        (Rules::renju(15), "renju"),
        (Rules::connect6(19), "connect6"),
        (Rules::connect6(15), "connect6:15"),
        (Rules::connect4(7, 6), "connect4"),
        (Rules::connect4(9, 10).with_blocked(Cell::new(3, 3)), "connect4:9x10/d4"),
        (Rules::connect(3, 3, 3, 1, 1), "connect:3,3,3,1,1"),
        (Rules { placement: Placement::Drop, ..Rules::connect(9, 7, 5, 1, 1) }, "connect:9,7,5,1,1,drop"),
        (Rules { overline: Overline::Ignored, ..Rules::connect6(19) }, "connect:19,19,6,2,1,exact"),
        (Rules { width: 13, ..Rules::renju(15) }, "connect:13,15,5,1,1,renju"),
    ];
    for (rules, name) in names {
        assert_eq!(rules.to_string(), name);
        assert_eq!(name.parse(), Ok(rules));
    }
}

#[test]
fn other_ways_to_write_a_name_mean_the_same() {
    for (other, name) in [
        ("connect:15,15,5,1,1", "gomoku"),
        ("connect:19,19,6,2,1", "connect6"),
        ("connect:7,6,4,1,1,drop", "connect4"),
        ("connect4:7x6", "connect4"),
        ("Connect4:9X10/D4", "connect4:9x10/d4"),
        ("connect4:9x10/d4,a1,d4", "connect4:9x10/a1,d4"),
        (" gomoku:15 ", "gomoku"),
    ] {
        assert_eq!(other.parse::<Rules>().unwrap().to_string(), name);
    }
}

#[test]
fn bad_names_are_refused_with_the_reason() {
    use BadGame::*;
    let cases = [
        ("chess", Unknown("chess".into())),
        ("", Unknown("".into())),
        ("gomoku:x", Arguments("x".into())),
        ("gomoku:", Arguments("".into())),
        ("gomoku:0", Size(0, 0)),
        ("gomoku:32", Size(32, 32)),
        ("gomoku:1000000000", Size(1_000_000_000, 1_000_000_000)),
        ("gomoku:99999999999999", Size(u32::MAX, u32::MAX)),
        ("gomoku:4", Line { line: 5, width: 4, height: 4 }),
        ("connect4:7", Arguments("7".into())),
        ("connect4:random", Random),
        ("connect4/h1", Blocked(Cell::new(7, 0))),
        ("connect4/", Arguments("".into())),
        ("connect:3,3,3,1", Arguments("3,3,3,1".into())),
        ("connect:3,3,3,0,1", Stones),
        ("connect:3,3,0,1,1", Line { line: 0, width: 3, height: 3 }),
        ("connect:3,3,3,1,1,fly", Arguments("3,3,3,1,1,fly".into())),
        ("connect:15,15,6,1,1,renju", Renju),
    ];
    for (name, reason) in cases {
        assert_eq!(name.parse::<Rules>(), Err(reason.clone()), "{name}");
        assert!(!reason.text().chinese.is_empty() && !reason.to_string().is_empty());
    }
}

#[test]
fn turns_follow_one_another() {
    use Stone::*;
    let turns = |rules: Rules, n: usize| (0..n).map(|i| rules.turn_at(i)).collect::<Vec<_>>();
    assert_eq!(turns(Rules::gomoku(15), 3), [(Black, 1), (White, 1), (Black, 1)]);
    assert_eq!(turns(Rules::connect6(19), 6), [(Black, 1), (White, 2), (White, 1), (Black, 2), (Black, 1), (White, 2)]);
    assert_eq!(turns(Rules::connect(9, 9, 5, 1, 2), 4), [(Black, 2), (Black, 1), (White, 1), (Black, 1)]);
}

#[test]
fn windows_are_counted() {
    assert_eq!(Rules::connect6(19).windows().len(), 924);
    assert_eq!(Rules::connect4(7, 6).windows().len(), 69);
    assert_eq!(Rules::gomoku(15).windows().len(), 572);
    assert_eq!(Rules::connect(3, 1, 3, 1, 1).with_blocked(Cell::new(1, 0)).windows().len(), 0);
}

#[test]
fn games_have_names_for_people() {
    for (game, english, chinese) in [
        ("gomoku", "Gomoku 15x15", "五子棋·无禁手 15x15"),
        ("standard:19", "Gomoku, exactly five 19x19", "五子棋·长连不算赢 19x19"),
        ("renju", "Renju 15x15", "五子棋·有禁手（连珠） 15x15"),
        ("connect6", "Connect6 19x19", "六子棋 19x19"),
        ("connect4:9x10/d4", "Connect Four 9x10 without d4", "四子棋 9x10，d4 不可下"),
        ("connect:9,9,4,1,1", "connect:9,9,4,1,1", "connect:9,9,4,1,1"),
    ] {
        let rules: Rules = game.parse().unwrap();
        assert_eq!(rules.title(), Text::new(english, chinese), "{game}");
    }
    let sides = |rules: Rules| Stone::BOTH.map(|stone| rules.side(stone).to_string());
    assert_eq!(sides(Rules::connect4(7, 6)), ["Red", "Yellow"]);
    assert_eq!(sides(Rules::renju(15)), ["Black", "White"]);
}
