//! A program from outside as a player: started when it is needed, cleared between games, ended when it fails.
//!
//! What all protocols share stands here; a [`Dialect`] knows what to say and how to read the answer.

use std::collections::VecDeque;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lianzi_core::{Act, Cell, Fault, Negotiation, Position, Rules, StartFault, Stone, Verdict};
use lianzi_engine::{Info, Limits};

use super::program::Program;
use super::strategy::cpu_time;
use super::talk::Talk;
use super::thought::Thought;
use lianzi_cage::Cages;
use lianzi_cage::process::Wait;
use lianzi_game::clock::Control;
use lianzi_game::judge::Answer;
use lianzi_game::player::{Ask, Player, Reply, Seat, Spending, own_limits};

/// After a word of trouble an answer may still come, but not for ever.
const TROUBLE: Duration = Duration::from_secs(1);
/// After a repeated answer the right one may still come, but not for long.
const STALE: Duration = Duration::from_millis(250);

/// What a dialect must know of a game.
pub struct GameTerms<'a> {
    /// The game.
    pub rules: &'a Rules,
    /// The side it plays.
    pub stone: Stone,
    /// What the players may use.
    pub control: &'a Control,
    /// Limits of its own.
    pub limits: &'a Limits,
    /// The program as the user named it.
    pub program: &'a Program,
}

/// What to say in a protocol, and how to read what comes back.
pub trait Dialect: Send {
    /// How our lines end.
    fn line_ending(&self) -> &'static str;

    /// The first words to a program that was just started, for its first game.
    fn greet(&mut self, talk: &mut Talk, terms: &GameTerms<'_>, wait: Wait<'_>) -> Result<(), Fault>;

    /// Clears the program for another game of the same rules; false if it cannot be cleared.
    fn clear(&mut self, talk: &mut Talk, terms: &GameTerms<'_>, wait: Wait<'_>) -> Result<bool, Fault>;

    /// Asks for a turn.
    fn ask(&mut self, talk: &mut Talk, ask: &Ask<'_>, watch: &mut dyn FnMut(&Info)) -> Result<Reply, Fault>;

    /// The last word.
    fn farewell(&self) -> &'static str;

    /// Asks for the next step of an opening; nothing when the program does not know its rule.
    fn negotiate(&mut self, _: &mut Talk, _: &Ask<'_>, _: &Negotiation) -> Result<Option<Vec<Act>>, Fault> {
        Ok(None)
    }
}

/// A player that is a program.
pub struct ProgramPlayer {
    program: Program,
    dialect: Box<dyn Dialect>,
    limits: Limits,
    cages: Option<Cages>,
    talk: Option<Talk>,
    /// The game the program was started for.
    rules: Option<Rules>,
    stone: Stone,
    said: Said,
    spending: Spending,
    /// The program has not answered since it was started: it may still be loading what it needs.
    fresh: bool,
    /// Waits for the end of the program that failed last.
    reaper: Option<JoinHandle<()>>,
}

/// What is kept of a game's talk.
#[derive(Default)]
struct Said {
    errors: String,
    talk: String,
    refused: Vec<String>,
}

impl ProgramPlayer {
    /// A player that speaks so, with limits of its own, and with cages if it is to run in one.
    pub fn new(program: Program, dialect: Box<dyn Dialect>, limits: Limits, cages: Option<Cages>) -> ProgramPlayer {
        let (talk, rules, stone, said) = (None, None, Stone::Black, Said::default());
        let spending = Spending { limit: program.cpu, ..Spending::default() };
        let (reaper, fresh) = (None, false);
        ProgramPlayer { program, dialect, limits, cages, talk, rules, stone, said, spending, fresh, reaper }
    }

    /// Clears the program that plays already, if there is one and it can.
    fn clear(&mut self, terms: &GameTerms<'_>, wait: Wait<'_>) -> bool {
        let Some(talk) = self.talk.as_mut().filter(|_| self.rules == Some(*terms.rules)) else {
            return false;
        };
        talk.begin_game();
        talk.bound_lines(true);
        self.dialect.clear(talk, terms, wait).unwrap_or(false)
    }

