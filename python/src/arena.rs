//! Contests in Python: matches, tournaments and single games between any players.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use lianzi_cage::Cages;
use lianzi_contest::journal::Journal;
use lianzi_contest::opening::read_openings;
use lianzi_contest::plan::Plan;
use lianzi_contest::run::{Conduct, run};
use lianzi_contest::statistics::Sprt;
use lianzi_contest::upshot::Upshot;
use lianzi_contest::{Contest, Entrant, Format, Length, Openings};
use lianzi_core::{GameRecord, Speak, Text, text};
use lianzi_engine::{Limits, Stop};
use lianzi_game::clock::Control;
use lianzi_game::judge::Cutoff;
use lianzi_game::player::Player;
use lianzi_players::{Interface, Kind, PlayerSpec};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::argument::{AnyGame, Time};
use crate::engine::{PyEngine, Shared};
use crate::error::{refused, said};
use crate::player::{FunctionPlayer, HeldEngine, Manner};
use crate::record::PyRecord;
use crate::wait::interruptible;

/// Somebody who takes part.
enum Guest {
    /// One of ours, or a program from outside, as the command line names it.
    Named(Box<PlayerSpec>),
    /// An engine that Python holds already.
    Engine(String, Shared, Limits),
    /// A function of Python.
    Function(String, Arc<Py<PyAny>>, Manner),
}

impl Guest {
    fn read(given: &Bound<'_, PyAny>) -> PyResult<Guest> {
        if let Ok(name) = given.cast::<PyString>() {
            return name.to_str()?.parse().map(|spec| Guest::Named(Box::new(spec))).map_err(|bad| refused(&bad));
        }
        if let Ok(engine) = given.cast::<PyEngine>() {
            let engine = engine.get();
            return Ok(Guest::Engine(engine.name.clone(), Arc::clone(&engine.shared), engine.own.clone()));
        }
        // lianzi.course wraps its strategies and says how they are asked.
        let manner = match given.getattr("_manner").and_then(|manner| manner.extract::<String>()) {
            Ok(manner) if manner == "ai" => Manner::Strategy(Interface::Course),
            Ok(manner) if manner == "connectx" => Manner::Strategy(Interface::Kaggle),
            _ => Manner::Position,
        };
        if !given.is_callable() {
            return Err(said(Text::fixed(
                "a player is a name such as strong@level=5, or something that can be called with a position",
                "棋手须为名称（例如 strong@level=5）或可以用局面调用的对象",
            )));
        }
        let name = given.getattr("__name__").or_else(|_| given.getattr("name")).and_then(|name| name.extract());
        let name = name.unwrap_or_else(|_| given.get_type().name().map_or_else(|_| "player".into(), |n| n.to_string()));
        Ok(Guest::Function(name, Arc::new(given.clone().unbind()), manner))
    }

    fn entry(&self) -> (String, String) {
        match self {
            Guest::Named(spec) => (spec.name.clone(), spec.to_string()),
            Guest::Engine(name, ..) | Guest::Function(name, ..) => (name.clone(), format!("python:{name}")),
        }
    }

    fn is_strategy(&self) -> bool {
        match self {
            Guest::Named(spec) => matches!(spec.kind, Kind::Strategy(_)),
            Guest::Engine(..) => false,
            Guest::Function(_, _, manner) => *manner != Manner::Position,
        }
    }

    /// The player; nothing for a person.
    fn player(&self, cages: &Cages) -> Option<Box<dyn Player>> {
        match self {
            Guest::Named(spec) => spec.player_with(cages),
            Guest::Engine(_, shared, own) => Some(Box::new(HeldEngine::new(Arc::clone(shared), own.clone()))),
            Guest::Function(_, function, manner) => Some(Box::new(FunctionPlayer::new(Arc::clone(function), *manner))),
        }
    }

    /// Finds out before the first game whether it can play.
    fn check(&self, contest: &Contest, cages: &Cages) -> Result<(), Text> {
        let Guest::Named(spec) = self else { return Ok(()) };
        let rules = contest.game.draw(contest.seed);
        let named = |why: Text| text!("{spec}: {why}", "{spec}: {why}"; why);
        if spec.kind == Kind::Human {
            return Err(text!(
                "{spec}: people play with lianzi play, not in a match",
                "{spec}: 人类棋手请用 lianzi play"
            ));
        }
        spec.check(&rules).map_err(|none| named(none.text()))?;
        if !matches!(spec.kind, Kind::BuiltIn(..)) {
            spec.check_cage(cages).map_err(|bad| named(bad.text()))?;
            spec.try_out(&rules, &contest.control, cages).map_err(|none| named(none.text()))?;
        }
        Ok(())
    }
}

/// What contests have besides their players.
struct Terms {
    concurrency: usize,
    cages: Cages,
}

