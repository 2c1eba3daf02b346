//! Where a guest sits: what it hears, what it says, and how it thinks while it listens.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use lianzi_core::{Cell, Position};
use lianzi_engine::{Best, Engine, Greedy, Info, Limits, Stop};

use super::Guest;
use super::input::next_line;
use super::mind::Mind;
use lianzi_game::player::EngineNews;

/// How long a search may go on after the input has ended, so that piped questions get a thoughtful answer.
const AFTER_INPUT: Duration = Duration::from_secs(5);

/// How long an engine that was asked to stop is waited for.
const GRACE: Duration = Duration::from_secs(1);

/// What happens around the desk.
pub(super) enum Event {
    /// A line was read.
    Said(Said),
    /// There will be no more lines.
    HungUp,
    /// The engine's thread of this number tells something.
    News(u64, EngineNews),
}

/// A line, and when it came: time counts from there.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub text: String,
    pub at: Instant,
}

/// What a line means that comes while the engine thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It waits for its turn.
    Later,
    /// The answer is wanted now.
    Stop,
    /// It waits for its turn, and the answer before it is wanted this soon.
    Soon(Duration),
    /// It waits for its turn, and all answers before it are wanted this soon.
    Leave(Duration),
}

/// What to think about, and how long.
pub(super) struct Request<'a> {
    pub position: &'a Position,
    pub limits: Limits,
    /// When the engine is stopped.
    pub due: Option<Instant>,
    /// When an answer must be given, with or without the engine.
    pub last: Option<Instant>,
    /// How often to report; without it, whenever there is something new.
    pub every: Option<Duration>,
    /// What lines mean that come meanwhile.
    pub heard: fn(&str) -> Heard,
}

impl<'a> Request<'a> {
    /// A request with no time limit but the engine's own.
    pub fn new(position: &'a Position, limits: Limits, heard: fn(&str) -> Heard) -> Request<'a> {
        Request { position, limits, due: None, last: None, every: None, heard }
    }
}

/// What came of a request.
pub(super) struct Thought {
    /// A legal turn, and what it rests on.
    pub best: Best,
    /// Why it is not the engine's, if it is not.
    pub trouble: Option<String>,
}

/// Where a guest sits.
pub(super) struct Desk<'a> {
    events: Receiver<Event>,
    sender: Sender<Event>,
    backlog: VecDeque<Said>,
    /// No more lines come.
    closed: bool,
    /// When the guest must be gone.
    leave_by: Option<Instant>,
    out: &'a mut dyn Write,
    pub mind: Mind,
}

