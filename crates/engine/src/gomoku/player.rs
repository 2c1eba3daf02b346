//! `strong` for five in a row: deepens step by step, on one thread or more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use lianzi_core::{Cell, Position, Rules};

use super::board::GomokuBoard;
use super::history::History;
use super::kind::CODES;
use super::knowledge::Knowledge;
use super::margins::Margins;
use super::network::form;
use super::prover::{Means, prove};
use super::search::{DEEPEST, RootMove, Shared, Worker};
use super::spot::{cell, spot};
use super::standing::{SURE, WIN};
use super::weights::{Weights, sides};
use crate::crew::together;
use crate::network::Network;
use crate::table::SharedTable;
use crate::time::{Budget, Pace};
use crate::{Best, Engine, Info, Limits, Line, NoEngine, Options, Report, Stop};

/// How the player is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// How many threads search.
    pub threads: usize,
    /// How many MiB the table takes.
    pub hash: usize,
    /// What steers the search.
    pub margins: Margins,
}

impl Settings {
    /// Takes `threads`, `hash` and `tune` out of the options.
    pub(crate) fn from_options(options: &mut Options) -> Result<Settings, NoEngine> {
        Ok(Settings {
            threads: options.take_threads()?,
            hash: options.take_hash()?.unwrap_or(64),
            margins: options.take("tune")?.unwrap_or_default(),
        })
    }
}

/// The player.
pub(crate) struct Player {
    settings: Settings,
    knowledge: Arc<Knowledge>,
    table: SharedTable,
    histories: Vec<History>,
}

impl Player {
    /// A player set up by options: those of [`Settings`]; `weights`, a file to use instead of the built-in ones, which
    /// the built-in network does not correct; `net`, another network, or `off`.
    pub(crate) fn from_options(rules: &Rules, options: &mut Options) -> Result<Player, NoEngine> {
        let settings = Settings::from_options(options)?;
        let fits = |weights: &Weights| weights.worths.len() == sides(rules) * CODES;
        let weights = options.take_weights(|bytes| Weights::read(bytes).filter(fits))?;
        let usual = if weights.is_none() { Network::of(form(rules), rules) } else { None };
        let network = options.take_network(usual, |bytes| Network::read(form(rules), bytes))?;
        let knowledge = Knowledge::with(rules, &weights.unwrap_or_else(|| Weights::of(rules))).and(network);
        Ok(Player::with(knowledge, settings))
    }

    /// A player with weights of its own.
    pub(crate) fn with(knowledge: Knowledge, settings: Settings) -> Player {
        Player {
            settings,
            knowledge: Arc::new(knowledge),
            table: SharedTable::new(settings.hash),
            histories: (0..settings.threads).map(|_| History::default()).collect(),
        }
    }
}

impl Engine for Player {
    fn begin(&mut self, _: u64) {
        self.table.clear();
        self.histories.fill_with(History::default);
    }

    fn search(&mut self, position: &Position, limits: &Limits, stop: &Stop, report: Report<'_>) -> Best {
        let time = Budget::new(&Pace::STEPS, position, limits, stop);
        let board = GomokuBoard::new(position, &self.knowledge);
        let roots = root_moves(position, &board);
        if let [only] = roots.as_slice()
            && limits.lines <= 1
        {
            return answer(&Info {
                lines: vec![Line { cells: vec![cell(only.spot)], ..Line::default() }],
                ..Info::default()
            });
        }
        self.table.grow_older();
        self.histories.iter_mut().for_each(History::fade);
        let (line, spent) = force(&board, &time, self.settings.margins);
        if let (Some(line), ..=1) = (line, limits.lines) {
            let info = Info { depth: line.cells.len() as u32, nodes: spent, lines: vec![line] };
            report(&info);
            return answer(&info);
        }
        let (done, nodes) = (AtomicBool::new(false), AtomicU64::new(spent));
        let shared =
            Shared { table: &self.table, time: &time, done: &done, nodes: &nodes, margins: self.settings.margins };
        let Some((first, others)) = self.histories.split_first_mut() else { return Best::default() };
        let others = others.iter_mut().enumerate().map(|(n, history)| {
            let (board, roots, shared) = (board.clone(), roots.clone(), &shared);
            move || help(Worker::new(board, shared, history), roots, n)
        });
        let info = together(others, || {
            let worker = Worker::new(board.clone(), &shared, first);
            let info = think(worker, roots.clone(), limits.lines.max(1), &shared, report);
            done.store(true, Ordering::Relaxed);
            info
        });
        answer(&info)
    }
}

/// Looks for a win by force with a part of the time; says how many nodes that took.
fn force(board: &GomokuBoard, time: &Budget<'_>, margins: Margins) -> (Option<Line>, u64) {
    let share = time.share(f64::from(margins.force) / 100.0);
    let mut spent = 0;
    for means in [Means::Fours, Means::Threes] {
        let limit = share.nodes.saturating_sub(spent).min(MOST_FORCE);
        let attempt = prove(board, means, limit, Some(&share));
        spent += attempt.nodes;
        if let Some(proof) = attempt.proof {
            let plies = proof.line.len() as i32;
            let cells = proof.line.iter().map(|&spot| cell(spot)).collect();
            return (Some(Line { score: WIN - plies, win_in: Some(plies), cells }), spent);
        }
    }
    (None, spent)
}

