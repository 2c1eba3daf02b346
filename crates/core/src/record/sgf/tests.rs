use super::super::tests::{loaded, refused, written};
use super::*;
use crate::Language;
use crate::record::{Document, Format::Sgf, GameRecord, Move};

fn names(moves: &[Move]) -> Vec<String> {
    moves.iter().map(|played| played.cell.to_string()).collect()
}

fn read(text: &str) -> GameRecord {
    loaded(Sgf, text, None).whole().unwrap()
}

#[test]
fn points_are_read_in_every_spelling() {
    for text in ["(;GM[4]SZ[15];B[hh];W[ig];B[jf])", "(;GM[4];B[h8];W[i9];B[J10])", "(;SZ[15:15];B[HH];W[IG];B[JF])"] {
        let record = read(text);
        assert_eq!(
            (record.rules, names(&record.moves)),
            (Rules::gomoku(15), vec!["h8".into(), "i9".into(), "j10".into()])
        );
    }
    let large = read("(;GM[4]SZ[31];B[aA];W[Ea])");
    assert_eq!(names(&large.moves), ["a5", "ae31"]);
    assert_eq!(written(Sgf, &large).lines().nth(1), Some(";B[aA];W[Ea])"));
}

#[test]
fn the_game_is_named_by_ru() {
    for (text, game) in [
        ("(;GM[4]RU[connect6:15])", "connect6:15"),
        ("(;GM[4]SZ[15]RU[connect6])", "connect6:15"),
        ("(;GM[4]RU[connect4:9x10/d4])", "connect4:9x10/d4"),
        ("(;GM[4]SZ[15]RU[Renju])", "renju"),
        ("(;GM[4]SZ[20]RU[Freestyle])", "gomoku:20"),
        ("(;GM[4]SZ[15]RU[Standard])", "standard"),
        ("(;GM[4]SZ[20:15])", "connect:20,15,5,1,1"),
        ("(;SZ[19])", "gomoku:19"),
    ] {
        assert_eq!(read(text).rules.to_string(), game, "{text}");
    }
    let record = read("(;GM[4]RU[House rules])");
    assert_eq!((record.rules, record.tag("RU")), (Rules::gomoku(15), Some("House rules")));
    let given = loaded(Sgf, "(;SZ[15];B[hh];W[aa];W[bb])", Some(Rules::connect6(19)));
    assert_eq!((given.record.rules, given.problem), (Rules::connect6(15), None));
}

#[test]
fn connect6_in_capitals_has_two_stones_a_turn() {
    let record = read("(;GM[4]SZ[19]RU[connect6];B[JJ];W[LH];W[HH];B[KK];B[LL])");
    assert_eq!(names(&record.moves), ["j10", "l12", "h12", "k9", "l8"]);
    let foul = loaded(Sgf, "(;RU[connect6]\n;B[jj]\n;W[lh]\n;B[hh])", None);
    assert_eq!(foul.problem.unwrap().line, 4);
    assert_eq!(foul.record.verdict.ending, Ending::OutOfTurn);
}

#[test]
fn variations_are_kept_in_the_order_of_the_file() {
    let text = "(;GM[4];B[hh](;W[ig](;B[jf])(;B[gg];W[ff](;B[aa])(;B[bb])))(;W[gg]))";
    let record = read(text);
    assert_eq!(names(&record.moves), ["h8", "i9", "j10"]);
    let found: Vec<_> = record.variations.iter().map(|v| (v.from, v.ply, names(&v.moves).join(" "))).collect();
    let expected = [(0, 2, "g9 f10 a15"), (1, 4, "b14"), (0, 1, "g9")];
    assert_eq!(found, expected.map(|(from, ply, moves)| (from, ply, moves.to_string())));
    assert_eq!(read(&written(Sgf, &record)), record);
    let bad = refused(Sgf, "(;GM[4];B[hh]\n(;W[ig])\n(;W[hh]))", None);
    assert_eq!(bad.line, 3);
    assert!(refused(Sgf, "(;GM[4];B[hh](;W[ig])\n(;B[aa]))", None).to_string().contains("white is to move"));
}

