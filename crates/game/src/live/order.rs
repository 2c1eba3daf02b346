//! What people may ask of a table, and what becomes of it.

use std::time::Duration;

use lianzi_core::record::Move;
use lianzi_core::{Act, Cell, Negotiation};
use lianzi_engine::Instant;
use serde::Deserialize;

use super::{Event, LiveTable, Refused};

/// Something a person wants to happen, in the words of a page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Order {
    /// Places a stone, or more of the same turn with blanks between them.
    Place {
        /// Where, as a person writes it.
        cell: String,
        /// How many stones the person saw.
        #[serde(default)]
        ply: Option<usize>,
        /// For how many milliseconds the person has seen it lie there: while the game was made, or the line was down.
        #[serde(default)]
        waited_ms: u64,
    },
    /// Takes back.
    Undo,
    /// Puts back what was taken back.
    Redo,
    /// Changes sides where the opening rule lets one.
    Take,
    /// Goes the other way that the opening rule has: two more stones, or ten fifth moves.
    More,
    /// Says how many fifth moves there will be.
    Declare {
        /// How many.
        count: u8,
    },
    /// Gives up.
    Resign,
    /// Begins the game anew.
    Restart,
    /// Lets the players change sides; the stones stay.
    Swap,
    /// Begins the game anew with the sides changed.
    Next,
    /// Lets engines answer at once, or after a moment.
    Instant {
        /// Whether at once.
        on: bool,
    },
}

/// Who gives an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct By {
    /// Which sides they play, Black's first.
    pub seats: [bool; 2],
    /// Whether they set up the game.
    pub owner: bool,
}

impl By {
    /// Whether nobody else has a say in what is taken back.
    pub(super) fn alone(self) -> bool {
        self.owner || self.seats == [true; 2]
    }

    /// Whether they have a say in the game at all.
    pub fn sits(self) -> Result<(), Refused> {
        if self.owner || self.seats != [false; 2] { Ok(()) } else { Err(Refused::Watching) }
    }

    fn owns(self) -> Result<(), Refused> {
        if self.owner { Ok(()) } else { Err(Refused::NotOwner) }
    }
}

impl LiveTable {
    /// Does what somebody wants, if they may.
    pub fn obey(&mut self, by: By, order: &Order) -> Result<(), Refused> {
        // The time is taken before anything else: a late move must not be saved by a slow machine.
        let now = Instant::now();
        match order {
            Order::Place { cell, ply, waited_ms } => {
                self.place(by, cell, *ply, now)?;
                self.waited = Duration::from_millis(*waited_ms);
            }
            Order::Undo => self.undo(by, now)?,
            Order::Redo => self.redo(by, now)?,
            Order::Take => self.choose(by, Act::Swap)?,
            Order::More => self.choose(by, Act::More)?,
            Order::Declare { count } => self.choose(by, Act::Count(*count))?,
            Order::Resign => self.resign(by)?,
            Order::Restart => by.owns().map(|()| self.clear(now))?,
            Order::Swap => self.swap(by)?,
            Order::Next => {
                by.sits()?;
                self.clear(now);
                self.exchange();
            }
            // The game is as it was.
            Order::Instant { on } => return by.sits().map(|()| self.set_instant(*on, now)),
        }
        self.changed();
        Ok(())
    }

    /// Lets engines answer people at once, the one whose answer is held too, or after a moment.
    fn set_instant(&mut self, on: bool, now: Instant) {
        self.instant = on;
        if let Some((due, _)) = self.held.as_mut().filter(|_| on) {
            *due = (*due).min(now);
        }
        self.play_held();
        self.events.push(Event::Changed);
    }

    fn place(&mut self, by: By, names: &str, ply: Option<usize>, now: Instant) -> Result<(), Refused> {
        self.may_place(by)?;
        if ply.is_some_and(|ply| ply != self.game.record().moves.len()) {
            return Err(Refused::Changed);
        }
        let words = words_of(names);
        if let Some(demand) = self.demand() {
            return self.place_opening(&demand, &words);
        }
        for cell in self.read(&words)? {
            if self.game.place(Move::from(cell), now).is_err() {
                // The turn was tried on a copy of the board, so only the clock can refuse it.
                break;
            }
        }
        Ok(())
    }

    /// Whether it is this person's turn.
    pub(super) fn may_place(&self, by: By) -> Result<(), Refused> {
        let actor = self.actor();
        match () {
            () if self.game.is_over() => Err(Refused::Over),
            () if by.seats[actor.index()] => Ok(()),
            () if by.seats == [false; 2] => Err(Refused::Watching),
            () => Err(Refused::NotYourTurn(actor)),
        }
    }

    /// Reads one or more stones of a turn and tries them on a copy of the board.
    fn read(&self, words: &[&str]) -> Result<Vec<Cell>, Refused> {
        let mut after = self.position().clone();
        let left = self.stones_left();
        if words.len() > left {
            return Err(Refused::TooMany(left));
        }
        let mut cells = Vec::new();
        for name in words {
            let cell = after.read_cell(name).map_err(Refused::Unread)?;
            after.play(cell).map_err(|why| Refused::Illegal(cell, why))?;
            cells.push(cell);
            if after.outcome().is_some() {
                break;
            }
        }
        Ok(cells)
    }

    fn undo(&mut self, by: By, now: Instant) -> Result<(), Refused> {
        by.sits()?;
        if self.game.unsettled().is_some() {
            return self.undo_opening(by);
        }
        let last = self.position().last().ok_or(Refused::NothingToTakeBack)?;
        let people = self.people();
        if !self.game.can_undo() {
            return Err(Refused::Settled);
        }
        if people == [true; 2] && !by.alone() && !by.seats[last.stone.index()] {
            return Err(Refused::NotYourStone);
        }
        self.stop_thinking();
        self.game.take_back(people, now);
        Ok(())
    }

    fn redo(&mut self, by: By, now: Instant) -> Result<(), Refused> {
        by.sits()?;
        if self.game.undone() == 0 {
            return Err(Refused::NothingToPutBack);
        }
        self.stop_thinking();
        self.game.put_back(self.people(), now);
        Ok(())
    }

    /// Who plays both sides gives up the one to move.
    fn resign(&mut self, by: By) -> Result<(), Refused> {
        if self.game.is_over() {
            return Err(Refused::Over);
        }
        let actor = self.actor();
        let stone = [actor, actor.other()].into_iter().find(|stone| by.seats[stone.index()]);
        let stone = stone.ok_or(Refused::Watching)?;
        self.stop_thinking();
        self.game.resign(stone);
        Ok(())
    }

    /// An empty board, with the same one to open.
    fn clear(&mut self, now: Instant) {
        let before = self.sits_at_black();
        self.forget_seated();
        self.game.restart(now);
        self.turned_about = false;
        self.open_again(before);
    }

    fn swap(&mut self, by: By) -> Result<(), Refused> {
        // While sides are open a swap is the opening's.
        if self.game.unsettled().is_some() && !self.game.record().moves.is_empty() {
            return if self.demand().is_some_and(|demand| demand.swap.is_some()) {
                self.choose(by, Act::Swap)
            } else {
                Err(Refused::SidesOpen)
            };
        }
        by.owns()?;
        self.turned_about ^= self.game.negotiation().is_some_and(Negotiation::is_settled);
        self.exchange();
        Ok(())
    }
}

/// The names that somebody wrote, with blanks or commas between them; at least one, to complain about.
fn words_of(names: &str) -> Vec<&str> {
    let words: Vec<&str> = names.split([' ', ',', '\t']).filter(|name| !name.is_empty()).collect();
    if words.is_empty() { vec![names] } else { words }
}
