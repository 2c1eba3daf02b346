//! `strong` at Connect6: iterative deepening over the turns of the root, on one thread or several.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lianzi_core::{Position, Rules};

use super::board::SixBoard;
use super::book::Book;
use super::doubt::{COST, Doubts};
use super::network::FORM;
use super::plan::Plan;
use super::prover::{Means, Prover};
use super::root::{Next, OPEN, Root, SURE};
use super::search::{Shared, Worker};
use super::shape::Shape;
use super::solver::line;
use super::verify;
use super::weights::Weights;
use crate::chance::FARTHEST;
use crate::crew::together;
use crate::network::Network;
use crate::table::SharedTable;
use crate::time::{Budget, Pace};
use crate::{Best, Engine, Info, Limits, Line, NoEngine, Options, Report, Stop};

/// The prover gets one of so many parts of the nodes; a few positions are not counted.
const PART: u64 = 20;
const UNCOUNTED: u64 = 5_000;

/// The last of so many parts of the budget is for a look at the choice, unless it is too small for that.
const LOOK: u32 = 16;
const SMALL: u64 = 100_000;

/// Where all seems lost more search says nothing new: the prover gets half of what is left, at most so many nodes or
/// twice what was searched, for what it remembers must have room.
const LAST_HOPE: u64 = 1_000_000;

/// What the prover looks for.
const MEANS: Means = Means { singles: 2, quiet: false };

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

/// What a player is asked.
struct Asked<'a> {
    position: &'a Position,
    board: &'a SixBoard,
    time: &'a Budget<'a>,
    lines: usize,
}

/// The player of one game.
pub struct Player {
    settings: Settings,
    shape: Arc<Shape>,
    table: SharedTable,
}

impl Player {
    /// A player set up by options: those of [`Settings`]; `weights`, a file to use instead of the built-in ones, which
    /// the built-in network does not correct; `net`, another network, or `off`.
    pub fn from_options(rules: &Rules, options: &mut Options) -> Result<Player, NoEngine> {
        let settings = Settings::from_options(options)?;
        let weights = options.take_weights(Weights::read)?;
        let usual = if weights.is_none() { Network::of(&FORM, rules) } else { None };
        let network = options.take_network(usual, |bytes| Network::read(&FORM, bytes))?;
        let shape = Shape::with(rules, &weights.unwrap_or_else(Weights::built_in)).and(network);
        Ok(Player::with(shape, settings))
    }

    /// A player of this game.
    pub fn new(rules: &Rules, settings: Settings) -> Player {
        Player::with(Shape::new(rules), settings)
    }

    fn with(shape: Shape, settings: Settings) -> Player {
        Player { settings, shape: Arc::new(shape), table: SharedTable::new(settings.hash) }
    }

    /// What the book says.
    fn known(&self, position: &Position) -> Option<Info> {
        let advice = Book::built_in().find(position).filter(|_| self.settings.book)?;
        let line = Line { score: advice.score, win_in: None, cells: advice.turn };
        Some(Info { depth: advice.depth, nodes: 0, lines: vec![line] })
    }

    /// A win by threats, looked for with so many nodes and until this share of the time has passed, and what it took.
    fn proven(&self, asked: &Asked<'_>, nodes: u64, until: f64) -> (Option<Info>, u64) {
        let is_over = || asked.time.has_passed(until);
        let mut prover = Prover::new((nodes / COST).max(nodes.min(UNCOUNTED)), &is_over);
        let plan = prover.prove(&mut asked.board.clone(), MEANS);
        let nodes = prover.nodes.saturating_sub(UNCOUNTED) * COST;
        let line = plan.and_then(|plan| self.replayed(asked, &plan, until));
        (line.map(|line| Info { depth: 0, nodes, lines: vec![line] }), nodes)
    }

    /// The line of a plan, unless it does not hold. A win is claimed if it could be replayed against every defence in
    /// the time there is for that, and otherwise only played.
    fn replayed(&self, asked: &Asked<'_>, plan: &Plan, until: f64) -> Option<Line> {
        let mut checks = 0;
        let mut is_over = || {
            checks += 1;
            checks > CHECKS || asked.time.has_passed(until + 0.1)
        };
        let cells = line(plan, asked.board);
        match verify::holds(asked.position, &self.shape, plan, &mut is_over) {
            Some(true) => Some(Line { score: SURE, win_in: Some(cells.len() as i32), cells }),
            Some(false) => None,
            None => Some(Line { score: OPEN, win_in: None, cells }),
        }
    }