#[test]
fn what_follows_the_end_of_the_game_can_be_a_variation() {
    let mut record = read("(;GM[4];B[hh])");
    let line = |cell: &str| vec![Move::from(cell.parse::<Cell>().unwrap())];
    record.variations = vec![
        super::super::Variation { from: 0, ply: 1, moves: line("i9") },
        super::super::Variation { from: 0, ply: 1, moves: line("i8") },
    ];
    assert_eq!(read(&written(Sgf, &record)), record);
}

#[test]
fn properties_of_game_and_move_are_kept() {
    let text =
        "(;GM[4]PB[甲]PW[b]EV[cup]DT[2024-01-02]C[game\\]];B[hh]C[one\n\\\\two]BL[12.5]N[x][y];W[ig]C[a](;C[b]TR[aa]))";
    let record = read(text);
    assert_eq!((record.sides[0].name.as_str(), record.comment.as_str()), ("甲", "game]"));
    assert_eq!((record.tag("EV"), record.tag("DT")), (Some("cup"), Some("2024-01-02")));
    assert_eq!(record.moves[0].comment, "one\n\\two");
    assert_eq!(record.moves[0].tags[1].values, ["x", "y"]);
    assert_eq!((record.moves[1].comment.as_str(), record.moves[1].tags.len()), ("a\nb", 1));
    assert_eq!(read(&written(Sgf, &record)), record);
}

#[test]
fn results_go_both_ways() {
    let verdict = |text: &str| read(&format!("(;GM[4]RE[{text}];B[hh])")).verdict;
    assert_eq!(verdict("B+R"), Verdict::resigned(Stone::White));
    assert_eq!(verdict("W+Resign"), Verdict::resigned(Stone::Black));
    assert_eq!(verdict("W+T"), Verdict::fault(Stone::Black, Ending::Timeout { limit: Limit::Game }));
    let forfeit = Ending::Adjudicated { why: Adjudication::Forfeit };
    assert_eq!(verdict("B+F").ending, forfeit);
    let words = |text: &str| verdict(text).words(&Rules::gomoku(15), Language::English);
    assert_eq!(words("B+F"), "Black wins: White forfeited");
    // A bare win is one whose end is not told, and a draw is no more than one.
    for (text, outcome) in [
        ("B+", Outcome::Win(Stone::Black)),
        ("W+5", Outcome::Win(Stone::White)),
        ("0", Outcome::Draw),
        ("Draw", Outcome::Draw),
    ] {
        assert_eq!(verdict(text), Verdict::untold(outcome), "{text}");
    }
    assert_eq!(words("B+"), "Black wins; the record does not say how");
    for text in ["Void", "?"] {
        assert_eq!(verdict(text), Verdict::UNFINISHED, "{text}");
    }
    // Where the stones show the end, it is theirs.
    let shown = read("(;GM[4]RE[B+];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea])");
    assert_eq!(shown.verdict, Verdict::by_stones(Outcome::Win(Stone::Black)));
    let void = read("(;GM[4]RE[Void])");
    assert!(written(Sgf, &void).contains("RE[Void]"));
    assert_eq!(read(&written(Sgf, &void)), void);
    let mut record = read("(;GM[4];B[hh])");
    record.verdict = Verdict::fault(Stone::White, Ending::Crashed { how: "signal ]9[".into() });
    assert!(written(Sgf, &record).contains("RE[B+F]"));
    assert_eq!(read(&written(Sgf, &record)), record);
    let disputed = loaded(Sgf, "(;GM[4]RE[W+R];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea])", None);
    assert_eq!(disputed.record.verdict, Verdict::by_stones(Outcome::Win(Stone::Black)));
    assert_eq!(disputed.disputed, Some(Verdict::resigned(Stone::Black)));
}

