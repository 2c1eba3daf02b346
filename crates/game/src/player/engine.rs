//! One of our engines as a player. The engine thinks on a thread of its own, so that one that does not come back
//! costs a thread and never the match; or on the thread that asks, where that thread may be given up.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use lianzi_core::record::Eval;
use lianzi_core::{Act, Fault, Negotiation, Position, Rules, StartFault, Verdict, mix};
use lianzi_engine::{Best, Engine, Info, Instant, Limits, Report, Stop};

use super::meter::{MEASURED, ThreadMeter, refused, thread_time};
use super::spending::Spending;
use super::{Ask, Player, Reply, Seat};
use crate::negotiate;

/// Makes the engine for a game.
pub type MakeEngine = Box<dyn Fn(&Rules) -> Result<Box<dyn Engine>, String> + Send>;

/// A player that thinks with an engine.
pub struct EnginePlayer {
    make: MakeEngine,
    limits: Limits,
    seed: Option<u64>,
    /// The seed of the game under way.
    game_seed: u64,
    spending: Spending,
    /// How many threads it searches with.
    threads: u32,
    /// Whether the engine thinks on the thread that asks.
    here: bool,
    /// The engine of the game under way, and its rules.
    mind: Option<(Rules, Mind)>,
}

/// Where an engine thinks.
enum Mind {
    Apart(Worker),
    Here(Box<dyn Engine>),
}

struct Worker {
    orders: Sender<Order>,
    news: Receiver<EngineNews>,
    meter: ThreadMeter,
}

/// What an engine's thread is told to do.
pub enum Order {
    /// A new game, with this seed.
    Begin(u64),
    /// Think about this.
    Search(Box<Position>, Limits, Stop),
}

/// What an engine's thread tells.
pub enum EngineNews {
    /// What it thinks so far.
    Info(Info),
    /// What it found, and the CPU time its thread used for it.
    Best(Best, Option<Duration>),
    /// It will never answer; these were its last words.
    Panicked(String),
}

impl EnginePlayer {
    /// A player with limits and a seed of its own, where given; otherwise the game's hold.
    pub fn new(make: MakeEngine, limits: Limits, seed: Option<u64>) -> EnginePlayer {
        let spending = Spending::default();
        EnginePlayer { make, limits, seed, game_seed: 0, spending, threads: 1, here: false, mind: None }
    }

    /// The same player with so much CPU time for a turn, if any is given: when it is used up, the engine is told to
    /// answer. Of several threads only the one that answers can be measured; the others count as much as it.
    pub fn within(self, cpu: Option<Duration>, threads: u32) -> EnginePlayer {
        EnginePlayer { spending: Spending { limit: cpu, ..self.spending }, threads: threads.max(1), ..self }
    }

    /// The same, but the engine thinks on the thread that asks and ends by its limits or the interrupt: for those
    /// who ask on a thread that they can give up. A limit of CPU time needs a thread apart.
    pub fn here(self) -> EnginePlayer {
        EnginePlayer { here: self.spending.limit.is_none(), ..self }
    }

    /// A seed of its own changes the player's random numbers, but not into the same ones for every game.
    fn seed(&self, seat: &Seat<'_>) -> u64 {
        self.seed.map_or(seat.seed, |own| mix(seat.seed ^ mix(own)))
    }

    fn search(&mut self, ask: &Ask<'_>, limits: Limits, watch: Report<'_>) -> Result<(Best, Option<Duration>), Fault> {
        let cpu = self.spending.limit.map(|cpu| cpu / self.threads);
        let answer = match &mut self.mind {
            None => Err(Fault::Crashed("the engine is gone".into())),
            Some((_, Mind::Apart(worker))) => worker.search(ask, limits, cpu, watch),
            Some((_, Mind::Here(engine))) => {
                Ok(measured(|| engine.search(ask.position, &limits, ask.interrupt, watch)))
            }
        };
        if answer.is_err() {
            // Whatever state the engine is in, nobody will ask it again.
            self.mind = None;
        }
        answer
    }
}

