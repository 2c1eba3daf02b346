//! A game with people in it, once for the web board and the terminal, which only draw and ask.
//!
//! A [`LiveGame`] is the game itself: stones are placed one by one, taken back, and tried again, on clocks that warn and
//! then lose. A [`LiveTable`] adds who sits where, whose orders are obeyed, engines that are asked and heard, and the
//! openings in which players find their sides. A [`Desk`] is one person's hints and analyses, and [`chance`] says what their scores mean.
//!
//! The clocks have no state of their own. What a side has used is what its moves in the record took, so a stone
//! that is taken back gives its time back, and a saved game goes on with the clocks it had.

mod advice;
mod away;
pub mod chance;
mod opening;
mod order;
mod question;
mod refused;
mod table;
mod thinking;

pub use advice::{Advice, Adviser, Desk, HINT, Search, Tell, analysis_scores};
pub use away::{Errand, Thinker, Word};
pub use order::{By, Order};
pub use question::{Answered, Kept, LONGEST_TURN, Leaving, Machine, News, Seated, Side, Threads, USUAL_TURN, Work};
pub use refused::Refused;
pub use table::{Event, LiveTable, Reach, Setting};

use std::time::Duration;

use lianzi_core::record::{Eval, GameRecord, Move};
use lianzi_core::{
    Act, BadAct, BadSetup, Cell, Demand, Ending, IllegalMove, Negotiation, Position, Rules, Stone, Verdict,
};
use lianzi_engine::{Instant, Limits};

use crate::clock::{Allowance, Clocks, Control};
use crate::judge::{Deed, Ruling, judge};

/// A game under way.
#[derive(Clone, Debug)]
pub struct LiveGame {
    /// Rules, set-up, names; its moves and verdict are kept up to date.
    record: GameRecord,
    position: Position,
    /// How the players find their sides, where a rule says how.
    negotiation: Option<Negotiation>,
    undone: Vec<Move>,
    control: Control,
    /// When the turn under way began; `None` while the clocks stand still.
    turn_began: Option<Instant>,
}

/// What one side's clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// Time used in the whole game.
    pub used: Duration,
    /// Time used in the turn under way; nothing for the side that waits.
    pub turn: Duration,
    /// What is left of the shorter limit, if there is one.
    pub left: Option<Duration>,
}

impl LiveGame {
    /// A new game on an empty board, whose clocks start when they are told to.
    pub fn new(rules: Rules, control: Control) -> LiveGame {
        LiveGame::begin(GameRecord::new(rules), Position::new(rules), control)
    }

    fn begin(record: GameRecord, position: Position, control: Control) -> LiveGame {
        let negotiation = record.negotiation();
        LiveGame { record, position, negotiation, undone: Vec::new(), control, turn_began: None }
    }

    /// Goes on with a recorded game from its last position.
    pub fn resume(mut record: GameRecord, control: Control) -> Result<LiveGame, BadSetup> {
        record.start()?;
        let position = record.position();
        record.verdict = Verdict::of(&position);
        Ok(LiveGame::begin(record, position, control))
    }

    /// What the referee knows.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The game so far.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// The verdict so far.
    pub fn verdict(&self) -> &Verdict {
        &self.record.verdict
    }

    /// Whether somebody has won, lost or drawn.
    pub fn is_over(&self) -> bool {
        self.record.verdict.outcome.is_some()
    }

    /// How many stones can be put back by `redo`.
    pub fn undone(&self) -> usize {
        self.undone.len()
    }

    /// Names the players, Black's first.
    pub fn name(&mut self, names: [String; 2]) {
        for (side, name) in self.record.sides.iter_mut().zip(names) {
            side.name = name;
        }
    }

    /// Places a stone for the side to move, unless its time is over. The stone that ends a turn carries its time.
    pub fn place(&mut self, played: Move, now: Instant) -> Result<(), IllegalMove> {
        self.tick(now);
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        let time_ms = self.turn_began.map(|_| self.turn_time(now).as_millis() as u64).or(played.time_ms);
        self.put(Move { time_ms: None, ..played })?;
        self.undone.clear();
        if !self.position.mid_turn() || self.is_over() {
            if let Some(last) = self.record.moves.last_mut() {
                last.time_ms = time_ms;
            }
            self.restart_turn(now);
        }
        Ok(())
    }

    /// Lets what the side to move did happen, as the judge sees it: its stones, or the end of the game. It began to
    /// think and took its time as given.
    pub fn take(&mut self, deed: &Deed, eval: Option<Eval>, began: Instant, taken: Duration) {
        match judge(&self.position, &self.allowance(), taken, deed) {
            Ruling::End(verdict) => self.end(verdict),
            Ruling::Place { cells, .. } => {
                let last = cells.len().saturating_sub(1);
                for (n, cell) in cells.into_iter().enumerate() {
                    let played = Move { eval: eval.filter(|_| n == last), ..Move::from(cell) };
                    // The judge has tried these stones, and the clock stopped when the answer was there.
                    let _ = self.place(played, began + taken);
                }
            }
        }
        if self.clocks_run() {
            self.run_clocks_from(Instant::now());
        }
    }

