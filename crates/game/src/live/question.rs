//! Players that are no people: how they are made, seated and asked, on a thread of the asker's choice, measured there
//! and told as news, and how they leave.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use lianzi_core::record::Eval;
use lianzi_core::{Act, Fault, Negotiation, Position, Stone};
use lianzi_engine::{Info, Instant, Limits, Stop};

use super::Errand;
use crate::clock::Control;
use crate::judge::Deed;
use crate::player::{Ask, Player, Reply, Seat, panic_words};

/// How long an engine thinks about a turn when nobody said how much it may.
pub const USUAL_TURN: Duration = Duration::from_secs(3);
/// The longest that an engine thinks about a turn.
pub const LONGEST_TURN: Duration = Duration::from_secs(60);
/// At most ten thoughts a second are told.
pub(super) const APART: Duration = Duration::from_millis(100);
/// How much longer than a game with a clock says an answer without one may take.
const UNTIMED_MARGIN: Duration = Duration::from_secs(5);

/// One side of a table.
pub struct Side {
    /// The player as it was named, such as `human` or `strong@level=5`.
    pub player: String,
    /// What it is called.
    pub name: String,
    /// How it is made and asked, unless it is a person.
    pub machine: Option<Machine>,
    /// The machine's player, while it does not think; made when it is first needed.
    pub(super) seated: Option<Seated>,
}

impl Side {
    /// A side on which nobody sits yet.
    pub fn new(player: String, name: String, machine: Option<Machine>) -> Side {
        Side { player, name, machine, seated: None }
    }

    /// Whether a person plays it.
    pub fn is_human(&self) -> bool {
        self.machine.is_none()
    }
}

/// A player that is no person: how it is made, and how it is asked.
#[derive(Clone)]
pub struct Machine {
    make: Arc<dyn Fn() -> Option<Box<dyn Player>> + Send + Sync>,
    /// The longest it thinks about a turn of a game without a clock.
    pub patience: Duration,
    /// Where its random numbers start; without it every game has others.
    pub seed: Option<u64>,
    /// Whether it can be made anew for any turn, having nothing but memory to lose: so can our engines.
    pub anew: bool,
}

impl Machine {
    /// A player that is made so, and may think for as long as any.
    pub fn new(make: Arc<dyn Fn() -> Option<Box<dyn Player>> + Send + Sync>) -> Machine {
        Machine { make, patience: LONGEST_TURN, seed: None, anew: false }
    }

    /// The same, thinking no longer than is usual unless it has limits of its own.
    pub fn within(self, limits: &Limits) -> Machine {
        let limited = limits.nodes.is_some() || limits.move_time.is_some() || limits.depth.is_some();
        Machine { patience: if limited { LONGEST_TURN } else { USUAL_TURN }, ..self }
    }

    pub(super) fn seat(&self, leaving: &Leaving) -> Option<Seated> {
        (self.make)().map(|player| Seated { player: Some(player), leaving: leaving.clone(), kept: None })
    }
}

/// A player at the table. Whoever lets go of it does not wait until it has left: a program may take a second.
pub struct Seated {
    player: Option<Box<dyn Player>>,
    leaving: Leaving,
    /// Leave to remember while it does not think.
    kept: Option<Kept>,
}

impl Seated {
    pub(super) fn player(&mut self) -> &mut dyn Player {
        self.player.as_deref_mut().expect("it sits until it is dropped")
    }

    /// Stays until its next turn, if it may remember so long; false if it has to go.
    pub(super) fn stay(&mut self, threads: &Threads) -> bool {
        self.kept = self.kept.take().or_else(|| threads.keep());
        self.kept.is_some()
    }
}

impl Drop for Seated {
    fn drop(&mut self) {
        let (player, busy) = (self.player.take(), self.leaving.busy());
        // If no thread can be had, it leaves here.
        let _ = thread::Builder::new().name("leave".into()).spawn(move || {
            drop(player);
            drop(busy);
        });
    }
}

/// Those who still think or take their leave: a program that ends waits for them, so that no player outlives it.
#[derive(Clone, Debug, Default)]
pub struct Leaving(Arc<AtomicUsize>);

/// One of them, for as long as this lives.
pub(super) struct Busy(Arc<AtomicUsize>);

impl Leaving {
    pub(super) fn busy(&self) -> Busy {
        self.0.fetch_add(1, Ordering::SeqCst);
        Busy(Arc::clone(&self.0))
    }

