//! Who comes before whom.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::{Crosstable, Rating};

/// How many points a win, a draw and a loss are worth; the order of the players is the same in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// 2, 1 and 0.
    TwoOneZero,
    /// 1, ½ and 0.
    #[default]
    OneHalfZero,
}

impl Scoring {
    /// Points in this system, from halves of a win.
    pub fn points(self, half_points: u64) -> f64 {
        match self {
            Scoring::TwoOneZero => half_points as f64,
            Scoring::OneHalfZero => half_points as f64 / 2.0,
        }
    }
}

/// One line of the final table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// The place, from 1; players whom nothing separates share one, and the next places stay empty.
    pub place: usize,
    /// The player's index in the crosstable.
    pub player: usize,
    /// The player's name.
    pub name: String,
    /// Points from all games.
    pub points: f64,
    /// First tie-break: points from the games among all players with the same number of points.
    pub head_to_head: f64,
    /// Second tie-break: points against each opponent times the opponent's points, in this scoring system.
    pub sonneborn_berger: f64,
    /// Third tie-break: the rating.
    pub elo: f64,
}

/// Everything that orders players, best first when descending.
type Key = (u64, u64, u64, i64);

/// The final table, best player first: by points, then by the games among those with the same points, then by
/// Sonneborn and Berger's count, then by rating; who is still equal shares the place, in the table's order.
///
/// The ratings must be those of the same table, in its order; a missing one counts as 0.
pub fn ranking(table: &Crosstable, ratings: &[Rating], scoring: Scoring) -> Vec<Ranked> {
    let halves: Vec<u64> = (0..table.players().len()).map(|player| table.total(player).half_points()).collect();
    let elo = |player: usize| ratings.get(player).map_or(0.0, |rating| rating.elo);
    let keys: Vec<Key> = (0..halves.len())
        .map(|player| {
            let among = among_equals(table, &halves, player);
            // A millionth of a point is rounding, not strength.
            (halves[player], among, sonneborn_berger(table, &halves, player), (elo(player) * 1e6).round() as i64)
        })
        .collect();
    let mut order: Vec<usize> = (0..halves.len()).collect();
    order.sort_by_key(|&player| Reverse(keys[player]));
    let standing = |&player: &usize| Ranked {
        place: 1 + keys.iter().filter(|&&other| other > keys[player]).count(),
        player,
        name: table.players()[player].clone(),
        points: scoring.points(keys[player].0),
        head_to_head: scoring.points(keys[player].1),
        sonneborn_berger: scoring.points(1) * scoring.points(keys[player].2),
        elo: elo(player),
    };
    order.iter().map(standing).collect()
}

/// Half-points from the games among all players with the same total.
fn among_equals(table: &Crosstable, halves: &[u64], player: usize) -> u64 {
    let equals = (0..halves.len()).filter(|&other| halves[other] == halves[player]);
    equals.map(|other| table.tally(player, other).half_points()).sum()
}

