//! What the database sustains: games that take no time, claimed and finished by many workers.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::QueueError;
use crate::filing::file;
use crate::jobs::{add, remove};
use crate::link::{Address, Link};
use crate::schedule::Item;
use crate::spool::Ended;

/// What so many workers came to.
#[derive(Clone, Debug)]
pub struct Figures {
    /// How many workers there were.
    pub workers: usize,
    /// Games a second, claimed and stored.
    pub games: f64,
    /// How long half of the calls took at most, and all but one in a hundred: claims, then finishes.
    pub claims: [Duration; 2],
    /// See `claims`.
    pub finishes: [Duration; 2],
}

/// A game of about the usual length, as the journal writes it.
const BODY: usize = 4_000;

/// Lets so many workers, each with a connection of its own, take and finish pairs for a time.
pub fn measure(address: &Address, workers: usize, time: Duration) -> Result<Figures, QueueError> {
    let link = Link::open(address, &[])?;
    let print = format!("bench {:?}", std::time::SystemTime::now()).into_bytes();
    let filed = file(&link, &print, "bench", "connect4", "bench queue", "{}", &[])?;
    let pairs = (time.as_secs_f64() * 3_000.0) as usize + 1_000;
    let item =
        |n: usize| Item { number: n as u64, encounter: 0, first: 2 * n, count: 2, round: 0, seats: [0, 1], opening: n };
    add(&link, filed.job, &(0..pairs).map(item).collect::<Vec<_>>())?;
    let links = (0..workers).map(|_| Link::open(address, &[])).collect::<Result<Vec<_>, _>>()?;
    let spent = Mutex::new([Vec::new(), Vec::new()]);
    let start = Instant::now();
    let done: Vec<Result<(), QueueError>> = thread::scope(|scope| {
        let work = |link: Link| {
            let mut own = [Vec::new(), Vec::new()];
            let done = work(&link, filed.job, start + time, &mut own);
            let mut spent = spent.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            spent.iter_mut().zip(own).for_each(|(all, own)| all.extend(own));
            done
        };
        let started: Vec<_> = links.into_iter().map(|link| scope.spawn(move || work(link))).collect();
        started.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    let elapsed = start.elapsed().as_secs_f64();
    remove(&link, filed.job)?;
    done.into_iter().collect::<Result<(), _>>()?;
    let [claims, finishes] = spent.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let games = finishes.len() as f64 / elapsed;
    Ok(Figures { workers, games, claims: quantiles(claims), finishes: quantiles(finishes) })
}

fn work(link: &Link, job: i64, end: Instant, spent: &mut [Vec<Duration>; 2]) -> Result<(), QueueError> {
    let me: i64 = link.row("SELECT lianzi.join_in('bench', 1, 'bench')", &[])?.get(0);
    let body = vec![b'x'; BODY];
    while Instant::now() < end {
        let asked = Instant::now();
        let rows = link.query("SELECT encounter, first, count FROM lianzi.claim($1, $2)", &[&me, &vec![job]])?;
        spent[0].push(asked.elapsed());
        let Some(row) = rows.first() else { break };
        let (encounter, first, count): (i32, i32, i16) = (row.get(0), row.get(1), row.get(2));
        for game in first..first + i32::from(count) {
            let told = Instant::now();
            Ended { job, encounter, first, game, outcome: Some(1) }.send(link, me, &body)?;
            spent[1].push(told.elapsed());
        }
    }
    link.query("SELECT lianzi.leave($1)", &[&me]).map(drop)
}

/// The median, and what all but one in a hundred stay below.
fn quantiles(mut times: Vec<Duration>) -> [Duration; 2] {
    times.sort();
    [50, 99].map(|percent| {
        times.get((times.len() * percent / 100).min(times.len().saturating_sub(1))).copied().unwrap_or_default()
    })
}
