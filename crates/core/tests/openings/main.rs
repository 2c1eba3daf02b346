//! Opening rules: random walks through every rule against an independent, slow reading of its text; whole games of each
//! rule with what is refused on the way; the 26 openings; and records that tell how sides were found.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

mod reading;

use lianzi_core::opening::{NAMED_OPENINGS, Want, Zone, named_opening};
use lianzi_core::record::{Document, Format, Loaded};
use lianzi_core::{Act, BadAct, Cell, Game, GameRecord, Negotiation, OpeningRule, Party, Random, Rules, Speak, Stone};
use reading::{Reading, courses};

fn random_act(random: &mut Random, negotiation: &Negotiation) -> Act {
    let rules = negotiation.position().rules();
    let near = |random: &mut Random, length: u8, reach: u8| {
        let first = (length / 2).saturating_sub(reach);
        first + random.below(usize::from(2 * reach + 1)) as u8
    };
    match random.below(16) {
        0 => Act::Swap,
        1 => Act::More,
        2 => Act::Count(random.below(15) as u8),
        3 | 4 => match negotiation.offered() {
            [] => Act::Place(Cell::new(random.below(20) as u8, random.below(20) as u8)),
            // A mirror image of an offered move, or the move itself.
            offered => {
                let cell = offered[random.below(offered.len())];
                let flip = random.below(2) == 1;
                Act::Place(if flip { Cell::new(rules.width - 1 - cell.column, cell.row) } else { cell })
            }
        },
        5 => Act::Place(Cell::new(rules.width / 2, rules.height / 2)),
        6 => Act::Place(Cell::new(random.below(rules.width.into()) as u8, 0)),
        n => {
            let reach = [1, 2, 3, 4, 5][n % 5];
            Act::Place(Cell::new(near(random, rules.width, reach), near(random, rules.height, reach)))
        }
    }
}

/// The games in which each rule is walked through.
fn walked(rule: OpeningRule) -> &'static [&'static str] {
    match rule {
        OpeningRule::Pie => &["gomoku", "connect6", "connect4"],
        OpeningRule::Swap => &["renju", "connect6"],
        _ => &["renju"],
    }
}

/// One random walk through a rule, which must be what its reading says: how it was refused, and whether and for whom it
/// was settled.
fn walk_at_random(rule: OpeningRule, name: &str, random: &mut Random) -> (Vec<BadAct>, Option<Party>) {
    let game: Rules = name.parse().unwrap();
    let mut negotiation = Negotiation::new(rule, game).unwrap();
    let mut reading = Reading { courses: courses(rule, name), done: 0, stones: Vec::new(), offered: Vec::new() };
    let (mut tries, mut refused) = (0, Vec::new());
    while let Some(demand) = negotiation.demand() {
        let next = reading.next();
        let who = if demand.by == Party::Opener { 'a' } else { 'b' };
        if next.contains(&"?") || tries > 4000 {
            return (refused, None);
        }
        assert!(next.iter().all(|word| word.starts_with(who)), "{rule}: {demand:?} {next:?}");
        let act = random_act(random, &negotiation);
        let before = negotiation.clone();
        let told = negotiation.act(act);
        assert_eq!(reading.follow(act, &game), told.is_ok(), "{name}+{rule} {:?}: {act} {told:?}", before.acts());
        if let Err(why) = told {
            refused.push(why);
            assert_eq!(negotiation, before, "a refused act changes nothing");
            assert!(!why.text().english.is_empty() && !why.text().chinese.is_empty());
        }
        let places = negotiation.position().plies().iter().map(|ply| ply.cell);
        assert!(places.eq(reading.stones.iter().copied()), "{rule}");
        tries += 1;
    }
    let course = reading.courses.iter().find(|course| course.words.len() == reading.done).unwrap();
    let black = negotiation.black();
    assert_eq!(black, if course.black == 'a' { Party::Opener } else { Party::Other });
    assert_eq!(negotiation.act(Act::Swap), Err(BadAct::Settled));
    refused.push(BadAct::Settled);
    assert_eq!(Negotiation::after(rule, game, negotiation.acts()).unwrap(), negotiation);
    while negotiation.undo().is_some() {}
    assert_eq!(negotiation, Negotiation::new(rule, game).unwrap());
    (refused, Some(black))
}

