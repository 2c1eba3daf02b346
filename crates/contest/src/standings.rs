//! Where everybody stands: points, ratings and faults, from the games that count.

use lianzi_core::{GameRecord, Outcome, Stone};

use super::circumstances::{Circumstances, telling};
use super::journal::{Brief, Played};
use super::plan::Plan;
use super::report::{self, Standing};
use super::{Contest, Fixture};
use crate::ratings::{Crosstable, RatingOptions, ranking, rate};
use crate::statistics::Estimate;

/// What counting needs to know of a game.
pub trait Judged {
    /// Who won.
    fn outcome(&self) -> Option<Outcome>;
    /// Who is at fault.
    fn blame(&self) -> Option<Stone>;
    /// What the game must be read with.
    fn circumstances(&self) -> Circumstances;
    /// Whether the opening changed the sides; nothing where the players did not find them by a rule.
    fn swapped(&self) -> Option<bool>;
}

impl<G: Judged> Judged for &G {
    fn outcome(&self) -> Option<Outcome> {
        (*self).outcome()
    }

    fn blame(&self) -> Option<Stone> {
        (*self).blame()
    }

    fn circumstances(&self) -> Circumstances {
        (*self).circumstances()
    }

    fn swapped(&self) -> Option<bool> {
        (*self).swapped()
    }
}

impl Judged for GameRecord {
    fn outcome(&self) -> Option<Outcome> {
        self.verdict.outcome
    }

    fn blame(&self) -> Option<Stone> {
        self.verdict.blame
    }

    fn circumstances(&self) -> Circumstances {
        self.into()
    }

    fn swapped(&self) -> Option<bool> {
        self.negotiated.as_ref().map(|_| self.is_swapped())
    }
}

impl Judged for Brief {
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn blame(&self) -> Option<Stone> {
        self.blame
    }

    fn circumstances(&self) -> Circumstances {
        self.circumstances
    }

    fn swapped(&self) -> Option<bool> {
        self.swapped
    }
}

/// The games of a contest that count, in the order of their names.
///
/// All finished games count, unless a sequential test was decided before some of them.
pub fn counted(plan: &Plan, played: &[Played]) -> Vec<(Fixture, GameRecord)> {
    let mut sorted: Vec<&Played> = played.iter().collect();
    sorted.sort_by_key(|game| game.id);
    let find = |fixture: &Fixture| sorted.binary_search_by_key(&fixture.id, |game| game.id).ok();
    let results = plan.results();
    let record = |fixture: &Fixture| find(fixture).map(|n| sorted[n].record.clone());
    results.filter_map(|(fixture, _)| record(&fixture).map(|record| (fixture.as_played(&record), record))).collect()
}

/// The same games in brief.
pub fn counted_in_brief(plan: &Plan, played: &[Brief]) -> Vec<(Fixture, Brief)> {
    let mut sorted = played.to_vec();
    sorted.sort_by_key(|game| game.id);
    let find = |fixture: &Fixture| sorted.binary_search_by_key(&fixture.id, |game| game.id).ok();
    let seated =
        |fixture: Fixture, game: Brief| (if game.swapped == Some(true) { fixture.swapped() } else { fixture }, game);
    plan.results().filter_map(|(fixture, _)| find(&fixture).map(|n| seated(fixture, sorted[n]))).collect()
}

/// The standings, best player first.
pub fn standings(contest: &Contest, plan: &Plan, games: &[(Fixture, impl Judged)]) -> Vec<Standing> {
    let table = crosstable(contest, games);
    let telling = crosstable(contest, &telling(games));
    let ratings = rate(&telling, &RatingOptions::default()).expect("the default options rate every table");
    let order = ranking(&table, &ratings, contest.scoring);
    let row = |standing: &crate::ratings::Ranked| {
        let player = standing.player;
        let byes: u64 = plan.byes().iter().filter(|bye| bye.player == player).map(|bye| bye.half_points).sum();
        let rating = &ratings[player];
        Standing {
            rank: standing.place,
            player,
            points: standing.points + contest.scoring.points(byes),
            tally: table.total(player),
            elo: match telling.total(player).games() {
                0 if table.total(player).games() > 0 => Estimate::default(),
                _ => Estimate::with_error(rating.elo, rating.error),
            },
            faults: faults(games, player),
        }
    };
    let mut rows: Vec<Standing> = order.iter().map(row).collect();
    match plan.ranking_hint() {
        Some(hint) => rank_by(&mut rows, &hint),
        None if !plan.byes().is_empty() => rank_by_points(&mut rows),
        None => {}
    }
    rows
}

/// The order that the format itself gives.
fn rank_by(rows: &mut [Standing], order: &[usize]) {
    let place = |player: usize| order.iter().position(|&p| p == player).unwrap_or(order.len());
    rows.sort_by_key(|row| place(row.player));
    for (n, row) in rows.iter_mut().enumerate() {
        row.rank = n + 1;
    }
}

/// Points of byes can change the order of points; the finer order among equals stays as it was.
fn rank_by_points(rows: &mut [Standing]) {
    rows.sort_by(|a, b| b.points.total_cmp(&a.points));
    for n in 0..rows.len() {
        let shared = n > 0 && rows[n].points == rows[n - 1].points && rows[n].rank == rows[n - 1].rank;
        rows[n].rank = if shared { rows[n - 1].rank } else { n + 1 };
    }
}

fn crosstable(contest: &Contest, games: &[(Fixture, impl Judged)]) -> Crosstable {
    let mut table = Crosstable::new(contest.players.iter().map(|entrant| entrant.name.clone()));
    for (player, row) in report::cross_table(contest.players.len(), games).into_iter().enumerate() {
        for (opponent, tally) in row.into_iter().enumerate().skip(player + 1) {
            table.add(player, opponent, tally);
        }
    }
    table
}

/// How many games this player lost by its own fault.
fn faults(games: &[(Fixture, impl Judged)], player: usize) -> u64 {
    let blamed = games.iter().filter_map(|(fixture, game)| game.blame().map(|stone| fixture.seat(stone)));
    blamed.filter(|&blamed| blamed == player).count() as u64
}
