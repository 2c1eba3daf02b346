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
mod question;
mod refused;
mod table;

pub use advice::{Advice, Adviser, Desk, HINT, Search, Tell, analysis_scores};
pub use away::{Errand, Thinker, Word};
pub use question::{Answered, Kept, LONGEST_TURN, Leaving, Machine, News, Seated, Side, Threads, USUAL_TURN, Work};
pub use refused::Refused;
pub use table::{By, Event, LiveTable, Order, Reach, Setting};

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

    /// What was taken back cannot be put back any more.
    pub fn forget_undone(&mut self) {
        self.undone.clear();
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
mod tests {
    use super::*;
    use lianzi_core::{Limit, Outcome};

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn untimed(name: &str, moves: &str) -> LiveGame {
        let mut game = LiveGame::new(name.parse().unwrap(), Control::default());
        for cell in moves.split_whitespace() {
            game.place(stone(cell), Instant::now()).unwrap();
        }
        game
    }

    fn winner(game: &LiveGame) -> Option<Stone> {
        game.verdict().outcome.and_then(Outcome::winner)
    }

    fn stone(cell: &str) -> Move {
        Move::from(cell.parse::<Cell>().unwrap())
    }

    #[test]
    fn undo_against_an_engine_returns_to_the_own_turn() {
        let now = Instant::now();
        let mut connect6 = untimed("connect6", "j10 k10 k11 j9 j8 l10 l11");
        assert!(connect6.undo_to(Stone::Black, now));
        assert_eq!(connect6.record().moves.len(), 3);
        assert!(connect6.undo_to(Stone::Black, now));
        assert_eq!(connect6.record().moves.len(), 0);
        assert!(!connect6.undo_to(Stone::Black, now));
        let mut own_stone = untimed("connect6", "j10 k10 k11 j9");
        assert!(own_stone.undo_to(Stone::Black, now));
        assert_eq!(own_stone.record().moves.len(), 3, "the first stone of a turn is taken back alone");
    }

    #[test]
    fn a_move_taken_back_depends_on_who_sits_there() {
        let now = Instant::now();
        let stones = |game: &LiveGame| game.record().moves.len();
        for (people, back) in [([true, true], 3), ([true, false], 2), ([false, true], 3), ([false, false], 3)] {
            let mut game = untimed("gomoku", "h8 i9 j10 k11");
            assert!(game.take_back(people, now));
            assert_eq!(stones(&game), back, "{people:?}");
            assert!(game.put_back(people, now));
            assert_eq!(stones(&game), 4, "{people:?}");
            assert!(!game.put_back(people, now));
        }
        let mut engines = untimed("connect6", "j10 k10 k11 j9 j8");
        assert!(engines.take_back([false; 2], now));
        assert_eq!(stones(&engines), 3, "engines think over a whole turn");
    }

    #[test]
    fn a_deed_is_judged_and_happens() {
        let now = Instant::now();
        let mut game = untimed("connect6", "j10");
        let cells = ["k10", "k11"].map(|name| name.parse::<Cell>().unwrap().into());
        let eval = Some(Eval { score: 7, ..Eval::default() });
        game.take(&Deed::Turn(cells.to_vec()), eval, now, ms(5));
        let evals: Vec<Option<Eval>> = game.record().moves.iter().map(|played| played.eval).collect();
        assert_eq!(evals, [None, None, eval]);
        game.take(&Deed::Turn(cells.to_vec()), None, now, ms(5));
        assert_eq!((winner(&game), game.verdict().blame), (Some(Stone::White), Some(Stone::Black)));
        let mut given_up = untimed("gomoku", "h8");
        given_up.take(&Deed::Resigned, None, now, ms(5));
        assert_eq!(*given_up.verdict(), Verdict::resigned(Stone::White));
    }

    #[test]
    fn what_was_undone_can_be_redone_until_something_else_is_played() {
        let now = Instant::now();
        let mut game = untimed("gomoku", "h8 i9 j10");
        game.undo(now);
        game.undo(now);
        assert_eq!((game.redo(now), game.undone()), (Some("i9".parse().unwrap()), 1));
        game.place(stone("a1"), now).unwrap();
        assert_eq!(game.redo(now), None);
        assert_eq!(game.record().moves.len(), 3);
    }

    #[test]
    fn a_resigned_game_takes_no_stones_but_can_be_taken_back() {
        let now = Instant::now();
        let mut game = untimed("gomoku", "h8 i9");
        game.resign(Stone::Black);
        assert_eq!(winner(&game), Some(Stone::White));
        assert_eq!(game.place(stone("a1"), now), Err(IllegalMove::GameOver));
        game.fault(Stone::White, Ending::OutOfTurn);
        assert_eq!(winner(&game), Some(Stone::White), "the first ending stands");
        assert!(game.undo(now));
        assert!(!game.is_over());
        game.restart(now);
        assert_eq!((game.record().moves.len(), game.redo(now)), (0, None));
    }

    #[test]
    fn an_opening_that_settled_the_sides_stays() {
        let now = Instant::now();
        let record = GameRecord::of_game(Rules::gomoku(15), lianzi_core::OpeningRule::Swap2);
        let mut game = LiveGame::resume(record, Control::default()).unwrap();
        for act in ["h8", "i9", "j10", "swap"] {
            game.act(act.parse().unwrap()).unwrap();
        }
        game.place(stone("a1"), now).unwrap();
        assert!(game.undo(now) && !game.undo(now) && !game.can_undo());
        assert_eq!((game.record().opening, game.record().is_swapped()), (3, true));
        game.restart(now);
        assert!(game.demand().is_some() && game.record().moves.is_empty() && game.record().opening == 0);
        assert!(game.record().negotiated.as_ref().is_some_and(|found| found.acts.is_empty()));
    }

    #[test]
    fn a_recorded_game_goes_on() {
        let over = untimed("connect4", "a1 b1 a2 b2 a3 b3 a4");
        assert!(over.is_over());
        let mut again = LiveGame::resume(over.record().clone(), Control::default()).unwrap();
        assert!(again.is_over() && again.undo(Instant::now()) && !again.is_over());
    }

    #[test]
    fn a_turn_of_two_stones_has_one_clock() {
        let start = Instant::now();
        let control = Control { per_move: Some(ms(1000)), margin: ms(0), ..Control::default() };
        let mut game = LiveGame::new("connect6".parse().unwrap(), control);
        game.run_clocks_from(start);
        game.place(stone("j10"), start + ms(400)).unwrap();
        game.place(stone("k10"), start + ms(1100)).unwrap();
        assert_eq!(game.face(Stone::White, start + ms(1200)).turn, ms(800), "the turn goes on");
        game.place(stone("k11"), start + ms(1300)).unwrap();
        let times: Vec<Option<u64>> = game.record().moves.iter().map(|played| played.time_ms).collect();
        assert_eq!(times, [Some(400), None, Some(900)]);
        let face = game.face(Stone::Black, start + ms(1500));
        assert_eq!(face, Face { used: ms(600), turn: ms(200), left: Some(ms(800)) });
        assert!(!game.tick(start + ms(2300)));
        assert!(game.tick(start + ms(2301)));
        assert_eq!(*game.verdict(), Verdict::fault(Stone::Black, Ending::Timeout { limit: Limit::Move }));
    }

    #[test]
    fn a_game_clock_counts_what_the_moves_took() {
        let start = Instant::now();
        let control = Control { per_game: Some((ms(1000), ms(100))), margin: ms(0), ..Control::default() };
        let mut game = LiveGame::new("gomoku".parse().unwrap(), control);
        game.run_clocks_from(start);
        game.place(stone("h8"), start + ms(700)).unwrap();
        game.place(stone("i9"), start + ms(800)).unwrap();
        assert_eq!(game.face(Stone::Black, start + ms(900)).left, Some(ms(300)), "1000 - 700 + 100 - 100");
        game.undo(start + ms(1000));
        game.undo(start + ms(1000));
        assert_eq!(game.face(Stone::Black, start + ms(1000)).left, Some(ms(1000)), "time comes back with the stone");
        assert_eq!(game.flag_falls(), Some(start + ms(2001)));
        assert_eq!(game.place(stone("h8"), start + ms(2100)), Err(IllegalMove::GameOver), "a late stone is refused");
        assert_eq!(*game.verdict(), Verdict::fault(Stone::Black, Ending::Timeout { limit: Limit::Game }));
    }

    #[test]
    fn a_game_put_aside_goes_on_where_its_turn_was() {
        let now = Instant::now();
        let control = Control { per_move: Some(ms(1000)), margin: ms(0), ..Control::default() };
        let mut game = LiveGame::new("gomoku".parse().unwrap(), control);
        game.run_clocks_from(now);
        game.stop_clocks();
        assert!(!game.clocks_run());
        game.run_clocks_from(now);
        assert_eq!(game.face(Stone::Black, now + ms(300)).left, Some(ms(700)));
    }

    #[test]
    fn clocks_stand_still_until_they_are_started() {
        let control = Control { per_move: Some(ms(10)), ..Control::default() };
        let mut game = LiveGame::new("gomoku".parse().unwrap(), control);
        assert!(!game.tick(Instant::now() + ms(60_000)));
        assert_eq!(game.flag_falls(), None);
    }
}
