//! Hints, one step after another: what to look for, where to look, what to play.

use lianzi_core::{Cell, Position, Text, text};

use crate::attempt::{BadTurn, after};
use crate::insight::Insight;
use crate::puzzle::{Puzzle, Turn, named};
use crate::rival;
use crate::theme::Goal;

/// How many steps there are.
pub const STEPS: u8 = 3;
/// How many cells the second step marks, and how long a weak look for them takes.
const CELLS: usize = 4;
const GLANCE: u64 = 200;

/// One step of a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Which one, from 1.
    pub step: u8,
    /// What it says.
    pub words: Text,
    /// The cells it shows.
    pub cells: Vec<Cell>,
}

/// A step of the hint for a puzzle after these stones.
pub fn hint(puzzle: &Puzzle, moves: &[Cell], step: u8) -> Result<Hint, BadTurn> {
    let position = after(&puzzle.position(), moves)?;
    let step = step.clamp(1, STEPS);
    if step == 1 {
        return Ok(Hint { step, words: puzzle.theme.hint(), cells: Vec::new() });
    }
    let right = if moves.is_empty() { puzzle.accepted.first().cloned() } else { best(puzzle, &position) };
    let right = right.unwrap_or_default();
    Ok(show(step, &position, right))
}

/// The second or third step, where this turn is right.
pub fn show(step: u8, position: &Position, right: Turn) -> Hint {
    if step < STEPS {
        let words = Text::fixed("One of these cells is right.", "正解就在这些点之中。");
        return Hint { step, words, cells: among(position, &right) };
    }
    let shown = named(&right);
    Hint { step, words: text!("Play {shown}.", "下在 {shown}。"), cells: right }
}

/// The best turn of the solver in a later position.
fn best(puzzle: &Puzzle, position: &Position) -> Option<Turn> {
    let mut insight = Insight::new(&puzzle.rules, puzzle.theme);
    if puzzle.goal() == Goal::Win {
        if let Some((turn, _)) = insight.best_turns(position).into_iter().next() {
            return Some(turn);
        }
    }
    rival::candidates(position, GLANCE * 20, 1).into_iter().next()
}

/// A few cells with the right ones among them, in the order of the board.
fn among(position: &Position, right: &[Cell]) -> Vec<Cell> {
    let mut cells = right.to_vec();
    for turn in rival::candidates(position, GLANCE, 2 * CELLS) {
        let new = turn.into_iter().filter(|cell| !right.contains(cell));
        for cell in new {
            if cells.len() < CELLS.max(right.len() + 2) && !cells.contains(&cell) {
                cells.push(cell);
            }
        }
    }
    cells.sort_unstable();
    cells
}