impl Player for EnginePlayer {
    fn sit(&mut self, seat: &Seat<'_>) -> Result<(), Fault> {
        (self.game_seed, self.spending.margin) = (self.seed(seat), seat.control.margin);
        let mut mind = match self.mind.take() {
            Some((rules, mind)) if rules == *seat.rules => mind,
            _ => {
                let made = (self.make)(seat.rules);
                let engine = made.map_err(|why| Fault::NotStarted(StartFault::Unloadable, why))?;
                if self.here { Mind::Here(engine) } else { Mind::Apart(Worker::start(engine)?) }
            }
        };
        match &mut mind {
            // A worker that is gone shows itself at the first search.
            Mind::Apart(worker) => drop(worker.orders.send(Order::Begin(self.game_seed))),
            Mind::Here(engine) => engine.begin(self.game_seed),
        }
        self.mind = Some((*seat.rules, mind));
        Ok(())
    }

    fn take_turn(&mut self, ask: &Ask<'_>, watch: Report<'_>) -> Result<Reply, Fault> {
        let limits = own_limits(&self.limits, &ask.limits);
        let (best, cpu) = self.search(ask, limits, watch)?;
        let cpu = cpu.map(|cpu| cpu * self.threads);
        self.spending.settle(Some(Duration::ZERO), cpu, Ok(reply(&best)))
    }

    fn negotiate(&mut self, ask: &Ask<'_>, so_far: &Negotiation) -> Result<Option<Vec<Act>>, Fault> {
        let limits = own_limits(&self.limits, &ask.limits);
        let mut fault = None;
        let seed = self.game_seed;
        let acts = negotiate::choose(so_far, seed, &mut |position, lines, part| {
            let limits = Limits { lines, ..negotiate::in_time(negotiate::part_of(&limits, part), ask.due) };
            let answer = self.search(&Ask { position, ..ask.clone() }, limits, &mut |_| {});
            answer.map(|(best, _)| best).map_err(|how| fault = Some(how)).ok()
        });
        fault.map_or(Ok(acts), Err)
    }

    fn leave(&mut self, _: &Verdict) {}
}

/// A player's own limits come before the game's; the game's clock always holds.
pub fn own_limits(own: &Limits, game: &Limits) -> Limits {
    let unlimited = own.depth.is_none() && own.nodes.is_none();
    Limits {
        depth: own.depth.or(game.depth.filter(|_| unlimited)),
        nodes: own.nodes.or(game.nodes.filter(|_| unlimited)),
        move_time: own.move_time.into_iter().chain(game.move_time).min(),
        clock: game.clock,
        lines: game.lines,
    }
}

fn reply(best: &Best) -> Reply {
    let line = best.info.lines.first();
    let (depth, nodes) = (Some(best.info.depth), Some(best.info.nodes));
    let eval = line.map(|line| Eval { score: line.score, win_in: line.win_in, depth, nodes });
    Reply { turn: best.turn.iter().map(|&cell| cell.into()).collect(), eval, ..Reply::default() }
}

impl Worker {
    fn start(engine: Box<dyn Engine>) -> Result<Worker, Fault> {
        let (orders, inbox) = channel();
        let (outbox, news) = channel();
        let meter = spawn(engine, inbox, move |news| outbox.send(news).is_ok()).map_err(|error| refused("", &error))?;
        Ok(Worker { orders, news, meter })
    }

