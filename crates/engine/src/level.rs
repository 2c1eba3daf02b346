//! Levels: the same engine, held back the way people are.
//!
//! A weaker player looks less far, is less sure which of two good turns is better, and now and then does not see what
//! is coming: the further ahead it lies, the sooner it is overlooked. With two stones a turn it also forgets that both
//! may be needed, and builds with one of them. A [`Handicap`] says how much of each; an engine that reports several
//! lines when asked can be given any, others only the first part.

use lianzi_core::{Cell, DIRECTIONS, Position, Random, Text};

use crate::{Best, Engine, Limits, Line, NoEngine, Options, Report, Stop};

/// The highest level: full strength.
pub const HIGHEST: u32 = 10;

/// From here on a score, won or lost, is as good as proven.
const SURE: i32 = 9_000;

/// How far ahead a score lies that is as good as proven, when the engine does not say.
const FAR: u32 = 15;

/// A level as people know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelName {
    name: [&'static str; 2],
    about: [&'static str; 2],
}

impl LevelName {
    /// What it is called.
    pub const fn name(&self) -> Text {
        Text::fixed(self.name[0], self.name[1])
    }

    /// How it plays, in a sentence.
    pub const fn about(&self) -> Text {
        Text::fixed(self.about[0], self.about[1])
    }
}

/// The levels of every game, the lowest first.
pub const LEVELS: [LevelName; HIGHEST as usize] = [
    level(["Beginner", "新手"], ["Knows the rules, and overlooks a lot.", "刚学会规则，常常漏看。"]),
    level(["Novice", "入门"], ["Stops what is about to win, most of the time.", "对方快连成时多半会挡。"]),
    level(["Casual", "爱好者"], ["Sees the next move, but plans little.", "看得到下一手，少有计划。"]),
    level(["Club", "棋友"], ["Builds threats, and sometimes misses yours.", "会做威胁，有时漏看对方的。"]),
    level(["Skilled", "熟手"], ["Seldom misses a threat, sometimes a double one.", "少漏单个威胁，偶尔漏看双重威胁。"]),
    level(["Strong", "好手"], ["Looks several moves ahead.", "能看出几手之后。"]),
    level(["Expert", "高手"], ["Finds short wins by force.", "能找到短的强制取胜。"]),
    level(["Ace", "名手"], ["Rarely gives anything away.", "很少出错。"]),
    level(["Champion", "国手"], ["Finds long wins by force.", "能找到长的强制取胜。"]),
    level(["Master", "大师"], ["All that the engine can do, with three seconds a move.", "引擎的全部实力，每手三秒。"]),
];

const fn level(name: [&'static str; 2], about: [&'static str; 2]) -> LevelName {
    LevelName { name, about }
}

/// What holds an engine back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handicap {
    /// How many nodes it may look at.
    pub nodes: Option<u64>,
    /// Among how many turns it chooses.
    pub choice: usize,
    /// How far below the best score a turn may lie and still be chosen often; 0 always takes the best.
    pub doubt: f64,
    /// How surely it sees one stone further: an end that is proven n stones ahead with the (n−1)-th power of this. It
    /// always sees that it can win at once, and 1 sees everything.
    pub sight: f64,
    /// How often the last stone of a turn that does not win is put beside its own stones, whatever it was needed for.
    pub slip: f64,
}

impl Default for Handicap {
    fn default() -> Handicap {
        Handicap { nodes: None, choice: 1, doubt: 0.0, sight: 1.0, slip: 0.0 }
    }
}

impl Handicap {
    /// A level of an engine that is weaker only by looking at less: three times as many nodes a level.
    pub fn by_nodes(level: u32) -> Handicap {
        const LOWEST: u64 = 30;
        let nodes = (level < HIGHEST).then(|| LOWEST * 3u64.pow(level.saturating_sub(1)));
        Handicap { nodes, ..Handicap::default() }
    }

    /// The same with what a user sets of it: `choice`, `doubt`, `sight`, `slip`.
    pub(crate) fn with_options(self, options: &mut Options) -> Result<Handicap, NoEngine> {
        Ok(Handicap {
            nodes: self.nodes,
            choice: options.take_in("choice", 1..=64)?.unwrap_or(self.choice),
            doubt: options.take_in("doubt", 0.0..=10_000.0)?.unwrap_or(self.doubt),
            sight: options.take_in("sight", 0.0..=1.0)?.unwrap_or(self.sight),
            slip: options.take_in("slip", 0.0..=1.0)?.unwrap_or(self.slip),
        })
    }