#[test]
fn every_rule_is_what_its_text_says() {
    let mut random = Random::new(7);
    for rule in OpeningRule::ALL {
        for game in walked(rule) {
            let walks: Vec<_> = (0..400).map(|_| walk_at_random(rule, game, &mut random)).collect();
            let settled = walks.iter().filter(|(_, black)| black.is_some()).count();
            let swapped = walks.iter().filter(|(_, black)| *black == Some(Party::Other)).count();
            assert!(settled > 300, "{game}+{rule}: {settled}");
            let both = swapped > 8 && swapped < settled - 8;
            assert!(rule == OpeningRule::None || both, "{game}+{rule}: {swapped} of {settled}");
        }
    }
}

#[test]
fn golden_games_of_every_rule_with_every_refusal() {
    let mut known: Vec<(OpeningRule, std::mem::Discriminant<BadAct>)> = Vec::new();
    let mut open: Option<(String, Negotiation)> = None;
    for line in include_str!("../data/openings.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            assert!(open.is_none(), "{name}: the game before it has no end");
            let game: Game = name.parse().unwrap();
            open = Some((name.into(), Negotiation::new(game.opening, game.rules().unwrap()).unwrap()));
        } else if let Some(black) = line.strip_prefix("= ") {
            let (name, settled) = open.take().unwrap();
            assert!(settled.is_settled(), "{name} {:?}", settled.acts());
            assert_eq!(settled.is_swapped(), black == "other", "{name} {:?}", settled.acts());
        } else {
            let (name, negotiation) = open.as_mut().unwrap();
            let (act, words) = line.split_once(" ! ").map_or((line, None), |(act, words)| (act, Some(words)));
            let told = negotiation.act(act.parse().unwrap());
            assert_eq!(told.err().map(|why| why.to_string()).as_deref(), words, "{name} {act}");
            known.extend(told.err().map(|why| (negotiation.rule(), std::mem::discriminant(&why))));
        }
    }
    assert!(open.is_none(), "the last game has no end");
    let mut random = Random::new(11);
    for rule in OpeningRule::ALL {
        let walks = walked(rule).iter().flat_map(|game| (0..100).map(move |_| game));
        for refused in walks.flat_map(|game| walk_at_random(rule, game, &mut random).0).collect::<Vec<_>>() {
            let found = known.contains(&(rule, std::mem::discriminant(&refused)));
            assert!(found, "no golden game of {rule} is refused with: {refused}");
        }
    }
}

/// Plays acts; one with `!` behind it is refused with these words.
fn walk(game: &str, acts: &[(&str, &str)]) -> Negotiation {
    let game: Game = game.parse().unwrap();
    let mut negotiation = Negotiation::new(game.opening, game.rules().unwrap()).unwrap();
    for (act, refused) in acts {
        let told = negotiation.act(act.parse().unwrap());
        match refused.is_empty() {
            true => assert_eq!(told, Ok(()), "{act} after {:?}", negotiation.acts()),
            false => {
                let words = told.unwrap_err().to_string();
                assert!(words.contains(refused), "{act}: {words}");
            }
        }
    }
    negotiation
}

fn words(negotiation: &Negotiation) -> String {
    negotiation.demand().map(|demand| demand.text().to_string()).unwrap_or_default()
}

