//! What an engine makes of a position where nothing is proven.

use lianzi_core::{Cell, Position};
use lianzi_engine::chance::{HINTER, Scores};
use lianzi_engine::{Best, Limits, Options, Stop, catalog};

use crate::puzzle::Turn;

/// How many positions it looks at, and how much of a line is told.
const NODES: u64 = 4_000;
const LINE: usize = 7;
/// A turn that costs no more of the chance to win is as good.
const AS_GOOD: f64 = 0.05;

/// What the strong engine plays, and what it rests on.
fn search(position: &Position, nodes: u64, lines: usize) -> Option<Best> {
    let with = |given| catalog::engine(HINTER, position.rules(), &Options { seed: 1, given });
    // Not every engine has a table; small ones are quick to make.
    let engine = with([("hash".into(), "4".into())].into_iter().collect()).or_else(|_| with(Default::default()));
    let limits = Limits { nodes: Some(nodes), lines, ..Limits::default() };
    Some(engine.ok()?.search(position, &limits, &Stop::default(), &mut |_| {}))
}

/// How the side to move goes on.
pub fn line(position: &Position) -> Vec<Cell> {
    if position.outcome().is_some() {
        return Vec::new();
    }
    let Some(best) = search(position, NODES, 1) else { return Vec::new() };
    let line = best.info.lines.into_iter().next().map(|line| line.cells).unwrap_or_default();
    let mut line = if line.is_empty() { best.turn } else { line };
    line.truncate(LINE);
    line
}

/// Turns that look good to one who looks at so many positions, the best first.
pub fn candidates(position: &Position, nodes: u64, count: usize) -> Vec<Turn> {
    let Some(best) = search(position, nodes, count) else { return Vec::new() };
    let stones = usize::from(position.stones_left());
    best.info.lines.into_iter().map(|line| line.cells.into_iter().take(stones).collect()).collect()
}

/// Whether a turn is as good as one of those that are known to be: `after` is the position it led to.
pub fn is_as_good(before: &Position, after: &Position, known: &[Turn]) -> bool {
    let scores = Scores::of(HINTER, before.rules());
    let best = known.iter().filter_map(|turn| {
        let mut position = before.clone();
        turn.iter().try_for_each(|&cell| position.play(cell)).ok()?;
        chance_of_waiting(&position, scores)
    });
    let best = best.fold(f64::NAN, f64::max);
    chance_of_waiting(after, scores).is_some_and(|chance| chance + AS_GOOD >= best)
}

/// The chance of the side that has just moved.
fn chance_of_waiting(position: &Position, scores: Scores) -> Option<f64> {
    if let Some(outcome) = position.outcome() {
        let winner = outcome.winner();
        return Some(winner.map_or(0.5, |winner| f64::from(u8::from(winner != position.to_move()))));
    }
    let best = search(position, NODES, 1)?;
    Some(1.0 - scores.of_line(best.info.lines.first()?)?)
}
