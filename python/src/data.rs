//! Data for learning: games as arrays, and labels of positions by several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use lianzi_core::{Position, Rules, Speak, Text, text};
use lianzi_engine::catalog::{Setting, solver};
use lianzi_engine::workshop::gomoku::Weights;
use lianzi_engine::workshop::network::{FORMS, Network};
use lianzi_engine::workshop::training::{Lesson, file};
use lianzi_engine::{Engine, Family, Limits, Stop};
use lianzi_players::PlayerSpec;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::argument::{AnyGame, Time, action, cell_of_action, limits};
use crate::error::{refused, said, system};
use crate::planes::Planes;
use crate::position::PyPosition;
use crate::solver::number;
use crate::wait::{interruptible, locked};

/// Bytes of an array of numbers.
type Bytes<'py> = Bound<'py, PyBytes>;

/// A file of self-played games: the game, then for each game its length, given stones and winner (0 nobody, 1 Black, 2 White),
/// and for each stone its action, the score before it (−32768: not asked) and whether it was quiet.
#[pyfunction]
pub fn _selfplay<'py>(py: Python<'py>, path: &str) -> PyResult<(String, [Bytes<'py>; 6])> {
    let lessons = py.detach(|| {
        let mut input = std::fs::File::open(path)?;
        file::read(&mut input)
    });
    let lessons = lessons.map_err(|error| match error.kind() {
        std::io::ErrorKind::Other => said(text!("{path}: not a file of self-played games", "{path}：不是自对弈文件")),
        _ => system(path, &error),
    })?;
    let rules = lessons.rules;
    let games = &lessons.games;
    let notes = || games.iter().flat_map(|game| &game.plies);
    let i32s = |numbers: &mut dyn Iterator<Item = i32>| {
        PyBytes::new(py, &numbers.flat_map(i32::to_le_bytes).collect::<Vec<_>>())
    };
    let winner = |game: &Lesson| match game.winner {
        _ if game.broken_off => 3,
        None => 0,
        Some(stone) => 1 + stone.index() as i32,
    };
    let arrays = [
        i32s(&mut games.iter().map(|game| game.plies.len() as i32)),
        i32s(&mut games.iter().map(|game| game.opening as i32)),
        i32s(&mut games.iter().map(winner)),
        i32s(&mut notes().map(|note| action(&rules, note.cell) as i32)),
        i32s(&mut notes().map(|note| note.score.map_or(i32::from(i16::MIN), i32::from))),
        i32s(&mut notes().map(|note| i32::from(note.quiet))),
    ];
    Ok((rules.to_string(), arrays))
}

/// The planes of every position of these games before each stone but the first `skip`, one after another, and the sides to
/// move: 0 Black, 1 White.
#[pyfunction]
pub fn _replay<'py>(
    py: Python<'py>,
    game: AnyGame,
    games: Vec<Vec<i64>>,
    skip: Vec<usize>,
) -> PyResult<(Bytes<'py>, Bytes<'py>)> {
    let rules = game.rules()?;
    let planes = Planes::of(&rules);
    let (mut seen, mut sides) = (Vec::new(), Vec::new());
    for (moves, skip) in games.iter().zip(skip) {
        let mut position = Position::new(rules);
        for (n, &given) in moves.iter().enumerate() {
            if n >= skip {
                seen.extend(planes.write(&position));
                sides.push(position.to_move().index() as u8);
            }
            let cell = cell_of_action(&position, given)?;
            position.play(cell).map_err(|why| crate::error::illegal(&why))?;
        }
    }
    Ok((PyBytes::new(py, &seen), PyBytes::new(py, &sides)))
}

/// What is said of a position: score, proven end, action.
type Label = (Option<i32>, Option<i32>, Option<usize>);

