//! Matches and tournaments: started, watched and stopped from a page.
//!
//! A contest plays one game at a time on threads of its own, and only as many contests play at once as leave cores
//! for the boards; the others wait. Every game is on disk before it counts, so a server that is started again goes
//! on with the contests it was playing.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lianzi_contest::journal::{Journal, Played};
use lianzi_contest::plan::Plan;
use lianzi_contest::ratings::Scoring;
use lianzi_contest::run::{Conduct, run};
use lianzi_contest::statistics::Sprt;
use lianzi_contest::upshot::Upshot;
use lianzi_contest::{Contest, Entrant, Format, Length, Openings};
use lianzi_core::{Game, GameRecord, Language};
use lianzi_engine::Stop;
use lianzi_game::clock::Control;
use lianzi_game::judge::Cutoff;
use lianzi_game::player::Player;
use lianzi_store::{ContestEntry, hash};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::Hall;
use crate::bounds::{self, Times};
use crate::players::Who;
use crate::secret::{is_id, new_id, new_token};
use crate::words::Refusal;

/// A contest as a page asks for it.
#[derive(Deserialize)]
pub struct NewContest {
    game: String,
    players: Vec<String>,
    games: usize,
    #[serde(default)]
    format: Option<String>,
    #[serde(default)]
    control: Times,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    sprt: Option<[f64; 2]>,
}

/// The contests that this process plays or has looked at.
pub struct Contests {
    folder: PathBuf,
    known: Mutex<HashMap<String, Arc<Known>>>,
    seats: Arc<Semaphore>,
}

