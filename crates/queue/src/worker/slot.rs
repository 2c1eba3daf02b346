//! One core of a worker: takes items and plays them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lianzi_contest::GameId;
use lianzi_contest::journal::{Played, written_game};
use lianzi_contest::run::Stage;
use lianzi_core::{Ending, Speak, known_reason, text};
use lianzi_engine::workshop::training::file::write_lesson;
use lianzi_engine::workshop::training::selfplay::play;
use lianzi_game::player::Player;
use lianzi_players::PlayerSpec;

use super::{Crew, Known, Work};
use crate::QueueError;
use crate::filing::ContestJob;
use crate::jobs::{CRASHED, number};
use crate::link::rest;
use crate::schedule::Item;
use crate::selfplay::SelfPlayJob;
use crate::spool::Ended;

/// Who waits for work looks after contests that were not looked after for so long: the next round may be due.
const ROUND: Duration = Duration::from_millis(100);

/// Notifications may be missed; whoever waits for one looks anyway, at first soon and then ever more rarely.
const SOON: Duration = Duration::from_millis(200);
const RARELY: Duration = Duration::from_secs(10);

/// How long a machine that lacks something leaves games to others.
const SHORTAGE: Duration = Duration::from_secs(5);

/// An item and its job.
struct Taken {
    known: Arc<Known>,
    item: Item,
    /// Games of it that are stored already.
    stored: Vec<usize>,
}