/// Half-points against each opponent times the opponent's half-points.
fn sonneborn_berger(table: &Crosstable, halves: &[u64], player: usize) -> u64 {
    (0..halves.len()).map(|other| table.tally(player, other).half_points() * halves[other]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratings::{RatingOptions, rate};
    use crate::statistics::Tally;

    fn rank(table: &Crosstable) -> Vec<Ranked> {
        let ratings = rate(table, &RatingOptions::default()).unwrap();
        ranking(table, &ratings, Scoring::OneHalfZero)
    }

    fn places(table: &Crosstable) -> Vec<(usize, String)> {
        rank(table).into_iter().map(|standing| (standing.place, standing.name)).collect()
    }

    fn expect(table: &Crosstable, expected: &[(usize, &str)]) {
        let expected: Vec<_> = expected.iter().map(|&(place, name)| (place, name.to_string())).collect();
        assert_eq!(places(table), expected);
    }

    const WIN: Tally = Tally::new(1, 0, 0);
    const DRAW: Tally = Tally::new(0, 1, 0);

    #[test]
    fn points_come_first_in_both_systems() {
        let mut table = Crosstable::new(["a", "b"]);
        table.add(1, 0, Tally::new(2, 1, 1));
        expect(&table, &[(1, "b"), (2, "a")]);
        let points = |scoring| {
            let standings = ranking(&table, &[], scoring);
            (standings[0].points, standings[1].points)
        };
        assert_eq!(points(Scoring::OneHalfZero), (2.5, 1.5));
        assert_eq!(points(Scoring::TwoOneZero), (5.0, 3.0));
    }

    #[test]
    fn the_game_between_equals_comes_second() {
        // a and b have two points each; b beat a, although a has the larger Sonneborn–Berger count.
        let mut table = Crosstable::new(["a", "b", "c", "d", "e"]);
        for (winner, loser) in [(1, 0), (0, 2), (0, 3), (2, 1), (2, 3), (2, 4), (1, 4)] {
            table.add(winner, loser, WIN);
        }
        let standings = rank(&table);
        let names: Vec<_> = standings.iter().take(3).map(|standing| standing.name.as_str()).collect();
        assert_eq!(names, ["c", "b", "a"]);
        assert_eq!((standings[1].head_to_head, standings[2].head_to_head), (1.0, 0.0));
        assert_eq!((standings[1].sonneborn_berger, standings[2].sonneborn_berger), (2.0, 3.0));
    }

    #[test]
    fn a_circle_of_equals_shares_a_place() {
        // Three players beat each other in a circle, and all beat d.
        let mut table = Crosstable::new(["d", "a", "b", "c"]);
        for (winner, loser) in [(1, 2), (2, 3), (3, 1), (1, 0), (2, 0), (3, 0)] {
            table.add(winner, loser, WIN);
        }
        expect(&table, &[(1, "a"), (1, "b"), (1, "c"), (4, "d")]);
    }

    #[test]
    fn sonneborn_and_berger_come_third() {
        // a and b drew each other and have 1½ points; a won against c, who has more than d, whom b beat.
        let mut table = Crosstable::new(["b", "a", "c", "d"]);
        table.add(0, 1, DRAW);
        table.add(1, 2, WIN);
        table.add(0, 3, WIN);
        table.add(2, 3, WIN);
        let standings = rank(&table);
        assert_eq!(standings[0].name, "a");
        // ½ · 1½ + 1 · 1 against ½ · 1½ + 1 · 0.
        assert_eq!((standings[0].sonneborn_berger, standings[1].sonneborn_berger), (1.75, 0.75));
        assert_eq!((standings[0].head_to_head, standings[1].head_to_head), (0.5, 0.5));
        let doubled = ranking(&table, &[], Scoring::TwoOneZero);
        assert_eq!((doubled[0].sonneborn_berger, doubled[0].points), (7.0, 3.0));
    }

    #[test]
    fn the_rating_comes_last() {
        // Both made no points, but b lost to the stronger player.
        let mut table = Crosstable::new(["a", "b", "weak", "strong"]);
        table.add(2, 0, WIN);
        table.add(3, 1, WIN);
        table.add(3, 2, Tally::new(3, 0, 0));
        expect(&table, &[(1, "strong"), (2, "weak"), (3, "b"), (4, "a")]);
    }

    #[test]
    fn whom_nothing_separates_shares_a_place() {
        let mut table = Crosstable::new(["a", "b", "c", "d"]);
        table.add(0, 1, DRAW);
        table.add(2, 0, WIN);
        table.add(2, 1, WIN);
        table.add(0, 3, WIN);
        table.add(1, 3, WIN);
        expect(&table, &[(1, "c"), (2, "a"), (2, "b"), (4, "d")]);
        assert!(places(&Crosstable::new([""; 0])).is_empty());
    }
}
