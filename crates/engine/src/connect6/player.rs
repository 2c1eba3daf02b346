//! `strong` at Connect6: iterative deepening over the turns of the root, on one thread or several.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use lianzi_core::{Position, Rules};

use super::board::SixBoard;
use super::book::Book;
use super::prover::Prover;
use super::root::{OPEN, Root, SURE};
use super::search::{Shared, Worker};
use super::shape::Shape;
use super::solver::line;
use super::verify;
use super::weights::Weights;
use crate::table::SharedTable;
use crate::time::{Budget, Pace};
use crate::{Best, Engine, Info, Limits, Line, NoEngine, Options, Report, Stop};

/// The prover gets one of so many parts of the nodes, and never more than so many.
const PART: u64 = 20;
const MOST: u64 = 5_000;

/// How many positions a proof is replayed through at most.
const CHECKS: u32 = 5_000;

/// What can be set of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many MiB the table may take.
    pub hash: usize,
    /// How many threads search.
    pub threads: usize,
    /// Whether the book of openings is asked.
    pub book: bool,
}

impl Settings {
    /// The usual settings, changed by the options `hash`, `threads` and `book`.
    pub fn from_options(options: &mut Options) -> Result<Settings, NoEngine> {
        Ok(Settings {
            hash: options.take_hash()?.unwrap_or(64),
            threads: options.take_threads()?,
            book: options.take_switch("book")?.unwrap_or(true),
        })
    }
}

/// The player.
pub struct Player {
    settings: Settings,
    weights: Weights,
    shape: Arc<Shape>,
    table: SharedTable,
}

impl Player {
    /// A player set up by options: those of [`Settings`], and `weights`, a file to use instead of the built-in ones.
    pub fn from_options(rules: &Rules, options: &mut Options) -> Result<Player, NoEngine> {
        let settings = Settings::from_options(options)?;
        Ok(match options.take_weights(Weights::read)? {
            Some(weights) => Player::with(rules, settings, weights),
            None => Player::new(rules, settings),
        })
    }

    /// A player of this game.
    pub fn new(rules: &Rules, settings: Settings) -> Player {
        Player::with(rules, settings, Weights::built_in())
    }

    fn with(rules: &Rules, settings: Settings, weights: Weights) -> Player {
        let shape = Arc::new(Shape::with(rules, &weights));
        Player { settings, weights, shape, table: SharedTable::new(settings.hash) }
    }

    /// What the book says.
    fn known(&self, position: &Position) -> Option<Info> {
        let advice = Book::built_in().find(position).filter(|_| self.settings.book)?;
        let line = Line { score: advice.score, win_in: None, cells: advice.turn };
        Some(Info { depth: advice.depth, nodes: 0, lines: vec![line] })
    }

    /// A win by threats, found with a part of the limits. It is claimed if it could be replayed against every defence
    /// in the time there is for that, and otherwise only played.
    fn proven(&self, position: &Position, board: &SixBoard, time: &Budget<'_>) -> Option<Info> {
        let is_over = || time.has_passed(0.1);
        let mut prover = Prover::new((time.nodes / PART).min(MOST), &is_over);
        let plan = prover.prove(&mut board.clone(), 1)?;
        let mut checks = 0;
        let mut is_over = || {
            checks += 1;
            checks > CHECKS || time.has_passed(0.2)
        };
        let holds = verify::holds(position, &self.shape, &plan, &mut is_over);
        let cells = line(&plan, board);
        let line = match holds {
            Some(true) => Line { score: SURE, win_in: Some(cells.len() as i32), cells },
            Some(false) => return None,
            None => Line { score: OPEN, win_in: None, cells },
        };
        Some(Info { depth: 0, nodes: prover.nodes, lines: vec![line] })
    }

    fn think(&self, root: Root, board: &SixBoard, time: &Budget<'_>, lines: usize, report: Report<'_>) -> Info {
        let shared = Shared { table: &self.table, time, nodes: AtomicU64::new(0) };
        let done = Stop::default();
        thread::scope(|scope| {
            for n in 1..self.settings.threads {
                let (mut root, shared, done) = (root.clone(), &shared, &done);
                scope.spawn(move || {
                    let mut worker = Worker::new(board, shared, done);
                    // Threads that begin at different depths disagree more, which is what they are for.
                    root.deepen(&mut worker, 1 + n as u32 % 2, lines, &mut |_, _| true);
                });
            }
            let mut worker = Worker::new(board, &shared, &done);
            let mut root = root.clone();
            root.deepen(&mut worker, 1, lines, &mut |root, doubt| {
                let nodes = shared.nodes.load(Relaxed);
                report(&root.info(board, &self.table, nodes, lines));
                time.allows_another(doubt)
            });
            worker.count();
            done.set();
            root.info(board, &self.table, shared.nodes.load(Relaxed), lines)
        })
    }
}

/// What is known, with a proven line before the others.
fn with_first(proven: Info, mut info: Info) -> Info {
    let stones = proven.lines[0].cells.len().min(2);
    let same = |line: &Line| {
        line.cells.len() >= stones
            && line.cells[..stones].iter().all(|cell| proven.lines[0].cells[..stones].contains(cell))
    };
    let most = info.lines.len();
    info.lines.retain(|line| !same(line));
    info.lines.splice(0..0, proven.lines.clone());
    info.lines.truncate(most.max(1));
    info.nodes += proven.nodes;
    info
}

impl Engine for Player {
    fn begin(&mut self, _seed: u64) {
        self.table.clear();
    }

    fn search(&mut self, position: &Position, limits: &Limits, stop: &Stop, report: Report<'_>) -> Best {
        if self.shape.rules != *position.rules() {
            self.shape = Arc::new(Shape::with(position.rules(), &self.weights));
            self.table.clear();
        }
        self.table.grow_older();
        let time = Budget::new(&Pace::STEPS, position, limits, stop);
        let board = SixBoard::new(Arc::clone(&self.shape), position);
        let one = limits.lines <= 1;
        // Several lines are compared with each other, and the book's score is not of this search.
        let known = one.then(|| self.known(position)).flatten();
        let known = known.or_else(|| self.proven(position, &board, &time));
        let think = |report| self.think(Root::new(&board), &board, &time, limits.lines, report);
        let info = match known {
            Some(known) if one => known,
            Some(proven) => with_first(proven, think(report)),
            None => think(report),
        };
        let turn = info.lines[0].cells.iter().take(usize::from(board.left)).copied().collect();
        report(&info);
        Best { turn, info }
    }
}

#[cfg(test)]
mod tests;
