//! What people can do at a sitting, and who may do it.

use lianzi_core::{Cell, GameRecord, Speak, text};
use lianzi_game::live::{By, Order, Refused};
use serde::Deserialize;

use crate::advice::position_after;
use crate::{Refusal, Series, Sitting, bounds};

/// Something somebody does.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Action {
    /// An order to the table.
    Order(Order),
    /// Something about lines that were tried out.
    Line(LineAction),
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

/// Nobody moves in a game that is only kept.
pub fn frozen() -> Refusal {
    Refusal::forbidden(
        "this game of the library can only be looked at; start a new game from it to play on",
        "对局库中的对局只能查看；如需续下，请由此开始新对局",
    )
}

/// A finished game whose board was cleared, for the library.
#[derive(Clone, Debug)]
pub struct Archived {
    /// Its new name.
    pub id: String,
    /// The game.
    pub record: GameRecord,
}

impl Sitting {
    /// Does it, if they may. A finished game whose board this clears stays in the library under the name that
    /// `new_id` gives it.
    pub fn act(
        &mut self,
        by: By,
        action: Action,
        new_id: impl FnOnce() -> Option<String>,
    ) -> Result<Option<Archived>, Refusal> {
        match action {
            Action::Line(line) => self.line(by, line).map(|()| None),
            Action::Order(_) if self.frozen => Err(frozen()),
            Action::Order(order) => self.order(by, &order, new_id),
        }
    }

    /// Hands an order to the table. A board that is cleared moves the series on, and its finished game stays in the
    /// library.
    fn order(
        &mut self,
        by: By,
        order: &Order,
        new_id: impl FnOnce() -> Option<String>,
    ) -> Result<Option<Archived>, Refusal> {
        let (series, archived) = match order {
            Order::Next => (self.next_game(by)?, self.archived(new_id)),
            Order::Restart => (self.series_anew(), self.archived(new_id)),
            _ => (self.series, None),
        };
        self.table.obey(by, order)?;
        self.series = series;
        if let Some(archived) = &archived {
            self.before = Some(archived.id.clone());
        }
        Ok(archived)
    }

    /// Whether this clears the board of a finished game, which then stays in the library.
    pub fn leaves_a_game(&self, action: &Action) -> bool {
        matches!(action, Action::Order(Order::Restart | Order::Next)) && self.table.game().is_over()
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
    fn archived(&self, new_id: impl FnOnce() -> Option<String>) -> Option<Archived> {
        let game = self.table.game();
        if !game.is_over() || game.record().moves.is_empty() {
            return None;
        }
        Some(Archived { id: new_id()?, record: game.record().clone() })
    }
}
