//! The player: an engine, and the game it is in.

use std::time::Duration;

use lianzi_core::Position;
use lianzi_engine::{Engine, Limits, Options, Stop, catalog};

use crate::Call;

/// What the library remembers between two calls.
pub struct Memory(Option<Game>);

struct Game {
    engine: Box<dyn Engine>,
    /// After our last answer.
    position: Position,
}

impl Memory {
    /// No game yet.
    pub const EMPTY: Memory = Memory(None);

    /// Our point for these arguments, thought about for so long; `None` when they describe no game that goes on.
    pub fn answer(&mut self, call: &Call<'_>, time: Duration) -> Option<(i32, i32)> {
        let mut game = self.0.take().and_then(|game| game.followed(call)).or_else(|| Game::begin(call))?;
        if game.position.outcome().is_some() {
            return None;
        }
        let limits = Limits { move_time: Some(time), ..Limits::default() };
        let best = game.engine.search(&game.position, &limits, &Stop::default(), &mut |_| {});
        let cell = *best.turn.first()?;
        game.position.play(cell).ok()?;
        self.0 = Some(game);
        Some(call.point(cell))
    }
}

impl Game {
    fn begin(call: &Call<'_>) -> Option<Game> {
        let position = call.position()?;
        let engine = catalog::engine("strong", position.rules(), &Options::default()).ok()?;
        Some(Game { engine, position })
    }

    /// The same game after the other side's move, if the arguments are what comes of it.
    fn followed(mut self, call: &Call<'_>) -> Option<Game> {
        self.position.play(call.cell(call.last)?).ok()?;
        let given = call.position()?;
        let same = given.rules() == self.position.rules()
            && given.rules().cells().all(|cell| given.content(cell) == self.position.content(cell))
            && given.to_move() == self.position.to_move();
        same.then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(2);

    fn plies(memory: &Memory) -> usize {
        memory.0.as_ref().unwrap().position.plies().len()
    }

    /// A board of 4 × 4 as a judge sees it, with a hand-made `top`.
    fn call<'a>(board: &'a [i32; 16], top: &'a [i32; 4], last: (i32, i32)) -> Call<'a> {
        Call { rows: 4, columns: 4, top, board, last, blocked: (-1, -1) }
    }

    #[test]
    fn a_game_is_followed_and_another_one_begins_anew() {
        let mut memory = Memory::EMPTY;
        let (mut board, mut top, mut last) = ([0; 16], [4; 4], (-1, -1));
        for n in 1..=3 {
            let (x, y) = memory.answer(&call(&board, &top, last), SHORT).unwrap();
            assert_eq!(x, top[y as usize] - 1);
            assert_eq!(plies(&memory), 2 * n - 1, "both sides' stones are remembered");
            (board[(4 * x + y) as usize], top[y as usize]) = (2, x);
            // The other side plays the first column that is open.
            let column = top.iter().position(|&top| top > 0).unwrap();
            top[column] -= 1;
            board[4 * top[column] as usize + column] = 1;
            last = (top[column], column as i32);
        }
        // A game with another past: set up, not followed.
        let mut other = [0; 16];
        other[15] = 1;
        memory.answer(&call(&other, &[4, 4, 4, 3], (3, 3)), SHORT).unwrap();
        assert_eq!(plies(&memory), 1);
        memory.answer(&call(&[0; 16], &[4; 4], (-1, -1)), SHORT).unwrap();
        assert_eq!(plies(&memory), 1);
    }

    #[test]
    fn no_game_no_answer() {
        let mut memory = Memory::EMPTY;
        let mut won = [0; 16];
        won[12..].fill(1);
        assert_eq!(memory.answer(&call(&won, &[3; 4], (3, 0)), SHORT), None, "it is over");
        let mut floating = [0; 16];
        floating[0] = 1;
        assert_eq!(memory.answer(&call(&floating, &[0, 4, 4, 4], (0, 0)), SHORT), None);
        let huge = Call { rows: 40, columns: 40, ..call(&floating, &[4; 4], (-1, -1)) };
        assert_eq!(memory.answer(&huge, SHORT), None);
    }
}