#[test]
fn a_game_of_taraguchi_10() {
    let begun = walk("renju+taraguchi10", &[("h7", "belongs in the centre"), ("swap", "no swap now")]);
    assert_eq!(words(&begun), "Taraguchi-10: place a black stone in the centre");
    let fourth = [
        ("h8", ""),
        ("5", "no number is asked for"),
        ("more", "no such choice"),
        ("h10", "within the central 3×3"),
        ("h8", "a stone already"),
        ("swap", ""),
        ("swap", "no swap now"),
        ("i9", ""),
        ("k8", "within the central 5×5"),
        ("j10", ""),
        ("l8", "within the central 7×7"),
        ("f6", ""),
    ];
    let four = walk("renju+taraguchi10", &fourth);
    // One swap, and both stones after it were laid by turns: the opener laid stones 1, 2 and 4.
    let demand = four.demand().unwrap();
    assert_eq!((demand.by, demand.seat, demand.swap), (Party::Other, Stone::Black, Some(Stone::White)));
    assert_eq!(
        words(&four),
        "Taraguchi-10: place a black stone within the central 9×9, or swap and play white, or offer ten fifth moves"
    );
    let rest = [
        ("c8", "within the central 9×9"),
        ("more", ""),
        ("swap", "no swap now"),
        ("g7", ""),
        ("g7", "offered already"),
        ("g8", ""),
        ("h7", "the same as g8 by symmetry"),
        ("a1", ""),
        ("a2", ""),
        ("a3", ""),
        ("a4", ""),
        ("a5", ""),
        ("a6", ""),
        ("a7", ""),
        ("c9", ""),
        ("b9", "only an offered fifth move"),
        ("a3", ""),
        ("a4", "settled"),
    ];
    let all: Vec<_> = fourth.iter().chain(&rest).copied().collect();
    let settled = walk("renju+taraguchi10", &all);
    assert!(settled.is_settled() && settled.is_swapped() && settled.offered().is_empty());
    assert_eq!(settled.position().plies().len(), 5);
    let single = fourth.iter().copied().chain([("swap", ""), ("more", "no such choice"), ("g7", ""), ("swap", "")]);
    let single = walk("renju+taraguchi10", &single.collect::<Vec<_>>());
    assert!(single.is_settled());
    assert_eq!(single.swaps(), 3);
}

#[test]
fn a_game_of_soosyrv_8() {
    let settled = walk(
        "renju+soosyrv8",
        &[
            ("h8", ""),
            ("h9", ""),
            ("swap", "no swap now"),
            ("i9", ""),
            ("swap", ""),
            ("swap", "no swap now"),
            ("a15", ""),
            ("b15", "how many fifth moves"),
            ("0", "must be 1 to 8"),
            ("9", "must be 1 to 8"),
            ("3", ""),
            ("swap", ""),
            ("g7", ""),
            ("swap", "no swap now"),
            ("h9", "a stone already"),
            ("g9", ""),
            ("i8", ""),
            ("h8", "only an offered"),
            ("g9", ""),
        ],
    );
    // The other one took Black after three stones, and White after four.
    assert!(settled.is_settled() && !settled.is_swapped());
    assert_eq!(settled.swaps(), 2);
    assert_eq!(
        named_opening(&["h8", "h9", "i9"].map(|c| c.parse().unwrap()), &Rules::renju(15)).unwrap().chinese,
        "花月"
    );
}

