//! Plays a contest: workers take games from the plan, play them, and write them down.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use lianzi_core::{Ending, GameRecord, mix};
use lianzi_engine::Stop;

use super::Contest;
use super::Fixture;
use super::Format;
use super::circumstances;
use super::circumstances::{AGAIN, LOAD};
use super::journal::{Brief, Journal, JournalError, Played};
use super::plan::{Next, Plan};
use lianzi_game::play::{GameSetup, NOT_PLAYED, play_game};
use lianzi_game::player::Player;

/// The tag of a record that says when the game began, in seconds since 1970.
pub const STARTED: &str = "started";
/// The tag of a record that says when the game ended, in seconds since 1970.
pub const ENDED: &str = "ended";
/// The tag of a record that says how often the game was played before, for nothing.
pub const REPEATED: &str = "repeated";

/// Makes the player of the entrant with this index; it is called anew after one has died.
pub type MakePlayer<'a> = dyn Fn(usize) -> Box<dyn Player> + Sync + 'a;

/// How to play a contest, apart from what is played.
pub struct Conduct<'a> {
    /// How many games at once.
    pub concurrency: usize,
    /// Ends the contest as soon as a player has crashed or could not start.
    pub stop_on_crash: bool,
    /// Set from outside: no new game begins and running ones are abandoned.
    pub interrupt: Stop,
    /// Makes the players.
    pub make: &'a MakePlayer<'a>,
    /// Whether a game says nothing and is played again, a few times at most.
    pub void: fn(&GameRecord) -> bool,
}

impl<'a> Conduct<'a> {
    /// One game at a time, whatever happens in it, until this is set.
    pub fn until(interrupt: &Stop, make: &'a MakePlayer<'a>) -> Conduct<'a> {
        Conduct { concurrency: 1, stop_on_crash: false, interrupt: interrupt.clone(), make, void: |_| false }
    }
}

/// Where a contest stands, after a game has ended.
pub struct Progress<'a> {
    /// The schedule with all outcomes.
    pub plan: &'a Plan,
    /// All games in brief, the one that just ended last.
    pub played: &'a [Brief],
    /// The game that just ended.
    pub last: &'a Played,
    /// How long this process has been playing.
    pub elapsed: Duration,
    /// How many of the games this process has played.
    pub fresh: usize,
}

/// What came of playing.
#[derive(Debug)]
pub struct Finished {
    /// The schedule with all outcomes.
    pub plan: Plan,
    /// All games in brief, in the order of their names.
    pub played: Vec<Brief>,
    /// Whether the contest was ended before its plan was done.
    pub broken_off: bool,
    /// Where the games are.
    pub journal: Journal,
}

impl Finished {
    /// All games with their moves, in the order of their names.
    pub fn games(&mut self) -> Result<Vec<Played>, JournalError> {
        self.journal.games()
    }
}

/// What the workers share.
struct Shared {
    plan: Plan,
    played: Vec<Brief>,
    journal: Journal,
    error: Option<JournalError>,
    fresh: usize,
    halted: bool,
}

