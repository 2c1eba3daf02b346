//! Swap2 between scripted players: every way to find sides, and every foul on the way.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

use std::collections::VecDeque;
use std::time::Duration;

use lianzi_contest::journal::Played;
use lianzi_contest::{Contest, Entrant, Fixture, GameId};
use lianzi_core::{Cell, Ending, Fault, GameRecord, Outcome, Rules, Stone, Verdict};
use lianzi_engine::{Info, Stop};
use lianzi_game::clock::Control;
use lianzi_game::judge::{Answer, Cutoff};
use lianzi_game::play::{GameSetup, play_game};
use lianzi_game::player::{Ask, Player, Reply, Seat};
use lianzi_game::swap2::{self, Swap2, has_swap2};
use lianzi_players::PlayerSpec;

/// Says these things while sides are open, and then resigns: so the loser tells who plays the side to move.
struct Scripted(VecDeque<Result<Option<Swap2>, Fault>>);

impl Player for Scripted {
    fn sit(&mut self, _: &Seat<'_>) -> Result<(), Fault> {
        Ok(())
    }
    fn take_turn(&mut self, _: &Ask<'_>, _: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        Ok(Reply { resigns: true, ..Reply::default() })
    }
    fn swap2(&mut self, _: &Ask<'_>) -> Result<Option<Swap2>, Fault> {
        self.0.pop_front().unwrap()
    }
    fn leave(&mut self, _: &Verdict) {}
}

fn stones(names: &str) -> Result<Option<Swap2>, Fault> {
    let cells = names.split_whitespace().map(|name| Answer::from(name.parse::<Cell>().unwrap()));
    Ok(Some(Swap2::Stones(cells.collect())))
}

fn swap() -> Result<Option<Swap2>, Fault> {
    Ok(Some(Swap2::Swap))
}

fn setup() -> GameSetup {
    GameSetup {
        rules: Rules::gomoku(15),
        opening: vec!["h8".parse().unwrap()],
        swap2: true,
        control: Control { per_move: Some(Duration::from_secs(20)), ..Control::default() },
        cutoff: Cutoff::default(),
        seed: 1,
        names: ["opener".into(), "other".into()],
    }
}

fn play<const A: usize, const B: usize>(
    opener: [Result<Option<Swap2>, Fault>; A],
    other: [Result<Option<Swap2>, Fault>; B],
) -> GameRecord {
    let (mut opener, mut other) = (Scripted(opener.into()), Scripted(other.into()));
    play_game(&setup(), &mut [&mut opener, &mut other], &Stop::default(), &mut |_| {})
}

/// The names of Black and White, how many stones lay there, and who gave up.
fn seen(record: &GameRecord) -> (&str, &str, usize, &str) {
    let loser = match record.verdict.outcome {
        Some(Outcome::Win(Stone::Black)) => &record.sides[1].name,
        _ => &record.sides[0].name,
    };
    assert_eq!(record.verdict.ending, Ending::Resigned);
    assert_eq!(record.opening, record.moves.len());
    (&record.sides[0].name, &record.sides[1].name, record.moves.len(), loser)
}

#[test]
fn sides_are_found_in_four_ways() {
    let three = || stones("h8 h9 i9");
    // The other lays White's second stone; Black, the opener, is next.
    assert_eq!(seen(&play([three()], [stones("g7")])), ("opener", "other", 4, "opener"));
    // The other takes Black; White, the opener, is next.
    assert_eq!(seen(&play([three()], [swap()])), ("other", "opener", 3, "opener"));
    // Two more stones; who lays the sixth is White.
    let record = play([three(), stones("a1")], [stones("g7 f6")]);
    assert_eq!(seen(&record), ("other", "opener", 6, "other"));
    let record = play([three(), swap()], [stones("g7 f6")]);
    assert_eq!(seen(&record), ("opener", "other", 5, "other"));
}

#[test]
fn who_cannot_take_part_plays_the_opening() {
    assert_eq!(seen(&play([Ok(None)], [])), ("opener", "other", 1, "other"));
    assert_eq!(seen(&play([stones("a1 a2 a3")], [Ok(None)])), ("opener", "other", 1, "other"));
    let record = play([stones("a1 a2 a3"), Ok(None)], [stones("b1 b2")]);
    assert_eq!(seen(&record), ("opener", "other", 1, "other"));
    assert_eq!(record.tag(swap2::TAG), None);
}

#[test]
fn fouls_are_those_of_the_one_who_was_asked() {
    let three = || stones("h8 h9 i9");
    let blamed = |record: GameRecord, stone, name: &str| {
        assert_eq!(record.verdict.blame, Some(stone), "{name}");
        assert_eq!(record.verdict.ending.name(), name);
        assert_eq!(record.sides[0].name, "opener");
    };
    blamed(play([stones("h8 h9")], []), Stone::Black, "stones");
    blamed(play([swap()], []), Stone::Black, "stones");
    blamed(play([stones("h8 h9 h8")], []), Stone::Black, "illegal");
    blamed(play([three()], [stones("h9")]), Stone::White, "illegal");
    blamed(play([three()], [stones("a1 a2 a3")]), Stone::White, "stones");
    blamed(play([three()], [Err(Fault::Garbled("perhaps".into()))]), Stone::White, "garbled");
    blamed(play([three(), stones("a3 a4")], [stones("a1 a2")]), Stone::Black, "stones");
    blamed(play([three(), Err(Fault::Crashed("gone".into()))], [stones("a1 a2")]), Stone::Black, "crashed");
}

#[test]
fn a_contest_counts_for_those_who_played() {
    let fixture = Fixture { id: GameId { encounter: 0, game: 0 }, round: 0, seats: [0, 1], opening: 0 };
    let record = play([stones("h8 h9 i9")], [swap()]);
    assert_eq!(fixture.as_played(&record).seats, [1, 0]);
    assert_eq!(record.verdict.outcome, Some(Outcome::Win(Stone::Black)));
    let played = Played { id: fixture.id, record };
    // The opener was planned as Black and lost.
    assert_eq!(played.planned_outcome(), Some(Outcome::Win(Stone::White)));
}

#[test]
fn our_engines_take_part() {
    for game in ["gomoku", "standard", "renju", "gomoku:20"] {
        for seed in 0..4 {
            let spec: PlayerSpec = "greedy".parse().unwrap();
            let (mut a, mut b) = (spec.player().unwrap(), spec.player().unwrap());
            let setup = GameSetup {
                rules: game.parse().unwrap(),
                seed,
                cutoff: Cutoff { max_plies: Some(12), ..Cutoff::default() },
                ..setup()
            };
            let record = play_game(&setup, &mut [a.as_mut(), b.as_mut()], &Stop::default(), &mut |_| {});
            assert_eq!(record.verdict.ending.name(), "adjudicated", "{game}: {:?}", record.verdict);
            assert!(record.tag(swap2::TAG).is_some());
            assert!(record.opening == 3 || record.opening == 4, "{}", record.opening);
        }
    }
}

#[test]
fn only_games_of_single_stones_anywhere_have_it() {
    let has = |game: &str| has_swap2(&game.parse().unwrap());
    assert!(has("gomoku") && has("standard:19") && has("renju"));
    assert!(!has("connect6") && !has("connect4") && !has("gomoku:5"));
    let entrants = ["a", "b"].map(|name| Entrant { name: name.into(), spec: "greedy".into() });
    let contest = Contest { swap2: true, ..Contest::of_two("connect6".parse().unwrap(), entrants, 1) };
    let refused = lianzi_contest::plan::Plan::new(&contest).unwrap_err();
    assert!(refused.to_string().contains("swap2"), "{refused}");
}
