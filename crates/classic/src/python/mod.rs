//! `classic-python`: the Gomoku program printed in a course report, move for move.
//!
//! It looks two plies ahead (S4-23) with fail-hard alpha-beta at the cells beside stones, counts patterns of
//! every stone in eight directions, lets the side to move count twice, and plays the first of the best cells in
//! the order in which CPython walks over a set. All of that is kept, its mistakes too; `data/classic-python.txt`
//! holds what the printed source answered, and the tests compare.
//!
//! The program's point (x, y) is column x from the left, row y from the bottom, both from 0. Other boards than
//! 15 × 15 follow from its rules: its list of all points is then the board without blocked cells, and an edge and
//! a blocked cell are the same to it. `gomoku:16` is the board that the course's runner really hands over.
//!
//! What is decided where the document and the program leave a choice:
//!
//! * Candidates lie at distance 1, although the document says 3: the program's test returns in its first pass
//!   (S4-22). The option `distance` gives the document's version.
//! * A five completed in its middle is not seen by the program (S4-28); the referee sees it, so such a game ends.
//! * Ties are broken by the set's order (S4-26, S4-27), which is reproduced: see `set_order`.
//! * On the last blank cell the printed program stops with an error. This player plays that cell.
//! * The first move is the printed (7,7) on boards of 15 and 16, elsewhere the corresponding centre (S4-24).

mod board;
mod patterns;
mod search;
mod set_order;
#[cfg(test)]
mod tests;
mod version;

use std::time::Duration;

use lianzi_engine::Instant;

use lianzi_core::{Cell, Position, Rules};

use self::board::{Board, Side};
use self::patterns::PatternTable;
use self::search::{Budget, Root, Search};
use self::version::{Settings, Version};
use lianzi_engine::{Best, Engine, Info, Limits, Line, NoEngine, Options, Report, Stop};

/// The name in the catalog.
const NAME: &str = "classic-python";

/// The player of the printed Python program, or of one of its earlier versions.
#[derive(Clone, Debug)]
pub struct Python {
    settings: Settings,
    table: PatternTable,
}

impl Python {
    /// The player for free-style five in a row on any board. Options: `version`, the printed `7.2` unless one of
    /// `1`, `2`, `3`, `4`, `5.0`, `5.1`, `5.2`, `6`, `7.1`, `7.2a` … `7.2d` is given, and `distance`, how far from
    /// a stone cells are tried, 1 to 4, in versions that limit it.
    pub fn new(rules: &Rules, options: &mut Options) -> Result<Python, NoEngine> {
        let plain = Rules { blocked: rules.blocked, ..Rules::connect(rules.width, rules.height, 5, 1, 1) };
        if *rules != plain {
            return Err(NoEngine::Game { name: NAME.into(), game: rules.to_string() });
        }
        let version = options.take("version")?.unwrap_or(Version::Printed);
        let mut settings = version.settings();
        if let Some(distance) = options.take::<usize>("distance")? {
            let bad = || NoEngine::Value { key: "distance".into(), value: format!("{distance}") };
            settings.candidates = settings.candidates.up_to(distance).ok_or_else(bad)?;
        }
        Ok(Python::with(settings))
    }

    fn with(settings: Settings) -> Python {
        Python { table: PatternTable::new(&settings.weights, settings.open_four), settings }
    }

    /// Searches the root; the answer is the same with and without pruning, the scores of the others are not.
    fn explore(&self, board: &Board, limits: &Limits, stop: &Stop) -> (Root, Info) {
        let deadline = time(limits).and_then(|time| Instant::now().checked_add(time));
        let budget = Budget { stop, nodes: limits.nodes.unwrap_or(u64::MAX), deadline };
        let settings = Settings { prune: self.settings.prune && limits.lines <= 1, ..self.settings };
        let mut search = Search { board: board.clone(), settings: &settings, table: &self.table, budget, nodes: 0 };
        let depth = limits.depth.map_or(settings.depth, |depth| depth.clamp(1, settings.depth));
        let root = search.root(depth);
        let complete = root.scores.len() == root.candidates.len();
        let info = Info { depth: if complete { depth } else { 0 }, nodes: search.nodes, lines: Vec::new() };
        (root, info)
    }
}

impl Engine for Python {
    fn begin(&mut self, _: u64) {}

    fn search(&mut self, position: &Position, limits: &Limits, stop: &Stop, report: Report<'_>) -> Best {
        let board = Board::new(position);
        let (ranked, mut info) = if board.count(Side::Enemy) == 0 {
            (Vec::new(), Info::default()) // S4-24
        } else {
            let (root, info) = self.explore(&board, limits, stop);
            (root.ranked().map(|(point, score)| (board.cell(point), score)).collect(), info)
        };
        let ranked = if ranked.is_empty() { vec![(nearest_to_centre(position), 0)] } else { ranked };
        info.lines =
            ranked.iter().take(limits.lines.max(1)).map(|&(cell, score)| line(position, cell, score)).collect();
        report(&info);
        Best { turn: vec![ranked[0].0], info }
    }
}

fn line(position: &Position, cell: Cell, halves: i64) -> Line {
    let score = (halves / 2).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let wins = position.wins_at(cell, position.to_move());
    Line { score, win_in: wins.then_some(1), cells: vec![cell] }
}

/// The centre (S4-24), or the legal cell nearest to it where that is taken or blocked.
fn nearest_to_centre(position: &Position) -> Cell {
    let Rules { width, height, .. } = *position.rules();
    let distance = |cell: &Cell| {
        let (columns, rows) = (cell.column.abs_diff((width - 1) / 2), cell.row.abs_diff((height - 1) / 2));
        u32::from(columns).pow(2) + u32::from(rows).pow(2)
    };
    position.legal().min_by_key(distance).expect("a game that is not over has a legal cell")
}

/// The time for this move. A clock lends a twentieth of what is left, far more than the printed depth needs.
fn time(limits: &Limits) -> Option<Duration> {
    let lent = limits.clock.map(|clock| (clock.left / 20 + clock.increment / 2).min(clock.left / 2));
    limits.move_time.into_iter().chain(lent).min()
}
