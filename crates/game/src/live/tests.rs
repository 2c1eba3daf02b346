//! Tests of a live game: clocks, taking back, openings.

use super::*;
use lianzi_core::{Limit, Outcome};

const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn untimed(name: &str, moves: &str) -> LiveGame {
    let mut game = LiveGame::new(name.parse().unwrap(), Control::default());
    for cell in moves.split_whitespace() {
        game.place(stone(cell), Instant::now()).unwrap();
    }
    game
}

fn winner(game: &LiveGame) -> Option<Stone> {
    game.verdict().outcome.and_then(Outcome::winner)
}

fn stone(cell: &str) -> Move {
    Move::from(cell.parse::<Cell>().unwrap())
}

#[test]
fn undo_against_an_engine_returns_to_the_own_turn() {
    let now = Instant::now();
    let mut connect6 = untimed("connect6", "j10 k10 k11 j9 j8 l10 l11");
    assert!(connect6.undo_to(Stone::Black, now));
    assert_eq!(connect6.record().moves.len(), 3);
    assert!(connect6.undo_to(Stone::Black, now));
    assert_eq!(connect6.record().moves.len(), 0);
    assert!(!connect6.undo_to(Stone::Black, now));
    let mut own_stone = untimed("connect6", "j10 k10 k11 j9");
    assert!(own_stone.undo_to(Stone::Black, now));
    assert_eq!(own_stone.record().moves.len(), 3, "the first stone of a turn is taken back alone");
}

#[test]
fn a_move_taken_back_depends_on_who_sits_there() {
    let now = Instant::now();
    let stones = |game: &LiveGame| game.record().moves.len();
    for (people, back) in [([true, true], 3), ([true, false], 2), ([false, true], 3), ([false, false], 3)] {
        let mut game = untimed("gomoku", "h8 i9 j10 k11");
        assert!(game.take_back(people, now));
        assert_eq!(stones(&game), back, "{people:?}");
        assert!(game.put_back(people, now));
        assert_eq!(stones(&game), 4, "{people:?}");
        assert!(!game.put_back(people, now));
    }
    let mut engines = untimed("connect6", "j10 k10 k11 j9 j8");
    assert!(engines.take_back([false; 2], now));
    assert_eq!(stones(&engines), 3, "engines think over a whole turn");
}

#[test]
fn a_deed_is_judged_and_happens() {
    let now = Instant::now();
    let mut game = untimed("connect6", "j10");
    let cells = ["k10", "k11"].map(|name| name.parse::<Cell>().unwrap().into());
    let eval = Some(Eval { score: 7, ..Eval::default() });
    game.take(&Deed::Turn(cells.to_vec()), eval, now, ms(5));
    let evals: Vec<Option<Eval>> = game.record().moves.iter().map(|played| played.eval).collect();
    assert_eq!(evals, [None, None, eval]);
    game.take(&Deed::Turn(cells.to_vec()), None, now, ms(5));
    assert_eq!((winner(&game), game.verdict().blame), (Some(Stone::White), Some(Stone::Black)));
    let mut given_up = untimed("gomoku", "h8");
    given_up.take(&Deed::Resigned, None, now, ms(5));
    assert_eq!(*given_up.verdict(), Verdict::resigned(Stone::White));
}

#[test]
fn what_was_undone_can_be_redone_until_something_else_is_played() {
    let now = Instant::now();
    let mut game = untimed("gomoku", "h8 i9 j10");
    game.undo(now);
    game.undo(now);
    assert_eq!((game.redo(now), game.undone()), (Some("i9".parse().unwrap()), 1));
    game.place(stone("a1"), now).unwrap();
    assert_eq!(game.redo(now), None);
    assert_eq!(game.record().moves.len(), 3);
}

#[test]
fn a_resigned_game_takes_no_stones_but_can_be_taken_back() {
    let now = Instant::now();
    let mut game = untimed("gomoku", "h8 i9");
    game.resign(Stone::Black);
    assert_eq!(winner(&game), Some(Stone::White));
    assert_eq!(game.place(stone("a1"), now), Err(IllegalMove::GameOver));
    game.fault(Stone::White, Ending::OutOfTurn);
    assert_eq!(winner(&game), Some(Stone::White), "the first ending stands");
    assert!(game.undo(now));
    assert!(!game.is_over());
    game.restart(now);
    assert_eq!((game.record().moves.len(), game.redo(now)), (0, None));
}

