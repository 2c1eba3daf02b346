//! Asking a player that is no person: on a thread of the asker's choice, measured there, told as news. The web board
//! asks on its pool, the terminal on a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use lianzi_core::record::Eval;
use lianzi_core::{Fault, Position, Stone};
use lianzi_engine::{Info, Limits, Stop};

use super::LiveGame;
use crate::clock::Control;
use crate::judge::Deed;
use crate::player::Ask;
use crate::player::Player;
use crate::player::Reply;
use crate::player::Seat;
use crate::swap2::Swap2;

/// How long an engine thinks about a turn when nobody said how much it may.
pub const USUAL_TURN: Duration = Duration::from_secs(5);
/// The longest that an engine thinks about a turn.
pub const LONGEST_TURN: Duration = Duration::from_secs(60);

/// At most ten thoughts a second are told.
const APART: Duration = Duration::from_millis(100);

/// The longest that a player thinks about a turn of a game without a clock.
pub fn patience(limits: &Limits) -> Duration {
    let Limits { nodes, move_time, depth, .. } = limits;
    let limited = nodes.is_some() || move_time.is_some() || depth.is_some();
    if limited { LONGEST_TURN } else { USUAL_TURN }
}

/// Who is asked, and for what.
pub struct Asked {
    /// Tells this question from those before it.
    pub number: u64,
    /// Where its random numbers start, if it has yet to sit down.
    pub seed: Option<u64>,
    /// Its side.
    pub stone: Stone,
    /// Whether it is asked for its part in a swap2 opening.
    pub opens: bool,
    /// The longest it thinks where no clock runs.
    pub patience: Duration,
    /// Set when nobody wants the answer any more.
    pub interrupt: Stop,
}

/// What comes of a question, with its number.
pub enum News {
    /// The player has begun to think.
    Begun(u64, Instant),
    /// It thinks aloud.
    Thinks(u64, Info),
    /// It has answered.
    Answered(u64, Answered),
}

/// An answer, and the player, to be asked again unless it failed.
pub struct Answered {
    /// The player.
    pub player: Option<Box<dyn Player>>,
    /// When it began to think.
    pub began: Instant,
    /// How long it took, apart from what it needed to start.
    pub taken: Duration,
    /// What it said.
    pub said: Said,
}

/// What a player said.
pub enum Said {
    /// A turn, and what it thinks of it.
    Turn(Deed, Option<Eval>),
    /// Its part in finding sides.
    Sides(Result<Option<Swap2>, Fault>),
}

/// What a player is asked: the game as it is now.
pub struct Question {
    asked: Asked,
    position: Position,
    control: Control,
    limits: Limits,
    time: Option<Duration>,
}

impl Question {
    /// The question to this player about this game.
    pub fn new(game: &LiveGame, asked: Asked) -> Question {
        let clock = game.allowance().time.map(|(time, _)| time);
        Question {
            position: game.position().clone(),
            control: *game.control(),
            limits: game.limits(),
            // Opening stones cost no time.
            time: clock.filter(|_| !asked.opens),
            asked: Asked { patience: if clock.is_some() { LONGEST_TURN } else { asked.patience }, ..asked },
        }
    }

    /// Asks, for as long as the player takes.
    pub fn ask(&self, player: Box<dyn Player>, tell: &dyn Fn(News)) {
        if !self.asked.interrupt.is_set() {
            tell(News::Answered(self.asked.number, self.answer(player, tell)));
        }
    }

    fn answer(&self, mut player: Box<dyn Player>, tell: &dyn Fn(News)) -> Answered {
        let asked = catch_unwind(AssertUnwindSafe(|| {
            if let Err(fault) = self.sit(player.as_mut()) {
                return (Instant::now(), Duration::ZERO, self.failed(fault));
            }
            let (began, warm_up) = (Instant::now(), player.warm_up());
            tell(News::Begun(self.asked.number, began));
            let said = self.say(player.as_mut(), began + warm_up, tell);
            (began, began.elapsed().saturating_sub(warm_up), said)
        }));
        let panicked = |_| {
            let fault = Fault::Crashed("panicked".into());
            (Instant::now(), Duration::ZERO, self.failed(fault))
        };
        let (began, taken, said) = asked.unwrap_or_else(panicked);
        // A player that failed is not asked again.
        let whole = !matches!(said, Said::Turn(Deed::Failed(_), _) | Said::Sides(Err(_)));
        Answered { player: whole.then_some(player), began, taken, said }
    }

    fn failed(&self, fault: Fault) -> Said {
        if self.asked.opens { Said::Sides(Err(fault)) } else { Said::Turn(Deed::Failed(fault), None) }
    }

    fn sit(&self, player: &mut dyn Player) -> Result<(), Fault> {
        let Some(seed) = self.asked.seed else { return Ok(()) };
        let rules = self.position.rules();
        player.sit(&Seat { rules, stone: self.asked.stone, control: &self.control, seed })
    }

    fn say(&self, player: &mut dyn Player, began: Instant, tell: &dyn Fn(News)) -> Said {
        let ask = self.question(began);
        if self.asked.opens {
            return Said::Sides(player.swap2(&ask));
        }
        match self.turn(player, &ask, tell) {
            Ok(reply) if reply.resigns => Said::Turn(Deed::Resigned, reply.eval),
            Ok(reply) => Said::Turn(Deed::Turn(reply.turn), reply.eval),
            Err(why) => self.failed(why),
        }
    }

    /// However much time there is, an engine does not keep a thread for ever.
    fn question(&self, began: Instant) -> Ask<'_> {
        let mut limits = self.limits.clone();
        let longest = self.asked.patience;
        limits.move_time = Some(limits.move_time.map_or(longest, |time| time.min(longest)));
        let margin = if self.time.is_some() { self.control.margin } else { Duration::from_secs(5) };
        let due = began + self.time.unwrap_or(LONGEST_TURN);
        let (position, interrupt) = (&self.position, &self.asked.interrupt);
        Ask { position, limits, due: Some(due), deadline: Some(due + margin), interrupt }
    }

    fn turn(&self, player: &mut dyn Player, ask: &Ask<'_>, tell: &dyn Fn(News)) -> Result<Reply, Fault> {
        let mut last: Option<Instant> = None;
        player.take_turn(ask, &mut |info| {
            if last.is_none_or(|last| last.elapsed() >= APART) {
                last = Some(Instant::now());
                tell(News::Thinks(self.asked.number, info.clone()));
            }
        })
    }
}
