//! A contest that workers play, seen by the command that filed it: the same journal, the same progress and the same end as
//! on one machine.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use lianzi_contest::journal::{Brief, Journal, JournalError, Played, read_game, written_game};
use lianzi_contest::plan::BadContest;
use lianzi_contest::run::{Finished, Progress};
use lianzi_contest::{Contest, GameId};
use lianzi_core::{Speak, Text, spoken_errors, text};
use lianzi_engine::Stop;

use crate::QueueError;
use crate::jobs::{CRASHED, Reader, number, settle, state};
use crate::link::Link;
use crate::schedule::Schedule;

/// Why a contest cannot be followed.
#[derive(Debug)]
pub enum RemoteError {
    /// The queue.
    Queue(QueueError),
    /// The contest's folder.
    Journal(JournalError),
    /// The contest itself.
    Contest(BadContest),
}

impl Speak for RemoteError {
    fn text(&self) -> Text {
        match self {
            RemoteError::Queue(error) => error.text(),
            RemoteError::Journal(error) => error.text(),
            RemoteError::Contest(error) => error.text(),
        }
    }
}

spoken_errors!(RemoteError);

impl From<QueueError> for RemoteError {
    fn from(error: QueueError) -> RemoteError {
        RemoteError::Queue(error)
    }
}

impl From<JournalError> for RemoteError {
    fn from(error: JournalError) -> RemoteError {
        RemoteError::Journal(error)
    }
}

/// Notifications may be missed; whoever waits for one looks anyway after so long.
const LOOK: Duration = Duration::from_secs(1);

/// Follows a contest until it is over or somebody says stop, and looks after it meanwhile. Games that the journal holds and
/// the database does not are given to the latter.
pub fn follow(
    link: &Link,
    job: i64,
    contest: &Contest,
    mut journal: Journal,
    stop: &Stop,
    watch: &(dyn Fn(&Progress<'_>) + Sync),
) -> Result<Finished, RemoteError> {
    let start = Instant::now();
    let mut schedule = Schedule::new(contest).map_err(RemoteError::Contest)?;
    let mut played = give_all(link, job, &mut journal, &mut schedule, stop)?;
    let mut known: HashSet<GameId> = played.iter().map(|game| game.id).collect();
    let (mut reader, mut fresh) = (Reader::new(job, true), 0);
    while !stop.is_set() {
        let heard = link.bell().count();
        // The state is asked first: all that was stored before it was set is read after it.
        let now = match link.patiently(stop, |link| state(link, job)) {
            Err(error) if error.is_passing() => break,
            now => now?,
        };
        let games = match link.patiently(stop, |link| reader.read(link)) {
            Err(error) if error.is_passing() => break,
            games => games?,
        };
        for game in games {
            let last = read_game(game.body).map_err(|why| damaged(job, game.id, &why))?;
            if !known.insert(last.id) {
                continue;
            }
            journal.append(&last)?;
            schedule.tell(last.planned_outcome().map(|outcome| (last.id, outcome)));
            played.push((&last).into());
            fresh += 1;
            watch(&Progress { plan: schedule.plan(), played: &played, last: &last, elapsed: start.elapsed(), fresh });
        }
        match now {
            None => return Err(gone(job).into()),
            Some((state, note)) if state == "cancelled" && note.starts_with(CRASHED) => break,
            Some((state, note)) if state == "cancelled" => return Err(cancelled(job, &note).into()),
            Some((state, _)) if state == "done" => break,
            Some(_) => link.patiently(stop, |link| settle(link, job, &mut schedule))?,
        }
        if schedule.plan().is_decided() {
            break;
        }
        link.bell().wait(heard, LOOK, stop);
    }
    played.sort_by_key(|game| game.id);
    let plan = schedule.plan().clone();
    Ok(Finished { broken_off: !plan.is_decided(), plan, played, journal })
}

/// Gives the games of the journal to the database.
fn give_all(
    link: &Link,
    job: i64,
    journal: &mut Journal,
    schedule: &mut Schedule,
    stop: &Stop,
) -> Result<Vec<Brief>, RemoteError> {
    let mut kept = Vec::new();
    journal.each_game(|game| kept.push(game))?;
    kept.sort_by_key(|game: &Played| game.id);
    for game in &kept {
        // Its item must be there first.
        if !schedule.fresh().is_empty() {
            link.patiently(stop, |link| settle(link, job, schedule))?;
        }
        give(link, job, game, stop)?;
        schedule.tell(game.planned_outcome().map(|outcome| (game.id, outcome)));
    }
    Ok(kept.iter().map(Brief::from).collect())
}

/// Gives a game that was played elsewhere to the database.
fn give(link: &Link, job: i64, game: &Played, stop: &Stop) -> Result<(), QueueError> {
    let (encounter, number_of, body) = (game.id.encounter as i32, game.id.game as i32, written_game(game).into_bytes());
    // The item is the one that has this game.
    let ask = "SELECT lianzi.finish(0, $1, $2, i.first, $3, $4, $5) FROM lianzi.items i
        WHERE i.job = $1 AND i.encounter = $2 AND i.first <= $3 AND $3 < i.first + i.count
        AND NOT EXISTS (SELECT FROM lianzi.games g WHERE g.job = $1 AND g.encounter = $2 AND g.game = $3)";
    let outcome = number(game.planned_outcome());
    link.patiently(stop, |link| link.query(ask, &[&job, &encounter, &number_of, &outcome, &body])).map(drop)
}

fn damaged(job: i64, id: GameId, why: &str) -> QueueError {
    QueueError::Refused(format!("game {id} of job {job} cannot be read: {why}"))
}

pub(crate) fn gone(job: i64) -> QueueError {
    QueueError::Unfit(text!("job {job} was removed", "作业 {job} 已被删除"))
}

fn cancelled(job: i64, note: &str) -> QueueError {
    let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
    QueueError::Unfit(text!("job {job} was cancelled{note}", "作业 {job} 已被取消{note}"))
}