/// Plays until the plan is done, the contest is interrupted or nothing can be written any more. The games that the
/// journal holds already are not played again. Those who watch are told after each game, one at a time.
pub fn run(
    contest: &Contest,
    mut plan: Plan,
    mut journal: Journal,
    conduct: &Conduct<'_>,
    watch: &(dyn Fn(&Progress<'_>) + Sync),
) -> Result<Finished, JournalError> {
    let mut played = Vec::new();
    journal.each_game(|game| played.push(plan.count(&game)))?;
    let shared = Mutex::new(Shared { plan, played, journal, error: None, fresh: 0, halted: false });
    let (changed, start) = (Condvar::new(), Instant::now());
    let arena = Arena { contest, conduct, shared: &shared, changed: &changed, watch, start };
    thread::scope(|scope| {
        for _ in 1..conduct.concurrency {
            // Whoever cannot be had is done without.
            let _ = thread::Builder::new().spawn_scoped(scope, || arena.work());
        }
        arena.work();
    });
    let Shared { plan, mut played, journal, error, halted, .. } =
        shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = error {
        return Err(error);
    }
    played.sort_by_key(|game| game.id);
    let broken_off = halted || conduct.interrupt.is_set();
    Ok(Finished { plan, played, broken_off, journal })
}

/// A worker that waits looks up now and then, so that an interrupt from outside is noticed.
const LOOK_UP: Duration = Duration::from_millis(100);

/// A worker's players, by their index among the entrants.
type Players = HashMap<usize, Box<dyn Player>>;

/// Where single games of a contest are played, by whoever was handed them. It keeps its players from game to game.
pub struct Stage<'a> {
    contest: &'a Contest,
    make: &'a MakePlayer<'a>,
    void: fn(&GameRecord) -> bool,
    players: Players,
}

impl<'a> Stage<'a> {
    /// A stage on which nobody sits yet; games that are `void` say nothing and are played again, a few times at most.
    pub fn new(contest: &'a Contest, make: &'a MakePlayer<'a>, void: fn(&GameRecord) -> bool) -> Stage<'a> {
        Stage { contest, make, void, players: Players::new() }
    }

    /// Plays a game; nothing if it was interrupted, and what the arena itself lacks if it cannot be played here.
    /// `is_over_after` waits, and says whether nobody wants the game any more.
    pub fn play(
        &mut self,
        fixture: &Fixture,
        interrupt: &Stop,
        is_over_after: &dyn Fn(Duration) -> bool,
    ) -> Result<Option<Played>, String> {
        const AGAIN: usize = 2;
        let mut play = || self.play_when_there_is_room(fixture, interrupt, is_over_after);
        let Some(mut record) = play()? else { return Ok(None) };
        for n in 1..=AGAIN {
            if record.verdict.outcome.is_none() || !(self.void)(&record) {
                break;
            }
            let Some(again) = self.play_when_there_is_room(fixture, interrupt, is_over_after)? else { return Ok(None) };
            record = again;
            record.set_tag(REPEATED, &n.to_string());
        }
        let ended = record.verdict.outcome.is_some();
        Ok(ended.then_some(Played { id: fixture.id, record }))
    }

    /// Plays a game, and plays it again when the arena itself lacked something: others give back what they hold. If that
    /// does not help, the contest ends here, and can go on later.
    fn play_when_there_is_room(
        &mut self,
        fixture: &Fixture,
        interrupt: &Stop,
        is_over_after: &dyn Fn(Duration) -> bool,
    ) -> Result<Option<GameRecord>, String> {
        const ATTEMPTS: u32 = 6;
        const FIRST_PAUSE: Duration = Duration::from_millis(100);
        for attempt in 0.. {
            let mut record = self.play_once(fixture, interrupt);
            let Some(why) = record.tag(NOT_PLAYED).map(str::to_string) else {
                if attempt > 0 {
                    record.set_tag(AGAIN, &attempt.to_string());
                }
                return Ok(Some(record));
            };
            // What they hold may be what is lacking.
            self.players.clear();
            if attempt + 1 == ATTEMPTS {
                return Err(why);
            }
            if is_over_after(FIRST_PAUSE * 2_u32.pow(attempt)) {
                break;
            }
        }
        Ok(None)
    }

    fn play_once(&mut self, fixture: &Fixture, interrupt: &Stop) -> GameRecord {
        let (setup, players) = (game_setup(self.contest, fixture), &mut self.players);
        if self.contest.format == Format::Gauntlet {
            // Whoever has met the first player is done.
            players.retain(|seat, _| fixture.seats.contains(seat));
        }
        for seat in fixture.seats {
            players.entry(seat).or_insert_with(|| (self.make)(seat));
        }
        let [black, white] = fixture.seats;
        let [Some(first), Some(second)] = players.get_disjoint_mut([&black, &white]) else {
            unreachable!("two different entrants were just seated")
        };
        let (started, load) = (seconds_now(), circumstances::load());
        let mut record = play_game(&setup, &mut [first.as_mut(), second.as_mut()], interrupt, &mut |_| {});
        record.set_tag(STARTED, &started);
        record.set_tag(ENDED, &seconds_now());
        if let Some(load) = load.or_else(circumstances::load) {
            record.set_tag(LOAD, &load);
        }
        record.set_tag("round", &(fixture.round + 1).to_string());
        record.set_tag("opening", &(fixture.opening + 1).to_string());
        let died = matches!(record.verdict.ending, Ending::Crashed { .. } | Ending::NotStarted { .. });
        if let Some(blame) = record.verdict.blame.filter(|_| died) {
            // The dead are replaced for the next game.
            players.remove(&fixture.as_played(&record).seat(blame));
        }
        record
    }
}

/// Where the games are played.
struct Arena<'a> {
    contest: &'a Contest,
    conduct: &'a Conduct<'a>,
    shared: &'a Mutex<Shared>,
    changed: &'a Condvar,
    watch: &'a (dyn Fn(&Progress<'_>) + Sync),
    start: Instant,
}

