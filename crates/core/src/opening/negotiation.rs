//! The machine that walks through an opening rule: who must do what next, and why anything else is refused.

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::{ANYWHERE, More, OpeningRule, Step, Task, Zone};
use crate::symmetry::canonical;
use crate::{BadGame, Cell, Ending, IllegalMove, NotACell, Position, Rules, Stone, UnreadMove};

/// Something a player does while the sides are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub enum Act {
    /// A stone, a fifth move that is offered, or the one that is chosen: whichever is asked for.
    Place(Cell),
    /// The players change sides.
    Swap,
    /// The other way: two more stones, or ten fifth moves.
    More,
    /// How many fifth moves there will be.
    Count(u8),
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Act::Place(cell) => cell.fmt(f),
            Act::Swap => f.write_str("swap"),
            Act::More => f.write_str("more"),
            Act::Count(count) => count.fmt(f),
        }
    }
}

impl FromStr for Act {
    type Err = NotACell;

    fn from_str(text: &str) -> Result<Act, NotACell> {
        match text.trim() {
            "swap" => Ok(Act::Swap),
            "more" => Ok(Act::More),
            other => match other.parse() {
                Ok(count) => Ok(Act::Count(count)),
                Err(_) => other.parse().map(Act::Place),
            },
        }
    }
}

crate::written!(Act);

/// One of the two who negotiate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Party {
    /// Who begins.
    Opener,
    /// Who does not.
    Other,
}

impl Party {
    /// The one across the board.
    pub const fn across(self) -> Party {
        match self {
            Party::Opener => Party::Other,
            Party::Other => Party::Opener,
        }
    }

    /// 0 for the opener, 1 for the other one.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// What a player is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Want {
    /// A stone of this colour within a zone.
    Stone(Stone, Zone),
    /// A number of fifth moves, from 1 to this.
    Count(u8),
    /// So many more fifth moves for Black, none like another.
    Fifths(u8),
    /// One of so many fifth moves.
    Pick(u8),
}

/// Who must do what next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The rule.
    pub rule: OpeningRule,
    /// Who.
    pub by: Party,
    /// The side that one holds for now.
    pub seat: Stone,
    /// What is asked for.
    pub want: Want,
    /// The side that one takes by a swap, if a swap is allowed.
    pub swap: Option<Stone>,
    /// What one may do instead, if anything.
    pub more: Option<More>,
    /// How many stones or fifth moves in a row are this player's.
    pub places: u8,
}

/// Why an act is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum BadAct {
    /// No stone may lie there.
    Illegal(IllegalMove),
    /// It lies outside the square of so many cells a side.
    Outside(u8),
    /// That fifth move is offered already.
    Twice,
    /// It is the same, seen through a symmetry, as this fifth move.
    Mirrored(Cell),
    /// That fifth move is not among the offered ones.
    NotOffered,
    /// A number is asked for.
    WantsCount,
    /// No number is asked for.
    NoCount,
    /// The number must be from 1 to this.
    CountFrom1To(u8),
    /// There is no swap now.
    NoSwap,
    /// There is no other way now.
    NoMore,
    /// It is the other one's to do something.
    NotYours,
    /// The sides are settled.
    Settled,
    /// The stones of the game are not those of its opening.
    NotAgreed,
}

impl BadAct {
    /// How a game ends by such an act.
    pub fn ending(self, act: Act) -> Ending {
        match self {
            BadAct::Illegal(why) => Ending::Illegal { at: act.to_string(), why },
            why => Ending::Opening { at: act.to_string(), why },
        }
    }
}

/// An opening under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Negotiation {
    rule: OpeningRule,
    position: Position,
    acts: Vec<Act>,
    /// What is still to be done, the next step last.
    steps: Vec<Step>,
    actor: Party,
    black: Party,
    offered: Vec<Cell>,
    /// How many fifth moves were declared.
    count: u8,
}

impl Negotiation {
    /// The beginning of a game by this rule; refused where the game cannot begin so.
    pub fn new(rule: OpeningRule, rules: Rules) -> Result<Negotiation, BadGame> {
        rule.check(&rules)?;
        let mut steps = rule.steps(&rules);
        steps.reverse();
        let (actor, black) = (Party::Opener, Party::Opener);
        let position = Position::new(rules);
        Ok(Negotiation { rule, position, acts: Vec::new(), steps, actor, black, offered: Vec::new(), count: 0 })
    }

    /// The same after these acts, or how many of them are allowed and why the next one is not.
    pub fn after(rule: OpeningRule, rules: Rules, acts: &[Act]) -> Result<Negotiation, (Box<Negotiation>, BadAct)> {
        let begun = Negotiation::new(rule, rules);
        let mut negotiation = begun.expect("a game is named with rules by which it can begin");
        for &act in acts {
            if let Err(why) = negotiation.act(act) {
                return Err((Box::new(negotiation), why));
            }
        }
        Ok(negotiation)
    }

    /// The rule.
    pub fn rule(&self) -> OpeningRule {
        self.rule
    }

    /// The stones so far.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What was done so far.
    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// The fifth moves that were offered, while one of them is to be chosen or more are to be offered.
    pub fn offered(&self) -> &[Cell] {
        &self.offered
    }

    /// Who holds Black now.
    pub fn black(&self) -> Party {
        self.black
    }

    /// The side that somebody holds now.
    pub fn seat(&self, party: Party) -> Stone {
        if party == self.black { Stone::Black } else { Stone::White }
    }

    /// Whether the opener holds White.
    pub fn is_swapped(&self) -> bool {
        self.black == Party::Other
    }

    /// How often the players have changed sides by a swap.
    pub fn swaps(&self) -> usize {
        self.acts.iter().filter(|act| **act == Act::Swap).count()
    }

