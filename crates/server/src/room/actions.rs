//! What people can do in a room, and who may do it: what they can at every sitting, and what takes two people.

use lianzi_core::Stone;
use lianzi_game::live::{By, Order};
use lianzi_talk::Refusal;
use serde::Deserialize;

use super::Room;
use super::friends::FriendAction;
use crate::secret::Credentials;

/// Something somebody does.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Action {
    /// Something that can be done at every sitting.
    Talk(lianzi_talk::Action),
    /// Something two people do besides playing.
    Friend(FriendAction),
}

impl Room {
    /// Does it, if the credentials allow it.
    pub(super) fn act(&mut self, credentials: &Credentials, action: Action) -> Result<(), Refusal> {
        let by = By {
            seats: Stone::BOTH.map(|stone| credentials.may_move(stone, &self.keys)),
            owner: credentials.own(&self.keys),
        };
        match action {
            Action::Friend(_) if self.sitting.frozen => Err(lianzi_talk::frozen()),
            Action::Friend(action) => self.befriend(by, action),
            Action::Talk(lianzi_talk::Action::Order(order)) if !self.sitting.frozen => self.order_or_ask(by, order),
            Action::Talk(action) => self.obey_at_table(by, action),
        }
    }

    /// Hands an order to the table, or asks the other one of two people for it.
    fn order_or_ask(&mut self, by: By, order: Order) -> Result<(), Refusal> {
        let stone = if by.seats[0] { Stone::Black } else { Stone::White };
        match self.asks(by, &order) {
            Some(what) => self.offer(by, stone, what),
            None => self.order(by, order),
        }
    }

    /// Hands an order to the table; what was asked before is settled then.
    pub(super) fn order(&mut self, by: By, order: Order) -> Result<(), Refusal> {
        self.obey_at_table(by, lianzi_talk::Action::Order(order.clone()))?;
        self.forget_offer(&order);
        Ok(())
    }

    /// A finished game whose board this clears waits to be kept.
    fn obey_at_table(&mut self, by: By, action: lianzi_talk::Action) -> Result<(), Refusal> {
        let archived = self.sitting.act(by, action, || crate::secret::new_id().ok())?;
        if let Some(archived) = archived {
            self.finished = Some(self.archived(archived));
        }
        Ok(())
    }

    /// Whether this clears the board of a finished game, which then stays in the library.
    pub(super) fn leaves_a_game(&self, action: &Action) -> bool {
        match action {
            Action::Talk(action) => self.sitting.leaves_a_game(action),
            Action::Friend(FriendAction::Accept) => self.offers_a_board() && self.sitting.table.game().is_over(),
            Action::Friend(_) => false,
        }
    }
}
