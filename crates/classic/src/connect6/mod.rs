//! `classic-connect6`: Connect6 as a course report of 2021 describes it, a program in Haskell of eight modules.
//!
//! Fifteen classes of patterns are scored along every line (`pattern`, `scores`, `evaluate`); a greedy
//! generator makes nine pairs of stones (`generate`); a minimax of three choices a node looks four turns ahead
//! (`branch`). If the greedy pair gains more than five million it is played at once: it wins, or it kills a
//! threat, and the report had seen the search walk past such turns (its *koOrBranch*). Rows of the acceptance list
//! are named in the tests as S0-….
//!
//! The report wants no winning and no fatal turn overlooked (S0-20). Its own algorithm does not always keep that:
//! see `what_the_generator_overlooks` in the tests.

mod board;
mod branch;
mod evaluate;
mod generate;
mod pattern;
mod scores;

use std::time::Duration;

use lianzi_engine::Instant;

use lianzi_core::{Position, Rules, Stone, shorten};

use self::board::Board;
use self::branch::{Branch, Value, for_black};
use self::evaluate::Evaluator;
use self::generate::{Generator, Turn};
pub use self::pattern::Class;
pub use self::scores::{Dead, Scores};
use lianzi_engine::{Best, Engine, Info, Limits, Line, NoEngine, Options, Report, Stop};

/// What can be changed about the player; the defaults are the report's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many turns to look ahead; with 0 the greedy turn is played.
    pub depth: u32,
    /// How many first stones, second stones and choices are considered.
    pub width: usize,
    /// Whether a turn that gains more than the threshold is played without a search.
    pub ko: bool,
    /// Whether alpha-beta skips branches that cannot matter.
    pub prune: bool,
    /// Whether a line is not compared with patterns of more stones than it has.
    pub shortcut: bool,
    /// Whose dead patterns count.
    pub dead: Dead,
    /// What the patterns are worth.
    pub scores: Scores,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            depth: 4,
            width: 3,
            ko: true,
            prune: true,
            shortcut: true,
            dead: Dead::Split,
            scores: Scores::default(),
        }
    }
}

impl Settings {
    /// The largest depth and width one may ask for; the tree has width to the power of depth leaves.
    const LARGEST: usize = 12;

    /// Takes the options `depth`, `width`, `ko`, `prune`, `shortcut`, `dead` and `scores`.
    pub fn from_options(options: &mut Options) -> Result<Settings, NoEngine> {
        let usual = Settings::default();
        Ok(Settings {
            depth: within(options, "depth", 0, usual.depth as usize)? as u32,
            width: within(options, "width", 1, usual.width)?,
            ko: options.take_switch("ko")?.unwrap_or(usual.ko),
            prune: options.take_switch("prune")?.unwrap_or(usual.prune),
            shortcut: options.take_switch("shortcut")?.unwrap_or(usual.shortcut),
            dead: options.take("dead")?.unwrap_or(usual.dead),
            scores: options.take("scores")?.unwrap_or(usual.scores),
        })
    }
}

/// Takes a number from `least` to the largest allowed.
fn within(options: &mut Options, key: &str, least: usize, usual: usize) -> Result<usize, NoEngine> {
    let number = options.take(key)?.unwrap_or(usual);
    let bad = || NoEngine::Value { key: key.into(), value: shorten(&number.to_string()) };
    if (least..=Settings::LARGEST).contains(&number) { Ok(number) } else { Err(bad()) }
}

/// The report's player.
#[derive(Clone, Debug)]
pub struct ClassicConnect6 {
    settings: Settings,
    evaluator: Evaluator,
}

impl ClassicConnect6 {
    /// A turn that gains more than this wins or kills a threat.
    pub const KO: i64 = 5_000_000;

    /// A player with these settings.
    pub fn new(settings: Settings) -> ClassicConnect6 {
        let evaluator = Evaluator::new(settings.scores.clone(), settings.dead, settings.shortcut);
        ClassicConnect6 { settings, evaluator }
    }

    /// The player under its name in the catalog: for Connect6 of any size, with or without blocked cells.
    pub fn from_options(name: &str, rules: &Rules, options: &mut Options) -> Result<Self, NoEngine> {
        let usual = Rules::connect6(19);
        let game = Rules { width: usual.width, height: usual.height, blocked: usual.blocked, ..*rules };
        if game != usual {
            return Err(NoEngine::Game { name: name.into(), game: rules.to_string() });
        }
        Settings::from_options(options).map(ClassicConnect6::new)
    }

