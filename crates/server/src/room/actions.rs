//! What people can do in a room, and who may do it.

use std::time::Instant;

use lianzi_contest::report::Words;
use lianzi_core::record::Move;
use lianzi_core::{Cell, Language};
use serde::Deserialize;

use super::Room;
use crate::analysis::position_after;
use crate::bounds;
use crate::secret::Credentials;
use crate::series::Series;
use crate::words::Refusal;

/// Something somebody does.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Action {
    /// Places a stone.
    Place {
        /// Where.
        cell: String,
        /// How many stones the sender saw.
        #[serde(default)]
        ply: Option<usize>,
    },
    /// Takes back.
    Undo,
    /// Puts back what was taken back.
    Redo,
    /// Takes Black in a swap2 opening.
    Take,
    /// Lays two more stones in a swap2 opening.
    Two,
    /// Gives up.
    Resign,
    /// Begins the game anew.
    Restart,
    /// Lets the players change sides.
    Swap,
    /// Begins the next game of a series.
    Next,
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

impl Room {
    /// Does it, if the credentials allow it.
    pub(super) fn act(&mut self, credentials: &Credentials, action: Action) -> Result<(), Refusal> {
        let lines = matches!(action, Action::Keep { .. } | Action::Forget { .. });
        if self.frozen && !lines {
            return Err(Refusal::forbidden(
                "this game of the library can only be looked at; start a new game from it to play on",
                "棋库中的对局只能查看；如需续下，请由此开始新对局",
            ));
        }
        match action {
            Action::Place { cell, ply } => self.place(credentials, &cell, ply),
            Action::Undo => self.undo(credentials),
            Action::Redo => self.redo(credentials),
            Action::Take => self.take(credentials),
            Action::Two => self.two(credentials),
            Action::Resign => self.resign(credentials),
            Action::Restart => self.owner(credentials).map(|()| self.restart()),
            Action::Swap => self.owner(credentials).and_then(|()| self.may_swap()).map(|()| self.swap()),
            Action::Next => self.next(credentials),
            Action::Keep { moves } => self.keep(credentials, &moves),
            Action::Forget { line } => self.forget(credentials, line),
        }
    }

    fn place(&mut self, credentials: &Credentials, cell: &str, ply: Option<usize>) -> Result<(), Refusal> {
        self.may_place(credentials)?;
        if ply.is_some_and(|ply| ply != self.game.record().moves.len()) {
            return Err(Refusal::bad(
                "the board has changed since you clicked; look again and choose",
                "您点击后棋盘已有变化；请看清后再落子",
            ));
        }
        let cell = self.game.position().read_cell(cell).map_err(|bad| Refusal::said(|l| bad.words(l)))?;
        let placed = self.lay(Move::from(cell), Instant::now());
        placed.map_err(|why| {
            let words =
                |language: Language| format!("{cell}{}{}", language.pick(": ", "："), why.words(language));
            Refusal::said(words)
        })
    }

    /// Whether it is this person's turn.
    pub(super) fn may_place(&self, credentials: &Credentials) -> Result<(), Refusal> {
        if self.game.is_over() {
            return Err(Refusal::bad("the game is over", "对局已经结束"));
        }
        let mover = self.actor();
        if credentials.may_move(mover, &self.keys) {
            return Ok(());
        }
        let name = |language| mover.words(language);
        let (en, zh) = (name(Language::English), name(Language::Chinese));
        Err(match self.plays(credentials) {
            true => {
                Refusal::forbidden(format!("it is {en}'s turn, not yours"), format!("现在轮到{zh}，不是您"))
            }
            false => watcher(),
        })
    }

    /// Whether they have a seat.
    fn plays(&self, credentials: &Credentials) -> bool {
        !credentials.stones(&self.keys).is_empty()
    }

    fn owner(&self, credentials: &Credentials) -> Result<(), Refusal> {
        if credentials.own(&self.keys) {
            return Ok(());
        }
        Err(Refusal::forbidden("only the one who set up this game can do that", "只有开设此局的人可以这样做"))
    }

    fn may_take_back(&self, credentials: &Credentials) -> Result<(), Refusal> {
        if credentials.own(&self.keys) || self.plays(credentials) { Ok(()) } else { Err(watcher()) }
    }

    fn undo(&mut self, credentials: &Credentials) -> Result<(), Refusal> {
        self.may_take_back(credentials)?;
        let now = Instant::now();
        let nothing = || Refusal::bad("there is nothing to take back", "没有可悔的棋");
        let last = self.game.position().last().ok_or_else(nothing)?;
        let both = self.people() == [true; 2];
        let alone = credentials.own(&self.keys) || credentials.stones(&self.keys).len() == 2;
        if self.undo_opening(credentials, alone)? {
            return Ok(());
        }
        if !self.game.can_undo() {
            return Err(Refusal::bad(
                "the sides are settled; their opening cannot be taken back, but you can restart",
                "黑白已定，开局不能悔；可以重新开始",
            ));
        }
        if both && !alone && !credentials.may_move(last.stone, &self.keys) {
            return Err(Refusal::forbidden(
                "the last stone is not yours to take back",
                "最后一子不是您下的，不能悔",
            ));
        }
        self.stop_thinking();
        self.game.take_back(self.people(), now);
        Ok(())
    }

