//! Engines in Python: asked once, or listened to while they think.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use lianzi_classic::catalog;
use lianzi_core::{Outcome, Position, Rules, Speak, Text, text};
use lianzi_engine::chance::Scores;
use lianzi_engine::{Best, Engine, Info, Limits, NoEngine, Options, Stop};
use lianzi_players::PlayerSpec;
use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyType};

use crate::argument::{AnyGame, Time, limits, names};
use crate::error::{broken, refused, said};
use crate::position::PyPosition;
use crate::wait::{LOOK_UP, interruptible, locked};

/// An engine that the threads of Python share; it thinks about one question at a time.
pub type Shared = Arc<Mutex<Box<dyn Engine>>>;

/// A turn and what would follow.
#[pyclass(module = "lianzi", name = "Line", frozen, get_all)]
#[derive(Clone)]
pub struct PyLine {
    /// What it is worth to the side to move, in the engine's own unit.
    score: i32,
    /// A proven end in so many plies: positive when winning, negative when losing, 0 for a draw; None if nothing is proven.
    win_in: Option<i32>,
    /// The chance of the side to move, from 0 to 1; None where the engine's scores do not tell.
    chance: Option<f64>,
    /// The expected stones, this turn's first.
    cells: Vec<String>,
}

#[pymethods]
impl PyLine {
    fn __repr__(&self) -> String {
        let end = self.win_in.map_or_else(String::new, |plies| format!(", win_in={plies}"));
        format!("Line(score={}{end}, {})", self.score, self.cells.join(" "))
    }
}

/// What an engine thinks of a position.
#[pyclass(module = "lianzi", name = "Analysis", frozen, get_all)]
#[derive(Clone)]
pub struct PyAnalysis {
    /// The stones to place.
    turn: Vec<String>,
    /// The best turns with their lines, best first.
    lines: Vec<PyLine>,
    /// The last completed depth.
    depth: u32,
    /// Positions or playouts looked at.
    nodes: u64,
    /// Whether the engine has ended its search.
    done: bool,
}

#[pymethods]
impl PyAnalysis {
    /// What the best line is worth to the side to move; None if the engine told no line.
    #[getter]
    fn score(&self) -> Option<i32> {
        self.lines.first().map(|line| line.score)
    }

    fn __repr__(&self) -> String {
        let score = self.score().map_or_else(String::new, |score| format!(", score={score}"));
        format!("Analysis({}{score}, depth={}, nodes={})", self.turn.join(" "), self.depth, self.nodes)
    }
}

/// One of our engines, by its name in the catalog, with its options: lianzi.engine() makes them.
///
/// It plays every game that its name plays, remembers what helps it, and thinks about one question at a time; threads that
/// want to think at once need an engine each. Python's other threads run while it thinks, and Ctrl-C stops it.
#[pyclass(module = "lianzi", name = "Engine", frozen)]
pub struct PyEngine {
    /// Its name in the catalog.
    pub name: String,
    /// What it may use where a question does not say.
    pub own: Limits,
    /// The engine itself.
    pub shared: Shared,
}

/// Makes an engine, or says why not.
pub fn make(name: &str, game: Option<Rules>, options: &Options) -> Result<Box<dyn Engine>, NoEngine> {
    if let Some(rules) = game {
        return catalog::engine(name, &rules, options);
    }
    // An engine adapts itself to the game it is asked about; made for nobody's game, it begins with one that it plays.
    let any = ["gomoku", "connect4", "connect6"].into_iter().filter_map(|name| name.parse::<Rules>().ok());
    let mut refused = None;
    for rules in any {
        match catalog::engine(name, &rules, options) {
            Err(none @ NoEngine::Game { .. }) => refused = Some(none),
            made => return made,
        }
    }
    Err(refused.unwrap_or(NoEngine::Unknown { name: name.into(), known: lianzi_classic::BUILT_IN }))
}

