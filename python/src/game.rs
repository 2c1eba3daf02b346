//! A game by its name.

use std::hash::{DefaultHasher, Hash, Hasher};

use lianzi_core::symmetry::symmetries;
use lianzi_core::{Game, Placement, Rules};
use lianzi_engine::Family;
use pyo3::prelude::*;

use crate::argument::{AnyGame, action, actions, names};
use crate::position::PyPosition;

/// A game and its rules.
///
/// The names are those of the command line: gomoku, standard, renju, connect6, connect4, with a size and blocked cells
/// (gomoku:19, connect4:9x10/d4), any Connect(m,n,k,p,q) as connect:W,H,K,P,Q, and connect4:random, the board of the
/// course, which draw() draws.
///
/// >>> import lianzi
/// >>> game = lianzi.Game("connect4")
/// >>> game.width, game.height, game.line, game.actions
/// (7, 6, 4, 7)
/// >>> lianzi.Game("chess")
/// Traceback (most recent call last):
/// ...
/// lianzi.LianziError: there is no game 'chess'; the games are gomoku, standard, renju, connect6, connect4 and connect:W,H,K,P,Q
#[pyclass(module = "lianzi", name = "Game", frozen)]
pub struct PyGame(pub Game);

impl PyGame {
    fn rules(&self) -> PyResult<Rules> {
        AnyGame(self.0).rules()
    }
}

#[pymethods]
impl PyGame {
    #[new]
    fn new(name: AnyGame) -> PyGame {
        PyGame(name.0)
    }

    /// The name, which Game() reads again.
    #[getter]
    fn name(&self) -> String {
        self.0.to_string()
    }

    /// How many columns the board has.
    #[getter]
    fn width(&self) -> PyResult<u8> {
        Ok(self.rules()?.width)
    }

    /// How many rows the board has.
    #[getter]
    fn height(&self) -> PyResult<u8> {
        Ok(self.rules()?.height)
    }

    /// How many in a row win.
    #[getter]
    fn line(&self) -> PyResult<u8> {
        Ok(self.rules()?.line)
    }

    /// How many stones a turn has.
    #[getter]
    fn per_turn(&self) -> PyResult<u8> {
        Ok(self.rules()?.per_turn)
    }

    /// How many stones Black's first turn has.
    #[getter]
    fn first_turn(&self) -> PyResult<u8> {
        Ok(self.rules()?.first_turn)
    }

    /// Whether stones drop to the lowest free cell of a column.
    #[getter]
    fn drop(&self) -> PyResult<bool> {
        Ok(self.rules()?.placement == Placement::Drop)
    }

    /// The cells on which nobody may play.
    #[getter]
    fn blocked(&self) -> PyResult<Vec<String>> {
        Ok(names(&self.rules()?.blocked.iter().collect::<Vec<_>>()))
    }

    /// How many actions there are: the columns where stones drop, otherwise the cells, counted row by row from the bottom.
    #[getter]
    fn actions(&self) -> PyResult<usize> {
        Ok(actions(&self.rules()?))
    }

    /// How the players of a match find their sides: "none", or a rule such as "swap2", which stands behind a plus in the name.
    ///
    /// >>> import lianzi
    /// >>> lianzi.Game("gomoku+swap2").opening, lianzi.Game("gomoku").opening
    /// ('swap2', 'none')
    #[getter]
    fn opening(&self) -> String {
        self.0.opening.to_string()
    }

    /// Which engine plays it: "gomoku", "connect6", "connect4" or "other".
    #[getter]
    fn family(&self) -> PyResult<&'static str> {
        Ok(match Family::of(&self.rules()?) {
            Family::Gomoku => "gomoku",
            Family::Connect6 => "connect6",
            Family::ConnectFour => "connect4",
            _ => "other",
        })
    }

    /// A certain board: the game itself, or for connect4:random the one that this seed draws.
    ///
    /// >>> import lianzi
    /// >>> lianzi.Game("connect4:random").draw(7) == lianzi.Game("connect4:random").draw(7)
    /// True
    fn draw(&self, seed: u64) -> PyGame {
        let drawn = Game::from(self.0.draw(seed));
        PyGame(drawn.with(self.0.opening).unwrap_or(drawn))
    }

    /// The ways to lay the board onto itself, the first of which changes nothing. Each lists for every cell, row by row from
    /// the bottom, the number of the cell onto which it comes.
    ///
    /// >>> import lianzi
    /// >>> [len(lianzi.Game(name).symmetries()) for name in ("gomoku", "connect4", "gomoku/a1")]
    /// [8, 2, 2]
    fn symmetries(&self) -> PyResult<Vec<Vec<usize>>> {
        let rules = self.rules()?;
        let number =
            |cell: lianzi_core::Cell| usize::from(cell.row) * usize::from(rules.width) + usize::from(cell.column);
        let images = symmetries(&rules).into_iter();
        Ok(images.map(|way| rules.cells().map(|cell| number(way.image(cell, &rules))).collect()).collect())
    }

    /// The same ways, by the actions: each lists onto which action every action comes.
    ///
    /// >>> import lianzi
    /// >>> lianzi.Game("connect4").action_symmetries()[1]
    /// [6, 5, 4, 3, 2, 1, 0]
    fn action_symmetries(&self) -> PyResult<Vec<Vec<usize>>> {
        let rules = self.rules()?;
        let places = rules.cells().take(actions(&rules));
        let places: Vec<_> = places.collect();
        let images = symmetries(&rules).into_iter();
        Ok(images.map(|way| places.iter().map(|&cell| action(&rules, way.image(cell, &rules))).collect()).collect())
    }

    /// A position of this game after these moves.
    #[pyo3(signature = (moves = ""))]
    fn position(&self, moves: &str) -> PyResult<PyPosition> {
        PyPosition::after(self.rules()?, moves)
    }

    fn __eq__(&self, other: &PyGame) -> bool {
        self.0 == other.0
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.name().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.name()
    }

    fn __repr__(&self) -> String {
        format!("Game(\"{}\")", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<PyGame>().into_any(), (self.name(),))
    }
}
