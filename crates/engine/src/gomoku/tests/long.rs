//! Zones and proofs of long wins, against the slow verifier, against stones that zones say are idle, and against
//! players.

use std::sync::Arc;

use lianzi_core::{Outcome, Ply, Position, Random, Rules, Setup};

use super::super::board::GomokuBoard;
use super::super::guided::Guided;
use super::super::knowledge::Knowledge;
use super::super::prover::{Means, Proof, prove};
use super::super::spot::{Spot, cell, spot};
use super::super::verify::wins;
use super::super::zones::{Replay, holds};
use super::proofs::{crowded, every_crowd};
use crate::time::{Budget, Pace};
use crate::{Limits, Stop};

const GAMES: [&str; 2] = ["gomoku", "standard"];

/// Where a proof holds by its zones it also holds against every legal answer.
#[test]
fn what_zones_show_the_slow_verifier_shows() {
    for (game, knowledge, positions) in every_crowd(11, 300) {
        let mut seen = 0;
        for position in positions {
            let board = GomokuBoard::new(&position, &knowledge);
            for means in [Means::Threes, Means::Quiet] {
                let Some(proof) = prove(&board, means, 2_000, None).proof else { continue };
                if seen < 40 && holds(&position, &proof) {
                    assert!(GAMES.contains(&game) && wins(&position, &board, &proof), "{game} {:?}", position.plies());
                    seen += 1;
                }
            }
        }
        assert_eq!(seen > 20, GAMES.contains(&game), "{game} {seen}");
    }
}

/// The same stones, with more of one side's.
fn with_more(position: &Position, more: &[Spot]) -> Option<Position> {
    let stones = position.rules().cells().filter_map(|cell| Some(Ply { cell, stone: position.stone(cell)? }));
    let other = position.to_move().other();
    let more = more.iter().map(|&at| Ply { cell: cell(at), stone: other });
    let setup = Setup { stones: stones.chain(more).collect(), to_move: position.to_move(), stones_left: 1 };
    Position::with_setup(*position.rules(), &setup).ok()
}

/// One stone of the defender's outside of the first zone, and a second outside of the second, change no win.
#[test]
fn stones_outside_of_zones_change_nothing() {
    let mut random = Random::new(12);
    for game in GAMES {
        let rules: Rules = game.parse().unwrap();
        let knowledge = Arc::new(Knowledge::new(&rules));
        let mut seen = 0;
        while seen < 150 {
            let stones = 10 + random.below(14);
            let Some(position) = crowded(rules, stones, &mut random) else { continue };
            let Some(proof) = prove(&GomokuBoard::new(&position, &knowledge), Means::Threes, 2_000, None).proof else {
                continue;
            };
            let Some(mut replay) = Replay::new(&position, proof) else { continue };
            let Some(shown) = replay.show() else { continue };
            let outside = |tier: usize| -> Vec<Spot> {
                replay.empty().iter().filter(|&at| !shown.zones()[tier].contains(at)).collect()
            };
            let firsts = outside(0);
            let Some(&first) = random.choose(&firsts) else { continue };
            let seconds: Vec<Spot> = outside(1).into_iter().filter(|&at| at != first).collect();
            let more: Vec<Spot> = [first].into_iter().chain(random.choose(&seconds).copied()).collect();
            let changed = with_more(&position, &more).unwrap();
            let again = prove(&GomokuBoard::new(&changed, &knowledge), Means::Threes, 50_000, None);
            assert!(again.proof.is_some(), "{game} {:?} {more:?}", position.plies());
            seen += 1;
        }
    }
}

/// Looks for a long win with so many nodes.
fn guided(position: &Position, knowledge: &Arc<Knowledge>, nodes: u64) -> Option<Proof> {
    let stop = Stop::default();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let time = Budget::new(&Pace::STEPS, position, &limits, &stop);
    Guided::new(position, &GomokuBoard::new(position, knowledge), &time)?.solve()
}

/// The attacker's next stone by a proof, in a position that it is of.
fn stone(position: &Position, proof: &Proof) -> Option<Spot> {
    Some(Replay::new(position, proof.clone())?.show()?.best)
}