/// Labels positions by the solver of their game or by an engine, on several threads.
#[pyfunction]
#[pyo3(signature = (positions, by, nodes = None, depth = None, time = None, threads = 1, table = 64))]
#[allow(clippy::too_many_arguments, reason = "options by name")]
pub fn _label(
    py: Python<'_>,
    positions: Vec<PyRef<'_, PyPosition>>,
    by: &str,
    nodes: Option<u64>,
    depth: Option<u32>,
    time: Option<Time>,
    threads: usize,
    table: usize,
) -> PyResult<Vec<Label>> {
    let positions: Vec<Position> = positions.iter().map(|position| position.inner.clone()).collect();
    let mixed = |rules: &Rules| positions.iter().any(|position| position.rules() != rules);
    let Some(rules) = positions.first().map(|position| *position.rules()) else { return Ok(Vec::new()) };
    if mixed(&rules) {
        return Err(said(Text::fixed("the positions are of different games", "这些局面不属于同一种棋")));
    }
    let limits = limits(nodes, depth, time, 1);
    let stop = Stop::default();
    let make: Box<dyn Fn() -> Result<Teacher, Text> + Sync> = match by {
        "solver" => Box::new(move || {
            let setting = Setting { table: table.clamp(1, 1 << 20) << 20, ..Setting::default() };
            solver(&rules, setting).map(Teacher::Solver).map_err(|none| none.text())
        }),
        spec => {
            let spec: PlayerSpec = spec.parse().map_err(|bad| refused(&bad))?;
            Box::new(move || match spec.engine(&rules) {
                Ok(Some(engine)) => Ok(Teacher::Engine(engine, spec.limits.clone())),
                Ok(None) => Err(text!("{spec}: only our engines label positions", "{spec}：只有内置引擎可以标注局面")),
                Err(none) => Err(none.text()),
            })
        }
    };
    // What cannot be made is told before anything is begun.
    drop(make().map_err(said)?);
    let labels = Mutex::new(vec![(None, None, None); positions.len()]);
    let next = AtomicUsize::new(0);
    interruptible(py, &stop, || {
        let work = || {
            let Ok(mut teacher) = make() else { return };
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                let Some(position) = positions.get(n).filter(|_| !stop.is_set()) else { return };
                let label = teacher.label(position, &limits, &stop);
                locked(&labels)[n] = label;
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads.clamp(1, 256) {
                // Whoever cannot be had is done without.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
    })?;
    Ok(labels.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// Who labels.
enum Teacher {
    Solver(Box<dyn lianzi_engine::solve::Solver>),
    Engine(Box<dyn Engine>, Limits),
}

impl Teacher {
    fn label(&mut self, position: &Position, limits: &Limits, stop: &Stop) -> Label {
        match self {
            Teacher::Solver(solver) => {
                let solution = solver.solve(position, limits, stop);
                let first = solution.line.first().map(|&cell| action(position.rules(), cell));
                (solution.score.or(number(solution.result)), number(solution.result), first)
            }
            Teacher::Engine(_, _) if position.outcome().is_some() => (None, None, None),
            Teacher::Engine(engine, own) => {
                let limits = lianzi_game::player::own_limits(own, limits);
                // Each label depends on its position alone.
                engine.begin(0);
                let best = engine.search(position, &limits, stop, &mut |_| {});
                let line = best.info.lines.first();
                let first = best.turn.first().map(|&cell| action(position.rules(), cell));
                (line.map(|line| line.score), line.and_then(|line| line.win_in), first)
            }
        }
    }
}

/// The weights of the engine for five in a row that are built in, as the bytes of their file.
#[pyfunction]
pub fn _weights<'py>(py: Python<'py>, game: AnyGame) -> PyResult<Bytes<'py>> {
    let rules = game.rules()?;
    if Family::of(&rules) != Family::Gomoku {
        return Err(said(text!(
            "{rules} is not five in a row: it has no such weights",
            "{rules} 不是五子棋，没有这种权重"
        )));
    }
    Ok(PyBytes::new(py, &Weights::of(&rules).bytes()))
}

/// Whether these bytes are a file of such weights.
#[pyfunction]
pub fn _are_weights(bytes: &[u8]) -> bool {
    Weights::read(bytes).is_some()
}

/// The network of the engine for a game that is built in, as the bytes of its file.
#[pyfunction]
pub fn _network<'py>(py: Python<'py>, game: AnyGame) -> PyResult<Bytes<'py>> {
    let rules = game.rules()?;
    let network = FORMS.into_iter().find_map(|form| Network::of(form, &rules));
    let network = network.ok_or_else(|| said(text!("{rules} is played without a network", "{rules} 不用网络")))?;
    Ok(PyBytes::new(py, &network.bytes()))
}

/// Whether these bytes are a file of such a network.
#[pyfunction]
pub fn _is_network(bytes: &[u8]) -> bool {
    FORMS.into_iter().any(|form| Network::read(form, bytes).is_some())
}