    /// Whether the engine's own choice stands.
    pub(crate) fn is_plain(&self) -> bool {
        self.choice <= 1 && self.slip <= 0.0
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

    /// Which of the lines it plays in a turn of so many stones.
    fn choose(&mut self, lines: &[Line], stones: usize) -> usize {
        // Scores of wins lie close together, and who can win now does not toy with the other side.
        if let Some(wins) = lines.iter().position(|line| wins_at_once(line, stones)) {
            return wins;
        }
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

    /// The scores as this level sees them: what it overlooks it takes for what the other turns look like.
    fn seen(&mut self, lines: &[Line]) -> Vec<i32> {
        let horizon = self.horizon();
        let is_open = |line: &&Line| line.score.abs() < SURE;
        let open = lines.iter().filter(is_open).map(|line| i64::from(line.score));
        let usual = open.sum::<i64>() / lines.iter().filter(is_open).count().max(1) as i64;
        let ahead = |line: &Line| line.win_in.map_or(FAR, i32::unsigned_abs);
        let overlooked = |line: &Line| line.score.abs() >= SURE && ahead(line) > horizon;
        lines.iter().map(|line| if overlooked(line) { usual as i32 } else { line.score }).collect()
    }

    /// How many stones ahead it sees ends in this turn, drawn with one number: who sees far sees what is near.
    fn horizon(&mut self) -> u32 {
        let (draw, sight) = (self.random.unit(), self.handicap.sight);
        if sight >= 1.0 {
            return u32::MAX;
        }
        let chances = std::iter::successors(Some(1.0), |chance| Some(chance * sight));
        chances.take_while(|&chance| chance > draw).take(1000).count() as u32
    }

    /// Now and then puts the last stone beside its own.
    fn slip(&mut self, position: &Position, best: &mut Best) {
        let wins = best.info.lines.first().is_some_and(|line| wins_at_once(line, best.turn.len()));
        if self.random.unit() >= self.handicap.slip || wins {
            return;
        }
        let (mut after, mover) = (position.clone(), position.to_move());
        let last = best.turn.pop();
        // An engine's turn is legal.
        let _ = best.turn.iter().try_for_each(|&cell| after.play(cell));
        let beside = |cell: &Cell| {
            DIRECTIONS.iter().any(|&direction| {
                [-1, 1].into_iter().filter_map(|n| cell.step(direction, n)).any(|at| after.stone(at) == Some(mover))
            })
        };
        let cells: Vec<Cell> = after.legal().filter(beside).collect();
        best.turn.extend(self.random.choose(&cells).copied().or(last));
        if let Some(line) = best.info.lines.first_mut() {
            line.cells.clone_from(&best.turn);
        }
    }

    /// How likely a turn is that lies so far below the best, in powers and not exponentials: the same on every machine.
    fn weight(&self, below: i32) -> f64 {
        if below == 0 { 1.0 } else { (self.handicap.doubt / (self.handicap.doubt + f64::from(below))).powi(4) }
    }
}

/// Whether a line wins within a turn of so many stones.
fn wins_at_once(line: &Line, stones: usize) -> bool {
    line.win_in.is_some_and(|plies| plies > 0 && plies as usize <= stones)
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
        let all = Limits { lines: limits.lines.max(self.handicap.choice), ..limits };
        let mut best = self.engine.search(position, &all, stop, &mut |_| {});
        let stones = best.turn.len();
        best.info.lines.retain(|line| line.cells.len() >= stones);
        if !best.info.lines.is_empty() {
            let among = best.info.lines.len().min(self.handicap.choice);
            let chosen = self.choose(&best.info.lines[..among], stones);
            best.info.lines[..=chosen].rotate_right(1);
            best.turn = best.info.lines[0].cells[..stones].to_vec();
        }
        self.slip(position, &mut best);
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
    use lianzi_core::Rules;

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
    fn counts(doubt: f64, sight: f64) -> [u32; 5] {
        let handicap = Handicap { choice: 5, doubt, sight, ..Handicap::default() };
        let mut leveled = Leveled::new(Box::new(Oracle), handicap, 1);
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
        assert_eq!(counts(0.0, 1.0), [1000, 0, 0, 0, 0]);
        let careful = counts(500.0, 1.0);
        assert!(careful[0] > 980 && careful[3] + careful[4] == 0, "{careful:?}");
        let blind = counts(500.0, 0.0);
        assert!(blind.iter().all(|&count| count > 30), "{blind:?}");
        let half = counts(500.0, 0.7);
        assert!(half[0] > 450 && half[3] > 20 && half[3] < blind[3], "{half:?}");
        assert!(half[4] > half[3], "what lies further ahead is overlooked more often: {half:?}");
    }

    #[test]
    fn who_can_win_at_once_does() {
        // An open four: f7 and k7 win, and so do others, later.
        let position = Position::after("gomoku".parse().unwrap(), "h8 g7 i9 h9 g9 i7 h10 h7 j10 j7 f8 e7 k9").unwrap();
        for level in 1..=9 {
            let given = [("level".to_string(), level.to_string())].into();
            let mut engine = engine("strong", position.rules(), &Options { given, ..Options::default() }).unwrap();
            for seed in 0..8 {
                engine.begin(seed);
                let mut after = position.clone();
                let best = engine.search(&position, &Limits::default(), &Stop::default(), &mut |_| {});
                best.turn.iter().for_each(|&cell| after.play(cell).unwrap());
                assert!(after.outcome().is_some(), "level {level}, seed {seed}: {:?}", best.turn);
            }
        }
    }

    #[test]
    fn a_slip_puts_the_last_stone_beside_its_own() {
        let position = Position::after("connect6".parse().unwrap(), "j10 a1 s1 k10 l10 a3 s3 m10 n10").unwrap();
        let turn = |slip: &str| {
            let given = [("slip".to_string(), slip.to_string())].into();
            let mut engine = engine("strong", position.rules(), &Options { given, ..Options::default() }).unwrap();
            let limits = Limits { nodes: Some(200), ..Limits::default() };
            engine.search(&position, &limits, &Stop::default(), &mut |_| {}).turn
        };
        let defence: Vec<Cell> = ["i10", "o10"].iter().map(|name| name.parse().unwrap()).collect();
        assert!(turn("0").iter().all(|cell| defence.contains(cell)));
        let slipped = turn("1");
        assert!(slipped.len() == 2 && defence.contains(&slipped[0]) && !defence.contains(&slipped[1]), "{slipped:?}");
        assert!(position.clone().play(slipped[1]).is_ok());
    }

    #[test]
    fn every_level_has_a_name() {
        let names: std::collections::BTreeSet<String> = LEVELS.iter().map(|level| level.name().to_string()).collect();
        assert_eq!(names.len(), LEVELS.len());
        assert_eq!((LEVELS[0].name().chinese, LEVELS[9].name().chinese), ("新手".into(), "大师".into()));
    }
}
