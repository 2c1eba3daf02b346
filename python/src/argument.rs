//! What functions take: games by name, times in seconds or as on the command line, stones in any usual form.

use std::time::Duration;

use lianzi_core::{BadGame, Cell, Game, IllegalMove, Placement, Position, Rules, Stone, Text, UnreadMove, column_name};
use lianzi_engine::Limits;
use lianzi_game::duration;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyTuple};

use crate::error::{illegal, refused, said};
use crate::game::PyGame;

/// A game: a `Game` or its name.
pub struct AnyGame(pub Game);

impl<'py> FromPyObject<'_, 'py> for AnyGame {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<AnyGame> {
        if let Ok(game) = object.cast::<PyGame>() {
            return Ok(AnyGame(game.get().0));
        }
        let name = object.cast::<PyString>().map_err(|_| PyTypeError::new_err("a game is a Game or its name"))?;
        name.to_str()?.parse().map(AnyGame).map_err(|bad: BadGame| refused(&bad))
    }
}

impl AnyGame {
    /// The rules, unless the board is drawn anew for each game.
    pub fn rules(&self) -> PyResult<Rules> {
        self.0.rules().ok_or_else(|| refused(&BadGame::Random))
    }
}

/// A time: seconds, or a text such as "500ms".
pub struct Time(pub Duration);

impl<'py> FromPyObject<'_, 'py> for Time {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Time> {
        let text = match object.cast::<PyString>() {
            Ok(text) => text.to_string(),
            Err(_) => object.extract::<f64>()?.to_string(),
        };
        duration::parse(&text).map(Time).map_err(said)
    }
}

/// A side: "black" or "white".
pub struct Side(pub Stone);

impl<'py> FromPyObject<'_, 'py> for Side {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Side> {
        match object.cast::<PyString>()?.to_str()? {
            "black" => Ok(Side(Stone::Black)),
            "white" => Ok(Side(Stone::White)),
            other => Err(said(Text::new(
                format!("'{other}' is no side; it is black or white"),
                format!("“{other}”不是一方；只能是 black 或 white"),
            ))),
        }
    }
}

/// The cell that a move names: "h8", an action's number, or (column, row), both from 0; where stones drop also a column.
pub fn cell(position: &Position, given: &Bound<'_, PyAny>) -> PyResult<Cell> {
    if given.is_instance_of::<PyInt>() {
        return cell_of_action(position, given.extract()?);
    }
    if let Ok(name) = given.cast::<PyString>() {
        return position.read_cell(name.to_str()?).map_err(|why| illegal(&why));
    }
    if let Ok(pair) = given.cast::<PyTuple>() {
        let (column, row): (i64, i64) = pair.extract()?;
        return on_board(position, column, row);
    }
    // What has __index__, as numpy's integers have, is a number too.
    match given.extract() {
        Ok(action) => cell_of_action(position, action),
        Err(_) => {
            Err(PyTypeError::new_err("a move is a name such as \"h8\", an action's number or a tuple (column, row)"))
        }
    }
}

/// The cell of an action: a column where stones drop, otherwise row × width + column.
pub fn cell_of_action(position: &Position, action: i64) -> PyResult<Cell> {
    let rules = position.rules();
    let width = i64::from(rules.width);
    if rules.placement == Placement::Anywhere {
        return on_board(position, action.rem_euclid(width), action.div_euclid(width));
    }
    if !(0..width).contains(&action) {
        let last = column_name(rules.width - 1);
        return Err(illegal(&UnreadMove::NoColumn { text: action.to_string(), last }));
    }
    let column = action as u8;
    position.landing(column).ok_or_else(|| match position.outcome() {
        Some(_) => illegal(&IllegalMove::GameOver),
        None => illegal(&UnreadMove::FullColumn(column_name(column))),
    })
}

fn on_board(position: &Position, column: i64, row: i64) -> PyResult<Cell> {
    let small = |n: i64| u8::try_from(n).ok();
    let cell = small(column).zip(small(row)).map(|(column, row)| Cell::new(column, row));
    cell.filter(|&cell| position.rules().contains(cell)).ok_or_else(|| illegal(&IllegalMove::OffBoard))
}

/// The number of the action that puts a stone on this cell.
pub fn action(rules: &Rules, cell: Cell) -> usize {
    match rules.placement {
        Placement::Drop => cell.column.into(),
        Placement::Anywhere => usize::from(cell.row) * usize::from(rules.width) + usize::from(cell.column),
    }
}

/// How many actions a game has.
pub fn actions(rules: &Rules) -> usize {
    match rules.placement {
        Placement::Drop => rules.width.into(),
        Placement::Anywhere => usize::from(rules.width) * usize::from(rules.height),
    }
}

/// What an engine may use.
pub fn limits(nodes: Option<u64>, depth: Option<u32>, time: Option<Time>, lines: usize) -> Limits {
    Limits { depth, nodes, move_time: time.map(|time| time.0), clock: None, lines }
}

/// The names of cells.
pub fn names(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(ToString::to_string).collect()
}
