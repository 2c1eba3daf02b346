//! `bench proofs`: how soon wins by force are proven, in the last positions of games `strong` played against itself.
//!
//! A win by two fours or more counts if a slow search that knows the referee alone finds it too; a win by threes, where
//! fours do not suffice, if the proof holds against every legal answer. The games are the same on every machine.
//! With a file of Connect6 positions, as `dev threats` makes them: how soon each is proven and replayed.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use lianzi_core::{Position, Rules};
use lianzi_engine::solve::{Solved, Solver};
use lianzi_engine::workshop::connect6::Threats;
use lianzi_engine::workshop::gomoku::{GomokuBoard, Knowledge, Means, prove, wins, wins_by_fours};
use lianzi_engine::workshop::training::Lesson;
use lianzi_engine::workshop::training::selfplay::{Course, play};
use lianzi_engine::{Engine, Limits, Stop};
use lianzi_players::PlayerSpec;
use serde_json::json;

use crate::bar;
use lianzi_cage::cpu::thread_time;
use lianzi_console::{Console, line};

const RULES: Rules = Rules::gomoku(15);

/// How the games are played.
const COURSE: Course = Course { rules: RULES, nodes: 1000, balance: 120, seed: 1, astray: false };

/// How many plies of a game are looked at, the last ones.
const LAST: usize = 24;

/// How many positions the slow search may look at.
const SLOW: usize = 100_000;

/// How many nodes a proof may take.
const NODES: u64 = 2_000_000;

/// For so many wins by fours one by threes.
const SHARE: usize = 5;

/// What was measured in positions of one sort.
#[derive(Default)]
struct Sheet {
    wanted: usize,
    /// Within so many seconds is soon.
    soon: u64,
    /// CPU time of each proof.
    times: Vec<Duration>,
    /// Positions each looked at.
    nodes: Vec<u64>,
    unsolved: usize,
}

impl Sheet {
    fn new(wanted: usize, soon: u64) -> Sheet {
        Sheet { wanted, soon, ..Sheet::default() }
    }

    fn is_full(&self) -> bool {
        self.positions() >= self.wanted
    }

    fn positions(&self) -> usize {
        self.times.len() + self.unsolved
    }

    /// A quantile of the times, in milliseconds.
    fn time(&self, share: f64) -> f64 {
        let mut times = self.times.clone();
        times.sort_unstable();
        quantile(&times, share).as_secs_f64() * 1e3
    }

    fn nodes(&self, share: f64) -> u64 {
        let mut nodes = self.nodes.clone();
        nodes.sort_unstable();
        quantile(&nodes, share)
    }

    fn note(&mut self, (time, nodes): (Duration, u64)) {
        self.times.push(time);
        self.nodes.push(nodes);
    }

    /// How many were solved soon.
    fn soon(&self) -> usize {
        self.times.iter().filter(|time| time.as_secs() < self.soon).count()
    }

    fn print(&self, name: &str, words: &str, json: bool, console: &Console) -> anyhow::Result<()> {
        let [half, late, worst] = [0.5, 0.99, 1.0].map(|share| self.time(share));
        let (positions, solved, soon) = (self.positions(), self.times.len(), self.soon());
        line(match json {
            true => json!({"bench": "proofs", "means": name, "positions": positions, "solved": solved, (format!("within_{}s", self.soon)): soon, "p50_ms": half, "p99_ms": late, "max_ms": worst, "nodes_p50": self.nodes(0.5), "nodes_max": self.nodes(1.0)}).to_string(),
            false => format!(
                "{words}: {positions}  {} {solved}  {} {} s {soon}  p50 {half:.3} ms  p99 {late:.3} ms  max {worst:.3} ms CPU  {} {} / {}",
                console.pick("solved", "已证"),
                console.pick("within", "时限"),
                self.soon,
                console.pick("nodes p50 / max", "节点 p50 / max"),
                self.nodes(0.5),
                self.nodes(1.0),
            ),
        })
    }
}

fn quantile<T: Copy + Default>(sorted: &[T], share: f64) -> T {
    let n = (sorted.len().saturating_sub(1) as f64 * share).round() as usize;
    sorted.get(n).copied().unwrap_or_default()
}

/// What is filled, game after game.
struct Proofs {
    knowledge: Arc<Knowledge>,
    seen: HashSet<u64>,
    fours: Sheet,
    threes: Sheet,
}

