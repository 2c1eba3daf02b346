//! `strong` at Connect6: iterative deepening over the turns of the root, on one thread or several.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use lianzi_core::Position;

use super::board::Board;
use super::root::Root;
use super::search::{Shared, Worker};
use super::shape::Shape;
use crate::catalog::{NoEngine, Options};
use crate::table::Table;
use crate::time::Time;
use crate::{Best, Engine, Info, Limits, Stop};

/// What can be set of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many MiB the table may take.
    pub hash: usize,
    /// How many threads search.
    pub threads: usize,
}

impl Settings {
    /// The usual settings, changed by the options `hash` and `threads`.
    pub fn from_options(options: &mut Options) -> Result<Settings, NoEngine> {
        Ok(Settings {
            hash: options.take_in("hash", 1..=65_536)?.unwrap_or(64),
            threads: options.take_in("threads", 1..=256)?.unwrap_or(1),
        })
    }
}

/// The player.
pub struct Player {
    settings: Settings,
    shape: Arc<Shape>,
    table: Table,
}

impl Player {
    /// A player of this game.
    pub fn new(rules: &lianzi_core::Rules, settings: Settings) -> Player {
        Player { settings, shape: Arc::new(Shape::new(rules)), table: Table::new(settings.hash) }
    }

    fn think(
        &self,
        root: Root,
        board: &Board,
        time: &Time<'_>,
        lines: usize,
        report: &mut dyn FnMut(&Info),
    ) -> Info {
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

impl Engine for Player {
    fn begin(&mut self, _seed: u64) {
        self.table.clear();
    }

    fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Info),
    ) -> Best {
        if self.shape.rules != *position.rules() {
            self.shape = Arc::new(Shape::new(position.rules()));
            self.table.clear();
        }
        self.table.grow_older();
        let time = Time::new(position, limits, stop);
        let board = Board::new(Arc::clone(&self.shape), position);
        let root = Root::new(&board);
        let info = self.think(root, &board, &time, limits.lines, report);
        let turn = info.lines[0].cells.iter().take(usize::from(board.left)).copied().collect();
        report(&info);
        Best { turn, info }
    }
}

#[cfg(test)]
mod tests;
