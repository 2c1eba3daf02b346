//! What a learner has done: rating, puzzles met, what is to be repeated, days, lessons. One JSON object.

use std::collections::{BTreeMap, BTreeSet};

use lianzi_core::{Cell, GameRecord, Speak, Stone, Text, spoken_errors};
use serde::{Deserialize, Serialize};

use crate::day::Day;
use crate::puzzle::{Puzzle, Turn};
use crate::rating::Rating;
use crate::schedule::{Card, Recall};
use crate::theme::{Goal, Theme};

/// How many puzzles a day are enough.
const GOAL: u32 = 10;
/// How many days the history tells of, and how many own mistakes and bytes are kept.
const HISTORY: usize = 90;
const MISTAKES: usize = 500;
/// A larger file is none of ours.
pub const BYTES: usize = 2 << 20;
/// The rating of a mistake.
const MISTAKE: u16 = 1500;

const FORMAT: &str = "lianzi-progress";
const VERSION: u32 = 1;

/// A learner's progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    format: String,
    version: u32,
    /// How strong the learner is.
    #[serde(default)]
    pub rating: Rating,
    #[serde(default)]
    puzzles: BTreeMap<String, Met>,
    /// Own mistakes, as lines, by their ids.
    #[serde(default)]
    mistakes: BTreeMap<String, String>,
    #[serde(default)]
    days: BTreeMap<Day, Worked>,
    #[serde(default)]
    row: Run,
    #[serde(default)]
    lessons: BTreeMap<String, BTreeSet<usize>>,
    /// The last day whose puzzle was solved.
    #[serde(default)]
    daily: Option<Day>,
}

/// A puzzle that was met.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Met {
    tries: u32,
    solved: bool,
    last: Day,
    /// The puzzle's own rating, as this learner's attempts moved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rating: Option<Rating>,
    /// When it comes back, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    card: Option<Card>,
}

/// What was done on a day, and the rating it began and ended with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Worked {
    tried: u32,
    solved: u32,
    from: f64,
    to: f64,
}

/// How many in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Just now.
    pub now: u32,
    /// At best.
    pub best: u32,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// Right at the first try.
    Solved,
    /// Right after a hint.
    Helped,
    /// Wrong, or given up.
    Failed,
}

impl Ended {
    const fn score(self) -> f64 {
        match self {
            Ended::Solved => 1.0,
            Ended::Helped => 0.5,
            Ended::Failed => 0.0,
        }
    }

    const fn recall(self) -> Recall {
        match self {
            Ended::Solved => Recall::Good,
            Ended::Helped => Recall::Hard,
            Ended::Failed => Recall::Again,
        }
    }
}

/// What an attempt changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// By how much the rating changed.
    pub rating: i32,
    /// When the puzzle comes back, if it does.
    pub again: Option<Day>,
}

/// Why a file is no progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadProgress {
    /// It is something else.
    Other,
    /// It is of a later version.
    Later,
    /// It is too large.
    Large,
}

impl Speak for BadProgress {
    fn text(&self) -> Text {
        match self {
            BadProgress::Other => {
                Text::fixed("this is no progress of a learner; export one first", "这不是学习进度文件；请先导出")
            }
            BadProgress::Later => {
                Text::fixed("a later version of Lianzi wrote this progress", "此进度由更新版本的连子写成")
            }
            BadProgress::Large => Text::fixed("this progress is larger than it can be", "此进度文件过大"),
        }
    }
}

spoken_errors!(BadProgress);

impl Default for Progress {
    fn default() -> Progress {
        Progress {
            format: FORMAT.into(),
            version: VERSION,
            rating: Rating::default(),
            puzzles: BTreeMap::new(),
            mistakes: BTreeMap::new(),
            days: BTreeMap::new(),
            row: Run::default(),
            lessons: BTreeMap::new(),
            daily: None,
        }
    }
}

impl Progress {
    /// Reads what was written, whoever wrote it.
    pub fn read(text: &str) -> Result<Progress, BadProgress> {
        if text.len() > BYTES {
            return Err(BadProgress::Large);
        }
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        let head: Head = serde_json::from_str(text).map_err(|_| BadProgress::Other)?;
        match (head.format.as_str(), head.version) {
            (FORMAT, VERSION) => {}
            (FORMAT, later) if later > VERSION => return Err(BadProgress::Later),
            _ => return Err(BadProgress::Other),
        }
        let mut progress: Progress = serde_json::from_str(text).map_err(|_| BadProgress::Other)?;
        progress.rating = progress.rating.bounded();
        progress.mistakes.retain(|id, line| line.parse::<Puzzle>().is_ok_and(|puzzle| puzzle.id == *id));
        Ok(progress)
    }

