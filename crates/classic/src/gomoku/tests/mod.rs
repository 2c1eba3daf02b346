//! What the document says, row by row of the checklist.

mod patterns;
mod play;
mod values;

use lianzi_core::{Cell, Ply, Position, Random, Rules, Setup, Stone};

use super::board::Board;

/// The cells of a text.
fn cells(text: &str) -> Vec<Cell> {
    text.split_whitespace().map(|name| name.parse().unwrap()).collect()
}

/// A game after these moves.
fn played(game: &str, moves: &str) -> Position {
    Position::after(game.parse().unwrap(), moves).unwrap()
}

/// A board of 15 with these stones on it.
fn set_up(black: &str, white: &str, to_move: Stone) -> Position {
    let stones = |text, stone| cells(text).into_iter().map(move |cell| Ply { stone, cell });
    let stones = stones(black, Stone::Black).chain(stones(white, Stone::White)).collect();
    Position::with_setup(Rules::gomoku(15), &Setup { stones, to_move, stones_left: 1 }).unwrap()
}

fn board_of(position: &Position) -> Board {
    let mut board = Board::new(*position.rules());
    board.arrange(position);
    board
}

/// A board of random size with some blocked cells.
fn random_rules(random: &mut Random) -> Rules {
    let side = [5, 6, 7, 9, 12, 15, 15, 15, 19, 31][random.below(10)];
    let mut rules = Rules::gomoku(side);
    for _ in 0..[0, 0, 1, 5][random.below(4)] {
        let (column, row) = (random.below(side.into()) as u8, random.below(side.into()) as u8);
        rules = rules.with_blocked(Cell::new(column, row));
    }
    rules
}

/// Plays a random move, most often beside another stone, so that patterns arise.
fn play_near(position: &mut Position, random: &mut Random) {
    let legal: Vec<Cell> = position.legal().collect();
    let touches = |cell: &Cell| {
        let near = |stone: &Ply| stone.cell.column.abs_diff(cell.column).max(stone.cell.row.abs_diff(cell.row)) < 2;
        position.plies().iter().any(near)
    };
    let near: Vec<Cell> = legal.iter().copied().filter(touches).collect();
    let pool = if near.is_empty() || random.below(5) == 0 { &legal } else { &near };
    let cell = *random.choose(pool).unwrap();
    position.play(cell).unwrap();
}
