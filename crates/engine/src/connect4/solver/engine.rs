//! The solver as a player: exact where its limits allow, otherwise by what it could prove.

use std::borrow::Cow;
use std::time::Duration;

use lianzi_core::{Position, Rules};

use super::book::Book;
use super::{Choice, ConnectFour, USUAL_TABLE};
use crate::solve::NoSolver;
use crate::{Best, Engine, Info, Limits, NoEngine, Options, Report, Stop};

/// How long to think when nobody says.
const UNASKED: Duration = Duration::from_secs(1);

/// Plays what the solver says.
pub(crate) struct Solving {
    solver: ConnectFour,
}

impl Solving {
    /// The player of this name for this game; takes the options `hash`, in MiB, and `book`, a file to use instead of
    /// the built-in one.
    pub(crate) fn from_options(name: &str, rules: &Rules, options: &mut Options) -> Result<Self, NoEngine> {
        let table = options.take_hash()?.map_or(USUAL_TABLE, |mebibytes| mebibytes << 20);
        let book = options.take_file("book", |bytes| Book::read(Cow::Owned(bytes.to_vec())))?;
        let solver = ConnectFour::with_book(rules, table, Some(book.unwrap_or_else(Book::at_hand)));
        let (NoSolver::Game { game } | NoSolver::Size { game }) = match solver {
            Ok(solver) => return Ok(Solving { solver }),
            Err(none) => none,
        };
        Err(NoEngine::Game { name: name.into(), game })
    }
}

impl Engine for Solving {
    fn begin(&mut self, _: u64) {
        self.solver.forget();
    }

    fn search(&mut self, position: &Position, limits: &Limits, stop: &Stop, report: Report<'_>) -> Best {
        let limits = this_turn(position, limits);
        let choices = self.solver.scores(position, &limits, stop, &mut |choices, nodes| {
            report(&Info { depth: 0, nodes, lines: choices.iter().map(|choice| plain(position, choice)).collect() });
        });
        let mut info = Info { depth: 0, nodes: self.solver.nodes(), lines: Vec::new() };
        for choice in choices.iter().take(limits.lines.max(1)) {
            info.lines.push(self.solver.line(position, choice));
        }
        Best { turn: choices.first().map(|choice| choice.cell).into_iter().collect(), info }
    }
}

/// A choice without what follows it.
fn plain(position: &Position, choice: &Choice) -> crate::Line {
    let win_in = choice.known.exact().map(|score| super::win_in(score, position.free()));
    crate::Line { score: choice.known.lower, win_in, cells: vec![choice.cell] }
}

/// Most of the time that a turn may take, with the rest for lines; a clock gives each turn its share.
fn this_turn(position: &Position, limits: &Limits) -> Limits {
    let turns = (position.free() as u32 / 4).clamp(4, 20);
    let share = limits.clock.map(|clock| clock.left / turns + clock.increment / 2);
    let asked = limits.move_time.into_iter().chain(share).min();
    let unlimited = (limits.nodes.is_none() && asked.is_none()).then_some(UNASKED);
    Limits { move_time: asked.or(unlimited).map(|time| time * 4 / 5), ..limits.clone() }
}