/// The options of an engine, as texts.
fn options(seed: u64, given: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    let mut options = Options { seed, given: BTreeMap::new() };
    for (key, value) in given.into_iter().flatten() {
        let value = match value.cast::<PyBool>() {
            Ok(switch) => if switch.is_true() { "on" } else { "off" }.to_string(),
            Err(_) => value.str()?.to_string(),
        };
        options.given.insert(key.extract()?, value);
    }
    Ok(options)
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (name = "strong", game = None, seed = 0, **given))]
    fn new(
        py: Python<'_>,
        name: &str,
        game: Option<AnyGame>,
        seed: u64,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyEngine> {
        let rules = game.map(|game| game.rules()).transpose()?;
        let options = options(seed, given)?;
        // Large tables take their time.
        let engine = py.detach(|| make(name, rules, &options)).map_err(|none| refused(&none))?;
        Ok(PyEngine { name: name.into(), own: Limits::default(), shared: Arc::new(Mutex::new(engine)) })
    }

    /// The engine that a player of the command line is, with its limits.
    ///
    /// >>> import lianzi
    /// >>> engine = lianzi.Engine.named("strong@level=3,nodes=50", "connect4")
    /// >>> engine.analyze(lianzi.Position("connect4")).nodes <= 60
    /// True
    #[classmethod]
    #[pyo3(signature = (player, game))]
    fn named(_class: &Bound<'_, PyType>, py: Python<'_>, player: &str, game: AnyGame) -> PyResult<PyEngine> {
        let spec: PlayerSpec = player.parse().map_err(|bad| refused(&bad))?;
        let rules = game.rules()?;
        let engine = py.detach(|| spec.engine(&rules)).map_err(|none| refused(&none))?;
        let engine = engine.ok_or_else(|| said(text!("{spec} is none of our engines", "{spec} 不是内置引擎")))?;
        let name = player.split('@').next().unwrap_or_default().into();
        Ok(PyEngine { name, own: spec.limits.clone(), shared: Arc::new(Mutex::new(engine)) })
    }

    /// Its name in the catalog.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// A new game begins: forget the last one, and draw random numbers from this seed.
    #[pyo3(signature = (seed = 0))]
    fn begin(&self, py: Python<'_>, seed: u64) {
        py.detach(|| locked(&self.shared).begin(seed));
    }

    /// Thinks about a position and answers. Every limit that is given holds; without any the engine decides.
    ///
    /// >>> import lianzi
    /// >>> engine = lianzi.engine("strong")
    /// >>> best = engine.analyze(lianzi.Position("connect4", "a b a b a b"), nodes=1000)
    /// >>> best.turn, best.lines[0].win_in
    /// (['a4'], 1)
    #[pyo3(signature = (position, *, nodes = None, depth = None, time = None, lines = 1))]
    fn analyze(
        &self,
        py: Python<'_>,
        position: PyRef<'_, PyPosition>,
        nodes: Option<u64>,
        depth: Option<u32>,
        time: Option<Time>,
        lines: usize,
    ) -> PyResult<PyAnalysis> {
        let position = open(&position.inner)?;
        let (limits, stop) = (self.limits(limits(nodes, depth, time, lines)), Stop::default());
        let best = interruptible(py, &stop, || locked(&self.shared).search(&position, &limits, &stop, &mut |_| {}))?;
        self.answer(&position, &best)
    }

    /// The same as an iterator over what it thinks while it thinks; the last item is the answer. Leaving the loop, or
    /// stop(), ends the search.
    ///
    /// >>> import lianzi
    /// >>> thoughts = list(lianzi.engine("strong").think(lianzi.Position("gomoku", "h8 i9"), nodes=2000))
    /// >>> thoughts[-1].done, len(thoughts) > 1
    /// (True, True)
    #[pyo3(signature = (position, *, nodes = None, depth = None, time = None, lines = 1))]
    fn think(
        &self,
        position: PyRef<'_, PyPosition>,
        nodes: Option<u64>,
        depth: Option<u32>,
        time: Option<Time>,
        lines: usize,
    ) -> PyResult<Thinking> {
        let position = open(&position.inner)?;
        let (limits, stop) = (self.limits(limits(nodes, depth, time, lines)), Stop::default());
        let (tell, news) = channel();
        let (shared, asked, flag) = (Arc::clone(&self.shared), position.clone(), stop.clone());
        let think = move || think(&shared, &asked, &limits, &flag, &tell);
        thread::Builder::new().name("engine".into()).spawn(think).map_err(|error| broken(error.to_string()))?;
        let scores = Scores::of(&self.name, position.rules());
        Ok(Thinking { position, scores, stop, news: Mutex::new(news), over: false })
    }

    /// An engine is a player: it answers its turn.
    #[pyo3(signature = (position, *, nodes = None, depth = None, time = None))]
    fn __call__(
        &self,
        py: Python<'_>,
        position: PyRef<'_, PyPosition>,
        nodes: Option<u64>,
        depth: Option<u32>,
        time: Option<Time>,
    ) -> PyResult<Vec<String>> {
        self.analyze(py, position, nodes, depth, time, 1).map(|analysis| analysis.turn)
    }

    fn __repr__(&self) -> String {
        format!("Engine(\"{}\")", self.name)
    }
}

