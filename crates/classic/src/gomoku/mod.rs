//! `classic-gomoku`: minimax with alpha-beta, a hash table and two ideas about distance.
//!
//! The document measures five modules, and every one of them is a switch here: 0 minimax, 1 alpha-beta, 2 the
//! hash table, 3 near moves first, 4 far moves not at all. Iterative deepening is always on. The value of a leaf
//! comes from counts of patterns, which the board keeps up to date; the tests count them again from the
//! definitions.
//!
//! As a player it follows the authors' program in when to stop. With `lab=on` it deepens from 1 until its time
//! is up, which is what the document's table 3 measures.

mod board;
mod budget;
mod evaluate;
mod moves;
mod pattern;
#[cfg(test)]
mod reference;
mod search;
mod table;
#[cfg(test)]
mod tests;

use lianzi_engine::Instant;
use std::str::FromStr;

use lianzi_core::{Cell, CellSet, Position, Rules, Stone};

use self::board::Board;
use self::budget::Budget;
use self::evaluate::evaluate;
use self::search::{Bounds, Found, MAX_DEPTH, Search};
use self::table::PositionTable;
use lianzi_engine::{Best, Engine, Info, Limits, Line, NoEngine, Options, Report, Stop};

/// Which of the document's modules are on. Minimax always is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modules {
    /// 1: leave a node when its value cannot matter any more.
    pub alpha_beta: bool,
    /// 2: remember positions, and try the remembered move first.
    pub hash: bool,
    /// 3: try the cells nearest to the last two moves first.
    pub distance_order: bool,
    /// 4: skip the cells that have no stone within two steps.
    pub distance_cut: bool,
}

impl Modules {
    /// All of them: the document's final program.
    pub const ALL: Modules = Modules { alpha_beta: true, hash: true, distance_order: true, distance_cut: true };

    /// Plain minimax.
    pub const NONE: Modules = Modules { alpha_beta: false, hash: false, distance_order: false, distance_cut: false };
}

/// Numbers joined by plus signs, as in the document's table 3: `0+1+3`.
impl FromStr for Modules {
    type Err = ();

    fn from_str(text: &str) -> Result<Modules, ()> {
        let mut modules = Modules::NONE;
        let mut minimax = false;
        for number in text.split('+') {
            let module = match number {
                "0" => &mut minimax,
                "1" => &mut modules.alpha_beta,
                "2" => &mut modules.hash,
                "3" => &mut modules.distance_order,
                "4" => &mut modules.distance_cut,
                _ => return Err(()),
            };
            *module = true;
        }
        if minimax { Ok(modules) } else { Err(()) }
    }
}

/// What can be set of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Which modules are on.
    pub modules: Modules,
    /// How many positions the hash table holds.
    pub entries: usize,
    /// Deepen from 1 and stop on time, instead of the program's rules.
    pub lab: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { modules: Modules::ALL, entries: ENTRIES, lab: false }
    }
}

impl Settings {
    /// When an iteration must end: the player completes its minimum depth even if it takes too long.
    fn deadline(&self, depth: u32, budget: Budget) -> Option<Instant> {
        if depth <= MINIMUM_DEPTH && !self.lab { budget.hard } else { budget.soft }
    }
}

/// The document sizes its table for three million before the game.
const ENTRIES: usize = 3_000_000;

/// Four gigabytes: more is a slip of the finger.
const MAX_ENTRIES: usize = 1 << 28;

/// The first iteration of the player, and the last it completes although time is up (SR-11).
const START_DEPTH: u32 = 3;
const MINIMUM_DEPTH: u32 = 4;

/// From this value on the game is decided, and one ply finds the move (SR-11).
const DECIDED: i32 = 8500;

/// The player of the document "gomoku minimax".
pub struct ClassicGomoku {
    settings: Settings,
    board: Board,
    table: PositionTable,
    /// Whose values the table holds: scores are those of the side that searched.
    side: Option<Stone>,
}

impl ClassicGomoku {
    /// A player with these settings; `None` unless the game is free-style Gomoku.
    pub fn new(rules: &Rules, settings: Settings) -> Option<ClassicGomoku> {
        let open = Rules { blocked: CellSet::EMPTY, ..*rules };
        let player = || {
            let entries = if settings.modules.hash { settings.entries } else { 1 };
            let (board, table) = (Board::new(*rules), PositionTable::new(entries));
            ClassicGomoku { settings, board, table, side: None }
        };
        (open == Rules::gomoku(rules.width)).then(player)
    }

    /// What the document's evaluation says of a position of free-style Gomoku, for the side to move.
    pub fn value(position: &Position) -> i32 {
        let mut board = Board::new(*position.rules());
        board.arrange(position);
        // The board's value is that of the side that moved last.
        if board.stones() == 0 { 0 } else { -evaluate(&mut board) }
    }

