//! The puzzles that are part of the program: each is a line, none is there twice, and what they claim is true.
#![allow(clippy::unwrap_used, reason = "a test may fail by it")]

use std::collections::HashSet;

use lianzi_core::symmetry::canonical;
use lianzi_core::{Cell, Forbidden, Random, Stone};
use lianzi_train::attempt::{Played, Verdict, play};
use lianzi_train::hint::{STEPS, hint};
use lianzi_train::tree::{Branch, tree};
use lianzi_train::verify::{Flaw, Verifier};
use lianzi_train::{Goal, Library, Puzzle, Theme};

/// How many are verified here; `lianzi train --check` verifies all.
const SAMPLE: usize = 200;

#[test]
fn there_are_many_and_none_twice() {
    let library = Library::built_in();
    let puzzles = library.puzzles();
    assert!(puzzles.len() >= 2000, "{}", puzzles.len());
    let ids: HashSet<&str> = puzzles.iter().map(|puzzle| puzzle.id.as_str()).collect();
    assert_eq!(ids.len(), puzzles.len());
    let positions: HashSet<_> =
        puzzles.iter().map(|puzzle| (puzzle.rules, canonical(&puzzle.moves, &puzzle.rules))).collect();
    assert_eq!(positions.len(), puzzles.len());
    for theme in Theme::ALL.into_iter().filter(|theme| *theme != Theme::Mistake) {
        assert!(puzzles.iter().any(|puzzle| puzzle.theme == theme), "{theme:?}");
    }
    let bytes: usize = puzzles.iter().map(|puzzle| puzzle.to_string().len() + 1).sum();
    assert!(bytes < 300_000, "{bytes} bytes");
}

#[test]
fn a_sample_is_right_by_the_referee() {
    let library = Library::built_in();
    let mut puzzles: Vec<&Puzzle> = library.puzzles().iter().collect();
    Random::new(7).shuffle(&mut puzzles);
    let mut verifier = Verifier::default();
    for puzzle in puzzles.into_iter().take(SAMPLE) {
        assert_eq!(verifier.check(puzzle), Ok(()), "{puzzle}");
    }
}

#[test]
fn what_is_wrong_is_found() {
    let library = Library::built_in();
    let mut verifier = Verifier::default();
    let first = |theme| library.puzzles().iter().find(|puzzle| puzzle.theme == theme).unwrap().clone();
    for theme in [Theme::Fours, Theme::DoubleThreats, Theme::Tactics] {
        let puzzle = first(theme);
        let longer = Puzzle { turns: puzzle.turns + 1, ..puzzle.clone() };
        assert!(matches!(verifier.check(&longer), Err(Flaw::Turns(_))), "{puzzle}");
        let other = Puzzle { accepted: vec![wrong_turn(&puzzle)], ..puzzle.clone() };
        assert!(matches!(verifier.check(&other), Err(Flaw::Another(_))), "{puzzle}");
    }
    for theme in [Theme::Defence, Theme::OnlyMove] {
        let puzzle = first(theme);
        let other = Puzzle { accepted: vec![wrong_turn(&puzzle)], ..puzzle.clone() };
        assert!(verifier.check(&other).is_err(), "{puzzle}");
    }
    let strange = Puzzle { theme: Theme::Tactics, ..first(Theme::Fours) };
    assert_eq!(verifier.check(&strange), Err(Flaw::Theme));
    assert_eq!(verifier.check(&Puzzle { theme: Theme::Fouls, ..first(Theme::Fours) }), Err(Flaw::Theme), "no renju");
    let mislaid = Puzzle { theme: Theme::FourThree, ..first(Theme::Fours) };
    assert_eq!(verifier.check(&mislaid), Err(Flaw::OtherTheme), "it takes too many turns");
    // Wins of renju that need no foul of Black's, by Black and by White.
    for stone in [Stone::Black, Stone::White] {
        let plain = |puzzle: &&Puzzle| {
            let renju = puzzle.rules.forbidden == Forbidden::Renju && puzzle.theme == Theme::Fours;
            renju && puzzle.position().to_move() == stone
        };
        let plain = library.puzzles().iter().find(plain).unwrap().clone();
        assert_eq!(verifier.check(&Puzzle { theme: Theme::Fouls, ..plain }), Err(Flaw::OtherTheme), "{stone:?}");
    }
}

/// Wins by Black's fouls are what they are called: on the same board without fouls none of them wins as soon.
#[test]
fn forbidden_points_win_puzzles() {
    let library = Library::built_in();
    let fouls: Vec<&Puzzle> = library.puzzles().iter().filter(|puzzle| puzzle.theme == Theme::Fouls).collect();
    assert!(fouls.len() >= 50, "{}", fouls.len());
    let mut verifier = Verifier::default();
    for puzzle in fouls.iter().take(20) {
        assert_eq!(verifier.check(puzzle), Ok(()), "{puzzle}");
    }
}