/// Plays a contest: the summary as JSON, and the games. Whoever reads this wants `match` or `tournament`.
#[pyfunction]
#[pyo3(signature = (
    game, players, format, pairs, *, time = None, nodes = None, depth = None, clock = None, margin = None, seed = 1,
    openings = None, sprt = None, concurrency = 1, max_plies = None, single = false, program = None
))]
#[allow(clippy::too_many_arguments, reason = "the options of a match, by name")]
pub fn _contest(
    py: Python<'_>,
    game: AnyGame,
    players: Vec<Bound<'_, PyAny>>,
    format: &str,
    pairs: usize,
    time: Option<Time>,
    nodes: Option<u64>,
    depth: Option<u32>,
    clock: Option<(Time, Time)>,
    margin: Option<Time>,
    seed: u64,
    openings: Option<&str>,
    sprt: Option<(f64, f64, f64, f64)>,
    concurrency: usize,
    max_plies: Option<usize>,
    single: bool,
    program: Option<PathBuf>,
) -> PyResult<(String, Vec<PyRecord>)> {
    let guests = players.iter().map(Guest::read).collect::<PyResult<Vec<Guest>>>()?;
    let usual = Duration::from_secs(if nodes.is_some() || depth.is_some() { 60 } else { 1 });
    let mut control = Control { nodes, depth, ..Control::default() };
    control.per_move = time.map(|time| time.0).or(if clock.is_some() { None } else { Some(usual) });
    control.per_game = clock.map(|(time, increment)| (time.0, increment.0));
    control.margin = margin.map_or(control.margin, |margin| margin.0);
    let unset = if guests.iter().any(Guest::is_strategy) { "none" } else { "random" };
    let rules = game.0.draw(seed);
    let contest = Contest {
        game: game.0,
        players: Entrant::all(guests.iter().map(Guest::entry)),
        format: read_format(format)?,
        length: if single { Length::BestOf(1) } else { Length::Pairs(pairs) },
        control,
        cutoff: Cutoff { max_plies, agreed: None },
        openings: match openings.unwrap_or(unset) {
            "none" => Openings::None,
            "random" => Openings::Balanced,
            text => Openings::List(read_openings(text, &rules).map_err(|bad| refused(&bad))?),
        },
        own_openings: false,
        seed,
        sprt: sprt.map(|(elo0, elo1, alpha, beta)| Sprt { alpha, beta, ..Sprt::new(elo0, elo1) }),
        scoring: Default::default(),
    };
    let program = program.unwrap_or_default();
    let terms = Terms { concurrency: concurrency.clamp(1, 1024), cages: cages(&program) };
    let stop = Stop::default();
    let played = interruptible(py, &stop, || play(&contest, &guests, &terms, &stop))?;
    let (summary, games) = played.map_err(said)?;
    Ok((summary, games.into_iter().map(PyRecord::from).collect()))
}

/// Cages are started by the program `lianzi`, where there is one: Python's own cannot be one.
fn cages(program: &Path) -> Cages {
    Cages::new(program, &std::env::temp_dir(), true)
}

fn read_format(name: &str) -> PyResult<Format> {
    match name {
        "round-robin" => Ok(Format::RoundRobin),
        "gauntlet" => Ok(Format::Gauntlet),
        "knockout" => Ok(Format::Knockout),
        _ => match name.strip_prefix("swiss:").and_then(|rounds| rounds.parse().ok()) {
            Some(rounds) => Ok(Format::Swiss { rounds }),
            None => Err(said(text!(
                "'{name}' is no format of a tournament; there are round-robin, gauntlet, knockout and swiss:ROUNDS",
                "“{name}”不是赛制；可选 round-robin、gauntlet、knockout、swiss:轮数"
            ))),
        },
    }
}

fn play(contest: &Contest, guests: &[Guest], terms: &Terms, stop: &Stop) -> Result<(String, Vec<GameRecord>), Text> {
    let plan = Plan::new(contest).map_err(|bad| bad.text())?;
    for guest in guests {
        guest.check(contest, &terms.cages)?;
    }
    let make = |entrant: usize| -> Box<dyn Player> {
        guests[entrant].player(&terms.cages).expect("people were refused before the contest began")
    };
    let conduct = Conduct { concurrency: terms.concurrency, ..Conduct::until(stop, &make) };
    let journal = Journal::passing().map_err(|error| error.text())?;
    let mut finished = run(contest, plan, journal, &conduct, &|_| {}).map_err(|error| error.text())?;
    let games = finished.games().map_err(|error| error.text())?;
    let upshot = Upshot::new(contest, &finished.plan, &games);
    let records = upshot.games.iter().map(|(_, record)| record.clone()).collect();
    Ok((upshot.summary().to_string(), records))
}
