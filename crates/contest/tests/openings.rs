//! Openings between scripted players: every way to find sides, and every foul on the way.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

use std::collections::VecDeque;
use std::time::Duration;

use lianzi_contest::journal::Played;
use lianzi_contest::{Fixture, GameId};
use lianzi_core::{Act, Ending, Fault, Game, GameRecord, Negotiation, OpeningRule, Outcome, Rules, Stone, Verdict};
use lianzi_engine::{Info, Stop};
use lianzi_game::clock::Control;
use lianzi_game::judge::Cutoff;
use lianzi_game::play::{GameSetup, play_game};
use lianzi_game::player::{Ask, Player, Reply, Seat};
use lianzi_players::PlayerSpec;

/// Says these things while sides are open, and then resigns: so the loser tells who plays the side to move.
struct Scripted(VecDeque<Result<Option<Vec<Act>>, Fault>>);

impl Player for Scripted {
    fn sit(&mut self, _: &Seat<'_>) -> Result<(), Fault> {
        Ok(())
    }
    fn take_turn(&mut self, _: &Ask<'_>, _: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        Ok(Reply { resigns: true, ..Reply::default() })
    }
    fn negotiate(&mut self, _: &Ask<'_>, _: &Negotiation) -> Result<Option<Vec<Act>>, Fault> {
        self.0.pop_front().unwrap()
    }
    fn leave(&mut self, _: &Verdict) {}
}

fn acts(names: &str) -> Result<Option<Vec<Act>>, Fault> {
    Ok(Some(names.split_whitespace().map(|name| name.parse().unwrap()).collect()))
}

fn setup(game: &str) -> GameSetup {
    let game: Game = game.parse().unwrap();
    GameSetup {
        rules: game.rules().unwrap(),
        opening: vec!["h8".parse().unwrap()],
        rule: game.opening,
        control: Control { per_move: Some(Duration::from_secs(20)), ..Control::default() },
        cutoff: Cutoff::default(),
        seed: 1,
        names: ["opener".into(), "other".into()],
    }
}

type Says = Result<Option<Vec<Act>>, Fault>;

