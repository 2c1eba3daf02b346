//! Stones as other programs place them: any colour, in any order, taken back from anywhere. The referee's position is
//! made from them when somebody asks.

use lianzi_core::{Cell, IllegalMove, Placement, Ply, Position, Rules, Setup, Stone};

/// The stones on a board.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub rules: Rules,
    plies: Vec<Ply>,
}

impl Placed {
    pub fn new(rules: Rules) -> Placed {
        Placed { rules, plies: Vec::new() }
    }

    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    pub fn clear(&mut self) {
        self.plies.clear();
    }

    pub fn at(&self, cell: Cell) -> Option<Stone> {
        self.plies.iter().find(|ply| ply.cell == cell).map(|ply| ply.stone)
    }

    /// Whose turn it would be if the stones had been placed in turn.
    pub fn to_move(&self) -> Stone {
        self.rules.turn_at(self.plies.len()).0
    }

    /// Puts a stone where one can lie. Forbidden moves are for the manager to judge, and lines end nothing.
    pub fn place(&mut self, stone: Stone, cell: Cell) -> Result<(), IllegalMove> {
        self.check(cell)?;
        self.plies.push(Ply { stone, cell });
        Ok(())
    }

    fn check(&self, cell: Cell) -> Result<(), IllegalMove> {
        if !self.rules.contains(cell) {
            return Err(IllegalMove::OffBoard);
        }
        if self.rules.blocked.contains(cell) {
            return Err(IllegalMove::Blocked);
        }
        if self.at(cell).is_some() {
            return Err(IllegalMove::Occupied);
        }
        let floats = self.rules.placement == Placement::Drop && self.landing(cell.column) != Some(cell);
        if floats { Err(IllegalMove::Floating) } else { Ok(()) }
    }

    /// Where a stone dropped into this column comes to rest.
    pub fn landing(&self, column: u8) -> Option<Cell> {
        let mut cells = (0..self.rules.height).map(|row| Cell::new(column, row));
        cells.find(|&cell| self.at(cell).is_none() && !self.rules.blocked.contains(cell))
    }

    /// Takes the stone from a cell; false if there is none.
    pub fn remove(&mut self, cell: Cell) -> bool {
        let before = self.plies.len();
        self.plies.retain(|ply| ply.cell != cell);
        self.plies.len() < before
    }

    /// Takes the last stone back.
    pub fn undo(&mut self) -> Option<Ply> {
        self.plies.pop()
    }

    /// The free cells, row by row from the bottom.
    pub fn free(&self) -> impl Iterator<Item = Cell> + '_ {
        self.rules.cells().filter(|&cell| self.check(cell).is_ok())
    }

    /// The position with this side to move: the game as played where that is possible, the same stones in an order
    /// that is, or else a set-up. `None` when both sides have a line.
    pub fn position(&self, to_move: Stone) -> Option<Position> {
        self.replay(&self.plies, to_move)
            .or_else(|| self.replay(&self.in_turn()?, to_move))
            .or_else(|| self.set_up(to_move))
    }

    fn replay(&self, plies: &[Ply], to_move: Stone) -> Option<Position> {
        let mut position = Position::new(self.rules);
        for ply in plies {
            if position.to_move() != ply.stone {
                return None;
            }
            position.play(ply.cell).ok()?;
        }
        (position.outcome().is_some() || position.to_move() == to_move).then_some(position)
    }

    /// The stones in an order in which the sides take turns.
    fn in_turn(&self) -> Option<Vec<Ply>> {
        let mut sides = Stone::BOTH.map(|stone| self.plies.iter().filter(move |ply| ply.stone == stone));
        let next = |n| sides[self.rules.turn_at(n).0.index()].next().copied();
        (0..self.plies.len()).map(next).collect()
    }

    fn set_up(&self, to_move: Stone) -> Option<Position> {
        let per_turn = usize::from(self.rules.per_turn);
        // Stones of the side to move that were placed last are the beginning of its turn.
        let begun = self.plies.iter().rev().take_while(|ply| ply.stone == to_move).count();
        let left = if begun < per_turn { per_turn - begun } else { per_turn };
        let setup = Setup { stones: self.plies.clone(), to_move, stones_left: left as u8 };
        Position::with_setup(self.rules, &setup).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(game: &str, stones: &str) -> Placed {
        let mut placed = Placed::new(game.parse().unwrap());
        for word in stones.split_whitespace() {
            let stone = if word.starts_with('b') { Stone::Black } else { Stone::White };
            placed.place(stone, word[1..].parse().unwrap()).unwrap();
        }
        placed
    }

    #[test]
    fn a_game_keeps_its_order() {
        let position = placed("gomoku", "bh8 wi9 bh9").position(Stone::White).unwrap();
        assert_eq!((position.plies().len(), position.to_move()), (3, Stone::White));
    }

    #[test]
    fn stones_out_of_turn_are_put_in_turn() {
        let position = placed("gomoku", "bh8 bh9 wi9").position(Stone::White).unwrap();
        let cells: Vec<String> = position.plies().iter().map(|ply| ply.cell.to_string()).collect();
        assert_eq!(cells, ["h8", "i9", "h9"]);
    }

    #[test]
    fn what_no_game_leads_to_is_set_up() {
        let position = placed("gomoku", "bh8 bh9 bh10").position(Stone::Black).unwrap();
        assert_eq!((position.plies().len(), position.to_move()), (0, Stone::Black));
        let six = placed("connect6", "bj10 ba1 wb1 wc1 wd1").position(Stone::White).unwrap();
        assert_eq!((six.to_move(), six.stones_left()), (Stone::White, 2));
        let begun = placed("connect6", "bj10 ba1 wb1").position(Stone::White).unwrap();
        assert_eq!((begun.to_move(), begun.stones_left()), (Stone::White, 1));
        let over = placed("gomoku", "ba1 bb1 bc1 bd1 be1 wa3 bf7").position(Stone::White).unwrap();
        assert!(over.outcome().is_some());
    }

    #[test]
    fn stones_lie_where_they_can() {
        let mut four = placed("connect4", "bd1 wd2");
        assert_eq!(four.place(Stone::Black, Cell::new(0, 3)), Err(IllegalMove::Floating));
        assert_eq!(four.landing(3), Some(Cell::new(3, 2)));
        assert!(four.remove(Cell::new(3, 1)) && !four.remove(Cell::new(3, 1)));
        assert_eq!(four.free().count(), 7);
    }
}
