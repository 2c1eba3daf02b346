//! A review as it is told: the contract with pages is docs/web.md.

use std::collections::BTreeMap;

use lianzi_core::{Cell, Outcome, Stone, Text};
use lianzi_engine::threats::Threat;
use serde::Serialize;

use super::grade::accuracy;
use super::{Grade, Review};
use crate::live::chance::rounded;

/// A whole review, as far as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reviewed {
    /// Whether nothing will be added.
    pub done: bool,
    /// How many turns were looked at, and how many there are.
    pub looked: usize,
    /// How many turns there are.
    pub of: usize,
    /// The turns that were looked at, in their order.
    pub plies: Vec<TurnReport>,
    /// How many stones lay before each mistake, blunder and missed win.
    pub mistakes: Vec<usize>,
    /// Black and White.
    pub sides: [SideReport; 2],
    /// How many stones lay before the turn that decided the game: the loser's dearest.
    pub turning: Option<usize>,
}

/// How well a side played.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SideReport {
    /// From 0 to 100; none if no turn counted.
    pub accuracy: Option<u32>,
    /// How many turns have each grade.
    pub grades: BTreeMap<Grade, usize>,
}

/// A turn, and what is said of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TurnReport {
    /// How many stones lay on the board before it.
    pub ply: usize,
    /// Who played it.
    pub stone: Stone,
    /// What was played.
    pub turn: Vec<Cell>,
    /// How good it was.
    pub grade: Grade,
    /// What it gave away of the mover's chance, from 0 to 1.
    pub loss: f64,
    /// Black's chance had the best turn been played.
    pub before: f64,
    /// Black's chance after the turn that was played.
    pub after: f64,
    /// The proven end before the turn: above 0 Black wins in so many stones, below White, 0 is a draw.
    pub before_in: Option<i32>,
    /// The proven end after the turn.
    pub after_in: Option<i32>,
    /// The engine's own turn.
    pub best: Vec<Cell>,
    /// What would follow it, itself first.
    pub line: Vec<Cell>,
    /// The other side's best line after the turn that was played.
    pub reply: Vec<Cell>,
    /// Why the turn was bad, or what it began.
    pub words: Option<Text>,
    /// What would have been better.
    pub advice: Option<Text>,
    /// The threat that the words speak of.
    #[serde(serialize_with = "threat")]
    pub threat: Option<Threat>,
    /// Cells that would have answered it.
    pub stops: Vec<Cell>,
    /// The engine's score before the turn, for the side to move.
    pub score: i32,
    /// The engine's proven end before the turn, for the side to move.
    pub win_in: Option<i32>,
    /// The mover's chance before the turn.
    pub chance: f64,
}

fn threat<S: serde::Serializer>(threat: &Option<Threat>, to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Told<'a> {
        kind: &'static str,
        cells: &'a [Cell],
        at: &'a [Cell],
    }
    let told = threat.as_ref().map(|one| Told { kind: one.kind.name(), cells: &one.cells, at: &one.at });
    told.serialize(to)
}

impl Review {
    /// What is known so far.
    pub fn report(&self) -> Reviewed {
        let turns: Vec<(usize, TurnReport)> =
            (0..self.turns()).filter_map(|n| Some((n, self.turn_report(n)?))).collect();
        let side = |stone| self.side_report(stone, &turns);
        let sides = Stone::BOTH.map(side);
        let plies: Vec<TurnReport> = turns.into_iter().map(|(_, turn)| turn).collect();
        let mistakes = plies.iter().filter(|turn| turn.grade.is_mistake()).map(|turn| turn.ply).collect();
        let done = self.agenda.is_empty() && self.asked.is_none();
        let (looked, of, turning) = (plies.len(), self.turns(), self.turning(&plies));
        Reviewed { done, looked, of, plies, mistakes, sides, turning }
    }

    /// What is known of a turn; nothing before it was looked at.
    fn turn_report(&self, n: usize) -> Option<TurnReport> {
        let (before, after) = self.compared(n)?;
        let (moment, next) = (&self.moments[n], &self.moments[n + 1]);
        let ignored = self.ignored(n);
        let grade = self.grade(n, ignored.is_some())?;
        let told = self.tell(n, grade, ignored);
        Some(TurnReport {
            ply: moment.position.plies().len(),
            stone: moment.mover(),
            turn: moment.played.clone(),
            grade,
            loss: rounded(self.loss(n) / 100.0),
            before: rounded(before.black),
            after: rounded(after.black),
            before_in: before.signed(),
            after_in: after.signed(),
            best: moment.best.clone(),
            line: moment.line.cells.clone(),
            reply: next.line.cells.clone(),
            words: told.words,
            advice: told.advice,
            threat: told.threat,
            stops: told.stops,
            score: moment.line.score,
            win_in: moment.line.win_in,
            chance: rounded(before.chance(moment.mover())),
        })
    }

    /// A side that is lost cannot lose anything more, so its turns then do not count for accuracy.
    fn side_report(&self, stone: Stone, turns: &[(usize, TurnReport)]) -> SideReport {
        let mut grades =
            [Grade::Best, Grade::Good, Grade::Inaccuracy, Grade::Mistake, Grade::Blunder, Grade::MissedWin]
                .map(|grade| (grade, 0))
                .into_iter()
                .collect::<BTreeMap<_, usize>>();
        let mut counted: Vec<f64> = Vec::new();
        for (n, turn) in turns.iter().filter(|(_, turn)| turn.stone == stone) {
            *grades.entry(turn.grade).or_default() += 1;
            if self.compared(*n).is_some_and(|(before, _)| !before.is_lost(stone)) {
                counted.push(accuracy(self.loss(*n)));
            }
        }
        let mean = counted.iter().sum::<f64>() / counted.len().max(1) as f64;
        SideReport { accuracy: (!counted.is_empty()).then(|| mean.round() as u32), grades }
    }

    /// The loser's dearest turn, the last of those that cost as much.
    fn turning(&self, plies: &[TurnReport]) -> Option<usize> {
        let last = &self.moments.last()?.position;
        let loser = match last.outcome()? {
            Outcome::Win(winner) => winner.other(),
            Outcome::Draw => return None,
        };
        let dear = plies.iter().filter(|turn| turn.stone == loser && turn.grade.is_mistake());
        dear.max_by(|a, b| a.loss.total_cmp(&b.loss)).map(|turn| turn.ply)
    }
}
