//! Golden reviews: in each game one turn was bad, and the review must name it and say why. Engines look at a fixed
//! number of nodes, so the same is found on every machine.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

use lianzi_classic::catalog::{adviser, engine, scores};
use lianzi_core::record::{Document, Format};
use lianzi_core::{GameRecord, Position, Rules};
use lianzi_engine::{Best, Engine, Limits, Options, Stop};
use lianzi_game::review::{Grade, Look, Review, Reviewed, TurnReport};

/// An engine that looks at so many nodes a position.
struct Looker {
    engine: Box<dyn Engine>,
    nodes: u64,
}

impl Looker {
    fn new(rules: &Rules, nodes: u64) -> Looker {
        Looker { engine: engine(adviser(rules), rules, &Options::default()).unwrap(), nodes }
    }

    fn look(&mut self, position: &Position, share: u32) -> Best {
        let limits = Limits { nodes: Some(self.nodes * u64::from(share)), ..Limits::default() };
        self.engine.search(position, &limits, &Stop::default(), &mut |_| {})
    }

    fn go_through(&mut self, mut review: Review) -> Reviewed {
        while let Some(Look { position, share }) = review.next_look() {
            let found = self.look(&position, share);
            review.take(Some(&found));
        }
        review.report()
    }
}

fn record(game: &str, moves: &str) -> GameRecord {
    let game: Rules = game.parse().unwrap();
    Format::Moves.read(&Document::Single(moves.into()), Some(game)).unwrap().remove(0).record
}

fn reviewed_with(nodes: u64, game: &str, moves: &str) -> Reviewed {
    let record = record(game, moves);
    let rules = &record.rules;
    let review = Review::new(&record, scores(adviser(rules), rules));
    let reviewed = Looker::new(rules, nodes).go_through(review);
    assert!(reviewed.done && reviewed.looked == reviewed.of, "{game} {moves}");
    assert!(reviewed.plies.is_sorted_by_key(|turn| turn.ply));
    reviewed
}

fn reviewed(game: &str, moves: &str) -> Reviewed {
    reviewed_with(4_000, game, moves)
}

fn at(reviewed: &Reviewed, ply: usize) -> &TurnReport {
    reviewed.plies.iter().find(|turn| turn.ply == ply).unwrap()
}

fn words(reviewed: &Reviewed, ply: usize) -> (String, String) {
    let words = at(reviewed, ply).words.clone().unwrap_or_default();
    (words.english.into_owned(), words.chinese.into_owned())
}

#[test]
fn an_open_three_that_is_ignored_is_named_though_the_game_was_lost_before() {
    let review = reviewed("gomoku", "h8 a1 i8 a3 j8 c1 k8 c3 g8");
    assert!(review.mistakes.contains(&5), "{:?}", review.mistakes);
    let (english, chinese) = words(&review, 5);
    // The engine's own choice comes first, so either order is right.
    assert!(
        english.starts_with("White leaves an open three at h8–j8; ") && english.ends_with(" stops it."),
        "{english}"
    );
    assert!(chinese.starts_with("白方没有防 h8–j8 的活三；") && chinese.ends_with(" 可以防住。"), "{chinese}");
    let mut stops = at(&review, 5).stops.clone();
    stops.sort_unstable();
    assert_eq!(stops, ["g8", "k8"].map(|cell| cell.parse().unwrap()));
    assert!(review.mistakes.contains(&3) || review.mistakes.contains(&1), "{:?}", review.mistakes);
    assert!(review.plies.iter().all(|turn| turn.ply % 2 == 1 || turn.grade <= Grade::Good), "Black did nothing wrong");
}

/// With more nodes the game is proven lost long before the three: what made the loss quick is still named.
#[test]
fn so_it_is_when_the_loss_was_proven_before() {
    let review = reviewed_with(60_000, "gomoku", "h8 a1 i8 a3 j8 c1 k8 c3 g8");
    assert!(review.mistakes.contains(&5), "{:?}", review.mistakes);
    assert!(words(&review, 5).0.starts_with("White leaves an open three at h8–j8; "), "{:?}", words(&review, 5));
    let advice = at(&review, 5).advice.clone().unwrap_or_default();
    assert_eq!(advice.english, "White was losing already, but not so soon.");
    assert_eq!(words(&review, 1).0, "a1 lies too far from the other stones to matter.");
    assert!(at(&review, 1).advice.clone().unwrap_or_default().english.contains(" was better"));
}