impl Arena<'_> {
    /// One worker: plays games until there are none. It keeps its players from game to game.
    fn work(&self) {
        let Conduct { make, void, ref interrupt, .. } = *self.conduct;
        let mut stage = Stage::new(self.contest, make, void);
        while let Some(fixture) = self.next() {
            match stage.play(&fixture, interrupt, &|pause| self.is_over_after(pause)) {
                Ok(Some(game)) => self.record(game),
                Ok(None) => break,
                Err(why) => {
                    self.lock().error.get_or_insert(JournalError::Shortage(why));
                    break;
                }
            }
        }
        self.changed.notify_all();
    }

    /// Waits, and says whether the contest is over meanwhile.
    fn is_over_after(&self, pause: Duration) -> bool {
        let until = Instant::now() + pause;
        let is_over = |shared: &Shared| shared.halted || shared.error.is_some() || self.conduct.interrupt.is_set();
        let mut shared = self.lock();
        while !is_over(&shared) {
            let left = until.saturating_duration_since(Instant::now()).min(LOOK_UP);
            if left.is_zero() {
                return false;
            }
            shared = self.changed.wait_timeout(shared, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next game, once there is one.
    fn next(&self) -> Option<Fixture> {
        let mut shared = self.lock();
        loop {
            if shared.halted || shared.error.is_some() || self.conduct.interrupt.is_set() {
                return None;
            }
            match shared.plan.next() {
                Next::Play(fixture) => return Some(fixture),
                Next::Done => return None,
                Next::Wait => {
                    let waited = self.changed.wait_timeout(shared, LOOK_UP);
                    shared = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Writes a game down, and only then lets it count.
    fn record(&self, game: Played) {
        let mut shared = self.lock();
        if let Err(error) = shared.journal.append(&game) {
            shared.error.get_or_insert(error);
            return;
        }
        let ending = &game.record.verdict.ending;
        let died = matches!(ending, Ending::Crashed { .. } | Ending::NotStarted { .. });
        shared.halted |= self.conduct.stop_on_crash && died;
        let brief = shared.plan.count(&game);
        shared.played.push(brief);
        shared.fresh += 1;
        self.tell(&shared, &game);
        drop(shared);
        self.changed.notify_all();
    }

    fn tell(&self, shared: &Shared, last: &Played) {
        let Shared { plan, played, fresh, .. } = shared;
        let progress = Progress { plan, played, last, elapsed: self.start.elapsed(), fresh: *fresh };
        (self.watch)(&progress);
    }
}

fn seconds_now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:.3}", since.as_secs_f64())
}

/// What a game begins with. It depends on its name alone: both games of a pair get the same board and opening.
pub fn game_setup(contest: &Contest, fixture: &Fixture) -> GameSetup {
    let pair_seed = mix(contest.seed ^ mix(fixture.opening as u64 + 1));
    let rules = contest.game.draw(pair_seed);
    let game = ((fixture.id.encounter as u64) << 32) + fixture.id.game as u64;
    GameSetup {
        rules,
        opening: contest.openings.opening(&rules, contest.seed, fixture.opening),
        rule: contest.game.opening,
        control: contest.control,
        cutoff: contest.cutoff,
        seed: mix(contest.seed ^ mix(game + 1).rotate_left(17)),
        names: fixture.seats.map(|seat| contest.players[seat].name.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Entrant;
    use lianzi_players::PlayerSpec;

    #[test]
    fn a_game_that_says_nothing_is_played_again_but_not_for_ever() {
        let spec: PlayerSpec = "random".parse().unwrap();
        let entrants = ["a", "b"].map(|name| Entrant { name: name.into(), spec: spec.to_string() });
        let contest = Contest::of_two("connect4".parse().unwrap(), entrants, 1);
        let repeated = |void: fn(&GameRecord) -> bool| {
            let make = |_: usize| spec.player().unwrap();
            let conduct = Conduct { void, ..Conduct::until(&Stop::default(), &make) };
            let plan = Plan::new(&contest).unwrap();
            let mut finished = run(&contest, plan, Journal::passing().unwrap(), &conduct, &|_| {}).unwrap();
            let games = finished.games().unwrap();
            games.iter().map(|game| game.record.tag(REPEATED).map(str::to_string)).collect::<Vec<_>>()
        };
        assert_eq!(repeated(|_| false), [None, None]);
        assert_eq!(repeated(|record| record.tag(REPEATED).is_none()), [Some("1".into()), Some("1".into())]);
        assert_eq!(repeated(|_| true), [Some("2".into()), Some("2".into())]);
    }
}
