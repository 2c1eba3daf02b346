//! Levels: the same engine, held back the way people are.
//!
//! A weaker player looks less far, is less sure which of two good turns is better, and now and then does not see what
//! the other side is up to. A [`Handicap`] says how much of each; an engine that reports a line for every turn when
//! asked can be given any, others only the first part.

use lianzi_core::{Position, Random};

use crate::{Best, Engine, Limits, Line, Report, Stop};

/// The highest level: full strength.
pub const HIGHEST: u32 = 10;

/// How many turns a level looks at when it chooses among them.
const CHOICE: usize = 64;

/// From here on a score, won or lost, is as good as proven.
const SURE: i32 = 9_000;

/// What holds an engine back.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Handicap {
    /// How many nodes it may look at.
    pub nodes: Option<u64>,
    /// How far below the best score a turn may lie and still be chosen often; 0 always takes the best.
    pub doubt: f64,
    /// How often it does not see what the search has proven, except that it can win at once.
    pub oversight: f64,
}

impl Handicap {
    /// A level of an engine that is weaker only by looking at less: three times as many nodes a level.
    pub fn by_nodes(level: u32) -> Handicap {
        const LOWEST: u64 = 30;
        let nodes = (level < HIGHEST).then(|| LOWEST * 3u64.pow(level.saturating_sub(1)));
        Handicap { nodes, ..Handicap::default() }
    }

    fn is_plain(&self) -> bool {
        self.doubt <= 0.0 && self.oversight <= 0.0
    }
}

/// An engine with a handicap.
pub struct Leveled {
    engine: Box<dyn Engine>,
    handicap: Handicap,
    random: Random,
}

impl Leveled {
    /// The engine held back; what it chooses is drawn from this seed.
    pub fn new(engine: Box<dyn Engine>, handicap: Handicap, seed: u64) -> Leveled {
        Leveled { engine, handicap, random: Random::new(seed) }
    }

    /// Which of the lines it plays.
    fn choose(&mut self, lines: &[Line]) -> usize {
        let scores = self.seen(lines);
        let best = scores.iter().copied().max().unwrap_or_default();
        let weights: Vec<f64> = scores.iter().map(|&score| self.weight(best - score)).collect();
        let mut draw = self.random.unit() * weights.iter().sum::<f64>();
        let chosen = weights.iter().position(|weight| {
            draw -= weight;
            draw < 0.0
        });
        chosen.unwrap_or(0)
    }

    /// The scores as this level sees them: an oversight takes what is proven for what the other turns look like.
    fn seen(&mut self, lines: &[Line]) -> Vec<i32> {
        let oversight = self.random.unit() < self.handicap.oversight;
        let is_open = |line: &&Line| line.score.abs() < SURE;
        let open = lines.iter().filter(is_open).map(|line| i64::from(line.score));
        let usual = open.sum::<i64>() / lines.iter().filter(is_open).count().max(1) as i64;
        let overlooked = |line: &Line| oversight && line.win_in != Some(1) && line.score.abs() >= SURE;
        lines.iter().map(|line| if overlooked(line) { usual as i32 } else { line.score }).collect()
    }

    /// How likely a turn is that lies so far below the best, in powers and not exponentials: the same on every machine.
    fn weight(&self, below: i32) -> f64 {
        if below == 0 { 1.0 } else { (self.handicap.doubt / (self.handicap.doubt + f64::from(below))).powi(4) }
    }
}

impl Engine for Leveled {
    fn begin(&mut self, seed: u64) {
        self.engine.begin(seed);
        self.random = Random::new(seed);
    }

    fn search(&mut self, position: &Position, limits: &Limits, stop: &Stop, report: Report<'_>) -> Best {
        let nodes = limits.nodes.into_iter().chain(self.handicap.nodes).min();
        let limits = Limits { nodes, ..limits.clone() };
        if self.handicap.is_plain() {
            return self.engine.search(position, &limits, stop, report);
        }
        let all = Limits { lines: limits.lines.max(CHOICE), ..limits };
        let mut best = self.engine.search(position, &all, stop, &mut |_| {});
        let stones = best.turn.len();
        best.info.lines.retain(|line| line.cells.len() >= stones);
        if !best.info.lines.is_empty() {
            let chosen = self.choose(&best.info.lines);
            best.info.lines[..=chosen].rotate_right(1);
            best.turn = best.info.lines[0].cells[..stones].to_vec();
        }
        best.info.lines.truncate(limits.lines.max(1));
        report(&best.info);
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::engine;
    use crate::{Info, Options};
    use lianzi_core::{Cell, Rules};

    #[test]
    fn levels_look_at_more_and_more() {
        let asked = |level: &str| {
            let rules: Rules = "connect4:4x31".parse().unwrap();
            let given = [("level".to_string(), level.to_string())].into();
            let mut engine = engine("strong", &rules, &Options { given, ..Options::default() }).unwrap();
            let limits = Limits { nodes: Some(1000), ..Limits::default() };
            engine.search(&Position::new(rules), &limits, &Stop::default(), &mut |_| {}).info.nodes
        };
        assert_eq!([asked("1"), asked("2"), asked("10")], [30, 90, 1000]);
        assert_eq!(Handicap::by_nodes(9).nodes, Some(196_830));
    }

    /// Says that the first column wins, the last two lose, and the others differ a little.
    struct Oracle;

    impl Engine for Oracle {
        fn begin(&mut self, _: u64) {}

        fn search(&mut self, _: &Position, limits: &Limits, _: &Stop, _: Report<'_>) -> Best {
            let line = |column: u8, score, win_in| Line { score, win_in, cells: vec![Cell::new(column, 0)] };
            let mut lines = vec![
                line(0, 10_000, Some(3)),
                line(1, 900, None),
                line(2, 600, None),
                line(3, -10_000, Some(-2)),
                line(4, -10_000, Some(-4)),
            ];
            lines.truncate(limits.lines.max(1));
            Best { turn: lines[0].cells.clone(), info: Info { lines, ..Info::default() } }
        }
    }

    /// How often each column is played in a thousand questions.
    fn counts(doubt: f64, oversight: f64) -> [u32; 5] {
        let mut leveled = Leveled::new(Box::new(Oracle), Handicap { nodes: None, doubt, oversight }, 1);
        let position = Position::new(Rules::connect4(7, 6));
        let mut counts = [0; 5];
        for _ in 0..1000 {
            let best = leveled.search(&position, &Limits::default(), &Stop::default(), &mut |_| {});
            assert_eq!((best.info.lines.len(), &best.info.lines[0].cells), (1, &best.turn));
            counts[usize::from(best.turn[0].column)] += 1;
        }
        counts
    }

    #[test]
    fn what_a_level_does_not_see_it_plays() {
        assert_eq!(counts(0.0, 0.0), [1000, 0, 0, 0, 0]);
        let careful = counts(500.0, 0.0);
        assert!(careful[0] > 980 && careful[3] + careful[4] == 0, "{careful:?}");
        let blind = counts(500.0, 1.0);
        assert!(blind.iter().all(|&count| count > 30), "{blind:?}");
        let half = counts(500.0, 0.5);
        assert!(half[0] > 450 && half[3] > 20 && half[3] < blind[3], "{half:?}");
    }
}
