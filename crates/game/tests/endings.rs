//! Every ending of a game, for both sides: scripted players do each thing a player can do, and the verdict, the
//! blame and the words must be the right ones.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use lianzi_core::Fault;
use lianzi_core::record::{Eval, GameRecord};
use lianzi_core::{
    Adjudication, Cell, Ending, Foul, IllegalMove, Language, Limit, OpeningRule, Outcome, Position, StartFault, Stone,
    Verdict,
};
use lianzi_engine::{Best, Engine, Info, Limits, Stop};
use lianzi_game::clock::Control;
use lianzi_game::judge::{Agreed, Answer, Cutoff};
use lianzi_game::play::{GameSetup, play_game};
use lianzi_game::player::{Ask, EnginePlayer, Player, Reply, Seat};

/// What a scripted player does when it is asked.
#[derive(Clone, Debug)]
enum Step {
    Play(&'static str),
    Say(Vec<Answer>),
    Score(&'static str, i32),
    Resign,
    Fail(Fault),
    Panic,
    Sleep(u64, &'static str),
}

/// Follows a script; after its end it is harmless.
struct Scripted {
    start: Result<(), Fault>,
    steps: VecDeque<Step>,
}

fn scripted(steps: &[Step]) -> Scripted {
    Scripted { start: Ok(()), steps: steps.iter().cloned().collect() }
}

fn cells(names: &str) -> Vec<Answer> {
    names.split_whitespace().map(|name| name.parse::<Cell>().unwrap().into()).collect()
}

/// Stones strewn over the upper half of the board, where they meet nobody's script and form no line.
fn far_cells(position: &Position) -> Vec<Answer> {
    let middle = position.rules().height / 2;
    let upper: Vec<Cell> = position.empty_cells().filter(|cell| cell.row > middle).collect();
    let legal: Vec<Cell> = position.legal().collect();
    let pool = if upper.iter().all(|cell| legal.contains(cell)) && !upper.is_empty() { upper } else { legal };
    let stride = (1..).map(|n| pool[(position.plies().len() + n) * 37 % pool.len()]);
    stride.take(position.stones_left().into()).map(Answer::from).collect()
}

impl Player for Scripted {
    fn sit(&mut self, _: &Seat<'_>) -> Result<(), Fault> {
        self.start.clone()
    }

    fn take_turn(&mut self, ask: &Ask<'_>, _: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        let turn = |turn| Ok(Reply { turn, ..Reply::default() });
        match self.steps.pop_front() {
            None => turn(far_cells(ask.position)),
            Some(Step::Play(names)) => turn(cells(names)),
            Some(Step::Say(answers)) => turn(answers),
            Some(Step::Score(names, score)) => {
                Ok(Reply { turn: cells(names), eval: Some(Eval { score, ..Eval::default() }), ..Reply::default() })
            }
            Some(Step::Resign) => Ok(Reply { resigns: true, ..Reply::default() }),
            Some(Step::Fail(fault)) => Err(fault),
            Some(Step::Panic) => panic!("out of ideas"),
            Some(Step::Sleep(ms, names)) => {
                std::thread::sleep(Duration::from_millis(ms));
                turn(cells(names))
            }
        }
    }

    fn leave(&mut self, _: &Verdict) {}
}

fn setup(game: &str, opening: &str) -> GameSetup {
    GameSetup {
        rule: OpeningRule::None,
        rules: game.parse().unwrap(),
        opening: opening.split_whitespace().map(|name| name.parse().unwrap()).collect(),
        control: Control::default(),
        cutoff: Cutoff::default(),
        seed: 1,
        names: ["black".into(), "white".into()],
    }
}

fn play(setup: &GameSetup, mut black: impl Player, mut white: impl Player) -> GameRecord {
    play_game(setup, &mut [&mut black, &mut white], &Stop::default(), &mut |_| {})
}

/// Plays with the offender at each side; its first step is the script, the other side is harmless.
fn both_sides(game: &str, step: &Step, ending: &Ending) {
    for offender in Stone::BOTH {
        let bad = scripted(std::slice::from_ref(step));
        let harmless = scripted(&[]);
        let record = match offender {
            Stone::Black => play(&setup(game, ""), bad, harmless),
            Stone::White => play(&setup(game, ""), harmless, bad),
        };
        assert_eq!(record.verdict.ending, *ending, "{step:?} by {offender}");
        assert_eq!(record.verdict.blame, Some(offender), "{step:?}");
        assert_eq!(record.verdict.outcome, Some(Outcome::Win(offender.other())), "{step:?}");
        check_words(&record);
    }
}

/// Both languages say something, and name the side to blame.
fn check_words(record: &GameRecord) {
    for language in [Language::English, Language::Chinese] {
        let words = record.verdict.words(&record.rules, language);
        let side = record.verdict.blame.or(record.verdict.outcome.and_then(Outcome::winner));
        assert!(side.is_none_or(|side| words.contains(record.rules.side(side).words(language))), "{words}");
    }
    let line = record.to_json();
    assert!(line.contains(&format!("\"ending\":\"{}\"", record.verdict.ending.name())), "{line}");
}

fn illegal(at: &str, why: IllegalMove) -> Ending {
    Ending::Illegal { at: at.into(), why }
}

#[test]
fn every_illegal_stone() {
    let black = |game: &str, opening: &str, step: Step| play(&setup(game, opening), scripted(&[step]), scripted(&[]));
    let cases = [
        ("gomoku", "", "p1", IllegalMove::OffBoard),
        ("gomoku", "h8 i8", "i8", IllegalMove::Occupied),
        ("gomoku/c3", "", "c3", IllegalMove::Blocked),
        ("connect4", "", "c3", IllegalMove::Floating),
        ("renju", "a1 o15 b1 o13 c1 o11 e1 a15 f1 a13", "d1", IllegalMove::Forbidden(Foul::Overline)),
        ("renju", "h9 o15 h10 o13 g8 o11 f8 a15", "h8", IllegalMove::Forbidden(Foul::DoubleThree)),
    ];
    for (game, opening, cell, why) in cases {
        let record = black(game, opening, Step::Play(cell));
        assert_eq!(record.verdict.ending, illegal(cell, why), "{game} {cell}");
        assert_eq!(record.verdict.blame, Some(Stone::Black));
        check_words(&record);
    }
    both_sides("gomoku", &Step::Play("p1"), &illegal("p1", IllegalMove::OffBoard));
    both_sides("gomoku/c3", &Step::Play("c3"), &illegal("c3", IllegalMove::Blocked));
    both_sides("connect4", &Step::Play("c5"), &illegal("c5", IllegalMove::Floating));
    let beyond = Step::Say(vec![Answer::Beyond("(99,-1)".into())]);
    both_sides("gomoku", &beyond, &illegal("(99,-1)", IllegalMove::OffBoard));
}

#[test]
fn wrong_numbers_of_stones() {
    both_sides("gomoku", &Step::Play(""), &Ending::Stones { wanted: 1, given: 0 });
    both_sides("gomoku", &Step::Play("a1 b3"), &Ending::Stones { wanted: 1, given: 2 });
    let one = play(&setup("connect6", "j10"), scripted(&[]), scripted(&[Step::Play("a1")]));
    assert_eq!(one.verdict.ending, Ending::Stones { wanted: 2, given: 1 });
    assert_eq!(one.verdict.blame, Some(Stone::White));
    let three = play(&setup("connect6", "j10"), scripted(&[]), scripted(&[Step::Play("a1 a2 a3")]));
    assert_eq!(three.verdict.ending, Ending::Stones { wanted: 2, given: 3 });
}

#[test]
fn every_failure() {
    let crashed = Ending::Crashed { how: "signal 11".into() };
    both_sides("gomoku", &Step::Fail(Fault::Crashed("signal 11".into())), &crashed);
    let garbled = Ending::Garbled { said: "banana".into() };
    both_sides("gomoku", &Step::Fail(Fault::Garbled("banana".into())), &garbled);
    both_sides("gomoku", &Step::Fail(Fault::Late), &Ending::Timeout { limit: Limit::Move });
    both_sides("gomoku", &Step::Fail(Fault::OutOfTurn), &Ending::OutOfTurn);
    both_sides("gomoku", &Step::Fail(Fault::AfterEnd), &Ending::AfterEnd);
    both_sides("gomoku", &Step::Fail(Fault::Tampered), &Ending::Tampered);
    both_sides("gomoku", &Step::Panic, &Ending::Crashed { how: "out of ideas".into() });
}

#[test]
fn players_that_cannot_start() {
    for (fault, how) in [(StartFault::Unloadable, "no such file"), (StartFault::MissingFunction, "getPoint")] {
        for side in Stone::BOTH {
            let absent = Scripted { start: Err(Fault::NotStarted(fault, how.into())), steps: VecDeque::new() };
            let record = match side {
                Stone::Black => play(&setup("connect4", ""), absent, scripted(&[])),
                Stone::White => play(&setup("connect4", ""), scripted(&[]), absent),
            };
            assert_eq!(record.verdict.ending, Ending::NotStarted { fault, how: how.into() });
            assert_eq!(record.verdict.blame, Some(side));
            assert_eq!(record.moves.len(), 0);
            check_words(&record);
        }
    }
}

#[test]
fn resigning_is_no_fault() {
    let record = play(&setup("gomoku", ""), scripted(&[]), scripted(&[Step::Resign]));
    assert_eq!(record.verdict, Verdict::resigned(Stone::White));
    check_words(&record);
}

#[test]
fn lines_and_full_boards() {
    let black = scripted(&["a1", "b1", "c1", "d1", "e1"].map(Step::Play));
    let record = play(&setup("gomoku", ""), black, scripted(&[]));
    assert_eq!(record.verdict, Verdict::by_stones(Outcome::Win(Stone::Black)));
    check_words(&record);
    let white = scripted(&["a1", "b1", "c1", "d1", "e1"].map(Step::Play));
    let record = play(&setup("gomoku", ""), scripted(&[]), white);
    assert_eq!(record.verdict, Verdict::by_stones(Outcome::Win(Stone::White)));
    let full = play(&setup("connect:2,2,2,1,1/a1,b2", ""), scripted(&[]), scripted(&[]));
    assert_eq!(full.verdict, Verdict::by_stones(Outcome::Draw));
    check_words(&full);
}

#[test]
fn a_stone_after_the_winning_one_is_ignored() {
    let opening = "j10 a1 a3 k10 l10 a5 a7 m10 n10 c1 c3";
    let record = play(&setup("connect6", opening), scripted(&[Step::Play("o10 o10")]), scripted(&[]));
    assert_eq!(record.verdict, Verdict::by_stones(Outcome::Win(Stone::Black)));
    assert_eq!(record.surplus, ["o10".parse::<Cell>().unwrap()]);
    assert_eq!(record.moves.len(), 12);
    let one = play(&setup("connect6", opening), scripted(&[Step::Play("o10")]), scripted(&[]));
    assert_eq!(one.verdict, Verdict::by_stones(Outcome::Win(Stone::Black)), "a winning stone needs no second");
}

#[test]
fn time_for_a_move_and_for_a_game() {
    let limited = |control: Control| GameSetup { control, ..setup("gomoku", "") };
    let margin = Duration::from_millis(20);
    let per_move = Control { per_move: Some(Duration::from_millis(50)), margin, ..Control::default() };
    for side in Stone::BOTH {
        let (mut players, slow) = ([scripted(&[]), scripted(&[])], scripted(&[Step::Sleep(150, "a1")]));
        players[side.index()] = slow;
        let [black, white] = players;
        let record = play(&limited(per_move), black, white);
        assert_eq!(record.verdict, Verdict::fault(side, Ending::Timeout { limit: Limit::Move }));
        check_words(&record);
    }
    let within = play(&limited(per_move), scripted(&[Step::Sleep(55, "a1"), Step::Resign]), scripted(&[]));
    assert_eq!(within.verdict.ending, Ending::Resigned, "an answer within the margin counts");
    let per_game =
        Control { per_game: Some((Duration::from_millis(100), Duration::ZERO)), margin, ..Control::default() };
    let slow = scripted(&[Step::Sleep(60, "a1"), Step::Sleep(90, "b3")]);
    let record = play(&limited(per_game), slow, scripted(&[]));
    assert_eq!(record.verdict, Verdict::fault(Stone::Black, Ending::Timeout { limit: Limit::Game }));
    assert_eq!(record.moves.len(), 2);
}

#[test]
fn adjudication() {
    let cutoff = Cutoff { max_plies: Some(6), agreed: None };
    let record = play(&GameSetup { cutoff, ..setup("gomoku", "") }, scripted(&[]), scripted(&[]));
    assert_eq!(record.verdict.ending, Ending::Adjudicated { why: Adjudication::MaxPlies });
    assert_eq!((record.verdict.outcome, record.moves.len()), (Some(Outcome::Draw), 6));
    check_words(&record);
    let cutoff = Cutoff { max_plies: None, agreed: Some(Agreed { score: 500, turns: 4 }) };
    let setup = GameSetup { cutoff, ..setup("gomoku", "") };
    let sees = |scores: [i32; 3], names: [&'static str; 3]| {
        let steps: Vec<Step> = names.into_iter().zip(scores).map(|(name, score)| Step::Score(name, score)).collect();
        scripted(&steps)
    };
    let agreed = play(&setup, sees([600, 700, 0], ["a1", "c1", "e1"]), sees([-500, -800, 0], ["a3", "c3", "e3"]));
    assert_eq!(agreed.verdict.ending, Ending::Adjudicated { why: Adjudication::Scores });
    assert_eq!((agreed.verdict.outcome, agreed.moves.len()), (Some(Outcome::Win(Stone::Black)), 4));
    check_words(&agreed);
    let resign = |mut player: Scripted| {
        player.steps.push_back(Step::Resign);
        player
    };
    let disputed =
        play(&setup, resign(sees([600, 700, 800], ["a1", "c1", "e1"])), sees([600, 700, 800], ["a3", "c3", "e3"]));
    assert_eq!(disputed.verdict.ending, Ending::Resigned, "players who disagree play on");
}

/// An engine that does not come back.
struct Deaf;

impl Engine for Deaf {
    fn begin(&mut self, _: u64) {}

    fn search(&mut self, _: &Position, _: &Limits, _: &Stop, _: &mut dyn FnMut(&Info)) -> Best {
        loop {
            std::thread::sleep(Duration::from_secs(3600));
        }
    }
}

/// An engine that dies.
struct Mortal;

impl Engine for Mortal {
    fn begin(&mut self, _: u64) {}

    fn search(&mut self, _: &Position, _: &Limits, _: &Stop, _: &mut dyn FnMut(&Info)) -> Best {
        panic!("no more")
    }
}

#[test]
fn an_engine_that_ignores_the_stop_flag_is_given_up() {
    let per_move = Some(Duration::from_millis(40));
    let setup = GameSetup { control: Control { per_move, ..Control::default() }, ..setup("gomoku", "") };
    let mut deaf = EnginePlayer::new(Box::new(|_| Ok(Box::new(Deaf))), Limits::default(), None);
    for _ in 0..3 {
        let start = Instant::now();
        let record = play_game(&setup, &mut [&mut scripted(&[]), &mut deaf], &Stop::default(), &mut |_| {});
        assert_eq!(record.verdict, Verdict::fault(Stone::White, Ending::Timeout { limit: Limit::Move }));
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn an_engine_that_panics_has_crashed_and_can_play_again() {
    let mut mortal = EnginePlayer::new(Box::new(|_| Ok(Box::new(Mortal))), Limits::default(), None);
    for _ in 0..2 {
        let record =
            play_game(&setup("gomoku", ""), &mut [&mut mortal, &mut scripted(&[])], &Stop::default(), &mut |_| {});
        assert_eq!(record.verdict, Verdict::fault(Stone::Black, Ending::Crashed { how: "no more".into() }));
    }
}

#[test]
fn an_interrupted_game_is_left_unfinished_soon() {
    let stop = Stop::default();
    let mut deaf = EnginePlayer::new(Box::new(|_| Ok(Box::new(Deaf))), Limits::default(), None);
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            stop.set();
        });
        let record = play_game(&setup("gomoku", ""), &mut [&mut deaf, &mut scripted(&[])], &stop, &mut |_| {});
        assert_eq!(record.verdict, Verdict::UNFINISHED);
    });
    assert!(start.elapsed() < Duration::from_secs(5));
}