    fn search(
        &self,
        ask: &Ask<'_>,
        limits: Limits,
        cpu: Option<Duration>,
        watch: Report<'_>,
    ) -> Result<(Best, Option<Duration>), Fault> {
        let gone = || Fault::Crashed("the engine's thread is gone".into());
        let stop = Stop::within(cpu);
        let begun = self.meter.read().filter(|_| cpu.is_some());
        self.orders.send(Order::Search(Box::new(ask.position.clone()), limits, stop.clone())).map_err(|_| gone())?;
        loop {
            let until = if stop.is_set() { ask.deadline } else { ask.due };
            match self.wait(until, ask.interrupt, begun.filter(|_| !stop.is_set()), &stop) {
                Ok(EngineNews::Info(info)) => watch(&info),
                Ok(EngineNews::Best(best, cpu)) => return Ok((best, cpu)),
                Ok(EngineNews::Panicked(why)) => return Err(Fault::Crashed(why)),
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                Err(RecvTimeoutError::Timeout) if stop.is_set() => return Err(Fault::Late),
                Err(RecvTimeoutError::Timeout) if ask.interrupt.is_set() => {
                    stop.set();
                    return Err(Fault::Late);
                }
                // The time is over: within the margin an engine may still say what it has.
                Err(RecvTimeoutError::Timeout) => stop.set(),
            }
        }
    }

    /// Waits for news, in slices, so that an interrupt and the end of the CPU time are noticed soon. Where that is limited,
    /// the engine hears what it has used since the meter showed `begun`.
    fn wait(
        &self,
        until: Option<Instant>,
        interrupt: &Stop,
        begun: Option<Duration>,
        stop: &Stop,
    ) -> Result<EngineNews, RecvTimeoutError> {
        let slice = Duration::from_millis(if begun.is_some() { 2 } else { 50 });
        let spent = || {
            let used = begun.and_then(|begun| Some(self.meter.read()?.saturating_sub(begun)));
            used.inspect(|&used| stop.tell_used(used)).is_some_and(|used| stop.cpu().is_some_and(|cpu| used >= cpu))
        };
        loop {
            let left = until.map_or(slice, |until| until.saturating_duration_since(Instant::now()));
            match self.news.recv_timeout(left.min(slice)) {
                Err(RecvTimeoutError::Timeout) if left > slice || until.is_none() => {
                    if interrupt.is_set() || spent() {
                        return Err(RecvTimeoutError::Timeout);
                    }
                }
                news => return news,
            }
        }
    }
}

/// Starts an engine's thread, and a meter for it. It ends when its orders end or `tell` says that nobody listens any
/// more; nobody waits for it, for it may be stuck in the engine.
pub fn spawn(
    engine: Box<dyn Engine>,
    inbox: Receiver<Order>,
    tell: impl Fn(EngineNews) -> bool + Send + 'static,
) -> std::io::Result<ThreadMeter> {
    let (hand_over, meter) = channel();
    thread::Builder::new().name("engine".into()).spawn(move || {
        // Whoever started it waits for this.
        let _ = hand_over.send(ThreadMeter::here());
        work(engine, &inbox, &tell);
    })?;
    meter.recv().map_err(std::io::Error::other)
}

/// What comes of it, and the CPU time that this thread used for it.
fn measured<T>(work: impl FnOnce() -> T) -> (T, Option<Duration>) {
    let before = thread_time();
    let done = work();
    (done, MEASURED.then(|| thread_time().saturating_sub(before)))
}

/// The engine's thread: obeys orders until there are no more.
fn work(mut engine: Box<dyn Engine>, inbox: &Receiver<Order>, tell: &dyn Fn(EngineNews) -> bool) {
    for order in inbox {
        let done = catch_unwind(AssertUnwindSafe(|| match order {
            Order::Begin(seed) => {
                engine.begin(seed);
                None
            }
            Order::Search(position, limits, stop) => {
                let report = &mut |info: &Info| {
                    // A player that was given up has nobody to listen; the answer will find that out.
                    tell(EngineNews::Info(info.clone()));
                };
                Some(measured(|| engine.search(&position, &limits, &stop, report)))
            }
        }));
        let news = match done {
            Ok(None) => continue,
            Ok(Some((best, used))) => EngineNews::Best(best, used),
            Err(panic) => EngineNews::Panicked(panic_words(panic.as_ref())),
        };
        if !tell(news) {
            return;
        }
    }
}

/// What a panic said.
pub fn panic_words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panicked".into())
}
