//! One game of an engine against itself.

use lianzi_core::{Cell, Outcome, Position, Random, Rules, mix};

use super::{Lesson, Note};
use crate::family::Family;
use crate::{Engine, Limits, Stop};

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// The game.
    pub rules: Rules,
    /// How many nodes each turn is searched.
    pub nodes: u64,
    /// An opening is taken if a search thinks that neither side is ahead by more.
    pub balance: i32,
    /// Games are numbered within this seed.
    pub seed: u64,
}

/// Two searches agree when their scores differ by less, in percent of what changes the odds by e.
const AGREE: i32 = 30;

/// How far ahead a side may usually be after the opening, in the same unit.
const FAIR: i32 = 60;

/// From here on a score is as good as decided, and the position teaches nothing.
const DECIDED: i32 = 5_000;

/// One turn in so many is drawn among the better ones instead of the best.
const STRAY: usize = 12;

/// How far ahead a side may usually be after an opening, in the points of the game's engine.
pub fn fair(rules: &Rules) -> i32 {
    Family::of(rules).points() * FAIR / 100
}

/// Plays game number `n`. None if it was stopped.
pub fn play(course: &Course, n: u64, engine: &mut dyn Engine, stop: &Stop) -> Option<Lesson> {
    let mut random = Random::new(mix(course.seed ^ mix(n)));
    let mut position = opening(course, engine, &mut random, stop)?;
    let notes = position.plies().iter().map(|ply| Note { cell: ply.cell, score: None, quiet: false });
    let mut lesson = Lesson { opening: position.plies().len(), plies: notes.collect(), winner: None };
    engine.begin(n);
    while position.outcome().is_none() {
        let (turn, score, quiet) = think(course, &position, engine, &mut random, stop);
        if stop.is_set() {
            return None;
        }
        for (k, cell) in turn.into_iter().enumerate() {
            let score = score.filter(|_| k == 0).map(|score| score as i16);
            lesson.plies.push(Note { cell, score, quiet: quiet && k == 0 });
            position.play(cell).ok()?;
        }
    }
    lesson.winner = position.outcome().and_then(Outcome::winner);
    Some(lesson)
}

/// A turn, what the position is worth if the turn is the best one, and whether a short search said the same.
fn think(
    course: &Course,
    position: &Position,
    engine: &mut dyn Engine,
    random: &mut Random,
    stop: &Stop,
) -> (Vec<Cell>, Option<i32>, bool) {
    let ask = |engine: &mut dyn Engine, nodes, lines| {
        let limits = Limits { nodes: Some(nodes), lines, ..Limits::default() };
        engine.search(position, &limits, stop, &mut |_| {})
    };
    let score = |best: &crate::Best| best.info.lines.first().map_or(0, |line| line.score);
    let short = score(&ask(engine, course.nodes / 4, 1));
    let best = ask(engine, course.nodes, 1);
    let long = score(&best);
    let agree = Family::of(&course.rules).points() * AGREE / 100;
    let quiet = (short - long).abs() < agree && long.abs() < DECIDED;
    if quiet && random.below(STRAY) == 0 {
        // Games that never leave the best line would all look alike.
        let stray = ask(engine, course.nodes, 4);
        let good = stray.info.lines.iter().filter(|line| score(&stray) - line.score < agree).count();
        if let Some(line) = stray.info.lines.get(random.below(good.max(1))) {
            let stones = best.turn.len().min(line.cells.len());
            return (line.cells[..stones].to_vec(), None, false);
        }
    }
    (best.turn, Some(long), quiet)
}

/// A few random stones near the middle after which neither side is far ahead.
pub fn opening(course: &Course, engine: &mut dyn Engine, random: &mut Random, stop: &Stop) -> Option<Position> {
    while !stop.is_set() {
        let position = strew(&course.rules, random);
        if position.outcome().is_some() {
            continue;
        }
        engine.begin(0);
        let limits = Limits { nodes: Some(course.nodes), ..Limits::default() };
        let best = engine.search(&position, &limits, stop, &mut |_| {});
        if best.info.lines.first().is_some_and(|line| line.score.abs() <= course.balance) {
            return Some(position);
        }
    }
    None
}

/// Whole turns of random stones in a square around the middle.
fn strew(rules: &Rules, random: &mut Random) -> Position {
    let mut position = Position::new(*rules);
    let stones = 2 + random.below(6);
    let reach = 2 + random.below(4);
    let near = |random: &mut Random, side: u8| {
        let reach = reach.min(usize::from(side - 1) / 2);
        (usize::from(side) / 2 + random.below(2 * reach + 1)).saturating_sub(reach) as u8
    };
    for _ in 0..200 {
        if position.plies().len() >= stones && !position.mid_turn() || position.outcome().is_some() {
            break;
        }
        let cell =
            Cell::new(near(random, rules.width).min(rules.width - 1), near(random, rules.height).min(rules.height - 1));
        // A cell that is taken or forbidden is drawn again.
        let _ = position.play(cell);
    }
    position
}