/// A contest and where it stands.
struct Known {
    contest: Contest,
    progress: Mutex<(Plan, Vec<Played>)>,
    interrupt: Stop,
    /// Whether it is played or waits to be.
    running: Mutex<bool>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Contests {
    /// No contests yet; their folders will stand in this one.
    pub fn new(folder: PathBuf, cores: usize) -> Contests {
        let at_once = (cores / 2).max(1);
        Contests { folder, known: Mutex::default(), seats: Arc::new(Semaphore::new(at_once)) }
    }

    /// Stops all contests and waits until their last games are abandoned.
    pub async fn close(&self) {
        let known: Vec<Arc<Known>> = lock(&self.known).values().cloned().collect();
        for contest in &known {
            contest.interrupt.set();
        }
        // An engine that does not answer is given up within this time.
        for _ in 0..100 {
            if !known.iter().any(|contest| *lock(&contest.running)) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Hall {
    /// Starts a contest; its name and its owner's secret.
    pub async fn start_contest(self: &Arc<Hall>, new: NewContest) -> Result<Value, Refusal> {
        let (contest, who) = self.contest_of(new)?;
        let plan = Plan::new(&contest).map_err(|bad| Refusal::said(|language| bad.words(language)))?;
        if plan.progress().1 > bounds::CONTEST_GAMES {
            return Err(too_long());
        }
        let (id, owner) = (new_id()?, new_token()?);
        let entry = ContestEntry {
            id: id.clone(),
            title: contest.title(Language::English),
            owner: Some(hash(&owner)),
            running: true,
            created: crate::now(),
        };
        tracing::info!(contest = %id, title = %entry.title, "contest started");
        self.library(move |library| library.put_contest(&entry)).await?;
        self.play_contest(&id, contest, plan, who, false)?;
        Ok(json!({"id": id, "owner": owner}))
    }

    fn contest_of(&self, new: NewContest) -> Result<(Contest, Vec<Who>), Refusal> {
        let game: Game = bounded(&new.game)?.parse()?;
        if !(2..=bounds::CONTEST_PLAYERS).contains(&new.players.len()) {
            let most = bounds::CONTEST_PLAYERS;
            return Err(Refusal::bad(
                format!("a contest has 2 to {most} players"),
                format!("比赛须有 2 到 {most} 名棋手"),
            ));
        }
        let seed = new.seed.unwrap_or(1);
        let mut who = Vec::new();
        for text in &new.players {
            let player = self.players.find(text)?;
            if player.is_human() {
                return Err(Refusal::bad("people do not play in contests", "人类棋手不参加自动比赛"));
            }
            player.check(&game.draw(seed))?;
            who.push(player);
        }
        let named = who.iter().zip(&new.players).map(|(who, text)| (who.name().to_string(), text.clone()));
        let (format, length) = format_of(&new)?;
        let contest = Contest {
            game,
            players: Entrant::all(named),
            format,
            length,
            control: control_of(&new.control)?,
            cutoff: Cutoff::default(),
            openings: Openings::Balanced,
            own_openings: false,
            seed,
            swap2: false,
            sprt: new.sprt.map(|[low, high]| Sprt::new(low, high)),
            scoring: Scoring::default(),
        };
        Ok((contest, who))
    }

    /// Plays on a thread of its own, when its turn has come.
    fn play_contest(
        self: &Arc<Hall>,
        id: &str,
        contest: Contest,
        plan: Plan,
        who: Vec<Who>,
        resume: bool,
    ) -> Result<(), Refusal> {
        let folder = self.contests.folder.join(id);
        let mut journal = Journal::open(&folder, &contest, resume).map_err(Refusal::broken)?;
        let played = journal.games().map_err(Refusal::broken)?;
        let known = Arc::new(Known {
            contest,
            progress: Mutex::new((counted(plan, &played), played)),
            interrupt: Stop::default(),
            running: Mutex::new(true),
        });
        lock(&self.contests.known).insert(id.into(), Arc::clone(&known));
        let (hall, id, seats) = (Arc::clone(self), id.to_string(), Arc::clone(&self.contests.seats));
        tokio::spawn(async move {
            // The semaphore is never closed.
            let seat = seats.acquire_owned().await;
            let playing = Arc::clone(&known);
            let stopped = tokio::task::spawn_blocking(move || playing.play(journal, &who)).await;
            drop(seat);
            if let Err(error) = stopped {
                tracing::error!(contest = %id, "the contest broke: {error}");
            }
            let decided = lock(&known.progress).0.is_decided();
            if decided {
                hall.mark_contest(&id, false).await;
                tracing::info!(contest = %id, "contest finished");
            }
            *lock(&known.running) = false;
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
            tracing::error!("a contest could not be marked: {}", refusal.words.en);
        }
    }

    /// Goes on with the contests that were being played when the server stopped.
    pub(crate) async fn resume_contests(self: &Arc<Hall>) {
        let listed = self.library(|library| library.contests(bounds::CONTESTS_LISTED)).await;
        for entry in listed.unwrap_or_default().into_iter().filter(|entry| entry.running) {
            let resumed = self.read_contest(&entry.id).and_then(|contest| {
                let who = contest.players.iter().map(|entrant| self.players.find(&entrant.spec));
                let who = who.collect::<Result<Vec<Who>, Refusal>>()?;
                let plan = Plan::new(&contest).map_err(Refusal::broken)?;
                self.play_contest(&entry.id, contest, plan, who, true)
            });
            if resumed.is_err() {
                tracing::warn!(contest = %entry.id, "cannot be resumed");
            }
        }
    }

    fn read_contest(&self, id: &str) -> Result<Contest, Refusal> {
        let text =
            std::fs::read(self.contests.folder.join(id).join("contest.json")).map_err(|_| no_contest())?;
        serde_json::from_slice(&text).map_err(Refusal::broken)
    }

    /// The contest of this name, from memory or from its folder.
    fn known_contest(&self, id: &str) -> Result<Arc<Known>, Refusal> {
        if !is_id(id) {
            return Err(no_contest());
        }
        if let Some(known) = lock(&self.contests.known).get(id) {
            return Ok(Arc::clone(known));
        }
        let contest = self.read_contest(id)?;
        let journal = Journal::open(&self.contests.folder.join(id), &contest, true);
        let played = journal.and_then(|mut journal| journal.games()).map_err(Refusal::broken)?;
        let plan = counted(Plan::new(&contest).map_err(Refusal::broken)?, &played);
        let (interrupt, running) = (Stop::default(), Mutex::new(false));
        let known = Arc::new(Known { contest, progress: Mutex::new((plan, played)), interrupt, running });
        lock(&self.contests.known).insert(id.into(), Arc::clone(&known));
        Ok(known)
    }

    /// All contests, newest first.
    pub async fn contest_list(self: &Arc<Hall>) -> Result<Value, Refusal> {
        let listed = self.library(|library| library.contests(bounds::CONTESTS_LISTED)).await?;
        let hall = Arc::clone(self);
        let shown = tokio::task::spawn_blocking(move || {
            let show = |entry: &ContestEntry| {
                let known = hall.known_contest(&entry.id).ok()?;
                let (done, planned) = lock(&known.progress).0.progress();
                let finished = !*lock(&known.running);
                Some(json!({
                    "id": entry.id, "title": entry.title, "finished": finished, "games": done, "planned": planned,
                }))
            };
            listed.iter().filter_map(show).collect::<Vec<Value>>()
        });
        Ok(json!({"contests": shown.await.map_err(Refusal::broken)?}))
    }

    /// Where a contest stands.
    pub async fn contest_summary(self: &Arc<Hall>, id: String) -> Result<Value, Refusal> {
        self.with_contest(id, |known, upshot, played| {
            let mut summary = upshot.summary();
            let row = |game: &Played| {
                let record = &game.record;
                json!({
                    "id": format!("{}.{}", game.id.encounter, game.id.game),
                    "black": record.sides[0].name, "white": record.sides[1].name,
                    "outcome": record.verdict.outcome_name(), "ending": record.verdict.ending.name(),
                    "plies": record.moves.len(),
                })
            };
            summary["title"] = json!(known.contest.title(Language::English));
            summary["list"] = played.iter().map(row).collect();
            summary["running"] = json!(*lock(&known.running));
            Ok(summary)
        })
        .await
    }

    /// The record of one game, as JSON.
    pub async fn contest_game(self: &Arc<Hall>, id: String, game: String) -> Result<GameRecord, Refusal> {
        self.with_contest(id, move |_, _, played| {
            let named = |other: &&Played| format!("{}.{}", other.id.encounter, other.id.game) == game;
            Ok(played.iter().find(named).ok_or_else(Refusal::no_game)?.record.clone())
        })
        .await
    }

    /// The report.
    pub async fn contest_report(self: &Arc<Hall>, id: String) -> Result<String, Refusal> {
        self.with_contest(id, |_, upshot, _| Ok(upshot.html(Language::English))).await
    }

    /// Counts a contest where it holds nobody up.
    async fn with_contest<T: Send + 'static>(
        self: &Arc<Hall>,
        id: String,
        read: impl FnOnce(&Known, &Upshot<'_>, &[Played]) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let hall = Arc::clone(self);
        let reading = tokio::task::spawn_blocking(move || {
            let known = hall.known_contest(&id)?;
            let (plan, played) = lock(&known.progress).clone();
            let upshot = Upshot::new(&known.contest, &plan, &played);
            read(&known, &upshot, &played)
        });
        reading.await.map_err(Refusal::broken)?
    }

    /// Stops a contest; its games stay.
    pub async fn stop_contest(self: &Arc<Hall>, id: &str, owner: &str) -> Result<(), Refusal> {
        if !is_id(id) {
            return Err(no_contest());
        }
        let wanted = id.to_string();
        let entry = self.library(move |library| library.contest(&wanted)).await?.ok_or_else(no_contest)?;
        if entry.owner != Some(hash(owner)) {
            return Err(Refusal::forbidden(
                "only who started the contest can stop it",
                "只有发起者可以停止比赛",
            ));
        }
        if let Some(known) = lock(&self.contests.known).get(id) {
            known.interrupt.set();
        }
        self.mark_contest(id, false).await;
        tracing::info!(contest = %id, "contest stopped");
        Ok(())
    }
}

impl Known {
    /// Plays until it is over or interrupted.
    fn play(&self, journal: Journal, who: &[Who]) {
        let make = |entrant: usize| -> Box<dyn Player> {
            who[entrant].player().expect("people were refused before the contest began")
        };
        let conduct =
            Conduct { concurrency: 1, stop_on_crash: false, interrupt: self.interrupt.clone(), make: &make };
        let plan = lock(&self.progress).0.clone();
        let watch = |progress: &lianzi_contest::run::Progress<'_>| {
            let mut kept = lock(&self.progress);
            kept.0 = progress.plan.clone();
            kept.1.push(progress.last.clone());
        };
        match run(&self.contest, plan, journal, &conduct, &watch) {
            Ok(finished) => {
                let upshot = Upshot::in_brief(&self.contest, &finished.plan, &finished.played);
                let summary = format!("{:#}\n", upshot.summary());
                if let Err(error) = finished.journal.write("summary.json", summary.as_bytes()) {
                    tracing::error!("{error}");
                }
            }
            Err(error) => tracing::error!("{error}"),
        }
    }
}

/// The plan with the games in it that were played already.
fn counted(mut plan: Plan, played: &[Played]) -> Plan {
    for game in played {
        if let Some(outcome) = game.record.verdict.outcome {
            plan.finish(game.id, outcome);
        }
    }
    plan
}

/// A contest never runs without a clock: one player that hangs would hold it for ever.
fn control_of(times: &Times) -> Result<Control, Refusal> {
    let control = times.control()?;
    let usual = Duration::from_secs(if control.nodes.is_some() { 60 } else { 1 });
    let per_move = control.per_move.or(if control.per_game.is_some() { None } else { Some(usual) });
    Ok(Control { per_move, ..control })
}

fn format_of(new: &NewContest) -> Result<(Format, Length), Refusal> {
    let name = new.format.as_deref().unwrap_or("match");
    let rounds = new.players.len().next_power_of_two().ilog2() as usize + 1;
    let format = match name {
        "match" if new.players.len() != 2 => {
            return Err(Refusal::bad("a match has two players", "对抗赛须有两名棋手"));
        }
        "match" | "round-robin" => Format::RoundRobin,
        "gauntlet" => Format::Gauntlet,
        "swiss" => Format::Swiss { rounds },
        "knockout" => Format::Knockout,
        best if best.starts_with("best-of-") => Format::RoundRobin,
        _ => return Err(no_format()),
    };
    if let Some(count) = name.strip_prefix("best-of-") {
        let count: usize = count.parse().map_err(|_| no_format())?;
        return if (1..=bounds::CONTEST_GAMES).contains(&count) {
            Ok((format, Length::BestOf(count)))
        } else {
            Err(too_long())
        };
    }
    if !(1..=bounds::CONTEST_GAMES).contains(&new.games) {
        return Err(too_long());
    }
    if !new.games.is_multiple_of(2) {
        return Err(Refusal::bad(
            "games are played in pairs: choose an even number",
            "对局成对进行：请选偶数局",
        ));
    }
    Ok((format, Length::Pairs(new.games / 2)))
}

/// A game's name that is not absurdly long.
pub fn bounded(text: &str) -> Result<&str, Refusal> {
    match text.len() {
        0..=bounds::SPEC => Ok(text),
        _ => Err(Refusal::bad("the game's name is too long", "棋名过长")),
    }
}

fn no_format() -> Refusal {
    Refusal::bad(
        "formats are match, round-robin, gauntlet, swiss, knockout and best-of-N",
        "赛制有 match、round-robin、gauntlet、swiss、knockout 与 best-of-N",
    )
}

fn too_long() -> Refusal {
    let most = bounds::CONTEST_GAMES;
    Refusal::bad(format!("a contest has 1 to {most} games"), format!("比赛为 1 到 {most} 局"))
}

fn no_contest() -> Refusal {
    Refusal::missing("there is no such contest", "没有这场比赛")
}
