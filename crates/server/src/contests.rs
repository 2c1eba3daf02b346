//! Matches and tournaments: started, watched and stopped from a page.
//!
//! A contest plays one game at a time on threads of its own, and only as many contests play at once as leave cores
//! for the boards; the others wait. Every game is on disk before it counts, so a server that is started again goes
//! on with the contests it was playing. In memory stays who won; moves are read from disk when they are asked for.

mod asked;
mod known;
mod sizes;

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lianzi_contest::Contest;
use lianzi_contest::journal::{Brief, Journal, Played, kept_games};
use lianzi_contest::plan::Plan;
use lianzi_contest::upshot::Upshot;
use lianzi_core::{GameRecord, Language, Speak};
use lianzi_game::explore::Explorer;
use lianzi_queue::Address;
use lianzi_store::{ContestEntry, Hash, hash};
use lianzi_talk::Refusal;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::bounds::Bounds;
use crate::players::Who;
use crate::secret::{is_id, new_id, new_token};
use crate::turns::Turns;
use crate::visitor::Visitor;
use crate::words::{broken, library_refusal};
use crate::{Hall, bounds, explore};
pub use asked::NewContest;
use asked::too_long;
use known::{Counted, Known, game_json};
use sizes::Sizes;

/// How many contests that are over stay in memory.
const RECENT: usize = 8;

