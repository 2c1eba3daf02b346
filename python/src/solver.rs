//! Exact results and proven wins in Python.

use std::collections::BTreeMap;
use std::sync::Mutex;

use lianzi_core::{Position, Rules};
use lianzi_engine::catalog::{self, Setting};
use lianzi_engine::solve::{Solution, Solved, Solver};
use lianzi_engine::workshop::connect4::ConnectFour;
use lianzi_engine::{Family, Stop};
use pyo3::prelude::*;

use crate::argument::{AnyGame, Time, limits, names};
use crate::engine::open;
use crate::error::{refused, said};
use crate::position::PyPosition;
use crate::wait::{interruptible, locked};

/// What came of solving a position, seen by the side to move.
#[pyclass(module = "lianzi", name = "Solution", frozen, get_all)]
pub struct PySolution {
    /// "win", "loss", "draw", or "unknown" when nothing was proven.
    result: &'static str,
    /// The exact score where the solver knows it, as in Connect Four: how soon the game ends. 1 wins with the last stone of
    /// the side to move, 2 with the one before; negative when losing, 0 for a draw.
    score: Option<i32>,
    /// How it goes on, as far as it is known.
    line: Vec<String>,
    /// Positions looked at.
    nodes: u64,
    /// Whether the solver has tried all it can: then more time does not help.
    exhausted: bool,
}

#[pymethods]
impl PySolution {
    fn __repr__(&self) -> String {
        let score = self.score.map_or_else(String::new, |score| format!(", score={score}"));
        format!("Solution({}{score}, {})", self.result, self.line.join(" "))
    }
}

impl From<Solution> for PySolution {
    fn from(solution: Solution) -> PySolution {
        let Solution { result, score, line, nodes, exhausted, looked: _ } = solution;
        PySolution { result: result.name(), score, line: names(&line), nodes, exhausted }
    }
}

/// Our solvers differ in what they know of a position.
enum Kind {
    /// Exact scores of every stone.
    Exact(Box<ConnectFour>),
    /// Wins by force.
    Forced(Box<dyn Solver>),
}

/// Solves positions of a game: exactly in Connect Four; in five in a row and Connect6 by wins that are forced, proven and
/// replayed against every defence. What it learns from one position helps it with the next.
///
/// >>> import lianzi
/// >>> solver = lianzi.Solver("connect4")
/// >>> solver.solve(lianzi.Position("connect4", "44444466"))
/// Solution(win, score=16, e1 c1 g1)
#[pyclass(module = "lianzi", name = "Solver", frozen)]
pub struct PySolver {
    rules: Rules,
    kind: Mutex<Kind>,
}

#[pymethods]
impl PySolver {
    #[new]
    #[pyo3(signature = (game, table = 256, book = true))]
    fn new(py: Python<'_>, game: AnyGame, table: usize, book: bool) -> PyResult<PySolver> {
        let rules = game.rules()?;
        let table = table.clamp(1, 1 << 20) << 20;
        let kind = py.detach(|| match Family::of(&rules) {
            Family::ConnectFour => {
                let make = if book { ConnectFour::new } else { ConnectFour::without_book };
                make(&rules, table).map(|four| Kind::Exact(Box::new(four)))
            }
            _ => catalog::solver(&rules, Setting { table, ..Setting::default() }).map(Kind::Forced),
        });
        Ok(PySolver { rules, kind: Mutex::new(kind.map_err(|none| refused(&none))?) })
    }

    /// The result of a position, unless a limit ended the work before.
    ///
    /// >>> import lianzi
    /// >>> four = lianzi.Position("gomoku", "i8 a1 j8 a15 h9 o1 h10 o15")
    /// >>> lianzi.Solver("gomoku").solve(four).result
    /// 'win'
    #[pyo3(signature = (position, *, nodes = None, time = None))]
    fn solve(
        &self,
        py: Python<'_>,
        position: PyRef<'_, PyPosition>,
        nodes: Option<u64>,
        time: Option<Time>,
    ) -> PyResult<PySolution> {
        let position = position.inner.clone();
        self.check(&position)?;
        let (limits, stop) = (limits(nodes, None, time, 1), Stop::default());
        let solution = interruptible(py, &stop, || {
            let mut kind = locked(&self.kind);
            let solver: &mut dyn Solver = match &mut *kind {
                Kind::Exact(four) => four.as_mut(),
                Kind::Forced(solver) => solver.as_mut(),
            };
            let mut solution = solver.solve(&position, &limits, &stop);
            solver.extend(&position, &mut solution, &stop);
            solution
        })?;
        Ok(solution.into())
    }

    /// The exact score of every stone that can be played; None for those that a limit left open. Only Connect Four has them.
    ///
    /// >>> import lianzi
    /// >>> lianzi.Solver("connect4").scores(lianzi.Position("connect4", "44444466"))
    /// {'a1': 0, 'b1': 0, 'c1': -2, 'e1': 16, 'f3': -4, 'g1': 0}
    #[pyo3(signature = (position, *, nodes = None, time = None))]
    fn scores(
        &self,
        py: Python<'_>,
        position: PyRef<'_, PyPosition>,
        nodes: Option<u64>,
        time: Option<Time>,
    ) -> PyResult<BTreeMap<String, Option<i32>>> {
        let position = open(&position.inner)?;
        self.check(&position)?;
        let (limits, stop) = (limits(nodes, None, time, 1), Stop::default());
        let choices = interruptible(py, &stop, || match &mut *locked(&self.kind) {
            Kind::Exact(four) => Some(four.scores(&position, &limits, &stop, &mut |_, _| {})),
            Kind::Forced(_) => None,
        })?;
        let choices = choices.ok_or_else(|| {
            said(lianzi_core::Text::fixed("only Connect Four has exact scores", "只有四子棋有精确分数"))
        })?;
        Ok(choices.into_iter().map(|choice| (choice.cell.to_string(), choice.known.exact())).collect())
    }

    fn __repr__(&self) -> String {
        format!("Solver(\"{}\")", self.rules)
    }
}

impl PySolver {
    fn check(&self, position: &Position) -> PyResult<()> {
        if *position.rules() == self.rules {
            return Ok(());
        }
        let (game, other) = (self.rules, position.rules());
        Err(said(lianzi_core::text!(
            "this solver knows {game}, and the position is of {other}",
            "此求解器只解 {game}，而局面属于 {other}"
        )))
    }
}

/// The result of one solved position, as a number for the side to move.
pub fn number(solved: Solved) -> Option<i32> {
    match solved {
        Solved::Win => Some(1),
        Solved::Draw => Some(0),
        Solved::Loss => Some(-1),
        Solved::Unknown => None,
    }
}
