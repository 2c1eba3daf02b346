//! Feeds everything that reads what people type: what is read must survive being written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lianzi_contest::opening::read_openings;
use lianzi_course::Course;
use lianzi_game::duration;
use lianzi_players::PlayerSpec;
use lianzi_core::{Cell, Position, Rules};

fuzz_target!(|text: &str| {
    if let Ok(rules) = text.parse::<Rules>() {
        assert_eq!(rules.to_string().parse(), Ok(rules));
    }
    if let Ok(cell) = text.parse::<Cell>() {
        assert_eq!(cell.to_string().parse(), Ok(cell));
    }
    if let Ok(spec) = text.parse::<PlayerSpec>() {
        let again = spec.to_string().parse::<PlayerSpec>().expect("a player is named by its text");
        assert_eq!(again.to_string(), spec.to_string());
    }
    let _ = (duration::parse(text), Course::read(text));
    for rules in [Rules::gomoku(15), Rules::connect6(19), Rules::connect4(7, 6)] {
        let _ = Position::new(rules).read_cell(text);
        for opening in read_openings(text, &rules).unwrap_or_default() {
            let mut position = Position::new(rules);
            opening.into_iter().for_each(|cell| position.play(cell).expect("openings were replayed"));
        }
    }
});
