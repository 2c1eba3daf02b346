//! The schedule of a contest: which game is next, and when it is over.
//!
//! A plan is a pure function of the contest and of the outcomes it was told, in whatever order they came. Rounds
//! that depend on results are laid out once all former rounds are complete, and always appended, so the name of a
//! game means the same game for ever. A contest is resumed by telling a new plan all finished games in the order
//! of their names; it then hands out those that are missing.

mod bad;
mod encounter;
mod knockout;
mod matching;
mod swiss;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use lianzi_core::{Outcome, Stone};

use super::{Contest, Fixture, Format, GameId, Length};
use crate::statistics::Score;
use crate::statistics::SprtRun;

pub use bad::BadContest;
use encounter::{EXTRA_PAIRS, Encounter, Tie};

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Play this game.
    Play(Fixture),
    /// Nothing can start until a game that was handed out finishes.
    Wait,
    /// The contest is decided, and games still running do not matter.
    Done,
}

/// A round in which a player had no opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bye {
    /// The round, from 0.
    pub round: usize,
    /// The entrant without an opponent.
    pub player: usize,
    /// What it is worth: in a Swiss tournament all points of an encounter, in a knockout nothing.
    pub half_points: u64,
}

impl Format {
    /// How many encounters of so many players there will be.
    fn encounters(self, players: usize) -> usize {
        match self {
            Format::RoundRobin => players.saturating_mul(players - 1) / 2,
            Format::Gauntlet | Format::Knockout => players - 1,
            Format::Swiss { rounds } => rounds.saturating_mul(players / 2),
        }
    }
}

/// Who meets in a round, and who does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Pairing {
    meetings: Vec<[usize; 2]>,
    byes: Vec<usize>,
}

/// The schedule of a contest and the outcomes so far.
#[derive(Clone, Debug)]
pub struct Plan {
    players: usize,
    format: Format,
    length: Length,
    own_openings: bool,
    /// How many rounds were laid out.
    rounds: usize,
    encounters: Vec<Encounter>,
    byes: Vec<Bye>,
    /// How many encounters are not complete.
    incomplete: usize,
    /// How many games have finished.
    finished: usize,
    /// The next game of each encounter that has one: pair, encounter, game. Balances partial tables.
    ready: BTreeSet<(usize, usize, usize)>,
    sprt: Option<SprtRun>,
}

impl Plan {
    /// The schedule of a contest of which nothing was played.
    pub fn new(contest: &Contest) -> Result<Plan, BadContest> {
        bad::check(contest)?;
        let sprt = contest.sprt.map(SprtRun::new).transpose().map_err(BadContest::Sprt)?;
        let mut plan = Plan {
            players: contest.players.len(),
            format: contest.format,
            length: contest.length,
            own_openings: contest.own_openings,
            rounds: 0,
            encounters: Vec::new(),
            byes: Vec::new(),
            incomplete: 0,
            finished: 0,
            ready: BTreeSet::new(),
            sprt,
        };
        plan.lay_out_round();
        Ok(plan)
    }

    /// Hands out the next game of the schedule that can start now; each game is handed out once.
    #[expect(clippy::should_implement_trait, reason = "a plan that waits is no iterator")]
    pub fn next(&mut self) -> Next {
        if self.is_decided() {
            return Next::Done;
        }
        let Some(&(_, encounter, game)) = self.ready.first() else { return Next::Wait };
        self.change(encounter, Encounter::hand_out);
        self.fixture(GameId { encounter, game }).map_or(Next::Wait, Next::Play)
    }

    /// Records how a game ended, handed out or not, and says whether that was news.
    ///
    /// It is none if the plan has no such game yet, or knows its outcome already, which then stays.
    pub fn finish(&mut self, id: GameId, outcome: Outcome) -> bool {
        if id.encounter >= self.encounters.len()
            || !self.change(id.encounter, |encounter| encounter.record(id.game, outcome))
        {
            return false;
        }
        self.finished += 1;
        self.feed_sprt(id);
        if self.encounters[id.encounter].is_complete() {
            self.incomplete -= 1;
        }
        if self.incomplete == 0 {
            self.lay_out_round();
        }
        true
    }

    /// The game of this name, if the plan has it yet.
    pub fn fixture(&self, id: GameId) -> Option<Fixture> {
        self.encounters.get(id.encounter)?.fixture(id)
    }

