//! One game: asks the players in turn, keeps the time, and lets the judge decide.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use lianzi_core::record::{GameRecord, Move, Negotiated};
use lianzi_core::{Act, Cell, Demand, Ending, Fault, Negotiation, OpeningRule, Position, Rules, Stone, Verdict};
use lianzi_engine::{Info, Instant, Stop};

use crate::clock::Allowance;
use crate::clock::Clocks;
use crate::clock::Control;
use crate::judge::Cutoff;
use crate::judge::Deed;
use crate::judge::Ruling;
use crate::judge::cut_off;
use crate::judge::ending_of;
use crate::judge::judge;
use crate::judge::take_acts;
use crate::player::Ask;
use crate::player::Player;
use crate::player::Reply;
use crate::player::Seat;
use crate::player::panic_words;

/// How a game is to be played.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The rules.
    pub rules: Rules,
    /// Stones placed before the players begin; they must be legal and leave the game open.
    pub opening: Vec<Cell>,
    /// Let the players find sides by this rule instead; the opening is for those who cannot. The game must have it.
    pub rule: OpeningRule,
    /// What the players may use.
    pub control: Control,
    /// When the arena ends the game.
    pub cutoff: Cutoff,
    /// Where the players' random numbers start.
    pub seed: u64,
    /// The players' names, Black's first.
    pub names: [String; 2],
}

