//! Who meets whom when players with similar points meet.
//!
//! The ranking is by points, then by seed. The best ranked player who has no opponent yet gets one: somebody met
//! as seldom as possible, with points as close as possible, and among those half a group away, which spares the
//! best seeds each other in the first rounds. A choice is taken only if the rest can still be paired with as few
//! rematches as without it. When the number of players is odd, the lowest ranked of those who had the fewest byes
//! gets one, again unless that costs rematches.

use std::cmp::Reverse;

use super::encounter::Encounter;
use super::matching::Matching;
use super::{Bye, Pairing};

/// The next round, given all encounters and byes of the former rounds, which are complete.
pub(super) fn pairing(players: usize, encounters: &[Encounter], byes: &[Bye]) -> Pairing {
    let table = Scores::new(players, encounters, byes);
    let fresh = table.fresh();
    let mut ranking = table.ranking();
    let mut matching = Matching::new(&fresh);
    let bye = (players % 2 == 1).then(|| table.bye(&ranking, &matching));
    if let Some(alone) = bye {
        ranking.retain(|&player| player != alone);
        matching = matching.without(alone);
    }
    let meetings = table.meetings(ranking, matching, &fresh);
    Pairing { meetings, byes: bye.into_iter().collect() }
}

/// What the former rounds say about the players.
struct Scores {
    half_points: Vec<u64>,
    byes: Vec<usize>,
    /// How often each met each.
    met: Vec<Vec<usize>>,
    /// How often each was the one to begin, less how often the opponent was.
    begun: Vec<i64>,
}

impl Scores {
    fn new(players: usize, encounters: &[Encounter], byes: &[Bye]) -> Scores {
        let mut table = Scores {
            half_points: vec![0; players],
            byes: vec![0; players],
            met: vec![vec![0; players]; players],
            begun: vec![0; players],
        };
        for encounter in encounters {
            table.count(encounter);
        }
        for bye in byes {
            table.half_points[bye.player] += bye.half_points;
            table.byes[bye.player] += 1;
        }
        table
    }

    fn count(&mut self, encounter: &Encounter) {
        let [first, second] = encounter.players;
        for (player, half_points) in encounter.players.into_iter().zip(encounter.half_points()) {
            self.half_points[player] += half_points;
        }
        self.met[first][second] += 1;
        self.met[second][first] += 1;
        self.begun[first] += 1;
        self.begun[second] -= 1;
    }

    fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.met.len()).collect();
        ranking.sort_by_key(|&player| (Reverse(self.half_points[player]), player));
        ranking
    }

    /// Who met whom as seldom as anybody met anybody: never, as long as there are such pairs.
    fn fresh(&self) -> Vec<Vec<bool>> {
        let count = self.met.len();
        let pairs = (0..count).flat_map(|a| (0..a).map(move |b| (a, b)));
        let fewest = pairs.map(|(a, b)| self.met[a][b]).min().unwrap_or(0);
        let row = |a: usize| (0..count).map(|b| a != b && self.met[a][b] == fewest).collect();
        (0..count).map(row).collect()
    }

    /// Who gets the bye.
    fn bye(&self, ranking: &[usize], matching: &Matching<'_>) -> usize {
        let fewest = self.byes.iter().min();
        let entitled = ranking.iter().filter(|&&player| Some(&self.byes[player]) == fewest);
        // Of equals the last is taken, which is the lowest ranked.
        let choice = entitled.max_by_key(|&&player| matching.without(player).couples());
        *choice.expect("somebody had the fewest byes")
    }

    /// Who meets whom; the matching is one of the players of the ranking.
    fn meetings(&self, ranking: Vec<usize>, matching: Matching<'_>, fresh: &[Vec<bool>]) -> Vec<[usize; 2]> {
        let (mut ranking, mut matching) = (ranking, matching);
        let mut meetings = Vec::new();
        while let Some(&player) = ranking.first() {
            let choice = self.candidates(&ranking).into_iter().find_map(|opponent| {
                let left = matching.without_both(player, opponent);
                let kept = left.couples() + usize::from(fresh[player][opponent]) == matching.couples();
                kept.then_some((opponent, left))
            });
            // The mate in the matching is one; without a mate another single is, for those left are even in number.
            let (opponent, left) = choice.expect("somebody is left who costs no rematch elsewhere");
            ranking.retain(|&other| other != player && other != opponent);
            matching = left;
            meetings.push(self.in_order_of_play(player, opponent));
        }
        meetings
    }

    /// The possible opponents of the first of the ranking, the best choice first.
    fn candidates(&self, ranking: &[usize]) -> Vec<usize> {
        let player = ranking[0];
        let points = self.half_points[player];
        let group = ranking.iter().take_while(|&&other| self.half_points[other] == points).count();
        let mut places: Vec<usize> = (1..ranking.len()).collect();
        places.sort_by_key(|&place| {
            let other = ranking[place];
            (self.met[player][other], points - self.half_points[other], place.abs_diff(group / 2))
        });
        places.into_iter().map(|place| ranking[place]).collect()
    }

    /// The two with the one first who is to begin: who did so less often, then the better seed.
    fn in_order_of_play(&self, a: usize, b: usize) -> [usize; 2] {
        if (self.begun[a], a) < (self.begun[b], b) { [a, b] } else { [b, a] }
    }
}