    /// The text that is kept.
    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("progress is plain data")
    }

    /// Whether a puzzle was solved.
    pub fn has_solved(&self, id: &str) -> bool {
        self.puzzles.get(id).is_some_and(|met| met.solved)
    }

    /// Whether a puzzle was tried.
    pub fn has_met(&self, id: &str) -> bool {
        self.puzzles.contains_key(id)
    }

    /// Notes how an attempt ended; `daily` if it was the puzzle of the day.
    pub fn finish(&mut self, puzzle: &Puzzle, ended: Ended, day: Day, daily: bool) -> Change {
        let before = self.rating;
        let known = self.puzzles.get(&puzzle.id).cloned();
        let own = known.as_ref().and_then(|met| met.rating).unwrap_or(Rating::of_puzzle(puzzle.rating)).bounded();
        // Who has seen the answer proves nothing by giving it again.
        let rated = known.is_none() && puzzle.goal() != Goal::Best;
        if rated {
            self.rating = before.after(&[(own, ended.score())]).bounded();
        }
        let rating = rated.then(|| own.after(&[(before, 1.0 - ended.score())]).bounded());
        let solved = ended == Ended::Solved;
        let card = self.card_after(puzzle, known.as_ref().and_then(|met| met.card), ended, day);
        let met = Met {
            tries: known.as_ref().map_or(0, |met| met.tries).saturating_add(1),
            solved: solved || known.as_ref().is_some_and(|met| met.solved),
            last: day,
            rating: rating.or(known.and_then(|met| met.rating)),
            card,
        };
        self.puzzles.insert(puzzle.id.clone(), met);
        self.count(solved, before, day);
        if daily && solved {
            self.daily = Some(day);
        }
        let change = (self.rating.rating.round() - before.rating.round()) as i32;
        Change { rating: change, again: card.map(|card| card.due) }
    }

    /// What was solved at once does not come back, unless it is a mistake or came back already.
    fn card_after(&self, puzzle: &Puzzle, card: Option<Card>, ended: Ended, day: Day) -> Option<Card> {
        match card {
            Some(card) => Some(card.repeated(ended.recall(), day)),
            None if ended == Ended::Solved && puzzle.theme != Theme::Mistake => None,
            None => Some(Card::first(ended.recall(), day)),
        }
    }

    fn count(&mut self, solved: bool, before: Rating, day: Day) {
        let worked = self.days.entry(day).or_insert(Worked { from: before.rating, ..Worked::default() });
        worked.tried += 1;
        worked.solved += u32::from(solved);
        worked.to = self.rating.rating;
        self.row.now = if solved { self.row.now + 1 } else { 0 };
        self.row.best = self.row.best.max(self.row.now);
    }

    /// What is to be repeated by this day, the most urgent first: what is surest to be forgotten.
    pub fn due(&self, day: Day) -> Vec<&str> {
        let mut due: Vec<(f64, &str)> = self
            .cards()
            .filter(|(_, card)| card.due <= day)
            .map(|(id, card)| (card.memory.bounded().retrievability(day.since(card.last).into()), id))
            .collect();
        due.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
        due.into_iter().map(|(_, id)| id).collect()
    }

    /// The next day on which something is to be repeated, after this one.
    pub fn next_due(&self, day: Day) -> Option<Day> {
        self.cards().map(|(_, card)| card.due).filter(|&due| due > day).min()
    }

    fn cards(&self) -> impl Iterator<Item = (&str, Card)> {
        self.puzzles.iter().filter_map(|(id, met)| Some((id.as_str(), met.card?)))
    }

    /// An own mistake, by its id.
    pub fn mistake(&self, id: &str) -> Option<Puzzle> {
        self.mistakes.get(id)?.parse().ok()
    }

    /// How many own mistakes are kept.
    pub fn mistakes(&self) -> usize {
        self.mistakes.len()
    }

    /// Adds mistakes, which come up at once; returns how many are new.
    pub fn add_mistakes(&mut self, puzzles: Vec<Puzzle>, day: Day) -> usize {
        let before = self.mistakes.len();
        for puzzle in puzzles {
            if self.mistakes.len() < MISTAKES && !self.mistakes.contains_key(&puzzle.id) {
                let met = Met { tries: 0, solved: false, last: day, rating: None, card: Some(Card::waiting(day)) };
                self.puzzles.insert(puzzle.id.clone(), met);
                self.mistakes.insert(puzzle.id.clone(), puzzle.to_string());
            }
        }
        self.mistakes.len() - before
    }

    /// Notes that a step of a lesson is done.
    pub fn learnt(&mut self, lesson: &str, step: usize) {
        self.lessons.entry(lesson.into()).or_default().insert(step);
    }

    /// The steps of lessons that are done.
    pub fn lessons(&self) -> &BTreeMap<String, BTreeSet<usize>> {
        &self.lessons
    }

    /// Puts another progress of the same learner into this one: of every puzzle what was done last, of the rating the one
    /// that is surer.
    pub fn merge(&mut self, other: Progress) {
        if other.rating.deviation < self.rating.deviation {
            self.rating = other.rating;
        }
        for (id, met) in other.puzzles {
            let own = self.puzzles.entry(id).or_insert_with(|| met.clone());
            let solved = own.solved || met.solved;
            if (met.last, met.tries) > (own.last, own.tries) {
                *own = met;
            }
            own.solved = solved;
        }
        self.mistakes.extend(other.mistakes);
        for (day, worked) in other.days {
            let own = self.days.entry(day).or_insert(worked);
            if worked.tried > own.tried {
                *own = worked;
            }
        }
        self.row = Run { now: self.row.now.max(other.row.now), best: self.row.best.max(other.row.best) };
        for (lesson, steps) in other.lessons {
            self.lessons.entry(lesson).or_default().extend(steps);
        }
        self.daily = self.daily.max(other.daily);
    }

    /// How many puzzles of those with these ids were tried, and how many solved.
    pub fn counted<'a>(&self, ids: impl Iterator<Item = &'a str>) -> (usize, usize) {
        let met = ids.filter_map(|id| self.puzzles.get(id));
        met.fold((0, 0), |(tried, solved), met| (tried + usize::from(met.tries > 0), solved + usize::from(met.solved)))
    }

    /// How the learner stands on a day.
    pub fn summary(&self, day: Day) -> Summary {
        let today = self.days.get(&day).copied().unwrap_or_default();
        let skip = self.days.len().saturating_sub(HISTORY);
        let history = self.days.iter().skip(skip).map(|(&day, worked)| Dated {
            day,
            rating: worked.to.round() as i32,
            solved: worked.solved,
            tried: worked.tried,
        });
        let tried = self.puzzles.values().filter(|met| met.tries > 0);
        Summary {
            rating: self.rating.rating.round() as i32,
            deviation: self.rating.deviation.round() as i32,
            sure: self.rating.is_sure(),
            today: Today {
                solved: today.solved,
                tried: today.tried,
                goal: GOAL,
                change: (today.to.round() - today.from.round()) as i32,
            },
            row: self.row,
            days: self.days_running(day),
            due: self.due(day).len(),
            mistakes: self.mistakes.len(),
            solved: self.puzzles.values().filter(|met| met.solved).count(),
            tried: tried.count(),
            history: history.collect(),
            lessons: self.lessons.clone(),
            daily: self.daily == Some(day),
        }
    }

    /// Days one after another on which something was solved; today may still come.
    fn days_running(&self, day: Day) -> Run {
        let (mut run, mut last) = (Run::default(), None::<Day>);
        for (&worked, _) in self.days.iter().filter(|(_, worked)| worked.solved > 0) {
            let follows = last.is_some_and(|last| worked.since(last) == 1);
            run.now = if follows { run.now + 1 } else { 1 };
            run.best = run.best.max(run.now);
            last = Some(worked);
        }
        if last.is_none_or(|last| day.since(last) > 1) {
            run.now = 0;
        }
        run
    }
}

