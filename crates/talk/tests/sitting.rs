//! Games that were kept, and are opened again.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

use std::sync::Arc;

use lianzi_core::opening::Want;
use lianzi_core::record::Move;
use lianzi_core::{Cell, GameRecord, Rules, Stone};
use lianzi_game::live::{Event, Leaving, Reach, Side, Threads};
use lianzi_talk::{SideChoice, Sitting, Spot};

/// A game as it was kept before records told of openings: these stones, how many of them were the opening of settled
/// sides, and whether two more were to be laid.
fn older(stones: &str, settled: Option<(usize, &str)>, two: bool) -> Sitting {
    let mut record = GameRecord::new(Rules::gomoku(15));
    record.moves = stones.split(' ').map(|name| Move::from(name.parse::<Cell>().unwrap())).collect();
    if let Some((opening, how)) = settled {
        record.opening = opening;
        record.set_tag("swap2", how);
    }
    let sides = ["ann", "bob"].map(|name| serde_json::json!({"player": "human", "name": name}));
    let saved = serde_json::json!({
        "sides": sides, "times": {}, "series": null, "met": true, "turn_ms": 0, "opening": {"two": two},
    });
    let reach = Reach { threads: Threads::own(), tell: Arc::new(|_| {}), leaving: Leaving::default() };
    let seat = |choice: SideChoice| Side::new(choice.player, choice.name.unwrap(), None);
    Sitting::open(Spot::default(), record, Some(&saved.to_string()), seat, reach).unwrap()
}

/// Who is asked for what, how many stones lie there, and who sits at Black.
fn seen(sitting: &Sitting) -> (Option<(Stone, bool, bool)>, usize, &str) {
    let table = &sitting.table;
    let asked = table.demand().map(|demand| {
        assert!(matches!(demand.want, Want::Stone(..)));
        (demand.seat, demand.swap.is_some(), demand.more.is_some())
    });
    (asked, table.position().plies().len(), &table.sides()[0].name)
}

#[test]
fn an_opening_that_was_kept_by_an_older_version_goes_on() {
    let (black, white) = (Stone::Black, Stone::White);
    assert_eq!(seen(&older("h8 h9", None, false)), (Some((black, false, false)), 2, "ann"));
    assert_eq!(seen(&older("h8 h9 i9", None, false)), (Some((white, true, true)), 3, "ann"));
    assert_eq!(seen(&older("h8 h9 i9", None, true)), (Some((white, false, false)), 3, "ann"));
    assert_eq!(seen(&older("h8 h9 i9 a1", None, true)), (Some((white, false, false)), 4, "ann"));
    // The opener chooses, and sits at the side to move since.
    let mut sitting = older("h8 h9 i9 a1 b2", None, true);
    assert_eq!(seen(&sitting), (Some((white, true, false)), 5, "bob"));
    assert_eq!(sitting.events(), [Event::Swapped]);
    assert!(!sitting.saved().unwrap().contains("opening"));
    assert_eq!(sitting.table.game().record().game().to_string(), "gomoku+swap2");
}

#[test]
fn sides_that_an_older_version_settled_stay() {
    for (stones, opening, how, two, swapped) in [
        ("h8 h9 i9 a1", 3, "swapped", false, true),
        ("h8 h9 i9 a1 b2", 4, "kept", false, false),
        ("h8 h9 i9 a1 b2 c3", 5, "kept", true, false),
        ("h8 h9 i9 a1 b2 c3 d5", 6, "swapped", true, true),
    ] {
        let mut sitting = older(stones, Some((opening, how)), two);
        assert_eq!(seen(&sitting), (None, stones.split(' ').count(), "ann"), "{stones}");
        let record = sitting.table.game().record().clone();
        assert_eq!((record.is_swapped(), record.opening), (swapped, opening), "{stones}");
        assert_eq!(record.game().to_string(), "gomoku+swap2");
        assert!(sitting.events().is_empty());
    }
}