#[test]
fn a_four_that_is_ignored_is_named() {
    let review = reviewed("gomoku", "h8 g8 i8 i9 j8 h9 k8 g10 l8");
    assert!(at(&review, 7).grade.is_mistake());
    assert_eq!(words(&review, 7).0, "White leaves a four at h8–k8; l8 stops it.");
    assert_eq!(at(&review, 7).best, ["l8".parse().unwrap()]);
}

#[test]
fn so_it_is_in_renju() {
    let review = reviewed("renju", "h8 h9 j6 i9 f6 j9 h4 k9 g4 l9");
    assert!(at(&review, 6).grade.is_mistake());
    assert!(words(&review, 6).0.starts_with("Black leaves an open three at h9–j9; "), "{:?}", words(&review, 6));
    assert!(review.sides[0].accuracy < Some(90), "{:?}", review.sides);
}

#[test]
fn two_stones_answer_a_line_of_connect6() {
    let review = reviewed("connect6", "j10 a1 s1 k10 l10 a3 s3 m10 n10 a5 s5 o10");
    assert!(at(&review, 1).grade.is_mistake() && at(&review, 9).grade.is_mistake(), "{:?}", review.mistakes);
    let (english, chinese) = words(&review, 9);
    assert!(english.starts_with("White leaves the line at j10–"), "{english}");
    assert!(english.ends_with("which Black can complete; i10 with o10 stops it."), "{english}");
    assert!(chinese.ends_with("黑方下一手即可连成；i10 与 o10 可以防住。"), "{chinese}");
    assert!(review.sides[0].accuracy > review.sides[1].accuracy, "{:?}", review.sides);
}

#[test]
fn a_win_known_by_heart_is_missed_in_connect_four() {
    let review = reviewed("connect4", "a1 b1 a2 b2 a3 b3 a4");
    assert_eq!((at(&review, 0).grade, at(&review, 0).loss), (Grade::MissedWin, 1.0));
    assert_eq!(words(&review, 0).0, "Red could win by force with d1, in 21 turns at most.");
    assert_eq!(at(&review, 5).grade, Grade::Blunder);
    assert_eq!(words(&review, 5).0, "Yellow leaves the line at a1–a3, which Red can complete; a4 stops it.");
    assert_eq!(words(&review, 5).1, "黄方没有挡 a1–a3，红方下一手即可连成；a4 可以防住。");
    assert_eq!((at(&review, 6).grade, at(&review, 6).after, review.turning), (Grade::Best, 1.0, Some(3)));
}

/// A game of the engine with itself, after three stones that somebody else laid.
#[test]
fn a_faultless_game_stays_faultless() {
    let moves = "h8 i9 e10 i7 i8 j8 k7 h6 g5 k10 k9 j11 j10 i11 h11 i12 h13 g12 j12 h9";
    let review = reviewed("gomoku", moves);
    let bad = review.plies.iter().filter(|turn| turn.ply > 2 && turn.grade > Grade::Good);
    assert_eq!(bad.count(), 0, "{:?}", review.mistakes);
    assert!(review.sides[1].accuracy >= Some(95), "{:?}", review.sides);
}

#[test]
fn a_try_is_graded_like_a_turn_of_a_game() {
    let position = Position::after("gomoku".parse().unwrap(), "h8 g8 i8 i9 j8 h9 k8").unwrap();
    let rules = position.rules();
    let grade = |cell: &str| {
        let review = Review::of_try(&position, &[cell.parse().unwrap()], scores(adviser(rules), rules)).unwrap();
        let reviewed = Looker::new(rules, 4_000).go_through(review);
        assert_eq!((reviewed.plies.len(), reviewed.plies[0].ply), (1, 7));
        reviewed.plies[0].grade
    };
    assert_eq!(grade("l8"), Grade::Best);
    assert!(grade("g10").is_mistake());
    assert!(Review::of_try(&position, &["h8".parse().unwrap()], scores(adviser(rules), rules)).is_err());
}

#[test]
fn games_that_did_not_begin_or_end_can_be_gone_through() {
    let nothing = Review::new(&GameRecord::new(Rules::gomoku(15)), scores("strong", &Rules::gomoku(15)));
    assert_eq!(Looker::new(&Rules::gomoku(15), 100).go_through(nothing).plies, []);
    let open = reviewed("connect6", "j10 k10");
    assert_eq!((open.plies.len(), open.turning), (2, None));
    assert_eq!(open.plies[1].turn.len(), 1, "half a turn");
}
