//! Who scored how much: against whom, with which colour, from which opening, and what it proves.

use std::collections::BTreeMap;

use lianzi_core::{GameRecord, Outcome, Stone};
use serde::Serialize;

use super::games::{GameRow, cell_string};
use crate::circumstances::telling;
use crate::standings::Judged;
use crate::statistics::Accepted;
use crate::statistics::Estimate;
use crate::statistics::Model;
use crate::statistics::Results;
use crate::statistics::Score;
use crate::statistics::Sprt;
use crate::statistics::SprtRun;
use crate::statistics::Tally;
use crate::{Contest, Fixture};

/// What was scored with each colour.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Colours {
    /// All games, seen by the side that began.
    pub first: Tally,
    /// Each player's games as Black and as White.
    pub players: Vec<[Tally; 2]>,
}

/// What one opening led to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpeningRow {
    /// Its number in the schedule.
    pub index: usize,
    /// The board it was played on, as an index into the report's boards.
    pub board: usize,
    /// Its stones, as cells written one after another.
    pub stones: String,
    /// All its games, seen by Black.
    pub black: Tally,
    /// Its games in the order of the schedule, as indexes into the report's games.
    pub games: Vec<usize>,
}

/// The evidence of a match of two, seen by the first player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Duel {
    /// What was counted: all games. What follows is taken from those that tell something of strength.
    pub results: Results,
    /// The difference in Elo.
    pub elo: Estimate,
    /// The difference in normalised Elo.
    pub normalised: Estimate,
    /// The likelihood, from 0 to 1, that the first player is stronger.
    pub superiority: f64,
    /// The sequential test, if there was one.
    pub sprt: Option<SprtLine>,
}

/// How far a sequential test has come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtLine {
    /// The test.
    pub test: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// H0 is accepted here.
    pub lower: f64,
    /// H1 is accepted here.
    pub upper: f64,
    /// What was accepted.
    pub accepted: Option<Accepted>,
}

impl From<&SprtRun> for SprtLine {
    fn from(run: &SprtRun) -> SprtLine {
        let test = *run.sprt();
        let (lower, upper) = (test.lower_bound(), test.upper_bound());
        SprtLine { test, llr: run.llr(), lower, upper, accepted: run.verdict() }
    }
}

/// The games that have an outcome.
fn decided(games: &[(Fixture, impl Judged)]) -> impl Iterator<Item = (&Fixture, Outcome)> {
    games.iter().filter_map(|(fixture, game)| Some((fixture, game.outcome()?)))
}

/// What each of `players` players scored against each other one: row against column.
pub fn cross_table(players: usize, games: &[(Fixture, impl Judged)]) -> Vec<Vec<Tally>> {
    let mut table = vec![vec![Tally::default(); players]; players];
    for (fixture, outcome) in decided(games) {
        for stone in Stone::BOTH {
            let (me, other) = (fixture.seat(stone), fixture.seat(stone.other()));
            if let Some(tally) = table.get_mut(me).and_then(|row| row.get_mut(other)) {
                tally.count(Score::of(outcome, stone));
            }
        }
    }
    table
}

/// What each of `players` players scored with each colour.
pub fn colours(players: usize, games: &[(Fixture, GameRecord)]) -> Colours {
    let mut colours = Colours { first: Tally::default(), players: vec![Default::default(); players] };
    for (fixture, outcome) in decided(games) {
        colours.first.count(Score::of(outcome, Stone::Black));
        for stone in Stone::BOTH {
            if let Some(tallies) = colours.players.get_mut(fixture.seat(stone)) {
                tallies[stone.index()].count(Score::of(outcome, stone));
            }
        }
    }
    colours
}

/// What each opening led to, by its number; `rows` are the same games as the page lists them.
pub fn openings(games: &[(Fixture, GameRecord)], rows: &[GameRow<'_>]) -> Vec<OpeningRow> {
    let mut found: BTreeMap<usize, OpeningRow> = BTreeMap::new();
    for (n, ((fixture, record), row)) in games.iter().zip(rows).enumerate() {
        let opening = found.entry(fixture.opening).or_insert_with(|| OpeningRow {
            index: fixture.opening,
            board: row.board,
            stones: cell_string(record.moves.iter().take(record.opening).map(|played| played.cell)),
            black: Tally::default(),
            games: Vec::new(),
        });
        opening.games.push(n);
        if let Some(outcome) = record.verdict.outcome {
            opening.black.count(Score::of(outcome, Stone::Black));
        }
    }
    let mut openings: Vec<OpeningRow> = found.into_values().collect();
    for opening in &mut openings {
        opening.games.sort_by_key(|&n| games[n].0.id);
    }
    openings
}

/// The evidence, if it is a match of two.
pub fn duel(contest: &Contest, games: &[(Fixture, impl Judged)]) -> Option<Duel> {
    if contest.players.len() != 2 {
        return None;
    }
    let all = pairs(games);
    let results_of_all = results(all.values());
    let telling = results(pairs(&telling(games)).values());
    let model = contest.sprt.map_or(Model::Pentanomial, |sprt| sprt.model);
    Some(Duel {
        results: results_of_all,
        elo: telling.elo(model),
        normalised: telling.normalised_elo(model),
        superiority: telling.superiority(model),
        sprt: contest.sprt.and_then(|sprt| run(sprt, &all)),
    })
}

/// The two games of a pair as far as they are there: for each, what the first player scored, unless it is void.
type Pair = [Option<Option<Score>>; 2];

/// The pairs by encounter and number.
fn pairs(games: &[(Fixture, impl Judged)]) -> BTreeMap<(usize, usize), Pair> {
    let mut pairs: BTreeMap<_, Pair> = BTreeMap::new();
    for (fixture, game) in games {
        let seat = if fixture.seat(Stone::Black) == 0 { Stone::Black } else { Stone::White };
        let score = game.outcome().map(|outcome| Score::of(outcome, seat));
        let id = fixture.id;
        pairs.entry((id.encounter, id.game / 2)).or_default()[id.game % 2] = Some(score);
    }
    pairs
}

fn results<'a>(pairs: impl Iterator<Item = &'a Pair>) -> Results {
    let mut results = Results::default();
    for pair in pairs {
        match pair.map(Option::flatten) {
            [Some(one), Some(other)] => results.count_pair([one, other]),
            single => single.into_iter().flatten().for_each(|score| results.count_game(score)),
        }
    }
    results
}

/// The sequential test over the pairs of the one encounter that a match of two has, in the order of the schedule.
fn run(sprt: Sprt, pairs: &BTreeMap<(usize, usize), Pair>) -> Option<SprtLine> {
    let mut run = SprtRun::new(sprt).ok()?;
    for (&(_, number), pair) in pairs.range((0, 0)..(1, 0)) {
        match *pair {
            [Some(Some(one)), Some(Some(other))] => run.feed(number as u64, [one, other]),
            [Some(_), Some(_)] => run.skip(number as u64),
            // The other game is still being played.
            _ => continue,
        };
    }
    Some(SprtLine::from(&run))
}