    fn start(&mut self, terms: &GameTerms<'_>, wait: Wait<'_>) -> Result<(), Fault> {
        let (program, ending) = (terms.program, self.dialect.line_ending());
        let talk = if program.is_caged() {
            Talk::start_caged(program, ending, self.cages.as_ref(), cpu_time(terms.rules, terms.control))?
        } else {
            Talk::start(program, ending)?
        };
        let talk = self.talk.insert(talk);
        talk.bound_lines(true);
        self.fresh = true;
        self.rules = Some(*terms.rules);
        let greeted = self.dialect.greet(talk, terms, wait);
        greeted.map_err(|fault| not_started(fault, terms.program.patience())).inspect_err(|_| self.give_up())
    }

    /// Whatever state the program is in, nobody will ask it again. Its end must not delay the verdict.
    fn give_up(&mut self) {
        self.keep_talk();
        self.reaper = self.talk.take().and_then(Talk::abandon);
    }

    fn keep_talk(&mut self) {
        if let Some(talk) = &self.talk {
            self.said = Said { errors: talk.errors(), talk: talk.talk().into(), refused: talk.attempts() };
        }
    }

    fn end(&mut self) {
        if let Some(talk) = self.talk.take() {
            talk.end(self.dialect.farewell());
        }
    }
}

impl Player for ProgramPlayer {
    fn sit(&mut self, seat: &Seat<'_>) -> Result<(), Fault> {
        (self.said, self.stone) = (Said::default(), seat.stone);
        let (program, limits) = (self.program.clone(), self.limits.clone());
        let Seat { rules, stone, control, .. } = *seat;
        self.spending.margin = control.margin;
        let terms = GameTerms { rules, stone, control, limits: &limits, program: &program };
        // One cage serves one game, so that nothing leaks from game to game.
        if !program.is_caged() && self.clear(&terms, Wait::for_time(program.patience())) {
            return Ok(());
        }
        self.end();
        self.start(&terms, Wait::for_time(program.patience()))
    }

    fn take_turn(&mut self, ask: &Ask<'_>, watch: &mut dyn FnMut(&Info)) -> Result<Reply, Fault> {
        let Some(talk) = &mut self.talk else { return Err(gone()) };
        let ask = Ask { limits: own_limits(&self.limits, &ask.limits), ..ask.clone() };
        talk.freeze(false);
        talk.bound_lines(false);
        let before = talk.cpu_time();
        // What it needs to start is not what it thinks.
        talk.limit_cpu(self.spending.end().filter(|_| !self.fresh));
        let reply = self.dialect.ask(talk, &ask, watch);
        let after = talk.cpu_time();
        talk.freeze(true);
        let spending = if self.fresh { Spending::default() } else { self.spending };
        let mut reply = spending.settle(before, after, reply);
        self.fresh = false;
        if let Some(misuse) = talk.misuse() {
            reply = Err(Fault::Crashed(misuse));
        }
        if reply.is_err() {
            self.give_up();
        }
        reply
    }

    fn warm_up(&self) -> Duration {
        if self.fresh { self.program.warm_up() } else { Duration::ZERO }
    }

    fn leave(&mut self, verdict: &Verdict) {
        self.keep_talk();
        if verdict.blame != Some(self.stone) {
            self.said.talk.clear();
        }
    }

    fn negotiate(&mut self, ask: &Ask<'_>, so_far: &Negotiation) -> Result<Option<Vec<Act>>, Fault> {
        let Some(talk) = &mut self.talk else { return Err(gone()) };
        talk.freeze(false);
        talk.bound_lines(false);
        let answer = self.dialect.negotiate(talk, ask, so_far);
        // A program that does not know the command has loaded nothing for it.
        self.fresh &= !matches!(answer, Ok(Some(_)));
        if answer.is_err() {
            self.give_up();
        }
        answer
    }

    fn said(&mut self) -> Option<String> {
        let Said { errors, talk, .. } = &mut self.said;
        let (errors, talk) = (std::mem::take(errors), std::mem::take(talk));
        Some(talk + &marked(&errors)).filter(|said| !said.is_empty())
    }

    fn refused(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said.refused)
    }
}

impl Drop for ProgramPlayer {
    fn drop(&mut self) {
        self.end();
        if let Some(reaper) = self.reaper.take() {
            // Whoever it could not end is beyond us.
            let _ = reaper.join();
        }
    }
}

/// Lines of error output as they are kept with a game.
pub(super) fn marked(errors: &str) -> String {
    errors.lines().map(|line| format!("! {line}\n")).collect()
}