/// Plays games until there are so many wins by fours and a fifth as many by threes, and prints how soon each is proven.
pub fn run(count: usize, json: bool, console: &Console) -> anyhow::Result<()> {
    let player: PlayerSpec = "strong@hash=8".parse()?;
    let mut engine = player.engine(&RULES)?.context("strong is built in")?;
    let mut proofs = Proofs {
        knowledge: Arc::new(Knowledge::new(&RULES)),
        seen: HashSet::new(),
        fours: Sheet::new(count, 1),
        threes: Sheet::new(count.div_ceil(SHARE), 1),
    };
    proofs.fill(engine.as_mut())?;
    let fours = console.pick("wins by fours", "连续冲四取胜");
    let threes = console.pick("wins by fours and threes", "冲四与活三取胜");
    proofs.fours.print("fours", fours, json, console)?;
    proofs.threes.print("threes", threes, json, console)
}

/// How long one position of Connect6 is tried.
const PATIENCE: Duration = Duration::from_secs(10);

/// Solves Connect6 positions, one a line, and prints how soon each is proven and replayed against every defence.
pub fn threats(file: &Path, json: bool, console: &Console) -> anyhow::Result<()> {
    const GAME: Rules = Rules::connect6(19);
    let name = || file.display().to_string();
    let text = std::fs::read_to_string(file).with_context(name)?;
    let mut solver = Threats::new(&GAME)?;
    let mut sheet = Sheet::new(text.lines().count(), 2);
    for (n, moves) in text.lines().enumerate() {
        let position = Position::after(GAME, moves).with_context(|| format!("{}:{}", name(), n + 1))?;
        let limits = Limits { move_time: Some(PATIENCE), ..Limits::default() };
        let start = thread_time();
        let solution = solver.solve(&position, &limits, &Stop::default());
        match solution.result {
            Solved::Win => sheet.note((thread_time() - start, solution.nodes)),
            _ => sheet.unsolved += 1,
        }
    }
    ensure!(sheet.positions() > 0, "{}: {}", name(), console.pick("no position", "没有局面"));
    sheet.print("threats", console.pick("wins by threats", "威胁取胜"), json, console)
}

impl Proofs {
    fn fill(&mut self, engine: &mut dyn Engine) -> anyhow::Result<()> {
        let bar = bar((self.fours.wanted + self.threes.wanted) as u64)?;
        for n in 0.. {
            if self.fours.is_full() && self.threes.is_full() {
                break;
            }
            let lesson = play(&COURSE, n, engine, &Stop::default()).context("nobody stops a game")?;
            self.take(&lesson);
            bar.set_position((self.fours.positions() + self.threes.positions()) as u64);
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Goes back from the end of a game through the winner's turns, as long as a win is proven.
    fn take(&mut self, lesson: &Lesson) {
        for position in endings(lesson) {
            if !self.seen.insert(position.hash()) {
                break;
            }
            let goes_on = match wins_by_fours(&position, SLOW) {
                Some(true) => is_plain(&position) || self.by_fours(&position),
                Some(false) => self.by_threes(&position),
                None => false,
            };
            if !goes_on {
                break;
            }
        }
    }

    fn by_fours(&mut self, position: &Position) -> bool {
        if !self.fours.is_full() {
            match self.prove(position, Means::Fours) {
                Some(proven) => self.fours.note(proven),
                None => self.fours.unsolved += 1,
            }
        }
        true
    }

    /// What cannot be proven is no win as far as anybody knows, and does not count.
    fn by_threes(&mut self, position: &Position) -> bool {
        if self.threes.is_full() {
            return false;
        }
        let proven = self.prove(position, Means::Threes);
        if let Some(proven) = proven {
            self.threes.note(proven);
        }
        proven.is_some()
    }

    /// The CPU time until the proof was there and the positions that took, if it holds.
    fn prove(&self, position: &Position, means: Means) -> Option<(Duration, u64)> {
        let board = GomokuBoard::new(position, &self.knowledge);
        let start = thread_time();
        let attempt = prove(&board, means, NODES, None);
        let time = thread_time() - start;
        attempt.proof.filter(|proof| wins(position, &board, proof)).map(|_| (time, attempt.nodes))
    }
}

/// Whether one stone wins at once or leaves no answer: nothing to be proud of.
fn is_plain(position: &Position) -> bool {
    wins_by_fours(position, 1) == Some(true)
}

/// The winner's last turns of a game, the last one first.
fn endings(lesson: &Lesson) -> Vec<Position> {
    let first = lesson.plies.len().saturating_sub(LAST);
    let mut positions = Vec::new();
    lesson.walk(RULES, |position, _| {
        if position.plies().len() >= first && lesson.winner == Some(position.to_move()) {
            positions.push(position.clone());
        }
    });
    positions.reverse();
    positions
}