impl PyEngine {
    /// What a question allows, and where it says nothing of a limit, the engine's own.
    fn limits(&self, asked: Limits) -> Limits {
        let Limits { depth, nodes, move_time, .. } = self.own;
        Limits {
            depth: asked.depth.or(depth),
            nodes: asked.nodes.or(nodes),
            move_time: asked.move_time.or(move_time),
            ..asked
        }
    }

    fn answer(&self, position: &Position, best: &Best) -> PyResult<PyAnalysis> {
        if best.turn.is_empty() {
            let (name, game) = (self.name.clone(), position.rules().to_string());
            return Err(refused(&NoEngine::Game { name, game }));
        }
        let scores = Scores::of(&self.name, position.rules());
        Ok(analysis(&best.info, names(&best.turn), scores, true))
    }
}

/// A copy of a position that an engine can be asked about.
pub fn open(position: &Position) -> PyResult<Position> {
    match position.outcome() {
        None => Ok(position.clone()),
        Some(outcome) => {
            let why = match outcome {
                Outcome::Win(stone) => stone.text(),
                Outcome::Draw => Text::fixed("nobody", "无人"),
            };
            Err(said(text!("the game is over: {why} won", "对局已经结束：{why}获胜"; why)))
        }
    }
}

fn analysis(info: &Info, turn: Vec<String>, scores: Scores, done: bool) -> PyAnalysis {
    let line = |line: &lianzi_engine::Line| PyLine {
        score: line.score,
        win_in: line.win_in,
        chance: scores.of_line(line),
        cells: names(&line.cells),
    };
    PyAnalysis { turn, lines: info.lines.iter().map(line).collect(), depth: info.depth, nodes: info.nodes, done }
}

enum Heard {
    Thought(Info),
    Answer(Best),
}

fn think(shared: &Shared, position: &Position, limits: &Limits, stop: &Stop, tell: &Sender<Heard>) {
    let best = locked(shared).search(position, limits, stop, &mut |info| {
        if tell.send(Heard::Thought(info.clone())).is_err() {
            stop.set();
        }
    });
    // Whoever has left the loop does not hear it.
    let _ = tell.send(Heard::Answer(best));
}

/// What an engine thinks while it thinks: an iterator.
#[pyclass(module = "lianzi", name = "Thinking")]
pub struct Thinking {
    position: Position,
    scores: Scores,
    stop: Stop,
    news: Mutex<Receiver<Heard>>,
    over: bool,
}

#[pymethods]
impl Thinking {
    /// Asks the engine to end its search; the answer still comes.
    fn stop(&self) {
        self.stop.set();
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<PyAnalysis> {
        loop {
            if self.over {
                return Err(PyStopIteration::new_err(()));
            }
            let news = &self.news;
            match py.detach(|| locked(news).recv_timeout(LOOK_UP)) {
                Ok(Heard::Thought(info)) => {
                    let stones = usize::from(self.position.stones_left());
                    let first = info.lines.first().map(|line| &line.cells[..line.cells.len().min(stones)]);
                    return Ok(analysis(&info, names(first.unwrap_or_default()), self.scores, false));
                }
                Ok(Heard::Answer(best)) => {
                    self.over = true;
                    return Ok(analysis(&best.info, names(&best.turn), self.scores, true));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.over = true;
                    return Err(broken("the engine came to grief".into()));
                }
                Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| self.stop.set())?,
            }
        }
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.stop.set();
    }
}

/// What every engine plays, as `lianzi bench signature` prints it: a line each, and their sum.
#[pyfunction]
pub fn signature(py: Python<'_>) -> PyResult<(Vec<String>, String)> {
    use lianzi_engine::signature::{ROWS, signature, total};
    let all: Vec<_> = interruptible(py, &Stop::default(), || {
        ROWS.iter().chain(catalog::ROWS).filter_map(|&row| signature(row, catalog::engine)).collect()
    })?;
    let nodes = all.iter().map(|found| found.nodes).sum::<u64>();
    Ok((all.iter().map(ToString::to_string).collect(), format!("{nodes} {:08x}", total(&all))))
}
