//! One contest in memory: where it stands, and the playing of it.

use std::path::Path;
use std::sync::Mutex;

use lianzi_contest::journal::{Brief, Journal};
use lianzi_contest::plan::Plan;
use lianzi_contest::run::{Conduct, run};
use lianzi_contest::upshot::Upshot;
use lianzi_contest::{Contest, Fixture};
use lianzi_engine::Stop;
use lianzi_game::player::Player;
use lianzi_players::{Kind, PlayerSpec};
use lianzi_queue::filing::{ContestJob, Terms};
use lianzi_queue::{Address, Link, jobs, remote, schema};
use serde_json::{Value, json};

use super::lock;
use super::sizes::Sizes;
use crate::onlooker::{Onlooked, Watched};
use crate::players::Who;

/// A contest, and where it stands.
pub(super) struct Known {
    pub(super) contest: Contest,
    pub(super) counted: Mutex<Counted>,
    pub(super) interrupt: Stop,
    /// Whether it is to end for good.
    pub(super) stopped: Stop,
    /// The game that is played just now.
    board: Onlooked,
}

/// Where a contest stands. The moves of its games are on disk.
#[derive(Clone)]
pub(super) struct Counted {
    pub(super) plan: Plan,
    pub(super) played: Vec<Brief>,
}

impl Known {
    pub(super) fn new(contest: Contest, counted: Counted) -> Known {
        Known {
            contest,
            counted: Mutex::new(counted),
            interrupt: Stop::default(),
            board: Onlooked::default(),
            stopped: Stop::default(),
        }
    }

    /// The game that is played just now, as the page draws it.
    pub(super) fn board_shown(&self) -> Option<Value> {
        self.board.shown(|entrant| self.contest.players[entrant].name.clone())
    }

    /// Plays until it is over or interrupted, here or by workers. It goes on at the next start of the server if the
    /// contests have filled their room on the disk.
    pub(super) fn play(&self, folder: &Path, who: &[Who], queue: Option<&Address>, sizes: &Sizes) {
        let journal = match Journal::open(folder, &self.contest, true) {
            Ok(journal) => journal,
            Err(error) => return tracing::error!("{error}"),
        };
        let make = |entrant: usize| -> Box<dyn Player> {
            let player = who[entrant].player().expect("people were refused before the contest began");
            Box::new(Watched::new(player, entrant, self.board.clone()))
        };
        let conduct = Conduct::until(&self.interrupt, &make);
        let plan = lock(&self.counted).plan.clone();
        let watch = |progress: &lianzi_contest::run::Progress<'_>| {
            let mut kept = lock(&self.counted);
            kept.plan = progress.plan.clone();
            kept.played.push(progress.last.into());
            if !sizes.look_at(folder) && !self.interrupt.is_set() {
                tracing::warn!("a contest waits: the contests fill their room on the disk");
                self.interrupt.set();
            }
        };
        let id = folder.file_name().and_then(|name| name.to_str());
        let finished = match queue.zip(id).and_then(|(queue, id)| self.filed(id, queue)) {
            Some((link, job)) => {
                let followed = remote::follow(&link, job, &self.contest, journal, &self.interrupt, &watch);
                if self.stopped.is_set()
                    && let Err(error) = jobs::cancel(&link, job, "stopped from its page")
                {
                    tracing::error!("job {job} goes on: {error}");
                }
                followed.map_err(|error| error.to_string())
            }
            None => run(&self.contest, plan, journal, &conduct, &watch).map_err(|error| error.to_string()),
        };
        match finished {
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

    /// Files the contest for workers; nothing if there is no queue, or a player that only this server knows.
    fn filed(&self, id: &str, queue: &Address) -> Option<(Link, i64)> {
        // Only our own engines: no text from a page starts anything on another machine.
        let built_in = |spec: &PlayerSpec| matches!(spec.kind, Kind::BuiltIn(..));
        let specs = self.contest.players.iter().map(|entrant| entrant.spec.parse().ok().filter(built_in));
        let players = specs.collect::<Option<Vec<_>>>()?;
        let link = Link::open(queue, &[jobs::GAMES]).ok()?;
        schema::check(&link).ok()?;
        let terms = Terms { owner: id, ..Terms::default() };
        let filed = ContestJob::file(&link, &self.contest, &players, terms);
        match filed {
            Ok(filed) => Some((link, filed.job)),
            Err(error) => {
                tracing::warn!("a contest is played here, for it cannot be filed: {error}");
                None
            }
        }
    }
}

/// A game in the list of its contest.
pub(super) fn game_json(contest: &Contest, (fixture, game): &(Fixture, Brief)) -> Value {
    let [black, white] = fixture.seats.map(|seat| &contest.players[seat].name);
    json!({
        "id": game.id.to_string(), "black": black, "white": white,
        "outcome": game.outcome.map_or_else(|| "none".into(), |outcome| outcome.to_string()), "ending": game.ending, "plies": game.plies,
    })
}
