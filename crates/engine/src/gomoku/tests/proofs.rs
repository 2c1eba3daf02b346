//! Proofs against the referee: every one that is found is replayed against all defences.

use std::sync::Arc;

use lianzi_core::{Cell, Position, Random, Rules};

use super::super::board::GomokuBoard;
use super::super::kind::Kind;
use super::super::knowledge::Knowledge;
use super::super::moves::{double_stops, has_double};
use super::super::prover::{Means, prove};
use super::super::spot::cell;
use super::super::verify::{wins, wins_by_fours};

fn after(game: &str, moves: &str) -> (Position, GomokuBoard) {
    let position = Position::after(game.parse().unwrap(), moves).unwrap();
    let board = GomokuBoard::new(&position, &Arc::new(Knowledge::new(position.rules())));
    (position, board)
}

#[test]
fn a_win_by_fours_is_proven_and_holds() {
    // Two closed threes that cross: a four on either makes an open four of the other.
    let (position, board) = after("gomoku", "h8 g8 i8 h9 j8 i7 k9 a1 k10 a3 k11 a5");
    let attempt = prove(&board, Means::Fours, 10_000, None);
    let proof = attempt.proof.expect("a win by fours");
    assert!(wins(&position, &board, &proof));
    let mut referee = position.clone();
    proof.line.iter().for_each(|&spot| referee.play(cell(spot)).unwrap());
    assert_eq!(referee.outcome().and_then(|outcome| outcome.winner()), Some(position.to_move()));
}

#[test]
fn nothing_is_proven_where_nothing_threatens() {
    let (_, board) = after("gomoku", "h8 i9");
    for means in [Means::Fours, Means::Threes, Means::Quiet] {
        let attempt = prove(&board, means, 10_000, None);
        assert!(attempt.proof.is_none() && attempt.refuted);
    }
}

/// A random position with stones close together.
pub(super) fn crowded(rules: Rules, stones: usize, random: &mut Random) -> Option<Position> {
    let mut position = Position::new(rules);
    while position.plies().len() < stones {
        let near: Vec<Cell> = position
            .legal()
            .filter(|cell| cell.column.abs_diff(rules.width / 2) <= 4 && cell.row.abs_diff(rules.height / 2) <= 4)
            .collect();
        position.play(*random.choose(&near)?).ok()?;
        position.outcome().is_none().then_some(())?;
    }
    Some(position)
}

/// Such positions of each rule, with what is known of it: as many as this many tries give.
pub(super) fn every_crowd(
    seed: u64,
    tries: usize,
) -> impl Iterator<Item = (&'static str, Arc<Knowledge>, Vec<Position>)> {
    let mut random = Random::new(seed);
    ["gomoku", "standard", "renju"].into_iter().map(move |game| {
        let rules: Rules = game.parse().unwrap();
        let crowds = (0..tries).filter_map(|_| {
            let stones = 12 + random.below(14);
            crowded(rules, stones, &mut random)
        });
        (game, Arc::new(Knowledge::new(&rules)), crowds.collect())
    })
}

#[test]
fn every_proof_holds_against_every_defence() {
    for (game, knowledge, positions) in every_crowd(5, 400) {
        let mut proven = [0; 3];
        for position in positions {
            let board = GomokuBoard::new(&position, &knowledge);
            for (n, means) in [Means::Fours, Means::Threes, Means::Quiet].into_iter().enumerate() {
                if let Some(proof) = prove(&board, means, 3_000, None).proof {
                    proven[n] += 1;
                    // The slow verifier looks at some only.
                    if proven[n] <= 12 {
                        assert!(wins(&position, &board, &proof), "{game} {means:?} {:?}", position.plies());
                    }
                }
            }
        }
        assert!(proven[0] >= 12 && proven[1] > proven[0], "{game} {proven:?}");
        assert!(proven[2] > proven[0], "{game} {proven:?}");
    }
}

