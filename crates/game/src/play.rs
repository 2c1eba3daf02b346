//! One game: asks the players in turn, keeps the time, and lets the judge decide.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use lianzi_core::record::{GameRecord, Move};
use lianzi_core::{Cell, Ending, Fault, Position, Rules, Stone, Verdict};
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
use crate::player::Ask;
use crate::player::Player;
use crate::player::Reply;
use crate::player::Seat;
use crate::player::panic_words;
use crate::swap2;
use crate::swap2::Sides;
use crate::swap2::Swap2;

/// How a game is to be played.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The rules.
    pub rules: Rules,
    /// Stones placed before the players begin; they must be legal and leave the game open.
    pub opening: Vec<Cell>,
    /// Let the players find sides by swap2 instead; the opening is for those who cannot. Needs `has_swap2`.
    pub swap2: bool,
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
    let mut table = Table::new(setup, interrupt);
    let begun = table.seat(players).and_then(|()| table.open(players));
    let verdict = begun.map_or_else(|verdict| verdict, |()| table.play(players, watch));
    for (player, side) in players.iter_mut().zip(&mut table.record.sides) {
        // A player that panics while it leaves changes nothing any more.
        let _ = guarded(|| player.leave(&verdict));
        side.said = guarded(|| player.said()).ok().flatten().unwrap_or_default();
    }
    watch(Event::Ended(&verdict));
    table.record.verdict = verdict;
    table.record
}

/// A game under way.
struct Table<'a> {
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

impl<'a> Table<'a> {
    fn new(setup: &'a GameSetup, interrupt: &'a Stop) -> Table<'a> {
        let position = Position::new(setup.rules);
        let mut record = GameRecord::from_position(&position);
        for (side, name) in record.sides.iter_mut().zip(&setup.names) {
            side.name.clone_from(name);
        }
        Table { setup, position, clocks: Clocks::new(setup.control), record, scores: Vec::new(), interrupt }
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
        let sides = if self.setup.swap2 { self.find_sides(players)? } else { None };
        match sides {
            None => self.lay(&self.setup.opening),
            Some(Sides::Kept) => self.record.set_tag(swap2::TAG, swap2::KEPT),
            Some(Sides::Swapped) => {
                players.swap(0, 1);
                self.clocks.swap();
                self.record.sides.swap(0, 1);
                self.record.set_tag(swap2::TAG, swap2::SWAPPED);
            }
        }
        self.record.opening = self.record.moves.len();
        Ok(())
    }

    /// Swap2; nothing if one of the players cannot take part, and then no stone lies on the board.
    fn find_sides(&mut self, players: &mut [&mut dyn Player; 2]) -> Result<Option<Sides>, Verdict> {
        let [opener, other] = players;
        let found = self.negotiate(*opener, *other)?;
        if found.is_none() {
            while self.position.undo().is_some() {}
            self.record.moves.clear();
        }
        Ok(found)
    }

    fn negotiate(&mut self, opener: &mut dyn Player, other: &mut dyn Player) -> Result<Option<Sides>, Verdict> {
        let Some(Swap2::Stones(_)) = self.ask_sides(opener, Stone::Black, &[swap2::FIRST_STONES])? else {
            return Ok(None);
        };
        let two = match self.ask_sides(other, Stone::White, &[1, 2])? {
            None => return Ok(None),
            Some(Swap2::Swap) => return Ok(Some(Sides::Swapped)),
            Some(Swap2::Stones(stones)) => stones.len() == 2,
        };
        if !two {
            return Ok(Some(Sides::Kept));
        }
        Ok(match self.ask_sides(opener, Stone::Black, &[1])? {
            None => None,
            Some(Swap2::Swap) => Some(Sides::Kept),
            Some(Swap2::Stones(_)) => Some(Sides::Swapped),
        })
    }

    /// Asks one player what it wants, who is called by this stone for now, and lays its stones: as many as one of
    /// these numbers. Three stones cannot be answered by a swap.
    fn ask_sides(&mut self, player: &mut dyn Player, role: Stone, counts: &[usize]) -> Result<Option<Swap2>, Verdict> {
        let warm_up = player.warm_up();
        let Timed { said, counted, allowance, .. } = self.time(role, warm_up, |ask| player.swap2(ask));
        let fault = |ending| Err(Verdict::fault(role, ending));
        if self.interrupt.is_set() {
            return Err(Verdict::UNFINISHED);
        }
        if let Some(limit) = allowance.overrun(counted) {
            return fault(Ending::Timeout { limit });
        }
        self.clocks.spend(role, counted);
        let given = match &said {
            Err(failure) => return Err(failed(&mut self.record, role, failure, &allowance)),
            Ok(None) => return Ok(None),
            Ok(Some(Swap2::Swap)) if counts[0] != swap2::FIRST_STONES => return Ok(Some(Swap2::Swap)),
            Ok(Some(Swap2::Swap)) => &[][..],
            Ok(Some(Swap2::Stones(stones))) => stones,
        };
        if !counts.contains(&given.len()) {
            return fault(Ending::Stones { wanted: counts[0] as u8, given: given.len() });
        }
        for answer in given {
            match judge(&self.position, &allowance, Duration::ZERO, &Deed::Turn(vec![answer.clone()])) {
                Ruling::End(verdict) => return fault(verdict.ending),
                Ruling::Place { cells, .. } => self.lay(&cells),
            }
        }
        said.map_err(|_| unreachable!("a failure has returned"))
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
