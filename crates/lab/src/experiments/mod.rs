//! The experiments of the documents, once more: what they claim, what comes out here, side by side.
//!
//! One file per experiment. Each returns a [`Report`] of settings, tables and one sentence that says whether the
//! claim holds; nothing is printed by the experiment itself. Games are played by the engines directly
//! ([`hall`]), because an experiment needs the CPU time of each side, which the arena does not measure.

mod complexity;
mod first;
mod friends;
mod groups;
pub mod hall;
mod innovations;
mod learn;
mod modules;
mod oracle;
mod playouts;
pub mod report;
mod selfplay;
mod versions;

use std::io::IsTerminal;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use clap::ValueEnum;
use indicatif::ProgressBar;
use lianzi_core::Text;
pub use report::Report;

use lianzi_console::Console;

/// One experiment of a document.
pub struct Experiment {
    /// What a user types.
    pub name: &'static str,
    /// Where it stands: the document and what was printed there.
    pub document: &'static str,
    /// What it measures.
    pub what: Text,
    /// CPU time of the quick and of the full run, about.
    pub time: [&'static str; 2],
    /// Does it.
    pub run: fn(&Lab<'_>) -> anyhow::Result<Report>,
}

/// All experiments, by document.
pub static ALL: [Experiment; 10] = [
    selfplay::EXPERIMENT,
    innovations::EXPERIMENT,
    learn::EXPERIMENT,
    complexity::EXPERIMENT,
    modules::EXPERIMENT,
    friends::EXPERIMENT,
    playouts::EXPERIMENT,
    groups::EXPERIMENT,
    first::EXPERIMENT,
    versions::EXPERIMENT,
];

/// How much work an experiment may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Effort {
    /// Seconds: enough to see that the experiment runs, too little to learn from it
    Tiny,
    /// About a minute
    Quick,
    /// As long as the result is worth
    Full,
}

/// What every experiment is given.
pub struct Lab<'a> {
    /// Where words go.
    pub console: &'a Console,
    /// How much work it may take.
    pub budget: Effort,
    /// Where random numbers start.
    pub seed: u64,
    /// How many games at once.
    pub concurrency: usize,
}

impl Lab<'_> {
    /// Chooses between the two versions of one text.
    pub fn pick<T: Copy>(&self, english: T, chinese: T) -> T {
        self.console.pick(english, chinese)
    }

    /// The text in the user's language.
    pub fn say(&self, text: Text) -> String {
        self.console.say(text)
    }

    /// How large something is for this budget.
    pub fn size<T>(&self, tiny: T, quick: T, full: T) -> T {
        match self.budget {
            Effort::Tiny => tiny,
            Effort::Quick => quick,
            Effort::Full => full,
        }
    }

    /// Does every job, several at once, and returns the results in the order of the jobs: how many ran at once
    /// changes nothing.
    pub fn each<T: Sync, R: Send>(
        &self,
        jobs: &[T],
        work: impl Fn(&T) -> anyhow::Result<R> + Sync,
    ) -> anyhow::Result<Vec<R>> {
        let next = AtomicUsize::new(0);
        let bar = progress(jobs.len());
        let worker = || {
            let mut done = Vec::new();
            while let Some((n, job)) = take(jobs, &next) {
                done.push((n, work(job)));
                bar.inc(1);
            }
            done
        };
        let mut done: Vec<(usize, anyhow::Result<R>)> = thread::scope(|scope| {
            let workers: Vec<_> = (0..self.concurrency.max(1)).map(|_| scope.spawn(worker)).collect();
            let join = |worker: thread::ScopedJoinHandle<'_, _>| worker.join().unwrap_or_else(|p| resume_unwind(p));
            workers.into_iter().flat_map(join).collect()
        });
        bar.finish_and_clear();
        done.sort_by_key(|(n, _)| *n);
        done.into_iter().map(|(_, result)| result).collect()
    }
}

fn take<'a, T>(jobs: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let n = next.fetch_add(1, Ordering::Relaxed);
    jobs.get(n).map(|job| (n, job))
}

/// A bar where somebody can see it.
fn progress(jobs: usize) -> ProgressBar {
    if std::io::stderr().is_terminal() { ProgressBar::new(jobs as u64) } else { ProgressBar::hidden() }
}
