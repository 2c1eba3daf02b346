//! Self-play that workers do: game number n is the same wherever it is played.

use std::collections::BTreeMap;

use lianzi_core::Rules;
use lianzi_engine::workshop::training::selfplay::Course;
use lianzi_engine::{Engine, Stop};
use lianzi_players::PlayerSpec;
use serde::{Deserialize, Serialize};

use crate::QueueError;
use crate::filing::{Filed, file, find, print, stopped};
use crate::jobs::{Reader, add, set_open, state};
use crate::link::Link;
use crate::remote::gone;
use crate::schedule::Item;

/// The kind of a job that is self-play.
pub const SELFPLAY: &str = "selfplay";

/// How many games a worker takes at once: enough that asking costs nothing, few enough to end together.
const AT_ONCE: u64 = 4;

/// All that a worker needs to know. How many games there are is not part of it: more may be wanted later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfPlayJob {
    /// The game.
    pub game: String,
    /// Who plays.
    pub player: String,
    /// Nodes for each turn.
    pub nodes: u64,
    /// How far ahead a side may be after the opening.
    pub balance: i32,
    /// Where random numbers start.
    pub seed: u64,
}

impl SelfPlayJob {
    /// How its games are played.
    pub fn course(&self) -> Option<Course> {
        let rules: Rules = self.game.parse().ok()?;
        Some(Course { rules, nodes: self.nodes, balance: self.balance, seed: self.seed, astray: false })
    }

    /// The engine that plays.
    pub fn engine(&self) -> Option<Box<dyn Engine>> {
        let rules: Rules = self.game.parse().ok()?;
        self.player.parse::<PlayerSpec>().ok()?.engine(&rules).ok()?
    }

    /// Files games from..to, or those of them that are not there.
    pub fn file(&self, link: &Link, from: u64, to: u64) -> Result<Filed, QueueError> {
        let print = print(SELFPLAY, self)?;
        let title = format!("{}: {} with itself", self.game, self.player);
        let filed = match find(link, &print)? {
            Some(filed) => filed,
            None => file(link, &print, SELFPLAY, &self.game, &title, &crate::filing::body(self)?, &[])?,
        };
        if let Some(stopped) = stopped(&filed) {
            return Err(stopped);
        }
        let firsts = (from / AT_ONCE..to.div_ceil(AT_ONCE)).map(|n| n * AT_ONCE);
        let item = |first: u64| Item {
            number: first,
            encounter: 0,
            first: first as usize,
            count: AT_ONCE as usize,
            round: 0,
            seats: [0, 0],
            opening: 0,
        };
        add(link, filed.job, &firsts.map(item).collect::<Vec<_>>())?;
        if filed.state == "done" {
            set_open(link, filed.job, true)?;
        }
        Ok(filed)
    }
}

/// Follows self-play until games from..to are there or somebody says stop. `take` gets them in the order of their
/// numbers.
pub fn follow(
    link: &Link,
    job: i64,
    (from, to): (u64, u64),
    stop: &Stop,
    mut take: impl FnMut(u64, &[u8]) -> std::io::Result<()>,
) -> Result<(), QueueError> {
    let (mut reader, mut waiting, mut next) = (Reader::new(job, true), BTreeMap::new(), from);
    while next < to && !stop.is_set() {
        let heard = link.bell().count();
        let now = link.patiently(stop, |link| state(link, job))?;
        for game in link.patiently(stop, |link| reader.read(link))? {
            waiting.insert(game.id.game as u64, game.body);
        }
        while next < to
            && let Some(body) = waiting.remove(&next)
        {
            take(next, &body).map_err(|error| QueueError::Refused(error.to_string()))?;
            next += 1;
        }
        if next >= to {
            break;
        }
        waiting.retain(|number, _| *number > next);
        let (state, _) = now.ok_or_else(|| gone(job))?;
        stopped(&Filed { job, state }).map_or(Ok(()), Err)?;
        link.bell().wait(heard, std::time::Duration::from_secs(1), stop);
    }
    Ok(())
}