/// Two ways to look for fours that share nothing agree on whether there is a win.
#[test]
fn the_prover_and_the_slow_search_agree_on_fours() {
    for (game, knowledge, positions) in every_crowd(6, 300) {
        let mut seen = [0; 2];
        for position in positions {
            let Some(slow) = wins_by_fours(&position, 2_000) else { continue };
            let attempt = prove(&GomokuBoard::new(&position, &knowledge), Means::Fours, 20_000, None);
            assert_eq!((attempt.proof.is_some(), attempt.refuted), (slow, !slow), "{game} {:?}", position.plies());
            seen[usize::from(slow)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 20), "{game} {seen:?}");
    }
}

/// A line of a proof is a whole game: no answer is left out, and it ends with the five.
#[test]
fn the_line_of_a_proof_ends_with_a_five() {
    // Two twos meet on h8: a double three, to which there is no answer.
    let (position, board) = after("gomoku", "i8 a1 j8 a15 h9 o1 h10 o15");
    let line = prove(&board, Means::Threes, 10_000, None).proof.unwrap().line;
    assert_eq!(line.len(), 5);
    let mut referee = position.clone();
    line.iter().for_each(|&spot| referee.play(cell(spot)).unwrap());
    assert_eq!(referee.outcome().and_then(|outcome| outcome.winner()), Some(position.to_move()));
}

/// A double threat wins by fours and threes, and a stone that is no answer to it does not stop it.
#[test]
fn double_threats_win_and_only_answers_stop_them() {
    let mut random = Random::new(7);
    for game in ["gomoku", "standard"] {
        let rules: Rules = game.parse().unwrap();
        let knowledge = Arc::new(Knowledge::new(&rules));
        let mut seen = [0; 2];
        for _ in 0..600 {
            let stones = 8 + random.below(14);
            let Some(position) = crowded(rules, stones, &mut random) else { continue };
            let mut board = GomokuBoard::new(&position, &knowledge);
            let (own, other) = (board.to_move(), board.to_move().other());
            let calm = |board: &GomokuBoard, stone| {
                [Kind::Five, Kind::OpenFour].iter().all(|&kind| board.count(stone, kind) == 0)
            };
            if calm(&board, own) && board.count(other, Kind::Five) == 0 && has_double(&board, own) {
                let proof = prove(&board, Means::Threes, 3_000, None).proof;
                assert!(proof.is_some(), "{game} {:?}", position.plies());
                seen[0] += 1;
            }
            if calm(&board, own) && calm(&board, other) && has_double(&board, other) {
                let stops = double_stops(&board, other);
                let idle = |spot: &u16| !stops.contains(*spot) && !board.makes_three(*spot, own);
                let idle: Vec<u16> = board.empty_spots().filter(idle).collect();
                for spot in idle.into_iter().step_by(7) {
                    board.play(spot);
                    let proof = prove(&board, Means::Threes, 3_000, None).proof;
                    assert!(proof.is_some(), "{game} {:?} {}", position.plies(), cell(spot));
                    board.undo();
                }
                seen[1] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 20), "{game} {seen:?}");
    }
}

/// A quiet stone that makes two threes at once possible in two ways wins, where fours and threes alone do not.
#[test]
fn quiet_stones_prove_more() {
    let mut random = Random::new(9);
    let rules: Rules = "gomoku".parse().unwrap();
    let knowledge = Arc::new(Knowledge::new(&rules));
    let mut more = 0;
    for _ in 0..400 {
        let stones = 6 + random.below(12);
        let Some(position) = crowded(rules, stones, &mut random) else { continue };
        let board = GomokuBoard::new(&position, &knowledge);
        if prove(&board, Means::Threes, 2_000, None).refuted
            && let Some(proof) = prove(&board, Means::Quiet, 2_000, None).proof
        {
            more += 1;
            assert!(wins(&position, &board, &proof), "{:?}", position.plies());
            let mut referee = position.clone();
            proof.line.iter().for_each(|&spot| referee.play(cell(spot)).unwrap());
            assert_eq!(referee.outcome().and_then(|outcome| outcome.winner()), Some(position.to_move()));
        }
    }
    assert!(more >= 2, "{more}");
}
