//! What a judge says. Axes are flipped once, here: the course counts x as rows from the top and y as columns, a
//! [`Cell`] counts rows from the bottom.

use lianzi_core::{Cell, CellSet, Ply, Position, Rules, Setup, Stone};

/// `getPoint`'s arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// M: how many rows.
    pub rows: i32,
    /// N: how many columns.
    pub columns: i32,
    /// For each column the row below which it is closed; a stone lands on the row above.
    pub top: &'a [i32],
    /// Row by row from the top: 0 empty or blocked, 1 the other side, 2 we.
    pub board: &'a [i32],
    /// Where the other side played; (−1, −1) when we begin.
    pub last: (i32, i32),
    /// The cell on which nobody may play; off the board when there is none.
    pub blocked: (i32, i32),
}

impl Call<'_> {
    /// The rules of the game, unless they make none.
    pub fn rules(&self) -> Option<Rules> {
        let (width, height) = (u8::try_from(self.columns).ok()?, u8::try_from(self.rows).ok()?);
        let blocked: CellSet = self.cell(self.blocked).into_iter().collect();
        let rules = Rules { blocked, ..Rules::connect4(width, height) };
        rules.check().ok().map(|()| rules)
    }

    /// The cell that the course calls by this point.
    pub fn cell(&self, (x, y): (i32, i32)) -> Option<Cell> {
        let on_board = (0..self.rows).contains(&x) && (0..self.columns).contains(&y);
        let row = u8::try_from(self.rows - 1 - x).ok().filter(|_| on_board)?;
        Some(Cell::new(u8::try_from(y).ok()?, row))
    }

    /// The point that the course calls this cell.
    pub fn point(&self, cell: Cell) -> (i32, i32) {
        (self.rows - 1 - i32::from(cell.row), cell.column.into())
    }

    /// The board as the referee sees it, without its history; `None` when no game comes to it.
    pub fn position(&self) -> Option<Position> {
        let of = |number: i32| self.board.iter().filter(move |&&stone| stone == number).count();
        let own = if of(2) == of(1) { Stone::Black } else { Stone::White };
        let mut stones: Vec<Ply> = self.stones(own).collect();
        stones.sort_by_key(|ply| ply.cell.row);
        Position::with_setup(self.rules()?, &Setup { stones, to_move: own, stones_left: 1 }).ok()
    }

    fn stones(&self, own: Stone) -> impl Iterator<Item = Ply> + '_ {
        let columns = self.columns.max(1);
        self.board.iter().zip(0..).filter_map(move |(&number, index)| {
            let stone = match number {
                1 => own.other(),
                2 => own,
                _ => return None,
            };
            Some(Ply { stone, cell: self.cell((index / columns, index % columns))? })
        })
    }

    /// Where a stone in the open column nearest to the middle lands: the answer when there is no other.
    pub fn any(&self) -> Option<(i32, i32)> {
        let open = self.top.iter().zip(0..).filter(|&(&top, _)| (1..=self.rows).contains(&top));
        let nearest = open.min_by_key(|&(_, column)| (2 * column + 1 - self.columns).abs());
        nearest.map(|(&top, column)| (top - 1, column))
    }
}
