//! Files made to hurt: enormous, endless, deep. Each is answered in bounded time, mostly with a refusal.
#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use lianzi_core::Rules;
use lianzi_core::record::{Document, Format, LoadError, Loaded, MAX_BYTES, MAX_GAMES, Reason};

/// Generous, because other work may share the machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn read(format: Format, bytes: impl Into<Vec<u8>>) -> Result<Vec<Loaded>, LoadError> {
    let start = Instant::now();
    let document = Document::Single(bytes.into());
    let _ = Format::detect("hostile.txt", &document);
    let answer = format.read(&document, None);
    assert!(start.elapsed() < PATIENCE, "{format} took {:?}", start.elapsed());
    if let Err(error) = &answer {
        assert!(error.to_string().chars().count() < 300, "{error}");
    }
    answer
}

/// The formats of one file.
fn single() -> impl Iterator<Item = Format> {
    Format::ALL.into_iter().filter(|&format| format != Format::Csv)
}

#[test]
fn a_line_of_100_mb_is_refused() {
    let document = Document::Single(vec![b'4'; 100 << 20]);
    for format in single() {
        let error = format.read(&document, None).unwrap_err();
        assert!(matches!(error.reason, Reason::TooMuch(_, MAX_BYTES)), "{format}: {error}");
    }
    let pair = Document::Pair { black: vec![b'"'; 60 << 20], white: vec![b'"'; 60 << 20] };
    assert!(Format::Csv.read(&pair, None).is_err());
}

#[test]
fn a_long_line_that_is_read_does_no_harm() {
    for byte in [b'4', b'(', b' ', b'\n', b'"', 0xff] {
        let document = Document::Single(vec![byte; 4 << 20]);
        let start = Instant::now();
        for format in single() {
            let answer = format.read(&document, None);
            assert!(answer.is_err() || answer.is_ok_and(|games| games[0].problem.is_some()), "{format} {byte}");
        }
        assert!(start.elapsed() < PATIENCE, "{byte}: {:?}", start.elapsed());
    }
    let start = Instant::now();
    let pair = Document::Pair { black: vec![b','; 8 << 20], white: vec![b'\r'; 8 << 20] };
    assert!(Format::Csv.read(&pair, None).is_err());
    assert!(start.elapsed() < PATIENCE);
}

/// The CPU time of this thread so far in nanoseconds, where the system tells.
fn cpu_time() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split_whitespace().next()?.parse().ok().filter(|time| *time > 0)
}

/// Reading is linear: eight times the games take about eight times as long, and not sixty-four times.
#[test]
fn each_game_takes_as_long_as_the_one_before() {
    let game = "(;GM[4]SZ[15];B[hh];W[ii])\n";
    let cost = |games: usize| {
        let before = cpu_time()?;
        assert_eq!(read(Format::Sgf, game.repeat(games)).unwrap().len(), games);
        Some(cpu_time()? - before)
    };
    let Some(short) = cost(MAX_GAMES / 8) else { return eprintln!("this system tells no CPU time: not tested") };
    let long = cost(MAX_GAMES).unwrap();
    assert!(long < 20 * short, "{short} ns for an eighth, {long} ns for all");
}

#[test]
fn a_file_holds_so_many_games_and_no_more() {
    let game = "(;GM[4]SZ[15];B[hh];W[ii])\n";
    assert_eq!(read(Format::Sgf, game.repeat(MAX_GAMES)).unwrap().len(), MAX_GAMES);
    let error = read(Format::Sgf, game.repeat(MAX_GAMES + 1)).unwrap_err();
    assert!(matches!(error.reason, Reason::TooMuch(_, MAX_GAMES)), "{error}");
}

#[test]
fn endless_games_end_at_the_first_foul() {
    for (format, start, part) in [
        (Format::Psq, "Piskvorky 15x15, 11:11, 0\n", "8,8,0\n"),
        (Format::ChessSave, "", "1 8 8\n2 8 8\n"),
        (Format::Moves, "", "h8"),
        (Format::Sgf, "(;GM[4]", ";B[hh];W[hh]"),
        (
            Format::Json,
            r#"{"format":"lianzi-game","version":1,"game":"gomoku","moves":[{"cell":"h8"}"#,
            r#",{"cell":"h8"}"#,
        ),
    ] {
        let end = match format {
            Format::Sgf => ")",
            Format::Json => "]}",
            _ => "",
        };
        let text = format!("{start}{}{end}", part.repeat(1_000_000));
        let games = read(format, text).unwrap();
        assert!(games[0].problem.is_some(), "{format}");
        assert_eq!(games[0].record.moves.len(), 1, "{format}");
    }
}