    /// Whether nothing is left to be done.
    pub fn is_settled(&self) -> bool {
        self.steps.is_empty()
    }

    /// Who must do what next; nothing once the sides are settled.
    pub fn demand(&self) -> Option<Demand> {
        let step = self.steps.last()?;
        let want = match step.task {
            Task::Stone(zone) => Want::Stone(self.position.to_move(), zone),
            Task::Count(most) => Want::Count(most),
            Task::Fifths(count) => Want::Fifths(count.unwrap_or(self.count) - self.offered.len() as u8),
            Task::Pick => Want::Pick(self.offered.len() as u8),
        };
        let seat = self.seat(self.actor);
        let (swap, more) = (step.swap.then_some(seat.other()), step.more);
        let next = self.steps.iter().rev().skip(1);
        let stones = next.take_while(|step| step.same && matches!(step.task, Task::Stone(_))).count() as u8;
        let places = match want {
            Want::Stone(..) => 1 + stones,
            Want::Fifths(left) => left,
            Want::Count(_) => 0,
            Want::Pick(_) => 1,
        };
        Some(Demand { rule: self.rule, by: self.actor, seat, want, swap, more, places })
    }

    /// Does what the player whose turn it is wants, or says why not; a refused act changes nothing.
    pub fn act(&mut self, act: Act) -> Result<(), BadAct> {
        let step = *self.steps.last().ok_or(BadAct::Settled)?;
        match act {
            Act::Place(cell) => self.place(cell, step.task)?,
            Act::Count(count) => match step.task {
                Task::Count(most) if (1..=most).contains(&count) => {
                    self.count = count;
                    self.advance();
                }
                Task::Count(most) => return Err(BadAct::CountFrom1To(most)),
                _ => return Err(BadAct::NoCount),
            },
            Act::Swap if step.swap => self.swap(),
            Act::Swap => return Err(BadAct::NoSwap),
            Act::More => {
                let more = step.more.ok_or(BadAct::NoMore)?;
                self.steps = more.steps().into_iter().rev().collect();
            }
        }
        self.acts.push(act);
        Ok(())
    }

    fn place(&mut self, cell: Cell, task: Task) -> Result<(), BadAct> {
        if task == Task::Pick {
            if !self.offered.contains(&cell) {
                return Err(BadAct::NotOffered);
            }
            self.offered.clear();
        } else if let Task::Count(_) = task {
            return Err(BadAct::WantsCount);
        }
        self.position.check(cell).map_err(BadAct::Illegal)?;
        if let Task::Fifths(count) = task {
            return self.offer(cell, count.unwrap_or(self.count));
        }
        if let Task::Stone(zone @ Zone::Square(side)) = task
            && !zone.contains(cell, self.position.rules())
        {
            return Err(BadAct::Outside(side));
        }
        self.position.play(cell).map_err(BadAct::Illegal)?;
        self.advance();
        if self.position.outcome().is_some() {
            self.steps.clear();
        }
        Ok(())
    }

    /// Adds a fifth move to the offered ones.
    fn offer(&mut self, cell: Cell, count: u8) -> Result<(), BadAct> {
        if self.offered.contains(&cell) {
            return Err(BadAct::Twice);
        }
        if let Some(&like) = self.offered.iter().find(|&&other| self.are_alike(cell, other)) {
            return Err(BadAct::Mirrored(like));
        }
        self.offered.push(cell);
        if self.offered.len() == usize::from(count) {
            self.advance();
        } else if let Some(step) = self.steps.last_mut() {
            step.swap = false;
        }
        Ok(())
    }

    /// Whether two fifth moves lead to the same position but for how the board lies.
    fn are_alike(&self, one: Cell, other: Cell) -> bool {
        let rules = self.position.rules();
        let with = |cell: Cell| {
            let cells: Vec<Cell> = self.position.plies().iter().map(|ply| ply.cell).chain([cell]).collect();
            canonical(&cells, rules)
        };
        with(one) == with(other)
    }

    /// The players change sides: the other one does what was to be done, and nothing else is allowed any more.
    fn swap(&mut self) {
        (self.black, self.actor) = (self.black.across(), self.actor.across());
        if let Some(step) = self.steps.last_mut() {
            (step.swap, step.more) = (false, None);
        }
        // A turn of stones anywhere is a turn like any other.
        if self.steps.iter().all(|step| step.task == ANYWHERE && !step.swap) {
            self.steps.clear();
        }
    }

    /// Goes on to the next step. Whoever is to choose about a stone holds its colour unless they swap.
    fn advance(&mut self) {
        self.steps.pop();
        let Some(step) = self.steps.last() else { return };
        if !step.same {
            self.actor = self.actor.across();
            if let Task::Stone(_) = step.task {
                let holds_black = self.position.to_move() == Stone::Black;
                self.black = if holds_black { self.actor } else { self.actor.across() };
            }
        }
    }

    /// Takes the last act back; nothing if there is none.
    pub fn undo(&mut self) -> Option<Act> {
        let (&last, rest) = self.acts.split_last()?;
        let again = Negotiation::after(self.rule, *self.position.rules(), rest);
        *self = again.unwrap_or_else(|(allowed, _)| *allowed);
        Some(last)
    }

    /// Reads what a person typed: a cell, a number, `swap` or `more`.
    pub fn read(&self, text: &str) -> Result<Act, UnreadMove> {
        let counts = matches!(self.steps.last(), Some(Step { task: Task::Count(_), .. }));
        match text.trim().to_ascii_lowercase().parse() {
            Ok(Act::Count(_)) if !counts => self.position.read_cell(text).map(Act::Place),
            Ok(act) => Ok(act),
            Err(_) => self.position.read_cell(text).map(Act::Place),
        }
    }
}