fn play<const A: usize, const B: usize>(game: &str, opener: [Says; A], other: [Says; B]) -> GameRecord {
    let (mut opener, mut other) = (Scripted(opener.into()), Scripted(other.into()));
    play_game(&setup(game), &mut [&mut opener, &mut other], &Stop::default(), &mut |_| {})
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

const SWAP2: &str = "gomoku+swap2";

#[test]
fn sides_are_found_in_four_ways() {
    let three = || acts("h8 h9 i9");
    // The other lays White's second stone; Black, the opener, is next.
    assert_eq!(seen(&play(SWAP2, [three()], [acts("g7")])), ("opener", "other", 4, "opener"));
    // The other takes Black; White, the opener, is next.
    assert_eq!(seen(&play(SWAP2, [three()], [acts("swap")])), ("other", "opener", 3, "opener"));
    // Two more stones; who lays the sixth is White.
    let record = play(SWAP2, [three(), acts("a1")], [acts("more g7 f6")]);
    assert_eq!(seen(&record), ("other", "opener", 6, "other"));
    let record = play(SWAP2, [three(), acts("swap")], [acts("more g7 f6")]);
    assert_eq!(seen(&record), ("opener", "other", 5, "other"));
    // What is done in several answers is the same as what is done in one.
    let record = play(SWAP2, [acts("h8"), acts("h9"), acts("i9"), acts("swap")], [acts("more"), acts("g7 f6")]);
    assert_eq!(seen(&record), ("opener", "other", 5, "other"));
    assert_eq!(record.negotiation().unwrap().acts().len(), 7);
}

#[test]
fn renju_players_agree_on_a_fifth_move() {
    let record = play(
        "renju+soosyrv8",
        [acts("h8 h9 i9"), acts("a15 2"), acts("swap"), acts("g9")],
        [acts("swap"), acts("swap"), acts("g7 g9")],
    );
    assert_eq!(record.verdict.ending.name(), "opening", "nobody can swap twice: {:?}", record.verdict);
    let record = play("renju+soosyrv8", [acts("h8 h9 i9"), acts("a15 2"), acts("g9")], [acts("swap"), acts("g7 g9")]);
    assert_eq!(seen(&record), ("other", "opener", 5, "opener"));
    let record = play("renju+yamaguchi", [acts("h8 h9 i9 1"), acts("g7")], [acts("a15"), acts("g7")]);
    assert_eq!(seen(&record), ("opener", "other", 5, "other"));
}

#[test]
fn who_cannot_take_part_plays_the_opening() {
    assert_eq!(seen(&play(SWAP2, [Ok(None)], [])), ("opener", "other", 1, "other"));
    assert_eq!(seen(&play(SWAP2, [acts("a1 a2 a3")], [Ok(None)])), ("opener", "other", 1, "other"));
    let record = play(SWAP2, [acts("a1 a2 a3"), Ok(None)], [acts("more b1 b2")]);
    assert_eq!(seen(&record), ("opener", "other", 1, "other"));
    assert_eq!(record.negotiated, None);
}

#[test]
fn fouls_are_those_of_the_one_who_was_asked() {
    let three = || acts("h8 h9 i9");
    let blamed = |record: GameRecord, who: &str, name: &str| {
        let blame = record.verdict.blame.unwrap();
        assert_eq!(record.sides[blame.index()].name, who, "{:?}", record.verdict);
        assert_eq!(record.verdict.ending.name(), name);
    };
    blamed(play(SWAP2, [acts("")], []), "opener", "stones");
    blamed(play(SWAP2, [acts("swap")], []), "opener", "opening");
    blamed(play(SWAP2, [acts("h8 h9 h8")], []), "opener", "illegal");
    blamed(play(SWAP2, [acts("h8 h9 i9 i10")], []), "opener", "opening");
    blamed(play(SWAP2, [three()], [acts("h9")]), "other", "illegal");
    blamed(play(SWAP2, [three()], [acts("a1 a2 a3")]), "other", "opening");
    blamed(play(SWAP2, [three()], [Err(Fault::Garbled("perhaps".into()))]), "other", "garbled");
    blamed(play(SWAP2, [three(), acts("a3 a4")], [acts("more a1 a2")]), "opener", "opening");
    blamed(play(SWAP2, [three(), Err(Fault::Crashed("gone".into()))], [acts("more a1 a2")]), "opener", "crashed");
    blamed(play("renju+rif", [acts("h8 h9 k9")], []), "opener", "opening");
    blamed(play("renju+rif", [three(), acts("g7 g7")], [acts("a15")]), "opener", "opening");
}

#[test]
fn a_contest_counts_for_those_who_played() {
    let fixture = Fixture { id: GameId { encounter: 0, game: 0 }, round: 0, seats: [0, 1], opening: 0 };
    let record = play(SWAP2, [acts("h8 h9 i9")], [acts("swap")]);
    assert_eq!(fixture.as_played(&record).seats, [1, 0]);
    assert_eq!(record.verdict.outcome, Some(Outcome::Win(Stone::Black)));
    let played = Played { id: fixture.id, record };
    // The opener was planned as Black and lost.
    assert_eq!(played.planned_outcome(), Some(Outcome::Win(Stone::White)));
}

/// A whole game of our engines under every rule, with few nodes.
#[test]
fn our_engines_take_part_in_every_opening() {
    for rule in OpeningRule::ALL.into_iter().skip(1) {
        for (game, spec) in [("renju", "strong@nodes=400"), ("gomoku", "greedy"), ("standard", "random")] {
            let spec: PlayerSpec = spec.parse().unwrap();
            let (mut a, mut b) = (spec.player().unwrap(), spec.player().unwrap());
            let cutoff = Cutoff { max_plies: Some(16), ..Cutoff::default() };
            let setup = GameSetup { cutoff, ..setup(&format!("{game}+{rule}")) };
            let record = play_game(&setup, &mut [a.as_mut(), b.as_mut()], &Stop::default(), &mut |_| {});
            let fault = record.verdict.ending.is_fault();
            assert!(!fault, "{game}+{rule}: {:?} {:?}", record.verdict, record.negotiated);
            assert!(record.negotiation().is_some_and(|found| found.is_settled()), "{game}+{rule}");
        }
    }
    for (game, spec) in [("connect6+swap", "greedy"), ("connect6+pie", "random"), ("connect4+pie", "strong@nodes=200")]
    {
        let spec: PlayerSpec = spec.parse().unwrap();
        let (mut a, mut b) = (spec.player().unwrap(), spec.player().unwrap());
        let setup = GameSetup { cutoff: Cutoff { max_plies: Some(12), ..Cutoff::default() }, ..setup(game) };
        let record = play_game(&setup, &mut [a.as_mut(), b.as_mut()], &Stop::default(), &mut |_| {});
        assert!(!record.verdict.ending.is_fault(), "{game}: {:?}", record.verdict);
        assert!(record.negotiation().is_some_and(|found| found.is_settled()), "{game}");
    }
    assert!("connect6+swap2".parse::<Game>().is_err() && OpeningRule::Swap2.check(&Rules::gomoku(5)).is_err());
}
