//! Who meets whom when the loser is out.
//!
//! The bracket has a power of two slots. Seed 1 meets seed N, 2 meets N − 1, and so on; as long as the better seed
//! wins, this is true of those left in every round, and 1 and 2 meet in the final. Slots without a player are those
//! of the worst seeds, so the best seeds get the byes, all of them in the first round.

use std::cmp::Reverse;

use super::Pairing;
use super::encounter::Encounter;

/// The next round, given all encounters of the former rounds, which are complete.
pub(super) fn pairing(players: usize, encounters: &[Encounter]) -> Pairing {
    let mut pairing = Pairing::default();
    for slots in survivors(players, encounters).chunks_exact(2) {
        match *slots {
            [Some(a), Some(b)] => pairing.meetings.push([a.min(b), a.max(b)]),
            [Some(alone), None] | [None, Some(alone)] => pairing.byes.push(alone),
            _ => {}
        }
    }
    pairing
}

/// The players in order of finish: who got further is before who did not, then the better seed.
///
/// Those who have not lost yet come first.
pub(super) fn ranking(players: usize, encounters: &[Encounter]) -> Vec<usize> {
    let mut last_round = vec![usize::MAX; players];
    for encounter in encounters {
        if let Some([_, loser]) = encounter.winner_and_loser() {
            last_round[loser] = encounter.round;
        }
    }
    let mut ranking: Vec<usize> = (0..players).collect();
    ranking.sort_by_key(|&player| (Reverse(last_round[player]), player));
    ranking
}

/// The slots of the bracket that are left after these encounters.
fn survivors(players: usize, encounters: &[Encounter]) -> Vec<Option<usize>> {
    let mut slots = first_slots(players);
    let mut winners = encounters.iter().filter_map(|encounter| Some(encounter.winner_and_loser()?[0])).peekable();
    while winners.peek().is_some() {
        slots = slots
            .chunks_exact(2)
            .map(|pair| match *pair {
                [Some(_), Some(_)] => winners.next(),
                [a, b] => a.or(b),
                _ => None,
            })
            .collect();
    }
    slots
}

/// The bracket before the first round; neighbours meet.
fn first_slots(players: usize) -> Vec<Option<usize>> {
    let mut seeds = vec![0];
    while seeds.len() < players {
        // Each seed gets as neighbour the one that makes their sum that of the best and the worst.
        let worst = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, worst - seed]).collect();
    }
    seeds.into_iter().map(|seed| (seed < players).then_some(seed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bracket_keeps_the_best_apart() {
        let slots = |players| first_slots(players).into_iter().map(|slot| slot.map_or(0, |seed| seed + 1));
        assert_eq!(slots(2).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(slots(3).collect::<Vec<_>>(), [1, 0, 2, 3]);
        assert_eq!(slots(4).collect::<Vec<_>>(), [1, 4, 2, 3]);
        assert_eq!(slots(8).collect::<Vec<_>>(), [1, 8, 4, 5, 2, 7, 3, 6]);
        assert_eq!(slots(5).collect::<Vec<_>>(), [1, 0, 4, 5, 2, 0, 3, 0]);
    }

    #[test]
    fn the_first_round_gives_byes_to_the_best() {
        let pairing = pairing(5, &[]);
        assert_eq!(pairing.meetings, [[3, 4]]);
        assert_eq!(pairing.byes, [0, 1, 2]);
    }
}
