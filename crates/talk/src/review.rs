//! Goes through a whole game and finds the turns that mattered.
//!
//! A turn is measured against the one that the engine would have played: both are played, and both positions are
//! looked at for as long, with the same side to move. Engines are hopeful for the side to move, so a position before
//! a turn and one after it cannot be compared.

use std::sync::Arc;
use std::time::Duration;

use lianzi_core::{Cell, GameRecord, Outcome, Position, Stone};
use lianzi_engine::{Best, Instant};
use lianzi_game::live::chance::rounded;
use lianzi_game::live::{Adviser, Search};
use serde_json::{Value, json};

/// A turn that gives away so much of the chance to win is a mistake: from even to losing, or from winning to even.
const MISTAKE: f64 = 0.25;
/// How long a whole game may take, and how long one position may and must.
const WHOLE: Duration = Duration::from_secs(30);
const LONGEST: Duration = Duration::from_millis(300);
const SHORTEST: Duration = Duration::from_millis(30);
/// How often a page is told.
const APART: Duration = Duration::from_millis(300);

/// Who hears messages, on any thread.
pub type Say = Arc<dyn Fn(String) + Send + Sync>;

/// A game that is gone through, one turn a piece of work.
pub struct Review {
    search: Search,
    say: Say,
    adviser: Adviser,
    position: Position,
    /// The stones that are still to be looked at.
    rest: std::vec::IntoIter<Cell>,
    per_look: Duration,
    turns: Vec<Judged>,
    told: Option<Instant>,
}

/// A turn of the game and what the engine says of it.
struct Judged {
    /// How many stones lay on the board before it.
    ply: usize,
    mover: Stone,
    /// The engine's own turn, and what it expects to follow.
    best: Best,
    /// The chance to win of the mover after the engine's turn, if that is another one.
    could: Option<f64>,
    /// What the turn gave away, once that is known.
    loss: f64,
}

impl Review {
    /// A review of this game, told to `say`.
    pub fn new(search: Search, say: Say, adviser: Adviser, record: &GameRecord) -> Review {
        let position = record.position_at(0);
        let turns = record.moves.len() / usize::from(record.rules.per_turn) + 1;
        let per_look = (WHOLE / (2 * turns) as u32).clamp(SHORTEST, LONGEST);
        let stones: Vec<Cell> = record.moves.iter().map(|played| played.cell).collect();
        let (rest, turns) = (stones.into_iter(), Vec::new());
        Review { search, say, adviser, position, rest, per_look, turns, told: None }
    }

    /// Waits for the next turn on the pool.
    pub fn go_on(mut self) {
        self.search.rest(&mut self.adviser);
        self.search.clone().run(move || self.step());
    }

    fn step(mut self) {
        if self.look().is_none() {
            // Only now nothing can be added; a search that was stopped says nothing any more.
            self.tell(true);
            return;
        }
        if self.told.is_none_or(|told| told.elapsed() >= APART) {
            self.told = Some(Instant::now());
            self.tell(false);
        }
        self.go_on();
    }

    /// Looks at the position and goes one turn on; `None` after the last one.
    fn look(&mut self) -> Option<()> {
        let position = self.position.clone();
        if let Some(outcome) = position.outcome() {
            self.settle(|mover| value(outcome, mover));
            return None;
        }
        let best = self.think(&position)?;
        let (mover, chance) = (position.to_move(), self.chance(&best));
        self.settle(|stone| if stone == mover { chance } else { 1.0 - chance });
        let played = self.play_turn()?;
        let same = best.turn.iter().all(|cell| played.contains(cell));
        let could = if same { None } else { Some(self.chance_after(&position, &best.turn)?) };
        self.turns.push(Judged { ply: position.plies().len(), mover, best, could, loss: 0.0 });
        Some(())
    }

    /// Now it is known what the last turn led to: the chance to win, for either side.
    fn settle(&mut self, chance: impl Fn(Stone) -> f64) {
        let Some(last) = self.turns.last_mut() else { return };
        last.loss = last.could.map_or(0.0, |could| (could - chance(last.mover)).max(0.0));
    }

    fn think(&mut self, position: &Position) -> Option<Best> {
        self.search.look(&mut self.adviser, position, (self.per_look, 1), &mut |_| {})
    }

    /// The chance of the side to move; even when the engine does not say.
    fn chance(&self, best: &Best) -> f64 {
        best.info.lines.first().and_then(|line| self.adviser.scores.of_line(line)).unwrap_or(0.5)
    }

    /// The chance that the side to move would have after this turn.
    fn chance_after(&mut self, position: &Position, turn: &[Cell]) -> Option<f64> {
        let (mut after, mover) = (position.clone(), position.to_move());
        // An engine's turn is legal, or ends with its first stone.
        let _ = turn.iter().try_for_each(|&cell| after.play(cell));
        if let Some(outcome) = after.outcome() {
            return Some(value(outcome, mover));
        }
        let reply = self.think(&after)?;
        let chance = self.chance(&reply);
        Some(if after.to_move() == mover { chance } else { 1.0 - chance })
    }

    /// Plays the stones of the turn; `None` when there are none left.
    fn play_turn(&mut self) -> Option<Vec<Cell>> {
        let mut played = Vec::new();
        for _ in 0..self.position.stones_left() {
            let Some(cell) = self.rest.next() else { break };
            if self.position.play(cell).is_err() {
                break;
            }
            played.push(cell);
            if self.position.outcome().is_some() {
                break;
            }
        }
        (!played.is_empty()).then_some(played)
    }

    fn tell(&self, done: bool) {
        let plies: Vec<Value> = self.turns.iter().map(|turn| self.judged(turn)).collect();
        let mistakes = self.turns.iter().filter(|turn| turn.loss >= MISTAKE).map(|turn| turn.ply);
        let mistakes: Vec<usize> = mistakes.collect();
        if !self.search.is_over() {
            let message = json!({"type": "review", "done": done, "plies": plies, "mistakes": mistakes});
            (self.say)(message.to_string());
        }
    }

    fn judged(&self, Judged { ply, best, loss, .. }: &Judged) -> Value {
        let line = best.info.lines.first().cloned().unwrap_or_default();
        json!({
            "ply": ply, "score": line.score, "win_in": line.win_in, "chance": rounded(self.chance(best)),
            "best": best.turn, "line": line.cells, "loss": rounded(*loss),
        })
    }
}

/// What an end is worth to this side.
fn value(outcome: Outcome, stone: Stone) -> f64 {
    match outcome {
        Outcome::Draw => 0.5,
        Outcome::Win(winner) => f64::from(u8::from(winner == stone)),
    }
}
