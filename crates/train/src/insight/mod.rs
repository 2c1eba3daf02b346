//! What the provers and solvers say of a position, in turns: one face for all families of games.
//!
//! Everything is counted in turns of the *solver*, the side that a puzzle is for, from the position that is asked
//! about to the end. Wins of five in a row and Connect6 are wins by threats; those of Connect Four are exact.

mod five;
mod four;
mod six;

use std::sync::Arc;

use lianzi_core::{Cell, Position, Rules, Stone};
use lianzi_engine::Family;
use lianzi_engine::threats::{must_hit, threats};
use lianzi_engine::workshop::gomoku::Knowledge;

use crate::puzzle::Turn;
use crate::theme::Theme;

use five::Five;
use four::Four;
use six::Six;

/// The longest win that is looked for.
pub const LONGEST: u8 = 20;

/// What is asked about a game's positions.
pub struct Insight(Mind);

enum Mind {
    Five(Five),
    Six(Six),
    Four(Box<Four>),
    /// No prover knows the game: nothing is proven.
    None,
}

impl Insight {
    /// Who is asked about puzzles of this game and theme.
    pub fn new(rules: &Rules, theme: Theme) -> Insight {
        Insight(match Family::of(rules) {
            Family::Gomoku => Mind::Five(Five::new(rules, theme)),
            Family::Connect6 => Six::new(rules).map_or(Mind::None, Mind::Six),
            Family::ConnectFour => Four::new(rules).map_or(Mind::None, |four| Mind::Four(Box::new(four))),
            _ => Mind::None,
        })
    }

    /// The same for five in a row, with what is known of its shapes already.
    pub fn knowing(knowledge: &Arc<Knowledge>, theme: Theme) -> Insight {
        Insight(Mind::Five(Five::knowing(knowledge, theme)))
    }

    /// In how many turns the side to move wins, if it does in at most so many.
    pub fn turns(&mut self, position: &Position, most: u8) -> Option<u8> {
        match &mut self.0 {
            Mind::Five(five) => five.turns(position, position.to_move(), most),
            Mind::Six(six) => six.turns(position, most),
            Mind::Four(four) => four.turns(position, most),
            Mind::None => None,
        }
    }

    /// Every turn of the side to move that wins in at most so many turns, itself counted.
    pub fn first_turns(&mut self, position: &Position, most: u8) -> Vec<(Turn, u8)> {
        match &mut self.0 {
            Mind::Five(five) => five.first_turns(position, most),
            Mind::Six(six) => six.first_turns(position, most),
            Mind::Four(four) => four.first_turns(position, most),
            Mind::None => Vec::new(),
        }
    }

    /// The turns of the side to move that win soonest, with their number. How soon is asked first: a search for all wins
    /// of any length would spend its nodes on long ones.
    pub fn best_turns(&mut self, position: &Position) -> Vec<(Turn, u8)> {
        let soonest = self.turns(position, LONGEST);
        soonest.map(|turns| self.first_turns(position, turns)).unwrap_or_default()
    }

    /// In how many turns the side that is not to move wins whatever the other one answers, if it does in at most so many.
    pub fn turns_after(&mut self, position: &Position, most: u8) -> Option<u8> {
        match &mut self.0 {
            Mind::Five(five) => five.turns(position, position.to_move().other(), most),
            Mind::Six(six) => six.turns_after(position, most),
            Mind::Four(four) => four.turns_after(position, most),
            Mind::None => None,
        }
    }

    /// The same by any means, and however long it takes. Only what was replayed against every defence counts.
    pub fn longer_after(&mut self, position: &Position) -> Option<u8> {
        match &mut self.0 {
            Mind::Five(five) => five.proven_after(position),
            Mind::Six(six) => six.proven_after(position),
            Mind::Four(four) => four.turns_after(position, u8::MAX),
            Mind::None => None,
        }
    }

    /// What the side to move can answer, with how many turns each answer leaves the solver, the best answer first. Where
    /// nothing helps: what stops one of the threats at least.
    pub fn defences(&mut self, position: &Position, most: u8) -> Vec<(Turn, u8)> {
        let mut answers = match &mut self.0 {
            Mind::Five(five) => five.defences(position, most),
            Mind::Six(six) => six.defences(position, most),
            Mind::Four(four) => four.defences(position),
            Mind::None => Vec::new(),
        };
        // Sorting is stable: what the prover tried first comes first.
        answers.sort_by_key(|(_, turns)| std::cmp::Reverse(*turns));
        if answers.is_empty() {
            answers.extend(helpless(position).map(|turn| (turn, 1)));
        }
        answers
    }

    /// Whether the side that is not to move is safe: the other one has no win of the sort that is looked for.
    pub fn holds(&mut self, position: &Position) -> bool {
        match &mut self.0 {
            Mind::Five(five) => five.holds(position),
            Mind::Six(six) => six.turns(position, LONGEST).is_none(),
            Mind::Four(four) => four.holds(position),
            Mind::None => true,
        }
    }
}

/// A turn of a side that cannot stop everything.
fn helpless(position: &Position) -> Option<Turn> {
    let (mut after, mover) = (position.clone(), position.to_move());
    let mut turn = Turn::new();
    let near = threats(position, mover.other()).into_iter().flat_map(|threat| threat.at);
    let hits: Vec<Cell> = must_hit(position).into_iter().chain(near).collect();
    while after.outcome().is_none() && after.to_move() == mover {
        let hit = hits.iter().copied().find(|&cell| after.check(cell).is_ok());
        let cell = hit.or_else(|| after.legal().next())?;
        after.play(cell).ok()?;
        turn.push(cell);
    }
    (!turn.is_empty()).then_some(turn)
}

/// Whoever is not to move.
fn waiting(position: &Position) -> Stone {
    position.to_move().other()
}