impl<'a> Desk<'a> {
    pub fn new(guest: &Guest, out: &'a mut dyn Write) -> Desk<'a> {
        let (sender, events) = channel();
        let mind = Mind::new(guest, sender.clone());
        Desk { events, sender, backlog: VecDeque::new(), closed: false, leave_by: None, out, mind }
    }

    /// Starts to read, on a thread that ends with the input.
    pub fn listen(&self, mut input: impl BufRead + Send + 'static) -> io::Result<()> {
        let sender = self.sender.clone();
        let read = move || {
            while let Some(text) = next_line(&mut input) {
                if sender.send(Event::Said(Said { text, at: Instant::now() })).is_err() {
                    return;
                }
            }
            // Nobody is there to hear it if the guest has left.
            let _ = sender.send(Event::HungUp);
        };
        thread::Builder::new().name("input".into()).spawn(read).map(drop)
    }

    /// Waits for the next line; `None` when the guest is to leave.
    pub fn next(&mut self) -> Option<Said> {
        // Whatever still waits came before the order to leave, and that was long ago.
        if self.leave_by.is_some_and(|leave_by| leave_by + GRACE / 4 < Instant::now()) {
            return None;
        }
        loop {
            if let Some(said) = self.backlog.pop_front() {
                return Some(said);
            }
            if self.closed {
                return None;
            }
            match self.events.recv().ok()? {
                Event::Said(said) => return Some(said),
                Event::HungUp => self.closed = true,
                Event::News(from, news) => {
                    self.mind.is_old(from, &news);
                }
            }
        }
    }

    /// Puts a line back, to be read next.
    pub fn put_back(&mut self, said: Said) {
        self.backlog.push_front(said);
    }

    /// Says a line. Managers wait for it, so it leaves at once.
    pub fn say(&mut self, line: &str) -> io::Result<()> {
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")?;
        self.out.flush()
    }

    /// Thinks, listens meanwhile, and reports in lines that `words` makes of what is known.
    pub fn think(&mut self, request: &Request<'_>, words: &dyn Fn(&Info) -> Option<String>) -> io::Result<Thought> {
        let (number, stop) = match self.mind.search(request.position, request.limits.clone()) {
            Ok(search) => search,
            Err(trouble) => {
                self.mind.lose();
                return Ok(stand_in(request.position, None, trouble));
            }
        };
        let mut watch = Watch::new(request, stop);
        for said in std::mem::take(&mut self.backlog) {
            self.hear(said, &mut watch);
        }
        self.hurry(&mut watch);
        loop {
            match self.events.recv_timeout(watch.patience()) {
                Ok(Event::News(from, news)) if from == number => {
                    if self.mind.is_old(from, &news) {
                        continue;
                    }
                    if let Some(thought) = self.learn(news, &mut watch, words)? {
                        return Ok(thought);
                    }
                }
                Ok(Event::News(..)) => {}
                Ok(Event::Said(said)) => self.hear(said, &mut watch),
                Ok(Event::HungUp) => {
                    self.closed = true;
                    self.hurry(&mut watch);
                }
                Err(_) if watch.is_over() => {
                    self.mind.go_on();
                    let why = "the engine did not answer in time".into();
                    return Ok(stand_in(watch.request.position, watch.latest.as_ref(), why));
                }
                Err(_) => watch.tick().map_or(Ok(()), |info| self.report(&info, words))?,
            }
        }
    }

    /// Takes in what the engine tells; its answer ends the search.
    fn learn(
        &mut self,
        news: EngineNews,
        watch: &mut Watch<'_>,
        words: &dyn Fn(&Info) -> Option<String>,
    ) -> io::Result<Option<Thought>> {
        match news {
            EngineNews::Info(info) => {
                if watch.request.every.is_none() {
                    self.report(&info, words)?;
                }
                watch.latest = Some(info);
                Ok(None)
            }
            EngineNews::Best(best, _) => self.finish(best, watch, words).map(Some),
            EngineNews::Panicked(why) => Ok(Some(self.give_up(watch, why))),
        }
    }

    /// Goes on without the engine, which is stuck or broken.
    fn give_up(&mut self, watch: &Watch<'_>, why: String) -> Thought {
        self.mind.lose();
        stand_in(watch.request.position, watch.latest.as_ref(), why)
    }

    fn finish(
        &mut self,
        best: Best,
        watch: &Watch<'_>,
        words: &dyn Fn(&Info) -> Option<String>,
    ) -> io::Result<Thought> {
        let known = watch.latest.as_ref() == Some(&best.info) && watch.request.every.is_none();
        if !known {
            self.report(&best.info, words)?;
        }
        if is_turn(watch.request.position, &best.turn) {
            return Ok(Thought { best, trouble: None });
        }
        Ok(stand_in(watch.request.position, None, "the engine's turn is not legal".into()))
    }

    fn report(&mut self, info: &Info, words: &dyn Fn(&Info) -> Option<String>) -> io::Result<()> {
        words(info).map_or(Ok(()), |line| self.say(&line))
    }

    fn hear(&mut self, said: Said, watch: &mut Watch<'_>) {
        let now = Instant::now();
        match (watch.request.heard)(&said.text) {
            Heard::Later => self.backlog.push_back(said),
            Heard::Stop => watch.end_by(now),
            Heard::Soon(soon) => {
                self.backlog.push_back(said);
                watch.end_by(now + soon);
            }
            Heard::Leave(soon) => {
                self.backlog.push_back(said);
                self.leave_by.get_or_insert(now + soon);
                self.hurry(watch);
            }
        }
    }

    /// Nobody waits long for a guest that leaves, or that has no more to hear: what is asked already shares the time.
    fn hurry(&self, watch: &mut Watch<'_>) {
        let now = Instant::now();
        if let Some(leave_by) = self.leave_by {
            let pending = self.backlog.len().max(1) as u32;
            watch.end_by(now + leave_by.saturating_duration_since(now) / pending);
        } else if self.closed {
            watch.end_by(now + AFTER_INPUT);
        }
    }

    /// Waits until a line comes or the input ends.
    pub fn wait_for_line(&mut self) {
        while self.backlog.is_empty() && !self.closed {
            match self.events.recv() {
                Ok(Event::Said(said)) => self.backlog.push_back(said),
                Ok(Event::HungUp) | Err(_) => self.closed = true,
                Ok(Event::News(from, news)) => {
                    self.mind.is_old(from, &news);
                }
            }
        }
    }
}

/// A search that is watched.
struct Watch<'a> {
    request: &'a Request<'a>,
    stop: Stop,
    due: Option<Instant>,
    last: Option<Instant>,
    report_at: Option<Instant>,
    latest: Option<Info>,
}