    /// The report's koOrBranch: the greedy turn if it gains so much, otherwise what Branch finds.
    fn ko_or_branch(&mut self, search: &Search<'_>, report: Report<'_>) -> Info {
        let mut board = Board::new(search.position);
        let width = self.settings.width;
        let choices = Generator { board: &mut board, evaluator: &mut self.evaluator, width }
            .choices(search.us(), search.position.stones_left().into());
        let greedy = &choices[0];
        let score = for_black(self.evaluator.board(&board, search.us()) + greedy.gain, search.us());
        let value = Value { score, cells: greedy.cells.clone() };
        let info = Info { depth: 1, nodes: 0, lines: vec![line(&value, greedy, search.us())] };
        report(&info);
        // A limit that is given is the depth that is wanted, be it more or less than usual.
        let depth = search.limits.depth.unwrap_or(self.settings.depth).min(Settings::LARGEST as u32);
        if depth == 0 || self.settings.ko && greedy.gain > Self::KO {
            return info;
        }
        let info = self.branch(search, &mut board, &choices, depth, info);
        report(&info);
        info
    }

    /// Searches every choice. Where time was too short for even one, what was known before stands.
    fn branch(&mut self, search: &Search<'_>, board: &mut Board, choices: &[Turn], depth: u32, known: Info) -> Info {
        let expired = |nodes| search.expired(nodes);
        let us = search.us();
        let Settings { width, prune, .. } = self.settings;
        let evaluator = &mut self.evaluator;
        let mut branch = Branch { board, evaluator, us, width, prune, expired: &expired, nodes: 0 };
        let wanted = search.limits.lines.max(1);
        let values = branch.values(choices, depth, wanted > 1);
        let mut ranked: Vec<(&Value, &Turn)> = values.iter().zip(choices).collect();
        // Stable, so that of equal values the one that gains more at once comes first.
        ranked.sort_by_key(|(value, _)| -for_black(value.score, us));
        let lines: Vec<Line> = ranked.iter().take(wanted).map(|(value, turn)| line(value, turn, us)).collect();
        let depth = if values.len() == choices.len() { depth } else { known.depth };
        let lines = if lines.is_empty() { known.lines } else { lines };
        Info { depth, nodes: branch.nodes, lines }
    }
}

/// What an answer says about a choice; only a six on the board is a proof.
fn line(value: &Value, turn: &Turn, us: Stone) -> Line {
    let score = for_black(value.score, us).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let win_in = turn.wins.then_some(turn.cells.len() as i32);
    Line { score, win_in, cells: value.cells.clone() }
}

impl Engine for ClassicConnect6 {
    fn begin(&mut self, _: u64) {}

    fn search(&mut self, position: &Position, limits: &Limits, stop: &Stop, report: Report<'_>) -> Best {
        let info = self.ko_or_branch(&Search::new(position, limits, stop), report);
        // The first stones of the best line are the turn; a stone that wins is the last of both.
        let turn = info.lines[0].cells.iter().take(position.stones_left().into()).copied().collect();
        Best { turn, info }
    }
}

/// The question, and when an answer is due.
struct Search<'a> {
    position: &'a Position,
    limits: &'a Limits,
    stop: &'a Stop,
    deadline: Option<Instant>,
}

impl<'a> Search<'a> {
    fn new(position: &'a Position, limits: &'a Limits, stop: &'a Stop) -> Search<'a> {
        // A twentieth of the clock: games last some ten turns, and a search hardly ever takes that long.
        let clock = limits.clock.map(|clock| clock.left / 20 + clock.increment.min(clock.left / 2));
        let times: Option<Duration> = limits.move_time.into_iter().chain(clock).min();
        let deadline = times.and_then(|time| Instant::now().checked_add(time));
        Search { position, limits, stop, deadline }
    }

    fn us(&self) -> Stone {
        self.position.to_move()
    }

    fn expired(&self, nodes: u64) -> bool {
        self.stop.is_set()
            || self.limits.nodes.is_some_and(|most| nodes >= most)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

#[cfg(test)]
mod tests;
