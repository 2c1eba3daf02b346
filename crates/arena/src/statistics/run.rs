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
