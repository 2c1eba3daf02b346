//! What two players play against each other in one round.

use lianzi_core::{Outcome, Stone};

use super::super::{Fixture, GameId, Length};

/// How many extra pairs a tied encounter of a knockout gets at most.
pub(super) const EXTRA_PAIRS: usize = 3;

impl Length {
    /// How many games an encounter has at most, extra pairs not counted.
    pub(super) fn games(self) -> usize {
        match self {
            Length::Pairs(pairs) => 2 * pairs,
            Length::BestOf(games) => games,
        }
    }

    /// How many pairs these games are begun with.
    pub(super) fn pairs(self) -> usize {
        self.games().div_ceil(2)
    }

    /// The half points of somebody who wins all games until the encounter ends.
    pub(super) fn full_half_points(self) -> u64 {
        let wins = match self {
            Length::Pairs(pairs) => 2 * pairs,
            Length::BestOf(games) => games / 2 + 1,
        };
        2 * wins as u64
    }
}

/// What to do when an encounter is level after its games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tie {
    /// It stays a tie.
    Stands,
    /// Up to [`EXTRA_PAIRS`] are played, one at a time, until somebody leads.
    IsBroken,
}

/// The games of two players in one round.
///
/// The games that exist so far are 0..`open`; more are opened once all of them have finished and still more are
/// needed. So the encounter is complete when all open games have finished.
#[derive(Clone, Debug)]
pub(super) struct Encounter {
    /// The round, from 0.
    pub round: usize,
    /// Who meets; the first plays Black in the games with even numbers.
    pub players: [usize; 2],
    length: Length,
    tie: Tie,
    first_opening: usize,
    open: usize,
    /// All games before this one were handed out or have finished, this one was not and has not.
    next: usize,
    outcomes: Vec<Option<Outcome>>,
    finished: usize,
    wins: [usize; 2],
}

impl Encounter {
    /// An encounter of which nothing was played.
    pub fn new(round: usize, players: [usize; 2], length: Length, tie: Tie, first_opening: usize) -> Encounter {
        let open = match length {
            Length::Pairs(_) => length.games(),
            Length::BestOf(_) => 1,
        };
        Encounter {
            round,
            players,
            length,
            tie,
            first_opening,
            open,
            next: 0,
            outcomes: Vec::new(),
            finished: 0,
            wins: [0; 2],
        }
    }

    /// The game as it is to be played, if it exists yet.
    pub fn fixture(&self, id: GameId) -> Option<Fixture> {
        let [first, second] = self.players;
        let seats = if id.game.is_multiple_of(2) { [first, second] } else { [second, first] };
        let opening = self.first_opening + id.game / 2;
        (id.game < self.open).then_some(Fixture { id, round: self.round, seats, opening })
    }

    /// The game to be handed out next, if one can start now.
    pub fn next(&self) -> Option<usize> {
        (self.next < self.open).then_some(self.next)
    }

    /// Takes note that the next game was handed out.
    pub fn hand_out(&mut self) {
        self.next += 1;
        self.pass_finished();
    }

    /// Records how a game ended, unless it does not exist or is recorded already.
    pub fn record(&mut self, game: usize, outcome: Outcome) -> bool {
        if game >= self.open || self.outcome(game).is_some() {
            return false;
        }
        if self.outcomes.len() <= game {
            self.outcomes.resize(game + 1, None);
        }
        self.outcomes[game] = Some(outcome);
        self.finished += 1;
        if let Some(winner) = outcome.winner() {
            self.wins[side(game, winner)] += 1;
        }
        if self.finished == self.open {
            self.open += self.more();
        }
        self.pass_finished();
        true
    }

    /// How the game ended, if it has.
    pub fn outcome(&self, game: usize) -> Option<Outcome> {
        self.outcomes.get(game).copied().flatten()
    }

    /// The games that have finished, in order.
    pub fn outcomes(&self) -> impl Iterator<Item = (usize, Outcome)> + '_ {
        self.outcomes.iter().enumerate().filter_map(|(game, outcome)| Some((game, (*outcome)?)))
    }

    /// Whether nothing is left to play.
    pub fn is_complete(&self) -> bool {
        self.finished == self.open
    }

    /// How many games it has, as far as one can know: what may end early is counted in full.
    pub fn expected_games(&self) -> usize {
        if self.is_complete() { self.open } else { self.open.max(self.length.games()) }
    }

    /// The half points of both players so far.
    pub fn half_points(&self) -> [u64; 2] {
        let draws = self.finished - self.wins[0] - self.wins[1];
        self.wins.map(|wins| (2 * wins + draws) as u64)
    }

    /// Who advances and who is out, once complete: of players who are level the better seed advances.
    pub fn winner_and_loser(&self) -> Option<[usize; 2]> {
        let [first, second] = self.players;
        let first_advances = if self.wins[0] == self.wins[1] { first < second } else { self.wins[0] > self.wins[1] };
        self.is_complete().then_some(if first_advances { [first, second] } else { [second, first] })
    }

    fn pass_finished(&mut self) {
        while self.outcome(self.next).is_some() {
            self.next += 1;
        }
    }

    /// How many games are to be opened now that all open ones have finished.
    fn more(&self) -> usize {
        let games = self.length.games();
        if self.open < games {
            // Only a best-of opens its games one by one.
            let most = self.wins[0].max(self.wins[1]);
            return usize::from(2 * most <= games);
        }
        let last = 2 * (self.length.pairs() + EXTRA_PAIRS);
        if self.tie == Tie::Stands || self.wins[0] != self.wins[1] || self.open >= last {
            return 0;
        }
        // A best-of may have ended within a pair; completing it first gives both players both colours.
        2 - self.open % 2
    }
}