    /// The games that count so far and how they ended, by name.
    ///
    /// Once a sequential test is decided only the pairs that decided it count: to count what happened to be
    /// running as well would bend the result.
    pub fn results(&self) -> impl Iterator<Item = (Fixture, Outcome)> + '_ {
        let limit = self.decisive_games().unwrap_or(usize::MAX);
        self.encounters.iter().enumerate().flat_map(move |(index, encounter)| {
            encounter.outcomes().take_while(move |&(game, _)| game < limit).filter_map(move |(game, outcome)| {
                Some((encounter.fixture(GameId { encounter: index, game })?, outcome))
            })
        })
    }

    /// How many games that count have finished, and how many there will be.
    ///
    /// The latter is an estimate: an encounter that may end early is expected not to, one that may need extra
    /// games is expected not to need them.
    pub fn progress(&self) -> (usize, usize) {
        if let Some(games) = self.decisive_games() {
            return (games, games);
        }
        let laid_out: usize = self.encounters.iter().map(Encounter::expected_games).sum();
        let to_come = self.format.encounters(self.players) - self.encounters.len();
        (self.finished, laid_out + to_come * self.length.games())
    }

    /// Whether all results that count are there.
    pub fn is_decided(&self) -> bool {
        self.incomplete == 0 || self.decisive_games().is_some()
    }

    /// The sequential test, seen by the first player, if the contest has one.
    pub fn sprt(&self) -> Option<&SprtRun> {
        self.sprt.as_ref()
    }

    /// Who had no opponent in which round, in the order of the rounds.
    pub fn byes(&self) -> &[Bye] {
        &self.byes
    }

    /// The order in which the format itself ranks the players: in a knockout the winner, the finalist and so on.
    ///
    /// Those out in the same round are ranked by seed, and those still in come first. Other formats rank by points.
    pub fn ranking_hint(&self) -> Option<Vec<usize>> {
        (self.format == Format::Knockout).then(|| knockout::ranking(self.players, &self.encounters))
    }

    /// Changes an encounter and keeps the set of ready games true.
    fn change<T>(&mut self, index: usize, change: impl FnOnce(&mut Encounter) -> T) -> T {
        let key = |game: usize| (game / 2, index, game);
        let encounter = &mut self.encounters[index];
        let before = encounter.next();
        let result = change(encounter);
        let after = encounter.next();
        if before != after {
            before.map(|game| self.ready.remove(&key(game)));
            after.map(|game| self.ready.insert(key(game)));
        }
        result
    }

    /// Appends the next round, if there is one.
    fn lay_out_round(&mut self) {
        let Pairing { meetings, byes } = self.pairing();
        for players in meetings {
            self.append(players);
        }
        let half_points = match self.format {
            Format::Swiss { .. } => self.length.full_half_points(),
            _ => 0,
        };
        let round = self.rounds;
        self.byes.extend(byes.into_iter().map(|player| Bye { round, player, half_points }));
        self.rounds += 1;
    }

    fn append(&mut self, players: [usize; 2]) {
        let (tie, pairs) = match self.format {
            Format::Knockout => (Tie::IsBroken, self.length.pairs() + EXTRA_PAIRS),
            _ => (Tie::Stands, self.length.pairs()),
        };
        // Each round has openings of its own, and usually the same for all its encounters.
        let before = if self.own_openings { self.encounters.len() } else { self.rounds };
        let encounter = Encounter::new(self.rounds, players, self.length, tie, before * pairs);
        self.ready.insert((0, self.encounters.len(), 0));
        self.encounters.push(encounter);
        self.incomplete += 1;
    }

    /// Who meets in the next round; nobody if there is none.
    fn pairing(&self) -> Pairing {
        let players = self.players;
        let meetings = match self.format {
            Format::RoundRobin if self.rounds == 0 => {
                (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b])).collect()
            }
            Format::Gauntlet if self.rounds == 0 => (1..players).map(|other| [0, other]).collect(),
            Format::Swiss { rounds } if self.rounds < rounds => {
                return swiss::pairing(players, &self.encounters, &self.byes);
            }
            Format::Knockout => return knockout::pairing(players, &self.encounters),
            _ => Vec::new(),
        };
        Pairing { meetings, byes: Vec::new() }
    }

    /// Tells the sequential test about the pair of this game, if both its games have finished.
    fn feed_sprt(&mut self, id: GameId) {
        let (Some(run), encounter) = (&mut self.sprt, &self.encounters[id.encounter]) else { return };
        let pair = id.game / 2;
        // The first player has Black in the first game of a pair and White in the second.
        let score = |game, stone| Some(Score::of(encounter.outcome(game)?, stone));
        if let (Some(first), Some(second)) = (score(2 * pair, Stone::Black), score(2 * pair + 1, Stone::White)) {
            run.feed(pair as u64, [first, second]);
        }
    }

    /// How many games the sequential test was decided by, once it is.
    fn decisive_games(&self) -> Option<usize> {
        let run = self.sprt.as_ref()?;
        run.verdict().map(|_| 2 * run.counted() as usize)
    }
}