/// Something that happened, for those who watch.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A side is asked.
    Asked(&'a Position),
    /// A side thinks aloud.
    Thinks(Stone, &'a Info),
    /// Stones were placed.
    Placed(&'a Position),
    /// The game is over.
    Ended(&'a Verdict),
}

/// The tag of a record that says what the arena lacked to play the game, which is left unfinished and to be played again.
pub const NOT_PLAYED: &str = "not-played";

/// Plays a game to its end. Players that hang, die or lie lose; they cannot keep it from ending. An interrupted
/// game is left unfinished, and so is one for which the arena lacked something.
pub fn play_game(
    setup: &GameSetup,
    players: &mut [&mut dyn Player; 2],
    interrupt: &Stop,
    watch: &mut dyn FnMut(Event<'_>),
) -> GameRecord {
    let mut table = Playing::new(setup, interrupt);
    let begun = table.seat(players).and_then(|()| table.open(players));
    let verdict = begun.map_or_else(|verdict| verdict, |()| table.play(players, watch));
    for (player, side) in players.iter_mut().zip(&mut table.record.sides) {
        // A player that panics while it leaves changes nothing any more.
        let _ = guarded(|| player.leave(&verdict));
        side.said = guarded(|| player.said()).ok().flatten().unwrap_or_default();
        side.refused = guarded(|| player.refused()).unwrap_or_default();
    }
    watch(Event::Ended(&verdict));
    table.record.verdict = verdict;
    table.record
}

/// A game under way.
struct Playing<'a> {
    setup: &'a GameSetup,
    position: Position,
    clocks: Clocks,
    record: GameRecord,
    scores: Vec<(Stone, Option<i32>)>,
    interrupt: &'a Stop,
}

/// How a game ends by such a failure. What the arena lacks is nobody's.
fn failed(record: &mut GameRecord, stone: Stone, fault: &Fault, allowance: &Allowance) -> Verdict {
    if let Fault::Shortage(why) = fault {
        record.set_tag(NOT_PLAYED, why);
        return Verdict::UNFINISHED;
    }
    Verdict::fault(stone, ending_of(fault, allowance))
}

impl<'a> Playing<'a> {
    fn new(setup: &'a GameSetup, interrupt: &'a Stop) -> Playing<'a> {
        let position = Position::new(setup.rules);
        let mut record = GameRecord::from_position(&position);
        for (side, name) in record.sides.iter_mut().zip(&setup.names) {
            side.name.clone_from(name);
        }
        Playing { setup, position, clocks: Clocks::new(setup.control), record, scores: Vec::new(), interrupt }
    }

    /// Seats both players; the verdict if one cannot.
    fn seat(&mut self, players: &mut [&mut dyn Player; 2]) -> Result<(), Verdict> {
        for (stone, player) in Stone::BOTH.into_iter().zip(players.iter_mut()) {
            let seed = lianzi_core::mix(self.setup.seed ^ stone.index() as u64);
            let seat = Seat { rules: &self.setup.rules, stone, control: &self.setup.control, seed };
            let seated = guarded(|| player.sit(&seat)).unwrap_or_else(|how| Err(Fault::Crashed(how)));
            if let Err(fault) = seated {
                return Err(failed(&mut self.record, stone, &fault, &Allowance::default()));
            }
        }
        Ok(())
    }

    /// Lays the first stones: those of the players' own choice, or the opening.
    fn open(&mut self, players: &mut [&mut dyn Player; 2]) -> Result<(), Verdict> {
        let found = match self.setup.rule {
            OpeningRule::None => false,
            rule => self.find_sides(rule, players)?,
        };
        if !found {
            self.lay(&self.setup.opening);
        }
        self.record.opening = self.record.moves.len();
        Ok(())
    }

    /// Lets the players find their sides; false if one of them cannot take part, and then no stone lies on the board.
    fn find_sides(&mut self, rule: OpeningRule, players: &mut [&mut dyn Player; 2]) -> Result<bool, Verdict> {
        let begun = Negotiation::new(rule, self.setup.rules);
        let mut negotiation = begun.expect("a game is set up with a rule by which it can begin");
        let found = self.negotiate(&mut negotiation, players);
        if let Ok(false) = found {
            self.position = Position::new(self.setup.rules);
            return Ok(false);
        }
        self.position = negotiation.position().clone();
        self.record.moves = self.position.plies().iter().map(|ply| Move::from(ply.cell)).collect();
        self.record.negotiated = Some(Negotiated { rule, acts: negotiation.acts().to_vec() });
        if negotiation.is_swapped() {
            players.swap(0, 1);
            self.clocks.swap();
            self.record.sides.swap(0, 1);
        }
        found
    }

    /// Asks until the sides are settled; false if somebody cannot take part.
    fn negotiate(
        &mut self,
        negotiation: &mut Negotiation,
        players: &mut [&mut dyn Player; 2],
    ) -> Result<bool, Verdict> {
        while let Some(demand) = negotiation.demand() {
            let player = &mut *players[demand.by.index()];
            let Some(acts) = self.ask_acts(player, negotiation, &demand)? else { return Ok(false) };
            take_acts(negotiation, &demand, &acts).map_err(|ending| Verdict::fault(demand.seat, ending))?;
            self.position = negotiation.position().clone();
        }
        Ok(true)
    }

    /// Asks one player what it does, and takes the time off its clock.
    fn ask_acts(
        &mut self,
        player: &mut dyn Player,
        negotiation: &Negotiation,
        demand: &Demand,
    ) -> Result<Option<Vec<Act>>, Verdict> {
        // The clocks stand where the players sat down, until the sides are settled.
        let clock = Stone::BOTH[demand.by.index()];
        let warm_up = player.warm_up();
        let Timed { said, counted, allowance, .. } =
            self.time(clock, warm_up, |ask| player.negotiate(ask, negotiation));
        if self.interrupt.is_set() {
            return Err(Verdict::UNFINISHED);
        }
        if let Some(limit) = allowance.overrun(counted) {
            return Err(Verdict::fault(demand.seat, Ending::Timeout { limit }));
        }
        self.clocks.spend(clock, counted);
        said.map_err(|failure| failed(&mut self.record, demand.seat, &failure, &allowance))
    }

    /// Lays stones that are known to be legal: openings are checked beforehand, turns by the judge.
    fn lay(&mut self, cells: &[Cell]) {
        for &cell in cells {
            self.position.play(cell).expect("the stone was tried before");
            self.record.moves.push(Move::from(cell));
        }
    }

    fn play(&mut self, players: &mut [&mut dyn Player; 2], watch: &mut dyn FnMut(Event<'_>)) -> Verdict {
        loop {
            if let Some(outcome) = self.position.outcome() {
                return Verdict::by_stones(outcome);
            }
            if let Some(verdict) = cut_off(&self.position, &self.setup.cutoff, &self.scores) {
                return verdict;
            }
            watch(Event::Asked(&self.position));
            let ended = self.turn(players, watch);
            if self.interrupt.is_set() {
                return Verdict::UNFINISHED;
            }
            if let Some(verdict) = ended {
                return verdict;
            }
            watch(Event::Placed(&self.position));
        }
    }

    /// Asks one side and measures how long it takes. A panic is a crash.
    fn time<T>(&self, side: Stone, warm_up: Duration, question: impl FnOnce(&Ask<'_>) -> Result<T, Fault>) -> Timed<T> {
        let allowance = self.clocks.allowance(side);
        let limits = self.clocks.limits(side);
        let start = Instant::now();
        let due = allowance.time.map(|(time, _)| start + time);
        let deadline = due.map(|due| due + allowance.margin + warm_up);
        let ask = Ask { position: &self.position, limits, due, deadline, interrupt: self.interrupt };
        let said = guarded(|| question(&ask)).unwrap_or_else(|how| Err(Fault::Crashed(how)));
        let taken = start.elapsed();
        Timed { said, taken, counted: taken.saturating_sub(warm_up), allowance }
    }

    /// One turn; the verdict if it ended the game by anything but its stones.
    fn turn(&mut self, players: &mut [&mut dyn Player; 2], watch: &mut dyn FnMut(Event<'_>)) -> Option<Verdict> {
        let mover = self.position.to_move();
        let player = &mut *players[mover.index()];
        let warm_up = player.warm_up();
        let Timed { said, taken, counted, allowance } =
            self.time(mover, warm_up, |ask| player.take_turn(ask, &mut |info| watch(Event::Thinks(mover, info))));
        let (deed, reply) = match said {
            Err(fault @ Fault::Shortage(_)) => {
                return Some(failed(&mut self.record, mover, &fault, &allowance));
            }
            Ok(reply) if reply.resigns => (Deed::Resigned, reply),
            Ok(mut reply) => (Deed::Turn(std::mem::take(&mut reply.turn)), reply),
            Err(fault) => (Deed::Failed(fault), Reply::default()),
        };
        match judge(&self.position, &allowance, counted, &deed) {
            Ruling::End(verdict) => Some(verdict),
            Ruling::Place { cells, surplus } => {
                self.clocks.spend(mover, counted);
                self.place(mover, &cells, taken, reply);
                self.record.surplus = surplus;
                None
            }
        }
    }

    fn place(&mut self, mover: Stone, cells: &[Cell], taken: Duration, reply: Reply) {
        let Reply { eval, thoughts, cpu, .. } = reply;
        self.scores.push((mover, eval.map(|eval| eval.score)));
        self.lay(cells);
        if let Some(last) = self.record.moves.last_mut() {
            last.time_ms = Some(taken.as_millis() as u64);
            last.cpu_us = cpu.map(|cpu| cpu.as_micros() as u64);
            last.eval = eval;
            last.comment = thoughts;
        }
    }
}

/// What a player said, and how long that took.
struct Timed<T> {
    said: Result<T, Fault>,
    taken: Duration,
    /// What the clocks count of it.
    counted: Duration,
    allowance: Allowance,
}

/// Runs a player's code; a panic becomes words.
fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| panic_words(panic.as_ref()))
}
