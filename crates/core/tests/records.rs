//! Properties of the formats: what was written is read back, and nothing that is read can do harm.
#![allow(clippy::unwrap_used)]

mod common;

use common::{GAMES, Maker};
use lianzi_core::Speak;
use lianzi_core::record::{Document, Format, Loaded};
use lianzi_core::{GameRecord, Language, Placement, Random, Rules};
use proptest::prelude::*;

fn game() -> impl Strategy<Value = Rules> {
    prop::sample::select(GAMES.to_vec()).prop_map(|name| name.parse().unwrap())
}

/// The rules of the games that a format can hold.
fn games_for(format: Format) -> Vec<Rules> {
    let fits = |rules: &Rules| match format {
        Format::Psq => rules.line == 5 && rules.blocked.is_empty() && rules.placement == Placement::Anywhere,
        Format::ChessSave => (rules.width, rules.height, rules.per_turn) == (15, 15, 1),
        Format::Csv => (rules.line, rules.per_turn) == (6, 2) && rules.blocked.is_empty(),
        Format::Columns => rules.placement == Placement::Drop && rules.width <= 9,
        Format::MatrixS0 | Format::MatrixS2 => rules.blocked.is_empty(),
        _ => true,
    };
    GAMES.iter().map(|name| name.parse().unwrap()).filter(fits).collect()
}

fn read_one(format: Format, document: &Document, rules: Option<Rules>) -> Loaded {
    let mut games = format.read(document, rules).unwrap_or_else(|error| panic!("{format}: {error}\n{document:?}"));
    assert_eq!(games.len(), 1);
    games.remove(0)
}

fn write_one(format: Format, record: &GameRecord) -> Option<Document> {
    format.write(std::slice::from_ref(record)).ok()
}

fn cells(record: &GameRecord) -> Vec<String> {
    record.moves.iter().map(|played| played.cell.to_string()).collect()
}

/// Changes some bytes of a file, cuts it, or doubles a part of it.
fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    const BYTES: &[u8] = b"()[];\\:,\"0129aBW\r\n \xff\x00{}#/";
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(20)).min(bytes.len());
        match random.below(5) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            3 => bytes.insert(at, BYTES[random.below(BYTES.len())]),
            _ if at < bytes.len() => bytes[at] = BYTES[random.below(BYTES.len())],
            _ => {}
        }
    }
}