#[test]
fn a_board_of_a_billion_is_refused() {
    for (format, text) in [
        (Format::Sgf, "(;GM[4]SZ[1000000000])"),
        (Format::Sgf, "(;GM[4]SZ[1000000000:99999999999999999999])"),
        (Format::Sgf, "(;GM[4]RU[gomoku:1000000000])"),
        (Format::Psq, "Piskvorky 1000000000x1000000000, 11:11, 0\n"),
        (Format::Moves, "# game: gomoku:1000000000\nh8"),
        (Format::Columns, "# game: connect4:1000000000x6\n4"),
        (Format::Json, r#"{"format":"lianzi-game","version":1,"game":"connect:1000000000,1000000000,5,1,1"}"#),
    ] {
        match read(format, text) {
            Err(_) => {}
            // An unknown name of a game is only kept.
            Ok(games) => assert_eq!(games[0].record.rules, Rules::gomoku(15)),
        }
    }
    let wide = "0 ".repeat(5_000_000);
    assert!(read(Format::MatrixS0, wide).is_err());
    assert!(read(Format::MatrixS0, "0\n".repeat(5_000_000)).is_err());
}

#[test]
fn huge_numbers_are_fouls_or_refused() {
    let huge = "9".repeat(1_000_000);
    assert!(
        read(Format::Psq, format!("Piskvorky 15x15, 11:11, 0\n{huge},{huge},{huge}\n")).unwrap()[0].problem.is_some()
    );
    assert!(read(Format::ChessSave, format!("1 {huge} {huge}\n")).unwrap()[0].problem.is_some());
    assert!(read(Format::Moves, format!("h{huge}")).is_err());
    let row = format!("{huge}/00/00,1,\"({huge},{huge})\"\n");
    let pair = Document::Pair { black: row.clone().into(), white: row.into() };
    assert!(Format::Csv.read(&pair, None).unwrap()[0].problem.is_some());
    let json = format!(r#"{{"format":"lianzi-game","version":1,"game":"gomoku","opening":{huge}}}"#);
    assert!(read(Format::Json, json).is_err());
    let json = r#"{"format":"lianzi-game","version":1,"game":"gomoku","opening":18446744073709551615,
        "variations":[{"from":18446744073709551615,"ply":18446744073709551615,"moves":[{"cell":"a1"}]}]}"#;
    assert!(read(Format::Json, json).is_err());
}

#[test]
fn no_nesting_is_too_deep() {
    let n = 1_000_000;
    assert!(read(Format::Sgf, "(".repeat(n)).is_err());
    assert!(read(Format::Sgf, "(;".repeat(n)).is_err());
    assert!(read(Format::Sgf, format!("{}{}", "(;".repeat(n), ")".repeat(n))).is_ok());
    let deep = format!("(;GM[4]{}{}", "(;B[aa]".repeat(n), ")".repeat(n + 1));
    assert!(read(Format::Sgf, deep).unwrap()[0].problem.is_some());
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let json = format!("{}1{}", open.repeat(n), close.repeat(n));
        assert!(read(Format::Json, json.clone()).is_err());
        assert!(read(Format::MatrixS0, json.clone()).is_err());
        let tags = format!(r#"{{"format":"lianzi-game","version":1,"game":"gomoku","x":{json}}}"#);
        let _ = read(Format::Json, tags);
    }
}

#[test]
fn wide_trees_are_read() {
    let variations = "(;B[hh])".repeat(200_000);
    let games = read(Format::Sgf, format!("(;GM[4]{variations})")).unwrap();
    assert_eq!(games[0].record.variations.len(), 199_999);
    let Ok(document) = Format::Sgf.write(&[games[0].record.clone()]) else { panic!("sgf holds every game") };
    // Their stones stand in other lines.
    assert!(Format::Sgf.read(&document, None).unwrap()[0].record == games[0].record);
    let too_many = "(;B[hh])".repeat(1_000_001);
    let error = read(Format::Sgf, format!("(;GM[4]{too_many})")).unwrap_err();
    assert!(matches!(error.reason, Reason::TooMuch(..)));
    assert!(matches!(read(Format::Sgf, "(;)".repeat(300_000)).unwrap_err().reason, Reason::TooMuch(..)));
}

#[test]
fn giant_libraries_are_answered() {
    let header = [b"\xffRenLib\xff\x03\x00".as_slice(), &[0xff; 10]].concat();
    // One endless line, a node with endless siblings, and a comment without end.
    let line = [header.clone(), [0x78, 0x00].repeat(2_000_000)].concat();
    assert!(read(Format::Renlib, line).is_err());
    let siblings = [header.clone(), vec![0, 0], [0x78, 0xc0].repeat(900_000), vec![0x78, 0x40]].concat();
    let games = read(Format::Renlib, siblings).unwrap();
    assert_eq!(games[0].record.variations.len(), 900_000);
    let both = [header.clone(), [0x78, 0x80].repeat(2_000_000)].concat();
    assert!(read(Format::Renlib, both).is_err());
    let comment = [header, vec![0x78, 0x08], vec![b'x'; 8 << 20]].concat();
    assert!(read(Format::Renlib, comment).is_err());
}

#[test]
fn set_ups_without_end_are_refused() {
    let points = "[aa:oo]".repeat(100_000);
    assert!(matches!(read(Format::Sgf, format!("(;AB{points})")).unwrap_err().reason, Reason::TooMuch(..)));
    let values = "[]".repeat(5_000_000);
    assert!(matches!(read(Format::Sgf, format!("(;XX{values})")).unwrap_err().reason, Reason::TooMuch(..)));
}
