//! A sequential test while the match is being played.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Accepted, BadSprt, Results, Score, Sprt};

/// A sequential test that is fed pairs as they end and counts them in the order of the schedule.
///
/// Pairs that end early wait until all pairs before them have ended. Quick games are not typical games (a blunder
/// ends a game early), so counting in order of arrival would bend the result; and with several games at once the
/// verdict would depend on the machine. Once a bound is crossed nothing is counted any more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtRun {
    sprt: Sprt,
    results: Results,
    next: u64,
    waiting: BTreeMap<u64, Option<[Score; 2]>>,
    accepted: Option<Accepted>,
}

impl SprtRun {
    /// A run that has counted nothing yet.
    pub fn new(sprt: Sprt) -> Result<SprtRun, BadSprt> {
        sprt.check()?;
        Ok(SprtRun { sprt, results: Results::default(), next: 0, waiting: BTreeMap::new(), accepted: None })
    }

    /// Reports the pair at this index of the schedule, counted from 0, and returns the verdict so far.
    ///
    /// A second report on the same index is ignored, as is everything after the verdict.
    pub fn feed(&mut self, index: u64, pair: [Score; 2]) -> Option<Accepted> {
        self.report(index, Some(pair))
    }

    /// Reports that the pair at this index will not be counted, because one of its games was void.
    pub fn skip(&mut self, index: u64) -> Option<Accepted> {
        self.report(index, None)
    }

    /// The test that is run.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// The hypothesis accepted, as soon as there is one; it never changes.
    pub fn verdict(&self) -> Option<Accepted> {
        self.accepted
    }

    /// The log-likelihood ratio of the pairs counted.
    pub fn llr(&self) -> f64 {
        self.sprt.llr(&self.results)
    }

    /// The results of the pairs counted.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// How many pairs were counted.
    pub fn counted(&self) -> u64 {
        self.results.full_pairs()
    }

