//! Records of games in Python, in every format, and the judge.

use lianzi_core::record::{Document, Format, GameRecord, LoadError, Loaded, Reason};
use lianzi_core::{Stone, Verdict};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::argument::AnyGame;
use crate::error::{refused, said};
use crate::game::PyGame;
use crate::position::{PyPosition, outcome_name, side_name};

/// A game as it was played. Its moves are legal: whatever was read has passed the referee.
///
/// >>> import lianzi
/// >>> record = lianzi.Record(lianzi.Position("connect4", "a b a b a b a"), black="me", white="you")
/// >>> record.outcome, record.words()
/// ('black', 'Red wins with four in a row')
/// >>> record.write("columns")
/// b'# game: connect4\n1212121\n'
#[pyclass(module = "lianzi", name = "Record", frozen)]
pub struct PyRecord {
    pub inner: GameRecord,
}

impl From<GameRecord> for PyRecord {
    fn from(inner: GameRecord) -> PyRecord {
        PyRecord { inner }
    }
}

fn format(name: &str) -> PyResult<Format> {
    name.parse().map_err(said)
}

#[pymethods]
impl PyRecord {
    #[new]
    #[pyo3(signature = (position, black = "", white = ""))]
    fn new(position: PyRef<'_, PyPosition>, black: &str, white: &str) -> PyRecord {
        let mut record = GameRecord::from_position(&position.inner);
        record.sides[0].name = black.into();
        record.sides[1].name = white.into();
        record.into()
    }

    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame(self.inner.rules.into())
    }

    /// The names of the players, Black's first.
    #[getter]
    fn players(&self) -> (&str, &str) {
        (&self.inner.sides[0].name, &self.inner.sides[1].name)
    }

    /// What was played, stone by stone.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.inner.moves.iter().map(|played| played.cell.to_string()).collect()
    }

    /// How many of the moves were a given opening.
    #[getter]
    fn opening(&self) -> usize {
        self.inner.opening
    }

    /// Who won: "black", "white", "draw", or None if the game is not over.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        self.inner.verdict.outcome.map(outcome_name)
    }

    /// What ended the game: "line", "full", "illegal", "timeout", "crashed" and so on.
    #[getter]
    fn ending(&self) -> &'static str {
        self.inner.verdict.ending.name()
    }

    /// Who is to blame, when the ending is a fault.
    #[getter]
    fn blame(&self) -> Option<&'static str> {
        self.inner.verdict.blame.map(side_name)
    }

    /// The verdict in a sentence, in "en" or "zh".
    #[pyo3(signature = (language = "en"))]
    fn words(&self, language: &str) -> PyResult<String> {
        Ok(self.inner.verdict.words(&self.inner.rules, crate::language(language)?))
    }

    /// The scores that the players told, one a move, each from the side that moved; None where none was told.
    #[getter]
    fn scores(&self) -> Vec<Option<i32>> {
        self.inner.moves.iter().map(|played| played.eval.map(|eval| eval.score)).collect()
    }

    /// The milliseconds that the players took, one a move; None where nobody measured.
    #[getter]
    fn times_ms(&self) -> Vec<Option<u64>> {
        self.inner.moves.iter().map(|played| played.time_ms).collect()
    }

    /// The remarks, one a move.
    #[getter]
    fn comments(&self) -> Vec<&str> {
        self.inner.moves.iter().map(|played| played.comment.as_str()).collect()
    }

    /// What else the record says of the game.
    #[getter]
    fn tags(&self) -> std::collections::BTreeMap<String, Vec<String>> {
        self.inner.tags.iter().map(|tag| (tag.name.clone(), tag.values.clone())).collect()
    }

    /// The end of what a player printed besides its moves, tracebacks included.
    fn said(&self, side: crate::argument::Side) -> &str {
        &self.inner.side(side.0).said
    }

    /// The position after so many moves; without a number, at the end.
    #[pyo3(signature = (plies = None))]
    fn position(&self, plies: Option<usize>) -> PyPosition {
        self.inner.position_at(plies.unwrap_or(self.inner.moves.len())).into()
    }

    /// The record in a format: json, sgf, psq, chess-save, columns, moves, matrix-s0 or matrix-s2.
    fn write<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        match write_all(vec![self.inner.clone()], format)? {
            Document::Single(bytes) => Ok(PyBytes::new(py, &bytes)),
            Document::Pair { .. } => Err(refused(&LoadError { line: 0, reason: Reason::WrongFiles })),
        }
    }

    fn __len__(&self) -> usize {
        self.inner.moves.len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __eq__(&self, other: &PyRecord) -> bool {
        self.inner == other.inner
    }

    fn __repr__(&self) -> String {
        let (black, white) = self.players();
        let Verdict { outcome, .. } = self.inner.verdict;
        let outcome = outcome.map_or("unfinished", outcome_name);
        format!("Record({}, {black:?} – {white:?}, {} moves, {outcome})", self.inner.rules, self.inner.moves.len())
    }

    fn _repr_svg_(&self) -> String {
        crate::svg::draw(&self.inner.position())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let read = py.import("lianzi._lianzi")?.getattr("_record_from_json")?;
        Ok((read, (self.inner.to_json(),)))
    }
}