impl Crew<'_> {
    /// Plays until somebody says stop.
    pub(super) fn fill_slot(&self) {
        let mut next = None;
        while let Some(taken) = next.take().or_else(|| self.take()) {
            let known = Arc::clone(&taken.known);
            next = match &known.work {
                Work::Contest(contest, players) => self.play_contest(taken, contest, players),
                Work::SelfPlay(job) => self.play_itself(taken, job),
            };
        }
    }

    /// The next item, once there is one; nothing when the worker ends.
    fn take(&self) -> Option<Taken> {
        let mut pause = SOON;
        while !self.stop().is_set() {
            let heard = self.bell().count();
            let taken = self.claim().and_then(|taken| match taken {
                Some(taken) => Ok(Some(taken)),
                // The next round may be waiting for somebody to lay it out.
                None => self.look_after(ROUND, |_| true).and_then(|()| self.claim()),
            });
            match taken {
                Ok(Some(taken)) => return Some(taken),
                // The steward says why, and rings when the database is back.
                Ok(None) | Err(_) => self.bell().wait(heard, pause, self.stop()),
            }
            pause = if self.bell().count() > heard { SOON } else { (2 * pause).min(RARELY) };
        }
        None
    }

    fn claim(&self) -> Result<Option<Taken>, QueueError> {
        let wanted: Vec<i64> = self.jobs().keys().copied().collect();
        if wanted.is_empty() {
            return Ok(None);
        }
        let ask = "SELECT job, number, encounter, first, count, round, black, white, opening, stored FROM lianzi.claim($1, $2)";
        let Some(row) = self.link.query(ask, &[&self.me(), &wanted])?.into_iter().next() else { return Ok(None) };
        let index = |at: usize| row.get::<_, i32>(at) as usize;
        let item = Item {
            number: row.get::<_, i64>(1) as u64,
            encounter: index(2),
            first: index(3),
            count: row.get::<_, i16>(4) as usize,
            round: index(5),
            seats: [index(6), index(7)],
            opening: row.get::<_, i64>(8) as usize,
        };
        let job: i64 = row.get(0);
        let stored = if row.get::<_, i16>(9) > 0 { self.stored(job, &item)? } else { Vec::new() };
        let Some(known) = self.jobs().get(&job).cloned() else { return Ok(None) };
        Ok(Some(Taken { known, item, stored }))
    }

    /// The games of an item that are stored already: whoever had it before was killed between two.
    fn stored(&self, job: i64, item: &Item) -> Result<Vec<usize>, QueueError> {
        let ask = "SELECT game FROM lianzi.games WHERE job = $1 AND encounter = $2 AND game >= $3 AND game < $4";
        let (encounter, first) = (item.encounter as i32, item.first as i32);
        let rows = self.link.query(ask, &[&job, &encounter, &first, &(first + item.count as i32)])?;
        Ok(rows.iter().map(|row| row.get::<_, i32>(0) as usize).collect())
    }

    /// Plays items of one contest with the same players; the first item of another job.
    fn play_contest(&self, mut taken: Taken, contest: &ContestJob, players: &[PlayerSpec]) -> Option<Taken> {
        let known = Arc::clone(&taken.known);
        let make = |entrant: usize| -> Box<dyn Player> {
            players[entrant].player_with(self.config.cages).expect("people cannot be sent")
        };
        let mut stage = Stage::new(&contest.contest, &make, contest.void());
        loop {
            let Taken { item, stored, .. } = &taken;
            for fixture in item.fixtures().filter(|fixture| !stored.contains(&fixture.id.game)) {
                if fixture.seats.iter().any(|&seat| seat >= players.len()) || fixture.seats[0] == fixture.seats[1] {
                    break;
                }
                let is_over_after = |pause: Duration| {
                    rest(pause, &known.over);
                    known.over.is_set()
                };
                let began = self.begin();
                let played = stage.play(&fixture, &known.over, &is_over_after);
                self.end(began);
                match played {
                    Ok(Some(game)) => self.store_game(&known, contest, item, &game),
                    Ok(None) => break,
                    Err(why) => {
                        self.lack(&known, item, &why);
                        break;
                    }
                }
            }
            taken = self.take()?;
            if !Arc::ptr_eq(&taken.known, &known) {
                return Some(taken);
            }
        }
    }

    fn store_game(&self, known: &Known, contest: &ContestJob, item: &Item, game: &Played) {
        let outcome = number(game.planned_outcome());
        self.store(known, item, game.id, outcome, written_game(game).as_bytes());
        let died = matches!(game.record.verdict.ending, Ending::Crashed { .. } | Ending::NotStarted { .. });
        if contest.stop_on_crash && died {
            let why = format!("{CRASHED} in game {}", game.id);
            let _ = crate::jobs::cancel(self.link, known.job, &why);
        }
    }

    /// Plays items of one run of self-play; the first item of another job.
    fn play_itself(&self, mut taken: Taken, job: &SelfPlayJob) -> Option<Taken> {
        let known = Arc::clone(&taken.known);
        let (course, mut engine) = job.course().zip(job.engine())?;
        loop {
            let Taken { item, stored, .. } = &taken;
            for game in (item.first..item.first + item.count).filter(|game| !stored.contains(game)) {
                let began = self.begin();
                let lesson = play(&course, game as u64, engine.as_mut(), &known.over);
                self.end(began);
                let Some(lesson) = lesson else { break };
                let mut bytes = Vec::new();
                write_lesson(&mut bytes, &lesson).expect("memory can be written to");
                self.store(&known, item, GameId { encounter: item.encounter, game }, None, &bytes);
            }
            taken = self.take()?;
            if !Arc::ptr_eq(&taken.known, &known) {
                return Some(taken);
            }
        }
    }

    /// Stores a game, now or, while the database does not take it, later: somebody has played it, so it is kept.
    fn store(&self, known: &Known, item: &Item, id: GameId, outcome: Option<i16>, body: &[u8]) {
        let (encounter, first, game) = (id.encounter as i32, item.first as i32, id.game as i32);
        let job = known.job;
        let ended = Ended { job, encounter, first, game, outcome };
        match ended.send(self.link, self.me(), body) {
            Ok(Some(_)) => self.counted(),
            Ok(None) => known.over.set(),
            Err(QueueError::Unfit(why)) => self.tell(text!(
                "game {id} of job {job} was refused: {why}",
                "作业 {job} 的对局 {id} 被拒绝：{why}"; why
            )),
            Err(refused) => match self.spool.keep(&ended, body) {
                Ok(()) => self.counted(),
                Err(error) => {
                    let why = refused.text();
                    self.tell(text!(
                        "game {id} of job {job} is lost: {why}, and {error}",
                        "作业 {job} 的对局 {id} 丢失：{why}，且 {error}"; why
                    ));
                }
            },
        }
    }

    /// This machine lacks something: others may have it.
    fn lack(&self, known: &Known, item: &Item, why: &str) {
        let why = known_reason(why);
        self.tell(text!("this machine lacks something: {why}", "本机资源不足：{why}"; why));
        let (encounter, first) = (item.encounter as i32, item.first as i32);
        let _ = self.link.query("SELECT lianzi.release($1, $2, $3, $4)", &[&self.me(), &known.job, &encounter, &first]);
        rest(SHORTAGE, self.stop());
    }

    fn begin(&self) -> Instant {
        let (now, mut times) = (Instant::now(), self.times());
        times.first.get_or_insert(now);
        times.playing += 1;
        now
    }

    fn end(&self, began: Instant) {
        let mut times = self.times();
        times.playing -= 1;
        times.played += began.elapsed();
        times.last = Some(Instant::now());
    }
}