#[test]
fn games_of_the_other_rules() {
    let rif = walk(
        "renju+rif",
        &[("h8", ""), ("i9", ""), ("h6", ""), ("a1", ""), ("g7", ""), ("i8", ""), ("swap", "no swap"), ("i8", "")],
    );
    assert!(rif.is_settled() && !rif.is_swapped());
    let yamaguchi = [
        ("h8", ""),
        ("i9", ""),
        ("h6", ""),
        ("swap", "no swap"),
        ("13", "1 to 12"),
        ("1", ""),
        ("swap", ""),
        ("c3", ""),
        ("g7", ""),
        ("g7", ""),
    ];
    assert!(walk("renju+yamaguchi", &yamaguchi).is_swapped());
    let two = [
        ("a1", ""),
        ("b1", ""),
        ("c1", ""),
        ("more", ""),
        ("more", "no such choice"),
        ("d1", ""),
        ("e1", ""),
        ("more", "no such choice"),
    ];
    let two = walk("gomoku+swap2", &two);
    assert_eq!(words(&two), "Swap2: place a white stone, or swap and play black");
    // Whoever chooses holds the side to move until they swap.
    assert_eq!((two.demand().unwrap().by, two.seat(Party::Opener)), (Party::Opener, Stone::White));
    let sakata = [
        ("h8", ""),
        ("h9", ""),
        ("i9", ""),
        ("d8", "7×7"),
        ("swap", "no swap"),
        ("f6", ""),
        ("c8", "9×9"),
        ("d8", ""),
        ("more", ""),
        ("a1", ""),
        ("a2", ""),
        ("more", ""),
        ("b1", ""),
        ("b2", ""),
        ("swap", ""),
    ];
    assert!(!walk("renju+supersakata", &sakata).is_swapped());
    let six = walk("connect6+swap", &[("j10", ""), ("j11", ""), ("k11", "")]);
    assert_eq!(words(&six), "Swap: place a black stone, or swap and play white");
    // Whoever keeps the side to move plays its whole turn.
    let kept = walk("connect6+swap", &[("j10", ""), ("j11", ""), ("k11", ""), ("a1", ""), ("swap", "no swap")]);
    assert!(!kept.is_settled() && kept.is_swapped());
    assert!(walk("connect6+pie", &[("j10", ""), ("a1", ""), ("a2", "")]).is_settled());
    assert!(walk("connect6+pie", &[("j10", ""), ("swap", "")]).is_settled());
    assert!(walk("connect4+pie", &[("d1", ""), ("swap", "")]).is_swapped());
    assert!(walk("connect4+pie", &[("d3", "lower cell")]).position().plies().is_empty());
    // Stones of a long opening can make five: then there is nothing left to choose.
    let mut long = sakata[..8].to_vec();
    long.pop();
    let pairs = ["more", "a1", "o1", "more", "a3", "o3", "more", "a5", "o5", "more", "a7", "o7", "more", "a9", "o10"];
    long.push(("d8", ""));
    long.extend(pairs.map(|act| (act, "")));
    assert!(!walk("renju+supersakata", &long).is_settled());
}

#[test]
fn what_is_wanted_is_told_in_both_languages() {
    for rule in OpeningRule::ALL {
        let mut random = Random::new(3);
        let mut negotiation = Negotiation::new(rule, Rules::renju(15)).unwrap();
        for _ in 0..300 {
            let Some(demand) = negotiation.demand() else { break };
            let text = demand.text();
            assert!(text.english.contains(rule.text().english.as_ref()), "{text}");
            assert!(!text.chinese.is_ascii() && !text.english.ends_with('.'), "{text}");
            if let Want::Stone(_, Zone::Square(side)) = demand.want {
                assert!(text.chinese.contains(if side == 1 { "天元" } else { "中央" }), "{text}");
            }
            let act = random_act(&mut random, &negotiation);
            let _ = negotiation.act(act);
        }
    }
}

#[test]
fn the_26_openings_are_all_there_are() {
    let rules = Rules::renju(15);
    let mut seen = std::collections::BTreeMap::new();
    for second in rules.cells().filter(|cell| Zone::Square(3).contains(*cell, &rules)) {
        for third in rules.cells().filter(|cell| Zone::Square(5).contains(*cell, &rules)) {
            let cells = [Cell::new(7, 7), second, third];
            if second != cells[0] && third != cells[0] && second != third {
                *seen.entry(named_opening(&cells, &rules).unwrap().code).or_insert(0) += 1;
            }
        }
    }
    assert_eq!(seen.len(), 26);
    assert_eq!(seen.values().sum::<i32>(), 8 * 23);
    let direct = NAMED_OPENINGS.iter().filter(|opening| opening.code.starts_with('D')).count();
    assert_eq!(direct, 13);
    let name = |cells: &str| {
        let cells: Vec<Cell> = cells.split(' ').map(|name| name.parse().unwrap()).collect();
        named_opening(&cells, &rules).map(|opening| opening.text().to_string())
    };
    // Seen through a symmetry, with more stones after it, and not at all.
    assert_eq!(name("h8 g8 g7"), Some("D4 Kagetsu (花月)".into()));
    assert_eq!(name("h8 g7 g9 a1"), Some("I7 Hogetsu (浦月)".into()));
    assert_eq!(name("h8 h9 h13"), None);
    assert_eq!(name("a1 a2 a3"), None);
}

fn read(format: Format, text: &str) -> Loaded {
    format.read(&Document::Single(text.into()), None).unwrap().remove(0)
}