fn write_all(records: Vec<GameRecord>, name: &str) -> PyResult<Document> {
    format(name)?.write(&records).map_err(|why| refused(&why))
}

/// Reads what a pickled record was written as.
#[pyfunction]
pub fn _record_from_json(text: &str) -> PyResult<PyRecord> {
    let loaded = load("", Document::Single(text.into()), Some("json"), None)?;
    let first = loaded.into_iter().next();
    let none = || refused(&LoadError { line: 0, reason: Reason::Empty });
    first.ok_or_else(none)?.whole().map(PyRecord::from).map_err(|error| refused(&error))
}

/// Writes records: the bytes of one file, or of the two of a pair.
#[pyfunction]
pub fn _write<'py>(
    py: Python<'py>,
    records: Vec<PyRef<'py, PyRecord>>,
    format: &str,
) -> PyResult<(Bound<'py, PyBytes>, Option<Bound<'py, PyBytes>>)> {
    let records = records.iter().map(|record| record.inner.clone()).collect();
    Ok(match write_all(records, format)? {
        Document::Single(bytes) => (PyBytes::new(py, &bytes), None),
        Document::Pair { black, white } => (PyBytes::new(py, &black), Some(PyBytes::new(py, &white))),
    })
}

fn load(name: &str, document: Document, wanted: Option<&str>, game: Option<AnyGame>) -> PyResult<Vec<Loaded>> {
    let unknown = || refused(&LoadError { line: 0, reason: Reason::UnknownFormat });
    let format = match wanted {
        Some(wanted) => format(wanted)?,
        None => Format::detect(name, &document).ok_or_else(unknown)?,
    };
    let rules = game.map(|game| game.rules()).transpose()?;
    format.read(&document, rules).map_err(|error| refused(&error))
}

fn document(bytes: Vec<u8>, white: Option<Vec<u8>>) -> Document {
    match white {
        Some(white) => Document::Pair { black: bytes, white },
        None => Document::Single(bytes),
    }
}

/// Reads all games of a document; one that breaks the rules is an error.
#[pyfunction]
#[pyo3(signature = (name, bytes, white = None, format = None, game = None))]
pub fn _read(
    py: Python<'_>,
    name: &str,
    bytes: Vec<u8>,
    white: Option<Vec<u8>>,
    format: Option<&str>,
    game: Option<AnyGame>,
) -> PyResult<Vec<PyRecord>> {
    let loaded = py.detach(|| load(name, document(bytes, white), format, game))?;
    loaded.into_iter().map(|game| game.whole().map(PyRecord::from).map_err(|error| refused(&error))).collect()
}

/// What the referee says of every game of a document: a dictionary for each, with the keys of `lianzi judge --json`.
#[pyfunction]
#[pyo3(signature = (name, bytes, white = None, format = None, game = None, language = "en"))]
pub fn _judge<'py>(
    py: Python<'py>,
    name: &str,
    bytes: Vec<u8>,
    white: Option<Vec<u8>>,
    format: Option<&str>,
    game: Option<AnyGame>,
    language: &str,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let language = crate::language(language)?;
    let loaded = py.detach(|| load(name, document(bytes, white), format, game))?;
    let told = |game: Loaded| {
        let told = PyDict::new(py);
        let Verdict { outcome, ref ending, blame } = game.record.verdict;
        told.set_item("game", game.record.rules.to_string())?;
        told.set_item("outcome", outcome.map(outcome_name))?;
        told.set_item("ending", ending.name())?;
        told.set_item("plies", game.record.moves.len())?;
        told.set_item("words", game.words(language))?;
        told.set_item("foul", game.is_foul())?;
        told.set_item("blame", blame.map(|stone: Stone| side_name(stone)))?;
        told.set_item("line", game.problem.map(|problem| problem.line))?;
        let line = game.record.position().winning_line();
        told.set_item("winning_line", line.map(|cells| crate::argument::names(&cells)))?;
        told.set_item("record", PyRecord::from(game.record))?;
        Ok(told)
    };
    loaded.into_iter().map(told).collect()
}
