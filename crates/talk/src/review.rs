//! Reviews and tries as messages: the game's own [`Review`] says what to look at, the pool looks, the page hears.

use std::sync::Arc;
use std::time::Duration;

use lianzi_core::{Cell, GameRecord};
use lianzi_engine::Instant;
use lianzi_game::live::{Adviser, Search};
use lianzi_game::review::{Look, Review};
use serde_json::{Value, json};

use crate::Refusal;
use crate::advice::{position_after, read_turn};

/// How long a whole game may take, and how long one position may and must.
const WHOLE: Duration = Duration::from_secs(30);
const LONGEST: Duration = Duration::from_millis(300);
const SHORTEST: Duration = Duration::from_millis(30);
/// How often a page is told.
const APART: Duration = Duration::from_millis(300);
/// How many usual looks a turn takes: the position, what the best turn leads to, and now and then a longer look.
const LOOKS: usize = 3;

/// Who hears messages, on any thread.
pub type Say = Arc<dyn Fn(String) + Send + Sync>;

/// What is told of a review.
enum Kind {
    /// Every turn, again and again.
    Game,
    /// One turn that was tried after these moves, once.
    Try(Vec<Cell>),
}

/// A turn that is tried in the position after these moves, which may leave the game.
pub struct Tried {
    moves: Vec<Cell>,
    review: Review,
}

impl Tried {
    /// Reads what a page tries; what cannot be played is refused.
    pub fn read(record: &GameRecord, moves: &[String], turn: &[String], adviser: &Adviser) -> Result<Tried, Refusal> {
        let position = position_after(record, moves)?;
        let turn = read_turn(&position, turn)?;
        let review = Review::of_try(&position, &turn, adviser.scores);
        let review = review.map_err(|_| Refusal::bad("this turn cannot be played", "这一手无法下"))?;
        Ok(Tried { moves: position.plies().iter().map(|ply| ply.cell).collect(), review })
    }
}

/// A review that is gone on with, one look a piece of work.
pub struct Reviewing {
    search: Search,
    say: Say,
    adviser: Adviser,
    review: Review,
    kind: Kind,
    per_look: Duration,
    told: Option<Instant>,
}

impl Reviewing {
    /// A review of a game, told to `say`.
    pub fn of_game(search: Search, say: Say, adviser: Adviser, record: &GameRecord) -> Reviewing {
        let review = Review::new(record, adviser.scores);
        let per_look = (WHOLE / (LOOKS * (review.turns() + 1)) as u32).clamp(SHORTEST, LONGEST);
        Reviewing { search, say, adviser, review, kind: Kind::Game, per_look, told: None }
    }

    /// A try after these moves, told to `say`.
    pub fn of_try(search: Search, say: Say, adviser: Adviser, Tried { moves, review }: Tried) -> Reviewing {
        Reviewing { search, say, adviser, review, kind: Kind::Try(moves), per_look: LONGEST, told: None }
    }

    /// Waits for the next look on the pool.
    pub fn go_on(mut self) {
        self.search.rest(&mut self.adviser);
        self.search.clone().run(move || self.step());
    }

    fn step(mut self) {
        let Some(Look { position, share }) = self.review.next_look() else { return self.tell() };
        let effort = (self.per_look * share, 1);
        // A search that was stopped, or whose engine failed, says nothing any more.
        let Some(found) = self.search.look(&mut self.adviser, &position, effort, &mut |_| {}) else { return };
        self.review.take(Some(&found));
        if matches!(self.kind, Kind::Game) && self.told.is_none_or(|told| told.elapsed() >= APART) {
            self.told = Some(Instant::now());
            self.tell();
        }
        self.go_on();
    }

    fn tell(&self) {
        if !self.search.is_over() {
            (self.say)(self.message().to_string());
        }
    }

    fn message(&self) -> Value {
        let mut report = self.review.report();
        match &self.kind {
            Kind::Try(moves) => json!({"type": "tried", "moves": moves, "tried": report.plies.pop()}),
            Kind::Game => {
                let mut message = json!(report);
                message["type"] = json!("review");
                message
            }
        }
    }
}