    fn put(&mut self, played: Move) -> Result<(), IllegalMove> {
        self.position.play(played.cell)?;
        self.record.moves.push(played);
        self.record.verdict = Verdict::of(&self.position);
        Ok(())
    }

    /// Who must do what to find sides; nothing when they are settled, or the game is over.
    pub fn demand(&self) -> Option<Demand> {
        self.unsettled().filter(|_| !self.is_over())
    }

    /// The same in a game that somebody has given up.
    pub fn unsettled(&self) -> Option<Demand> {
        self.negotiation.as_ref()?.demand()
    }

    /// How the players find their sides, or have found them.
    pub fn negotiation(&self) -> Option<&Negotiation> {
        self.negotiation.as_ref()
    }

    /// Does something to find sides, or says why not; the stones that lie when they are settled are the opening.
    pub fn act(&mut self, act: Act) -> Result<(), BadAct> {
        let negotiation = self.negotiation.as_mut().ok_or(BadAct::Settled)?;
        negotiation.act(act)?;
        self.follow_negotiation();
        self.undone.clear();
        Ok(())
    }

    /// Takes back what was done last to find sides.
    pub fn undo_act(&mut self) {
        if let Some(negotiation) = &mut self.negotiation {
            negotiation.undo();
            self.follow_negotiation();
        }
    }

    /// Whoever is asked cannot take part: the sides are as they are now.
    pub fn end_negotiation(&mut self) {
        (self.negotiation, self.record.negotiated) = (None, None);
        self.record.opening = self.record.moves.len();
    }

    fn follow_negotiation(&mut self) {
        let (Some(negotiation), Some(kept)) = (&self.negotiation, &mut self.record.negotiated) else { return };
        kept.acts = negotiation.acts().to_vec();
        self.position = negotiation.position().clone();
        self.record.moves = self.position.plies().iter().map(|ply| Move::from(ply.cell)).collect();
        self.record.opening = if negotiation.is_settled() { self.record.moves.len() } else { 0 };
        self.record.verdict = Verdict::of(&self.position);
    }

    /// Whether there is a stone to take back. Sides that were settled by an opening stay so, and it with them.
    pub fn can_undo(&self) -> bool {
        let fixed = self.negotiation.as_ref().map_or(0, |_| self.record.opening);
        self.record.moves.len() > fixed
    }

    /// Takes one stone back; false when there is none. A game given up or lost on time goes on.
    pub fn undo(&mut self, now: Instant) -> bool {
        self.can_undo() && self.undo_stone(now)
    }

    fn undo_stone(&mut self, now: Instant) -> bool {
        if self.position.undo().is_none() {
            return false;
        }
        self.undone.extend(self.record.moves.pop());
        // What a file had behind the last stone belongs to a game that is no more.
        self.record.surplus.clear();
        self.record.trim_lines();
        self.record.verdict = Verdict::UNFINISHED;
        self.restart_turn(now);
        true
    }

    /// Takes back at least one stone and goes on until this side is to place the first stone of a turn, or the
    /// board is as it was at the start; false when there was nothing to take back.
    pub fn undo_to(&mut self, stone: Stone, now: Instant) -> bool {
        let undone = self.undo(now);
        while (self.position.to_move() != stone || self.position.mid_turn()) && self.undo(now) {}
        undone
    }

    /// Takes back what people mean by a move, Black being a person or not first: a person alone against an engine
    /// gets the last own turn back, two people one stone, and engines think over their last turn.
    pub fn take_back(&mut self, people: [bool; 2], now: Instant) -> bool {
        match (only(people), self.position.last()) {
            (Some(stone), _) => self.undo_to(stone, now),
            (None, Some(last)) if people == [false; 2] => self.undo_to(last.stone, now),
            _ => self.undo(now),
        }
    }

    /// Puts back what people mean by a move: against an engine its answer comes back as well, or it would think of
    /// another; false when there is nothing.
    pub fn put_back(&mut self, people: [bool; 2], now: Instant) -> bool {
        let put = self.redo(now).is_some();
        if let Some(stone) = only(people) {
            while (self.position.to_move() != stone || self.position.mid_turn()) && self.redo(now).is_some() {}
        }
        put
    }

    /// Puts the last stone that was taken back on the board again.
    pub fn redo(&mut self, now: Instant) -> Option<Cell> {
        let played = self.undone.pop()?;
        let cell = played.cell;
        self.put(played).expect("a stone that was taken back can be placed again");
        self.restart_turn(now);
        Some(cell)
    }