    /// Waits until all have left, but no longer than this.
    pub fn wait(&self, patience: Duration) {
        let until = Instant::now() + patience;
        while self.0.load(Ordering::SeqCst) > 0 && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Something to be done on another thread.
pub type Work = Box<dyn FnOnce() + Send>;

/// Leave for an engine to keep its memory while it does not think, for as long as this lives.
pub type Kept = Box<dyn Send>;

/// Does work somewhere, unless it is stopped before.
type Run = dyn Fn(&Stop, Work) -> io::Result<()> + Send + Sync;

/// Where thinking is done; clones are the same place.
#[derive(Clone)]
pub struct Threads {
    run: Arc<Run>,
    keep: Arc<dyn Fn() -> Option<Kept> + Send + Sync>,
    /// Takes questions to where no thread of ours reaches.
    pub(super) away: Option<Arc<dyn Fn(Errand) + Send + Sync>>,
}

impl Threads {
    /// Where `run` does it: soon, never on the thread that calls, and not at all once the stop is set. `keep` gives
    /// engines leave to remember, for as long as there is memory for more of them.
    pub fn new(
        run: impl Fn(&Stop, Work) -> io::Result<()> + Send + Sync + 'static,
        keep: impl Fn() -> Option<Kept> + Send + Sync + 'static,
    ) -> Threads {
        Threads { run: Arc::new(run), keep: Arc::new(keep), away: None }
    }

    /// A thread for each piece of work, and memory for everybody.
    pub fn own() -> Threads {
        let run = |_: &Stop, work| thread::Builder::new().name("think".into()).spawn(work).map(drop);
        Threads::new(run, || Some(Box::new(())))
    }

    /// No threads at all: questions to players are handed to `take` as errands. Nothing else can be thought about.
    pub fn away(take: impl Fn(Errand) + Send + Sync + 'static) -> Threads {
        let run = |_: &Stop, _| Err(io::Error::from(io::ErrorKind::Unsupported));
        Threads { away: Some(Arc::new(take)), ..Threads::new(run, || Some(Box::new(()))) }
    }

    pub(super) fn run(&self, stop: &Stop, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        (self.run)(stop, Box::new(work))
    }

    pub(super) fn keep(&self) -> Option<Kept> {
        (self.keep)()
    }
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
    pub(super) player: Option<Seated>,
    /// When it began to think.
    pub(super) began: Instant,
    /// How long it took, apart from what it needed to start.
    pub(super) taken: Duration,
    pub(super) said: Said,
}

/// What a player said.
pub(super) enum Said {
    /// A turn, and what it thinks of it.
    Turn(Deed, Option<Eval>),
    /// Its part in finding sides.
    Sides(Result<Option<Vec<Act>>, Fault>),
}

/// What a player is asked about the game as it is now.
pub(super) struct Question {
    /// Tells this question from those before it.
    pub number: u64,
    /// Where the player's random numbers start, if it has yet to sit down.
    pub seed: Option<u64>,
    /// Its side.
    pub stone: Stone,
    /// The opening that it is asked for its part in, whose stones cost no time.
    pub negotiation: Option<Negotiation>,
    /// The longest it thinks where no clock runs.
    pub longest: Duration,
    /// Set when nobody wants the answer any more.
    pub interrupt: Stop,
    pub position: Position,
    pub control: Control,
    pub limits: Limits,
    /// What the clock allows for the turn.
    pub clock: Option<Duration>,
}

impl Question {
    /// When an answer should be there after the player has begun, and how much later none counts any more.
    pub fn patience(&self) -> (Duration, Duration) {
        let untimed = (LONGEST_TURN, UNTIMED_MARGIN);
        self.clock.filter(|_| self.negotiation.is_none()).map_or(untimed, |time| (time, self.control.margin))
    }

    /// Asks, for as long as the player takes. An answer that nobody wants any more is not told.
    pub fn ask(&self, player: Seated, tell: &dyn Fn(News)) {
        if self.interrupt.is_set() {
            return;
        }
        let answered = self.answer(player, tell);
        if !self.interrupt.is_set() {
            tell(News::Answered(self.number, answered));
        }
    }

    pub(super) fn answer(&self, mut seated: Seated, tell: &dyn Fn(News)) -> Answered {
        let player = seated.player();
        let asked = catch_unwind(AssertUnwindSafe(|| {
            if let Err(fault) = self.sit(player) {
                return (Instant::now(), Duration::ZERO, self.failed(fault));
            }
            let (began, warm_up) = (Instant::now(), player.warm_up());
            tell(News::Begun(self.number, began));
            let said = self.say(player, began + warm_up, tell);
            (began, began.elapsed().saturating_sub(warm_up), said)
        }));
        let (began, taken, said) = asked.unwrap_or_else(|panic| {
            let fault = Fault::Crashed(panic_words(panic.as_ref()));
            (Instant::now(), Duration::ZERO, self.failed(fault))
        });
        // A player that failed is not asked again.
        let whole = !matches!(said, Said::Turn(Deed::Failed(_), _) | Said::Sides(Err(_)));
        Answered { player: whole.then_some(seated), began, taken, said }
    }

    fn failed(&self, fault: Fault) -> Said {
        if self.negotiation.is_some() { Said::Sides(Err(fault)) } else { Said::Turn(Deed::Failed(fault), None) }
    }

    fn sit(&self, player: &mut dyn Player) -> Result<(), Fault> {
        let Some(seed) = self.seed else { return Ok(()) };
        let rules = self.position.rules();
        player.sit(&Seat { rules, stone: self.stone, control: &self.control, seed })
    }

    fn say(&self, player: &mut dyn Player, began: Instant, tell: &dyn Fn(News)) -> Said {
        let ask = self.question(began);
        if let Some(negotiation) = &self.negotiation {
            return Said::Sides(player.negotiate(&ask, negotiation));
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
        let longest = if self.clock.is_some() { LONGEST_TURN } else { self.longest };
        limits.move_time = Some(limits.move_time.map_or(longest, |time| time.min(longest)));
        let (time, margin) = self.patience();
        let due = began + time;
        let (position, interrupt) = (&self.position, &self.interrupt);
        Ask { position, limits, due: Some(due), deadline: Some(due + margin), interrupt }
    }

    fn turn(&self, player: &mut dyn Player, ask: &Ask<'_>, tell: &dyn Fn(News)) -> Result<Reply, Fault> {
        let mut last: Option<Instant> = None;
        player.take_turn(ask, &mut |info| {
            if last.is_none_or(|last| last.elapsed() >= APART) {
                last = Some(Instant::now());
                tell(News::Thinks(self.number, info.clone()));
            }
        })
    }
}