fn gone() -> Fault {
    Fault::Crashed("the program is gone".into())
}

/// What goes wrong before the first question keeps the program from starting.
fn not_started(fault: Fault, patience: Duration) -> Fault {
    let how = match fault {
        Fault::Late => format!("no answer within {patience:?}"),
        // A bare status says nothing of when it was.
        Fault::Crashed(how) if how.starts_with("exit status: ") => format!("ended before its first answer: {how}"),
        Fault::Crashed(how) => how,
        Fault::Garbled(said) => said,
        fault => return fault,
    };
    Fault::NotStarted(StartFault::Unloadable, how)
}

/// What a line means to somebody who waits for an answer.
pub enum Heard {
    /// The answer.
    Turn(Vec<Answer>),
    /// The same answer as last time, which cannot be meant again: it came late or twice.
    Stale(Vec<Answer>),
    /// Something about its thoughts.
    Thought(Thought),
    /// It says that it cannot answer.
    Trouble,
    /// An answer that nobody can read.
    Garbled,
    /// Anything else.
    Chatter,
}

/// Waits for the answer to a question, whatever else is said before it; the end of that comes with the answer.
pub fn wait_for_turn(
    talk: &mut Talk,
    ask: &Ask<'_>,
    hear: impl Fn(&str) -> Heard,
    think: &mut dyn FnMut(Thought),
) -> Result<(Vec<Answer>, String), Fault> {
    let mut thoughts = Thoughts::default();
    let whole = |line: &str| matches!(hear(line), Heard::Turn(_));
    // What the game ends with if nothing better comes before the moment beside it.
    let mut poor: Option<(Instant, Result<Vec<Answer>, Fault>)> = None;
    loop {
        let until = poor.iter().map(|(until, _)| *until).chain(ask.deadline).min();
        let line = match talk.line(Wait { until, interrupt: Some(ask.interrupt.flag()) }, whole) {
            Ok(line) => line,
            Err(fault) => match poor {
                Some((_, poor)) if fault == Fault::Late && !ask.interrupt.is_set() => {
                    return poor.map(|turn| (turn, thoughts.text()));
                }
                _ => return Err(fault),
            },
        };
        match hear(&line) {
            Heard::Turn(turn) => return Ok((turn, thoughts.text())),
            Heard::Garbled => return Err(Fault::Garbled(lianzi_core::shorten(&line))),
            Heard::Thought(thought) => {
                thoughts.add(&line);
                think(thought);
            }
            Heard::Stale(turn) => poor = Some((Instant::now() + STALE, Ok(turn))),
            Heard::Trouble => {
                poor = Some((Instant::now() + TROUBLE, Err(Fault::Garbled(lianzi_core::shorten(&line)))));
            }
            Heard::Chatter => thoughts.add(&line),
        }
    }
}

/// The last lines an engine said before its answer, whether or not anybody understands them.
#[derive(Default)]
struct Thoughts(VecDeque<String>);

impl Thoughts {
    const LINES: usize = 3;
    const LENGTH: usize = 200;

    /// Adds a line without the word that only announces it.
    fn add(&mut self, line: &str) {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let announced = ["MESSAGE", "DEBUG"].iter().any(|known| word.eq_ignore_ascii_case(known));
        let text = if announced { rest.trim_start() } else { line };
        if text.is_empty() || text.eq_ignore_ascii_case("OK") {
            return;
        }
        if self.0.len() == Thoughts::LINES {
            self.0.pop_front();
        }
        let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
        self.0.push_back(plain.take(Thoughts::LENGTH).collect());
    }

    fn text(self) -> String {
        Vec::from(self.0).join("\n")
    }
}

/// Every stone on the board: those that lay there from the start, then those that were played, in order.
pub fn stones(position: &Position) -> Vec<(Stone, Cell)> {
    let plies = position.plies().iter().map(|ply| (ply.stone, ply.cell));
    let rules = position.rules();
    if plies.len() + position.free() == rules.capacity() {
        return plies.collect();
    }
    let played: Vec<Cell> = plies.clone().map(|(_, cell)| cell).collect();
    let lay = rules.cells().filter(|cell| !played.contains(cell));
    lay.filter_map(|cell| Some((position.stone(cell)?, cell))).chain(plies).collect()
}
