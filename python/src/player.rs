//! Functions of Python, and engines that it holds, as players in this process: what they answer is judged like any other answer.

use std::sync::Arc;

use lianzi_cage::wire::CageNews;
use lianzi_core::record::Eval;
use lianzi_core::{Cell, Fault, Position, Speak, StartFault, Verdict, shorten};
use lianzi_engine::{Limits, NoEngine, Report};
use lianzi_game::clock::Control;
use lianzi_game::judge::Answer;
use lianzi_game::player::{Ask, Player, Reply, Seat, own_limits};
use lianzi_players::{Interface, course_call, kaggle_call};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::argument::cell;
use crate::engine::Shared;
use crate::error::IllegalMove;
use crate::position::PyPosition;
use crate::wait::locked;

/// What a function is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Our own: it gets a `Position` and returns a move, or a list of moves for a whole turn.
    Position,
    /// As a course or Kaggle asks it. Its answers pass the script that speaks for strategies in cages.
    Strategy(Interface),
}

/// How much of what an exception says a verdict tells.
const LONGEST: usize = 300;

/// A function that plays.
pub struct FunctionPlayer {
    function: Arc<Py<PyAny>>,
    manner: Manner,
    control: Control,
    said: String,
}

impl FunctionPlayer {
    /// The function as a player. For a strategy it is `answer` of `lianzi.course`: a JSON text in, one out, and a text to keep.
    pub fn new(function: Arc<Py<PyAny>>, manner: Manner) -> FunctionPlayer {
        FunctionPlayer { function, manner, control: Control::default(), said: String::new() }
    }

    /// A turn by our own manner: a function that answers one stone is asked again for the next.
    fn turn(&mut self, py: Python<'_>, position: &Position) -> Result<Reply, Fault> {
        let mut after = position.clone();
        let mut turn = Vec::new();
        while turn.is_empty() || after.stones_left() > 0 && after.mid_turn() {
            let asked = PyPosition::from(after.clone());
            let answer = self.function.call1(py, (asked,)).map_err(|error| self.raised(py, &error))?;
            let answer = answer.bind(py);
            if answer.cast::<PyString>().is_ok_and(|word| word == "resign") {
                return Ok(Reply { resigns: true, ..Reply::default() });
            }
            if let Ok(list) = answer.cast::<PyList>() {
                for stone in list.iter() {
                    turn.push(stone_of(&after, &stone)?);
                    if let Some(Answer::Cell(cell)) = turn.last() {
                        // What may not be played the judge will see.
                        let _ = after.play(*cell);
                    }
                }
                break;
            }
            let stone = stone_of(&after, answer)?;
            let played = matches!(&stone, Answer::Cell(cell) if after.play(*cell).is_ok());
            turn.push(stone);
            if !played {
                break;
            }
        }
        Ok(Reply { turn, ..Reply::default() })
    }

    /// Lets a strategy load itself for a new game.
    fn load(&mut self, py: Python<'_>) -> Result<(), Fault> {
        let told = self.function.call_method0(py, "begin").and_then(|told| told.extract::<(String, String)>(py));
        let (news, said) = told.map_err(|error| self.raised(py, &error))?;
        self.said += &said;
        match serde_json::from_str::<CageNews>(&news).map(CageNews::bounded) {
            Ok(CageNews::Ready) => Ok(()),
            Ok(CageNews::Missing(function)) => Err(Fault::NotStarted(StartFault::MissingFunction, function)),
            Ok(CageNews::Unloadable(why)) => Err(Fault::NotStarted(StartFault::Unloadable, why)),
            _ => Err(Fault::NotStarted(StartFault::Unloadable, news)),
        }
    }

    /// A turn by the manner of a course.
    fn strategy(&mut self, py: Python<'_>, ask: &Ask<'_>, interface: Interface) -> Result<Reply, Fault> {
        let order = match interface {
            Interface::Kaggle => kaggle_call(ask, &self.control),
            _ => course_call(ask.position),
        };
        let until = self.control.per_move.map(|time| (time + self.control.margin).as_secs_f64());
        let told: (String, String) = self
            .function
            .call1(py, (order.to_string(), until))
            .and_then(|told| told.extract(py))
            .map_err(|error| self.raised(py, &error))?;
        self.said += &told.1;
        if told.0 == "late" {
            return Err(Fault::Late);
        }
        let news = serde_json::from_str::<CageNews>(&told.0).map_err(|_| Fault::Garbled(shorten(&told.0)))?.bounded();
        let answer = interface.answer(news, ask.position)?;
        Ok(Reply { turn: vec![answer], ..Reply::default() })
    }

