//! Two people who play each other on two screens: what concerns both needs both, and neither is helped.

use lianzi_core::{Outcome, Stone};
use lianzi_game::live::{By, Order};
use lianzi_talk::Refusal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Event, Room};
use crate::bounds;
use crate::secret::Credentials;

/// What people can say without writing.
const PHRASES: [&str; 6] = ["hello", "luck", "nice", "oops", "hurry", "thanks"];

/// Something one of two people asks the other for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Asked {
    /// To take back a stone.
    Undo,
    /// To begin the game anew.
    Restart,
    /// To change sides.
    Swap,
    /// To play once more with the sides changed.
    Next,
    /// To call it a draw.
    Draw,
    /// To let both ask the engine.
    Analysis,
}

/// What was asked, and by which side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    what: Asked,
    by: Stone,
}

/// What two people do besides playing.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum FriendAction {
    /// Asks the other one.
    Offer {
        /// What for.
        what: Asked,
    },
    /// Agrees to what was asked.
    Accept,
    /// Does not agree, or takes back what was asked.
    Decline,
    /// Says one of the ready-made phrases.
    Say {
        /// Which.
        phrase: String,
    },
    /// Tells one's name.
    Name {
        /// The name.
        name: String,
    },
}

/// What a room knows of the two.
#[derive(Debug, Default)]
pub(super) struct Friends {
    /// Seats that somebody has held who does not hold the other one.
    apart: [bool; 2],
    offer: Option<Offer>,
    /// Whether both have agreed that the engine may be asked.
    agreed: bool,
}

impl Room {
    /// Somebody has come: who holds one seat only may be one of two.
    pub(super) fn met_apart(&mut self, credentials: &Credentials) {
        let seats = Stone::BOTH.map(|stone| credentials.may_move(stone, &self.keys));
        if seats == [true, false] || seats == [false, true] {
            for (apart, seat) in self.friends.apart.iter_mut().zip(seats) {
                *apart |= seat;
            }
        }
    }

    /// Whether two people play, each on a screen of their own.
    pub(super) fn between(&self) -> bool {
        let both = |credentials: &Credentials| credentials.stones(&self.keys).len() == 2;
        self.sitting.table.people() == [true; 2]
            && self.friends.apart == [true; 2]
            && !self.connected.iter().any(|(_, credentials)| both(credentials))
    }

    /// Whether the engine may be asked: not in the middle of a game between two people who have not agreed on it.
    pub(super) fn advises(&self) -> bool {
        !self.between() || self.sitting.table.game().is_over() || self.friends.agreed
    }

    /// Whether somebody who plays this side is connected.
    pub(super) fn is_here(&self, stone: Stone) -> bool {
        self.connected.iter().any(|(_, credentials)| credentials.may_move(stone, &self.keys))
    }

    /// Whether what is asked for clears the board.
    pub(super) fn offers_a_board(&self) -> bool {
        self.friends.offer.is_some_and(|offer| matches!(offer.what, Asked::Restart | Asked::Next))
    }

    /// What the state says of the two.
    pub(super) fn friends_state(&self) -> Value {
        json!({"between": self.between(), "offer": self.friends.offer, "advice": self.advises()})
    }

    /// The board has changed: what was asked before is settled, and the help of a game ends with it.
    pub(super) fn forget_offer(&mut self, order: &Order) {
        self.friends.offer = None;
        if matches!(order, Order::Restart | Order::Next) {
            self.friends.agreed = false;
        }
    }

    /// What an order of one of two people has to ask the other one for. The first stone of an own turn is taken back
    /// without a question, and the next game of a series was agreed on with the series.
    pub(super) fn asks(&self, by: By, order: &Order) -> Option<Asked> {
        let one = by.seats == [true, false] || by.seats == [false, true];
        if !one || !self.between() {
            return None;
        }
        let game = self.sitting.table.game();
        let own_turn = game.position().mid_turn() && by.seats[game.position().to_move().index()];
        match order {
            Order::Undo if self.sitting.table.demand().is_some() || own_turn || game.record().moves.is_empty() => None,
            Order::Undo => Some(Asked::Undo),
            Order::Restart => Some(Asked::Restart),
            Order::Swap => Some(Asked::Swap),
            Order::Next if self.sitting.series.is_none() => Some(Asked::Next),
            _ => None,
        }
    }

    /// Does what people do besides playing.
    pub(super) fn befriend(&mut self, by: By, action: FriendAction) -> Result<(), Refusal> {
        let stone = Stone::BOTH.into_iter().find(|stone| by.seats[stone.index()]).ok_or_else(watching)?;
        match action {
            FriendAction::Offer { what } => self.offer(by, stone, what),
            FriendAction::Accept => self.accept(by),
            FriendAction::Decline => {
                self.friends.offer = None;
                self.tell_state();
                Ok(())
            }
            FriendAction::Say { phrase } => self.say(stone, &phrase),
            FriendAction::Name { name } => self.rename(stone, &name),
        }
    }

    /// Asks the other one; what both ask for is agreed on.
    pub(super) fn offer(&mut self, by: By, stone: Stone, what: Asked) -> Result<(), Refusal> {
        if !self.between() {
            return Err(Refusal::bad(
                "there is nobody to ask: one person plays both sides, or the other one has not come yet",
                "没有可询问的对方：双方由同一人执子，或对方尚未到来",
            ));
        }
        if self.friends.offer.is_some_and(|offer| offer.what == what && offer.by != stone) {
            return self.accept(by);
        }
        if what == Asked::Draw && self.sitting.table.game().is_over() {
            return Err(Refusal::bad("the game is over", "对局已结束"));
        }
        self.friends.offer = Some(Offer { what, by: stone });
        self.tell_state();
        Ok(())
    }

    fn accept(&mut self, by: By) -> Result<(), Refusal> {
        let Some(offer) = self.friends.offer.filter(|offer| !by.seats[offer.by.index()]) else {
            return Err(Refusal::bad("nothing was asked", "对方没有提出请求"));
        };
        self.friends.offer = None;
        let both = By { seats: [true; 2], owner: true };
        match offer.what {
            Asked::Undo => self.order(both, Order::Undo),
            Asked::Restart => self.order(both, Order::Restart),
            Asked::Swap => self.order(both, Order::Swap),
            Asked::Next => self.order(both, Order::Next),
            Asked::Draw => {
                self.sitting.table.agree(Outcome::Draw);
                Ok(())
            }
            Asked::Analysis => {
                self.friends.agreed = true;
                self.tell_state();
                Ok(())
            }
        }
    }

    fn say(&self, stone: Stone, phrase: &str) -> Result<(), Refusal> {
        if !PHRASES.contains(&phrase) {
            return Err(Refusal::bad("there is no such phrase", "没有这句短语"));
        }
        self.tell(Event::Said(json!({"type": "said", "by": stone, "phrase": phrase}).to_string().into()));
        Ok(())
    }

    fn rename(&mut self, stone: Stone, name: &str) -> Result<(), Refusal> {
        let name = bounds::name(name)?;
        if name.is_empty() || !self.sitting.table.people()[stone.index()] {
            return Err(Refusal::bad("a name has at least one character", "名字至少一个字符"));
        }
        self.sitting.table.rename(stone, name);
        Ok(())
    }
}

fn watching() -> Refusal {
    Refusal::forbidden("you are watching; only players can do that", "你在观战；只有对局者可以这样做")
}