/// A legal turn that is not accepted: far from everything, in the last corner.
fn wrong_turn(puzzle: &Puzzle) -> Vec<Cell> {
    let position = puzzle.position();
    let accepted: HashSet<Cell> = puzzle.accepted.concat().into_iter().collect();
    let legal: Vec<Cell> = position.legal().filter(|cell| !accepted.contains(cell)).collect();
    legal.into_iter().rev().take(position.stones_left().into()).collect()
}

/// A few puzzles of every theme and game.
fn some() -> Vec<Puzzle> {
    let library = Library::built_in();
    let of_set = |(rules, theme)| {
        let puzzles = library.puzzles().iter().filter(move |one| (one.rules, one.theme) == (rules, theme));
        puzzles.take(2).cloned().collect::<Vec<_>>()
    };
    library.sets().into_iter().flat_map(of_set).collect()
}

fn since(puzzle: &Puzzle, played: &Played) -> Vec<Cell> {
    played.position.plies()[puzzle.moves.len()..].iter().map(|ply| ply.cell).collect()
}

#[test]
fn the_hints_lead_to_the_end_against_the_strongest_defence() {
    for puzzle in some() {
        let mut moves = Vec::new();
        for turn in 1..=puzzle.turns + 2 {
            let last = hint(&puzzle, &moves, STEPS).unwrap();
            let played = play(&puzzle, &moves, &last.cells).unwrap();
            assert!(matches!(played.verdict, Verdict::Right | Verdict::Solved), "{puzzle}: {turn} {played:?}");
            assert!(played.done + u8::from(played.verdict == Verdict::Right) <= played.turns);
            moves = since(&puzzle, &played);
            if played.verdict == Verdict::Solved {
                assert!(turn <= puzzle.turns, "{puzzle}: {turn} turns");
                break;
            }
            assert!(turn < puzzle.turns && !played.answer.is_empty(), "{puzzle} does not end");
        }
        let among = hint(&puzzle, &[], 2).unwrap().cells;
        assert!(puzzle.accepted.iter().any(|turn| turn.iter().all(|cell| among.contains(cell))), "{puzzle}");
        assert!(hint(&puzzle, &[], 1).unwrap().cells.is_empty());
    }
}

#[test]
fn what_is_not_right_is_wrong_and_may_be_tried_again() {
    let (mut wrong, all) = (0, some());
    for puzzle in &all {
        let played = play(puzzle, &[], &wrong_turn(puzzle)).unwrap();
        // Where threats abound even a wasted turn may still win, later.
        assert!(matches!(played.verdict, Verdict::Wrong | Verdict::Longer), "{puzzle}");
        if played.verdict == Verdict::Wrong {
            wrong += 1;
            assert_eq!(played.position, puzzle.position());
        }
        let right = play(puzzle, &[], &puzzle.accepted[0]).unwrap();
        assert!(right.verdict != Verdict::Wrong);
    }
    assert!(wrong * 10 >= all.len() * 8, "{wrong} of {}", all.len());
    let puzzle = &some()[0];
    assert!(play(puzzle, &[], &[]).is_err(), "no stone is no turn");
    assert!(play(puzzle, &[], &[puzzle.moves[0]]).is_err(), "there is a stone already");
    assert!(play(puzzle, &puzzle.accepted[0], &puzzle.accepted[0]).is_err(), "it is not his turn");
}

#[test]
fn any_defence_is_answered_not_only_ours() {
    let library = Library::built_in();
    for puzzle in library.puzzles().iter().filter(|puzzle| puzzle.theme == Theme::Threes && puzzle.turns <= 4).take(3) {
        let played = play(puzzle, &[], &puzzle.accepted[0]).unwrap();
        let after: Vec<Cell> = puzzle.accepted[0].clone();
        let mut position = puzzle.position();
        after.iter().for_each(|&cell| position.play(cell).unwrap());
        // A stone in a corner instead of the answer leaves a win.
        let idle = position.legal().find(|cell| Some(cell) != played.answer.first()).unwrap();
        let moves: Vec<Cell> = after.into_iter().chain([idle]).collect();
        let next = hint(puzzle, &moves, STEPS).unwrap().cells;
        assert!(play(puzzle, &moves, &next).unwrap().verdict != Verdict::Wrong, "{puzzle}");
    }
}

#[test]
fn the_whole_tree_ends_everywhere() {
    fn ends(branch: &Branch) -> bool {
        branch.end.is_some() || !branch.then.is_empty() && branch.then.iter().all(ends)
    }
    for puzzle in some().into_iter().filter(|puzzle| puzzle.goal() == Goal::Win) {
        let (branches, cut) = tree(&puzzle);
        assert_eq!(branches.len(), puzzle.accepted.len());
        assert!(cut || branches.iter().all(ends), "{puzzle}: {branches:?}");
    }
}
