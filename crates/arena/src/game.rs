//! One game: asks the players in turn, keeps the time, and lets the judge decide.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use lianzi_core::record::{Eval, GameRecord, Move};
use lianzi_core::{Cell, Position, Rules, Stone, Verdict};
use lianzi_engine::{Info, Stop};

use crate::clock::{Allowance, Clocks, Control};
use crate::judge::{Cutoff, Deed, Fault, Ruling, cut_off, ending_of, judge};
use crate::player::{Ask, Player, Seat, panic_words};

/// How a game is to be played.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The rules.
    pub rules: Rules,
    /// Stones placed before the players begin; they must be legal and leave the game open.
    pub opening: Vec<Cell>,
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

/// Plays a game to its end. Players that hang, die or lie lose; they cannot keep it from ending. An interrupted
/// game is left unfinished.
pub fn play_game(
    setup: &GameSetup,
    players: &mut [&mut dyn Player; 2],
    interrupt: &Stop,
    watch: &mut dyn FnMut(Event<'_>),
) -> GameRecord {
    let mut table = Table::new(setup, interrupt);
    let verdict = table.seat(players).unwrap_or_else(|| table.play(players, watch));
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

impl<'a> Table<'a> {
    fn new(setup: &'a GameSetup, interrupt: &'a Stop) -> Table<'a> {
        let mut position = Position::new(setup.rules);
        for &cell in &setup.opening {
            position.play(cell).expect("an opening is checked before a game is set up");
        }
        let mut record = GameRecord::from_position(&position);
        record.opening = record.moves.len();
        for (side, name) in record.sides.iter_mut().zip(&setup.names) {
            side.name.clone_from(name);
        }
        Table { setup, position, clocks: Clocks::new(setup.control), record, scores: Vec::new(), interrupt }
    }

    /// Seats both players; the verdict if one cannot.
    fn seat(&self, players: &mut [&mut dyn Player; 2]) -> Option<Verdict> {
        for (stone, player) in Stone::BOTH.into_iter().zip(players.iter_mut()) {
            let seed = lianzi_core::mix(self.setup.seed ^ stone.index() as u64);
            let seat = Seat { rules: &self.setup.rules, stone, control: &self.setup.control, seed };
            let seated = guarded(|| player.sit(&seat)).unwrap_or_else(|how| Err(Fault::Crashed(how)));
            if let Err(fault) = seated {
                return Some(Verdict::fault(stone, ending_of(&fault, &Allowance::default())));
            }
        }
        None
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

    /// One turn; the verdict if it ended the game by anything but its stones.
    fn turn(
        &mut self,
        players: &mut [&mut dyn Player; 2],
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Option<Verdict> {
        let mover = self.position.to_move();
        let allowance = self.clocks.allowance(mover);
        let limits = self.clocks.limits(mover);
        let start = Instant::now();
        let due = allowance.time.map(|(time, _)| start + time);
        let deadline = due.map(|due| due + allowance.margin);
        let ask = Ask { position: &self.position, limits, due, deadline, interrupt: self.interrupt };
        let player = &mut *players[mover.index()];
        let reply = guarded(|| player.take_turn(&ask, &mut |info| watch(Event::Thinks(mover, info))));
        let taken = start.elapsed();
        let (deed, eval) = match reply {
            Ok(Ok(reply)) if reply.resigns => (Deed::Resigned, reply.eval),
            Ok(Ok(reply)) => (Deed::Turn(reply.turn), reply.eval),
            Ok(Err(fault)) => (Deed::Failed(fault), None),
            Err(how) => (Deed::Failed(Fault::Crashed(how)), None),
        };
        match judge(&self.position, &allowance, taken, &deed) {
            Ruling::End(verdict) => Some(verdict),
            Ruling::Place { cells, surplus } => {
                self.place(mover, &cells, taken, eval);
                self.record.surplus = surplus;
                None
            }
        }
    }

    fn place(&mut self, mover: Stone, cells: &[Cell], taken: Duration, eval: Option<Eval>) {
        self.clocks.spend(mover, taken);
        self.scores.push((mover, eval.map(|eval| eval.score)));
        for &cell in cells {
            self.position.play(cell).expect("the judge tried this stone");
            self.record.moves.push(Move::from(cell));
        }
        if let Some(last) = self.record.moves.last_mut() {
            last.time_ms = Some(taken.as_millis() as u64);
            last.eval = eval;
        }
    }
}

/// Runs a player's code; a panic becomes words.
fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| panic_words(panic.as_ref()))
}