#[test]
fn a_result_is_written_as_it_was_read() {
    for text in ["B+", "W+R", "B+T", "W+F", "Draw", "W+5", "B+3.5", "Void", "?", "W+ by default"] {
        for first in ["B", "W"] {
            let record = read(&format!("(;GM[4]RE[{text}]EV[cup];{first}[hh])"));
            let again = written(Sgf, &record);
            assert!(again.contains(&format!("RE[{text}]")) && !again.contains("LZ"), "{text}: {again}");
            assert_eq!(read(&again), record, "{text}");
        }
    }
    // Another result than the one the source wrote is shown instead, and the source's words stay beside it.
    let mut record = read("(;GM[4]RE[W+5];B[hh])");
    record.verdict = Verdict::resigned(Stone::White);
    let again = written(Sgf, &record);
    assert!(again.contains("RE[B+R]") && again.contains("W+5"), "{again}");
    assert_eq!(read(&again), record);
}

#[test]
fn where_white_moves_first_our_black_is_called_white() {
    let text = "(;GM[4]PB[second]PW[first]RE[W+R];W[hh];B[ig])";
    let record = read(text);
    assert_eq!([&record.sides[0].name, &record.sides[1].name], ["first", "second"]);
    assert_eq!([&record.sides[0].called, &record.sides[1].called], ["white", "black"]);
    assert_eq!(record.verdict, Verdict::resigned(Stone::White));
    let again = written(Sgf, &record);
    assert!(again.contains("PB[second]PW[first]RE[W+R]") && again.contains(";W[hh];B[ig]"), "{again}");
    assert_eq!(read(&again), record);
}

#[test]
fn set_ups_are_read_and_written() {
    let record = read("(;GM[4]AB[aa:ca][hh]AE[ba]AW[ig][oo];AW[on]PL[B];B[jf])");
    let setup = record.setup.clone().unwrap();
    assert_eq!(setup.stones.len(), 6);
    assert_eq!((setup.to_move, setup.stones_left), (Stone::Black, 1));
    assert_eq!(read(&written(Sgf, &record)), record);
    let white = read("(;GM[4]AB[aa];W[hh])");
    assert_eq!(white.setup.unwrap().to_move, Stone::White);
    let drop = read("(;GM[4]RU[connect4]AB[da]AW[db]AB[dc]AW[dd]AB[de]AW[df])");
    assert_eq!(drop.position().free(), 36);
    let odd = read("(;GM[4]RU[connect6]AB[aa][bb];W[hh];B[hg];B[hf])");
    assert_eq!(odd.setup.unwrap().stones_left, 1);
    assert_eq!(refused(Sgf, "(;GM[4]\nAB[zz])", None).line, 2);
    assert_eq!(refused(Sgf, "(;GM[4];B[aa]\n;AB[bb])", None).line, 2);
}

#[test]
fn collections_hold_several_games() {
    let text = "mail header\n(;GM[4];B[hh])\n\n(;GM[4]SZ[19];B[aa];W[bb]) end".as_bytes().to_vec();
    let games = Sgf.read(&Document::Single(text), None).unwrap();
    assert_eq!(games.iter().map(|game| game.record.moves.len()).collect::<Vec<_>>(), [1, 2]);
    let records: Vec<_> = games.into_iter().map(|game| game.record).collect();
    let again = Sgf.read(&Sgf.write(&records).unwrap(), None).unwrap();
    assert_eq!(again.into_iter().map(|game| game.record).collect::<Vec<_>>(), records);
}

#[test]
fn what_is_broken_is_found_at_its_line() {
    for (text, line) in [
        ("no game", 1),
        ("(;GM[4]\n;B[hh]", 2),
        ("(;GM[4]\nSZ[1000000000])", 2),
        ("(;GM[4]\nSZ[x])", 2),
        ("(;GM[4]SZ[0])", 1),
        ("(;GM[1])", 1),
    ] {
        assert_eq!(refused(Sgf, text, None).line, line, "{text}");
    }
    assert_eq!(loaded(Sgf, "(;GM[4];B[hh]\n;W[])", None).problem.unwrap().line, 2);
    assert_eq!(loaded(Sgf, "(;GM[4];B[hh]\n;W[zz])", None).problem.unwrap().line, 2);
}