    /// Which sides people play, Black's first.
    fn people(&self) -> [bool; 2] {
        self.sides.each_ref().map(|side| side.who.is_human())
    }

    fn redo(&mut self, credentials: &Credentials) -> Result<(), Refusal> {
        self.may_take_back(credentials)?;
        if self.game.undone() == 0 {
            return Err(Refusal::bad("there is nothing to put back", "没有可恢复的棋"));
        }
        self.stop_thinking();
        self.game.put_back(self.people(), Instant::now());
        Ok(())
    }

    fn resign(&mut self, credentials: &Credentials) -> Result<(), Refusal> {
        if self.game.is_over() {
            return Err(Refusal::bad("the game is over", "对局已经结束"));
        }
        let mover = self.actor();
        let stones = credentials.stones(&self.keys);
        // Who plays both sides gives up the one to move.
        let stone = if stones.contains(&mover) { Some(mover) } else { stones.first().copied() };
        let stone = stone.ok_or_else(watcher)?;
        self.stop_thinking();
        self.game.resign(stone);
        Ok(())
    }

    /// The same game anew. A series that is over begins anew with it.
    fn restart(&mut self) {
        let over = self.series.is_some_and(|series| series.with(self.game.verdict()).is_over());
        if over && self.game.is_over() {
            self.series = self.series.map(|series| Series::new(series.length));
        }
        self.clear();
    }

    /// An empty board, with the same one to open; a finished game stays in the library.
    fn clear(&mut self) {
        self.stop_thinking();
        self.archive();
        let settled = self.game.settled();
        self.game.restart(Instant::now());
        self.forget_seated();
        self.open_again(settled);
    }

    /// The players change sides; the stones stay.
    pub(super) fn swap(&mut self) {
        self.stop_thinking();
        self.forget_seated();
        self.sides.swap(0, 1);
        self.keys.seats.swap(0, 1);
        self.series = self.series.map(Series::swapped);
        self.game.name([0, 1].map(|side: usize| self.sides[side].name.clone()));
        self.game.change_sides();
    }

    fn next(&mut self, credentials: &Credentials) -> Result<(), Refusal> {
        self.may_take_back(credentials)?;
        let Some(series) = self.series else {
            return Err(Refusal::bad("this game belongs to no series", "此局不属于系列赛"));
        };
        if !self.game.is_over() {
            return Err(Refusal::bad("this game of the series is not over yet", "系列赛的这一局尚未结束"));
        }
        let tally = series.with(self.game.verdict());
        if tally.is_over() {
            return Err(Refusal::bad(
                "the series is decided; restart to play another one",
                "系列赛已分胜负；可重新开始一轮",
            ));
        }
        self.series = Some(tally);
        self.clear();
        self.swap();
        Ok(())
    }

    /// Lines belong to the one who set up the game, and to a game in which nobody moves any more.
    fn may_keep(&self, credentials: &Credentials) -> Result<(), Refusal> {
        self.owner(credentials)?;
        if self.frozen || self.game.is_over() {
            return Ok(());
        }
        Err(Refusal::bad("lines are kept when the game is over", "对局结束后才能保存变化"))
    }

    fn keep(&mut self, credentials: &Credentials, moves: &[String]) -> Result<(), Refusal> {
        self.may_keep(credentials)?;
        if self.game.record().variations.len() >= bounds::VARIATIONS {
            let most = bounds::VARIATIONS;
            return Err(Refusal::bad(
                format!("a game keeps at most {most} lines; forget one first"),
                format!("一局最多保存 {most} 条变化；请先删除一条"),
            ));
        }
        let position = position_after(self.game.record(), moves)?;
        let cells: Vec<Cell> = position.plies().iter().map(|ply| ply.cell).collect();
        let kept = self.game.keep_line(&cells);
        kept.map(|_| ()).map_err(|why| Refusal::said(|language| why.words(language)))
    }

    fn forget(&mut self, credentials: &Credentials, line: usize) -> Result<(), Refusal> {
        self.may_keep(credentials)?;
        if self.game.forget_line(line) {
            return Ok(());
        }
        Err(Refusal::bad("this game has no such line", "此局没有这条变化"))
    }

    /// A copy of a finished game for the library, before its board is cleared.
    fn archive(&mut self) {
        if !self.game.is_over() || self.game.record().moves.is_empty() {
            return;
        }
        let mut stored = self.stored();
        let Ok(id) = crate::secret::new_id() else { return };
        self.before = Some(id.clone());
        (stored.entry.id, stored.entry.live, stored.room) = (id, false, None);
        self.finished = Some(stored);
    }
}

fn watcher() -> Refusal {
    let words = Words::new(
        "you are watching; only who has a seat's link can do that",
        "您在观战；只有持有座位链接的人可以这样做",
    );
    Refusal { status: axum::http::StatusCode::FORBIDDEN, words }
}
