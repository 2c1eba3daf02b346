//! The Connect Four course's arguments. Axes are flipped once, here: the course counts x as rows from the top and y as
//! columns, a [`Cell`] counts rows from the bottom.

use lianzi_core::{Cell, Position, Rules, Stone};

use lianzi_cage::wire::Call;
use lianzi_game::judge::Answer;

/// The functions that run before and after the answer is known.
pub const FUNCTIONS: [&str; 2] = ["in getPoint", "in clearPoint"];

/// The arguments of `getPoint` for the side to move.
pub fn call(position: &Position) -> Call {
    let rules = position.rules();
    let (last_x, last_y) = position.last().map_or((-1, -1), |ply| point(rules, ply.cell));
    let (no_x, no_y) = rules.blocked.iter().next().map_or((-1, -1), |cell| point(rules, cell));
    Call {
        M: rules.height.into(),
        N: rules.width.into(),
        top: (0..rules.width).map(|column| top(position, column)).collect(),
        board: board(position),
        lastX: last_x,
        lastY: last_y,
        noX: no_x,
        noY: no_y,
    }
}

/// The row below which a column is closed: a stone in it lands on the row above, whatever lies there.
fn top(position: &Position, column: u8) -> i32 {
    position.landing(column).map_or(0, |cell| point(position.rules(), cell).0 + 1)
}

/// Row by row from the top: 0 empty or blocked, 1 the other side, 2 the side to move.
fn board(position: &Position) -> Vec<i32> {
    let rules = position.rules();
    let own = position.to_move();
    let number = |stone: Option<Stone>| stone.map_or(0, |stone| if stone == own { 2 } else { 1 });
    let rows = (0..rules.height).rev();
    rows.flat_map(|row| (0..rules.width).map(move |column| Cell::new(column, row)))
        .map(|cell| number(position.stone(cell)))
        .collect()
}

/// A cell as the course writes it.
fn point(rules: &Rules, cell: Cell) -> (i32, i32) {
    (i32::from(rules.height) - 1 - i32::from(cell.row), cell.column.into())
}

/// What a strategy's point means.
pub fn answer(rules: &Rules, x: i64, y: i64) -> Answer {
    let on_board = (0..i64::from(rules.height)).contains(&x) && (0..i64::from(rules.width)).contains(&y);
    match on_board {
        true => Cell::new(y as u8, (i64::from(rules.height) - 1 - x) as u8).into(),
        false => Answer::Beyond(format!("({x},{y})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four columns and rows would do, but the course's boards begin at nine: this one is 5 wide and 4 high.
    fn position(blocked: &str, moves: &str) -> Position {
        Position::after(format!("connect4:5x4/{blocked}").parse().unwrap(), moves).unwrap()
    }

    #[test]
    fn the_first_call_of_a_game() {
        let call = call(&position("b3", ""));
        assert_eq!((call.M, call.N), (4, 5));
        assert_eq!((call.lastX, call.lastY), (-1, -1));
        assert_eq!((call.noX, call.noY), (1, 1), "b3 is the second row from the top, the second column");
        assert_eq!(call.top, [4, 4, 4, 4, 4]);
        assert_eq!(call.board, [0; 20]);
    }

    #[test]
    fn rows_count_from_the_top_and_own_stones_are_two() {
        let call = call(&position("e4", "a1 a2 d1"));
        assert_eq!((call.lastX, call.lastY), (3, 3));
        assert_eq!(call.top, [2, 4, 4, 3, 4]);
        let rows: Vec<&[i32]> = call.board.chunks(5).collect();
        assert_eq!(rows, [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [2, 0, 0, 0, 0], [1, 0, 0, 1, 0]]);
    }

    #[test]
    fn a_column_is_lowered_past_the_blocked_cell_as_soon_as_it_is_next() {
        assert_eq!(call(&position("b1", "")).top[1], 3, "the blocked cell at the bottom");
        assert_eq!(call(&position("b2", "")).top[1], 4, "not next yet");
        assert_eq!(call(&position("b2", "b1")).top[1], 2, "next now: top is the blocked cell itself");
        assert_eq!(call(&position("b4", "b1 b2 b3")).top[1], 0, "nothing above the blocked cell: full");
        let full = call(&position("a1", "b1 b2 b3 b4"));
        assert_eq!((full.top[1], full.top[0]), (0, 3));
        assert_eq!(full.board[15], 0, "the blocked cell is empty on the board");
    }

    #[test]
    fn a_board_without_a_blocked_cell_names_none() {
        let call = call(&Position::new(Rules::connect4(7, 6)));
        assert_eq!((call.noX, call.noY), (-1, -1));
    }

    #[test]
    fn every_legal_move_is_one_above_the_top() {
        let position = position("c2", "c1 a1 c3 a2");
        let call = call(&position);
        for (column, &top) in call.top.iter().enumerate() {
            let cell = answer(position.rules(), i64::from(top) - 1, column as i64);
            let landing = position.landing(column as u8);
            assert_eq!(landing.map(Answer::from), Some(cell), "column {column}");
        }
    }

    #[test]
    fn points_off_the_board_keep_their_numbers() {
        let rules = Rules::connect4(7, 6);
        assert_eq!(answer(&rules, 5, 6), Answer::Cell("g1".parse().unwrap()));
        for (x, y) in [(-1, 0), (6, 0), (0, 7), (0, -1), (i64::from(i32::MAX), i64::from(i32::MIN))] {
            assert_eq!(answer(&rules, x, y), Answer::Beyond(format!("({x},{y})")));
        }
    }
}
