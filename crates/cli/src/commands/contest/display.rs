//! What is seen of a contest while it is played.

use std::collections::HashSet;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use lianzi_contest::Contest;
use lianzi_contest::journal::Played;
use lianzi_contest::plan::Plan;
use lianzi_contest::run::Progress;
use lianzi_core::{GameRecord, shown, shown_lines};
use serde_json::{Value, json};

use super::Printed;
use lianzi_console::{Console, line, warn};

/// The live table on a terminal, a line now and then elsewhere, and the JSON line of each game.
pub(super) struct Display<'a> {
    contest: &'a Contest,
    pub(super) console: &'a Console,
    json: bool,
    pub(super) bar: Option<ProgressBar>,
    last: Mutex<Option<Instant>>,
    /// How it stands, in a line.
    standing: Mutex<String>,
    /// Whose faults were told of.
    told: Mutex<HashSet<String>>,
}

impl<'a> Display<'a> {
    pub(super) fn new(contest: &'a Contest, plan: &Plan, json: bool, console: &'a Console) -> Display<'a> {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{msg}\n{wide_bar} {pos}/{len}  {elapsed}");
            ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let standing = Mutex::new(Printed::new(contest, plan, &[], console).line(0));
        Display { contest, console, json, bar, last: Mutex::default(), standing, told: Mutex::default() }
    }

    pub(super) fn show(&self, progress: &Progress<'_>) {
        if self.json {
            // A reader that hung up must not end the contest.
            let _ = line(game_json(progress.last, self.console).to_string());
        } else {
            self.tell_fault(&progress.last.record);
        }
        match &self.bar {
            Some(bar) => self.redraw(bar, progress),
            None => self.note(progress),
        }
    }

    /// Says how it stands every ten seconds, until the contest is over.
    pub(super) fn tell_now_and_then(&self, over: &Receiver<()>) {
        while over.recv_timeout(Duration::from_secs(10)) == Err(RecvTimeoutError::Timeout) {
            if let Ok(standing) = self.standing.lock() {
                warn(standing.as_str());
            }
        }
    }

    /// Says a line, above the bar if there is one.
    pub(super) fn say(&self, words: String) {
        match &self.bar {
            Some(bar) => bar.suspend(|| warn(words)),
            None => warn(words),
        }
    }

    /// Keeps how it stands for the next line, at most once a second.
    fn note(&self, progress: &Progress<'_>) {
        let (Ok(mut last), Ok(mut standing)) = (self.last.lock(), self.standing.lock()) else { return };
        if last.is_none_or(|last| last.elapsed() >= Duration::from_secs(1)) {
            *last = Some(Instant::now());
            let printed = Printed::new(self.contest, progress.plan, progress.played, self.console);
            *standing = printed.line(progress.plan.progress().0);
        }
    }

    /// Says why a player lost by a fault of its own, the first time it does: a number does not say what to mend.
    fn tell_fault(&self, record: &GameRecord) {
        let Some(blame) = record.verdict.blame else { return };
        let name = &record.sides[blame.index()].name;
        if !self.told.lock().is_ok_and(|mut told| told.insert(name.clone())) {
            return;
        }
        let words = format!("{name}: {}", record.verdict.words(&record.rules, self.console.language));
        match &self.bar {
            Some(bar) => bar.println(shown(&words)),
            None => warn(words),
        }
    }

    /// At most five times a second: counting all games takes longer the more there are.
    fn redraw(&self, bar: &ProgressBar, progress: &Progress<'_>) {
        let Ok(mut last) = self.last.lock() else { return };
        let (done, total) = progress.plan.progress();
        if done < total && last.is_some_and(|last| last.elapsed() < Duration::from_millis(200)) {
            return;
        }
        *last = Some(Instant::now());
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        let outcome = Printed::new(self.contest, progress.plan, progress.played, self.console);
        let rate = progress.fresh as f64 / progress.elapsed.as_secs_f64().max(1e-3);
        let left = Duration::from_secs_f64((total.saturating_sub(done)) as f64 / rate.max(1e-9)).as_secs();
        let words = self.console.pick("left about", "约剩");
        let words = format!("{}\n{words} {}:{:02}", outcome.words(), left / 60, left % 60);
        bar.set_message(shown_lines(&words));
    }

    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn game_json(game: &Played, console: &Console) -> Value {
    let record = &game.record;
    json!({
        "event": "game",
        "id": game.id.to_string(),
        "game": record.rules,
        "black": record.sides[0].name,
        "white": record.sides[1].name,
        "outcome": record.verdict.outcome_name(),
        "ending": record.verdict.ending.name(),
        "plies": record.moves.len(),
        "words": record.verdict.words(&record.rules, console.language),
    })
}
