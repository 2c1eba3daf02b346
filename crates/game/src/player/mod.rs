//! What it takes to be a player, and our own engines as players.

mod engine;
mod meter;
mod named;
mod spending;

pub use engine::EngineNews;
pub use engine::EnginePlayer;
pub use engine::MakeEngine;
pub use engine::Order;
pub use engine::own_limits;
pub use engine::panic_words;
pub use engine::spawn;
pub use named::{Device, NamedEngine, engine_with};
pub use spending::Spending;

use std::time::Duration;

use lianzi_core::record::Eval;
use lianzi_core::{Act, Fault, Negotiation, Position, Rules, Stone, Verdict};
use lianzi_engine::{Instant, Limits, Report, Stop};

use crate::clock::Control;
use crate::judge::Answer;

/// A program or a person that can play a game.
pub trait Player: Send {
    /// A new game begins. Whatever is left of the last one is forgotten.
    fn sit(&mut self, seat: &Seat<'_>) -> Result<(), Fault>;

    /// Chooses a turn by the deadline.
    fn take_turn(&mut self, ask: &Ask<'_>, watch: Report<'_>) -> Result<Reply, Fault>;

    /// Takes part in finding sides: what it does next, as much in a row as it likes. Nothing when it cannot.
    fn negotiate(&mut self, _: &Ask<'_>, _: &Negotiation) -> Result<Option<Vec<Act>>, Fault> {
        Ok(None)
    }

    /// How much longer than its clock allows its next answer may take, since it has just started. No clock counts it.
    fn warm_up(&self) -> Duration {
        Duration::ZERO
    }

    /// The game is over.
    fn leave(&mut self, verdict: &Verdict);

    /// What is worth keeping of what it said in the game that is over, apart from its moves.
    fn said(&mut self) -> Option<String> {
        None
    }

    /// What it tried in that game and may not do, where it is locked in.
    fn refused(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// A place at the board.
#[derive(Clone, Copy, Debug)]
pub struct Seat<'a> {
    /// The game.
    pub rules: &'a Rules,
    /// The side to play.
    pub stone: Stone,
    /// What the players may use.
    pub control: &'a Control,
    /// Where random numbers of this game start.
    pub seed: u64,
}

/// The question of what to play.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    /// The game so far.
    pub position: &'a Position,
    /// What an engine may use.
    pub limits: Limits,
    /// When an answer should be there: the end of the allowed time.
    pub due: Option<Instant>,
    /// When no answer counts any more: the end of the margin.
    pub deadline: Option<Instant>,
    /// Set when nobody wants the answer any more.
    pub interrupt: &'a Stop,
}

/// What a player answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The stones.
    pub turn: Vec<Answer>,
    /// What it thinks of them.
    pub eval: Option<Eval>,
    /// What it said of them that may help to understand it, in its own words.
    pub thoughts: String,
    /// How much CPU time it used, where that is measured.
    pub cpu: Option<Duration>,
    /// It gives up instead.
    pub resigns: bool,
}