#[test]
fn an_opening_that_settled_the_sides_stays() {
    let now = Instant::now();
    let record = GameRecord::of_game(Rules::gomoku(15), lianzi_core::OpeningRule::Swap2);
    let mut game = LiveGame::resume(record, Control::default()).unwrap();
    for act in ["h8", "i9", "j10", "swap"] {
        game.act(act.parse().unwrap()).unwrap();
    }
    game.place(stone("a1"), now).unwrap();
    assert!(game.undo(now) && !game.undo(now) && !game.can_undo());
    assert_eq!((game.record().opening, game.record().is_swapped()), (3, true));
    game.restart(now);
    assert!(game.demand().is_some() && game.record().moves.is_empty() && game.record().opening == 0);
    assert!(game.record().negotiated.as_ref().is_some_and(|found| found.acts.is_empty()));
}

#[test]
fn a_recorded_game_goes_on() {
    let over = untimed("connect4", "a1 b1 a2 b2 a3 b3 a4");
    assert!(over.is_over());
    let mut again = LiveGame::resume(over.record().clone(), Control::default()).unwrap();
    assert!(again.is_over() && again.undo(Instant::now()) && !again.is_over());
}

#[test]
fn a_turn_of_two_stones_has_one_clock() {
    let start = Instant::now();
    let control = Control { per_move: Some(ms(1000)), margin: ms(0), ..Control::default() };
    let mut game = LiveGame::new("connect6".parse().unwrap(), control);
    game.run_clocks_from(start);
    game.place(stone("j10"), start + ms(400)).unwrap();
    game.place(stone("k10"), start + ms(1100)).unwrap();
    assert_eq!(game.face(Stone::White, start + ms(1200)).turn, ms(800), "the turn goes on");
    game.place(stone("k11"), start + ms(1300)).unwrap();
    let times: Vec<Option<u64>> = game.record().moves.iter().map(|played| played.time_ms).collect();
    assert_eq!(times, [Some(400), None, Some(900)]);
    let face = game.face(Stone::Black, start + ms(1500));
    assert_eq!(face, Face { used: ms(600), turn: ms(200), left: Some(ms(800)) });
    assert!(!game.tick(start + ms(2300)));
    assert!(game.tick(start + ms(2301)));
    assert_eq!(*game.verdict(), Verdict::fault(Stone::Black, Ending::Timeout { limit: Limit::Move }));
}

#[test]
fn a_game_clock_counts_what_the_moves_took() {
    let start = Instant::now();
    let control = Control { per_game: Some((ms(1000), ms(100))), margin: ms(0), ..Control::default() };
    let mut game = LiveGame::new("gomoku".parse().unwrap(), control);
    game.run_clocks_from(start);
    game.place(stone("h8"), start + ms(700)).unwrap();
    game.place(stone("i9"), start + ms(800)).unwrap();
    assert_eq!(game.face(Stone::Black, start + ms(900)).left, Some(ms(300)), "1000 - 700 + 100 - 100");
    game.undo(start + ms(1000));
    game.undo(start + ms(1000));
    assert_eq!(game.face(Stone::Black, start + ms(1000)).left, Some(ms(1000)), "time comes back with the stone");
    assert_eq!(game.flag_falls(), Some(start + ms(2001)));
    assert_eq!(game.place(stone("h8"), start + ms(2100)), Err(IllegalMove::GameOver), "a late stone is refused");
    assert_eq!(*game.verdict(), Verdict::fault(Stone::Black, Ending::Timeout { limit: Limit::Game }));
}

#[test]
fn a_game_put_aside_goes_on_where_its_turn_was() {
    let now = Instant::now();
    let control = Control { per_move: Some(ms(1000)), margin: ms(0), ..Control::default() };
    let mut game = LiveGame::new("gomoku".parse().unwrap(), control);
    game.run_clocks_from(now);
    game.stop_clocks();
    assert!(!game.clocks_run());
    game.run_clocks_from(now);
    assert_eq!(game.face(Stone::Black, now + ms(300)).left, Some(ms(700)));
}

#[test]
fn clocks_stand_still_until_they_are_started() {
    let control = Control { per_move: Some(ms(10)), ..Control::default() };
    let mut game = LiveGame::new("gomoku".parse().unwrap(), control);
    assert!(!game.tick(Instant::now() + ms(60_000)));
    assert_eq!(game.flag_falls(), None);
}