fn record(game: &str, acts: &str, moves: &str) -> GameRecord {
    let cells = |text: &str| {
        text.split_whitespace().map(|cell| format!("{{\"cell\":\"{cell}\"}}")).collect::<Vec<_>>().join(",")
    };
    let acts: Vec<String> = acts.split_whitespace().map(|act| format!("\"{act}\"")).collect();
    let text = format!(
        "{{\"format\":\"lianzi-game\",\"version\":1,\"game\":\"{game}\",\"moves\":[{}],\"negotiation\":[{}]}}",
        cells(moves),
        acts.join(",")
    );
    let loaded = read(Format::Json, &text);
    assert_eq!(loaded.problem.is_some(), loaded.record.verdict.blame.is_some());
    loaded.record
}

#[test]
fn records_tell_how_sides_were_found() {
    let acts = "h8 h9 i9 swap a15 2 g7 g9 g9";
    let kept = record("renju+soosyrv8", acts, "h8 h9 i9 a15 g9 j8");
    assert_eq!(kept.verdict.blame, None);
    assert!(kept.is_swapped());
    assert_eq!(kept.game().to_string(), "renju+soosyrv8");
    let json = kept.to_json();
    assert!(json.contains("\"game\":\"renju+soosyrv8\"") && json.contains("\"negotiation\":[\"h8\""), "{json}");
    for format in [Format::Json, Format::Sgf] {
        let Document::Single(bytes) = format.write(std::slice::from_ref(&kept)).unwrap() else { panic!() };
        assert_eq!(read(format, &String::from_utf8(bytes).unwrap()).record, kept, "{format}");
    }
    // A game that was put aside in its opening goes on there.
    let aside = record("renju+soosyrv8", "h8 h9 i9 swap a15 2 g7", "h8 h9 i9 a15");
    assert_eq!(aside.negotiation().unwrap().offered().len(), 1);
    let plain = record("renju", "", "h8 a1");
    assert!(plain.negotiated.is_none() && !plain.to_json().contains("negotiation"));
}

#[test]
fn an_illegal_opening_is_a_foul_with_a_name() {
    for (acts, moves, ending, words) in [
        (
            "h8 h9 k9",
            "h8 h9 k9",
            "opening",
            "Black loses: k9 breaks the opening rule, this stone must lie within the central 5×5",
        ),
        (
            "h8 h9 i9 a15 g7 g7",
            "h8 h9 i9 a15",
            "opening",
            "Black loses: g7 breaks the opening rule, that fifth move is offered already",
        ),
        ("h8 h9 h9", "h8 h9", "illegal", "Black loses: illegal move at h9, there is a stone already"),
        (
            "h8 h9 i9 a15 g7 g9 b3",
            "h8 h9 i9 a15 b3",
            "opening",
            "White loses: b3 breaks the opening rule, only an offered fifth",
        ),
        (
            "h8 h9 i9 a15 g7 g9 g9",
            "h8 h9 i9 a15 g7",
            "opening",
            "Black loses: g7 breaks the opening rule, the stones of the game",
        ),
        ("h8 h9", "h8 h9 a1", "opening", "not those of its opening"),
        (
            "",
            "h8 h10 a1",
            "opening",
            "White loses: h10 breaks the opening rule, this stone must lie within the central 3×3",
        ),
    ] {
        let record = record("renju+rif", acts, moves);
        assert_eq!(record.verdict.ending.name(), ending, "{acts}");
        let told = record.verdict.text(&record.rules);
        assert!(told.english.contains(words), "{told}");
        assert!(!told.chinese.is_ascii());
    }
    // A file that tells only stones is judged by the rule that the caller names.
    let sgf = "(;GM[4]SZ[15];B[hh];W[aa];B[hi])";
    let judged = read(Format::Sgf, sgf).begun_by(OpeningRule::Rif);
    assert_eq!(judged.record.moves.len(), 1);
    assert_eq!(judged.record.verdict.blame, Some(Stone::White));
    assert!(read(Format::Sgf, sgf).begun_by(OpeningRule::Swap2).problem.is_none());
}