/// Nodes a proof at the root may take at most: its table grows with them.
const MOST_FORCE: u64 = 1_000_000;

fn answer(info: &Info) -> Best {
    let turn = info.lines.first().and_then(|line| line.cells.first()).copied().into_iter().collect();
    Best { turn, info: info.clone() }
}

/// The cells worth a look at the root: those near stones, the middle of an empty board, or else any.
pub(super) fn root_moves(position: &Position, board: &GomokuBoard) -> Vec<RootMove> {
    let mut cells: Vec<Cell> = Vec::new();
    board.near(|spot| cells.push(cell(spot)));
    cells.retain(|&cell| position.check(cell).is_ok());
    if cells.is_empty() {
        let rules = position.rules();
        let far = |cell: &Cell| {
            let off = |at: u8, side: u8| (2 * i32::from(at) - i32::from(side) + 1).pow(2);
            off(cell.column, rules.width) + off(cell.row, rules.height)
        };
        cells.extend(position.legal().min_by_key(far));
    }
    let score = |cell: Cell| i32::from(board.look(spot(cell)).scores[board.to_move().index()]);
    let mut roots: Vec<RootMove> = cells
        .into_iter()
        .map(|at| RootMove { spot: spot(at), score: score(at), line: vec![spot(at)], effort: 0 })
        .collect();
    roots.sort_by_key(|root| -root.score);
    roots
}

/// The first thread: deepens, reports, and decides when it is enough.
fn think(mut worker: Worker<'_>, roots: Vec<RootMove>, wanted: usize, shared: &Shared<'_>, report: Report<'_>) -> Info {
    let wanted = wanted.min(roots.len());
    let mut info = Info { lines: roots.iter().take(wanted).map(line_of).collect(), ..Info::default() };
    // Until the first step is done only the order is known.
    (0..).zip(&mut info.lines).for_each(|(n, line)| line.score = -20 * n);
    let mut ranked: Vec<RootMove> = roots;
    let (mut doubt, mut won) = (1.0, Line { score: SURE, ..Line::default() });
    for depth in 1..=shared.time.depth.min(DEEPEST as u32 - 8) {
        let before = ranked.first().map(|root| root.spot);
        if !deepen_all(&mut worker, &mut ranked, wanted, depth as i32) && depth > 1 {
            // A step that was broken off may still have found a better cell.
            break;
        }
        info.depth = depth;
        info.lines = ranked.iter().take(wanted).map(line_of).collect();
        info.nodes = worker.nodes();
        report(&info);
        won = info.lines.iter().take(1).fold(won, shorter_win);
        let changed = before != ranked.first().map(|root| root.spot);
        doubt = if changed { 1.4 } else { 0.5 + doubt / 2.0 };
        let sure = |root: &RootMove| root.score.abs() > SURE && WIN - root.score.abs() <= depth as i32;
        let settled = ranked.iter().take(wanted).all(sure);
        if worker.is_stopped() || settled || !shared.time.allows_another(doubt) {
            break;
        }
    }
    info.nodes = worker.nodes();
    if worker.is_stopped() && wanted == 1 {
        info.lines = ranked.iter().take(1).map(line_of).collect();
    }
    // What was proven holds, whatever deeper steps think of it.
    if wanted == 1 && info.lines.iter().all(|line| line.score < won.score) && won.win_in.is_some() {
        info.lines = vec![won];
    }
    info
}

/// The one of two lines that wins sooner.
fn shorter_win(won: Line, line: &Line) -> Line {
    if line.score > won.score { line.clone() } else { won }
}

/// One step for each wanted line, each without the cells ranked before it; says whether it was finished.
fn deepen_all(worker: &mut Worker<'_>, ranked: &mut Vec<RootMove>, wanted: usize, depth: i32) -> bool {
    let mut done: Vec<RootMove> = Vec::new();
    worker.roots = std::mem::take(ranked);
    for _ in 0..wanted {
        worker.whole = done.is_empty();
        let expected = worker.roots.first().map(|root| root.score).filter(|_| depth > 1);
        worker.deepen(depth, expected.filter(|score| score.abs() < SURE));
        if worker.is_stopped() {
            break;
        }
        done.push(worker.roots.remove(0));
    }
    let finished = done.len() == wanted;
    done.append(&mut worker.roots);
    if finished {
        done[..wanted].sort_by_key(|root| -root.score);
    }
    *ranked = done;
    finished
}

/// The other threads: fill the table, at depths of their own.
fn help(mut worker: Worker<'_>, roots: Vec<RootMove>, n: usize) {
    worker.roots = roots;
    let mut expected = None;
    for depth in (1 + n as i32 % 2).. {
        if worker.is_stopped() || depth > DEEPEST as i32 - 8 {
            break;
        }
        expected = Some(worker.deepen(depth, expected)).filter(|score| score.abs() < SURE);
    }
}

/// A line for people: its score, and how soon it ends where that is proven.
fn line_of(root: &RootMove) -> Line {
    let plies = WIN - root.score.abs();
    let win_in = (root.score.abs() > SURE && plies <= 1000).then_some(if root.score > 0 { plies } else { -plies });
    Line { score: root.score, win_in, cells: root.line.iter().map(|&spot| cell(spot)).collect() }
}