    /// An exception is a crash, and its traceback is kept.
    fn raised(&mut self, py: Python<'_>, error: &PyErr) -> Fault {
        let formatted = || -> PyResult<(String, Option<u32>)> {
            let traceback = py.import("traceback")?;
            let parts = (error.get_type(py), error.value(py), error.traceback(py));
            let lines: Vec<String> = traceback.call_method1("format_exception", parts)?.extract()?;
            let frames = traceback.call_method1("extract_tb", (error.traceback(py),))?;
            let last = frames.call_method1("__getitem__", (-1,)).and_then(|frame| frame.getattr("lineno")?.extract());
            Ok((lines.concat(), last.ok()))
        };
        let (told, line) = formatted().unwrap_or_default();
        self.said += &told;
        let what = error.get_type(py).name().map_or_else(|_| "exception".into(), |name| name.to_string());
        let words: String = error.value(py).to_string().replace('\n', " ").chars().take(LONGEST).collect();
        let line = line.map_or_else(String::new, |line| format!(" (line {line})"));
        Fault::Crashed(format!("exception {what}: {words}{line}"))
    }
}

/// The stone that a value means. One off the board is a foul of its own; what is no move cannot be understood.
fn stone_of(position: &Position, given: &Bound<'_, PyAny>) -> Result<Answer, Fault> {
    let py = given.py();
    match cell(position, given) {
        Ok(cell) => Ok(Answer::Cell(cell)),
        Err(error) if error.is_instance_of::<IllegalMove>(py) => full_column(position, given)
            .map_or_else(|| Ok(Answer::Beyond(shorten(&given.to_string()))), |cell| Ok(Answer::Cell(cell))),
        Err(_) => {
            let kind = given.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
            let shown = given.repr().map_or_else(|_| String::new(), |shown| shown.to_string());
            Err(Fault::Garbled(if given.is_none() { "None".into() } else { shorten(&format!("{kind} {shown}")) }))
        }
    }
}

/// A stone for a full column is one on its top cell, where a stone lies already.
fn full_column(position: &Position, given: &Bound<'_, PyAny>) -> Option<Cell> {
    let rules = position.rules();
    let column = given.extract::<u8>().ok().filter(|&column| column < rules.width)?;
    (rules.placement == lianzi_core::Placement::Drop).then(|| Cell::new(column, rules.height - 1))
}

impl Player for FunctionPlayer {
    fn sit(&mut self, seat: &Seat<'_>) -> Result<(), Fault> {
        (self.control, self.said) = (*seat.control, String::new());
        match self.manner {
            Manner::Strategy(interface) if !interface.plays(seat.rules) => {
                let none = NoEngine::Game { name: "the strategy".into(), game: seat.rules.to_string() };
                Err(Fault::NotStarted(StartFault::Unloadable, none.text().english.into_owned()))
            }
            Manner::Strategy(_) => Python::attach(|py| self.load(py)),
            Manner::Position => Ok(()),
        }
    }

    fn take_turn(&mut self, ask: &Ask<'_>, _: Report<'_>) -> Result<Reply, Fault> {
        Python::attach(|py| match self.manner {
            Manner::Position => self.turn(py, ask.position),
            Manner::Strategy(interface) => self.strategy(py, ask, interface),
        })
    }

    fn leave(&mut self, _: &Verdict) {}

    fn said(&mut self) -> Option<String> {
        Some(std::mem::take(&mut self.said)).filter(|said| !said.is_empty())
    }
}

/// An engine that Python holds, on the thread that asks: it ends by its limits or the interrupt.
pub struct HeldEngine {
    shared: Shared,
    own: Limits,
}

impl HeldEngine {
    /// The engine with limits of its own.
    pub fn new(shared: Shared, own: Limits) -> HeldEngine {
        HeldEngine { shared, own }
    }
}

impl Player for HeldEngine {
    fn sit(&mut self, seat: &Seat<'_>) -> Result<(), Fault> {
        locked(&self.shared).begin(seat.seed);
        Ok(())
    }

    fn take_turn(&mut self, ask: &Ask<'_>, watch: Report<'_>) -> Result<Reply, Fault> {
        let limits = own_limits(&self.own, &ask.limits);
        let best = locked(&self.shared).search(ask.position, &limits, ask.interrupt, watch);
        let (depth, nodes) = (Some(best.info.depth), Some(best.info.nodes));
        let line = best.info.lines.first();
        let eval = line.map(|line| Eval { score: line.score, win_in: line.win_in, depth, nodes });
        Ok(Reply { turn: best.turn.into_iter().map(Answer::Cell).collect(), eval, ..Reply::default() })
    }

    fn leave(&mut self, _: &Verdict) {}
}
