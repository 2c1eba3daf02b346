//! Play in one number: what engines answer on fixed positions with fixed nodes, one thread and a fixed seed.
//!
//! The number is the same on every machine. A change that was to leave play alone keeps it; one that changes play
//! changes it knowingly, and says so. Positions are strewn by our own random source, so nothing outside of this crate
//! can change them.

use std::fmt;

use lianzi_core::{Cell, Placement, Position, Random, Rules, mix};

use crate::catalog::{Setting, solver};
use crate::solve::{Solution, Solver};
use crate::{Best, Engine, Limits, NoEngine, Options, Stop};

/// A player and a game whose answers are summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The engine's name and perhaps an option, `strong@level=5`; `solve` is what the command solves with.
    pub player: &'static str,
    /// The game.
    pub game: &'static str,
    /// How many nodes each answer may take.
    pub nodes: u64,
}

const fn row(player: &'static str, game: &'static str, nodes: u64) -> Row {
    Row { player, game, nodes }
}

/// What is watched. Nodes are few, for all of it is to take a second or two.
pub const ROWS: &[Row] = &[
    row("strong", "gomoku", 6_000),
    row("strong", "standard", 6_000),
    row("strong", "renju", 6_000),
    row("strong", "connect6", 1_500),
    row("strong", "connect4", 3_000),
    row("strong", "connect4:9x10", 3_000),
    row("strong@level=5", "gomoku", 6_000),
    row("strong@level=5", "connect6", 1_500),
    row("strong@level=5", "connect4:9x10", 3_000),
    row("solver", "connect4", 30_000),
    row("solve", "gomoku", 3_000),
    row("solve", "renju", 3_000),
    row("solve", "connect6", 1_000),
    row("solve", "connect4", 10_000),
    row("uct", "gomoku", 600),
    row("uct", "connect6", 600),
    row("uct", "connect4", 2_000),
    row("greedy", "gomoku", 1),
    row("greedy", "connect6", 1),
    row("greedy", "connect4", 1),
    row("random", "gomoku", 1),
    row("classic-uct", "connect4", 2_000),
];

/// What a row came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Who answered, and on which game.
    pub row: Row,
    /// How many nodes that took.
    pub nodes: u64,
    /// All answers: nodes, depths, turns, lines and scores.
    pub value: u32,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Signature { row: Row { player, game, .. }, nodes, value } = self;
        write!(f, "{player:17} {game:14} {nodes:>7} {value:08x}")
    }
}

/// Makes a player by name; a catalog does.
pub type Make = fn(&str, &Rules, &Options) -> Result<Box<dyn Engine>, NoEngine>;

/// The signature of a row; none if nobody of that name plays that game.
pub fn signature(row: Row, make: Make) -> Option<Signature> {
    let rules: Rules = row.game.parse().ok()?;
    let mut sum = Sum::default();
    if row.player == "solve" {
        let mut solver = solver(&rules, Setting { table: 16 << 20, ..Setting::default() }).ok()?;
        sum.solve(solver.as_mut(), &rules, row.nodes);
    } else {
        let (name, options) = row.player.split_once('@').unwrap_or((row.player, ""));
        let given = options.split_once('=').map(|(key, value)| (key.to_string(), value.to_string()));
        let options = Options { seed: SEED, given: given.into_iter().collect() };
        sum.play(make(name, &rules, &options).ok()?.as_mut(), &rules, row.nodes);
    }
    Some(Signature { row, nodes: sum.nodes, value: fold(sum.value) })
}

/// One number for many rows.
pub fn total(signatures: &[Signature]) -> u32 {
    fold(signatures.iter().fold(0, |sum, signature| mix(sum ^ u64::from(signature.value))))
}

const fn fold(value: u64) -> u32 {
    (value ^ value >> 32) as u32
}

/// Where random numbers start.
const SEED: u64 = 1;

/// How many stones lie on the boards that engines are asked about.
const STONES: [usize; 4] = [3, 9, 14, 19];

/// And on those to be solved: many, for most are decided by a glance.
const STONES_TO_SOLVE: [usize; 24] =
    [4, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 15, 16, 17, 18, 20];

/// What was answered so far.
#[derive(Default)]
struct Sum {
    nodes: u64,
    value: u64,
}

impl Sum {
    /// Asks about every position and, with what is remembered, about the one after the answer, there for several lines.
    fn play(&mut self, engine: &mut dyn Engine, rules: &Rules, nodes: u64) {
        for mut position in positions(rules, &STONES) {
            engine.begin(SEED);
            for lines in [1, 3] {
                if position.outcome().is_some() {
                    break;
                }
                let limits = Limits { nodes: Some(nodes), lines, ..Limits::default() };
                let best = engine.search(&position, &limits, &Stop::default(), &mut |_| {});
                self.answer(&best);
                // A turn that cannot be played has changed the sum already.
                let _ = best.turn.iter().try_for_each(|&cell| position.play(cell));
            }
        }
    }

    fn solve(&mut self, solver: &mut dyn Solver, rules: &Rules, nodes: u64) {
        for position in positions(rules, &STONES_TO_SOLVE) {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let Solution { result, score, line, nodes, .. } = solver.solve(&position, &limits, &Stop::default());
            self.nodes += nodes;
            self.add(nodes);
            self.add(result as u64);
            self.add(score.map_or(u64::MAX, |score| score as u64));
            self.cells(&line);
        }
    }

    fn answer(&mut self, best: &Best) {
        self.nodes += best.info.nodes;
        self.add(best.info.nodes);
        self.add(best.info.depth.into());
        self.cells(&best.turn);
        for line in &best.info.lines {
            self.add(line.score as u64);
            self.add(line.win_in.map_or(u64::MAX, |plies| plies as u64));
            self.cells(&line.cells);
        }
    }

    fn cells(&mut self, cells: &[Cell]) {
        self.add(cells.len() as u64);
        cells.iter().for_each(|cell| self.add(cell.index() as u64));
    }

    fn add(&mut self, number: u64) {
        self.value = mix(self.value.rotate_left(1) ^ number);
    }
}

/// Positions of a game between turns, from a few stones near the middle to many; in none is the game over.
fn positions(rules: &Rules, stones: &[usize]) -> impl Iterator<Item = Position> {
    let mut random = Random::new(SEED);
    stones.iter().map(move |&stones| {
        loop {
            let position = strew(rules, stones, &mut random);
            if position.outcome().is_none() {
                return position;
            }
        }
    })
}

/// So many random stones and the rest of the last one's turn: where they drop, or within five cells of the middle.
fn strew(rules: &Rules, stones: usize, random: &mut Random) -> Position {
    let mut position = Position::new(*rules);
    while position.outcome().is_none() && (position.plies().len() < stones || position.mid_turn()) {
        let cell = match rules.placement {
            Placement::Drop => position.landing(random.below(rules.width.into()) as u8),
            Placement::Anywhere => {
                let near = |side: u8, random: &mut Random| side / 2 + random.below(9) as u8 - 4;
                Some(Cell::new(near(rules.width, random), near(rules.height, random)))
            }
        };
        // A cell that is taken or forbidden is drawn again.
        let _ = cell.map(|cell| position.play(cell));
    }
    position
}