    /// This side gives up.
    pub fn resign(&mut self, stone: Stone) {
        self.end(Verdict::resigned(stone));
    }

    /// This side loses by a fault of its own.
    pub fn fault(&mut self, stone: Stone, ending: Ending) {
        self.end(Verdict::fault(stone, ending));
    }

    /// Ends the game with this verdict, unless it is over.
    pub fn end(&mut self, verdict: Verdict) {
        if !self.is_over() {
            self.record.verdict = verdict;
        }
    }

    /// Keeps a line that was looked at, from the start of the game; true if it is new.
    pub fn keep_line(&mut self, cells: &[Cell]) -> Result<bool, IllegalMove> {
        self.record.keep_line(cells)
    }

    /// Forgets a line that was looked at; false if there is none of this number.
    pub fn forget_line(&mut self, line: usize) -> bool {
        self.record.forget_line(line)
    }

    /// Clears the board; names and set-up stay.
    pub fn restart(&mut self, now: Instant) {
        while self.undo_stone(now) {}
        self.record.opening = 0;
        let rule = self.record.opening_rule();
        self.record.begin_by(rule);
        self.negotiation = self.record.negotiation();
        self.undone.clear();
        self.record.variations.clear();
        self.record.verdict = Verdict::of(&self.position);
    }

    /// Stops the clocks; the turn under way begins anew when they run again.
    pub fn stop_clocks(&mut self) {
        self.turn_began = None;
    }

    /// Lets the clocks run, with the turn under way begun at this moment: for an engine that had to wait for its
    /// turn to think, and for a game that was put aside.
    pub fn run_clocks_from(&mut self, began: Instant) {
        self.turn_began = Some(began);
    }

    /// Whether the clocks run.
    pub fn clocks_run(&self) -> bool {
        self.turn_began.is_some() && !self.is_over()
    }

    /// What the turn of the side to move may take.
    pub fn allowance(&self) -> Allowance {
        self.clocks().allowance(self.position.to_move())
    }

    /// What the players may use.
    pub fn control(&self) -> &Control {
        &self.control
    }

    fn restart_turn(&mut self, now: Instant) {
        if self.turn_began.is_some() {
            self.turn_began = Some(now);
        }
    }

    /// Ends the game if the side to move has used up its time; true if that happened now.
    pub fn tick(&mut self, now: Instant) -> bool {
        if self.is_over() {
            return false;
        }
        let mover = self.position.to_move();
        let allowance = self.allowance();
        let Some(limit) = allowance.overrun(self.turn_time(now)) else { return false };
        self.fault(mover, Ending::Timeout { limit });
        true
    }

    /// When `tick` will end the game if nobody moves.
    pub fn flag_falls(&self) -> Option<Instant> {
        let allowance = self.allowance();
        let (time, _) = allowance.time.filter(|_| !self.is_over())?;
        Some(self.turn_began? + time + allowance.margin + Duration::from_millis(1))
    }

    /// What this side's clock shows.
    pub fn face(&self, stone: Stone, now: Instant) -> Face {
        let moving = !self.is_over() && self.position.to_move() == stone;
        let turn = if moving { self.turn_time(now) } else { Duration::ZERO };
        let left = self.clocks().allowance(stone).time.map(|(time, _)| time.saturating_sub(turn));
        Face { used: self.used(stone) + turn, turn, left }
    }

    /// What an engine that is to move is told.
    pub fn limits(&self) -> Limits {
        self.clocks().limits(self.position.to_move())
    }

    fn turn_time(&self, now: Instant) -> Duration {
        self.turn_began.map_or(Duration::ZERO, |began| now.saturating_duration_since(began))
    }

    /// The time that this side's moves took.
    fn used(&self, stone: Stone) -> Duration {
        self.turns().filter(|(mover, _)| *mover == stone).map(|(_, time)| time).sum()
    }

    /// The clocks as the finished turns left them.
    fn clocks(&self) -> Clocks {
        let mut clocks = Clocks::new(self.control);
        for (mover, time) in self.turns() {
            clocks.spend(mover, time);
        }
        clocks
    }

    /// Who took each finished turn, and how long.
    fn turns(&self) -> impl Iterator<Item = (Stone, Duration)> + '_ {
        let plies = self.position.plies().iter().zip(&self.record.moves);
        plies.filter_map(|(ply, played)| Some((ply.stone, Duration::from_millis(played.time_ms?))))
    }
}

/// The only person at the board.
fn only(people: [bool; 2]) -> Option<Stone> {
    let [black, white] = people;
    let stone = if black { Stone::Black } else { Stone::White };
    (black != white).then_some(stone)
}

#[cfg(test)]
mod tests;