/// Reads a document in every format; what is read must be fit for everything one does with records.
fn read_anyhow(document: &Document, rules: Option<Rules>) {
    let _ = Format::detect("game.txt", document);
    for format in Format::ALL {
        match format.read(document, rules) {
            Ok(games) => {
                for game in games {
                    let _ = game.record.position().winning_line();
                    for other in Format::ALL {
                        if let Some(again) = write_one(other, &game.record) {
                            let _ = other.read(&again, Some(game.record.rules));
                        }
                    }
                    let json = write_one(Format::Json, &game.record).unwrap();
                    let again = Format::Json.read(&json, None).unwrap().remove(0);
                    assert_eq!(again.record.moves, game.record.moves);
                    let _ = game.whole().map_err(|error| error.words(Language::Chinese));
                }
            }
            Err(error) => {
                for language in [Language::English, Language::Chinese] {
                    assert!(error.words(language).chars().count() < 300);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn json_and_sgf_lose_nothing(seed: u64, rules in game(), plies in 0usize..60) {
        let record = Maker(Random::new(seed)).full(rules, plies);
        for format in [Format::Json, Format::Sgf] {
            let document = write_one(format, &record).unwrap();
            prop_assert_eq!(Format::detect("", &document), Some(format));
            let game = read_one(format, &document, None);
            prop_assert_eq!(&game.record, &record);
            prop_assert_eq!((game.problem, game.disputed), (None, None));
        }
    }

    #[test]
    fn cut_files_are_never_whole(seed: u64, rules in game(), plies in 0usize..12, cut: prop::sample::Index) {
        let record = Maker(Random::new(seed)).full(rules, plies);
        for format in [Format::Json, Format::Sgf] {
            let Some(Document::Single(mut bytes)) = write_one(format, &record) else { unreachable!() };
            bytes.truncate(cut.index(bytes.trim_ascii_end().len()));
            prop_assert!(format.read(&Document::Single(bytes), None).is_err());
        }
    }

    #[test]
    fn lists_of_moves_are_read_back(seed: u64, pick: prop::sample::Index, plies in 1usize..80) {
        for format in [Format::Psq, Format::ChessSave, Format::Csv, Format::Columns, Format::Moves] {
            let games = games_for(format);
            let mut record = Maker(Random::new(seed)).bare(games[pick.index(games.len())], false, plies);
            if format == Format::Csv && record.position().outcome().is_none() && record.position().mid_turn() {
                record.moves.pop();
            }
            let document = write_one(format, &record).unwrap_or_else(|| panic!("{format} {record:?}"));
            let stated = [Format::Columns, Format::Moves].contains(&format);
            let game = read_one(format, &document, (!stated).then_some(record.rules));
            prop_assert_eq!(game.problem, None);
            prop_assert_eq!(cells(&game.record), cells(&record));
            prop_assert_eq!(game.record.rules, record.rules);
            // A digit does not say in which row a stone lies that was not played.
            let surplus = |record: &GameRecord| -> Vec<String> {
                let name = |cell: &lianzi_core::Cell| match format {
                    Format::Columns => lianzi_core::column_name(cell.column),
                    _ => cell.to_string(),
                };
                record.surplus.iter().map(name).collect()
            };
            prop_assert_eq!(surplus(&game.record), surplus(&record));
            prop_assert_eq!(&game.record.verdict, &record.verdict);
        }
    }

    #[test]
    fn boards_are_read_back(seed: u64, pick: prop::sample::Index, plies in 0usize..80) {
        for format in [Format::MatrixS0, Format::MatrixS2] {
            let games = games_for(format);
            let record = Maker(Random::new(seed)).bare(games[pick.index(games.len())], false, plies);
            let document = write_one(format, &record).unwrap();
            let game = read_one(format, &document, Some(record.rules)).record.position();
            let position = record.position();
            prop_assert!(record.rules.cells().all(|cell| game.content(cell) == position.content(cell)));
            prop_assert_eq!(game.to_move(), position.to_move());
            prop_assert_eq!(game.stones_left(), position.stones_left());
            prop_assert_eq!(game.outcome(), position.outcome());
            prop_assert_eq!(game.hash(), position.hash());
        }
    }

    #[test]
    fn any_bytes_are_survived(bytes: Vec<u8>, more: Vec<u8>, rules in prop::option::of(game())) {
        read_anyhow(&Document::Single(bytes.clone()), rules);
        read_anyhow(&Document::Pair { black: bytes, white: more }, rules);
    }

    #[test]
    fn texts_of_the_right_characters_are_survived(
        text in "[()\\[\\];BWACSZPLEah8 0-9,:\n#\\\\\"/.]{0,80}", rules in prop::option::of(game()),
    ) {
        for start in ["", "(;", "Piskvorky 9x9, 11:11, 0\n", "0/0/0,1,", "# game: connect4\n", "[["] {
            let text = format!("{start}{text}");
            read_anyhow(&Document::Pair { black: text.clone().into(), white: text.clone().into() }, rules);
            read_anyhow(&Document::Single(text.into()), rules);
        }
    }

    #[test]
    fn libraries_are_survived(nodes: Vec<u8>) {
        let bytes = [b"\xffRenLib\xff\x03\x00".as_slice(), &[0xff; 10], &nodes].concat();
        read_anyhow(&Document::Single(bytes), None);
    }

    #[test]
    fn damaged_files_are_survived(seed: u64, rules in game(), plies in 0usize..20) {
        let mut maker = Maker(Random::new(seed));
        let record = maker.full(rules, plies);
        let bare = maker.bare(rules, false, plies);
        for (format, record) in Format::ALL.into_iter().flat_map(|format| [(format, &record), (format, &bare)]) {
            let document = match write_one(format, record) {
                None => continue,
                Some(Document::Single(mut bytes)) => {
                    mutate(&mut bytes, &mut maker.0);
                    Document::Single(bytes)
                }
                Some(Document::Pair { mut black, mut white }) => {
                    mutate(&mut black, &mut maker.0);
                    mutate(&mut white, &mut maker.0);
                    Document::Pair { black, white }
                }
            };
            read_anyhow(&document, Some(rules));
            read_anyhow(&document, None);
        }
    }
}

#[test]
fn records_that_a_format_cannot_hold_are_refused_in_words() {
    let mut record = GameRecord::new(Rules::connect6(19));
    record.setup = Some(lianzi_core::Setup { stones: Vec::new(), to_move: lianzi_core::Stone::White, stones_left: 1 });
    for format in Format::ALL {
        match format.write(std::slice::from_ref(&record)) {
            Ok(_) => assert!([Format::Json, Format::Sgf].contains(&format), "{format}"),
            Err(error) => {
                assert!(error.words(Language::English).contains(format.name()));
                assert!(error.words(Language::Chinese).contains("无法保存"));
            }
        }
    }
    assert!(Format::Psq.write(&[]).is_err());
}
