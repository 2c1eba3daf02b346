//! A game with people in it: stones are placed one by one, taken back, and tried again. The terminal and the web
//! board both use it; who sits where and who thinks is theirs to know.

use std::time::Duration;

use lianzi_core::record::{GameRecord, Move};
use lianzi_core::{BadSetup, Cell, Ending, IllegalMove, Limit, Outcome, Position, Rules, Stone, Verdict};

/// A game under way.
#[derive(Clone, Debug)]
pub struct LiveGame {
    /// Rules, set-up, names; its moves and verdict are kept up to date.
    record: GameRecord,
    position: Position,
    undone: Vec<Move>,
}

impl LiveGame {
    /// A new game on an empty board.
    pub fn new(rules: Rules) -> LiveGame {
        LiveGame { record: GameRecord::new(rules), position: Position::new(rules), undone: Vec::new() }
    }

    /// Goes on with a recorded game from its last position.
    pub fn resume(mut record: GameRecord) -> Result<LiveGame, BadSetup> {
        record.start()?;
        let position = record.position();
        record.verdict = Verdict::of(&position);
        Ok(LiveGame { record, position, undone: Vec::new() })
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

    /// Names the players, Black's first.
    pub fn name(&mut self, names: [String; 2]) {
        for (side, name) in self.record.sides.iter_mut().zip(names) {
            side.name = name;
        }
    }

    /// Places a stone for the side to move.
    pub fn place(&mut self, played: Move) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        self.position.play(played.cell)?;
        self.record.moves.push(played);
        self.record.verdict = Verdict::of(&self.position);
        self.undone.clear();
        Ok(())
    }

    /// Takes one stone back; false when there is none. A game given up or lost on time goes on.
    pub fn undo(&mut self) -> bool {
        if self.position.undo().is_none() {
            return false;
        }
        self.undone.extend(self.record.moves.pop());
        self.record.verdict = Verdict::UNFINISHED;
        true
    }

    /// Takes back at least one stone and goes on until this side is to place the first stone of a turn, or the
    /// board is as it was at the start; false when there was nothing to take back.
    pub fn undo_to(&mut self, stone: Stone) -> bool {
        let undone = self.undo();
        while (self.position.to_move() != stone || self.position.mid_turn()) && self.undo() {}
        undone
    }

    /// Puts the last stone that was taken back on the board again.
    pub fn redo(&mut self) -> Option<Cell> {
        let played = self.undone.pop()?;
        let later = std::mem::take(&mut self.undone);
        let cell = played.cell;
        self.place(played).expect("a stone that was taken back can be placed again");
        self.undone = later;
        Some(cell)
    }

    /// This side gives up.
    pub fn resign(&mut self, stone: Stone) {
        self.end(Verdict::resigned(stone));
    }

    /// This side's time is used up.
    pub fn flag(&mut self, stone: Stone, limit: Limit) {
        self.end(Verdict::fault(stone, Ending::Timeout { limit }));
    }

    fn end(&mut self, verdict: Verdict) {
        if !self.is_over() {
            self.record.verdict = verdict;
        }
    }

    /// Clears the board; names and set-up stay.
    pub fn restart(&mut self) {
        while self.undo() {}
        self.undone.clear();
        self.record.verdict = Verdict::of(&self.position);
    }

    /// The winner, once there is one.
    pub fn winner(&self) -> Option<Stone> {
        self.record.verdict.outcome.and_then(Outcome::winner)
    }
}

/// A stone with the time it took.
pub fn timed(cell: Cell, time: Duration) -> Move {
    Move { time_ms: Some(time.as_millis() as u64), ..Move::from(cell) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str, moves: &str) -> LiveGame {
        let mut game = LiveGame::new(name.parse().unwrap());
        for cell in moves.split_whitespace() {
            game.place(Move::from(cell.parse::<Cell>().unwrap())).unwrap();
        }
        game
    }

    #[test]
    fn undo_against_an_engine_returns_to_the_own_turn() {
        let mut connect6 = game("connect6", "j10 k10 k11 j9 j8 l10 l11");
        assert!(connect6.undo_to(Stone::Black));
        assert_eq!(connect6.record().moves.len(), 3);
        assert!(connect6.undo_to(Stone::Black));
        assert_eq!(connect6.record().moves.len(), 0);
        assert!(!connect6.undo_to(Stone::Black));
        let mut own_stone = game("connect6", "j10 k10 k11 j9");
        assert!(own_stone.undo_to(Stone::Black));
        assert_eq!(own_stone.record().moves.len(), 3, "the first stone of a turn is taken back alone");
    }

    #[test]
    fn what_was_undone_can_be_redone_until_something_else_is_played() {
        let mut game = game("gomoku", "h8 i9 j10");
        game.undo();
        game.undo();
        assert_eq!(game.redo(), Some("i9".parse().unwrap()));
        game.place(Move::from("a1".parse::<Cell>().unwrap())).unwrap();
        assert_eq!(game.redo(), None);
        assert_eq!(game.record().moves.len(), 3);
    }

    #[test]
    fn a_resigned_game_takes_no_stones_but_can_be_taken_back() {
        let mut game = game("gomoku", "h8 i9");
        game.resign(Stone::Black);
        assert_eq!(game.winner(), Some(Stone::White));
        assert_eq!(game.place(Move::from(Cell::new(0, 0))), Err(IllegalMove::GameOver));
        game.flag(Stone::White, Limit::Move);
        assert_eq!(game.winner(), Some(Stone::White), "the first ending stands");
        assert!(game.undo());
        assert!(!game.is_over());
        game.restart();
        assert_eq!((game.record().moves.len(), game.redo()), (0, None));
    }

    #[test]
    fn a_recorded_game_goes_on() {
        let over = game("connect4", "a1 b1 a2 b2 a3 b3 a4");
        assert!(over.is_over());
        let mut again = LiveGame::resume(over.record().clone()).unwrap();
        assert!(again.is_over() && again.undo() && !again.is_over());
    }
}
