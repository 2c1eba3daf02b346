//! Goes through a whole game and finds the turns that mattered.

use std::time::{Duration, Instant};

use lianzi_core::{Cell, GameRecord, Outcome, Position, Stone};
use lianzi_engine::{Engine, Limits, Line};
use serde_json::{Value, json};

use crate::analysis::Desk;

/// What a position is worth that is sure to be won; scores beyond it mean the same.
const SURE: i32 = 10_000;
/// A turn that gives away so much is a mistake: from even to losing, or from winning to even.
const MISTAKE: i32 = 3_000;
/// How long a whole game may take, and how long one position may and must.
const WHOLE: Duration = Duration::from_secs(30);
const LONGEST: Duration = Duration::from_millis(500);
const SHORTEST: Duration = Duration::from_millis(50);
/// How often a page is told.
const APART: Duration = Duration::from_millis(300);

/// A game that is gone through, one position a piece of work.
pub struct Review {
    desk: Desk,
    engine: Box<dyn Engine>,
    position: Position,
    /// The stones that are still to be looked at.
    rest: std::vec::IntoIter<Cell>,
    per_turn: Duration,
    turns: Vec<Judged>,
    told: Option<Instant>,
}

/// A turn of the game and what the engine says of it.
struct Judged {
    /// How many stones lay on the board before it.
    ply: usize,
    mover: Stone,
    score: i32,
    best: Vec<Cell>,
    /// What it gave away, once that is known.
    loss: Option<i32>,
}

impl Review {
    /// A review of this game.
    pub fn new(desk: Desk, engine: Box<dyn Engine>, record: GameRecord) -> Review {
        let position = record.position_at(0);
        let turns = record.moves.len() / usize::from(record.rules.per_turn) + 1;
        let per_turn = (WHOLE / turns as u32).clamp(SHORTEST, LONGEST);
        let stones: Vec<Cell> = record.moves.iter().map(|played| played.cell).collect();
        Review { desk, engine, position, rest: stones.into_iter(), per_turn, turns: Vec::new(), told: None }
    }

    /// Waits for the next turn on the pool.
    pub fn go_on(self) {
        let Desk { pool, key, .. } = self.desk.clone();
        pool.submit(key, move || self.step());
    }

    fn step(mut self) {
        let over = self.position.outcome();
        if let (Some(outcome), Some(last)) = (over, self.turns.last_mut()) {
            let value = match outcome {
                Outcome::Draw => 0,
                Outcome::Win(stone) if stone == last.mover => SURE,
                Outcome::Win(_) => -SURE,
            };
            last.loss = Some((last.score - value).max(0));
        }
        if over.is_some() || !self.look() {
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

    /// Looks at the position and goes one turn on; false after the last one.
    fn look(&mut self) -> bool {
        let limits = Limits { move_time: Some(self.per_turn), lines: 1, ..Limits::default() };
        let found = self.desk.think(self.engine.as_mut(), &self.position, &limits, &mut |_| {});
        let Some(found) = found else { return false };
        let score = found.info.lines.first().map_or(0, value);
        let mover = self.position.to_move();
        if let Some(last) = self.turns.last_mut() {
            let worth = if last.mover == mover { score } else { -score };
            last.loss = Some((last.score - worth).max(0));
        }
        if self.rest.len() == 0 {
            return false;
        }
        self.turns.push(Judged {
            ply: self.position.plies().len(),
            mover,
            score,
            best: found.turn,
            loss: None,
        });
        self.play_turn()
    }

    fn play_turn(&mut self) -> bool {
        for _ in 0..self.position.stones_left() {
            let Some(cell) = self.rest.next() else { break };
            if self.position.play(cell).is_err() || self.position.outcome().is_some() {
                break;
            }
        }
        true
    }

    fn tell(&self, done: bool) {
        let judged = |turn: &Judged| json!({"ply": turn.ply, "score": turn.score, "best": turn.best, "loss": turn.loss.unwrap_or(0)});
        let plies: Vec<Value> = self.turns.iter().map(judged).collect();
        let mistake = |turn: &&Judged| turn.loss.is_some_and(|loss| loss >= MISTAKE);
        let mistakes: Vec<usize> = self.turns.iter().filter(mistake).map(|turn| turn.ply).collect();
        self.desk.say(&json!({"type": "review", "done": done, "plies": plies, "mistakes": mistakes}));
    }
}

fn value(line: &Line) -> i32 {
    match line.win_in {
        Some(plies) if plies > 0 => SURE,
        Some(_) => -SURE,
        None => line.score.clamp(1 - SURE, SURE - 1),
    }
}