impl<'a> Watch<'a> {
    fn new(request: &'a Request<'a>, stop: Stop) -> Watch<'a> {
        let report_at = request.every.map(|every| Instant::now() + every);
        Watch { request, stop, due: request.due, last: request.last, report_at, latest: None }
    }

    /// How long nothing needs to be done.
    fn patience(&self) -> Duration {
        let due = self.due.filter(|_| !self.stop.is_set());
        let next = [due, self.last, self.report_at].into_iter().flatten().min();
        next.map_or(Duration::from_secs(3600), |next| next.saturating_duration_since(Instant::now()))
    }

    /// The answer is wanted by then, if not sooner.
    fn end_by(&mut self, due: Instant) {
        self.due = Some(self.due.map_or(due, |old| old.min(due)));
        self.stop_if_due();
    }

    fn stop_if_due(&mut self) {
        let now = Instant::now();
        if self.due.is_some_and(|due| due <= now) && !self.stop.is_set() {
            self.stop.set();
            let last = now + GRACE;
            self.last = Some(self.last.map_or(last, |old| old.min(last)));
        }
    }

    /// Whether the engine has had its time.
    fn is_over(&mut self) -> bool {
        self.stop_if_due();
        let over = self.last.is_some_and(|last| last <= Instant::now());
        if over {
            self.stop.set();
        }
        over
    }

    /// What is to be reported now.
    fn tick(&mut self) -> Option<Info> {
        let now = Instant::now();
        self.report_at.filter(|&at| at <= now)?;
        self.report_at = self.request.every.map(|every| now + every);
        self.latest.clone()
    }
}

/// A search that nobody waits for any more must end.
impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.stop.set();
    }
}

/// Whether these stones are a whole turn.
fn is_turn(position: &Position, turn: &[Cell]) -> bool {
    let mut after = position.clone();
    let played = turn.iter().all(|&cell| after.play(cell).is_ok());
    played && (after.outcome().is_some() || turn.len() == usize::from(position.stones_left()))
}

/// The answer when the engine has none: the best it had so far, or the greedy player's.
fn stand_in(position: &Position, known: Option<&Info>, trouble: String) -> Thought {
    let stones = usize::from(position.stones_left());
    let line = known.and_then(|info| info.lines.first());
    let turn = line.map(|line| line.cells.iter().copied().take(stones).collect::<Vec<_>>());
    let best = match turn.filter(|turn| is_turn(position, turn)) {
        Some(turn) => Best { turn, info: known.cloned().unwrap_or_default() },
        None => Greedy::new(1).search(position, &Limits::default(), &Stop::default(), &mut |_| {}),
    };
    Thought { best, trouble: Some(trouble) }
}
