//! What everybody does with jobs: look after them, list them, stop them.

use std::collections::HashSet;

use lianzi_contest::{Contest, GameId};
use lianzi_core::{Outcome, Stone};

use crate::QueueError;
use crate::link::Link;
use crate::schedule::{Item, Schedule};

/// The channels on which the database tells of work and of games.
pub const WORK: &str = "lianzi_work";
/// See [`WORK`].
pub const GAMES: &str = "lianzi_games";

/// How the note of a job begins that ended because somebody crashed, as its filer wanted.
pub(crate) const CRASHED: &str = "a player crashed";

/// A job in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Its number.
    pub id: i64,
    /// `contest` or `selfplay`.
    pub kind: String,
    /// The game.
    pub game: String,
    /// What it is.
    pub title: String,
    /// Open, paused, cancelled or done.
    pub state: String,
    /// Why it stands so, if there is something to say.
    pub note: String,
    /// Which program's engines play.
    pub version: String,
    /// Who filed it.
    pub filer: String,
    /// When, in seconds before now.
    pub age: f64,
    /// How many games are stored, being played, and free.
    pub games: [i64; 3],
}

/// A worker in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedWorker {
    /// Its number.
    pub id: i64,
    /// What it calls itself.
    pub name: String,
    /// How many games it plays at once.
    pub cores: i32,
    /// Its program.
    pub version: String,
    /// What it has to say.
    pub note: String,
    /// For how many seconds it may still be silent; less than nothing for one that is gone.
    pub left: f64,
    /// How many games of the jobs that are there it has stored, and holds now.
    pub games: [i64; 2],
}

/// All jobs, or this one.
pub fn list(link: &Link, one: Option<i64>) -> Result<Vec<Listed>, QueueError> {
    let ask = "SELECT j.id, j.kind, j.game, j.title, j.state, j.note, j.version, j.filer,
            extract(epoch FROM clock_timestamp() - j.filed)::float8,
            coalesce(sum(i.stored), 0)::bigint,
            coalesce(sum(i.count - i.stored) FILTER (WHERE i.state = 1), 0)::bigint,
            coalesce(sum(i.count - i.stored) FILTER (WHERE i.state = 0), 0)::bigint
        FROM lianzi.jobs j LEFT JOIN lianzi.items i ON i.job = j.id
        WHERE $1::bigint IS NULL OR j.id = $1 GROUP BY j.id ORDER BY j.id";
    let rows = link.query(ask, &[&one])?;
    let listed = |row: &tokio_postgres::Row| Listed {
        id: row.get(0),
        kind: row.get(1),
        game: row.get(2),
        title: row.get(3),
        state: row.get(4),
        note: row.get(5),
        version: row.get(6),
        filer: row.get(7),
        age: row.get(8),
        games: [row.get(9), row.get(10), row.get(11)],
    };
    Ok(rows.iter().map(listed).collect())
}

/// All workers that were heard of lately.
pub fn workers(link: &Link) -> Result<Vec<ListedWorker>, QueueError> {
    let ask = "SELECT w.id, w.name, w.cores, w.version, w.note, extract(epoch FROM w.until - clock_timestamp())::float8,
            (SELECT count(*) FROM lianzi.games g WHERE g.worker = w.id),
            (SELECT coalesce(sum(i.count - i.stored), 0)::bigint FROM lianzi.items i WHERE i.worker = w.id AND i.state = 1)
        FROM lianzi.workers w ORDER BY w.id";
    let listed = |row: &tokio_postgres::Row| ListedWorker {
        id: row.get(0),
        name: row.get(1),
        cores: row.get(2),
        version: row.get(3),
        note: row.get(4),
        left: row.get(5),
        games: [row.get(6), row.get(7)],
    };
    Ok(link.query(ask, &[])?.iter().map(listed).collect())
}

/// Pauses a job or lets it go on, also one that was cancelled or done; says whether that changed anything.
pub fn set_open(link: &Link, job: i64, open: bool) -> Result<bool, QueueError> {
    let wanted = if open { "open" } else { "paused" };
    Ok(link.row("SELECT lianzi.set_job($1, $2)", &[&job, &wanted])?.get(0))
}

/// Cancels a job: what is being played is given up.
pub fn cancel(link: &Link, job: i64, why: &str) -> Result<(), QueueError> {
    link.query("SELECT lianzi.halt_job($1, $2)", &[&job, &why]).map(drop)
}