/// How a learner stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    rating: i32,
    deviation: i32,
    sure: bool,
    today: Today,
    row: Run,
    days: Run,
    due: usize,
    mistakes: usize,
    solved: usize,
    tried: usize,
    history: Vec<Dated>,
    lessons: BTreeMap<String, BTreeSet<usize>>,
    daily: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Today {
    solved: u32,
    tried: u32,
    goal: u32,
    change: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Dated {
    day: Day,
    rating: i32,
    solved: u32,
    tried: u32,
}

/// A turn that was better than the one played, as a review tells it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Slip {
    /// How many stones lay on the board.
    pub ply: usize,
    /// Who played.
    pub stone: Stone,
    /// How good the turn was, by the name of its grade.
    pub grade: String,
    /// What would have been better.
    pub best: Vec<Cell>,
}

/// The puzzles that the mistakes of a game make: those of one side, or of both.
pub fn mistakes(record: &GameRecord, slips: &[Slip], stone: Option<Stone>) -> Vec<Puzzle> {
    const GRADES: [&str; 3] = ["mistake", "blunder", "missed-win"];
    // A line of a puzzle begins with the empty board.
    if record.setup.is_some() {
        return Vec::new();
    }
    let wanted = slips.iter().filter(|slip| GRADES.contains(&slip.grade.as_str()));
    let own = wanted.filter(|slip| stone.is_none_or(|stone| stone == slip.stone));
    own.filter_map(|slip| mistake(record, slip)).collect()
}

fn mistake(record: &GameRecord, slip: &Slip) -> Option<Puzzle> {
    let moves: Vec<Cell> = record.moves.get(..slip.ply)?.iter().map(|played| played.cell).collect();
    let id = format!("mine-{:016x}", record.position_at(slip.ply).hash());
    let accepted: Vec<Turn> = vec![slip.best.clone()];
    let puzzle = Puzzle { id, rules: record.rules, theme: Theme::Mistake, turns: 1, rating: MISTAKE, moves, accepted };
    // Its line is what is kept, so it must be one.
    puzzle.to_string().parse().ok()
}
