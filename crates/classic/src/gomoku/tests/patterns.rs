//! The patterns, their counting, and the board that keeps the counts.

use lianzi_core::{Outcome, Position, Random, Stone};

use super::super::board::Board;
use super::super::evaluate::evaluate;
use super::super::pattern::{Book, Pattern};
use super::super::reference::{Definitions, Seen};
use super::{board_of, play_near, played, random_rules, set_up};

/// Nine cells by number: each digit of base three is a cell, the centre is a stone.
fn nine_cells(number: usize) -> [Seen; 9] {
    let digit = |n: u32| [Seen::Empty, Seen::Own, Seen::Wall][number / 3usize.pow(n) % 3];
    std::array::from_fn(|n| match n {
        0..4 => digit(n as u32),
        4 => Seen::Own,
        _ => digit(n as u32 - 1),
    })
}

fn masks(cells: &[Seen; 9]) -> (u16, u16) {
    let mask = |kind| (0..9).filter(|&n| cells[n] == kind).fold(0, |mask, n| mask | 1 << n);
    (mask(Seen::Own), mask(Seen::Wall))
}

/// The centre's pattern in `...x.xx..`-like text: `x` own, `o` wall.
fn named(text: &str) -> Option<Pattern> {
    let seen = |c| match c {
        'x' => Seen::Own,
        '.' => Seen::Empty,
        _ => Seen::Wall,
    };
    let cells: Vec<Seen> = text.chars().map(seen).collect();
    let (own, wall) = masks(&cells.try_into().unwrap());
    Book::new().at(own, wall).pattern
}

#[test]
fn every_window_is_what_the_definitions_say() {
    // S1-29
    let (book, mut definitions) = (Book::new(), Definitions::default());
    for cells in (0..6561).map(nine_cells) {
        let (own, wall) = masks(&cells);
        let found = book.at(own, wall);
        let expected = definitions.classify(&cells);
        assert_eq!(found.pattern, expected.as_ref().map(|(pattern, _)| *pattern), "{cells:?}");
        let stones = expected.map_or(0, |(_, places)| places.iter().fold(0, |mask, n| mask | 1u16 << n));
        assert_eq!(found.stones, stones, "{cells:?}");
    }
}

/// The empty cells on which one more stone gives the centre this pattern.
fn cells_that_give(book: &Book, own: u16, wall: u16, pattern: Pattern) -> usize {
    let empty = (0..9).map(|n| 1u16 << n).filter(|cell| (own | wall) & cell == 0);
    empty.filter(|cell| book.at(own | cell, wall).pattern == Some(pattern)).count()
}

#[test]
fn a_pattern_is_what_it_can_become() {
    // S1-29, of all nine cells there are: stronger than drawing some.
    let book = Book::new();
    for (own, wall) in (0..6561).map(|number| masks(&nine_cells(number))) {
        let give = |pattern| cells_that_give(&book, own, wall, pattern);
        let five = (0..5).any(|n| own >> n & 31 == 31);
        use Pattern::*;
        let fits = match book.at(own, wall).pattern {
            Some(Five) => five,
            Some(LiveFour) => !five && give(Five) >= 2,
            Some(RushFour) => !five && give(Five) == 1,
            Some(LiveThree) => give(Five) == 0 && give(LiveFour) > 0,
            Some(SleepThree) => give(Five) + give(LiveFour) == 0 && give(RushFour) > 0,
            Some(LiveTwo) => give(Five) + give(LiveFour) + give(RushFour) == 0 && give(LiveThree) > 0,
            None => !five && give(Five) + give(LiveFour) + give(RushFour) + give(LiveThree) == 0,
        };
        assert!(fits, "{own:b} {wall:b}");
    }
}

#[test]
fn the_usual_shapes_have_their_names() {
    // S1-29, and S1-11: the document's 冲三 is 眠三.
    let shapes = [
        ("xxxxxo...", Some(Pattern::Five)),
        (".xxxxxx..", Some(Pattern::Five)),
        ("...xxxx..", Some(Pattern::LiveFour)),
        ("..oxxxx..", Some(Pattern::RushFour)),
        ("..x.xxx..", Some(Pattern::RushFour)),
        ("....x.x.x", Some(Pattern::SleepThree)),
        ("...xxx...", Some(Pattern::LiveThree)),
        ("..oxxx...", Some(Pattern::SleepThree)),
        ("o..xxx.o.", Some(Pattern::LiveThree)),
        (".o.xxx.o.", Some(Pattern::SleepThree)),
        ("....xx...", Some(Pattern::LiveTwo)),
        ("....x.x..", Some(Pattern::LiveTwo)),
        (".x..x....", Some(Pattern::LiveTwo)),
        // 眠二 is not counted.
        ("..oxx....", None),
        ("x...x....", None),
        ("....x....", None),
        (".o..xx.o.", None),
    ];
    for (text, pattern) in shapes {
        assert_eq!(named(text), pattern, "{text}");
    }
}

