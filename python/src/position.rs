//! The referee in Python.

use lianzi_core::record::{Document, Format, GameRecord};
use lianzi_core::{Cell, Content, Forbidden, Outcome, Ply, Position, Rules, Setup, Speak, Stone, Text, divide, perft};
use lianzi_engine::threats::{must_hit, threats};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyType};

use crate::argument::{AnyGame, Side, action, cell, cell_of_action, names};
use crate::error::{illegal, refused, said};
use crate::game::PyGame;
use crate::planes::Planes;
use crate::svg;

/// A game in progress: board, turn and history. It is the referee, so what it says is what every judge here says.
///
/// A move is a name ("h8"; where stones drop a column too, "d" or "4"), the number of an action, or a tuple (column, row) from
/// the bottom left, both from 0. In games with several stones a turn a move is one stone.
///
/// >>> import lianzi
/// >>> position = lianzi.Position("renju", "h8 i9")
/// >>> position.play("j10")
/// >>> position.to_move, position.outcome, len(position)
/// ('white', None, 3)
/// >>> position.undo()
/// 'j10'
/// >>> position.play("h8")
/// Traceback (most recent call last):
/// ...
/// lianzi.IllegalMove: there is a stone already
#[pyclass(module = "lianzi", name = "Position")]
#[derive(Clone)]
pub struct PyPosition {
    pub inner: Position,
}

/// Stones that threaten.
#[pyclass(module = "lianzi", name = "Threat", frozen, get_all)]
pub struct PyThreat {
    /// "five" for a line that stands, "four" for one that a turn completes, "three" for an open three.
    kind: &'static str,
    /// Whose it is.
    side: &'static str,
    /// The stones.
    cells: Vec<String>,
    /// The cells that complete the line, or make an open row of a three.
    at: Vec<String>,
}

#[pymethods]
impl PyThreat {
    fn __repr__(&self) -> String {
        let PyThreat { kind, side, cells, at } = self;
        format!("Threat({side} {kind}: {}, at {})", cells.join(" "), at.join(" "))
    }
}

/// The name of a side.
pub fn side_name(stone: Stone) -> &'static str {
    match stone {
        Stone::Black => "black",
        Stone::White => "white",
    }
}

/// "black", "white" or "draw".
pub fn outcome_name(outcome: Outcome) -> &'static str {
    outcome.winner().map_or("draw", side_name)
}

impl PyPosition {
    /// The position after moves that are written in a text.
    pub fn after(rules: Rules, moves: &str) -> PyResult<PyPosition> {
        Position::after(rules, moves).map(PyPosition::from).map_err(|bad| illegal(&bad))
    }

    /// What was played and set up, as a record.
    fn record(&self) -> GameRecord {
        let mut start = self.inner.clone();
        while start.undo().is_some() {}
        let rules = *self.inner.rules();
        let stones = rules.cells().filter_map(|cell| start.stone(cell).map(|stone| Ply { stone, cell }));
        let stones: Vec<Ply> = stones.collect();
        let mut record = GameRecord::from_position(&self.inner);
        if start != Position::new(rules) {
            record.setup = Some(Setup { stones, to_move: start.to_move(), stones_left: start.stones_left().max(1) });
        }
        record
    }

    fn threats_of(&self, stone: Stone) -> impl Iterator<Item = PyThreat> {
        let side = side_name(stone);
        threats(&self.inner, stone).into_iter().map(move |threat| PyThreat {
            kind: threat.kind.name(),
            side,
            cells: names(&threat.cells),
            at: names(&threat.at),
        })
    }
}