    /// The player for the catalog, with the options `modules`, `entries` and `lab`.
    pub(crate) fn from_options(rules: &Rules, options: &mut Options) -> Result<ClassicGomoku, NoEngine> {
        let usual = Settings::default();
        let settings = Settings {
            modules: options.take("modules")?.unwrap_or(usual.modules),
            entries: options.take("entries")?.unwrap_or(usual.entries),
            lab: options.take_switch("lab")?.unwrap_or(usual.lab),
        };
        if !(1..=MAX_ENTRIES).contains(&settings.entries) {
            return Err(NoEngine::Value { key: "entries".into(), value: settings.entries.to_string() });
        }
        ClassicGomoku::new(rules, settings)
            .ok_or_else(|| NoEngine::Game { name: "classic-gomoku".into(), game: rules.to_string() })
    }

    /// Which depths to search: from the first to the last.
    fn depths(&mut self, limits: &Limits) -> (u32, u32) {
        let free = self.board.rules().capacity() - self.board.stones();
        let last = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH).min(free as u32);
        // The board's value is that of the side that moved last.
        if !self.settings.lab && -evaluate(&mut self.board) >= DECIDED {
            return (1, 1);
        }
        (if self.settings.lab { 1 } else { START_DEPTH.min(last) }, last)
    }

    /// Deepens until a limit is reached or a five is seen, which a deeper search would only see again.
    fn deepen(&mut self, limits: &Limits, stop: &Stop, report: Report<'_>) -> Best {
        // Several lines share the budget: half for the best one, half for the others.
        let whole = Budget::new(limits);
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let (budget, share) = if limits.lines > 1 { (whole.half(), nodes / 2) } else { (whole, nodes) };
        let (first, last) = self.depths(limits);
        let bounds = Bounds { stop, deadline: None, nodes: share };
        let mut search = Search::new(&mut self.board, &mut self.table, self.settings.modules, bounds);
        let mut best: Option<Found> = None;
        let mut depth = 0;
        while depth < last {
            let next = if depth == 0 { first } else { depth + 1 };
            search.bounds.deadline = self.settings.deadline(next, budget);
            let found = search.iterate(next);
            if search.ended {
                // What an iteration found before it was ended counts only if it is better (SR-11).
                let better = |found: &Found| best.as_ref().is_none_or(|best| found.value > best.value);
                best = found.filter(better).or(best);
                break;
            }
            (best, depth) = (found, next);
            report(&describe(&search, depth, best.as_ref()));
            if best.as_ref().is_some_and(|best| best.win_in().is_some()) {
                break;
            }
        }
        let turn = best.as_ref().and_then(|best| best.moves.first().copied()).or_else(|| search.first_move());
        let turn = turn.into_iter().map(|index| search.cell(index)).collect();
        search.bounds = Bounds { stop, deadline: whole.soft, nodes };
        let others = other_lines(&mut search, depth, best.as_ref(), limits.lines);
        let mut info = describe(&search, depth, best.as_ref());
        info.lines.extend(others);
        Best { turn, info }
    }
}

impl Engine for ClassicGomoku {
    fn begin(&mut self, _: u64) {
        self.side = None;
    }

    fn search(&mut self, position: &Position, limits: &Limits, stop: &Stop, report: Report<'_>) -> Best {
        if self.board.rules() != position.rules() {
            self.board = Board::new(*position.rules());
            self.side = None;
        }
        self.board.arrange(position);
        if self.board.stones() == 0 {
            return centre(position);
        }
        if self.side.replace(position.to_move()) != Some(position.to_move()) {
            self.table.clear();
        }
        self.deepen(limits, stop, report)
    }
}

/// The next best moves: the root is searched again without those that are known, a little less deep, since moves
/// that are not the best take longer to refute.
fn other_lines(search: &mut Search<'_>, depth: u32, best: Option<&Found>, wanted: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let depth = depth.saturating_sub(2).max(depth.min(2));
    search.ended = false;
    search.known.extend(best.and_then(|best| best.moves.first()));
    while lines.len() + 1 < wanted && depth > 0 && !search.ended {
        let Some(found) = search.iterate(depth).filter(|_| !search.ended) else { break };
        search.known.extend(found.moves.first());
        lines.push(line(search, &found));
    }
    lines
}

fn line(search: &Search<'_>, found: &Found) -> Line {
    let cells = found.moves.iter().map(|&index| search.cell(index)).collect();
    Line { score: found.score(), win_in: found.win_in(), cells }
}

/// What is known after this depth.
fn describe(search: &Search<'_>, depth: u32, best: Option<&Found>) -> Info {
    Info { depth, nodes: search.nodes, lines: best.map(|best| line(search, best)).into_iter().collect() }
}

/// The first stone of a game: the centre, or the free cell nearest to it.
fn centre(position: &Position) -> Best {
    let rules = position.rules();
    let distance = |cell: &Cell| {
        let (x, y) = (cell.column.abs_diff(rules.width / 2), cell.row.abs_diff(rules.height / 2));
        (x.max(y), x + y)
    };
    let turn: Vec<Cell> = position.legal().min_by_key(distance).into_iter().collect();
    let line = Line { score: 0, win_in: None, cells: turn.clone() };
    Best { turn, info: Info { depth: 0, nodes: 1, lines: vec![line] } }
}
