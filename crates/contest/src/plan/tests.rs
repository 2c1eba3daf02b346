//! Whole contests, played with made-up outcomes.

use std::collections::{BTreeMap, BTreeSet};

use lianzi_core::{Game, Random, mix};
use proptest::prelude::*;

use super::super::Entrant;
use super::*;
use crate::statistics::Accepted;
use crate::statistics::Sprt;

/// A contest of so many players.
pub(super) fn contest_of(players: usize, format: Format, length: Length) -> Contest {
    let entrant = |n: usize| Entrant { name: format!("p{n}"), spec: "random".into() };
    let two = Contest::of_two(Game::COURSE, [entrant(0), entrant(1)], 1);
    Contest { players: (0..players).map(entrant).collect(), format, length, ..two }
}

fn plan_of(players: usize, format: Format, length: Length) -> Plan {
    Plan::new(&contest_of(players, format, length)).unwrap()
}

/// Who wins: somebody at random, or the better seed.
#[derive(Clone, Copy, Debug)]
enum Luck {
    Random(u64),
    Seeds,
}

impl Luck {
    /// The outcome, which depends on nothing but the game.
    fn outcome(self, fixture: &Fixture) -> Outcome {
        let Luck::Random(seed) = self else {
            let black_is_better = fixture.seats[0] < fixture.seats[1];
            return Outcome::Win(if black_is_better { Stone::Black } else { Stone::White });
        };
        let name = (fixture.id.encounter as u64) << 32 | fixture.id.game as u64;
        match mix(mix(name) ^ seed) % 3 {
            0 => Outcome::Win(Stone::Black),
            1 => Outcome::Win(Stone::White),
            _ => Outcome::Draw,
        }
    }
}

/// Plays up to so many more games, several at a time, which end in random order; leaves the rest running.
///
/// Returns the games in the order in which they were handed out.
fn play(plan: &mut Plan, luck: Luck, at_once: usize, most: usize, random: &mut Random) -> Vec<Fixture> {
    let (mut running, mut handed_out): (Vec<Fixture>, Vec<Fixture>) = Default::default();
    let mut ended = 0;
    while ended < most {
        let next = if running.len() < at_once { plan.next() } else { Next::Wait };
        match next {
            Next::Play(fixture) => {
                assert_eq!(plan.fixture(fixture.id), Some(fixture));
                running.push(fixture);
                handed_out.push(fixture);
            }
            Next::Done => break,
            Next::Wait => {
                let fixture = running.swap_remove(random.below(running.len()));
                assert!(plan.finish(fixture.id, luck.outcome(&fixture)));
                ended += 1;
            }
        }
    }
    assert_eq!(plan.is_decided(), plan.clone().next() == Next::Done);
    handed_out
}

/// Plays to the end, one game after another.
fn play_all(plan: &mut Plan, luck: Luck) -> Vec<Fixture> {
    play(plan, luck, 1, usize::MAX, &mut Random::new(0))
}

fn results(plan: &Plan) -> Vec<(Fixture, Outcome)> {
    plan.results().collect()
}

/// What a contest ends with.
#[derive(Debug, PartialEq)]
struct End {
    results: Vec<(Fixture, Outcome)>,
    byes: Vec<Bye>,
    ranking: Option<Vec<usize>>,
    sprt: Option<(Option<Accepted>, u64)>,
}

fn end(plan: &Plan) -> End {
    assert!(plan.is_decided());
    let results = results(plan);
    assert_eq!(plan.progress(), (results.len(), results.len()));
    let sprt = plan.sprt().map(|run| (run.verdict(), run.counted()));
    End { results, byes: plan.byes().to_vec(), ranking: plan.ranking_hint(), sprt }
}

fn names(fixtures: &[Fixture]) -> Vec<(usize, usize)> {
    fixtures.iter().map(|fixture| (fixture.id.encounter, fixture.id.game)).collect()
}