impl From<Position> for PyPosition {
    fn from(inner: Position) -> PyPosition {
        PyPosition { inner }
    }
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (game, moves = None))]
    fn new(game: AnyGame, moves: Option<&Bound<'_, PyAny>>) -> PyResult<PyPosition> {
        let rules = game.rules()?;
        let Some(moves) = moves else { return Ok(Position::new(rules).into()) };
        if let Ok(text) = moves.cast::<PyString>() {
            return PyPosition::after(rules, text.to_str()?);
        }
        let mut position = PyPosition::from(Position::new(rules));
        for played in moves.try_iter()? {
            position.play(&played?)?;
        }
        Ok(position)
    }

    /// A board on which stones lie already. The set-up cannot be undone.
    ///
    /// >>> import lianzi
    /// >>> lianzi.Position.setup("gomoku", black=["h8", "i8"], white=["h9"], to_move="white").to_move
    /// 'white'
    #[classmethod]
    #[pyo3(signature = (game, black, white, to_move = Side(Stone::Black), stones_left = None))]
    fn setup(
        _class: &Bound<'_, PyType>,
        game: AnyGame,
        black: Vec<Bound<'_, PyAny>>,
        white: Vec<Bound<'_, PyAny>>,
        to_move: Side,
        stones_left: Option<u8>,
    ) -> PyResult<PyPosition> {
        let rules = game.rules()?;
        let empty = Position::new(rules);
        let mut stones = Vec::new();
        for (stone, given) in [(Stone::Black, black), (Stone::White, white)] {
            for given in given {
                // A set-up names cells: a column would depend on the order of the stones.
                let name = given.extract::<String>().ok().and_then(|name| name.parse().ok());
                stones.push(Ply { stone, cell: name.map_or_else(|| cell(&empty, &given), Ok)? });
            }
        }
        stones.sort_by_key(|ply| ply.cell.row);
        let setup = Setup { stones, to_move: to_move.0, stones_left: stones_left.unwrap_or(rules.per_turn) };
        Position::with_setup(rules, &setup).map(PyPosition::from).map_err(|bad| refused(&bad))
    }

    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame((*self.inner.rules()).into())
    }

    /// Puts a stone of the side to move on a cell.
    fn play(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let cell = cell(&self.inner, r#move)?;
        self.inner.play(cell).map_err(|why| illegal(&why))
    }

    /// Takes the last stone back and says where it was; None at the start.
    fn undo(&mut self) -> Option<String> {
        self.inner.undo().map(|cell| cell.to_string())
    }

    /// The cells on which the side to move may play, row by row from the bottom; none after the end.
    fn legal_moves(&self) -> Vec<String> {
        self.inner.legal().map(|cell| cell.to_string()).collect()
    }

    /// The same as numbers of actions, in order.
    fn legal_actions(&self) -> Vec<usize> {
        let mut found: Vec<usize> = self.inner.legal().map(|cell| action(self.inner.rules(), cell)).collect();
        found.sort_unstable();
        found
    }

    /// Why a move is not allowed, in a sentence; None if it is.
    ///
    /// >>> import lianzi
    /// >>> lianzi.Position("gomoku", "h8").why_not("h8")
    /// 'there is a stone already'
    #[pyo3(signature = (r#move, language = "en"))]
    fn why_not(&self, r#move: &Bound<'_, PyAny>, language: &str) -> PyResult<Option<String>> {
        let language = crate::language(language)?;
        let refused = cell(&self.inner, r#move).map(|cell| self.inner.check(cell));
        match refused {
            Ok(checked) => Ok(checked.err().map(|why| why.words(language))),
            Err(error) if error.is_instance_of::<crate::error::IllegalMove>(r#move.py()) => {
                let value = error.value(r#move.py());
                Ok(Some(match language {
                    lianzi_core::Language::English => value.to_string(),
                    lianzi_core::Language::Chinese => value.getattr("zh")?.to_string(),
                }))
            }
            Err(error) => Err(error),
        }
    }

    /// Who won: "black", "white" or "draw"; None while the game goes on.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        self.inner.outcome().map(outcome_name)
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.inner.outcome().is_some()
    }

    /// Who places the next stone.
    #[getter]
    fn to_move(&self) -> &'static str {
        side_name(self.inner.to_move())
    }

    /// How many stones the side to move still has to place in this turn; 0 after the end.
    #[getter]
    fn stones_left(&self) -> u8 {
        self.inner.stones_left()
    }

    /// What was played, in order.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.inner.plies().iter().map(|ply| ply.cell.to_string()).collect()
    }

    /// The cells of the winning line; None unless somebody has won by one.
    #[getter]
    fn winning_line(&self) -> Option<Vec<String>> {
        self.inner.winning_line().map(|cells| names(&cells))
    }

    /// A number of 64 bits that tells positions apart; the same in every version.
    #[getter]
    fn hash(&self) -> u64 {
        self.inner.hash()
    }

    /// What a cell holds: "black", "white", "blocked", or None when it is free.
    fn stone(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
        let named = r#move.extract::<String>().ok().and_then(|name| name.parse::<Cell>().ok());
        let cell = named.map_or_else(|| cell(&self.inner, r#move), Ok)?;
        match self.inner.content(cell) {
            Some(Content::Stone(stone)) => Ok(Some(side_name(stone))),
            Some(Content::Blocked) => Ok(Some("blocked")),
            Some(Content::Empty) => Ok(None),
            None => Err(illegal(&lianzi_core::IllegalMove::OffBoard)),
        }
    }

    /// The number of the action that a move is.
    ///
    /// >>> import lianzi
    /// >>> lianzi.Position("gomoku").action("h8"), lianzi.Position("connect4").action("d1")
    /// (112, 3)
    fn action(&self, r#move: &Bound<'_, PyAny>) -> PyResult<usize> {
        cell(&self.inner, r#move).map(|cell| action(self.inner.rules(), cell))
    }

    /// The name of the cell on which an action puts its stone.
    fn cell(&self, action: i64) -> PyResult<String> {
        cell_of_action(&self.inner, action).map(|cell| cell.to_string())
    }

    /// Everything that threatens, of one side or of both, nearest lines first.
    ///
    /// >>> import lianzi
    /// >>> lianzi.Position("gomoku", "h8 a1 i8 a3 j8 a5").threats("black")
    /// [Threat(black three: h8 i8 j8, at g8), Threat(black three: h8 i8 j8, at k8)]
    #[pyo3(signature = (side = None))]
    fn threats(&self, side: Option<Side>) -> Vec<PyThreat> {
        let sides = Stone::BOTH.into_iter().filter(|stone| side.as_ref().is_none_or(|side| side.0 == *stone));
        sides.flat_map(|stone| self.threats_of(stone)).collect()
    }

    /// The cells on which the side to move must play now, lest the other completes a line.
    fn must_hit(&self) -> Vec<String> {
        names(&must_hit(&self.inner))
    }

    /// The free cells that renju forbids to the side to move, with the reason of each.
    ///
    /// >>> import lianzi
    /// >>> lianzi.Position.setup("renju", ["g8", "i8", "h7", "h9"], ["a1", "a3", "a5", "o1"]).forbidden()
    /// {'h8': 'a double three'}
    #[pyo3(signature = (language = "en"))]
    fn forbidden(&self, language: &str) -> PyResult<std::collections::BTreeMap<String, String>> {
        let language = crate::language(language)?;
        if self.inner.rules().forbidden == Forbidden::Nothing || self.inner.outcome().is_some() {
            return Ok(Default::default());
        }
        let fouls = self.inner.empty_cells().filter_map(|cell| self.inner.foul(cell).map(|foul| (cell, foul)));
        Ok(fouls.map(|(cell, foul)| (cell.to_string(), foul.words(language))).collect())
    }

    /// How many sequences of exactly so many stones can be played from here.
    ///
    /// >>> import lianzi
    /// >>> lianzi.Position("connect4").perft(4)
    /// 2401
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        let mut position = self.inner.clone();
        py.detach(|| perft(&mut position, depth))
    }

    /// The same count split by the first stone.
    fn divide(&self, py: Python<'_>, depth: u32) -> std::collections::BTreeMap<String, u64> {
        let mut position = self.inner.clone();
        let counts = py.detach(|| divide(&mut position, depth));
        counts.into_iter().map(|(cell, count)| (cell.to_string(), count)).collect()
    }

    /// The board as a numpy array of rows from the bottom: 0 empty, 1 black, 2 white, 3 blocked.
    ///
    /// >>> import lianzi
    /// >>> lianzi.Position("connect4", "d1 d2").array()[:3, 3].tolist()
    /// [1, 2, 0]
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rules = self.inner.rules();
        let number = |cell| match self.inner.content(cell) {
            Some(Content::Stone(stone)) => 1 + stone.index() as u8,
            Some(Content::Blocked) => 3,
            _ => 0,
        };
        let bytes: Vec<u8> = rules.cells().map(number).collect();
        numpy(py, &bytes, (usize::from(rules.height), usize::from(rules.width)))
    }

    /// The position as a network sees it, by its side to move: the planes of VectorEnv.
    ///
    /// >>> import lianzi
    /// >>> lianzi.Position("connect4", "d1").planes().shape
    /// (2, 6, 7)
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rules = self.inner.rules();
        let planes = Planes::of(rules);
        let bytes = planes.write(&self.inner);
        numpy(py, &bytes, (planes.count(), usize::from(rules.height), usize::from(rules.width)))
    }

    /// A picture for a page.
    fn svg(&self) -> String {
        svg::draw(&self.inner)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    /// The board in plain letters: X black, O white.
    fn ascii(&self) -> String {
        self.inner.ascii().to_string()
    }

    /// A position of its own with the same stones.
    fn copy(&self) -> PyPosition {
        self.clone()
    }

    fn __copy__(&self) -> PyPosition {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyPosition {
        self.clone()
    }

    fn __len__(&self) -> usize {
        self.inner.plies().len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __eq__(&self, other: &PyPosition) -> bool {
        self.inner == other.inner
    }

    fn __str__(&self) -> String {
        self.inner.unicode().to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position(\"{}\", \"{}\")", self.inner.rules(), self.moves().join(" "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let read = py.import("lianzi._lianzi")?.getattr("_position_from_json")?;
        Ok((read, (self.record().to_json(),)))
    }
}

/// Reads what a pickled position was written as.
#[pyfunction]
pub fn _position_from_json(text: &str) -> PyResult<PyPosition> {
    let read = Format::Json.read(&Document::Single(text.into()), None).map_err(|error| refused(&error))?;
    let empty = || said(Text::fixed("the file holds no game", "文件中没有棋局"));
    let loaded = read.into_iter().next().ok_or_else(empty)?;
    Ok(loaded.whole().map_err(|error| refused(&error))?.position().into())
}

/// Bytes as a numpy array of this shape that its owner may write to.
pub fn numpy<'py>(py: Python<'py>, bytes: &[u8], shape: impl IntoPyObject<'py>) -> PyResult<Bound<'py, PyAny>> {
    let flat = py.import("numpy")?.call_method1("frombuffer", (PyBytes::new(py, bytes), "uint8"))?;
    flat.call_method1("reshape", (shape,))?.call_method0("copy")
}
