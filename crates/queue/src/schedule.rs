//! Which items a contest has, in an order that everybody who looks after it finds the same.
//!
//! Two may look after a contest at the same time, and one may come late and find games played. So every game is handed
//! out by the plan before its outcome is told: what is an item then depends on the contest and the outcomes alone.

use std::collections::BTreeMap;

use lianzi_contest::plan::{BadContest, Next, Plan};
use lianzi_contest::{Contest, Fixture, GameId};
use lianzi_core::Outcome;
use serde::Serialize;

/// Games that a worker takes at once: both of a pair, or one where the second may not be needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Where it stands in the schedule.
    pub number: u64,
    /// The encounter.
    pub encounter: usize,
    /// The first game of the encounter that belongs to it.
    pub first: usize,
    /// How many games.
    pub count: usize,
    /// The round.
    pub round: usize,
    /// Who plays Black and White in the first of them; sides change with every game.
    pub seats: [usize; 2],
    /// Which opening they begin with.
    pub opening: usize,
}

impl Item {
    /// The games, as they are to be played.
    pub fn fixtures(&self) -> impl Iterator<Item = Fixture> + use<> {
        let Item { encounter, first, count, round, seats, opening, .. } = *self;
        (0..count).map(move |n| {
            let fixture = Fixture { id: GameId { encounter, game: first + n }, round, seats, opening };
            if n.is_multiple_of(2) { fixture } else { fixture.swapped() }
        })
    }
}

/// A plan and what was not filed of it yet.
pub struct Schedule {
    plan: Plan,
    fresh: Vec<Item>,
    items: u64,
    /// Outcomes of games that the plan does not have yet.
    early: BTreeMap<GameId, Outcome>,
}

impl Schedule {
    /// The schedule of a contest of which nothing was played.
    pub fn new(contest: &Contest) -> Result<Schedule, BadContest> {
        let mut schedule = Schedule { plan: Plan::new(contest)?, fresh: Vec::new(), items: 0, early: BTreeMap::new() };
        schedule.hand_out();
        Ok(schedule)
    }

    /// The plan with all outcomes so far.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Tells how games ended.
    pub fn tell(&mut self, outcomes: impl IntoIterator<Item = (GameId, Outcome)>) {
        self.early.extend(outcomes);
        // A game depends on those with smaller names only, so each is told when its turn comes; what is still too early waits.
        loop {
            let ready = |(id, _): &(&GameId, &Outcome)| self.plan.fixture(**id).is_some();
            let Some((&id, &outcome)) = self.early.iter().find(ready) else { return };
            self.early.remove(&id);
            self.plan.finish(id, outcome);
            self.hand_out();
        }
    }

    /// The items that are not filed yet.
    pub fn fresh(&self) -> &[Item] {
        &self.fresh
    }

    /// All items so far are filed.
    pub fn filed(&mut self) {
        self.fresh.clear();
    }

    /// Takes what the plan hands out now. Games that are there at once and belong together are one item.
    fn hand_out(&mut self) {
        let before = self.fresh.len();
        while let Next::Play(fixture) = self.plan.next() {
            let GameId { encounter, game } = fixture.id;
            let follows = |last: &Item| (last.encounter, last.first + last.count) == (encounter, game);
            match self.fresh[before..].last_mut() {
                Some(last) if follows(last) && !game.is_multiple_of(2) => last.count += 1,
                _ => {
                    let Fixture { round, seats, opening, .. } = fixture;
                    let number = self.items;
                    self.fresh.push(Item { number, encounter, first: game, count: 1, round, seats, opening });
                    self.items += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lianzi_contest::{Entrant, Format, Length};
    use lianzi_core::{Random, Stone};

    fn contest(players: usize, format: Format, length: Length) -> Contest {
        let entrant = |n: usize| Entrant { name: format!("p{n}"), spec: "random".into() };
        let two = Contest::of_two("connect4".parse().unwrap(), [entrant(0), entrant(1)], 1);
        Contest { players: (0..players).map(entrant).collect(), format, length, ..two }
    }

    fn outcome(id: GameId) -> Outcome {
        match lianzi_core::mix((id.encounter as u64) << 20 | id.game as u64) % 3 {
            0 => Outcome::Draw,
            1 => Outcome::Win(Stone::Black),
            _ => Outcome::Win(Stone::White),
        }
    }

    /// Plays a contest to its end, ever a random one of the items that are there, and tells the games in random bunches.
    fn play(contest: &Contest, seed: u64) -> Vec<Item> {
        let mut random = Random::new(seed);
        let mut schedule = Schedule::new(contest).unwrap();
        let (mut all, mut open, mut untold) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            all.extend(schedule.fresh());
            open.extend(schedule.fresh());
            schedule.filed();
            if schedule.plan().is_decided() {
                break;
            }
            for _ in 0..=random.below(4) {
                if open.is_empty() {
                    break;
                }
                let item: Item = open.swap_remove(random.below(open.len()));
                for fixture in item.fixtures() {
                    assert_eq!(schedule.plan().fixture(fixture.id), Some(fixture));
                    untold.push((fixture.id, outcome(fixture.id)));
                }
            }
            schedule.tell(untold.drain(..));
        }
        all.sort_by_key(|item: &Item| (item.encounter, item.first));
        all
    }

    #[test]
    fn items_do_not_depend_on_the_order_of_play() {
        let formats = [
            (5, Format::RoundRobin, Length::Pairs(3)),
            (6, Format::Gauntlet, Length::Pairs(1)),
            (7, Format::Swiss { rounds: 4 }, Length::Pairs(2)),
            (6, Format::Knockout, Length::Pairs(1)),
            (4, Format::RoundRobin, Length::BestOf(5)),
            (5, Format::Knockout, Length::BestOf(3)),
        ];
        for (players, format, length) in formats {
            let contest = contest(players, format, length);
            let keys = |items: Vec<Item>| -> Vec<_> { items.iter().map(|i| (i.encounter, i.first, i.count)).collect() };
            let first = keys(play(&contest, 1));
            for seed in 2..20 {
                assert_eq!(keys(play(&contest, seed)), first, "{format:?} {length:?}");
            }
        }
    }

    #[test]
    fn who_comes_late_finds_the_same_items() {
        for length in [Length::Pairs(1), Length::BestOf(3)] {
            let contest = contest(4, Format::Swiss { rounds: 3 }, length);
            comes_late(&contest);
        }
    }

    fn comes_late(contest: &Contest) {
        let all = play(contest, 1);
        let outcomes = all.iter().flat_map(Item::fixtures).map(|fixture| fixture.id);
        let mut late = Schedule::new(contest).unwrap();
        late.tell(outcomes.map(|id| (id, outcome(id))));
        let mut found = late.fresh().to_vec();
        found.sort_by_key(|item| (item.encounter, item.first));
        let keys = |items: &[Item]| -> Vec<_> { items.iter().map(|i| (i.encounter, i.first, i.count)).collect() };
        assert_eq!(keys(&found), keys(&all));
        assert!(late.plan().is_decided());
    }
}