/// The answer that stands for this one after the attacker's last stone: itself where it was tried.
fn stands_for(imagined: &Position, attack: Spot, answer: Spot, proof: &Proof) -> Option<Spot> {
    let mut replay = Replay::new(imagined, proof.clone())?;
    assert!(replay.play(attack));
    let tried = |replay: &mut Replay, at: Spot| {
        let played = replay.play(at);
        let zone = if played { replay.show().map(|shown| *shown.zone()) } else { None };
        if played {
            replay.undo();
        }
        zone
    };
    if tried(&mut replay, answer).is_some() {
        return Some(answer);
    }
    let idle = replay.show()?.idle().to_vec();
    let stands = |at: &Spot| tried(&mut replay, *at).is_some_and(|zone| !zone.contains(answer));
    idle.into_iter().find(stands)
}

/// Plays a proof against stones drawn by chance, most of them near, as the argument of [`super::super::zones`] says:
/// where an answer was not tried, as if the one that stands for it had been given.
fn play_out(position: &Position, knowledge: &Arc<Knowledge>, proof: &Proof, random: &mut Random) -> Option<Outcome> {
    let (mut real, mut imagined) = (position.clone(), position.clone());
    loop {
        let attack = stone(&imagined, proof).expect("a stone of the proof");
        real.play(cell(attack)).expect("an empty cell");
        if real.outcome().is_some() {
            return real.outcome();
        }
        let (attacker, other) = (position.to_move(), real.to_move());
        let five = |side| real.legal().find(|&at| real.wins_at(at, side));
        let legal: Vec<Spot> = real.legal().map(spot).collect();
        let near: Vec<Spot> = {
            let board = GomokuBoard::new(&real, knowledge);
            legal
                .iter()
                .copied()
                .filter(|&at| board.makes_three(at, other) || board.makes_three(at, attacker))
                .collect()
        };
        let pool = if near.is_empty() || random.below(3) == 0 { &legal } else { &near };
        let forced = five(other).or(five(attacker)).map(spot);
        let mut answer = forced.or_else(|| random.choose(pool).copied())?;
        real.play(cell(answer)).unwrap();
        if real.outcome().is_some() {
            return real.outcome();
        }
        let next = with_attack(&imagined, attack);
        if next.stone(cell(answer)).is_some() {
            // It lay there in the imagination: any other stone for it.
            answer = spot(next.legal().next()?);
        }
        let given = match next.legal().map(spot).filter(|&at| next.wins_at(cell(at), attacker)).collect::<Vec<_>>()[..]
        {
            [] => stands_for(&imagined, attack, answer, proof).expect("an answer that stands for it"),
            _ => answer,
        };
        imagined = with_stones(&imagined, attack, given);
    }
}

fn with_attack(position: &Position, attack: Spot) -> Position {
    let mut next = position.clone();
    next.play(cell(attack)).unwrap();
    next
}

fn with_stones(position: &Position, attack: Spot, answer: Spot) -> Position {
    let mut next = with_attack(position, attack);
    next.play(cell(answer)).unwrap();
    next
}

/// Proofs with quiet stones hold from the beginning, their lines are whole games, and whoever plays by them wins.
#[test]
fn long_wins_are_won_against_everybody() {
    let mut random = Random::new(13);
    for game in GAMES {
        let rules: Rules = game.parse().unwrap();
        let knowledge = Arc::new(Knowledge::new(&rules));
        let mut seen = 0;
        for _ in 0..1_500 {
            let stones = 7 + random.below(9);
            let Some(position) = crowded(rules, stones, &mut random) else { continue };
            let board = GomokuBoard::new(&position, &knowledge);
            if seen >= 10 || !prove(&board, Means::Threes, 1_000, None).refuted {
                continue;
            }
            let Some(proof) = guided(&position, &knowledge, 5_000) else { continue };
            assert!(holds(&position, &proof), "{game} {:?}", position.plies());
            let mut referee = position.clone();
            proof.line.iter().for_each(|&at| referee.play(cell(at)).unwrap());
            let won = Some(Outcome::Win(position.to_move()));
            assert_eq!(referee.outcome(), won, "{game} {:?}", position.plies());
            for _ in 0..12 {
                assert_eq!(play_out(&position, &knowledge, &proof, &mut random), won, "{game} {:?}", position.plies());
            }
            seen += 1;
        }
        assert!(seen >= 3, "{game} {seen}");
    }
}
