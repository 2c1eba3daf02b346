//! What a worker does besides playing.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lianzi_contest::Contest;
use lianzi_core::{Speak, Text, shorten, text};
use lianzi_engine::Stop;

use super::{Crew, Known, Work};
use crate::QueueError;
use crate::files::fetch;
use crate::filing::{CONTEST, ContestJob};
use crate::jobs::Keeper;
use crate::needs::{speed, version};
use crate::selfplay::{SELFPLAY, SelfPlayJob};

/// A sequential test that its filer does not look after is looked after by workers so often.
const LOOK_AFTER: Duration = Duration::from_secs(5);

/// Jobs are asked for when the bell rings, and anyway after so long.
const ASK: Duration = Duration::from_secs(10);

/// How long the longest pause is while the database is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

impl Crew<'_> {
    /// Keeps the worker's place until somebody says stop.
    pub(super) fn steward(&self) {
        let (mut beaten, mut asked) = (None::<Instant>, None::<(Instant, u64)>);
        // Why nothing can be done, while that is so.
        let (mut pause, mut away) = (Duration::ZERO, None::<Text>);
        let mut worked = Instant::now();
        while !self.stop().is_set() {
            let heard = self.bell().count();
            let due = beaten.is_none_or(|at| at.elapsed() >= self.lease / 3);
            let news = asked.is_none_or(|(at, count)| count != heard || at.elapsed() >= ASK);
            match self.look_around(due, news) {
                Ok(()) => {
                    if away.take().is_some() {
                        self.tell(Text::fixed("the database is back", "数据库已恢复"));
                    }
                    pause = Duration::ZERO;
                    beaten = beaten.filter(|_| !due).or_else(|| Some(Instant::now()));
                    asked = asked.filter(|_| !news).or_else(|| Some((Instant::now(), heard)));
                }
                Err(error) => {
                    let why = error.text();
                    if away.as_ref() != Some(&why) {
                        self.tell(why.clone());
                    }
                    away = Some(why);
                    pause = (2 * pause).clamp(Duration::from_millis(200), LONGEST_PAUSE);
                    crate::link::rest(pause, self.stop());
                    continue;
                }
            }
            if let Some(at) = self.times().last {
                worked = worked.max(at);
            }
            if self.config.idle.is_some_and(|idle| worked.elapsed() > idle) && self.times().playing == 0 {
                self.tell(Text::fixed("there is nothing to do; ending", "没有可做的工作；结束"));
                self.stop().set();
            }
            self.bell().wait(heard, (self.lease / 3).min(Duration::from_secs(1)), self.stop());
        }
        self.jobs().values().for_each(|known| known.over.set());
        self.bell().ring();
    }

    fn look_around(&self, beat: bool, news: bool) -> Result<(), QueueError> {
        if beat {
            self.beat()?;
        }
        self.spool.send(self.link, self.me())?;
        if news {
            self.learn()?;
        }
        // Other contests wait for somebody only when there is nothing to play; who finds that looks after them.
        if beat { self.look_after(LOOK_AFTER, |contest| contest.sprt.is_some()) } else { Ok(()) }
    }

    /// Tells that this worker lives.
    fn beat(&self) -> Result<(), QueueError> {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let mut told: Vec<String> = refused.iter().map(|(job, why)| format!("job {job}: {why}")).collect();
        drop(refused);
        told.sort();
        let known: bool = self.link.row("SELECT lianzi.beat($1, $2)", &[&self.me(), &told.join("; ")])?.get(0);
        if known { Ok(()) } else { self.join() }
    }

    /// Learns which jobs there are.
    pub(super) fn learn(&self) -> Result<(), QueueError> {
        let rows = self.link.query("SELECT id, state FROM lianzi.jobs WHERE state IN ('open', 'paused')", &[])?;
        let there: Vec<(i64, bool)> = rows.iter().map(|row| (row.get(0), row.get::<_, &str>(1) == "open")).collect();
        let is_there = |job: &i64| there.iter().any(|(other, _)| other == job);
        self.jobs().retain(|job, known| {
            let wanted = is_there(job);
            if !wanted {
                known.over.set();
            }
            wanted
        });
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).retain(|job, _| is_there(job));
        for (job, open) in there {
            let known = self.jobs().contains_key(&job);
            let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&job);
            if open && !known && !refused {
                self.meet(job)?;
            }
        }
        Ok(())
    }

    /// Takes a job on, or says why not.
    fn meet(&self, job: i64) -> Result<(), QueueError> {
        let rows = self.link.query("SELECT kind, game, version, body FROM lianzi.jobs WHERE id = $1", &[&job])?;
        let Some(row) = rows.first() else { return Ok(()) };
        let (kind, game, made, body): (&str, &str, &str, &str) = (row.get(0), row.get(1), row.get(2), row.get(3));
        let work = match self.unfit(game, made) {
            Some(why) => Err(why),
            None => self.work(kind, body)?,
        };
        match work {
            Ok(work) => {
                let known = Known { job, work, over: Stop::default(), keeper: Mutex::default() };
                self.jobs().insert(job, Arc::new(known));
                self.bell().ring();
            }
            Err(why) => {
                self.tell(text!("job {job} is not played here: {why}", "作业 {job} 不在此处进行：{why}"; why));
                self.refused.lock().unwrap_or_else(PoisonError::into_inner).insert(job, why);
                self.beat()?;
            }
        }
        Ok(())
    }

    fn unfit(&self, game: &str, made: &str) -> Option<Text> {
        if let Some(only) = self.config.only.as_ref().filter(|only| !is_kind_of(game, only)) {
            return Some(text!("it is {game}, and this worker takes only {only}", "这是 {game}，而本进程只下 {only}"));
        }
        let (here, made) = (version(), shorten(made));
        (here != made).then(|| {
            text!(
                "it was filed by version {made}, whose engines may play otherwise; this is {here}",
                "它由版本 {made} 提交，其引擎的着法可能不同；本程序为 {here}"
            )
        })
    }

    /// What a job is, with all files it needs here, or why it cannot be played.
    fn work(&self, kind: &str, body: &str) -> Result<Result<Work, Text>, QueueError> {
        let odd = || Text::fixed("it cannot be read", "无法读取");
        match kind {
            CONTEST => {
                let Ok(contest) = serde_json::from_str::<ContestJob>(body) else { return Ok(Err(odd())) };
                if let Some(why) = contest.needs.unmet(self.config.cages, self.config.trust) {
                    return Ok(Err(why));
                }
                let contest = contest.scaled(|| *self.speed.get_or_init(speed));
                self.contest(contest)
            }
            SELFPLAY => {
                let job = serde_json::from_str::<SelfPlayJob>(body).ok();
                let fit = job.filter(|job| job.course().is_some() && job.engine().is_some());
                Ok(fit.map(Work::SelfPlay).ok_or_else(odd))
            }
            _ => Ok(Err(odd())),
        }
    }

    fn contest(&self, contest: ContestJob) -> Result<Result<Work, Text>, QueueError> {
        let cache = self.config.cache.join("files");
        let mut players = Vec::new();
        // Large files over a slow line take longer than a lease: what other slots play must not lapse meanwhile.
        let mut beaten = Instant::now();
        let mut stay = || {
            if beaten.elapsed() < self.lease / 3 {
                return Ok(());
            }
            beaten = Instant::now();
            self.beat()
        };
        for sent in &contest.players {
            let folder = match sent.bundle.files.is_empty() {
                true => Ok(cache.clone()),
                false => fetch(self.link, &sent.bundle, &cache, &mut stay),
            };
            let folder = match folder {
                Err(error) if error.is_passing() => return Err(error),
                Err(error) => return Ok(Err(error.text())),
                Ok(folder) => folder,
            };
            let Some(player) = sent.player(Some(&folder)) else {
                return Ok(Err(text!("{}: no such player here", "{}: 此处没有这个棋手", shorten(&sent.spec))));
            };
            players.push(player);
        }
        let whole = players.len() == contest.contest.players.len();
        let none = Text::fixed("it does not say who plays", "未说明由谁下");
        Ok(if whole { Ok(Work::Contest(Box::new(contest), players)) } else { Err(none) })
    }

    /// Looks after those of these contests that nobody looked after for so long.
    pub(super) fn look_after(&self, patience: Duration, which: fn(&Contest) -> bool) -> Result<(), QueueError> {
        let wanted = |known: &&Arc<Known>| matches!(&known.work, Work::Contest(contest, _) if which(&contest.contest));
        let contests: Vec<i64> = self.jobs().values().filter(wanted).map(|known| known.job).collect();
        if contests.is_empty() {
            return Ok(());
        }
        let ask = "SELECT lianzi.plan_due($1, make_interval(secs => $2))";
        for row in self.link.query(ask, &[&contests, &patience.as_secs_f64()])? {
            let Some(known) = self.jobs().get(&row.get(0)).cloned() else { continue };
            let Work::Contest(contest, _) = &known.work else { continue };
            let mut keeper = known.keeper.lock().unwrap_or_else(PoisonError::into_inner);
            if keeper.is_none() {
                *keeper = Keeper::new(known.job, &contest.contest);
            }
            keeper.as_mut().map_or(Ok(()), |keeper| keeper.look(self.link))?;
        }
        Ok(())
    }

    pub(super) fn tell(&self, text: Text) {
        (self.config.tell)(text);
    }

    pub(super) fn counted(&self) {
        self.games.fetch_add(1, Ordering::Relaxed);
    }
}

/// Whether a game is the one named, or a kind of it: `gomoku` is `gomoku:15`, too.
fn is_kind_of(game: &str, only: &str) -> bool {
    game.strip_prefix(only).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/', '+']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_games() {
        assert!(
            is_kind_of("gomoku", "gomoku") && is_kind_of("gomoku:20", "gomoku") && is_kind_of("gomoku/h8", "gomoku")
        );
        assert!(!is_kind_of("connect6", "connect4") && !is_kind_of("gomoku", "gomoku:20"));
    }
}
