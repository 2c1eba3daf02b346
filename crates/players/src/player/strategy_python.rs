//! The arguments of Python strategies. Axes are flipped once, here: the course's (x, y) is column and row from the
//! bottom, as in a [`Cell`] and as [`classic-python`](lianzi_classic::catalog) has it; Kaggle's board goes row by row
//! from the top.

use lianzi_core::{Cell, Content, Position, Rules, Stone};
use serde_json::{Value, json};

use lianzi_game::clock::Control;
use lianzi_game::judge::Answer;
use lianzi_game::player::Ask;

/// What runs before and after the answer is known.
pub const FUNCTIONS: [&str; 2] = ["in the strategy", "after the answer"];

/// The lists of `ai(List_me, List_enemy, List_all)`: stones in playing order, and every cell of the board, x first.
pub fn course_call(position: &Position) -> Value {
    let (rules, own) = (position.rules(), position.to_move());
    let of = |stone: Stone| -> Vec<[u8; 2]> { stones(position, stone).map(|cell| [cell.column, cell.row]).collect() };
    let columns = 0..rules.width;
    let cells = columns.flat_map(|x| (0..rules.height).map(move |y| Cell::new(x, y)));
    let all: Vec<[u8; 2]> =
        cells.filter(|&cell| position.content(cell) != Some(Content::Blocked)).map(|c| [c.column, c.row]).collect();
    json!({ "me": of(own), "enemy": of(own.other()), "all": all })
}

/// One side's stones in playing order; those that were there before the first move come first.
fn stones(position: &Position, stone: Stone) -> impl Iterator<Item = Cell> + '_ {
    let played = position.plies().iter().filter(move |ply| ply.stone == stone).map(|ply| ply.cell);
    let was_played = move |cell: Cell| position.plies().iter().any(|ply| ply.cell == cell);
    let set_up = position.rules().cells().filter(move |&cell| position.stone(cell) == Some(stone) && !was_played(cell));
    set_up.chain(played)
}

/// What the course's tuple means.
pub fn course_answer(rules: &Rules, x: i64, y: i64) -> Answer {
    let on_board = (0..i64::from(rules.width)).contains(&x) && (0..i64::from(rules.height)).contains(&y);
    match on_board {
        true => Cell::new(x as u8, y as u8).into(),
        false => Answer::Beyond(format!("({x},{y})")),
    }
}

/// What an agent of ConnectX is told.
pub fn kaggle_call(ask: &Ask<'_>, control: &Control) -> Value {
    /// Kaggle's own limits, for a game without a clock.
    const USUAL: (f64, f64) = (2.0, 60.0);
    let (position, rules) = (ask.position, ask.position.rules());
    let number = |stone: Option<Stone>| stone.map_or(0, |stone| stone.index() + 1);
    let rows = (0..rules.height).rev();
    let cells = rows.flat_map(|row| (0..rules.width).map(move |column| Cell::new(column, row)));
    let board: Vec<usize> = cells.map(|cell| number(position.stone(cell))).collect();
    // An agent may believe what it is told: the bank is what the clock really holds.
    let (act, bank) = match (control.per_move, ask.limits.clock) {
        (None, None) => USUAL,
        (act, clock) => {
            (act.map_or(0.0, |time| time.as_secs_f64()), clock.map_or(0.0, |clock| clock.left.as_secs_f64()))
        }
    };
    json!({
        "observation": {
            "board": board,
            "mark": position.to_move().index() + 1,
            "step": position.plies().len(),
            "remainingOverageTime": bank,
        },
        "configuration": {
            "rows": rules.height, "columns": rules.width, "inarow": rules.line,
            "actTimeout": act, "timeout": act, "episodeSteps": 1000, "runTimeout": 1200,
        },
    })
}

/// What a column means: its lowest free cell; the top one of a full column, where a stone lies already.
pub fn kaggle_answer(position: &Position, column: i64) -> Answer {
    let rules = position.rules();
    match u8::try_from(column).ok().filter(|&column| column < rules.width) {
        Some(column) => position.landing(column).unwrap_or(Cell::new(column, rules.height - 1)).into(),
        None => Answer::Beyond(column.to_string()),
    }
}