#[test]
fn a_split_three_is_live_on_either_side() {
    // SR-13: the authors' program takes the first of these for a live two.
    assert_eq!(named("..o.x.xx."), Some(Pattern::LiveThree));
    assert_eq!(named(".xx.x.o.."), Some(Pattern::LiveThree));
}

#[test]
fn no_pattern_is_counted_twice() {
    // S1-30, S1-31: one three, four stones of it looked at from three centres, counts once.
    let board = board_of(&set_up("g8 h8 i8", "", Stone::White));
    assert_eq!(board.counts()[0], [0, 0, 0, 1, 0, 0, 0, 0]);
    // A stone may be part of one pattern in each direction.
    let board = board_of(&set_up("g8 h8 i8 h9 h7", "", Stone::White));
    assert_eq!(board.counts()[0][Pattern::LiveThree as usize], 2);
    // Counted patterns of one direction never have the same stones.
    let (mut random, mut definitions) = (Random::new(31), Definitions::default());
    for _ in 0..50 {
        let position = random_position(&mut random);
        let counted = definitions.patterns(&position, Stone::Black);
        for (n, (_, direction, stones)) in counted.iter().enumerate() {
            assert!(!counted[..n].iter().any(|(_, d, s)| d == direction && s == stones));
        }
    }
}

fn random_position(random: &mut Random) -> Position {
    let mut position = Position::new(random_rules(random));
    for _ in 0..random.below(60) {
        if position.outcome().is_none() {
            play_near(&mut position, random);
        }
    }
    position
}

/// The counts by the definitions.
fn expected_counts(definitions: &mut Definitions, position: &Position) -> [[u16; 8]; 2] {
    Stone::BOTH.map(|stone| {
        let mut counts = [0; 8];
        for (pattern, ..) in definitions.patterns(position, stone) {
            counts[pattern as usize] += 1;
        }
        counts
    })
}

#[test]
fn counts_and_values_follow_every_stone() {
    // S1-02, S1-30, S1-32: forwards and backwards, on boards of every size, as the definitions count.
    let (mut random, mut definitions) = (Random::new(5), Definitions::default());
    let mut compared = 0;
    while compared < 3000 {
        let mut position = Position::new(random_rules(&mut random));
        let mut board = board_of(&position);
        let mut seen = Vec::new();
        while position.outcome().is_none() && position.plies().len() < 60 {
            seen.push((*board.counts(), board.key()));
            play_near(&mut position, &mut random);
            board.put(board.index(position.last().unwrap().cell));
            assert_eq!(*board.counts(), expected_counts(&mut definitions, &position), "{position:?}");
            assert_eq!(evaluate(&mut board), definitions.value(&position), "{position:?}");
            compared += 1;
        }
        while let Some(before) = seen.pop() {
            board.take_back();
            assert_eq!((*board.counts(), board.key()), before);
        }
    }
}

#[test]
fn the_key_is_that_of_the_position() {
    // S1-18: kept up stone by stone, it equals the key of the same position laid out anew, in any order.
    let mut random = Random::new(9);
    for _ in 0..60 {
        let position = random_position(&mut random);
        let mut board = Board::new(*position.rules());
        for ply in position.plies() {
            board.put(board.index(ply.cell));
        }
        assert_eq!(board.key(), board_of(&position).key());
    }
    let key = |moves| board_of(&played("gomoku", moves)).key();
    assert_eq!(key("h8 i9 j10 k11"), key("j10 k11 h8 i9"));
    assert_ne!(key("h8 i9 j10"), key("h8 j10 i9"));
    assert_ne!(key("h8 i9"), key("i9 h8"));
    let turned = |to_move| board_of(&set_up("h8", "i9", to_move)).key();
    assert_ne!(turned(Stone::Black), turned(Stone::White));
}

#[test]
fn a_five_is_the_referees() {
    // S1-46: five or more end the game, and nothing less does; S1-47: also with the last stone.
    let mut random = Random::new(17);
    for _ in 0..60 {
        let mut position = Position::new(random_rules(&mut random));
        let mut board = board_of(&position);
        while position.outcome().is_none() {
            play_near(&mut position, &mut random);
            board.put(board.index(position.last().unwrap().cell));
            let won = Stone::BOTH.into_iter().find(|&stone| board.has_five(stone));
            assert_eq!(won.map(Outcome::Win), position.outcome().filter(|o| *o != Outcome::Draw));
        }
    }
}