/// The players of each encounter, by round.
fn meetings(fixtures: &[Fixture]) -> Vec<Vec<[usize; 2]>> {
    let mut rounds: BTreeMap<usize, BTreeSet<[usize; 2]>> = BTreeMap::new();
    for fixture in fixtures {
        let [a, b] = fixture.seats;
        rounds.entry(fixture.round).or_default().insert([a.min(b), a.max(b)]);
    }
    rounds.into_values().map(|round| round.into_iter().collect()).collect()
}

#[test]
fn a_round_robin_plays_pair_after_pair() {
    let mut plan = plan_of(3, Format::RoundRobin, Length::Pairs(2));
    let fixtures = play_all(&mut plan, Luck::Random(1));
    let order = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 2), (2, 3)];
    assert_eq!(names(&fixtures), order);
    let seats: Vec<_> = fixtures.iter().take(6).map(|fixture| fixture.seats).collect();
    assert_eq!(seats, [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
    assert!(fixtures.iter().all(|fixture| fixture.opening == fixture.id.game / 2 && fixture.round == 0));
    assert_eq!((plan.progress(), plan.ranking_hint()), ((12, 12), None));
}

#[test]
fn a_hundred_players_all_meet_in_both_colours() {
    let mut plan = plan_of(100, Format::RoundRobin, Length::Pairs(1));
    assert_eq!(plan.progress(), (0, 9_900));
    let fixtures = play_all(&mut plan, Luck::Random(2));
    let encounters: BTreeSet<_> = fixtures.iter().map(|fixture| fixture.id.encounter).collect();
    let seats: BTreeSet<_> = fixtures.iter().map(|fixture| fixture.seats).collect();
    assert_eq!((encounters.len(), fixtures.len(), seats.len()), (4_950, 9_900, 9_900));
    assert!(seats.iter().all(|[black, white]| black != white));
}

#[test]
fn in_a_gauntlet_the_first_meets_all_others() {
    let mut plan = plan_of(51, Format::Gauntlet, Length::Pairs(1));
    let fixtures = play_all(&mut plan, Luck::Seeds);
    assert_eq!(fixtures.len(), 100);
    assert_eq!(meetings(&fixtures), [(1..51).map(|other| [0, other]).collect::<Vec<_>>()]);
    let points: u64 = plan.results().map(|(fixture, outcome)| fixture.half_points(outcome, 0)).sum();
    assert_eq!(points, 200);
}

#[test]
fn best_of_encounters_run_side_by_side_and_end_early() {
    let mut plan = plan_of(3, Format::RoundRobin, Length::BestOf(5));
    assert_eq!(plan.progress(), (0, 15));
    let first: Vec<_> = (0..4).map(|_| plan.next()).collect();
    assert!(matches!(first[..], [Next::Play(_), Next::Play(_), Next::Play(_), Next::Wait]));
    for encounter in 0..3 {
        let id = GameId { encounter, game: 0 };
        assert!(plan.finish(id, Luck::Seeds.outcome(&plan.fixture(id).unwrap())));
    }
    play_all(&mut plan, Luck::Seeds);
    assert_eq!(plan.progress(), (9, 9));
}

#[test]
fn a_plan_waits_for_its_last_games() {
    let mut plan = plan_of(2, Format::RoundRobin, Length::Pairs(1));
    assert!(matches!((plan.next(), plan.next()), (Next::Play(_), Next::Play(_))));
    assert_eq!((plan.next(), plan.is_decided()), (Next::Wait, false));
    assert!(plan.finish(GameId { encounter: 0, game: 1 }, Outcome::Draw));
    assert_eq!(plan.next(), Next::Wait);
    assert!(plan.finish(GameId { encounter: 0, game: 0 }, Outcome::Draw));
    assert_eq!((plan.next(), plan.is_decided()), (Next::Done, true));
}

#[test]
fn what_is_no_news_changes_nothing() {
    let mut plan = plan_of(2, Format::Swiss { rounds: 2 }, Length::Pairs(1));
    let id = GameId { encounter: 0, game: 0 };
    assert!(plan.finish(id, Outcome::Draw));
    assert!(!plan.finish(id, Outcome::Win(Stone::Black)));
    assert!(!plan.finish(GameId { encounter: 0, game: 2 }, Outcome::Draw));
    assert!(!plan.finish(GameId { encounter: 1, game: 0 }, Outcome::Draw));
    assert!(!plan.finish(GameId { encounter: usize::MAX, game: usize::MAX }, Outcome::Draw));
    assert_eq!((plan.progress(), results(&plan)[0].1), ((1, 4), Outcome::Draw));
    assert_eq!(plan.fixture(GameId { encounter: 1, game: 0 }), None);
}

#[test]
fn a_swiss_tournament_of_eight_pairs_halves_and_then_points() {
    let mut plan = plan_of(8, Format::Swiss { rounds: 3 }, Length::Pairs(1));
    let rounds = meetings(&play_all(&mut plan, Luck::Seeds));
    assert_eq!(rounds[0], [[0, 4], [1, 5], [2, 6], [3, 7]]);
    assert_eq!(rounds[1], [[0, 2], [1, 3], [4, 6], [5, 7]]);
    assert_eq!(rounds[2], [[0, 1], [2, 4], [3, 5], [6, 7]]);
}

#[test]
fn rounds_have_openings_of_their_own() {
    for (length, pairs) in [(Length::Pairs(2), 2), (Length::BestOf(3), 2)] {
        let mut plan = plan_of(6, Format::Swiss { rounds: 3 }, length);
        for fixture in play_all(&mut plan, Luck::Random(5)) {
            assert_eq!(fixture.opening, fixture.round * pairs + fixture.id.game / 2);
        }
        let mut plan = plan_of(8, Format::Knockout, length);
        let fixtures = play_all(&mut plan, Luck::Random(5));
        for round in 1..3 {
            let last = fixtures.iter().filter(|fixture| fixture.round < round).map(|fixture| fixture.opening);
            let first = fixtures.iter().filter(|fixture| fixture.round == round).map(|fixture| fixture.opening);
            assert!(last.max() < first.min());
        }
    }
}

#[test]
fn in_swiss_rounds_of_single_games_colours_are_balanced() {
    let mut plan = plan_of(12, Format::Swiss { rounds: 6 }, Length::BestOf(1));
    let mut balance = [0i32; 12];
    for fixture in play_all(&mut plan, Luck::Random(3)) {
        balance[fixture.seats[0]] += 1;
        balance[fixture.seats[1]] -= 1;
        assert!(balance.iter().all(|balance| balance.abs() <= 3), "{balance:?}");
    }
}

/// The fewest rematches with which these players can be paired, by trying everything.
fn fewest_rematches(players: &[usize], met: &BTreeMap<[usize; 2], usize>) -> usize {
    let Some((first, others)) = players.split_first() else { return 0 };
    let with = |index: usize| {
        let rest: Vec<usize> = others.iter().copied().filter(|&other| other != others[index]).collect();
        usize::from(met.contains_key(&[*first, others[index]])) + fewest_rematches(&rest, met)
    };
    (0..others.len()).map(with).min().unwrap_or(0)
}

#[test]
fn a_swiss_round_has_a_rematch_only_if_every_pairing_has() {
    let (mut unavoidable, mut avoided) = (0, 0);
    for (players, seed) in (2..=9usize).flat_map(|players| (0..30).map(move |seed| (players, seed))) {
        let mut plan = plan_of(players, Format::Swiss { rounds: players }, Length::Pairs(1));
        let schedule = meetings(&play_all(&mut plan, Luck::Random(seed)));
        let (mut met, mut byes) = (BTreeMap::new(), vec![0; players]);
        for (round, meetings) in schedule.iter().enumerate() {
            if met.len() == players * (players - 1) / 2 {
                break;
            }
            let all: Vec<usize> = (0..players).collect();
            let least = byes.iter().min().unwrap();
            let without = |alone: usize| all.iter().copied().filter(|&player| player != alone).collect();
            let possible: Vec<Vec<usize>> = match players % 2 {
                0 => vec![all.clone()],
                _ => all.iter().filter(|&&player| byes[player] == *least).map(|&alone| without(alone)).collect(),
            };
            let fewest = possible.iter().map(|players| fewest_rematches(players, &met)).min().unwrap();
            let rematches = meetings.iter().filter(|&meeting| met.contains_key(meeting)).count();
            assert_eq!(rematches, fewest, "{players} players, round {round}: {schedule:?}");
            unavoidable += rematches;
            avoided += usize::from(rematches == 0);
            for meeting in meetings {
                *met.entry(*meeting).or_insert(0) += 1;
            }
            for bye in plan.byes().iter().filter(|bye| bye.round == round) {
                byes[bye.player] += 1;
            }
        }
    }
    assert!(unavoidable > 0 && avoided > 1_000, "both kinds occurred: {unavoidable}, {avoided}");
}

/// Checks what every Swiss tournament must keep to, and returns its rematches.
fn check_swiss(players: usize, rounds: usize, luck: Luck) -> usize {
    let mut plan = plan_of(players, Format::Swiss { rounds }, Length::Pairs(1));
    let schedule = meetings(&play_all(&mut plan, luck));
    assert_eq!(schedule.len(), rounds);
    let mut met = BTreeMap::new();
    for (round, meetings) in schedule.iter().enumerate() {
        let alone = plan.byes().iter().filter(|bye| bye.round == round).map(|bye| bye.player);
        let mut busy: Vec<usize> = meetings.iter().flatten().copied().chain(alone).collect();
        busy.sort();
        assert_eq!(busy, (0..players).collect::<Vec<_>>(), "everybody plays or has a bye");
        for meeting in meetings {
            *met.entry(*meeting).or_insert(0) += 1;
        }
    }
    let byes: Vec<usize> =
        (0..players).map(|player| plan.byes().iter().filter(|bye| bye.player == player).count()).collect();
    assert_eq!(plan.byes().len(), players % 2 * rounds);
    assert!(byes.iter().max().unwrap() - byes.iter().min().unwrap() <= 1, "byes are fair: {byes:?}");
    assert!(plan.byes().iter().all(|bye| bye.half_points == 4));
    met.values().map(|meetings| meetings - 1).sum()
}

#[test]
fn swiss_rounds_avoid_rematches() {
    for players in 2..=17 {
        for luck in [Luck::Seeds, Luck::Random(players as u64)] {
            // As long as each player has met fewer than half of the others, a round without rematch exists.
            assert_eq!(check_swiss(players, players.div_ceil(2), luck), 0, "{players}");
        }
        check_swiss(players, 2 * players, Luck::Random(7));
    }
    assert_eq!(check_swiss(100, 20, Luck::Random(9)), 0);
}

#[test]
fn a_bye_goes_to_the_lowest_ranked_without_one() {
    let mut plan = plan_of(5, Format::Swiss { rounds: 3 }, Length::BestOf(3));
    play_all(&mut plan, Luck::Seeds);
    let bye = |round, player| Bye { round, player, half_points: 4 };
    // In the first round the last seed, in the second who lost in the first, in the third likewise.
    assert_eq!(plan.byes()[0], bye(0, 4));
    assert_eq!(plan.byes()[1], bye(1, 3));
    assert_eq!(plan.byes()[2], bye(2, 2));
}

#[test]
fn a_knockout_won_by_the_better_seeds_ends_in_seeding_order() {
    for players in 2..=17usize {
        let mut plan = plan_of(players, Format::Knockout, Length::Pairs(1));
        let rounds = meetings(&play_all(&mut plan, Luck::Seeds));
        let slots = players.next_power_of_two();
        assert_eq!(rounds.iter().map(Vec::len).sum::<usize>(), players - 1);
        assert_eq!(rounds.len(), slots.ilog2() as usize);
        assert_eq!(rounds.last().unwrap(), &[[0, 1]], "the best two meet in the final");
        let mut byes: Vec<usize> = plan.byes().iter().map(|bye| bye.player).collect();
        byes.sort();
        assert_eq!(byes, (0..slots - players).collect::<Vec<_>>(), "the best get the byes");
        assert!(plan.byes().iter().all(|bye| bye.round == 0 && bye.half_points == 0));
        assert_eq!(plan.ranking_hint(), Some((0..players).collect()));
    }
}

#[test]
fn a_knockout_has_one_winner_whatever_happens() {
    for players in 2..=17 {
        for (seed, length) in [(1, Length::Pairs(1)), (2, Length::BestOf(3)), (3, Length::BestOf(1))] {
            let mut plan = plan_of(players, Format::Knockout, length);
            let rounds = meetings(&play_all(&mut plan, Luck::Random(seed)));
            assert_eq!(rounds.iter().map(Vec::len).sum::<usize>(), players - 1);
            let ranking = plan.ranking_hint().unwrap();
            for (index, round) in rounds.iter().enumerate() {
                let left: BTreeSet<usize> = rounds[index..].iter().flatten().flatten().copied().collect();
                let met: BTreeSet<usize> = round.iter().flatten().copied().collect();
                assert_eq!(met.len(), 2 * round.len());
                assert!(ranking[..left.len()].iter().all(|player| left.contains(player)));
            }
        }
    }
}

#[test]
fn a_knockout_of_draws_is_won_by_the_seeds_after_three_extra_pairs() {
    let mut plan = plan_of(4, Format::Knockout, Length::Pairs(2));
    assert_eq!(plan.progress(), (0, 12));
    while let Next::Play(fixture) = plan.next() {
        plan.finish(fixture.id, Outcome::Draw);
    }
    assert_eq!(plan.ranking_hint(), Some(vec![0, 1, 2, 3]));
    assert_eq!(plan.progress(), (30, 30));
}

fn sprt_contest(pairs: usize, elo1: f64) -> Contest {
    let contest = contest_of(2, Format::RoundRobin, Length::Pairs(pairs));
    Contest { sprt: Some(Sprt::new(0.0, elo1)), ..contest }
}

#[test]
fn a_decided_test_ends_the_match_and_counts_a_prefix() {
    let mut plan = Plan::new(&sprt_contest(10_000, 50.0)).unwrap();
    let handed_out = play(&mut plan, Luck::Seeds, 8, usize::MAX, &mut Random::new(4));
    let counted = plan.sprt().unwrap().counted() as usize;
    assert!(0 < counted && counted < 10_000);
    assert!(handed_out.len() > 2 * counted, "games were running when it was decided");
    let before = end(&plan);
    for fixture in &handed_out {
        plan.finish(fixture.id, Outcome::Draw);
    }
    assert_eq!((&end(&plan), plan.next()), (&before, Next::Done));
    assert_eq!(plan.progress(), (2 * counted, 2 * counted));

    // Whoever resumes may find those late games, too.
    let mut resumed = Plan::new(&sprt_contest(10_000, 50.0)).unwrap();
    for fixture in handed_out {
        let late = fixture.id.game >= 2 * counted;
        resumed.finish(fixture.id, if late { Outcome::Draw } else { Luck::Seeds.outcome(&fixture) });
    }
    assert_eq!((end(&resumed), resumed.next()), (before, Next::Done));
}

#[test]
fn a_test_without_verdict_ends_with_its_pairs() {
    let mut plan = Plan::new(&sprt_contest(3, 5.0)).unwrap();
    play_all(&mut plan, Luck::Random(1));
    assert_eq!((plan.sprt().unwrap().verdict(), plan.progress()), (None, (6, 6)));
}

fn any_contest() -> impl Strategy<Value = Contest> {
    let format = prop_oneof![
        Just(Format::RoundRobin),
        Just(Format::Gauntlet),
        (1usize..7).prop_map(|rounds| Format::Swiss { rounds }),
        Just(Format::Knockout),
    ];
    let length = prop_oneof![(1usize..4).prop_map(Length::Pairs), (1usize..7).prop_map(Length::BestOf)];
    let tournament =
        (2usize..10, format, length).prop_map(|(players, format, length)| contest_of(players, format, length));
    let test = (1usize..300, 20f64..400.0).prop_map(|(pairs, elo1)| sprt_contest(pairs, elo1));
    prop_oneof![4 => tournament, 1 => test]
}

fn any_luck() -> impl Strategy<Value = Luck> {
    prop_oneof![3 => any::<u64>().prop_map(Luck::Random), 1 => Just(Luck::Seeds)]
}

proptest! {
    #[test]
    fn neither_concurrency_nor_the_order_of_ends_matters(
        contest in any_contest(), luck in any_luck(), at_once in 1usize..20, seed: u64,
    ) {
        let (mut one, mut many) = (Plan::new(&contest).unwrap(), Plan::new(&contest).unwrap());
        let in_order = play_all(&mut one, luck);
        let mixed = play(&mut many, luck, at_once, usize::MAX, &mut Random::new(seed));
        prop_assert_eq!(end(&one), end(&many));
        let sets = [in_order, mixed]
            .map(|games| (games.len(), games.iter().map(|game| game.id).collect::<BTreeSet<_>>()));
        for (count, set) in &sets {
            prop_assert_eq!(*count, set.len(), "a game was handed out twice");
        }
        // A test that is decided may leave games behind that were running.
        let [(_, fewer), (_, more)] = &sets;
        prop_assert!(fewer == more || contest.sprt.is_some() && fewer.is_subset(more));
    }

    #[test]
    fn a_resumed_contest_ends_the_same(
        contest in any_contest(), luck in any_luck(), at_once in 1usize..20, share in 0f64..1.2, seed: u64,
    ) {
        let mut random = Random::new(seed);
        let (mut whole, mut begun) = (Plan::new(&contest).unwrap(), Plan::new(&contest).unwrap());
        play_all(&mut whole, luck);
        let most = (share * whole.progress().0 as f64) as usize;
        play(&mut begun, luck, at_once, most, &mut random);

        let mut resumed = Plan::new(&contest).unwrap();
        for (fixture, outcome) in results(&begun) {
            prop_assert!(resumed.finish(fixture.id, outcome));
        }
        prop_assert_eq!(results(&resumed), results(&begun));
        prop_assert_eq!(resumed.progress(), begun.progress());
        let known: BTreeSet<_> = begun.results().map(|(fixture, _)| fixture.id).collect();
        let missing = play(&mut resumed, luck, at_once, usize::MAX, &mut random);
        prop_assert!(missing.iter().all(|fixture| !known.contains(&fixture.id)));
        prop_assert_eq!(end(&resumed), end(&whole));
    }

    #[test]
    fn names_never_change_their_meaning(contest in any_contest(), luck in any_luck(), seed: u64) {
        let mut random = Random::new(seed);
        let mut plan = Plan::new(&contest).unwrap();
        let mut known: BTreeMap<GameId, Fixture> = BTreeMap::new();
        while !plan.is_decided() {
            let Next::Play(fixture) = plan.next() else { break };
            prop_assert_eq!(known.insert(fixture.id, fixture), None);
            plan.finish(fixture.id, luck.outcome(&fixture));
            let (id, fixture) = known.iter().nth(random.below(known.len())).unwrap();
            prop_assert_eq!(plan.fixture(*id), Some(*fixture));
            let (finished, total) = plan.progress();
            prop_assert!(finished <= total);
        }
        prop_assert!(plan.is_decided());
    }
}