/// The contests: those that are played in memory, all of them on disk.
pub struct Contests {
    folder: PathBuf,
    /// Those that are played or wait to be.
    playing: Mutex<HashMap<String, Arc<Known>>>,
    /// A database in which there may be a queue.
    queue: Option<Address>,
    /// Some of the others, the one that was looked at last first: pages ask for theirs again and again.
    recent: Mutex<VecDeque<(String, Arc<Known>)>>,
    /// How many games the others have, and were to have, as far as that was asked.
    over: Mutex<HashMap<String, (usize, usize)>>,
    seats: Arc<Semaphore>,
    /// Whole contests are large: only a few are read at once.
    readers: Turns,
    /// What all of them take on the disk.
    sizes: Arc<Sizes>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Contests {
    /// The contests whose folders stand in this one, of which none is played yet. Workers play them if the database has
    /// a queue.
    pub fn new(folder: PathBuf, cores: usize, queue: Option<Address>, bounds: &Bounds) -> Contests {
        let at_once = (cores / 2).max(1);
        Contests {
            sizes: Arc::new(Sizes::of(&folder, bounds.contest_bytes)),
            folder,
            queue,
            playing: Mutex::default(),
            recent: Mutex::default(),
            over: Mutex::default(),
            seats: Arc::new(Semaphore::new(at_once)),
            readers: Turns::new(bounds.readings),
        }
    }

    /// Keeps a contest that is over in memory, until enough others were looked at.
    fn remember(&self, id: &str, contest: &Arc<Known>) {
        lock(&self.over).insert(id.into(), lock(&contest.counted).plan.progress());
        let mut recent = lock(&self.recent);
        recent.push_front((id.into(), Arc::clone(contest)));
        recent.truncate(RECENT);
    }

    /// Stops all contests and waits until their last games are abandoned.
    pub async fn close(&self) {
        for contest in lock(&self.playing).values() {
            contest.interrupt.set();
        }
        // An engine that does not answer is given up within this time.
        for _ in 0..100 {
            if lock(&self.playing).is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Hall {
    /// Starts a contest; its name and its owner's secret.
    pub async fn start_contest(self: &Arc<Hall>, new: NewContest, visitor: Hash) -> Result<Value, Refusal> {
        let (contest, who) = self.contest_of(new)?;
        let plan = Plan::new(&contest).map_err(|bad| bad.text())?;
        if plan.progress().1 > bounds::CONTEST_GAMES {
            return Err(too_long());
        }
        self.may_contest(visitor).await?;
        let (id, owner) = (new_id()?, new_token()?);
        let entry = ContestEntry {
            id: id.clone(),
            title: contest.title(Language::English),
            owner: Some(hash(&owner)),
            running: true,
            created: crate::now(),
            visitor: Some(visitor),
        };
        tracing::info!(contest = %id, title = %entry.title, "contest started");
        self.library(move |library| library.put_contest(&entry)).await?;
        self.play_contest(&id, contest, Counted { plan, played: Vec::new() }, who, false)?;
        Ok(json!({"id": id, "owner": owner}))
    }

    /// Plays on a thread of its own, when its turn has come.
    fn play_contest(
        self: &Arc<Hall>,
        id: &str,
        contest: Contest,
        counted: Counted,
        who: Vec<Who>,
        resume: bool,
    ) -> Result<(), Refusal> {
        let folder = self.contests.folder.join(id);
        // It is there from now on, but a contest that waits holds no file open.
        drop(Journal::open(&folder, &contest, resume).map_err(broken)?);
        let contest = Arc::new(Known::new(contest, counted));
        lock(&self.contests.playing).insert(id.into(), Arc::clone(&contest));
        let (hall, id, seats) = (Arc::clone(self), id.to_string(), Arc::clone(&self.contests.seats));
        tokio::spawn(async move {
            // The semaphore is never closed.
            let seat = seats.acquire_owned().await;
            let playing = Arc::clone(&contest);
            let (queue, sizes) = (hall.contests.queue.clone(), Arc::clone(&hall.contests.sizes));
            let stopped =
                tokio::task::spawn_blocking(move || playing.play(&folder, &who, queue.as_ref(), &sizes)).await;
            drop(seat);
            if let Err(error) = stopped {
                tracing::error!(contest = %id, "the contest broke: {error}");
            }
            let decided = lock(&contest.counted).plan.is_decided();
            if decided {
                hall.mark_contest(&id, false).await;
                tracing::info!(contest = %id, "contest finished");
            }
            hall.contests.remember(&id, &contest);
            lock(&hall.contests.playing).remove(&id);
        });
        Ok(())
    }

    /// Remembers whether a contest is to go on when the server starts again.
    async fn mark_contest(&self, id: &str, running: bool) {
        let id = id.to_string();
        let marked = self.library(move |library| {
            let Some(entry) = library.contest(&id)? else { return Ok(()) };
            library.put_contest(&ContestEntry { running, ..entry })
        });
        if let Err(refusal) = marked.await {
            tracing::error!("a contest could not be marked: {}", refusal.words.english);
        }
    }

    /// Goes on with the contests that were being played when the server stopped.
    pub(crate) async fn resume_contests(self: &Arc<Hall>) {
        let running = self.library(|library| library.running_contests()).await.unwrap_or_default();
        if !self.contests_fit() && !running.is_empty() {
            tracing::warn!("the contests fill their room on the disk: {} wait for the next start", running.len());
            return;
        }
        let most = self.bounds.contests.all;
        if running.len() > most {
            tracing::warn!("{} contests wait until others are over and the server starts again", running.len() - most);
        }
        for entry in running.into_iter().take(most) {
            let resumed = self.read_contest(&entry.id).and_then(|contest| {
                let who = contest.players.iter().map(|entrant| self.players.find(&entrant.spec));
                let who = who.collect::<Result<Vec<Who>, Refusal>>()?;
                let counted = self.counted_on_disk(&entry.id, &contest)?;
                self.play_contest(&entry.id, contest, counted, who, true)
            });
            if resumed.is_err() {
                tracing::warn!(contest = %entry.id, "cannot be resumed");
            }
        }
    }

    fn read_contest(&self, id: &str) -> Result<Contest, Refusal> {
        if !is_id(id) {
            return Err(no_contest());
        }
        let text = std::fs::read(self.contests.folder.join(id).join("contest.json")).map_err(|_| no_contest())?;
        serde_json::from_slice(&text).map_err(broken)
    }

    /// The games of a contest, read one after another.
    fn contest_games(&self, id: &str) -> Result<impl Iterator<Item = Result<Played, Refusal>>, Refusal> {
        let games = kept_games(&self.contests.folder.join(id)).map_err(broken)?;
        Ok(games.map(|game| game.map_err(broken)))
    }

    /// Where a contest stands by what was written down.
    fn counted_on_disk(&self, id: &str, contest: &Contest) -> Result<Counted, Refusal> {
        let mut plan = Plan::new(contest).map_err(broken)?;
        let count = |game: Result<Played, Refusal>| game.map(|game| plan.count(&game));
        let played = self.contest_games(id)?.map(count).collect::<Result<Vec<Brief>, Refusal>>()?;
        Ok(Counted { plan, played })
    }

    fn playing(&self, id: &str) -> Option<Arc<Known>> {
        lock(&self.contests.playing).get(id).cloned()
    }

    /// The contest of this name, from memory or from its folder.
    fn known_contest(&self, id: &str) -> Result<Arc<Known>, Refusal> {
        let recent = || {
            let recent = lock(&self.contests.recent);
            recent.iter().find(|(other, _)| other == id).map(|(_, contest)| Arc::clone(contest))
        };
        if let Some(known) = self.playing(id).or_else(recent) {
            return Ok(known);
        }
        let contest = self.read_contest(id)?;
        let counted = self.counted_on_disk(id, &contest)?;
        let known = Arc::new(Known::new(contest, counted));
        self.contests.remember(id, &known);
        Ok(known)
    }

    /// How many games a contest has, and is to have.
    fn contest_size(&self, id: &str) -> Result<(usize, usize), Refusal> {
        let over = || lock(&self.contests.over).get(id).copied();
        match over().filter(|_| self.playing(id).is_none()) {
            Some(size) => Ok(size),
            None => Ok(lock(&self.known_contest(id)?.counted).plan.progress()),
        }
    }

    /// All contests, newest first.
    pub async fn contest_list(self: &Arc<Hall>, visitor: Visitor) -> Result<Value, Refusal> {
        let listed = self.library(|library| library.contests(bounds::CONTESTS_LISTED)).await?;
        self.reading(visitor, move |hall| {
            let show = |entry: &ContestEntry| {
                let finished = hall.playing(&entry.id).is_none();
                let (done, planned) = hall.contest_size(&entry.id).ok()?;
                Some(json!({
                    "id": entry.id, "title": entry.title, "finished": finished, "games": done, "planned": planned,
                    "now": hall.playing(&entry.id).and_then(|known| known.board_shown()),
                }))
            };
            Ok(json!({"contests": listed.iter().filter_map(show).collect::<Vec<Value>>()}))
        })
        .await
    }

    /// Where a contest stands.
    pub async fn contest_summary(self: &Arc<Hall>, visitor: Visitor, id: String) -> Result<Value, Refusal> {
        self.reading(visitor, move |hall| {
            let (running, known) = (hall.playing(&id).is_some(), hall.known_contest(&id)?);
            let (contest, Counted { plan, played }) = (&known.contest, lock(&known.counted).clone());
            let upshot = Upshot::in_brief(contest, &plan, &played);
            let mut summary = upshot.summary();
            summary["title"] = json!(contest.title(Language::English));
            summary["list"] = upshot.games.iter().map(|game| game_json(contest, game)).collect();
            summary["running"] = json!(running);
            summary["now"] = json!(known.board_shown().filter(|_| running));
            Ok(summary)
        })
        .await
    }

    /// The record of one game.
    pub async fn contest_game(
        self: &Arc<Hall>,
        visitor: Visitor,
        id: String,
        game: String,
    ) -> Result<GameRecord, Refusal> {
        self.reading(visitor, move |hall| {
            hall.read_contest(&id)?;
            let wanted = |other: &Result<Played, Refusal>| match other {
                Ok(played) => played.id.to_string() == game,
                Err(_) => true,
            };
            let found = hall.contest_games(&id)?.find(wanted);
            Ok(found.unwrap_or_else(|| Err(Refusal::no_game()))?.record)
        })
        .await
    }

    /// The report.
    pub async fn contest_report(self: &Arc<Hall>, visitor: Visitor, id: String) -> Result<String, Refusal> {
        self.reading(visitor, move |hall| {
            let contest = hall.read_contest(&id)?;
            let mut plan = Plan::new(&contest).map_err(broken)?;
            let played = hall.contest_games(&id)?.collect::<Result<Vec<Played>, Refusal>>()?;
            for game in &played {
                plan.count(game);
            }
            Ok(Upshot::new(&contest, &plan, &played).html(Language::English))
        })
        .await
    }

    /// Takes the newest games of the library and of contests into account; how many there are of that board.
    pub async fn explore(
        self: &Arc<Hall>,
        visitor: Visitor,
        mut explorer: Explorer,
    ) -> Result<(Explorer, usize), Refusal> {
        self.reading(visitor, move |hall| {
            let library = hall.library.as_ref();
            let games = explore::add_games(library, explore::MOST_GAMES, &mut explorer).map_err(library_refusal)?;
            let mut looked = 0;
            for contest in library.contests(bounds::CONTESTS_LISTED).map_err(library_refusal)? {
                let left = explore::MOST_GAMES - looked;
                looked += explore::add_contest(&hall.contests.folder.join(contest.id), left, &mut explorer);
            }
            Ok((explorer, games + looked))
        })
        .await
    }

    /// Reads contests where it holds nobody up, a few at a time.
    async fn reading<T: Send + 'static>(
        self: &Arc<Hall>,
        visitor: Visitor,
        read: impl FnOnce(&Hall) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let hall = Arc::clone(self);
        self.contests.readers.work(visitor, move || read(&hall)).await
    }

    /// Whether the contests leave room on the disk for more.
    pub(crate) fn contests_fit(&self) -> bool {
        !self.contests.sizes.full()
    }

    /// Stops a contest; its games stay.
    pub async fn stop_contest(self: &Arc<Hall>, id: &str, owner: &str) -> Result<(), Refusal> {
        if !is_id(id) {
            return Err(no_contest());
        }
        let wanted = id.to_string();
        let entry = self.library(move |library| library.contest(&wanted)).await?.ok_or_else(no_contest)?;
        let keeper = self.is_keeper(owner);
        if entry.owner != Some(hash(owner)) && !keeper {
            return Err(Refusal::forbidden("only who started the contest can stop it", "只有发起者可以停止比赛"));
        }
        if let Some(contest) = self.playing(id) {
            contest.stopped.set();
            contest.interrupt.set();
        } else if keeper && !entry.running {
            return self.remove_contest(id).await;
        }
        self.mark_contest(id, false).await;
        tracing::info!(contest = %id, "contest stopped");
        Ok(())
    }

    /// Removes a contest that is over, with its games.
    async fn remove_contest(self: &Arc<Hall>, id: &str) -> Result<(), Refusal> {
        let (removed, folder) = (id.to_string(), self.contests.folder.join(id));
        self.library(move |library| library.delete_contest(&removed)).await?;
        lock(&self.contests.recent).retain(|(other, _)| other != id);
        lock(&self.contests.over).remove(id);
        self.contests.sizes.forget(id);
        let gone = tokio::task::spawn_blocking(move || std::fs::remove_dir_all(folder)).await;
        gone.map_err(broken)?.map_err(broken)?;
        tracing::info!(contest = %id, "contest removed");
        Ok(())
    }
}

fn no_contest() -> Refusal {
    Refusal::missing("there is no such contest", "没有这场比赛")
}
