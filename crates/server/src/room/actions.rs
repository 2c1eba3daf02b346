//! What people can do in a room, and who may do it.

use lianzi_core::{Cell, Speak, Stone, text};
use lianzi_game::live::{By, Order, Refused};
use lianzi_store::StoredGame;
use serde::Deserialize;

use super::Room;
use super::friends::FriendAction;
use crate::analysis::position_after;
use crate::bounds;
use crate::secret::Credentials;
use crate::series::Series;
use crate::words::Refusal;

/// Something somebody does.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Action {
    /// An order to the table.
    Order(Order),
    /// Something about lines that were tried out.
    Line(LineAction),
    /// Something two people do besides playing.
    Friend(FriendAction),
}

/// What becomes of a line that was tried out.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum LineAction {
    /// Keeps a line that was tried out in a game that is over.
    Keep {
        /// All its stones, from the start of the game.
        moves: Vec<String>,
    },
    /// Forgets such a line.
    Forget {
        /// The number of the variation, from 1.
        line: usize,
    },
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Refusal {
        Refusal::said(|language| refused.words(language))
    }
}

impl Room {
    /// Does it, if the credentials allow it.
    pub(super) fn act(&mut self, credentials: &Credentials, action: Action) -> Result<(), Refusal> {
        let by = By {
            seats: Stone::BOTH.map(|stone| credentials.may_move(stone, &self.keys)),
            owner: credentials.own(&self.keys),
        };
        match action {
            Action::Line(line) => self.line(by, line),
            Action::Order(_) | Action::Friend(_) if self.frozen => Err(Refusal::forbidden(
                "this game of the library can only be looked at; start a new game from it to play on",
                "棋库中的对局只能查看；如需续下，请由此开始新对局",
            )),
            Action::Friend(action) => self.befriend(by, action),
            Action::Order(order) => self.order_or_ask(by, &order),
        }
    }

    /// Hands an order to the table, or asks the other one of two people for it.
    fn order_or_ask(&mut self, by: By, order: &Order) -> Result<(), Refusal> {
        let stone = if by.seats[0] { Stone::Black } else { Stone::White };
        match self.asks(by, order) {
            Some(what) => self.offer(by, stone, what),
            None => self.order(by, order),
        }
    }

    /// Hands an order to the table. A board that is cleared moves the series on, and its finished game stays in the
    /// library.
    pub(super) fn order(&mut self, by: By, order: &Order) -> Result<(), Refusal> {
        let (series, finished) = match order {
            Order::Next => (self.next_game(by)?, self.archived()),
            Order::Restart => (self.series_anew(), self.archived()),
            _ => (self.series, None),
        };
        self.table.obey(by, order)?;
        self.forget_offer(order);
        self.series = series;
        if let Some(finished) = finished {
            self.before = Some(finished.entry.id.clone());
            self.finished = Some(finished);
        }
        Ok(())
    }

    /// Whether this clears the board of a finished game, which then stays in the library.
    pub(super) fn leaves_a_game(&self, action: &Action) -> bool {
        let clears = match action {
            Action::Order(order) => matches!(order, Order::Restart | Order::Next),
            Action::Friend(FriendAction::Accept) => self.offers_a_board(),
            _ => false,
        };
        clears && self.table.game().is_over()
    }

    /// A series that is over begins anew with its board.
    fn series_anew(&self) -> Option<Series> {
        let (series, game) = (self.series?, self.table.game());
        let over = game.is_over() && series.with(game.verdict()).is_over();
        Some(if over { Series::new(series.length) } else { series })
    }

    /// The series with this game in it, if another one follows.
    fn next_game(&self, by: By) -> Result<Option<Series>, Refusal> {
        by.sits()?;
        if !self.table.game().is_over() {
            return Err(Refusal::bad("this game is not over yet", "这一局尚未结束"));
        }
        // Without a series it is a rematch.
        let Some(series) = self.series else { return Ok(None) };
        let tally = series.with(self.table.game().verdict());
        if tally.is_over() {
            return Err(Refusal::bad(
                "the series is decided; restart to play another one",
                "系列赛已分胜负；可重新开始一轮",
            ));
        }
        Ok(Some(tally))
    }

    /// Lines belong to the one who set up the game, and to a game in which nobody moves any more.
    fn line(&mut self, by: By, action: LineAction) -> Result<(), Refusal> {
        if !by.owner {
            return Err(Refused::NotOwner.into());
        }
        if !self.frozen && !self.table.game().is_over() {
            return Err(Refusal::bad("lines are kept when the game is over", "对局结束后才能保存变化"));
        }
        match action {
            LineAction::Keep { moves } => self.keep(&moves),
            LineAction::Forget { line } if self.table.forget_line(line) => Ok(()),
            LineAction::Forget { .. } => Err(Refusal::bad("this game has no such line", "此局没有这条变化")),
        }
    }

    fn keep(&mut self, moves: &[String]) -> Result<(), Refusal> {
        let record = self.table.game().record();
        if record.variations.len() >= bounds::VARIATIONS {
            let most = bounds::VARIATIONS;
            return Err(Refusal::from(text!(
                "a game keeps at most {most} lines; forget one first",
                "一局最多保存 {most} 条变化；请先删除一条"
            )));
        }
        let position = position_after(record, moves)?;
        let cells: Vec<Cell> = position.plies().iter().map(|ply| ply.cell).collect();
        let kept = self.table.keep_line(&cells);
        kept.map(|_| ()).map_err(|why| Refusal::said(|language| why.words(language)))
    }

    /// A copy of a finished game for the library, before its board is cleared.
    fn archived(&self) -> Option<StoredGame> {
        let game = self.table.game();
        if !game.is_over() || game.record().moves.is_empty() {
            return None;
        }
        let mut stored = self.stored();
        (stored.entry.id, stored.entry.live, stored.room) = (crate::secret::new_id().ok()?, false, None);
        // From now on it counts among what its visitor keeps.
        stored.entry.created = crate::now();
        Some(stored)
    }
}