    /// Looks for a proof while the other threads, which it has nothing to do for, begin with the search: what they put
    /// counts, and stays in the table.
    fn meanwhile(&self, asked: &Asked<'_>, prove: impl FnOnce() -> (Option<Info>, u64)) -> (Option<Info>, u64) {
        if self.settings.threads == 1 {
            return prove();
        }
        let Asked { board, lines, .. } = *asked;
        let searching = asked.time.part(PART as u32);
        let shared = Shared { table: &self.table, time: &searching, nodes: AtomicU64::new(0) };
        let (root, done) = (Root::new(board), Stop::default());
        let others = (1..self.settings.threads).map(|_| {
            let (mut root, shared, done) = (root.clone(), &shared, &done);
            move || {
                let mut worker = Worker::new(board, shared, done);
                root.deepen(&mut worker, 1, lines, &mut |_, _| Next::Deeper);
                worker.count();
            }
        });
        let (found, nodes) = together(others, || {
            let found = prove();
            done.set();
            found
        });
        (found, nodes + shared.nodes.load(Relaxed))
    }

    /// What is to be played, as a search sees it. Where all seems lost and it still has hope, the prover is asked what
    /// the search does not see before it goes on.
    fn think(&self, asked: &Asked<'_>, spent: u64, report: Report<'_>) -> Info {
        let root = Root::new(asked.board);
        let hope = asked.time.nodes >= SMALL;
        let first = self.search_for(asked, &root, spent, hope, report);
        if !hope || first.lines[0].win_in.is_some() || first.lines[0].score >= -FARTHEST {
            return first;
        }
        let left = asked.time.nodes.saturating_sub(first.nodes);
        let (saved, more) = self.proven(asked, (left / 2).min(LAST_HOPE.max(2 * first.nodes)), 0.6);
        match saved {
            Some(saved) => with_first(Info { nodes: first.nodes + more, ..saved }, first),
            None => self.search_for(asked, &root, first.nodes + more, false, report),
        }
    }

    /// Searches with what so many nodes leave of the budget; with hope it ends when all seems lost.
    fn search_for(&self, asked: &Asked<'_>, root: &Root, spent: u64, hope: bool, report: Report<'_>) -> Info {
        let Asked { board, lines, .. } = *asked;
        let time = &asked.time.after(spent);
        let searching = if time.nodes < SMALL { time.clone() } else { time.but(LOOK) };
        let shared = Shared { table: &self.table, time: &searching, nodes: AtomicU64::new(0) };
        let done = Stop::default();
        let others = (1..self.settings.threads).map(|n| {
            let (mut root, shared, done) = (root.clone(), &shared, &done);
            move || {
                let mut worker = Worker::new(board, shared, done);
                // Threads that begin at different depths disagree more, which is what they are for.
                root.deepen(&mut worker, 1 + n as u32 % 2, lines, &mut |_, _| Next::Deeper);
            }
        });
        together(others, || {
            let mut worker = Worker::new(board, &shared, &done);
            let mut doubts = Doubts::new(board, time);
            let mut root = root.clone();
            root.deepen(&mut worker, 1, lines, &mut |root, unsure| {
                let nodes = shared.nodes.load(Relaxed);
                report(&root.info(board, &self.table, spent + nodes, lines));
                let before = doubts.nodes;
                let refuted = doubts.arise(root, lines, nodes);
                shared.nodes.fetch_add(doubts.nodes - before, Relaxed);
                match refuted {
                    true => Next::Again,
                    false if hope && root.seems_lost() || !time.allows_another(unsure) => Next::Enough,
                    false => Next::Deeper,
                }
            });
            worker.count();
            done.set();
            let nodes = shared.nodes.load(Relaxed);
            let before = doubts.nodes;
            doubts.decide(&mut root, nodes);
            root.info(board, &self.table, spent + nodes + doubts.nodes - before, lines)
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
    Info { nodes: info.nodes.max(proven.nodes), ..info }
}

impl Engine for Player {
    fn begin(&mut self, _seed: u64) {
        self.table.clear();
    }

    fn search(&mut self, position: &Position, limits: &Limits, stop: &Stop, report: Report<'_>) -> Best {
        self.table.grow_older();
        let time = &Budget::new(&Pace::STEPS, position, limits, stop);
        let board = &SixBoard::new(Arc::clone(&self.shape), position);
        let asked = Asked { position, board, time, lines: limits.lines };
        let one = limits.lines <= 1;
        // Several lines are compared with each other, and the book's score is not of this search.
        let known = one.then(|| self.known(position)).flatten();
        let first = || self.meanwhile(&asked, || self.proven(&asked, time.nodes / PART, 0.1));
        let (known, spent) = known.map_or_else(first, |known| (Some(known), 0));
        let info = match known {
            Some(known) if one => known,
            Some(proven) => with_first(proven, self.think(&asked, spent, report)),
            None => self.think(&asked, spent, report),
        };
        let turn = info.lines[0].cells.iter().take(usize::from(board.left)).copied().collect();
        report(&info);
        Best { turn, info }
    }
}

#[cfg(test)]
mod tests;