/// Forgets a job with all its games; false if there was none.
pub fn remove(link: &Link, job: i64) -> Result<bool, QueueError> {
    Ok(link.row("SELECT lianzi.remove_job($1)", &[&job])?.get(0))
}

/// Files items; those that are there stay.
pub(crate) fn add(link: &Link, job: i64, items: &[Item]) -> Result<(), QueueError> {
    const AT_ONCE: usize = 10_000;
    for some in items.chunks(AT_ONCE) {
        let list = crate::filing::body(&some)?;
        link.query("SELECT lianzi.add_items($1, $2)", &[&job, &list])?;
    }
    Ok(())
}

/// The state of a job; nothing if it is gone.
pub(crate) fn state(link: &Link, job: i64) -> Result<Option<(String, String)>, QueueError> {
    let rows = link.query("SELECT state, note FROM lianzi.jobs WHERE id = $1", &[&job])?;
    Ok(rows.first().map(|row| (row.get(0), row.get(1))))
}

/// A game that is stored.
pub(crate) struct StoredGame {
    pub id: GameId,
    pub outcome: Option<Outcome>,
    pub body: Vec<u8>,
}

/// Reads the games of a job as they come, each once.
pub(crate) struct Reader {
    job: i64,
    /// The oldest transaction that may have ended since.
    from: String,
    seen: HashSet<(i32, i32)>,
    /// Whether what was played is wanted, or only how it ended.
    whole: bool,
}

impl Reader {
    pub fn new(job: i64, whole: bool) -> Reader {
        Reader { job, from: "0".into(), seen: HashSet::new(), whole }
    }

    /// The games that were stored since the last time, in the order of their names.
    pub fn read(&mut self, link: &Link) -> Result<Vec<StoredGame>, QueueError> {
        const ASK: &str = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text, g.encounter, g.game, g.outcome,
                CASE WHEN $3 THEN g.body ELSE '' END
            FROM (SELECT) AS one LEFT JOIN lianzi.games g ON g.job = $1 AND g.xact >= ($2::text)::xid8
            ORDER BY g.encounter, g.game";
        let rows = link.query(ASK, &[&self.job, &self.from, &self.whole])?;
        let mut games = Vec::new();
        for row in &rows {
            self.from = row.get(0);
            let Some((encounter, game)) = row.get::<_, Option<i32>>(1).zip(row.get(2)) else { continue };
            if self.seen.insert((encounter, game)) {
                let id = GameId { encounter: encounter as usize, game: game as usize };
                games.push(StoredGame { id, outcome: outcome(row.get(3)), body: row.get(4) });
            }
        }
        // What is older than every running transaction does not come again.
        if self.seen.len() > 100_000 && games.is_empty() && rows.len() == 1 {
            self.seen.clear();
        }
        Ok(games)
    }
}

/// An outcome as the database keeps it.
pub(crate) fn number(outcome: Option<Outcome>) -> Option<i16> {
    outcome.map(|outcome| match outcome {
        Outcome::Draw => 0,
        Outcome::Win(Stone::Black) => 1,
        Outcome::Win(Stone::White) => 2,
    })
}

fn outcome(number: Option<i16>) -> Option<Outcome> {
    match number? {
        0 => Some(Outcome::Draw),
        1 => Some(Outcome::Win(Stone::Black)),
        2 => Some(Outcome::Win(Stone::White)),
        _ => None,
    }
}

/// Looks after a contest: adds the items that follow from outcomes, and closes it when it is decided.
pub(crate) struct Keeper {
    job: i64,
    schedule: Schedule,
    reader: Reader,
}

impl Keeper {
    pub fn new(job: i64, contest: &Contest) -> Option<Keeper> {
        let schedule = Schedule::new(contest).ok()?;
        Some(Keeper { job, schedule, reader: Reader::new(job, false) })
    }

    /// Looks once.
    pub fn look(&mut self, link: &Link) -> Result<(), QueueError> {
        let games = self.reader.read(link)?;
        self.schedule.tell(games.into_iter().filter_map(|game| Some((game.id, game.outcome?))));
        settle(link, self.job, &mut self.schedule)
    }
}

/// Files what a schedule has found out.
pub(crate) fn settle(link: &Link, job: i64, schedule: &mut Schedule) -> Result<(), QueueError> {
    if schedule.plan().is_decided() {
        return link.query("SELECT lianzi.close_job($1)", &[&job]).map(drop);
    }
    add(link, job, schedule.fresh())?;
    schedule.filed();
    Ok(())
}