    /// How many pairs have ended but wait for an earlier one.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    fn report(&mut self, index: u64, pair: Option<[Score; 2]>) -> Option<Accepted> {
        if self.accepted.is_none() && index >= self.next {
            self.waiting.entry(index).or_insert(pair);
            self.count_prefix();
        }
        self.accepted
    }

    /// Counts the pairs that wait for nothing, one by one, until one of them decides.
    fn count_prefix(&mut self) {
        while let Some(pair) = self.waiting.remove(&self.next) {
            self.next += 1;
            let Some(pair) = pair else { continue };
            self.results.count_pair(pair);
            self.accepted = self.sprt.verdict(&self.results);
            if self.accepted.is_some() {
                self.waiting.clear();
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use lianzi_core::Random;
    use proptest::prelude::*;

    use super::super::simulation::{Chances, DRAWISH, ONE_SIDED, WILD, draw_pair, tilted};
    use super::super::{Model, score_of_elo};
    use super::*;

    /// Plays until a verdict is there.
    fn play(sprt: Sprt, chances: Chances, random: &mut Random) -> SprtRun {
        let mut run = SprtRun::new(sprt).unwrap();
        let mut index = 0;
        while run.feed(index, draw_pair(chances, random)).is_none() {
            index += 1;
        }
        run
    }

    /// How many of these matches between players of this difference end with which verdict: (H0, H1).
    fn verdicts(sprt: Sprt, base: Chances, elo: f64, matches: u32, seed: u64) -> (u32, u32) {
        let (chances, mut random) = (tilted(base, score_of_elo(elo)), Random::new(seed));
        let h1 = (0..matches).filter(|_| play(sprt, chances, &mut random).verdict() == Some(Accepted::H1));
        let h1 = h1.count() as u32;
        (matches - h1, h1)
    }

    /// The largest count to expect of something that happens with this probability: three standard deviations.
    fn limit(matches: u32, probability: f64) -> f64 {
        let expected = f64::from(matches) * probability;
        expected + 3.0 * (expected * (1.0 - probability)).sqrt()
    }

    #[test]
    fn errors_are_as_rare_as_promised() {
        let matches = 2_000;
        let cases = [(DRAWISH, 0.05, 0.05), (ONE_SIDED, 0.05, 0.05), (WILD, 0.05, 0.05), (DRAWISH, 0.02, 0.1)];
        for (seed, (base, alpha, beta)) in cases.into_iter().enumerate() {
            let sprt = Sprt { alpha, beta, ..Sprt::new(0.0, 25.0) };
            let (_, false_positives) = verdicts(sprt, base, 0.0, matches, 2 * seed as u64);
            let (false_negatives, _) = verdicts(sprt, base, 25.0, matches, 2 * seed as u64 + 1);
            let found = (base, false_positives, false_negatives);
            assert!(f64::from(false_positives) <= limit(matches, alpha), "{found:?}");
            assert!(f64::from(false_negatives) <= limit(matches, beta), "{found:?}");
            // Nor may the test be much more careful, and therefore longer, than asked for.
            assert!(f64::from(false_positives) >= 0.5 * f64::from(matches) * alpha, "{found:?}");
            assert!(f64::from(false_negatives) >= 0.5 * f64::from(matches) * beta, "{found:?}");
        }
    }

    #[test]
    fn errors_are_as_rare_with_single_games() {
        // Independent games: pairs of them are binomial, here without draws.
        let sprt = Sprt { model: Model::Trinomial, ..Sprt::new(0.0, 30.0) };
        let chances = |score: f64| {
            let lost = 1.0 - score;
            [lost * lost, 0.0, 2.0 * score * lost, 0.0, score * score]
        };
        let mut random = Random::new(11);
        let mut count = |score: f64, wrong: Accepted| {
            let runs = (0..1_000).filter(|_| play(sprt, chances(score), &mut random).verdict() == Some(wrong));
            runs.count() as f64
        };
        assert!(count(0.5, Accepted::H1) <= limit(1_000, 0.05));
        assert!(count(score_of_elo(30.0), Accepted::H0) <= limit(1_000, 0.05));
    }

    #[test]
    fn the_length_of_a_test_is_walds() {
        // Under H1 the ratio drifts by (s1 − s0)²/2σ² a pair towards bounds that are hit 95 and 5 times in 100,
        // so a test takes about 0.9 · ln 19 · 2σ² / (s1 − s0)² pairs, and a little more to overshoot.
        let (sprt, score) = (Sprt::new(0.0, 25.0), score_of_elo(25.0));
        let chances = tilted(DRAWISH, score);
        let variance: f64 =
            chances.iter().enumerate().map(|(i, chance)| chance * (i as f64 / 4.0 - score).powi(2)).sum();
        let expected = 0.9 * 19f64.ln() * 2.0 * variance / (score - 0.5).powi(2);
        let mut random = Random::new(3);
        let total: u64 = (0..1_000).map(|_| play(sprt, chances, &mut random).counted()).sum();
        let mean = total as f64 / 1_000.0;
        assert!((0.95 * expected..1.2 * expected).contains(&mean), "{mean} instead of {expected}");
    }

    #[test]
    fn pairs_wait_for_earlier_ones() {
        let mut run = SprtRun::new(Sprt::new(0.0, 10.0)).unwrap();
        let won = [Score::Win, Score::Win];
        run.feed(1, won);
        run.feed(3, won);
        assert_eq!((run.counted(), run.waiting(), run.llr()), (0, 2, 0.0));
        run.feed(0, won);
        assert_eq!((run.counted(), run.waiting()), (2, 1));
        run.skip(2);
        assert_eq!((run.counted(), run.waiting()), (3, 0));
        run.feed(3, [Score::Loss, Score::Loss]);
        assert_eq!(run.results().pairs, [0, 0, 0, 0, 3]);
    }

    #[test]
    fn a_verdict_stays() {
        let mut run = SprtRun::new(Sprt::new(0.0, 100.0)).unwrap();
        let mut index = 0;
        while run.feed(index, [Score::Win, Score::Win]).is_none() {
            index += 1;
        }
        let decided = run.clone();
        for more in 1..1_000 {
            assert_eq!(run.feed(index + more, [Score::Loss, Score::Loss]), Some(Accepted::H1));
        }
        assert_eq!(run, decided);
        assert_eq!(run.counted(), index + 1);
    }

    #[test]
    fn a_bad_test_does_not_run() {
        assert!(SprtRun::new(Sprt::new(5.0, 5.0)).is_err());
        assert!(SprtRun::new(Sprt::new(f64::NAN, 5.0)).is_err());
        assert!(SprtRun::new(Sprt { alpha: 0.0, ..Sprt::new(0.0, 5.0) }).is_err());
        assert!(SprtRun::new(Sprt { alpha: 0.6, beta: 0.4, ..Sprt::new(0.0, 5.0) }).is_err());
    }

    #[test]
    fn a_run_survives_json() {
        let mut run = SprtRun::new(Sprt::new(0.0, 10.0)).unwrap();
        run.feed(0, [Score::Win, Score::Draw]);
        run.feed(2, [Score::Loss, Score::Draw]);
        let text = serde_json::to_string(&run).unwrap();
        assert_eq!(serde_json::from_str::<SprtRun>(&text).unwrap(), run);
    }

    proptest! {
        #[test]
        fn the_order_of_arrival_does_not_matter(seed: u64, elo in -60f64..90.0, length in 1usize..400, delay in 1usize..50) {
            let mut random = Random::new(seed);
            let chances = tilted(WILD, score_of_elo(elo));
            let pairs: Vec<_> = (0..length)
                .map(|_| (random.below(20) > 0).then(|| draw_pair(chances, &mut random)))
                .collect();
            // Each pair arrives up to `delay` places later than it was scheduled.
            let mut arrivals: Vec<usize> = (0..length).collect();
            arrivals.sort_by_cached_key(|&index| index + random.below(delay));
            let sprt = Sprt::new(0.0, 60.0);
            let feed = |order: &mut dyn Iterator<Item = usize>| {
                let mut run = SprtRun::new(sprt).unwrap();
                let mut verdict = None;
                for index in order {
                    let now = match pairs[index] {
                        Some(pair) => run.feed(index as u64, pair),
                        None => run.skip(index as u64),
                    };
                    assert!(verdict.is_none() || verdict == now, "the verdict changed");
                    verdict = now;
                }
                run
            };
            let in_order = feed(&mut (0..length));
            prop_assert_eq!(&feed(&mut arrivals.into_iter()), &in_order);
            prop_assert_eq!(feed(&mut (0..length).rev()), in_order);
        }
    }
}
