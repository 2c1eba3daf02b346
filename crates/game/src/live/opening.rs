//! Openings at the table: the game's negotiation says who must do what, people and engines do it, and the players sit at
//! the sides they hold for now, so they change seats with every swap.

use lianzi_core::{Act, BadAct, Demand, Ending, Fault, Party, Stone};

use super::{By, LiveTable, Refused};
use crate::judge::ending_of;

impl LiveTable {
    /// Who must do what to find sides; nothing when there is nothing to find, it is found, or the game is over.
    pub fn demand(&self) -> Option<Demand> {
        self.game.demand()
    }

    /// The seat whose turn it is: in an opening not always that of the next stone's colour.
    pub fn actor(&self) -> Stone {
        self.demand().map_or_else(|| self.game.position().to_move(), |demand| demand.seat)
    }

    /// How many stones, or fifth moves, the one whose turn it is may place.
    pub fn stones_left(&self) -> usize {
        self.demand().map_or_else(|| self.game.position().stones_left().into(), |demand| demand.places.into())
    }

    /// Does what somebody whose turn it is wants.
    pub(super) fn choose(&mut self, by: By, act: Act) -> Result<(), Refused> {
        self.demand().ok_or(Refused::NoSuchChoice)?;
        self.may_place(by)?;
        self.act(act).map_err(|why| refused(act, why))
    }

    /// Stones or fifth moves of one player, tried on a copy first: all of them, or none.
    pub(super) fn place_opening(&mut self, demand: &Demand, words: &[&str]) -> Result<(), Refused> {
        let Some(mut tried) = self.game.negotiation().cloned() else { return Ok(()) };
        if words.len() > usize::from(demand.places.max(1)) {
            return Err(Refused::TooMany(demand.places.into()));
        }
        let mut acts = Vec::new();
        for word in words {
            let act = tried.read(word).map_err(Refused::Unread)?;
            tried.act(act).map_err(|why| refused(act, why))?;
            acts.push(act);
        }
        for act in acts {
            self.act(act).map_err(|why| refused(act, why))?;
        }
        Ok(())
    }

    /// Does something, whoever wants it; the players change seats if it changes who holds Black.
    pub fn act(&mut self, act: Act) -> Result<(), BadAct> {
        let black = self.black();
        self.game.act(act)?;
        self.follow_black(black);
        Ok(())
    }

    fn black(&self) -> Option<Party> {
        self.game.negotiation().map(|negotiation| negotiation.black())
    }

    fn follow_black(&mut self, before: Option<Party>) {
        if self.black() != before {
            self.exchange();
        }
    }

    /// The board was cleared: the same opener begins again.
    pub(super) fn open_again(&mut self, before: Option<Party>) {
        if before == Some(Party::Other) {
            self.exchange();
        }
    }

    /// Who of those who negotiated sits at Black, whoever changed seats since.
    pub(super) fn sits_at_black(&self) -> Option<Party> {
        self.black().map(|party| if self.turned_about { party.across() } else { party })
    }

    /// Takes back one's own last act.
    pub(super) fn undo_opening(&mut self, by: By) -> Result<(), Refused> {
        let Some(mut before) = self.game.negotiation().cloned() else { return Ok(()) };
        let now = before.clone();
        before.undo().ok_or(Refused::NothingToTakeBack)?;
        let who = before.demand().map_or(Stone::Black, |demand| now.seat(demand.by));
        if !self.sides[who.index()].is_human() || !(by.alone() || by.seats[who.index()]) {
            return Err(Refused::NotYourStone);
        }
        self.stop_thinking();
        let black = self.black();
        self.game.undo_act();
        self.follow_black(black);
        Ok(())
    }

    /// What an engine says to the opening. For one that cannot take part the sides stay as they are.
    pub(super) fn hear_choice(&mut self, said: Result<Option<Vec<Act>>, Fault>) {
        let Some(demand) = self.demand() else { return };
        let ending = match said {
            Err(fault) => Some(ending_of(&fault, &self.game.allowance())),
            Ok(None) => {
                self.game.end_negotiation();
                None
            }
            Ok(Some(acts)) if acts.is_empty() => Some(Ending::Stones { wanted: demand.places, given: 0 }),
            Ok(Some(acts)) => acts.into_iter().find_map(|act| {
                let theirs = self.demand().is_some_and(|next| next.by != demand.by);
                let done = if theirs { Err(BadAct::NotYours) } else { self.act(act) };
                done.err().map(|why| why.ending(act))
            }),
        };
        if let Some(ending) = ending {
            let seat = self.game.negotiation().map_or(demand.seat, |found| found.seat(demand.by));
            self.game.fault(seat, ending);
        }
    }
}

fn refused(act: Act, why: BadAct) -> Refused {
    match (act, why) {
        (Act::Place(cell), BadAct::Illegal(why)) => Refused::Illegal(cell, why),
        _ => Refused::Opening(act, why),
    }
}