/// Which of the two players has these stones in this game.
fn side(game: usize, stone: Stone) -> usize {
    (game + stone.index()) % 2
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAW: Outcome = Outcome::Draw;

    fn encounter(length: Length, tie: Tie) -> Encounter {
        Encounter::new(0, [0, 1], length, tie, 0)
    }

    /// The outcome of this game if this side wins it.
    fn won_by(side: usize, game: usize) -> Outcome {
        Outcome::Win(if (side + game).is_multiple_of(2) { Stone::Black } else { Stone::White })
    }

    /// Plays games with these winners (甲 the first player, 乙 the second, 和 nobody) as long as there are any.
    fn play(encounter: &mut Encounter, winners: &str) {
        for winner in winners.chars() {
            let game = encounter.next().unwrap();
            encounter.hand_out();
            let outcome = match winner {
                '甲' => won_by(0, game),
                '乙' => won_by(1, game),
                _ => DRAW,
            };
            assert!(encounter.record(game, outcome));
        }
    }

    #[test]
    fn best_of_five_ends_at_three_wins() {
        let groups = [
            ("甲乙甲甲", [3, 1]),
            ("乙乙甲乙", [1, 3]),
            ("甲乙乙甲乙", [2, 3]),
            ("甲乙甲乙乙", [2, 3]),
            ("甲乙乙甲甲", [3, 2]),
            ("甲甲甲", [3, 0]),
            ("和乙和乙和", [0, 2]),
            ("和和和和和", [0, 0]),
        ];
        for (winners, wins) in groups {
            let mut encounter = encounter(Length::BestOf(5), Tie::Stands);
            play(&mut encounter, winners);
            assert!(encounter.is_complete(), "{winners}");
            assert_eq!((encounter.wins, encounter.next()), (wins, None), "{winners}");
            assert_eq!(encounter.expected_games(), winners.chars().count());
        }
    }

    #[test]
    fn best_of_games_come_one_at_a_time_with_colours_swapped() {
        let mut encounter = encounter(Length::BestOf(5), Tie::Stands);
        let mut seen = Vec::new();
        for game in 0..5 {
            let id = GameId { encounter: 0, game };
            let fixture = encounter.fixture(id).unwrap();
            assert_eq!(encounter.fixture(GameId { game: game + 1, ..id }), None);
            seen.push((fixture.seats, fixture.opening));
            encounter.hand_out();
            assert_eq!(encounter.next(), None);
            assert!(encounter.record(game, DRAW));
        }
        assert_eq!(seen, [([0, 1], 0), ([1, 0], 0), ([0, 1], 1), ([1, 0], 1), ([0, 1], 2)]);
        assert!(encounter.is_complete());
    }

    #[test]
    fn an_even_best_of_may_end_level() {
        let mut encounter = encounter(Length::BestOf(4), Tie::Stands);
        play(&mut encounter, "甲乙乙甲");
        assert!(encounter.is_complete());
        assert_eq!(encounter.half_points(), [4, 4]);
    }

    #[test]
    fn pairs_are_open_from_the_start_and_played_to_the_end() {
        let mut encounter = encounter(Length::Pairs(2), Tie::Stands);
        for game in 0..4 {
            assert_eq!(encounter.next(), Some(game));
            encounter.hand_out();
        }
        for game in [3, 1, 2] {
            assert!(encounter.record(game, won_by(0, game)));
        }
        assert!(!encounter.is_complete());
        assert!(encounter.record(0, DRAW));
        assert!(encounter.is_complete());
        assert_eq!(encounter.half_points(), [7, 1]);
    }

    #[test]
    fn a_tie_is_broken_by_up_to_three_extra_pairs() {
        for (length, winners, first_advances) in [
            (Length::Pairs(1), "甲乙甲甲", true),
            (Length::Pairs(1), "甲乙和乙", false),
            (Length::Pairs(1), "和和甲乙和和乙和", false),
            (Length::Pairs(1), "和和甲乙和和乙甲", true),
            // One game completes the last pair of the best-of, then come the extra pairs.
            (Length::BestOf(3), "甲乙和乙", false),
            (Length::BestOf(3), "甲乙和和甲甲", true),
            (Length::BestOf(3), "甲乙和和和和和和和和", true),
            (Length::BestOf(2), "甲乙和乙", false),
        ] {
            let mut encounter = encounter(length, Tie::IsBroken);
            play(&mut encounter, winners);
            assert!(encounter.is_complete(), "{winners}");
            let expected = if first_advances { [0, 1] } else { [1, 0] };
            assert_eq!(encounter.winner_and_loser(), Some(expected), "{winners}");
        }
    }

    #[test]
    fn an_outcome_is_recorded_once_and_only_of_games_that_exist() {
        let mut encounter = encounter(Length::Pairs(1), Tie::Stands);
        assert!(encounter.record(1, DRAW));
        assert!(!encounter.record(1, won_by(0, 1)));
        assert!(!encounter.record(2, DRAW));
        assert_eq!(encounter.outcome(1), Some(DRAW));
        assert_eq!(encounter.next(), Some(0));
        encounter.hand_out();
        assert_eq!(encounter.next(), None);
    }
}
